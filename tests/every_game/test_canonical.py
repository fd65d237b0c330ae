"""A state is its canonical form: recorded orders are answered alike when it is read back.

Random games of each ruleset ask the same on their way (``conformance.check_canonical``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain.kernel import conformance, sameness
from domain.kernel.codec import canonical
from domain.kernel.fork import fork_rules
from domain.kernel.game import Setup
from domain.kernel.values import TRUTH, Seat
from service.forks import Origin, fork
from tests.support import recorded
from tests.support.suites import Suite, suites

EACH = [
    pytest.param(suite, path, id=f"{suite.folder}-{path.stem}")
    for suite in suites().values()
    for path in recorded.files(suite)
]
LINKED = [
    pytest.param(suite, path, id=f"{suite.folder}-{path.stem}")
    for suite in suites().values()
    for path in recorded.files(suite)
    if recorded.read(path)[0]["setup"]["scenario"] == "linked"
]
POSITIONS = 12
"""Positions of each recorded game at which everything is asked."""


def positions(suite: Suite, path: Path) -> Iterator[tuple[Setup, Any, Seat, Any]]:
    """Set-up, state and the order that was given in it, from the first to the last."""
    lines, game = recorded.read(path), suite.game
    setup = msgspec.convert(lines[0]["setup"], Setup)
    state = game.fold(game.opening(setup))
    for line in lines[1:-1]:
        if "turn" not in line:
            seat, command = recorded.order(suite, state, line)
            yield setup, state, seat, command
            state = game.fold(game.decide(state, seat, command), state)


@pytest.mark.parametrize(("suite", "path"), EACH)
def test_recorded_orders_are_answered_alike_when_the_state_is_read_back(
    suite: Suite, path: Path
) -> None:
    every = list(positions(suite, path))
    for setup, state, seat, command in Random(path.stem).sample(every, min(POSITIONS, len(every))):
        conformance.check_answers(suite.game, state, setup.seats, [(seat, command)])


@pytest.mark.parametrize(("suite", "path"), LINKED)
def test_every_order_goes_the_same_way_in_a_fork_of_its_position(suite: Suite, path: Path) -> None:
    game, rules = suite.game, fork_rules(suite.game)
    for setup, state, seat, command in positions(suite, path):
        begun = fork(game, Origin("0" * 32, 1, TRUTH), state, "seed", whole=True)
        forked = rules.fold(rules.opening(msgspec.structs.replace(setup, fork=begun)))
        here, there = (game.decide(state, seat, command), rules.decide(forked, seat, command))
        assert canonical(here) == canonical(there)
        assert canonical(game.legal(state, seat)) == canonical(rules.legal(forked, seat))


@pytest.mark.parametrize("read", sameness.READINGS)
@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_what_is_read_back_is_the_same_value(suite: Suite, read: Any) -> None:
    for event in suite.sample(3):
        assert read(event) == event
        assert canonical(read(event)) == canonical(event)
