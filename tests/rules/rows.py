"""Rows of tables, changed one at a time: a rule about a table is proved over the whole table.

A table is what a home reads: a dict, a tuple or a set of a module, or what is read of a file.
``tables.toml`` says which rules are about it. Each row is changed in turn, one figure or word of
it, and then left out; a test that is marked with the rule has to notice each change.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import msgspec

from domain.kernel.rules import HOMES
from tests.rules.changes import RULE, of_the_game

TABLES = Path(__file__).parent / "tables.toml"
GAMES = "domain.games."
FILE: Any = type(cache(lambda: None))
"""What a function is that reads a file once: remembered, and without parameters."""
ROWS = 2
"""Rows that make a table."""
LEFT_OUT = "left out"
MANY = 300
"""Rows of plain figures beyond which each is changed once only."""


class Table(msgspec.Struct, frozen=True):
    """A table that rules are about.

    name    module below ``domain.games`` and name in it; ``()`` behind it: what is read of a file
    rules   the rules that are about it: a test of each has to notice every row
    fields  of its rows, those that the rules are about; empty: all
    only    the rows that the rules are about; empty: all
    subject the tests compare the table itself with what the rule says; else a test that takes its
            expectation from the table proves nothing about it
    owed    why it is not tried yet; the list of these may only shrink
    by      a field of the rows that names the one rule that the row is about
    """

    name: str
    rules: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    by: str = ""
    only: tuple[str, ...] = ()
    subject: bool = False
    owed: str = ""


class Tables(msgspec.Struct, frozen=True):
    """What ``tables.toml`` holds.

    table   the tables that rules are about
    silent  other tables that homes read, each with why no rule is about its rows
    """

    table: tuple[Table, ...]
    silent: dict[str, str]


class Changed(NamedTuple):
    """A table with one row changed.

    row   which, for people
    what  how
    new   the whole table as it is then
    """

    row: str
    what: str
    new: Any


@cache
def tables() -> Tables:
    """``tables.toml``."""
    return msgspec.convert(tomllib.loads(TABLES.read_text("utf-8")), Tables)


# --- which tables there are ----------------------------------------------------------------------


def read_by_homes(homes: Mapping[CodeType, Sequence[FunctionType]]) -> dict[str, set[str]]:
    """The tables that homes name, by the name that ``tables.toml`` calls them, with the rules."""
    found: dict[str, set[str]] = {}
    for identifier, code in HOMES.items():
        for function in homes[code][:1]:
            for name in _names(code):
                if table := _table(function.__globals__, name):
                    found.setdefault(table, set()).add(identifier)
    return found


def _names(code: CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _table(module: dict[str, Any], name: str) -> str:
    """What a name of a module is called in ``tables.toml``; empty: it is no table of a game."""
    thing: Any = module.get(name)
    if _reads_file(thing) and thing.__module__.startswith(GAMES):
        return (
            f"{thing.__module__.removeprefix(GAMES)}.{thing.__name__}()" if _rows(thing()) else ""
        )
    if not _rows(thing):
        return ""
    held = sorted(
        module
        for module, each in list(sys.modules.items())
        if module.startswith(GAMES) and any(thing is other for other in vars(each).values())
    )
    owner = next((each for each in held if _assigns(each, name)), "")
    return f"{owner.removeprefix(GAMES)}.{name}" if owner else ""


@cache
def _assigned(module: str) -> frozenset[str]:
    """The names that a module's own lines give a value."""
    path = sys.modules[module].__file__
    assert path is not None
    body = ast.parse(Path(path).read_text("utf-8")).body
    targets: list[ast.expr] = []
    for node in body:
        targets += node.targets if isinstance(node, ast.Assign) else ()
        targets += [node.target] if isinstance(node, ast.AnnAssign) else ()
    return frozenset(each.id for each in targets if isinstance(each, ast.Name))


def _assigns(module: str, name: str) -> bool:
    return name in _assigned(module)


def _reads_file(thing: Any) -> bool:
    return isinstance(thing, FILE) and not thing.__wrapped__.__code__.co_argcount


def _rows(thing: Any) -> bool:
    """Whether it has rows that a rule could be about: no functions, no types."""
    if type(thing) not in (dict, tuple, list, frozenset) or len(thing) < ROWS:
        return False
    values = list(thing.values() if isinstance(thing, dict) else thing)
    keys = list(thing) if isinstance(thing, dict) else []
    return not all(map(callable, values)) and not any(isinstance(each, type) for each in keys)


def held(name: str) -> Any:
    """The table of that name as it is."""
    thing = _thing(name)
    return thing() if name.endswith("()") else thing


def _thing(name: str) -> Any:
    module, _, attribute = name.removesuffix("()").rpartition(".")
    return getattr(importlib.import_module(GAMES + module), attribute)


@contextmanager
def put(name: str, new: Any) -> Iterator[None]:
    """While it is entered every module that names the table has the changed one."""
    old, places = _thing(name), _places_of(name)
    _lay(places, cache(lambda: new) if name.endswith("()") else new)
    try:
        yield
    finally:
        _lay(places, old)


def _lay(places: Iterable[tuple[ModuleType, str]], thing: Any) -> None:
    for module, key in places:
        setattr(module, key, thing)


@cache
def _places_of(name: str) -> tuple[tuple[ModuleType, str], ...]:
    old = _thing(name)
    return tuple(
        (module, key)
        for known, module in list(sys.modules.items())
        if known.startswith(("domain.", "tests."))
        for key, value in list(vars(module).items())
        if value is old
    )


def takes_from(function: Any, name: str) -> bool:
    """Whether a test has its expectation from the table itself: it proves nothing about it."""
    old = _thing(name)
    module = getattr(function, "__globals__", {})
    return any(module.get(each) is old for each in _names(function.__code__))


def told_of(table: Table) -> str:
    """All that the table says, as text; of functions in it only that they are there.

    The same after a move: in which module it stands is left out.
    """
    rows = [(row, value) for row, value, *_ in _rows_of(held(table.name))]
    table = msgspec.structs.replace(table, name=table.name.rpartition(".")[2])
    return f"{table} {msgspec.json.encode(rows, enc_hook=lambda each: '')!r}"


# --- changes of rows -----------------------------------------------------------------------------


def changed_rows(table: Table) -> Iterator[Changed]:
    """The table with one row changed, one place at a time, then with that row left out."""
    whole = held(table.name)
    for row, value, put_, dropped, peers in _about(whole, table):
        if table.only and row not in table.only:
            continue
        leaves = _leaves(value, peers, table.fields)
        for what, new in islice(leaves, 1 if len(whole) > MANY and not table.fields else None):
            yield Changed(row, what, put_(new))
        if not table.fields and len(whole) <= MANY:
            yield Changed(row, LEFT_OUT, dropped)


Row = tuple[str, Any, Callable[[Any], Any], Any]


def _about(
    whole: Any, table: Table
) -> Iterator[tuple[str, Any, Callable[[Any], Any], Any, list[Any]]]:
    """The rows, each with its peers; where a field names the rule only those of the one rule.

    Such rows may lie one level deeper: a list for each edition.
    """
    peers = [each for _, each, *_ in _rows_of(whole)]
    for row, value, put_, dropped in _rows_of(whole):
        if not table.by or getattr(value, table.by, "") in table.rules:
            yield row, value, put_, dropped, peers
        elif not hasattr(value, table.by):
            for inner, each, put_in, rest in _rows_of(value):
                if getattr(each, table.by) in table.rules:
                    nested = partial(_put_within, put_, put_in)
                    yield f"{row} {inner}", each, nested, put_(rest), list(value)


def _put_within(outer: Callable[[Any], Any], inner: Callable[[Any], Any], new: Any) -> Any:
    return outer(inner(new))


def _rows_of(whole: Any) -> Iterator[Row]:
    """Each row: its name, what it holds, how another is put there, the table without it."""
    if isinstance(whole, dict):
        for key, value in whole.items():
            rest = {k: v for k, v in whole.items() if k != key}
            yield str(key), value, partial(_put_key, whole, key), rest
    elif isinstance(whole, frozenset):
        for each in sorted(whole, key=repr):
            yield repr(each), each, partial(_put_member, whole, each), whole - {each}
    else:
        for number, each in enumerate(whole):
            rows = [*whole[:number], *whole[number + 1 :]]
            name = f"{number} ({_short(each)})"
            yield name, each, partial(_put_number, whole, number), type(whole)(rows)


def _put_key(whole: dict[Any, Any], key: Any, new: Any) -> dict[Any, Any]:
    return {**whole, key: new}


def _put_member(whole: frozenset[Any], old: Any, new: Any) -> frozenset[Any]:
    return whole - {old} | {new}


def _put_number(whole: Any, number: int, new: Any) -> Any:
    return type(whole)([*whole[:number], new, *whole[number + 1 :]])


def _short(value: Any) -> str:
    return str(getattr(value, "id", value))[:40]


def _leaves(value: Any, peers: Sequence[Any], fields: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """The value with one of its figures or words changed. A word becomes that of another row."""
    match value:
        case bool():
            yield f"{not value}", not value
        case int():
            yield "one more", value + 1
            yield "one less", value - 1
        case str():
            yield from _other_word(value, peers)
        case _ if _fields(value):
            yield from _of_fields(value, peers, fields or _fields(value))
        case tuple() | list() | dict() | frozenset():
            yield from _of_rows(value, peers)


def _other_word(value: str, peers: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    if RULE.fullmatch(value) or not of_the_game(value):
        return
    other = next((each for each in peers if isinstance(each, str) and each != value), value + "-")
    yield f"{value} -> {other}", other


def _fields(value: Any) -> tuple[str, ...]:
    """Of a struct, a dataclass or a named tuple; of all else none."""
    if isinstance(value, msgspec.Struct):
        return value.__struct_fields__
    if dataclasses.is_dataclass(value):
        return tuple(each.name for each in dataclasses.fields(value))
    return tuple(getattr(value, "_fields", ()))


def _of_fields(
    value: Any, peers: Sequence[Any], fields: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    for name in fields:
        if hasattr(value, name):
            own = [getattr(each, name) for each in peers if type(each) is type(value)]
            for what, new in _leaves(getattr(value, name), own, ()):
                yield f"{name} {what}", _replaced(value, **{name: new})


def _replaced(value: Any, **fields: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **fields)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **fields)
    return value._replace(**fields)


def _of_rows(value: Any, peers: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Rows within a row; where there are none, those of another row.

    What stands for a word in a mapping says how it is shown; that it stands there is the rule.
    """
    inner_peers = [each for _, each, *_ in _rows_of(value)]
    for inner, held_, put_, rest in _rows_of(value):
        if not (isinstance(value, dict) and isinstance(held_, str)):
            for what, new in _leaves(held_, inner_peers, ()):
                yield f"{inner} {what}", put_(new)
        if not isinstance(held_, int):
            yield f"{inner} left out", rest
    if not value and (other := next((each for each in peers if each), None)) is not None:
        yield f"{other}", other
