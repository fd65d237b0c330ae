"""The usual answers of the real rulesets: nobody is there, and the games go on by the clock."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from domain.kernel.finder import games
from domain.kernel.values import PUBLIC
from service.clock import FixedClock
from service.desk import open_desk
from service.evidence.records import DeadlinePassed
from service.evidence.verify import verify
from service.models import NewGame
from service.play import timekeeper
from service.settings import Settings

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ROUNDS = 40


@pytest.mark.parametrize("ruleset", sorted(games()))
def test_every_question_has_a_usual_answer(
    ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The desk's own timekeeper would come first on a busy machine.
    monkeypatch.setattr(timekeeper, "TICK_SECONDS", 3600.0)

    async def run() -> None:
        clock = FixedClock(NOON)
        told = Settings(database=tmp_path / "games.sqlite", chain_length=512, deadline_grace=0)
        async with open_desk(told, clock=clock) as desk:
            new = NewGame(ruleset=ruleset, deadline=60)
            game = (await desk.writer.create_game(new, key="a game of ghosts", caller="")).game.id
            for number in range(ROUNDS):
                summary = await desk.reader.summary(game)
                if summary.result is not None:
                    break
                assert set(summary.due) == {asked.seat for asked in summary.to_move}
                clock.at = NOON + timedelta(minutes=number + 1)
                assert await desk.timekeeper.tick() == len(summary.due)
            seen = await desk.reader.events(game, PUBLIC, 0, 10_000)
            assert len([e for e in seen if e.type == DeadlinePassed.TYPE]) >= ROUNDS
            for viewer in ("p1", PUBLIC):
                verdict = verify(await desk.reader.evidence(game, viewer), desk.games)
                assert verdict.word == "UPHELD", verdict.text()

    asyncio.run(run())
