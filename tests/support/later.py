"""Pennant as a later version of it might be: its own source with some lines changed.

A contributor changes a stored event by hand in the game's file; so do these tests, in a copy. The
copy is a package of its own, so that the digest of its rules is another one, as after any change.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from domain.kernel.game import Game
from tests.support import pennant

Edits = Mapping[str, str]
"""Text of Pennant's file, which stands there, to what takes its place."""

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
    "= Chosen(seat=seat, choice=": "= Chosen(seat=seat, picked=",
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
    "if state.left > 1": "if state.remaining > 1",
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

_END = "    customs=CUSTOMS,\n    tables=TABLES,\n)\n"


def later(folder: Path, name: str, edits: Edits, declared: str) -> Game[Any, Any, Any]:
    """The game with ``edits``, and with ``declared`` among the fields of its ``Game``."""
    source = Path(pennant.__file__).read_text("utf-8")
    for old, new in {**edits, _END: _END.replace(")\n", f"{declared})\n")}.items():
        assert source.count(old) == 1, f"Pennant has it {source.count(old)} times: {old!r}"
        source = source.replace(old, new)
    package = folder / name
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    (package / "pennant.py").write_text(source, "utf-8")
    _imported(name, package / "__init__.py")
    game: Game[Any, Any, Any] = _imported(f"{name}.pennant", package / "pennant.py").GAME
    return game


def _imported(name: str, file: Path) -> Any:
    places = [str(file.parent)] if file.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=places)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
