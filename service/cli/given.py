"""The settings that a command on the store is given: by options, the environment, a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .mistakes import Mistake

if TYPE_CHECKING:
    from service.settings import Gathered, Settings

F = TypeVar("F", bound=Callable[..., Any])


def settings_options(function: F) -> F:
    """Where the settings are, and the one that is given most often."""
    config = click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="TOML file of settings (rate_limit = 600); DECKLOG_CONFIG names one, too. The "
        "environment wins.",
    )
    database = click.option(
        "--database",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="SQLite file; DECKLOG_DATABASE or decklog.sqlite in the current folder by default.",
    )
    return config(database(function))


def gathered(config: Path | None, **over: Any) -> Gathered:
    """Everything that is set, and everything that is wrong with it."""
    from service.settings import gather

    return gather(None, config, **over)


def given(config: Path | None, **over: Any) -> Settings:
    """The settings. Raises Mistake, which names all that cannot be read."""
    found = gathered(config, **over)
    if found.wrong:
        raise Mistake(
            f"Settings are wrong: {'; '.join(found.wrong)}.",
            "decklog config shows what each may be.",
            "usage",
        )
    return found.settings


def needed(
    settings: Settings,
    what: str = "store",
    hint: str = "Name the file with --database, or set DECKLOG_STORE.",
) -> None:
    """Raises Mistake where there is no store; ``what`` it is, and how it is named, where it is
    not the one that the service has."""
    if not settings.store and not settings.database.exists():
        raise Mistake(f"There is no {what} {settings.database}.", hint, "store.missing")
