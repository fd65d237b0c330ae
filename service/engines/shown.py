"""The archive of what shows a game: sentences, pictures, names. It is laid over the engine that it
names, in whose package it runs, and has only files that the engine lacks.

No digest of a record names it and no verdict hangs on it, so it may be made anew for an old engine.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

from .. import container
from . import sample
from .build import (
    FORM,
    INTERFACE,
    MSGSPEC,
    PYTHON,
    SAMPLE,
    Ruleset,
    above,
    packages,
    packed,
    place_of,
    source_of,
)
from .closure import Modules, Tree, Unbuildable
from .data import DATA, compact
from .finder import Finder
from .load import Loaded, Unloadable

ABOUT = "shown.json"


def build(tree: Tree, ruleset: Ruleset, engine: bytes) -> bytes:
    """The archive. Raises Unbuildable.

    tree    the files of the game and of the kernel; they may be newer than the engine's
    engine  the archive that it is laid over
    """
    modules = Modules(tree)
    place = place_of(modules, ruleset.home)
    root = modules.file(f"{ruleset.home}.game")
    if not place.split or root is None:
        raise Unbuildable(f"{ruleset.home} is one module: its engine has what shows it")
    there = container.unpack(engine, container.ENGINE)
    needed = sorted(modules.closure((root,), above(place)) - there.keys())
    files = {name: source_of(tree, modules, name) for name in needed}
    files |= {name: b"" for name in packages(files) if name not in files and name not in there}
    folder = f"{ruleset.home.replace('.', '/')}/"
    for name in sorted(tree.keys() - there.keys()):
        content = compact(name, tree[name], {}) if _is_data(name, folder) else None
        files |= {} if content is None else {name: content}
    files[ABOUT] = _about(ruleset, engine)
    return packed(files)


def _is_data(name: str, folder: str) -> bool:
    return name.startswith(folder) and name.endswith(DATA)


def _about(ruleset: Ruleset, engine: bytes) -> bytes:
    about = {
        "for": sha256(engine).hexdigest(), "form": FORM, "interface": INTERFACE, "msgspec": MSGSPEC,
        "python": PYTHON, "root": f"{ruleset.home}.game:GAME", "ruleset": ruleset.name,
        "version": ruleset.version,
    }  # fmt: skip
    return json.dumps(about, sort_keys=True, separators=(",", ":")).encode()


def opened(archive: bytes) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files of an archive, and what it says of itself. Nothing of it runs. Raises Unloadable"""
    try:
        files = container.unpack(archive, container.ENGINE)
        about = json.loads(files[ABOUT])
        module, _, name = str(about["root"]).partition(":")
        if about["interface"] != INTERFACE or not (module and name and about["for"]):
            raise ValueError("it does not say what it is laid over")
    except (container.BadContainer, KeyError, TypeError, ValueError) as error:
        raise Unloadable(f"it is no archive of what shows a game: {error}") from None
    return files, about


_LAID: dict[str, tuple[str, Any]] = {}
"""By the digest of an engine: what is laid over it in this process, and the game that it makes."""


def lay(loaded: Loaded, archive: bytes) -> Any:
    """The engine's game: a record of its own kernel, with what shows it. Raises Unloadable.

    One thread at a time. A process lays one archive over an engine, and stays with it.
    """
    files, about = opened(archive)
    digest = sha256(archive).hexdigest()
    if about["for"] != loaded.digest:
        raise Unloadable(f"it is made for the engine {about['for']}, not for {loaded.digest}")
    if loaded.digest not in _LAID:
        _LAID[loaded.digest] = (digest, _game(loaded, files, str(about["root"])))
    laid, game = _LAID[loaded.digest]
    if laid != digest:
        raise Unloadable(f"another one, {laid}, is laid over this engine in this process")
    return game


def _game(loaded: Loaded, files: Mapping[str, bytes], root: str) -> Any:
    both = sorted((files.keys() & loaded.files.keys()) - {ABOUT})
    if both:
        raise Unloadable(f"it has {both[0]}, which the engine has: nothing of that is replaced")
    name = loaded.package.removesuffix(".")
    finder = next(each for each in sys.meta_path if isinstance(each, Finder) and each.is_of(name))
    before = set(sys.modules)
    module, _, attribute = root.partition(":")
    finder.lay(files)
    try:
        return getattr(importlib.import_module(f"{loaded.package}{module}"), attribute)
    except Exception as error:  # a strange archive may do anything
        finder.lay({})
        for each in [m for m in set(sys.modules) - before if m.startswith(loaded.package)]:
            del sys.modules[each]
        raise Unloadable(f"it cannot be loaded: {type(error).__name__}: {error}") from None


def try_sample(loaded: Loaded, game: Any) -> int:
    """Show the engine's own sample, each event and each position; how many lines that were.

    Raises Unloadable where something of it cannot be shown.
    """
    lines = sample.read(loaded.files[SAMPLE])
    try:
        for state, before, events in _positions(loaded, game, lines):
            game.picture(state, before, events)
            game.board(state)
    except Exception as error:  # a strange archive may do anything
        told = f"{type(error).__name__}: {error}"
        raise Unloadable(f"a position of the sample cannot be shown: {told}") from None
    return len(lines)


def _positions(loaded: Loaded, game: Any, lines: list[sample.Line]) -> Any:
    kernel = sample.kernel(loaded.package)
    commands = msgspec.json.Decoder(sample.union(game.commands))
    state = None
    for line in lines:
        events, before = sample.led_to(game, kernel, commands, state, line), state
        state = game.fold(events, state)
        yield state, before, events
