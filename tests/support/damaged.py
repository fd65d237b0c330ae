"""Files that are damaged: on the way, by somebody who fits the manifest, or who fits every hash."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import msgspec

from domain.kernel.codec import canonical
from service.container import pack, unpack
from service.evidence.bundle import EVENTS, MANIFEST, README
from service.evidence.chain import GENESIS, hash_of

Draw = random.Random
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 2**53 - 1, 2**53, 1.5, "", "p1", "truth", "00" * 32, "AB" * 32, "\u00e9",
    [], {}, [[]], {"x": 1},
)  # fmt: skip
"""What somebody may put in the place of something else."""


def damaged(data: bytes, draw: Draw) -> bytes:
    """The bundle with one thing wrong; now and then with nothing wrong at all."""
    return draw.choice((on_the_way, in_a_file, in_a_line, in_an_event, in_an_event))(data, draw)


def on_the_way(data: bytes, draw: Draw) -> bytes:
    """A byte is changed, lost, or one too many."""
    return _bytes_changed(data, draw)


def _bytes_changed(text: bytes, draw: Draw) -> bytes:
    at = draw.randrange(len(text) + 1)
    new = bytes([draw.choice((draw.randrange(256), ord('"'), ord("0"), ord("\n"), 0xEF))])
    return draw.choice(
        (text[:at] + new + text[at + 1 :], text[:at] + text[at + 1 :], text[:at] + new + text[at:])
    )


def fitted(files: dict[str, bytes]) -> bytes:
    """The files with a manifest that has their sizes and digests."""
    manifest = msgspec.json.decode(files[MANIFEST])
    names = sorted(set(files) - {MANIFEST})
    manifest["files"] = [
        {"name": n, "size": len(files[n]), "sha256": hashlib.sha256(files[n]).hexdigest()}
        for n in names
    ]
    return pack({**files, MANIFEST: canonical(manifest)})


def in_a_file(data: bytes, draw: Draw) -> bytes:
    """A byte of one file, or the whole file; the manifest fits."""
    files = unpack(data)
    name = draw.choice(sorted(set(files) - {MANIFEST}))
    if draw.random() < 0.1:
        del files[name]
    else:
        files[name] = _bytes_changed(files[name], draw)
    return fitted(files)


def in_a_line(data: bytes, draw: Draw) -> bytes:
    """A value in a file other than the events; the manifest fits, or it is the manifest itself."""
    files = unpack(data)
    name = draw.choice(sorted(set(files) - {EVENTS, README}))
    lines = files[name].split(b"\n")
    at = draw.randrange(len(lines))
    if lines[at]:
        lines[at] = canonical(changed(msgspec.json.decode(lines[at]), draw))
    if draw.random() < 0.1:
        draw.shuffle(lines)
    files[name] = b"\n".join(lines)
    return pack(files) if name == MANIFEST else fitted(files)


def in_an_event(data: bytes, draw: Draw) -> bytes:
    """A value in an event, and every hash after it made anew."""
    files = unpack(data)
    events = [msgspec.json.decode(line) for line in files[EVENTS].splitlines()]
    platform = [n for n, event in enumerate(events) if event["type"].startswith("decklog.")]
    at = draw.choice(platform) if draw.random() < 0.6 else draw.randrange(len(events))
    how = draw.random()
    if how < 0.85:
        events[at] = changed(events[at], draw)
    elif how < 0.9:
        del events[at]
    elif how < 0.95:
        events.insert(at, events[draw.randrange(len(events))])
    else:
        other = draw.randrange(len(events))
        events[at], events[other] = events[other], events[at]
    return relinked(files, [event if isinstance(event, dict) else {} for event in events])


def relinked(files: dict[str, bytes], events: list[dict[str, Any]]) -> bytes:
    """The bundle with these events, numbered and hashed as if they had always been so."""
    prev, lines = GENESIS, []
    for seq, event in enumerate(events, 1):
        line = canonical({**event, "seq": seq, "prev": prev})
        lines.append(line + b"\n")
        prev = hash_of(line)
    files[EVENTS] = b"".join(lines)
    manifest = msgspec.json.decode(files[MANIFEST])
    manifest["head"] = {"seq": len(events), "hash": prev}
    return fitted({**files, MANIFEST: canonical(manifest)})


def changed(value: Any, draw: Draw) -> Any:
    """The value with one part of it, however deep, another."""
    places = list(_places(value))
    place = draw.choice(places)
    return _put(value, place, _harm(draw))


def _places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    if path:
        yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _places(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _places(part, (*path, number))


def _near(old: Any) -> list[Any]:
    if isinstance(old, str):
        return [old[:-1], old + "0", old.upper(), old.swapcase()]
    if isinstance(old, list):
        return [old[1:], old + old[:1], old[::-1]]
    return [old + 1, old - 1] if type(old) is int else []


def _harm(draw: Draw) -> Callable[[Any, Any], None]:
    def replaced(holder: Any, key: Any) -> None:
        old = holder[key]
        near = _near(old)
        holder[key] = draw.choice(near) if near and draw.random() < 0.6 else draw.choice(VALUES)

    def lost(holder: Any, key: Any) -> None:
        del holder[key]

    def added(holder: Any, key: Any) -> None:
        if isinstance(holder, dict):
            holder[draw.choice(("extra", "form", "odds", "master", "id", "days", "waiting"))] = (
                draw.choice(VALUES)
            )
        else:
            holder.insert(key, draw.choice(VALUES))

    return draw.choices((replaced, lost, added), (6, 2, 2))[0]


def _put(value: Any, path: tuple[Any, ...], harm: Callable[[Any, Any], None]) -> Any:
    copy = msgspec.json.decode(msgspec.json.encode(value))
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    harm(holder, path[-1])
    return copy
