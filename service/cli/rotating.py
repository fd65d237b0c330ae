"""Another key in the file beside the database: said before it is done, and again when it is.

A run that is killed in between has left word of what it meant to do: the next one finds out by the
file whether that was done, and puts it down. So the operator's log names no act that was not one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from service.store.beside import Beside
    from service.store.bulk import Statement
    from service.store.workers import Worker

BEGUN, UNDONE = "-begun", "-undone"
ACTS = ("rotate", "drop-keys")

LOOK_SECONDS = 0.2


def logged(
    store: Beside,
    act: str,
    by: str,
    why: str,
    game: str = "",
    about: dict[str, str] | None = None,
    more: Sequence[Statement] = (),
) -> None:
    """A line of the operator's log, of what is done here and by no service.

    more  is done in its transaction
    """
    from service.store.acts import Act, insertion, time_of

    details = msgspec.Raw(msgspec.json.encode(about or {}))
    line = Act(time_of(store.recorder), by, act, game, why, details)
    store.recorder.put((), [insertion(line), *more])


def names_of(keys: Sequence[str]) -> tuple[str, ...]:
    """By which an operator knows them."""
    from service.store.box import Box, keys_in

    first, *former = keys_in(keys)
    return Box(first, former=former).names


def change_keys(
    store: Beside, path: Path, keys: Sequence[str], act: str, by: str, why: str
) -> None:
    """Have the file hold these keys, and every worker read it."""
    about = {"keys": " ".join(names_of(keys))}
    logged(store, act + BEGUN, by, why, about=about)
    write_keys(path, keys)
    _done(store, act, by, why, about)


def _done(store: Beside, act: str, by: str, why: str, about: dict[str, str]) -> None:
    from service.entropy import SYSTEM, drawn
    from service.store.workers import reloading

    logged(store, act, by, why, about=about, more=[reloading(drawn(SYSTEM, 16))])


def settle(store: Beside, path: Path) -> None:
    """Put down what came of an act whose run was killed."""
    from service.store.acts import listed

    ours = (*ACTS, *(act + end for act in ACTS for end in (BEGUN, UNDONE)))
    last = next((a for a in reversed(listed(store.recorder)) if a.act in ours), None)
    if last is None or not last.act.endswith(BEGUN):
        return
    act = last.act.removesuffix(BEGUN)
    meant = msgspec.json.decode(last.details)["keys"]
    found = " ".join(names_of(path.read_text("ascii").split()))
    about = {"keys": found, "begun": last.at}
    if found == meant:
        _done(store, act, last.operator, last.why, about)
    else:
        logged(store, act + UNDONE, last.operator, last.why, about=about)


def write_keys(path: Path, keys: Sequence[str]) -> None:
    """In one piece: a key that is half written opens nothing."""
    fresh = path.with_name(path.name + ".new")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write("".join(f"{key}\n" for key in keys))
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def at_work(store: Beside) -> list[Worker]:
    """The workers that there are."""
    from service.store.acts import time_of
    from service.store.workers import listed

    return listed(store.recorder, time_of(store.recorder))


def without(store: Beside, names: Sequence[str], wait: float) -> list[str] | None:
    """Workers that have other keys still after so many seconds; None: none is at work."""
    until = time.monotonic() + wait
    while True:
        found = at_work(store)
        behind = [each.name for each in found if each.keys != tuple(names)]
        if not behind or time.monotonic() > until:
            return behind if found else None
        time.sleep(LOOK_SECONDS)
