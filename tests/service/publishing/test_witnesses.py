"""A service and its witnesses over loopback: two of three, one offline, one that is lied to."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from service.desk import Desk
from service.errors import StoreRefused
from service.log.checkpoint import open_checkpoint
from service.log.conviction import judge
from service.log.monitor import Monitor, head_of
from service.log.note import NoteWrong, Signer, holding
from service.log.policy import Policy, Witness, read_policy
from service.log.remote import RemoteLog
from service.publishing.asking import AskedWitness
from service.publishing.folder import CHECKPOINT, COSIGNED, LogFolder
from service.publishing.public import PublicLog
from service.settings import Settings
from service.store.figures import newest
from tests.service.desk.kit import new_game, play
from tests.service.following.test_thread import until
from tests.service.log.logs import LOG, Place, asking, leaf, listening, played, post, write_log
from tests.service.publishing.kit import published
from tests.service.publishing.test_public import run, size, with_log

SEED = bytes(range(32)).hex()
"""Of the key that the witnesses know (logs.LOG)."""


@pytest.fixture
def places(tmp_path: Path) -> Iterator[list[Place]]:
    found = [Place(tmp_path / f"w{at}", tmp_path / "log", at) for at in (1, 2, 3)]
    yield found
    for place in found:
        place.ledger.close()


def settings(tmp_path: Path, policy: str = "") -> Settings:
    own = Settings(database=tmp_path / "games.sqlite", chain_length=256)
    return with_log(own, tmp_path, log_key=SEED, witnesses=policy)


def policy_of(tmp_path: Path, places: list[Place], addresses: list[str], needed: int = 2) -> str:
    """The file; who has no address has none in it."""
    lines = [f"log {LOG.public}"]
    for at, (place, address) in enumerate(zip(places, addresses, strict=True), 1):
        lines.append(f"witness w{at} {place.signer.public} {address}".strip())
    names = " ".join(f"w{at}" for at in range(1, len(places) + 1))
    lines += [f"group enough {needed} {names}", "quorum enough"]
    path = tmp_path / "policy.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def read(path: str) -> Policy:
    return read_policy(Path(path).read_text("utf-8"))


def met(folder: Path, policy: Policy, name: str = COSIGNED) -> int:
    """Leaves of the checkpoint in that file, if it has what the policy asks for; else 0."""
    text = LogFolder(folder / "log").text(name)
    if not text:
        return 0
    _, checkpoint, cosigned = policy.open(text)
    return checkpoint.size if policy.met([each.key for each in cosigned]) else 0


def test_two_of_three_are_enough_and_one_is_offline(tmp_path: Path, places: list[Place]) -> None:
    with ExitStack() as stack:
        addresses = [stack.enter_context(listening(place)) for place in places[:2]]
        gone = stack.enter_context(listening(places[2]))
        offline = gone.rpartition(":")[2]
    with ExitStack() as stack:
        addresses = [stack.enter_context(listening(place)) for place in places[:2]]
        path = policy_of(tmp_path, places, [*addresses, f"http://127.0.0.1:{offline}"])

        async def test(desk: Desk, log: PublicLog) -> None:
            game = (await new_game(desk, 12)).game.id
            for turn in range(4):
                await play(desk, game, turn, 2)
                last = newest(desk.store.recorder)
                await until(lambda last=last: met(tmp_path, read(path)) == last)  # type: ignore[misc]
                assert met(tmp_path, read(path), CHECKPOINT) == last
            await until(lambda: log.uncosigned == 0.0)
            assert log.waiting == (0, 0.0)

        run(settings(tmp_path, path), test)
    assert [place.convictions() for place in places] == [[], [], []]


def test_a_witness_that_comes_back_catches_up(tmp_path: Path, places: list[Place]) -> None:
    with listening(places[0]) as first:
        port = int(first.rpartition(":")[2])
    path = policy_of(tmp_path, places[:1], [f"http://127.0.0.1:{port}"], 1)

    async def test(desk: Desk, log: PublicLog) -> None:
        await play(desk, (await new_game(desk, 6)).game.id, 1, 4)
        await until(lambda: size(tmp_path, log.key) == newest(desk.store.recorder))
        await until(lambda: (log.uncosigned or 0.0) > 0.5)
        assert met(tmp_path, read(path)) == 0
        with listening(places[0], port):
            await until(lambda: met(tmp_path, read(path)) == newest(desk.store.recorder))

    run(settings(tmp_path, path), test)


def test_a_split_view_is_found_named_and_portable(tmp_path: Path, places: list[Place]) -> None:
    """The service shows two witnesses one log and the third another, of the same key."""
    other = tmp_path / "other"
    places[2].ledger.close()
    places[2] = lied = Place(tmp_path / "w3", other, 3)
    with ExitStack() as stack:
        addresses = [stack.enter_context(listening(place)) for place in places]
        path = policy_of(tmp_path, places, [*addresses[:2], ""])

        async def test(desk: Desk, log: PublicLog) -> None:
            await play(desk, (await new_game(desk, 6)).game.id, 1, 4)
            await until(lambda: met(tmp_path, read(path)) == newest(desk.store.recorder))

        run(settings(tmp_path, path), test)
        told = published(tmp_path)[1]
        forged = [each.data for each in told[:5]] + [leaf(9, 1), leaf(9, 2)]
        checkpoint = write_log(other, forged)
        assert post(addresses[2], asking(other, 0, 7, checkpoint)).status_code == 200

        with closing(Monitor(LOG.public, RemoteLog(str(tmp_path / "log")), tmp_path / "m")) as own:
            heads = [(address, head_of(RemoteLog(address), LOG.public)) for address in addresses]
            found = list(own.look(heads))
    assert [each.kind for each in found] == ["well", "well", "well", "alarm"]
    assert found[3].text.startswith(f"{addresses[2]} was shown another log: ")
    assert "has signed two pasts: its tree of 7 leaves" in found[3].text
    moved = tmp_path / "by-mail.json"
    shutil.copy(found[3].file, moved)
    shutil.rmtree(tmp_path / "log")
    assert "has signed two pasts" in judge(moved.read_bytes(), LOG.public)
    assert lied.convictions() == [], "it could not know"


def test_a_witness_that_has_seen_more_than_is_signed_is_told_of(
    tmp_path: Path, places: list[Place], caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "other"
    place = places[0]
    place.ledger.close()
    places[0] = place = Place(tmp_path / "w1", other, 1)
    checkpoint = write_log(other, played(500))
    with listening(place) as address:
        assert post(address, asking(other, 0, 500, checkpoint)).status_code == 200
        path = policy_of(tmp_path, places[:1], [address], 1)

        async def test(desk: Desk, log: PublicLog) -> None:
            await new_game(desk)
            await until(lambda: "it has seen 500 leaves" in caplog.text)
            assert met(tmp_path, read(path)) == 0

        run(settings(tmp_path, path), test)


def test_an_answer_that_is_no_cosignature_is_not_taken(
    tmp_path: Path, places: list[Place], caplog: pytest.LogCaptureFixture
) -> None:
    """Of another key, under the name that was asked."""
    with listening(places[0]) as address:
        path = policy_of(tmp_path, [places[1]], [address], 1)

        async def test(desk: Desk, log: PublicLog) -> None:
            await new_game(desk)
            await until(lambda: "without a cosignature of its key" in caplog.text)
            text = LogFolder(tmp_path / "log").text(CHECKPOINT)
            note, _ = open_checkpoint(text, LOG.public)
            assert len(note.signatures) == 1
            assert holding(note, [places[0].signer.public]) == []

        run(settings(tmp_path, path), test)


def test_a_policy_that_is_none_does_not_start(tmp_path: Path) -> None:
    path = tmp_path / "policy.txt"
    path.write_text("quorum two\n", "utf-8")

    async def test(desk: Desk, log: PublicLog) -> None:
        await asyncio.sleep(0)

    with pytest.raises(StoreRefused, match="line 1 names two"):
        run(settings(tmp_path, str(path)), test)
    with pytest.raises(StoreRefused, match="No such file"):
        run(settings(tmp_path, str(tmp_path / "none.txt")), test)
    with pytest.raises(NoteWrong):
        Signer("two words", bytes(32))


@pytest.mark.parametrize("lie", ["999999999999", "-5"])
def test_a_witness_that_once_told_a_size_that_cannot_be_is_asked_again(
    tmp_path: Path, places: list[Place], lie: str
) -> None:
    asked: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.read())
        if len(asked) == 1:
            return httpx.Response(409, text=lie)
        told = places[0].witness.add_checkpoint(asked[-1])
        return httpx.Response(told.status, text=told.body)

    note, _ = open_checkpoint(write_log(tmp_path / "log", played(3)), LOG.public)
    witness = Witness("w1", places[0].signer.public, "http://witness.example")
    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        one = AskedWitness(witness, LogFolder(tmp_path / "log"), http)
        assert one.ask(note) is None
        assert one.trouble
        found = one.ask(note)
    assert found is not None
    assert found.size == 3
