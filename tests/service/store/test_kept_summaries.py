"""The summaries of every kept store are read, and are what the log makes of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.store import summaries
from tests.service.desk.kit import desk_in
from tests.service.desk.test_summaries import agree, rows
from tests.support.old_store import kept, migrated


@pytest.mark.parametrize("dump", kept(), ids=lambda path: path.stem)
def test_the_summaries_of_every_kept_store_are_read(dump: Path, tmp_path: Path) -> None:
    migrated(dump, tmp_path)

    async def run() -> None:
        async with desk_in(tmp_path, database=tmp_path / "decklog.sqlite") as desk:
            stored = rows(desk)
            assert stored
            for game, data in stored.items():
                assert summaries.is_genuine(desk.store.box, game, data)
                assert summaries.head_of(data)
                assert (await desk.reader.summary(game)).version > 0
            agree(desk)

    asyncio.run(run())
