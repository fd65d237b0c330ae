"""From a game over HTTP to its file, with what the public log and its witnesses say of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from litestar.testing import TestClient

from service import container
from service.app import create_app
from service.cli import main
from service.evidence import bundle
from service.evidence.casefile import unpack
from service.evidence.verify import verify
from service.log.checkpoint import read_checkpoint
from service.log.judging import Judge
from service.settings import Settings
from tests.service.evidence.playing import GAMES
from tests.service.http.table import Match, Table
from tests.service.log.logs import LOG, Place, listening
from tests.service.publishing.test_witnesses import SEED, policy_of, read
from tests.support.contract import Contract
from tests.support.pennant import GAME
from tests.support.service_keys import ServiceKeys, service_keys


@pytest.fixture
def keys(tmp_path: Path) -> ServiceKeys:
    return service_keys(tmp_path)


@pytest.fixture
def policy(tmp_path: Path) -> Iterator[str]:
    places = [Place(tmp_path / f"w{at}", tmp_path / "log", at) for at in (1, 2)]
    with ExitStack() as stack:
        addresses = [stack.enter_context(listening(place)) for place in places]
        yield policy_of(tmp_path, places, addresses)
    for place in places:
        place.ledger.close()


@pytest.fixture
def table(tmp_path: Path, policy: str, keys: ServiceKeys) -> Iterator[Table]:
    settings = Settings(
        database=tmp_path / "decklog.sqlite", rate_limit=0, chain_length=256, log_level="WARNING",
        log_dir=str(tmp_path / "log"), log_name=LOG.public.name, log_key=SEED, witnesses=policy,
        keys=str(keys.folder),
    )  # fmt: skip
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


def finished(table: Table) -> Match:
    match = table.create()
    while asked := table.get(match.path).json()["toMove"]:
        seat = asked[0]["seat"]
        table.command(match, seat, table.options(match, seat)["items"][0]["command"])
    end = time.monotonic() + 30
    while not table.get(match.path).json()["opened"]:  # once the log has the end, cosigned
        assert time.monotonic() < end
        time.sleep(0.1)
    return match


def cosigned(table: Table, match: Match, policy: str) -> bytes:
    """The file of the game, as soon as enough witnesses have cosigned its last event."""
    end = time.monotonic() + 30
    while True:
        data: bytes = table.get(f"{match.path}/evidence").content
        if bundle.LOG_HEAD in container.unpack(data):
            text = container.unpack(data)[bundle.LOG_HEAD].decode()
            if read(policy).met([each.key for each in read(policy).open(text)[2]]):
                return data
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_file_shows_its_origin_by_root_key_and_by_log(
    table: Table, policy: str, keys: ServiceKeys, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    data = cosigned(table, finished(table), policy)
    told = verify(data, GAMES, root=keys.root, log=Judge(read(policy)))
    assert told.code == 0
    signed, _, logged = told.origin.partition("; ")
    assert signed.startswith("shown: signed by ")
    events = unpack(data)[0].head.seq
    assert logged.startswith(f"shown up to event {events}: it is in the log {LOG.public.name}")
    assert logged.endswith("cosigned by w1.example, w2.example")
    (tmp_path / "game.decklog").write_bytes(data)
    file = str(tmp_path / "game.decklog")
    capsys.readouterr()
    assert main(["verify", file, "--policy", policy], {"pennant": GAME}) == 0
    assert "UPHELD, origin shown up to event" in capsys.readouterr().out
    kept = tmp_path / "kept"
    kept.write_bytes(container.unpack(data)[bundle.LOG_HEAD])
    finished(table)
    later = cosigned(table, finished(table), policy)
    (tmp_path / "game.decklog").write_bytes(later)
    line = ["verify", file, "--known-head", str(kept)]
    assert main(line, {"pennant": GAME}) == 3
    assert "?known=SIZE" in capsys.readouterr().out
    assert main([*line, "--log", str(tmp_path / "log")], {"pennant": GAME}) == 0
    (tmp_path / "wrong.txt").write_text("quorum nobody\n", "utf-8")
    wrong = ["verify", file, "--policy", str(tmp_path / "wrong.txt")]
    assert main(wrong, {"pennant": GAME}) == 2
    assert "--policy: line 1 names nobody" in capsys.readouterr().err


def test_a_file_is_given_for_the_head_that_somebody_has_kept(table: Table, policy: str) -> None:
    """He needs no tiles to compare it, be it older or newer than the file's own."""
    finished(table)
    match = finished(table)
    file = f"{match.path}/evidence"
    data = cosigned(table, match, policy)
    size = open_size(data)
    text = container.unpack(data)[bundle.LOG_HEAD].decode()
    finished(table)
    later = finished(table)
    cosigned(table, later, policy)
    answer = table.get(f"{later.path}/evidence?known={size}")
    verdict = verify(answer.content, GAMES, log=Judge(read(policy), [("kept", text)]))
    assert (verdict.code, open_size(answer.content) > size) == (0, True)
    assert any("which goes on from kept" in each.text for each in verdict.checks)
    tag = answer.headers["etag"]
    assert table.get(f"{later.path}/evidence?known={size - 1}").headers["etag"] != tag
    for known in (open_size(answer.content), 10**9):
        same = table.get(f"{file}?known={known}").content
        differs = known < 10**9 and open_size(same) != known
        assert (bundle.LOG_CONSISTENCY in container.unpack(same)) == differs
    for wrong in ("0", "-1", "x", "1e3", "9" * 30):
        assert table.get(f"{file}?known={wrong}").json()["code"] == "query.invalid"


def open_size(data: bytes) -> int:
    return read_checkpoint(container.unpack(data)[bundle.LOG_HEAD].decode())[1].size


def test_a_game_in_play_has_a_proof_of_what_was_played(table: Table, policy: str) -> None:
    match = table.create()
    seat = table.get(match.path).json()["toMove"][0]["seat"]
    table.command(match, seat, table.options(match, seat)["items"][0]["command"])
    told = verify(cosigned(table, match, policy), GAMES, log=Judge(read(policy)))
    assert (told.code, told.scope) == (0, "partial")
    assert told.origin.startswith("shown up to event ")


def test_a_fork_is_in_no_log_and_has_no_proof(table: Table, policy: str) -> None:
    match = finished(table)
    cosigned(table, match, policy)
    made = table.post(f"{match.path}/forks", {"at": 3})
    assert made.status_code == 201, made.text
    path, token = f"/v1/games/{made.json()['game']['id']}/evidence", made.json()["organiser"]
    data = table.get(path, token).content
    time.sleep(2)
    assert data == table.get(path, token).content
    assert bundle.LOG_HEAD not in container.unpack(data)
