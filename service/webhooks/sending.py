"""One attempt to deliver a message: signed by Standard Webhooks, to an address that was checked."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import msgspec

from ..clock import SYSTEM, Clock, stamp
from .rows import Delivery, Secrets
from .targets import Forbidden, Resolve, find

if TYPE_CHECKING:  # imported with the first message: that takes a tenth of the service's start
    import httpx

# It would log every address at INFO, and an address may hold a secret.
logging.getLogger("httpx").setLevel(logging.WARNING)

GONE = 410
AGENT = "Decklog-Webhooks"

WORD = 256
"""Bytes of the answer to a challenge that are looked at."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of an attempt. ``status`` is 0 where no answer came, and ``error`` says why."""

    status: int
    error: str
    millis: int

    @property
    def delivered(self) -> bool:
        return 200 <= self.status < 300


class Sends(Protocol):
    """What delivers messages: :class:`Sender`, or one that only seems to."""

    async def send(self, delivery: Delivery, secrets: Secrets, now: datetime) -> Outcome:
        """One attempt, and what came of it; never fails."""

    async def close(self) -> None:
        """No more are sent."""


class Sender:
    """Sends to public addresses, or to any in local development. Open until ``close``."""

    def __init__(
        self, resolve: Resolve, *, private: bool, seconds: float, clock: Clock = SYSTEM
    ) -> None:
        self._monotonic = clock.monotonic
        self._resolve = resolve
        self._private = private
        self._seconds = seconds

    @cached_property
    def _client(self) -> httpx.AsyncClient:
        """Made for the first message: most services send none, and it reads all certificates."""
        import httpx

        # No proxy of the environment: it would connect to addresses that nobody has checked.
        return httpx.AsyncClient(
            follow_redirects=False,
            trust_env=False,
            timeout=self._seconds,
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=0),
        )

    async def send(self, delivery: Delivery, secrets: Secrets, now: datetime) -> Outcome:
        """One attempt; it takes as long as was set at most, whatever the receiver does."""
        import httpx

        start = self._monotonic()
        status, error = 0, ""
        try:
            async with asyncio.timeout(self._seconds):
                status = await self._post(delivery, secrets, now)
        except Forbidden:
            error = "target-forbidden"
        except (TimeoutError, httpx.TimeoutException):
            error = "timeout"
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
            error = "no-connection"
        return Outcome(status, error, int((self._monotonic() - start) * 1000))

    async def prove(self, where: str, word: str, now: datetime) -> bool:
        """Whether the receiver agrees: it answers the challenge with the word that is in it.

        One question, before anything else is sent; it takes as long as was set at most.
        """
        import httpx

        data = {"type": "challenge", "timestamp": stamp(now), "data": {"challenge": word}}
        fields = {"Content-Type": "application/json", "User-Agent": AGENT}
        try:
            async with asyncio.timeout(self._seconds):
                response = await self._sent(where, msgspec.json.encode(data), fields)
                try:
                    said = await _beginning(response)
                finally:
                    await response.aclose()
        except (TimeoutError, Forbidden, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
            return False
        return response.is_success and said.strip() == word.encode()

    async def _post(self, delivery: Delivery, secrets: Secrets, now: datetime) -> int:
        response = await self._sent(secrets.url, delivery.body, headers(delivery, secrets, now))
        await response.aclose()  # what it says is not read
        return response.status_code

    async def _sent(self, where: str, body: bytes, fields: dict[str, str]) -> httpx.Response:
        import httpx

        target = await find(where, self._resolve, private=self._private)
        url = httpx.URL(where)
        # The very address that was checked; name and certificate are those of the host.
        request = self._client.build_request(
            "POST",
            url.copy_with(host=target.address),
            content=body,
            headers={"Host": url.netloc.decode("ascii"), **fields},
            extensions={"sni_hostname": target.host},
        )
        return await self._client.send(request, stream=True)

    async def close(self) -> None:
        if "_client" in vars(self):
            await self._client.aclose()


async def _beginning(response: httpx.Response) -> bytes:
    """The answer's first bytes, as many as a word and its blanks may have; raw, as they came."""
    said = b""
    async for piece in response.aiter_raw():
        said += piece
        if len(said) > WORD:
            return said[: WORD + 1]
    return said


def headers(delivery: Delivery, secrets: Secrets, now: datetime) -> dict[str, str]:
    """The headers of Standard Webhooks; for a day after a rotation both secrets sign."""
    from standardwebhooks import Webhook

    text = delivery.body.decode()
    known = [secrets.secret, *([secrets.former] if secrets.former else [])]
    signatures = (Webhook(each).sign(delivery.message, now, text) for each in known)
    return {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "webhook-id": delivery.message,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
