"""Stores as earlier programs wrote them: tests/data/store-format-N.sql, and who holds its tokens.

``python -m tests.support.old_store`` writes that of the present format, once: a store that was
kept is never written anew, for the program that wrote it is gone.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import httpx
import msgspec

from domain.kernel.finder import games
from service.play.migration import migrate
from service.settings import Settings
from service.store.schema import FORMAT
from tests.service.ops.play import Played, create, play
from tests.support.postgres import KEY
from tests.support.server import ROOT, running

FOLDER = ROOT / "tests" / "data"
COMMANDS = 9


def kept() -> list[Path]:
    """The stores that were kept, oldest format first."""
    found = FOLDER.glob("store-format-*.sql")
    return sorted(found, key=lambda path: int(path.stem.rpartition("-")[2]))


def unpack(dump: Path, folder: Path) -> Played:
    """The store as a file ``decklog.sqlite`` with its key beside it; the game in it."""
    database = folder / "decklog.sqlite"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(dump.read_text("utf-8"))
        connection.execute("PRAGMA journal_mode = WAL")
    key = folder / "decklog.sqlite.key"
    key.write_text(KEY + "\n", "ascii")
    for path in (database, key):
        path.chmod(0o600)
    return msgspec.json.decode(dump.with_suffix(".json").read_bytes(), type=Played)


def migrated(dump: Path, folder: Path) -> Played:
    """The same, and brought to the present format as an operator does it."""
    game = unpack(dump, folder)
    migrate(Settings(database=folder / "decklog.sqlite"), games())
    return game


def write(target: Path) -> None:
    """A store with a game of Pennant in the middle."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with running(folder, "pennant", chain_length=64, key=KEY) as server:
            with httpx.Client(base_url=server.url, timeout=30) as client:
                game = create(client, "pennant", options={"turns": 30})
                play(client, game, COMMANDS, seed="kept")
            server.stop()
        with closing(sqlite3.connect(server.database)) as connection:
            target.write_text("\n".join(connection.iterdump()) + "\n", "utf-8")
    target.with_suffix(".json").write_bytes(msgspec.json.encode(game) + b"\n")


def main() -> int:
    target = FOLDER / f"store-format-{FORMAT}.sql"
    if target.exists():
        print(f"{target.name} is kept already")
        return 1
    write(target)
    print(f"{target.name} is written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
