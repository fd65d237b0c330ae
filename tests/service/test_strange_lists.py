"""What a strange package lists is read once, before anybody waits for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from service.app import create_app, rule_titles
from service.settings import Settings
from service.views import rulesets
from tests.service.test_strange_rules import NOTHING
from tests.support import elsewhere, soundings

LISTS = ("units", "abilities", "scenarios", "maps", "rules")


def counted(game: Any, asked: Counter[str]) -> Any:
    """The game, and how often each of its lists is asked for."""

    def listed(name: str) -> Any:
        asked[name] += 1
        return getattr(game.catalogue, name)()

    return replace(
        game, catalogue=replace(game.catalogue, **{n: partial(listed, n) for n in LISTS})
    )


def test_lists_of_a_strange_package_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[str] = Counter()
    with elsewhere.game(tmp_path) as stranger:
        theirs = counted(stranger, asked)
        monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": theirs})
        found = rulesets.Rulesets({"pennant": theirs}, NOTHING, apart=True)
        try:
            assert asked == dict.fromkeys(LISTS, 1)
            for name in LISTS:
                for _ in range(2):
                    listed = getattr(found["pennant"].catalogue, name)()
                    assert listed == getattr(stranger.catalogue, name)()
            assert found["pennant"].catalogue.rules(), "there are some"
            assert asked == dict.fromkeys(LISTS, 1), "and nobody asks again"
        finally:
            found.end()


def test_lists_of_our_own_are_read_when_somebody_looks() -> None:
    asked: Counter[str] = Counter()
    ours = counted(soundings.GAME, asked)
    rulesets.Rulesets({"soundings": ours}, NOTHING, apart=True).end()
    assert not asked


FAILURES: dict[str, Any] = {
    "raises": lambda: 1 / 0,
    "lists nothing": lambda: None,
    "lists another thing": lambda: ("a rule",),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_package_that_fails_to_list_keeps_nobody_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failure: str
) -> None:
    """It is told of without that list, the operator hears it once, and all others are served."""
    with elsewhere.game(tmp_path / "package") as stranger:
        failing = dict.fromkeys(("rules", "units"), FAILURES[failure])
        theirs = replace(stranger, catalogue=replace(stranger.catalogue, **failing))
        offered = {"pennant": theirs, "soundings": soundings.GAME}
        monkeypatch.setattr(rulesets, "installed_games", lambda: offered)
        settings = Settings(database=tmp_path / "decklog.sqlite", chain_length=256)
        with TestClient(create_app(settings, games=offered)) as client:
            listed = {
                name: client.get(f"/v1/rulesets/{name}/rules").json()["items"] for name in offered
            }
            assert listed["pennant"] == []
            assert listed["soundings"] == [*msgspec.to_builtins(soundings.GAME.catalogue.rules())]
            assert client.get("/v1/rulesets/pennant/maps").status_code == 200
            titles = client.app.state.http.rule_titles()
            assert titles == rule_titles([soundings.GAME]), "of which all refusals speak"
    told = [line.getMessage() for line in caplog.records if "fails to list" in line.getMessage()]
    assert len(told) == 2
    assert "pennant" in told[0]
