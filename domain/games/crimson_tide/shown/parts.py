"""The parts of each order: what a page asks for, with the keys by which the picture knows it.

As in :mod:`.words`, nothing is measured: a place on the table is where it is, a path its klicks.
"""

from __future__ import annotations

from ....kernel.options import PartOf
from ....kernel.shown.parts import Parts, Tells, Told, pieces, with_another
from ..rules import commands as c
from ..rules.geometry.pose import Pose
from ..rules.state import Pick, PointOfTable, State
from . import names
from .move_sentences import way

WEAPONS = {
    "primary": "primary guns",
    "secondary": "secondary guns",
    "tertiary": "tertiary guns",
    "torpedo": "torpedoes",
    "bombs": "bombs",
    "strafe": "strafing",
    "asw": "depth charges",
    "aaw": "antiaircraft",
}
MISSIONS = {"free": "free", "ordnance": "to attack", "strafe": "to strafe"}


_piece = pieces(names.called, names.unit_name)


def _way(key: str, text: str) -> Tells:
    """Of a field that is true or false: a part where it is true."""
    chosen = (PartOf("way", key, text),)

    def tells(state: State, chosen_: bool, command: object) -> Told:
        return chosen if chosen_ else ()

    return tells


def _fleet(state: State, units: tuple[Pick, ...], command: object) -> Told:
    key = ",".join(f"{pick.card}@{pick.base}" if pick.base else pick.card for pick in units)
    return (PartOf("fleet", key, names.fleet(pick.card for pick in units)),)


def _card(state: State, card: str, command: object) -> Told:
    return (PartOf("card", f"card:{card}", names.card_name(card)),)


def _pose(state: State, x: int, command: c.PlaceUnit) -> Told:
    pose = Pose(x, command.y, command.heading)
    key = f"pose:{x},{command.y},{command.heading}"
    return (PartOf("place", key, names.lies(state, pose)),)


def _submerged(state: State, units: tuple[str, ...], command: object) -> Told:
    return tuple(PartOf("unit", unit, names.unit_name(state, unit)) for unit in units)


def _path(state: State, path: tuple[int, ...], command: c.Move) -> Told:
    key = ("astern:" if command.astern else "") + ",".join(map(str, path))
    return (PartOf("path", key, way(path, command.astern, evade=False, stop=False)),)


def _mission(state: State, mission: str, command: object) -> Told:
    return (PartOf("way", mission, MISSIONS[mission]),)


def _quarter(state: State, side: str, command: object) -> Told:
    return (PartOf("way", side, names.quarter(side)),) if side else ()


def _point(state: State, at: PointOfTable | None, command: object) -> Told:
    return () if at is None else (PartOf("place", f"point:{at[0]},{at[1]}", names.spot(state, at)),)


def _weapon(state: State, weapon: str, command: object) -> Told:
    return (PartOf("weapon", weapon, WEAPONS[weapon]),)


def _arc(state: State, arc: str, command: object) -> Told:
    return (PartOf("arc", arc, arc),) if arc else ()


def _base(state: State, base: str, command: object) -> Told:
    return (PartOf("place", base, names.base_name(state, base)),)


PARTS: Parts = {
    c.SubmitFleet: {"units": _fleet},
    c.PlaceUnit: {"card": _card, "x": _pose, "y": with_another, "heading": with_another},
    c.Dive: {"submerged": _submerged},
    c.Move: {
        "unit": _piece("unit"),
        "path": _path,
        "astern": with_another,
        "evade": _way("evade", "with evasive maneuvers"),
        "stop": _way("stop", "then to stop"),
        "ram": _way("ram", "ramming what is submerged"),
    },
    c.Deploy: {
        "unit": _piece("unit"),
        "mission": _mission,
        "target": _piece("target"),
        "side": _quarter,
        "at": _point,
    },
    c.Attack: {
        "unit": _piece("unit"),
        "weapon": _weapon,
        "arc": _arc,
        "target": _piece("target"),
    },
    c.LandAircraft: {"unit": _piece("unit"), "base": _base},
    c.Pass: {},
    c.OfferDraw: {},
    c.Resign: {},
}

UNLIT = {
    "place.card": "a fleet that waits is listed in its panel, and not drawn",
    "place.place": "a point of the table is no piece",
    "deploy.place": "a point of the table is no piece",
    "land.place": "the land base is a place in the panel, and no piece",
}
"""Parts whose keys may be in no picture."""
