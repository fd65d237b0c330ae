"""``make check``: style, types, import contracts, and the tests that a change reaches, in a minute.

    python -m tests.support.check             against the last commit, with what is not committed
    python -m tests.support.check main        against another commit
    python -m tests.support.check --seconds 300

A test file is reached when it imports, by however many steps, a module that changed; one that lies
beside changed data belongs to the data's folder. Nearest first; no server, browser, Node or Java is
started. When the time is over the run stops and says how much of what is reached it has not seen:
``make test`` sees all.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import grimp
import pytest

from tests.architecture.tree import ROOT
from tests.support.tiers import tiers

TOPS = ("decklog", "domain", "projections", "service", "tests")
HEAVY = (
    "tests.support.server",
    "tests.support.chromium",
    "tests.support.clients",
    "tests.support.postgres",
    "tests.support.redis",
)
"""Which of them a test file imports tells that it starts something."""
SECONDS = 40
"""For the tests: style, types and contracts take the rest of the minute once mypy has a cache."""
BATCH = 20
"""So many files are collected at a time."""
FINE = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
LINTERS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",), ("lint-imports",))
DATA_TESTS = {"cases": "every_game", "games": "every_game", "frozen": "every_game"}
"""Folders of tests/ that hold data, and where they are tested."""


def changed(commit: str) -> list[str]:
    """Paths that differ from the commit, and those that are new."""
    told = _git("diff", "--name-only", commit, "--") + _git("ls-files", "-o", "--exclude-standard")
    return sorted({*told})


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def modules_of(names: Iterable[str], known: Iterable[str]) -> set[str]:
    """The modules that changed paths are; for data, the modules of the folder that has them."""
    modules = set(known)
    found: set[str] = set()
    for name in names:
        path = Path(name)
        if path.parts[0] not in TOPS:
            continue
        if path.suffix == ".py":
            found |= {_module(path)} & modules
        else:
            found |= _beside(path, modules)
    return found


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _beside(path: Path, modules: set[str]) -> set[str]:
    """The modules in the nearest folder above some data that has any."""
    parts = path.parent.parts
    if parts[:1] == ("tests",) and len(parts) > 1:
        parts = ("tests", DATA_TESTS.get(parts[1], parts[1]), *parts[2:])
    while parts:
        folder = ".".join(parts)
        inside = {each for each in modules if each.rpartition(".")[0] == folder}
        if inside:
            return inside
        parts = parts[:-1]
    return set()


def reached(graph: grimp.ImportGraph, modules: Iterable[str]) -> list[str]:
    """The test modules that import one of them, by however many steps; the nearest first."""
    seen = dict.fromkeys(sorted(modules), 0)
    waiting = list(seen)
    for module in waiting:
        for above in sorted(graph.find_modules_that_directly_import(module)):
            if above not in seen:
                seen[above] = seen[module] + 1
                waiting.append(above)
    return [module for module in waiting if is_test(module)]


def is_test(module: str) -> bool:
    """Whether pytest collects the module."""
    return module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")


def light(graph: grimp.ImportGraph, tests: Iterable[str]) -> Iterator[str]:
    """Those of the test modules that start nothing."""
    for module in tests:
        near = graph.find_modules_directly_imported_by(module)
        kits = {each for each in near if each.startswith("tests.")}
        further = {n for kit in kits for n in graph.find_modules_directly_imported_by(kit)}
        if not {*near, *further} & {*HEAVY}:
            yield module


class Minute:
    """Stops a run when its time is over."""

    def __init__(self, seconds: float) -> None:
        self.ends = time.monotonic() + seconds

    @property
    def over(self) -> bool:
        return time.monotonic() > self.ends

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        if self.over:
            item.session.shouldstop = "the time is over"


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when nothing that was looked at is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commit", nargs="?", default="HEAD", help="what to compare with (HEAD)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"for tests ({SECONDS})")
    options = parser.parse_args(arguments)
    for linter in LINTERS:
        program = str(Path(sys.executable).with_name(linter[0]))
        if subprocess.run([program, *linter[1:]], cwd=ROOT, check=False).returncode:
            return 1
    graph = grimp.build_graph(*TOPS, cache_dir=None)
    modules = modules_of(changed(options.commit), graph.modules)
    tests = reached(graph, modules)
    chosen = [*light(graph, tests)]
    print(f"{len(modules)} modules changed, {len(tests)} test files reached", end="; ")
    print(f"{len(chosen)} of them start nothing")
    return run(chosen, Minute(options.seconds))


def run(tests: Sequence[str], minute: Minute) -> int:
    """Run test modules in this order, some at a time, until one fails or the time is over."""
    files = [f"{module.replace('.', '/')}.py" for module in tests]
    quiet = [
        "-q",
        "-x",
        "-p",
        "tests.support.tiers",
        "--tiers",
        ",".join(name for name, tier in tiers().items() if tier.light),
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(ROOT),
    ]
    for start in range(0, len(files), BATCH):
        code = pytest.main([*quiet, *files[start : start + BATCH]], plugins=[minute])
        if minute.over:
            print(f"the time is over: {start} files and a part of the next were seen")
        if code not in FINE and not (minute.over and code == pytest.ExitCode.INTERRUPTED):
            return int(code)
        if minute.over:
            return 0
    print(f"all {len(files)} files were seen")
    return 0


if __name__ == "__main__":
    sys.exit(main())
