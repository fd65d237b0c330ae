"""What everybody may say of hidden cards and fleets; a new field of the state needs its line here.

A claim is something that follows for what is hidden from what all have seen. ``suppose`` makes up
nothing that contradicts one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from ....kernel.shown.claims import Claim, ClaimsByField
from ....kernel.values import Hidden, Known, Seat, StepKey
from ..rules.commands import CommitFleet
from ..rules.deck import full_deck
from ..rules.folds.common import cards_of
from ..rules.setup import why_not_fleet
from ..rules.state import Hand, State

OPEN = "it is open, and nothing follows from it for hands, deck or fleets"
LIES = "its cards lie on the table: the claim about the deck counts them"


def held(hand: Hand) -> tuple[str, ...]:
    """The cards of a hand that is seen."""
    return hand.items if isinstance(hand, Known) else ()


def on_the_table(state: State) -> Iterator[str]:
    """Every action card that lies open."""
    yield from state.discards
    for ship in state.ships.values():
        yield from ship.damage
    for prepared in state.prepared.values():
        yield from (each.card for each in prepared)
    for retreats in state.retreats.values():
        yield from retreats
    batches = {attack.batch or -attack.number: attack.card for attack in state.attacks}
    yield from (card for card in batches.values() if card)
    yield from (surprise.card for surprise in state.surprises)
    if state.aim is not None and state.aim.batch not in batches:
        yield state.aim.card


def kept(state: State, seat: Seat, hand: tuple[str, ...]) -> bool:
    """Whether a hand holds no more cards of the renewed deck than its player has drawn of it."""
    if not state.renewed:
        return True
    older = Counter(full_deck(cards_of(state))) - Counter(state.renewed)
    new = Counter(hand) - older
    return new.total() <= state.drawn.get(seat, 0)


def _hands(view: State) -> Iterator[Claim]:
    for seat, hand in view.hands.items():
        yield _as_many(seat, hand.count)


def _as_many(seat: Seat, count: int) -> Claim:
    return Claim(
        f"{seat} holds {count} cards", "NB-HID-02", lambda state: state.hands[seat].count == count
    )


def _deck(view: State) -> Iterator[Claim]:
    count = view.deck.count
    yield Claim(f"{count} are left to draw", "NB-HID-02", lambda state: state.deck.count == count)
    if count or any(hand.count for hand in view.hands.values()):
        yield Claim("each card is in one place", "NB-DECK-01", _is_whole)


def _is_whole(state: State) -> bool:
    """Hands, deck and table together are the deck that is played with."""
    found = Counter(on_the_table(state))
    for hand in (*state.hands.values(), state.deck):
        found.update(held(hand))
    return found == Counter(full_deck(cards_of(state)))


def _renewed(view: State) -> Iterator[Claim]:
    if view.renewed:
        cards = Counter(view.renewed)
        text = "what is left to draw was in the discards that became the deck"
        yield Claim(text, "NB-DRAW-02", lambda state: Counter(held(state.deck)) <= cards)


def _drawn(view: State) -> Iterator[Claim]:
    for seat in view.hands if view.renewed else ():
        yield _no_more(seat)


def _no_more(seat: Seat) -> Claim:
    text = f"{seat} holds no more of the renewed deck than were drawn"
    return Claim(text, "NB-DRAW-02", lambda state: kept(state, seat, held(state.hands[seat])))


def _committed(view: State) -> Iterator[Claim]:
    for seat, fleet in view.committed.items():
        if isinstance(fleet, Hidden):
            yield _might_choose(seat)


def _might_choose(seat: Seat) -> Claim:
    def legal(state: State) -> bool:
        before = replace(state, step=StepKey("fleets"))
        return why_not_fleet(before, seat, CommitFleet(held(state.committed[seat]))) is None

    return Claim(f"{seat} might choose that fleet", "NB-SETUP-02", legal)


CLAIMS: ClaimsByField = {
    **dict.fromkeys(
        (
            "edition", "scenario", "options", "seats", "step", "battle", "nations", "reserves",
            "lacking", "sunk", "earlier", "tied", "first", "active", "turn", "round", "calm",
            "progress", "calls", "passed", "withdrew", "removing", "declared", "last", "roll",
            "awaiting", "gone", "rolls", "result", "purpose",
        ),
        OPEN,
    ),
    **dict.fromkeys(
        ("ships", "discards", "prepared", "retreats", "attacks", "surprises", "aim"), LIES
    ),
    "house": "the claim about the deck counts its cards",
    "hands": _hands,
    "deck": _deck,
    "renewed": _renewed,
    "drawn": _drawn,
    "committed": _committed,
}  # fmt: skip
"""Field of the state to what it claims of the hidden, or why it claims nothing."""
