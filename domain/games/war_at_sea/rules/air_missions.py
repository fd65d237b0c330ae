"""AIRM: where Aircraft fly."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.question import must_act
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import board
from . import commands as c
from . import events as ev
from .cards import Card, Kind
from .charts import off
from .darkness import astray, search
from .facts import card_of, chart_key, is_carrier, limits_of, own, why_not_own
from .families import deeds, hooks
from .families.effects import bears, roles
from .mechanisms import homes
from .stacking import has_room, limit
from .state import AIRBASE, Role, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


@rule("WAS-AIRM-03", "RUL-28", "WAS-AIR-07", "WAS-AIR-08", "WAS-AIR-23", "WAS-AIRM-06", "RUL-25")
def waiting(state: State, seat: Seat) -> list[Unit]:
    """Aircraft that still have no mission: not rearming, not placed; none after a 2007 pass."""
    if seat in state.passed:
        return []
    return [
        unit
        for unit in own(state, seat)
        if unit.base
        and not unit.sector
        and not unit.rearming
        and not unit.placed
        and not homes.grounded(state, unit)
    ]


def why_not_stay(state: State, seat: Seat) -> No | None:
    """Why a seat may not end its missions: each Aircraft gets one, but at home in 2007."""
    if not state.rulebook.airbase_mission and state.options.stay_home2007:
        return None
    return must_act("WAS-AIRM-01") if waiting(state, seat) else None


def why_not_place(state: State, seat: Seat, command: c.Place) -> No | None:
    """Why an Aircraft may not get a sector as its mission, in that role, strafing or not."""
    barred = _why_not_mission(state, seat, command.unit)
    if barred is not None:
        return barred
    unit = state.units[command.unit]
    return (
        why_not_there(state, unit, command.sector)
        or why_not_role(state, unit, command.role)
        or (why_not_strafe(state, unit, command.role) if command.strafing else None)
    )


def _why_not_mission(state: State, seat: Seat, name: str) -> No | None:
    barred = why_not_own(state, seat, name)
    if barred is None and state.units[name] not in waiting(state, seat):
        return No("place.not-waiting", "WAS-AIRM-03", "It rearms or has flown.", "/unit")
    return barred


def place(flow: BattleFlow, seat: Seat, command: c.Place) -> None:
    """An Aircraft flies to a sector; in the dark it has to find what is there."""
    open_ = roles(card_of(flow.state, flow.state.units[command.unit]))
    role: Role = next((each for each in open_ if each == command.role), "")
    flow.emit(
        ev.AircraftPlaced(
            unit=command.unit,
            seat=seat,
            sector=command.sector,
            strafing=command.strafing,
            role=role,
            rules=("WAS-AIRM-02",),
        )
    )
    search(flow, flow.state.units[command.unit])


@rule("WAS-AIRM-02", "WAS-MAP-23", "WAS-AIRM-04", "WAS-AIRM-15", "WAS-AIRM-10")
def why_not_there(state: State, unit: Unit, sector: str) -> No | None:
    """Why an Aircraft may not be placed in a sector; islands and distance do not matter."""
    if sector not in board.NEIGHBOURS or sector in off(chart_key(state)):
        return No(
            "place.no-sector", "WAS-AIRM-02",
            "Name a whole sector of the map; in 2009 nobody stays aboard a Carrier.", "/sector",
        )  # fmt: skip
    if not has_room(state, unit.seat, sector, card_of(state, unit)):
        return No("place.overstacked", "WAS-AIRM-04", "The sector is full.", "/sector")
    return None


def open_sectors(state: State, unit: Unit) -> tuple[str, ...]:
    """Every sector where the Aircraft may be placed: the whole map but the seat's full sectors."""
    here: dict[str, int] = {}
    for other in own(state, unit.seat):
        if other.sector and card_of(state, other).type == "Aircraft":
            here[other.sector] = here.get(other.sector, 0) + 1
    full = {sector for sector, number in here.items() if number >= limit(state, "Aircraft")}
    shut = full | off(chart_key(state))
    return tuple(s for s in board.SECTORS if s not in shut) if shut else board.SECTORS


@rule("WAS-AIRM-12", "RUL-29")
def why_not_strafe(state: State, unit: Unit, role: str = "") -> No | None:
    """Why strafing may not be announced: 2009 only, and only with a Gunnery value to use."""
    if not state.rulebook.strafing_announced:
        return No("place.no-strafing", "WAS-AIRA-06", "2007 needs no announcement.", "/strafing")
    card = card_of(state, unit)
    if max(card.attacks.get("strafe", (0,))) < 1 or "strafe" not in weapons_of(card, role):
        return No("place.no-gunnery", "RUL-29", "It has no Gunnery value to use.", "/strafing")
    return None


def weapons_of(card: Card, role: str) -> tuple[Kind, ...]:
    """What an Aircraft may attack with in a role; one without roles with all that it has.

    The update lists the attacks of Mission Selection one by one, and strafing is not among them. Of
    a Fighter-Bomber its card says only that it bombs as a Dive Bomber: as a Fighter it may strafe.
    """
    if not roles(card):
        return tuple(card.attacks)
    allowed: dict[str, tuple[Kind, ...]] = {
        "Fighter": ("antiair", "strafe") if bears(card, hooks.HeavyLoad) else ("antiair",),
        "Dive Bomber": ("bomb",),
        "Torpedo Bomber": ("torpedo", "asw"),
    }
    return allowed.get(role, ())


@rule("WAS-AIRM-13", "WAS-ABIL-29")
def why_not_role(state: State, unit: Unit, role: str) -> No | None:
    """Why a role may not be taken: a unit with Mission Selection takes exactly one of its own."""
    open_roles = roles(card_of(state, unit))
    if role in open_roles or (not role and not open_roles):
        return None
    return No("place.wrong-role", "WAS-AIRM-13", f"Its roles: {', '.join(open_roles)}.", "/role")


def why_not_send_home(state: State, seat: Seat, command: c.SendToAirbase) -> No | None:
    """Why an Aircraft, and all others that wait, may not get the land airbase as their mission."""
    return _why_not_mission(state, seat, command.unit) or why_not_home(state, seat)


@rule("WAS-AIRM-07", "WAS-AIRM-08", "WAS-AIRM-09", "WAS-STACK-11", "RUL-27")
def why_not_home(state: State, seat: Seat) -> No | None:
    """2009: why the land airbase may not be given as a mission. All waiting Aircraft go at once."""
    if not state.rulebook.airbase_mission:
        return No("place.no-home-mission", "WAS-AIRM-06", "In 2007 pass instead.")
    going, _ = homes.parted(state, waiting(state, seat))
    there = [
        card_of(state, unit)
        for unit in own(state, seat)
        if unit.id in going or (unit.base == AIRBASE and not unit.sector)
    ]
    if homes.counted(there) <= limits_of(state).airbase or _nowhere_else(state, seat):
        return None
    return No("place.airbase-full", "WAS-AIRM-09", "All that remain would not fit there.")


def _nowhere_else(state: State, seat: Seat) -> bool:
    return all(
        why_not_there(state, unit, sector)
        for unit in waiting(state, seat)
        for sector in board.SECTORS
    )


@rule("WAS-AIRM-14", "WAS-ABIL-16")
def patrol_targets(state: State, unit: Unit) -> tuple[str, ...]:
    """Combat Air Patrol: sectors within 2 with an enemy Aircraft, from beside a friendly Carrier.

    Not while strafing, not from a sector with an enemy Aircraft, once a turn.
    """
    card = card_of(state, unit)
    patrols = bears(card, deeds.Patrols)
    if not unit.sector or unit.strafing or patrols is None:
        return ()
    if astray(state, unit) or state.has_used(unit.id, patrols[0].family):
        return ()
    hostile = _enemy_air(state, unit.seat)
    if unit.sector in hostile or not _beside_carrier(state, unit):
        return ()
    near = board.within(unit.sector, 2)
    return tuple(s for s in near if s in hostile and has_room(state, unit.seat, s, card))


def _enemy_air(state: State, seat: Seat) -> set[str]:
    return {
        unit.sector
        for unit in state.all_units
        if unit.seat != seat and unit.sector and card_of(state, unit).type == "Aircraft"
    }


def _beside_carrier(state: State, unit: Unit) -> bool:
    return any(u.sector == unit.sector and is_carrier(state, u) for u in own(state, unit.seat))
