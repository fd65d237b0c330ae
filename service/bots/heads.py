"""What a client has seen of a game's chain, so that it notices when it is told another one.

A head is number and hash of an event; it fixes all events up to it. Of each game the newest is
kept, in a folder where there is one, and compared again when the client comes back. Where the
record is another, both heads are written to a file (``decklog equivocation`` reads it).
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

FIELD = "Decklog-Head"
RECEIPT = "Decklog-Receipt"
FORMAT = "decklog-heads"

_FIELD = re.compile(r'([1-9][0-9]{0,15});hash="([0-9a-f]{64})"')
_GAME = re.compile(r"/v1/games/([0-9a-f]{32})(?:[/?]|\Z)")
_KEPT = re.compile(r"([1-9][0-9]{0,15}) ([0-9a-f]{64})\n")


class Head(NamedTuple):
    """Number and hash of an event."""

    seq: int
    hash: str


class OtherRecord(Exception):
    """The service tells of a game what it has not told before in that place, or nothing.

    kept   what it told before
    found  what it tells now of the same number; None where it has no such event any more
    file   where both are written down, if anywhere
    """

    def __init__(self, game: str, kept: Head, found: Head | None, file: Path | None) -> None:
        now = f"now {found.hash}" if found else "now there is no such event"
        told = f"Event {kept.seq} of game {game} was {kept.hash}, and {now}."
        super().__init__(told)
        self.game, self.kept, self.found, self.file = game, kept, found, file


def game_of(address: str) -> str:
    """The game that a path or an address is about; "" for none."""
    found = _GAME.search(address)
    return found[1] if found else ""


def read_field(value: str) -> Head | None:
    """The head that a header field names."""
    found = _FIELD.fullmatch(value)
    return Head(int(found[1]), found[2]) if found else None


class Heads:
    """The newest head of each game that somebody has seen.

    folder   keeps them from run to run; None: they are kept in memory
    service  who told them, for the file that says so
    """

    def __init__(self, folder: Path | None = None, service: str = "") -> None:
        self._folder, self._service = folder, service
        self._known: dict[str, Head] = {}

    def newest(self, game: str) -> Head | None:
        """What is kept of a game."""
        return self._known.get(game) or self._read(game)

    def note(self, game: str, head: Head | None) -> None:
        """Somebody was told this head. Raises OtherRecord where it is another than before."""
        if not game or head is None:
            return
        kept = self.newest(game)
        if kept is not None and kept.seq == head.seq and kept != head:
            self._broken(game, kept, head)
        if kept is None or head.seq > kept.seq:
            self._known[game] = head
            self._write(f"{game}.head", f"{head.seq} {head.hash}\n")

    def keep(self, game: str, head: Head | None, receipt: str) -> None:
        """What the service has signed when it took something: a file, which convicts it where its
        record lacks that (``decklog verify --receipt``)."""
        if game and head is not None and receipt:
            self._write(f"{game}-{head.seq}.receipt", receipt + "\n")

    def confirm(self, game: str, kept: Head, event: dict[str, Any] | None) -> None:
        """What the service has now in the place of the head that was kept. Raises OtherRecord."""
        found = Head(event["seq"], event["hash"]) if event else None
        if found != kept:
            self._broken(game, kept, found)

    def _broken(self, game: str, kept: Head, found: Head | None) -> None:
        told = {
            "format": FORMAT, "v": 1, "game": game, "service": self._service,
            "heads": [each._asdict() for each in (kept, found) if each],
        }  # fmt: skip
        file = self._write(f"{game}.heads.json", json.dumps(told, indent=2) + "\n")
        raise OtherRecord(game, kept, found, file)

    def _read(self, game: str) -> Head | None:
        if self._folder is not None and game:
            with suppress(OSError, UnicodeDecodeError):
                found = _KEPT.fullmatch((self._folder / f"{game}.head").read_text("ascii"))
                return Head(int(found[1]), found[2]) if found else None
        return None

    def _write(self, name: str, text: str) -> Path | None:
        """Nothing where it cannot be written: then it is in memory alone."""
        if self._folder is None:
            return None
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = self._folder / f"{name}.new"
            fresh.write_text(text, "ascii")
            return fresh.replace(self._folder / name)
        return None
