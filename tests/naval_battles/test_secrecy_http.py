"""Two worlds over HTTP that differ only in what p3 drew, or chose, answer all others alike.

Everything that a caller gets to see is compared: status, headers, bodies and sizes of pages, views
of many versions, streams, the list of commands, refusals, dry runs, the ledger of rolls, the log,
and the evidence of the running game.
"""

from __future__ import annotations

import io
import logging
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.setup import ready_fleets
from service.app import create_app
from service.clock import FixedClock
from service.dice.vault import Batch, FaceRows, Rolled
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from service.openapi.recorder import Placeholders
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.support.contract import Contract

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SEATS = ("p1", "p2", "p3")
DRAWER = "p3"
"""Draws last, so that the others' draws do not hang on what he got."""
DEALT = "draw-4"
"""The label of his draw: after one roll for the first turn and the draws of the two before him."""

NATIONS = {"p1": "japan", "p2": "germany", "p3": "italy"}
HEX = re.compile(rb"[0-9a-f]{12,}")
PASS = {"type": "naval-battles.pass"}
STRAYS: tuple[dict[str, Any], ...] = (
    PASS,
    {"type": "naval-battles.prepare", "card": "near-miss", "ship": "jp-kagero"},
    {"type": "naval-battles.attack", "card": "main-14-18-4", "ships": ["jp-yamato"],
     "mounts": ["main-18"], "target": "it-roma"},
    {"type": "naval-battles.defend", "card": "evasive-action", "attack": 1},
    {"type": "naval-battles.discard", "cards": ["near-miss"]},
    {"type": "naval-battles.discard", "cards": ["no-such-card"]},
    {"type": "naval-battles.commit-fleet", "ships": ["it-roma"]},
)  # fmt: skip
VIEWERS = ("p1", "p2", "public", "organiser")


class Loaded:
    """p1 moves first; and where it is ``on``, the dice by which p3 draws fall otherwise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on = False
        honest = Batch.roll

        def roll(batch: Batch, label: str, pools: Any) -> FaceRows:
            faces = honest(batch, label, pools)
            if label.startswith("first-"):
                faces = ((6, 1, 1),)
            elif self.on and label == DEALT:
                faces = tuple(
                    tuple(pool.sides + 1 - face for face in row)
                    for pool, row in zip(pools, faces, strict=True)
                )
            batch.rolls[-1] = Rolled(label, tuple(pools), faces)
            return faces

        monkeypatch.setattr(Batch, "roll", roll)


@contextmanager
def service(folder: Path) -> Iterator[tuple[Table, Match]]:
    """A game of three in which all have a nation."""
    folder.mkdir()
    settings = Settings(
        database=folder / "w.sqlite", key="07" * 32, chain_length=64, log_level="DEBUG"
    )
    app = create_app(settings, {"naval-battles": GAME}, FixedClock(NOON))
    app.state.http.limits.requests._clock = lambda: 0.0
    with TestClient(app) as client:
        table = Table(client, Contract.of(app.state.http.describe()))
        seats = [{"seat": seat} for seat in SEATS]
        match = table.create(seed="two worlds", ruleset="naval-battles", seats=seats)
        for seat, nation in NATIONS.items():
            give(table, match, seat, {"type": "naval-battles.choose-nation", "nation": nation})
        yield table, match


def give(table: Table, match: Match, seat: str, command: dict[str, Any]) -> None:
    done = table.command(match, seat, command)
    assert done.status_code == 200, done.text


def commit(table: Table, match: Match, fleets: dict[str, tuple[str, ...]]) -> None:
    for seat in SEATS:
        ships = fleets.get(seat, ready_fleets(NATIONS[seat])[0])
        give(table, match, seat, {"type": "naval-battles.commit-fleet", "ships": list(ships)})


def lay_out(table: Table, match: Match, *seats: str) -> None:
    for seat in seats:
        give(table, match, seat, table.options(match, seat)["items"][0]["command"])


def passing(table: Table, match: Match, commands: int) -> None:
    """Whoever is asked passes: nobody shows a card, nobody draws."""
    for _ in range(commands):
        game = table.get(match.path).json()
        give(table, match, game["toMove"][0]["seat"], PASS)


def observed(table: Table, match: Match, viewer: str) -> list[Any]:
    """Everything that the caller gets to see."""
    token = {**match.tokens, "public": "", "organiser": match.organiser}[viewer]
    version = table.version(match)
    reads = [
        "",
        "/view",
        "/commands",
        "/pieces",
        "/events",
        "/events?after=4",
        "/events?limit=3",
        "/rolls",
    ]
    reads += [f"/view?at={at}" for at in range(1, version, 20)]
    rolls = table.get(f"{match.path}/rolls", token).json()["items"]
    reads += [f"/rolls/{roll['id']}" for roll in rolls]
    seen: list[httpx.Response] = [table.plainly(match.path + rest, token) for rest in reads]
    seen += [
        table.get(f"{match.path}/events?follow=false", token, Accept=media)
        for media in ("application/x-ndjson", "text/event-stream")
    ]
    path = f"{match.path}/commands"
    for body in STRAYS:
        seen.append(table.post(path, body, token, version=1))
        seen.append(table.post(f"{path}/check", body, token))
    told = [[r.status_code, sorted(map(list, r.headers.items())), r.text] for r in seen]
    found: list[Any] = Placeholders().replace(told)
    return [*found, unhashed(table.get(f"{match.path}/evidence", token).content)]


def unhashed(evidence: bytes) -> list[tuple[str, bytes]]:
    """The files of a bundle without its digests, which stand for what is sealed, and ids."""
    with zipfile.ZipFile(io.BytesIO(evidence)) as bundle:
        return [(name, HEX.sub(b"#", bundle.read(name))) for name in bundle.namelist()]


Seen = dict[str, list[Any]]


def all_see(table: Table, match: Match, seen: Seen) -> None:
    """What each viewer sees is added to what it saw before."""
    for viewer in (*VIEWERS, DRAWER):
        seen.setdefault(viewer, []).extend(observed(table, match, viewer))


@pytest.mark.timeout(300)
def test_what_p3_drew_is_in_no_answer_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After the deal, and after two turns in which nobody showed a card."""
    dice = Loaded(monkeypatch)
    worlds: list[Seen] = [{}, {}]
    with caplog.at_level(logging.DEBUG):
        for dice.on, seen in zip((False, True), worlds, strict=True):
            with service(tmp_path / str(dice.on)) as (table, match):
                commit(table, match, {})
                lay_out(table, match, *SEATS)
                all_see(table, match, seen)
                passing(table, match, 10)
                all_see(table, match, seen)
    alike(*worlds)
    own = [record.getMessage() for record in caplog.records if record.name != "httpx"]
    assert not re.search(r"near-miss|faces|main-1|torpedo", "\n".join(own)), "no card in the log"


def alike(one: Seen, other: Seen) -> None:
    """All see the same bytes but p3: there the comparison shows that it can see a difference."""
    for viewer in VIEWERS:
        for first, second in zip(one[viewer], other[viewer], strict=True):
            assert first == second, viewer
    pairs = zip(one[DRAWER], other[DRAWER], strict=True)
    assert sum(first != second for first, second in pairs) > 10


FLEETS = sorted(ready_fleets("italy"), key=len)


@pytest.mark.timeout(300)
def test_a_secret_fleet_is_in_no_answer_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few large ships or many small ones: until p3 lays out, nobody can tell."""
    Loaded(monkeypatch)
    worlds: list[Seen] = [{}, {}]
    for number, (fleet, seen) in enumerate(zip((FLEETS[0], FLEETS[-1]), worlds, strict=True)):
        with service(tmp_path / str(number)) as (table, match):
            commit(table, match, {DRAWER: fleet})
            all_see(table, match, seen)
            lay_out(table, match, "p1", "p2")
            all_see(table, match, seen)
    assert len(FLEETS[0]) < len(FLEETS[-1])
    alike(*worlds)


def test_dice_of_the_deck_are_in_no_answer_to_anybody_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tokens together see no face of a draw; when the game is over all check them."""
    Loaded(monkeypatch)
    with service(tmp_path / "sealed") as (table, match):
        commit(table, match, {})
        lay_out(table, match, *SEATS)
        for viewer in (*SEATS, "public", "organiser"):
            found = sealed(table, match, viewer)
            assert {roll["label"] for roll in found} == {"draw-2", "draw-3", DEALT}
            assert not any(roll["faces"] for roll in found), viewer
            assert upheld(table, match, viewer).scope == "partial"
        for seat in ("p1", "p2"):
            give(table, match, seat, {"type": "naval-battles.resign"})
        verdict = upheld(table, match, "public")
        assert verdict.scope == "complete"
        assert next(c.count for c in verdict.checks if c.check == "dice") == 3 + 3 * 7


def upheld(table: Table, match: Match, viewer: str) -> Verdict:
    token = {**match.tokens, "public": "", "organiser": match.organiser}[viewer]
    verdict = verify(table.get(f"{match.path}/evidence", token).content, {"naval-battles": GAME})
    assert verdict.word == "UPHELD", verdict.text()
    return verdict


def sealed(table: Table, match: Match, viewer: str) -> list[dict[str, Any]]:
    """The rolls of sealed batches as the viewer's token shows them."""
    token = {**match.tokens, "public": "", "organiser": match.organiser}[viewer]
    events = table.get(f"{match.path}/events?limit=200", token).json()["items"]
    batches = [e["data"] for e in events if e["type"] == "decklog.batch-rolled"]
    return [roll for b in batches if b["domain"] == "sealed" for roll in b["rolls"]]
