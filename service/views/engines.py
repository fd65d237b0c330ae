"""The engines that a service gives to whoever judges: kept, installed, carried by its build."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from domain.kernel.game import Game

from ..engines import carry
from ..engines.closure import Unbuildable
from ..engines.load import opened
from ..evidence.digest import rules_archive, rules_digest
from ..models import EngineInfo
from ..store.store import Store

AnyGame = Game[Any, Any, Any]


class Engines:
    """By the SHA-256 of their archives. Any thread may ask.

    What the store keeps is given for ever; what is installed, before any game names it.
    """

    def __init__(self, games: Mapping[str, AnyGame], store: Store) -> None:
        self._store = store
        self._installed = {found: game for game in games.values() for found in _digest(game)}
        self._known: dict[str, EngineInfo] = {}

    def archive(self, digest: str) -> bytes | None:
        """The bytes of an engine; None where it is not here. Raises StoreUnavailable."""
        kept = self._store.engine(digest)
        if kept is not None:
            return kept
        if digest in self._installed:
            return rules_archive(self._installed[digest])
        return next((carry.archive(e) for e in carry.table() if e.digest == digest), None)

    def listed(self, after: str, limit: int) -> list[EngineInfo]:
        """In the order of their digests, after the one named ``after``. Raises StoreUnavailable."""
        carried = (engine.digest for engine in carry.table())
        here = {*self._store.engine_digests(), *self._installed, *carried}
        told = (self._told(digest) for digest in sorted(here) if digest > after)
        return list(islice(filter(None, told), limit))

    def _told(self, digest: str) -> EngineInfo | None:
        """What its archive says of itself; None where the store's own is damaged."""
        if digest not in self._known:
            archive = self.archive(digest)
            if archive is None:
                return None
            self._known[digest] = _info(archive, installed=digest in self._installed)
        return self._known[digest]


def _info(archive: bytes, *, installed: bool) -> EngineInfo:
    _, about = opened(archive)
    return EngineInfo(
        digest=hashlib.sha256(archive).hexdigest(),
        ruleset=str(about["ruleset"]),
        version=str(about["version"]),
        bytes=len(archive),
        installed=installed,
    )


def _digest(game: AnyGame) -> Iterator[str]:
    """Of an installed game's archive; nothing where there is none: tests alone have such rules."""
    with suppress(Unbuildable):
        yield rules_digest(game).hex()
