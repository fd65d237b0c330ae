"""COMB: one attack from its declaration to the critical table (CT-COMB-07)."""

from __future__ import annotations

from msgspec.structs import replace

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import events as ev
from . import strength
from .ability_words import CriticalAs, EvadedOn, NightGuns, SeesStormed
from .arcs import in_arc, in_channel
from .asking import ask, attack_dice
from .commands import Attack
from .criticals import marker_on
from .damage import harm
from .dice import TORPEDO_DAMAGE, beats, hits, torpedo_hits
from .facts import (
    card_of,
    dark,
    effect,
    evades_guns,
    flying,
    is_aircraft,
    why_not_own,
    why_unknown,
)
from .geometry.hull import Side
from .ranges import band, near
from .sides import of_side
from .sight_lines import storm_of, view
from .state import Inbound, Purpose, Seen, Shot, State, Unit, Weapon
from .targets import GUNS, needs_detection, row, slot, why_not_attack

BattleFlow = Flow[State, ev.AnyEvent]
Faces = tuple[tuple[int, ...], ...]

SPOTTING_KLICKS = 8
SMALL_RANGE = 4
SEEN_ON = 4
EVADED_ON = 4


def why_not_declare(state: State, seat: Seat, command: Attack) -> No | None:
    """Why an attack may not be declared: what has been named comes first."""
    no = why_not_own(state, seat, command.unit) or why_unknown(state, command.target, "/target")
    if no is not None:
        return no
    unit, target = state.units[command.unit], state.units[command.target]
    return why_not_attack(state, unit, command.weapon, target, command.arc)


@rule("CT-GEN-06", "CT-SURF-05")
def declare(flow: BattleFlow, seat: Seat, command: Attack) -> None:
    """Name unit, weapon, arc and target; only then is anything measured."""
    flow.emit(
        ev.AttackDeclared(
            attacker=command.unit,
            weapon=command.weapon,
            target=command.target,
            arc=command.arc,
            slot=slot(command.weapon, command.arc),
            rules=("CT-GEN-06",),
        )
    )
    _measure(flow)


def open_shot(state: State) -> tuple[Shot, Unit, Unit]:
    """The attack under way, who makes it and on whom."""
    shot = state.shot
    assert shot is not None
    return shot, state.units[shot.attacker], state.units[shot.target]


@rule("CT-COMB-06", "CT-COMB-07", "CT-LOS-02", "CT-LOS-03", "CT-AAW-02", "CT-AATK-08", "CT-DET-06")
def _measure(flow: BattleFlow) -> None:
    """Range, arc and line of sight, in this order; the first that fails wastes the attack."""
    state = flow.state
    shot, unit, target = open_shot(state)
    shot = replace(shot, band=band(state, unit, target))
    reason = _out_of_reach(state, unit, target, shot) or _outside(state, unit, target, shot)
    if not reason and needs_sight(state, unit, shot.weapon):
        seen = view(state, unit, target, shot.arc or _channel(shot))
        shot = replace(shot, seen=seen, spotter=_spotter(state, unit, target, seen))
        if seen.sight == "blocked" and not shot.spotter:
            reason = ("no-line-of-sight", "CT-LOS-07")
    if reason:
        _waste(flow, shot, *reason)
        return
    shot = replace(
        shot,
        dice=strength.dice(state, unit, shot),
        least=strength.least(state, unit, target, shot),
        armor=strength.armor(state, target),
        critical=strength.critical(state, target),
    )
    if shot.dice.total < 1:
        _waste(flow, shot, "no-dice", "CT-DICE-09")
    else:
        flow.emit(ev.AttackMeasured(shot=shot, rules=("CT-COMB-07",)))
        proceed(flow)


@rule("CT-DICE-09", "CT-SURF-07", "CT-WPN-03", "CT-AAW-03", "CT-AATK-03")
def _out_of_reach(state: State, unit: Unit, target: Unit, shot: Shot) -> tuple[str, str] | None:
    """No dice at the band, small vessels far away, and by agreement the last band at night."""
    weapon, arc = shot.weapon, shot.arc
    if not strength.printed(state, unit, weapon, arc, shot.band):
        return "out-of-range", "CT-RNGE-01"
    if shot.band > SMALL_RANGE and evades_guns(state, target):
        return "too-small", "CT-SURF-07"
    reduced = dark(state) and state.options.night_gunnery == "reduced" and weapon in GUNS
    last = shot.band == len(row(card_of(state, unit), weapon, arc))
    if reduced and last and effect(unit, NightGuns) is None:
        return "out-of-range", "CT-NIGHT-10"
    return None


def _outside(state: State, unit: Unit, target: Unit, shot: Shot) -> tuple[str, str] | None:
    """Guns have arcs, torpedoes channels; AAW, ASW and aircraft have neither."""
    if is_aircraft(state, unit) or shot.weapon in ("aaw", "asw"):
        return None
    if shot.weapon == "torpedo":
        inside = in_channel(state, unit, target, _channel(shot))
        return None if inside else ("outside-channel", "CT-ARC-05")
    if shot.arc and in_arc(state, unit, target, shot.arc):
        return None
    return "outside-arc", "CT-ARC-03"


@rule("CT-LOS-10")
def needs_sight(state: State, unit: Unit, weapon: Weapon) -> bool:
    """Guns and torpedoes of ships and submarines need a line of sight; nothing else does."""
    return not is_aircraft(state, unit) and weapon not in ("aaw", "asw")


def _channel(shot: Shot) -> Side:
    """The side that torpedoes leave by: the declared one, for a submarine its bow."""
    return "port" if shot.arc == "port" else "starboard" if shot.arc == "starboard" else "bow"


@rule("CT-AC-03", "CT-AMB-52")
def _spotter(state: State, unit: Unit, target: Unit, seen: Seen) -> str:
    """A reconnaissance aircraft on the table makes up for a blocked line of sight."""
    if seen.sight != "blocked" or unit.submerged:
        return ""
    for scout in of_side(state, unit.seat):
        if card_of(state, scout).type != "Reconnaissance" or not flying(scout):
            continue
        if scout.aborted or scout.doomed:
            continue
        anywhere = state.options.spotter == "anywhere"
        if anywhere or near(state, target, scout, SPOTTING_KLICKS):
            return scout.id
    return ""


@rule("CT-GEN-07", "CT-AMB-97")
def _waste(flow: BattleFlow, shot: Shot, reason: str, rule_: str) -> None:
    """The attack is over before an attack die is thrown.

    What proves impossible spends the weapon, or by agreement does not; what is not seen or found
    was never a target and leaves the weapon unspent, or by agreement spends it.
    """
    options = flow.state.options
    unseen, impossible = options.failed_check == "kept", options.wasted_shot == "taken-back"
    back = unseen if reason in ROLLED else impossible
    flow.emit(
        ev.AttackWasted(
            attacker=shot.attacker,
            weapon=shot.weapon,
            target=shot.target,
            arc=shot.arc,
            reason=reason,
            band=shot.band,
            seen=shot.seen,
            taken_back=back,
            slot=slot(shot.weapon, shot.arc),
            rules=(rule_, "CT-GEN-07"),
        )
    )


ROLLED = ("concealed", "not-detected")
"""Reasons that a check brings: the target is not seen, or not found."""


@rule("CT-WEA-03", "CT-AMB-60")
def proceed(flow: BattleFlow) -> None:
    """The next thing an attack needs: a check, or its dice."""
    shot, unit, target = open_shot(flow.state)
    hidden = needs_sight(flow.state, unit, shot.weapon) and storm_of(flow.state, target)
    if hidden and "concealment" not in shot.checked:
        ask(flow, Purpose("concealment", unit.id), unit.seat, Dice(1))
    elif needs_detection(flow.state, target):
        ask(flow, Purpose("detection", unit.id), unit.seat, Dice(1))
    elif shot.weapon == "torpedo" and not _at_once(flow.state, unit):
        _launch(flow, shot)
    elif shot.weapon == "torpedo":
        ask(flow, Purpose("torpedo", unit.id), unit.seat, Dice(shot.dice.total))
    else:
        attack_dice(flow, Purpose("attack", unit.id), unit.seat, shot.dice.total)


@rule("CT-WEA-02")
def concealment_rolled(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    """A target in a storm is seen on 4 or more, with Radar Fire Control on 3 or more."""
    shot, unit, _ = open_shot(flow.state)
    radar = effect(unit, SeesStormed)
    needed = radar.face if radar else SEEN_ON
    passed = faces[0][0] >= needed
    flow.emit(
        ev.ConcealmentRolled(
            attacker=shot.attacker,
            target=shot.target,
            face=faces[0][0],
            needed=needed,
            passed=passed,
            rules=("CT-WEA-02",),
        )
    )
    if passed:
        proceed(flow)
    else:
        _waste(flow, shot, "concealed", "CT-WEA-02")


@rule("CT-DET-02")
def detection_rolled(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    """A submarine is found on 5 or more when submerged, on 3 or more at the surface."""
    shot, _, target = open_shot(flow.state)
    needed = 5 if target.submerged else 3
    detected = faces[0][0] >= needed
    flow.emit(
        ev.DetectionRolled(
            attacker=shot.attacker,
            target=shot.target,
            face=faces[0][0],
            needed=needed,
            detected=detected,
            rules=("CT-DET-02",),
        )
    )
    if detected:
        proceed(flow)
    else:
        _waste(flow, shot, "not-detected", "CT-DET-05")


@rule("CT-AATK-07", "CT-AMB-07")
def _at_once(state: State, unit: Unit) -> bool:
    """By agreement aerial torpedoes are rolled at once; all others leave markers."""
    return is_aircraft(state, unit) and state.options.air_torpedo == "immediate"


@rule("CT-TORP-01", "CT-TORP-03", "CT-AMB-04", "CT-TORP-09")
def _launch(flow: BattleFlow, shot: Shot) -> None:
    """One TORPEDO INBOUND marker for each die; those of a Long Lance are harder to evade."""
    unit = flow.state.units[shot.attacker]
    lance = effect(unit, EvadedOn)
    evaded = lance.face if lance else EVADED_ON
    inbound = Inbound(shot.attacker, flow.state.turn, shot.dice.total, evaded, unit.seat)
    flow.emit(
        ev.TorpedoesLaunched(
            attacker=shot.attacker, target=shot.target, inbound=inbound, rules=("CT-TORP-03",)
        )
    )
    flow.emit(ev.AttackEnded(attacker=shot.attacker))


def torpedo_rolled(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    """Aerial torpedoes by agreement: each six is two hull points."""
    shot, _, _ = open_shot(flow.state)
    number = torpedo_hits(faces[0])
    _resolve(flow, shot, faces, number, "hit" if number else "miss", number * TORPEDO_DAMAGE)


@rule("CT-COMB-01", "CT-COMB-04", "CT-COMB-05", "CT-CRIT-17", "CT-AAW-05")
def attack_rolled(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    """Count the hits of this one attack and compare them with armor and critical rating."""
    state = flow.state
    shot, unit, target = open_shot(state)
    number = hits(faces, shot.least.total)
    outcome = "miss"
    if beats(state, number, shot.armor.total):
        outcome = "critical" if beats(state, number, shot.critical.total) else "hit"
    if shot.weapon == "aaw":
        _resolve(flow, shot, faces, number, _AIR[outcome], 0)
        return
    _resolve(flow, shot, faces, number, outcome, 0 if outcome == "miss" else 1)
    if outcome == "critical":
        ask(flow, Purpose("critical", unit.id, target.id), unit.seat, Dice(2))


_AIR = {"miss": "miss", "hit": "aborted", "critical": "destroyed"}


def _resolve(
    flow: BattleFlow, shot: Shot, faces: Faces, number: int, outcome: str, hull: int
) -> None:
    resolved = ev.AttackResolved(
        attacker=shot.attacker,
        weapon=shot.weapon,
        target=shot.target,
        rounds=faces,
        hits=number,
        outcome=outcome,
        hull=hull,
        rules=(_RULES[outcome],),
    )
    harm(flow, resolved, shot.target, shot.attacker)
    if outcome != "critical":
        flow.emit(ev.AttackEnded(attacker=shot.attacker))


_RULES = {
    "miss": "CT-COMB-02",
    "hit": "CT-COMB-03",
    "critical": "CT-COMB-04",
    "aborted": "CT-AAW-05",
    "destroyed": "CT-AAW-05",
}


@rule("CT-CRIT-01", "CT-CRIT-02", "CT-CRIT-12", "CT-CRIT-16")
def critical_rolled(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    """The critical table; the marker is placed now and takes effect later."""
    state = flow.state
    shot, _, target = open_shot(state)
    one, two = faces[0]
    result = marker(state, target, one + two)
    rules = (f"CT-CRIT-{one + two:02}",)
    rolled = ev.CriticalRolled(target=target.id, faces=(one, two), result=result, rules=rules)
    harm(flow, rolled, target.id, shot.attacker)
    flow.emit(ev.AttackEnded(attacker=shot.attacker))


def marker(state: State, target: Unit, result: int) -> int:
    """The marker that a sum of the two dice leaves on the target; 0: none."""
    other = effect(target, CriticalAs)
    if other is not None and other.roll == result:
        result = other.result
    return marker_on(card_of(state, target).kind, result)


ANSWERS = {
    "concealment": concealment_rolled,
    "detection": detection_rolled,
    "attack": attack_rolled,
    "torpedo": torpedo_rolled,
    "critical": critical_rolled,
}
