"""The state of a battle: all that the rules may ask about, and nothing that can be derived."""

from __future__ import annotations

from typing import Literal

import msgspec

from ...kernel.chance import Awaited
from ...kernel.game import Result
from ...kernel.tally import Tally
from ...kernel.values import Hidden, Known, Part, Seat
from .charts import Map
from .scenarios import Scenario

Edition = Literal["2007", "2009"]
Alliance = Literal["Axis", "Allies"]
Edge = Literal["south", "north"]
Light = Literal["", "day", "night", "dusk", "dawn"]
"""The light of a battle; dusk and dawn change on turn 4 (WAS-DARK-14). Empty: daylight agreed."""

AIRBASE = "airbase"
"""The base of an Aircraft at its owner's land airbase: a holding area off the map (RUL-08)."""


class Options(Part, frozen=True, kw_only=True):
    """What the players may agree on before fleets are built (WAS-SETUP-28, RUL-104).

    A default is never changed: it stands for itself in every game that was recorded with it.

    axis            the seat that commands the Axis, or ``"coin"`` (WAS-SETUP-03)
    fleet_exercise  both fleets of this alliance; empty: Axis against Allies (WAS-SETUP-06)
    battle_zone     1 to 6 by agreement (WAS-SETUP-28), 0: the die decides (WAS-SETUP-07)
    claims          whether objectives are claimed for the players or each is asked (RUL-86)
    concealment     whether the roll is made for the defender, or it is asked (WAS-LOS-12)
    escort_coverage  whether an escort covers all Bombers in its sector or one each (RUL-32)
    die_penalties_overlap  the worst penalty on a die counts, or all but small-ship's add (RUL-50)
    escort  Convoy: the seat that escorts, or ``"coin"`` (WAS-SCEN-21)
    year    the year of the battle: nothing later may be in a fleet (WAS-SCEN-61); 0: any
    history  historical restrictions on fleets and Carriers (WAS-HIST-01)
    light   2009: daylight, darkness, twilight, or a die for one of them (WAS-DARK-13, -15)
    weather  2009: a die for squalls (WAS-WEATH-01)

    What follows are readings of unclear points; the default is our ruling.

    elimination_timing2009  whether 2009 tests elimination as 2007 does (RUL-77)
    elimination_beats_points  units left decide before points do (RUL-81)
    equal_scores_at_target  play goes on, or a draw (RUL-79)
    no_ships_bonus_shipless_fleet  the bonus also against a fleet that never had Ships (RUL-82)
    activation_lock  a unit finishes its attacks before another begins (RUL-38)
    concealment_timing  the concealment roll after a would-be hit, or before the attack (RUL-54)
    island_sector2007  no attacks in island sectors in 2007, or as in 2009 (RUL-58)
    strafing_antiair  a strafing Aircraft may attack Aircraft (RUL-29)
    stay_home2007  Aircraft may stay at their base in 2007 (RUL-25)
    self_loss_scores  units lost by their owner's own act score for the enemy (RUL-87)
    airbase_excess_scores  Aircraft given up for want of room do (RUL-73)
    carrier_loss2007_pool  any Aircraft at risk with a Carrier in 2007, or its own only (RUL-71)
    tie_break_abilities  abilities count in the tie-break of the initiative (RUL-15)
    cards   figures that the rulebook states, or those that the cards print (RUL-110)
    vichy   French Ships may serve the Axis always, or under historical restrictions (RUL-95)
    overstacked_deployment  more Ships than the edge row holds: overstack, or no such fleet (RUL-06)
    """

    axis: Literal["p1", "p2", "coin"] = "p1"
    fleet_exercise: Literal["", "Axis", "Allies"] = ""
    battle_zone: Literal[0, 1, 2, 3, 4, 5, 6] = 0
    claims: Literal["automatic", "asked"] = "automatic"
    concealment: Literal["automatic", "asked"] = "automatic"
    escort_coverage: Literal["all", "one"] = "all"
    die_penalties_overlap: bool = False
    escort: Literal["p1", "p2", "coin"] = "coin"
    year: Literal[0, 1939, 1940, 1941, 1942, 1943, 1944, 1945] = 0
    history: bool = False
    light: Literal["day", "night", "twilight", "random"] = "day"
    weather: bool = False
    elimination_timing2009: Literal["end-of-turn", "phase"] = "end-of-turn"
    elimination_beats_points: bool = True
    equal_scores_at_target: Literal["play-on", "draw"] = "play-on"
    no_ships_bonus_shipless_fleet: bool = False
    activation_lock: bool = False
    concealment_timing: Literal["after-hit", "before-roll"] = "after-hit"
    island_sector2007: Literal["no-attacks", "as-2009"] = "no-attacks"
    strafing_antiair: bool = True
    stay_home2007: bool = True
    self_loss_scores: bool = True
    airbase_excess_scores: bool = False
    carrier_loss2007_pool: Literal["any", "based"] = "any"
    tie_break_abilities: bool = False
    overstacked_deployment: Literal["even", "rejected"] = "even"
    cards: Literal["book", "print"] = "book"
    vichy: Literal["always", "history"] = "always"


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

    id: str
    card: str
    seat: Seat
    sector: str = ""
    base: str = ""
    damage: int = 0
    pending: int = 0
    doomed: bool = False
    aborted: bool = False
    rearming: bool = False
    placed: bool = False
    strafing: bool = False
    role: str = ""
    moved: bool = False
    done: tuple[str, ...] = ()
    attacked: bool = False
    struck: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    own_act: bool = False


class Effect(Part, frozen=True):
    """Something that an ability set going and that lasts for a while.

    word    what it does: ``"dice"``, ``"no-move"``, ``"speed"``, ``"may-bomb"``, ``"threat"``, ...
    unit    whom it concerns
    attack  the attack kind it concerns, if any
    amount  how much; of ``"no-attack"``: the turn after which it begins
    source  the unit whose ability it is
    rule    the ability's rule ID
    until   the turn at whose end it lapses
    """

    word: str
    unit: str
    amount: int
    source: str
    rule: str
    until: int
    attack: str = ""


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

    attacker: str
    weapon: str
    target: str
    range: int
    dice: Tally
    die: Tally
    armor: Tally
    vital: Tally
    with_abilities: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    successes: int = 0
    tried: tuple[str, ...] = ()
    cancelled: str = ""
    saved: str = ""
    outcome: str = ""


class Purpose(Part, frozen=True):
    """What awaited dice are for.

    kind  ``sides``, ``zone``, ``deployer``, ``initiative``, ``speed``, ``attack``, ``concealment``,
          ``reroll``, ``negate``, ``save``, ``press``, ``lucky``, ``carrier``, ``ability``,
          ``escort``, ``random``, ``twilight``, ``search``, ``recovery``, ``weather``, ``squalls``,
          ``drift``
          ``before``, ``protect``, ``mines``, ``use``
    """

    kind: str
    unit: str = ""
    ability: str = ""


class CarrierLoss(Part, frozen=True):
    """A Carrier that goes down: whose Aircraft go with it (WAS-AIR-10, WAS-AIR-14)."""

    chosen: tuple[str, ...] = ()
    rolled: bool = False


class Lost(Part, frozen=True):
    """A unit that has left play, and how."""

    id: str
    card: str
    seat: Seat
    turn: int
    cause: str
    points: int


class State(Part, frozen=True):
    """A battle. Unit IDs are given in order of deployment: ``p1-1``, ``p1-2``, ...

    step       key of the step being played (sequence.py)
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
    used       ``unit/ability`` used this turn
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
    step: str
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
    active: str = ""
    units: dict[str, Unit] = msgspec.field(default_factory=dict)
    lost: tuple[Lost, ...] = ()
    stacks: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    objectives: tuple[str, ...] = ()
    claimed: dict[str, Seat] = msgspec.field(default_factory=dict)
    declined: tuple[str, ...] = ()
    scores: dict[Seat, int] = msgspec.field(default_factory=dict)
    bonus: tuple[Seat, ...] = ()
    smoke: dict[str, int] = msgspec.field(default_factory=dict)
    mines: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    used: tuple[str, ...] = ()
    barred: tuple[Seat, ...] = ()
    progress: bool = False
    calm: int = 0
    stalemate: tuple[Seat, ...] = ()
    awaiting: Awaited | None = None
    purpose: Purpose | None = None
    attack: Attack | None = None
    carriers: dict[str, CarrierLoss] = msgspec.field(default_factory=dict)
    rolls: int = 0
    escort: Seat = ""
    light: Light = ""
    weather: int = -1
    squalls: tuple[str, ...] = ()
    custom_scenario: Scenario | None = None
    custom_map: Map | None = None
    result: Result | None = None

    def other(self, seat: Seat) -> Seat:
        """The opponent."""
        one, two = self.seats
        return two if seat == one else one

    @property
    def second(self) -> Seat:
        """This turn's Second Player: the winner of the initiative."""
        return self.other(self.first)
