"""The deck and the draw (NB-DRAW, NB-RND): no order exists until a card is drawn.

The dice of a draw are sealed: nobody sees them before the game is over, the drawer as little as
the others. Each die counts to a place among the cards that are left. Whoever saw it and the card
would know how many cards before it are still in the deck, and so something of what the others hold.
"""

from __future__ import annotations

from ....kernel.chance import SEALED_DOMAIN, Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Hidden, Known, Seat
from . import commands as c
from . import evening, facts
from . import events as ev
from .asking import ask
from .deck import full_deck, sorted_cards
from .folds.common import cards_of
from .holding import why_not_held
from .state import Hand, Purpose, Rolled, State

BattleFlow = Flow[State, ev.AnyEvent]


def undealt(state: State) -> bool:
    """Whether no card has been dealt in this battle, nor the deck laid."""
    return not state.deck.count and not any(hand.count for hand in state.hands.values())


@rule("NB-SETUP-06", "NB-SETUP-11", "NB-COMP-01", "NB-EX-03")
def deal(flow: BattleFlow) -> bool:
    """Seven cards each, clockwise from the first player, who may get fewer, from the whole deck."""
    state = flow.state
    if undealt(state):
        cards = full_deck(cards_of(state))
        flow.emit(ev.DeckLaid(cards=Known(cards), rules=("NB-SETUP-06",)))
        return True
    order = (state.first, *(s for s in facts.clockwise(state, state.first) if s != state.first))
    return any(seat not in state.gone and draw(flow, seat) for seat in order)


@rule("NB-DRAW-01", "NB-DRAW-04", "NB-DRAW-05", "NB-AMB-33", "NB-EX-16")
def draw(flow: BattleFlow, seat: Seat) -> bool:
    """Up to seven cards. Where one is wanted and missing, the discards become the deck.

    With no card left anywhere the hand stays smaller. Only one's own draw step replaces cards.
    """
    state = flow.state
    wanted = evening.hand_size(state, seat) - state.hands[seat].count
    if wanted <= 0 or not (state.deck.count or state.discards):
        return False
    if not state.deck.count:
        renew(flow, "NB-AMB-33")
        return True
    many = min(wanted, state.deck.count)
    dice = pools(state.deck.count, many)
    if dice:
        ask(flow, Purpose("draw", (seat,), many), seat, dice, SEALED_DOMAIN)
    else:
        take(flow, seat, many, Known(()))
    return True


@rule("NB-DRAW-02")
def renew(flow: BattleFlow, moment: str) -> None:
    """The discard pile takes the place of the deck; ``moment`` is the ruling on why now."""
    state = flow.state
    cards = sorted_cards(cards_of(state), state.discards)
    flow.emit(ev.DeckLaid(cards=Known(cards), renewed=True, rules=("NB-DRAW-02", moment)))


@rule("NB-DRAW-03", "NB-AMB-34")
def renew_emptied(flow: BattleFlow) -> None:
    """With its last card gone the deck is emptied, and the discards, where any lie, are the next.

    By agreement only when a card is wanted, when more may lie there.
    """
    state = flow.state
    if state.deck.count or not state.discards:
        return
    if state.options.reshuffle == "emptied":
        renew(flow, "NB-AMB-34")


def pools(left: int, many: int) -> tuple[Dice, ...]:
    """One die for each card, with as many faces as cards are left; none for the last card."""
    return tuple(Dice(1, left - n) for n in range(many) if left - n > 1)


@rule("NB-RND-01", "NB-HID-03")
def take(flow: BattleFlow, seat: Seat, many: int, faces: Rolled) -> None:
    """The cards that the dice count to, among those that are left, in the deck's order."""
    cards = _picked(flow.state.deck, many, faces)
    flow.emit(ev.CardsDrawn(seat=seat, cards=cards, rules=("NB-DRAW-01",)))
    renew_emptied(flow)


@rule("NB-RND-02")
def _picked(deck: Hand, many: int, faces: Rolled) -> Hand:
    if isinstance(deck, Hidden) or isinstance(faces, Hidden):
        return Hidden(many)
    left = list(deck.items)
    picked = []
    for number in range(many):
        face = faces.items[number][0] if number < faces.count else 1
        picked.append(left.pop(face - 1))
    return Known(tuple(picked))


def why_not_discard(state: State, seat: Seat, command: c.DiscardCards) -> No | None:
    """Cards that the seat holds."""
    return why_not_held(state, seat, *command.cards, pointer="/cards")


@rule("NB-DISC-01", "NB-CARD-06")
def discard(flow: BattleFlow, seat: Seat, command: c.DiscardCards) -> None:
    """Any hand cards, face up onto a pile that everybody may look through."""
    ordered = sorted_cards(cards_of(flow.state), command.cards)
    flow.emit(ev.CardsDiscarded(seat=seat, cards=ordered, rules=("NB-DISC-01",)))
