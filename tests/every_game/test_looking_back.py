"""What looks back over a whole game goes through it once, and along the viewer's own states."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.kernel.codec import full
from domain.kernel.values import PUBLIC, TRUTH
from projections.hindsight import Side, difference
from projections.inquiry import Inquiry, Question, mentions
from projections.views import walk
from tests.every_game.test_differences import positions
from tests.support import history
from tests.support.looking import RecordedViews
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

EACH = pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)


def longest(suite: Suite) -> RecordedViews:
    """The longest recorded battle: longer than what is looked at in one go."""
    path = max(history.files(suite), key=lambda each: each.stat().st_size)
    events = [event for event, _ in positions(suite, path, TRUTH)]
    return RecordedViews(suite, [(event, f"c{place // 3}") for place, event in enumerate(events)])


@EACH
def test_a_walk_meets_every_event_between_the_states_that_views_show(suite: Suite) -> None:
    views = longest(suite)
    chooser = Random(suite.folder)
    for viewer in (TRUTH, PUBLIC, "p1"):
        first, last = sorted(chooser.sample(range(views.latest + 1), 2))
        steps = list(walk(views, viewer, first, last))
        assert [step.seq for step in steps] == list(range(first + 1, last + 1))
        assert [step.event for step in steps] == views.seen(viewer, first, last)
        for step in chooser.sample(steps, min(20, len(steps))):
            assert step.before == (views.at(viewer, step.seq - 1) if step.seq > 1 else None)
            assert step.after == views.at(viewer, step.seq)


@EACH
def test_nothing_is_read_twice_for_one_answer(suite: Suite) -> None:
    """A difference folded a long game four times, and was given up on a busy machine."""
    views = longest(suite)
    last = views.latest
    one, two = Side(views, "p1", last), Side(views, "p1", last // 3)
    there = difference(one, two, "")
    assert views.read == last
    back = difference(two, one, "")
    assert views.read <= 2 * last
    assert [change.path for change in there.changes] != []
    assert there.events == back.events
    views.read = 0
    list(mentions(views, "p1", Question(type="no-such"), 0, last))
    assert views.read == last


@EACH
def test_a_large_part_that_changes_often_is_told_as_its_values_are(suite: Suite) -> None:
    """All units, say: what did not change of them is put into plain JSON once."""
    views = longest(suite)
    last = views.latest
    state = views.at(TRUTH, last)
    names = zip(state.__struct_fields__, state.__struct_encode_fields__, strict=True)
    large = [path for name, path in names if isinstance(getattr(state, name), dict)]
    assert large
    for name in large:
        found = Inquiry(views, TRUTH, "", ()).value(f"/{name}", last, last).changes
        for change in found[:: max(1, len(found) // 5)]:
            before = views.at(TRUTH, change.event.seq - 1)
            was = None if before is None else positioned(before, name)
            assert (change.before, change.after) == (
                was,
                positioned(views.at(TRUTH, change.event.seq), name),
            )


def positioned(state: Any, name: str) -> Any:
    """What a view shows there."""
    return full(state)[name]
