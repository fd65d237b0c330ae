"""The fingerprint finds what was planted, part by part, and calls the same tree equal."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import fingerprint
from tests.support.fingerprint import Failed, Wish, ask, compare
from tests.support.later import exchange
from tests.support.server import ROOT

WISH = Wish(("pennant",), seeds=3, steps=40)
GAME = Path("domain", "examples", "pennant")


class Kept(NamedTuple):
    """A tape of Pennant, and what the tree as it stands makes of it."""

    tape: Path
    digests: list[str]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    tape = tmp_path_factory.mktemp("tape") / "tape.jsonl"
    tape.write_text(ask(ROOT, "--record", "--ruleset=pennant", "--seeds=3", "--steps=40"), "utf-8")
    return Kept(tape, ask(ROOT, f"--digests={tape}").splitlines())


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree's sources, to be changed."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copy(ROOT / "pyproject.toml", folder)
    ignore = shutil.ignore_patterns("__pycache__", "games", "data")
    shutil.copytree(ROOT / "domain", folder / "domain")
    for name in ("service", "projections", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    return folder


Plant = Callable[[str, str], None]


@pytest.fixture
def plant(copy: Path) -> Plant:
    """Puts a text of the small game in the place of another one; one at a time."""

    def planted(old: str, new: str) -> None:
        shutil.rmtree(copy / GAME)
        shutil.copytree(ROOT / GAME, copy / GAME, ignore=shutil.ignore_patterns("__pycache__"))
        exchange(copy / GAME, old, new)

    return planted


PLANTS = {
    "events": ("(Dice(count),), seat)", "(Dice(count, 8),), seat)"),
    "events as p2 sees them": ("not in (seat, TRUTH)", "not in (seat, 'p2', TRUTH)"),
    "sentences": ("hoist their pennants.", "hoist their flags."),
    "sentences to p1": ("chooses a colour in secret.", "chooses something in secret."),
    "pending": ("acts=(act(Fire, _fire),),", "acts=(act(Fire, _fire),),\n    optional=False,"),
    "offers to p1": ("map(Fire, AIMS)", "map(Fire, AIMS[::-1])"),
    "refusals": ("is chosen once.", "is chosen one time."),
    "refusals ": ('A colour is chosen once.", "/colour"', 'A colour is chosen once.", ""'),
    "usual answers": ('Choose("steady"),', 'Choose("bold"),'),
    "in words": ("Choose {command.colour}.", "Take {command.colour}."),
    "odds": ('"in": 6**count - misses**count', '"in": misses**count'),
    "scores": ("dict(zip(state.seats, state.points", "dict(zip(state.seats, (0, 0)"),
    "result": ('"points" if self.winners', '"score" if self.winners'),
}  # fmt: skip
"""The part that shows it, and what is planted in Pennant."""


@pytest.mark.slow("fingerprint")
@pytest.mark.parametrize("part", PLANTS)
def test_what_is_planted_is_found_where_it_is(
    part: str, kept: Kept, copy: Path, plant: Plant
) -> None:
    plant(*PLANTS[part])
    found = ask(copy, f"--digests={kept.tape}").splitlines()
    at = fingerprint._first_difference(kept.digests, found)
    assert at.split("\t")[3] == part.strip()


def test_the_same_tree_is_equal() -> None:
    assert compare(ROOT, ROOT, WISH) == ""


@pytest.mark.slow("fingerprint")
def test_the_first_difference_is_shown_with_both_values(copy: Path, plant: Plant) -> None:
    plant("A colour is chosen once.", "A colour is chosen one time.")
    lines = compare(ROOT, copy, WISH).splitlines()
    assert lines[0].startswith("pennant, game 0, step ")
    assert lines[0].endswith(": refusals")
    assert lines[1].endswith("/hint")
    assert lines[2].endswith(' is chosen once."')
    assert lines[3].endswith(' is chosen one time."')


@pytest.mark.slow("fingerprint")
def test_an_order_that_is_refused_now_is_told(copy: Path, plant: Plant) -> None:
    never = 'lambda *given: No("choose.again", "PEN-2", "Never.")'
    plant("act(Choose, _choose)", f"act(Choose, _choose, {never})")
    assert "is refused: {'code': 'choose.again'" in compare(ROOT, copy, WISH)


@pytest.mark.slow("fingerprint")
def test_a_name_that_changed_on_purpose_is_mapped(copy: Path, plant: Plant) -> None:
    plant('NAME = "turn-passed"', 'NAME = "passed-on"')
    assert "turn-passed" in compare(ROOT, copy, WISH)
    mapped = WISH._replace(renames=("turn-passed=passed-on",))
    assert compare(ROOT, copy, mapped) == ""


WAITS = 'class Pass(commands.Pass, frozen=True, tag="pennant.wait")'


@pytest.mark.slow("fingerprint")
def test_the_name_of_an_order_is_mapped_on_the_tape_too(copy: Path, plant: Plant) -> None:
    plant("class Pass(commands.Pass, frozen=True, tag=called)", WAITS)
    assert compare(ROOT, copy, WISH)
    assert compare(ROOT, copy, WISH._replace(renames=("pennant.pass=pennant.wait",))) == ""


@pytest.mark.slow("fingerprint")
def test_a_tree_that_cannot_be_asked_is_not_equal(copy: Path, plant: Plant) -> None:
    plant("class State(Value, frozen=True, dict=True):", "class State(Value, frozen=True")
    with pytest.raises(Failed, match="SyntaxError"):
        compare(ROOT, copy, WISH)
    with pytest.raises(Failed, match="plays nothing"):
        compare(ROOT, ROOT, WISH._replace(rulesets=("no-such-game",)))


@pytest.mark.slow("fingerprint")
def test_states_are_compared_in_place_of_what_is_recorded(copy: Path, plant: Plant) -> None:
    states = WISH._replace(states=True)
    plant('NAME = "turn-passed"', 'NAME = "passed-on"')
    assert compare(ROOT, copy, states) == ""
    plant(*PLANTS["events"])
    assert ": state" in compare(ROOT, copy, states).splitlines()[0]


def test_a_field_or_a_value_in_it_is_left_out_of_a_state() -> None:
    state = {"tended": ["a", "b"], "turn": 3}
    assert fingerprint._without(state, ["turn"]) == {"tended": ["a", "b"]}
    assert fingerprint._without(state, ["tended=a"]) == {"tended": ["b"], "turn": 3}
    assert fingerprint._without(state, ["tended=a", "tended=b"]) == {"turn": 3}


def test_recorded_games_make_a_tape() -> None:
    tape = list(fingerprint._recorded(["war-at-sea"]))
    assert {game["ruleset"] for game in tape} == {"war-at-sea"}
    assert all("faces" in move or "seat" in move for game in tape for move in game["moves"])


def test_every_ruleset_is_played() -> None:
    played = {name for name, _, _ in fingerprint._tables()}
    assert played == fingerprint.tree().games.keys()
