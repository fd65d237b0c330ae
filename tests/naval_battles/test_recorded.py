"""The recorded games reach every ending, seat count, scenario and event; their dice matter."""

from __future__ import annotations

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.scenarios import SCENARIOS
from domain.kernel.rules import Refused
from tests.support import history, recorded

from .recipes import RECIPES
from .suite import SUITE


def test_every_scenario_and_seat_count_is_recorded() -> None:
    setups = [recipe.setup for recipe in RECIPES.values()]
    assert {setup.scenario for setup in setups} == set(SCENARIOS)
    assert {len(setup.seats) for setup in setups} == set(GAME.seat_counts)
    teams = {(s.scenario, len(s.seats)) for s in setups if SCENARIOS[s.scenario].team > 1}
    assert teams == {(s.id, n) for s in SCENARIOS.values() if s.team > 1 for n in s.seats}


def test_every_ending_is_recorded() -> None:
    """The three ways to have the points, an agreed win and draw, for one and for teams; leaving."""
    assert {recipe.ends for recipe in RECIPES.values()} == {
        ("points", "NB-WIN-01", 1),
        ("points", "NB-TEAM-02", 2),
        ("points", "NB-TEAM-02", 3),
        ("points", "NB-LINK-03", 1),
        ("points", "NB-LINK-03", 2),
        ("points", "NB-LINK-03", 3),
        ("agreement", "NB-WIN-05", 0),
        ("agreement", "NB-WIN-05", 1),
        ("agreement", "NB-WIN-05", 2),
        ("resignation", "NB-RUL-01", 1),
        ("resignation", "NB-RUL-01", 3),
    }


def test_every_event_is_in_some_history() -> None:
    stored = {
        line["type"]
        for path in history.files(SUITE)
        for line in recorded.read(path)
        if "type" in line
    }
    assert stored == {f"{GAME.ruleset}.{event.NAME}" for event in GAME.events}


def test_another_die_is_another_game() -> None:
    lines = recorded.read(SUITE.recorded / "points-2.jsonl")
    assert _outcome(lines) == lines[-1]["state"]
    at = max(n for n, line in enumerate(lines) if len(line.get("faces", ())) > 1)
    *most, last = lines[at]["faces"]
    faces = [*most, [2 if last[0] == 1 else 1]]
    assert _outcome([*lines[:at], {"faces": faces}, *lines[at + 1 :]]) != lines[-1]["state"]


def _outcome(lines: list[recorded.Line]) -> str:
    """The digest of the last state, or why the game cannot be replayed."""
    try:
        return str(recorded.replay(SUITE, lines).end["state"])
    except (Refused, AssertionError) as error:
        return repr(error)
