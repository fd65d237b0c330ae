#!/usr/bin/env python3
"""Backups of a Decklog store while it runs, and the way back. Needs nothing but Python.

It is ``deploy/backup.py``, too, and ``python -m decklog.service.backups.copies`` where installed.

    backup.py sqlite DATABASE FOLDER [--keep N]      a copy of the file as of one moment
    backup.py postgresql ADDRESS FOLDER [--keep N --scratch ADDRESS]
                                                     the same of a database, by pg_dump
    backup.py check FILE                             is it whole
    backup.py restore FILE DATABASE                  back into a file that is not there yet
    backup.py restore FOLDER DATABASE                the same of a folder that followed the store
    backup.py restore FILE ADDRESS                   back into a database that is empty
    backup.py key DATABASE FOLDER                    the key file, which belongs to another place

An ADDRESS may be @FILE, which holds it: others can read a command line.

With --keep the oldest copies beyond N go, and only after ``decklog store check`` has read every
game of the new one and found it whole: of a dump in an empty database, --scratch. That needs the
program and the key, which lies beside DATABASE or is named by DECKLOG_KEY_FILE.

The key is never with the backup: whoever has both can read the dice to come of every running game.
Exit codes: 0 done, 1 not whole or not possible, 2 used wrongly.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

SUM = ".sha256"
LAST = "last.json"
SHADOW = "decklog.sqlite"
"""The file in a folder that follows a store (``decklog backup follow``)."""
KINDS = (".sqlite", ".dump")
ARCHIVED = "SELECT count(*), coalesce(sum(size), 0) FROM archived"
"""Games whose events are in files of their own, and the bytes of these."""
ADDRESSES = ("postgresql://", "postgres://")


class Failed(Exception):
    """What went wrong, in a sentence."""


def sqlite(database: Path, folder: Path) -> Path:
    """A consistent copy, all of it of the moment when it began; the service goes on meanwhile."""
    if not database.is_file():
        raise Failed(f"there is no {database}")
    target = _target(folder, ".sqlite")
    with _part(target) as part:
        with closing(_reading(database)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        return _finished(part, target)


def postgresql(address: str, folder: Path) -> Path:
    """The same by pg_dump, whose transaction sees the database as of one moment."""
    target = _target(folder, ".dump")
    plain, environment = _without_password(address)
    with _part(target) as part:
        _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges",
              f"--file={part}", f"--dbname={plain}"], environment)  # fmt: skip
        return _finished(part, target)


def check(file: Path) -> str:
    """What is in the backup. Raises Failed where it is not whole."""
    told = file.with_name(file.name + SUM)
    if not file.is_file() or not told.is_file():
        raise Failed(f"{file.name} or its {told.name} is missing")
    if told.read_text("ascii").split()[0] != _digest(file):
        raise Failed(f"{file.name} is not what was written: its SHA-256 differs")
    if file.suffix != ".sqlite":
        listed = _run(["pg_restore", "--list", str(file)], {}).count(" TABLE DATA ")
        return f"{file.name} is whole: {listed} tables"
    with closing(_reading(file)) as database:
        found = database.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise Failed(f"{file.name}: {found}")
        events, games = (
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("stored_events", "games")
        )
        archived = _archived(database)
    return f"{file.name} is whole: {events} events of {games} games{archived}"


def _archived(database: sqlite3.Connection) -> str:
    """What the copy has in an archive, and so has not."""
    try:
        games, size = database.execute(ARCHIVED).fetchone()
    except sqlite3.OperationalError:  # of a program that had none
        return ""
    return in_archive(games, size)


def in_archive(games: int, size: int) -> str:
    """In words; "" where there is nothing."""
    if not games:
        return ""
    return (
        f"; not in it are {games} games in the archive, {size} bytes: copy its folder "
        "(DECKLOG_ARCHIVE) as well, after this"
    )


def restore(file: Path, target: str) -> None:
    """Back to where nothing is: what is there is never overwritten."""
    if file.is_dir():
        _from_shadow(file, _nowhere(target))
        return
    check(file)
    if target.startswith(ADDRESSES):
        _restore_database(file, target)
        return
    database = _nowhere(target)
    part = private(database.with_name(database.name + ".part"))
    shutil.copyfile(file, part)
    settled(part, database)


def _nowhere(target: str) -> Path:
    """The path of a database where none is."""
    database = Path(target)
    beside = [database.with_name(database.name + end) for end in ("", "-wal", "-shm")]
    if there := [path.name for path in beside if path.exists()]:
        raise Failed(f"{', '.join(there)} is there: move it away first")
    return database


def _from_shadow(folder: Path, database: Path) -> None:
    """A copy that followed the store, and the log beside it, as one file."""
    if not (folder / SHADOW).is_file():
        raise Failed(f"there is no {SHADOW} in {folder}")
    part = database.with_name(database.name + ".part")
    try:
        for end in ("", "-wal"):
            if (source := folder / (SHADOW + end)).exists():
                shutil.copyfile(source, private(part.with_name(part.name + end)))
        with closing(sqlite3.connect(part)) as copy:
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
            copy.execute("PRAGMA journal_mode = DELETE")
        if found != "ok":
            raise Failed(f"{folder.name}: {found}")
        settled(part, database)
    finally:
        _gone(part)


def _restore_database(file: Path, address: str) -> None:
    plain, environment = _without_password(address)
    count = "SELECT count(*) FROM pg_tables WHERE tablename IN ('meta', 'stored_events')"
    found = _run(["psql", "--no-psqlrc", "-At", f"--dbname={plain}", "-c", count], environment)
    if found.strip() != "0":
        raise Failed("the database is not empty: make a new one")
    _run(["pg_restore", "--single-transaction", "--exit-on-error", "--no-owner",
          "--no-privileges", f"--dbname={plain}", str(file)], environment)  # fmt: skip


def key(database: Path, folder: Path) -> Path:
    """A copy of the key file, in a folder where no backup is."""
    source = database.with_name(database.name + ".key")
    if not source.is_file():
        raise Failed(f"there is no {source.name}: the key is in DECKLOG_KEY, or in its file")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.glob("decklog-*")):
        raise Failed(f"{folder.name} holds backups: the key belongs to another place")
    target = folder / source.name
    part = private(target.with_suffix(".part"))
    shutil.copyfile(source, part)
    settled(part, target)
    return target


def judge(file: Path, decklog: str, environment: dict[str, str]) -> str:
    """What ``decklog store check`` says of the games in a copy. Raises Failed."""
    if not shutil.which(decklog):
        raise Failed(f"there is no {decklog} to read the games of {file.name}: none was dropped")
    line = [decklog, "store", "check"]
    if file.suffix == ".sqlite":
        line += ["--database", str(file)]
    try:
        return _run(line, environment).strip().splitlines()[-1]
    except Failed as error:
        raise Failed(f"{error}\n{file.name} is not whole: no older copy was dropped") from None


def _key_of(asked: argparse.Namespace) -> dict[str, str]:
    """Where the key is: named by the environment, else beside the file."""
    no_other = {"DECKLOG_STORE": "", "DECKLOG_STORE_FILE": ""}
    if {"DECKLOG_KEY", "DECKLOG_KEY_FILE"} & os.environ.keys():
        return no_other
    return {**no_other, "DECKLOG_KEY_FILE": f"{Path(asked.database).absolute()}.key"}


def judge_dump(file: Path, decklog: str, scratch: str) -> str:
    """The same of a dump, in a database that is empty before and afterwards."""
    if not scratch:
        raise Failed(
            "--keep of a database needs --scratch, an empty one: no older copy was dropped"
        )
    with restored_database(file, scratch):
        return judge(file, decklog, {"DECKLOG_STORE": scratch})


@contextmanager
def restored_database(file: Path, scratch: str) -> Iterator[None]:
    """What is in a dump, in a database that is empty before and afterwards."""
    _restore_database(file, scratch)
    try:
        yield
    finally:
        plain, environment = _without_password(scratch)
        empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        _run(["psql", "--no-psqlrc", "-q", f"--dbname={plain}", "-c", empty], environment)


def newest(folder: Path) -> Path:
    """The copy that was made last. Raises Failed where there is none."""
    copies = [path for kind in KINDS for path in folder.glob(f"decklog-*{kind}")]
    if not copies:
        raise Failed(f"there is no copy in {folder}")
    return max(copies, key=lambda path: path.name.partition(".")[0])


def prune(folder: Path, suffix: str, keep: int) -> None:
    """Drop the oldest backups of a kind beyond ``keep``; their names sort by time."""
    for file in sorted(folder.glob(f"decklog-*{suffix}"))[: -keep or None]:
        file.with_name(file.name + SUM).unlink(missing_ok=True)
        file.unlink()


def _target(folder: Path, suffix: str) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"decklog-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}{suffix}"


@contextmanager
def _part(target: Path) -> Iterator[Path]:
    """Where a copy is written: it goes if that fails, and so do those of whoever was killed."""
    for left in target.parent.glob("decklog-*.part"):
        with suppress(OSError), left.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _gone(left)
    part = private(target.with_suffix(".part"))
    with part.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        try:
            yield part
        except BaseException:
            _gone(part)
            target.with_name(target.name + SUM).unlink(missing_ok=True)
            raise


def _gone(part: Path) -> None:
    """A part, and what SQLite keeps beside one."""
    for end in ("", "-journal", "-wal", "-shm"):
        part.with_name(part.name + end).unlink(missing_ok=True)


def private(path: Path) -> Path:
    """An empty file that only its owner reads: hidden fleets are in the store in clear."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return path


def _finished(part: Path, target: Path) -> Path:
    """The sum first, then the name: a backup with a name is whole."""
    _write_sum(part, target)
    settled(part, target)
    return target


def with_sum(file: Path) -> None:
    """The sum of a copy that came here by itself."""
    _write_sum(file, file)


def _write_sum(part: Path, target: Path) -> None:
    told = private(target.with_name(target.name + SUM))
    told.write_text(f"{_digest(part)}  {target.name}\n", "ascii")


def settled(part: Path, target: Path) -> None:
    """The file under its name, both on the disk."""
    _synced(part, os.O_RDWR)
    part.replace(target)
    _synced(target.parent, os.O_RDONLY)


def _synced(path: Path, flags: int) -> None:
    file = os.open(path, flags)
    os.fsync(file)
    os.close(file)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _archived_there(address: str) -> str:
    """The same of a database, which may have archived one more game since."""
    plain, environment = _without_password(address)
    psql = ["psql", "--no-psqlrc", "-At", f"--dbname={plain}", "-c"]
    if not _run([*psql, "SELECT to_regclass('archived')"], environment).strip():
        return ""
    games, size = _run([*psql, ARCHIVED], environment).strip().split("|")
    return in_archive(int(games), int(size))


def _reading(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=30)


def _without_password(address: str) -> tuple[str, dict[str, str]]:
    """The address as a list of processes may show it, and its password for the environment."""
    parts = urlsplit(address)
    if parts.password is None:
        return address, {}
    user, _, place = parts.netloc.rpartition("@")
    plain = parts._replace(netloc=f"{user.partition(':')[0]}@{place}")
    return urlunsplit(plain), {"PGPASSWORD": unquote(parts.password)}


def told_in(address: str) -> str:
    """An address, or what is in the file that it names. Raises Failed."""
    if not address.startswith("@"):
        return address
    try:
        return Path(address[1:]).read_text("utf-8").strip()
    except OSError as error:
        raise Failed(f"the address cannot be read: {error}") from None


def _run(line: list[str], environment: dict[str, str]) -> str:
    given = {name: value for name, value in {**os.environ, **environment}.items() if value}
    try:
        done = subprocess.run(line, env=given, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Failed(f"{line[0]} is not installed") from None
    if done.returncode:
        told = (done.stderr.strip(), done.stdout.strip())
        raise Failed(f"{line[0]}: " + "\n".join(filter(None, told)))
    return done.stdout


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Backups of a Decklog store, and the way back.")
    ways = parser.add_subparsers(dest="way", required=True)
    for name, source in (("sqlite", "database"), ("postgresql", "address")):
        way = ways.add_parser(name)
        way.add_argument(source, type=str)
        way.add_argument("folder", type=Path)
        way.add_argument("--keep", type=int, default=0, metavar="N", help="0: keep all")
        beside = Path(sys.executable).with_name("decklog")
        own = str(beside) if beside.exists() else "decklog"
        way.add_argument("--decklog", default=own, metavar="PROGRAM", help="reads the games")
    ways.choices["postgresql"].add_argument("--scratch", default="", metavar="ADDRESS")
    ways.add_parser("check").add_argument("file", type=Path)
    back = ways.add_parser("restore")
    back.add_argument("file", type=Path)
    back.add_argument("target")
    aside = ways.add_parser("key")
    aside.add_argument("database", type=Path)
    aside.add_argument("folder", type=Path)
    return parser


def _do(asked: argparse.Namespace) -> str:
    if asked.way == "check":
        return check(asked.file)
    if asked.way == "restore":
        restore(asked.file, told_in(asked.target))
        return f"{asked.file.name} is restored"
    if asked.way == "key":
        return f"the key is in {key(asked.database, asked.folder)}"
    if asked.way == "sqlite":
        made = sqlite(Path(asked.database), asked.folder)
    else:
        made = postgresql(told_in(asked.address), asked.folder)
    found = check(made)  # before an older one goes
    if asked.way == "postgresql":
        found += _archived_there(told_in(asked.address))
    if asked.keep > 0:
        if asked.way == "sqlite":
            found += f"\n{judge(made, asked.decklog, _key_of(asked))}"
        else:
            found += f"\n{judge_dump(made, asked.decklog, told_in(asked.scratch))}"
        prune(asked.folder, made.suffix, asked.keep)
    return f"{found}\n{made}"


def main() -> int:
    asked = _parser().parse_args()
    try:
        print(_do(asked))
    except (Failed, OSError, sqlite3.Error) as error:
        print(f"{asked.way}: {error}", file=sys.stderr)
        _tell(asked, whole=False)
        return 1
    _tell(asked, whole=True)
    return 0


def _tell(asked: argparse.Namespace, *, whole: bool) -> None:
    """Leave word for the service (DECKLOG_BACKUPS): the last whole copy, and how the last attempt
    ended."""
    if asked.way not in ("sqlite", "postgresql"):
        return
    told = {"at": "1970-01-01T00:00:00Z", "bytes": 0, **_told_before(asked.folder)}
    if whole:
        copy = newest(asked.folder).stat()
        at = datetime.fromtimestamp(copy.st_mtime, UTC)
        told = {"at": at.isoformat(), "bytes": copy.st_size}
    try:
        asked.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = private(asked.folder / (LAST + ".part"))
        part.write_text(json.dumps({**told, "whole": whole}) + "\n", "utf-8")
        part.replace(asked.folder / LAST)
    except OSError as error:
        print(f"{LAST}: {error}", file=sys.stderr)


def _told_before(folder: Path) -> dict[str, str | int]:
    try:
        told = json.loads((folder / LAST).read_text("utf-8"))
        return {"at": told["at"], "bytes": told["bytes"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


if __name__ == "__main__":
    sys.exit(main())
