"""A store of an older format brought to the present one, with all that the log alone can give."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from ..dice.vault import Vault
from ..settings import Settings
from ..store.store import Store
from ..threads import SYSTEM
from ..views.rulesets import Rulesets
from .staging import AnyGame
from .summaries import Heard, renew


def migrate(
    settings: Settings, games: Mapping[str, AnyGame], heard: Heard = lambda *_: None
) -> int:
    """Bring the store up to date while nobody is at work on it; how many summaries were gone over.

    heard  is told how many of how many they are
    What is up to date stays as it is. Raises StoreRefused, ServiceError.
    """
    store = Store(settings, migrating=True)
    store.open(datetime.now(UTC))
    try:
        rulesets = Rulesets(games, store, SYSTEM)
        return renew(store, rulesets, Vault(settings.chain_length), heard)
    finally:
        store.close()
