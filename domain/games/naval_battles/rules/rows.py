"""Rows: who may stand where, and how they close up (NB-ROW, NB-REORG)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import events as ev
from . import facts
from .ships import SHIPS
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]
Rows = tuple[tuple[str, ...], ...]


@rule("NB-ROW-01", "NB-ROW-02", "NB-ROW-03", "NB-ROW-04", "NB-ROW-07", "NB-ROW-08",
      "NB-SHIP-11", "NB-SUB-07")  # fmt: skip
def why_not_arranged(ships: Iterable[str], rows: Rows, active: tuple[str, ...]) -> No | None:
    """Every surface ship in one of three rows without a gap; submarines in none.

    A row may hold any number of ships; a fleet without surface ships has no row.
    """
    every = list(ships)
    surface = sorted(name for name in every if not SHIPS[name].submarine)
    below = [name for name in every if SHIPS[name].submarine]
    if len(rows) > 3:
        return No("rows.too-many", "NB-ROW-01", "A fleet has at most three rows.", "/rows")
    if any(not row for row in rows):
        return No("rows.gap", "NB-ROW-08", "Leave no empty row before another.", "/rows")
    placed = sorted(name for row in rows for name in row)
    if placed != surface:
        return No("rows.not-the-fleet", "NB-ROW-04",
                  "Name each of your surface ships once, and no submarine.", "/rows")  # fmt: skip
    if len(set(active)) != len(active) or any(name not in below for name in active):
        return No("rows.not-submarines", "NB-SHIP-04", "Name submarines of yours.", "/active")
    return None


@lru_cache(maxsize=512)
def formations(ships: tuple[str, ...]) -> tuple[tuple[Rows, tuple[str, ...]], ...]:
    """Arrangements ready to use: all abreast, guns before carriers, in two and in three rows."""
    surface = [SHIPS[name] for name in ships if not SHIPS[name].submarine]
    below = tuple(name for name in ships if SHIPS[name].submarine)
    front = tuple(s.id for s in surface if not s.air_raid)
    carriers = tuple(s.id for s in surface if s.air_raid)
    light = tuple(s.id for s in surface if not s.air_raid and "torpedo" in s.mounts)
    heavy = tuple(s.id for s in surface if not s.air_raid and "torpedo" not in s.mounts)
    plans = (
        (front + carriers,),
        (front, carriers),
        (light, heavy, carriers),
        (heavy, light, carriers),
    )
    sides = ((), below) if below else ((),)
    found = ((_closed(plan), side) for plan in plans for side in sides)
    return tuple(dict.fromkeys(found))


def _closed(rows: Rows) -> Rows:
    return tuple(row for row in rows if row)


def standing(state: State, seat: Seat) -> tuple[Rows, tuple[str, ...]]:
    """A fleet as it stands: its rows, and its active submarines."""
    rows: tuple[list[str], ...] = ([], [], [])
    active = []
    for ship in facts.fleet(state, seat):
        if ship.row:
            rows[ship.row - 1].append(ship.id)
        elif ship.active:
            active.append(ship.id)
    return _closed(tuple(tuple(row) for row in rows)), tuple(active)


def arrangements(state: State, seat: Seat) -> Iterator[tuple[Rows, tuple[str, ...]]]:
    """Formations that differ from how the fleet stands."""
    here = _same(*standing(state, seat))
    for rows, active in formations(tuple(ship.id for ship in facts.fleet(state, seat))):
        if _same(rows, active) != here:
            yield rows, active


def _same(rows: Rows, active: tuple[str, ...]) -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    return tuple(frozenset(row) for row in rows), frozenset(active)


@rule("NB-ROW-05", "NB-ROW-06", "NB-FSM-02", "NB-AMB-42")
def close_up(flow: BattleFlow) -> None:
    """After all attacks: rows behind an empty one move forward, whole and unchanged."""
    for seat in flow.state.seats:
        present = sorted({ship.row for ship in facts.fleet(flow.state, seat) if ship.row})
        if present == list(range(1, len(present) + 1)):
            continue
        forward = {row: number for number, row in enumerate(present, 1)}
        moved = {
            ship.id: forward[ship.row]
            for ship in facts.fleet(flow.state, seat)
            if ship.row and forward[ship.row] != ship.row
        }
        flow.emit(ev.RowsClosed(seat=seat, rows=moved, rules=("NB-ROW-05",)))
