"""``decklog keys``: the keys that a service signs with, and the list that its root key signs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec
from msgspec import UNSET

from .console import emit, say
from .keytexts import verify_key
from .mistakes import Mistake
from .tools import json_option

if TYPE_CHECKING:
    from service.evidence.keylist import KeyList, ListedKey, Role
    from service.evidence.signing import SigningKey

OWN: tuple[Role, ...] = ("receipts", "bundles")
"""Roles whose secret keys are made here; that of the log lies where the log is written."""

OVERLAP = 3600
"""Seconds for which the old key's signatures still count: a service at work has to be restarted."""

T = TypeVar("T")

root_option = click.option(
    "--root", "root", required=True, metavar="FILE", help="File of the secret root key, offline."
)
folder_argument = click.argument("folder", type=click.Path(path_type=Path))


@click.group("keys", short_help="Make, show, change and take back the keys of a service.")
def command() -> None:
    """The keys of a service, and the list in which its root key vouches for them.

    The root key is made once, on a machine that serves nobody, and is used for this list alone.
    What it signs lies in a folder of keys that the service is given (DECKLOG_KEYS). Whoever judges
    evidence knows the root by its vkey: decklog verify FILE --root VKEY. With --json each answers
    for programs.
    """


@command.command("root", short_help="Make a root key.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", required=True, metavar="NAME", help="Of the service: its host, for ever.")
@json_option
def make_root(file: Path, name: str, as_json: bool) -> int:
    """Make the root key of a service: the secret half into FILE, offline, and its vkey for all."""
    key = _drawn(name, "root")
    write_secret(file, key)
    _tell({"vkey": str(key.verify_key), "file": str(file)}, as_json)
    return 0


@command.command("make", short_help="Make the keys of a service, and its list.")
@folder_argument
@root_option
@click.option("--log", "log", default="", metavar="VKEY", help="Key of the public log, if any.")
@json_option
def make(folder: Path, root: str, log: str, as_json: bool) -> int:
    """Make a folder of keys for receipts and bundles, with the list that the root key signs."""
    from service.evidence.keylist import KeyList, ListedKey

    signer = _root(root)
    now, origin = _now(), signer.name.removesuffix("/root")
    if folder.exists() and any(folder.iterdir()):
        raise Mistake(f"{folder} is not empty.", "rotate changes a key.", "file.exists")
    keys = []
    for role in OWN:
        made = _drawn(origin, role)
        write_secret(folder / f"{role}.skey", made)
        keys.append(ListedKey(role, str(made.verify_key), now))
    if (public := verify_key(log, "--log")) is not None:
        keys.append(ListedKey("log", str(public), now))
    _sign(folder, KeyList(1, origin, str(signer.verify_key), 1, now, tuple(keys)), signer, as_json)
    return 0


@command.command("show", short_help="Show a list of keys.")
@folder_argument
@click.option("--root", default="", metavar="VKEY", help="The root key that has to have signed it.")
@json_option
def show(folder: Path, root: str, as_json: bool) -> int:
    """Show the list in FOLDER (or the list itself), checked against a root key."""
    _told(_listed(folder, root), as_json)
    return 0


@command.command("rotate", short_help="Put a new key in the place of one.")
@folder_argument
@click.argument("role", type=click.Choice(OWN))
@root_option
@json_option
def rotate(folder: Path, role: Role, root: str, as_json: bool) -> int:
    """A new key for ROLE; what the old one has signed stays good. Restart the service within an
    hour: until then receipts and evidence of the old key count.
    """
    from service.deadlines import later
    from service.evidence.keylist import ListedKey

    signer, now = _root(root), _now()
    listed = _listed(folder, str(signer.verify_key))
    made = _drawn(listed.origin, role)
    until = later(now, OVERLAP)
    ended = [_ended(each, until) if each.role == role else each for each in listed.keys]
    write_secret(folder / f"{role}.skey", made, replace=True)
    keys = (*ended, ListedKey(role, str(made.verify_key), now))
    _sign(folder, _next(listed, keys, now), signer, as_json)
    return 0


@command.command("revoke", short_help="Take back a key that somebody else may have.")
@folder_argument
@click.argument("key", metavar="KEY")
@root_option
@click.option("--since", default="", metavar="TIME", help="From when others may have had it; now.")
@json_option
def revoke(folder: Path, key: str, root: str, since: str, as_json: bool) -> int:
    """Nothing that KEY (as show names it) has signed since then counts any more; a receipt of
    before stays owed. Give the list to who judges.
    """
    signer, now = _root(root), _now()
    since = _since(since, now)
    listed = _listed(folder, str(signer.verify_key))
    found = [each for each in listed.keys if key in (each.key, each.hint)]
    if not found:
        names = ", ".join(each.hint for each in listed.keys)
        raise Mistake(f"The list has no key {key}.", f"It has: {names}.", "usage")

    def taken_back(each: ListedKey) -> ListedKey:
        if each not in found:
            return each
        return msgspec.structs.replace(_ended(each, now), compromised=since)

    _sign(folder, _next(listed, tuple(map(taken_back, listed.keys)), now), signer, as_json)
    return 0


def _since(told: str, now: str) -> str:
    """The time in the form of the list, by which times are compared. Raises Mistake."""
    from service.clock import stamp

    try:
        found = stamp(datetime.fromisoformat(told)) if told else now
    except (ValueError, OverflowError):
        hint = "As in 2026-11-21T14:00:00Z."
        raise Mistake(f"{told[:40]!r} is no time.", hint, "usage") from None
    if found > now:
        raise Mistake(f"{found} is not over yet.", "A key is taken back at once.", "usage")
    return found


def _ended(key: ListedKey, until: str) -> ListedKey:
    return key if key.until else msgspec.structs.replace(key, until=until)


def _next(listed: KeyList, keys: tuple[ListedKey, ...], now: str) -> KeyList:
    return msgspec.structs.replace(listed, serial=listed.serial + 1, at=now, keys=keys)


def _now() -> str:
    from service.clock import SYSTEM, stamp

    return stamp(SYSTEM.now())


def _drawn(origin: str, role: str) -> SigningKey:
    from service.evidence.signing import SigningKey, is_name

    name = f"{origin}/{role}"
    if not is_name(name):
        raise Mistake(f"{origin!r} names no service.", "It has no space and no +.", "usage")
    return SigningKey(name, secrets.token_bytes(32))


def _root(file: str) -> SigningKey:
    from service.evidence.signing import BadKey, read_skey

    return _read(file, lambda data: read_skey(data.decode("ascii")), (BadKey, UnicodeDecodeError))


def _listed(folder: Path, root: str) -> KeyList:
    from service.evidence.keylist import open_list
    from service.evidence.signing import BadSignature
    from service.store.signers import LIST

    public = verify_key(root, "--root")
    file = folder / LIST if folder.is_dir() else folder
    return _read(str(file), lambda data: open_list(data, public), (BadSignature,))


def _read(file: str, reading: Callable[[bytes], T], wrong: tuple[type[Exception], ...]) -> T:
    try:
        return reading(Path(file).read_bytes())
    except OSError as error:
        raise Mistake(f"{file}: {(error.strerror or 'unreadable').lower()}.", "", "file") from None
    except wrong as error:
        raise Mistake(f"{file}: {error}.", "decklog keys makes such files.", "file") from None


def write_secret(file: Path, key: SigningKey, *, replace: bool = False) -> None:
    """For its owner alone, from the first byte on. Raises Mistake where there is one already."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if file.exists() and not replace:
        raise Mistake(f"{file} exists.", "A secret key is not written over.", "file.exists")
    fresh = file.with_name(file.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(key.secret + "\n")
    fresh.replace(file)


def _sign(folder: Path, listed: KeyList, root: SigningKey, as_json: bool) -> None:
    from service.evidence.keylist import sign_list
    from service.store.signers import LIST

    fresh = folder / f"{LIST}.new"
    fresh.write_bytes(sign_list(listed, root))
    fresh.replace(folder / LIST)
    _told(listed, as_json)


def _told(listed: KeyList, as_json: bool) -> None:
    if as_json:
        emit(listed)
        return
    say(f"list     {listed.serial} of {listed.origin}, {listed.at}")
    for each in listed.keys:
        until = f", until {each.until}" if each.until else ""
        taken = "" if each.compromised is UNSET else f", compromised since {each.compromised}"
        say(f"{each.role:<8} {each.key}, since {each.since}{until}{taken}")


def _tell(told: dict[str, str], as_json: bool) -> None:
    if as_json:
        emit(told)
        return
    for name, value in told.items():
        say(f"{name:<8} {value}")
