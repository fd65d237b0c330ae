"""The state of a battle: all that the rules may ask about, and nothing that can be derived.

Lengths and positions are world units (wu), headings are ticks of half a degree (CT-GEOM-01, -03).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal

import msgspec

from ....kernel.chance import Awaited
from ....kernel.memo import latest
from ....kernel.order import listed, seated
from ....kernel.setup import Result
from ....kernel.tally import Tally
from ....kernel.values import Hidden, Known, Part, Seat, StepKey
from . import seating as sides
from .geometry.pose import Pose
from .options import Light, Options, Terms

Hardness = Literal["soft", "hard", "impassable"]
Weapon = Literal["primary", "secondary", "tertiary", "torpedo", "asw", "aaw", "bombs", "strafe"]
Arc = Literal["forward", "aft", "starboard", "port"]
Bearing = Literal["forward", "aft", "starboard", "port", ""]
"""An arc or side as it is declared; empty for weapons that have none."""

Sightline = Literal["clear", "impeded", "partially-blocked", "blocked"]
Mission = Literal["ordnance", "strafe", "free"]
Place = Literal["starboard", "port", "bow", "stern"]

LAND_BASE = "land-base"
"""The base of aircraft that fly from land: a holding area off the table (CT-AMB-77)."""

PointOfTable = tuple[int, int]


class Pick(Part, frozen=True):
    """One unit of a fleet: its card and, for aircraft, its base (CT-FLEET-06).

    base  the card of a ship of the same fleet, or :data:`LAND_BASE`; empty for ships
    """

    card: str
    base: str = ""


class Inbound(Part, frozen=True):
    """TORPEDO INBOUND markers of one attack (CT-TORP-03).

    number  markers that are left
    seat    the seat of the torpedoes
    evaded_on  the least face that removes one (CT-EVA-02; Long Lance: 5)
    """

    firer: str
    turn: int
    number: int
    evaded_on: int = 4
    seat: Seat = ""


class Unit(Part, frozen=True):
    """One piece in play.

    pose       ships, submarines, land targets: middle of the base and heading
    submerged  at the submarine level this turn (CT-SUB-02)
    hull_lost, criticals  what has taken effect (CT-FSM-12); criticals by their table number
    must_reverse  has to leave the obstacle that it ran into in its next move (CT-COLL-09): by going
               astern, or
               ahead where ``away_ahead`` says that it was going astern (CT-AMB-93)
    pending, pending_criticals  what takes effect later (CT-DMG-02)
    doomed     an aircraft's DESTROYED marker (CT-AAW-08)
    inbound    torpedo markers of this and earlier turns, oldest first

    What a turn leaves behind until its end (CT-EOT-07, E10):

    moved      its order of this turn is carried out
    ahead, astern  klicks moved this turn
    turned     has altered its heading this turn
    evaded     has made evasive maneuvers (CT-EVA-03)
    tested     has made its grounding test (CT-TERR-07)
    collided   halves all its dice (CT-COLL-07)
    used       weapons used: ``primary.forward``, ``secondary``, ``torpedo``, ``asw``, ``aaw``, ...
    tried      attempts that may not be repeated in their phase: ``<phase>/detect/<submarine>``
               (CT-DET-05)
               ``<phase>/see/<target>`` (CT-AMB-97)
               or ``<phase>/<use>/<target>`` for an attack that was taken back
    launched   a carrier that deployed aircraft (CT-CV-01)
    fresh      criticals that took effect this turn; ``mended`` those with a repair check made

    Aircraft:

    base       unit ID or :data:`LAND_BASE`; while it flies, the base it left
    rearming   markers
    mission    empty at its base; ``beside`` is the unit it was placed at, ``side`` where
    at         its token's point while it flies
    """

    id: str
    card: str
    seat: Seat
    pose: Pose | None = None
    submerged: bool = False
    detected: bool = False
    stopped: bool = False
    must_reverse: bool = False
    away_ahead: bool = False
    hull_lost: int = 0
    pending: int = 0
    criticals: tuple[int, ...] = ()
    pending_criticals: tuple[int, ...] = ()
    doomed: bool = False
    inbound: tuple[Inbound, ...] = ()
    moved: bool = False
    ahead: int = 0
    astern: int = 0
    turned: bool = False
    evaded: bool = False
    tested: bool = False
    collided: bool = False
    used: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    launched: bool = False
    fresh: tuple[int, ...] = ()
    mended: tuple[int, ...] = ()
    base: str = ""
    rearming: int = 0
    mission: Mission | Literal[""] = ""
    beside: str = ""
    side: Place | Literal[""] = ""
    at: PointOfTable | None = None
    aborted: bool = False


class Land(Part, frozen=True):
    """A convex piece of land or of shallow water (CT-GEOM-22).

    blocks  whether it blocks lines of sight; never for shallow water
    """

    id: str
    corners: tuple[PointOfTable, ...]
    hardness: Hardness
    blocks: bool = True
    shallow: bool = False


class Storm(Part, frozen=True):
    """A storm or squall: a disc (CT-GEOM-23)."""

    id: str
    at: PointOfTable
    radius: int


class Objective(Part, frozen=True):
    """Something on the table that is worth points (CT-SCN-05, CT-SCN-10).

    kind    ``control``: held for two turns in a row; ``landing``: a place where troops land
    seat    the seat that may score it; empty: either
    turns   control: how many turn ends in a row each seat has held it (CT-SCN-07)
    landed  landing: ships that have landed their troops here
    """

    id: str
    at: PointOfTable
    points: int
    kind: Literal["control", "landing"] = "control"
    seat: Seat = ""
    turns: dict[Seat, int] = msgspec.field(default_factory=dict)
    landed: tuple[str, ...] = ()


class Impact(Part, frozen=True):
    """One damage roll of a collision or grounding that is still to be made (CT-COLL-03).

    unit  the unit that may be damaged
    by    the other unit, which rolls, or the piece of land
    dice  attack dice: the other unit's hull points at the moment of contact, or the hardness
    """

    unit: str
    by: str
    dice: int


class Order(Part, frozen=True):
    """A move that is being carried out: the rest of it (CT-MOVE-21).

    path      ticks still to turn before each klick that is left, starboard positive
    klicks    klicks of the whole order, for the grounding test (CT-TERR-07)
    allowed   klicks that the unit was allowed (CT-TERR-02)
    substep   sub-steps of the present klick already made (its turn is made when it is above 0)
    done      klicks already made
    impacts   damage rolls still to be made; the move is over when there are any
    ram       submerged: submerged units in its way are not avoided (CT-AMB-99)
    clears    it carries out the duty to leave the obstacle that the unit ran into (CT-COLL-09)
    drifting  no order but a derelict before the wind: its damage to hulls counts at once
    """

    unit: str
    path: tuple[int, ...]
    klicks: int
    allowed: int
    astern: bool = False
    evade: bool = False
    stop: bool = False
    substep: int = 0
    done: int = 0
    impacts: tuple[Impact, ...] = ()
    drifting: bool = False
    clears: bool = False
    ram: bool = False


class Seen(Part, frozen=True):
    """A line of sight and the obstacles that hide the center, bow and stern; empty: visible
    (CT-LOS)."""

    sight: Sightline
    blockers: tuple[str, str, str] = ("", "", "")


class Shot(Part, frozen=True):
    """An attack that is being resolved (CT-COMB-07).

    arc       the arc or side declared; empty for weapons without one
    band      range band once measured
    seen      line of sight, where the weapon needs one
    spotter   the reconnaissance aircraft that makes a blocked line a spotted shot (CT-AC-03)
    dice      dice with their reasons
    least     least face that hits, with its reasons: the total is 4, 5 or 6
    armor, critical  the target's ratings with their reasons
    checked   checks passed: ``concealment``, ``detection``
    rounds    faces thrown, each round re-rolling the sixes of the one before
    hits      once all is thrown; -1 before
    """

    attacker: str
    weapon: Weapon
    target: str
    arc: Bearing = ""
    band: int = 0
    seen: Seen | None = None
    spotter: str = ""
    dice: Tally = Tally(0, ())
    least: Tally = Tally(0, ())
    armor: Tally = Tally(0, ())
    critical: Tally = Tally(0, ())
    checked: tuple[str, ...] = ()
    rounds: tuple[tuple[int, ...], ...] = ()
    hits: int = -1
    outcome: str = ""


class Purpose(Part, frozen=True):
    """The purpose of awaited dice.

    kind    a key of the table of answers in decide.py: ``initiative``, ``attack``, ``evasion``, ...
    number  dice of the first round, where sixes are rolled again
    rounds  rounds thrown before
    """

    kind: str
    unit: str = ""
    other: str = ""
    number: int = 0
    rounds: tuple[tuple[int, ...], ...] = ()


class Lost(Part, frozen=True):
    """A unit that has left play, and how."""

    id: str
    card: str
    seat: Seat
    turn: int
    cause: str
    points: int


_by_name: Callable[[dict[str, Unit]], tuple[Unit, ...]] = latest(listed)
_by_seat: Callable[[dict[str, Unit]], dict[Seat, tuple[Unit, ...]]] = latest(seated)
"""Of the states of one command, most have the units of the one before: a dict never changes."""


class State(Part, frozen=True, dict=True):
    """A battle. Unit IDs are given in order of placing: ``p1-1``, ``p1-2``, ... (CT-GEOM-25).

    step     the step being played (sequence.py)
    tended   automatic tasks of this step that are done
    fleets   picks not yet placed; sealed from the other seat until both are in
    revealed whether the fleets lie open (CT-FLEET-02)
    dives    submarines to be submerged this turn; sealed until both are in (CT-SUB-03)
    seats    partners alternate with the enemy (CT-AMB-105); ``gone`` those who have left
    first    this turn's first player: the loser of the initiative; in set-up who places first
    led      until this turn's initiative: who was first in the turn before, or placed first
    last     the seat that acted last, where seats alternate
    order    the move that is being carried out
    shot     the attack that is being resolved
    wind     the direction drawn this turn, in ticks; -1: none; ``rolls``: times dice were thrown
    title    the name of a scenario that the players bring
    """

    scenario: str
    options: Options
    terms: Terms
    seats: tuple[Seat, ...]
    step: StepKey
    turn: int = 0
    tended: tuple[str, ...] = ()
    fleets: dict[Seat, Known[Pick] | Hidden] = msgspec.field(default_factory=dict)
    revealed: bool = False
    dives: dict[Seat, Known[str] | Hidden] = msgspec.field(default_factory=dict)
    first: Seat = ""
    led: Seat = ""
    last: Seat = ""
    passed: tuple[Seat, ...] = ()
    units: dict[str, Unit] = msgspec.field(default_factory=dict)
    lost: tuple[Lost, ...] = ()
    land: tuple[Land, ...] = ()
    storms: tuple[Storm, ...] = ()
    objectives: tuple[Objective, ...] = ()
    scores: dict[Seat, int] = msgspec.field(default_factory=dict)
    draw: tuple[Seat, ...] = ()
    order: Order | None = None
    shot: Shot | None = None
    wind: int = -1
    awaiting: Awaited | None = None
    purpose: Purpose | None = None
    rolls: int = 0
    result: Result | None = None
    title: str = ""
    gone: tuple[Seat, ...] = ()

    @property
    def sides(self) -> tuple[Seat, Seat]:
        """Both sides, each by its first seat."""
        return self.seats[0], self.seats[1]

    def members(self, seat: Seat) -> tuple[Seat, ...]:
        """A seat and its partners."""
        return sides.members(self.seats, seat)

    def side(self, seat: Seat) -> Seat:
        """The side of a seat."""
        return sides.side(self.seats, seat)

    def other(self, seat: Seat) -> Seat:
        """The other side."""
        return sides.enemy(self.seats, seat)

    @cached_property
    def all_units(self) -> tuple[Unit, ...]:
        """Every unit in play, by name; the dict itself has no order."""
        return _by_name(self.units)

    @cached_property
    def by_seat(self) -> dict[Seat, tuple[Unit, ...]]:
        """The units in play of each seat that has any, by name."""
        return _by_seat(self.units)

    @property
    def second(self) -> Seat:
        """This turn's second side: the winner of the initiative (CT-SEQ-03)."""
        return self.other(self.first)

    @property
    def table(self) -> PointOfTable:
        """The table's far corner in wu (CT-GEOM-02); edges to the west and east turn it."""
        options = self.options
        width, length = options.width * options.klick, options.length * options.klick
        return (width, length) if options.home in ("south", "north") else (length, width)


__all__ = [
    "LAND_BASE", "Arc", "Bearing", "Hardness", "Impact", "Inbound", "Land", "Light", "Lost",
    "Mission", "Objective", "Options", "Order", "Pick", "Place", "PointOfTable", "Purpose",
    "Seen", "Shot", "Sightline", "State", "Storm", "Terms", "Unit", "Weapon",
]  # fmt: skip
