"""A report has every sentence once, in order, under the turn and phase to which it belongs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from domain.games.crimson_tide.shown import names as ct_names
from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.shown import names as was_names
from domain.kernel.conformance import Played, play
from domain.kernel.setup import Setup
from domain.kernel.shown.roles import Role
from domain.kernel.values import PUBLIC
from projections.reports import Entry, Reporter, Section, report, sections, served, told
from tests.support import recorded
from tests.support.suites import suites

SMALL = [
    Entry("p1 commands the Axis."),
    Entry(""),
    Entry("Turn 1 begins.", (Role("turn", number=1),)),
    Entry("p1 is First Player."),
    Entry("Sea Movement: p1.", (Role("phase"),)),
    Entry("Sea Movement: p2.", (Role("phase"),)),
    Entry("Hood moves."),
    Entry("", (Role("phase"),)),
    Entry("Tone hunts."),
    Entry("Turn 2 begins.", (Role("turn", number=2),)),
    Entry("Sea Movement: p2.", (Role("phase"),)),
    Entry("Tone moves."),
]


def test_headings_stand_only_over_what_happened() -> None:
    assert report(SMALL) == [
        "== Set-up ==",
        "  p1 commands the Axis.",
        "",
        "== Turn 1 ==",
        "  p1 is First Player.",
        "-- Sea Movement: p2 --",
        "  Hood moves.",
        "  Tone hunts.",
        "",
        "== Turn 2 ==",
        "-- Sea Movement: p2 --",
        "  Tone moves.",
    ]


def test_sections() -> None:
    assert sections(SMALL) == [
        Section(0, "Set-up", ("p1 commands the Axis.",)),
        Section(1, "", ("p1 is First Player.",)),
        Section(1, "Sea Movement: p2", ("Hood moves.", "Tone hunts.")),
        Section(2, "Sea Movement: p2", ("Tone moves.",)),
    ]


def test_nothing_makes_no_report() -> None:
    assert report([]) == []
    assert sections([]) == []
    assert report([Entry("")]) == []


def battle(edition: str, seed: int) -> Played:
    choose = random.Random(seed).randrange
    for played in play(GAME, Setup("war-at-sea", edition, "standard", ("p1", "p2")), choose):
        if played.state.turn > 5:
            return played
    return played


TITLES = {"war_at_sea": was_names.PHASES, "crimson_tide": ct_names.PHASES}


@pytest.mark.parametrize("name", TITLES)
def test_what_happens_stands_under_a_heading_of_its_own_phase(name: str) -> None:
    """Also where the phase's first steps left nothing on record."""
    suite, found = suites()[name], 0
    for path in recorded.files(suite):
        reporter, state = Reporter(), None
        for event in recorded.replay(suite, recorded.read(path)).events:
            entry = Entry(suite.game.says(state, event), suite.game.meaning(state, event))
            reporter.feed(entry)
            phase = "" if state is None else state.step.phase
            if reporter.turn and entry.text and not entry.heads and phase != "initiative":
                found += 1
                heading = reporter.phase.lower()
                assert heading.startswith(TITLES[name][phase].lower()), (path.name, entry.text)
            state = suite.game.evolve(state, event)
    assert found > 500


def sentences(entries: Iterable[Entry]) -> list[str]:
    return [each.text for each in entries if each.text and not each.heads]


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_a_whole_battle(edition: str) -> None:
    played = battle(edition, 4)
    entries = list(told(GAME, played.events))
    lines = report(entries)
    assert [line.removeprefix("  ") for line in lines if line.startswith("  ")] == sentences(
        entries
    )
    parts = sections(entries)
    assert [line for part in parts for line in part.lines] == sentences(entries)
    turns = [f"== Turn {part.turn} ==" for part in parts if part.turn]
    assert [line for line in lines if line.startswith("== Turn")] == list(dict.fromkeys(turns))


def as_served(played: Played, viewer: str) -> list[dict[str, Any]]:
    """The events in the form in which the service sends them."""
    seen = [GAME.seen(event, viewer) for event in played.events]
    return [
        {
            "type": f"war-at-sea.{event.NAME}",
            "data": msgspec.to_builtins(event),
            "text": {"en": entry.text},
            "roles": msgspec.to_builtins(entry.roles),
        }
        for event, entry in zip(seen, told(GAME, seen), strict=True)
    ]


@pytest.mark.parametrize("viewer", ["p1", PUBLIC])
def test_served_events_make_the_same_report(viewer: str) -> None:
    played = battle("2009", 5)
    seen = [GAME.seen(event, viewer) for event in played.events]
    assert report(served(as_served(played, viewer))) == report(told(GAME, seen))


def test_it_is_written_as_it_goes() -> None:
    """Feeding a stream piece by piece gives the lines of the whole, none late, none twice."""
    entries = list(told(GAME, battle("2009", 6).events))
    reporter = Reporter()
    lines: list[str] = []
    for number, entry in enumerate(entries, 1):
        lines += reporter.feed(entry)
        if number % 97 == 0:
            assert lines == report(entries[:number])
    assert lines == report(entries)
