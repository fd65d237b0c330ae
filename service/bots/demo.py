"""The demo: a service of its own, bots, a whole battle over HTTP, its evidence and its verdict.

Nothing here reaches into the service: it is started as a process, and everything that happens goes
through the public HTTP API, as anybody's program would do it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec

from domain.kernel.game import Game
from projections.reports import Reporter, served
from service.bots import ApiError, DecklogClient, bots_of, seated, steps

START_SECONDS = 30.0
"""A service that does no work for so long does not start; on a busy machine it has to wait."""

START_EFFORT = 120.0
"""Seconds of the processor after which a service that has not said where it is does not start."""

STOP_SECONDS = 15.0
ORDERS = 20_000
"""Bots that have not ended a battle after so many orders idle: the demo fails and says so."""

Say = Callable[[str], None]


class DemoFailed(Exception):
    """The battle could not be played to its end; the message says why.

    said  the last that the service wrote to its log
    """

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said


class Plan(NamedTuple):
    """What is to be played.

    seed     names the dice, and is the chance of the bots: the same plan is the same battle
    game     the ruleset
    edition  of its rules
    bots     a name from ``bots_of(game)`` for each seat
    turns    after so many, whoever is behind resigns; None: the bots play to the end
    """

    seed: str
    game: Game[Any, Any, Any]
    edition: str
    bots: tuple[str, ...]
    turns: int | None = None


class Battle(NamedTuple):
    """A battle that was played.

    turns, orders  how many there were
    given_up       the seats that resigned at the limit of turns; none if the battle was decided
    evidence       the evidence file
    """

    game: str
    summary: dict[str, Any]
    view: dict[str, Any]
    turns: int
    orders: int
    given_up: tuple[str, ...]
    evidence: bytes


# A service of its own


@contextlib.contextmanager
def service(folder: Path, given: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of a service on a free port that keeps its store in ``folder``; stopped after.

    given  settings of its environment, instead of a new store's
    """
    log = folder / "service.log"
    settings = _environment({"DECKLOG_DATABASE": str(folder / "demo.sqlite"), **(given or {})})
    with log.open("w") as errors:
        process = subprocess.Popen(
            _line(), env=settings, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        yield _greeting(process)
    except DemoFailed as error:
        raise DemoFailed(str(error), _last_line(log)) from error.__cause__
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _line() -> list[str]:
    options = ["--port", "0", "--log-level", "warning"]
    program = f"{__name__.rpartition('.bots.')[0]}.cli"
    return [sys.executable, "-m", program, "serve", "--json", *options]


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    """The user's settings are for the user's service: the demo neither uses nor touches them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DECKLOG_")}
    return {**kept, "DECKLOG_RATE_LIMIT": "0", **given}


def _greeting(process: subprocess.Popen[str]) -> str:
    """The address that the service says when it is ready. Raises DemoFailed."""
    assert process.stdout is not None
    read, lines = process.stdout.readline, queue.SimpleQueue[str]()
    threading.Thread(target=lambda: lines.put(read()), daemon=True).start()
    try:
        told = msgspec.json.decode(_first(lines, process.pid))
        return str(told["url"])
    except (queue.Empty, msgspec.DecodeError, KeyError):
        raise DemoFailed("the service did not start") from None


def _first(lines: queue.SimpleQueue[str], pid: int) -> str:
    """The first line, however long it takes a process that works. Raises queue.Empty."""
    spent = 0.0
    while True:
        try:
            return lines.get(timeout=START_SECONDS)
        except queue.Empty:
            before, spent = spent, effort(pid)
            if not before < spent < START_EFFORT:
                raise


def effort(pid: int) -> float:
    """Seconds of the processor that a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


# Playing


class Reporting:
    """Tells the battle as it goes: every event once, in the words of a report."""

    def __init__(
        self, client: DecklogClient, game: str, ruleset: str, say: Say, pause: float
    ) -> None:
        self._client = client
        self._game = game
        self._prefix = f"{ruleset}."
        self._say = say
        self._pause = pause
        self._reporter = Reporter()
        self._told = 0

    @property
    def turn(self) -> int:
        return self._reporter.turn

    def catch_up(self) -> None:
        """Tell what has happened since the last time; dice are told by what they did."""
        for event in self._client.events(self._game, self._told):
            self._told = event["seq"]
            if event["type"].startswith(self._prefix):
                self._tell(event)

    def _tell(self, event: Mapping[str, Any]) -> None:
        for entry in served([event]):
            for line in self._reporter.feed(entry):
                self._say(line)
                time.sleep(self._pause)


def play(url: str, plan: Plan, say: Say, pause: float = 0.0) -> Battle:
    """A whole battle on the service at ``url``, told line by line. Raises DemoFailed.

    pause  seconds after each line, for people who read along
    """
    try:
        with DecklogClient(url) as onlooker:
            return _battle(onlooker, plan, say, pause)
    except (ApiError, httpx.HTTPError, ValueError) as error:
        raise DemoFailed(f"the battle stopped: {error}") from None


def _battle(onlooker: DecklogClient, plan: Plan, say: Say, pause: float) -> Battle:
    ruleset, seats = plan.game.ruleset, [f"p{n}" for n, _ in enumerate(plan.bots, 1)]
    created = onlooker.create_game(
        ruleset=ruleset,
        edition=plan.edition,
        seed=plan.seed,
        name=f"demo {plan.seed}"[:80],
        seats=[{"seat": seat} for seat in seats],
    )
    game: str = created["game"]["id"]
    players = seated(created, onlooker)
    made = bots_of(plan.game)
    names = zip(players, plan.bots, strict=True)
    bots = {seat: made[name](f"{plan.seed}/{seat}") for seat, name in names}
    reporting = Reporting(onlooker, game, ruleset, say, pause)
    orders, late = 0, False
    for _ in steps(players, game, bots):
        orders += 1
        reporting.catch_up()
        late = plan.turns is not None and reporting.turn > plan.turns
        if late or orders >= ORDERS:
            break
    given_up = _end(players, game, reporting, say) if late else ()
    summary, view = onlooker.summary(game), onlooker.view(game)
    if not late and summary["status"] != "finished":
        raise DemoFailed(f"the bots idle: after {orders:,} orders the battle has not ended")
    evidence = onlooker.evidence(game)
    return Battle(game, summary, view, reporting.turn, orders, given_up, evidence)


def _end(
    players: Mapping[str, DecklogClient], game: str, reporting: Reporting, say: Say
) -> tuple[str, ...]:
    """A battle without a decision is given up by whoever is behind, until somebody has won.

    A game that knows no resigning is left undecided.
    """
    given_up: list[str] = []
    while len(given_up) < len(players):
        summary = next(iter(players.values())).summary(game)
        if summary["status"] == "finished":
            break
        scores = {seat: n for seat, n in summary["scores"].items() if seat not in given_up}
        loser = behind(scores)
        if not _resigns(players[loser], game, summary["rules"]["ruleset"]):
            say(f"\nNo decision after {reporting.turn} turns.")
            break
        say(f"\nNo decision after {reporting.turn} turns: {loser} is behind and gives up.")
        reporting.catch_up()
        given_up.append(loser)
    return tuple(given_up)


def _resigns(player: DecklogClient, game: str, ruleset: str) -> bool:
    """Whether the game lets the player resign."""
    try:
        player.act(game, lambda listed: {"type": f"{ruleset}.resign"})
    except ApiError as error:
        if error.code != "command.unknown-type":
            raise
        return False
    return True


def behind(scores: Mapping[str, int]) -> str:
    """The seat with fewest points; on equal points the last one."""
    return min(reversed(list(scores)), key=lambda seat: scores[seat])
