"""How strong an attack is: dice, the least face that hits, and the ratings it meets.

Each number is a tally: it says where every die came from (CT-COMB-07, 6).
"""

from __future__ import annotations

from ....kernel.rules import rule
from ....kernel.tally import Reason, Tally
from .abilities import amount, found
from .ability_words import Escorts, NightGuns, Reach
from .cards import dice_at
from .criticals import PRIMARY
from .dice import halved, strictest, torpedo_least
from .facts import (
    card_of,
    crippled,
    dark,
    effect,
    effects,
    evades_guns,
    flying,
    has_critical,
    is_aircraft,
)
from .geometry.hull import Size
from .ranges import near
from .sides import of_side
from .sight_lines import storm_of
from .state import Shot, State, Unit, Weapon
from .targets import GUNS, row

NEAR_COLUMNS: dict[Weapon, int] = {"primary": 4, "torpedo": 1}
"""The columns that need no ability; a weapon that is not named here has none that does."""

BIG: tuple[Size, ...] = ("large", "capital")
ORDNANCE: tuple[Weapon, ...] = ("bombs", "asw")


@rule("CT-CARD-06", "CT-AMB-68", "CT-RNGE-02", "CT-SA-09")
def printed(state: State, unit: Unit, weapon: Weapon, arc: str, band: int) -> int:
    """The card's dice at a band. The far bands belong to abilities, which may be out of order."""
    if band > NEAR_COLUMNS.get(weapon, band) and band > _farthest(unit, weapon):
        return 0
    return dice_at(row(card_of(state, unit), weapon, arc), band)


def _farthest(unit: Unit, weapon: Weapon) -> int:
    """The last column that the unit's abilities open for a weapon; 0: none beyond the near ones."""
    found_ = (amount(reach.to, n) for reach, n in effects(unit, Reach) if reach.weapon == weapon)
    return max(found_, default=0)


@rule("CT-DICE-08", "CT-COLL-07", "CT-WEA-04", "CT-AC-02", "CT-CRIT-10", "CT-AMB-59", "CT-LOS-11")
def dice(state: State, unit: Unit, shot: Shot) -> Tally:
    """How many dice: printed, less what night takes, then each halving, rounded down."""
    number = printed(state, unit, shot.weapon, shot.arc, shot.band)
    tally = Tally.of(Reason(number, "CT-CARD-05", "printed", unit.id))
    tally = tally.plus(*_fewer(state, unit, shot)).at_least(0, "CT-NIGHT-11")
    halvings = []
    if shot.spotter:
        halvings.append(Reason(0, "CT-AC-03", "spotted", shot.spotter))
    elif shot.seen is not None and shot.seen.sight == "partially-blocked":
        halvings.append(Reason(0, "CT-LOS-06", "partially blocked"))
    storm = storm_of(state, unit)
    if storm is not None:
        halvings.append(Reason(0, "CT-WEA-04", "in a storm", storm.id))
    if unit.collided:
        halvings.append(Reason(0, "CT-COLL-07", "collided"))
    if shot.weapon == "primary" and has_critical(unit, PRIMARY):
        halvings.append(Reason(0, "CT-CRIT-10", PRIMARY.name))
    return halved(tally, *halvings)


@rule("CT-NIGHT-11")
def _fewer(state: State, unit: Unit, shot: Shot) -> tuple[Reason, ...]:
    """A torpedo bomber loses one die at night."""
    bomber = is_aircraft(state, unit) and shot.weapon == "torpedo"
    return (Reason(-1, "CT-NIGHT-05", "night"),) if bomber and dark(state) else ()


@rule("CT-AMB-54")
def least(state: State, unit: Unit, target: Unit, shot: Shot) -> Tally:
    """The least face that hits: the strictest of all that makes it harder; of torpedoes a six."""
    if shot.weapon == "torpedo":
        return torpedo_least()
    reasons = []
    if shot.seen is not None and shot.seen.sight == "impeded":
        reasons.append(Reason(1, "CT-LOS-05", "impeded"))
    if not is_aircraft(state, unit) and crippled(state, unit):
        reasons.append(Reason(1, "CT-DMG-06", "crippled", unit.id))
    reasons += _small_target(state, unit, target, shot.weapon)
    reasons += _in_the_dark(state, unit, shot.weapon)
    guard = escort(state, unit, target) if shot.weapon == "aaw" else None
    if guard is not None:
        reasons.append(Reason(1, "CT-AAW-09", "escorted", guard.id))
    return strictest(tuple(reasons))


@rule("CT-SURF-08")
def _small_target(state: State, unit: Unit, target: Unit, weapon: Weapon) -> list[Reason]:
    """Primary guns of large and capital units hit small vessels on a six only."""
    big = card_of(state, unit).size in BIG and evades_guns(state, target)
    if big and weapon == "primary" and not is_aircraft(state, unit):
        return [Reason(2, "CT-SURF-08", "small target", target.id)]
    return []


@rule("CT-NIGHT-03", "CT-NIGHT-05", "CT-NIGHT-08", "CT-NIGHT-10", "CT-AAW-13")
def _in_the_dark(state: State, unit: Unit, weapon: Weapon) -> list[Reason]:
    """AAW and ordnance of aircraft hit on 5 and 6 at night; guns only by agreement."""
    if not dark(state):
        return []
    if weapon == "aaw":
        return [Reason(1, "CT-NIGHT-03", "night")]
    if is_aircraft(state, unit):
        return [Reason(1, "CT-NIGHT-05", "night")] if weapon in ORDNANCE else []
    reduced = state.options.night_gunnery == "reduced" and weapon in GUNS
    if reduced and effect(unit, NightGuns) is None:
        return [Reason(1, "CT-NIGHT-10", "night")]
    return []


@rule("CT-AAW-09", "CT-AAW-10", "CT-STRAFE-04", "CT-NIGHT-09", "CT-SA-07")
def escort(state: State, unit: Unit, target: Unit) -> Unit | None:
    """The fighter that escorts a bomber against an enemy fighter: within 8 klicks, not strafing.

    Aborted and destroyed escorts still count in this phase; several do not add up.
    """
    if card_of(state, unit).type != "Fighter" or not card_of(state, target).is_bomber:
        return None
    for friend in of_side(state, target.seat):
        if not flying(friend) or friend.mission == "strafe" or friend.at is None:
            continue
        guards = found(friend.card, Escorts)
        if guards and near(state, target, friend, guards[0][0].klicks):
            return friend
    return None


def armor(state: State, unit: Unit) -> Tally:
    """The armor rating that an attack has to beat."""
    return _rating(state, unit, card_of(state, unit).armor, "CT-COMB-03")


def critical(state: State, unit: Unit) -> Tally:
    """The critical damage rating that an attack has to beat."""
    return _rating(state, unit, card_of(state, unit).critical, "CT-COMB-04")


@rule("CT-STRAFE-05", "CT-AMB-100")
def _strafing(state: State, tally: Tally) -> Tally:
    """2 less, and by agreement at least 1: the booklet names a least for crippled ships only."""
    low = tally.plus(Reason(-2, "CT-STRAFE-05", "strafing"))
    return low.at_least(1, "CT-AMB-100") if state.options.strafing_least == "one" else low


def _rating(state: State, unit: Unit, value: int, rule_: str) -> Tally:
    tally = Tally.of(Reason(value, rule_, "printed", unit.id))
    if is_aircraft(state, unit):
        return _strafing(state, tally) if unit.mission == "strafe" else tally
    if not crippled(state, unit):
        return tally
    return tally.plus(Reason(-1, "CT-DMG-06", "crippled")).at_least(1, "CT-DMG-06")
