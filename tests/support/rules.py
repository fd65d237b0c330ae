"""Proof that a rule's code really ran: the pytest plugin behind ``@pytest.mark.rule``.

A test marked ``@pytest.mark.rule("WAS-ATK-03", ...)`` passes only if, while it ran, each rule it
names was at work: its home (the function marked ``@rule`` in the domain) was called, or the domain
refused by that rule and the refusal came out to the caller. A refusal that the domain itself
caught, as ``legal`` may while it tries commands, proves nothing.

``--rule-proofs FILE`` writes what was proved by the tests that passed, as JSON: rule ID to the IDs
of its tests. It works with xdist, since proofs travel in the test reports.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Generator, Iterable
from functools import cache, lru_cache, wraps
from pathlib import Path
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

import pytest

from domain.kernel import memo
from domain.kernel.rules import HOMES, Refused

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "domain" / "games"
LENT = "domain.kernel.testing"
PROOF = "rule"
UNPROVED = "marked, but not proved"
"""A test says so that passed and did not come to the home: no proof either way."""

_CACHED: Any = type(cache(lambda: None))


@cache
def known() -> frozenset[str]:
    """Every ID of every rulebook file."""
    books = (tomllib.loads(path.read_text("utf-8")) for path in GAMES.glob("*/rulebook.toml"))
    return frozenset(entry["id"] for book in books for entry in book["rule"])


class Watch:
    """Sees, while it is entered, which of the wanted rules are at work.

    ran      IDs whose home was called
    refused  IDs by which a refusal reached a caller outside the domain
    """

    def __init__(self, wanted: Iterable[str]) -> None:
        self.wanted = frozenset(wanted)
        self.ran: set[str] = set()
        self._waiting: dict[int, set[str]] = {}
        self._refusals: list[Refused] = []
        for identifier in self.wanted & HOMES.keys():
            self._waiting.setdefault(id(HOMES[identifier]), set()).add(identifier)

    def __enter__(self) -> Watch:
        forget_answers([HOMES[identifier] for identifier in self.wanted & HOMES.keys()])
        self._noting, memo.notes = memo.notes, lambda value: {}
        self._refusing = Refused.__init__
        Refused.__init__ = self._sees(Refused.__init__)  # type: ignore[method-assign]
        self._before = sys.getprofile()
        # Held here: the interpreter called a hook that was gone, once in some thousand tests, after
        # it had taken itself away in the middle of a call.
        self._hook = self._see
        sys.setprofile(self._hook if self._waiting else None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        sys.setprofile(self._before)
        memo.notes = self._noting
        Refused.__init__ = self._refusing  # type: ignore[method-assign]

    def _see(self, frame: FrameType, event: str, arg: Any) -> None:
        """A call, perhaps of a home; when each home was called there is nothing more to see, and
        the rest of the test runs at full speed."""
        if event == "call" and id(frame.f_code) in self._waiting:
            self.ran |= self._waiting.pop(id(frame.f_code))
            if not self._waiting:
                sys.setprofile(None)

    def _sees(self, refusing: Callable[..., None]) -> Callable[..., None]:
        """``refusing``, the maker of refusals, and a note of those by a wanted rule."""

        @wraps(refusing)
        def made(refusal: Refused, *args: Any, **words: Any) -> None:
            refusing(refusal, *args, **words)
            if refusal.rule in self.wanted:
                self._refusals.append(refusal)

        return made

    @property
    def refused(self) -> set[str]:
        return {refusal.rule for refusal in self._refusals if _came_out(refusal)}

    def unproved(self) -> dict[str, str]:
        """Each wanted rule that was not at work, with what is wrong."""
        proved = self.ran | self.refused
        return {identifier: _why(identifier) for identifier in sorted(self.wanted - proved)}


def _came_out(refusal: Refused) -> bool:
    """Whether the frame that caught it is outside the domain. An unraised one was never caught.

    What the kernel lends to tests is outside: it plays as its caller does.
    """
    trace = refusal.__traceback__
    if trace is None:
        return False
    module: str = trace.tb_frame.f_globals.get("__name__", "")
    return f"{module}.".startswith(f"{LENT}.") or not f"{module}.".startswith("domain.")


def _why(identifier: str) -> str:
    home = HOMES.get(identifier)
    if home is None:
        return "no function is its @rule home, and no refusal by it reached the test"
    where = f"{Path(home.co_filename).name}:{home.co_firstlineno} {home.co_qualname}"
    return f"its home was not called ({where}), and no refusal by it reached the test"


def forget_answers(homes: Iterable[CodeType]) -> None:
    """Clear the caches of the modules that the homes are in: a remembered answer runs no rule.

    Caches of functions without parameters stay, which hold packaged files and no answers: but for
    the homes themselves.
    """
    own = places(homes)
    there = _modules(len(sys.modules))
    for file in {file for file, _ in own}:
        for module in there.get(file, ()):
            for thing in vars(module).values():
                if isinstance(thing, _CACHED) and remembers_answers(thing, own):
                    thing.cache_clear()


@lru_cache(1)
def _modules(count: int) -> dict[str, list[ModuleType]]:
    """What is imported, by file; looked through again when more is, not for each test."""
    found: dict[str, list[ModuleType]] = {}
    for module in list(sys.modules.values()):
        if file := getattr(module, "__file__", None):
            found.setdefault(file, []).append(module)
    return found


Places = frozenset[tuple[str, str]]
"""File and qualified name of functions: what they stay when their code is exchanged."""


def places(homes: Iterable[CodeType]) -> Places:
    """Where the homes are."""
    return frozenset((home.co_filename, home.co_qualname) for home in homes)


def remembers_answers(cached: Any, homes: Places) -> bool:
    """Whether a cache holds answers of a rule, and not what was read of a packaged file."""
    code = cached.__wrapped__.__code__
    return bool(code.co_argcount) or (code.co_filename, code.co_qualname) in homes


# --- the plugin ----------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rule-proofs", metavar="FILE", help="write the rules that were proved")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the test proves these rules")
    target = config.getoption("--rule-proofs")
    if target and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Proofs(Path(target)), "decklog-rule-proofs")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Run the marked test under watch; fail it when a rule that it names was not at work."""
    wanted = [str(identifier) for mark in item.iter_markers("rule") for identifier in mark.args]
    if not wanted:
        return (yield)
    strangers = sorted(set(wanted) - known())
    if strangers:
        pytest.fail(f"in no rulebook: {', '.join(strangers)}", pytrace=False)
    with Watch(wanted) as watch:
        answer = yield
    if missing := watch.unproved():
        lines = (f"  {identifier}: {why}" for identifier, why in missing.items())
        pytest.fail(f"{UNPROVED}:\n" + "\n".join(lines), pytrace=False)
    item.user_properties.extend((PROOF, identifier) for identifier in sorted(set(wanted)))
    return answer


class Proofs:
    """Collects the proofs of all workers in the one process that reports."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.proved: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            for name, value in report.user_properties:
                if name == PROOF:
                    self.proved.setdefault(str(value), set()).add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        proofs = {identifier: sorted(tests) for identifier, tests in sorted(self.proved.items())}
        self.target.parent.mkdir(parents=True, exist_ok=True)
        self.target.write_text(json.dumps(proofs, indent=1) + "\n", "utf-8")
