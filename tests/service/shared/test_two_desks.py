"""Two workers of one store, in one process, so that one can be held still in the middle."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from domain.kernel.codec import canonical
from service.errors import SeatRefused, Stale
from service.models import NewAgreement, TakeSeat
from service.store import engines
from service.store.tokens import token_id_of
from tests.service.desk import kit
from tests.service.desk.kit import desk_in, fresh_key, new_game, order, wishes
from tests.service.engines.harm import later
from tests.support import postgres
from tests.support.pennant import Choose, Fire, Pass


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


LATER = later()
NEWER = hashlib.sha256(LATER).hexdigest()


def test_the_other_worker_goes_over_to_the_new_rules_too(tmp_path: Path) -> None:
    """It has looked at the game, its dice and its offers before, and takes commands after."""

    async def run() -> None:
        async with desk_in(tmp_path) as one, desk_in(tmp_path) as other:
            one.store.recorder.put((), [engines.insertion(NEWER, LATER)])
            game = (await new_game(one, turns=8)).game.id
            for desk, seat in ((one, "p1"), (other, "p2")):
                await order(desk, game, seat, Choose("bold"))
            await order(one, game, "p1", Fire("hull"))
            before = [await other.reader.view(game, viewer) for viewer in ("p1", "p2", "public")]
            assert len(await other.reader.rolls(game, "p1")) == 1
            for seat in ("p1", "p2"):
                agreeing = NewAgreement(digest=NEWER)
                await one.writer.give_agreement(game, seat, agreeing, key=fresh_key(), caller=seat)
            assert (await other.reader.summary(game)).rules.digest == NEWER
            after = [await other.reader.view(game, viewer) for viewer in ("p1", "p2", "public")]
            assert [canonical(view.state) for view in after] == [
                canonical(view.state) for view in before
            ]
            assert {type(view.state).__module__.partition(".")[0] for view in after} == {
                f"decklog_engine_{NEWER}"
            }
            # Read by the old rules, as a worker does that does not know yet.
            await order(other, game, "p2", Fire("hull"))
            for desk in (one, other):
                rolls = await desk.reader.rolls(game, "p1")
                assert [roll.rules.digest == NEWER for roll in rolls] == [False, True]
                events = await desk.reader.events(game, "public", 0, 100)
                assert [each.type for each in events].count("decklog.rules-changed") == 1
            evidence = [await desk.reader.evidence(game, "p1") for desk in (one, other)]
            assert evidence[0] == evidence[1]

    asyncio.run(run())


@pytest.mark.parametrize("agreed", [True, False])
def test_two_seats_agree_at_two_workers_at_once(tmp_path: Path, *, agreed: bool) -> None:
    """Whoever is second sees what the first one agreed to; nobody's agreement is lost."""

    async def run() -> None:
        async with desk_in(tmp_path) as one, desk_in(tmp_path) as other:
            one.store.recorder.put((), [engines.insertion(NEWER, LATER)])
            created = await new_game(one)
            game, own = created.game.id, created.game.rules.digest
            wanted = {"p1": NEWER, "p2": NEWER if agreed else own}
            await asyncio.gather(
                *(
                    desk.writer.give_agreement(
                        game, seat, NewAgreement(digest=digest), key=fresh_key(), caller=seat
                    )
                    for desk, (seat, digest) in zip((one, other), wanted.items(), strict=True)
                )
            )
            for desk in (one, other):
                summary = await desk.reader.summary(game)
                assert summary.rules.digest == (NEWER if agreed else own)
                assert summary.agreed == ({} if agreed else {"p1": NEWER})

    asyncio.run(run())
