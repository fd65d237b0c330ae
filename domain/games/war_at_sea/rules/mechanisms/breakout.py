"""Secret Breakout: a Ship that starts off the map, with a Cruiser, and arrives later."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.flow import Flow
from .....kernel.question import must_act
from .....kernel.rules import No
from .....kernel.values import Seat
from .. import board
from .. import events as ev
from ..cards import Card
from ..facts import card_of, off_map, own
from ..families import deeds
from ..families.effects import bears, declared_by, rule_of
from ..sea_movement import closed
from ..stacking import count, limit, room
from ..state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


TOGETHER = 2
"""The Ship and its Cruiser: where a sector holds fewer they could never arrive."""


# --- deployment -----------------------------------------------------------------------------------


def _leaders(state: State, seat: Seat) -> list[Unit]:
    return [u for u in own(state, seat) if off_map(u) and bears(card_of(state, u), deeds.Breakout)]


def _company(state: State, seat: Seat) -> list[Unit]:
    return [
        u for u in own(state, seat) if off_map(u) and not bears(card_of(state, u), deeds.Breakout)
    ]


def why_not_hidden(state: State, seat: Seat, each: Card) -> No | None:
    """Why a unit may not start off the map: the Ship itself may, then one Cruiser with it."""
    if bears(each, deeds.Breakout):
        return None
    free = len(_leaders(state, seat)) > len(_company(state, seat))
    if each.subtype == "Cruiser" and free and limit(state, "Ship") >= TOGETHER:
        return None
    hint = "Only a Ship with Secret Breakout starts off the map, and one Cruiser after it."
    return No("deploy.off-map", _terms()[0], hint, "/at")


# --- arrival --------------------------------------------------------------------------------------


def needed(state: State) -> bool:
    """Whether anybody may arrive at the end of this Air Return phase."""
    waits = any(off_map(u) for u in state.all_units)
    return waits and state.turn >= _terms()[1].first_turn


def why_not_wait(state: State, seat: Seat) -> No | None:
    """Why the seat may not pass: it has to bring its Ships in now."""
    overdue = state.turn >= _terms()[1].last_turn and _leaders(state, seat)
    return must_act(_terms()[0]) if overdue else None


def _terms() -> tuple[str, deeds.Breakout]:
    """The rule of the ability and its figures, also where no unit has it."""
    family, word = next(iter(declared_by(deeds.Breakout).items()))
    return rule_of(family), word


def _party(state: State, leader: Unit) -> list[Unit]:
    """Those that arrive together: the Ship, and its Cruiser if there is one."""
    number = [u.id for u in _leaders(state, leader.seat)].index(leader.id)
    return [leader, *_company(state, leader.seat)[number : number + 1]]


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """Sectors of the own half with room for all of them."""
    leads = bears(card_of(state, unit), deeds.Breakout)
    if not off_map(unit) or leads is None:
        return
    cards = [card_of(state, u) for u in _party(state, unit)]
    for sector in board.half(state.edges[unit.seat]):
        there = count(state, unit.seat, sector, "Ship") + len(cards)
        roomy = there <= max(room(state, unit.seat, sector, card) for card in cards)
        if roomy and not any(closed(state, card, sector) for card in cards):
            yield leads[0].family, sector


def arrive(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """The Cruiser, then the Ship. They are placed, which is no move: mines do not go off."""
    for each in reversed(_party(flow.state, unit)):
        flow.emit(
            ev.UnitShifted(
                unit=each.id,
                sector=on,
                ability=family,
                seat=unit.seat,
                rules=(rule_of(family),),
            )
        )
