"""What webhooks would be told of a game, found by whoever only follows its public stream.

For a program that is being written, on a machine that no service may send to
(``decklog webhooks listen``): the same messages, as far as a stream can tell. Commands of several
seats that come at once have one moment together, where the service tells of each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from domain.kernel.shown.roles import Role
from domain.kernel.values import Seat

from ..evidence.records import ENDS
from . import rows
from .messages import News, body_of, named, told

Json = dict[str, Any]
MOMENT = "moment"


def frames(lines: Iterable[str]) -> Iterator[tuple[str, Json]]:
    """Server-sent events out of lines: type, data."""
    kind, data = "", ""
    for line in lines:
        name, _, value = line.partition(":")
        if not line and data:
            yield kind, json.loads(data)
            kind, data = "", ""
        elif name == "event":
            kind = value.strip()
        elif name == "data":
            data += value.removeprefix(" ")


class Overheard:
    """A game as its stream tells it, with moments.

    after  number of the last event that came
    asked  the open questions at that version, as a game's summary has them
    """

    def __init__(self, after: int, asked: Iterable[Json]) -> None:
        self.after = after
        self._asked = {each["seat"]: each for each in asked}
        self._actors: set[Seat] = set()

    def take(self, kind: str, data: Json) -> Iterator[News]:
        """What is new with this frame of the stream."""
        if kind == MOMENT:
            yield from self._moment(data)
        elif "seq" in data and data["seq"] > self.after:
            self.after = data["seq"]
            self._actors.add(data["actor"])
            if data.get("roles"):
                roles = msgspec.convert(data["roles"], tuple[Role, ...])
                yield News("happened", self.after, roles=roles)
            if kind in ENDS:
                yield News("game-over", self.after)

    def _moment(self, standing: Json) -> Iterator[News]:
        """Who is asked that was not; or otherwise, by what others did."""
        asked = {each["seat"]: each for each in standing["toMove"]}
        old, self._asked = self._asked, asked
        actors, self._actors = self._actors, set()
        for seat, question in asked.items():
            before = old.get(seat)
            if before is None or (question != before and seat not in actors):
                yield News("your-turn", standing["version"], seat)


def message(hook: rows.Hook, news: News, at: str) -> rows.Delivery | None:
    """The message to a receiver, as the service would make it; None where it is told nothing."""
    data = told(hook, news)
    if data is None:
        return None
    name = named(hook.id, news.type, str(data.seq), data.seat)
    return rows.Delivery(
        place=0, id=name, hook=hook.id, message=f"msg_{name}", type=news.type, seq=data.seq,
        body=body_of(news.type, at, data), made=at, state="", tries=0, due=at,
    )  # fmt: skip


def hook_for(game: str, seat: Seat, wishes: rows.Wishes, since: int, secret: str) -> rows.Hook:
    """A webhook that no service knows; the same secret is the same webhook."""
    id_ = hashlib.sha256(f"{game}/{seat}/{secret}".encode()).hexdigest()[:32]
    return rows.Hook(id_, game, seat, since, wishes.words, rows.ACTIVE, "")
