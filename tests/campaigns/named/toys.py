"""Pieces that do nothing: by themselves, since each process that does one imports what is here."""

from __future__ import annotations

import time

from tests.campaigns.named.pieces import Piece

SLOW = 0.05


def silent(piece: Piece, done: int) -> None:
    """Nobody is told."""


def counted(number: int) -> Piece:
    """A piece of three units that takes a while."""
    time.sleep(SLOW)
    return Piece(number, 3, SLOW, "2026-11-25")


def fruitless(number: int) -> Piece:
    return Piece(number, 0, 0.0, "2026-11-25", ("it does not start",))
