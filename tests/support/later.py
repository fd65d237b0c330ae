"""Pennant as a later version of it might be: its own source with some lines changed.

A contributor changes a stored event by hand in the game's files; so do these tests, in a copy. The
copy is a package of its own, so that the digest of its rules is another one, as after any change.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

from domain.examples import pennant
from domain.kernel.game import Game

Edits = Mapping[str, str]
"""Text that one file of Pennant's has, to what takes its place."""

AIMED: Edits = {
    'NAME = "fire-declared"\n    seat: Seat = ""\n    aim:': (
        'NAME = "fire-declared"\n    SCHEMA = 2\n    seat: Seat = ""\n    target:'
    ),
    "FireDeclared(seat=seat, aim=command.aim": "FireDeclared(seat=seat, target=command.aim",
    "fires at the {event.aim}": "fires at the {event.target}",
    "event.seat, event.aim)": "event.seat, event.target)",
    'NAME = "chosen"\n    seat: Seat = ""\n    choice:': (
        'NAME = "chosen"\n    SCHEMA = 2\n    seat: Seat = ""\n    picked:'
    ),
    "emit(Chosen(seat=seat, choice=": "emit(Chosen(seat=seat, picked=",
    "event.choice if": "event.picked if",
    "case Chosen(seat=seat, choice=": "case Chosen(seat=seat, picked=",
    "replace(event, choice=Hidden(1))": "replace(event, picked=Hidden(1))",
    "Chosen(choice=Known(items=items))": "Chosen(picked=Known(items=items))",
}
"""Two events, one of them secret, have a field of another name and the number 2."""

AIMED_UPCASTERS = """    upcasters={
        ("fire-declared", 1): lambda old: {
            ("target" if name == "aim" else name): value for name, value in old.items()
        },
        ("chosen", 1): lambda old: {
            ("picked" if name == "choice" else name): value for name, value in old.items()
        },
    },
"""

MOVED: Edits = {
    "    left: int\n": "    remaining: int\n",
    "left=state.left - 1": "remaining=state.remaining - 1",
    "if flow.state.left:": "if flow.state.remaining:",
    "turns left: {state.left}": "turns left: {state.remaining}",
}
"""A field of the position has another name: a form of its own, number 2."""

MOVED_UPCASTER = """    position=2,
    upcasters={
        ("forked", 1): lambda old: {
            **old,
            "state": {
                ("remaining" if name == "left" else name): value
                for name, value in old["state"].items()
            },
        },
    },
"""

_END = "    customs=CUSTOMS,\n    courses=(COURSE,),\n)\n"


def later(folder: Path, name: str, edits: Edits, declared: str) -> Game[Any, Any, Any]:
    """The game with ``edits``, and with ``declared`` among the fields of its ``Game``."""
    package = folder / name / "pennant"
    shutil.copytree(pennant.__path__[0], package, ignore=shutil.ignore_patterns("__pycache__"))
    (package.parent / "__init__.py").write_text("", "utf-8")
    for old, new in {**edits, _END: _END.replace(")\n", f"{declared})\n")}.items():
        exchange(package, old, new)
    with _importable(folder):
        game: Game[Any, Any, Any] = import_module(f"{name}.pennant").GAME
    return game


def exchange(package: Path, old: str, new: str) -> None:
    """Put a text in the place of one that one file of the package has, once."""
    found = [path for path in package.rglob("*.py") if old in path.read_text("utf-8")]
    assert len(found) == 1, f"Pennant has it in {[path.name for path in found]}: {old!r}"
    source = found[0].read_text("utf-8")
    assert source.count(old) == 1, f"{found[0].name} has it {source.count(old)} times: {old!r}"
    found[0].write_text(source.replace(old, new), "utf-8")


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
