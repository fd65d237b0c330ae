"""What happens by itself in a step."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.order import ordered
from ....kernel.rules import rule
from ....kernel.setup import Result
from ....kernel.values import Seat
from . import board, convoy, purposes, weather
from . import commands as c
from . import events as ev
from .cards import Card
from .damage import ask
from .darkness import astray
from .deployment import zone_of
from .effects import Drawing, NoMove, Pursued, SpeedChange
from .facts import card_of, charts_of, is_ship, limits_of, off_map, own
from .families import deeds, hooks
from .families.effects import bears, has, of_family, rule_of
from .families.shots import effects_of, number
from .mechanisms import airfield, mines, shore, upkeep
from .mechanisms.declared import expose
from .sea_movement import closed, enemy_ship_near
from .stacking import has_room
from .state import Alliance, State, Unit
from .turns import owner
from .victory import (
    bonus_due,
    claim,
    claimable,
    objective_points,
    stalemate,
    stalemate_result,
    verdict,
)

BattleFlow = Flow[State, ev.AnyEvent]

JOINED = "joined"
"""What a pursuing Ship has done this turn, where abilities that were used are noted."""


@rule("WAS-SETUP-01", "WAS-SETUP-03", "WAS-SETUP-06")
def set_sides(flow: BattleFlow) -> bool:
    """Sides by agreement, or by a coin; in a fleet exercise both serve one alliance."""
    options, (one, two) = flow.state.options, flow.state.seats
    if options.fleet_exercise:
        alliance: Alliance = options.fleet_exercise
        flow.emit(ev.SidesSet(alliances={one: alliance, two: alliance}, rules=("WAS-SETUP-06",)))
    elif options.axis == "coin":
        ask(flow, purposes.Sides(), "", Dice(1, 2))
    else:
        sides_are(flow, one if options.axis == "p1" else two)
    return True


def side_chooser_rolled(flow: BattleFlow, face: int) -> None:
    """The winner of the coin chooses his side."""
    winner = flow.state.seats[face - 1]
    flow.emit(ev.SideChooserFound(seat=winner, rules=("WAS-SETUP-03",)))


def choose_side(flow: BattleFlow, seat: Seat, command: c.ChooseSide) -> None:
    """Who won the coin says which side is his."""
    sides_are(flow, seat if command.alliance == "Axis" else flow.state.other(seat))


def sides_are(flow: BattleFlow, axis: Seat) -> None:
    """This seat commands the Axis, the other the Allies."""
    other = flow.state.other(axis)
    alliances: dict[Seat, Alliance] = {axis: "Axis", other: "Allies"}
    flow.emit(ev.SidesSet(alliances=alliances, rules=("WAS-SETUP-03",)))


def select_zone(flow: BattleFlow) -> bool:
    """The agreed battle zone, or a die for one."""
    only = 1 if len(charts_of(flow.state)) == 1 else 0
    agreed = only or limits_of(flow.state).zone or flow.state.options.battle_zone
    if not agreed:
        ask(flow, purposes.Zone(), "", Dice(1))
        return True
    zone, objectives = zone_of(flow.state, agreed)
    flow.emit(ev.ZoneSelected(zone=zone, objectives=objectives, rules=("WAS-SETUP-28",)))
    return True


@rule("WAS-ABIL-35")
def roll_for_speed(flow: BattleFlow) -> bool:
    """Slow is compulsory: one die for each such Ship at the start of its owner's step."""
    state = flow.state
    if "speeds" not in state.tended and _set_speeds(flow):
        return True
    for unit in own(state, owner(state)):
        for ref, _ in effects_of(card_of(state, unit), deeds.SpeedDie):
            if not off_map(unit) and f"{unit.id}/{ref.family}" not in state.tended:
                ask(flow, purposes.Speed(unit.id, ref.family), unit.seat, Dice(1))
                return True
    return False


def _set_speeds(flow: BattleFlow) -> bool:
    """What needs no die: units held on turn 1, and Flank Speed near an enemy Ship.

    It is settled before anything moves, and noted wherever it could come out otherwise later.
    """
    state = flow.state
    due = [unit for unit in own(state, owner(state)) if _sets_speed(card_of(state, unit))]
    for unit in due:
        if not off_map(unit):
            for effect in _speeds(state, unit):
                flow.emit(ev.EffectBegan(effect=effect, rules=(effect.rule,)))
    if due:
        flow.emit(ev.TaskDone(task="speeds"))
    return bool(due)


def _sets_speed(card: Card) -> bool:
    """Whether an ability may set the unit's speed without a die."""
    held, faster = bears(card, deeds.HeldBack), bears(card, deeds.FasterNearEnemy)
    return held is not None or faster is not None


def _speeds(state: State, unit: Unit) -> Iterator[NoMove | SpeedChange]:
    card, turn = card_of(state, unit), state.turn
    for ref, _ in effects_of(card, deeds.HeldBack) if turn == 1 else ():
        yield NoMove(unit=unit.id, source=unit.id, rule=ref.rule, until=turn)
    for ref, word in effects_of(card, deeds.FasterNearEnemy):
        if enemy_ship_near(state, unit):
            yield SpeedChange(
                unit=unit.id, change=word.add, source=unit.id, rule=ref.rule, until=turn
            )


def speed_rolled(flow: BattleFlow, name: str, family: str, face: int) -> None:
    """Slow: one sector less on the card's number or less; Fast: one more on it or more."""
    state = flow.state
    ability, word = (
        has(card_of(state, state.units[name]), family),
        of_family(family, deeds.SpeedDie),
    )
    assert ability is not None
    assert word is not None
    rule_ = rule_of(family)
    needed = number(word.needed, ability.n)
    happens = face <= needed if word.change < 0 else face >= needed
    change = SpeedChange(unit=name, change=word.change, source=name, rule=rule_, until=state.turn)
    flow.emit(
        ev.AbilityRolled(
            unit=name,
            ability=family,
            face=face,
            result="speed" if happens else "",
            effects=(change,) if happens else (),
            rules=(rule_,),
        )
    )


def pursue(flow: BattleFlow) -> bool:
    """Pursuit Ship: it joins its quarry if that is within 2 sectors after the enemy has moved."""
    state = flow.state
    for effect in state.lasting(Pursued):
        if state.has_used(effect.source, JOINED):
            continue
        unit, quarry = state.units.get(effect.source), state.units.get(effect.unit)
        if unit is None or quarry is None or not _may_join(state, unit, quarry):
            continue
        flow.emit(
            ev.UnitShifted(
                unit=unit.id, sector=quarry.sector, ability=JOINED, seat=state.last,
                rules=(effect.rule,),
            )
        )  # fmt: skip
        mines.entered(flow, unit.id, (quarry.sector,))
        return True
    return False


def _may_join(state: State, unit: Unit, quarry: Unit) -> bool:
    card = card_of(state, unit)
    return (
        0 < board.distance(unit.sector, quarry.sector) <= 2
        and has_room(state, unit.seat, quarry.sector, card, unit.id)
        and not closed(state, card, quarry.sector)
    )


def unmask(flow: BattleFlow) -> bool:
    """The end of Sea Movement: a disguised unit in one sector with another Ship is known."""
    if "unmasked" in flow.state.tended:
        return False
    state = flow.state
    masked = [u for u in state.all_units if bears(card_of(state, u), hooks.Disguise)]
    for unit in masked:
        if any(
            u.sector == unit.sector and u.id != unit.id and is_ship(state, u)
            for u in state.all_units
        ):
            expose(flow, unit)
    if masked:
        flow.emit(ev.TaskDone(task="unmasked"))
    return bool(masked)


def draw_the_cap(flow: BattleFlow) -> bool:
    """Draw the CAP: a die for each such Aircraft that has an enemy Fighter in its sector."""
    state = flow.state
    for unit in state.all_units:
        draws = bears(card_of(state, unit), hooks.DrawsFighters)
        if draws is None or not unit.sector or astray(state, unit):
            continue
        family = draws[0].family
        if f"{unit.id}/{family}" not in state.tended and _enemy_fighter(state, unit):
            ask(flow, purposes.DrawTheCap(unit.id, family), unit.seat, Dice(1))
            return True
    return False


def _enemy_fighter(state: State, unit: Unit) -> bool:
    return any(
        u.sector == unit.sector and u.seat != unit.seat and card_of(state, u).subtype == "Fighter"
        for u in state.all_units
    )


def draw_rolled(flow: BattleFlow, name: str, family: str, face: int) -> None:
    """On a high face, enemy Fighters in the sector must attack this Aircraft."""
    rule_, word = rule_of(family), of_family(family, hooks.DrawsFighters)
    assert word is not None
    drawing = Drawing(unit=name, source=name, rule=rule_, until=flow.state.turn)
    drawn = (drawing,) if face >= word.needed else ()
    flow.emit(
        ev.AbilityRolled(
            unit=name,
            ability=family,
            face=face,
            result="draws" if drawn else "",
            effects=drawn,
            rules=(rule_,),
        )
    )


def end_if(flow: BattleFlow, result: Result | None) -> bool:
    """End the battle if there is a result."""
    if result is None:
        return False
    flow.emit(
        ev.GameEnded(
            winners=result.winners, reason=result.reason, rule=result.rule, rules=(result.rule,)
        )
    )
    return True


@rule("RUL-60", "WAS-EOT-11")
def end_turn(flow: BattleFlow) -> bool:
    """End of Turn: claims, the no-Ships bonus, the victory check, smoke, and the next turn."""
    if "turn" in flow.state.tended:
        return False
    if "claims" not in flow.state.tended:
        _claim_all(flow)
    state = flow.state
    if upkeep.repairs(flow):
        return True
    convoy.last_turn(flow)
    shore.pay(flow)
    airfield.shell(flow)
    for seat in (state.first, state.second):
        if bonus_due(state, seat):
            points = objective_points(state)
            flow.emit(
                ev.PointsScored(seat=seat, points=points, cause="no-ships", rules=("WAS-VP-08",))
            )
    if end_if(flow, verdict(flow.state)):
        return True
    if stalemate(flow.state, helpless(flow.state)):
        return end_if(flow, stalemate_result(flow.state))
    _clear_smoke(flow)
    if weather.drift(flow):
        return True
    calm = 0 if flow.state.progress else flow.state.calm + 1
    flow.emit(ev.TurnEnded(turn=flow.state.turn, calm=calm, rules=("RUL-83",)))
    return True


@rule("WAS-EOT-03", "RUL-86")
def _claim_all(flow: BattleFlow) -> None:
    """Claims are simultaneous; the service claims unless the players want to be asked.

    Nobody who is asked has a claim left. That it is done is noted where dice are still to be thrown
    before the turn is over.
    """
    state = flow.state
    seats = (state.first, state.second)
    if state.options.claims == "automatic":
        due = [(seat, sector) for seat in seats for sector in claimable(state, seat)]
        for seat, sector in due:
            claim(flow, seat, c.Claim(sector))
    if upkeep.tied_up(flow.state) is not None or weather.drifts(flow.state):
        flow.emit(ev.TaskDone(task="claims"))


def _clear_smoke(flow: BattleFlow) -> None:
    state = flow.state
    gone = tuple(sector for sector, until in ordered(state.smoke) if until <= state.turn)
    if gone:
        flow.emit(ev.SmokeCleared(sectors=gone, rules=("WAS-EOT-11",)))


def helpless(state: State) -> bool:
    """Nobody could ever attack an enemy again, and no objective can be claimed (RUL-83b)."""
    if state.objectives and any(
        is_ship(state, unit) and not bears(card_of(state, unit), hooks.NoClaims)
        for unit in state.all_units
    ):
        return False
    kinds = {seat: _weapons(state, seat) for seat in state.seats}
    types = {seat: {card_of(state, u).type for u in own(state, seat)} for seat in state.seats}
    return not any(
        _HARMS.get(kind) in types[state.other(seat)] for seat in state.seats for kind in kinds[seat]
    )


_HARMS = {
    "antiair": "Aircraft", "asw": "Submarine", "bomb": "Ship", "main": "Ship", "secondary": "Ship",
    "tertiary": "Ship", "strafe": "Ship", "torpedo": "Ship", "submerged": "Submarine",
}  # fmt: skip


def _weapons(state: State, seat: Seat) -> set[str]:
    found: set[str] = set()
    for unit in own(state, seat):
        card = card_of(state, unit)
        found.update(kind for kind, values in card.attacks.items() if max(values) > 0)
        if bears(card, hooks.SubmergedShot):
            found.add("submerged")
    return found
