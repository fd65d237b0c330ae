"""The command line: ``decklog`` and its commands, one module each.

Exit codes: 0 done; 1 the demo did not work, or a document is faulty; 2 used wrongly, or not
possible as asked (one line and a hint on standard error); 70 a fault of this program; 130
interrupted.
``verify`` and ``demo`` have the codes of their verdict, 0 to 5, ``referee`` those of its opinion.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..collector import look_rarely
from .console import complain
from .mistakes import Mistake
from .tools import AnyGame, Tools
from .trees import notice

FAULT = 70
INTERRUPTED = 130
BROKEN_PIPE = 141

COMMANDS = (
    "serve",
    "config",
    "store",
    "admin",
    "backup",
    "demo",
    "games",
    "show",
    "play",
    "replay",
    "diff",
    "why",
    "odds",
    "luck",
    "review",
    "fork",
    "query",
    "case",
    "open",
    "export",
    "verify",
    "evidence",
    "equivocation",
    "keys",
    "escrow",
    "referee",
    "impact",
    "bisect",
    "rules",
    "units",
    "custom",
    "engine",
    "witness",
    "monitor",
    "audit",
    "agent",
    "webhooks",
    "projections",
)
"""Every command in the order of the help; each is ``command`` in the module of its name."""


class Commands(click.Group):
    """Loads a command's module when it is asked for: a search of the rules starts no web server."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
        return command


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(package_name="decklog", message="decklog %(version)s")
@click.pass_context
def decklog(ctx: click.Context) -> None:
    """Naval wargames with every order, roll and hit on the record.

    COMMAND --help explains a command; --json makes its answer readable for programs.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None, games: Mapping[str, AnyGame] | None = None) -> int:
    """Run one command; the exit code.

    args   without the program's name; those of the process when none are given
    games  the rulesets to use; every installed one when none are given
    """
    given = list(sys.argv[1:] if args is None else args)
    _forgive_output()
    if args is None:  # a program of its own
        look_rarely()
        if told := notice():
            click.echo(told, err=True)
    try:
        return int(_run(given, games) or 0)
    except Mistake as mistake:
        complain(mistake, as_json="--json" in given)
        return mistake.exit_code
    except click.UsageError as error:
        complain(_usage(error), as_json="--json" in given)
        return 2
    except click.ClickException as error:
        complain(Mistake(error.format_message(), "", "usage"), as_json="--json" in given)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return BROKEN_PIPE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        return _fault(error, given)


def _run(given: list[str], games: Mapping[str, AnyGame] | None) -> Any:
    code = decklog.main(given, prog_name="decklog", standalone_mode=False, obj=Tools(games))
    sys.stdout.flush()
    return code


def _forgive_output() -> None:
    """A terminal without Unicode shows a question mark; it does not end the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _usage(error: click.UsageError) -> Mistake:
    path = error.ctx.command_path if error.ctx else "decklog"
    return Mistake(error.format_message(), f"{path} --help shows how it is used.", "usage")


def _fault(error: Exception, given: list[str]) -> int:
    """A fault of ours: one line; the trace only for those who ask for it."""
    if os.environ.get("DECKLOG_TRACE"):
        raise error
    message = f"{type(error).__name__}: {error}"
    hint = "This is a fault of the program. DECKLOG_TRACE=1 shows where; please report it."
    complain(Mistake(message, hint, "fault"), as_json="--json" in given)
    return FAULT


__all__ = ["COMMANDS", "decklog", "main"]
