"""An event changes of the state what it is known to change, and nothing beside.

No recorded game can show a fold that does something more: its states are made by that very fold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.kernel.conformance import Nonconformance, play
from domain.kernel.testing.touched import Happened, check_touched, learned, places, strange
from tests.support import pennant, stretches, touched
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

SUITES = pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)


@SUITES
def test_an_event_changes_what_it_is_known_to_change(suite: Suite) -> None:
    found = strange(touched.load(suite), touched.today(suite.folder))
    assert found == [], f"if it is meant: {touched.COMMAND} --accept EVENT"


@SUITES
def test_each_event_is_known_and_no_other(suite: Suite) -> None:
    """All but the opening, which makes the state."""
    opening = suite.game.events[0].NAME
    known = {event.NAME for event in suite.game.events} - {opening}
    assert touched.load(suite).keys() == known, "run make remake (python -m tests.support.touched)"


# --- a fold that does something else is named ----------------------------------------------------


def clears(field: str, empty: Any) -> Any:
    """A fold that empties a field besides."""
    return lambda state, after: changed(after, **{field: empty})


def moves_another(state: Any, after: Any) -> Any:
    """A fold that changes a unit that the event does not name."""
    last = max(after.units)
    return changed(after, units={**after.units, last: changed(after.units[last], moved=9)})


def forgets_another(state: Any, after: Any) -> Any:
    """A fold that takes such a unit away."""
    last = max(after.units)
    return changed(after, units={name: after.units[name] for name in after.units if name != last})


FAULTS = [
    ("war_at_sea", "unit-moved", clears("mines", {"x": "p1"}), "changes mines"),
    ("war_at_sea", "unit-moved", moves_another, "changes units[other].moved"),
    ("war_at_sea", "unit-moved", forgets_another, "changes units[other] less"),
    ("crimson_tide", "attack-resolved", clears("storms", ()), "changes storms"),
    ("crimson_tide", "unit-moved", moves_another, "changes units[other].moved"),
    ("naval_battles", "attack-declared", clears("deck", ()), "changes deck"),
]


def one_by_one(suite: Suite) -> Iterator[Happened]:
    """The events of a few recorded orders, each with the state before it."""
    for each in islice(stretches.of_recorded(suite), 400):
        state = each.before
        for event in each.events:
            yield state, (event,)
            state = suite.game.evolve(state, event)


@pytest.mark.parametrize(("folder", "name", "fault", "said"), FAULTS)
def test_a_fold_that_does_something_else_is_named(
    folder: str, name: str, fault: Any, said: str
) -> None:
    suite = suites()[folder]

    def evolve(state: Any, event: Any) -> Any:
        after = suite.game.evolve(state, event)
        meant = state is not None and name == event.NAME
        return fault(state, after) if meant else after

    found = strange(touched.load(suite), learned(evolve, one_by_one(suite)))
    assert any(each.startswith(f"event {name} {said}") for each in found), found


def test_a_fold_that_changes_more_is_taken_in_by_name_only() -> None:
    suite = suites()["naval_battles"]
    kept = touched.load(suite)
    more = kept | {"ship-sunk": kept["ship-sunk"] | {"deck"}}
    with pytest.raises(ValueError, match="event ship-sunk changes deck"):
        touched.taken(suite, kept, more)
    assert touched.taken(suite, kept, more, ["ship-sunk"]) == more
    fewer = {name: each for name, each in kept.items() if name != "ship-sunk"}
    assert touched.taken(suite, fewer, kept) == kept
    assert touched.taken(suite, kept | {"gone": frozenset({"deck"})}, kept) == kept


# --- a game from outside -------------------------------------------------------------------------


def of_pennant(seed: int) -> list[Happened]:
    """A whole random game, as one stretch."""
    *_, last = play(pennant.GAME, pennant.setup(120), Random(seed).randrange)
    return [(None, tuple(last.events))]


def test_a_game_from_outside_is_held_to_it() -> None:
    played = [each for seed in range(8) for each in of_pennant(seed)]
    game = pennant.GAME
    kept = learned(game.evolve, played)
    check_touched(game.evolve, played, kept)

    def evolve(state: Any, event: Any) -> Any:
        after = game.evolve(state, event)
        return changed(after, left=after.left + 1) if event.NAME == "chosen" else after

    with pytest.raises(Nonconformance, match="event chosen changes left"):
        check_touched(replace(game, evolve=evolve).evolve, played, kept)
    with pytest.raises(Nonconformance, match="event chosen is not known"):
        check_touched(game.evolve, played, {n: p for n, p in kept.items() if n != "chosen"})


def test_places_are_those_of_what_the_event_names_and_of_others() -> None:
    suite = suites()["war_at_sea"]
    before, event = next(
        (state, event) for state, (event,) in one_by_one(suite) if event.NAME == "unit-moved"
    )
    after = suite.game.evolve(before, event)
    assert "units[its].sector" in places(before, event, after)
    (there,) = [unit for name, unit in after.units.items() if name == event.unit]
    moved = changed(after, units={**after.units, "p9-9": there})
    assert "units[other] more" in places(before, event, moved)
    assert places(before, event, before) == set()
