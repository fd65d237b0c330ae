"""What was told of each game's chain of hashes: another record than before is noticed.

A head is number and hash of an event; it fixes all events up to it. Kept are the newest head and
the newest receipt (what the service has signed when it took something), in a folder where there is
one. Whoever comes back asks for both again. The newest head of the public log is kept beside them.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from . import log

_FIELD = re.compile(r'([1-9][0-9]{0,15});hash="([0-9a-f]{64})"')
_GAME = re.compile(r"/v1/games/([0-9a-f]{32})(?:[/?]|\Z)")
_KEPT = re.compile(r"([1-9][0-9]{0,15}) ([0-9a-f]{64})\n?")


class Head(NamedTuple):
    """Number and hash of an event."""

    seq: int
    hash: str


class OtherRecord(Exception):
    """The service tells another record of a game than before: keep both heads, and ask why.

    kept   what it told before
    found  what it tells now in that place; None where it has no such event any more
    """

    def __init__(self, game: str, kept: Head, found: Head | None, service: str = "") -> None:
        now = f"now it is {found.hash}" if found else "now there is none"
        super().__init__(f"Event {kept.seq} of game {game} was {kept.hash}, and {now}.")
        self.game, self.kept, self.found, self.service = game, kept, found, service

    def document(self) -> dict[str, Any]:
        """Both heads, as ``decklog equivocation`` reads them from a file."""
        heads = [each._asdict() for each in (self.kept, self.found) if each]
        told = {"format": "decklog-heads", "v": 1, "game": self.game}
        return {**told, "service": self.service, "heads": heads}


class Heads:
    """The heads and receipts that somebody has been given.

    folder   where they stay from run to run; None: in memory alone
    service  who told them
    """

    def __init__(self, folder: Path | str | None = None, service: str = "") -> None:
        self._folder = Path(folder) if folder is not None else None
        self._service = service
        self._heads: dict[str, Head] = {}
        self._signed: dict[str, Head] = {}
        self._log: log.Checkpoint | None = None
        self.receipts: dict[str, list[str]] = {}

    @property
    def _log_file(self) -> str:
        """Of each service one: a folder may serve several."""
        mark = sha256(self._service.encode()).hexdigest()[:16]
        return f"log.{mark}.checkpoint"

    def checkpoint(self) -> log.Checkpoint | None:
        """The newest head of the service's public log."""
        if self._log is None and self._folder is not None:
            with suppress(OSError, UnicodeDecodeError):
                self._log = log.read((self._folder / self._log_file).read_text("utf-8"))
        return self._log

    def keep(self, found: log.Checkpoint) -> None:
        """A head of the log that goes on from the one before."""
        known = self.checkpoint()  # another line may have been told a newer one
        if known is None or (found != known and found.size >= known.size):
            self._log = found
            self._write(self._log_file, found.text)

    def broke(self, kept: log.Checkpoint, found: log.Checkpoint | None) -> None:
        """The log is another than before. Raises OtherLog."""
        self._write("log.kept.checkpoint", kept.text)
        if found is not None:
            self._write("log.found.checkpoint", found.text)
        raise log.OtherLog(kept, found)

    def newest(self, game: str) -> Head | None:
        """The newest head of a game."""
        return self._heads.get(game) or self._read(f"{game}.head")

    def signed(self, game: str) -> Head | None:
        """The head that the newest receipt names."""
        return self._signed.get(game) or self._read(f"{game}.signed")

    def kept(self, game: str) -> tuple[Head, ...]:
        """All that has to be so still."""
        both = (self.newest(game), self.signed(game))
        return tuple(dict.fromkeys(each for each in both if each is not None))

    def heard(self, path: str, headers: Mapping[str, str]) -> None:
        """Take in what an answer says. Raises OtherRecord."""
        found = _GAME.search(headers.get("location", "")) or _GAME.search(path)
        field = _FIELD.fullmatch(headers.get("decklog-head", ""))
        if found is None:
            return
        if field is not None:
            self.note(found[1], Head(int(field[1]), field[2]))
        if receipt := headers.get("decklog-receipt"):
            self._receive(found[1], receipt)

    def note(self, game: str, head: Head) -> None:
        """A head was told. Raises OtherRecord where that number had another hash."""
        for kept in self.kept(game):
            if kept.seq == head.seq:
                self.confirm(game, kept, head)
        newest = self.newest(game)
        if newest is None or head.seq > newest.seq:
            self._heads[game] = head
            self._write(f"{game}.head", f"{head.seq} {head.hash}\n")

    def confirm(self, game: str, kept: Head, found: Head | None) -> None:
        """What is there now in the place of a head that was kept. Raises OtherRecord."""
        if found == kept:
            return
        broken = OtherRecord(game, kept, found, self._service)
        self._write(f"{game}.heads.json", json.dumps(broken.document(), indent=2) + "\n")
        raise broken

    def _receive(self, game: str, receipt: str) -> None:
        self.receipts.setdefault(game, []).append(receipt)
        head = receipt_head(receipt)
        if head is None:
            return
        self.note(game, head)
        self._write(f"{game}-{head.seq}.receipt", receipt + "\n")
        signed = self.signed(game)
        if signed is None or head.seq > signed.seq:
            self._signed[game] = head
            self._write(f"{game}.signed", f"{head.seq} {head.hash}\n")

    def _read(self, name: str) -> Head | None:
        if self._folder is None:
            return None
        with suppress(OSError, UnicodeDecodeError):
            found = _KEPT.fullmatch((self._folder / name).read_text("ascii"))
            return Head(int(found[1]), found[2]) if found else None
        return None

    def _write(self, name: str, text: str) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self._folder / f"{name}.new"
        fresh.write_text(text, "utf-8")
        fresh.replace(self._folder / name)


def receipt_head(receipt: str) -> Head | None:
    """The head that a receipt names; its signature is for ``decklog verify --receipt`` to judge."""
    with suppress(ValueError, KeyError, TypeError):
        envelope = json.loads(base64.b64decode(receipt))
        told = json.loads(base64.b64decode(envelope["payload"]))
        return Head(int(told["seq"]), str(told["head"]))
    return None
