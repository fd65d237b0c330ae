"""A stream of server-sent events, cut into what it tells, and taken up again where it broke."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from .wire import FIRST, MOST, Answer, Ask, Broken, problem, reading

OWN = frozenset({"moment", "offers"})


class News(NamedTuple):
    """Something that a stream told.

    kind  "event"; "moment": how the game stands; "offers": what the seat may do
    data  the event, the standing, the list of commands
    """

    kind: str
    data: Any


class Frames:
    """Bytes in pieces of any size, cut into frames: id, type, data."""

    def __init__(self) -> None:
        self._rest = b""
        self._fields: dict[str, list[str]] = {}

    def feed(self, piece: bytes) -> Iterator[tuple[str, str, str]]:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            text = line.removesuffix(b"\r").decode()
            if not text:
                fields, self._fields = self._fields, {}
                if "data" in fields:
                    one = {name: "\n".join(values) for name, values in fields.items()}
                    yield one.get("id", ""), one.get("event", "message"), one["data"]
            elif not text.startswith(":"):
                name, _, value = text.partition(":")
                self._fields.setdefault(name, []).append(value.removeprefix(" "))


class Following:
    """Where a reader of one game's events is, over all the lines that break.

    after  number of the last event that came
    again  the line has broken, and it is taken up again
    over   there will be no more
    """

    def __init__(self, path: str, after: int, query: dict[str, object], patience: float) -> None:
        self._path, self._query, self._patience = path, query, patience
        self._pause, self._waited = FIRST, 0.0
        self.after, self.again, self.over = after, False, False
        self._frames = Frames()

    def ask(self) -> Ask:
        """The request that goes on after the last event."""
        self._frames = Frames()
        ask = reading(f"{self._path}/events", "text/event-stream", **self._query)
        return ask._replace(headers={**ask.headers, "Last-Event-ID": str(self.after)})

    def feed(self, piece: bytes) -> Iterator[News]:
        """What a piece of the stream tells."""
        for number, kind, data in self._frames.feed(piece):
            self._pause, self._waited = FIRST, 0.0
            if kind in OWN:
                yield News(kind, json.loads(data))
            elif number.isdecimal() and int(number) > self.after:
                self.after = int(number)
                yield News("event", json.loads(data))

    def ended(self, told: Answer | Broken) -> float:
        """Seconds to wait before asking again where a line ended; raises when it is no use."""
        self.again = True
        if isinstance(told, Answer) and told.status == 204:
            self.over = True
            return 0.0
        if isinstance(told, Answer) and told.status == 200:
            self._waited = 0.0
        later = isinstance(told, Broken) or told.status in (200, 429, 502, 503, 504)
        asked = told.headers.get("retry-after", "") if isinstance(told, Answer) else ""
        wait = max(self._pause, float(asked) if asked.isdecimal() else 0.0)
        if not later or self._waited + wait > self._patience:
            raise told.error if isinstance(told, Broken) else problem(told)
        self._waited, self._pause = self._waited + wait, min(2 * self._pause, MOST)
        return wait
