"""A finder over the files of one archive in memory: its modules and the data beside them."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.resources.abc import Traversable, TraversableResources
from types import ModuleType
from typing import Any

from .closure import DOORS, PURE, imports

NAME = "decklog_engine_"
"""Begins the name of each engine's package; the digest ends it."""


class ForeignImport(ImportError):
    """A module of an archive imports what is neither in it nor pure."""


class Finder(MetaPathFinder, Loader):
    """Finds and runs what lies in one archive.

    name    of the package
    files   by their path in the archive
    strict  whether each import is looked at first: what is not in the archive has to be pure. What
            is packed verbatim out of the history has what shows in it, and is not looked at
    """

    def __init__(self, name: str, files: Mapping[str, bytes], *, strict: bool = True) -> None:
        self._name = name
        self._own = self._files = files
        self._strict = strict

    def is_of(self, package: str) -> bool:
        """Whether it finds the modules of this package."""
        return self._name == package

    def lay(self, files: Mapping[str, bytes]) -> None:
        """Find these files too, from now on, in the place of what was laid before."""
        self._files = {**files, **self._own}

    def package(self) -> ModuleType:
        """The package that all modules of the archive stand below."""
        module = ModuleType(self._name, "An engine, out of its archive.")
        module.__path__ = [self._name]
        spec = ModuleSpec(self._name, None, is_package=True)
        spec.submodule_search_locations = [self._name]
        module.__spec__ = spec
        return module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{self._name}."):
            return None
        inner = self._inner(fullname)
        for file, package in ((f"{inner}.py", False), (f"{inner}/__init__.py", True)):
            if file in self._files:
                return ModuleSpec(fullname, self, origin=self._place(file), is_package=package)
        return None

    def exec_module(self, module: ModuleType) -> None:
        inner = self._inner(module.__name__)
        file = f"{inner}.py" if f"{inner}.py" in self._files else f"{inner}/__init__.py"
        source = self._files[file]
        if self._strict:
            _check(file, source)
        code = compile(source, self._place(file), "exec", dont_inherit=True)
        exec(code, module.__dict__)

    def get_resource_reader(self, fullname: str) -> TraversableResources:
        """The data beside a package, as ``importlib.resources`` asks for them."""
        return _Reader(_Entry(self._files, self._inner(fullname)))

    def _inner(self, fullname: str) -> str:
        return fullname.removeprefix(f"{self._name}.").replace(".", "/")

    def _place(self, file: str) -> str:
        return f"<engine {self._name.removeprefix(NAME)[:12]}>/{file}"


def _check(file: str, source: bytes) -> None:
    known = PURE | DOORS.get(file, frozenset())
    for node in imports(source):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [] if node.level else [str(node.module)]
        strange = sorted(set(names) - known)
        if strange:
            raise ForeignImport(f"{file}:{node.lineno} imports {strange[0]}, which is not in it")


class _Reader(TraversableResources):
    def __init__(self, entry: _Entry) -> None:
        self._entry = entry

    def files(self) -> Traversable:
        return self._entry


class _Entry(Traversable):
    """A file or a folder of the archive."""

    def __init__(self, files: Mapping[str, bytes], path: str) -> None:
        self._files = files
        self._path = path

    @property
    def name(self) -> str:
        return self._path.rpartition("/")[2]

    def iterdir(self) -> Iterator[Traversable]:
        inside = f"{self._path}/"
        below = (path.removeprefix(inside) for path in self._files if path.startswith(inside))
        names = sorted({path.partition("/")[0] for path in below})
        return (_Entry(self._files, inside + name) for name in names)

    def joinpath(self, *descendants: Any) -> _Entry:
        parts = "/".join(map(str, descendants)).split("/")
        return _Entry(
            self._files, "/".join([self._path, *(p for p in parts if p not in ("", "."))])
        )

    def is_dir(self) -> bool:
        return any(path.startswith(f"{self._path}/") for path in self._files)

    def is_file(self) -> bool:
        return self._path in self._files

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        raw = io.BytesIO(self.read_bytes())
        return raw if "b" in mode else io.TextIOWrapper(raw, *args, **kwargs)

    def read_bytes(self) -> bytes:
        try:
            return self._files[self._path]
        except KeyError:
            raise FileNotFoundError(self._path) from None

    def read_text(self, encoding: str | None = None) -> str:
        return self.read_bytes().decode(encoding or "utf-8")
