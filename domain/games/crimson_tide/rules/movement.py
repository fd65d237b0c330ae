"""MOVE: how many klicks a unit may make, ahead and astern, and what evading costs (EVA)."""

from __future__ import annotations

from ....kernel.rules import No, rule
from ....kernel.tally import Reason, Tally
from .criticals import ENGINE, ENGINE_HIT
from .dice import halved
from .facts import card_of, crippled, has_critical, is_ship, is_submarine
from .state import State, Unit


@rule("CT-MOVE-01", "CT-MOVE-18", "CT-MOVE-19", "CT-MOVE-20", "CT-CARD-08", "CT-CARD-09",
      "CT-CRIT-05", "CT-CRIT-11", "CT-AMB-37", "CT-AMB-58", "CT-SUB-01")  # fmt: skip
def allowance(state: State, unit: Unit) -> Tally:
    """Klicks that a unit may move this turn; there is no minimum."""
    card = card_of(state, unit)
    if unit.submerged:
        tally = Tally.of(Reason(card.submerged_movement, "CT-CARD-08", "submerged", unit.id))
    else:
        tally = Tally.of(Reason(card.movement, "CT-CARD-09", "printed", unit.id))
    if crippled(state, unit):
        tally = halved(tally, Reason(0, "CT-MOVE-19", "crippled", unit.id))
    if has_critical(unit, ENGINE_HIT):
        tally = halved(tally, Reason(0, "CT-CRIT-11", ENGINE_HIT.name, unit.id))
    if has_critical(unit, ENGINE):
        tally = tally.plus(Reason(-tally.total, "CT-MOVE-18", ENGINE.name, unit.id))
    return tally


@rule("CT-EVA-03", "CT-EVA-01", "CT-AMB-10")
def after_evading(klicks: int) -> int:
    """What evasive maneuvers leave of a movement: half of it, rounded down, is spent."""
    return klicks - klicks // 2


@rule("CT-MOVE-11", "CT-MOVE-12", "CT-EVA-04")
def astern_most(klicks: int, evading: bool) -> int:
    """Klicks that may be made astern: half the movement, but 1 of a movement of 1."""
    most = max(klicks // 2, min(klicks, 1))
    return min(most, after_evading(klicks)) if evading else most


def why_not_mobile(state: State, unit: Unit) -> No | None:
    """Why a unit may not be ordered now: only ships and submarines move, once a turn."""
    if unit.pose is None or not (is_ship(state, unit) or is_submarine(state, unit)):
        return No("move.no-vessel", "CT-MOVE-23", "Ships and submarines move here.", "/unit")
    if unit.moved:
        return No("move.already-moved", "CT-MOVE-21", "It has had its order this turn.", "/unit")
    return None


@rule("CT-EVA-05")
def why_not_evade(state: State, unit: Unit) -> No | None:
    """Why a unit may not make evasive maneuvers; any ship or submarine may, from any torpedo."""
    if not unit.inbound:
        return No("move.nothing-to-evade", "CT-EVA-01", "No torpedo is inbound.", "/evade")
    if allowance(state, unit).total < 2:
        return No("move.too-slow-to-evade", "CT-EVA-03", "It takes a movement of 2.", "/evade")
    return None
