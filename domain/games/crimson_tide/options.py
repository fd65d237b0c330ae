"""What the players agree on before a battle, and the terms that scenario and agreement come to."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ...kernel.values import Part, Seat

Light = Literal["", "day", "night", "dawn", "dusk"]
Home = Literal["south", "west", "north", "east"]


class Options(Part, frozen=True, kw_only=True):
    """What the players may agree on before fleets are built.

    A default is never changed: it stands for itself in every game that was recorded with it.

    klick    wu in a klick: a multiple of 1,000 (CT-GEOM-01)
    width, length  of the table, in klicks; the players' edges are ``length`` apart (CT-SETUP-07)
    home     the side of the table that is the first seat's edge; chart and zones turn along with it
    points, units, turns, target  0: as the scenario says (CT-FLEET-03, -04, CT-WIN-01)
    chart    land, shallows, storms and objectives on the table
    light    day, night, dawn (dark first) or dusk (dark last); empty: as the scenario says
    change   the last dark turn of a dawn, the first dark turn of a dusk (CT-NIGHT-01)
    nations  whether the nations of a fleet may be mixed (CT-FLEET-07)

    What follows are readings of unclear points (CT-AMB); the default is our ruling.

    threshold            hits must beat a rating, or equal it (CT-AMB-01)
    damage_effects       damage works at the end of the turn, or of the phase (CT-AMB-02)
    wasted_shot          a shot that proves impossible is spent, or taken back (CT-GEN-07)
    convoy_counts        its survival or loss decides, or all points count (CT-AMB-87)
    stern_contact        who ran into something going astern leaves it ahead, or astern (CT-AMB-93)
    reverse_duty         it is for the next turn and lapses, or waits until it is done (CT-AMB-32)
    touching             what lies in the way is not run into again, or is (CT-AMB-94)
    grounded             SYSTEMS DOWN grounds aircraft of carriers, or of every ship (CT-AMB-96)
    failed_check         an attack whose target is not seen or found keeps its weapon, or spends it (CT-AMB-97)
    land_sight           land that cuts any targeting point breaks sight, or hides that point (CT-AMB-98)
    spotter              reconnaissance spots anywhere, or within range 1 of the target (CT-AMB-52)
    evades               the oldest inbound marker, or the one that is easiest to shake off (CT-AMB-09)
    half_speed           half of what is allowed now, or of the printed movement (CT-AMB-26)
    deep_ramming         submerged units may ram each other, or never do (CT-AMB-99)
    elimination          points decide when a side is empty, or the survivor wins (CT-WIN-07)
    flagship             the best bonus counts, or all add up (CT-INIT-03)
    dive_declaration     secret and together, or the first player first (CT-SUB-03)
    stopped_carrier_may_launch  (CT-CV-03)
    submarine_guns       in the submarine phase, or in the surface phase (CT-SATK-04)
    critical_crippled    one hull point is left, or the penalties only (CT-CRIT-15)
    repair_same_turn     a marker of this turn may be repaired (CT-EOT-04)
    night_gunnery        guns know no night, or shoot shorter and worse (CT-NIGHT-10)
    air_torpedo          markers as for ships, or dice at once (CT-AMB-07)
    air_target           the unit beside which it was placed, or any in range 1 (CT-AMB-44)
    terrain_sight_from   the middle of the firing side, or of the base, for land (CT-AMB-18)
    arc_test             the target's middle, or any targeting point (CT-AMB-19)
    weather              none, or a die for squalls (CT-WEA-09)
    """

    klick: Annotated[int, Meta(ge=25_000, le=50_000, multiple_of=1_000)] = 25_000
    width: Annotated[int, Meta(ge=16, le=60)] = 40
    length: Annotated[int, Meta(ge=20, le=80)] = 60
    home: Home = "south"
    points: Annotated[int, Meta(ge=0, le=600)] = 0
    units: Annotated[int, Meta(ge=0, le=60)] = 0
    turns: Annotated[int, Meta(ge=0, le=60)] = 0
    target: Annotated[int, Meta(ge=0, le=1_000)] = 0
    chart: str = ""
    light: Light = ""
    change: Annotated[int, Meta(ge=0, le=60)] = 0
    nations: Literal["mixed", "one"] = "mixed"
    threshold: Literal["above", "equal-or-above"] = "above"
    damage_effects: Literal["end-of-turn", "end-of-phase"] = "end-of-turn"
    wasted_shot: Literal["spent", "taken-back"] = "spent"
    convoy_counts: Literal["convoy", "all-points"] = "convoy"
    stern_contact: Literal["ahead", "astern"] = "ahead"
    reverse_duty: Literal["next-turn", "until-done"] = "next-turn"
    touching: Literal["no-way", "collides"] = "no-way"
    grounded: Literal["carriers", "every-ship"] = "carriers"
    failed_check: Literal["kept", "spent"] = "kept"
    land_sight: Literal["any-point", "point-by-point"] = "any-point"
    spotter: Literal["anywhere", "range-1"] = "anywhere"
    evades: Literal["oldest", "easiest"] = "oldest"
    half_speed: Literal["allowed", "printed"] = "allowed"
    deep_ramming: Literal["voluntary", "never"] = "voluntary"
    elimination: Literal["points-decide", "survivor-wins"] = "points-decide"
    flagship: Literal["best", "sum"] = "best"
    dive_declaration: Literal["together", "first-player-first"] = "together"
    stopped_carrier_may_launch: bool = False
    submarine_guns: Literal["submarine-phase", "surface-phase"] = "submarine-phase"
    critical_crippled: Literal["one-hull-point", "penalties-only"] = "one-hull-point"
    repair_same_turn: bool = True
    night_gunnery: Literal["unchanged", "reduced"] = "unchanged"
    air_torpedo: Literal["marker", "immediate"] = "marker"
    air_target: Literal["placed-only", "any-in-range-1"] = "placed-only"
    terrain_sight_from: Literal["side", "center"] = "side"
    arc_test: Literal["center", "any-targeting-point"] = "center"
    weather: Literal["none", "table"] = "none"


class Exit(Part, frozen=True):
    """An edge by which a seat's units may leave unharmed (CT-SCN-17).

    edge    as the seat sees the table: ``far``, ``own``, ``left``, ``right``
    points  what each unit that leaves is worth to its owner
    cards   the cards that may leave there; empty: all
    """

    seat: Seat
    edge: Literal["far", "own", "left", "right"]
    points: int = 0
    cards: tuple[str, ...] = ()


class Terms(Part, frozen=True, kw_only=True):
    """What scenario and options come to: the figures that this battle is played by.

    points   the most that each seat's fleet may cost; ``units`` the most it may hold
    airbase  room at each land base (CT-SCN-04)
    turns, target  the last turn, and the points that end it sooner; 0: without (CT-WIN-01)
    light, change  see :class:`Options`
    escort   convoy: the seat that brings ``convoy`` non-combatants to the far edge (CT-SCN-13)
    convoy_points  what each of them is worth where all points count; 0: they alone decide
    lander   amphibious operation: the seat that lands troops (CT-SCN-09)
    exits    edges by which units may leave unharmed (CT-SCN-17)
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
