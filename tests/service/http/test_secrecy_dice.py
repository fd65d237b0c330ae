"""Two worlds that differ only in what one seat drew answer all others with the same bytes."""

from __future__ import annotations

import io
import logging
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.clock import FixedClock
from service.dice.vault import Batch, FaceRows, Rolled
from service.openapi.recorder import Placeholders
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.support.contract import Contract
from tests.support.soundings import DEPTHS, GAME

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
DRAWER = "p3"
VIEWERS = ("p1", "p2", DRAWER, "public", "organiser")
DRAW, GALE = "soundings.draw", "soundings.gale"
LABELS = ("deal/1/p3", "draw/3/p3", "swell/4/p3", "none")
READS = (
    "", "/view", "/view?at=4", "/view?at=9", "/commands", "/pieces", "/events", "/events?after=4",
    "/board.svg", "/board.svg?at=4", "/board.svg?at=9",
    "/events?limit=3", "/rolls", "/rolls?limit=2", *(f"/rolls/{label}" for label in LABELS),
)  # fmt: skip
HEX = re.compile(rb"[0-9a-f]{12,}")


class Loaded:
    """Dice that fall upside down for one seat: all else is what it would have been."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on = False
        honest = Batch.roll

        def roll(batch: Batch, label: str, pools: Any) -> FaceRows:
            faces = honest(batch, label, pools)
            if self.on and batch.domain == f"side:{DRAWER}":
                faces = tuple(tuple(DEPTHS + 1 - face for face in row) for row in faces)
                batch.rolls[-1] = Rolled(label, tuple(pools), faces)
            return faces

        monkeypatch.setattr(Batch, "roll", roll)


@contextmanager
def world(folder: Path, heard: Heard) -> Iterator[tuple[Table, Match]]:
    """A game in which everybody has drawn and p3 has thrown something away."""
    folder.mkdir()
    settings = Settings(
        database=folder / "w.sqlite", key="07" * 32, chain_length=64, log_level="DEBUG"
    )
    app = create_app(settings, {"soundings": GAME}, FixedClock(NOON))
    app.state.http.limits.requests._clock = lambda: 0.0
    with TestClient(app) as client:
        # The app sets logging up: who listens comes after it.
        logging.getLogger().addHandler(heard)
        logging.getLogger().setLevel(logging.DEBUG)
        table = Table(client, Contract.of(app.state.http.describe()))
        seats = [{"seat": f"p{number}"} for number in (1, 2, 3)]
        fields: dict[str, Any] = {
            "ruleset": "soundings", "options": {"turns": 12}, "seats": seats,
        }  # fmt: skip
        match = table.create(seed="two worlds", **fields)
        play(table, match)
        yield table, match


def play(table: Table, match: Match) -> None:
    """Commands whose kind does not hang on what p3 holds."""
    for seat, kind in (("p1", DRAW), ("p2", GALE), ("p3", DRAW), ("p1", GALE)):
        assert table.command(match, seat, {"type": kind}).status_code == 200
    assert table.command(match, "p2", {"type": "soundings.gale"}).status_code == 200
    hand = table.get(f"{match.path}/view", match.tokens[DRAWER]).json()["state"]["hands"][2]
    thrown = {"type": "soundings.jettison", "depths": hand["items"][:1]}
    assert table.command(match, DRAWER, thrown).status_code == 200


def observed(table: Table, match: Match, token: str) -> list[Any]:
    """Everything that the caller gets to see: status, headers and body of every request."""
    path = f"{match.path}/commands"
    seen: list[httpx.Response] = [table.plainly(match.path + rest, token) for rest in READS]
    seen += [
        table.get(f"{match.path}/events?follow=false", token, Accept=media)
        for media in ("application/x-ndjson", "text/event-stream")
    ]
    thrown = {"type": "soundings.jettison", "depths": [1]}
    for body in (
        {"type": "soundings.draw"},
        thrown,
        {"type": "soundings.jettison", "depths": ["x"]},
    ):
        seen += [
            table.post(path, body, token, version=1),
            table.post(f"{path}/check", body, token),
        ]
    told = [[r.status_code, sorted(map(list, r.headers.items())), r.text] for r in seen]
    found: list[Any] = Placeholders().replace(told)
    return [*found, unhashed(table.get(f"{match.path}/evidence", token).content)]


def unhashed(evidence: bytes) -> list[tuple[str, bytes]]:
    """The files of a bundle without its digests, which stand for what is sealed, and ids."""
    with zipfile.ZipFile(io.BytesIO(evidence)) as bundle:
        return [(name, HEX.sub(b"#", bundle.read(name))) for name in bundle.namelist()]


class Heard(logging.Handler):
    """Keeps what the service itself writes to the log."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith("http"):
            self.lines.append(record.getMessage())


class Worlds(NamedTuple):
    """What each viewer observed in either world, and the log of both."""

    seen: dict[str, list[list[Any]]]
    log: list[str]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    folder, heard = tmp_path_factory.mktemp("worlds"), Heard()
    found = Worlds({viewer: [] for viewer in VIEWERS}, heard.lines)
    root, level = logging.getLogger(), logging.getLogger().level
    with pytest.MonkeyPatch.context() as patch:
        dice = Loaded(patch)
        for dice.on in (False, True):
            with world(folder / str(dice.on), heard) as (table, match):
                tokens = {**match.tokens, "public": "", "organiser": match.organiser}
                for viewer in VIEWERS:
                    found.seen[viewer].append(observed(table, match, tokens[viewer]))
    root.setLevel(level)
    root.removeHandler(heard)
    return found


@pytest.mark.parametrize("viewer", [viewer for viewer in VIEWERS if viewer != DRAWER])
def test_what_a_seat_drew_is_in_no_answer_to_others(worlds: Worlds, viewer: str) -> None:
    one, other = worlds.seen[viewer]
    for first, second in zip(one, other, strict=True):
        assert first == second


def test_the_comparison_sees_a_difference_where_there_is_one(worlds: Worlds) -> None:
    one, other = worlds.seen[DRAWER]
    differing = sum(first != second for first, second in zip(one, other, strict=True))
    assert differing


def test_the_log_knows_nothing_of_dice(worlds: Worlds) -> None:
    assert worlds.log
    assert not re.search(r"faces|depths|draw/", "\n".join(worlds.log))
