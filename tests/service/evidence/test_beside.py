"""Cosignatures and receipts in a file: each vouches for itself, and nobody else breaks by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from service import container
from service.evidence import bundle
from service.evidence.beside import InPlay, TooMany, cosign, with_receipts
from service.evidence.signing import MAX_SIGNATURES, SigningKey, seal_envelope, write_envelope
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from tests.spec.test_checkers import WITH_OTHERS
from tests.spec.whole import ORGANISER, RECEIPTS, ROOT_KEY, WITNESS, cosigned, receipt, whole

from .playing import GAMES, finished
from .test_rulings import begun as in_play

NOBODY = SigningKey("nobody.example", b"n" * 32)


def judged(data: bytes, *asked: SigningKey, root: bool = True) -> Verdict:
    keys = [key.verify_key for key in asked]
    return verify(data, GAMES, root=ROOT_KEY.verify_key if root else None, cosigners=keys)


def test_who_has_cosigned_is_told_and_the_receipts_are_judged(tmp_path: Path) -> None:
    data = cosigned(tmp_path)
    told = judged(data).text()
    assert told.startswith("UPHELD")
    both = f"{ORGANISER.verify_key.hint}, {WITNESS.verify_key.hint}"
    assert f"2 have cosigned the manifest: {both}" in told
    assert f"Cosigned by {both}: nobody has said here whose key that is" in told
    assert "2 receipts have their events" in told
    assert judged(data, ORGANISER).origin.endswith(
        f"; shown: cosigned by {ORGANISER.verify_key.hint}, whom you named"
    )


def test_a_file_that_no_service_has_signed_is_shown_by_who_cosigned_it() -> None:
    data = cosign(finished(8, 1).export(), ORGANISER)
    assert judged(data, ORGANISER, root=False).text().startswith("UPHELD, origin shown: cosigned")
    assert judged(data, root=False).text().startswith("UPHELD, origin not proven")


def test_one_that_is_asked_for_and_has_not_cosigned_refutes(tmp_path: Path) -> None:
    told = judged(cosigned(tmp_path), ORGANISER, NOBODY)
    assert told.finding is not None
    assert (told.finding.what, told.finding.check) == ("cosignature", "signature")
    assert NOBODY.verify_key.hint in told.finding.expected


def test_without_what_others_added_it_is_the_same_file_again(tmp_path: Path) -> None:
    files = container.unpack(cosigned(tmp_path))
    bare = {name: data for name, data in files.items() if name not in bundle.OUTSIDE}
    kept = {**bare, bundle.SIGNATURE: files[bundle.SIGNATURE]}
    assert container.pack(kept) == whole(tmp_path / "again")


def test_a_cosignature_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    data = cosigned(tmp_path)
    assert cosign(data, ORGANISER) == data


def test_no_file_gets_more_cosignatures_than_a_judge_reads() -> None:
    """One more, and nobody could judge it, nor take the last one out again."""
    keys = [SigningKey(f"k{number}", bytes([number]) * 32) for number in range(MAX_SIGNATURES + 1)]
    data = finished(8, 1).export()
    for key in keys[:-1]:
        data = cosign(data, key)
    with pytest.raises(TooMany):
        cosign(data, keys[-1])
    assert cosign(data, keys[0]) == data
    assert judged(data, root=False).word == "UPHELD"


def test_receipts_stand_in_a_file_once_and_of_a_game_that_is_over_alone(tmp_path: Path) -> None:
    data = cosigned(tmp_path)
    assert with_receipts(data, [receipt(data, 0)]) == data
    with pytest.raises(InPlay):
        with_receipts(in_play().export("p1"), [receipt(data, 0)])


@pytest.mark.parametrize("name", list(WITH_OTHERS))
def test_what_does_not_fit_is_refuted(name: str, tmp_path: Path) -> None:
    told = judged(WITH_OTHERS[name][0](tmp_path))
    assert told.word == "REFUTED", told.text()


def twice(data: bytes) -> bytes:
    files = container.unpack(data)
    first, *_ = files[bundle.RECEIPTS].splitlines(keepends=True)
    return container.pack({**files, bundle.RECEIPTS: first + files[bundle.RECEIPTS]})


def spaced(data: bytes) -> bytes:
    files = container.unpack(data)
    told = files[bundle.COSIGNED].replace(b'"payload":', b'"payload": ')
    return container.pack({**files, bundle.COSIGNED: told})


def test_without_a_root_nobody_is_accused_by_receipts(tmp_path: Path) -> None:
    """Whoever makes a file makes its list of keys, in the service's name: by it he could say that
    the service had signed for what is not there."""
    data = whole(tmp_path)
    accused = with_receipts(data, [receipt(data, 0, head="ab" * 32)])
    told = judged(accused, root=False)
    assert (told.word, told.origin[:10]) == ("UPHELD", "not proven"), told.text()
    assert "1 receipts are not judged: no --root." in told.text()
    assert judged(accused).word == "REFUTED"
    assert judged(under_no_list(accused), root=False).word == "UPHELD"


def under_no_list(data: bytes) -> bytes:
    """Receipts where nobody has signed the file, so that no list says whose keys there are."""
    plain = container.unpack(finished(8, 1).export())
    files = container.unpack(data)
    return container.pack({**plain, bundle.RECEIPTS: files[bundle.RECEIPTS]})


def by_two(data: bytes) -> bytes:
    """A receipt with one signature more: it would be another file, and nothing would tell."""
    files = container.unpack(data)
    given = receipt(data, 0)
    more = seal_envelope(given.envelope.payload_type, given.envelope.content(), [RECEIPTS, NOBODY])
    return container.pack({**files, bundle.RECEIPTS: write_envelope(more) + b"\n"})


@pytest.mark.parametrize("change", [twice, spaced, by_two])
def test_each_has_one_form(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    assert judged(change(cosigned(tmp_path))).word == "REFUTED"
