"""A state is its canonical form: recorded orders are answered alike when it is read back.

Random games of each ruleset ask the same on their way (``conformance.check_canonical``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.kernel import conformance, sameness
from domain.kernel.codec import canonical
from domain.kernel.forked import fork_rules
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, TRUTH, Seat
from service.play.forks import Origin, chooser, fork
from tests.support import recorded
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

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
EACH_KIND = 2
"""Positions at which everything is asked, of each kind that recorded games hold."""

EARLY, APART = 40, 25
"""All of the first events, when fleets are secret, and then one now and again."""

SUITES = pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)


class Position(NamedTuple):
    """A state of a recorded game, and the order that was given in it."""

    setup: Setup
    state: Any
    seat: Seat
    command: Any


def positions(suite: Suite, path: Path) -> Iterator[Position]:
    """From the first to the last."""
    lines, game = recorded.read(path), suite.game
    setup = msgspec.convert(lines[0]["setup"], Setup)
    state = game.fold(game.opening(setup))
    for line in lines[1:-1]:
        if "turn" not in line:
            seat, command = recorded.order(suite, state, line)
            yield Position(setup, state, seat, command)
            state = game.fold(game.decide(state, seat, command), state)


def dicts(value: Any, where: str = "") -> Iterator[str]:
    """Where a value holds dicts of more than one key: those have an order that could tell."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from dicts(getattr(value, name), f"{where}.{name}")
    elif isinstance(value, dict):
        if len(value) > 1:
            yield where
        for item in value.values():
            yield from dicts(item, f"{where}[]")
    elif isinstance(value, tuple | list):
        for item in value:
            yield from dicts(item, f"{where}[]")


def kinds(suite: Suite, position: Position) -> set[str]:
    """What makes a position worth asking about: its dicts, and what the order leads to."""
    events = suite.game.decide(position.state, position.seat, position.command)
    return {*dicts(position.state), *(event.NAME for event in events)}


def chosen(suite: Suite) -> Iterator[Position]:
    """Positions of recorded games, so many that each kind is among them often enough."""
    seen: Counter[str] = Counter()
    for path in recorded.files(suite):
        for position in positions(suite, path):
            found = kinds(suite, position)
            if any(seen[kind] < EACH_KIND for kind in found):
                seen.update(found)
                yield position


@SUITES
def test_recorded_orders_are_answered_alike_when_the_state_is_read_back(suite: Suite) -> None:
    asked = 0
    for each in chosen(suite):
        order = [(each.seat, each.command)]
        conformance.check_answers(suite.game, each.state, each.setup.seats, order)
        asked += 1
    assert asked > EACH_KIND


@pytest.mark.parametrize("read", sameness.READINGS)
@pytest.mark.parametrize(("suite", "path"), EACH)
def test_every_event_is_folded_and_told_alike_when_it_is_read_back(
    suite: Suite, path: Path, read: Any
) -> None:
    game, state = suite.game, None
    for event in recorded.replay(suite, recorded.read(path)).events:
        again = read(event)
        assert again == event
        assert game.says(state, again) == game.says(state, event)
        before, state = state, game.evolve(state, event)
        assert canonical(game.evolve(before, again)) == canonical(state)


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
@SUITES
def test_what_is_made_up_for_a_view_is_alike_when_the_view_is_read_back(
    suite: Suite, read: Any
) -> None:
    """An onlooker's view, who knows no secret: at each event of the game with most seats."""
    game, view, made_up = suite.game, None, 0
    path = max(
        recorded.files(suite), key=lambda path: len(recorded.read(path)[0]["setup"]["seats"])
    )
    for number, event in enumerate(recorded.replay(suite, recorded.read(path)).events):
        view = game.evolve(view, game.seen(event, PUBLIC))
        if number % APART == 0 or number < EARLY:
            one, other = (game.insight.suppose(each, chooser("a")) for each in (view, read(view)))
            assert canonical(one) == canonical(other)
            made_up += canonical(one) != canonical(view)
    assert made_up
