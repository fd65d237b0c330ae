"""A game whose master waits for the public log stays in the table of events; the log goes on to
hold a game that has left it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from service import container
from service.desk import Desk
from service.evidence import bundle
from service.play.archiving import before, candidates, judged, put_away
from service.publishing.proving import proved
from service.publishing.public import PublicLog
from service.settings import Settings
from tests.service.desk.kit import GAMES, new_game, play
from tests.service.following.conftest import given
from tests.service.publishing.test_public import run, with_log
from tests.service.publishing.test_unsealing import opened

__all__ = ["given"]


async def proof(desk: Desk, log: PublicLog, game: str) -> bytes:
    """The evidence as it is given out, once the log has the game's last event."""
    data = await desk.reader.evidence(game, "public")
    async with asyncio.timeout(20):
        while True:
            found = proved(desk.store.recorder, log._appender.folder, data)
            if found != data:
                return found
            await asyncio.sleep(0.02)


def test_a_game_goes_once_it_is_opened_and_stays_in_the_log(
    given: Settings, tmp_path: Path
) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        game = (await new_game(desk)).game.id
        store, soon = desk.store, before(desk.clock.now(), -1)
        with log._appender.folder.alone():  # nothing is signed
            await play(desk, game, 1)
            await new_game(desk)
            assert list(candidates(store, soon)) == []
            assert not judged(store, GAMES, game).upheld
        await opened(desk, game)
        leaves = await proof(desk, log, game)
        await new_game(desk)
        (old,) = candidates(store, soon)
        assert old.id == game
        await asyncio.to_thread(put_away, store, judged(store, GAMES, game), game, "x", "y")
        assert store.archive.row(store.recorder, game) is not None
        desk.reader._cache.clear()
        before_, after = container.unpack(leaves), container.unpack(await proof(desk, log, game))
        assert set(bundle.LOG_FILES) <= set(after)
        assert (after.keys(), after[bundle.EVENTS]) == (before_.keys(), before_[bundle.EVENTS])

    run(with_log(given, tmp_path, archive=str(tmp_path / "archive")), test)
