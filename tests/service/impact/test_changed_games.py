"""Games that went over to other rules: each part as its own decided it, by the new ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.cli import main
from service.engines import load
from service.engines.wire import Wire
from service.evidence.asked import Answers
from service.impact.compare import FORM, Compared, compare
from service.impact.history import History, read
from service.impact.impact import Sentences
from tests.service.evidence.test_rules_changed import LATER, NEW, table
from tests.service.impact.playing import POINTS, rules
from tests.support import pennant


def history(orders: int = 4) -> History:
    return read("changed.decklog", table(orders=orders).play(5).export())


def older(given: History) -> Answers:
    return Answers(Wire(load.load(LATER)).answer, "pennant", "", given.setup)


def compared(given: History, new: Answers) -> Compared:
    says = Sentences(pennant.GAME)

    def over(digest: str) -> Answers:
        assert digest == NEW.digest
        return rules({}, given)

    return compare(given, older(given), new, says, over=over)


def test_a_game_is_followed_over_the_change_to_its_end() -> None:
    """It stopped there: the old rules were asked for what they never decided."""
    given = history()
    (change,) = given.changes
    assert change.digest == NEW.digest
    assert change.state
    found = compared(given, rules({}, given))
    assert found.stopped == ""
    rolls = sum(len(order.rolls) for order in given.orders)
    assert found.decisions == len(given.orders) + rolls
    assert not [each for each in found.differences if each.kind != FORM]


def test_what_differs_after_the_change_is_found() -> None:
    given = history(orders=0)
    found = compared(given, rules(POINTS, given))
    assert found.stopped == ""
    assert [each for each in found.differences if each.at > given.changes[0].at]


def test_where_the_second_rules_are_not_known_it_says_so() -> None:
    given = history()
    found = compare(given, older(given), rules({}, given), Sentences(pennant.GAME))
    assert f"it went over to the rules {NEW.digest[:12]}, which are not known here" in found.stopped
    assert 0 < found.decisions < len(given.orders)


def test_another_position_than_the_one_that_was_carried_over_ends_it() -> None:
    given = history()
    (change,) = given.changes
    forged = given._replace(changes=(change._replace(state=b'{"state":"00"}'),))
    assert "come to another position" in compared(forged, rules({}, forged)).stopped


def test_the_command_finds_the_rules_of_each_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, engine = tmp_path / "changed.decklog", tmp_path / "old.engine"
    path.write_bytes(table().play(5).export())
    engine.write_bytes(LATER)
    code = main(["impact", str(engine), "installed", str(path)], {"pennant": pennant.GAME})
    out, err = capsys.readouterr()
    assert code == 0, out + err
    assert "stopped" not in out
    assert "not known" not in out
