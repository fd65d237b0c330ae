"""Aircraft that abilities bring into play, and how such Aircraft leave it again."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from .....kernel.values import Seat
from .. import board, purposes
from .. import commands as c
from .. import events as ev
from ..air_missions import waiting
from ..cards import squadrons
from ..damage import ask, leave
from ..darkness import search
from ..facts import card_of, limits_of, own
from ..families import deeds, hooks
from ..families.effects import bears, declared_by, of_family, once, rule_of
from ..families.shots import effects_of
from ..stacking import has_room
from ..state import State, Unit
from . import airfield, homes

BattleFlow = Flow[State, ev.AnyEvent]

MOST = 1000
"""More units than a seat ever has."""

WITHDRAWN = "withdrawn"
"""Cause: a squadron of one mission leaves play; nobody scores it."""


def next_id(state: State, seat: Seat) -> str:
    """A unit ID that the seat has never used: IDs count on, also past units that are lost."""
    lost = (gone.id for gone in state.lost if gone.seat == seat)
    taken = {*(unit.id for unit in own(state, seat)), *lost}
    last = max((n for n in range(1, MOST) if f"{seat}-{n}" in taken), default=0)
    return f"{seat}-{last + 1}"


# --- coming ---------------------------------------------------------------------------------------


def accompany(flow: BattleFlow, ship: Unit, family: str, word: deeds.Detachments) -> None:
    """Seaplane Detachments: set up with their Ship, outside the fleet's points and units."""
    for _ in range(word.number):
        flow.emit(
            ev.SquadronJoined(
                unit=next_id(flow.state, ship.seat),
                card=word.card,
                seat=ship.seat,
                source=ship.id,
                base=ship.id,
                rules=(rule_of(family),),
            )
        )


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """Launches in the Air Mission phase: to any sector with room, once a game."""
    for ref, word in effects_of(card_of(state, unit), deeds.Launches):
        if not unit.sector or ref.family in unit.spent or word.turn not in (0, state.turn):
            continue
        for sector in board.SECTORS:
            if has_room(state, unit.seat, sector, squadrons()[word.card]):
                yield ref.family, sector


def launch(flow: BattleFlow, unit: Unit, family: str, sector: str) -> None:
    """Its mission is that sector; in the dark it must find it like any other."""
    rules, word = (rule_of(family),), of_family(family, deeds.Launches)
    assert word is not None
    flow.emit(
        ev.AbilityUsed(unit=unit.id, ability=family, on=sector, once=once(family), rules=rules)
    )
    name = next_id(flow.state, unit.seat)
    flow.emit(
        ev.SquadronJoined(
            unit=name,
            card=word.card,
            seat=unit.seat,
            source=unit.id,
            sector=sector,
            base=unit.id,
            rules=rules,
        )
    )
    search(flow, flow.state.units[name])


def send_home(flow: BattleFlow, seat: Seat, command: c.SendToAirbase) -> None:
    """2009: the land airbase as a mission, for all that wait; who has a base of its own stays."""
    named = flow.state.units[command.unit]
    others = (unit for unit in waiting(flow.state, seat) if unit.id != named.id)
    going, staying = homes.parted(flow.state, (named, *others))
    if going:
        flow.emit(ev.AircraftSentHome(seat=seat, units=going, rules=("WAS-AIRM-08",)))
    if staying:
        flow.emit(ev.AircraftStayed(seat=seat, units=staying, rules=("WAS-AIRM-08",)))


# --- leaving --------------------------------------------------------------------------------------


def _withdraw(flow: BattleFlow, unit: Unit) -> None:
    leave(flow, unit, WITHDRAWN, rule_of(homes.temporary()[unit.card]))


def break_off(flow: BattleFlow) -> None:
    """The end of a phase: a squadron of one mission that is aborted leaves play."""
    for unit in [u for u in flow.state.all_units if u.aborted and u.card in homes.temporary()]:
        _withdraw(flow, unit)


def recall(flow: BattleFlow, seat: Seat) -> None:
    """The start of Air Return: missions are over, and a B-25 that lives has made its raid."""
    for unit in own(flow.state, seat):
        if unit.card in homes.temporary():
            _withdraw(flow, unit)
        elif unit.sector and homes.embarked(unit):
            _raided(flow, unit)


def _raided(flow: BattleFlow, unit: Unit) -> None:
    family = homes.passengers()[unit.card]
    rule_, points = rule_of(family), declared_by(deeds.Embarks)[family].points
    leave(flow, unit, family, rule_)
    if not limits_of(flow.state).convoy:
        flow.emit(ev.PointsScored(seat=unit.seat, points=points, cause=family, rules=(rule_,)))


# --- suicide attack, uncertain arrival ------------------------------------------------------------


def sacrifice(flow: BattleFlow) -> bool:
    """Suicide Attack: the end of Air Attack destroys it wherever it flies."""
    due = [
        (u, found[0])
        for u in flow.state.all_units
        if u.sector and not u.doomed and (found := bears(card_of(flow.state, u), hooks.LostAtEnd))
    ]
    for unit, ref in due:
        rules = ("RUL-87", ref.rule)
        flow.emit(ev.UnitDoomed(unit=unit.id, cause=ref.family, rules=rules))
    return bool(due)


def delayed(state: State, unit: Unit) -> bool:
    """Uncertain Arrival: its Rearming counter comes off by a die only."""
    return unit.rearming and bears(card_of(state, unit), deeds.ArrivesByDie) is not None


def arrivals(flow: BattleFlow, seat: Seat) -> bool:
    """The start of Air Return: a die for each Aircraft of Uncertain Arrival with a counter."""
    for unit in own(flow.state, seat):
        for ref, _ in effects_of(card_of(flow.state, unit), deeds.ArrivesByDie):
            if unit.rearming and f"{unit.id}/{ref.family}" not in flow.state.tended:
                ask(flow, purposes.Used(unit.id, ref.family), seat, Dice(1))
                return True
    return False


def arrived(flow: BattleFlow, unit: Unit, family: str, word: deeds.ArrivesByDie, face: int) -> None:
    """On a high face a counter comes off; Bombard may have put on more of them."""
    rules, ready = (rule_of(family),), face >= word.needed
    flow.emit(
        ev.AbilityRolled(
            unit=unit.id,
            ability=family,
            face=face,
            result="arrives" if ready else "",
            rules=rules,
        )
    )
    if ready:
        airfield.refit(flow, unit, rules)
