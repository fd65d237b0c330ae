"""What happens in a battle. Events carry outcomes; their stored form is frozen in tests/frozen/."""

from __future__ import annotations

from typing import ClassVar

from ...kernel.chance import Awaited
from ...kernel.event import Event
from ...kernel.tally import Tally
from ...kernel.values import Hidden, Known, Seat
from .state import Alliance, Attack, Edge, Edition, Effect, Options, Purpose


class GameOpened(Event, frozen=True, kw_only=True):
    """The options are agreed and the seats are taken up (S0)."""

    NAME: ClassVar[str] = "game-opened"
    edition: Edition
    scenario: str
    options: Options
    seats: tuple[Seat, Seat]


class SidesSet(Event, frozen=True, kw_only=True):
    """Who commands which alliance (WAS-SETUP-03)."""

    NAME: ClassVar[str] = "sides-set"
    alliances: dict[Seat, Alliance]


class FleetLocked(Event, frozen=True, kw_only=True):
    """A fleet is built and locked; the list itself is its owner's secret (WAS-SETUP-23)."""

    NAME: ClassVar[str] = "fleet-locked"
    seat: Seat
    cards: Known[str] | Hidden


class DiceAwaited(Event, frozen=True, kw_only=True):
    """The chance seat is asked for dice."""

    NAME: ClassVar[str] = "dice-awaited"
    awaited: Awaited
    purpose: Purpose


class DiceThrown(Event, frozen=True, kw_only=True):
    """Chance has answered."""

    NAME: ClassVar[str] = "dice-thrown"
    label: str
    faces: tuple[tuple[int, ...], ...]
    owner: Seat


class ZoneSelected(Event, frozen=True, kw_only=True):
    """The battle zone is laid out with its objective markers (WAS-SETUP-07, -08)."""

    NAME: ClassVar[str] = "zone-selected"
    zone: int
    objectives: tuple[str, ...]


class DeployerChosen(Event, frozen=True, kw_only=True):
    """The winner of the coin deploys first (WAS-SETUP-10)."""

    NAME: ClassVar[str] = "deployer-chosen"
    seat: Seat


class EdgesChosen(Event, frozen=True, kw_only=True):
    """The first deployer has taken a side of the map; the other gets the opposite one."""

    NAME: ClassVar[str] = "edges-chosen"
    edges: dict[Seat, Edge]


class UnitDeployed(Event, frozen=True, kw_only=True):
    """A unit is revealed and put into play, in a sector or at a base."""

    NAME: ClassVar[str] = "unit-deployed"
    unit: str
    card: str
    seat: Seat
    sector: str = ""
    base: str = ""


class FleetDeployed(Event, frozen=True, kw_only=True):
    """The whole fleet is in play: nothing of it is hidden any more (WAS-SETUP-25)."""

    NAME: ClassVar[str] = "fleet-deployed"
    seat: Seat


class TurnBegan(Event, frozen=True, kw_only=True):
    """A new turn."""

    NAME: ClassVar[str] = "turn-began"
    turn: int


class InitiativeRolled(Event, frozen=True, kw_only=True):
    """Both initiative totals; ``first`` is the loser, empty on a full tie (WAS-INIT-07 to -13)."""

    NAME: ClassVar[str] = "initiative-rolled"
    totals: dict[Seat, Tally]
    thrown: dict[Seat, int]
    first: Seat = ""


class StepBegan(Event, frozen=True, kw_only=True):
    """The next step of the turn; ``last`` is the seat that counts as having acted before it."""

    NAME: ClassVar[str] = "step-began"
    step: str
    last: Seat = ""


class TaskDone(Event, frozen=True, kw_only=True):
    """An automatic task of the step is dealt with."""

    NAME: ClassVar[str] = "task-done"
    task: str


class Passed(Event, frozen=True, kw_only=True):
    """A seat does no more in this step."""

    NAME: ClassVar[str] = "passed"
    seat: Seat


class UnitMoved(Event, frozen=True, kw_only=True):
    """A Ship or Submarine has moved along ``path``, the sectors entered in order."""

    NAME: ClassVar[str] = "unit-moved"
    unit: str
    path: tuple[str, ...]
    boost: str = ""


class UnitShifted(Event, frozen=True, kw_only=True):
    """An ability has relocated a unit outside its normal move."""

    NAME: ClassVar[str] = "unit-shifted"
    unit: str
    sector: str
    ability: str
    seat: Seat


class AircraftPlaced(Event, frozen=True, kw_only=True):
    """An Aircraft flies to a sector as its mission (WAS-AIRM-02)."""

    NAME: ClassVar[str] = "aircraft-placed"
    unit: str
    seat: Seat
    sector: str
    strafing: bool = False
    role: str = ""


class AircraftSentHome(Event, frozen=True, kw_only=True):
    """2009: these Aircraft have the land airbase as their mission (WAS-AIRM-07, -08)."""

    NAME: ClassVar[str] = "aircraft-sent-home"
    seat: Seat
    units: tuple[str, ...]


class AbilityUsed(Event, frozen=True, kw_only=True):
    """An optional ability is used; ``effects`` are what it sets going.

    once  ``"turn"`` or ``"game"``: how often it may be used
    bars  the fleet claims no objective this turn (WAS-EOT-10)
    """

    NAME: ClassVar[str] = "ability-used"
    unit: str
    ability: str
    on: str = ""
    effects: tuple[Effect, ...] = ()
    once: str = ""
    bars: Seat = ""


class AbilityDeclined(Event, frozen=True, kw_only=True):
    """The owner was asked about an optional ability during an attack and does not use it."""

    NAME: ClassVar[str] = "ability-declined"
    unit: str
    ability: str


class AbilityRolled(Event, frozen=True, kw_only=True):
    """A die was rolled for an ability; ``result`` is what follows from it, if anything does."""

    NAME: ClassVar[str] = "ability-rolled"
    unit: str
    ability: str
    face: int
    result: str = ""
    effects: tuple[Effect, ...] = ()


class AttackDeclared(Event, frozen=True, kw_only=True):
    """An attack with all its numbers and their reasons, before any die is thrown."""

    NAME: ClassVar[str] = "attack-declared"
    attack: Attack


class AttackRolled(Event, frozen=True, kw_only=True):
    """The attack dice are down (again, after a reroll)."""

    NAME: ClassVar[str] = "attack-rolled"
    attacker: str
    faces: tuple[int, ...]
    successes: int


class ConcealmentRolled(Event, frozen=True, kw_only=True):
    """The defender's concealment roll (WAS-LOS-10, -11)."""

    NAME: ClassVar[str] = "concealment-rolled"
    unit: str
    face: int
    needed: int
    concealed: bool


class AttackResolved(Event, frozen=True, kw_only=True):
    """The attack's result: counters are placed now, damage takes effect when the phase ends.

    outcome    ``miss``, ``hit``, ``destroyed``, ``aborted``, ``no-effect``
    damage     hull points now pending on the target because of this attack
    followups  abilities that ask for a roll because of the outcome
    """

    NAME: ClassVar[str] = "attack-resolved"
    attacker: str
    weapon: str
    target: str
    outcome: str
    damage: int = 0
    because: str = ""
    followups: tuple[str, ...] = ()


class AttackEnded(Event, frozen=True, kw_only=True):
    """All that followed from the attack is dealt with."""

    NAME: ClassVar[str] = "attack-ended"
    attacker: str


class EffectBegan(Event, frozen=True, kw_only=True):
    """Something lasting that a rule sets going (ASW Threat)."""

    NAME: ClassVar[str] = "effect-began"
    effect: Effect


class UnitDoomed(Event, frozen=True, kw_only=True):
    """A Destroyed counter is placed by something other than an attack's own result."""

    NAME: ClassVar[str] = "unit-doomed"
    unit: str
    cause: str


class UnitSpared(Event, frozen=True, kw_only=True):
    """A unit that would have been destroyed stays in play and suffers ``pending`` damage."""

    NAME: ClassVar[str] = "unit-spared"
    unit: str
    pending: int


class SmokeLaid(Event, frozen=True, kw_only=True):
    """A smoke screen fills a sector until the end of turn ``until`` (WAS-ABIL-30)."""

    NAME: ClassVar[str] = "smoke-laid"
    unit: str
    sector: str
    until: int


class SmokeCleared(Event, frozen=True, kw_only=True):
    """Smoke screens of the last turn are gone (WAS-EOT-11)."""

    NAME: ClassVar[str] = "smoke-cleared"
    sectors: tuple[str, ...]


class CarrierDoomed(Event, frozen=True, kw_only=True):
    """A Carrier goes down at the end of this phase; ``chosen`` Aircraft are at risk so far."""

    NAME: ClassVar[str] = "carrier-doomed"
    carrier: str
    chosen: tuple[str, ...] = ()


class CarrierLossRolled(Event, frozen=True, kw_only=True):
    """One die for each Aircraft at risk; those on 1 go down with the Carrier."""

    NAME: ClassVar[str] = "carrier-loss-rolled"
    carrier: str
    units: tuple[str, ...]
    faces: tuple[int, ...]
    lost: tuple[str, ...]


class DamageApplied(Event, frozen=True, kw_only=True):
    """Pending hull damage takes effect (WAS-DMG-11)."""

    NAME: ClassVar[str] = "damage-applied"
    unit: str
    damage: int
    crippled: bool


class UnitRemoved(Event, frozen=True, kw_only=True):
    """A unit leaves play; ``scorer`` gets ``points`` for it (WAS-VP-01)."""

    NAME: ClassVar[str] = "unit-removed"
    unit: str
    scorer: Seat
    points: int
    cause: str


class PhaseEnded(Event, frozen=True, kw_only=True):
    """The end-of-phase procedure is complete; the markers of the phase come off (section 6.3)."""

    NAME: ClassVar[str] = "phase-ended"
    phase: str


class ReturnBegan(Event, frozen=True, kw_only=True):
    """An Air Return step begins: these Aircraft have rearmed; the Carriers' stacks are cleared."""

    NAME: ClassVar[str] = "return-began"
    seat: Seat
    rearmed: tuple[str, ...]


class AircraftReturned(Event, frozen=True, kw_only=True):
    """An Aircraft is at a base again; ``rearming`` tells whether it got a Rearming counter."""

    NAME: ClassVar[str] = "aircraft-returned"
    unit: str
    base: str
    rearming: bool = False


class ReturnEnded(Event, frozen=True, kw_only=True):
    """All Aircraft of a seat are based; their Aborted counters come off (WAS-RETN-07)."""

    NAME: ClassVar[str] = "return-ended"
    seat: Seat


class ObjectiveClaimed(Event, frozen=True, kw_only=True):
    """An objective marker is taken off the map (WAS-EOT-01, -04)."""

    NAME: ClassVar[str] = "objective-claimed"
    seat: Seat
    sector: str
    points: int


class ClaimDeclined(Event, frozen=True, kw_only=True):
    """A seat leaves an objective that it could claim."""

    NAME: ClassVar[str] = "claim-declined"
    seat: Seat
    sectors: tuple[str, ...]


class PointsScored(Event, frozen=True, kw_only=True):
    """Points for something other than a destroyed unit or an objective."""

    NAME: ClassVar[str] = "points-scored"
    seat: Seat
    points: int
    cause: str


class StalemateCalled(Event, frozen=True, kw_only=True):
    """A seat asks for the game to be ended as a stalemate (RUL-83)."""

    NAME: ClassVar[str] = "stalemate-called"
    seat: Seat


class TurnEnded(Event, frozen=True, kw_only=True):
    """The turn is over; what lasted until now lapses. ``calm`` counts turns without progress."""

    NAME: ClassVar[str] = "turn-ended"
    turn: int
    calm: int


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over; no winners means a draw."""

    NAME: ClassVar[str] = "game-ended"
    winners: tuple[Seat, ...]
    reason: str
    rule: str


AnyEvent = (
    GameOpened
    | SidesSet
    | FleetLocked
    | DiceAwaited
    | DiceThrown
    | ZoneSelected
    | DeployerChosen
    | EdgesChosen
    | UnitDeployed
    | FleetDeployed
    | TurnBegan
    | InitiativeRolled
    | StepBegan
    | TaskDone
    | Passed
    | UnitMoved
    | UnitShifted
    | AircraftPlaced
    | AircraftSentHome
    | AbilityUsed
    | AbilityDeclined
    | AbilityRolled
    | AttackDeclared
    | AttackRolled
    | ConcealmentRolled
    | AttackResolved
    | AttackEnded
    | EffectBegan
    | UnitDoomed
    | UnitSpared
    | SmokeLaid
    | SmokeCleared
    | CarrierDoomed
    | CarrierLossRolled
    | DamageApplied
    | UnitRemoved
    | PhaseEnded
    | ReturnBegan
    | AircraftReturned
    | ReturnEnded
    | ObjectiveClaimed
    | ClaimDeclined
    | PointsScored
    | StalemateCalled
    | TurnEnded
    | GameEnded
)
