"""DARK: the light of a battle, and what darkness does to search, attacks and recovery (2009)."""

from __future__ import annotations

from collections.abc import Sequence

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.tally import Reason
from ....kernel.values import Seat
from . import events as ev
from . import purposes
from .cards import Card, Kind
from .damage import ask, leave, remove
from .effects import Astray
from .facts import card_of, damaged, own
from .families import hooks
from .families.effects import Shot, bears
from .families.shots import effects_of
from .mechanisms import homes
from .state import Light, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

CHANGE = 4
"""The turn at whose beginning twilight turns."""

GUNS = ("main", "secondary", "tertiary")


@rule("WAS-DARK-14")
def dark(state: State) -> bool:
    """Whether it is dark now: at night, after dusk, before dawn."""
    if state.light == "dusk":
        return state.turn >= CHANGE
    return state.light == "night" or (state.light == "dawn" and state.turn < CHANGE)


@rule("RUL-101")
def turns(flow: BattleFlow) -> None:
    """Twilight turns as turn 4 begins, before initiative."""
    state = flow.state
    if state.light in ("dusk", "dawn") and state.turn == CHANGE:
        flow.emit(ev.LightChanged(dark=dark(state), rules=("WAS-DARK-14", "RUL-101")))


# --- before the battle ----------------------------------------------------------------------------


@rule("WAS-DARK-13")
def set_light(flow: BattleFlow) -> bool:
    """The condition that was agreed on before fleets were built; daylight needs no word."""
    agreed = flow.state.options.light
    if flow.state.light or agreed == "day":
        return False
    if agreed == "night":
        _is(flow, "night", "WAS-DARK-13")
    else:
        ask_for_light = purposes.RandomLight() if agreed == "random" else purposes.Twilight()
        ask(flow, ask_for_light, "", Dice(1) if agreed == "random" else Dice(1, 2))
    return True


@rule("WAS-DARK-15")
def light_rolled(flow: BattleFlow, face: int) -> None:
    """1 to 3 daylight, 4 and 5 night, 6 twilight."""
    if face == 6:
        ask(flow, purposes.Twilight(), "", Dice(1, 2))
    else:
        _is(flow, "day" if face <= 3 else "night", "WAS-DARK-15")


def twilight_rolled(flow: BattleFlow, face: int) -> None:
    """Heads: it gets dark on turn 4; tails: it gets light then."""
    _is(flow, "dusk" if face == 1 else "dawn", "WAS-DARK-14")


def _is(flow: BattleFlow, light: Light, rule_: str) -> None:
    flow.emit(ev.LightSet(light=light, rules=(rule_,)))


# --- search and recovery --------------------------------------------------------------------------


@rule("WAS-DARK-02", "RUL-37")
def search(flow: BattleFlow, unit: Unit) -> None:
    """Each Aircraft that is placed in the dark searches for its sector; at the airbase none."""
    if dark(flow.state):
        ask(flow, purposes.Search(unit.id), unit.seat, Dice(1))


@rule("WAS-DARK-03", "WAS-DARK-04")
def search_rolled(flow: BattleFlow, name: str, face: int) -> None:
    """Patrol Bombers find it on 3 or more, all others on 5 or more; who does not is aborted."""
    state = flow.state
    card = card_of(state, state.units[name])
    helps = [ref.rule for ref, _ in effects_of(card, hooks.Searches)]
    needed = (3 if card.subtype == "Patrol Bomber" else 5) - len(helps)
    found = face >= needed
    lost = (Astray(unit=name, source=name, rule="WAS-DARK-04", until=state.turn),)
    flow.emit(
        ev.SearchRolled(
            unit=name,
            face=face,
            needed=needed,
            found=found,
            effects=() if found else lost,
            rules=("WAS-DARK-02", *helps),
        )
    )


def astray(state: State, unit: Unit) -> bool:
    """Whether it failed its search check this turn: no attack, no Escort, no ability."""
    return bool(state.lasting_on(Astray, unit.id))


def why_not_found(state: State, unit: Unit) -> No | None:
    """Why an Aircraft that went astray neither attacks nor is attacked."""
    if state.light and astray(state, unit):
        return No("attack.astray", "WAS-DARK-04", f"{unit.id} has not found its sector.")
    return None


@rule("WAS-DARK-12", "WAS-RETN-15")
def recover(flow: BattleFlow, seat: Seat) -> bool:
    """Before bases are chosen: a die for each Aircraft that comes back in the dark."""
    state = flow.state
    due = _returning(state, seat)
    if not due or not dark(state) or "recovery" in state.tended:
        return False
    ask(flow, purposes.Recovery(), seat, Dice(len(due)))
    return True


def _returning(state: State, seat: Seat) -> list[Unit]:
    """Not Patrol Bombers; nor who lands neither on a Carrier nor at the land airbase."""
    flying = [unit for unit in own(state, seat) if unit.base and unit.sector]
    return [unit for unit in flying if _must_recover(card_of(state, unit))]


def _must_recover(card: Card) -> bool:
    return card.subtype != "Patrol Bomber" and not homes.tied(card)


def recovery_rolled(flow: BattleFlow, seat: Seat, faces: tuple[int, ...]) -> None:
    """On 1 it is lost, and the enemy scores it (RUL-87)."""
    due = _returning(flow.state, seat)
    lost = [unit for unit, face in zip(due, faces, strict=True) if face == 1]
    flow.emit(
        ev.RecoveryRolled(
            units=tuple(unit.id for unit in due), faces=faces, lost=tuple(u.id for u in lost),
            rules=("WAS-DARK-12",),
        )
    )  # fmt: skip
    for unit in lost:
        if flow.state.options.self_loss_scores:
            remove(flow, unit, "recovery")
        else:
            leave(flow, unit, "recovery", "WAS-DARK-12")


# --- attacks --------------------------------------------------------------------------------------


@rule("WAS-DARK-05", "WAS-DARK-06", "WAS-DARK-09", "WAS-DARK-11", "WAS-DARK-16", "RUL-100")
def die_penalties(state: State, shot: Shot) -> list[Reason]:
    """-1 on each die of antiair, of Aircraft at what is below, and of gunnery from 1 to 3."""
    if not dark(state) or bears(shot.attacker, hooks.AtHomeAtNight):
        return []
    if shot.kind == "antiair" and shot.attacker.type != "Submarine":
        return [Reason(-1, "WAS-DARK-05", "darkness")]
    if shot.attacker.type == "Aircraft" and shot.kind in ("strafe", "bomb", "asw"):
        return [Reason(-1, "WAS-DARK-06", "darkness")]
    if shot.kind in GUNS and shot.range > 0 and not sees(shot):
        return [Reason(-1, "WAS-DARK-09", "darkness")]
    return []


@rule("WAS-DARK-10", "RUL-97", "WAS-ABIL-41")
def sees(shot: Shot) -> bool:
    """A target that burns from an earlier phase, or a Ship with radar or night training."""
    if shot.target_damaged or bears(shot.attacker, hooks.SeesAtNight):
        return True
    return shot.kind == "main" and solves(shot.attacker, shot.undamaged, shot.spent) > 0


def solves(card: Card, undamaged: bool, spent: Sequence[str]) -> int:
    """Radar Solution: how far its first main attack of the game sees in the dark; undamaged."""
    solution = bears(card, hooks.FirstShotSees)
    if solution is None or not undamaged or solution[0].family in spent:
        return 0
    return solution[1].farthest


@rule("WAS-DARK-07")
def torpedo_penalty(state: State, attacker: Card) -> list[Reason]:
    """Torpedo attacks by Aircraft roll one die less."""
    if attacker.type == "Aircraft" and dark(state) and not bears(attacker, hooks.AtHomeAtNight):
        return [Reason(-1, "WAS-DARK-07", "darkness")]
    return []


@rule("WAS-DARK-08")
def why_not_so_far(state: State, unit: Unit, weapon: Kind, reach: int) -> No | None:
    """No gunnery from 4 or more in the dark, but for Radar Solution at 4."""
    if weapon in GUNS and reach >= 4 and dark(state):
        able = solves(card_of(state, unit), not damaged(unit), unit.spent)
        if weapon == "main" and reach <= able:
            return None
        return No("attack.too-dark", "WAS-DARK-08", "Too dark at that range.", "/target")
    return None
