"""Breaks the homes of rules: a pytest plugin, in a process that has loaded the tests once.

Each mutant lives in a process forked from here, in which the function's code has been exchanged and
the tests of the home's rules are run, the quick ones first. A rule is proved when one of the tests
that are marked with it fails by what it asserts; a test that crashes, or never ends, shows only
that the function was called. The same test must pass where nothing was broken.

``tests/rules/breaking.py`` starts it.
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, partial
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol
from msgspec import structs

from domain.kernel.memo import latest
from domain.kernel.rules import HOMES, Refused
from tests.rules.audit import audit_game
from tests.rules.forks import GONE, Told, forked, within
from tests.rules.mutants import Mutant, mutants
from tests.rules.rows import (
    Table,
    changed_rows,
    put,
    tables,
    takes_from,
    told_of,
)
from tests.rules.verdicts import Rowed, Verdict, function_of, kept, kept_changes, key
from tests.support.memory import every_object
from tests.support.rules import UNPROVED, places, remembers_answers

MOST_TESTS = 40
"""Tests of one rule that a mutant is tried on: the quickest of them."""
MOST_OF_A_TABLE = 400
"""The same where a table is changed: there may be a test for each row."""
ROWS = 2
"""Tests that notice one mutant are counted up to this."""
ENOUGH = 8
"""Changes of a table that survive, after which no more of its rows are tried."""
PATIENCE = 10
"""A test may take so many times as long as it does where nothing is broken."""
ALONE = 60.0
"""Seconds that it may take there."""
DOMAIN = f"{os.sep}domain{os.sep}"
LENT = os.sep.join(("", "domain", "kernel", "testing", ""))
"""What the kernel lends to tests asserts for them."""

ENDS = ("", "began", "passed", "crashed", "failed")
"""From nothing told to the best proof."""
RowChange = tuple[str, Callable[[], AbstractContextManager[None]]]
"""What is changed, for people, and how."""

_CACHED: Any = type(cache(lambda: None))
_LATEST = latest(repr).__code__


class Suspect:
    """A rule that is not proved yet, and what was tried on it."""

    def __init__(self, identifier: str, digest: str, items: Sequence[pytest.Item]) -> None:
        self.identifier, self.digest, self.items = identifier, digest, items
        self.tried = self.crashed = 0

    def heard(self, mutant: Mutant, told: Sequence[Told], again: bool) -> Verdict | None:
        """Count a mutant, once; the verdict, when one of the rule's tests failed."""
        names = {item.nodeid for item in self.items}
        own = [each for each in told if each.test in names]
        failed = [each.test for each in own if each.end == "failed"]
        self.tried += not again
        if failed:
            rows = min(ROWS, len(failed))
            return Verdict(self.digest, mutant.what, failed[0], rows, self.tried, self.crashed)
        crashed = told[-1:] == [GONE] or any(each.end == "crashed" for each in own)
        self.crashed += crashed and not again
        return None

    def alive(self) -> Verdict:
        return Verdict(self.digest, tried=self.tried, crashed=self.crashed)


class Tallied(msgspec.Struct, frozen=True):
    """What became of all mutants of a home.

    key      changes when the words of the home or of a test of its rules do
    tried    how many there are
    crashed  those that made tests crash, or never end, and nothing else
    left     those that no test of the home's rules noticed
    """

    game: str
    home: str
    key: str
    tried: int
    crashed: list[str]
    left: list[str]


class Breaker:
    """Breaks homes, one process a mutant.

    items    the tests by the rule that they are marked with
    seconds  how long each test takes where nothing is broken, of those that pass there
    """

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self.items: dict[str, list[pytest.Item]] = {}
        for item in items:
            for identifier in sorted(_named(item)):
                self.items.setdefault(identifier, []).append(item)
        self.functions = functions_of_homes()
        self.seconds: dict[str, float] = {}

    def key(self, identifier: str) -> str:
        return key(identifier, self.items.get(identifier, ()))

    def judge(self, identifiers: Iterable[str], most: int) -> dict[str, Verdict]:
        """Break the one home of these rules, until each of them is proved or nothing is left.

        First with what was read of files as it was, then, for rules that nobody defended, with
        that forgotten as well.
        """
        left = {each: self._suspect(each) for each in identifiers}
        found = {
            each: self._judged_kept(left.pop(each)) for each in list(left) if each in kept_changes()
        }
        for wide in (False, True):
            self._broken(left, found, most, wide)
        return found | {each: suspect.alive() for each, suspect in left.items()}

    def _broken(
        self, left: dict[str, Suspect], found: dict[str, Verdict], most: int, wide: bool
    ) -> None:
        """Move what a mutant proves out of ``left``."""
        code = next((HOMES[each] for each in left), None)
        for number, mutant in enumerate(mutants(code) if code else ()):
            if not left or number == most:
                break
            told = self._told(mutant, list(left.values()), wide)
            for identifier, suspect in list(left.items()):
                if verdict := suspect.heard(mutant, told, wide):
                    found[identifier] = verdict
                    del left[identifier]

    def _judged_kept(self, suspect: Suspect) -> Verdict:
        """Where mutants are kept each of them has to die."""
        verdict = None
        for mutant in kept(suspect.identifier):
            ends = ((wide, self._told(mutant, [suspect], wide)) for wide in (False, True))
            verdicts = (suspect.heard(mutant, told, wide) for wide, told in ends)
            verdict = next((each for each in verdicts if each), None)
            if verdict is None:
                break
        return verdict or suspect.alive()

    def tally(self, code: CodeType) -> Tallied:
        """What became of every mutant of a home."""
        identifiers = sorted(each for each, home in HOMES.items() if home is code)
        suspects = [self._suspect(each) for each in identifiers]
        ends = [(mutant.what, self._noticed(mutant, suspects)) for mutant in mutants(code)]
        return Tallied(
            game_of(code),
            f"{Path(code.co_filename).stem} {code.co_qualname}",
            self.whole_key(code),
            len(ends),
            [what for what, end in ends if end == "crashed"],
            [what for what, end in ends if end == "passed"],
        )

    def whole_key(self, code: CodeType) -> str:
        """Of a home with all its rules: while it holds, its tally does."""
        keys = sorted(self.key(each) for each, home in HOMES.items() if home is code)
        return hashlib.sha256(" ".join(keys).encode()).hexdigest()[:16]

    def _noticed(self, mutant: Mutant, suspects: Sequence[Suspect]) -> str:
        """The worst end of the tests: failed by what one asserts, else crashed, else passed."""
        ends: set[str] = set()
        for wide in (False, True):
            ends |= {each.end for each in self._told(mutant, suspects, wide, 1)}
            if "failed" in ends:
                return "failed"
        return "crashed" if "crashed" in ends else "passed"

    def judge_rows(self, table: Table) -> Rowed:
        """Change the rows of a table, one at a time, before the tests of the one rule."""
        (identifier,) = table.rules
        items = [
            item
            for item in self._suspect(identifier, MOST_OF_A_TABLE).items
            if table.subject or not takes_from(function_of(item), table.name)
        ]
        changes = [
            (f"{row}: {what}", partial(put, table.name, new))
            for row, what, new in changed_rows(table)
        ]
        return self._judged_rows(self.rows_key(table), items, changes)

    def _judged_rows(
        self, key: str, items: list[pytest.Item], changes: Sequence[RowChange]
    ) -> Rowed:
        """Try all changes, until enough of them survived."""
        ends: dict[int, str] = {}
        left = list(range(len(changes)))
        while left and sum(end == "passed" for end in ends.values()) < ENOUGH:
            now = self._row_ends(items, changes, left, wide=False)
            again = [number for number, end in now.items() if end != "failed"]
            while again:
                wide = self._row_ends(items, changes, again, wide=True)
                now |= {n: end for n, end in wide.items() if (now[n], end) != ("crashed", "passed")}
                again = [number for number in again if number not in wide]
            ends |= now
            left = [number for number in left if number not in ends]
        return rowed(key, [(changes[number][0], end) for number, end in sorted(ends.items())])

    def _row_ends(
        self, items: list[pytest.Item], changes: Sequence[RowChange], numbers: list[int], wide: bool
    ) -> dict[int, str]:
        """One process makes these changes one after the other, until enough were not noticed."""

        def work() -> Iterator[Told]:
            alive = 0
            for number in numbers:
                with changes[number][1]():
                    _forget(wide)
                    yield Told(str(number), "began")
                    end = yield from self._told_until_failed(str(number), items)
                alive += end != "failed"
                if alive == ENOUGH:
                    return

        found: dict[int, str] = {}
        for test, end, *_ in (told := forked(work)):
            if test:
                number = int(test)
                found[number] = max(found.get(number, ""), end, key=ENDS.index)
        if told[-1:] == [GONE] and found:
            found[max(found)] = "crashed"
        return {n: "passed" if end == "began" else end for n, end in found.items()}

    def _told_until_failed(self, name: str, items: list[pytest.Item]) -> Generator[Told, None, str]:
        """Play the tests until one fails, which is tried first hereafter."""
        for item in list(items):
            (told,) = _played([item], self.seconds)
            yield told._replace(test=name)
            if told.end == "failed":
                items.remove(item)
                items.insert(0, item)
                return "failed"
        return "passed"

    def rows_key(self, table: Table) -> str:
        (identifier,) = table.rules
        said = f"{self.key(identifier)} {told_of(table)}"
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    def _suspect(self, identifier: str, most: int = MOST_TESTS) -> Suspect:
        """A rule with the quickest of its tests that pass where nothing is broken."""
        items = self.items.get(identifier, [])
        self._measure([item for item in items if item.nodeid not in self.seconds])
        sound = [item for item in items if item.nodeid in self.seconds]
        ordered = sorted(sound, key=lambda item: (self.seconds[item.nodeid], item.nodeid))
        return Suspect(identifier, self.key(identifier), ordered[:most])

    def _measure(self, items: Sequence[pytest.Item]) -> None:
        for told in forked(lambda: _played(items, {})) if items else ():
            if told.end == "passed":
                self.seconds[told.test] = told.seconds

    def _told(
        self, mutant: Mutant, suspects: Sequence[Suspect], wide: bool, rows: int = ROWS
    ) -> list[Told]:
        """How the tests of the suspects end with the mutant in the place of their home."""

        def work() -> Iterator[Told]:
            self._exchange(HOMES[suspects[0].identifier], mutant.code)
            _forget(wide)
            yield from _until(suspects, self.seconds, rows)

        return forked(work)

    def _exchange(self, code: CodeType, other: CodeType) -> None:
        """The watch of the tests (tests/support/rules.py) has to know the new code as well."""
        for identifier, home in list(HOMES.items()):
            if home is code:
                HOMES[identifier] = other
        for function in self.functions[code]:
            function.__code__ = other


def rowed(key: str, ends: Sequence[tuple[str, str]]) -> Rowed:
    """What may crash does so where another change of its row is noticed."""
    noticed = {what.partition(":")[0] for what, end in ends if end == "failed"}
    left = [
        what + (" only crashes" if end == "crashed" else "")
        for what, end in ends
        if end == "passed" or (end == "crashed" and what.partition(":")[0] not in noticed)
    ]
    return Rowed(key, len(ends), left)


def _until(suspects: Sequence[Suspect], seconds: Mapping[str, float], rows: int) -> Iterator[Told]:
    """Play the tests of the suspects, the quick ones first; of each until enough have failed."""
    failed: dict[str, int] = {}
    of: dict[str, list[str]] = {}
    items = {item.nodeid: item for suspect in suspects for item in suspect.items}
    for suspect in suspects:
        for item in suspect.items:
            of.setdefault(item.nodeid, []).append(suspect.identifier)
    for test in sorted(items, key=lambda test: (seconds[test], test)):
        if any(failed.get(identifier, 0) < rows for identifier in of[test]):
            for told in _played([items[test]], seconds):
                yield told
                for identifier in of[test] if told.end == "failed" else ():
                    failed[identifier] = failed.get(identifier, 0) + 1


def _played(items: Sequence[pytest.Item], seconds: Mapping[str, float]) -> Iterator[Told]:
    for item in items:
        within(PATIENCE * seconds[item.nodeid] if item.nodeid in seconds else ALONE)
        before = time.process_time()
        end = _end(item)
        yield Told(item.nodeid, end, round(time.process_time() - before, 4))


def _end(item: pytest.Item) -> str:
    ends = {dict(report.user_properties).get(RAISED, "passed") for report in _reports(item)}
    return str(next((end for end in ("crashed", "failed") if end in ends), "passed"))


def _reports(item: pytest.Item) -> list[pytest.TestReport]:
    return runtestprotocol(item, log=False, nextitem=None)


def _named(item: pytest.Item) -> set[str]:
    return {str(name) for mark in item.iter_markers("rule") for name in mark.args}


def functions_of_homes() -> dict[CodeType, list[FunctionType]]:
    """Every function of the homes: closures of one definition share its code."""
    found: dict[CodeType, list[FunctionType]] = {code: [] for code in HOMES.values()}
    for thing in every_object():
        if isinstance(thing, FunctionType) and thing.__code__ in found:
            found[thing.__code__].append(thing)
    return found


def _forget(wide: bool) -> None:
    """Answers that were remembered before the change; wide: also what was read of files.

    A home that answers once for all, an order of play, answers anew.
    """
    homes = places(HOMES.values())
    for name, module in list(sys.modules.items()):
        if name.startswith("domain."):
            for thing in list(vars(module).values()):
                if isinstance(thing, _CACHED):
                    if wide or remembers_answers(thing, homes):
                        thing.cache_clear()
                elif isinstance(thing, FunctionType) and thing.__code__ is _LATEST:
                    held = thing.__code__.co_freevars.index("held")
                    (thing.__closure__ or ())[held].cell_contents[0] = None


# --- the plugin ----------------------------------------------------------------------------------

ASKED = "DECKLOG_BREAKING"
"""The environment variable that names the file with the work, as JSON."""
RAISED = "raised"


class Work(msgspec.Struct, frozen=True):
    """What is to be done.

    games    whose rules
    rules    only these; empty: all
    jobs     processes that share the work
    most     mutants of a home that are tried, at most
    seconds  of the processor after which a process begins no other home; 0: no end
    known    verdicts that hold while their keys do, by rule
    tally    count all mutants of each home, instead of looking for one that a rule's tests notice
    tallied  keys of homes of which that was done
    rows     verdicts on rows of tables that hold while their keys do, by table and rule
    tables   nothing but the tables whose names begin so, also those that are owed; empty: the rest
    target   descriptor that it writes, a JSON document a line
    """

    games: tuple[str, ...]
    rules: tuple[str, ...]
    jobs: int
    most: int
    seconds: float
    known: dict[str, Verdict]
    tally: bool
    tallied: tuple[str, ...]
    rows: dict[str, Rowed]
    tables: tuple[str, ...]
    target: int


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    if call.excinfo is not None:
        report.user_properties.append((RAISED, _kind(call.when, call.excinfo)))
    return report


def _kind(when: str, raised: pytest.ExceptionInfo[BaseException]) -> str:
    """Failed by what the test asserts, by a refusal that it did not expect; else it crashed."""
    error = raised.value
    if when != "call" or UNPROVED in str(error):
        return "crashed"
    last = str(raised.traceback[-1].path)
    if isinstance(error, AssertionError) and DOMAIN in last and LENT not in last:
        return "crashed"
    said = isinstance(error, AssertionError | Refused | pytest.fail.Exception)
    return "failed" if said else "crashed"


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Break instead of running the tests, where that is asked for."""
    if ASKED not in os.environ:
        return None
    work = msgspec.json.decode(Path(os.environ[ASKED]).read_bytes(), type=Work)
    homes = [] if work.tables else _homes(work)
    breaker = Breaker(session.items)
    if work.tally:  # in no order, so that what was counted when it is stopped is a fair sample
        homes.sort(key=lambda identifiers: breaker.whole_key(HOMES[identifiers[0]]))
    gc.freeze()
    units = [] if work.tally else list(_units(work).items())
    children = [
        _share(work, breaker, homes[share :: work.jobs], units[share :: work.jobs])
        for share in range(work.jobs)
    ]
    for child in children:
        os.waitpid(child, 0)
    return True


def _homes(work: Work) -> list[list[str]]:
    """The rules that are asked for, by home, in the order of the files."""
    for game in work.games:
        audit_game(game, {})
    homes: dict[CodeType, list[str]] = {}
    for identifier, code in sorted(HOMES.items()):
        if game_of(code) in work.games and (not work.rules or identifier in work.rules):
            homes.setdefault(code, []).append(identifier)
    return [homes[code] for code in sorted(homes, key=lambda c: (c.co_filename, c.co_firstlineno))]


def _units(work: Work) -> dict[str, Table]:
    """The tables of the games, once for each of the rules that are about them."""
    if work.tables:
        for game in work.games:
            audit_game(game, {})
    return {
        f"{table.name} {rule}": structs.replace(table, rules=(rule,))
        for table in tables().table
        for rule in table.rules
        if (table.name.startswith(work.tables) if work.tables else not table.owed)
        and table.name.partition(".")[0] in work.games
        and (not work.rules or rule in work.rules)
    }


def _share(
    work: Work,
    breaker: Breaker,
    homes: Sequence[list[str]],
    units: Sequence[tuple[str, Table]],
) -> int:
    """A process that does its share of the work; its ID."""
    child = os.fork()
    if child:
        return child
    try:
        for line in chain(_worked(work, breaker, homes), _rowed(work, breaker, units)):
            _say(work, line)
    except BaseException:
        _say(work, {"trouble": traceback.format_exc()})
    finally:
        os._exit(0)


def _say(work: Work, line: dict[str, Any]) -> None:
    """In one piece, so that the lines of two processes do not mix."""
    os.write(work.target, msgspec.json.encode(line) + b"\n")


def _worked(work: Work, breaker: Breaker, homes: Sequence[list[str]]) -> Iterator[dict[str, Any]]:
    for identifiers in homes:
        code = HOMES[identifiers[0]]
        if work.tally:
            if breaker.whole_key(code) not in work.tallied:
                yield msgspec.to_builtins(breaker.tally(code))
            continue
        held = {each: work.known[each] for each in identifiers if _holds(work, breaker, each)}
        stale = [each for each in identifiers if each not in held]
        late = work.seconds and sum(os.times()[:4]) > work.seconds
        judged = breaker.judge(stale, work.most) if stale and not late else {}
        for identifier, verdict in chain(held.items(), judged.items()):
            fresh = identifier in judged
            yield {
                "game": game_of(code),
                "rule": identifier,
                "fresh": fresh,
                "verdict": verdict,
            }


def _rowed(
    work: Work, breaker: Breaker, units: Sequence[tuple[str, Table]]
) -> Iterator[dict[str, Any]]:
    """Verdicts on rows; none where there is no time left."""
    for name, unit in units:
        key = breaker.rows_key(unit)
        known = work.rows.get(name)
        if known is not None and known.key == key:
            yield {"rows": name, "fresh": False, "verdict": known}
        elif not (work.seconds and sum(os.times()[:4]) > work.seconds):
            yield {"rows": name, "fresh": True, "verdict": breaker.judge_rows(unit)}


def _holds(work: Work, breaker: Breaker, identifier: str) -> bool:
    known = work.known.get(identifier)
    return known is not None and known.key == breaker.key(identifier)


def game_of(code: CodeType) -> str:
    """The game that the code is of; empty for the kernel's."""
    parts = Path(code.co_filename).parts
    return parts[parts.index("games") + 1] if "games" in parts else ""
