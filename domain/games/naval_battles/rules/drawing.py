"""The deck and the draw (NB-DRAW, NB-RND): no order exists until a card is drawn.

A draw is made in two parts that are never seen together before the game is over. The next player
cuts: dice in his own domain. The drawer rolls in his. For each card, cut and die added up count to
a place among the cards that are left, round and round. Each alone tells nothing; together they pick
every card with the same chance. If the drawer saw the whole of it, the place of his card among
those that are left would tell him what the others hold.
"""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.values import Hidden, Known, Seat
from .. import events as ev
from ..deck import full_deck, sorted_cards
from ..folds.common import cards_of
from ..state import Hand, Purpose, Rolled, State
from . import facts
from .asking import ask, own_domain

BattleFlow = Flow[State, ev.AnyEvent]
HAND = 7


@rule("NB-SETUP-06", "NB-SETUP-11", "NB-COMP-01", "NB-EX-03")
def deal(flow: BattleFlow) -> bool:
    """Seven cards each, clockwise from the first player, from the whole deck."""
    state = flow.state
    if not state.deck.count and not any(hand.count for hand in state.hands.values()):
        cards = full_deck(cards_of(state))
        flow.emit(ev.DeckLaid(cards=Known(cards), rules=("NB-SETUP-06",)))
        return True
    order = (state.first, *(s for s in facts.clockwise(state, state.first) if s != state.first))
    return any(seat not in state.gone and draw(flow, seat) for seat in order)


@rule("NB-DRAW-01", "NB-DRAW-03", "NB-DRAW-04", "NB-DRAW-05", "NB-AMB-33", "NB-AMB-34", "NB-EX-16")
def draw(flow: BattleFlow, seat: Seat) -> bool:
    """Up to seven cards; the discards become the deck at the moment a card is wanted and missing.

    With no card left anywhere the hand stays smaller. Only one's own draw step replaces cards.
    """
    state = flow.state
    wanted = HAND - state.hands[seat].count
    if wanted <= 0 or not (state.deck.count or state.discards):
        return False
    if not state.deck.count:
        renew(flow)
        return True
    many = min(wanted, state.deck.count)
    dice = pools(state.deck.count, many)
    if dice:
        cutter = next(facts.clockwise(state, seat))
        ask(flow, Purpose("cut", (seat,), many), cutter, dice, own_domain(cutter))
    else:
        take(flow, seat, many, Known(()), Known(()))
    return True


@rule("NB-DRAW-02")
def renew(flow: BattleFlow) -> None:
    """The discard pile takes the place of the deck."""
    state = flow.state
    cards = sorted_cards(cards_of(state), state.discards)
    flow.emit(ev.DeckLaid(cards=Known(cards), renewed=True, rules=("NB-DRAW-02",)))


def pools(left: int, many: int) -> tuple[Dice, ...]:
    """One die for each card, with as many faces as cards are left; none for the last card."""
    return tuple(Dice(1, left - n) for n in range(many) if left - n > 1)


def cut(flow: BattleFlow, seat: Seat, many: int) -> None:
    """The deck is cut: now the drawer's own dice."""
    dice = pools(flow.state.deck.count, many)
    ask(flow, Purpose("draw", (seat,), many), seat, dice, own_domain(seat))


@rule("NB-RND-01", "NB-HID-03")
def take(flow: BattleFlow, seat: Seat, many: int, cut_: Rolled, faces: Rolled) -> None:
    """The cards that cut and dice count to, among those that are left, in the deck's order."""
    cards = _picked(flow.state.deck, many, cut_, faces)
    flow.emit(ev.CardsDrawn(seat=seat, cards=cards, rules=("NB-DRAW-01",)))


@rule("NB-RND-02")
def _picked(deck: Hand, many: int, cut_: Rolled, faces: Rolled) -> Hand:
    if isinstance(deck, Hidden) or isinstance(cut_, Hidden) or isinstance(faces, Hidden):
        return Hidden(many)
    left = list(deck.items)
    picked = []
    for number in range(many):
        one = cut_.items[number][0] if number < cut_.count else 0
        other = faces.items[number][0] if number < faces.count else 0
        picked.append(left.pop((one + other) % len(left)))
    return Known(tuple(picked))


@rule("NB-DISC-01", "NB-CARD-06")
def discard(flow: BattleFlow, seat: Seat, cards: tuple[str, ...]) -> None:
    """Any hand cards, face up onto a pile that everybody may look through."""
    ordered = sorted_cards(cards_of(flow.state), cards)
    flow.emit(ev.CardsDiscarded(seat=seat, cards=ordered, rules=("NB-DISC-01",)))
