"""Two services in step, whose worlds differ only in what one seat hides, as all others see them.

The same requests go to both, byte for byte the same, and everything that the other seats, onlookers
and the organiser can get is compared raw: status, headers, bodies. Ids, tokens and command ids are
the same in both worlds, so that nothing has to be replaced before it is compared; only the digests
in an evidence bundle stand for what is sealed and differ by nature.

The worlds differ in the last card that the last seat was dealt: in one of them it is the card's
neighbour in the deck. Then the deck is the same but for one place, so that the same dice draw the
same cards for everybody else; the pair ends when a draw falls on that place.
"""

from __future__ import annotations

import io
import json
import random
import re
import secrets
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.testing import TestClient

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.commands import CommitFleet
from domain.games.naval_battles.rules.decide import EDITION
from domain.kernel.chance import Faces
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, StepKey
from service import app as application
from service.app import create_app
from service.clock import FixedClock
from service.dice.vault import Batch, FaceRows, Rolled
from service.openapi.document import document_for
from service.settings import Settings
from tests.support.drawing import drawing
from tests.support.heads import header_without, without_heads
from tests.support.in_step import Asked

from .readings import Look, readings

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HEX = re.compile(rb"[0-9a-f]{12,}")
PASS = {"type": "naval-battles.pass"}
ACTIVE = 0.85
"""How often a seat does something rather than pass, where it may do both."""
IDLE = {"reorganize": {"naval-battles.arrange"}, "discard": {"naval-battles.discard"}}
IDLING = 0.4
"""How often, where there is something that a seat could do for ever."""


class Leak(AssertionError):
    """Somebody can tell the two worlds apart."""


class Parted(Exception):
    """Somebody else must learn the difference: a draw has fallen on the one place that differs."""


Answer = tuple[int, tuple[tuple[str, str], ...], bytes]
Command = Mapping[str, Any]


@dataclass
class World(Asked):
    """One service with one game, and where its ids come from."""

    number: int
    client: TestClient[Any]
    app: Any
    hub: Hub
    ids: random.Random
    fate: Fate
    game: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    posts: int = 0

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game}"

    def truth(self) -> Any:
        """The true state, behind the service's back."""
        return self.app.state.http.desk.engine.peek(self.game).state

    @property
    def version(self) -> int:
        return int(self.app.state.http.desk.engine.peek(self.game).version)

    def offers(self, seat: str) -> list[dict[str, Any]]:
        """Bodies that the seat may post; not asked for over HTTP, where it would cost quota."""
        found: list[dict[str, Any]] = as_json(GAME.legal(self.truth(), seat).commands)
        return found

    def asked(self) -> list[str]:
        return [each.seat for each in GAME.pending(self.truth())]

    def give(self, seat: str, command: Mapping[str, Any]) -> Answer:
        """A command at the present version, which must be accepted."""
        done = self.ask(
            "POST", f"{self.path}/commands", self.tokens[seat], json=dict(command),
            headers={"If-Match": f'"{self.version}"'},
        )  # fmt: skip
        assert done.status_code == 200, done.text
        return raw(done)


def raw(response: httpx.Response) -> Answer:
    body = response.content
    fields = ((name, header_without(name, value, body)) for name, value in response.headers.items())
    headers = sorted((name.lower(), value) for name, value in fields)
    return response.status_code, tuple(headers), without_heads(body)


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@dataclass
class Fate:
    """How dice fall in one world: by their labels alone, so that both worlds have the same.

    p1 moves first. The last die of the draw ``dealt``, that of the seat which is dealt last, is
    ``shift`` higher.
    """

    seed: int
    dealt: str
    shift: int

    def faces(self, label: str, pools: Any) -> FaceRows:
        dice = random.Random(f"{self.seed} {label}")
        faces = [[1 + dice.randrange(p.sides) for _ in range(p.count)] for p in pools]
        if label.startswith("first-"):
            faces[0] = [6, *(1 for _ in faces[0][1:])]
        if label == self.dealt:
            faces[-1][0] = (faces[-1][0] - 1 + self.shift) % pools[-1].sides + 1
        return tuple(map(tuple, faces))


class Hub:
    """Which world acts: ids are drawn from its own source, dice fall as its own fate has it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.acting: World | None = None
        hub = self

        def roll(batch: Batch, label: str, pools: Any) -> FaceRows:
            assert hub.acting is not None
            faces = hub.acting.fate.faces(label, pools)
            batch.rolls.append(Rolled(label, tuple(pools), faces))
            return faces

        monkeypatch.setattr(Batch, "roll", roll)
        honest = secrets.token_bytes

        def source(size: int) -> bytes:
            return hub.acting.ids.randbytes(size) if hub.acting else honest(size)

        monkeypatch.setattr(secrets, "token_bytes", drawing(source))


@dataclass
class Pair:
    """Two worlds that go on alike."""

    seats: tuple[str, ...]
    worlds: tuple[World, World]
    dice: random.Random
    played: list[str] = field(default_factory=list)
    compared: int = 0
    read: set[str] = field(default_factory=set)
    """Ids of operations that showed something to somebody."""

    eager: bool = False
    """What has been done least often comes first; else whatever chance says."""

    @property
    def hidden(self) -> str:
        """The seat that hides the difference."""
        return self.seats[-1]

    @property
    def viewers(self) -> tuple[str, ...]:
        """All who may not know of it."""
        return (*self.seats[:-1], "public", "organiser")

    def both(self, seat: str, command: Mapping[str, Any]) -> None:
        """The same command in both worlds; who gives it sees the same answer."""
        one, other = (world.give(seat, command) for world in self.worlds)
        self.played.append(str(command["type"]))
        self._check_draws()
        if seat != self.hidden:
            _same(f"{seat} gives {command}", one, other)

    def _check_draws(self) -> None:
        one, other = (world.truth() for world in self.worlds)
        for seat in self.seats[:-1]:
            if one.hands[seat] != other.hands[seat]:
                raise Parted

    def step(self) -> str:
        """Somebody who is asked does something that is open in both worlds; which step it was."""
        seat = self.dice.choice(self.worlds[0].asked())
        mine, theirs = (world.offers(seat) for world in self.worlds)
        common = [each for each in mine if each in theirs]
        step = str(self.worlds[0].truth().step)
        kinds = sorted({each["type"] for each in common} - {PASS["type"]})
        often = ACTIVE if not IDLE.get(step, set()) & set(kinds) else IDLING
        active = kinds and (PASS not in common or self.dice.random() < often)
        if not active:
            kind = str(PASS["type"])
        elif self.eager:
            kind = min(kinds, key=self.played.count)
        else:
            kind = self.dice.choice(kinds)
        self.both(seat, self.dice.choice([each for each in common if each["type"] == kind]))
        return step

    def compare(self, *viewers: str) -> None:
        """Everything that each of them can get. Raises Leak."""
        for viewer in viewers or self.viewers:
            probes = self._probes()
            pairs = zip(*(self._observed(w, viewer, probes) for w in self.worlds), strict=True)
            for (what, one), (_, other) in pairs:
                _same(f"{viewer}: {what}", one, other)
                self.compared += 1

    def over(self) -> bool:
        """Whether the game has ended."""
        return GAME.result(self.worlds[0].truth()) is not None

    def differs(self) -> bool:
        """Whether the seat that hides the difference sees it: the net is no blindfold."""
        one, other = (w.ask("GET", w.path + "/view", w.tokens[self.hidden]) for w in self.worlds)
        return one.content != other.content

    def _observed(
        self, world: World, viewer: str, probes: Sequence[Command]
    ) -> Iterator[tuple[str, Answer]]:
        token, path = world.tokens[viewer], world.path
        version = world.version
        rolls = world.ask("GET", path + "/rolls", token).json()["items"]
        for each in readings(self._look(world, rolls)):
            accept = {"headers": {"Accept": each.accept}} if each.accept else {}
            answer = world.ask("GET", path + each.path, token, **accept)
            if answer.status_code == 200:
                self.read.add(each.operation)
            yield f"{each.path} {each.accept}", raw(answer)
        for rest in ("/rolls/no-such-roll", "/nothing-here"):
            yield rest, raw(world.ask("GET", path + rest, token))
        known = {"If-None-Match": f'"{version}"'}
        yield "not modified", raw(world.ask("GET", path + "/view", token, headers=known))
        for roll in rolls[-3:]:
            yield roll["id"], raw(world.ask("GET", f"{path}/rolls/{roll['id']}", token))
        yield from self._tried(world, token, version, probes)
        yield "evidence", unhashed(world.ask("GET", path + "/evidence", token))

    def _look(self, world: World, rolls: Sequence[Mapping[str, Any]]) -> Look:
        ships = [ship.id for ship in world.truth().ships.values() if ship.seat == self.hidden]
        roll = rolls[-1]["id"] if rolls else "no-roll-yet"
        return Look(world.version, self.hidden, ships[0] if ships else "no-ship", roll)

    def _probes(self) -> list[Command]:
        """Commands that the hidden seat has in one world only, as a spy would try them."""
        mine, theirs = (world.offers(self.hidden) for world in self.worlds)
        return [
            *[each for each in mine if each not in theirs][:2],
            *[each for each in theirs if each not in mine][:2],
        ]

    def _tried(
        self, world: World, token: str, version: int, probes: Sequence[Command]
    ) -> Iterator[tuple[str, Answer]]:
        """Dry runs and odds of offers, of probes and of the senseless, refusals, stale versions."""
        path = f"{world.path}/commands"
        offers = world.ask("GET", path, token).json()["items"][:3]
        for body in (*(each["command"] for each in offers), *STRAYS, *probes):
            yield f"check {body}", raw(world.ask("POST", f"{path}/check", token, json=body))
            asked = {"game": world.game, "command": body}
            yield f"odds {body}", raw(world.ask("POST", "/v1/odds", token, json=asked))
        for body in STRAYS:
            for at in (1, version):
                match = {"If-Match": f'"{at}"'}
                if at == version and (body == PASS or not token):
                    continue
                yield (
                    f"give {body} at {at}",
                    raw(world.ask("POST", path, token, json=body, headers=match)),
                )


STRAYS: tuple[dict[str, Any], ...] = (
    PASS,
    {"type": "naval-battles.prepare", "card": "near-miss", "ship": "no-such-ship"},
    {"type": "naval-battles.attack", "card": "main-14-18-4", "ships": ["jp-yamato"],
     "mounts": ["main-4"], "target": "it-roma"},
    {"type": "naval-battles.defend", "card": "evasive-action", "attack": 999},
    {"type": "naval-battles.discard", "cards": ["no-such-card"]},
    {"type": "naval-battles.surprise-attack", "card": "near-miss", "seat": "p2"},
)  # fmt: skip
"""Commands that no position takes, but for the first, which is only checked."""


def _same(what: str, one: Answer, other: Answer) -> None:
    for part, (mine, theirs) in zip(("status", "headers", "body"), zip(one, other, strict=True),
                                    strict=True):  # fmt: skip
        if mine != theirs:
            raise Leak(f"{what}: another {part}: {_parting(str(mine), str(theirs))}")


def _parting(one: str, other: str, around: int = 150) -> str:
    """Both from a little before the place at which they part."""
    pairs = enumerate(zip(one, other, strict=False))
    place = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    start, end = max(0, place - around), place + around
    return f"at {place}: {one[start:end]} / {other[start:end]}"


def unhashed(response: httpx.Response) -> Answer:
    """A bundle without its digests, which stand for what is sealed; their number and size stay."""
    status, headers, _ = raw(response)
    kept = tuple((name, "" if name == "etag" else value) for name, value in headers)
    with zipfile.ZipFile(io.BytesIO(response.content)) as bundle:
        files = [(name, HEX.sub(_size, bundle.read(name))) for name in bundle.namelist()]
    return status, kept, repr(files).encode()


def _size(found: re.Match[bytes]) -> bytes:
    return b"#" * len(found[0])


@contextmanager
def worlds(
    folder: Path,
    seats: int,
    scenario: str = "standard",
    seed: int = 1,
    fleets: bool = False,
    deck: Mapping[str, Any] | None = None,
    exchanged: bool = False,
) -> Iterator[Pair]:
    """Two services with a game after the deal; with ``fleets``, when all have committed theirs.

    The worlds differ in the last seat's secret fleet then, not in its hand. ``deck`` is played with
    instead of the shipped one. ``exchanged``: the first service has the second world.
    """
    names = tuple(f"p{number}" for number in range(1, seats + 1))
    shift = 0 if fleets else differing(names, scenario, seed, deck)
    with pytest.MonkeyPatch.context() as monkeypatch, ExitStack() as stack:
        hub = Hub(monkeypatch)
        monkeypatch.setattr(application, "document_for", _document)
        fates = (Fate(seed, last_deal(names), 0), Fate(seed, last_deal(names), shift))
        made = tuple(
            stack.enter_context(_service(folder, number, hub, fate, seed))
            for number, fate in enumerate(reversed(fates) if exchanged else fates)
        )
        for world in made:
            _create(world, names, scenario, deck)
        pair = Pair(names, (made[0], made[1]), random.Random(f"pair {seed} {seats} {scenario}"))
        for seat in pair.seats:
            pair.both(seat, made[0].offers(seat)[0])
        for seat in pair.seats:
            for world in made:
                other = fleets and world is made[1] and seat == pair.hidden
                world.give(seat, fleet(world, seat, -1 if other else 0))
        while not fleets and made[0].truth().step == StepKey("layout"):
            (seat,) = made[0].asked()
            pair.both(seat, made[0].offers(seat)[-1])
        yield pair


def fleet(world: World, seat: str, place: int) -> dict[str, Any]:
    """A ready fleet, from that with the fewest ships to that with the most."""
    ready = [command for command in world.offers(seat) if "ships" in command]
    offers = sorted(ready, key=lambda command: len(command["ships"]))
    return offers[place]


def last_deal(names: tuple[str, ...]) -> str:
    """The label of the draw in which the last seat is dealt: one roll for the first turn before."""
    return f"draw-{1 + len(names)}"


def differing(
    names: tuple[str, ...], scenario: str, seed: int, deck: Mapping[str, Any] | None = None
) -> int:
    """The smallest shift that deals the last seat another card: played without any service."""
    first = dealt(names, scenario, Fate(seed, last_deal(names), 0), deck)
    for shift in range(1, 40):
        if dealt(names, scenario, Fate(seed, last_deal(names), shift), deck) != first:
            return shift
    raise AssertionError("no shift gives another card")


def dealt(
    names: tuple[str, ...], scenario: str, fate: Fate, deck: Mapping[str, Any] | None = None
) -> Any:
    """What the last seat is dealt, by the set-up that the worlds play."""
    customs: dict[Any, Any] = {} if deck is None else {"deck": dict(deck)}
    setup = Setup("naval-battles", EDITION, scenario, names, {}, customs)
    state = GAME.fold(GAME.opening(setup))
    while not state.turn:
        awaited = GAME.awaiting(state)
        if awaited is not None:
            faces = fate.faces(awaited.label, awaited.pools)
            seat, command = CHANCE, Faces(awaited.label, faces)
        else:
            seat = GAME.pending(state)[0].seat
            offers: list[Any] = list(GAME.legal(state, seat).commands)
            if state.step == StepKey("fleets"):
                offers = [each for each in offers if isinstance(each, CommitFleet)]
                offers.sort(key=lambda each: len(each.ships))
            command = offers[-1 if state.step == StepKey("layout") else 0]
        state = GAME.fold(GAME.decide(state, seat, command), state)
    return state.hands[names[-1]]


@cache
def _made(rulesets: tuple[str, ...]) -> Any:
    return document_for({"naval-battles": GAME})


def _document(games: Mapping[str, Any]) -> Any:
    """The document is the same for every world: made once, for it takes longest."""
    return _made(tuple(games))


@contextmanager
def _service(folder: Path, number: int, hub: Hub, fate: Fate, seed: int) -> Iterator[World]:
    settings = Settings(
        database=folder / f"{number}.sqlite", key="07" * 32, chain_length=512, log_level="ERROR"
    )
    app = create_app(settings, {"naval-battles": GAME}, FixedClock(NOON))
    app.state.http.limits.requests._clock = lambda: 0.0
    app.asgi_handler = Leaky(app.asgi_handler, app)
    with TestClient(app) as client:
        world = World(number, client, app, hub, random.Random(f"ids {seed}"), fate)
        app.state.world = world
        yield world


def _create(
    world: World, names: tuple[str, ...], scenario: str, deck: Mapping[str, Any] | None
) -> None:
    body: dict[str, Any] = {"ruleset": "naval-battles", "scenario": scenario, "seed": "two worlds",
                            "seats": [{"seat": seat} for seat in names]}  # fmt: skip
    if deck is not None:
        body["customs"] = {"deck": {"document": deck}}
    made = world.ask("POST", "/v1/games", json=body).json()
    world.game = made["game"]["id"]
    world.tokens = {each["seat"]: each["token"] for each in made["tokens"]}
    world.tokens |= {"public": "", "organiser": made["organiser"]}


Worlds = AbstractContextManager[Pair]
"""Two services as long as they run."""


class Leaky:
    """Between the service and its callers: spoils answers in one way, when it is told to."""

    def __init__(self, inner: Any, app: Any) -> None:
        self._inner = inner
        self._app = app
        self.leak = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not self.leak:
            await self._inner(scope, receive, send)
            return
        parts: list[Any] = []

        async def keep(message: Any) -> None:
            parts.append(message)

        await self._inner(scope, receive, keep)
        start = parts[0]
        headers = {bytes(k).decode().lower(): bytes(v).decode() for k, v in start["headers"]}
        body = b"".join(part.get("body", b"") for part in parts[1:])
        status, headers, body = LEAKS[self.leak](
            start["status"], headers, body, self._secret(), scope["path"]
        )
        if "content-length" in headers:
            headers["content-length"] = str(len(body))
        pairs = [(k.encode(), v.encode()) for k, v in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _secret(self) -> tuple[str, ...]:
        """The hand of the last seat."""
        world = self._app.state.world
        state = world.truth()
        return tuple(state.hands[state.seats[-1]].items)


Headers = dict[str, str]
Told = tuple[int, Headers, bytes]


def _number(cards: tuple[str, ...]) -> int:
    """A number that any other hand changes."""
    return sum(int.from_bytes(card.encode(), "big") for card in cards) % 9_973


def _etag(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """The tag of the state is a hash of the truth."""
    if "etag" in headers:
        headers["etag"] = f'"{_number(cards):032x}"'
    return status, headers, body


def _padding(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """The size of an answer depends on a hidden card, though it reads the same."""
    return status, headers, body + b" " * (_number(cards) % 97)


def _format(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """The same number, written with as many zeros as the truth says."""
    zeros = b"0" * (_number(cards) % 89)
    return status, headers, re.sub(rb'("version":\d+)', rb"\1." + b"0" + zeros, body)


def _hint(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """A refusal names the cards that somebody holds."""
    if "problem+json" in headers.get("content-type", ""):
        problem = json.loads(body)
        problem["detail"] = f"{problem.get('detail', '')} ({', '.join(cards)})"
        body = json.dumps(problem).encode()
    return status, headers, body


def _status(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """Whether something is not there, or not allowed, depends on the truth."""
    return (410 + _number(cards) % 89 if status == 404 else status), headers, body


def _count(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """The first page of events counts them, and hidden cards with them."""
    return status, headers, body.replace(b'"next":', b'"total":%d,"next":' % _number(cards))


def _header(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """A header for those who look for faults."""
    return status, headers | {"server-timing": f"hand;dur={_number(cards)}"}, body


def _quota(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """What is left of the quota depends on hidden cards."""
    if "ratelimit" in headers:
        headers["ratelimit"] += f";q={_number(cards)}"
    return status, headers, body


def _label(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """A roll is named after what it is for."""
    return status, headers, re.sub(rb'"(draw-\d+)', rb'"\1-%d' % _number(cards), body)


def _order(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """The list of commands begins where the truth says."""
    if path.endswith("/commands") and status == 200:
        told = json.loads(body)
        items = told["items"]
        at = _number(cards) % max(1, len(items))
        told["items"] = items[at:] + items[:at]
        body = json.dumps(told, separators=(",", ":")).encode()
    return status, headers, body


def _time(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """Events happen some milliseconds later when somebody holds good cards."""
    late = b"%03dZ" % (_number(cards) % 997)
    return status, headers, body.replace(b"000Z", late)


def _stream(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """A comment between the events of a stream says too much."""
    if "event-stream" in headers.get("content-type", ""):
        body += b": %d\n\n" % _number(cards)
    return status, headers, body


def _bundle(status: int, headers: Headers, body: bytes, cards: Any, path: str) -> Told:
    """The evidence of a running game opens a hand."""
    if path.endswith("/evidence"):
        out = io.BytesIO(body)
        with zipfile.ZipFile(out, "a") as bundle:
            bundle.comment = b""
            bundle.writestr("notes.txt", ", ".join(cards))
        body = out.getvalue()
    return status, headers, body


LEAKS: dict[str, Any] = {
    "an ETag that hashes the truth": _etag,
    "padding": _padding,
    "how a number is written": _format,
    "an error text": _hint,
    "a status": _status,
    "a count": _count,
    "a header": _header,
    "the quota": _quota,
    "the label of a roll": _label,
    "the order of a list": _order,
    "a time": _time,
    "a comment in a stream": _stream,
    "the evidence": _bundle,
}
"""Ways to spoil the answers of an honest service, by name."""
