"""What the commands share: the rulesets at hand, and the options that several of them take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from domain.kernel.game import Game

from .mistakes import Mistake

AnyGame = Game[Any, Any, Any]
F = TypeVar("F", bound=Callable[..., Any])

URL = "http://127.0.0.1:8000"


class Tools:
    """The rulesets that the commands use; the installed ones are looked up when first needed."""

    def __init__(self, games: Mapping[str, AnyGame] | None = None) -> None:
        self._games = games

    @property
    def games(self) -> Mapping[str, AnyGame]:
        if self._games is None:
            from domain.kernel.finder import games

            self._games = games()
        return self._games

    def game(self, ruleset: str) -> AnyGame:
        """The ruleset by its name. Raises Mistake."""
        try:
            return self.games[ruleset]
        except KeyError:
            known = ", ".join(self.games) or "none"
            raise Mistake(
                f"The ruleset {ruleset!r} is not installed here.",
                f"Installed are: {known}.",
                "ruleset.not-installed",
            ) from None

    def chosen(self, ruleset: str) -> tuple[AnyGame, ...]:
        """The ruleset that is named, or all of them."""
        return (self.game(ruleset),) if ruleset else tuple(self.games.values())


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Answer with one JSON document for programs."
)

ruleset_option = click.option(
    "--ruleset", metavar="NAME", default="", help="Only this ruleset; every one otherwise."
)


def viewer_option(help: str = "Through whose eyes.") -> Callable[[F], F]:
    """Who looks."""
    return click.option("--as", "viewer", default="", metavar="VIEWER", help=help)


address_option = click.option(
    "--url", "address", envvar="DECKLOG_URL", required=True, metavar="URL",
    help="Address of the service; also DECKLOG_URL.",
)  # fmt: skip
"""Where the service is, for who stays with it: it has to be said."""


def service_options(function: F) -> F:
    """Where the service is, and as whom to ask."""
    token = click.option(
        "--token",
        envvar="DECKLOG_TOKEN",
        default="",
        metavar="TOKEN",
        help="Ask as the holder of this token; as an onlooker without one. Better given as "
        "DECKLOG_TOKEN: other users of the machine can read a command line.",
    )
    url = click.option(
        "--url",
        envvar="DECKLOG_URL",
        default=URL,
        show_default=True,
        help="Address of the service; also DECKLOG_URL.",
    )
    return url(token(function))
