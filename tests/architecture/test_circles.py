"""No module imports itself by way of others, also not late inside a function or for types only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath

import pytest

from tests.architecture.tree import parsed, python

Modules = Mapping[str, ast.AST]
"""Source by dotted name."""


def named(file: str) -> str:
    """The module of a file."""
    return ".".join(PurePosixPath(file).with_suffix("").parts).removesuffix(".__init__")


def imported(modules: Modules, module: str, package: str) -> set[str]:
    """What a module imports anywhere in it, of the modules given."""
    found = {name for node in ast.walk(modules[module]) for name in _names(node, package)}
    nearest = {name if name in modules else name.rpartition(".")[0] for name in found}
    return (nearest & modules.keys()) - {module}


def _names(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        parts = package.split(".") if node.level else []
        base = [*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])]
        yield from (".".join([*base, each.name]) for each in node.names)


def circle(files: Mapping[str, ast.AST]) -> list[str]:
    """The modules of a circle in order, the first one again at its end; none where none is."""
    modules = {named(file): source for file, source in files.items()}
    packages = {named(file) for file in files if file.endswith("/__init__.py")}
    around = {module: module.rpartition(".")[0] for module in modules} | {p: p for p in packages}
    graph = {module: imported(modules, module, around[module]) for module in modules}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("package", ["domain", "projections", "service"])
def test_there_is_no_circle(package: str) -> None:
    assert circle({file: parsed(file) for file in python(package)}) == []


@pytest.mark.parametrize(
    "late", ["import a.b.one", "from . import one", "from .one import x", "from ..b.one import x"]
)
def test_a_circle_is_found_inside_a_function_too(late: str) -> None:
    files = {
        "a/__init__.py": "",
        "a/b/__init__.py": "",
        "a/b/one.py": "from .two import f",
        "a/b/two.py": f"def f():\n    {late}\n",
    }
    found = circle({file: ast.parse(source) for file, source in files.items()})
    assert set(found) == {"a.b.one", "a.b.two"}
