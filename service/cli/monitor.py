"""``decklog monitor``: watch a public log, and the games that one cares for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import emit, say
from .files import opened, read_bytes
from .keytexts import receipts_in, tsa_roots, verify_key
from .mistakes import Mistake
from .tools import json_option

if TYPE_CHECKING:
    from service.log.leaf import Leaf
    from service.log.monitor import Finding
    from service.log.note import VerifyKey

ALARM = 1


@click.command("monitor", short_help="Watch a public log, and the games that one cares for.")
@click.argument("address", metavar="ADDRESS")
@click.option("--log", "vkey", required=True, metavar="VKEY", help="Key of the log.")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("decklog-monitor"),
    show_default=True, help="Folder for what is known of the log, and for what convicts it.",
)  # fmt: skip
@click.option(
    "--witness", "witnesses", multiple=True, metavar="ADDRESS",
    help="A Decklog witness, whose newest head is compared. May be repeated.",
)  # fmt: skip
@click.option(
    "--head", "heads", multiple=True, metavar="FILE",
    help="A checkpoint that somebody has kept. May be repeated.",
)  # fmt: skip
@click.option(
    "--game", "games", multiple=True, metavar="FILE",
    help="Evidence file of a game whose events have to be in the log. May be repeated.",
)  # fmt: skip
@click.option(
    "--receipt", "receipts", multiple=True, metavar="FILE",
    help="Receipt of the service: its event has to be in the log by its time. May be repeated.",
)  # fmt: skip
@click.option(
    "--complete", is_flag=True,
    help="The files of --game have to be all games of the log, up to the newest event of each.",
)  # fmt: skip
@click.option("--root", default="", metavar="VKEY", help="Root key: watch the service's keys, too.")
@click.option(
    "--keys", multiple=True, metavar="LIST",
    help="A list of the service's keys, besides those in the files of --game. May be repeated.",
)  # fmt: skip
@click.option(
    "--own", default="", metavar="KEY",
    help="Your own key, in hex: each order that it signs in the files of --game needs a --receipt.",
)  # fmt: skip
@click.option(
    "--tsa-root", "tsa", default="", metavar="FILE",
    help="Root certificate (PEM) of a time-stamping authority: check the log's newest stamp.",
)  # fmt: skip
@click.option("--every", type=click.IntRange(1), metavar="SECONDS", help="Look again and again.")
@click.option("--judge", metavar="FILE", help="Judge a file that is said to convict the log.")
@json_option
def command(
    address: str, vkey: str, folder: Path, witnesses: tuple[str, ...], heads: tuple[str, ...],
    games: tuple[str, ...], receipts: tuple[str, ...], complete: bool, root: str,
    keys: tuple[str, ...], own: str, tsa: str, every: int | None, judge: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Read all that is new in the log at ADDRESS (http://HOST/log, or a folder), and alarm.

    A log is caught when it takes something back, serves other leaves than those that it signed, has
    one event twice, or shows others another past (--witness, --head). What convicts it is a file
    in FOLDER/convictions, which anybody can judge with --judge and the log's key alone. A service
    that logs not in time what it has given a receipt for has broken its word: the receipt and the
    log, which anybody can read, show it. With --complete each game of the log that no file tells
    of, or of which a file has not all, is an alarm: whoever is given all games of a service can
    see whether they are. With --root a service whose root key signs two lists of one number, whose
    log's key is not listed, or whose keys were taken back since the last look, is an alarm; with
    --own an order of yours that you never gave.

    \b
    The exit code:
      0  all is well, as far as it can be told now
      1  alarm: the log does not keep what it promised, or --judge: the file convicts it
    """
    from service.log.monitor import Monitor
    from service.log.note import NoteWrong, read_key
    from service.log.remote import RemoteLog

    try:
        key = read_key(vkey)
    except NoteWrong as error:
        raise Mistake(f"--log: {error}.", "", "log.key") from None
    if judge is not None:
        return _judged(judge, key, as_json=as_json)
    owed = _owed(receipts)
    leaves = [*(each for file in games for each in _leaves(file)), *((f, r[0]) for f, r in owed)]
    kept = [(file, read_bytes(file).decode("utf-8", "replace")) for file in heads]
    roots = tsa_roots(tsa)
    with closing(RemoteLog(address)) as log, closing(Monitor(key, log, folder)) as monitor:
        while True:
            others = [*kept, *_of_witnesses(witnesses, key)]
            told = list(monitor.look(others, leaves, _early(owed), complete=complete, roots=roots))
            told += _of_keys(folder, root, key, games, keys) if root else ()
            told += _of_own(own, games, receipts) if own else ()
            _say(told, as_json=as_json)
            if any(each.kind == "alarm" for each in told):
                return ALARM
            if every is None:
                return 0
            time.sleep(every)


def _owed(files: tuple[str, ...]) -> list[tuple[str, tuple[Leaf, str]]]:
    """For each receipt the leaf that it promises, and until when."""
    from service.log.games import leaf_of

    told = [each.receipt for each in receipts_in(files)]
    return [(name, (leaf_of(r), r.log_by)) for name, r in zip(files, told, strict=True)]


def _of_keys(
    folder: Path, root: str, log: VerifyKey, games: tuple[str, ...], keys: tuple[str, ...]
) -> list[Finding]:
    """What the lists of keys say; the newest is kept for the next look."""
    from service.container import unpack
    from service.evidence.bundle import KEYS
    from service.log.keywatch import watched

    root_key, place = verify_key(root, "--root"), folder / "keys.dsse.json"
    assert root_key is not None, "it is named"
    in_files = ((file, unpack(read_bytes(file)).get(KEYS, b"")) for file in games)
    lists = [
        *((file, data) for file, data in in_files if data),
        *((k, read_bytes(k)) for k in keys),
    ]
    kept = place.read_bytes() if place.is_file() else b""
    newest, told = watched(root_key, kept, lists, log)
    if newest != kept:
        place.write_bytes(newest)
    return told


def _of_own(own: str, games: tuple[str, ...], receipts: tuple[str, ...]) -> list[Finding]:
    from service.log.keywatch import of_own

    held = [each.receipt for each in receipts_in(receipts)]
    cases = ((file, opened(file, read_bytes(file))) for file in games)
    return [each for file, case in cases for each in of_own(file, case, own, held)]


def _early(owed: list[tuple[str, tuple[Leaf, str]]]) -> dict[Leaf, str]:
    """What need not be in the log yet, by the first of the promises for it."""
    from service.clock import SYSTEM, stamp

    now, first = stamp(SYSTEM.now()), dict["Leaf", str]()
    for _, (leaf, by) in owed:
        first[leaf] = min(by, first.get(leaf, by))
    return {leaf: by for leaf, by in first.items() if by > now}


def _judged(file: str, key: VerifyKey, *, as_json: bool) -> int:
    from service.log.conviction import NotProven, judge

    try:
        convicts, text = True, judge(read_bytes(file), key)
    except NotProven as error:
        convicts, text = False, f"{file} shows nothing: {error}"
    if as_json:
        emit({"convicts": convicts, "text": text})
    else:
        say(text)
    return ALARM if convicts else 0


def _say(told: list[Finding], *, as_json: bool) -> None:
    if as_json:
        emit([{"kind": each.kind, "text": each.text, "file": each.file} for each in told])
        return
    for each in told:
        say(f"{each.kind:8}{each.text}" + (f" ({each.file})" if each.file else ""))


def _of_witnesses(addresses: tuple[str, ...], key: VerifyKey) -> Iterator[tuple[str, str]]:
    """Their newest heads; what cannot be had is said where it is compared."""
    from service.log.monitor import head_of
    from service.log.remote import RemoteLog, Unreachable

    for address in addresses:
        with closing(RemoteLog(address)) as files:
            try:
                yield address, head_of(files, key)
            except (KeyError, Unreachable) as error:
                yield address, f"no head: {error}"


def _leaves(file: str) -> list[tuple[str, Leaf]]:
    """The leaves that the events of an evidence file have to have."""
    from service.log.games import leaves_of

    try:
        return [(file, leaf) for leaf in leaves_of(read_bytes(file))]
    except ValueError as error:
        raise Mistake(f"{file}: {error}", "Give an evidence file.", "bundle.unreadable") from None
