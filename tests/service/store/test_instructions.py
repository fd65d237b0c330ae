"""An instruction that several workers see is carried out once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from service.errors import StoreUnavailable
from service.store import acts, instructions
from service.store.box import Box
from service.store.instructions import Instruction
from tests.service.desk.kit import desk_in, fresh_key, new_game, settings
from tests.service.ops.test_measures import looked
from tests.service.ops.test_metrics import total
from tests.support import postgres

ACTS = ("freeze", "thaw", "hide", "show", "announce", "end")


def test_of_several_workers_one_carries_it_out(tmp_path: Path, postgresql: str) -> None:
    told: dict[str, Any] = {
        "store": postgres.place(postgresql, str(tmp_path)), "key": postgres.KEY
    }  # fmt: skip

    async def test() -> None:
        async with desk_in(tmp_path, **told) as one, desk_in(tmp_path, **told) as two:
            game = (await new_game(one)).game.id
            for act in ACTS:
                about = {"tell": "It was right.", "text": "We move."}
                asked = Instruction(fresh_key(), act, "harbour master", "", game, about)
                one.store.recorder.put((), [instructions.insertion(one.store.box, asked)])
                seen = await asyncio.gather(one.clerk.look(), two.clerk.look(), one.clerk.look())
                assert sum(seen) >= 1
                outcome = instructions.outcome_of(two.store.recorder, asked.id)
                assert outcome is not None
                assert outcome.code == ""
            assert [act.act for act in acts.listed(two.store.recorder)] == [*ACTS]
            events = [each.type for each in await two.reader.events(game, "public", 0, 99)]
            assert events.count("decklog.paused") == events.count("decklog.resumed") == 1
            assert events.count("decklog.ended-by-ruling") == 1

    asyncio.run(test())


def test_what_was_taken_back_is_not_done_by_who_has_read_it_already(tmp_path: Path) -> None:
    async def test() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk)).game.id
            recorder, carried_out = desk.store.recorder, desk.clerk._carry_out
            asked = Instruction(fresh_key(), "freeze", "harbour master", "", game, {})
            recorder.put((), [instructions.insertion(desk.store.box, asked)])

            async def late(found: Instruction) -> None:
                assert instructions.withdrawn(recorder, found.id)
                await carried_out(found)

            desk.clerk._carry_out = late  # type: ignore[method-assign, assignment]
            await desk.clerk.look()
            assert not (await desk.reader.summary(game)).frozen
            assert acts.listed(recorder) == []
            outcome = instructions.outcome_of(recorder, asked.id)
            assert outcome is not None
            assert outcome.code == "instruction.withdrawn"
            assert not instructions.withdrawn(recorder, asked.id)

    asyncio.run(test())


def test_what_is_not_the_operators_holds_up_nothing_behind_it(tmp_path: Path) -> None:
    """Such as what waited under a key that is gone."""

    async def test() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk)).game.id
            recorder, box = desk.store.recorder, desk.store.box
            for _ in range(2 * instructions.AT_ONCE):
                strange = Instruction(fresh_key(), "end", "nobody", "", game, {})
                sql, (id_, _, told) = instructions.insertion(box, strange)
                recorder.put((), [(sql, (id_, "0" * 64, told))])
            asked = Instruction(fresh_key(), "freeze", "harbour master", "", game, {})
            recorder.put((), [instructions.insertion(box, asked)])
            assert await desk.clerk.look() == 1
            assert (await desk.reader.summary(game)).frozen
            assert [act.act for act in acts.listed(recorder)] == ["freeze"]

    asyncio.run(test())


def test_figures_are_made_anew_though_a_worker_ends_between_deletion_and_that(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk)).game.id
            recorder = desk.store.recorder
            asked = Instruction(fresh_key(), "delete", "harbour master", "", game, {})
            recorder.put((), [instructions.insertion(desk.store.box, asked)])

            def gone() -> None:
                raise StoreUnavailable("just now")

            desk.clerk._after = gone
            with pytest.raises(StoreUnavailable):
                await desk.clerk.look()
            assert instructions.outcome_of(recorder, asked.id) is not None
            assert not instructions.withdrawn(recorder, asked.id)
        called: list[bool] = []
        async with desk_in(tmp_path) as desk:
            desk.clerk._after = lambda: called.append(True)
            assert await desk.clerk.look() == 1
            assert await desk.clerk.look() == 0
            assert called == [True]
            assert [act.act for act in acts.listed(desk.store.recorder)] == ["delete"]

    asyncio.run(test())


def test_what_bears_another_key_is_named_once_counted_and_can_be_taken_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It was an ERROR each second, for ever."""

    async def test() -> None:
        async with desk_in(tmp_path) as desk:
            recorder, box = desk.store.recorder, desk.store.box
            foreign = Instruction("f" * 32, "announce", "x", "y", "", {"text": "Not ours."})
            recorder.put((), [instructions.insertion(Box(bytes(32)), foreign)])
            for _ in range(3):
                assert await desk.clerk.look() == 0
            assert caplog.text.count("was not given with a key of this store") == 1
            asked = Instruction(fresh_key(), "announce", "x", "y", "", {"text": "Ours."})
            recorder.put((), [instructions.insertion(box, asked)])
            assert await desk.clerk.look() == 1
            assert await desk.clerk.look() == 0
            await desk.clerk.heed()
            assert desk.clerk.announced == "Ours."
            assert caplog.text.count("was not given with a key of this store") == 1
            told = await looked(desk, settings(tmp_path))
            assert total(told, "decklog_instructions_foreign") == 1
            assert instructions.withdrawn(recorder, foreign.id)
            await desk.clerk.look()
            assert desk.clerk.foreign == frozenset()

    asyncio.run(test())
