"""Numbered conformance cases: one JSON object for each, which engines in any language can play.

    {"id": "PEN-C-001", "title": "...", "rules": ["PEN-4"], "edition": "first",
     "setup": {"seats": ["p1", "p2"], "options": {"turns": 2}},
     "script": [{"seat": "p1", "command": {"type": "pennant.pass"}}, {"faces": [[6]]}],
     "expect": {"events": [{"type": "turn-passed"}], "state": {"/turn": 2}}}

``expect`` holds to what came of it: ``events`` in this order among others, ``never``, ``refused``
(all that the refusal of the last entry says: code, and where it has them rule, hint and pointer),
``state`` and ``absent`` by JSON pointer, ``asked``, ``offers`` and ``withholds`` by seat,
``pointless`` by seat and rule. Objects fit by the keys that they name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Union

import msgspec

from ..agreed import options_of
from ..chance import Faces
from ..codec import full
from ..game import Game
from ..rules import Refused
from ..setup import Setup
from .table import Table, opened

AnyGame = Game[Any, Any, Any]
Case = Mapping[str, Any]
Begin = Callable[[Case], Table]
"""The table of a case; raises Refused when the rules do not allow its set-up."""
Look = Callable[[Any, Sequence[Any], Refused | None], Iterable[str]]
"""The faults of an entry, from the state before it, its events and its refusal."""

KEYS = frozenset({"id", "title", "rules", "edition", "setup", "script", "expect", "note"})
ENTRY = frozenset({"seat", "command", "faces", "refused", "preview"})
EXPECT = frozenset(
    {"events", "never", "refused", "state", "absent", "asked", "offers", "withholds", "pointless"}
)

SILENCE = frozenset({"never", "withholds"})
"""What holds of whatever has not come to pass yet, while dice are awaited."""


def nothing_more(state: Any, events: Sequence[Any], refusal: Refused | None) -> tuple[str, ...]:
    """Nothing else has to hold."""
    return ()


def begun(game: AnyGame, case: Case) -> Table:
    """The table of a case that begins with the game's opening."""
    given = dict(case.get("setup", {}))
    scenario, seats = given.pop("scenario", "standard"), tuple(given.pop("seats", ("p1", "p2")))
    agreed, customs = given.pop("options", {}), given.pop("customs", {})
    _known(given, frozenset(), "setup")
    edition = case.get("edition", game.editions[0])
    return opened(game, Setup(game.ruleset, edition, scenario, seats, agreed, customs))


def run(game: AnyGame, case: Case, begin: Begin | None = None, look: Look = nothing_more) -> None:
    """Play a case; AssertionError says in what the engine differs."""
    _known(case, KEYS, case["id"])
    expect = case["expect"]
    _known(expect, EXPECT, "expect")
    assert expect, "a case expects something"
    agreed = case.get("setup", {}).get("options", {})
    _known(agreed, frozenset(each.name for each in options_of(game.options)), "options")
    table = _given(game, case, begin)
    if isinstance(table, Refused):
        assert not case.get("script"), f"the set-up is refused: {table}"
        assert "refused" in expect, f"the set-up is refused: {table}"
        return _check_refusal(expect["refused"], table)
    script = case.get("script", ())
    assert script or "refused" not in expect, "the set-up is accepted; it should be refused"
    for number, entry in enumerate(script, 1):
        _known(entry, ENTRY, f"script entry {number}")
        wanted = expect.get("refused") if number == len(script) else None
        twice = wanted is not None and "refused" in entry
        assert not twice, f"script entry {number}: what refuses it stands in expect as well"
        _play(game, table, entry, entry.get("refused", wanted), look)
    return _hold(game, expect, table)


def _given(game: AnyGame, case: Case, begin: Begin | None) -> Table | Refused:
    try:
        return begun(game, case) if begin is None else begin(case)
    except Refused as refusal:
        return refusal


def _known(value: Mapping[str, Any], keys: frozenset[str], where: str) -> None:
    assert set(value) <= keys, f"{where}: unknown keys {sorted(set(value) - keys)}"


def _play(
    game: AnyGame, table: Table, entry: Case, refused: Mapping[str, str] | None, look: Look
) -> None:
    state, known = table.state, len(table.events)
    if "preview" in entry:
        _check_preview(game, state, entry)
    refusal = _answer(game, table, entry)
    lacking = sorted(set(look(state, table.events[known:], refusal)))
    assert not lacking, "\n".join(lacking)
    if refusal is None:
        assert not refused, f"accepted: {entry}; it should be refused: {refused}"
    else:
        assert refused, f"refused: {entry}: {refusal}"
        _check_pointer(game, entry, refusal)
        _check_refusal(refused, refusal)


def _check_preview(game: AnyGame, state: Any, entry: Mapping[str, Any]) -> None:
    """What the dry run tells of a command is this, and nothing else."""
    command = msgspec.convert(entry["command"], commands(game.commands))
    told = msgspec.to_builtins(game.preview(state, command))
    assert told == entry["preview"], f"the dry run tells {told}"


@cache
def commands(types: tuple[Any, ...]) -> Any:
    """The union of a game's commands, as msgspec decodes it."""
    return Union[types]  # noqa: UP007 (made from a tuple)


def do(game: AnyGame, table: Table, entry: Mapping[str, Any]) -> None:
    """One entry of a script: a seat's command, or how the awaited dice fall. Raises Refused."""
    if "faces" in entry:
        awaited = game.awaiting(table.state)
        label = awaited.label if awaited is not None else ""
        table.answer(Faces(label, tuple(tuple(pool) for pool in entry["faces"])))
    else:
        table.act(entry["seat"], msgspec.convert(entry["command"], commands(game.commands)))


def _answer(game: AnyGame, table: Table, entry: Mapping[str, Any]) -> Refused | None:
    try:
        do(game, table, entry)
    except Refused as refusal:
        return refusal
    return None


def _check_refusal(wanted: Mapping[str, str], refusal: Refused) -> None:
    got = said(refusal)
    assert got == dict(wanted), f"refused by {got}, not by {dict(wanted)}"


def said(refusal: Refused) -> dict[str, str]:
    """All that a refusal says, as a case names it: code and rule, and the rest where it has it."""
    more = {"hint": refusal.hint, "pointer": refusal.pointer}
    named = {key: text for key, text in more.items() if text}
    return {"code": refusal.code, "rule": refusal.rule} | named


def _check_pointer(game: AnyGame, entry: Case, refusal: Refused) -> None:
    """What a refusal points to is a field of the command that it refuses."""
    if "command" in entry and refusal.pointer:
        command = msgspec.convert(entry["command"], commands(game.commands))
        names = command.__struct_encode_fields__
        said = f"{refusal} points to {refusal.pointer}, and the command has {names}"
        assert refusal.pointer.split("/")[1] in names, said


def _hold(game: AnyGame, expect: Mapping[str, Any], table: Table) -> None:
    awaited = game.awaiting(table.state)
    said = f"it ends on dice that nobody expected ({awaited}): say in events what came before them"
    assert awaited is None or not expect.keys() <= SILENCE, said
    events = [event(each) for each in table.events]
    _in_order(expect.get("events", ()), events)
    for pattern in expect.get("never", ()):
        assert not any(fits(pattern, e) for e in events), f"it happened: {pattern}"
    _state(expect, full(table.state))
    if "asked" in expect:
        assert list(table.asked()) == expect["asked"], f"{table.asked()} are asked"
    for seat in sorted({*expect.get("offers", {}), *expect.get("withholds", {})}):
        _offers(expect, seat, table)
    for seat, wanted in expect.get("pointless", {}).items():
        _pointless(game, seat, wanted, table)


def event(event: Any) -> dict[str, Any]:
    """An event with every field, those that have their default value too."""
    fields = zip(event.__struct_encode_fields__, event.__struct_fields__, strict=True)
    shown = {told: full(getattr(event, name)) for told, name in fields}
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


def _offers(expect: Mapping[str, Any], seat: str, table: Table) -> None:
    listed = [msgspec.to_builtins(command) for command in table.offers(seat)]
    for pattern in expect.get("offers", {}).get(seat, ()):
        assert any(fits(pattern, each) for each in listed), f"{seat} is not offered {pattern}"
    for pattern in expect.get("withholds", {}).get(seat, ()):
        assert not any(fits(pattern, each) for each in listed), f"{seat} is offered {pattern}"


def _pointless(game: AnyGame, seat: str, wanted: Mapping[str, Any], table: Table) -> None:
    """By rule, what is offered as pointless: that and nothing else, and after all that is not."""
    listed = [(c, game.describe(table.state, c).pointless) for c in table.offers(seat)]
    marks = [bool(why) for _, why in listed]
    assert marks == sorted(marks), f"what is pointless is not at the end: {listed}"
    left = [(msgspec.to_builtins(command), why) for command, why in listed if why]
    for rule, patterns in wanted.items():
        for pattern in patterns:
            fit = [each for each in left if f"({rule})" in each[1] and fits(pattern, each[0])]
            assert fit, f"{seat} is not told by {rule} that {pattern} is pointless: {left}"
            left = [each for each in left if each not in fit]
    assert not left, f"{seat} is told that these are pointless: {left}"
