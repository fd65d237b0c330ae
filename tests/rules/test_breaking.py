"""The runner that breaks rules: what it takes for a proof, and what not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

from domain.kernel.conformance import askable
from domain.kernel.rules import HOMES
from domain.kernel.testing.table import opened
from tests.rules import __main__ as rules
from tests.rules import breaking, verdicts
from tests.rules.audit import audit_game, games
from tests.rules.breaker import _kind
from tests.rules.mutants import exchanged, mutants
from tests.support.pennant import GAME, SETUP
from tests.support.rules import ROOT

TOOLS = pytest.mark.slow("tools")

HOMES_OF_TOYS = """
from functools import cache

from domain.kernel.memo import latest
from domain.kernel.rules import Refused, rule

STATE = ("one", "two", "three")
TABLE = {"near": 10, "far": 20}

@rule("TOY-21", "TOY-22")
def hits(face):
    return face >= 4

@rule("TOY-23")
def row(name):
    return TABLE[name + ""] if name in TABLE else TABLE["gone"]

@rule("TOY-24")
def counted(number):
    while number > 0:
        number -= 1

@cache
@rule("TOY-25")
def remembered(number):
    return number + 1

@latest
@rule("TOY-26")
def newest(state):
    return len(state) + 1

@rule("TOY-27")
def doubled(number):
    return number * 2

@cache
def printed():
    return doubled(4)

@rule("TOY-28")
def checked(number):
    assert number > 0, "the engine's own doubt"
    return None

@rule("TOY-29")
def wrong(number):
    return number > 3

@rule("TOY-30")
def spent(number):
    if number > 3:
        raise Refused("toy.no", "TOY-30")

@rule("TOY-31")
def price(name) -> int:
    return TABLE[name]

remembered(1), newest(STATE), printed()
"""

TESTS_OF_TOYS = """
import pytest
from domain.toys import STATE, checked, counted, hits, newest, price, printed, remembered
from domain.toys import row, spent, wrong

@pytest.mark.rule("TOY-21")
@pytest.mark.parametrize("face", [3, 4, 5])
def test_hits(face):
    assert hits(face) == (face > 3)

@pytest.mark.rule("TOY-22")
def test_asserts_nothing(): hits(4)

@pytest.mark.rule("TOY-23")
def test_crashes(): row("near")

@pytest.mark.rule("TOY-24")
def test_hangs(): counted(3)

@pytest.mark.rule("TOY-25")
def test_remembered(): assert remembered(1) == 2

@pytest.mark.rule("TOY-26")
def test_newest(): assert newest(STATE) == 4

@pytest.mark.rule("TOY-27")
def test_printed(): assert printed() == 8

@pytest.mark.rule("TOY-28")
def test_checked(): checked(1)

@pytest.mark.rule("TOY-29")
def test_is_wrong_anyway(): assert wrong(3)

@pytest.mark.rule("TOY-30")
def test_is_not_refused(): spent(2)

@pytest.mark.rule("TOY-31")
def test_price(): assert price("far") == 20

@pytest.mark.rule("TOY-31")
def test_price_for_two(): assert 2 * price("far") == 40
"""

CONFTEST = """
import importlib.util, json, sys
import pytest
from domain.kernel.rules import HOMES
from tests.rules import breaker, forks

forks.LEAST = 0.3
made = importlib.util.spec_from_file_location("domain.toys", "domain/toys.py")
sys.modules["domain.toys"] = importlib.util.module_from_spec(made)
made.loader.exec_module(sys.modules["domain.toys"])

@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    found = breaker.Breaker(session.items)
    toys = [each for each in HOMES if each.startswith("TOY-")]
    homes = {}
    for each in toys:
        homes.setdefault(HOMES[each], []).append(each)
    judged = [found.judge(ids, 100) for ids in homes.values()]
    told = {rule: [v.rows, v.by, v.tried, v.crashed] for by in judged for rule, v in by.items()}
    with open("told.json", "w") as file:
        json.dump(told, file)
    return True
"""


@pytest.fixture(name="judged", scope="module")
def fixture_judged(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, tuple[int, str, int, int]]:
    """What the runner says of the toys: by rule rows, test, mutants tried, of these crashed."""
    folder = tmp_path_factory.mktemp("toys")
    (folder / "domain").mkdir()
    (folder / "domain" / "toys.py").write_text(
        "from __future__ import annotations\n" + HOMES_OF_TOYS
    )
    (folder / "test_toys.py").write_text(TESTS_OF_TOYS)
    (folder / "conftest.py").write_text(CONFTEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.rules.breaker"]
    command += ["-p", "tests.support.memory"]  # as in the runs that break real rules
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", ".", "test_toys.py"],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (folder / "told.json").exists(), done.stdout + done.stderr
    return {
        rule: tuple(found) for rule, found in json.loads((folder / "told.json").read_text()).items()
    }


@TOOLS
def test_what_a_test_notices_is_killed_and_its_rows_are_counted(judged: Any) -> None:
    rows, by, tried, _ = judged["TOY-21"]
    assert (rows, by, tried) == (1, "test_toys.py::test_hits[4]", 1)
    assert judged["TOY-31"][0] == 2


@TOOLS
@pytest.mark.parametrize("rule", ["TOY-22", "TOY-23", "TOY-24", "TOY-28"])
def test_a_test_that_asserts_nothing_proves_nothing(judged: Any, rule: str) -> None:
    """Not even where the broken home raises what it likes, doubts itself, or never comes back."""
    rows, by, tried, _ = judged[rule]
    assert (rows, by) == (0, "")
    assert tried > 0


def test_what_the_kernel_s_table_asserts_is_asserted_by_the_test() -> None:
    with pytest.raises(AssertionError) as raised:
        opened(GAME, SETUP).saw("fire-resolved")
    assert _kind("call", raised) == "failed"
    with pytest.raises(AssertionError) as raised:
        askable(replace(GAME, pending=lambda state: ()), opened(GAME, SETUP).state, ())
    assert _kind("call", raised) == "crashed", "what the domain asserts while it plays"


@TOOLS
@pytest.mark.parametrize("rule", ["TOY-23", "TOY-24", "TOY-28"])
def test_what_crashes_or_never_ends_is_counted_apart(judged: Any, rule: str) -> None:
    assert judged[rule][3] > 0


@TOOLS
@pytest.mark.parametrize("rule", ["TOY-25", "TOY-26", "TOY-27"])
def test_answers_of_before_are_forgotten(judged: Any, rule: str) -> None:
    """Remembered by argument, of the newest state, and what was read at first and held."""
    assert judged[rule][0] == 1


@TOOLS
def test_a_test_that_fails_where_nothing_is_broken_proves_nothing(judged: Any) -> None:
    assert judged["TOY-29"][:2] == (0, "")


@TOOLS
def test_a_refusal_that_the_test_did_not_expect_is_noticed(judged: Any) -> None:
    assert judged["TOY-30"][0] == 1


# --- keys ----------------------------------------------------------------------------------------

HOME = "def home(number):\n    return number > 3\n"
TEST = "def test_it(number):\n    assert home(number)\n"


def written(folder: Path, name: str, text: str, function: str) -> Any:
    """A function out of a file of its own."""
    path = folder / f"{name}.py"
    path.write_text(text)
    module: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), module)
    return module[function]


def key(folder: Path, monkeypatch: pytest.MonkeyPatch, home: str, test: str, **called: Any) -> str:
    """The key of a rule with such a home and one such test."""
    folder = folder / str(len(list(folder.iterdir())))
    folder.mkdir()
    monkeypatch.setitem(HOMES, "TOY-41", written(folder, "home", home, "home").__code__)
    function = written(folder, "test", test, "test_it")
    item: Any = SimpleNamespace(
        name="test_it", function=function, callspec=SimpleNamespace(params=called)
    )
    return verdicts.key("TOY-41", [item])


def test_a_move_keeps_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = (
        'import re\n\n\n# why\ndef home(number):\n    """So."""\n    return number  >  3  # so\n'
    )
    assert key(tmp_path, monkeypatch, HOME, TEST) == key(
        tmp_path, monkeypatch, moved, "\n\n" + TEST
    )


@pytest.mark.parametrize(
    ("home", "test", "called"),
    [
        (HOME.replace("3", "4"), TEST, {}),
        (HOME.replace(">", ">="), TEST, {}),
        (HOME, TEST.replace("assert home", "assert not home"), {}),
        (HOME, TEST, {"number": 4}),
    ],
)
def test_a_change_of_home_or_test_does_not(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    home: str,
    test: str,
    called: dict[str, Any],
) -> None:
    before = key(tmp_path, monkeypatch, HOME, TEST)
    assert key(tmp_path, monkeypatch, home, test, **called) != before


# --- the command line ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [breaking.main, rules.main])
def test_a_game_that_there_is_not_is_refused(
    command: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command(["--game", "crimson-tide"])
    assert ended.value.code == 2
    assert "invalid choice: 'crimson-tide' (choose from" in capsys.readouterr().err


# --- mutants -------------------------------------------------------------------------------------


def code(folder: Path, text: str) -> CodeType:
    found: CodeType = written(folder, "home", text, "home").__code__
    return found


def answer(code: CodeType, *args: Any) -> Any:
    def toy(number: int) -> int:
        return number

    toy.__code__ = code
    return toy(*args)


def test_mutants_differ_from_the_function_and_from_each_other(tmp_path: Path) -> None:
    home = code(tmp_path, HOME)
    found = [
        (mutant.what, answer(mutant.code, 3), answer(mutant.code, 4)) for mutant in mutants(home)
    ]
    assert ("home: comparison: number > 3", True, True) in found
    assert ("home: one more: 3", False, False) in found
    assert len({what for what, *_ in found}) == len(found)
    assert all(answers != [False, True] for _, *answers in found)


def test_methods_have_mutants_and_so_have_functions_inside_of_others(tmp_path: Path) -> None:
    text = (
        "class Ship:\n    @property\n    def afloat(self):\n        return self.hull > 0\n"
        "def home(number):\n    def inner():\n        return number > 3\n    return inner\n"
    )
    ship = written(tmp_path, "home", text, "Ship")
    inner = written(tmp_path, "home", text, "home")(3)
    assert any(each.what.startswith("Ship.afloat: ") for each in mutants(ship.afloat.fget.__code__))
    (edge, *_) = mutants(inner.__code__)
    assert not inner()
    inner.__code__ = edge.code
    assert inner()


def test_a_kept_mutant_is_the_words_exchanged(tmp_path: Path) -> None:
    mutant = exchanged(code(tmp_path, HOME), "> 3", "> 7")
    assert not answer(mutant.code, 5)
    assert answer(mutant.code, 8)


@pytest.mark.parametrize("gone", ["> 9", "number"])
def test_a_kept_mutant_whose_words_are_gone_is_an_error(tmp_path: Path, gone: str) -> None:
    """Or that stand there twice."""
    with pytest.raises(LookupError):
        exchanged(code(tmp_path, HOME), gone, "> 7")


def test_kept_mutants_are_of_rules_in_code_and_their_words_are_there() -> None:
    for game in games():
        audit_game(game, {})
    for identifier in verdicts.kept_changes():
        assert list(verdicts.kept(identifier)), identifier
