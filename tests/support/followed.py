"""What each projection makes of a log that never changes, kept beside its version and its source.

A document that is stored is made again only when the version of its projection is raised. So a
projection that makes anything else of the same log needs another version:

    python -m tests.support.followed

takes in projections that are new, and what a raised version makes; of the same version it takes in
another source only where all rows come out as they did. The log is that of the frozen stored forms
(tests/service/store) and of the first battle, one event of each game in turn; what an event means
is asked of the games of today, for a meaning that changes changes documents as well. Stored forms
that came since make another log, of which no version has made anything: a projection is judged over
the files that were there when it was kept, and then kept over all.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from domain.kernel.finder import games
from domain.kernel.values import Seat
from projections.finder import found
from projections.follow import Entry, Projection
from service.container import unpack
from service.evidence import chain
from service.evidence.records import SERVICE, BatchRolled, DeadlinePassed, opens_master
from service.following.log import _body, _entry
from service.following.meaning import Meanings
from service.store.rows import Body
from tests.service.store.freeze import FORMS, Form, Head
from tests.support import pennant, soundings
from tests.support.suites import TESTS

KEPT = TESTS / "frozen" / "projections.json"
BATTLE = TESTS / "games" / "first-battle.decklog"
COMMAND = "make remake (python -m tests.support.followed)"

T = TypeVar("T", bound=msgspec.Struct)
Rows = dict[str, tuple[int, str, str]]
"""Documents by key: rank, kind, and the document as JSON."""


class Kept(msgspec.Struct, frozen=True):
    """Of a projection: its version, a digest of its source, and one of what it made."""

    version: int
    source: str
    rows: str


class Followed(msgspec.Struct, frozen=True):
    """The projections by name, and the files of the log over which they were kept."""

    log: tuple[str, ...]
    projections: dict[str, Kept]


# --- the log --------------------------------------------------------------------------------------


WHOLE = tuple(file.name for file in FORMS)
"""The files of the log of today; the first battle is the last game of every log."""


@cache
def entries(log: tuple[str, ...] = WHOLE) -> tuple[Entry, ...]:
    """One event of each game in turn, so that games are in progress side by side."""
    installed: dict[str, Any] = {"pennant": pennant.GAME, "soundings": soundings.GAME}
    meanings = Meanings({**games(), **installed})
    turns = zip_longest(*(_game(game, ruleset, rows) for game, ruleset, rows in _stored(log)))
    told = [each for turn in turns for each in turn if each is not None]
    return tuple(
        msgspec.structs.replace(
            each, place=place, roles=meanings.of(each.ruleset, each.type, each.schema, each.data)
        )
        for place, each in enumerate(told, 1)
    )


def _stored(log: tuple[str, ...]) -> Iterator[tuple[str, str, list[bytes]]]:
    """Games with their rulesets and rows, as the store has them."""
    files = {file.name: file for file in FORMS}
    for file in (files[name] for name in log):
        first, *rest = file.read_bytes().splitlines()
        head = msgspec.json.decode(first, type=Head)
        rows = [msgspec.json.decode(line, type=Form).state.encode() for line in rest]
        yield head.game, head.ruleset, rows
    bundle = unpack(BATTLE.read_bytes())
    game = json.loads(bundle["manifest.json"])["game"]
    yield game, "war-at-sea", [_row(line) for line in bundle["events.jsonl"].splitlines()]


def _row(line: bytes) -> bytes:
    """A line of evidence as the row that it was."""
    return b'{"body":' + line + b',"hash":"' + chain.hash_of(line).encode() + b'"}'


def _game(game: str, ruleset: str, rows: list[bytes]) -> Iterator[Entry]:
    """The entries of a game, without their places and meanings."""
    hidden: list[Entry] = []
    last = ""
    read = [_body(game, seq, state) for seq, state in enumerate(rows, 1)]
    stored = [each for each in read if each is not None]
    assert len(stored) == len(rows), game
    orders = _orders(body for body, _ in stored)
    for body, truth in stored:
        ordered = bool(body.cause.id) and body.cause.id != last
        last = body.cause.id
        by = orders[last] if ordered else None
        entry = _entry(0, ruleset, body, bytes(body.data), by=by)
        if body.type == BatchRolled.TYPE and truth:
            hidden.append(_entry(0, ruleset, body, truth, by=None))
        opens = opens_master(body.type, body.schema)
        yield msgspec.structs.replace(entry, opened=tuple(hidden)) if opens else entry


def _orders(bodies: Iterable[Body]) -> dict[str, Seat]:
    """Whose each order is, by its id: evidence keeps no other trace of it than who acted."""
    found: dict[str, Seat] = {}
    for body in bodies:
        known = found.get(body.cause.id, "")
        overdue = body.type == DeadlinePassed.TYPE
        who = json.loads(bytes(body.data))["seat"] if overdue else body.actor
        found[body.cause.id] = known or ("" if who == SERVICE else who)
    return found


# --- what is made of it ---------------------------------------------------------------------------


class Memory:
    """A shelf in memory, which keeps what was written as bytes, as the store does."""

    def __init__(self) -> None:
        self.rows: Rows = {}
        self.written: list[tuple[str, msgspec.Struct]] = []

    def read(self, key: str, type_: type[T]) -> T | None:
        kept = self.rows.get(key)
        return None if kept is None else msgspec.json.decode(kept[2], type=type_)

    def write(self, key: str, document: msgspec.Struct, *, rank: int = 0, kind: str = "") -> None:
        self.written.append((key, document))
        self.rows[key] = rank, kind, msgspec.json.encode(document).decode()


def made(projection: Projection, log: tuple[str, ...] = WHOLE) -> Rows:
    """What a projection makes of a log."""
    return filled(projection, log).rows


def filled(projection: Projection, log: tuple[str, ...] = WHOLE) -> Memory:
    """The shelf of a projection that has read a log."""
    shelf = Memory()
    for entry in entries(log):
        projection.take(shelf, entry)
    return shelf


def made_with_stops(name: str, every: int) -> Rows:
    """The same by a service that is started anew after so many events."""
    shelf = Memory()
    log = entries()
    for begin in range(0, len(log), every):
        with started_anew() as fresh:
            for entry in log[begin : begin + every]:
                fresh[name].take(shelf, entry)
    return shelf.rows


@contextmanager
def started_anew() -> Iterator[Mapping[str, Projection]]:
    """The projections as a new process finds them: whatever a module remembers is gone."""
    before = {name: module for name, module in sys.modules.items() if _ours(name)}
    for name in before:
        del sys.modules[name]
    try:
        yield importlib.import_module("projections.finder").found()
    finally:
        for name in [name for name in sys.modules if _ours(name)]:
            del sys.modules[name]
        sys.modules.update(before)


def _ours(name: str) -> bool:
    return name == "projections" or name.startswith("projections.")


# --- what is kept ---------------------------------------------------------------------------------


def now(projection: Projection, log: tuple[str, ...] = WHOLE) -> Kept:
    """A projection as it is today, over a log."""
    rows = json.dumps(sorted(made(projection, log).items())).encode()
    return Kept(projection.version, source_of(projection.take.__module__), _short(rows))


def source_of(module: str) -> str:
    """A digest of what a module says and of all of the projections that it imports, but words."""
    texts = [f"{name} {_bare(_path(name))}" for name in sorted(_needed(module, set()))]
    return _short("\n".join(texts).encode())


def _short(told: bytes) -> str:
    return hashlib.sha256(told).hexdigest()[:16]


def _path(module: str) -> Path:
    return Path(str(importlib.import_module(module).__file__))


def _needed(module: str, seen: set[str]) -> set[str]:
    if module not in seen:
        seen.add(module)
        for node in ast.walk(ast.parse(_path(module).read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                _needed(f"{module.rpartition('.')[0]}.{node.module}", seen)
    return seen


def _bare(path: Path) -> str:
    """The parsed source without comments, form and docstrings; the version stands beside it."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [each for each in node.body if not _is_words(each)] or [ast.Pass()]
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Projection":
            node.args = [each for place, each in enumerate(node.args) if place != 1]
    return ast.unparse(tree)  # as text: what a dump leaves out is another in each Python


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def load() -> Followed:
    """What is kept."""
    return msgspec.json.decode(KEPT.read_bytes(), type=Followed)


def fault(name: str, kept: Kept | None, is_: Kept | None) -> str:
    """What is wrong with a projection's version, in words that say what to do; "" if nothing."""
    if kept == is_:
        return ""
    if kept is None or is_ is None:
        return f"{name}: a projection that is {'gone' if is_ is None else 'new'}; run: {COMMAND}"
    if is_.version > kept.version:
        return f"{name}: version {is_.version} is new; run: {COMMAND}"
    if refused(kept, is_):
        return (
            f"{name}: of the same log it makes other documents than version {kept.version} did, "
            f"and those that are stored stay as they are: raise its version in "
            f"projections/ to {kept.version + 1}, then run: {COMMAND}"
        )
    return f"{name}: its source changed, and all documents come out as they did; run: {COMMAND}"


def refused(kept: Kept, is_: Kept) -> bool:
    """Whether it may not be taken in: other rows without a raised version, or a lower one."""
    if is_.version == kept.version:
        return is_.rows != kept.rows
    return is_.version < kept.version


def taken(kept: dict[str, Kept], today: dict[str, Kept]) -> dict[str, Kept]:
    """What is kept from now on. Raises ValueError where a version has to be raised first."""
    wrong = [
        fault(name, kept[name], is_)
        for name, is_ in today.items()
        if name in kept and refused(kept[name], is_)
    ]
    if wrong:
        raise ValueError("\n".join(wrong))
    return today


def main() -> int:
    kept = load() if KEPT.is_file() else Followed(WHOLE, {})
    try:
        taken(kept.projections, {name: now(each, kept.log) for name, each in found().items()})
    except ValueError as wrong:
        print(wrong)
        return 1
    told = Followed(WHOLE, {name: now(each) for name, each in found().items()})
    KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
    print(f"{KEPT.name}: {len(told.projections)} projections")
    return 0


if __name__ == "__main__":
    sys.exit(main())
