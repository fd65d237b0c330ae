"""``decklog store``: work on the store itself, while no service is at work on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import emit, say
from .given import given, needed, settings_options
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.settings import Settings
    from service.store.migration import Plan


@click.group("store", short_help="Migrate the store to the format of this program.")
def command() -> None:
    """Work on the store itself: DECKLOG_STORE, or an SQLite file.

    No service may be at work on it meanwhile.
    """


@command.command("migrate")
@settings_options
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option(
    "--beside-others",
    is_flag=True,
    help="Migrate although others are connected to the database: no worker of an older program is.",
)
@json_option
@click.pass_obj
def migrate(
    tools: Tools,
    config: Path | None,
    database: Path | None,
    dry_run: bool,
    beside_others: bool,
    as_json: bool,
) -> int:
    """Bring a store of an older format to that of this program.

    Back it up first: an older program refuses it from then on. A service never does this by itself.
    It is safe to repeat, and leaves alone what is up to date.
    """
    settings = given(config, database=database)
    needed(settings)
    planned, others = _planned(settings)
    if planned is None:
        say("The store is empty: it is made at the first start.")
        return 0
    lines = list(planned.lines())
    done = planned.changes and not dry_run
    if done and others and not beside_others:
        raise Mistake(
            f"Others are connected to the database: {others}.",
            "Stop every worker; --beside-others, if none of them is one.",
            "store.busy",
        )
    if not as_json:
        for line in lines:
            say(line)
    if done:
        _migrate(settings, tools)
    if as_json:
        emit({"found": planned.found, "steps": lines, "others": others, "done": done})
    elif done:
        say("The store is migrated.")
    elif planned.changes:
        say("Nothing was done.")
    return 0


def _planned(settings: Settings) -> tuple[Plan | None, int]:
    """What there is to do, and how many others are connected. Raises Mistake."""
    from service.errors import StoreRefused
    from service.store.looking import check_key, looking
    from service.store.migration import plan

    try:
        with looking(settings) as look:
            if look is None:
                return None, 0
            check_key(look, settings)
            others = 0
            if settings.store:
                from service.store.facts import sessions
                from service.store.postgres import SharedLook

                assert isinstance(look, SharedLook)
                others = sessions(look)
            return plan(look), others
    except StoreRefused as refused:
        raise _refused(refused.code, refused.hint) from None


def _migrate(settings: Settings, tools: Tools) -> None:
    from service.errors import ServiceError, StoreRefused
    from service.play.migration import migrate

    try:
        migrate(settings, tools.games)
    except (StoreRefused, ServiceError) as refused:
        raise _refused(refused.code, refused.hint) from None


def _refused(code: str, hint: str) -> Mistake:
    return Mistake(f"The store cannot be migrated: {code}.", hint, code)
