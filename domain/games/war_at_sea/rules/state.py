"""The state of a battle: all that the rules may ask about, and nothing that can be derived."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Literal, TypeVar

import msgspec

from ....kernel.agreed import option
from ....kernel.chance import Awaited
from ....kernel.memo import latest
from ....kernel.order import listed, seated
from ....kernel.setup import Result
from ....kernel.tally import Tally
from ....kernel.values import Hidden, Known, Part, Seat, StepKey
from .cards import Kind
from .charts import Map
from .editions import RULEBOOKS, Edition, Rulebook
from .effects import Effect, Lasting, OnUnit
from .ids import AbilityId, BaseId, CardId, SectorId, UnitId
from .purposes import Purpose
from .scenarios import Scenario

Alliance = Literal["Axis", "Allies"]
Edge = Literal["south", "north"]
Light = Literal["", "day", "night", "dusk", "dawn"]
"""The light of a battle; dusk and dawn change on turn 4 (WAS-DARK-14). Empty: daylight agreed."""

Role = Literal["", "Fighter", "Dive Bomber", "Torpedo Bomber"]
"""What an Aircraft with Mission Selection flies as; empty: it has none, or no mission yet."""
Made = Kind | Literal["all", "smoke"]
"""An attack that was made in a phase, or what was done instead of all of them."""
Outcome = Literal["miss", "hit", "destroyed", "aborted", "no-effect"]
Saved = Literal["", "hit", "aborted"]
"""What replaces destruction."""

AIRBASE = "airbase"
"""The base of an Aircraft at its owner's land airbase: a holding area off the map (RUL-08)."""


class Options(Part, frozen=True, kw_only=True):
    """What the players may agree on before fleets are built (WAS-SETUP-28, RUL-104).

    A default is never changed: it stands for itself in every game that was recorded with it. What
    each option asks is in options.toml; the later ones are readings of unclear points, and the
    default is our ruling.
    """

    axis: Annotated[Literal["p1", "p2", "coin"], option("WAS-SETUP-03")] = "p1"
    fleet_exercise: Annotated[Literal["", "Axis", "Allies"], option("WAS-SETUP-06")] = ""
    battle_zone: Annotated[Literal[0, 1, 2, 3, 4, 5, 6], option("RUL-02")] = 0
    claims: Annotated[Literal["automatic", "asked"], option("RUL-86")] = "automatic"
    concealment: Annotated[Literal["automatic", "asked"], option("WAS-LOS-12")] = "automatic"
    escort_coverage: Annotated[Literal["all", "one"], option("RUL-32")] = "all"
    die_penalties_overlap: Annotated[bool, option("RUL-50")] = False
    escort: Annotated[Literal["p1", "p2", "coin"], option("WAS-SCEN-21")] = "coin"
    year: Annotated[Literal[0, 1939, 1940, 1941, 1942, 1943, 1944, 1945], option("WAS-SCEN-61")] = 0
    history: Annotated[bool, option("WAS-HIST-01")] = False
    light: Annotated[
        Literal["day", "night", "twilight", "random"], option("WAS-DARK-01", "2009")
    ] = "day"
    weather: Annotated[bool, option("WAS-WEATH-01", "2009")] = False
    elimination_timing2009: Annotated[Literal["end-of-turn", "phase"], option("RUL-77", "2009")] = (
        "end-of-turn"
    )
    elimination_beats_points: Annotated[bool, option("RUL-81")] = True
    equal_scores_at_target: Annotated[Literal["play-on", "draw"], option("RUL-79")] = "play-on"
    no_ships_bonus_shipless_fleet: Annotated[bool, option("RUL-82", "2009")] = False
    activation_lock: Annotated[bool, option("RUL-38")] = False
    concealment_timing: Annotated[Literal["after-hit", "before-roll"], option("RUL-54")] = (
        "after-hit"
    )
    island_sector2007: Annotated[Literal["no-attacks", "as-2009"], option("RUL-58", "2007")] = (
        "no-attacks"
    )
    strafing_antiair: Annotated[bool, option("RUL-29", "2009")] = True
    stay_home2007: Annotated[bool, option("RUL-25", "2007")] = True
    self_loss_scores: Annotated[bool, option("RUL-87")] = True
    airbase_excess_scores: Annotated[bool, option("RUL-73")] = False
    carrier_loss2007_pool: Annotated[Literal["any", "based"], option("RUL-71", "2007")] = "any"
    tie_break_abilities: Annotated[bool, option("RUL-15")] = False
    overstacked_deployment: Annotated[Literal["even", "rejected"], option("RUL-06")] = "even"
    cards: Annotated[Literal["book", "print"], option("RUL-110")] = "book"
    vichy: Annotated[Literal["always", "history"], option("RUL-95")] = "always"


class Unit(Part, frozen=True):
    """One piece in play.

    sector    where it is on the map; empty for an Aircraft at its base, and for a Ship that has
              still to break out; board.AIRFIELDS for an Aircraft that raids the enemy airbase
    base      Aircraft: the Carrier's unit ID or :data:`AIRBASE`; while it flies, the base it left
    damage    hull points lost and applied (WAS-DMG-03)
    pending   hull points lost in this phase, not yet applied (WAS-ATK-22)
    doomed    has a Destroyed counter: removed when the phase ends (WAS-DMG-16)
    placed    Aircraft: its mission of this turn is given
    done      attacks made in this phase: attack kinds, in order, once for each attack
    attacked  Aircraft: has made an attack this turn (WAS-AIRA-09)
    struck    units that it attacked in this phase, in order (for second attacks on other targets)
    spent     once-a-game abilities that are used up
    own_act   doomed by its owner's own act, not by the enemy (RUL-87)
    """

    id: UnitId
    card: CardId
    seat: Seat
    sector: SectorId = ""
    base: BaseId = ""
    damage: int = 0
    pending: int = 0
    doomed: bool = False
    aborted: bool = False
    rearming: bool = False
    placed: bool = False
    strafing: bool = False
    role: Role = ""
    moved: bool = False
    done: tuple[Made, ...] = ()
    attacked: bool = False
    struck: tuple[UnitId, ...] = ()
    spent: tuple[AbilityId, ...] = ()
    own_act: bool = False


class Attack(Part, frozen=True):
    """An attack that is being resolved (section 6.4 of the inventory).

    dice, die, armor, vital   tallies: dice rolled, penalty on each die, armor and vital armor met
    with_abilities            optional abilities declared with it
    faces, successes          once rolled; for a torpedo ``successes`` are its hits
    tried                     rolls and questions dealt with: ``"concealment"``, ability names
    cancelled                 what made it miss altogether; empty if nothing did
    saved                     the result that replaces destruction; empty if none does
    outcome                   set when the counters are placed
    """

    attacker: UnitId
    weapon: Kind
    target: UnitId
    range: int
    dice: Tally
    die: Tally
    armor: Tally
    vital: Tally
    with_abilities: tuple[AbilityId, ...] = ()
    faces: tuple[int, ...] = ()
    successes: int = 0
    tried: tuple[str, ...] = ()
    cancelled: str = ""
    saved: Saved = ""
    outcome: Outcome | Literal[""] = ""


class Used(Part, frozen=True):
    """An ability that a unit has used this turn, and whose unit it is."""

    unit: UnitId
    seat: Seat
    ability: AbilityId


class CarrierLoss(Part, frozen=True):
    """A Carrier that goes down: whose Aircraft go with it (WAS-AIR-10, WAS-AIR-14)."""

    chosen: tuple[UnitId, ...] = ()
    rolled: bool = False


class Lost(Part, frozen=True):
    """A unit that has left play, and how."""

    id: UnitId
    card: CardId
    seat: Seat
    turn: int
    cause: str
    points: int


_by_name: Callable[[dict[str, Unit]], tuple[Unit, ...]] = latest(listed)
_by_seat: Callable[[dict[str, Unit]], dict[Seat, tuple[Unit, ...]]] = latest(seated)
"""Of the states of one command, most have the units of the one before: a dict never changes."""

E = TypeVar("E", bound=Lasting)
U = TypeVar("U", bound=OnUnit)


@latest
def _by_type(effects: tuple[Effect, ...]) -> dict[type[Lasting], tuple[Effect, ...]]:
    """The effects of each type, in their order; most questions are about types that are absent."""
    found: dict[type[Lasting], tuple[Effect, ...]] = {}
    for effect in effects:
        found[type(effect)] = (*found.get(type(effect), ()), effect)
    return found


class State(Part, frozen=True, dict=True):
    """A battle. Unit IDs are given in order of deployment: ``p1-1``, ``p1-2``, ...

    step       the step being played (sequence.py)
    side_chooser  the winner of the coin for sides, who picks one
    tended     automatic tasks of this step that are done
    fleets     cards not yet deployed; sealed from the other seat
    first      this turn's First Player: the loser of the initiative (WAS-INIT-13)
    thrown     each seat's two initiative dice, added up
    last       the seat that acted last, where seats alternate
    active     the unit whose attacks are being made (RUL-38)
    stacks     2009: cards under each Carrier's card (WAS-SETUP-19)
    smoke      sectors with a smoke screen and the turn at whose end it goes
    mines      sectors with a mine marker, once for each marker
    used       abilities used this turn
    barred     seats that may claim nothing this turn (WAS-EOT-10)
    bonus      seats that have scored the no-Ships bonus (RUL-82)
    progress   whether there was damage, an abort, a destruction or a claim this turn (RUL-83)
    calm       turns in a row without damage, abort, destruction or claim (RUL-83)
    stalemate  seats that ask for the game to be ended as a stalemate (RUL-83)
    rolls      how many times dice were asked for
    escort     Convoy: the seat that escorts
    light      the light of the battle once it is settled
    weather    how many squalls the die gave; -1 before it
    squalls    where they are, in order of placement
    custom_scenario  the scenario that the players brought, with the figures of the edition
    custom_map       the map that they brought; it takes the place of the scenario's
    """

    edition: Edition
    scenario: str
    options: Options
    seats: tuple[Seat, Seat]
    alliances: dict[Seat, Alliance]
    step: StepKey
    turn: int = 0
    side_chooser: Seat = ""
    tended: tuple[str, ...] = ()
    fleets: dict[Seat, Known[str] | Hidden] = msgspec.field(default_factory=dict)
    zone: int = 0
    first_deployer: Seat = ""
    edges: dict[Seat, Edge] = msgspec.field(default_factory=dict)
    first: Seat = ""
    thrown: dict[Seat, int] = msgspec.field(default_factory=dict)
    last: Seat = ""
    passed: tuple[Seat, ...] = ()
    active: UnitId = ""
    units: dict[UnitId, Unit] = msgspec.field(default_factory=dict)
    lost: tuple[Lost, ...] = ()
    stacks: dict[UnitId, tuple[CardId, ...]] = msgspec.field(default_factory=dict)
    objectives: tuple[SectorId, ...] = ()
    claimed: dict[SectorId, Seat] = msgspec.field(default_factory=dict)
    declined: tuple[SectorId, ...] = ()
    scores: dict[Seat, int] = msgspec.field(default_factory=dict)
    bonus: tuple[Seat, ...] = ()
    smoke: dict[SectorId, int] = msgspec.field(default_factory=dict)
    mines: tuple[SectorId, ...] = ()
    effects: tuple[Effect, ...] = ()
    used: tuple[Used, ...] = ()
    barred: tuple[Seat, ...] = ()
    progress: bool = False
    calm: int = 0
    stalemate: tuple[Seat, ...] = ()
    awaiting: Awaited | None = None
    purpose: Purpose | None = None
    attack: Attack | None = None
    carriers: dict[UnitId, CarrierLoss] = msgspec.field(default_factory=dict)
    rolls: int = 0
    escort: Seat = ""
    light: Light = ""
    weather: int = -1
    squalls: tuple[SectorId, ...] = ()
    custom_scenario: Scenario | None = None
    custom_map: Map | None = None
    result: Result | None = None

    def other(self, seat: Seat) -> Seat:
        """The opponent."""
        one, two = self.seats
        return two if seat == one else one

    @cached_property
    def all_units(self) -> tuple[Unit, ...]:
        """Every unit in play, by name; the dict itself has no order."""
        return _by_name(self.units)

    @cached_property
    def by_seat(self) -> dict[Seat, tuple[Unit, ...]]:
        """The units in play of each seat that has any, by name."""
        return _by_seat(self.units)

    def units_of(self, seat: Seat) -> tuple[Unit, ...]:
        """A seat's units in play, by name."""
        return self.by_seat.get(seat, ())

    @cached_property
    def _lasting(self) -> dict[type[Lasting], tuple[Effect, ...]]:
        return _by_type(self.effects)

    def lasting(self, sort: type[E]) -> tuple[E, ...]:
        """The effects of one type that are at work, in the order in which they began."""
        if not self.effects:
            return ()
        return self._lasting.get(sort, ())  # type: ignore[return-value]

    def lasting_on(self, sort: type[U], unit: str) -> tuple[U, ...]:
        """Those of one type that concern a unit."""
        return tuple([effect for effect in self.lasting(sort) if effect.unit == unit])

    def has_used(self, unit: UnitId, ability: AbilityId) -> bool:
        """Whether the unit has used the ability this turn."""
        return any(each.unit == unit and each.ability == ability for each in self.used)

    @property
    def rulebook(self) -> Rulebook:
        """What the edition says where the two differ."""
        return RULEBOOKS[self.edition]

    @property
    def second(self) -> Seat:
        """This turn's Second Player: the winner of the initiative."""
        return self.other(self.first)
