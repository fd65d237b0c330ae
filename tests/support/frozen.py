"""The stored form of every event, frozen: what was written once is read for ever.

tests/frozen/<game>.json holds, for each event type and schema number, its newest form (a JSON
Schema) and the example that was stored first. The position of a fork is one of them. The forms of a
game's options stand apart, a file for each (:mod:`tests.support.option_records`): one option more
is one file more, and no other record is rewritten.

``python -m tests.support.frozen`` adds types that are new and takes in forms that only grew
(:mod:`tests.support.additive` says what that means); it refuses every other change, which needs a
new number and an upcaster. Nothing is released yet: until then ``--anew NAME`` may strike what no
store of anybody's holds, and freeze it as it is now.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from inspect import getsourcefile
from pathlib import Path
from typing import Any, get_origin

import msgspec
from msgspec import inspect

from domain.kernel.fork import NAME as FORKED
from domain.kernel.forked import fork_rules
from tests.support import option_records
from tests.support.additive import breaks
from tests.support.suites import TESTS, Suite, chosen, with_games


def file(suite: Suite) -> Path:
    """Where a game's stored forms are frozen."""
    return TESTS / "frozen" / f"{suite.folder}.json"


def options_folder(suite: Suite) -> Path:
    """Where the records of a game's options are."""
    return file(suite).parent / option_records.FOLDER / suite.folder


def load(suite: Suite) -> dict[str, dict[str, Any]]:
    """What is frozen, by stored name and schema number: ``war-at-sea.unit-moved.v1``."""
    frozen: dict[str, dict[str, Any]] = json.loads(file(suite).read_text("utf-8"))
    records = option_records.load(options_folder(suite))
    options = {name: each.form for name, each in records.items() if each.form}
    apart = {name for name, entry in frozen.items() if _options(suite, entry) == {}}
    return frozen | {name: _with_options(suite, frozen[name], options) for name in apart}


def _options(suite: Suite, entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """The options of a game that stand in a form; None where it has none."""
    part: dict[str, Any] = entry["form"].get(suite.game.options.__name__, {})
    return part.get("properties")


def _with_options(
    suite: Suite, entry: dict[str, Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """An entry with these options in the place of those that stand in its form."""
    name = suite.game.options.__name__
    part = entry["form"][name] | {"properties": dict(options)}
    return entry | {"form": entry["form"] | {name: part}}


def key(suite: Suite, type_: type[Any]) -> str:
    """Name and number under which a type's present form is frozen."""
    return f"{suite.game.ruleset}.{type_.NAME}.v{type_.SCHEMA}"


def form(type_: type[Any]) -> dict[str, Any]:
    """The stored form of a type: fields, types, defaults, those of its parts included."""
    (schema,), parts = msgspec.json.schema_components([type_], ref_template="{name}")
    built: dict[str, Any] = json.loads(msgspec.json.encode([schema, parts]))[1]
    return {name: _bare(part) for name, part in built.items()}


def _bare(part: Any) -> Any:
    """Descriptions and extensions (an option's rule) are for readers and may change."""
    if isinstance(part, dict):
        told = {name for name in part if name == "description" or name.startswith("x-")}
        return {name: _bare(value) for name, value in part.items() if name not in told}
    return [_bare(each) for each in part] if isinstance(part, list) else part


def kinds(suite: Suite) -> tuple[type[Any], ...]:
    """Every type that is stored: the events of a ruleset, and the position of its forks."""
    return fork_rules(suite.game).events


def keeping(type_: type[Any]) -> frozenset[str]:
    """The structs in a type that write their defaults out, by name."""
    return frozenset(cls.__name__ for cls in _structs(inspect.type_info(type_), set()))


def _structs(info: Any, seen: set[Any]) -> Iterator[type[Any]]:
    if isinstance(info, inspect.StructType):
        if info.cls in seen:
            return
        seen.add(info.cls)
        cls = get_origin(info.cls) or info.cls
        if not cls.__struct_config__.omit_defaults:
            yield cls
        for field in info.fields:
            yield from _structs(field.type, seen)
    for name in ("types", "item_types"):
        for each in getattr(info, name, ()):
            yield from _structs(each, seen)
    for name in ("item_type", "key_type", "value_type"):
        if (inner := getattr(info, name, None)) is not None:
            yield from _structs(inner, seen)


def broken(type_: type[Any], known: dict[str, Any]) -> list[str]:
    """How a type's present form breaks the frozen one; [] if it only grew, or not even that."""
    return breaks(known["form"], form(type_), keeping(type_))


def advice(suite: Suite, type_: type[Any], found: list[str]) -> str:
    """The two ways on, for who has changed a stored type."""
    where = Path(getsourcefile(type_) or "").name
    number, up = ("position", "Game") if type_.NAME == FORKED else ("SCHEMA", type_.__name__)
    old = f'("{type_.NAME}", {type_.SCHEMA})'
    return "\n".join((
        f"{key(suite, type_)}: what is stored would not be read, or not mean, what it did:",
        *(f"  {each}" for each in found),
        f"Either only add to it ({where}): fields with a default, of structs with omit_defaults;",
        f"or set {number} = {type_.SCHEMA + 1} on {up}, give Game.upcasters an entry {old} that",
        f"makes the new data of the old ({suite.game.state.__module__.rpartition('.')[0]}), and",
        "run: make remake (python -m tests.support.frozen). Nothing is released: what no store",
        "of anybody's holds may be frozen anew:",
        f"python -m tests.support.frozen --anew {key(suite, type_)}",
    ))  # fmt: skip


def examples(suite: Suite) -> dict[str, Any]:
    """One event of each type, the richest of some random games where they have one."""
    codec = suite.codec
    found: dict[str, bytes] = {key(suite, type(event)): codec.encode(event) for event in suite.rare}
    for seed in range(12):
        for event in suite.sample(seed):
            data, name = codec.encode(event), key(suite, type(event))
            if len(found.get(name, b"")) < len(data):
                found[name] = data
    position = _position(suite)
    found[key(suite, type(position))] = codec.encode(position)
    return {name: json.loads(data) for name, data in found.items()}


def _position(suite: Suite) -> Any:
    """The first event of a fork of a random game's middle."""
    events = suite.sample(0)
    state = suite.game.fold(events[: len(events) // 2])
    return kinds(suite)[-1](state=state)


def freeze(suite: Suite, anew: frozenset[str] = frozenset()) -> list[str]:
    """Freeze what is new, take in what grew; what is refused, in words. ``anew`` is struck first.

    Nothing is written where anything is refused.
    """
    frozen = load(suite) if file(suite).exists() else {}
    frozen = {name: entry for name, entry in frozen.items() if name not in anew}
    fresh = [type_ for type_ in kinds(suite) if key(suite, type_) not in frozen]
    shown = examples(suite) if fresh else {}
    for type_ in kinds(suite):
        name = key(suite, type_)
        known = frozen.get(name)
        if known is None:
            frozen[name] = {"form": form(type_), "example": shown[name]}
            print(f"frozen: {name}")
        elif found := broken(type_, known):
            return [advice(suite, type_, found)]
        elif known["form"] != form(type_):
            known["form"] = form(type_)
            print(f"grown: {name}")
    _store(suite, frozen)
    return []


def _store(suite: Suite, frozen: Mapping[str, dict[str, Any]]) -> None:
    """Write them, a line each, and the options of today apart.

    Forms of older numbers had the options of their day, which stay with them.
    """
    present = {key(suite, type_) for type_ in kinds(suite)}
    options, lean = dict[str, Any](), dict(frozen)
    for name in present:
        if (found := _options(suite, frozen[name])) is not None:
            options |= found
            lean[name] = _with_options(suite, frozen[name], {})
    lines = [
        f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'), sort_keys=True)}"
        for name, entry in sorted(lean.items())
    ]
    file(suite).parent.mkdir(exist_ok=True)
    file(suite).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    option_records.with_forms(options_folder(suite), options)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.support.frozen", description=__doc__)
    parser.add_argument("--anew", action="append", default=[], metavar="NAME", help="strike first")
    with_games(parser)
    given = parser.parse_args()
    anew, games = frozenset(given.anew), chosen(given.game).values()
    refused = [text for each in games for text in freeze(each, anew)]
    print("\n".join(refused), file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
