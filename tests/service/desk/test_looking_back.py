"""Views of earlier versions: what never changes is looked up in the store once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.store.store import Store
from service.views import reader
from tests.service.desk.kit import new_game, on_desk, play


def test_the_next_dice_batch_of_an_earlier_version_is_looked_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    around = Store.around

    def counted(self: Store, game: str, type_: str, version: int) -> Any:
        asked.append(version)
        return around(self, game, type_, version)

    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        await play(desk, game, seed=3)
        latest = (await desk.reader.summary(game)).version
        first = [await desk.reader.view(game, PUBLIC, at) for at in range(2, latest)]
        again = [await desk.reader.view(game, PUBLIC, at) for at in range(2, latest)]
        assert again == first
        assert len({each.next_batch for each in first}) > 1
        assert asked == list(range(2, latest))

    monkeypatch.setattr(Store, "around", counted)
    on_desk(tmp_path, test)


def test_few_versions_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        await play(desk, game, seed=3)
        latest = (await desk.reader.summary(game)).version
        for at in range(2, latest):
            await desk.reader.view(game, PUBLIC, at)
            assert len((await desk.reader.views(game)).past) <= 3

    monkeypatch.setattr(reader, "KEPT_VERSIONS", 3)
    on_desk(tmp_path, test)
