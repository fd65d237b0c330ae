"""Commands and events in words, for people at a terminal, in a log or in a report."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from ....kernel.options import NOT_ASKED, Described
from ....kernel.shown.parts import parts_of
from ....kernel.shown.wording import join
from ..rules import board, futile
from ..rules import commands as c
from ..rules.mechanisms import homes
from ..rules.state import State
from . import names
from .parts import PARTS
from .sentences import says

_PASS = {
    "sea-movement": ("End sea movement", "WAS-SEA-01"),
    "air-mission": ("Give no more air missions", "WAS-AIRM-01"),
    "air-defense": ("Make no more antiair attacks", "WAS-AIRD-01"),
    "air-attack": ("Make no more air attacks", "WAS-AIRA-01"),
    "surface-attack": ("Make no more surface attacks", "WAS-SURF-01"),
    "torpedo-attack": ("Make no more torpedo attacks", "WAS-TORP-01"),
    "submarine-attack": ("Make no more submarine attacks", "WAS-SUBA-01"),
    "air-return": ("End the air return", "WAS-RETN-01"),
    "end-of-turn": ("Claim nothing more", "WAS-EOT-01"),
}


def describe(state: State, command: c.AnyCommand) -> Described:
    """One command in words, with its parts."""
    words, parts = _words(state, command), parts_of(PARTS, state, command)
    return replace(words, parts=parts) if parts else words


def _words(state: State, command: c.AnyCommand) -> Described:
    """One command in words: short text, the unit and target it concerns, the rule behind it."""
    match command:
        case c.Move() | c.Place() | c.SendToAirbase() | c.Return() | c.Eliminate():
            return _travel(state, command)
        case c.Fire():
            return _fire(state, command)
        case c.ChooseSide() | c.SubmitFleet() | c.ChooseEdge() | c.Deploy():
            return _set_up(state, command)
        case c.Use():
            return _use(state, command)
        case c.Risk():
            unit, ship = (names.unit_name(state, n) for n in (command.unit, command.carrier))
            text = f"{unit} is at risk with {ship}"
            return Described(text, command.unit, command.carrier, "WAS-AIR-10")
        case c.Claim():
            text = f"Claim the objective in {command.sector}"
            return Described(text, target=command.sector, rule="WAS-EOT-01")
        case c.Pass():
            return _pass(state)
        case c.CallStalemate():
            return Described("Ask for a stalemate at the end of this turn", rule="RUL-83")
        case c.Resign():
            return Described("Resign", rule="RUL-89")
        case _:
            assert_never(command)


def _set_up(
    state: State, command: c.ChooseSide | c.SubmitFleet | c.ChooseEdge | c.Deploy
) -> Described:
    match command:
        case c.ChooseSide():
            return Described(f"Command the {command.alliance}", rule="WAS-SETUP-03")
        case c.SubmitFleet():
            fleet = names.fleet(command.cards)
            cost = names.fleet_cost(command.cards)
            return Described(f"Lock the fleet of {fleet} ({cost} points)", rule="WAS-SETUP-23")
        case c.ChooseEdge():
            return Described(f"Take the {command.edge} edge of the map", rule="WAS-SETUP-12")
        case c.Deploy():
            at = names.place_name(state, command.at)
            text = f"Deploy {names.card_name(command.card)} {at}"
            return Described(text, command.card, command.at, "WAS-SETUP-25")
        case _:
            assert_never(command)


_Travel = c.Move | c.Place | c.SendToAirbase | c.Return | c.Eliminate


def _travel(state: State, command: _Travel) -> Described:
    unit = names.unit_name(state, command.unit)
    match command:
        case c.Move():
            text = (
                f"{unit} moves from {names.sector_of(state, command.unit) or '?'} to {command.to}"
            )
            if command.boost:
                text += f" with {names.ability_name(command.boost)}"
            return Described(text, command.unit, command.to, "WAS-SEA-04")
        case c.Place():
            text = f"{unit} flies to {command.sector}"
            text += f" as {command.role}" if command.role else ""
            text += ", strafing" if command.strafing else ""
            return Described(text, command.unit, command.sector, "WAS-AIRM-02")
        case c.SendToAirbase():
            text = f"{unit} and all Aircraft without a mission go to the land airbase"
            known = state.units.get(command.unit)
            if known is not None and homes.parted(state, [known])[1]:
                text = f"{unit} stays at its base, all others without a mission at the land airbase"
            return Described(text, command.unit, "airbase", "WAS-AIRM-08")
        case c.Return():
            text = f"{unit} returns to {names.base_name(state, command.base)}"
            return Described(text, command.unit, command.base, "WAS-RETN-01")
        case c.Eliminate():
            return Described(
                f"{unit} is given up: no base has room", command.unit, "", "WAS-RETN-14"
            )
        case _:
            assert_never(command)


def _fire(state: State, command: c.Fire) -> Described:
    unit, target = (names.unit_name(state, n) for n in (command.unit, command.target))
    text = f"{unit} {names.attack_words(command.weapon, target)}"
    here, there = (names.sector_of(state, n) for n in (command.unit, command.target))
    if here in board.NEIGHBOURS and there in board.NEIGHBOURS:
        text += f", range {board.distance(here, there)}"
    if command.abilities:
        text += f", with {join(names.ability_name(a) for a in command.abilities)}"
    rule = names.FIRE_RULES[command.weapon]
    vain = futile.pointless(state, command)
    return Described(text, command.unit, command.target, rule, vain)


def _use(state: State, command: c.Use) -> Described:
    text = f"{names.unit_name(state, command.unit)} uses {names.ability_name(command.ability)}"
    if command.on:
        text += f" {names.spot(state, command.on)}"
    rule, vain = names.ability_rule(command.ability), futile.pointless(state, command)
    return Described(text, command.unit, command.on, rule, vain)


def _pass(state: State) -> Described:
    if state.attack is not None:
        return Described("Do not use the ability", rule="RUL-96")
    if state.step.part in ("before", "after"):
        return Described("Use no ability now", rule="WAS-ABIL-08")
    if state.step.phase not in _PASS:
        return NOT_ASKED
    text, rule = _PASS[state.step.phase]
    return Described(text, rule=rule)


__all__ = ["describe", "says"]
