"""Two worlds that differ only in the order that is locked: nobody else sees a byte of it.

A locked order waits for the links of its dice (grade A2). What may differ is what stands on it: the
heads, receipts and seals that all such tests leave out, and the salted digest of the order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.bots.agent import Chain
from service.clock import FixedClock
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.service.http.test_two_worlds_war_at_sea import CHANCE, NOON, same_chance
from tests.service.http.test_two_worlds_war_at_sea import told as plain
from tests.support.contract import Contract
from tests.support.pennant import GAME
from tests.support.service_keys import service_keys

__all__ = ["same_chance"]

AIMS = ("hull", "magazine")
VIEWERS = ("p2", "public", "organiser")
DIGEST = re.compile(rb'("digest":)"[0-9a-f]{64}"')
READS = (
    "", "/view", "/commands", "/commands?limit=1", "/pieces", "/rolls", "/evidence",
    "/moment", "/report", "/diff?from=2", "/luck", "/events", "/events?after=4&limit=2",
)  # fmt: skip
SEATS = ("p1", "p2")


@contextmanager
def service(folder: Path) -> Iterator[Table]:
    folder.mkdir()
    CHANCE.seed(7)
    settings = Settings(
        database=folder / "w.sqlite", key="07" * 32, chain_length=64, log_level="ERROR",
        keys=str(service_keys(folder).folder),
    )  # fmt: skip
    app = create_app(settings, {"pennant": GAME}, FixedClock(NOON))
    app.state.http.limits.requests._clock = lambda: 0.0
    with TestClient(app) as client:
        client.headers["X-Request-Id"] = "the-same-in-both"
        client.headers["Accept-Encoding"] = "identity"
        yield Table(client, Contract.of(app.state.http.describe()))


class World:
    """A game in which p1 has aimed, and the order is locked."""

    def __init__(self, table: Table, aim: str) -> None:
        self.table, self.keys = table, 0
        seats = [{"seat": seat, "hold": "open"} for seat in SEATS]
        wish: dict[str, Any] = {"ruleset": "pennant", "grade": "A2", "seats": seats}
        self.match: Match = table.create(key=self.key(), options={"turns": 9}, **wish)
        game = table.get(self.match.path).json()
        self.chains = [Chain(bytes([place]) * 32, game, place) for place in (0, 1)]
        for seat, chain in zip(SEATS, self.chains, strict=True):
            taking = {"seat": seat, "diceTip": chain.tip.hex()}
            taken = table.post(f"{self.match.path}/seats", taking, key=self.key())
            self.match.tokens[seat] = taken.json()["token"]
        for seat in SEATS:
            self.give(seat, {"type": "pennant.choose", "colour": "bold"})
        self.give("p1", {"type": "pennant.fire", "aim": aim})

    def key(self) -> str:
        self.keys += 1
        return f"a-key-of-this-world-{self.keys:012}"

    def give(self, seat: str, command: dict[str, Any]) -> None:
        done = self.table.command(self.match, seat, command, key=self.key())
        assert done.status_code == 200, done.text

    def link(self, place: int) -> None:
        giving = {"upto": 1, "link": self.chains[place].link(1).hex()}
        token = self.match.tokens[SEATS[place]]
        done = self.table.post(f"{self.match.path}/links", giving, token, key=self.key())
        assert done.status_code == 200, done.text

    def look(self, viewer: str) -> list[tuple[Any, ...]]:
        token = {"public": "", "organiser": self.match.organiser}.get(
            viewer, self.match.tokens.get(viewer, "")
        )
        seen = [self.table.get(self.match.path + rest, token) for rest in READS]
        version = self.table.version(self.match)
        for command in ({"type": "pennant.pass"}, {"type": "pennant.fire", "aim": "hull"}):
            path = f"{self.match.path}/commands"
            asked = self.table.post(path, command, token, key=self.key(), version=version)
            seen += [asked, self.table.ask("POST", f"{path}/check", token, json=command)]
        return [told(each) for each in seen]


def told(answer: Any) -> tuple[Any, ...]:
    *others, fields, body = plain(answer)
    # The tag of a page is over its body, and so over the digest that the lock has in it.
    locked = b"orders-locked" in body
    kept = [(name, value) for name, value in fields if name != "etag" or not locked]
    return (*others, kept, DIGEST.sub(rb'\1"#"', body))


@pytest.mark.parametrize("viewer", [*VIEWERS, "p1"])
def test_no_byte_tells_what_is_locked(tmp_path: Path, viewer: str) -> None:
    seen = []
    for aim in AIMS:
        with service(tmp_path / aim) as table:
            world = World(table, aim)
            moments = [world.look(viewer)]
            world.link(0)
            moments.append(world.look(viewer))
            seen.append(moments)
            world.link(1)
            assert table.get(world.match.path).json()["locked"] is None
    differing = [
        ours[0]
        for one, other in zip(*seen, strict=True)
        for ours, theirs in zip(one, other, strict=True)
        if ours != theirs
    ]
    if viewer == "p1":
        assert any("/events" in where for where in differing), "its own seat sees its order"
    else:
        assert differing == []
