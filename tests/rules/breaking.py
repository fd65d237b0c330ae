"""Proof that breaks: a rule is proved when a test that names it notices that its home was changed.

``run`` plays, for each rule, the mutants of its home (:mod:`tests.rules.mutants`) against the tests
that are marked with the rule, until one of them fails by what it asserts. A mutant that crashes, or
never comes back, shows only that the function was called, and does not count.

All tests are loaded once; each mutant lives in a process forked from there, in which the function's
code has been exchanged. Run as ``python -m tests.rules.breaking`` (``--help``), or by ``make rules``.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import inspect
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from domain.kernel.rules import HOMES, Refused
from tests.rules.audit import audit_game, games
from tests.rules.mutants import Mutant, exchanged, mutants, tokens

LATE = 20
"""Seconds after which a mutant's tests are given up."""
MOST_TESTS = 40
"""Tests of one rule that a mutant is tried on: the quickest, and of those with most rules the last."""
UNPROVED = "marked, but not proved"
_CACHED: Any = type(cache(lambda: None))
HERE = Path(__file__).parent
KEPT = HERE / "kept.toml"


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a rule.

    key      digest of the home's words and of the rule's tests: while it holds, so does the rest
    killed   the change that a test noticed; "" where none was
    by       the test that noticed
    rows     how many of its tests notice that change
    tried    mutants tried until then
    crashed  of these, how many only crashed or never ended
    """

    key: str
    killed: str = ""
    by: str = ""
    rows: int = 0
    tried: int = 0
    crashed: int = 0


class Told(NamedTuple):
    """How one test ended in a mutant's process: passed, failed, crashed."""

    test: str
    end: str


def key(identifier: str, items: Sequence[pytest.Item]) -> str:
    """Changes when the home's words or the words of its tests do, and not when either moves."""
    digest = hashlib.sha256(tokens(HOMES[identifier]).encode())
    digest.update(json.dumps(_kept().get(identifier, [])).encode())
    for words in sorted({_words(item) for item in items}):
        digest.update(words.encode())
    return digest.hexdigest()[:16]


def _words(item: pytest.Item) -> str:
    """The source of a test and what it is called with."""
    function = getattr(item, "function", None)
    source = inspect.getsource(inspect.unwrap(function)) if function else item.name
    called = getattr(getattr(item, "callspec", None), "params", {})
    plain = {name: value for name, value in called.items() if isinstance(value, dict | str | int)}
    return source + json.dumps(plain, sort_keys=True, default=str)


class Breaker:
    """Breaks homes, one process a mutant.

    items     the tests by the rule that they are marked with
    seconds   how long each took where nothing was broken
    """

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self.items: dict[str, list[pytest.Item]] = {}
        for item in items:
            for identifier in {
                str(name) for mark in item.iter_markers("rule") for name in mark.args
            }:
                self.items.setdefault(identifier, []).append(item)
        self.functions = _functions()
        self.seconds: dict[str, float] = {}

    def judge(self, identifier: str, most: int) -> Verdict:
        """Mutants of a rule's home, until a test of the rule fails; at most ``most`` of them."""
        code, items = HOMES[identifier], self._ordered(identifier)
        found = Verdict(key(identifier, self.items.get(identifier, ())))
        crashed = tried = 0
        for mutant in chain(kept(identifier), mutants(code)):
            if tried == most or not items:
                break
            tried += 1
            told = self._told(code, mutant, items)
            ends = [each.end for each in told]
            if "failed" in ends:
                by = told[ends.index("failed")].test
                rows = ends.count("failed")
                return Verdict(found.key, mutant.what, by, rows, tried, crashed)
            crashed += any(end != "passed" for end in ends)
        return Verdict(found.key, tried=tried, crashed=crashed)

    def tally(self, code: CodeType, most: int) -> tuple[int, int, list[str]]:
        """Of a home's mutants: how many were tried, noticed, and which nobody noticed."""
        ids = [identifier for identifier, home in HOMES.items() if home is code]
        items = list({item.nodeid: item for each in ids for item in self._ordered(each)}.values())
        tried, noticed, left = 0, 0, []
        for mutant in list(mutants(code))[:most]:
            tried += 1
            ends = {each.end for each in self._told(code, mutant, items, stop=True)}
            if ends - {"passed"}:
                noticed += 1
            else:
                left.append(mutant.what)
        return tried, noticed, left

    def _ordered(self, identifier: str) -> list[pytest.Item]:
        """The tests that name fewest rules first: they are about this one."""
        found = self.items.get(identifier, [])
        return sorted(found, key=lambda item: (_named(item), item.nodeid))[:MOST_TESTS]

    def _told(
        self, code: CodeType, mutant: Mutant, items: Sequence[pytest.Item], stop: bool = False
    ) -> list[Told]:
        """How the tests end with the mutant in place of the function."""
        wide = False
        told = _forked(lambda: self._played(code, mutant, items, wide, stop))
        if all(each.end == "passed" for each in told):
            wide = True  # what was read before the change is read again
            told = _forked(lambda: self._played(code, mutant, items, wide, stop))
        return told

    def _played(
        self, code: CodeType, mutant: Mutant, items: Sequence[pytest.Item], wide: bool, stop: bool
    ) -> Iterator[Told]:
        for identifier, home in list(HOMES.items()):
            if home is code:
                HOMES[identifier] = mutant.code
        for function in self.functions.get(code, ()):
            function.__code__ = mutant.code
        _forget(wide)
        for item in items:
            end = _end(item)
            yield Told(item.nodeid, end)
            if end != "passed" and (stop or end == "failed"):
                return


def kept(identifier: str) -> Iterator[Mutant]:
    """The mutants of a rule that are kept in ``kept.toml``, where generated ones do not do."""
    for entry in _kept().get(identifier, ()):
        yield exchanged(HOMES[identifier], entry["old"], entry["new"])


@cache
def _kept() -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for entry in tomllib.loads(KEPT.read_text("utf-8"))["mutant"]:
        found.setdefault(entry["rule"], []).append(entry)
    return found


def _named(item: pytest.Item) -> int:
    return len({name for mark in item.iter_markers("rule") for name in mark.args})


def _functions() -> dict[CodeType, list[FunctionType]]:
    """Every function of the homes: closures of one definition share its code."""
    homes = set(HOMES.values())
    found: dict[CodeType, list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__ in homes:
            found.setdefault(thing.__code__, []).append(thing)
    return found


def _forget(wide: bool) -> None:
    """Answers that were remembered before the change; wide: also what was read of files."""
    for name, module in list(sys.modules.items()):
        if name.startswith("domain."):
            for thing in list(vars(module).values()):
                if isinstance(thing, _CACHED) and (wide or thing.__wrapped__.__code__.co_argcount):
                    thing.cache_clear()


def _end(item: pytest.Item) -> str:
    """Run one test; a failure is what it asserts, or a refusal that it did not expect."""
    ends = {"passed"}
    for report in runtestprotocol(item, log=False, nextitem=None):
        if report.outcome != "passed":
            ends.add(_kind(report))
    return "failed" if "failed" in ends else "crashed" if "crashed" in ends else "passed"


def _kind(report: pytest.TestReport) -> str:
    kind = dict(report.user_properties).get("raised", "")
    if report.when != "call" or UNPROVED in str(report.longrepr):
        return "crashed"
    return "failed" if kind == "asserted" else "crashed"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    if call.excinfo is not None:
        asserted = call.excinfo.errisinstance((AssertionError, Refused, pytest.fail.Exception))
        report.user_properties.append(("raised", "asserted" if asserted else "crashed"))
    return report


def _forked(work: Callable[[], Iterator[Told]]) -> list[Told]:
    """What a forked process told until it ended; one that takes too long is ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _lived(work, writing)
    os.close(writing)
    told, late = _heard(reading)
    os.close(reading)
    if late:
        os.kill(child, signal.SIGKILL)
        told.append(Told("", "late"))
    _, status = os.waitpid(child, 0)
    if not late and status:
        told.append(Told("", "crashed"))
    return told


def _lived(work: Callable[[], Iterator[Told]], writing: int) -> None:
    """The life of a forked process: nothing of it reaches the terminal."""
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for each in (0, 1, 2):
            os.dup2(nothing, each)
        for told in work():
            os.write(writing, (json.dumps(told) + "\n").encode())
        code = 0
    finally:
        os._exit(code)


def _heard(reading: int) -> tuple[list[Told], bool]:
    text, end = b"", time.monotonic() + LATE
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return _lines(text), True
        more = os.read(reading, 65_536)
        if not more:
            return _lines(text), False
        text += more


def _lines(text: bytes) -> list[Told]:
    return [Told(*json.loads(line)) for line in text.split(b"\n")[:-1]]


# --- the plugin: one process that has loaded the tests --------------------------------------------

ASKED = "DECKLOG_BREAKING"
"""The environment variable that tells a process its part of the work, as JSON."""


class Part(msgspec.Struct, frozen=True):
    """What one process is to do.

    games   whose rules
    share   which of ``shares`` parts of the rules is its own
    most    mutants of a home that are tried, at most
    known   verdicts that hold while their keys do, by rule
    tally   count all mutants of each home, instead of looking for one that a rule's tests notice
    target  file that it writes, a JSON document a line
    """

    games: tuple[str, ...]
    share: int
    shares: int
    most: int
    known: dict[str, Verdict]
    tally: bool
    target: str


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Break instead of running the tests, where that is asked for."""
    if ASKED not in os.environ:
        return None
    part = msgspec.json.decode(os.environ[ASKED], type=Part)
    with open(part.target, "w", encoding="utf-8") as target:
        for line in _worked(part, Breaker(session.items)):
            print(json.dumps(line), file=target, flush=True)
    return True


def _worked(part: Part, breaker: Breaker) -> Iterator[dict[str, Any]]:
    mine = _mine(part)
    if part.tally:
        for code in dict.fromkeys(HOMES[identifier] for identifier in mine):
            tried, noticed, left = breaker.tally(code, part.most)
            where = f"{Path(code.co_filename).parts[-2]}/{Path(code.co_filename).name} {code.co_qualname}"
            yield {
                "home": where,
                "game": _game(code),
                "tried": tried,
                "noticed": noticed,
                "left": left,
            }
        return
    for identifier in mine:
        known = part.known.get(identifier)
        if (
            known is None
            or not known.killed
            or known.key != key(identifier, breaker.items.get(identifier, ()))
        ):
            known = breaker.judge(identifier, part.most)
        yield {"rule": identifier, "game": _game(HOMES[identifier]), **msgspec.to_builtins(known)}


def _mine(part: Part) -> list[str]:
    """The rules of this process: homes are dealt out in turn, so that shares are alike."""
    for game in part.games:
        audit_game(game, {})
    homes = sorted(
        (code for code in set(HOMES.values()) if _game(code) in part.games),
        key=lambda code: (code.co_filename, code.co_firstlineno),
    )
    own = {code for number, code in enumerate(homes) if number % part.shares == part.share}
    return sorted(identifier for identifier, code in HOMES.items() if code in own)


def _game(code: CodeType) -> str:
    parts = Path(code.co_filename).parts
    return parts[parts.index("games") + 1] if "games" in parts else ""


# --- the command ----------------------------------------------------------------------------------

VERDICTS = HERE / "broken"
"""One file a game: what became of each rule when its home was broken."""
FOLDERS = ("tests/war_at_sea", "tests/naval_battles", "tests/crimson_tide", "tests/every_game")
"""Where tests of rules are: those that speak HTTP prove by the same domain, and take long."""


def load(game: str) -> dict[str, Verdict]:
    """What is known of a game's rules."""
    path = VERDICTS / f"{game}.json"
    if not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Verdict])


def store(game: str, verdicts: dict[str, Verdict]) -> None:
    """Keep them, a line a rule, so that two branches seldom touch the same line."""
    lines = [
        f"{json.dumps(name)}: {msgspec.json.encode(found).decode()}"
        for name, found in sorted(verdicts.items())
    ]
    VERDICTS.mkdir(exist_ok=True)
    (VERDICTS / f"{game}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def run(
    names: Sequence[str], jobs: int, most: int, *, anew: bool = False
) -> dict[str, dict[str, Verdict]]:
    """Break what is not known yet, or all of it ``anew``; the verdicts by game and rule."""
    known = {} if anew else {rule: found for game in names for rule, found in load(game).items()}
    found: dict[str, dict[str, Verdict]] = {game: {} for game in names}
    for line in _in_parts(names, jobs, most, known, tally=False):
        game, rule = line.pop("game"), line.pop("rule")
        found[game][rule] = msgspec.convert(line, Verdict)
    return found


def _in_parts(
    names: Sequence[str], jobs: int, most: int, known: dict[str, Verdict], *, tally: bool
) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        parts = [
            Part(tuple(names), share, jobs, most, known, tally, f"{folder}/{share}")
            for share in range(jobs)
        ]
        working = [_begun(part) for part in parts]
        for part, process in zip(parts, working, strict=True):
            said, _ = process.communicate()
            if process.returncode:
                raise RuntimeError(f"share {part.share} did not end well:\n{said[-4000:]}")
        return [json.loads(line) for part in parts for line in open(part.target, encoding="utf-8")]


def _begun(part: Part) -> subprocess.Popen[str]:
    """A process that loads the tests and does its part; its home is the tree that it stands in."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.rules.breaking",
        "-p",
        "no:cacheprovider",
    ]
    environment = os.environ | {ASKED: msgspec.json.encode(part).decode()}
    environment.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.Popen(
        [*command, "-m", "rule", *FOLDERS],
        cwd=HERE.parents[1],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def main(arguments: list[str]) -> int:
    """1 when a rule of the games asked for survives."""
    options = _options(arguments)
    names = options.game or games()
    if options.tally:
        return _print_tally(_in_parts(names, options.jobs, options.most, {}, tally=True))
    left = 0
    for game, verdicts in run(names, options.jobs, options.most, anew=options.anew).items():
        if options.write:
            store(game, verdicts)
        alive = {rule: found for rule, found in verdicts.items() if not found.killed}
        rows = sum(found.rows == 1 for found in verdicts.values() if found.killed)
        print(
            f"{game}: {len(verdicts)} rules in code, {len(verdicts) - len(alive)} killed when broken,"
            f" {rows} shown by one row only, {len(alive)} survive"
        )
        for rule, found in alive.items():
            print(f"  {rule}: {found.tried} mutants, {found.crashed} only crashed")
        left += len(alive)
    return int(left > 0)


def _print_tally(lines: list[dict[str, Any]]) -> int:
    for game in sorted({line["game"] for line in lines}):
        own = [line for line in lines if line["game"] == game]
        tried, noticed = (sum(line[name] for line in own) for name in ("tried", "noticed"))
        print(
            f"{game}: {len(own)} homes, {tried} mutants, {noticed} noticed ({100 * noticed // tried} %)"
        )
        for line in own:
            for what in line["left"]:
                print(f"  {line['home']}: {what}")
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.rules.breaking", description=__doc__)
    parser.add_argument("--game", action="append", help="only this game; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument(
        "--most", type=int, default=40, help="mutants of a home, at most (default: 40)"
    )
    parser.add_argument("--anew", action="store_true", help="believe nothing that is known")
    parser.add_argument(
        "--write", action="store_true", help="keep the verdicts in tests/rules/broken"
    )
    parser.add_argument(
        "--tally", action="store_true", help="count all mutants of each home instead"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
