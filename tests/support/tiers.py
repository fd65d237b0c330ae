"""Slow tiers: what takes long runs when what it guards has changed since it last passed whole.

``@pytest.mark.slow("engines")`` puts a test into a tier of tests/tiers.toml, which names the files
and folders that the tier guards. tests/tiers.json keeps the digest of those files at which all
tests of the tier passed; at that same digest they are left out, and the end of the run says so.

--tiers changed   those whose files changed (the default); ``all``, ``none``, or names with commas
--keep-tiers      write the digests of the tiers that passed whole: ``make slow``
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.tree import ROOT, files_of

BOOK = ROOT / "tests" / "tiers.toml"
KEPT = ROOT / "tests" / "tiers.json"
PLUGINS = ("tests/support/tiers.py", "tests/support/rules.py")
"""What says which tiers run, and which rules a test proves, is nothing that the tiers show."""
MARK = "slow"
PROSE = ".md"
"""Documents beside the code: they change nothing that a tier guards."""


class Tier(NamedTuple):
    """A tier: what it shows, and the files and folders whose change makes it run again.

    light  its tests take so little each that ``make check`` runs those that a change reaches
    """

    title: str
    guards: tuple[str, ...]
    light: bool = False


@cache
def tiers() -> dict[str, Tier]:
    """Every tier of tests/tiers.toml by its name."""
    told = tomllib.loads(BOOK.read_text("utf-8"))
    common = tuple(told.pop("common"))
    return {
        name: Tier(each["title"], (*each["guards"], *common), each.get("light", False))
        for name, each in told.items()
    }


def guards(tier: Tier, name: str) -> bool:
    """Whether a change of the file makes the tier run again."""
    return any(name == guard or name.startswith(guard + "/") for guard in tier.guards)


class File(NamedTuple):
    """A file that a tier may guard.

    digest  SHA-256 of its bytes
    only    of a file of tests that no other file imports: the tiers of its own tests; it matters
            to no others
    """

    digest: str
    only: frozenset[str] | None = None


def contents(root: Path) -> dict[str, File]:
    """Every file that a tier may guard."""
    own = {path.relative_to(root).as_posix() for path in (KEPT, BOOK)} | {*PLUGINS}
    names = [name for name in files_of(root) if not name.endswith(PROSE) and name not in own]
    read = {name: (root / name).read_bytes() for name in names}
    lent = {each for content in read.values() for each in IMPORTED.findall(content)}
    return {name: _file(name, content, lent) for name, content in read.items()}


IMPORTED = re.compile(rb"^from \S*\b(test_\w+) import", re.MULTILINE)


def _file(name: str, content: bytes, lent: set[bytes]) -> File:
    digest = hashlib.sha256(content).hexdigest()
    stem = Path(name).stem
    if not (stem.startswith("test_") and name.endswith(".py")) or stem.encode() in lent:
        return File(digest)
    marked = re.findall(rb'mark\.slow\("(\w+)"\)', content)
    return File(digest, frozenset(each.decode() for each in marked))


def digest_of(name: str, tier: Tier, files: Mapping[str, File]) -> str:
    """SHA-256 over names and contents of all that the tier of that name guards."""
    lines = (
        f"{path}\t{file.digest}\n"
        for path, file in files.items()
        if guards(tier, path) and (file.only is None or name in file.only)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@cache
def digests() -> dict[str, str]:
    """What every tier guards, as it is now; nothing that was kept where there is no repository."""
    try:
        files = contents(ROOT)
    except subprocess.CalledProcessError:
        return dict.fromkeys(tiers(), "")
    return {name: digest_of(name, tier, files) for name, tier in tiers().items()}


def kept() -> dict[str, str]:
    """The digests at which the tiers last passed whole."""
    found: dict[str, str] = json.loads(KEPT.read_text("utf-8"))
    return found


def left_out(wish: str, now: Mapping[str, str], passed: Mapping[str, str]) -> set[str]:
    """The tiers that a run leaves out. Raises UsageError for a tier that there is not.

    wish  the option ``--tiers``
    """
    if wish == "changed":
        return {name for name, digest in now.items() if passed.get(name) == digest}
    if wish in ("all", "none"):
        return set(now) if wish == "none" else set()
    asked = set(wish.split(","))
    if strangers := asked - set(now):
        raise pytest.UsageError(f"no such tier: {', '.join(sorted(strangers))}")
    return set(now) - asked


def whole(counted: Mapping[str, int], passed: Mapping[str, int], failed: set[str]) -> set[str]:
    """The tiers of which every test passed."""
    return {name for name, n in counted.items() if passed.get(name, 0) == n > 0} - failed


# --- the plugin ----------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tiers", default="changed", help="changed (default), all, none, or names")
    parser.addoption("--keep-tiers", action="store_true", help="write which tiers passed whole")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{MARK}(tier): runs when what the tier guards changed")
    if config.getoption("--keep-tiers") and not hasattr(config, "workerinput"):
        in_part = config.args_source != pytest.Config.ArgsSource.TESTPATHS
        if in_part or config.getoption("keyword"):
            raise pytest.UsageError("--keep-tiers keeps what passed whole: name no part of it")
        config.pluginmanager.register(Keeper(), "decklog-tiers")


def tier_of(item: pytest.Item) -> str:
    """The tier of a test; empty for all others."""
    mark = item.get_closest_marker(MARK)
    return str(mark.args[0]) if mark else ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    found = {id(item): tier_of(item) for item in items}
    counted = Counter(found.values())
    if strangers := counted.keys() - tiers().keys() - {""}:
        raise pytest.UsageError(f"in no line of tests/tiers.toml: {', '.join(sorted(strangers))}")
    out = left_out(config.getoption("--tiers"), digests(), kept())
    for item in items:
        if tier := found[id(item)]:
            item.user_properties.append((MARK, f"{tier} {counted[tier]}"))
    if gone := [item for item in items if found[id(item)] in out]:
        config.hook.pytest_deselected(items=gone)
        items[:] = [item for item in items if found[id(item)] not in out]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if out := left_out(config.getoption("--tiers"), digests(), kept()):
        told = f"slow tiers left out (--tiers {config.getoption('--tiers')}): "
        terminalreporter.write_line(told + ", ".join(sorted(out)))


class Keeper:
    """Counts the tests of each tier in the one process that reports, and keeps what was whole."""

    def __init__(self) -> None:
        self.before = dict(digests())
        self.counted: dict[str, int] = {}
        self.passed: Counter[str] = Counter()
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name != MARK:
                continue
            tier, count = str(value).split()
            self.counted[tier] = int(count)
            if report.when == "call" and report.passed:
                self.passed[tier] += 1
            elif not report.passed:
                self.failed.add(tier)

    def pytest_sessionfinish(self) -> None:
        digests.cache_clear()
        still = {name for name, digest in digests().items() if self.before[name] == digest}
        done = whole(self.counted, self.passed, self.failed) & still
        told = {name: digest for name, digest in kept().items() if name in tiers()}
        told |= {name: self.before[name] for name in done}
        KEPT.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")
