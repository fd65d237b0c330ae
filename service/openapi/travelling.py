"""Examples of the time-travel desk, recorded from the game that the others are recorded from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .record import Recorder

PLAIN = {"Accept": "text/plain"}


async def travelling(recorder: Recorder, game: str, rolled: int) -> None:
    """``game`` is the path of one whose dice have fallen at version ``rolled``."""
    await recorder.record("getMoment", "GET", f"{game}/moment?at={rolled}")
    await recorder.record("getReport", "GET", f"{game}/report?at={rolled}")
    await recorder.record("getReport", "GET", f"{game}/report?at={rolled}", headers=PLAIN)
    await recorder.record("getBoard", "GET", f"{game}/board.svg?at={rolled}")
    await recorder.problem("viewer.not-entitled", "GET", f"{game}/view?as=truth")
