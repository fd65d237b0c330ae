"""What things are called in sentences: units, cards, weapons, places, courses and numbers.

Nothing here fails on an unknown name: a redacted view may know less than the sentence asks for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ....kernel.shown.cards import card_of
from ....kernel.shown.wording import join
from ....kernel.tally import Reason, Tally
from ..rules.cards import cards
from ..rules.criticals import TABLE
from ..rules.geometry.pose import Pose
from ..rules.scenarios import scenarios
from ..rules.state import LAND_BASE, PointOfTable, State

PHASES = {
    "fleets": "building fleets",
    "placing-order": "set-up",
    "placing": "set-up",
    "dive": "dives",
    "initiative": "initiative",
    "movement": "naval movement",
    "air-deployment": "air deployment",
    "air-defense": "air defense",
    "air-attack": "air attack",
    "surface-attack": "surface attack",
    "torpedo-check": "torpedo checks",
    "submarine-attack": "submarine attack",
    "air-transit": "air transit",
    "end-of-turn": "end of turn",
}

_GUNS = {"primary": "primary guns", "secondary": "secondary guns", "tertiary": "tertiary guns"}
_ARCS = {
    "": "",
    "forward": "forward ",
    "aft": "aft ",
    "starboard": "starboard ",
    "port": "port ",
}


def scenario_name(scenario: str) -> str:
    """A scenario by its name."""
    known = scenarios().get(scenario)
    return known.name if known is not None else scenario


def card_name(card: str) -> str:
    """A card by the name it shows."""
    known = cards().get(card)
    return known.name if known is not None else card


def unit_name(state: State | None, unit: str) -> str:
    """A unit as ``USS Fletcher (p1-3)``, also when it has left play; its ID where unknown."""
    card = card_of(state, unit)
    return called(card, unit) if card else unit


@lru_cache(maxsize=4096)
def called(card: str, unit: str) -> str:
    """A unit by its card's name; made once, for a list of hundreds of offers names few units."""
    return f"{card_name(card)} ({unit})"


def unit_names(state: State | None, units: Iterable[str]) -> str:
    """Several units, joined."""
    return join(unit_name(state, unit) for unit in units)


def base_name(state: State | None, base: str) -> str:
    """A base of aircraft: the land base, or a ship."""
    return "the land base" if base == LAND_BASE else unit_name(state, base)


def klicks(length: int, klick: int) -> str:
    """A length in klicks and tenths, rounded down: ``12.4``."""
    tenths = length * 10 // klick
    return f"{tenths // 10}.{tenths % 10}"


def spot(state: State | None, at: PointOfTable) -> str:
    """A place on the table, in klicks from its south-west corner: ``(12.4, 30.0)``."""
    if state is None:
        return f"({at[0]}, {at[1]})"
    east, north = (klicks(length, state.options.klick) for length in at)
    return f"({east}, {north})"


def course(ticks: int) -> str:
    """A heading as a compass course: ``022.5`` for 45 ticks."""
    return f"{ticks // 2:03d}" + (".5" if ticks % 2 else "")


def lies(state: State | None, pose: Pose) -> str:
    """Where a unit lies and which way it heads: ``at (12.4, 30.0), heading 090``."""
    return f"at {spot(state, pose.position)}, heading {course(pose.heading)}"


def degrees(ticks: int) -> str:
    """An angle without its way: ``22.5``."""
    size = abs(ticks)
    return f"{size // 2}" + (".5" if size % 2 else "")


def turn(ticks: int) -> str:
    """A turn with its way: ``22.5 degrees to port``."""
    return f"{degrees(ticks)} degrees to {'starboard' if ticks > 0 else 'port'}"


def attack_words(weapon: str, target: str, arc: str = "") -> str:
    """What an attack does: ``fires its forward primary guns at IJN Takao (p2-1)``."""
    match weapon:
        case "torpedo":
            side = f" to {arc}" if arc else ""
            return f"launches torpedoes{side} at {target}"
        case "bombs":
            return f"bombs {target}"
        case "strafe":
            return f"strafes {target}"
        case "asw":
            return f"drops depth charges on {target}"
        case "aaw":
            return f"attacks {target} in the air"
    return f"fires its {_ARCS[arc]}{_GUNS[weapon]} at {target}"


def quarter(side: str) -> str:
    """Where an aircraft comes from: ``from starboard``, ``from the bow``."""
    return f"from the {side}" if side in ("bow", "stern") else f"from {side}"


def phase_name(phase: str) -> str:
    """A phase of a turn or of the set-up by its title."""
    return PHASES[phase]


def critical_name(number: int) -> str:
    """A row of the critical table."""
    return TABLE[number].name


def critical_result(faces: tuple[int, int], result: int) -> str:
    """What a roll on the critical table comes to: its marker, or that it leaves none."""
    row = TABLE[result or sum(faces)]
    return row.name if result or not row.leaves else f"{row.name}, without meaning for it"


def side(state: State | None, seat: str) -> str:
    """A side by all its seats: ``p1``, ``p1 and p3``."""
    return join(_members(state, seat))


def form(state: State | None, seat: str, one: str, many: str) -> str:
    """A word of the form that goes with a side: ``is`` or ``are``."""
    return one if len(_members(state, seat)) == 1 else many


def _members(state: State | None, seat: str) -> tuple[str, ...]:
    return (seat,) if state is None or seat not in state.seats else state.members(seat)


def faces(rounds: Iterable[Iterable[int]]) -> str:
    """Dice faces, the re-rolls of each round after a plus: ``1 2 6 6 + 4 6 + 3``."""
    return " + ".join(" ".join(str(face) for face in sorted(each)) for each in rounds)


def number(state: State | None, tally: Tally) -> str:
    """A total, with its reasons where there is more than the printed figure."""
    if len(tally.reasons) < 2:
        return str(tally.total)
    lines = ", ".join(_reason(state, each) for each in tally.reasons)
    return f"{tally.total} ({lines})"


def _reason(state: State | None, reason: Reason) -> str:
    label = reason.label
    if reason.label in ("printed", "die", "hits on"):
        return f"{reason.value} {label}"
    if reason.source and state is not None and reason.source in state.units:
        label += f" by {unit_name(state, reason.source)}"
    text = f"{reason.value:+d} {label}"
    return text if reason.counted else f"[{text}, overlapped]"


def fleet(held: Iterable[str]) -> str:
    """Cards with how many there are of each: ``USS Fletcher, 2 F4F-4 Wildcat``."""
    tally: dict[str, int] = {}
    for card in held:
        tally[card] = tally.get(card, 0) + 1
    return ", ".join(
        card_name(card) if many == 1 else f"{many} {card_name(card)}"
        for card, many in tally.items()
    )


def fleet_cost(held: Iterable[str]) -> int:
    """What the cards cost together; unknown ones count nothing."""
    known = cards()
    return sum(known[card].points for card in held if card in known)
