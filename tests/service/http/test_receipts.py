"""What a service takes, it signs for: a receipt that a record does not keep convicts it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.testing import TestClient

from domain.kernel.codec import canonical
from service import container
from service.app import create_app
from service.cli import main
from service.deadlines import later
from service.evidence import bundle, equivocation
from service.evidence.keylist import open_list, sign_list
from service.evidence.receipts import RECEIPT, Given, Receipt, as_field, read
from service.evidence.signing import (
    BadSignature,
    SigningKey,
    read_skey,
    seal_envelope,
    write_envelope,
)
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from service.settings import Settings
from tests.service.evidence.playing import AT, GAMES
from tests.service.http.table import Match, Table
from tests.support.contract import Contract
from tests.support.pennant import GAME
from tests.support.service_keys import ServiceKeys, service_keys

CHOOSE = {"type": "pennant.choose", "colour": "bold"}


@pytest.fixture
def keys(tmp_path: Path) -> ServiceKeys:
    return service_keys(tmp_path)


@pytest.fixture
def table(tmp_path: Path, keys: ServiceKeys) -> Iterator[Table]:
    settings = Settings(
        database=tmp_path / "decklog.sqlite", rate_limit=0, chain_length=256, log_level="WARNING",
        keys=str(keys.folder),
    )  # fmt: skip
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


def receipt_of(answer: httpx.Response) -> Given:
    return read(answer.headers["decklog-receipt"].encode())


def signed_by(given: Given, keys: ServiceKeys) -> bool:
    return given.envelope.is_signed_by(keys.key("receipts").verify_key)


def test_orders_joins_and_agreements_are_answered_with_receipts(
    table: Table, keys: ServiceKeys
) -> None:
    made = table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "open"}])
    joined = table.post(
        f"{made.path}/seats", {"seat": "p2"}, key="the-key-of-the-second-seat-00001"
    )
    given = table.command(made, "p1", CHOOSE)
    digest = table.get(made.path).json()["rules"]["digest"]
    agreed = table.post(f"{made.path}/rules", {"digest": digest}, made.tokens["p1"])
    for answer, kind, seat in (
        (joined, "join", "p2"), (given, "order", "p1"), (agreed, "agreement", "p1"),
    ):  # fmt: skip
        assert answer.is_success
        found = receipt_of(answer)
        assert signed_by(found, keys)
        told = found.receipt
        assert (told.game, told.kind, told.seat) == (made.id, kind, seat)
        assert answer.headers["decklog-head"] == f'{told.seq};hash="{told.head}"'
        assert told.at < told.log_by


def test_a_repeat_bears_the_same_receipt(table: Table) -> None:
    match = table.create()
    more: dict[str, Any] = {
        "version": table.version(match),
        "key": "one-receipt-for-two-of-one-kind1",
    }
    first = table.command(match, "p1", CHOOSE, **more)
    again = table.command(match, "p1", CHOOSE, **more)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["decklog-receipt"] == first.headers["decklog-receipt"]


def test_what_is_refused_or_read_has_none(table: Table) -> None:
    match = table.create()
    assert "decklog-receipt" not in table.command(match, "p1", {"type": "pennant.fire"}).headers
    assert "decklog-receipt" not in table.get(match.path).headers


def test_a_service_without_keys_signs_nothing(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "plain.sqlite", chain_length=64, log_level="WARNING")
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        table = Table(client, Contract.of(app.state.http.describe()))
        match = table.create()
        assert "decklog-receipt" not in table.command(match, "p1", CHOOSE).headers
        data = table.get(f"{match.path}/evidence").content
    assert bundle.SIGNATURE not in container.unpack(data)


# Judged


def finished(table: Table) -> tuple[Match, bytes, list[Given]]:
    """A game that was played to its end, its evidence, and p1's receipts."""
    match = table.create()
    receipts = []
    while asked := table.get(match.path).json()["toMove"]:
        seat = asked[0]["seat"]
        item = table.options(match, seat)["items"][0]
        done = table.command(match, seat, item["command"])
        if seat == "p1":
            receipts.append(receipt_of(done))
    return match, table.get(f"{match.path}/evidence").content, receipts


def judged(data: bytes, keys: ServiceKeys, *receipts: Given) -> Verdict:
    return verify(data, GAMES, root=keys.root, receipts=receipts)


def test_the_root_key_shows_the_origin_and_receipts_have_their_events(
    table: Table, keys: ServiceKeys
) -> None:
    _, data, receipts = finished(table)
    told = judged(data, keys, *receipts)
    assert (told.code, told.word) == (0, "UPHELD")
    hint = keys.key("bundles").verify_key.hint
    assert told.origin.startswith(f"shown: signed by {hint}, for which {keys.root.hint} vouches")
    assert told.text().splitlines()[0] == f"UPHELD, origin {told.origin}"
    assert f"{len(receipts)} receipts have their events" in told.text()
    alone = verify(data, GAMES)
    first = alone.text().splitlines()[0]
    assert first.startswith(f"UPHELD, origin not proven: signed by {hint}, and no --root")


def test_evidence_without_what_a_receipt_is_for_convicts_the_service(
    table: Table, keys: ServiceKeys
) -> None:
    _, data, receipts = finished(table)
    manifest = msgspec.json.decode(container.unpack(data)[bundle.MANIFEST], type=bundle.Manifest)
    receipt = receipts[0].receipt
    assert judged(data, keys, given_by(keys.key("receipts"), receipt)).code == 0
    changes: tuple[dict[str, Any], ...] = (
        {"game": "0" * 32},
        {"head": "0" * 64},
        {"body": "0" * 64},
        {"seat": "p2"},
        {"kind": "join"},
        {"seq": manifest.head.seq + 1},
    )
    for changed in changes:
        owed = msgspec.structs.replace(receipt, **changed)
        told = judged(data, keys, given_by(keys.key("receipts"), owed))
        assert (told.code, told.finding and told.finding.check) == (1, "receipt"), changed


def given_by(key: SigningKey, receipt: Receipt) -> Given:
    """What the service would have given out, had it taken something else."""
    return Given(receipt, seal_envelope(RECEIPT, canonical(receipt), [key]))


def test_a_receipt_that_another_key_signed_convicts_nobody(table: Table, keys: ServiceKeys) -> None:
    _, data, receipts = finished(table)
    false = msgspec.structs.replace(receipts[0].receipt, head="0" * 64)
    told = judged(data, keys, given_by(SigningKey("x", b"x" * 32), false))
    assert told.code == 0
    assert "1 receipts are of no key of this service: not judged." in told.notes
    with pytest.raises(ValueError, match="root key"):
        verify(data, GAMES, receipts=receipts)


def taken_back(keys: ServiceKeys, *since: str) -> None:
    hint = keys.key("receipts").verify_key.hint
    args = ["keys", "revoke", str(keys.folder), hint, "--root", str(keys.root_file), *since]
    assert main(args) == 0


def test_a_service_owes_what_it_signed_before_it_took_its_key_back(
    table: Table, keys: ServiceKeys
) -> None:
    """Else it would be rid of all that it owes by taking back its own key."""
    _, data, receipts = finished(table)
    false = msgspec.structs.replace(receipts[0].receipt, head="0" * 64)
    owed = given_by(keys.key("receipts"), false)
    taken_back(keys)
    for given, code in ((receipts[0], 0), (owed, 1)):
        told = verify(data, GAMES, root=keys.root, keys=keys.listed, receipts=[given])
        assert told.code == code


def test_a_receipt_of_after_the_theft_convicts_nobody_and_sheds_nothing(
    table: Table, keys: ServiceKeys, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The thief has signed it, or the service, which says now that it was the thief."""
    _, data, receipts = finished(table)
    receipt, thief = receipts[0].receipt, keys.key("receipts")
    false = given_by(thief, msgspec.structs.replace(receipt, head="0" * 64))
    taken_back(keys, "--since", receipt.at)
    told = verify(data, GAMES, root=keys.root, keys=keys.listed, receipts=[false])
    assert told.code == 3
    assert "nobody can tell which" in told.reason
    told = verify(data, GAMES, root=keys.root, keys=keys.listed, receipts=receipts)
    assert told.code == 0
    assert any("a key that did not count when" in note for note in told.notes)
    for name, given in (("own", receipts[0]), ("false", false)):
        (tmp_path / name).write_text(as_field(given.envelope))
    (tmp_path / "list").write_bytes(keys.listed)
    root = [f"--root={keys.root}", f"--keys={tmp_path / 'list'}"]
    capsys.readouterr()
    main(["equivocation", str(tmp_path / "own"), str(tmp_path / "false"), *root])
    assert "convicts no" in capsys.readouterr().out


def test_who_has_signed_is_told_by_the_key_and_not_by_the_hint(
    table: Table, keys: ServiceKeys
) -> None:
    match = table.create()
    given = receipt_of(table.command(match, "p1", CHOOSE))
    (own,) = given.envelope.signatures
    strange = msgspec.structs.replace(own, keyid="other.example/receipts+00000000")
    envelope = msgspec.structs.replace(given.envelope, signatures=(strange,))
    saying = equivocation.read(write_envelope(envelope), keys.root, keys.listed)
    assert saying.by == keys.key("receipts").verify_key.hint


@pytest.mark.parametrize("seq", [0, -9_999])
def test_a_receipt_of_no_event_is_none(keys: ServiceKeys, seq: int) -> None:
    made = Receipt(1, "0" * 32, "order", "p1", "0" * 64, AT, seq, "0" * 64, AT)
    envelope = given_by(keys.key("receipts"), made).envelope
    with pytest.raises(BadSignature, match="of no event"):
        read(write_envelope(envelope))


@pytest.mark.parametrize(
    "time", ["", "soon", "2099-01-01", "2026-11-21T14:00:10.000-12:00", "2026-11-21t14:00:10.000Z"]
)
def test_a_receipt_of_no_time_is_none(keys: ServiceKeys, time: str) -> None:
    """Times are compared as texts: another zone, or a word, would put the promise off."""
    for at, by in ((time, AT), (AT, time)):
        made = Receipt(1, "0" * 32, "order", "p1", "0" * 64, at, 1, "0" * 64, by)
        envelope = given_by(keys.key("receipts"), made).envelope
        with pytest.raises(BadSignature, match="its times are none"):
            read(write_envelope(envelope))


def test_a_receipt_of_what_came_after_a_file_of_a_game_in_play_waits(
    table: Table, keys: ServiceKeys
) -> None:
    match = table.create()
    data = table.get(f"{match.path}/evidence").content
    later = receipt_of(table.command(match, "p1", CHOOSE))
    told = judged(data, keys, later)
    assert told.code == 0
    assert "1 receipts are of events after the end of this file." in told.notes
    assert [each.count for each in told.checks if each.check == "receipts"] == [0]


def test_whatever_is_done_to_the_signature_no_other_file_is_of_proven_origin(
    table: Table, keys: ServiceKeys
) -> None:
    _, data, _ = finished(table)
    files = container.unpack(data)
    strange = SigningKey(keys.key("bundles").name, b"s" * 32)
    plain = {n: f for n, f in files.items() if n not in (bundle.SIGNATURE, bundle.KEYS)}
    other = bundle.signed(data, strange, keys.listed)
    _, second, _ = finished(table)
    genuine = {name: files[name] for name in (bundle.SIGNATURE, bundle.KEYS)}
    for altered in (
        {**container.unpack(second), **genuine},
        {**files, bundle.SIGNATURE: files[bundle.SIGNATURE].replace(b'"sig":"', b'"sig":"A')},
        {**files, bundle.SIGNATURE: b"{}"},
        {**files, bundle.KEYS: files[bundle.KEYS][:-9] + b'AAAAAAA"}'},
        plain,
        container.unpack(other),
    ):
        told = judged(container.pack(altered), keys)
        assert told.code in (1, 2)
        assert told.origin == ""


def test_a_key_that_was_taken_back_vouches_for_nothing(
    table: Table, keys: ServiceKeys, capsys: pytest.CaptureFixture[str]
) -> None:
    _, data, _ = finished(table)
    hint = keys.key("bundles").verify_key.hint
    assert judged(data, keys).code == 0
    assert main(["keys", "revoke", str(keys.folder), hint, "--root", str(keys.root_file)]) == 0
    told = verify(data, GAMES, root=keys.root, keys=keys.listed)
    assert told.code == 1
    assert told.finding is not None
    assert told.finding.found.startswith("compromised since")


@pytest.mark.parametrize("ended", [False, True])
def test_a_key_signs_no_game_that_went_on_when_it_no_longer_signed(
    table: Table, keys: ServiceKeys, *, ended: bool
) -> None:
    _, data, _ = finished(table)
    listed = open_list(keys.listed, keys.root)
    until = listed.at if ended else later(AT, 10**9)
    told = msgspec.structs.replace(
        listed, keys=tuple(msgspec.structs.replace(each, until=until) for each in listed.keys)
    )
    root = read_skey(keys.root_file.read_text())
    found = verify(data, GAMES, root=keys.root, keys=sign_list(told, root))
    assert found.code == int(ended)
    if ended:
        assert found.finding is not None
        assert found.finding.what == "time of the last event"


def test_the_command_line_takes_receipts_as_they_came_and_as_json(
    table: Table, keys: ServiceKeys, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, data, receipts = finished(table)
    (tmp_path / "game.decklog").write_bytes(data)
    (tmp_path / "field").write_text(as_field(receipts[0].envelope))
    (tmp_path / "json").write_bytes(base64.b64decode(as_field(receipts[1].envelope)))
    asked = ["verify", str(tmp_path / "game.decklog")]
    with_receipts = [f"--receipt={tmp_path / name}" for name in ("field", "json")]
    code = main([*asked, f"--root={keys.root}", *with_receipts], GAMES)
    out = capsys.readouterr().out
    assert (code, "2 receipts have their events" in out) == (0, True)
    assert main([*asked, *with_receipts], GAMES) == 2
    assert "need the root key" in capsys.readouterr().err
    (tmp_path / "none").write_text("nothing")
    assert main([*asked, f"--root={keys.root}", f"--receipt={tmp_path / 'none'}"], GAMES) == 2


def test_a_receipt_and_signed_evidence_that_tell_two_chains_convict_the_service(
    table: Table, keys: ServiceKeys, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, data, receipts = finished(table)
    told = receipts[0].receipt
    other = given_by(keys.key("receipts"), msgspec.structs.replace(told, head="0" * 64))
    stolen = given_by(SigningKey("x", b"x" * 32), other.receipt)
    for name, content in (
        ("game.decklog", data),
        ("own", as_field(receipts[0].envelope).encode()),
        ("other", as_field(other.envelope).encode()),
        ("stolen", as_field(stolen.envelope).encode()),
        ("list", keys.listed),
    ):
        (tmp_path / name).write_bytes(content)
    root = [f"--root={keys.root}", f"--keys={tmp_path / 'list'}"]
    for one, two, more, code, word in (
        ("game.decklog", "own", root, 0, "NO CONTRADICTION in the 1 events"),
        ("game.decklog", "other", root, 1, "convicts yes"),
        ("own", "other", root, 1, "convicts yes"),
        ("own", "stolen", root, 1, "convicts no"),
        ("own", "other", [], 1, "convicts no"),
    ):
        done = main(["equivocation", str(tmp_path / one), str(tmp_path / two), *more])
        out = capsys.readouterr().out
        assert (done, word in out) == (code, True), out
