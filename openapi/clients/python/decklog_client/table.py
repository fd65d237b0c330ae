"""Whose turn it is at a table, from what answers and streams tell: nothing is polled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .keys import SeatKey
from .wire import Json


class Standing:
    """How a game stands, as far as it was told; the seats that play here."""

    def __init__(self, seats: Iterable[str]) -> None:
        self.seats = tuple(seats)
        self.now: Json | None = None

    def take(self, told: Json | None) -> None:
        """An answer to a command, a moment, a list or a summary; None: it is to be asked."""
        self.now = told.get("standing", told) if told is not None else None

    @property
    def over(self) -> bool:
        return self.now is not None and self.now.get("status") == "finished"

    @property
    def asked(self) -> str:
        """One of the seats here that is asked; "" for none."""
        pending = self.now["toMove"] if self.now is not None else ()
        return next((each["seat"] for each in pending if each["seat"] in self.seats), "")


def question(told: Json, seat: str) -> Json | None:
    """What the seat is asked, by what was told of the game."""
    return next((each for each in told["toMove"] if each["seat"] == seat), None)


def choices(listed: Json) -> list[Any]:
    """The commands of a list, or the ways to end the game where there are no others."""
    items: list[Any] = listed["items"] or listed.get("concessions", [])
    return items


def registering(seats: Iterable[Json], keys: Mapping[str, SeatKey]) -> list[Json]:
    """The seats of a new game, with the keys of those that have one."""
    known = {each["seat"]: each for each in seats}
    for seat, key in keys.items():
        known[seat] = {**known.get(seat, {"seat": seat}), "orderKey": key.registered}
    return list(known.values())
