"""Evidence files as the commands are given them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .mistakes import Mistake

if TYPE_CHECKING:
    from service.evidence.casefile import Case


SECRET = 32
"""Bytes of a secret: a game's master, a player's own."""


def is_file(target: str) -> bool:
    """Whether ``target`` is an evidence file rather than the id of a game."""
    return Path(target).is_file() or target.endswith(".decklog") or "/" in target


def moment(target: str, at: int | None) -> tuple[str, int | None]:
    """``FILE@N``, as a moment of a file is told, in its parts; ``at`` wins."""
    path, _, number = target.rpartition("@")
    if path and number.isascii() and number.isdigit() and Path(path).is_file():
        return path, int(number) if at is None else at
    return target, at


def opened(path: str, data: bytes) -> Case:
    """An evidence file, checked as far as it can be without dice and rules. Raises Mistake."""
    from service.evidence import casefile, verdict

    try:
        return casefile.open_case(*casefile.unpack(data))
    except casefile.Unreadable as error:
        raise Mistake(
            f"{path} is not a readable evidence file: {error}.",
            "Export it again, or copy it as a binary file.",
            "evidence.unreadable",
        ) from None
    except verdict.Refuted as error:
        raise Mistake(
            f"{path} contradicts itself ({error}).",
            f"decklog verify {path} says where and how.",
            "evidence.refuted",
        ) from None


def read_secret(path: str, wrong: Mistake) -> bytes:
    """32 bytes that a file holds in hex. Raises Mistake: ``wrong`` where it holds none."""
    text = read_bytes(path).decode("ascii", "replace").strip()
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        raise wrong from None
    if len(secret) != SECRET:
        raise wrong
    return secret


def read_bytes(path: str) -> bytes:
    """The file's bytes, or just enough to see that it is too large. Raises Mistake."""
    from service.container import BUNDLE

    try:
        with Path(path).open("rb") as file:
            return file.read(BUNDLE.size + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Mistake(
            f"{path} cannot be read: {reason}.", "Check the name of the file.", "file.unreadable"
        ) from None


def write_page(path: str, page: str) -> None:
    """One HTML file. Raises Mistake."""
    try:
        Path(path).write_text(page, encoding="utf-8")
    except OSError as error:
        hint = "Name another file with --page."
        raise Mistake(f"{path} cannot be written: {error.strerror}.", hint, "file") from None
