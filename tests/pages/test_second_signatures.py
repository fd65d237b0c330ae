"""The page's second opinion on signatures: of file, orders, log; on receipts. No browser."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from service import container
from service.evidence import bundle
from service.evidence.keylist import KeyList, ListedKey, sign_list
from service.evidence.receipts import Accepted, as_field, give
from service.evidence.signing import SigningKey
from service.log.games import leaves_of
from tests.service.evidence.playing import AT, GAME_ID, finished
from tests.service.evidence.test_forfeited import forfeited
from tests.service.evidence.test_key_changes import TWO, lost, played, replayed, rotation
from tests.service.evidence.test_signed_orders import ONE
from tests.spec.test_checkers import CHANGES, WITH_OTHERS, changed, swapped
from tests.spec.whole import BUNDLES, ORGANISER, ROOT_KEY, cosigned, whole
from tests.support.second import CONSISTENT, opinions

ROOT = str(ROOT_KEY.verify_key)
RECEIPTS = SigningKey("decklog.example/receipts", b"c" * 32)


def test_a_file_with_all_that_vouches_for_it(tmp_path: Path) -> None:
    data = whole(tmp_path / "log")
    (told,) = opinions([data], tmp_path, ROOT)
    assert told["word"] == CONSISTENT, told
    assert told["origin"].startswith("shown: signed by decklog.example/bundles+")
    assert told["checks"]["signed orders"] == "4 orders are signed by their seats"
    assert told["checks"]["log"].endswith("of the service's list")
    (told,) = opinions([data], tmp_path)
    assert (told["word"], told["origin"][:20]) == (CONSISTENT, "not proven: signed b")


def test_whoever_names_a_root_wants_its_signature(tmp_path: Path) -> None:
    other = str(SigningKey("decklog.example/root", b"x" * 32).verify_key)
    for data, root in ((whole(tmp_path / "log"), other), (finished(8, 1).export(), ROOT)):
        (told,) = opinions([data], tmp_path, root)
        assert (told["word"], told["check"]) == ("REFUTED", "signature"), told


@pytest.mark.parametrize("name", list(CHANGES))
def test_no_changed_file_is_consistent(name: str, tmp_path: Path) -> None:
    (told,) = opinions([changed(name, tmp_path)], tmp_path, ROOT)
    assert told["word"] in ("REFUTED", "UNREADABLE"), told


def test_a_signature_of_another_order_is_refuted(tmp_path: Path) -> None:
    """The manifest is made anew, so that nothing but the order's own signature tells."""
    (told,) = opinions([swapped()], tmp_path)
    assert (told["word"], told["check"]) == ("REFUTED", "order"), told
    assert "signature of p1's order" in told["said"]


def test_another_key_of_a_seat_is_held_against_the_one_before(tmp_path: Path) -> None:
    true = [played(rotation()).export(), played(lost(), None).export()]
    for told in opinions(true, tmp_path):
        assert told["word"] == CONSISTENT, told
    for change, then in (
        (rotation(signature="00" * 64), TWO), (rotation(old="22" * 32), TWO), (rotation(), ONE),
        (rotation(key=UNSET), None),
    ):  # fmt: skip
        (told,) = opinions([played(change, then).export()], tmp_path)
        assert (told["word"], told["check"]) == ("REFUTED", "order"), told
    (told,) = opinions([played(rotation(signature=UNSET)).export()], tmp_path)
    assert told["checks"]["signed orders"] == "2 orders are signed by their seats"
    (told,) = opinions([replayed().export()], tmp_path)
    assert (told["word"], told["check"]) == ("REFUTED", "order"), told


def with_receipts(file: bytes = b"", **more: str) -> bytes:
    """A game of a service whose list has a key for receipts."""
    keys = (
        ListedKey("bundles", str(BUNDLES.verify_key), AT),
        ListedKey("receipts", str(RECEIPTS.verify_key), AT, **more),
    )
    told = KeyList(1, "decklog.example", ROOT, 1, AT, keys)
    return bundle.signed(file or finished(8, 1).export(), BUNDLES, sign_list(told, ROOT_KEY))


def receipt(data: bytes, folder: Path, head: str = "", body: bytes = b"", seq: int = 0) -> str:
    order = msgspec.json.decode(container.unpack(data)[bundle.COMMANDS].splitlines()[0])
    at = seq or order["last"]
    text = body or msgspec.json.encode(order["command"], order="sorted")
    took = Accepted(
        "order", order["seat"], text, at, head or leaves_of(data)[order["last"] - 1].hash
    )
    path = folder / f"receipt {head[:4]}{body[:4]!r}{seq}"
    path.write_text(as_field(give(GAME_ID.hex(), took, AT, RECEIPTS)))
    return str(path)


def test_receipts_are_held_against_the_record(tmp_path: Path) -> None:
    data = with_receipts()
    (told,) = opinions([data], tmp_path, ROOT, receipt(data, tmp_path))
    assert told["checks"]["receipts"] == "1 receipts have their events"
    for wrong in ({"head": "0" * 64}, {"body": b"another order"}, {"seq": 9_999}):
        (told,) = opinions([data], tmp_path, ROOT, receipt(data, tmp_path, **wrong))
        assert (told["word"], told["check"]) == ("REFUTED", "receipt"), wrong
    lost = with_receipts(forfeited().export())
    (told,) = opinions([lost], tmp_path, ROOT, receipt(lost, tmp_path, seq=9_999))
    assert (told["word"], told["check"]) == ("REFUTED", "receipt"), told
    taken_back = with_receipts(compromised=AT)
    (told,) = opinions([taken_back], tmp_path, ROOT, receipt(data, tmp_path, head="0" * 64))
    assert told["word"] == CONSISTENT
    assert "1 are of no key of this service that counted then" in told["checks"]["receipts"]


def test_what_others_add_is_judged_with_the_file(tmp_path: Path) -> None:
    (told,) = opinions([cosigned(tmp_path / "log")], tmp_path, ROOT)
    assert told["word"] == CONSISTENT, told
    assert told["checks"]["cosigned"].startswith(f"cosigned by {ORGANISER.verify_key}, witness.")
    assert told["checks"]["receipts"] == "2 receipts have their events"


def test_without_a_root_nobody_is_accused_by_receipts(tmp_path: Path) -> None:
    accused, _ = WITH_OTHERS["a receipt of another event"]
    file, data = accused(tmp_path), with_receipts()
    taken = receipt(data, tmp_path, head="0" * 64)
    for told, count in zip(opinions([file, data], tmp_path, "", taken), (2, 1), strict=True):
        assert told["word"] == CONSISTENT, told
        said = f"{count} receipts are not judged: no root key was given"
        assert told["checks"]["receipts"] == said


@pytest.mark.parametrize("name", list(WITH_OTHERS))
def test_what_others_add_wrongly_is_refuted(name: str, tmp_path: Path) -> None:
    (told,) = opinions([WITH_OTHERS[name][0](tmp_path)], tmp_path, ROOT)
    assert told["word"] == "REFUTED", told
    assert told["check"] in ("form", "signature", "receipt"), told


def test_a_browser_without_ed25519_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WITHOUT_ED25519", "1")
    (told,) = opinions([whole(tmp_path / "log")], tmp_path, ROOT)
    assert told["origin"] == "not judged: this browser cannot check signatures (no Ed25519)"
    assert "(no Ed25519)" in told["checks"]["log"]
    assert ("signed orders" in told["checks"], told["unjudged"]) == (False, 4)
