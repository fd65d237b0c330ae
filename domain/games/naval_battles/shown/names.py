"""What things are called in sentences: ships, cards, attacks, nations, steps, numbers.

Nothing here fails on an unknown name: a redacted view may know less than the sentence asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ....kernel.shown.wording import join
from ....kernel.tally import Reason, Tally
from ....kernel.values import StepKey
from ..rules.deck import STANDARD_TABLE
from ..rules.folds.common import cards_of
from ..rules.ships import SHIPS
from ..rules.state import Attack, State

NATIONS = {
    "france": "France",
    "germany": "Germany",
    "great-britain": "Great Britain",
    "italy": "Italy",
    "japan": "Japan",
    "united-states": "the United States",
}
STEPS = {
    "nations": "Choice of nations",
    "fleets": "Secret fleets",
    "first-roll": "Roll for the first turn",
    "layout": "Layout",
    "deal": "Deal",
    "reorganize": "Reorganize",
    "prepare": "Prepare",
    "declare": "Attack: declare",
    "defense": "Attack: defense",
    "resolve": "Attack: resolve",
    "discard": "Discard",
    "draw": "Draw",
}


def nation_name(nation: str) -> str:
    return NATIONS[nation]


def nation_of(state: State, seat: str) -> str:
    """The nation that a seat commands."""
    known = seat in state.nations
    return nation_name(state.nations[seat]) if known else "no nation yet"


def ship_name(ship: str) -> str:
    """A ship by its printed name."""
    known = SHIPS.get(ship)
    return known.name if known is not None else ship


def ship_names(ships: Iterable[str]) -> str:
    return join(ship_name(ship) for ship in ships)


def card_name(state: State | None, card: str) -> str:
    """An action card by its printed name."""
    table = STANDARD_TABLE if state is None else cards_of(state)
    known = table.get(card)
    return known.name if known is not None else card


def card_names(state: State | None, cards: Iterable[str]) -> str:
    """Cards with how many there are of each: ``Near Miss, 2 Planning``."""
    many = Counter(cards)
    return join(
        card_name(state, card) if count == 1 else f"{count} {card_name(state, card)}"
        for card, count in many.items()
    )


def step_name(step: StepKey) -> str:
    return STEPS[step.phase]


def attack_of(state: State | None, number: int) -> Attack | None:
    if state is None:
        return None
    return next((each for each in state.attacks if each.number == number), None)


def attack_name(state: State | None, number: int) -> str:
    """An attack by number, with what it is and its target."""
    attack = attack_of(state, number)
    if attack is None:
        return f"attack {number}"
    raid = f"air raid of {ship_names(attack.ships)}"
    what = card_name(state, attack.card) if attack.card else raid
    return f"attack {number} ({what} on {ship_name(attack.target)})"


def mount_name(mount: str) -> str:
    """``18 inch main mount``, ``torpedo mount``."""
    battery, _, caliber = mount.partition("-")
    return f"{caliber} inch {battery} mount" if caliber else f"{battery} mount"


def tally(number: Tally) -> str:
    """A total, with its reasons where there is more than one: ``5 (4 row 2, +1 anti-aircraft)``."""
    if len(number.reasons) < 2:
        return str(number.total)
    first, *others = number.reasons
    parts = [f"{first.value} {first.label}", *(_reason(each) for each in others)]
    return f"{number.total} ({', '.join(parts)})"


def _reason(reason: Reason) -> str:
    return f"{reason.value:+d} {reason.label}"
