"""What a reader may ask of a position: what ships and cards are called, chances of a roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from ...kernel.fork import Choose
from ...kernel.insight import Insight
from ...kernel.tally import Tally
from ...kernel.values import Hidden, Known
from .commands import CommitFleet
from .deck import full_deck, sorted_cards
from .folds.common import cards_of
from .legal import legal
from .names import card_name, ship_name
from .odds import chances, prospects
from .rules.reckoning import cover_needed, silence_needed
from .ships import SHIPS
from .state import State


def calls(state: State, unit: str) -> str:
    """A ship or an action card by its printed name."""
    name = ship_name(unit) if unit in SHIPS else card_name(state, unit)
    return "" if name == unit else name


def figures(state: State, unit: str) -> dict[str, Tally]:
    """What a ship's own dice have to reach: air cover, running silent."""
    if unit not in state.ships:
        return {}
    found = {"air cover": cover_needed(unit), "run silent": silence_needed(unit)}
    return {name: tally for name, tally in found.items() if tally.total}


def suppose(state: State, choose: Choose) -> State:
    """Fleets that are sealed, and hands and deck of the cards that were not seen."""
    return _dealt(_committed(state, choose), choose)


def _committed(state: State, choose: Choose) -> State:
    """Nobody has chosen a sealed fleet yet; while fleets are laid out, one that might be chosen."""
    sealed = [s for s in state.seats if isinstance(state.committed.get(s), Hidden)]
    known = {seat: held for seat, held in state.committed.items() if seat not in sealed}
    if not sealed or state.step == "fleets":
        return replace(state, committed=known)
    before = replace(state, step="fleets", committed=known)
    for seat in sealed:
        ready = [c for c in legal(before, seat).commands if isinstance(c, CommitFleet)]
        if ready:
            known[seat] = Known(ready[choose(len(ready))].ships)
    return replace(state, committed=known)


def _dealt(state: State, choose: Choose) -> State:
    """Every hidden hand is drawn from what was not seen; what is left is the deck."""
    hidden = [seat for seat in state.seats if isinstance(state.hands.get(seat), Hidden)]
    if not hidden and isinstance(state.deck, Known):
        return state
    unseen = Counter(full_deck(cards_of(state)))
    unseen.subtract(_seen(state))
    left = sorted_cards(cards_of(state), tuple(unseen.elements()))
    wanted = state.deck.count + sum(state.hands[seat].count for seat in hidden)
    pool = list(left)
    while len(pool) > wanted:
        pool.pop(choose(len(pool)))
    hands = dict(state.hands)
    for seat in hidden:
        many = min(state.hands[seat].count, len(pool))
        drawn = tuple(pool.pop(choose(len(pool))) for _ in range(many))
        hands[seat] = Known(sorted_cards(cards_of(state), drawn))
    return replace(state, hands=hands, deck=Known(tuple(pool)))


def _seen(state: State) -> Iterator[str]:
    """Every card that lies open or is in a hand that is seen."""
    for hand in (*state.hands.values(), state.deck):
        if isinstance(hand, Known):
            yield from hand.items
    yield from state.discards
    for ship in state.ships.values():
        yield from ship.damage
    for prepared in state.prepared.values():
        yield from (each.card for each in prepared)
    for retreats in state.retreats.values():
        yield from retreats
    yield from (attack.card for attack in state.attacks if attack.card)
    yield from (surprise.card for surprise in state.surprises)
    if state.aim is not None:
        yield state.aim.card


INSIGHT = Insight(
    calls=calls, figures=figures, chances=chances, prospects=prospects, suppose=suppose
)
