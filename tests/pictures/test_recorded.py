"""Pictures along every recorded game: readable by machines, complete, with the last action."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from domain.kernel.setup import Setup
from domain.kernel.shown.scene import Scene, Word
from domain.kernel.values import PUBLIC, Hidden, Known
from projections.film import Caption, Film
from projections.pictures import FilmStep, action, events_of, scenes
from projections.svg import svg
from tests.support.recorded import files
from tests.support.suites import Suite, suites

from .drawn import SVG, classes, history, keys, picture

STRIDE = 149
"""Every so many versions one is drawn: a prime, so that no phase is always missed."""

GAMES = [
    pytest.param(suite, path.stem, id=f"{suite.folder}-{path.stem}")
    for suite in suites().values()
    for path in files(suite)
    if (suite.recorded / "history" / f"{path.stem}.jsonl").exists()
]

LAST = {
    "war_at_sea": {"move", "shot", "removal", "claim", "shot-hit", "shot-miss", "attack-open"},
    "crimson_tide": {"move", "shot", "removal", "damage", "shot-hit", "shot-miss", "shot-wasted"},
    "naval_battles": {"shot", "roll", "removal", "shot-hit", "shot-miss", "attack-open"},
}
"""What of last actions must have been drawn somewhere in the recorded games."""


@pytest.mark.parametrize(("suite", "name"), GAMES)
def test_pictures_of_a_recorded_game(suite: Suite, name: str) -> None:
    events = history(suite, name)
    game = suite.game
    for version in (*range(STRIDE, len(events), STRIDE), len(events)):
        before = game.fold(events[: version - 3])
        state = game.fold(events[version - 3 : version], before)
        text = picture(game, state, before, events[version - 3 : version])
        pieces = getattr(state, "units", None) or getattr(state, "ships", {})
        assert set(pieces) <= keys(text)
        _readable(text)


def _readable(text: str) -> None:
    """A title and a description, whole numbers only, nothing from elsewhere."""
    root = ET.fromstring(text)
    assert root.get("role") == "img"
    named = root.get("aria-labelledby", "").split()
    told = [element for element in root if element.get("id") in named]
    assert [element.tag for element in told] == [f"{SVG}title", f"{SVG}desc"]
    assert all(element.text for element in told)
    for element in root.iter():
        assert element.tag.startswith(SVG)
        assert element.tag not in (f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject")
        assert not {name for name in element.attrib if name.startswith("on") or "href" in name}
    for element in root.iter(f"{SVG}g"):
        if "unit" in element.get("class", "").split():
            assert element.find(f"{SVG}title") is not None
            assert element.find(f"{SVG}desc") is not None


@pytest.mark.parametrize("folder", sorted(LAST))
def test_last_actions_are_drawn_in(folder: str) -> None:
    """Every event that changes the table, once, as the whole of an action."""
    suite = suites()[folder]
    seen: set[str] = set()
    drawn: Counter[str] = Counter()
    for path in files(suite):
        events = history(suite, path.stem)
        state: Any = None
        for event in events:
            before: Any
            before, state = state, suite.game.evolve(state, event)
            if event.NAME in TELLING and not LAST[folder] <= seen and drawn[event.NAME] < OFTEN:
                drawn[event.NAME] += 1
                seen |= set(classes(picture(suite.game, state, before, [event])))
    assert LAST[folder] <= seen


OFTEN = 60
"""Each kind of event is drawn so often at most."""

TELLING = (
    "unit-moved", "aircraft-placed", "attack-resolved", "attack-declared", "unit-removed",
    "objective-claimed", "attack-wasted", "critical-rolled", "hull-lost", "torpedoes-launched",
    "torpedoes-checked", "ship-sunk", "damage-scored", "attack-missed", "attack-stopped",
    "roll-scored", "attack-rolled", "units-collided", "ran-aground",
)  # fmt: skip


def test_an_action_is_what_one_command_led_to() -> None:
    steps = [FilmStep(None, cause) for cause in ("", "", "a", "a", "b", "b", "b")]
    assert len(action(steps)) == 3
    assert len(action(steps[:4])) == 2
    assert len(action(steps[:1])) == 1
    assert action([]) == []


def test_a_film_shows_what_single_pictures_show() -> None:
    suite = suites()["war_at_sea"]
    events = history(suite, "resignation-2009")[:60]
    steps = [FilmStep(event, str(number // 4)) for number, event in enumerate(events)]
    film = Film("A <battle>", "About it & more")
    for scene in scenes(suite.game, steps):
        film.add(scene, Caption("</script><b>said", "p1", "Turn 1", ""))
    page = film.html()
    data = page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    kept = json.loads(data)
    assert len(kept["shots"]) == len(events)
    for version in (9, 33, 60):
        lines, width, height = kept["shots"][version - 1][:3]
        last = action(steps[:version])
        before = suite.game.fold(events[: version - len(last)]) if version > len(last) else None
        state = suite.game.fold(events[:version])
        whole = svg(suite.game.picture(state, before, events_of(last)))
        assert f'viewBox="0 0 {width} {height}"' in whole
        assert all(kept["lines"][number] in whole for number in lines)
    assert len(kept["lines"]) < sum(len(shot[0]) for shot in kept["shots"]) // 10
    assert "A &lt;battle&gt;" in page
    assert "@@" not in page


def test_names_from_players_cannot_break_a_picture() -> None:
    suite = suites()["war_at_sea"]
    name = 'Bare <script>&"'
    setup = {"id": "bare", "name": name, "islands": {"6.3": "M"}}
    opened = suite.game.opening(
        Setup("war-at-sea", "2009", "standard", ("p1", "p2"), {}, {"map": setup})
    )
    state: Any = suite.game.fold(opened)
    shown = picture(suite.game, state)
    assert "<script>" not in shown
    ET.fromstring(shown)
    odd = Scene(9, 9, "\x00<", "\ud800&", (Word(0, 0, "\x1b]>", 9),))
    ET.fromstring(svg(odd).encode())


@pytest.mark.parametrize("folder", ["war_at_sea", "crimson_tide"])
def test_a_sealed_fleet_is_in_nobody_elses_picture(folder: str) -> None:
    """Its cards are named to their owner alone until they lie on the table."""
    suite = suites()[folder]
    hidden = 0
    for path in files(suite)[::5]:
        truth = view = None
        for event in history(suite, path.stem)[:30]:
            truth = suite.game.evolve(truth, event)
            view = suite.game.evolve(view, suite.game.seen(event, "p1"))
            held, seen = truth.fleets.get("p2"), view.fleets.get("p2")
            if isinstance(held, Known) and isinstance(seen, Hidden):
                shown, whole = picture(suite.game, view), picture(suite.game, truth)
                assert classes(shown)["fleet-hidden"] > classes(whole)["fleet-hidden"]
                named = classes(whole)["fleet-known"] - classes(shown)["fleet-known"]
                assert named == bool(held.items)
                hidden += 1
    assert hidden


def test_hands_are_backs_to_all_but_their_owners() -> None:
    suite = suites()["naval_battles"]
    for viewer in ("p1", PUBLIC):
        view: Any = None
        for event in history(suite, "points-3")[:90]:
            view = suite.game.evolve(view, suite.game.seen(event, viewer))
        counted = classes(picture(suite.game, view))
        own = view.hands["p1"].count if viewer == "p1" else 0
        assert counted["hand-card"] == own
        assert counted["hand-hidden"] == sum(
            seat != viewer and hand.count > 0 for seat, hand in view.hands.items()
        )


def test_there_are_recorded_games() -> None:
    assert len(GAMES) == sum(1 for s in suites().values() for _ in Path(s.recorded).glob("*.jsonl"))
