"""What a player keeps of a seat: its token, the secret of its dice, the keys of its orders."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from .mistakes import Mistake

if TYPE_CHECKING:
    from service.bots.signer import Signer

SECRET = re.compile("[0-9a-f]{64}")


class SeatFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The file of one seat.

    secret  of its chain of dice, in hex
    keys    secret halves of the keys that sign its orders, in hex: the last is the newest
    """

    game: str
    seat: str
    token: str
    secret: str
    keys: list[str] = []

    def signers(self) -> list[Signer]:
        """The keys, the newest first."""
        from service.bots.signer import Signer

        return [Signer(bytes.fromhex(each)) for each in reversed(self.keys)]

    def signer_of(self, public: str) -> Signer | None:
        """The one of a public key; None where it is not here."""
        return next((each for each in self.signers() if each.registered["public"] == public), None)


def read_seat(kept: Path) -> SeatFile:
    """Raises Mistake."""
    try:
        found = msgspec.json.decode(kept.read_bytes(), type=SeatFile)
    except (OSError, msgspec.MsgspecError) as error:
        raise Mistake(f"{kept} cannot be read: {error}.", "", "file.unreadable") from None
    if not all(SECRET.fullmatch(each) for each in (found.secret, *found.keys)):
        hint = "It holds what cannot be made again: look for a copy."
        raise Mistake(f"{kept} was not written by decklog agent --take.", hint, "file.unreadable")
    return found


def signer_for(kept: Path, told: SeatFile, summary: dict[str, Any]) -> Signer | None:
    """The key of the file that the game has of the seat; None where it has none. Raises Mistake
    where it has another."""
    public = next((each["orderKey"] for each in summary["seats"] if each["seat"] == told.seat), "")
    signer = told.signer_of(public)
    if public and signer is None:
        hint = "The key of another device; an organiser can rule that yours takes its place."
        raise Mistake(f"{kept} has not the key of {told.seat}.", hint, "file.other")
    return signer


def begin_seat(kept: Path, told: SeatFile) -> None:
    """For its owner's eyes alone, and where there is none. Raises Mistake."""
    try:
        opened = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise Mistake(f"{kept} cannot be made: {error.strerror}.", "", "file.unwritable") from None
    with os.fdopen(opened, "wb") as file:
        file.write(msgspec.json.encode(told))
        # What is used before the disk has it is lost with the machine, and cannot be made again.
        file.flush()
        os.fsync(file.fileno())


def write_seat(kept: Path, told: SeatFile) -> None:
    """In its place: whole, or not at all."""
    fresh = kept.with_name(kept.name + ".new")
    fresh.unlink(missing_ok=True)
    begin_seat(fresh, told)
    fresh.replace(kept)
