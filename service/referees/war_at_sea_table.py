"""What lies on the table of War at Sea, kept by hand from the events, for the referee.

Figures and the texts of abilities come from the cards; nothing comes from the engine's rules.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from domain.games.war_at_sea.rules.cards import Card, card

from .figures import GAMES

FOLDER = GAMES / "war_at_sea" / "rules"


@cache
def ability(family: str) -> tuple[str, str]:
    """The rule ID and the text of an ability, as its card has it."""
    data = tomllib.loads((FOLDER / "families" / f"{family}.toml").read_text("utf-8"))
    return data["id"], data["text"]


@cache
def chart(zone: int) -> dict[str, Any]:
    """The map of a battle zone."""
    return tomllib.loads((FOLDER / "maps" / f"zone-{zone}.toml").read_text("utf-8"))


@dataclass
class Unit:
    """One piece and all that lies beside it."""

    id: str
    card: Card
    seat: str
    sector: str = ""
    base: str = ""
    damage: int = 0
    pending: int = 0
    doomed: bool = False
    own_act: bool = False
    aborted: bool = False
    rearming: bool = False
    placed: bool = False
    strafing: bool = False
    moved: bool = False
    unsure: bool = False
    shots: Counter[str] = field(default_factory=Counter)
    effects: list[dict[str, Any]] = field(default_factory=list)

    @property
    def families(self) -> set[str]:
        return {each.family for each in self.card.abilities}

    @property
    def in_play(self) -> bool:
        """On the map or at a base; not where a card lets it begin out of play."""
        return bool(self.sector or self.base)

    @property
    def crippled(self) -> bool:
        """One hull point left, of more (000, "Crippled")."""
        return self.damage > 0 and self.card.hull_points - self.damage == 1

    @property
    def sunk(self) -> bool:
        lost = self.damage + self.pending
        return self.card.type != "Aircraft" and lost >= self.card.hull_points

    def says(self, *words: str) -> bool:
        """Whether the text of one of its abilities has one of the words."""
        texts = [ability(family)[1] for family in self.families]
        return any(re.search(word, text, re.I) for word in words for text in texts)

    def number(self, family: str) -> int:
        return max((each.n for each in self.card.abilities if each.family == family), default=0)


def place(sector: str) -> tuple[int, int] | None:
    """Row and twice the place from the west; None off the map (000, the map's sectors)."""
    if not re.fullmatch(r"\d+\.\d+", sector):
        return None
    row, column = (int(part) for part in sector.split("."))
    return row, 2 * column + (row % 2 == 0)


def distance(one: str, other: str) -> int | None:
    """Sectors from one to the other, the first not counted (000, "Range, Attack Type")."""
    here, there = place(one), place(other)
    if here is None or there is None:
        return None
    rows, across = abs(here[0] - there[0]), abs(here[1] - there[1])
    return max(rows, (rows + across) // 2)


@dataclass
class Table:
    """The whole table, and where in the turn we are."""

    edition: str
    scenario: str
    options: Mapping[str, Any]
    seats: tuple[str, str]
    units: dict[str, Unit] = field(default_factory=dict)
    gone: dict[str, Unit] = field(default_factory=dict)
    points: Counter[str] = field(default_factory=Counter)
    alliances: dict[str, str] = field(default_factory=dict)
    objectives: set[str] = field(default_factory=set)
    used: Counter[tuple[str, str, object]] = field(default_factory=Counter)
    errand: tuple[str, str] = ("", "")
    barred: set[str] = field(default_factory=set)
    bonus: set[str] = field(default_factory=set)
    had_ships: set[str] = field(default_factory=set)
    threats: set[tuple[str, str]] = field(default_factory=set)
    thrown: tuple[tuple[int, ...], ...] = ()
    awaited: Mapping[str, Any] = field(default_factory=dict)
    attack: dict[str, Any] = field(default_factory=dict)
    meddled: bool = False
    concealed: bool = False
    lost: set[str] = field(default_factory=set)
    escort: str = ""
    through: Counter[str] = field(default_factory=Counter)
    zone: int = 0
    light: str = "day"
    turn: int = 0
    phase: str = ""
    part: str = ""
    first: str = ""
    shelled: bool = False

    def card(self, name: str) -> Card:
        edition: Any = self.edition
        return card(name, edition, self.options.get("cards", "book"))

    @property
    def dark(self) -> bool:
        """Dusk and dawn change at the beginning of turn 4 (002, "Darkness")."""
        late = self.turn >= 4
        return {"night": True, "dusk": late, "dawn": not late}.get(self.light, False)

    @property
    def size(self) -> str:
        """``200``, ``300`` or ``500`` of a major engagement, else the scenario's name."""
        return self.scenario.removeprefix("major-")

    def other(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    def of(self, seat: str) -> list[Unit]:
        return [unit for unit in self.units.values() if unit.seat == seat]

    def ships(self, seat: str) -> list[Unit]:
        return [unit for unit in self.of(seat) if unit.card.type == "Ship"]
