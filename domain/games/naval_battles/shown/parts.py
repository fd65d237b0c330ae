"""The parts of each order: what a page asks for, with the keys by which the picture knows it."""

from __future__ import annotations

from ....kernel.options import PartOf, PartRole
from ....kernel.shown.parts import Parts, Tells, Told, with_another
from ....kernel.shown.wording import count, join
from ..rules import commands as c
from ..rules.state import State
from . import names


def _ship(role: PartRole) -> Tells:
    """Of a field that names a ship; none where it is empty."""

    def tells(state: State, ship: str, command: object) -> Told:
        return (PartOf(role, ship, names.ship_name(ship)),) if ship else ()

    return tells


def _nation(state: State, nation: str, command: object) -> Told:
    return (PartOf("side", nation, names.nation_name(nation)),)


def _fleet(state: State, ships: tuple[str, ...], command: object) -> Told:
    return (PartOf("fleet", ",".join(ships), names.ship_names(ships) or "no ship"),)


def _rows(state: State, rows: tuple[tuple[str, ...], ...], command: c.Arrange) -> Told:
    """Each row from the front, and the submarines that lie with their active side up."""
    found = [
        PartOf("rows", f"{number}:{','.join(row)}", f"row {number}: {names.ship_names(row)}")
        for number, row in enumerate(rows, 1)
    ]
    if command.active:
        active = names.ship_names(command.active)
        found.append(PartOf("rows", f"active:{','.join(command.active)}", f"active: {active}"))
    return tuple(found)


def _card(state: State, card: str, command: object) -> Told:
    return (PartOf("card", f"card:{card}", names.card_name(state, card)),)


def _cards(state: State, cards: tuple[str, ...], command: object) -> Told:
    return tuple(part for card in cards for part in _card(state, card, command))


def _postings(state: State, ships: tuple[c.Posting, ...], command: object) -> Told:
    """New ships with where each goes."""
    if not ships:
        return (PartOf("fleet", "", "no ship"),)
    key = ",".join(f"{each.ship}:{each.row}{'a' * each.active}" for each in ships)
    return (PartOf("fleet", key, join(_posting(each) for each in ships)),)


def _posting(each: c.Posting) -> str:
    where = f"row {each.row}" if each.row else "active" if each.active else "passive"
    return f"{names.ship_name(each.ship)} ({where})"


def _gunners(state: State, ships: tuple[str, ...], command: c.DeclareAttack) -> Told:
    """Each ship that fires, with its mount."""
    return tuple(
        part
        for ship, mount in zip(ships, command.mounts, strict=False)
        for part in (
            PartOf("unit", ship, names.ship_name(ship)),
            PartOf("weapon", mount, names.mount_name(mount)),
        )
    )


def _attack(state: State, number: int, command: object) -> Told:
    return (PartOf("attack", f"attack:{number}", names.attack_name(state, number)),)


def _seat(state: State, seat: str, command: object) -> Told:
    return (PartOf("seat", seat, names.nation_of(state, seat)),)


def _prepared(state: State, prepared: bool, command: object) -> Told:
    return (PartOf("way", "prepared", "prepared"),) if prepared else ()


def _planned(state: State, cards: int, command: object) -> Told:
    return (PartOf("number", str(cards), count(cards, "card")),)


PARTS: Parts = {
    c.ChooseNation: {"nation": _nation},
    c.CommitFleet: {"ships": _fleet},
    c.DrawFleet: {},
    c.Arrange: {"rows": _rows, "active": with_another},
    c.Retreat: {"card": _card},
    c.RemoveDamage: {"ship": _ship("unit"), "card": _card},
    c.Reinforce: {"cards": _cards, "ships": _postings},
    c.Prepare: {"card": _card, "ship": _ship("unit")},
    c.DeclareAttack: {
        "card": _card,
        "ships": _gunners,
        "mounts": with_another,
        "target": _ship("target"),
    },
    c.LandRaid: {"card": _card, "target": _ship("target")},
    c.AimRaid: {"target": _ship("target")},
    c.AirRaid: {"carrier": _ship("unit"), "target": _ship("target")},
    c.SurpriseAttack: {"card": _card, "seat": _seat},
    c.Defend: {"attack": _attack, "card": _card, "prepared": _prepared, "to": _ship("target")},
    c.AirCover: {"attack": _attack, "carrier": _ship("unit")},
    c.RunSilent: {"attack": _attack},
    c.Plan: {"cards": _planned},
    c.DiscardCards: {"cards": _cards},
    c.Pass: {},
    c.AgreeToEnd: {},
    c.Resign: {},
}

UNLIT = {"remove-damage.card": "the damage under a ship is a number of pips, and no card"}
"""Parts whose keys may be in no picture."""
