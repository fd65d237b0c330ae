"""One attempt to deliver a message: signed by Standard Webhooks, to an address that was checked."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import msgspec

from ..clock import SYSTEM, Clock
from .rows import Delivery, Secrets
from .targets import Forbidden, Resolve, find

if TYPE_CHECKING:  # imported with the first message: that takes a tenth of the service's start
    import httpx

# It would log every address at INFO, and an address may hold a secret.
logging.getLogger("httpx").setLevel(logging.WARNING)

GONE = 410
AGENT = "Decklog-Webhooks"


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

    async def _post(self, delivery: Delivery, secrets: Secrets, now: datetime) -> int:
        import httpx

        target = await find(secrets.url, self._resolve, private=self._private)
        url = httpx.URL(secrets.url)
        # The very address that was checked; name and certificate are those of the host.
        request = self._client.build_request(
            "POST",
            url.copy_with(host=target.address),
            content=delivery.body,
            headers={"Host": url.netloc.decode("ascii"), **headers(delivery, secrets, now)},
            extensions={"sni_hostname": target.host},
        )
        response = await self._client.send(request, stream=True)
        await response.aclose()  # what it says is not read
        return response.status_code

    async def close(self) -> None:
        if "_client" in vars(self):
            await self._client.aclose()


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
