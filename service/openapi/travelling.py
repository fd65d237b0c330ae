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
    await recorder.record("getDiff", "GET", f"{game}/diff?from={max(2, rolled - 3)}&to={rolled}")
    stranger = (await recorder.ask("POST", "/v1/games", json={"ruleset": recorder.ruleset})).json()
    beside = f"{game}/diff?with={stranger['game']['id']}"
    await recorder.problem("diff.unrelated", "GET", beside)
    rolls = (await recorder.ask("GET", f"{game}/rolls?limit=1")).json()["items"]
    await recorder.record("getReasons", "GET", f"{game}/why?event={rolls[0]['event']}")
    await recorder.record("listMentions", "GET", f"{game}/mentions?limit=2")
