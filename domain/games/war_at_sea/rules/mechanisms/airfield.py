"""The land airbase as a place to fight: Airfield Strike, Air Raid, and Bombard.

A raider's sector is the enemy airbase (:data:`board.AIRFIELDS`), which adjoins nothing. The
enemy's Aircraft there have no sector, as ever; for an attack they count as being in that place.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from .....kernel.flow import Flow
from .....kernel.rules import No
from .....kernel.values import Seat
from .. import board
from .. import events as ev
from ..air_missions import waiting
from ..effects import Bombarded, Raiding, Shelled
from ..facts import card_of, is_bomber, limits_of, own
from ..families import deeds
from ..families.effects import has, of_family, once, roles, rule_of
from ..families.shots import effects_of, number
from ..stacking import has_room
from ..state import AIRBASE, Role, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

MISSIONS: tuple[type[deeds.AirfieldStrike | deeds.AirRaid], ...] = (
    deeds.AirfieldStrike,
    deeds.AirRaid,
)
"""Once a game for a Carrier: a Fighter that attacks what is on the ground, a Bomber for points."""


def field_of(state: State, seat: Seat) -> str:
    """The seat's land airbase as a place."""
    return board.AIRFIELDS[state.edges[seat]]


# --- the mission ----------------------------------------------------------------------------------


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """In the Air Mission phase: (mission, Aircraft that may fly it)."""
    if not unit.sector:
        return
    field = field_of(state, state.other(unit.seat))
    card = card_of(state, unit)
    for mission in (found for sort in MISSIONS for found in effects_of(card, sort)):
        family, word = mission[0].family, mission[1]
        raids = isinstance(word, deeds.AirRaid)
        if family in unit.spent or (raids and limits_of(state).convoy):
            continue  # no points where the convoy alone decides
        for plane in waiting(state, unit.seat):
            if _able(state, unit, plane, raids=raids) and has_room(
                state, unit.seat, field, card_of(state, plane), plane.id
            ):
                yield family, plane.id


def _able(state: State, carrier: Unit, plane: Unit, *, raids: bool) -> bool:
    """Any Fighter with an antiair value; for an Air Raid a Bomber that is based on the Carrier."""
    subtypes = _subtypes(state, plane)
    if raids:
        return plane.base == carrier.id and any(is_bomber(each) for each in subtypes)
    return "Fighter" in subtypes and max(card_of(state, plane).attacks.get("antiair", (0,))) > 0


def _subtypes(state: State, plane: Unit) -> tuple[str, ...]:
    """What it may fly as: its roles if it has Mission Selection, else its subtype."""
    card = card_of(state, plane)
    return roles(card) or (card.subtype,)


def send(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """The Aircraft flies to the enemy airbase; that is its mission of the turn."""
    state, rule_ = flow.state, rule_of(family)
    plane = state.units[on]
    raid = Raiding(
        unit=on, ability=family, points=_points(state, unit, family),
        source=unit.id, rule=rule_, until=state.turn,
    )  # fmt: skip
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id, ability=family, on=on, effects=(raid,), once=once(family), rules=(rule_,)
        )
    )
    flow.emit(
        ev.AircraftPlaced(
            unit=on,
            seat=unit.seat,
            sector=field_of(state, state.other(unit.seat)),
            role=_role(state, plane, family),
            rules=(rule_,),
        )
    )


def _points(state: State, unit: Unit, family: str) -> int:
    """What the mission is worth if it gets through."""
    raid, ability = of_family(family, deeds.AirRaid), has(card_of(state, unit), family)
    return number(raid.points, ability.n) if raid and ability else 0


def _role(state: State, plane: Unit, family: str) -> Role:
    open_, raids = roles(card_of(state, plane)), of_family(family, deeds.AirRaid) is not None
    return next((r for r in open_ if is_bomber(r) == raids), "")


# --- air defense there ----------------------------------------------------------------------------


def _raiders(state: State, seat: Seat) -> list[tuple[Unit, str]]:
    """The seat's raiders at the enemy airbase, each with its mission."""
    found = ((state.units.get(e.unit), e.ability) for e in state.lasting(Raiding))
    return [(u, family) for u, family in found if u is not None and u.seat == seat and u.sector]


def on_field(unit: Unit) -> bool:
    """Whether it is an Aircraft at its owner's land airbase, deployed there or rearming."""
    return unit.base == AIRBASE and not unit.sector


def raided(state: State, unit: Unit) -> bool:
    """Whether a based Aircraft is where enemy Aircraft fly."""
    return on_field(unit) and bool(_raiders(state, state.other(unit.seat)))


def defends(state: State, unit: Unit) -> bool:
    """Whether a based Aircraft may attack raiders: one that rearms is not ready to."""
    return not unit.rearming and raided(state, unit)


def why_not_engage(state: State, unit: Unit, target: Unit) -> No | None:
    """Why an Aircraft may not attack another one of which one is at its land airbase."""
    if not target.sector and on_field(target):
        flying = {u.id: family for u, family in _raiders(state, unit.seat)}
        if of_family(flying.get(unit.id, ""), deeds.AirfieldStrike):
            return None
    elif defends(state, unit) and target.sector == field_of(state, unit.seat):
        return None
    return No(
        "attack.not-on-map", "WAS-AIR-19",
        "Based Aircraft are safe, but from an Airfield Strike.", "/target",
    )  # fmt: skip


def together(state: State, unit: Unit, target: Unit) -> tuple[State, Unit, Unit]:
    """The table as an attack at an airbase finds it: who is based there is in that place."""
    seat = target.seat if not target.sector else unit.seat
    field = field_of(state, seat)
    units = {
        name: replace(u, sector=field) if u.seat == seat and on_field(u) else u
        for name, u in state.units.items()
    }
    return replace(state, units=units), units[unit.id], units[target.id]


def score(flow: BattleFlow) -> None:
    """The end of the Air Defense phase: points for each Air Raid that got through."""
    for effect in flow.state.lasting(Raiding):
        if not of_family(effect.ability, deeds.AirRaid):
            continue
        plane = flow.state.units.get(effect.unit)
        if plane is not None and not plane.aborted and not plane.doomed:
            flow.emit(
                ev.PointsScored(
                    seat=plane.seat,
                    points=effect.points,
                    cause=effect.ability,
                    rules=(effect.rule,),
                )
            )


# --- shells ---------------------------------------------------------------------------------------


def shell(flow: BattleFlow) -> None:
    """The end of the turn: Bombard puts two more Rearming counters on all that are at the base.

    One counter comes off in each of the owner's Air Return steps, so the counters are kept as the
    turn in which the last of them does.
    """
    for salvo in flow.state.lasting(Bombarded):
        if salvo.ability in flow.state.tended:
            return
        victim = salvo.seat
        there = [u for u in own(flow.state, victim) if on_field(u)]
        if there:
            flow.emit(
                ev.AirbaseShelled(
                    seat=victim,
                    units=tuple(u.id for u in there),
                    effects=tuple(_counters(flow.state, u, salvo) for u in there),
                    rules=(salvo.rule,),
                )
            )
    for salvo in flow.state.lasting(Bombarded)[:1]:
        flow.emit(ev.TaskDone(task=salvo.ability))


def _counters(state: State, unit: Unit, salvo: Bombarded) -> Shelled:
    shells = of_family(salvo.ability, deeds.Promises)
    counters = shells.counters if shells else 0
    last = last_counter(state, unit) + counters
    return Shelled(
        unit=unit.id, counters=counters, source=salvo.source, rule=salvo.rule, until=last
    )


def last_counter(state: State, unit: Unit) -> int:
    """The turn in whose Air Return its last Rearming counter comes off; this turn: it has none.

    At the end of a turn; a counter that was there before comes off in the next one.
    """
    shelled = [e.until for e in state.lasting_on(Shelled, unit.id)]
    return max((*shelled, state.turn + unit.rearming))


def held(state: State, unit: Unit) -> bool:
    """Whether a Rearming counter is left on it when one is taken off in this Air Return step."""
    return any(e.until > state.turn for e in state.lasting_on(Shelled, unit.id))


def refit(flow: BattleFlow, unit: Unit, rules: tuple[str, ...]) -> None:
    """An ability takes one Rearming counter off: it flies again if that was the last one."""
    mine = flow.state.lasting_on(Shelled, unit.id)
    for effect in mine:
        ended = ev.ended(effect, rules)
        flow.emit(ended)
    last = max((effect.until for effect in mine), default=0)
    if last <= flow.state.turn:
        flow.emit(ev.RearmingEnded(unit=unit.id, rules=rules))
    else:
        left = replace(mine[0], until=last - 1)
        flow.emit(ev.EffectBegan(effect=left, rules=rules))
