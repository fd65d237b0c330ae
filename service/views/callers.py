"""Who is asking: tokens, kept in memory once they were looked up."""

from __future__ import annotations

from collections import OrderedDict

from ..clock import SYSTEM, Clock
from ..models import Identity
from ..store.database import Database
from ..store.tokens import KeptToken, find, holds
from ..threads import SYSTEM as THREADS
from ..threads import MakesThreads

REMEMBERED = 10_000


class TokenCache:
    """Tells whose token it is. Any thread may ask."""

    def __init__(
        self,
        recorder: Database,
        trusted: float | None = None,
        clock: Clock = SYSTEM,
        threads: MakesThreads = THREADS,
    ) -> None:
        """``trusted``: seconds after which a token is looked up again; None: never."""
        self._monotonic = clock.monotonic
        self._recorder = recorder
        self._trusted = trusted
        self._forget_at = self._monotonic()
        self._lock = threads.lock()
        self._kept: OrderedDict[str, KeptToken] = OrderedDict()
        self._revoked: set[str] = set()

    def known(self, token_id: str) -> bool:
        """Whether ``identify`` would answer without reading the store; "" is the id of no token."""
        self._forget()
        return not token_id or token_id in self._kept

    def _forget(self) -> None:
        """All tokens at once, when their time is over."""
        if self._trusted is not None and self._monotonic() >= self._forget_at:
            with self._lock:
                self._forget_at = self._monotonic() + self._trusted
                self._kept.clear()

    def identify(self, text: str, token_id: str) -> Identity | None:
        """Whose it is; None for a token that is malformed, unknown, wrong or revoked.

        token_id  what the text says that it is
        """
        if not token_id:
            return None
        kept = self._kept.get(token_id) or self._look_up(token_id)
        good = holds(kept, text) and kept is not None and token_id not in self._revoked
        return kept.identity if good and kept is not None else None

    def revoked(self, token_id: str) -> None:
        """The token is no good any more, from now on."""
        with self._lock:
            self._revoked.add(token_id)
            self._kept.pop(token_id, None)

    def clear(self) -> None:
        """Look up every token again."""
        with self._lock:
            self._kept.clear()

    def _look_up(self, token_id: str) -> KeptToken | None:
        kept = find(self._recorder, token_id)
        if kept is not None:
            with self._lock:
                self._kept[token_id] = kept
                if len(self._kept) > REMEMBERED:
                    self._kept.popitem(last=False)
        return kept
