"""The name below which Decklog is installed: ``decklog.domain.kernel`` is ``domain.kernel``.

In the tree the folders stand beside this one, and this is a second name for each of their modules:
a game of another package imports ``decklog.domain.kernel`` and meets the same classes as ours. In a
wheel the folders stand in here, and this file is another one (deploy/wheels.py).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FOLDERS = ("domain", "projections", "service")


class SameModule(Loader):
    """Gives a module that has been imported under its name in the tree."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(spec.name.removeprefix(f"{__name__}."))
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run; it keeps the name by which it knows itself."""
        module.__spec__ = self._own


class SecondNames(MetaPathFinder):
    """Finds ``decklog.domain`` and all below, for who asks by that name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        first, _, rest = fullname.partition(".")
        if first != __name__ or rest.partition(".")[0] not in FOLDERS:
            return None
        return ModuleSpec(fullname, SameModule())


sys.meta_path.insert(0, SecondNames())
