"""Secret fleets over HTTP: two worlds that differ only in p2's fleet answer with the same bytes.

The worlds have the same dice, the same clock and the same random identifiers, so that nothing has
to be replaced before they are compared but the seals in the evidence. p1, the public, the organiser
and a player of another game look at everything there is, up to p2's first unit on the map.
"""

from __future__ import annotations

import dataclasses
import io
import random
import re
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.testing import TestClient

from domain.games.war_at_sea import GAME
from domain.kernel.rules import Refused
from service.app import create_app
from service.clock import FixedClock
from service.ops import measures
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.support.contract import Contract
from tests.support.drawing import drawing
from tests.support.heads import header_without, without_heads, without_signatures
from tests.support.service_keys import service_keys

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
WISH: dict[str, Any] = {"ruleset": "war-at-sea", "options": {"axis": "p1", "battleZone": 1}}
OWN = ["myoko", "i-19", "a6m2-zeke"]
BIG = [
    "uss-enterprise-cv-6",
    "sbd-dauntless",
    "sbd-dauntless",
    "uss-atlanta-cl-51",
    "uss-barb-ss-220",
]
WORLDS = {
    "one": BIG,
    "other names": ["uss-washington-bb-56", "pt-boat"],
    "one unit": ["pt-boat"],
    "as many as may be": ["pt-boat"] * 15,
    "Aircraft": ["pt-boat", "f4f-wildcat", "f4f-wildcat", "pby-catalina"],
}
"""Fleets of very different names, sizes and costs."""

POSTED: dict[str, dict[str, Any]] = {
    "scenario": {
        "id": "two-worlds",
        "name": "Two worlds",
        "text": "The Axis sets up first, from the south.",
        "map": "custom",
        "turns": 12,
        "deploys": "first",
        "sides": [
            {"alliance": "Axis", "edge": "south"},
            {"alliance": "Allies", "edge": "north"},
        ],
    },
    "map": next(c for c in GAME.customs if c.kind == "map").examples()[0],
}

EVENTS = ("application/json", "application/x-ndjson", "text/event-stream")
VIEWERS = ("p1", "public", "organiser", "stranger")
MOMENTS = ("p2 has locked", "both have locked", "p1 deploys", "p1 has deployed")


CHANCE = random.Random()
"""In place of the system's generator: each service starts it anew."""


@pytest.fixture(autouse=True)
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Identifiers, tokens and nonces are the same in every world, and no figure is an old one."""
    monkeypatch.setattr(measures, "AGE", -1.0)
    monkeypatch.setattr(secrets, "token_bytes", drawing(CHANCE.randbytes))


class World:
    """A battle in which p2 locks ``fleet``; its dice are those of ``seed``."""

    def __init__(self, table: Table, fleet: list[str], seed: str, posted: bool = False) -> None:
        self.table = table
        self.fleet = fleet
        self.posted = posted
        self.keys = 0
        self.suppose_at = 0
        other = table.create(key="another-game-0001-6b86b273ff34fce1", seed="another", **WISH)
        wish = {"ruleset": "war-at-sea", "customs": self.post()} if posted else WISH
        self.match: Match = table.create(
            key="a-battle-game-0001-d4735e3a265e16ee", seed=seed, **wish
        )
        self.tokens = {
            "p1": self.match.tokens["p1"],
            "public": "",
            "organiser": self.match.organiser,
            "stranger": other.tokens["p2"],
            "p2": self.match.tokens["p2"],
        }

    def post(self) -> dict[str, dict[str, str]]:
        """A scenario and a map of the players' own, for a game to name."""
        kinds = "/v1/rulesets/war-at-sea/customs"
        answers = {
            kind: self.table.post(f"{kinds}/{kind}", document, key=f"a-key-for-the-{kind:->32}")
            for kind, document in POSTED.items()
        }
        return {kind: {"id": answer.json()["id"]} for kind, answer in answers.items()}

    def give(self, seat: str, command: dict[str, Any]) -> httpx.Response:
        done = self.table.command(self.match, seat, command, key=self.key())
        assert done.status_code == 200, done.text
        return done

    def key(self) -> str:
        self.keys += 1
        return f"a-key-of-this-world-{self.keys:012}"

    def moments(self) -> Iterator[str]:
        """The battle up to p2's first unit, stopping where somebody may look."""
        self.give("p2", {"type": "war-at-sea.submit-fleet", "cards": self.fleet})
        yield MOMENTS[0]
        self.give("p1", {"type": "war-at-sea.submit-fleet", "cards": OWN})
        self.suppose_at = self.table.version(self.match)
        yield MOMENTS[1]
        if not self.posted:
            self.give("p1", {"type": "war-at-sea.choose-edge", "edge": "south"})
        for number in range(len(OWN)):
            offers = self.table.options(self.match, "p1")["items"]
            self.give("p1", offers[0]["command"])
            if not number:
                yield MOMENTS[2]
        yield MOMENTS[3]

    def _supposed(self, token: str) -> Iterator[httpx.Response]:
        """What a fork of the battle shows to its maker, and the odds of what nobody may do."""
        path, seed = self.match.path, {"seed": "what if"}
        for command in COMMANDS:
            asked = {"game": self.match.id, "command": command}
            yield self.table.ask("POST", "/v1/odds", token, json=asked)
        made = self.table.post(f"{path}/forks", seed, token, key=self.key())
        yield made
        if made.status_code != 201:
            return
        fork = made.json()
        own, at = fork["tokens"][0]["token"], f"/v1/games/{fork['game']['id']}"
        for rest in ("", "/view", "/events?limit=200", "/commands?as=p2", "/evidence"):
            yield self.table.get(at + rest, own)
        yield self.table.get(f"{at}/diff?with={self.match.id}", own)

    def look(self, viewer: str) -> list[tuple[Any, ...]]:
        """Everything that the viewer can ask for, in bytes and header fields."""
        token, path = self.tokens[viewer], self.match.path
        version = self.table.version(self.match)
        seen = [self.table.get(path + rest, token) for rest in READS]
        for media in EVENTS:
            for after in (0, version - 1, version):
                query = f"after={after}&follow=false&limit=3"
                seen.append(self.table.get(f"{path}/events?{query}", token, Accept=media))
        for part in ("view", "board.svg"):
            at_each = (f"{path}/{part}?at={at}" for at in range(1, version + 2))
            seen += [self.table.get(each, token) for each in at_each]
        tag = self.table.get(f"{path}/view", token).headers["etag"]
        seen += [self.table.get(f"{path}/view", token, If_None_Match=each) for each in (tag, '"1"')]
        seen += [self.table.get(other, token) for other in ("/v1/games", "/v1", "/readyz")]
        if token:
            legal = {"type": "war-at-sea.submit-fleet", "cards": OWN}
            seen.append(self.table.ask("POST", f"{path}/commands/check", token, json=legal))
            for command in COMMANDS:
                for at in (version - 1, version):
                    seen.append(
                        self.table.post(
                            f"{path}/commands", command, token, key=self.key(), version=at
                        )
                    )
                seen.append(self.table.ask("POST", f"{path}/commands/check", token, json=command))
            events = self.table.get(f"{path}/events?limit=200", token).json()["items"]
            for order in ["c_0", *sorted({each["causedBy"] for each in events} - {""})]:
                back = f"{path}/takebacks"
                seen.append(self.table.post(back, {"command": order}, token, key=self.key()))
            for at in range(1, version + 2):
                for command in (legal, *COMMANDS):
                    check = f"{path}/commands/check?at={at}"
                    seen.append(self.table.ask("POST", check, token, json=command))
            passing = {"public": "00" * 32, "signature": "00" * 64}
            seen.append(self.table.post(f"{path}/keys", passing, token, key=self.key()))
        if version == self.suppose_at:
            seen += self._supposed(token)
        taking = {"seat": "p2"}
        seen.append(self.table.post(f"{path}/seats", taking, token, key=self.key()))
        found: list[tuple[Any, ...]] = [told(each) for each in seen]
        found.append(("metrics", counted(self.table.get("/metrics").text)))
        return found


READS = (
    "", "/view", "/commands", "/commands?limit=1", "/pieces", "/rolls", "/evidence", "/rolls/none",
    "/moment", "/moment?at=3", "/report", "/diff", "/diff?from=2", "/luck", "/mentions",
    "/mentions?unit=p2-1", "/mentions?unit=yamato", "/why?path=/fleets/p2", "/why?path=/units",
    "/why?event=4", "/why?event=5", "/why?roll=none",
)  # fmt: skip

COMMANDS: tuple[dict[str, Any], ...] = (
    {"type": "war-at-sea.submit-fleet", "cards": BIG},
    {"type": "war-at-sea.submit-fleet", "cards": ["yamato", "yamato"]},
    {"type": "war-at-sea.deploy", "card": "yamato", "at": "1.1"},
    {"type": "war-at-sea.deploy", "card": BIG[0], "at": "11.1"},
    {"type": "war-at-sea.deploy", "card": "pt-boat", "at": "11.1"},
    {"type": "war-at-sea.attack", "unit": "p1-1", "weapon": "main", "target": "p2-1"},
    {"type": "war-at-sea.use", "unit": "p2-1", "ability": "expert-bomber", "on": "p2-2"},
    {"type": "war-at-sea.pass"},
)
"""Orders that nobody may give p1 here, and that would be oracles if their refusal depended on what
p2 has."""


def told(answer: httpx.Response) -> tuple[Any, ...]:
    where = f"{answer.request.method} {answer.request.url.raw_path.decode()}"
    items = sorted(answer.headers.multi_items())
    fields = [(name, header_without(name, value, answer.content)) for name, value in items]
    if answer.headers.get("content-type") == "application/zip":
        fields = [field for field in fields if field[0] != "etag"]
        return where, answer.status_code, fields, without_seals(answer.content)
    body = without_heads(answer.content)
    return where, answer.status_code, fields, body


HASH = re.compile(rb"[0-9a-f]{64}")


def without_seals(bundle: bytes) -> bytes:
    """The evidence without its hashes, and without the check sums of the ZIP over them.

    Seals are salted hashes of what is secret, and the chain is made with them: they differ and tell
    nothing. All else, each length and each place, has to be the same.
    """
    with zipfile.ZipFile(io.BytesIO(bundle)) as files:
        parts = [
            b"%s %d\n%s"
            % (info.filename.encode(), info.file_size, without_signatures(files.read(info)))
            for info in files.infolist()
        ]
    return b"%d bytes\n" % len(bundle) + HASH.sub(b"#", b"\n".join(parts))


OF_THE_MACHINE = re.compile(r"process_|python_|decklog_(projection_lag|room|clock_skew|following)")


def counted(text: str) -> str:
    """The counters without those of time and of haste, which differ from run to run."""
    lines = [line for line in text.splitlines() if "seconds" not in line]
    return "\n".join(line for line in lines if not OF_THE_MACHINE.match(line))


@contextmanager
def service(folder: Path, game: Any = GAME) -> Iterator[Table]:
    """A service that begins with the same chance and the same key as every other one."""
    folder.mkdir()
    CHANCE.seed(5)
    settings = Settings(
        database=folder / "w.sqlite", key="07" * 32, chain_length=64, log_level="ERROR",
        keys=str(service_keys(folder).folder),
    )  # fmt: skip
    app = create_app(settings, {"war-at-sea": game}, FixedClock(NOON))
    app.state.http.limits.requests._clock = lambda: 0.0
    with TestClient(app) as client:
        # Otherwise each request has an id of its own, which is no secret but differs.
        client.headers["X-Request-Id"] = "the-same-in-both"
        # In gzip the size of an answer hangs on its heads.
        client.headers["Accept-Encoding"] = "identity"
        yield Table(client, Contract.of(app.state.http.describe()))


@pytest.fixture
def seed(tmp_path: Path) -> str:
    """Dice with which p1 deploys first; they are others when the files of the rules change."""
    if not FOUND:
        FOUND.append(falling_for_p1(tmp_path / "seeds"))
    return FOUND[0]


FOUND: list[str] = []
"""The seed, once it is found: each service begins alike, so that it is the same for every test."""


def falling_for_p1(folder: Path) -> str:
    with service(folder) as table:
        for number in range(64):
            match = table.create(seed=f"world {number}", **WISH)
            for seat, cards in (("p2", BIG), ("p1", OWN)):
                table.command(match, seat, {"type": "war-at-sea.submit-fleet", "cards": cards})
            if table.get(match.path).json()["toMove"][0]["seat"] == "p1":
                return f"world {number}"
    raise AssertionError("the coin never falls for p1")


def observed(
    folder: Path, fleet: list[str], seed: str, viewer: str, posted: bool = False
) -> dict[str, list[tuple[Any, ...]]]:
    with service(folder) as table:
        here = World(table, fleet, seed, posted)
        return {moment: here.look(viewer) for moment in here.moments()}


@pytest.mark.slow("secrecy")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_byte_tells_what_fleet_the_other_side_has(
    tmp_path: Path, seed: str, viewer: str
) -> None:
    seen = [observed(tmp_path / name, fleet, seed, viewer) for name, fleet in WORLDS.items()]
    assert list(seen[0]) == list(MOMENTS)
    for name, other in zip(list(WORLDS)[1:], seen[1:], strict=True):
        for moment in MOMENTS:
            for ours, theirs in zip(seen[0][moment], other[moment], strict=True):
                assert ours == theirs, (viewer, name, moment, ours[0])


@pytest.mark.slow("secrecy")
@pytest.mark.parametrize("viewer", ["p1", "public"])
def test_no_byte_tells_it_in_a_posted_scenario_on_a_posted_map(tmp_path: Path, viewer: str) -> None:
    names = ("one", "one unit", "Aircraft")
    seen = [observed(tmp_path / name, WORLDS[name], "p", viewer, posted=True) for name in names]
    assert list(seen[0]) == list(MOMENTS)
    for other in seen[1:]:
        for moment in MOMENTS:
            assert seen[0][moment] == other[moment], (viewer, moment)


def test_the_owner_sees_the_difference(tmp_path: Path, seed: str) -> None:
    one, two = (observed(tmp_path / n, WORLDS[n], seed, "p2") for n in ("one", "other names"))
    differing = {
        ours[0].partition("?")[0].rpartition("/")[2]
        for ours, theirs in zip(one[MOMENTS[0]], two[MOMENTS[0]], strict=False)
        if ours[1:] != theirs[1:]
    }
    assert {"view", "events", "evidence"} <= differing, differing


# Deliberate leaks: a comparison that misses one of these is void


def size(state: Any) -> int:
    """How many units p2's fleet has, where the state knows; 0 elsewhere."""
    return len(getattr(state.fleets.get("p2"), "items", ()))


def boastful_decide(state: Any, seat: str, command: Any) -> Any:
    if seat == "p1" and size(state):
        raise Refused("fleet.over-points", "WAS-FLEET-34", f"p2 has {size(state)} units.")
    return GAME.decide(state, seat, command)


def boastful_pending(state: Any) -> Any:
    return tuple(
        msgspec.structs.replace(asked, optional=size(state) > 1) for asked in GAME.pending(state)
    )


LEAKS: dict[str, dict[str, Any]] = {
    "a redaction that hides nothing": {"redact": lambda event, viewer: event},
    "points that count the units": {"scores": lambda state: {"p1": 0, "p2": size(state)}},
    "a refusal that was decided on the truth": {"decide": boastful_decide},
    "a question that depends on the fleet": {"pending": boastful_pending},
}


@pytest.mark.slow("secrecy")
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_seen(tmp_path: Path, leak: str) -> None:
    game = dataclasses.replace(GAME, **LEAKS[leak])
    seen = []
    for name in ("one", "one unit"):
        with service(tmp_path / name, game) as table:
            here = World(table, WORLDS[name], "leak")
            next(here.moments())
            seen.append(here.look("p1"))
    assert seen[0] != seen[1]
