"""``witness`` and ``monitor``: a log is cosigned, watched, and caught, by programs of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from service.evidence.receipts import Accepted, as_field, give
from service.evidence.signing import SigningKey
from service.log.games import leaves_of
from service.log.ledger import Ledger
from service.log.note import COSIGNATURE, read_key
from service.publishing.folder import LogFolder
from tests.service.cli.conftest import Run
from tests.service.evidence.playing import GAME_ID, finished
from tests.service.log.logs import LOG, asking, leaf, played, post, write_log
from tests.support.server import ROOT

FIRST = ROOT / "tests" / "games" / "first-battle.decklog"


@contextmanager
def witness(folder: Path, log: Path) -> Iterator[tuple[str, str]]:
    """Its key and its address, while it runs."""
    line = [sys.executable, "-m", "service.cli", "witness", str(folder), "--name", "w.example"]
    line += ["--log", str(LOG.public), str(log), "--port", "0"]
    process = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        key, address = process.stdout.readline(), process.stdout.readline()
        yield key.removeprefix("witness ").strip(), address.removeprefix("listens on ").strip()
    finally:
        process.kill()
        process.communicate()


def test_a_witness_keeps_its_key_and_what_it_knows_over_a_kill(tmp_path: Path) -> None:
    log = tmp_path / "log"
    checkpoint = write_log(log, played(3))
    with witness(tmp_path / "w", log) as (key, address):
        assert post(address, asking(log, 0, 3, checkpoint)).status_code == 200
    forked = write_log(log, [*played(2), leaf(9, 1), leaf(9, 2)])
    with witness(tmp_path / "w", log) as (again, address):
        assert again == key
        assert read_key(key).kind == COSIGNATURE
        assert post(address, asking(log, 3, 4, forked)).status_code == 422
    assert len(list((tmp_path / "w" / "convictions").iterdir())) == 1
    assert (tmp_path / "w" / "key").stat().st_mode & 0o777 == 0o600


def test_the_key_is_said(run: Run, tmp_path: Path) -> None:
    line = ("witness", tmp_path, "--name", "w.example", "--log", LOG.public, tmp_path, "--key")
    first, second = run(*line), run(*line)
    assert (first.code, first.out) == (0, second.out)
    assert read_key(first.out).name == "w.example"


def test_a_witness_that_has_lost_what_it_knew_does_not_begin(run: Run, tmp_path: Path) -> None:
    """It would cosign a second past under the same key."""
    line = ("witness", tmp_path, "--name", "w.example", "--log", LOG.public, tmp_path / "log")
    assert run(*line, "--key").code == 0
    for path in tmp_path.glob("ledger.sqlite*"):
        path.unlink()
    found = run(*line, "--port", "0")
    assert (found.code, "has a key and no ledger" in found.err) == (2, True)


def test_two_witnesses_do_not_share_a_folder(run: Run, tmp_path: Path) -> None:
    line = ("witness", tmp_path, "--name", "w.example", "--log", LOG.public, tmp_path / "log")
    with closing(Ledger(tmp_path / "ledger.sqlite")):
        found = run(*line, "--port", "0")
    assert (found.code, "The witness cannot begin: " in found.err) == (2, True)


def test_what_is_no_witness_is_a_mistake(run: Run, tmp_path: Path) -> None:
    for name, vkey in (("two words", str(LOG.public)), ("w.example", "no-key")):
        found = run("witness", tmp_path / "w", "--name", name, "--log", vkey, tmp_path)
        assert found.code == 2
        assert found.err.startswith("decklog: The witness cannot begin: ")


def watched(run: Run, tmp_path: Path, *more: object) -> tuple[int, list[dict[str, str]]]:
    base = (tmp_path / "log", "--log", LOG.public, "--folder", tmp_path / "m", "--json")
    found = run("monitor", *base, *more)
    return found.code, json.loads(found.out)


def test_a_monitor_watches_a_log_its_witnesses_and_games(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log"
    game = [each.data for each in leaves_of(FIRST.read_bytes())]
    checkpoint = write_log(log, [*played(3), *game])
    (tmp_path / "kept").write_text(checkpoint, "utf-8")
    with witness(tmp_path / "w", log) as (_, address):
        post(address, asking(log, 0, 3 + len(game), checkpoint))
        more = ("--witness", address, "--head", tmp_path / "kept", "--game", FIRST)
        code, told = watched(run, tmp_path, *more)
    assert code == 0
    assert {each["kind"] for each in told} == {"well"}
    assert len(told) == 3 + len(game)
    code, told = watched(run, tmp_path, "--witness", address)
    assert (code, [each["kind"] for each in told]) == (0, ["well", "unknown"])


def test_a_game_that_is_in_the_log_otherwise_alarms(run: Run, tmp_path: Path) -> None:
    game = [each.data for each in leaves_of(FIRST.read_bytes())]
    write_log(tmp_path / "log", game[:-1])
    code, told = watched(run, tmp_path, "--game", FIRST)
    assert code == 1
    assert told[-1]["text"].endswith(f"event {len(game)} is not in the log")


def test_a_log_that_misses_what_a_receipt_promised_is_caught(run: Run, tmp_path: Path) -> None:
    """Its event is not there, or another is, when the time is over."""
    game = finished(8, 1).export()
    leaves = leaves_of(game)
    key = SigningKey("decklog.example/receipts", b"k" * 32)
    write_log(tmp_path / "log", [each.data for each in leaves[:-1]])
    for at, seq, code, word in (
        ("2026-01-01T00:00:00.000Z", 2, 0, "is in the log"),
        ("2026-01-01T00:00:00.000Z", len(leaves), 1, "is not in the log"),
        ("9998-01-01T00:00:00.000Z", len(leaves), 0, "need not be"),
    ):
        took = Accepted("order", "p1", b"{}", seq, leaves[seq - 1].hash)
        (tmp_path / "receipt").write_text(as_field(give(GAME_ID.hex(), took, at, key)))
        more = ("--folder", tmp_path / "kept", "--receipt", tmp_path / "receipt")
        done = run("monitor", tmp_path / "log", "--log", LOG.public, *more)
        assert (done.code, word in done.out) == (code, True), done.out
    # a later promise for the same event takes back no earlier one
    earlier = Accepted("order", "p1", b"{}", len(leaves), leaves[-1].hash)
    at = "2026-01-01T00:00:00.000Z"
    (tmp_path / "earlier").write_text(as_field(give(GAME_ID.hex(), earlier, at, key)))
    for order in (("earlier", "receipt"), ("receipt", "earlier")):
        words = [part for name in order for part in ("--receipt", tmp_path / name)]
        words += ["--folder", tmp_path / "kept"]
        done = run("monitor", tmp_path / "log", "--log", LOG.public, *words)
        assert (done.code, "is not in the log" in done.out) == (1, True), done.out


def test_what_a_monitor_finds_is_judged_by_anybody(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log"
    kept = write_log(log, played(4))
    (tmp_path / "kept").write_text(kept, "utf-8")
    write_log(log, [*played(3), leaf(9, 1), leaf(9, 2)])
    code, told = watched(run, tmp_path, "--head", tmp_path / "kept")
    assert code == 1
    for path in LogFolder(log).path.rglob("*"):
        if path.is_file():
            path.unlink()
    judged = run("monitor", "-", "--log", LOG.public, "--judge", told[-1]["file"])
    assert judged.code == 1
    assert "has signed two pasts" in judged.out
    nothing = run("monitor", "-", "--log", LOG.public, "--judge", tmp_path / "kept")
    assert nothing.code == 0
    assert "shows nothing" in nothing.out


@pytest.mark.parametrize("more", [("--game", "none.decklog"), ("--game", __file__)])
def test_what_cannot_be_watched_is_a_mistake(run: Run, tmp_path: Path, more: tuple[str]) -> None:
    found = run("monitor", tmp_path, "--log", LOG.public, *more)
    assert found.code == 2
    assert run("monitor", tmp_path, "--log", "no-key").err.startswith("decklog: --log: ")
