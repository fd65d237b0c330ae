"""New dice for games of which something may be lost, because the store went back.

Whatever followed is gone, and somebody may have seen dice of it. So before a game goes on, all of
its chains are new, the service's and the seats', and its record says so; a seat that has not begun
a new chain is absent from the dice meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from ..entropy import Entropy
from ..errors import PASSING, ServiceError
from ..evidence.chain import Chain
from ..evidence.records import SERVICE, EpochStarted
from ..store.lineage import found_again
from ..store.store import Commit
from .live import Live
from .staging import ReadyRequest, RecordWriter, commit_of, gone_on

log = logging.getLogger(__name__)

NONCE_BYTES = 32
LOOK_SECONDS = 1.0
"""How often it is looked whether games wait for new dice."""

GAMES = 64
"""Games that are seen to at a time."""

Read = Callable[..., Awaitable[Any]]
See = Callable[[str], Awaitable[Any]]
"""Has the engine take a game up, by which it gets its new dice."""


def start(live: Live, at: str, entropy: Entropy) -> ReadyRequest:
    """The game with new chains, staged; one that is over needs none."""
    if live.summary.status == "finished":
        same = msgspec.structs.replace(live, lost=False)
        return ReadyRequest(same, Commit(live.id, (), (found_again(live.id),)), (), None)
    epoch = live.links.epoch.started(live.next_batch - 1, entropy.draw(NONCE_BYTES))
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    scribe.platform(EpochStarted.of(live.dice.book, epoch))
    scribe.write(None)
    links = live.links.renewed(epoch)
    # An order that was locked is void: its dice may have been seen.
    renewed = msgspec.structs.replace(live, links=links, lost=False, locked=None)
    after = gone_on(renewed, scribe, SERVICE, at)
    commit = commit_of(after, scribe, [found_again(live.id)])
    return ReadyRequest(after, commit, tuple(scribe.told), None)


class Announcer:
    """Sees to it that every such game gets its dice soon, and its seats hear of it."""

    def __init__(self, waiting: Callable[[int], list[str]], read: Read, see: See) -> None:
        self._waiting = waiting
        self._read = read
        self._see = see
        self._failed: set[str] = set()

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            try:
                while await self.look():
                    pass
            except ServiceError as error:
                log.warning("games cannot get new dice now: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """See to some; how many there were. Raises ServiceError."""
        games = await self._read(self._waiting, GAMES + len(self._failed))
        found = [game for game in games if game not in self._failed]
        for game in found:
            try:
                await self._see(game)
            except PASSING:
                raise
            except ServiceError as error:
                log.warning("game %s has to wait for new dice: %s", game, error)
                self._failed.add(game)
        return len(found)
