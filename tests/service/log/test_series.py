"""All games of a series: the log counts them, and a game that is left out of the files is found."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from service.cli import main
from service.desk import Desk, open_desk
from service.evidence.records import GameCreated
from service.evidence.verify import verify
from service.log.games import leaves_of
from service.log.leaf import SERIES, Leaf, series_of, series_tag
from service.store.figures import newest
from tests.service.desk.kit import GAMES, new_game, play, settings
from tests.service.evidence.playing import Cheat, Table
from tests.service.evidence.test_cheats import on_type
from tests.service.following.test_thread import until
from tests.service.log.logs import LOG, write_log
from tests.service.log.test_audit import Audited, audited, said
from tests.service.publishing.kit import published
from tests.service.publishing.test_public import size, with_log
from tests.support import pennant

__all__ = ["audited"]

NAME = "spring cup 2027 /x9"
CUP, OTHER = series_of(NAME), series_of("autumn cup 2027 /p3")


def game(number: int, series: str = CUP) -> bytes:
    """A whole game of a series."""
    named = on_type(GameCreated, lambda r: msgspec.structs.replace(r, series=series))
    table = Table(setup=pennant.setup(8), id=bytes([number]) * 16, cheat=Cheat(record=named))
    return table.play(number).forge()


def counted(place: int, data: bytes, series: str = CUP) -> bytes:
    """The leaf by which a game is one of its series."""
    return Leaf(series_tag(series), place, leaves_of(data)[0].hash, SERIES).data


def own(data: bytes) -> list[bytes]:
    return [each.data for each in leaves_of(data)]


ONE, TWO, THREE, OUTSIDE = game(1), game(2), game(3), game(4, OTHER)


def whole() -> list[bytes]:
    """As a service logs three games of the cup, and one of another."""
    cup = [
        each
        for at, data in enumerate((ONE, TWO, THREE), 1)
        for each in (counted(at, data), *own(data))
    ]
    return [*cup, counted(1, OUTSIDE, OTHER), *own(OUTSIDE)]


def test_a_game_of_a_series_is_judged_as_any() -> None:
    assert verify(ONE, GAMES).word == "UPHELD"
    assert verify(game(5, "ab"), GAMES).word == "REFUTED"


def test_the_files_of_all_games_of_a_series_are_complete(audited: Audited) -> None:
    files = {"a": ONE, "b": TWO, "c": THREE}
    code, found = audited(whole(), files, "--series")
    assert (code, found["findings"], found["series"]) == (0, [], {CUP: 3})
    assert (found["games"], found["breaks"]) == (4, 0)
    assert found["events"] == sum(len(own(each)) for each in (ONE, TWO, THREE, OUTSIDE))
    code, found = audited(whole(), files)
    assert code == 1, "of the whole log they are not"
    (line,) = said(found)
    assert line.startswith("left out: the game ")


def test_a_game_of_a_series_that_is_in_no_file_is_found(audited: Audited) -> None:
    code, found = audited(whole(), {"a": ONE, "c": THREE}, "--series")
    assert (code, said(found)) == (
        1, [f"left out: game 2 of the 3 of the series {CUP} is in no file"]
    )  # fmt: skip


def test_a_service_that_counts_not_all_is_found(audited: Audited) -> None:
    """The last game is logged, and not as one of the series: whoever has its file sees it."""
    without = [each for each in whole() if each != counted(3, THREE)]
    code, found = audited(without, {"a": ONE, "b": TWO, "c": THREE}, "--series")
    assert found["findings"][0]["text"].startswith("not counted: ")
    assert (code, said(found)) == (1, [f"c is of the series {CUP}, where the log has it not"])


@pytest.mark.parametrize("places", [(1, 3), (1, 1), (2, 3)])
def test_numbers_of_a_series_without_a_break(audited: Audited, places: tuple[int, int]) -> None:
    leaves = [counted(places[0], ONE), *own(ONE), counted(places[1], TWO), *own(TWO)]
    code, found = audited(leaves, {"a": ONE, "b": TWO}, "--series")
    assert (code, found["breaks"]) == (1, 1)
    assert said(found)[0].startswith(f"the series {series_tag(CUP)}: ")


def test_many_that_are_left_out_are_summed_up(audited: Audited) -> None:
    more = [Leaf(series_tag(CUP), at, f"{at:064x}", SERIES).data for at in range(2, 20)]
    code, found = audited([counted(1, ONE), *own(ONE), *more], {"a": ONE}, "--series")
    assert code == 1
    assert len(said(found)) == 11
    assert said(found)[-1] == f"left out: 8 more games of the 19 of the series {CUP} are in no file"


def test_monitors_and_witnesses_read_such_leaves(tmp_path: Path) -> None:
    write_log(tmp_path / "log", whole())
    files = {"a": ONE, "b": TWO, "c": THREE, "d": OUTSIDE}
    words = ["monitor", str(tmp_path / "log"), "--log", str(LOG.public), "--complete"]
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        words += ["--game", str(tmp_path / name)]
    assert main([*words, "--folder", str(tmp_path / "m")], {"pennant": pennant.GAME}) == 0


def test_a_service_counts_the_games_of_a_series(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = with_log(settings(tmp_path), tmp_path)

    async def at_work(desk: Desk) -> list[bytes]:
        made = [await new_game(desk, series=name) for name in (NAME, NAME)]
        made.append(await new_game(desk))
        for at, each in enumerate(made):
            await play(desk, each.game.id, at)
        made.append(await new_game(desk, series=NAME))
        assert desk.public_log is not None
        key = desk.public_log.key
        await until(lambda: size(tmp_path, key) == newest(desk.store.recorder) + 3)
        assert made[0].game.id not in str(published(tmp_path, key))
        return [await desk.reader.evidence(each.game.id, "public") for each in made]

    async def run() -> tuple[list[bytes], str]:
        async with open_desk(given, GAMES) as desk:
            assert desk.public_log is not None
            return await at_work(desk), str(desk.public_log.key)

    files, key = asyncio.run(run())
    assert NAME.encode() not in b"".join(files), "who has a file adds no game"
    paths = [tmp_path / f"{at}.decklog" for at in range(4)]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    words = ["audit", str(tmp_path / "log"), "--log", key, "--series", "--json"]
    assert main([*words, *map(str, paths)], GAMES) == 0
    assert json.loads(capsys.readouterr().out)["series"] == {CUP: 3}
    assert main([*words, *map(str, paths[:3])], GAMES) == 1
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["text"] == f"left out: game 3 of the 3 of the series {CUP} is in no file"
