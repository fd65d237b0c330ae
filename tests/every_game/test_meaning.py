"""What events mean to readers is so: a loss that was said to be no loss, the wrong ship that did it
and another cause were all silent, for no reader of roles knows better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.kernel.conformance import Nonconformance, play
from domain.kernel.shown.roles import Role
from domain.kernel.testing.meaning import Meaning, check_meaning
from tests.support import pennant, stretches
from tests.support.cases import FOLDER
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

GAMES = 4
LONG = 1_500

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]
every_suite = pytest.mark.parametrize("suite", PLAYED, ids=[suite.folder for suite in PLAYED])


def faults(game: AnyGame, follow: Meaning, walk: Iterator[stretches.Stretch]) -> Iterator[str]:
    name = ""
    for each in walk:
        if each.name != name:
            name = each.name
            follow.begin(sides(game, each))
        found = follow.happened(each.before, each.events, each.seat, each.order)
        yield from (f"{name}: {fault}" for fault in found)


def sides(game: AnyGame, first: stretches.Stretch) -> Iterable[Sequence[str]]:
    """Who plays with whom: a case says it in its position only, and only where sides have teams."""
    if first.setup is not None:
        return game.sides(first.setup)
    side = getattr(first.before, "side", lambda seat: seat)
    seats = list(game.scores(first.before))
    return [[each for each in seats if side(each) == one] for one in seats]


@cache
def followed(folder: str) -> tuple[list[str], list[str]]:
    """What is wrong in cases and random games, and what none of them has shown."""
    suite = suites()[folder]
    follow = Meaning(suite.game)
    return list(faults(suite.game, follow, stretches.of_all(suite, GAMES, LONG))), follow.lacking()


@every_suite
def test_what_an_event_means_is_so(suite: Suite) -> None:
    found, _ = followed(suite.folder)
    assert found[:5] == [], "shown/roles.py"


@every_suite
def test_every_cause_is_paid_or_listed(suite: Suite) -> None:
    _, lacking = followed(suite.folder)
    assert lacking == []


# --- each fault, made on purpose -----------------------------------------------------------------


def meant(game: AnyGame, role: str, change: Callable[[Any, Role], Role]) -> AnyGame:
    """The game with other roles of one kind."""

    def read(reading: Any, state: Any, event: Any) -> tuple[Role, ...]:
        told = reading(state, event)
        return tuple(change(state, each) if each.role == role else each for each in told)

    return replace(game, roles={kind: partial(read, each) for kind, each in game.roles.items()})


def wrong(folder: str, role: str, change: Callable[[Any, Role], Role]) -> Iterator[str]:
    """What is wrong, one after another: whoever has found enough asks for no further case."""
    suite = suites()[folder]
    game = meant(suite.game, role, change)
    follow = Meaning(game)
    yield from faults(game, follow, stretches.of_cases(suite))
    yield from follow.lacking()


def friend(state: Any, role: Role) -> Role:
    """Its owner did it."""
    return changed(role, by=role.seat)


def mate(state: Any, role: Role) -> Role:
    """Another unit of whoever did it."""
    units = getattr(state, "units", {})
    if role.by not in units:
        return role
    others = [u for u in units if units[u].seat == units[role.by].seat and u != role.by]
    return changed(role, by=others[0]) if others else role


FAULTS: list[tuple[str, str, Callable[[Any, Role], Role], str]] = [
    ("war_at_sea", "lost", lambda _, each: changed(each, role="left"), "score: that is a loss"),
    ("crimson_tide", "lost", lambda _, each: changed(each, role="left"), "score: that is a loss"),
    ("naval_battles", "lost", lambda _, each: changed(each, role="left"), "score: that is a loss"),
    ("war_at_sea", "left", lambda _, each: changed(each, role="lost"), "listed as unharmed"),
    ("crimson_tide", "left", lambda _, each: changed(each, role="lost"), "listed as unharmed"),
    ("war_at_sea", "lost", lambda _, each: changed(each, by=""), "by nobody"),
    ("war_at_sea", "lost", friend, "of its own side"),
    ("naval_battles", "lost", friend, "of its own side"),
    ("war_at_sea", "lost", lambda _, each: changed(each, by=each.unit), "of its own side"),
    ("war_at_sea", "attacked", mate, "which neither the event nor its order names"),
    ("war_at_sea", "damaged", mate, "which neither the event nor its order names"),
    ("crimson_tide", "damaged", mate, "which neither the event nor its order names"),
    ("crimson_tide", "lost", lambda _, each: changed(each, by="p9"), "neither in play nor a seat"),
    ("war_at_sea", "lost", lambda _, each: changed(each, cause=""), "why?"),
    ("war_at_sea", "lost", lambda _, each: changed(each, cause="p1"), "and kept as"),
    ("war_at_sea", "damaged", lambda _, each: changed(each, cause="sea"), "nor position tells"),
    ("naval_battles", "lost", lambda _, each: changed(each, cause="sea"), "nor position tells"),
    ("crimson_tide", "attacked", lambda _, each: changed(each, cause="x"), "nor position tells"),
]


@pytest.mark.parametrize(("folder", "role", "change", "said"), FAULTS)
def test_a_role_that_is_not_so_is_named(
    folder: str, role: str, change: Callable[[Any, Role], Role], said: str
) -> None:
    assert any(said in fault for fault in wrong(folder, role, change))


def test_a_loss_that_nobody_scores_for_is_named() -> None:
    suite = suites()["war_at_sea"]
    tables = suite.game.tables
    assert tables is not None
    game = replace(
        suite.game,
        scores=lambda state: dict.fromkeys(suite.game.scores(state), 0),
        tables=replace(tables, unpaid={"x": "never"}),
    )
    follow = Meaning(game)
    list(faults(game, follow, stretches.of_cases(suite)))
    found = "\n".join(follow.lacking())
    assert "cause destroyed: an enemy that scores for it" in found
    assert "cause x: a game in which it is unpaid" in found


def test_a_game_from_outside_is_held_to_it() -> None:
    *_, played = play(pennant.GAME, pennant.setup(120), Random(5).randrange)
    check_meaning(pennant.GAME, played)
    with pytest.raises(Nonconformance, match="of its own side"):
        check_meaning(meant(pennant.GAME, "lost", friend), played)
