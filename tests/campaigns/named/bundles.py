"""Damaged evidence by the command line, and bundles made up of others by the verifier itself.

Whatever is altered, nothing is upheld: bytes of a file as it lies on a disk, and records that were
made anew so that manifest and hashes fit. What an exporter is free to say (its clock, its nonces)
is left alone in these.
"""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from domain.kernel.finder import games as installed
from service import container
from service.cli import main
from service.evidence.verify import verify
from tests.service.evidence import test_mutations as ways
from tests.service.evidence.playing import GAMES, decode
from tests.service.evidence.test_mutations import KINDS, LINE_CHANGES, UPHELD, files_of, honest
from tests.spec import mutating

from .pieces import Done

DAMAGED, FUZZED, SIGNED = 100, 500, 100
"""Bundles of a piece."""


# --- by the command line -------------------------------------------------------------------------


def damaged(number: int) -> Done:
    """A hundred damaged files, each judged by ``decklog verify``."""
    choose, failures = random.Random(f"damaged {number}"), []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "damaged.decklog"
        for place in range(DAMAGED):
            kind = choose.choice(KINDS)
            altered = _other(honest(kind), choose)
            file.write_bytes(altered)
            code, said = command_line(file)
            if code not in (1, 2):
                failures.append(f"{place}, {kind}: exit code {code}, {said[-300:]}")
    return Done(DAMAGED, failures)


def command_line(file: Path) -> tuple[int, str]:
    """``decklog verify FILE``: the exit code, and what is printed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(["verify", str(file)], {**installed(), **GAMES})
    return code, said.getvalue()


def _other(data: bytes, choose: random.Random) -> bytes:
    """The file with something wrong in it, or two or three things."""
    altered = data
    while altered == data:
        altered = data
        for _ in range(choose.choice((1, 1, 2, 3))):
            altered = ways.byte_mutation(altered, choose) if altered else b"\x00"
    return altered


# --- signed ------------------------------------------------------------------------------------


def signed(number: int) -> Done:
    """A hundred changes of a file with all signatures, half of them signed anew by a thief."""
    found, _ = mutating.upheld(range(number * SIGNED, (number + 1) * SIGNED))
    return Done(SIGNED, found)


# --- made up -------------------------------------------------------------------------------------


TAKEN = "decklog.seat-taken"
Way = Callable[[str, random.Random], bytes]


def lines(kind: str, choose: random.Random) -> bytes:
    """One line of one file altered, and a manifest that fits."""
    manifest, files = files_of(kind)
    name = choose.choice([each for each in sorted(files) if _full(files[each])])
    parts = files[name].split(b"\n")
    ended = parts[-1] == b""
    new = ways.line_mutation(parts[: len(parts) - ended], choose, choose.choice(LINE_CHANGES))
    text = b"\n".join(new) + (b"\n" if ended and new else b"")
    return ways.remade(manifest, {**files, name: text})


def _full(text: bytes) -> bool:
    return any(set(line) & ways.HEX and len(line) > 4 for line in text.split(b"\n"))


def order(kind: str, choose: random.Random) -> bytes:
    """Events dropped, doubled or exchanged, numbers and hashes made to fit."""
    manifest, files = files_of(kind)
    events = [decode(line) for line in files["events.jsonl"].splitlines()]
    changed = ways.moved(events, choose)
    while arrivals_alone(events, changed):
        changed = ways.moved(events, choose)
    if choose.random() < 0.5:
        changed = [{**event, "seq": at} for at, event in enumerate(changed, 1)]
    text, head = ways.rehashed(changed)
    return ways.remade(manifest, {**files, "events.jsonl": text}, head)


def arrivals_alone(events: list[Any], changed: list[Any]) -> bool:
    """Whether they differ in nothing but who took his seat first, one directly after the other.

    The record of a game in which they came in that order is as honest: nothing but the head, which
    is another one, says which of the two it was.
    """
    places = [at for at, event in enumerate(events) if event["type"] == TAKEN]
    if not places or places[-1] - places[0] != len(places) - 1 or len(changed) != len(events):
        return False
    others = [at for at in range(len(events)) if at not in places]
    same = all(events[at] == changed[at] for at in others)
    return same and all(events[at] in changed for at in places)


def value(kind: str, choose: random.Random) -> bytes:
    """One value of one event altered, every later hash made to fit. A whole record's alone: of a
    game in play not all can be judged yet."""
    whole = "hidden" if kind.startswith("hidden") else "finished"
    manifest, files = files_of(whole)
    events = [decode(line) for line in files["events.jsonl"].splitlines()]
    at = choose.randrange(len(events))
    bound = [(p, v) for p, v in ways.leaves(events[at]) if p not in ways.FREE and p[0] != "prev"]
    path, before = choose.choice(bound)
    events[at] = ways.put(events[at], path, ways.other(before))
    text, head = ways.rehashed(events)
    return ways.remade(manifest, {**files, "events.jsonl": text}, head)


def mixed(kind: str, choose: random.Random) -> bytes:
    """A file of another game in the place of its own."""
    manifest, files = files_of(kind)
    _, others = files_of(choose.choice([each for each in KINDS if each != kind]))
    name = choose.choice([n for n in sorted(files) if n in others and files[n] != others[n]])
    return ways.remade(manifest, {**files, name: others[name]})


def packed(kind: str, choose: random.Random) -> bytes:
    """The container anew with bytes of a file altered, the manifest as it was."""
    files = container.unpack(honest(kind))
    name = choose.choice([each for each in sorted(files) if files[each]])
    return container.pack({**files, name: _other(files[name], choose)})


WAYS: tuple[Way, ...] = (lines, order, value, mixed, packed)


def fuzzed(number: int) -> Done:
    """Bundles of one piece, in all ways by turns."""
    choose, failures = random.Random(f"fuzzed {number}"), []
    for place in range(FUZZED):
        way, kind = WAYS[place % len(WAYS)], choose.choice(KINDS)
        data = way(kind, choose)
        while data in _honest():
            data = way(kind, choose)
        verdict = verify(data, GAMES, grade="A1")
        if verdict.code in UPHELD:
            failures.append(f"{place}, {way.__name__} of {kind}: {verdict.text()[:200]}")
    return Done(FUZZED, failures)


@cache
def _honest() -> frozenset[bytes]:
    return frozenset(honest(kind) for kind in KINDS)
