"""What shows a game, laid over its engine: positions are drawn and told as by the tree itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import msgspec
import pytest

from domain.kernel.engine import Engine
from domain.kernel.finder import games
from domain.kernel.game import Game
from service import container
from service.engines import sample, shown
from service.engines.build import SAMPLE, build
from service.engines.closure import Unbuildable
from service.engines.laid import shown_by
from service.engines.load import Loaded, Unloadable, load
from service.views.rulesets import lettered
from tests.service.engines.trees import PENNANT, RULES, RULESETS, built, changed, replaced, tree
from tests.support import pennant

pytestmark = pytest.mark.slow("engines")

GAMES = {**games(), "pennant": pennant.GAME}
WORDS = f"{PENNANT.home.replace('.', '/')}/shown/words.py"


def over(ruleset: str) -> tuple[Loaded, bytes]:
    """An engine as it is, and what shows it."""
    own = RULESETS[ruleset]
    return load(built(own)), shown.build(tree(own), own, built(own))


def played(game: Any, kernel: sample.Kernel, lines: list[sample.Line]) -> Iterator[Any]:
    """Each line of a sample: the state before it, its events, the state after it."""
    commands = msgspec.json.Decoder(sample.union(game.commands))
    state = None
    for line in lines:
        events, before = sample.led_to(game, kernel, commands, state, line), state
        state = game.fold(events, state)
        yield before, events, state


def told(game: Any, before: Any, events: Any, state: Any) -> dict[str, Any]:
    """All that a reader is shown of a moment."""
    offers = [game.legal(state, seat).commands for seat in ("p1", "p2")]
    units = sorted(getattr(state, "units", None) or getattr(state, "ships", None) or ())
    units = [str(each) for each in units][:6]
    return {
        "picture": game.picture(state, before, events),
        "board": game.board(state),
        "sentences": list(game.sentences(before, events)),
        "offers": [[game.describe(state, each) for each in found] for found in offers],
        "roles": [game.meaning(before, event) for event in events],
        "calls": [game.insight.calls(state, unit) for unit in units],
        "figures": [dict(game.insight.figures(state, unit)) for unit in units],
    }


OF_TODAY = {"bots", "odds_form", "option_texts", "preview_form", "tables", "worthwhile_form"}
"""What is only of games that can be begun, of the document, or of who looks for what is missing."""


def test_nothing_that_shows_a_game_is_forgotten() -> None:
    """What is not passed on is silently as if the game had none: odds in short were, once."""
    loaded, archive = over("pennant")
    as_given: Any = dict
    laid: Any = shown_by(loaded, shown.lay(loaded, archive), as_given)
    shows = {each.name for each in fields(Game)} - {each.name for each in fields(Engine)}
    assert shows - laid.keys() == OF_TODAY


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_shows_what_the_tree_shows(ruleset: str) -> None:
    loaded, archive = over(ruleset)
    laid = shown_by(loaded, shown.lay(loaded, archive))
    lines = sample.read(loaded.files[SAMPLE])
    here = played(GAMES[ruleset], sample.kernel(), lines)
    there = played(loaded.engine, sample.kernel(loaded.package), lines)
    sentences = 0
    for moment, again in zip(here, there, strict=True):
        expected = told(GAMES[ruleset], *moment)
        assert told(laid, *again) == expected
        sentences += len(expected["sentences"])
    assert sentences > 10
    titles = [{rule.id: rule.title for rule in g.catalogue.rules()} for g in (laid, GAMES[ruleset])]
    assert titles[0] == titles[1], "texts of cards alone are in no engine"
    assert (laid.title, laid.phases) == (GAMES[ruleset].title, GAMES[ruleset].phases)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_has_nothing_that_the_engine_has(ruleset: str) -> None:
    loaded, archive = over(ruleset)
    files, about = shown.opened(archive)
    assert not files.keys() & loaded.files.keys()
    assert any("/shown/" in name for name in files)
    assert (about["for"], about["ruleset"]) == (loaded.digest, ruleset)
    assert shown.build(tree(RULESETS[ruleset]), RULESETS[ruleset], built(RULESETS[ruleset])) == (
        archive
    )


def later_words(old: str, new: str) -> bytes:
    """What shows Pennant in other words, for the engine as it is."""
    return shown.build(replaced(PENNANT, WORDS, old, new), PENNANT, built(PENNANT))


def test_it_is_made_anew_for_an_old_engine_and_no_digest_moves() -> None:
    """A sentence of a later tree, for an engine that is not of that tree."""
    older = build(replaced(PENNANT, f"{RULES}engine.py", '"1.0.0"', '"1.0.7"'), PENNANT)
    newer = changed(PENNANT, WORDS, lambda text: text.replace("fires at", "aims at"))
    archive = shown.build(newer, PENNANT, older)
    loaded = load(older)
    game = shown.lay(loaded, archive)
    assert shown.try_sample(loaded, game) > 10
    lines = sample.read(loaded.files[SAMPLE])
    moments = played(loaded.engine, sample.kernel(loaded.package), lines)
    text = " ".join(s for before, events, _ in moments for s in game.sentences(before, events))
    assert "aims at" in text
    assert "fires at" not in text
    assert hashlib.sha256(older).hexdigest() == loaded.digest
    with pytest.raises(Unloadable, match="another one"):
        shown.lay(loaded, shown.build(tree(PENNANT), PENNANT, older))


def forged(**changes: bytes) -> bytes:
    files, _ = shown.opened(shown.build(tree(PENNANT), PENNANT, OTHER))
    return container.pack({**files, **changes})


OTHER = build(replaced(PENNANT, f"{RULES}engine.py", '"1.0.0"', '"1.0.8"'), PENNANT)
"""An engine over which nothing good is laid here."""


def test_what_would_replace_a_file_of_the_engine_is_refused() -> None:
    loaded = load(OTHER)
    rules = {f"{RULES}engine.py": loaded.files[f"{RULES}engine.py"] + b"\nX=1\n"}
    with pytest.raises(Unloadable, match="which the engine has"):
        shown.lay(loaded, forged(**rules))
    with pytest.raises(Unloadable, match="made for the engine"):
        shown.lay(load(built(PENNANT)), forged())
    with pytest.raises(Unloadable, match=r"imports os, which is not in it"):
        shown.lay(loaded, forged(**{WORDS: b"import os\n"}))
    with pytest.raises(Unloadable, match="no archive of what shows"):
        shown.lay(loaded, OTHER)
    about = json.loads(container.unpack(forged(), container.ENGINE)[shown.ABOUT])
    nowhere = json.dumps({**about, "root": "domain.nowhere:GAME"}).encode()
    with pytest.raises(Unloadable, match="cannot be loaded: ModuleNotFoundError"):
        shown.lay(loaded, forged(**{shown.ABOUT: nowhere}))
    assert shown.try_sample(loaded, shown.lay(loaded, forged())) > 10, "and a good one is laid then"


def test_a_position_that_cannot_be_shown_is_told() -> None:
    engine = build(replaced(PENNANT, f"{RULES}engine.py", '"1.0.0"', '"1.0.9"'), PENNANT)
    files, _ = shown.opened(shown.build(tree(PENNANT), PENNANT, engine))
    broken = files[WORDS] + b"\ndef board(state):\n raise KeyError('no')\n"
    loaded = load(engine)
    game = shown.lay(loaded, container.pack({**files, WORDS: broken}))
    with pytest.raises(Unloadable, match="cannot be shown: KeyError"):
        shown.try_sample(loaded, game)


def test_a_game_of_one_module_has_none() -> None:
    with pytest.raises(Unbuildable, match="is one module"):
        shown.build({"chess.py": b"GAME=1\n"}, PENNANT._replace(home="chess"), built(PENNANT))


def test_without_one_the_letters_say_so() -> None:
    game = lettered(load(built(PENNANT)))
    state = game.fold(game.opening(pennant.setup(4)))
    assert "What shows pennant 1.0.0 is not here" in game.board(state)
    assert "What shows pennant 1.0.0 is not here" in game.picture(state, None, ()).about
