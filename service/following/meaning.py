"""What the events of the log mean, as their games say: roles, for those who know no game."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import msgspec

from domain.kernel.codec import Codec
from domain.kernel.event import UnknownEvent
from domain.kernel.finder import games
from domain.kernel.forked import fork_rules
from domain.kernel.game import Game
from domain.kernel.shown.roles import Role, nothing

from ..errors import EngineMissing

log = logging.getLogger(__name__)

Games = Mapping[str, Game[Any, Any, Any]]


class Meanings:
    """Reads the roles of stored events, one by one: without the state before them."""

    def __init__(self, installed: Games | None = None) -> None:
        """``installed``: the rulesets by name; those that are found by entry point by default."""
        self._games = games() if installed is None else installed
        self._codecs = {name: Codec(fork_rules(game)) for name, game in self._games.items()}
        self._silent = {
            f"{name}.{type_.NAME}"
            for name, game in self._games.items()
            for type_ in game.events
            if game.roles.get(type_, nothing) is nothing
        }

    def of(self, ruleset: str, type_: str, schema: int, data: bytes) -> tuple[Role, ...]:
        """What an event of a ruleset means; nothing where the ruleset is not installed."""
        game = self._games.get(ruleset)
        if game is None or type_ in self._silent or not type_.startswith(f"{ruleset}."):
            return ()
        try:
            event = self._codecs[ruleset].decode(type_, schema, data)
        except (UnknownEvent, msgspec.ValidationError) as error:
            log.error("an event means nothing here, for it cannot be read: %s", error)
            return ()
        try:
            return game.meaning(None, event)
        except EngineMissing as error:  # nobody else's games wait for theirs
            log.error("an event means nothing here: %s", error)
            return ()
