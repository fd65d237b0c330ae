"""What the players agree on before a battle, and the terms that scenario and agreement come to."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ....kernel.agreed import option
from ....kernel.values import Part, Seat
from .geometry.pose import Pose

Light = Literal["", "day", "night", "dawn", "dusk"]
Home = Literal["south", "west", "north", "east"]
ConvoySide = Literal["first", "second", "both"]


class Options(Part, frozen=True, kw_only=True, cache_hash=True):
    """The options that players may agree on before fleets are built.

    A default is never changed: it stands for itself in every game that was recorded with it. The
    text of each option is in options.toml; those from ``threshold`` on are readings of unclear
    points
    (CT-AMB), and the default is our ruling.
    """

    klick: Annotated[int, Meta(ge=25_000, le=50_000, multiple_of=1_000), option("CT-GEOM-01")] = (
        25_000
    )
    width: Annotated[int, Meta(ge=16, le=60), option("CT-SETUP-07")] = 40
    length: Annotated[int, Meta(ge=20, le=80), option("CT-SETUP-07")] = 60
    home: Annotated[Home, option("CT-SETUP-07")] = "south"
    points: Annotated[int, Meta(ge=0, le=600), option("CT-FLEET-03")] = 0
    units: Annotated[int, Meta(ge=0, le=60), option("CT-FLEET-04")] = 0
    turns: Annotated[int, Meta(ge=0, le=60), option("CT-WIN-01")] = 0
    target: Annotated[int, Meta(ge=0, le=1_000), option("CT-WIN-01")] = 0
    chart: Annotated[str, option("CT-GEOM-22")] = ""
    light: Annotated[Light, option("CT-NIGHT-01")] = ""
    change: Annotated[int, Meta(ge=0, le=60), option("CT-NIGHT-01")] = 0
    nations: Annotated[Literal["mixed", "one"], option("CT-FLEET-07")] = "mixed"
    threshold: Annotated[Literal["above", "equal-or-above"], option("CT-AMB-01")] = "above"
    damage_effects: Annotated[Literal["end-of-turn", "end-of-phase"], option("CT-AMB-02")] = (
        "end-of-turn"
    )
    wasted_shot: Annotated[Literal["spent", "taken-back"], option("CT-GEN-07")] = "spent"
    convoy_counts: Annotated[Literal["convoy", "all-points"], option("CT-AMB-87")] = "convoy"
    convoy_side: Annotated[ConvoySide | Literal[""], option("CT-AMB-115")] = ""
    elimination: Annotated[Literal["points-decide", "survivor-wins"], option("CT-WIN-07")] = (
        "points-decide"
    )
    flagship: Annotated[Literal["best", "sum"], option("CT-INIT-03")] = "best"
    dive_declaration: Annotated[Literal["together", "first-player-first"], option("CT-SUB-03")] = (
        "together"
    )
    stopped_carrier_may_launch: Annotated[bool, option("CT-CV-03")] = False
    stopping_carrier: Annotated[Literal["grounded", "flies"], option("CT-AMB-46")] = "grounded"
    submarine_torpedoes: Annotated[Literal["ability", "surfaced-freely"], option("CT-AMB-117")] = (
        "ability"
    )
    submarine_guns: Annotated[Literal["submarine-phase", "surface-phase"], option("CT-SATK-04")] = (
        "submarine-phase"
    )
    critical_crippled: Annotated[
        Literal["one-hull-point", "penalties-only"], option("CT-CRIT-15")
    ] = "one-hull-point"
    repair_same_turn: Annotated[bool, option("CT-EOT-04")] = True
    night_gunnery: Annotated[Literal["unchanged", "reduced"], option("CT-NIGHT-10")] = "unchanged"
    air_torpedo: Annotated[Literal["marker", "immediate"], option("CT-AMB-07")] = "marker"
    air_target: Annotated[Literal["placed-only", "any-in-range-1"], option("CT-AMB-44")] = (
        "placed-only"
    )
    terrain_sight_from: Annotated[Literal["side", "center"], option("CT-AMB-18")] = "center"
    arc_test: Annotated[Literal["center", "any-targeting-point"], option("CT-AMB-19")] = "center"
    weather: Annotated[Literal["none", "table"], option("CT-WEA-09")] = "none"
    stern_contact: Annotated[Literal["ahead", "astern"], option("CT-AMB-93")] = "ahead"
    reverse_duty: Annotated[Literal["next-turn", "until-done"], option("CT-AMB-32")] = "next-turn"
    touching: Annotated[Literal["no-way", "collides"], option("CT-AMB-94")] = "no-way"
    grounded: Annotated[Literal["carriers", "every-ship"], option("CT-AMB-96")] = "carriers"
    failed_check: Annotated[Literal["kept", "spent"], option("CT-AMB-97")] = "kept"
    land_sight: Annotated[Literal["any-point", "point-by-point"], option("CT-AMB-98")] = "any-point"
    spotter: Annotated[Literal["anywhere", "range-1"], option("CT-AMB-52")] = "anywhere"
    evades: Annotated[Literal["oldest", "easiest"], option("CT-AMB-09")] = "oldest"
    half_speed: Annotated[Literal["allowed", "rounded", "printed"], option("CT-AMB-26")] = "allowed"
    deep_ramming: Annotated[Literal["voluntary", "never"], option("CT-AMB-99")] = "voluntary"
    submarine_aaw: Annotated[Literal["never", "surfaced"], option("CT-AMB-102")] = "never"
    measuring: Annotated[Literal["after-declaring", "free"], option("CT-AMB-103")] = (
        "after-declaring"
    )
    strafing_least: Annotated[Literal["none", "one"], option("CT-AMB-100")] = "none"
    quadrants: Annotated[Literal["set-up", "open"], option("CT-AMB-106")] = "set-up"
    partners: Annotated[Literal["together", "in-turn"], option("CT-AMB-107")] = "together"
    team_fleets: Annotated[Literal["whole", "shared"], option("CT-AMB-111")] = "whole"


class Exit(Part, frozen=True):
    """An edge by which a side's units may leave unharmed (CT-SCN-17).

    edge    as the side sees the table: ``far``, ``own``, ``left``, ``right``
    points  points to the owner for each unit that leaves
    cards   the cards that may leave there; empty: all
    """

    seat: Seat
    edge: Literal["far", "own", "left", "right"]
    points: int = 0
    cards: tuple[str, ...] = ()


class Start(Part, frozen=True):
    """A unit that the scenario brings, and where it begins (CT-AMB-113).

    pose  for a ship or submarine
    base  for an aircraft: the card of its ship, or the land base
    """

    seat: Seat
    card: str
    pose: Pose | None = None
    base: str = ""


class Terms(Part, frozen=True, kw_only=True):
    """The figures of this battle: those of the scenario, changed by the options.

    points   the most that each seat's fleet may cost; ``units`` the most it may hold
    airbase  room at each land base (CT-SCN-04)
    turns, target  the last turn, and the points that end it sooner; 0: without (CT-WIN-01)
    light, change  see :class:`Options`
    escort   convoy: the side that brings ``convoy`` non-combatants to the far edge (CT-SCN-13)
    other_escort  the second side where both do (CT-AMB-116)
    convoy_points  points for each of them where all points count; 0: they alone decide
    lander   amphibious operation: the side that lands troops (CT-SCN-09)
    exits    edges by which units may leave unharmed (CT-SCN-17)
    starts   every unit where the scenario places them; none: the players build and place fleets
    """

    points: dict[Seat, int]
    units: int
    airbase: int
    turns: int = 0
    target: int = 0
    light: Light = "day"
    change: int = 0
    escort: Seat = ""
    convoy: int = 0
    convoy_points: int = 0
    lander: Seat = ""
    exits: tuple[Exit, ...] = ()
    starts: tuple[Start, ...] = ()
    other_escort: Seat = ""

    @property
    def escorts(self) -> tuple[Seat, ...]:
        """The sides that have a convoy."""
        return tuple(side for side in (self.escort, self.other_escort) if side)
