"""The specification's own checkers: every vector holds, true files pass, no changed one does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from service import container
from service.evidence import bundle
from service.evidence.beside import cosign, with_receipts
from service.evidence.seatkeys import SeatKey
from service.evidence.signing import SigningKey
from tests.service.evidence.playing import SECRETS, Table, at_sea, finished
from tests.service.evidence.test_absent_in_vain import before_the_store_went_back
from tests.service.evidence.test_beaconed import closing, coming
from tests.service.evidence.test_beaconed import table as table_of
from tests.service.evidence.test_key_changes import (
    lost,
    passed_on,
    played,
    replayed,
    rotation,
    seat_key,
)
from tests.service.evidence.test_signed_orders import ONE, signed, slow_game
from tests.spec import vectors
from tests.spec.vectors import SPEC
from tests.spec.whole import BUNDLES, ORGANISER, ROOT_KEY, WITNESS, cosigned, receipt, whole
from tests.support import pennant
from tests.support.beacon import OWN
from tests.support.beacon import signed as signed_by
from tests.support.programs import NODE
from tests.support.server import ROOT

PROGRAMS = {
    "python": (sys.executable, "-I", str(SPEC / "check.py")),
    "javascript": (NODE, str(SPEC / "check.mjs")),
}


def run(language: str, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [*PROGRAMS[language], *words], capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("name", list(vectors.MADE))
def test_the_vectors_are_as_they_are_made(name: str) -> None:
    made = vectors.text(name)
    assert vectors.file(name).read_text("utf-8") == made, "run make remake (tests.spec.vectors)"


@pytest.mark.slow("specification")
@pytest.mark.parametrize("language", list(PROGRAMS))
def test_every_vector_holds(language: str) -> None:
    code, said = run(language, *(str(vectors.file(name)) for name in vectors.MADE))
    assert (code, said.count(" hold\n")) == (0, len(vectors.MADE)), said
    assert "1000 vectors of dice hold" in said


@pytest.mark.slow("specification")
@pytest.mark.parametrize("language", list(PROGRAMS))
@pytest.mark.parametrize("name", list(vectors.MADE))
def test_a_vector_that_is_wrong_is_told(language: str, name: str, tmp_path: Path) -> None:
    """Else the checkers check nothing."""
    told = json.loads(vectors.file(name).read_text("utf-8"))
    changes = {
        "dice": ("rolls", -1, "faces", [[7]]), "tree": ("roots", 500, None, "0" * 64),
        "signatures": ("ed25519", 0, "holds", False), "hashes": ("tagged", 0, "hash", "0" * 64),
        "escrow": ("secrets", 3, "secret", "0" * 64), "beacon": ("rounds", 0, "holds", False),
    }  # fmt: skip
    rows, at, field, value = changes[name]
    if field is None:
        told[rows][at] = value
    else:
        told[rows][at][field] = value
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(told))
    code, said = run(language, str(path))
    assert (code, ": WRONG: " in said) == (1, True), said


@pytest.mark.parametrize("language", list(PROGRAMS))
@pytest.mark.parametrize("field", ["signed", "signature", "order"])
def test_an_order_with_other_bytes_is_told(language: str, field: str, tmp_path: Path) -> None:
    told = json.loads(vectors.file("signatures").read_text("utf-8"))
    row = told["orders"][0]
    row[field] = row[field] | {"after": 1} if field == "order" else "00" + row[field][2:]
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(told))
    code, said = run(language, str(path))
    assert (code, ": WRONG: the " in said) == (1, True), said


def linked() -> Table:
    """With dice of both seats, and a store that went back."""
    table = Table(setup=pennant.setup(8), grade="A1", tips=True, length=64, secrets=SECRETS)
    return table.play(3)


def restarted() -> Table:
    table = Table(setup=pennant.setup(8), length=64)
    table.goes_back(b"n" * 32)
    return table.play(3)


def beaconed() -> bytes:
    return Table(setup=pennant.setup(8), grade="A3", tips=True).play(3).export()


FILES = {
    "finished": lambda: finished(8, 1).export(),
    "hidden dice": lambda: at_sea(8, 1).export(),
    "links": lambda: linked().export(),
    "a new start": lambda: restarted().export(),
    "signed orders": lambda: signed(slow_game()).export(),
    "a key passed on": lambda: played(rotation()).export(),
    "a key lost": lambda: played(lost(), None).export(),
    "a beacon": beaconed,
    "a beacon before a new start": lambda: before_the_store_went_back().export(),
    "in play": lambda: at_sea(8, 1, 12).export("p1"),
    "recorded": (ROOT / "tests" / "games" / "first-battle.decklog").read_bytes,
}


@pytest.mark.slow("specification")
@pytest.mark.parametrize("language", list(PROGRAMS))
@pytest.mark.parametrize("name", list(FILES))
def test_true_files_hold(language: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.decklog"
    path.write_bytes(FILES[name]())
    of_tests = ("--beacon", OWN.key) if "beacon" in name else ()
    code, said = run(language, str(path), *of_tests)
    assert code == 0, said
    assert "origin not proven: unsigned" in said
    assert ("rounds of the beacon are signed by its key" in said) == bool(of_tests)


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_a_round_that_its_beacon_has_not_signed_is_found(language: str, tmp_path: Path) -> None:
    """The record is made anew with it, so that nothing else of the file tells."""
    path = tmp_path / "game.decklog"
    path.write_bytes(FILES["a beacon"]())
    code, said = run(language, str(path))
    assert (code, "WRONG: event " in said, "the signature of round " in said) == (1, True, True)
    other = coming(lambda r: msgspec.structs.replace(r, signature=signed_by(r.round, secret=9)))
    path.write_bytes(table_of(other).play(1).forge())
    code, said = run(language, str(path), "--beacon", OWN.key)
    assert (code, "the signature of round " in said) == (1, True), said


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_another_round_than_was_named_is_found(language: str, tmp_path: Path) -> None:
    """Truly signed by the beacon: of those that have come the service chose the one it liked."""
    path = tmp_path / "game.decklog"
    other = closing(lambda r: msgspec.structs.replace(r, round=r.round + 7))
    path.write_bytes(table_of(other).play(1).forge())
    code, said = run(language, str(path), "--beacon", OWN.key)
    assert (code, "another round than was named" in said) == (1, True), said


def swapped() -> bytes:
    """Two signed orders have each other's signature; nothing else of the file tells."""
    files = container.unpack(FILES["signed orders"]())
    made = msgspec.json.decode(files.pop(bundle.MANIFEST), type=bundle.Manifest)
    orders = [msgspec.json.decode(line) for line in files[bundle.COMMANDS].splitlines()]
    one, two, *_ = (each for each in orders if "signature" in each)
    one["signature"], two["signature"] = two["signature"], one["signature"]
    lines = (msgspec.json.encode(each, order="sorted") + b"\n" for each in orders)
    files[bundle.COMMANDS] = b"".join(lines)
    return bundle.pack(files, made.game, made.head, made.rules, made.viewer)


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_orders_are_held_against_the_keys_of_their_seats(language: str, tmp_path: Path) -> None:
    path = tmp_path / "game.decklog"
    path.write_bytes(FILES["signed orders"]())
    assert "4 orders are signed by their seats\n" in run(language, str(path))[1]
    path.write_bytes(swapped())
    code, said = run(language, str(path))
    assert (code, "the signature is of another order or place" in said) == (1, True), said


def to_itself() -> str:
    return passed_on(seat_key(ONE))


def weak() -> SeatKey:
    return SeatKey("00" * 32, "client")


@pytest.mark.parametrize("language", list(PROGRAMS))
@pytest.mark.parametrize(
    ("table", "told"),
    [
        (lambda: played(rotation(signature="00" * 64)), "is not signed by the one before"),
        (lambda: played(rotation(old="22" * 32)), "was another before"),
        (lambda: played(rotation(), ONE), "the signature is of another order or place"),
        (replayed, "had that key before"),
        (
            lambda: played(rotation(seat_key(ONE), signature=to_itself()), ONE),
            "had that key before",
        ),
        (lambda: played(rotation(key=seat_key(ONE), signature=UNSET), ONE), "had that key before"),
        (lambda: played(rotation(key=UNSET), None), "is passed on to none"),
        (lambda: played(rotation(weak(), signature=UNSET), None), "is no public key of Ed25519"),
    ],
)
def test_a_key_takes_another_s_place_by_right(
    language: str, table: Callable[[], Table], told: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.decklog"
    path.write_bytes(table().export())
    code, said = run(language, str(path))
    assert (code, told in said) == (1, True), said


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_by_a_key_of_the_operator_s_no_order_is_its_seat_s(language: str, tmp_path: Path) -> None:
    path = tmp_path / "game.decklog"
    path.write_bytes(played(rotation(signature=UNSET)).export())
    code, said = run(language, str(path))
    assert (code, "2 orders are signed by their seats\n" in said) == (0, True), said


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_signatures_and_the_log_are_checked(language: str, tmp_path: Path) -> None:
    path, root = tmp_path / "game.decklog", str(ROOT_KEY.verify_key)
    path.write_bytes(whole(tmp_path / "log"))
    code, said = run(language, str(path), "--root", root)
    assert code == 0, said
    assert "origin shown: signed by decklog.example/bundles+" in said
    assert "of example.org/log, signed by a key of the service's list" in said
    other = str(SigningKey("decklog.example/root", b"x" * 32).verify_key)
    assert run(language, str(path), "--root", other)[0] == 1
    path.write_bytes(finished(8, 1).export())
    code, said = run(language, str(path), "--root", root)
    assert (code, "WRONG: nobody has signed it" in said) == (1, True)


def misread(folder: Path, part: str, old: bytes, new: bytes) -> bytes:
    """Others' part of a file altered, which nothing but itself holds fast."""
    files = container.unpack(cosigned(folder))
    assert old in files[part]
    return container.pack({**files, part: files[part].replace(old, new, 1)})


def with_others(folder: Path, part: str, change: Callable[[bytes], bytes]) -> bytes:
    files = container.unpack(cosigned(folder))
    return container.pack({**files, part: change(files[part])})


def turned(data: bytes) -> bytes:
    return b"".join(reversed(data.splitlines(keepends=True)))


def cosigners_turned(data: bytes) -> bytes:
    told = json.loads(data)
    told["signatures"].reverse()
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode()


WITH_OTHERS: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "a cosignature by another": (
        lambda folder: misread(
            folder,
            bundle.COSIGNED,
            str(WITNESS.verify_key).encode(),
            str(SigningKey("witness.example", b"x" * 32).verify_key).encode(),
        ),
        "a cosignature is not by witness.example+",
    ),
    "cosigned is another manifest": (
        lambda folder: container.pack(
            {
                **container.unpack(whole(folder / "one")),
                bundle.COSIGNED: container.unpack(cosign(finished(8, 1).export(), ORGANISER))[
                    bundle.COSIGNED
                ],
            }
        ),
        "what is cosigned is another manifest",
    ),
    "a receipt of another event": (
        lambda folder: with_receipts(
            whole(folder), [receipt(whole(folder / "two"), 0, head="0" * 64)]
        ),
        "not that of its receipt",
    ),
    "cosignatures in another form": (
        lambda folder: misread(folder, bundle.COSIGNED, b'"payload":', b'"payload": '),
        "cosigned.dsse.json is not in its one form",
    ),
    "cosignatures with a line more": (
        lambda folder: with_others(folder, bundle.COSIGNED, lambda data: data + b"\n"),
        "cosigned.dsse.json is not in its one form",
    ),
    "cosignatures out of order": (
        lambda folder: with_others(folder, bundle.COSIGNED, cosigners_turned),
        "cosigned.dsse.json is not in its one form",
    ),
    "receipts out of order": (
        lambda folder: with_others(folder, bundle.RECEIPTS, turned),
        "receipts.jsonl is not in its one form",
    ),
    "no receipts": (
        lambda folder: with_others(folder, bundle.RECEIPTS, lambda _: b""),
        "receipts.jsonl is not in its one form",
    ),
    "a receipt twice": (
        lambda folder: with_others(folder, bundle.RECEIPTS, lambda data: data + data),
        "receipts.jsonl is not in its one form",
    ),
    "a receipt of another order": (
        lambda folder: with_receipts(
            whole(folder), [receipt(whole(folder / "two"), 0, body=b"another")]
        ),
        "not what its receipt is for",
    ),
    "a receipt of another kind": (
        lambda folder: with_receipts(
            whole(folder), [receipt(whole(folder / "two"), 0, kind="ruling", seat="service")]
        ),
        "not what its receipt is for",
    ),
    "a receipt of another seat": (
        lambda folder: with_receipts(whole(folder), [receipt(whole(folder / "two"), 0, seat="p2")]),
        "not what its receipt is for",
    ),
    "a receipt by nobody's key": (
        lambda folder: misread(folder, bundle.RECEIPTS, b'"sig":"', b'"sig":"AAAA'),
        "a receipt is of no key of the list",
    ),
}


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_what_others_add_is_checked(language: str, tmp_path: Path) -> None:
    path, root = tmp_path / "game.decklog", str(ROOT_KEY.verify_key)
    path.write_bytes(cosigned(tmp_path / "log"))
    code, said = run(language, str(path), "--root", root)
    assert code == 0, said
    names = ", ".join(str(key.verify_key) for key in (ORGANISER, WITNESS))
    assert f"cosigned by {names}: whose keys they are, you know" in said
    assert "2 receipts have their events" in said


@pytest.mark.slow("specification")
@pytest.mark.parametrize("language", list(PROGRAMS))
@pytest.mark.parametrize("name", list(WITH_OTHERS))
def test_what_others_add_wrongly_is_found(language: str, name: str, tmp_path: Path) -> None:
    make, told = WITH_OTHERS[name]
    path = tmp_path / "game.decklog"
    path.write_bytes(make(tmp_path))
    code, said = run(language, str(path), "--root", str(ROOT_KEY.verify_key))
    assert (code, told in said) == (1, True), said


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_without_a_root_nobody_is_accused_by_receipts(language: str, tmp_path: Path) -> None:
    path = tmp_path / "game.decklog"
    path.write_bytes(WITH_OTHERS["a receipt of another event"][0](tmp_path))
    code, said = run(language, str(path))
    assert (code, "1 receipts are not judged: no --root" in said) == (0, True), said


Change = tuple[str, Sequence[tuple[bytes, bytes]]]


CHANGES: dict[str, Change] = {
    "an event": (bundle.EVENTS, [(b'"turns":8', b'"turns":9')]),
    "a face": (bundle.EVENTS, [(b'"faces":[[1', b'"faces":[[2'), (b'"faces":[[4', b'"faces":[[3')]),
    "an order": (bundle.COMMANDS, [(b'"bold"', b'"calm"')]),
    "an opening": (bundle.OPENINGS, [(b'"salt":"', b'"salt":"00')]),
    "the master": (bundle.SECRETS, [(b'"master":"', b'"master":"00')]),
    "the log's proof": (bundle.LOG_PROOFS, [(b"index ", b"index 1")]),
    "the head that was kept": (bundle.LOG_CONSISTENCY, [(b"old 7 ", b"old 6 ")]),
    "the head that goes on": (bundle.LOG_CONSISTENCY, [(b"\nnew ", b"\nnew 1")]),
    "the manifest's signature": (bundle.SIGNATURE, [(b'"sig":"', b'"sig":"AAAA')]),
    "the list of keys": (bundle.KEYS, [(b'"payload":"', b'"payload":"AAAA')]),
}


def changed(name: str, folder: Path) -> bytes:
    """The manifest is made anew and signed again, but for what is its own signature."""
    data = whole(folder / "log")
    files = container.unpack(data)
    part, pairs = CHANGES[name]
    before = files[part]
    for old, new in pairs:
        files[part] = files[part].replace(old, new, 1)
    assert files[part] != before
    if part == bundle.SIGNATURE:
        return container.pack(files)
    files.pop(bundle.SIGNATURE)
    made = msgspec.json.decode(files.pop(bundle.MANIFEST), type=bundle.Manifest)
    return bundle.pack(files, made.game, made.head, made.rules, made.viewer, BUNDLES)


@pytest.mark.parametrize("language", list(PROGRAMS))
@pytest.mark.parametrize("name", list(CHANGES))
def test_no_changed_file_holds(language: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "changed.decklog"
    path.write_bytes(changed(name, tmp_path))
    code, said = run(language, str(path), "--root", str(ROOT_KEY.verify_key))
    assert code == 1, said
