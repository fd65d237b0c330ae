"""``decklog evidence``: an organiser cosigns a file, a player puts receipts into it."""

from __future__ import annotations

from pathlib import Path

from service.evidence.beside import cosign
from service.evidence.receipts import as_field
from service.evidence.signing import MAX_SIGNATURES, SigningKey
from tests.service.cli.conftest import Run
from tests.service.cli.test_verify import altered
from tests.spec.whole import ROOT_KEY, receipt, whole

ROOT = str(ROOT_KEY.verify_key)


def key(run: Run, file: Path, name: str = "organiser.example") -> str:
    done = run("evidence", "key", file, "--name", name)
    assert (done.code, file.stat().st_mode & 0o777) == (0, 0o600)
    return done.out.strip()


def test_what_is_upheld_is_cosigned_and_asked_for(run: Run, bundle: Path, tmp_path: Path) -> None:
    own, signed = key(run, tmp_path / "own"), tmp_path / "signed.decklog"
    assert run("verify", bundle, "--cosigner", own).code == 1
    done = run("evidence", "sign", bundle, "--key", tmp_path / "own", "-o", signed)
    assert (done.code, own in done.out) == (0, True)
    told = run("verify", signed, "--cosigner", own)
    assert told.code == 0
    assert told.out.startswith("UPHELD, origin shown: cosigned by organiser.example+")
    other = key(run, tmp_path / "other", "nobody.example")
    assert run("verify", signed, "--cosigner", own, "--cosigner", other).code == 1
    run("verify", signed, "--cosigner", "xyz").assert_mistake("--cosigner")


def test_nothing_else_is_signed(run: Run, bundle: Path, tmp_path: Path) -> None:
    key(run, tmp_path / "own")
    forged = altered(bundle, tmp_path / "forged.decklog")
    before = forged.read_bytes()
    run("evidence", "sign", forged, "--key", tmp_path / "own").assert_mistake("REFUTED")
    assert forged.read_bytes() == before
    run("evidence", "sign", bundle, "--key", bundle).assert_mistake("no key")
    run("evidence", "key", tmp_path / "own", "--name", "mine").assert_mistake("exists")
    run("evidence", "key", tmp_path / "two", "--name", "a+b").assert_mistake("no name")


def test_a_file_that_is_full_stays_as_it_is(run: Run, bundle: Path, tmp_path: Path) -> None:
    key(run, tmp_path / "own")
    full = tmp_path / "full.decklog"
    data = bundle.read_bytes()
    for number in range(MAX_SIGNATURES):
        data = cosign(data, SigningKey(f"k{number}", bytes([number]) * 32))
    full.write_bytes(data)
    run("evidence", "sign", full, "--key", tmp_path / "own").assert_mistake("100 cosignatures")
    assert full.read_bytes() == data


def test_receipts_are_put_into_a_file(run: Run, live_bundle: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.decklog"
    file.write_bytes(whole(tmp_path / "log"))
    given = tmp_path / "one.receipt"
    given.write_text(as_field(receipt(file.read_bytes(), 0).envelope))
    strange = run("evidence", "receipts", live_bundle, given)
    strange.assert_mistake("A receipt is of game")
    assert run("evidence", "receipts", file, given).code == 0
    told = run("verify", file, "--root", ROOT)
    assert (told.code, "1 receipts have their events" in told.out) == (0, True), told
