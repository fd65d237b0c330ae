"""Commands in words, for people at a terminal, in a log or in a report."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from ....kernel.options import NOT_ASKED, Described
from ....kernel.shown.parts import parts_of
from ....kernel.shown.wording import count, join
from ..rules import commands as c
from ..rules.decide import pending
from ..rules.state import State
from . import names
from .parts import PARTS

_PASS = {
    "reorganize": "End the reorganize step",
    "remove-damage": "Remove no more damage cards",
    "prepare": "Prepare no more cards",
    "declare": "Declare no more attacks",
    "aim-raid": "Leave the other raids of this card unused",
    "defend": "Pass: no defense now",
    "plan": "Roll without Planning",
    "discard": "Discard nothing",
}

Fighting = (
    c.DeclareAttack | c.LandRaid | c.AimRaid | c.AirRaid | c.SurpriseAttack
    | c.Defend | c.AirCover | c.RunSilent | c.Plan
)  # fmt: skip
Readying = (
    c.ChooseNation | c.CommitFleet | c.DrawFleet | c.Arrange | c.Retreat | c.RemoveDamage
    | c.Reinforce | c.Prepare | c.DiscardCards
)  # fmt: skip


def describe(state: State, command: c.AnyCommand) -> Described:
    """One command in words, with its parts."""
    words, parts = _words(state, command), parts_of(PARTS, state, command)
    return replace(words, parts=parts) if parts else words


def _words(state: State, command: c.AnyCommand) -> Described:
    """One command in words: short text, the ship and target it concerns, the rule behind it."""
    match command:
        case c.Pass():
            return _pass(state)
        case c.AgreeToEnd():
            return Described("Agree to end the game", rule="NB-WIN-05")
        case c.Resign():
            return Described("Leave the game", rule="NB-RUL-01")
        case (
            c.ChooseNation() | c.CommitFleet() | c.DrawFleet() | c.Arrange() | c.Retreat()
            | c.RemoveDamage() | c.Reinforce() | c.Prepare() | c.DiscardCards()
        ):  # fmt: skip
            return _ready(state, command)
        case _:
            return _fight(state, command)


def _pass(state: State) -> Described:
    asked = pending(state)
    if not asked or asked[0].question not in _PASS:
        return NOT_ASKED
    return Described(_PASS[asked[0].question], rule=asked[0].rule)


def _ready(state: State, command: Readying) -> Described:
    match command:
        case c.ChooseNation():
            text = f"Command {names.nation_name(command.nation)}"
            return Described(text, rule="NB-SETUP-01")
        case c.CommitFleet():
            text = f"Choose the fleet: {names.ship_names(command.ships) or 'no ship'}"
            return Described(text, rule="NB-SETUP-02")
        case c.DrawFleet():
            return Described("Have a fleet drawn", rule="NB-RUL-09")
        case c.Arrange():
            return _arrange(command)
        case c.Retreat():
            text = f"Play {names.card_name(state, command.card)}"
            return Described(text, command.card, rule="NB-RET-01")
        case c.RemoveDamage():
            card, ship = names.card_name(state, command.card), names.ship_name(command.ship)
            return Described(f"Remove {card} from {ship}", command.ship, rule="NB-RET-02")
        case c.Reinforce():
            cards = names.card_names(state, command.cards)
            new = names.ship_names(each.ship for each in command.ships) or "take no ship"
            return Described(f"Play {cards}: {new}", rule="NB-REIN-01")
        case c.Prepare():
            card, ship = names.card_name(state, command.card), names.ship_name(command.ship)
            return Described(f"Prepare {card} by {ship}", command.ship, rule="NB-PREP-01")
        case c.DiscardCards():
            text = f"Discard {names.card_names(state, command.cards)}"
            return Described(text, rule="NB-DISC-01")
        case _:
            assert_never(command)


def _arrange(command: c.Arrange) -> Described:
    rows = [f"row {n}: {names.ship_names(row)}" for n, row in enumerate(command.rows, 1)]
    if command.active:
        rows.append(f"active: {names.ship_names(command.active)}")
    return Described("; ".join(rows).capitalize() or "No row", rule="NB-ROW-01")


def _fight(state: State, command: Fighting) -> Described:
    match command:
        case c.DeclareAttack():
            return _attack(state, command)
        case c.LandRaid():
            card, ship = names.card_name(state, command.card), names.ship_name(command.target)
            return Described(f"{card} on {ship}", command.card, command.target, "NB-LBAR-01")
        case c.AimRaid():
            text = f"Next raid on {names.ship_name(command.target)}"
            return Described(text, target=command.target, rule="NB-LBAR-06")
        case c.AirRaid():
            carrier, ship = names.ship_name(command.carrier), names.ship_name(command.target)
            text = f"Air raid of {carrier} on {ship}"
            return Described(text, command.carrier, command.target, "NB-AIR-02")
        case c.SurpriseAttack():
            text = f"Play {names.card_name(state, command.card)} against {command.seat}"
            return Described(text, command.card, command.seat, "NB-SURP-01")
        case c.Defend():
            return _defend(state, command)
        case c.AirCover():
            carrier = names.ship_name(command.carrier)
            text = f"Air cover of {carrier} against {names.attack_name(state, command.attack)}"
            return Described(text, command.carrier, rule="NB-COVER-02")
        case c.RunSilent():
            text = f"Run silent from {names.attack_name(state, command.attack)}"
            return Described(text, rule="NB-SUB-04")
        case c.Plan():
            text = f"Add {count(command.cards, 'Planning card')} to the roll"
            return Described(text, rule="NB-PLAN-02")
        case _:
            assert_never(command)


def _attack(state: State, command: c.DeclareAttack) -> Described:
    guns = join(
        f"{names.ship_name(ship)} ({names.mount_name(mount)})"
        for ship, mount in zip(command.ships, command.mounts, strict=False)
    )
    card, target = names.card_name(state, command.card), names.ship_name(command.target)
    text = f"{guns}: {card} at {target}"
    return Described(text, command.ships[0], command.target, "NB-ATK-03")


def _defend(state: State, command: c.Defend) -> Described:
    card = names.card_name(state, command.card) + (" (prepared)" if command.prepared else "")
    text = f"{card} against {names.attack_name(state, command.attack)}"
    if command.to:
        text += f", moved to {names.ship_name(command.to)}"
    return Described(text, command.card, command.to, "NB-DEF-01")


__all__ = ["describe"]
