"""Decisions by other rules: each way to differ is told apart, and none makes others."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from service.impact.compare import Compared, compare
from service.impact.history import NoHistory, read
from service.impact.impact import Sentences, impact
from tests.service.impact.playing import POINTS, Changes, compared, history, lines, rules
from tests.support import pennant

ANOTHER_FORM: Changes = {
    "events.py": ('NAME = "fire-declared"\n', 'NAME = "fire-declared"\n    SCHEMA = 2\n'),
    "engine.py": (
        "    odds=odds,\n",
        '    odds=odds,\n    upcasters={("fire-declared", 1): lambda data: data},\n',
    ),
}


def kinds(found: Compared) -> set[str]:
    return {each.kind for each in found.differences}


def test_the_same_rules_decide_alike() -> None:
    found = compared({})
    assert (found.differences, found.ending, found.stopped) == ((), None, "")
    data = [msgspec.json.decode(line) for line in lines().splitlines()]
    assert found.decisions == sum("faces" in each or "command" in each for each in data) + 1


def test_another_reason_is_figures() -> None:
    found = compared({"course.py": ('Reason(len(faces), rule_of(aim), aim)',
                                    'Reason(len(faces), rule_of(aim), "fire")')})  # fmt: skip
    assert kinds(found) == {"figures"}
    first = found.differences[0]
    assert (first.seat, first.command) == ("chance", None)
    assert first.old[0].name == "pennant.fire-resolved"
    (field,) = first.fields
    assert field.pointer == "/dice/reasons/0/label"
    assert (field.old in ('"magazine"', '"hull"'), field.new) == (True, '"fire"')
    assert found.ending is None


def test_another_state_is_outcome_with_its_rule_and_both_sentences() -> None:
    found = compared(POINTS)
    assert kinds(found) == {"outcome"}
    first = found.differences[0]
    assert set(first.rules) <= {"PEN-4", "PEN-5"}
    assert first.rules
    assert first.fields[0].pointer == "/points"
    old, new = first.said
    assert old
    assert new
    assert old != new


def test_one_difference_makes_no_others() -> None:
    """Of every roll that hits or misses, and of nothing that only follows from the points."""
    rolls = [line for line in lines().splitlines() if b"faces" in line]
    assert 0 < len(compared(POINTS).differences) <= len(rolls)


def test_another_written_form_is_form() -> None:
    found = compared(ANOTHER_FORM)
    assert kinds(found) == {"form"}
    assert found.stopped == ""


def test_what_is_not_taken_is_refused_with_its_rule() -> None:
    old = "    count = dice_tally(flow.state, seat, command.aim).total\n"
    refusal = '    if command.aim == "hull":\n        raise Refused("aim.no", "PEN-9", "No.")\n'
    found = compared({"course.py": (old, refusal + old)})
    assert kinds(found) == {"refused"}
    first = found.differences[0]
    assert (first.rules, first.why) == (("PEN-9",), "refused, aim.no (PEN-9): No.")
    assert first.command is not None
    assert b"hull" in bytes(first.command)


def test_other_dice_are_dice() -> None:
    found = compared({"state.py": ("return self.awaited\n",
                                   "return None if self.rolls else self.awaited\n"),
                      "engine.py": ("state.awaited", "state.awaiting")})  # fmt: skip
    assert "dice" in kinds(found)
    why = next(each.why for each in found.differences if each.kind == "dice")
    assert why.endswith("the new rules ask for none")


def test_what_cannot_be_read_is_unread_and_the_game_stops() -> None:
    found = compared({"events.py": ("    points: int = 0\n", "    score: int = 0\n"),
                      "course.py": ("points=points, awaited", "score=points, awaited"),
                      "state.py": ("points=", "score=")})  # fmt: skip
    assert "unread" in kinds(found) or "crashed" in kinds(found)
    assert "the new rules cannot go on from its events" in found.stopped


def test_what_breaks_down_is_crashed() -> None:
    found = compared({"course.py": ("    count = dice_tally", "    1 / 0\n    count = dice_tally")})
    assert kinds(found) == {"crashed"}
    assert "ZeroDivisionError" in found.differences[0].why
    assert found.stopped == ""


def test_a_game_that_ends_differently_is_named() -> None:
    found = compared({"course.py": ("most = max(", "most = min(")}, seed=4)
    assert found.ending is not None
    assert found.ending.old is not None
    assert found.ending.new is not None
    assert found.ending.old.winners != found.ending.new.winners


def test_a_game_of_other_rules_than_the_old_stops() -> None:
    given = history()
    old = "    count = dice_tally(flow.state, seat, command.aim).total\n"
    refusal = '    raise Refused("aim.no", "PEN-9", "No.")\n'
    strict = rules({"course.py": (old, refusal + old)}, given)
    found = compare(given, strict, rules({}, given), Sentences(pennant.GAME))
    assert "it is not of the old rules: refused, aim.no (PEN-9): No." in found.stopped


def test_a_command_of_before_its_type_named_the_ruleset_is_read() -> None:
    given = history()
    orders = [
        each._replace(command=each.command.replace(b'"pennant.', b'"')) for each in given.orders
    ]
    given = given._replace(orders=tuple(orders))
    found = compare(given, rules({}, given), rules({}, given), Sentences(pennant.GAME))
    assert (found.differences, found.stopped) == ((), "")


def test_counts_are_by_kind_and_rule() -> None:
    games = [compared(POINTS, seed) for seed in (3, 4)]
    found = impact(("a", "b"), games)
    assert found.kinds["outcome"] == len(found.differences)
    assert sum(each.count for each in found.by_rule) == len(found.differences)
    assert found.matters
    assert not impact(("a", "b"), [compared(ANOTHER_FORM)]).matters


def test_what_the_installed_rules_do_not_read_is_told_by_name() -> None:
    found = compared(ANOTHER_FORM)
    assert found.differences[0].said[1] == ("pennant.fire-declared",)


@pytest.mark.parametrize("data", [b"{}", b"{", b"nothing", b'{"setup":{}}\n{"seat":1}'])
def test_what_is_no_game_says_so(data: bytes) -> None:
    with pytest.raises(NoHistory, match=r"no (evidence|recorded game)"):
        read("it", data)


def test_sentences_survive_what_shows() -> None:
    def broken(before: object, event: object) -> str:
        raise IndexError

    says = Sentences(dataclasses.replace(pennant.GAME, says=broken))
    given = history()
    found = compare(given, rules({}, given), rules(POINTS, given), says)
    assert found.differences[0].said[0][0] == "pennant.fire-resolved"
