"""Evidence of the past stays as it is, and is upheld for ever by the rules of then.

Those are made of this repository's history by the recipe (``history/recipe.toml``), and this build
carries them: whoever has no history judges as well.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from domain.games.crimson_tide import GAME as CRIMSON_TIDE
from domain.games.naval_battles import GAME as NAVAL_BATTLES
from domain.games.war_at_sea import GAME as WAR_AT_SEA
from service.cli import main
from service.engines import carry, history, load, whole
from service.engines.history import NoHistory
from service.evidence import bundle
from service.evidence.casefile import open_case, unpack
from service.evidence.verify import verify
from tests.support import past

FOLDER = past.FOLDER
GAMES = {game.ruleset: game for game in (CRIMSON_TIDE, NAVAL_BATTLES, WAR_AT_SEA)}
KEPT = past.recipes()


def test_every_file_has_its_recipe_and_its_engine() -> None:
    assert {path.stem for path in FOLDER.glob("*.decklog")} == set(KEPT)
    assert {each["ruleset"] for each in KEPT.values()} == set(GAMES)
    assert {each.rules for each in carry.table()} == {each["rules"] for each in KEPT.values()}


@pytest.mark.parametrize("name", KEPT)
def test_a_file_of_the_past_is_untouched_and_upheld(name: str) -> None:
    recipe, data = KEPT[name], (FOLDER / f"{name}.decklog").read_bytes()
    assert hashlib.sha256(data).hexdigest() == recipe["sha256"]
    used = open_case(*unpack(data)).created.rules
    assert (used.ruleset, used.digest) == (recipe["ruleset"], recipe["rules"])
    assert used.version == recipe["version"]
    verdict = verify(data, GAMES)
    assert verdict.word == "UPHELD", verdict.text()
    assert "rules" in {each.check for each in verdict.checks}
    assert verify(data, {}).word == "UPHELD", "no installed rule is needed"
    alone = verify(data, GAMES, engines=())
    assert alone.word in ("CANNOT JUDGE", "CONSISTENT, RULES NOT VOUCHED FOR"), alone.text()


def made(recipe: dict[str, Any]) -> bytes:
    """The engine of a recipe, out of the history; what is carried where a checkout has none of it.

    A shallow checkout has the last commit alone: then what is carried is held to its own digests.
    """
    if history.has(past.ROOT, recipe["commit"]):
        return past.archive(recipe)
    (found,) = (each for each in carry.table() if each.rules == recipe["rules"])
    return carry.archive(found)


@pytest.mark.parametrize("name", KEPT)
def test_its_engine_is_made_of_the_history(name: str) -> None:
    recipe = KEPT[name]
    archive = made(recipe)
    row = past.row(recipe, archive)
    assert row.rules == recipe["rules"], "the digest that bound the dice comes out of its files"
    assert row in carry.table()
    assert carry.archive(row) == archive


def test_other_files_have_another_digest() -> None:
    recipe = KEPT["first-battle"]
    files, about = load.opened(made(recipe))
    file = "domain/games/war_at_sea/game.py"
    other = {**files, file: files[file] + b"\n"}
    assert whole.listed_digest(other, about) != recipe["rules"]


def test_the_battle_that_the_readme_shows_is_upheld() -> None:
    data = (past.ROOT / "tests" / "games" / "first-battle.decklog").read_bytes()
    assert verify(data, GAMES).word == "UPHELD"


def altered(data: bytes) -> bytes:
    """The file with another order of p1's, in one line of it."""
    manifest, files = unpack(data)
    lines = files[bundle.COMMANDS].splitlines(keepends=True)
    files[bundle.COMMANDS] = b"".join([*lines[:5], *lines[6:]])
    return bundle.pack(files, manifest.game, manifest.head, manifest.rules, manifest.viewer)


@pytest.mark.parametrize("name", KEPT)
def test_a_forged_one_is_refuted(name: str) -> None:
    assert verify(altered((FOLDER / f"{name}.decklog").read_bytes()), GAMES).word == "REFUTED"


def test_an_engine_of_history_is_built_by_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe: dict[str, Any] = KEPT["first-battle"]
    file = tmp_path / "war-at-sea.engine"
    given = ["engine", "build", "war-at-sea", "--at", recipe["commit"], "-o", str(file)]
    if not history.has(past.ROOT, recipe["commit"]):
        assert main(given) != 0
        assert recipe["commit"] in capsys.readouterr().err
        return
    assert main(given) == 0
    assert file.read_bytes() == past.archive(recipe)
    assert main(["engine", "check", str(file)]) == 0
    assert "on the list" in capsys.readouterr().out


def test_a_commit_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NoHistory):
        history.tree_at(past.ROOT, "0" * 40, ["domain"])
    with pytest.raises(NoHistory):
        history.tree_at(tmp_path, "HEAD", ["domain"])
