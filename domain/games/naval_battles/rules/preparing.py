"""The prepare step (NB-PREP)."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import facts
from .cards import steps_of
from .holding import why_not_play
from .state import Ship, State

BattleFlow = Flow[State, ev.AnyEvent]


@rule("NB-PREP-01", "NB-PREP-02", "NB-PREP-06", "NB-PREP-10", "NB-SUB-02")
def why_not_by(ship: Ship | None, seat: Seat) -> No | None:
    """Any own ship of any row, new ones too, or active submarine, once a turn."""
    if ship is None or ship.seat != seat:
        return No("prepare.not-your-ship", "NB-PREP-01", "Name a ship of yours.", "/ship")
    if ship.row == 0 and not ship.active:
        hint = "A passive submarine plays no card."
        return No("prepare.passive", "NB-PREP-02", hint, "/ship")
    if ship.prepared:
        hint = "Each prepare card needs a ship that has played none this turn."
        return No("prepare.busy", "NB-PREP-10", hint, "/ship")
    return None


def why_not_prepare(state: State, seat: Seat, command: c.Prepare) -> No | None:
    no = why_not_play(state, seat, command.card, "prepare")
    return no or why_not_by(state.ships.get(command.ship), seat)


def able(state: State, seat: Seat) -> list[Ship]:
    """Ships that may play a prepare card."""
    return [ship for ship in facts.fleet(state, seat) if why_not_by(ship, seat) is None]


def preparations(state: State, seat: Seat) -> Iterator[c.Prepare]:
    """Cards and the ships that may play them."""
    ships = able(state, seat)
    for name in facts.kinds(facts.hand(state, seat)):
        if "prepare" in steps_of(facts.card(state, name).family):
            for ship in ships:
                yield c.Prepare(name, ship.id)


@rule("NB-PREP-03", "NB-PREP-04", "NB-PREP-08", "NB-CARD-05", "NB-EX-05")
def prepare(flow: BattleFlow, seat: Seat, command: c.Prepare) -> None:
    """The card lies before the fleet until its player's next turn, whatever becomes of the ship.

    The ship plays no other card this turn; the card works once in each player turn.
    """
    card, ship = command.card, command.ship
    flow.emit(ev.CardPrepared(seat=seat, card=card, ship=ship, rules=("NB-PREP-01",)))
