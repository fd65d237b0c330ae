"""A position that a viewer could take for the truth: what he cannot see is made up.

What is made up agrees with every claim of claims.py. Cards that everybody saw become the deck are
in no hand of a player who has drawn none of them since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from ....kernel.order import listed, ordered
from ....kernel.values import Choose, Hidden, Known, Seat, StepKey
from ..rules.commands import CommitFleet
from ..rules.decide import legal
from ..rules.deck import full_deck, sorted_cards
from ..rules.folds.common import cards_of
from ..rules.state import Hand, State
from .claims import kept, on_the_table

TRIES = 60
"""How often cards are dealt anew where the last hands find no card that may be theirs."""


def suppose(state: State, choose: Choose) -> State:
    """Sealed fleets, and hands and deck of cards not seen."""
    return _dealt(_committed(state, choose), choose)


def _committed(state: State, choose: Choose) -> State:
    """Every sealed fleet is one that might be chosen."""
    sealed = [seat for seat, held in ordered(state.committed) if isinstance(held, Hidden)]
    known = {seat: held for seat, held in ordered(state.committed) if seat not in sealed}
    before = replace(state, step=StepKey("fleets"), committed=known, awaiting=None, gone=())
    found = dict(state.committed)
    for seat in sealed:
        ready = [c for c in legal(before, seat).commands if isinstance(c, CommitFleet)]
        found[seat] = Known(ready[choose(len(ready))].ships)
    return replace(state, committed=found)


def _dealt(state: State, choose: Choose) -> State:
    """Hidden hands and the deck are the cards that were not seen."""
    hidden = [seat for seat, hand in ordered(state.hands) if isinstance(hand, Hidden)]
    if not hidden and isinstance(state.deck, Known):
        return state
    if not any(each.count for each in (state.deck, *listed(state.hands))):
        return replace(state, deck=Known(()))  # nothing is dealt yet
    for _ in range(TRIES):
        dealt = _Dealer(state, hidden, choose, careful=False)
        if dealt.agrees():
            return dealt.position()
    return _Dealer(state, hidden, choose, careful=True).position()


class _Dealer:
    """One way to deal what was not seen; ``careful``: who may hold least is dealt to first."""

    def __init__(self, state: State, hidden: list[Seat], choose: Choose, *, careful: bool) -> None:
        self.state, self.choose = state, choose
        self.hands: dict[Seat, list[str]] = {seat: [] for seat in hidden}
        self.left = list(_unseen(state))
        self.order = sorted(hidden, key=lambda seat: (state.drawn.get(seat, 0), seat))
        self._held_back(self.order[:1] if careful else self.order)
        for seat in self.order:
            self._fill(seat)

    def _room(self, seat: Seat) -> int:
        return self.state.hands[seat].count - len(self.hands[seat])

    def _held_back(self, first: list[Seat]) -> None:
        """What cannot be in the deck is in hands: everybody saw which cards became the deck."""
        for card in self._surplus():
            seats = [s for s in first if self._room(s)] or [s for s in self.order if self._room(s)]
            if not seats:
                return
            self.left.remove(card)
            self.hands[seats[self.choose(len(seats))]].append(card)

    def _surplus(self) -> tuple[str, ...]:
        if not self.state.renewed:
            return ()
        return tuple((Counter(self.left) - Counter(self.state.renewed)).elements())

    def _fill(self, seat: Seat) -> None:
        while self._room(seat):
            fitting = [card for card in self.left if kept(self.state, seat, self._with(seat, card))]
            if not fitting:
                return
            card = fitting[self.choose(len(fitting))]
            self.left.remove(card)
            self.hands[seat].append(card)

    def _with(self, seat: Seat, card: str) -> tuple[str, ...]:
        return (*self.hands[seat], card)

    def agrees(self) -> bool:
        return not any(self._room(seat) for seat in self.hands)

    def position(self) -> State:
        hands: dict[Seat, Hand] = dict(self.state.hands)
        for seat, cards in ordered(self.hands):
            hands[seat] = Known(sorted_cards(cards_of(self.state), tuple(cards)))
        deck = sorted_cards(cards_of(self.state), tuple(self.left))
        return replace(self.state, hands=hands, deck=Known(deck))


def _unseen(state: State) -> Iterator[str]:
    """Every card of the game that the viewer does not see."""
    unseen = Counter(full_deck(cards_of(state)))
    unseen.subtract(on_the_table(state))
    for hand in (*listed(state.hands), state.deck):
        if isinstance(hand, Known):
            unseen.subtract(hand.items)
    return unseen.elements()
