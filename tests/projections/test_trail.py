"""Marks along a fold: always a right one, never too many."""

from __future__ import annotations

import random

from projections.trail import MOST_MARKS, START, STRIDE, Checkpoint, Checkpoints


def test_marks_stay_few_and_in_order_however_they_are_asked_for() -> None:
    for seed in range(20):
        dice = random.Random(seed)
        trail = Checkpoints()
        for _ in range(400):
            target = dice.randrange(1, 20_000)
            begin = trail.before(target)
            assert begin.version <= target
            for version in range(begin.version + 1, target + 1):
                if version % trail.stride == 0 or version == target:
                    trail.keep(Checkpoint(version, str(version), version))
            versions = [mark.version for mark in trail.marks]
            assert versions == sorted(set(versions))
            assert len(versions) <= MOST_MARKS
            assert trail.marks[0] is START
            assert all(version % trail.stride == 0 for version in versions[:-1])


def test_a_walk_is_never_longer_than_the_stride_once_it_was_walked() -> None:
    trail = Checkpoints()
    for version in range(1, 3_001):
        if version % trail.stride == 0 or version == 3_000:
            trail.keep(Checkpoint(version, str(version), version))
    assert trail.stride == 4 * STRIDE
    for version in range(3_001):
        assert version - trail.before(version).version < trail.stride
    assert trail.before(3_000).version == 3_000


def test_who_reads_on_begins_where_the_last_page_ended() -> None:
    trail = Checkpoints()
    for version in range(1, 3 * STRIDE + 1):
        if version % trail.stride == 0:
            trail.keep(Checkpoint(version, str(version), version))
    kept = list(trail.marks)
    begin, end = (Checkpoint(STRIDE + place, "page", STRIDE + place) for place in (7, 12))
    for mark in (begin, end, end):
        trail.keep(mark)
    assert trail.before(STRIDE + 14) is end, "the next page"
    assert trail.before(STRIDE + 7) is begin, "the same page again"
    assert trail.before(STRIDE + 6).version == STRIDE
    assert trail.before(2 * STRIDE).version == 2 * STRIDE, "a mark that is nearer goes before it"
    assert trail.marks == kept
