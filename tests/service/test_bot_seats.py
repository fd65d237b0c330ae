"""Bots of the service at the tables of the real rulesets: they answer, fairly, and it is upheld."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from domain.kernel.finder import games
from domain.kernel.values import PUBLIC
from service.desk import bot_keeper_of, open_desk
from service.evidence.verify import verify
from service.models import NewGame, SeatWish
from service.play import botkeeper
from service.settings import Settings

ORDERS = 12
"""Of the one who is no bot."""


@pytest.mark.parametrize("ruleset", sorted(games()))
def test_bots_answer_every_question_that_comes_up(
    ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(botkeeper, "LOOK_SECONDS", 3600.0)

    async def run() -> None:
        rng = random.Random(ruleset)
        told = Settings(database=tmp_path / "games.sqlite", chain_length=512)
        async with open_desk(told) as desk:
            rules = desk.games[ruleset]
            others = [f"p{n}" for n in range(2, min(rules.seat_counts) + 1)]
            seats = [SeatWish(seat="p1"), *(SeatWish(seat=s, hold="bot") for s in others)]
            new = NewGame(ruleset=ruleset, seats=seats)
            game = (await desk.writer.create_game(new, key="somebody", caller="")).game.id
            keeper = bot_keeper_of(desk)
            for number in range(ORDERS):
                while await keeper.look():
                    pass
                summary = await desk.reader.summary(game)
                if summary.result is not None:
                    break
                assert [asked.seat for asked in summary.to_move] == ["p1"]
                view = await desk.reader.view(game, "p1")
                legal = rules.legal(view.state, "p1").commands
                chosen = legal[rng.randrange(len(legal))]
                await desk.writer.command(
                    game, "p1", chosen, expected=summary.version, key=f"order {number}",
                    fingerprint=b"", caller="p1",
                )  # fmt: skip
            assert keeper.answers > 0
            assert keeper.failed == 0
            verdict = verify(await desk.reader.evidence(game, PUBLIC), desk.games)
            assert verdict.word == "UPHELD", verdict.text()
            assert sum("independent entropy" in note for note in verdict.notes) == len(others)

    asyncio.run(run())
