"""A witness: what it cosigns, what it refuses and with which status, what it never forgets."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.log import note
from service.log.checkpoint import read_checkpoint
from service.log.conviction import NotProven, judge
from service.log.games import leaves_of
from service.log.note import Signer
from service.log.witness import LARGEST, SIZE
from tests.service.evidence.playing import finished
from tests.service.log.logs import (
    AT,
    LOG,
    Place,
    asking,
    leaf,
    listening,
    played,
    post,
    write_log,
)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path / "witness", tmp_path / "log")
    yield found
    found.ledger.close()


def grown(place: Place, count: int) -> str:
    """The log grows to so many leaves."""
    return write_log(Path(place.log), played(count))


def shown(place: Place, old: int, new: int, checkpoint: str) -> tuple[int, str]:
    """What the witness answers."""
    found = place.witness.add_checkpoint(asking(Path(place.log), old, new, checkpoint))
    return found.status, found.body


def test_it_cosigns_a_log_that_grows(place: Place) -> None:
    old = 0
    for new in (1, 3, 7, 7, 256, 700):
        checkpoint = grown(place, new)
        status, body = shown(place, old, new, checkpoint)
        assert status == 200, body
        text = read_checkpoint(checkpoint)[0].text
        signed = note.Note(text, note.read_signatures(body))
        (found,) = note.holding(signed, [place.signer.public])
        assert (found.key, found.at) == (place.signer.public, AT)
        old = new
    assert place.convictions() == []


def test_it_tells_who_is_behind_how_far_it_is(place: Place) -> None:
    shown(place, 0, 7, grown(place, 7))
    found = place.witness.add_checkpoint(asking(Path(place.log), 3, 7, grown(place, 7)))
    assert (found.status, found.body, found.media) == (409, "7\n", SIZE)


def test_what_it_knows_outlives_it(place: Place) -> None:
    shown(place, 0, 7, grown(place, 7))
    place.again()
    checkpoint = grown(place, 9)
    assert shown(place, 0, 9, checkpoint) == (409, "7\n")
    assert shown(place, 7, 9, checkpoint)[0] == 200
    place.again()
    write_log(Path(place.log), [*played(9), leaf(0, 3, 1)])
    assert shown(place, 9, 10, (Path(place.log) / "checkpoint").read_text("utf-8"))[0] == 422


def test_a_fork_is_refused_and_convicts(place: Place) -> None:
    before = grown(place, 7)
    shown(place, 0, 7, before)
    other = [*played(6), leaf(9, 1), *played(10)[7:]]
    forked = write_log(Path(place.log), other)
    status, body = shown(place, 7, 10, forked)
    assert status == 422
    assert "root" in body
    (file,) = place.convictions()
    assert "has signed two pasts: its tree of 7 leaves" in judge(file, LOG.public)
    assert shown(place, 7, 9, grown(place, 9))[0] == 200, "the true one goes on"


def test_another_tree_of_the_same_size_is_refused_and_convicts(place: Place) -> None:
    shown(place, 0, 7, grown(place, 7))
    forked = write_log(Path(place.log), [*played(6), leaf(9, 1)])
    assert shown(place, 7, 7, forked) == (409, "7\n")
    (file,) = place.convictions()
    assert "has signed two pasts" in judge(file, LOG.public)


@pytest.mark.parametrize("at", [3, 8, 300])
def test_an_event_that_is_logged_twice_is_refused_and_convicts(place: Place, at: int) -> None:
    """Inclusion and consistency hold: only who reads the leaves can see it."""
    shown(place, 0, 3, grown(place, 3))
    leaves = played(max(at, 4))
    leaves.insert(at, leaf(1, 1, 7))
    checkpoint = write_log(Path(place.log), leaves)
    status, body = shown(place, 3, len(leaves), checkpoint)
    assert status == 422
    assert f"leaf {at} " in body
    (file,) = place.convictions()
    assert "has logged event 1 of 00000000000000000000000000000001 twice" in judge(file, LOG.public)
    assert place.ledger.known(LOG.public.name).tree.size == 3


def test_two_records_of_one_game_are_one_game_to_the_log(place: Place) -> None:
    """Made anew from the first event on, with another nonce: the witness sees an event twice."""
    first, second = (
        leaves_of(finished(8, 1).export()),
        leaves_of(finished(8, 1, nonce="0e" * 32).export()),
    )
    assert first[0].hash != second[0].hash
    leaves = [each.data for each in (*first, *second)]
    checkpoint = write_log(Path(place.log), leaves)
    status, body = shown(place, 0, len(leaves), checkpoint)
    assert status == 422
    assert f"leaf {len(first)} " in body
    (file,) = place.convictions()
    assert f"has logged event 1 of {first[0].tag} twice" in judge(file, LOG.public)


def test_leaves_that_are_not_served_are_not_cosigned(place: Place) -> None:
    checkpoint = grown(place, 300)
    body = asking(Path(place.log), 0, 300, checkpoint)
    tile = Path(place.log) / "tile" / "entries" / "000"
    kept = tile.read_bytes()
    tile.unlink()
    assert place.witness.add_checkpoint(body).status == 503
    tile.write_bytes(kept.replace(b"nwl2", b"nwl3", 1))
    found = place.witness.add_checkpoint(body)
    assert (found.status, "is no leaf" in found.body) == (422, True)
    other = kept.replace(leaf(2, 1)[:-3], leaf(2, 1)[:-3].replace(b"0001", b"0002"), 1)
    tile.write_bytes(other.replace(leaf(0, 1), leaf(7, 1), 1))
    found = place.witness.add_checkpoint(body)
    assert (found.status, "not those that were signed" in found.body) == (422, True)
    tile.write_bytes(kept)
    assert place.witness.add_checkpoint(body).status == 200


def test_a_proof_that_was_touched_is_refused_and_convicts_nobody(place: Place) -> None:
    shown(place, 0, 7, grown(place, 7))
    checkpoint = grown(place, 12)
    body = asking(Path(place.log), 7, 12, checkpoint)
    lines = body.split(b"\n")
    for wrong in (lines[0:1] + lines[2:], [lines[0], lines[2], lines[1], *lines[3:]]):
        assert place.witness.add_checkpoint(b"\n".join(wrong)).status == 422
    assert place.convictions() == []
    assert place.witness.add_checkpoint(body).status == 200


def test_who_is_not_known_is_not_cosigned(place: Place) -> None:
    stranger = Signer("stranger.example", bytes(32))
    checkpoint = write_log(Path(place.log), played(3), stranger)
    assert shown(place, 0, 3, checkpoint)[0] == 404
    imposter = Signer(LOG.public.name, bytes(32))
    checkpoint = write_log(Path(place.log), played(3), imposter)
    assert shown(place, 0, 3, checkpoint)[0] == 403
    good = grown(place, 3)
    wrong = good[:-8] + ("A" if good[-8] != "A" else "B") + good[-7:]
    assert shown(place, 0, 3, wrong)[0] == 403
    assert place.witness.add_checkpoint(asking(Path(place.log), 0, 3, good)).status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"", b"old 0\n", b"old 01\n\n", b"old -1\n\n", b"old 0\nAA==\n\n", b"\xff\n\n",
        b"old 0\n\nno note\n",
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused(place: Place, body: bytes) -> None:
    assert place.witness.add_checkpoint(body).status == 400


def test_a_tree_that_is_smaller_than_the_old_one_is_refused(place: Place) -> None:
    checkpoint = grown(place, 3)
    body = asking(Path(place.log), 0, 3, checkpoint).replace(b"old 0", b"old 4", 1)
    assert place.witness.add_checkpoint(body).status == 400


def test_no_random_change_of_a_request_is_cosigned(place: Place) -> None:
    """Except where it changes nothing that counts: more lines below the note."""
    shown(place, 0, 7, grown(place, 7))
    body, chance = asking(Path(place.log), 7, 12, grown(place, 12)), random.Random(5)
    for _ in range(500):
        at = chance.randrange(len(body))
        wrong = body[:at] + bytes([body[at] ^ 1 << chance.randrange(8)]) + body[at + 1 :]
        assert place.witness.add_checkpoint(wrong).status != 200
    assert place.convictions() == []


def test_over_http(place: Place) -> None:
    body = asking(Path(place.log), 0, 7, grown(place, 7))
    name = hashlib.sha256(LOG.public.name.encode()).hexdigest()
    with listening(place) as address:
        import httpx

        assert httpx.get(f"{address}/checkpoint/{name}").status_code == 404
        assert post(address, body).status_code == 200
        again = post(address, body)
        assert (again.status_code, again.text) == (409, "7\n")
        assert again.headers["content-type"] == SIZE
        newest = httpx.get(f"{address}/checkpoint/{name}").text
        assert {each.name for each in read_checkpoint(newest)[0].signatures} == {
            LOG.public.name, place.signer.public.name,
        }  # fmt: skip
        assert post(address, bytes(LARGEST + 1)).status_code == 413
        assert httpx.get(f"{address}/checkpoint/{'0' * 64}").status_code == 404
        assert httpx.get(address).status_code == 404
        assert httpx.post(f"{address}/other", content=body).status_code == 404


def test_a_file_that_shows_nothing_convicts_nobody(place: Place) -> None:
    shown(place, 0, 7, grown(place, 7))
    write_log(Path(place.log), [*played(6), leaf(9, 1)])
    shown(place, 7, 7, (Path(place.log) / "checkpoint").read_text("utf-8"))
    (file,) = place.convictions()
    assert judge(file, LOG.public)
    with pytest.raises(NotProven):
        judge(file, Signer(LOG.public.name, bytes(32)).public)
    chance = random.Random(2)
    for _ in range(400):
        at = chance.randrange(len(file))
        wrong = file[:at] + bytes([file[at] ^ 1 << chance.randrange(7)]) + file[at + 1 :]
        try:
            told = judge(wrong, LOG.public)
        except NotProven:
            continue
        assert told == judge(file, LOG.public), "the field that repeats the key may be anything"
    with pytest.raises(NotProven, match="no such file"):
        judge(b"{}", LOG.public)


def test_a_log_that_did_nothing_wrong_cannot_be_convicted(tmp_path: Path) -> None:
    from service.log import conviction
    from service.publishing.folder import LogFolder

    first = write_log(tmp_path, played(7))
    second = write_log(tmp_path, played(20))
    with pytest.raises(NotProven, match="begins with the first"):
        conviction.split_view(LOG.public, second, first, LogFolder(tmp_path).fetch)
    with pytest.raises(NotProven):
        conviction.repeated(LOG.public, second, 5, LogFolder(tmp_path).fetch)
    one = conviction.SplitView(str(LOG.public), first, second, "A" * 43 + "=", ())
    with pytest.raises(NotProven):
        judge(conviction.file_bytes(one), LOG.public)
