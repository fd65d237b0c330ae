"""A short game that is in the archive with its rules: whoever has them tries them by it.

One JSON text a line. The first is the set-up, each other an order (``seat`` and ``command``) or the
faces of dice (``faces``). Each carries what it led to: ``events``, the SHA-256 of their canonical
list of name, schema and data, and ``state``, that of the state after them.

Nothing of ``domain`` is imported here: the kernel is given, since an archive is tried by its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

import msgspec

Line = dict[str, Any]

GIVEN = ("setup", "seat", "command", "faces")
"""What a line says before it was tried."""


class Kernel(NamedTuple):
    """What of a kernel it takes to play a game of an engine."""

    canonical: Any
    chance: Any
    setup: Any
    values: Any


class Differs(Exception):
    """The rules do not do what the sample says; the message names the first line where."""


def kernel(prefix: str = "") -> Kernel:
    """The installed kernel, or that of the package ``prefix``, with a dot at its end."""
    parts = [import_module(f"{prefix}domain.kernel.{n}") for n in ("chance", "setup", "values")]
    return Kernel(import_module(f"{prefix}domain.kernel.codec").canonical, *parts)


def tried(engine: Any, kernel: Kernel, lines: Iterable[Line]) -> Iterator[Line]:
    """Each line with what it leads to. Lines that give nothing are passed over."""
    state = None
    commands = msgspec.json.Decoder(union(engine.commands))
    for line in lines:
        if not line.keys() & set(GIVEN):
            continue
        events = led_to(engine, kernel, commands, state, line)
        state = engine.fold(events, state)
        given = {key: line[key] for key in GIVEN if key in line}
        yield {**given, "events": _events(engine, kernel, events), "state": _sha(kernel, state)}


def led_to(engine: Any, kernel: Kernel, commands: Any, state: Any, line: Line) -> tuple[Any, ...]:
    """The events of a line; ``commands`` decodes those of the engine."""
    if "setup" in line:
        found: tuple[Any, ...] = engine.opening(msgspec.convert(line["setup"], kernel.setup.Setup))
    else:
        found = engine.decide(state, *_order(engine, kernel, commands, state, line))
    return found


def written(lines: Iterable[Line]) -> bytes:
    """The sample as a file."""
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


def read(sample: bytes) -> list[Line]:
    """The lines of a sample, or of any file of this form."""
    return [json.loads(line) for line in sample.splitlines()]


def check(engine: Any, kernel: Kernel, sample: bytes) -> int:
    """How many lines came out as the sample says: all of them. Raises Differs otherwise."""
    lines = read(sample)
    for number, (line, here) in enumerate(zip(lines, tried(engine, kernel, lines), strict=True), 1):
        for what in ("events", "state"):
            if here[what] != line[what]:
                raise Differs(f"line {number}: other {what} than the sample says")
    return len(lines)


def union(types: tuple[type, ...]) -> Any:
    """Any of these types."""
    union: Any = types[0]
    for each in types[1:]:
        union = union | each
    return union


def _order(engine: Any, kernel: Kernel, commands: Any, state: Any, line: Line) -> tuple[str, Any]:
    if "faces" in line:
        faces = tuple(map(tuple, line["faces"]))
        return kernel.values.CHANCE, kernel.chance.Faces(engine.awaiting(state).label, faces)
    return line["seat"], commands.decode(json.dumps(line["command"]))


def _events(engine: Any, kernel: Kernel, events: Iterable[Any]) -> str:
    prefix = engine.ruleset
    return _sha(kernel, [[f"{prefix}.{event.NAME}", event.SCHEMA, event] for event in events])


def _sha(kernel: Kernel, value: Any) -> str:
    return hashlib.sha256(kernel.canonical(value)).hexdigest()
