"""What a strange package lists is read once, before anybody waits for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

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
