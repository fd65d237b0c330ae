"""What is drawn of an action lies at the units that it is about, and at no other's place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from random import Random
from types import ModuleType
from typing import Any

import pytest

from domain.examples.pennant.shown import picture as pennant_picture
from domain.games.crimson_tide.shown.scenes import action as ct
from domain.games.naval_battles.shown.scenes import action as nb
from domain.games.war_at_sea.shown.scenes import action as was
from domain.kernel.conformance import Nonconformance, play
from domain.kernel.testing.aimed import Aimed, check_aimed
from tests.support import pennant, stretches
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

EXAMPLES, TRIED = 8, 120
"""How many marks of a type of events are looked at, and in how many events they are looked for."""

LINES = {
    "war_at_sea": {"unit-moved", "unit-removed", "unit-shifted", "aircraft-placed",
                   "aircraft-returned", "attack-declared", "attack-resolved", "hull-lost",
                   "unit-doomed"},
    "crimson_tide": {"unit-moved", "unit-removed", "aircraft-deployed", "aircraft-landed",
                     "attack-measured", "attack-resolved", "attack-wasted", "hull-lost",
                     "critical-rolled", "fire-burned", "ran-aground", "torpedoes-checked",
                     "torpedoes-launched", "unit-crippled", "unit-destroyed", "units-collided"},
    "naval_battles": {"attack-declared", "attack-ignored", "attack-missed", "attack-stopped",
                      "damage-scored", "ship-sunk"},
}  # fmt: skip
"""The events of which a mark has to be found at its place."""


def wrong(suite: Suite, follow: Aimed, events: frozenset[str] = frozenset()) -> Iterator[str]:
    """What is drawn elsewhere along recorded games and cases, of these events, or of any."""
    tried: Counter[str] = Counter()
    name = ""
    for each in chain(stretches.of_recorded(suite), stretches.of_cases(suite)):
        if each.name != name:
            name = each.name
            follow.begin()
        state = each.before
        for event in each.events:
            after = suite.game.evolve(state, event)
            tried[event.NAME] += not events or event.NAME in events
            few = follow.checked.get(event.NAME, 0) < EXAMPLES and 0 < tried[event.NAME] < TRIED
            yield from follow.happened(state, event, after, few)
            state = after


@pytest.mark.parametrize("folder", sorted(LINES))
def test_marks_lie_at_the_units_that_an_event_is_about(folder: str) -> None:
    follow = Aimed(suites()[folder].game)
    assert sorted(set(wrong(suites()[folder], follow))) == []
    assert LINES[folder] <= follow.checked.keys(), "no mark of these was seen"


# --- a mark that lies elsewhere is named ---------------------------------------------------------


def turned(shot: Callable[..., Any]) -> Callable[..., Any]:
    """A line from the target to whoever fires."""
    return lambda start, end, *more: shot(end, start, *more)


def another(of: Callable[..., Any]) -> Callable[..., Any]:
    """A place that is another unit's: the first or the last that has one."""

    def place(now: Any, *given: Any) -> Any:
        *frame, unit = given
        first, *_, last = sorted(now.units)
        return of(now, *frame, last if unit == first else first)

    return place


def exchanged(of: Callable[..., Any]) -> Callable[..., Any]:
    """Each ship has the place of the next."""

    def told(now: Any, event: Any, places: dict[str, Any]) -> Any:
        names = [*places]
        others = dict(zip(names, [places[name] for name in (*names[1:], names[0])], strict=True))
        return of(now, event, others)

    return told


FAULTS: list[tuple[str, ModuleType, str, Callable[..., Any], str, str]] = [
    ("war_at_sea", was, "shot", turned, "attack-resolved", "last shot shot-"),
    ("war_at_sea", was, "_at", another, "hull-lost", "last damage ends"),
    ("war_at_sea", was, "_at", another, "unit-doomed", "last damage ends"),
    ("war_at_sea", was, "where", another, "unit-moved", "last move begins"),
    ("crimson_tide", ct, "shot", turned, "attack-resolved", "last shot shot-"),
    ("crimson_tide", ct, "shot", turned, "torpedoes-launched", "last torpedoes"),
    ("crimson_tide", ct, "spot", another, "critical-rolled", "last damage ends"),
    ("crimson_tide", ct, "spot", another, "ran-aground", "last damage ends"),
    ("crimson_tide", ct, "spot", another, "unit-removed", "last removal ends"),
    ("naval_battles", nb, "shot", turned, "damage-scored", "last shot shot-hit"),
    ("naval_battles", nb, "_of", exchanged, "damage-scored", "last shot shot-hit ends"),
    ("naval_battles", nb, "_of", exchanged, "ship-sunk", "last removal ends"),
]


@pytest.mark.parametrize(("folder", "module", "name", "fault", "event", "said"), FAULTS)
def test_a_mark_that_lies_elsewhere_is_named(
    folder: str, module: ModuleType, name: str, fault: Any, event: str, said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(module, name, fault(getattr(module, name)))
    suite = suites()[folder]
    found = wrong(suite, Aimed(suite.game), frozenset({event}))
    first = next((each for each in found if each.startswith(f"{event}: {said}")), "")
    assert first != ""


def test_a_game_from_outside_is_held_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, played = play(pennant.GAME, pennant.setup(120), Random(5).randrange)
    check_aimed(pennant.GAME, played)
    monkeypatch.setattr(pennant_picture, "shot", turned(vars(pennant_picture)["shot"]))
    with pytest.raises(Nonconformance, match="fire-resolved: last shot"):
        check_aimed(pennant.GAME, played)
