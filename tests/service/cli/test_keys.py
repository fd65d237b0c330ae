"""``keys``: an operator's root key, the keys that it vouches for, and how they are changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.errors import StoreRefused
from service.evidence.keylist import open_list
from service.evidence.signing import BadSignature, SigningKey
from service.store.signers import signers
from tests.service.cli.conftest import Run
from tests.support.service_keys import ServiceKeys, service_keys


@pytest.fixture
def keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> ServiceKeys:
    made = service_keys(tmp_path)
    capsys.readouterr()
    return made


def test_keys_are_made_for_their_owner_alone_and_listed_by_the_root(keys: ServiceKeys) -> None:
    listed = open_list(keys.listed, keys.root)
    assert (listed.origin, listed.serial) == ("decklog.example", 1)
    for each in listed.keys:
        assert each.key == str(keys.key(each.role).verify_key)
        assert each.until == ""
    for secret in (keys.root_file, *keys.folder.glob("*.skey")):
        assert secret.stat().st_mode & 0o777 == 0o600
    own = signers(str(keys.folder))
    assert own is not None
    assert (own.receipts, own.bundles) == (keys.key("receipts"), keys.key("bundles"))
    assert signers("") is None


def test_a_list_is_of_its_root_alone(run: Run, keys: ServiceKeys) -> None:
    other = SigningKey("decklog.example/root", b"o" * 32).verify_key
    with pytest.raises(BadSignature, match="not signed by"):
        open_list(keys.listed, other)
    done = run("keys", "show", keys.folder, "--root", str(keys.root))
    assert (done.code, done.out.splitlines()[0][:26]) == (0, "list     1 of decklog.exam")
    run("keys", "show", keys.folder, "--root", str(other)).assert_mistake("not signed by")
    altered = keys.listed.replace(b"payloadType", b"payloadtype")
    with pytest.raises(BadSignature):
        open_list(altered, None)


def test_a_rotated_key_signs_from_then_on_and_the_old_one_stays_in_the_list(
    run: Run, keys: ServiceKeys
) -> None:
    before = keys.key("receipts")
    assert run("keys", "rotate", keys.folder, "receipts", "--root", keys.root_file).code == 0
    listed = open_list(keys.listed, keys.root)
    assert listed.serial == 2
    old, new = (each for each in listed.keys if each.role == "receipts")
    assert old.key == str(before.verify_key) != new.key == str(keys.key("receipts").verify_key)
    assert old.until > new.since
    assert new.until == ""
    own = signers(str(keys.folder))
    assert own is not None
    assert own.receipts == keys.key("receipts")


def test_a_key_is_taken_back(run: Run, keys: ServiceKeys) -> None:
    hint, since = keys.key("bundles").verify_key.hint, "2026-01-01T00:00:00.000Z"
    args = ("keys", "revoke", keys.folder, hint, "--root", keys.root_file, "--since", since)
    assert f"compromised since {since}" in run(*args).out
    (key,) = (e for e in open_list(keys.listed, keys.root).keys if e.role == "bundles")
    assert (key.compromised, bool(key.until)) == (since, True)
    with pytest.raises(StoreRefused, match="not what the list says"):
        signers(str(keys.folder))
    run("keys", "revoke", keys.folder, "none", "--root", keys.root_file).assert_mistake("no key")


@pytest.mark.parametrize(
    "since", ["lately", "2026-13-01", "9999-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59"]
)
def test_a_key_is_taken_back_since_a_time_that_was(run: Run, keys: ServiceKeys, since: str) -> None:
    """Times are compared as texts: any other text would come before or after all of them."""
    hint, before = keys.key("bundles").verify_key.hint, keys.listed
    args = ("keys", "revoke", keys.folder, hint, "--root", keys.root_file, "--since", since)
    run(*args).assert_mistake("is no" if since[0] != "9" else "not over yet")
    assert keys.listed == before


def test_the_time_of_taking_back_has_one_form(run: Run, keys: ServiceKeys) -> None:
    hint = keys.key("bundles").verify_key.hint
    args = ("keys", "revoke", keys.folder, hint, "--root", keys.root_file)
    assert run(*args, "--since", "2026-01-01T02:00:00+02:00").code == 0
    (key,) = (e for e in open_list(keys.listed, keys.root).keys if e.role == "bundles")
    assert key.compromised == "2026-01-01T00:00:00.000Z"


def test_nothing_is_written_over_and_what_is_no_key_is_a_mistake(
    run: Run, keys: ServiceKeys, tmp_path: Path
) -> None:
    run("keys", "root", keys.root_file, "--name", "x").assert_mistake("exists")
    run("keys", "root", tmp_path / "x", "--name", "a b").assert_mistake("names no service")
    run("keys", "make", keys.folder, "--root", keys.root_file).assert_mistake("not empty")
    (tmp_path / "none").write_text("nothing")
    run("keys", "make", tmp_path / "y", "--root", tmp_path / "none").assert_mistake("no secret key")
    run("keys", "show", tmp_path / "none").assert_mistake("no signed envelope")


@pytest.mark.parametrize("name", ["receipts.skey", "list.dsse.json"])
def test_a_service_does_not_start_without_all_of_its_keys(keys: ServiceKeys, name: str) -> None:
    (keys.folder / name).unlink()
    with pytest.raises(StoreRefused, match=r"store\.wrong-key"):
        signers(str(keys.folder))
