"""Runs the language-neutral conformance cases (tests/cases/README.md) against our engine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea import commands as c
from domain.games.war_at_sea.cards import card
from domain.games.war_at_sea.state import State, Unit
from domain.kernel.chance import Faces
from domain.kernel.codec import full
from domain.kernel.game import Setup
from domain.kernel.rules import Refused
from tests.support.battle import SEATS, Battle, Event, bare, resumed, table, unit

FOLDER = Path(__file__).resolve().parents[1] / "cases"
KEYS = frozenset({"id", "title", "rules", "edition", "setup", "script", "expect", "note"})
ENTRY = frozenset({"seat", "command", "faces", "refused"})
EXPECT = frozenset(
    {"events", "never", "refused", "state", "absent", "asked", "offers", "withholds"}
)

_Command: Any = c.AnyCommand


def load(game: str) -> list[dict[str, Any]]:
    """Every case of a game, in order of file and line; blank lines separate groups."""
    return [
        json.loads(line)
        for path in sorted((FOLDER / game).glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


@dataclass
class Run:
    """A case that is being played: the battle, or why there is none."""

    battle: Battle | None
    refusal: Refused | None = None


def run(case: Mapping[str, Any]) -> None:
    """Play a case; AssertionError says in what the engine differs."""
    _known(case, KEYS, case["id"])
    played = begin(case)
    script = case.get("script", ())
    for number, entry in enumerate(script, 1):
        _known(entry, ENTRY, f"script entry {number}")
        assert played.battle is not None, f"the set-up is refused: {played.refusal}"
        wanted = case["expect"].get("refused") if number == len(script) else None
        _play(played.battle, entry, entry.get("refused", wanted))
    _hold(case["expect"], played)


def _known(value: Mapping[str, Any], keys: frozenset[str], where: str) -> None:
    assert set(value) <= keys, f"{where}: unknown keys {sorted(set(value) - keys)}"


def begin(case: Mapping[str, Any]) -> Run:
    setup = dict(case.get("setup", {}))
    if "units" in setup:
        return Run(resumed(_table(case["edition"], setup)))
    scenario, seats = setup.pop("scenario", "standard"), tuple(setup.pop("seats", SEATS))
    try:
        events = GAME.opening(Setup("war-at-sea", case["edition"], scenario, seats, setup))
    except Refused as refusal:
        return Run(None, refusal)
    return Run(Battle(GAME.fold(events), events))


def _table(edition: str, setup: dict[str, Any]) -> State:
    pieces = [_piece(spec) for spec in setup.pop("units")]
    names = {field.encode_name: field.name for field in msgspec.structs.fields(State)}
    return table(edition, *pieces, **{names[key]: value for key, value in setup.items()})


def _piece(spec: Mapping[str, Any]) -> Unit:
    fields = {f.encode_name: f.name for f in msgspec.structs.fields(Unit)}
    given = dict(spec)
    name, each, sector = given.pop("id"), given.pop("card"), given.pop("sector", "")
    card(each, "2009")
    if "abilities" in given:
        assert given.pop("abilities") == [], "only [] (play the card without abilities) is known"
        each = bare(each)
    values = {fields[key]: tuple(v) if isinstance(v, list) else v for key, v in given.items()}
    return unit(name, each, sector, **values)


def _play(battle: Battle, entry: Mapping[str, Any], refused: Mapping[str, str] | None) -> None:
    refusal = answer(battle, entry)
    if refusal is None:
        assert not refused, f"accepted: {entry}; it should be refused: {refused}"
    else:
        assert refused, f"refused: {entry}: {refusal}"
        _check_refusal(refused, refusal)


def answer(battle: Battle, entry: Mapping[str, Any]) -> Refused | None:
    try:
        if "faces" in entry:
            _throw(battle, entry["faces"])
        else:
            battle.act(entry["seat"], msgspec.convert(entry["command"], _Command))
    except Refused as refusal:
        return refusal
    return None


def _throw(battle: Battle, faces: list[list[int]]) -> None:
    awaited = battle.state.awaiting
    label = awaited.label if awaited is not None else ""
    battle.answer(Faces(label, tuple(tuple(pool) for pool in faces)))


def _check_refusal(wanted: Mapping[str, str], refusal: Refused) -> None:
    got = {"code": refusal.code, "rule": refusal.rule}
    assert got == dict(wanted), f"refused by {got}, not by {dict(wanted)}"


def _hold(expect: Mapping[str, Any], played: Run) -> None:
    _known(expect, EXPECT, "expect")
    assert expect, "a case expects something"
    if played.battle is None:
        assert "refused" in expect, f"the set-up is refused: {played.refusal}"
        assert played.refusal is not None
        return _check_refusal(expect["refused"], played.refusal)
    battle = played.battle
    events = [event(each) for each in battle.events]
    _in_order(expect.get("events", ()), events)
    for pattern in expect.get("never", ()):
        assert not any(fits(pattern, e) for e in events), f"it happened: {pattern}"
    _state(expect, full(battle.state))
    if "asked" in expect:
        assert list(battle.asked()) == expect["asked"], f"{battle.asked()} are asked"
    for seat in SEATS:
        _offers(expect, seat, battle)
    return None


def event(event: Event) -> dict[str, Any]:
    """An event with every field, those that have their default value too."""
    fields = msgspec.structs.fields(event)
    shown = {f.encode_name: full(getattr(event, f.name)) for f in fields}
    return {"type": event.NAME, **shown}


def _in_order(patterns: Iterable[Mapping[str, Any]], events: list[dict[str, Any]]) -> None:
    left: Iterator[dict[str, Any]] = iter(events)
    for pattern in patterns:
        named = [e for e in events if e["type"] == pattern["type"]]
        found = any(fits(pattern, event) for event in left)
        assert found, f"no such event in this order: {pattern}; of that type: {named}"


def fits(pattern: Any, value: Any) -> bool:
    """Whether ``value`` has all that ``pattern`` says: objects by their keys, all else equal."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(
            fits(wanted, value.get(key)) for key, wanted in pattern.items()
        )
    if isinstance(pattern, list):
        return isinstance(value, list | tuple) and list(pattern) == [*map(_plain, value)]
    return bool(pattern == value) and isinstance(pattern, bool) == isinstance(value, bool)


def _plain(value: Any) -> Any:
    return [*map(_plain, value)] if isinstance(value, tuple) else value


def _state(expect: Mapping[str, Any], state: Any) -> None:
    for path, wanted in expect.get("state", {}).items():
        found, value = _at(state, path)
        assert found, f"{path} is absent; it should be {wanted}"
        assert fits(wanted, value), f"{path} is {value}, not {wanted}"
    for path in expect.get("absent", ()):
        found, value = _at(state, path)
        assert not found, f"{path} is there: {value}"


def _at(value: Any, path: str) -> tuple[bool, Any]:
    for key in path.split("/")[1:]:
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list | tuple) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return False, None
    return True, value


def _offers(expect: Mapping[str, Any], seat: str, battle: Battle) -> None:
    listed = [msgspec.to_builtins(command) for command in battle.offers(seat)]
    for pattern in expect.get("offers", {}).get(seat, ()):
        assert any(fits(pattern, each) for each in listed), f"{seat} is not offered {pattern}"
    for pattern in expect.get("withholds", {}).get(seat, ()):
        assert not any(fits(pattern, each) for each in listed), f"{seat} is offered {pattern}"
