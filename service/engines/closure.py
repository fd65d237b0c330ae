"""What a module needs to run: the modules that it imports, and theirs, found without running any.

A game imports its own package and ``domain.kernel``, msgspec, and what is pure of the standard
library. Whatever else it imports could decide by something that is not in the archive: refused.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping

Tree = Mapping[str, bytes]
"""Files by their path from the folder that all packages lie in: ``domain/kernel/engine.py``."""

ONE_NAME = "decklog."

PURE = frozenset(
    {
        "__future__", "abc", "bisect", "collections", "collections.abc", "dataclasses", "enum",
        "fractions", "functools", "heapq", "itertools", "math", "msgspec", "msgspec.json",
        "msgspec.structs", "operator", "re", "string", "types", "typing",
    }
)  # fmt: skip
"""What any module may import from outside: no clock, no chance, no file."""

DOORS = {
    "domain/kernel/data.py": frozenset({"importlib.resources"}),
    "domain/kernel/finder.py": frozenset({"importlib.metadata"}),
}
"""The kernel's own doors: packaged data, installed games."""


class Unbuildable(ValueError):
    """There is no archive of these rules; the message says why, in a sentence."""


class Modules:
    """The modules of a tree, and what each of them needs."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        parts = [name.split("/") for name in tree]
        self._folders = {"/".join(each[:n]) for each in parts for n in range(1, len(each))}

    def closure(self, starts: Iterable[str], emptied: Collection[str] = ()) -> frozenset[str]:
        """The files that ``starts`` need, themselves and their packages too.

        emptied  packages whose ``__init__`` is left out, with what it imports
        """
        found: set[str] = set()
        todo = [*starts]
        while todo:
            name = todo.pop()
            if name not in found and name not in emptied:
                found.add(name)
                todo += self._packages(name)
                todo += self._needed(name)
        return frozenset(found)

    def file(self, module: str) -> str | None:
        """The file of a module or package, by its dotted name."""
        path = in_tree(module).replace(".", "/")
        return next((n for n in (f"{path}.py", f"{path}/__init__.py") if n in self._tree), None)

    def has(self, module: str) -> bool:
        """Whether there is a module, a package or a folder of this name."""
        return self.file(module) is not None or in_tree(module).replace(".", "/") in self._folders

    def _packages(self, name: str) -> Iterator[str]:
        parts = name.split("/")
        for depth in range(1, len(parts)):
            package = "/".join([*parts[:depth], "__init__.py"])
            if package in self._tree:
                yield package

    def _needed(self, name: str) -> Iterator[str]:
        for node in imports(self._tree[name]):
            where = f"{name}:{node.lineno}"
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._check(name, where, alias.name)
                    if self.has(alias.name):
                        raise Unbuildable(f"{where} imports {alias.name}: write from ... import")
                continue
            module = _module(name, node)
            if not node.level:
                self._check(name, where, module)
            if node.level or self.has(module):
                yield from self._named(where, module, [alias.name for alias in node.names])

    def _check(self, name: str, where: str, module: str) -> None:
        if not self.has(module) and module not in PURE | DOORS.get(name, frozenset()):
            what = "what decides uses msgspec, its kernel, and what is pure of the library"
            raise Unbuildable(f"{where} imports {module}: {what}")

    def _named(self, where: str, module: str, names: Iterable[str]) -> Iterator[str]:
        """The files of ``from module import names``: the module, and what is a module of it."""
        own = self.file(module)
        if own is not None:
            yield own
        for name in names:
            found = self.file(f"{module}.{name}")
            if found is not None:
                yield found
            elif own is None:
                raise Unbuildable(f"{where} imports {name} from {module}, which is not there")


def in_tree(module: str) -> str:
    """A module's name in the tree: authors of games know ours below the one name of a wheel."""
    return module.removeprefix(ONE_NAME)


def _module(name: str, node: ast.ImportFrom) -> str:
    """The full name of the module that is imported from."""
    here = name.split("/")[:-1]
    base = here[: len(here) - node.level + 1] if node.level else []
    return ".".join([*base, *([node.module] if node.module else [])])


def imports(source: bytes) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import of a module but those that only a type checker sees."""
    todo: list[ast.AST] = [ast.parse(source)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and _is_checking(node.test):
            todo += node.orelse
        elif not isinstance(node, ast.expr):
            todo += ast.iter_child_nodes(node)


def _is_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return bool(name == "TYPE_CHECKING")
