"""A command's type is its ruleset and what it does, and no game can be imported without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.kernel.commands import deed, named, tag_of
from domain.kernel.values import Value
from tests.support import pennant
from tests.support.suites import AnyGame, suites

GAMES: list[AnyGame] = [*(suite.game for suite in suites().values()), pennant.GAME]


class _Order(Value, frozen=True, tag_field="type", tag=named("chess")):
    pass


class CastleLong(_Order, frozen=True):
    pass


class TakePiece(_Order, frozen=True, tag=named("chess")("Take")):
    pass


def test_the_type_follows_from_the_class_or_from_the_word_that_is_given() -> None:
    assert tag_of(CastleLong) == "chess.castle-long"
    assert tag_of(TakePiece) == "chess.take"
    assert deed("chess.castle-long") == "castle-long"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset)
def test_each_command_of_a_game_is_called_by_its_ruleset(game: AnyGame) -> None:
    types = [tag_of(each) for each in game.commands]
    assert {each.partition(".")[0] for each in types} == {game.ruleset}
    assert len(set(types)) == len(types)


def test_a_game_with_a_command_of_another_name_cannot_be_imported() -> None:
    game: AnyGame = pennant.GAME
    said = "the type of CastleLong, TakePiece does not begin with pennant."
    with pytest.raises(ValueError, match=said):
        replace(game, commands=(CastleLong, TakePiece), courses=())
    with pytest.raises(
        ValueError, match=r"the type of Choose, Fire, Pass does not begin with flag\."
    ):
        replace(pennant.GAME, ruleset="flag")
