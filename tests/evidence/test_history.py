"""Evidence of the past stays as it is; all of it but the rules is judged by today's verifier.

The rules of then are not kept yet: what they decided is told apart (``history/recipe.toml``).
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

from domain.games.crimson_tide import GAME as CRIMSON_TIDE
from domain.games.naval_battles import GAME as NAVAL_BATTLES
from domain.games.war_at_sea import GAME as WAR_AT_SEA
from service.evidence.casefile import open_case, unpack
from service.evidence.verify import verify

FOLDER = Path(__file__).with_name("history")
GAMES = {game.ruleset: game for game in (CRIMSON_TIDE, NAVAL_BATTLES, WAR_AT_SEA)}
KEPT: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "recipe.toml").read_text("utf-8"))
RECORD = {"container", "chain", "seals", "orders", "dice", "secrets"}
"""What is judged without the rules."""


def test_every_file_has_its_recipe() -> None:
    assert {path.stem for path in FOLDER.glob("*.decklog")} == set(KEPT)
    assert {each["ruleset"] for each in KEPT.values()} == set(GAMES)


@pytest.mark.parametrize("name", KEPT)
def test_a_file_of_the_past_is_untouched_and_its_record_is_judged(name: str) -> None:
    recipe, data = KEPT[name], (FOLDER / f"{name}.decklog").read_bytes()
    assert hashlib.sha256(data).hexdigest() == recipe["sha256"]
    used = open_case(*unpack(data)).created.rules
    assert (used.ruleset, used.digest) == (recipe["ruleset"], recipe["rules"])
    verdict = verify(data, GAMES)
    assert verdict.word in ("UPHELD", "CANNOT JUDGE"), verdict.text()
    assert {each.check for each in verdict.checks} >= RECORD
