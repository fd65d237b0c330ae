"""Two workers of one store, in one process, so that one can be held still in the middle."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from service.errors import SeatRefused, Stale
from service.models import TakeSeat
from service.store.tokens import token_id_of
from tests.service.desk import kit
from tests.service.desk.kit import desk_in, fresh_key, new_game, order, wishes
from tests.support import postgres
from tests.support.pennant import Choose, Pass


@pytest.fixture(autouse=True)
def store(postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = {"store": postgres.place(postgresql, str(tmp_path)), "key": postgres.KEY}
    monkeypatch.setattr(kit, "store_of", lambda _: place)


@pytest.mark.parametrize("same", [True, False])
def test_a_request_that_the_other_worker_is_quicker_with_is_answered_not_refused(
    tmp_path: Path, same: bool
) -> None:
    """Sent to both at once under one key: the slower one reads the keys before the quicker one has
    stored it, and the game after; another key at the same version is stale all the same."""

    async def run() -> None:
        async with desk_in(tmp_path) as quick, desk_in(tmp_path) as slow:
            game = (await new_game(quick)).game.id
            await order(quick, game, "p1", Choose("bold"))
            await order(slow, game, "p2", Choose("bold"))
            version, key = (await quick.reader.summary(game)).version, fresh_key()
            asked, go_on = threading.Event(), threading.Event()
            usual = slow.store.versions

            def held(games: Iterable[str]) -> dict[str, int]:
                asked.set()
                assert go_on.wait(20)
                return usual(games)

            slow.store.versions = held  # type: ignore[method-assign]
            first = asyncio.create_task(order(slow, game, "p1", Pass(), expected=version, key=key))
            await asyncio.to_thread(asked.wait, 20)
            own = key if same else fresh_key()
            done = await order(quick, game, "p1", Pass(), expected=version, key=own)
            go_on.set()
            if same:
                late = await first
                assert (late.version, late.command) == (done.version, done.command)
                assert (late.replayed, done.replayed) == (True, False)
            else:
                with pytest.raises(Stale):
                    await first

    asyncio.run(run())


@pytest.mark.parametrize("withdrawn", [True, False])
def test_who_comes_second_with_an_invitation_hears_that_the_seat_is_taken(
    tmp_path: Path, *, withdrawn: bool
) -> None:
    """The slower worker has read the game before the quicker one stores it, and the token after."""

    async def run() -> None:
        async with desk_in(tmp_path) as quick, desk_in(tmp_path) as slow:
            created = await new_game(slow, seats=wishes("keep", "invite"))
            game, text = created.game.id, created.invitations[0].token
            taking = TakeSeat(seat="p2", invitation=text)
            asked, go_on = threading.Event(), threading.Event()
            usual = slow.store.versions

            def held(games: Iterable[str]) -> dict[str, int]:
                found = usual(games)
                asked.set()
                assert go_on.wait(20)
                return found

            slow.store.versions = held  # type: ignore[method-assign]
            late = asyncio.create_task(slow.writer.take_seat(game, taking, key=fresh_key()))
            await asyncio.to_thread(asked.wait, 20)
            if withdrawn:
                await quick.writer.revoke(token_id_of(text))
            else:
                await quick.writer.take_seat(game, taking, key=fresh_key())
            slow.store.versions = usual  # type: ignore[method-assign]
            go_on.set()
            with pytest.raises(SeatRefused) as refused:
                await late
            assert refused.value.code == ("seat.invitation-wrong" if withdrawn else "seat.taken")

    asyncio.run(run())
