"""All games of a player: whoever is given his secret sees whether he is shown them all."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from service.cli import main
from service.desk import Desk, open_desk
from service.evidence.chain import NO_CAUSE, hash_of
from service.evidence.records import SeatTakenRecord
from service.evidence.verify import verify
from service.log.games import leaves_of
from service.log.leaf import SERIES, Leaf, mark_of, mark_tag
from service.models import TakeSeat
from service.store.figures import newest
from tests.service.desk.kit import GAMES, fresh_key, new_game, settings, wishes
from tests.service.evidence.playing import Table
from tests.service.following.test_thread import until
from tests.service.log.test_audit import Audited, audited, said
from tests.service.publishing.kit import published
from tests.service.publishing.test_public import size, with_log
from tests.support import pennant

__all__ = ["audited"]

SECRET, OTHER = b"a player's own secret, 32 bytes.", b"another player's secret, 32 byte"


async def taken(desk: Desk, mark: str) -> str:
    """A game in which p1's seat was taken with that mark."""
    game = (await new_game(desk, seats=wishes("open", "keep"))).game.id
    told: Any = {"mark": mark} if mark else {}
    await desk.writer.take_seat(game, TakeSeat(seat="p1", **told), key=fresh_key())
    return game


@pytest.fixture
def played(tmp_path: Path) -> tuple[list[Path], str]:
    """Files of three games of the player, one of another's, one that repeats a mark, one without;
    and the key of their log."""

    async def at_work(desk: Desk) -> list[bytes]:
        marks = [mark_of(SECRET, 1), mark_of(SECRET, 2), mark_of(OTHER, 1), mark_of(SECRET, 3)]
        games = [await taken(desk, mark) for mark in (*marks, mark_of(SECRET, 1), "")]
        assert desk.public_log is not None
        key = desk.public_log.key
        await until(lambda: size(tmp_path, key) == newest(desk.store.recorder) + 4)
        counted = [leaf for leaf in published(tmp_path, key)[1] if leaf.form == SERIES]
        assert [leaf.tag for leaf in counted] == list(map(mark_tag, marks))
        assert {leaf.seq for leaf in counted} == {1}, "nobody can tell whose they are"
        return [await desk.reader.evidence(game, "public") for game in games]

    async def run() -> tuple[list[bytes], str]:
        async with open_desk(with_log(settings(tmp_path), tmp_path), GAMES) as desk:
            assert desk.public_log is not None
            return await at_work(desk), str(desk.public_log.key)

    files, key = asyncio.run(run())
    paths = [tmp_path / f"{at}.decklog" for at in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    return paths, key


def test_a_game_that_the_player_does_not_show_is_found(
    tmp_path: Path, played: tuple[list[Path], str], capsys: pytest.CaptureFixture[str]
) -> None:
    paths, key = played
    (tmp_path / "secret").write_text(SECRET.hex() + "\n")
    line = ["audit", str(tmp_path / "log"), "--log", key, "--json", "--player"]
    line.append(str(tmp_path / "secret"))

    def audited(*which: int) -> tuple[int, Any]:
        code = main([*line, *(str(paths[at]) for at in which)], GAMES)
        return code, json.loads(capsys.readouterr().out)

    code, found = audited(0, 1, 3)
    assert (code, found["player"], found["findings"]) == (0, 3, [])
    code, found = audited(0, 3, 4)
    assert (code, [each["text"] for each in found["findings"]]) == (
        1,
        [
            f"{paths[4]} has the mark of a player's game, and the log counts it not",
            "left out: game 2 of the player's 3 is in no file",
        ],
    )
    (tmp_path / "secret").write_text("00" * 32)
    code, found = audited(0)
    assert (code, found["player"]) == (0, 0), "of nobody's there is nothing to be left out"
    for wrong in ("none", "", "ab", "00" * 33):
        (tmp_path / "secret").write_text(wrong)
        assert main([*line, str(paths[0])], GAMES) == 2
    assert main([*line, str(paths[0]), "--series"], GAMES) == 2, "two questions"
    assert main([*line[:-2], "--series", str(paths[0])], GAMES) == 2, "it is of no series"


def test_a_service_that_counts_a_mark_not_is_found(audited: Audited) -> None:
    table = Table(setup=pennant.setup(8), waiting=("p1",))
    table.write([SeatTakenRecord("p1", mark=mark_of(SECRET, 1))], NO_CAUSE, "p1", sealing=False)
    data = table.play(3).export()
    own = [each.data for each in leaves_of(data)]
    seq = next(each.seq for each in leaves_of(data) if each.hash == hash_of(table.rows[1].body))
    leaf = Leaf(mark_tag(mark_of(SECRET, 1)), 1, leaves_of(data)[seq - 1].hash, SERIES)
    assert audited([leaf.data, *own], {"a": data})[0] == 0
    code, found = audited(own, {"a": data})
    assert (code, said(found)) == (
        1,
        ["a has the mark of a player's game, and the log counts it not"],
    )


def test_a_mark_is_judged(tmp_path: Path) -> None:
    for mark, word in ((mark_of(SECRET, 1), "UPHELD"), ("0f", "REFUTED")):
        table = Table(waiting=("p1",))
        table.write([SeatTakenRecord("p1", mark=mark)], NO_CAUSE, "p1", sealing=False)
        assert verify(table.play(1).export(), GAMES).word == word
