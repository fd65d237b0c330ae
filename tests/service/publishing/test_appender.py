"""Every event once, nothing taken back: whatever is cut off, put back or done by two at a time."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.log import note
from service.log.checkpoint import Checkpoint
from service.log.leaf import Leaf
from service.publishing.appender import LogDisagrees
from service.publishing.folder import CHECKPOINT, write
from service.publishing.leaves import count, leaf_of
from service.settings import Settings
from service.store.database import Database
from service.store.rows import parts
from tests.service.following.conftest import given, played
from tests.service.following.kit import opened
from tests.service.publishing.kit import SIGNER, appender, follow, published, sign_all

__all__ = ["given"]


@pytest.fixture
def recorder(given: Settings) -> Iterator[Database]:
    """Three games that nobody has logged yet."""
    played(given, 30)
    with opened(given) as database:
        yield database


def events(recorder: Database) -> list[tuple[str, int, str]]:
    rows = recorder.query(
        f"SELECT originator_id, originator_version, state FROM stored_events "
        f"ORDER BY {recorder.place}"
    )
    return [(game, seq, parts(bytes(state))[1]) for game, seq, state in rows]


@pytest.mark.parametrize("limit", [7, 5_000])
def test_every_event_is_in_the_log_once(recorder: Database, tmp_path: Path, limit: int) -> None:
    follow(recorder, limit)
    steps = sign_all(appender(recorder, tmp_path), limit)
    stored = events(recorder)
    checkpoint, leaves = published(tmp_path)
    assert steps == -(-len(stored) // limit)
    assert checkpoint.size == len(stored)
    assert [(leaf.seq, leaf.hash) for leaf in leaves] == [(seq, hash_) for _, seq, hash_ in stored]
    tags = {(game, leaf.tag) for (game, *_), leaf in zip(stored, leaves, strict=True)}
    assert len(tags) == len({tag for _, tag in tags}) == 3
    assert not any(
        game in leaf.data.decode() for (game, *_), leaf in zip(stored, leaves, strict=True)
    )


def test_an_event_is_found_by_its_game_and_number(recorder: Database) -> None:
    follow(recorder)
    game, seq, hash_ = events(recorder)[5]
    found = leaf_of(recorder, game, seq)
    assert found is not None
    assert found.number == 5
    assert found.leaf.endswith(f" {seq} {hash_}\n".encode())
    assert leaf_of(recorder, game, 1_000) is None


def test_a_fork_is_in_no_log(recorder: Database) -> None:
    game = events(recorder)[0][0]
    with_it = len(events(recorder))
    recorder.put((), [("UPDATE games SET status = 'fork' WHERE game = ?", (game,))])
    follow(recorder)
    own = sum(each[0] == game for each in events(recorder))
    assert count(recorder) == with_it - own > 0


def test_following_again_from_nothing_logs_nothing_twice(recorder: Database) -> None:
    follow(recorder)
    before = count(recorder)
    recorder.put((), [("DELETE FROM followers", ())])
    follow(recorder)
    assert count(recorder) == before == len(events(recorder))


def test_a_second_variant_of_an_event_is_never_logged(recorder: Database) -> None:
    """Nor anything of its game after it: the others go on."""
    follow(recorder)
    before, game = count(recorder), events(recorder)[0][0]
    last = leaf_of(recorder, game, 3)
    assert last is not None
    other = last.leaf.replace(last.leaf[-20:-10], b"0123456789")
    recorder.put(
        (),
        [
            ("UPDATE log_leaves SET leaf = ? WHERE game = ? AND seq = 3", (other, game)),
            ("DELETE FROM followers", ()),
        ],
    )
    follow(recorder)
    assert count(recorder) == before
    assert recorder.query("SELECT game, seq FROM log_left_out") == [(game, 3)]


def test_what_is_logged_goes_on_where_it_stopped(given: Settings, tmp_path: Path) -> None:
    played(given, 5)
    with opened(given) as recorder:
        follow(recorder)
        sign_all(appender(recorder, tmp_path))
        first, before = published(tmp_path)
    played(given, 5)
    with opened(given) as recorder:
        follow(recorder)
        assert sign_all(appender(recorder, tmp_path)) == 1
        second, after = published(tmp_path)
        assert second.size == len(events(recorder)) > first.size
        assert after[: len(before)] == before


class Cut(Exception):
    """The power goes."""


class Hand:
    """Writes so many files, and then never again."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self, path: Path, data: bytes) -> None:
        if self.left == 0:
            raise Cut
        self.left -= 1
        write(path, data)


def test_a_crash_before_any_file_loses_and_doubles_nothing(
    recorder: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tiles, second place and checkpoint are written one after the other: cut before each."""
    follow(recorder)
    whole = count(recorder)
    for left in range(40):
        place = tmp_path / str(left)
        hand = Hand(left)
        monkeypatch.setattr("service.publishing.appender.write", hand)
        cut = appender(recorder, place, hand)
        try:
            sign_all(cut, 29)
        except Cut:
            monkeypatch.setattr("service.publishing.appender.write", write)
            again = appender(recorder, place)
            again.check()
            sign_all(again, 29)
            checkpoint, leaves = published(place)
            assert (place / "log" / "key").read_text("utf-8") == f"{SIGNER.public}\n"
            assert checkpoint.size == len(leaves) == whole
            most = Counter((leaf.tag, leaf.seq) for leaf in leaves).most_common(1)
            assert most[0][1] == 1
        else:
            break
    else:
        pytest.fail("nothing was cut off in the end")
    assert left == 9, "the key; two tiles, second place and checkpoint, twice"


def signed(recorder: Database, tmp_path: Path) -> None:
    follow(recorder)
    sign_all(appender(recorder, tmp_path), 20)


def refused(recorder: Database, tmp_path: Path, why: str) -> None:
    """Neither a look nor a start signs anything."""
    before = (tmp_path / "log" / CHECKPOINT).read_bytes()
    for start in (appender(recorder, tmp_path).check, appender(recorder, tmp_path).open):
        with pytest.raises(LogDisagrees, match=why):
            start()
    assert (tmp_path / "log" / CHECKPOINT).read_bytes() == before


def test_an_older_store_is_refused(recorder: Database, tmp_path: Path) -> None:
    signed(recorder, tmp_path)
    size = count(recorder)
    recorder.put((), [("DELETE FROM log_leaves WHERE number >= ?", (size - 3,))])
    refused(recorder, tmp_path, f"{size} leaves are signed, and the store has no leaf {size - 3}")


def test_a_store_with_another_past_is_refused(recorder: Database, tmp_path: Path) -> None:
    signed(recorder, tmp_path)
    leaf = b"nwl2 " + b"0" * 32 + b" 1 " + b"0" * 64 + b"\n"
    recorder.put((), [("UPDATE log_leaves SET leaf = ? WHERE number = 3", (leaf,))])
    refused(recorder, tmp_path, "leaves of the store are not those that were signed")


def test_a_store_with_a_hole_is_refused(recorder: Database, tmp_path: Path) -> None:
    signed(recorder, tmp_path)
    recorder.put((), [("DELETE FROM log_leaves WHERE number = 3", ())])
    refused(recorder, tmp_path, "or lacks one after it")


def test_an_older_second_place_is_refused(recorder: Database, tmp_path: Path) -> None:
    follow(recorder)
    of = appender(recorder, tmp_path)
    of.open()
    of.step(10)
    head = tmp_path.with_name(tmp_path.name + ".head")
    older = head.read_bytes()
    of.step(10)
    head.write_bytes(older)
    refused(recorder, tmp_path, "has a head of 10 leaves, the folder .* one of 20")
    head.unlink()
    refused(recorder, tmp_path, "has nothing, the folder .* one of 20")


def test_a_head_of_somebody_else_is_refused(recorder: Database, tmp_path: Path) -> None:
    signed(recorder, tmp_path)
    head = tmp_path.with_name(tmp_path.name + ".head")
    kept = head.read_text("utf-8")
    head.write_text(kept.replace("example.org/log\n", "example.com/log\n", 1), "utf-8")
    refused(recorder, tmp_path, "the head in the second place is not ours")
    other = note.Signer(SIGNER.public.name, bytes(32))
    text = Checkpoint(SIGNER.public.name, 1, bytes(32)).text
    head.write_text(str(note.Note(text, (other.sign(text),))), "utf-8")
    refused(recorder, tmp_path, "the head in the second place is not ours")


def test_two_trees_of_one_size_are_refused(recorder: Database, tmp_path: Path) -> None:
    signed(recorder, tmp_path)
    head = tmp_path.with_name(tmp_path.name + ".head")
    text = Checkpoint(SIGNER.public.name, count(recorder), bytes(32)).text
    head.write_text(str(note.Note(text, (SIGNER.sign(text),))), "utf-8")
    refused(recorder, tmp_path, "two trees of one size")


def test_a_folder_that_was_lost_is_written_again(recorder: Database, tmp_path: Path) -> None:
    """The head in its second place is what was promised: the leaves give the very same tree."""
    signed(recorder, tmp_path)
    before = published(tmp_path)
    shutil.rmtree(tmp_path / "log")
    appender(recorder, tmp_path).check()
    assert not (tmp_path / "log").exists(), "whoever looks writes nothing"
    assert sign_all(appender(recorder, tmp_path)) == 0
    assert published(tmp_path) == before


def test_a_store_that_goes_back_while_it_is_followed_is_noticed(
    recorder: Database, tmp_path: Path
) -> None:
    follow(recorder)
    of = appender(recorder, tmp_path)
    of.open()
    of.step(20)
    recorder.put((), [("DELETE FROM log_leaves WHERE number >= 18", ())])
    with pytest.raises(LogDisagrees, match="leaf 19 was signed and is not in the store"):
        of.step(20)


def test_leaves_that_were_lost_before_they_were_signed_leave_no_tile_behind(
    recorder: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(recorder)
    hand = Hand(5)
    cut = appender(recorder, tmp_path, hand)
    monkeypatch.setattr("service.publishing.appender.write", Hand(0))
    with pytest.raises(Cut):
        sign_all(cut)
    monkeypatch.setattr("service.publishing.appender.write", write)
    assert list((tmp_path / "log" / "tile").rglob("*"))
    last = count(recorder) - 1
    leaf = b"nwl2 " + b"0" * 32 + b" 1 " + b"0" * 64 + b"\n"
    recorder.put((), [("UPDATE log_leaves SET leaf = ? WHERE number = ?", (leaf, last))])
    sign_all(appender(recorder, tmp_path))
    assert published(tmp_path)[1][-1].data == leaf


def test_parts_of_a_tile_go_when_it_is_full(recorder: Database, tmp_path: Path) -> None:
    add = "INSERT INTO log_leaves (number, game, seq, leaf) VALUES (?,?,?,?)"
    leaves = [Leaf("0" * 32, seq, "0" * 64).data for seq in range(1, 601)]
    recorder.put((), [(add, (at, "g", at + 1, leaf)) for at, leaf in enumerate(leaves)])
    sign_all(appender(recorder, tmp_path), 50)
    published(tmp_path)
    left = sorted(each.name for each in (tmp_path / "log" / "tile" / "0").rglob("*.p"))
    assert left == ["002.p"]
