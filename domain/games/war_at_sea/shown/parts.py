"""The parts of each order: what a page asks for, with the keys by which the picture knows it."""

from __future__ import annotations

from ....kernel.options import PartOf, PartRole
from ....kernel.shown.parts import Parts, Tells, Told, pieces
from ..rules import board
from ..rules import commands as c
from ..rules.convoy import OFF_MAP
from ..rules.state import AIRBASE, State
from . import names

WEAPONS: dict[str, Told] = {
    weapon: (PartOf("weapon", weapon, text),)
    for weapon, text in (
        ("main", "main guns"),
        ("secondary", "secondary guns"),
        ("tertiary", "tertiary guns"),
        ("antiair", "antiair"),
        ("torpedo", "torpedoes"),
        ("bomb", "bombs"),
        ("strafe", "strafing"),
        ("asw", "ASW"),
    )
}
SECTORS: dict[str, Told] = {
    sector: (PartOf("place", f"sector:{sector}", names.sector_name(sector)),)
    for sector in board.NEIGHBOURS
}
"""Made once: of hundreds of offers most name a sector."""


_piece = pieces(names.called, names.unit_name)


def _said(role: PartRole) -> Tells:
    """Of a field with a word that reads as it is written; none where it is empty."""

    def tells(state: State, word: str, command: object) -> Told:
        return (PartOf(role, word, word),) if word else ()

    return tells


def _place(state: State, at: str, command: object) -> Told:
    """A sector, a Ship that takes Aircraft aboard, the land airbase, or off the map."""
    if at in SECTORS:
        return SECTORS[at]
    if at == OFF_MAP:
        return (PartOf("place", at, "off the map"),)
    return (PartOf("place", at, names.base_name(state, at)),)


def _sector(state: State, sector: str, command: object) -> Told:
    known = SECTORS.get(sector)
    return known or (PartOf("place", sector, names.sector_name(sector)),)


def _used_on(state: State, on: str, command: object) -> Told:
    """A unit, a sector, or a unit that goes to a sector or to a unit: ``p1-2@5.4``."""
    unit, _, goal = on.rpartition("@")
    moved = (PartOf("target", unit, names.unit_name(state, unit)),) if unit else ()
    if not goal:
        return moved
    if goal in board.NEIGHBOURS or goal in (OFF_MAP, AIRBASE):
        return (*moved, *_place(state, goal, command))
    return (*moved, PartOf("target", goal, names.unit_name(state, goal)))


def _ability(state: State, slug: str, command: object) -> Told:
    return (PartOf("ability", slug, names.ability_name(slug)),) if slug else ()


def _abilities(state: State, slugs: tuple[str, ...], command: object) -> Told:
    return tuple(PartOf("ability", slug, names.ability_name(slug)) for slug in slugs)


def _weapon(state: State, weapon: str, command: object) -> Told:
    return WEAPONS[weapon]


def _card(state: State, card: str, command: object) -> Told:
    return (PartOf("card", f"card:{card}", names.card_name(card)),)


def _fleet(state: State, cards: tuple[str, ...], command: object) -> Told:
    return (PartOf("fleet", ",".join(cards), names.fleet(cards)),)


def _strafing(state: State, strafing: bool, command: object) -> Told:
    return (PartOf("way", "strafing", "strafing"),) if strafing else ()


_UNIT = _piece("unit")

PARTS: Parts = {
    c.ChooseSide: {"alliance": _said("side")},
    c.SubmitFleet: {"cards": _fleet},
    c.ChooseEdge: {"edge": _said("side")},
    c.Deploy: {"card": _card, "at": _place},
    c.Move: {"unit": _UNIT, "to": _place, "boost": _ability},
    c.Place: {"unit": _UNIT, "sector": _sector, "role": _said("way"), "strafing": _strafing},
    c.SendToAirbase: {"unit": _UNIT},
    c.Fire: {"unit": _UNIT, "weapon": _weapon, "target": _piece("target"), "abilities": _abilities},
    c.Use: {"unit": _UNIT, "ability": _ability, "on": _used_on},
    c.Risk: {"unit": _UNIT, "carrier": _place},
    c.Return: {"unit": _UNIT, "base": _place},
    c.Eliminate: {"unit": _UNIT},
    c.Claim: {"sector": _sector},
    c.Pass: {},
    c.CallStalemate: {},
    c.Resign: {},
}

UNLIT = {
    "deploy.card": "a fleet that waits is listed in its panel, and not drawn",
    "deploy.place": "the land airbase and off the map are no pieces",
    "return.place": "the land airbase is no piece",
    "move.place": "off the map is no place on it",
    "use.target": "a unit that has left play comes back",
}
"""Parts whose keys may be in no picture."""
