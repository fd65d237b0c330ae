"""Along a game, recorded or random: every settled position, in truth and as each viewer sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from domain.kernel.conformance import play
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, Seat, Viewer
from tests.support.recorded import order, read
from tests.support.suites import AnyGame, Suite

Batches = Iterator[tuple[Any, ...]]
"""The events of the opening, then of each command."""


class Place(NamedTuple):
    """A settled position: the end of a command.

    views  by viewer: every seat and the public
    """

    state: Any
    views: dict[Viewer, Any]


def walk(game: AnyGame, seats: Iterable[Seat], batches: Batches) -> Iterator[Place]:
    """Every position in which a command or dice may come next."""
    state: Any = None
    views: dict[Viewer, Any] = dict.fromkeys((*seats, PUBLIC))
    for events in batches:
        state = game.fold(events, state)
        for viewer, view in views.items():
            views[viewer] = game.fold((game.seen(event, viewer) for event in events), view)
        if game.result(state) is None:
            yield Place(state, dict(views))


def recorded(suite: Suite, path: Path) -> Iterator[Place]:
    """Along a recorded game, whose commands are decided again."""
    lines = read(path)
    setup = msgspec.convert(lines[0]["setup"], Setup)
    return walk(suite.game, setup.seats, _decided(suite, setup, lines[1:-1]))


def _decided(suite: Suite, setup: Setup, lines: list[dict[str, Any]]) -> Batches:
    events = tuple(suite.game.opening(setup))
    state = suite.game.fold(events)
    yield events
    for line in lines:
        if "turn" not in line:
            events = suite.game.decide(state, *order(suite, state, line))
            state = suite.game.fold(events, state)
            yield events


def random(game: AnyGame, setup: Setup, seed: object) -> Iterator[Place]:
    """Along the random game of a seed."""
    return walk(game, setup.seats, _played(game, setup, seed))


def _played(game: AnyGame, setup: Setup, seed: object) -> Batches:
    known = 0
    for played in play(game, setup, Random(f"walk {seed}").randrange):
        yield tuple(played.events[known:])
        known = len(played.events)


def places(suite: Suite, seeds: Iterable[int]) -> Iterator[Place]:
    """Along the random games of some seeds."""
    return chain.from_iterable(
        random(game, setup, seed)
        for seed, (setup, game) in ((seed, suite.random(seed)) for seed in seeds)
    )
