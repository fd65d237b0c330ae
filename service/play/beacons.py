"""Rounds of a public beacon for which games wait (grade A3): from a relay, or out of a folder.

Whoever gives them is not believed: a round is what the beacon's key has signed. What comes is
bounded in size and time, and nobody waits for it but games of grade A3.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..clock import SYSTEM, Clock
from ..evidence.beacon import NETWORKS, is_round

if TYPE_CHECKING:  # imported where it is used: that takes a tenth of the service's start
    import httpx

log = logging.getLogger(__name__)

LARGEST = 64 * 1024
"""Bytes of an answer, at most."""

SECONDS = 3.0
"""Within which an answer has to be whole; each word of it comes within half of that."""

LOOK_SECONDS = 0.5
"""Between two looks for what is waited for."""

KEPT = 1_024
"""Rounds that are remembered: each is wanted once, soon after it has come."""

FORGOTTEN = 120
"""Looks after which a round that no game asks for is not looked for: one that waits asks each
second."""

Read = Callable[..., Awaitable[Any]]


class NotThere(Exception):
    """The round cannot be had now, in a sentence."""


@dataclass
class Wanted:
    """A round that is waited for: since when, and after how many looks it was asked for last."""

    since: datetime
    asked: int


class RoundTold(msgspec.Struct):
    """What a relay says of a round; more of it is passed over."""

    round: int
    signature: str


class Relay:
    """Gives rounds: an HTTP address of drand's own interface, or a folder with the same files."""

    def __init__(self, address: str, clock: Clock = SYSTEM) -> None:
        self._address = address.rstrip("/")
        self._monotonic = clock.monotonic
        self._client: httpx.Client | None = None

    def fetch(self, chain: str, number: int) -> str:
        """The signature of a round, checked. Raises NotThere."""
        path = f"{chain}/public/{number}"
        if self._address.startswith(("http://", "https://")):
            text = self._asked(path)
        else:
            text = _file(Path(self._address.removeprefix("file://")) / path)
        try:
            told = msgspec.json.decode(text, type=RoundTold)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise NotThere(f"round {number}: no answer of a beacon") from None
        if told.round != number:
            raise NotThere(f"round {number}: the answer is of round {told.round}")
        if not is_round(NETWORKS[chain], number, told.signature):
            raise NotThere(f"round {number}: the beacon's key has not signed the answer")
        return told.signature

    def _asked(self, path: str) -> bytes:
        import httpx

        if self._client is None:
            self._client = httpx.Client(timeout=SECONDS / 2, follow_redirects=False)
        end = self._monotonic() + SECONDS
        try:
            with self._client.stream("GET", f"{self._address}/{path}") as answer:
                if answer.status_code != 200:
                    raise NotThere(f"{path}: status {answer.status_code}")
                body = b""
                for part in answer.iter_bytes():
                    body += part
                    if len(body) > LARGEST or self._monotonic() > end:
                        raise NotThere(f"{path}: the answer is too long, or too slow")
                return body
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise NotThere(f"{path}: {error}") from None

    def close(self) -> None:
        """Harmless when repeated."""
        if self._client is not None:
            self._client.close()
            self._client = None


def _file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
    except OSError as error:
        raise NotThere(f"{path.name}: {error.strerror}") from None
    if len(text) > LARGEST:
        raise NotThere(f"{path.name}: the file is too long")
    return text


class Beacons:
    """The rounds that one worker's games wait for.

    address  of the relay, or its folder; "": there is none, and no such game

    trouble  why the last round that was asked for is not here; "" where it is
    """

    def __init__(self, address: str, read: Read, clock: Clock = SYSTEM) -> None:
        self._relay = Relay(address, clock) if address else None
        self._read = read
        self._now = clock.now
        self._wanted: dict[tuple[str, int], Wanted] = {}
        self._here: dict[tuple[str, int], str] = {}
        self._looks = 0
        self.trouble = ""

    def get(self, chain: str, number: int) -> str | None:
        """The signature of a round, if it is here; else it is looked for from now on."""
        found, wanted = self._here.get((chain, number)), self._wanted.get((chain, number))
        if wanted is not None:
            wanted.asked = self._looks
        elif found is None and len(self._wanted) < KEPT:
            self._wanted[chain, number] = Wanted(self._now(), self._looks)
        return found

    @property
    def waiting(self) -> float:
        """Seconds for which the round that is missed longest has been asked for; 0: none is."""
        since = [each.since for each in self._wanted.values()]
        return (self._now() - min(since)).total_seconds() if since else 0.0

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        if self._relay is None:
            return
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                await self.look()
        finally:
            self._relay.close()

    async def look(self) -> int:
        """Ask for all that is wanted; how much of it came. What no game asks for any more is not:
        its game is over, or is played elsewhere."""
        came, self._looks = 0, self._looks + 1
        for key, wanted in tuple(self._wanted.items()):
            if self._looks - wanted.asked > FORGOTTEN:
                del self._wanted[key]
        if not self._wanted:
            self._warn("")
        for chain, number in tuple(self._wanted):
            came += await self._ask(chain, number)
        return came

    async def _ask(self, chain: str, number: int) -> bool:
        assert self._relay is not None, "only games of a service with a beacon wait for it"
        try:
            found = await self._read(self._relay.fetch, chain, number)
        except NotThere as error:
            self._warn(str(error))
            return False
        self._warn("")
        self._wanted.pop((chain, number), None)  # two may look at once
        self._here[chain, number] = found
        while len(self._here) > KEPT:
            del self._here[next(iter(self._here))]
        return True

    def _warn(self, trouble: str) -> None:
        """Once for each new trouble, not for each look."""
        if trouble and trouble != self.trouble:
            log.warning("games of grade A3 wait for the public beacon: %s", trouble)
        self.trouble = trouble
