"""What ``decklog serve --check`` finds out: whether the service would start, and with what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from ..errors import ServiceError, StoreRefused
from ..settings import SECRETS, Settings
from ..store import engines
from ..store.engines import Frozen, InPlay
from ..store.store import Store
from .safety import findings

IN_USE = "store.locked"


def shown(settings: Settings) -> dict[str, str]:
    """Every setting as one may show it: of secrets only whether they are there."""
    return {name: _shown(name, getattr(settings, name)) for name in settings.__struct_fields__}


def _shown(name: str, value: object) -> str:
    if name not in SECRETS or not value:
        return str(value)
    if name == "key":
        return "(set)"
    parts = urlsplit(str(value))
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


class Standing(NamedTuple):
    """How the games in play stand to the rules.

    frozen   those that nobody can play on, since their engine is nowhere; it starts all the same
    in_play  how many there are by which engine; each ends by its own, whatever is installed
    """

    frozen: list[Frozen]
    in_play: list[InPlay]


def standing(settings: Settings, installed: Collection[str]) -> Standing:
    """Of the games of the store; none where it cannot be opened.

    installed  digests of the rules that are installed, of either form
    """
    if not settings.store and not settings.database.exists():
        return Standing([], [])
    store = Store(settings)
    try:
        store.open(datetime.now(UTC))
    except (StoreRefused, ServiceError):
        return Standing([], [])
    try:
        games = store.recorder
        return Standing(engines.frozen(games, installed), engines.in_play(games, installed))
    finally:
        store.close()


def faults(settings: Settings, environ: Mapping[str, str]) -> list[str]:
    """Why the service would not start: unsafe settings, else what the store says. Empty: it would.

    A database that is not there yet is not made; one that a running service holds is taken to
    be good.
    """
    if unsafe := findings(settings, environ):
        return list(map(str, unsafe))
    if not settings.store and not settings.database.exists():
        return []
    store = Store(settings)
    try:
        store.open(datetime.now(UTC))
    except (StoreRefused, ServiceError) as refused:
        if isinstance(refused, StoreRefused) and refused.code == IN_USE:
            return []
        return [str(refused)]
    store.close()
    return []
