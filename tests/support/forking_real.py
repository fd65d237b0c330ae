"""T-FORK-1 with the real games: parents that look alike to p1 and differ in what is hidden.

Two services go on in step. Their parents' dice fall by label, so that p1 sees the same in both,
while the masters of the dice differ (M), or what another seat hides, or both. Then p1 forks both
with the same seed; from there on the dice are honest, and every answer is compared raw.

    Naval Battles  the last card of the last seat: its neighbour in the deck in the other world
    War at Sea     p2's secret fleet
    Crimson Tide   p2's secret fleet; a running game is not forked, and the refusals are compared
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
from litestar.testing import TestClient

from domain.kernel.finder import games
from domain.kernel.values import StepKey
from service import app as application
from service.app import create_app
from service.clock import FixedClock
from service.dice.vault import Batch, FaceRows, Rolled
from service.http import refusals
from service.openapi.document import document_for
from service.openapi.record import NOON
from service.settings import Settings
from tests.naval_battles.worlds_http import Fate, as_json, differing, last_deal
from tests.support.drawing import drawing
from tests.support.heads import header_without, without_heads
from tests.support.in_step import Asked

Command = Mapping[str, Any]
Answer = tuple[int, tuple[tuple[str, str], ...], bytes]

READS = (
    "", "/view", "/events?limit=200", "/rolls", "/luck", "/evidence", "/commands", "/report",
    "/board.svg", "/mentions?limit=20",
)  # fmt: skip
"""What is asked of each fork."""

STEPS = 6
"""Commands that are given in a fork."""

LEAD = 14
"""Commands of a parent between its opening and its fork, at most."""

WAYS = (("standard", 2), ("standard", 2), ("standard", 3), ("linked", 2), ("pairs", 4))
"""Scenarios and seats of Naval Battles."""

REVEALING = ("crimson-tide",)
"""Where p1's own fleet ends the secret of the other: p1 asks before."""

SEALED = ("war-at-sea", "crimson-tide")
"""Where what is hidden comes into play with the next commands: not played on after the fork."""

CREATED = 201
REAL = ("naval-battles", "war-at-sea", "crimson-tide")


class Parted(Exception):
    """p1 has come to see the difference by the rules: it is no pair any more."""


class Plan(NamedTuple):
    """A pair by its number; both worlds do the same but for the seeds and what is hidden.

    seeds   names of the masters of the parents' dice
    hidden  whether what is hidden differs
    late    whether a parent is played on after the fork was made, and forked again
    """

    game: str
    number: int
    seeds: tuple[str, str]
    hidden: bool
    late: bool

    def chooser(self, what: str) -> Random:
        """Chance of its own for each part of the play."""
        return Random(f"{self.game} {self.number} {what}")


def planned(game: str, number: int) -> Plan:
    """Every third pair differs by its dice alone, every third by what is hidden."""
    seeds = (f"one {number}", f"two {number}" if number % 3 else f"one {number}")
    late = Random(f"late {game} {number}").random() < 0.2
    return Plan(game, number, seeds, number % 3 != 1, late)


@dataclass
class World(Asked):
    """One service; ``fate`` is how dice fall while a parent is played, None for honest dice."""

    client: TestClient[Any]
    app: Any
    hub: Hub
    ids: Random = field(default_factory=Random)
    fate: Fate | None = None
    posts: int = 0

    def give(self, game: str, token: str, command: Command, version: int) -> httpx.Response:
        """A command at a version."""
        tag = {"If-Match": f'"{version}"'}
        path = f"/v1/games/{game}/commands"
        return self.ask("POST", path, token, json=dict(command), headers=tag)


def raw(response: httpx.Response) -> Answer:
    """Everything that somebody is told; a refusal names the head of the parent, which is salted."""
    fields = [(name.lower(), value) for name, value in response.headers.items()]
    if response.is_error:
        fields = [(name, header_without(name, value)) for name, value in fields]
    headers = sorted(fields)
    return response.status_code, tuple(headers), response.content


class Parent:
    """A running game in one world, and its truth behind the service's back."""

    def __init__(self, world: World, body: Command) -> None:
        self.world = world
        done = world.ask("POST", "/v1/games", json=dict(body))
        assert done.status_code == CREATED, done.text
        made = done.json()
        self.id: str = made["game"]["id"]
        self.tokens = {each["seat"]: each["token"] for each in made["tokens"]}
        self.rules = games()[str(body["ruleset"])]

    @property
    def live(self) -> Any:
        return self.world.app.state.http.desk.engine.peek(self.id)

    def offers(self, seat: str) -> list[dict[str, Any]]:
        """Bodies that the seat may post."""
        found: list[dict[str, Any]] = as_json(self.rules.legal(self.live.state, seat).commands)
        return found

    def asked(self) -> list[str]:
        return [each.seat for each in self.rules.pending(self.live.state)]

    def give(self, seat: str, command: Command) -> None:
        done = self.world.give(self.id, self.tokens[seat], command, self.live.version)
        assert done.status_code == 200, done.text

    def seen(self) -> bytes:
        """The game as p1 sees it, but for its head."""
        path = f"/v1/games/{self.id}/view"
        return without_heads(self.world.ask("GET", path, self.tokens["p1"]).content)


Both = tuple[Parent, Parent]


def _give(both: Both, seat: str, command: Command) -> None:
    for parent in both:
        parent.give(seat, command)


def _wander(both: Both, chooser: Random, steps: int) -> None:
    """Random commands that both worlds offer. Raises Parted."""
    for _ in range(steps):
        asked = [seat for seat in both[0].asked() if seat in both[1].asked()]
        if not asked:
            return
        seat = chooser.choice(asked)
        theirs = both[1].offers(seat)
        common = [each for each in both[0].offers(seat) if each in theirs]
        if not common:
            return
        kinds = sorted({each["type"] for each in common})
        kind = chooser.choice(kinds)
        _give(both, seat, chooser.choice([each for each in common if each["type"] == kind]))
    if both[0].seen() != both[1].seen():
        raise Parted


DRAWN = {"type": "naval-battles.draw-fleet"}
"""A fleet that dice draw: everybody sees that it is no chosen one."""


def _naval(worlds: tuple[World, World], plan: Plan) -> Both:
    """A battle after the deal, and some turns on."""
    scenario, seats = plan.chooser("way").choice(WAYS)
    names = tuple(f"p{number}" for number in range(1, seats + 1))
    shift = differing(names, scenario, plan.number) if plan.hidden else 0
    wish = {"ruleset": plan.game, "scenario": scenario, "seats": [{"seat": s} for s in names]}
    for world, each in zip(worlds, (0, shift), strict=True):
        world.fate = Fate(plan.number, last_deal(names), each)
    both = _begun(worlds, plan, wish)
    for seat in names:
        _give(both, seat, both[0].offers(seat)[0])
    for seat in names:
        ready = [command for command in both[0].offers(seat) if "ships" in command]
        offers = sorted(ready, key=lambda command: len(command["ships"]))
        _give(both, seat, offers[0])
    while both[0].live.state.step == StepKey("layout"):
        (seat,) = both[0].asked()
        _give(both, seat, both[0].offers(seat)[-1])
    _wander(both, plan.chooser("lead"), plan.chooser("long").randrange(LEAD))
    return both


def _fleets(worlds: tuple[World, World], plan: Plan) -> Both:
    """A battle whose fleets are chosen in secret: p2's is another one, and p1 goes on alone."""
    for world in worlds:
        world.fate = Fate(plan.number, "", 0)
    both = _begun(worlds, plan, {"ruleset": plan.game})
    chooser = plan.chooser("lead")
    ready = [each for each in both[0].offers("p2") if "fleet" in each["type"] and each != DRAWN]
    one = chooser.choice(ready)
    two = chooser.choice([each for each in ready if each != one]) if plan.hidden else one
    for parent, command in zip(both, (one, two), strict=True):
        parent.give("p2", command)
    while plan.game not in REVEALING and chooser.randrange(LEAD):
        if both[0].asked() != both[1].asked() or "p1" not in both[0].asked():
            break
        _wander_alone(both, chooser)
    if not plan.hidden:
        _wander(both, chooser, chooser.randrange(LEAD))
    assert both[0].seen() == both[1].seen(), "p1 sees what p2 has chosen in secret"
    return both


def _wander_alone(both: Both, chooser: Random) -> None:
    """p1 alone: what it may do does not hang on what it does not see."""
    mine, theirs = (parent.offers("p1") for parent in both)
    assert mine == theirs, "p1 is offered other commands"
    if mine:
        _give(both, "p1", chooser.choice(mine))


def _begun(worlds: tuple[World, World], plan: Plan, wish: Command) -> Both:
    one, two = (
        Parent(world, {**wish, "seed": seed})
        for world, seed in zip(worlds, plan.seeds, strict=True)
    )
    return one, two


LEADS = {"naval-battles": _naval, "war-at-sea": _fleets, "crimson-tide": _fleets}


def _forked(parent: Parent, plan: Plan) -> list[Answer]:
    """All that p1's fork answers: its making, commands in it, what it shows, the comparison."""
    world, token = parent.world, parent.tokens["p1"]
    world.fate = None
    seed = {"seed": f"the fork's {plan.chooser('fork').randrange(10**6)}"}
    made = world.ask("POST", f"/v1/games/{parent.id}/forks", token, json=seed)
    found = [raw(made)]
    if made.status_code != CREATED:
        return found
    fork = made.json()
    tokens = {each["seat"]: each["token"] for each in fork["tokens"]}
    path, summary = f"/v1/games/{fork['game']['id']}", fork["game"]
    chooser = plan.chooser("what if")
    for _ in range(STEPS):
        if not summary["toMove"]:
            break
        seat = chooser.choice(summary["toMove"])["seat"]
        offered = world.ask("GET", f"{path}/commands?limit=100", tokens[seat])
        found.append(raw(offered))
        items = offered.json()["items"]
        if not items:
            break
        command = chooser.choice(items)["command"]
        done = world.give(fork["game"]["id"], tokens[seat], command, summary["version"])
        found.append(raw(done))
        summary = world.ask("GET", path, tokens[seat]).json()
    own = tokens["p1"]
    found += [raw(world.ask("GET", path + rest, own)) for rest in READS]
    found.append(raw(world.ask("GET", f"{path}/diff?with={parent.id}", own)))
    return found


def told(worlds: tuple[World, World], plan: Plan) -> tuple[list[Answer], list[Answer]]:
    """What the forks of a pair answer in each world. Raises Parted."""
    for world in worlds:
        world.ids.seed(f"ids {plan.game} {plan.number}")
    both = LEADS[plan.game](worlds, plan)
    fates = [world.fate for world in worlds]
    one, two = (_forked(parent, plan) for parent in both)
    if plan.late and one[0][0] == two[0][0] == CREATED and plan.game not in SEALED:
        for world, fate in zip(worlds, fates, strict=True):
            world.fate = fate
        _wander(both, plan.chooser("late"), 1)
        one, two = one + _forked(both[0], plan), two + _forked(both[1], plan)
    return one, two


class Hub:
    """Which world acts: ids come from its own source, a parent's dice fall as its fate has it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.acting: World | None = None
        honest, opening = Batch.roll, Random("services that start")

        def roll(batch: Batch, label: str, pools: Any) -> FaceRows:
            fate = self.acting.fate if self.acting else None
            if fate is None:
                return honest(batch, label, pools)
            faces = fate.faces(label, pools)
            batch.rolls.append(Rolled(label, tuple(pools), faces))
            return faces

        def source(size: int) -> bytes:
            return (self.acting.ids if self.acting else opening).randbytes(size)

        monkeypatch.setattr(Batch, "roll", roll)
        monkeypatch.setattr(secrets, "token_bytes", drawing(source))


@cache
def _document(game: str) -> Any:
    return document_for({game: games()[game]})


@contextmanager
def worlds(folder: Path, game: str) -> Iterator[tuple[World, World]]:
    """Two services in step. Use in one thread; what they share is mended at the end."""
    with pytest.MonkeyPatch.context() as monkeypatch, ExitStack() as stack:
        hub = Hub(monkeypatch)
        monkeypatch.setattr(application, "document_for", lambda offered: _document(game))
        for name in ("DEADLINE", "PATIENCE"):
            monkeypatch.setattr(refusals, name, 600)  # a busy machine is no difference
        one, two = (stack.enter_context(_world(folder / name, hub, game)) for name in ("1", "2"))
        yield one, two


@contextmanager
def _world(folder: Path, hub: Hub, game: str) -> Iterator[World]:
    folder.mkdir()
    settings = Settings(
        database=folder / "world.sqlite", key="07" * 32, chain_length=128, rate_limit=0,
        log_level="ERROR",
    )  # fmt: skip
    app = create_app(settings, {game: games()[game]}, FixedClock(NOON))
    with TestClient(app) as client:
        yield World(client, app, hub)
