"""``decklog demo``: a whole battle, played, told, exported and judged."""

from __future__ import annotations

import hashlib
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from .console import Report, clean, emit, is_terminal, progress, say
from .export import write_whole
from .mistakes import Mistake
from .tools import AnyGame, Tools, json_option

if TYPE_CHECKING:
    from service.bots.demo import Battle, Plan, Say

PACE = 0.03
"""Seconds that a line stands before the next one, for people who read along."""


@click.command("demo", short_help="Let bots play a whole battle, and judge it.")
@click.option(
    "--seed",
    metavar="TEXT",
    help="Name of the dice: the same name plays the same battle again. A new one by default.",
)
@click.option(
    "--game",
    "ruleset",
    default="war-at-sea",
    show_default=True,
    metavar="NAME",
    help="Any installed ruleset.",
)
@click.option("--edition", metavar="NAME", help="Edition of its rules; the latest by default.")
@click.option(
    "--bots",
    default="",
    metavar="NAMES",
    help="The bots, one name for each seat, with commas; one alone plays all seats. Every game "
    "has the bot random, which takes any legal order; the game's best by default.",
)
@click.option(
    "--seats",
    type=click.IntRange(1, 16),
    help="The number of players; as many as there are bots, or as few as the game allows.",
)
@click.option(
    "--turns",
    type=click.IntRange(1, 1000),
    help="After so many turns without a decision, whoever is behind resigns; by default the bots "
    "play to the end.",
)
@click.option(
    "--fast", is_flag=True, help="No pauses for reading; there are none without a terminal."
)
@click.option("--keep", default="", metavar="FILE", help="Keep the evidence in this file.")
@json_option
@click.pass_obj
def command(
    tools: Tools,
    seed: str | None,
    ruleset: str,
    edition: str | None,
    bots: str,
    seats: int | None,
    turns: int | None,
    fast: bool,
    keep: str,
    as_json: bool,
) -> int:
    """Let bots play a whole standard battle, and judge it.

    Starts a service on a free port with a store of its own, plays through the public HTTP API
    alone, tells the battle as it goes, exports the evidence file and verifies it. The exit code is
    the verdict's: 0 only if it is UPHELD.
    """
    from service.bots.demo import Plan

    game = tools.game(ruleset)
    edition = _edition(game, edition)
    _check_file(keep)
    seed = seed or f"demo-{secrets.token_hex(4)}"
    plan = Plan(seed, game, edition, players(game, bots, seats), turns)
    pause = 0.0 if fast or as_json or not is_terminal() else PACE
    if as_json:
        with progress("playing") as report:
            battle = _play(plan, _Counting(report).line, pause)
    else:
        battle = _play(plan, _line, pause)
    return _close(tools, plan, battle, keep, as_json)


def _edition(game: AnyGame, edition: str | None) -> str:
    """The edition that is asked for, or the latest. Raises Mistake."""
    if edition is None or edition in game.editions:
        return edition or game.editions[-1]
    raise Mistake(
        f"{game.title} has no edition {edition!r}.",
        f"Its editions are: {', '.join(game.editions)}.",
        "edition.unknown",
    )


def players(game: AnyGame, bots: str, seats: int | None) -> tuple[str, ...]:
    """The name of a bot for each seat. Raises Mistake."""
    from service.bots import bots_of

    known = tuple(bots_of(game))
    names = tuple(bots.split(",")) if bots else known[:1]
    strange = [name for name in names if name not in known]
    if strange:
        raise Mistake(
            f"--bots: {game.title} has no bot {strange[0]!r}.",
            f"Its bots are: {', '.join(known)}.",
            "bot.unknown",
        )
    count = seats or (len(names) if len(names) > 1 else min(game.seat_counts))
    if count not in game.seat_counts or len(names) not in (1, count):
        raise Mistake(
            f"{game.title} is not played by {max(count, len(names))} bots here.",
            f"It has {' or '.join(map(str, game.seat_counts))} seats; name a bot for each of them, "
            "or one for all.",
            "seats.invalid",
        )
    return names if len(names) == count else names * count


def _check_file(keep: str) -> None:
    """Raises Mistake for a file that cannot be written, before anything is started."""
    if keep and not Path(keep).absolute().parent.is_dir():
        raise Mistake(
            f"{keep} cannot be written: there is no such folder.",
            "Name a file in a folder that exists.",
            "file.unwritable",
        )


def _play(plan: Plan, told: Say, pause: float) -> Battle:
    from service.bots import demo

    seats = " against ".join(f"p{n} ({name})" for n, name in enumerate(plan.bots, 1))
    told(f"{plan.game.title}, edition {plan.edition}: {seats}, seed {plan.seed}")
    with tempfile.TemporaryDirectory(prefix="decklog-demo-") as folder:
        try:
            with demo.service(Path(folder)) as url:
                told(f"The service runs at {url}\n")
                return demo.play(url, plan, told, pause)
        except demo.DemoFailed as error:
            said = f"The service's last word was: {error.said}" if error.said else ""
            raise Failed(f"The demo failed: {error}", said, "demo.failed") from None


class Failed(Mistake):
    """The demo itself did not work: not the fault of whoever started it."""

    exit_code = 1


def _line(text: str) -> None:
    """A line of the report; headings stand out in a terminal."""
    heading = text.startswith(("==", "--"))
    click.echo(click.style(clean(text), bold=heading or None))


class _Counting:
    """With JSON nothing is told on the way but how far it is, in lines of the report."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lines = 0

    def line(self, text: str) -> None:
        self._lines += 1
        self._report(self._lines, 0)


def _close(tools: Tools, plan: Plan, battle: Battle, keep: str, as_json: bool) -> int:
    """Result, evidence and verdict."""
    from service.clock import SYSTEM, stamp
    from service.evidence.verify import verify

    verdict = verify(battle.evidence, tools.games, now=stamp(SYSTEM.now()))
    if keep:
        write_whole(Path(keep), battle.evidence)
    if as_json:
        emit(_document(plan, battle, keep, verdict))
        return int(verdict.code)
    game = plan.game
    say()
    say(game.board(msgspec.convert(battle.view["state"], game.state)))
    say()
    say(_result(battle))
    kept = f"kept in {keep}" if keep else "not kept (--keep FILE keeps it)"
    say(f"The evidence file has {len(battle.evidence):,} bytes; it is {kept}.")
    say()
    say(verdict.text())
    return int(verdict.code)


def _result(battle: Battle) -> str:
    result = battle.summary["result"]
    outcome = "No decision"
    if result is not None:
        won = " and ".join(result["winners"])
        has = "have" if len(result["winners"]) > 1 else "has"
        outcome = f"{won} {has} won" if won else "A draw"
        outcome += f" ({result['reason']}, {result['rule']})"
    scores = " to ".join(str(side["score"]) for side in battle.summary["sides"])
    return (
        f"{outcome}, {scores} points, after "
        f"{battle.turns} turns, {battle.orders} orders and {battle.summary['version']} events."
    )


def _document(plan: Plan, battle: Battle, keep: str, verdict: Any) -> dict[str, Any]:
    return {
        "game": battle.game,
        "seed": plan.seed,
        "ruleset": plan.game.ruleset,
        "bots": plan.bots,
        "edition": plan.edition,
        "turns": battle.turns,
        "orders": battle.orders,
        "events": battle.summary["version"],
        "result": battle.summary["result"],
        "scores": battle.summary["scores"],
        "givenUp": battle.given_up,
        "file": keep,
        "bytes": len(battle.evidence),
        "sha256": hashlib.sha256(battle.evidence).hexdigest(),
        "verdict": verdict,
    }
