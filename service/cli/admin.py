"""``decklog admin``: what an operator has done by the service while that is at work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .console import emit, say, table
from .given import given, needed, settings_options
from .mistakes import Mistake
from .tools import json_option

if TYPE_CHECKING:
    from service.store.beside import Beside
    from service.store.instructions import Outcome

F = TypeVar("F", bound=Callable[..., Any])

PATIENCE = 10
"""Seconds for which a command waits until a worker has done what it asks for."""

LOOK_SECONDS = 0.1

WAITING = "instruction.waiting"


@click.group("admin", short_help="Have the service stop, end, hide or delete a game, and more.")
def command() -> None:
    """Have the service that is at work on the store do something, without a restart.

    What is asked for is put into the store (DECKLOG_STORE, or an SQLite file), with its key; a
    worker does it within a second, and puts a line into the operator's log (decklog store acts).
    With --json each answers for programs.
    """


def signed(function: F) -> F:
    """Who asks, why, where, and how long to wait."""
    by = click.option(
        "--by", envvar="DECKLOG_OPERATOR", metavar="NAME", required=True,
        help="Who you are, for the operator's log; DECKLOG_OPERATOR says so, too.",
    )  # fmt: skip
    why = click.option(
        "--why", metavar="TEXT", required=True, help="Reason, for the operator's log alone."
    )
    wait = click.option(
        "--wait", type=click.IntRange(0), default=PATIENCE, metavar="SECONDS",
        help=f"How long to wait until it is done; {PATIENCE} by default.",
    )  # fmt: skip
    return by(why(wait(settings_options(json_option(function)))))


def told(help: str, *, required: bool = False) -> Callable[[F], F]:
    """What players are told."""
    more: dict[str, Any] = {"required": True} if required else {"default": ""}
    return click.option("--tell", metavar="TEXT", help=help, **more)


GAME = click.argument("game")


@contextmanager
def opened(config: Path | None, database: Path | None) -> Iterator[Beside]:
    """The store beside whoever is at work on it. Raises Mistake."""
    from service.errors import ServiceError, StoreRefused
    from service.store.beside import beside

    settings = given(config, database=database)
    needed(settings)
    try:
        with beside(settings) as found:
            yield found
    except StoreRefused as refused:
        raise Mistake(
            f"The store cannot be opened: {refused.code}.", refused.hint, refused.code
        ) from None
    except ServiceError as error:
        raise Mistake("The store failed.", error.hint, error.code) from None


def ask(
    act: str,
    game: str,
    *,
    by: str,
    why: str,
    wait: int,
    config: Path | None,
    database: Path | None,
    as_json: bool,
    done: str,
    **about: str,
) -> int:
    """Have it done, and say what came of it. Raises Mistake.

    done  what is said when it is
    """
    outcome = carried_out(act, game, by, why, wait, config, database, about)
    if as_json:
        emit({"act": act, "game": game, **outcome.told})
    else:
        say(done)
    return 0


def carried_out(
    act: str,
    game: str,
    by: str,
    why: str,
    wait: int,
    config: Path | None,
    database: Path | None,
    about: dict[str, str],
) -> Outcome:
    """What came of it. Raises Mistake where it was refused, or nobody has done it in time."""
    from service.entropy import SYSTEM, drawn
    from service.store.instructions import Instruction, insertion

    asked = Instruction(drawn(SYSTEM, 16), act, by, why, game, about)
    with opened(config, database) as store:
        store.recorder.put((), [insertion(store.box, asked)])
        outcome = _awaited(store, asked.id, wait)
    if outcome is None:
        raise Mistake(
            f"Nobody has done it within {wait} seconds.",
            "It is done as soon as a service is at work on the store; "
            f"decklog admin withdraw {asked.id} takes it back.",
            WAITING,
        )
    if outcome.code:
        raise Mistake(f"Nothing was done: {outcome.code}.", outcome.said, outcome.code)
    return outcome


def _awaited(store: Beside, id_: str, wait: int) -> Outcome | None:
    from service.store.instructions import outcome_of

    until = time.monotonic() + wait
    while True:
        found = outcome_of(store.recorder, id_)
        if found is not None or time.monotonic() > until:
            return found
        time.sleep(LOOK_SECONDS)


@command.command("freeze")
@GAME
@told("Why, for the players: it stands in the game's record.")
@signed
def freeze(game: str, **asked: Any) -> int:
    """Stop a game: nobody may go on in it, and no time runs, until it is thawed.

    Its record says so (decklog.paused), and its seats hear of it.
    """
    return ask("freeze", game, done=f"Game {game} is frozen.", **asked)


@command.command("thaw")
@GAME
@signed
def thaw(game: str, **asked: Any) -> int:
    """Let a frozen game go on: everybody has as much time left as then."""
    return ask("thaw", game, done=f"Game {game} goes on.", **asked)


@command.command("pause")
@GAME
@told("Why, for the players: it stands in the game's record.")
@signed
def pause(game: str, **asked: Any) -> int:
    """Stop the clocks of a game, in which one may play on, until it is resumed."""
    return ask("pause", game, done=f"The clocks of game {game} are stopped.", **asked)


@command.command("resume")
@GAME
@signed
def resume(game: str, **asked: Any) -> int:
    """Let the clocks of a game run again, with as much time left as then."""
    return ask("resume", game, done=f"The clocks of game {game} run.", **asked)


@command.command("end")
@GAME
@told("The ruling, for the players: it stands in the game's record.", required=True)
@signed
def end(game: str, **asked: Any) -> int:
    """End a game by ruling, without a result, and open its master: its dice are seen by all.

    Its record says so (decklog.ended-by-ruling), and so does the verdict on its evidence. It cannot
    be taken back.
    """
    return ask("end", game, done=f"Game {game} is ended.", **asked)


@command.command("hide")
@GAME
@signed
def hide(game: str, **asked: Any) -> int:
    """Take a game out of all lists: lobby, results, dice. Who knows its id finds it as before."""
    return ask("hide", game, done=f"Game {game} is in no list.", **asked)


@command.command("show")
@GAME
@signed
def show(game: str, **asked: Any) -> int:
    """Put a hidden game back into the lists."""
    return ask("show", game, done=f"Game {game} is in the lists again.", **asked)


@command.command("delete")
@GAME
@told("Why, for whoever asks for the game from then on.")
@click.option("--yes", is_flag=True, help="Do it: it cannot be taken back.")
@signed
def delete(game: str, yes: bool, **asked: Any) -> int:
    """Delete a game, its orders, webhooks and answers; backups have it until they go.

    Whoever asks for it is told that it was deleted, when, and the number and hash of its last
    event, by which evidence of it is known. What-if games made from it stay, and go in their time.
    """
    if not yes:
        hint = "decklog export keeps its evidence; then say --yes."
        raise Mistake("A game that is deleted is gone for good.", hint, "usage")
    return ask("delete", game, done=f"Game {game} is deleted.", **asked)


@command.command("waiting")
@settings_options
@json_option
def waiting_(config: Path | None, database: Path | None, as_json: bool) -> int:
    """List what was asked for and nobody has done yet."""
    from service.store.instructions import waiting

    with opened(config, database) as store:
        found = waiting(store.recorder, store.box)
    if as_json:
        emit(found)
    else:
        table(("id", "act", "game", "by", "why"),
              [(a.id, a.act, a.game, a.operator, a.why) for a in found])  # fmt: skip
    return 0


@command.command("withdraw")
@click.argument("id")
@settings_options
def withdraw(id: str, config: Path | None, database: Path | None) -> int:
    """Take back what was asked for, if nobody has done it yet."""
    from service.store.instructions import withdrawn

    with opened(config, database) as store:
        if not withdrawn(store.recorder, id):
            hint = "decklog store acts says what was done."
            raise Mistake(f"Nothing waits under {id}.", hint, WAITING)
    say("It is taken back.")
    return 0
