"""AIRD, CV: where aircraft fly, and what flight operations ask of their ships."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import events as ev
from .asking import ask
from .cards import Card
from .commands import Deploy
from .criticals import SYSTEMS
from .facts import card_of, dark, flying, has_critical, is_aircraft, own, size_of, why_not_own
from .geometry.hull import middle_of
from .geometry.track import Table, off_table
from .sides import alternately, friendly
from .state import LAND_BASE, Mission, Place, PointOfTable, Purpose, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

LONG_SIDES: tuple[Place, ...] = ("starboard", "port")
SHORT_SIDES: tuple[Place, ...] = ("bow", "stern")


@rule("CT-CV-02", "CT-CV-03", "CT-CV-08", "CT-CV-09", "CT-AMB-96")
def why_no_flights(state: State, ship: Unit) -> No | None:
    """Why a ship can neither launch nor recover aircraft this turn.

    A carrier has to proceed dead ahead with working systems; others only must
    not be submerged, unless by agreement SYSTEMS DOWN grounds the aircraft of every ship.
    """
    carrier = card_of(state, ship).is_carrier
    if has_critical(ship, SYSTEMS) and (carrier or state.options.grounded == "every-ship"):
        return No("flight.systems-down", "CT-CV-08", "Its systems are down.")
    if ship.submerged:
        return No("flight.submerged", "CT-CV-09", "It is submerged.")
    if not carrier:
        return None
    if not _proceeds(state, ship) or ship.turned or ship.astern or ship.evaded:
        return No(
            "flight.not-dead-ahead", "CT-CV-03",
            "A carrier must have moved dead ahead this turn, without a turn or evasion.",
        )  # fmt: skip
    return _why_not_stopping(state, ship)


def _proceeds(state: State, carrier: Unit) -> bool:
    return (state.options.stopped_carrier_may_launch and carrier.stopped) or carrier.ahead > 0


@rule("CT-AMB-46")
def _why_not_stopping(state: State, carrier: Unit) -> No | None:
    """After its klick ahead a ship stops, turns or proceeds: who has stopped does not proceed."""
    if not carrier.stopped:
        return None
    if state.options.stopping_carrier == "flies" or state.options.stopped_carrier_may_launch:
        return None
    return No("flight.stopped", "CT-AMB-46", "It has stopped: it has to proceed ahead.")


@rule("CT-AIRD-06")
def why_not_fly(state: State, unit: Unit) -> No | None:
    """Why an aircraft cannot be placed at all this turn."""
    if not is_aircraft(state, unit):
        return No("deploy.no-aircraft", "CT-AIRD-01", "Only aircraft are deployed.", "/unit")
    if flying(unit):
        return No("deploy.already-placed", "CT-AIRD-01", "It is on the table.", "/unit")
    if unit.rearming:
        return No("deploy.rearming", "CT-AIRD-06", "It is rearming.", "/unit")
    if unit.base == LAND_BASE:
        return None
    return why_no_flights(state, state.units[unit.base])


@rule("CT-AC-04", "CT-AC-05", "CT-WPN-06", "CT-STRAFE-01", "CT-FSM-05")
def missions(card: Card) -> tuple[Mission, ...]:
    """What an aircraft may be sent out to do, by its card; any may fly free."""
    found: list[Mission] = []
    if card.bombs or card.torpedo or card.asw:
        found.append("ordnance")
    if card.strafe:
        found.append("strafe")
    return (*found, "free")


@rule("CT-AIRD-04", "CT-GEOM-15")
def why_not_deploy(state: State, seat: Seat, command: Deploy) -> No | None:
    """Why an aircraft may not be placed like this."""
    no = why_not_own(state, seat, command.unit)
    if no is not None:
        return no
    unit = state.units[command.unit]
    no = why_not_fly(state, unit)
    if no is not None:
        return no
    mission = command.mission
    if mission not in missions(card_of(state, unit)):
        return No("deploy.unfit", "CT-FSM-05", "Its card has nothing for that mission.", "/mission")
    if mission == "free":
        return _why_not_free(state, command)
    if command.at is not None:
        return No("deploy.point-given", "CT-AIRD-04", "Beside a target no point is named.", "/at")
    sides = LONG_SIDES if mission == "ordnance" else SHORT_SIDES
    if command.side not in sides:
        return No("deploy.wrong-side", "CT-AIRD-03", f"Sides: {', '.join(sides)}.", "/side")
    enemy = state.units.get(command.target)
    if enemy is None or enemy.pose is None or friendly(state, seat, enemy.seat):
        return No("deploy.no-target", "CT-AIRD-04", "Name an enemy on the table.", "/target")
    return None


def beyond(state: State, at: PointOfTable) -> bool:
    """Whether a point lies outside the table; that beside a ship at the edge may."""
    return off_table(at, Table(*state.table))


def _why_not_free(state: State, command: Deploy) -> No | None:
    at = command.at
    if command.target or command.side:
        return No("deploy.target-given", "CT-AIRD-04", "Flying free names a point only.", "/target")
    if at is None:
        return No("deploy.no-point", "CT-AIRD-04", "Name a point of the table.", "/at")
    if beyond(state, at):
        width, length = state.table
        return No("deploy.off-table", "CT-AIRD-04", f"The table is {width} by {length} wu.", "/at")
    return None


@rule("CT-AIRD-03", "CT-AMB-45", "CT-MOVE-23")
def deploy(flow: BattleFlow, seat: Seat, command: Deploy) -> None:
    """Place the token: the middle of the chosen side of its target, or a free point."""
    state = flow.state
    unit, at = state.units[command.unit], command.at
    if at is None:
        enemy = state.units[command.target]
        assert enemy.pose is not None
        at = middle_of(enemy.pose, size_of(state, enemy), command.side)  # type: ignore[arg-type]
    carrier = unit.base != LAND_BASE and card_of(state, state.units[unit.base]).is_carrier
    flow.emit(
        ev.AircraftDeployed(
            unit=unit.id,
            seat=unit.seat,
            mission=command.mission,
            at=at,
            beside=command.target,
            side=command.side,
            carrier=unit.base if carrier else "",
            rules=("CT-AIRD-03",),
        )
    )
    if dark(state):
        ask(flow, Purpose("spotting", unit.id), unit.seat, Dice(1))


@rule("CT-NIGHT-02", "CT-AIRD-09")
def spotting_rolled(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    """Patrol bombers find their way on 3 or more, others on 5 or more; else it is aborted."""
    unit, face = flow.state.units[purpose.unit], faces[0][0]
    needed = 3 if card_of(flow.state, unit).type == "Patrol Bomber" else 5
    flow.emit(
        ev.SpottingRolled(
            unit=unit.id, face=face, needed=needed, found=face >= needed, rules=("CT-NIGHT-02",)
        )
    )


@rule("CT-AIRD-01", "CT-AIRD-02", "CT-SEQ-04", "CT-AMB-43")
def deployers(state: State) -> tuple[Seat, ...]:
    """Who may place now: the sides alternate, first player first; a pass is final.

    Nobody any more once the markers of the rearming have come off: the phase is over then.
    """
    if "rearmed" in state.tended:
        return ()
    return alternately(state, lambda seat: able(state, seat))


def able(state: State, seat: Seat) -> bool:
    """Whether the seat has an aircraft that it may place."""
    return any(
        why_not_fly(state, unit) is None for unit in own(state, seat) if is_aircraft(state, unit)
    )


@rule("CT-AIRD-07", "CT-TRANS-04")
def rearm(flow: BattleFlow) -> bool:
    """At the end of the phase every aircraft that is rearming loses one marker."""
    if "rearmed" in flow.state.tended:
        return False
    units = tuple(unit.id for unit in flow.state.all_units if unit.rearming)
    if units:
        flow.emit(ev.Rearmed(units=units, rules=("CT-AIRD-07",)))
    flow.emit(ev.TaskDone(task="rearmed"))
    return True
