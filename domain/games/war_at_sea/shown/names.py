"""What things are called in sentences: units, cards, weapons, abilities, steps and numbers.

Nothing here fails on an unknown name: a redacted view may know less than the sentence asks for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ....kernel.custom import CUSTOM
from ....kernel.shown.cards import card_of
from ....kernel.shown.wording import join
from ....kernel.tally import Reason, Tally
from ..rules import board
from ..rules.cards import CARDS, pieces
from ..rules.charts import Chart
from ..rules.convoy import OFF_MAP
from ..rules.families.vocabulary import families
from ..rules.scenarios import Scenario, scenarios
from ..rules.state import AIRBASE, State

GUNS = {
    "main": "its main guns",
    "secondary": "its secondary guns",
    "tertiary": "its tertiary guns",
    "antiair": "antiair",
}
FIRE_RULES = {
    **dict.fromkeys(("main", "secondary", "tertiary"), "WAS-SURF-01"),
    "antiair": "WAS-AIRD-01",
    "bomb": "WAS-AIRA-01",
    "strafe": "WAS-AIRA-06",
    "asw": "WAS-ATK-08",
    "torpedo": "WAS-TORP-04",
}
"""The rule by which each kind of attack is made."""
SET_UP = {
    "sides": "Sides",
    "fleets": "Fleets",
    "battle-zone": "Battle Zone",
    "first-deployer": "First Deployer",
    "edges": "Edges",
    "deployment": "Deployment",
    "initiative": "Initiative",
}
"""Titles of steps before the phases of a turn: no sentence says that one begins."""

PHASES = {
    "sea-movement": "Sea Movement",
    "air-mission": "Air Mission",
    "air-defense": "Air Defense",
    "air-attack": "Air Attack",
    "surface-attack": "Surface Attack",
    "torpedo-attack": "Torpedo Attack",
    "submarine-attack": "Submarine Attack",
    "air-return": "Air Return",
    "end-of-turn": "End of Turn",
}


def chart_name(laid_out: Chart, number: int) -> str:
    """``Battle zone 4, Atoll Passage``, or ``Convoy, island in 6.2``."""
    zone = f"Battle zone {number}, " if laid_out.id == f"zone-{number}" else ""
    return zone + laid_out.name


def scenario_name(name: str, custom: Scenario | None = None) -> str:
    """A scenario by its title; its ID where it is unknown."""
    if custom is None and name == CUSTOM:
        return "A scenario of their own"
    known = custom or scenarios().get(name)
    return known.name if known is not None else name


def card_name(card: str) -> str:
    """A card by its printed name."""
    known = CARDS.get(card) or pieces().get(card)
    return known.name if known is not None else card


def unit_name(state: State | None, unit: str) -> str:
    """A unit as ``USS Atlanta (p1-3)``, also when it has left play; its ID where it is unknown."""
    card = card_of(state, unit)
    return called(card, unit) if card else unit


@lru_cache(maxsize=4096)
def called(card: str, unit: str) -> str:
    """A unit by its card's name; made once, for a list of hundreds of offers names few units."""
    return f"{card_name(card)} ({unit})"


def unit_names(state: State | None, units: Iterable[str]) -> str:
    """Several units, joined."""
    return join(unit_name(state, unit) for unit in units)


def spot(state: State | None, on: str) -> str:
    """What an ability is used on: a sector, a unit, or a unit that goes to a sector or a unit."""
    unit, _, goal = on.rpartition("@")
    if unit:
        to = goal if goal in board.NEIGHBOURS else unit_name(state, goal)
        return f"on {unit_name(state, unit)}, to {to}"
    return f"in {on}" if on in board.NEIGHBOURS else f"on {unit_name(state, on)}"


def sector_name(sector: str) -> str:
    """A sector, or the land airbase of a side that enemy Aircraft raid."""
    edges = [edge for edge, field in board.AIRFIELDS.items() if field == sector]
    return f"the {edges[0]} land airbase" if edges else sector


def sector_of(state: State | None, unit: str) -> str:
    """Where a unit is; empty when it is not on the map or not known."""
    known = state.units.get(unit) if state is not None else None
    return known.sector if known is not None else ""


def base_name(state: State | None, base: str) -> str:
    """A base of Aircraft: the land airbase, an anchorage, or a Ship."""
    if base in board.NEIGHBOURS:
        return f"its anchorage in {base}"
    return "the land airbase" if base == AIRBASE else unit_name(state, base)


def ability_name(slug: str, n: int = 0) -> str:
    """An ability by the name that cards print, without the card's number."""
    family = families().get(slug)
    return family.called(n or family.plain) if family else slug.replace("-", " ").title()


def ability_rule(slug: str) -> str:
    """The rule ID of an ability; empty for one that has no file."""
    family = families().get(slug)
    return family.id if family else ""


def attack_words(weapon: str, target: str) -> str:
    """What an attack does: ``fires its main guns at Shokaku (p2-1)``."""
    match weapon:
        case "torpedo":
            return f"launches torpedoes at {target}"
        case "bomb":
            return f"bombs {target}"
        case "strafe":
            return f"strafes {target}"
        case "asw":
            return f"attacks {target} by ASW"
    return f"fires {GUNS[weapon]} at {target}"


def phase_name(phase: str) -> str:
    """A phase of a turn or of the set-up by its title."""
    return PHASES[phase] if phase in PHASES else SET_UP[phase]


def faces(thrown: Iterable[int]) -> str:
    """Dice faces in order: ``1 2 4 5 5 6``."""
    return " ".join(str(face) for face in sorted(thrown))


def reasons(state: State | None, tally: Tally) -> str:
    """The lines of a tally: ``7 printed, -1 crippled, [-1 escort, overlapped]``."""
    return ", ".join(_reason(state, each) for each in tally.reasons)


def _reason(state: State | None, reason: Reason) -> str:
    label = reason.label
    if reason.source and label != "printed":
        label += f" from {unit_name(state, reason.source)}"
    text = f"{reason.value:+d} {label}"
    if label in ("printed", "die"):
        text = str(reason.value) + (" printed" if label == "printed" else "")
    return text if reason.counted else f"[{text}, overlapped]"


def number(state: State | None, tally: Tally) -> str:
    """A total, with its reasons where there is more than the printed figure."""
    if len(tally.reasons) < 2:
        return str(tally.total)
    return f"{tally.total} ({reasons(state, tally)})"


def fleet(cards: Iterable[str]) -> str:
    """Cards with how many there are of each: ``USS Atlanta, 2 F4F Wildcat``."""
    tally: dict[str, int] = {}
    for card in cards:
        tally[card] = tally.get(card, 0) + 1
    return ", ".join(
        card_name(card) if many == 1 else f"{many} {card_name(card)}"
        for card, many in tally.items()
    )


def fleet_cost(cards: Iterable[str]) -> int:
    """What the cards cost together; unknown ones count nothing."""
    return sum(CARDS[card].cost for card in cards if card in CARDS)


def place_name(state: State | None, at: str) -> str:
    """Where a unit is put: ``in 3.2``, ``at the land airbase``, ``on USS Hornet (p1-1)``."""
    if at in ("", OFF_MAP):
        return "off the map"
    if at in board.NEIGHBOURS:
        return f"in {at}"
    return f"at {base_name(state, at)}" if at == AIRBASE else f"on {unit_name(state, at)}"


def type_of(card: str) -> str:
    """``Ship``, ``Submarine`` or ``Aircraft``; empty for an unknown card."""
    known = CARDS.get(card) or pieces().get(card)
    return known.type if known is not None else ""
