"""The archive of what decides a game: one file, and the same bytes wherever it is built.

It holds the modules that the game's engine needs, in their normal form, the data that decide, a
sample to try it by, and ``engine.json``, which says what it is. Its name is its SHA-256. Packages
above the rules are empty: in the tree they import what shows.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import NamedTuple

from .. import container
from .closure import Modules, Tree, Unbuildable, imports, in_tree
from .data import DATA, compact, shown_keys
from .normal import Line, lines, written

FORM = 1
INTERFACE = 1
PYTHON = ">=3.11"
MSGSPEC = ">=0.20,<1"

ABOUT = "engine.json"
SAMPLE = "sample.jsonl"

KERNEL = "domain/kernel/"
ALWAYS = (f"{KERNEL}codec.py", f"{KERNEL}forking.py")
"""What a judge asks besides the engine: the one form of what is recorded, and how forks go on."""


class Ruleset(NamedTuple):
    """What an archive is made of.

    name  of the ruleset
    home  the package of the game, or its one module, by its dotted name
    """

    name: str
    version: str
    home: str


class SourceFolder(NamedTuple):
    """Where what decides stands in a tree.

    root    the engine: ``module:NAME``
    file    of that module
    folder  of its data, with a slash at the end; "" where there is none
    split   what shows stands apart
    """

    root: str
    file: str
    folder: str
    split: bool


def build(tree: Tree, ruleset: Ruleset) -> bytes:
    """The archive. Raises Unbuildable where the rules need what no archive may hold.

    tree  the files of the game and of the kernel, at least
    """
    modules = Modules(tree)
    place = place_of(modules, ruleset.home)
    needed = modules.closure((place.file, *ALWAYS), above(place))
    _check_halves(needed, place, ruleset.home)
    files = {name: source_of(tree, modules, name) for name in sorted(needed)}
    files |= {package: b"" for package in packages(files) if package not in files}
    files |= _data(tree, place, needed)
    if place.folder + SAMPLE in tree:
        files[SAMPLE] = tree[place.folder + SAMPLE]
    files[ABOUT] = _about(ruleset, place)
    return packed(files)


def packed(files: dict[str, bytes]) -> bytes:
    archive = container.pack(files)
    try:
        container.unpack(archive, container.ENGINE)
    except container.BadContainer as error:
        raise Unbuildable(f"no archive may be so: {error}") from None
    return archive


def _about(ruleset: Ruleset, place: SourceFolder) -> bytes:
    about = {
        "form": FORM, "interface": INTERFACE, "kind": "cut", "msgspec": MSGSPEC, "python": PYTHON,
        "root": place.root, "ruleset": ruleset.name, "version": ruleset.version,
    }  # fmt: skip
    return json.dumps(about, sort_keys=True, separators=(",", ":")).encode()


def place_of(modules: Modules, home: str) -> SourceFolder:
    engine = modules.file(f"{home}.rules.engine")
    if engine is not None:
        return SourceFolder(
            f"{home}.rules.engine:ENGINE", engine, engine.rpartition("/")[0] + "/", True
        )
    file = modules.file(home)
    if file is None:
        raise Unbuildable(f"there is no module {home}")
    folder = file.removesuffix("__init__.py")
    return SourceFolder(f"{home}:GAME", file, folder if folder != file else "", False)


def above(place: SourceFolder) -> frozenset[str]:
    """The packages above the rules."""
    parts = place.file.split("/")[:-1]
    inside = len(parts) if place.folder else len(parts) + 1
    return frozenset(f"{'/'.join(parts[:depth])}/__init__.py" for depth in range(1, inside))


def _check_halves(needed: frozenset[str], place: SourceFolder, home: str) -> None:
    shows = (f"{home.replace('.', '/')}/shown/", f"{KERNEL}shown/")
    wrong = sorted(name for name in needed if place.split and name.startswith(shows))
    if wrong:
        raise Unbuildable(f"the rules of {home} need what only shows: {wrong[0]}")


def packages(files: dict[str, bytes]) -> Iterator[str]:
    for name in files:
        parts = name.split("/")
        yield from ("/".join([*parts[:depth], "__init__.py"]) for depth in range(1, len(parts)))


def _data(tree: Tree, place: SourceFolder, needed: frozenset[str]) -> dict[str, bytes]:
    shown = shown_keys(tree, sorted(needed))
    found = {}
    for name in sorted(tree):
        if place.folder and name.startswith(place.folder) and name.endswith(DATA):
            content = compact(name, tree[name], shown)
            if content is not None:
                found[name] = content
    return found


def source_of(tree: Tree, modules: Modules, name: str) -> bytes:
    """A module in its normal form; what it imports of the tree by full names, relative to it."""
    depth = name.count("/")
    found = (_relative(line, modules, depth) for line in lines(tree[name].decode()))
    source = "".join(map(written, found)).encode()
    for node in imports(source):
        if isinstance(node, ast.ImportFrom) and not node.level and modules.has(node.module or ""):
            raise Unbuildable(f"{name} imports {node.module} on a line with something else")
    return source


def _relative(line: Line, modules: Modules, depth: int) -> Line:
    """``from domain.kernel import x`` as ``from ...domain.kernel import x``."""
    tokens = line.tokens
    if tokens[0] != "from" or "import" not in tokens:
        return line
    module = tokens[1 : tokens.index("import")]
    whole = "".join(module)
    if module[0].startswith(".") or not modules.has(whole):
        return line
    dots = depth + 1
    up = ["..."] * (dots // 3) + ["."] * (dots % 3)
    below = 1 + len(module) - len(in_tree(whole).replace(".", " . ").split())
    return Line(line.level, ["from", *up, *tokens[below:]])
