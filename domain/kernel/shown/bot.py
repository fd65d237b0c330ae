"""What a bot is given, and what it gives back.

A bot knows what the service lists and shows to its seat, as plain JSON, and nothing else; so the
same bot plays over HTTP and in a test. A game may bring bots of its own in :attr:`Game.bots`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

Item = Mapping[str, Any]
"""An entry of the list of commands: ``command`` (a body to post), text, unit, target, odds."""

Json = dict[str, Any]


@dataclass
class Position:
    """What a seat has before it when it is asked.

    seat       the seat that is asked
    question   stable key of what is asked: ``sea-movement``
    items      everything that the seat may do now
    look       fetches the seat's view of the whole state; called at most once
    units      the ruleset's catalogue of units by ID
    reckon     odds of an item whose entry has none yet; the service lists them itself
    subject    which attack or roll the question is about; "" where it says it all
    """

    seat: str
    question: str
    items: Sequence[Item]
    look: Callable[[], Json]
    units: Mapping[str, Json]
    reckon: Callable[[Item], Json | None] = lambda item: item.get("odds")
    subject: str = ""

    @cached_property
    def view(self) -> Json:
        """The state as the seat sees it."""
        return self.look()


class Bot(Protocol):
    """Picks one of the items; the command of the item is posted.

    A bot of a game also names the questions that it can judge, as ``judges``: the completeness
    check asks for each question of the game. Rather anything than nothing is no judgement.
    """

    def choose(self, position: Position) -> Item:
        """The item to do; raises ValueError when there is none."""
        ...
