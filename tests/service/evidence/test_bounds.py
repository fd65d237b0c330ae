"""What somebody else has made is read within bounds: of time, of memory, and in one scan."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service import container
from service.evidence import form
from service.evidence.verify import verify
from service.http.decoding import decode_body
from service.store.tokens import token_id_of
from tests.support import pennant
from tests.support.server import ROOT

from .playing import GAMES, finished

MEMORY = 300_000_000
"""Bytes, the most for a bundle of 60 megabytes."""

EMPTY = 60_000_000
"""Bytes of the interpreter, with all that it has imported; generous."""


def swallowed(call: Callable[[bytes], object]) -> Callable[[bytes], object]:
    """Whatever it says to garbage is right, as long as it says it soon."""

    def run(text: bytes) -> object:
        try:
            return call(text)
        except Exception as error:
            return error

    return run


PARSERS: dict[str, Callable[[bytes], object]] = {
    "container": swallowed(container.unpack),
    "bundle": lambda text: verify(text, GAMES),
    "bundle with that in it": lambda text: verify(packed(text), GAMES),
    "canonical JSON": swallowed(form.check_canonical),
    "lines": swallowed(lambda text: list(form.lines(text))),
    "body": swallowed(lambda text: decode_body(msgspec.json.Decoder(Any), text)),
    "token": lambda text: token_id_of(text.decode("latin-1")),
}
"""Everything that reads foreign bytes, and how."""

HOSTILE = {
    "brackets": b"[",
    "empty lists": b"[],",
    "quotes": b'"',
    "escapes": b'\\"',
    "objects": b'{"a":',
    "line feeds": b"\n",
    "digits": b"9",
    "directories of a ZIP": b"PK\x01\x02" + bytes(42),
    "ends of a ZIP": b"PK\x05\x06" + bytes(18),
    "tokens": b"dl_seat_0123456789abcdef_",
}
SIZE = 20_000


def packed(text: bytes) -> bytes:
    """A bundle in whose files that stands."""
    files = container.unpack(finished().export())
    files["events.jsonl"] = text
    return container.pack(files)


def seconds(call: Callable[[bytes], object], text: bytes) -> float:
    """Of the processor, the least of three: what else the machine does only adds."""
    found = []
    for _ in range(3):
        begin = time.process_time()
        call(text)
        found.append(time.process_time() - begin)
    return min(found)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("what", HOSTILE)
def test_four_times_the_text_takes_four_times_the_time(parser: str, what: str) -> None:
    call, part = PARSERS[parser], HOSTILE[what]
    one, four = (part * (size // len(part)) for size in (SIZE, 4 * SIZE))
    assert seconds(call, four) < 8 * seconds(call, one) + 0.03


@pytest.mark.parametrize("parser", PARSERS)
def test_garbage_is_answered_soon(parser: str) -> None:
    """Random pieces of what means something, as long as a command: nothing takes a second."""
    choose, call = random.Random(parser), PARSERS[parser]
    pieces = [*HOSTILE.values(), b"null", b",", b":", b"]", b"}", b"\xff", b"0.5", b"\\u0000"]
    for _ in range(60):
        text = b"".join(choose.choices(pieces, k=choose.randrange(1, 2_000)))
        begin = time.process_time()
        call(text)
        assert time.process_time() - begin < 1.0


def test_one_text_is_not_longer_than_any_record() -> None:
    """Sixty megabytes of empty lists would take two gigabytes as values."""
    text = b"[" + b",".join([b"[]"] * (form.MAX_LENGTH // 3)) + b"]"
    with pytest.raises(form.TooDeep, match="longer"):
        form.check_canonical(text + b" ")


def test_a_judge_stops_when_its_time_is_spent() -> None:
    """The rules go round in a circle: a false record may bring them to it."""

    def round_and_round(*_: Any) -> Any:
        while True:
            pass

    endless = {"pennant": pennant.mutant(decide=round_and_round)}
    begin = time.process_time()
    verdict = verify(finished().export(), endless, seconds=0.5)
    assert time.process_time() - begin < 5
    assert (verdict.word, verdict.reason) == (
        "CANNOT JUDGE", "it takes more than 0.5 seconds of the processor",
    )  # fmt: skip
    assert verify(finished().export(), GAMES, seconds=60).word == "UPHELD"


def judged(file: Path, megabytes: int) -> int:
    """Bytes that the judge of a bundle of that size took, at most."""
    program = [sys.executable, "-m", "tests.service.evidence.long_game"]
    subprocess.run([*program, "write", str(file), str(megabytes)], cwd=ROOT, check=True)
    told = subprocess.run(
        [*program, "judge", str(file)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    word, most = told.stdout.split()[:2]
    assert word == "UPHELD", told.stdout
    assert abs(file.stat().st_size - megabytes * 1_000_000) < 1_000_000
    return int(most)


def test_memory_grows_by_little_more_than_the_bundle(tmp_path: Path) -> None:
    assert judged(tmp_path / "short.decklog", 6) < EMPTY + MEMORY // 10


@pytest.mark.slow("evidence")
def test_sixty_megabytes_are_judged_in_three_hundred(tmp_path: Path) -> None:
    assert judged(tmp_path / "long.decklog", 60) < MEMORY
