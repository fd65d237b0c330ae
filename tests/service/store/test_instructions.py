"""An instruction that several workers see is carried out once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from service.store import acts, instructions
from service.store.instructions import Instruction
from tests.service.desk.kit import desk_in, fresh_key, new_game
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
