"""What is read out of a recording, and that a disk which loses what it promised is noticed."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from tests.simulation import images
from tests.simulation.images import HOWS, Disk, Step, chosen, judge, judged, steps

LOG = r"""
7 pwrite64(5<\x2f\x64\x2f\x67\x61\x6d\x65\x73>, "\x61\x62\x63", 3, 4) = 3
8 fdatasync(5<\x2f\x64\x2f\x67\x61\x6d\x65\x73> <unfinished ...>
7 write(9<\x2f\x64\x2f\x61\x63\x6b\x73>, "\x6f\x6b\x0a", 3) = 3
8 <... fdatasync resumed>) = 0
7 ftruncate(5<\x2f\x64\x2f\x67\x61\x6d\x65\x73>, 5) = 0
7 fsync(5<\x2f\x64\x2f\x67\x61\x6d\x65\x73>) = 0
7 +++ exited with 0 +++
"""


def test_a_log_is_read_in_order_also_where_threads_wait() -> None:
    assert list(steps(LOG.splitlines())) == [
        Step("write", "games", 4, b"abc"),
        Step("ack", "acks", 0, b"ok\n"),
        Step("sync", "games"),
        Step("cut", "games", 5),
        Step("sync", "games"),
    ]


def test_only_what_was_synced_is_there_for_certain() -> None:
    disk = Disk()
    for step in list(steps(LOG.splitlines()))[:4]:
        disk.take(step)
    dice = random.Random(1)
    assert disk.image("none", dice) == {"games": b"\0\0\0\0abc"}
    assert disk.image("all", dice) == {"games": b"\0\0\0\0a"}


def test_a_write_may_be_torn_between_sectors() -> None:
    waiting = [Step("write", "games", 0, bytes(2048))]
    found = {len(each.data) for seed in range(60)
             for each in chosen(waiting, "torn", random.Random(seed))}  # fmt: skip
    assert found == {0, 512, 1024, 1536, 2048}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], list[str]]:
    """The files of a store that was played on and closed, and what players were told."""
    folder = tmp_path_factory.mktemp("played")
    asyncio.run(images.play(folder, 6, 1))
    names = [name for name in images.FILES if name != "acks" and (folder / name).exists()]
    acks = (folder / "acks").read_text("ascii").splitlines()
    return {name: (folder / name).read_bytes() for name in names}, acks


def test_a_whole_image_is_right(played: tuple[dict[str, bytes], list[str]], tmp_path: Path) -> None:
    image, acks = played
    assert len(acks) == 7
    assert judge(image, acks, tmp_path / "image") == ""


def test_what_was_told_and_is_not_there_is_noticed(
    played: tuple[dict[str, bytes], list[str]], tmp_path: Path
) -> None:
    image, acks = played
    game, version, _ = acks[-1].split()
    more = [*acks, f"{game} {int(version) + 1} c_0000000000000000"]
    assert judge(image, more, tmp_path / "image").startswith("lost ")


def test_the_last_order_of_a_game_may_be_told_with_a_later_event(
    played: tuple[dict[str, bytes], list[str]], tmp_path: Path
) -> None:
    """As it is once the master is opened; the order itself has to be there all the same."""
    image, acks = played
    game, version, _ = acks[-1].split()
    known = acks[-2].split()[2]
    assert judge(image, [f"{game} {version} {known}"], tmp_path / "image") == ""
    ahead = f"{game} {int(version) + 1} {known}"
    assert judge(image, [ahead], tmp_path / "image").startswith("lost ")
    assert "is stored in" in judge(image, [f"{game[::-1]} 0 {known}"], tmp_path / "image")


def test_a_disk_that_swallows_syncs_is_noticed(
    played: tuple[dict[str, bytes], list[str]],
) -> None:
    """The files in one write each: with a sync they are there, and without they are not."""
    image, acks = played
    told = Step("ack", "acks", 0, "\n".join(acks).encode())
    found = [Step("write", name, 0, content) for name, content in image.items()]
    synced = [Step("sync", name) for name in image]
    end = Step("sync", images.NAME)
    assert judged([*found, *synced, told, end]).wrong == ()
    assert len(judged([*found, *synced, told, end], drop=1.0).wrong) > len(HOWS) // 2
