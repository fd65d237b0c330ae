"""SEA: how Ships and Submarines move."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.tally import Reason, Tally
from ....kernel.values import Seat
from . import board
from . import commands as c
from . import events as ev
from .cards import Card
from .charts import land, off
from .convoy import OFF_MAP, exit_map, why_not_leave
from .damage import remove
from .effects import MovesOver, NoMove, SpeedChange
from .facts import card_of, chart_key, crippled, off_map, why_not_own
from .families.effects import (
    enters_land,
    faster,
    has,
    label_of,
    once,
    rule_of,
    speed_boost,
)
from .families.shots import bars_claims
from .mechanisms import mines, ramming
from .stacking import full_sectors, overstacked
from .state import State, Unit
from .turns import owner

BattleFlow = Flow[State, ev.AnyEvent]

Ends = Mapping[str, tuple[str, ...]]
"""Sectors where a move may end, each with the path of sectors entered."""


@rule(
    "WAS-SEA-11", "WAS-SEA-12", "WAS-FLEET-16", "RUL-24", "RUL-99",
    "WAS-FLEET-49",
)  # fmt: skip
def speed(state: State, unit: Unit, boost: str = "") -> Tally:
    """Sectors it may move: printed, crippled (minimum 1), then what abilities do (minimum 0)."""
    card = card_of(state, unit)
    tally = Tally.of(Reason(card.speed, "WAS-FLEET-16", "printed", unit.id))
    if crippled(state, unit) and card.speed > 0:
        tally = tally.plus(Reason(-1, "WAS-SEA-11", "crippled")).at_least(1, "WAS-SEA-11")
    for effect in state.effects:
        if type(effect) is SpeedChange and effect.unit == unit.id:
            tally = tally.plus(
                Reason(effect.change, effect.rule, label_of(effect.rule), effect.source)
            )
        elif type(effect) is NoMove and effect.unit == unit.id:
            stop = Reason(-tally.total, effect.rule, "cannot move", effect.source)
            return tally.plus(stop)
    if boost:
        tally = tally.plus(Reason(speed_boost(card, boost), _boost_rule(card, boost), boost))
    return tally.at_least(0, "RUL-24")


def _boost_rule(card: Card, boost: str) -> str:
    return rule_of(boost) if has(card, boost) else "WAS-ABIL-26"


@rule(
    "WAS-MAP-15", "WAS-MAP-16", "WAS-MAP-18", "WAS-SEA-08", "WAS-ABIL-44", "WAS-MAP-19",
    "WAS-SEA-10", "WAS-WEATH-10",
)  # fmt: skip
def barred_sectors(state: State, card: Card) -> frozenset[str]:
    """Islands and shoals are closed without an ability; weather and smoke never hinder."""
    key = chart_key(state)
    return off(key) if enters_land(card) else land(key)


def closed(state: State, card: Card, sector: str) -> bool:
    """Whether the sector is closed to units of that card."""
    return sector in barred_sectors(state, card)


def reachable(state: State, unit: Unit, sectors: int) -> Ends:
    """Sectors where its move may end, each with the path of sectors entered (a shortest one).

    There is no facing, enemies never block, and nothing is provoked. 2007: a sector full of its own
    kind may not even be passed through; 2009: only the last sector needs room.
    """
    card = card_of(state, unit)
    return _reachable(state, unit, card, sectors, full_sectors(state, unit, card))


@rule("WAS-STACK-05", "WAS-STACK-06", "RUL-20")
def _reachable(state: State, unit: Unit, card: Card, sectors: int, full: frozenset[str]) -> Ends:
    shut = barred_sectors(state, card)
    through = shut if state.rulebook.passing_through else shut | full
    return _ends(unit.sector, sectors, through, full)


@lru_cache(maxsize=4096)
@rule(
    "WAS-SEA-04", "WAS-SEA-05", "WAS-SEA-06", "WAS-SEA-07", "WAS-SEA-09", "WAS-SEA-15", "RUL-21",
    "WAS-MAP-01", "WAS-MAP-05", "WAS-MAP-06", "WAS-MAP-07", "WAS-SETUP-20", "WAS-SETUP-21",
    "WAS-SETUP-27",
)  # fmt: skip
def _ends(start: str, sectors: int, shut: frozenset[str], full: frozenset[str]) -> Ends:
    """Where a move may end that enters no sector that is shut and stops in none that is full."""
    paths: dict[str, tuple[str, ...]] = {start: ()}
    ends: dict[str, tuple[str, ...]] = {}
    frontier = [start]
    for _ in range(sectors):
        reached = []
        for sector in frontier:
            for entered in board.NEIGHBOURS[sector]:
                if entered in paths or entered in shut:
                    continue
                paths[entered] = (*paths[sector], entered)
                reached.append(entered)
                if entered not in full:
                    ends[entered] = paths[entered]
        frontier = reached
    return ends


@rule("WAS-SEA-02", "WAS-SEA-03", "RUL-22", "WAS-SEA-13")
def why_not_mobile(state: State, unit: Unit) -> No | None:
    """Why a unit may not begin a move: Aircraft never do, the others once a turn, all in one go."""
    if card_of(state, unit).type == "Aircraft":
        return No("move.aircraft", "WAS-SEA-13", "Aircraft fly in the Air Mission phase.", "/unit")
    if off_map(unit):
        return No("move.off-map", "WAS-SEA-04", "It has not arrived on the map yet.", "/unit")
    for over in state.lasting(MovesOver):
        if over.seat == unit.seat:
            hint = "A General Pursuit has ended the normal moves."
            return No("move.over", over.rule, hint, "/unit")
    if unit.moved:
        return No("move.already-moved", "WAS-SEA-03", "It has made its move.", "/unit")
    return None


def why_not_move(state: State, seat: Seat, command: c.Move) -> No | None:
    """Why a seat may not move a unit to a sector."""
    barred = why_not_own(state, seat, command.unit)
    return barred or _why_not_to(state, state.units[command.unit], command.to, command.boost)


def _why_not_to(state: State, unit: Unit, to: str, boost: str) -> No | None:
    barred = why_not_mobile(state, unit) or _why_not_boost(state, unit, boost)
    if barred:
        return barred
    if boost and gets_there(state, unit, to):
        rule_ = _boost_rule(card_of(state, unit), boost)
        return No("ability.not-needed", rule_, "It gets there without it.", "/boost")
    if to == OFF_MAP:
        return why_not_leave(state, unit, speed(state, unit, boost).total)
    if to not in board.NEIGHBOURS:
        return No("move.off-map", "WAS-SEA-09", "It cannot leave the map's whole sectors.", "/to")
    sectors = speed(state, unit, boost).total
    ends = reachable(state, unit, sectors)
    if to in ends:
        return None
    if closed(state, card_of(state, unit), to):
        return No("move.terrain", "WAS-SEA-08", "Islands and shoals are closed to it.", "/to")
    if board.distance(unit.sector, to) <= sectors and to != unit.sector:
        if to not in _reachable(state, unit, card_of(state, unit), sectors, frozenset()):
            return No("move.blocked", "WAS-SEA-08", "Islands or shoals are in the way.", "/to")
        rule_ = state.rulebook.stacking
        return No("move.overstacked", rule_, f"It can reach {', '.join(ends) or 'nothing'}.", "/to")
    return No("move.out-of-reach", "WAS-SEA-04", f"Its speed is {sectors}.", "/to")


@rule("WAS-SEA-14", "RUL-23")
def move(flow: BattleFlow, seat: Seat, command: c.Move) -> None:
    """Move a unit; Aircraft based on it have no place of their own and so travel with it."""
    unit, to, boost = flow.state.units[command.unit], command.to, command.boost
    sectors = speed(flow.state, unit, boost).total
    path = () if to == OFF_MAP else reachable(flow.state, unit, sectors)[to]
    if boost:
        boosted(flow, unit, boost)
    if to == OFF_MAP:
        exit_map(flow, unit)
        return
    flow.emit(ev.UnitMoved(unit=unit.id, path=path, boost=boost, rules=("WAS-SEA-04",)))
    mines.entered(flow, unit.id, path)
    ramming.moved(flow, unit.id)


def gets_there(state: State, unit: Unit, to: str) -> bool:
    """Whether a move of usual speed may end there, or leave the map: no boost is used up for it."""
    sectors = speed(state, unit).total
    if to == OFF_MAP:
        return why_not_leave(state, unit, sectors) is None
    return to in reachable(state, unit, sectors)


def boosts(state: State, unit: Unit) -> tuple[str, ...]:
    """Abilities that may add to the speed of a move that now begins."""
    known = faster(card_of(state, unit))
    return tuple(family for family in known if not _why_not_boost(state, unit, family))


@rule("WAS-ABIL-26")
def _why_not_boost(state: State, unit: Unit, boost: str) -> No | None:
    if not boost:
        return None
    card = card_of(state, unit)
    if not speed_boost(card, boost):
        return No("ability.not-its-own", "WAS-ABIL-26", "It has no such ability.", "/boost")
    if crippled(state, unit) or boost in unit.spent:
        return No("ability.spent", _boost_rule(card, boost), "Crippled, or used up.", "/boost")
    return None


def enemy_ship_near(state: State, unit: Unit) -> bool:
    return any(
        ship.seat != unit.seat
        and ship.sector
        and card_of(state, ship).type == "Ship"
        and board.distance(unit.sector, ship.sector) <= 3
        for ship in state.all_units
    )


def boosted(flow: BattleFlow, unit: Unit, boost: str) -> None:
    """A boost is used up for its while; High-Speed Run keeps the whole fleet from claiming."""
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id,
            ability=boost,
            once=once(boost),
            bars=unit.seat if bars_claims(boost) else "",
            rules=(rule_of(boost),),
        )
    )


def why_not_end(state: State, seat: Seat) -> No | None:
    """An overfull set-up must be put right before the owner's first Sea Movement step ends."""
    bad = overstacked(state, seat)
    if bad and _can_mend(state, seat, bad):
        return No("move.overstacked", "RUL-06", f"Move Ships out of {', '.join(bad)} first.")
    return None


def remove_excess(flow: BattleFlow) -> bool:
    """Ships of an overfull set-up for which no room could be made leave play, the last first."""
    state, seat = flow.state, owner(flow.state)
    if state.turn > 1:
        return False
    for sector in overstacked(state, seat):
        ships = [
            unit
            for unit in state.all_units
            if (unit.seat, unit.sector) == (seat, sector) and card_of(state, unit).type == "Ship"
        ]
        remove(flow, ships[-1], "no-room")
        return True
    return False


def _can_mend(state: State, seat: str, bad: tuple[str, ...]) -> bool:
    return any(
        unit.seat == seat
        and unit.sector in bad
        and not why_not_mobile(state, unit)
        and reachable(state, unit, speed(state, unit).total)
        for unit in state.all_units
    )
