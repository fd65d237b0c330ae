"""Every controller, in the order of the document, and what their routes say of themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

from litestar import Controller, Litestar
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.utils.helpers import unwrap_partial

from . import (
    about,
    bundles,
    chances,
    commands,
    customs,
    differences,
    docs,
    engines,
    events,
    films,
    forks,
    games,
    mine,
    moments,
    pictures,
    reasons,
    records,
    rulesets,
    views,
    web,
    webhooks,
)
from .asked import Asked
from .given import DEPENDENCIES
from .operation import Operation
from .refusals import refuse
from .routes import Route, camel

CONTROLLERS: tuple[type[Controller], ...] = (
    about.State,
    docs.Docs,
    web.Web,
    rulesets.Rulesets,
    engines.Engines,
    customs.Kinds,
    customs.Customs,
    games.Games,
    games.Tokens,
    commands.Commands,
    mine.Mine,
    events.Events,
    bundles.Own,
    views.Views,
    pictures.Pictures,
    films.Films,
    records.Records,
    webhooks.Webhooks,
    moments.Moments,
    differences.Differences,
    reasons.Reasons,
    chances.Odds,
    chances.Luck,
    forks.Forks,
)

TAGS: tuple[tuple[str, str], ...] = (
    (about.TAG, "The service itself: its state, its documentation, its refusals."),
    (rulesets.TAG, "Games to play, with units, abilities, rules, scenarios and maps."),
    (engines.TAG, "Engines: the rules of games as files, to judge by."),
    (customs.TAG, "Scenarios, maps and decks of the players' own."),
    (games.TAG, "Games and their seats."),
    (commands.TAG, "The legal commands of a seat, and giving one."),
    (events.TAG, "The events of a game, from any version on, for ever."),
    (views.TAG, "A game as a viewer knows it: state, dice, evidence."),
    (records.TAG, "All games together: results, dice, statistics."),
    (webhooks.TAG, "Being told: webhooks of a seat, or of the organiser."),
    # Of its own: openapi-generator drops the class of a tag that operations and webhooks share.
    (webhooks.SENT, "The messages that the service sends to a webhook."),
    (moments.TAG, "Any moment of a game: differences, causes, odds, and what-if games."),
)


class Application(Litestar):
    """Litestar as it is without anybody's models: the service is the same wherever it is installed.

    Litestar looks for pydantic and attrs and, where somebody installed them, loads both for types
    that we have none of: a seventh of the time that a service takes to start.
    """

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def application(**more: Any) -> Litestar:
    """Litestar with all of them; ``more`` is what the service adds."""
    return Application(
        route_handlers=CONTROLLERS,
        request_class=Asked,
        dependencies=DEPENDENCIES,
        exception_handlers={Exception: refuse},
        debug=False,
        **more,
    )


@cache
def described() -> Litestar:
    """An application that nobody can ask: what the document is made from.

    The one that is served has no OpenAPI of Litestar's, which would open pages with scripts from
    elsewhere.
    """
    config = OpenAPIConfig(
        title="Decklog",
        version="0",
        use_handler_docstrings=True,
        operation_id_creator=lambda handler, *_: camel(handler.handler_name),
        render_plugins=[JsonRenderPlugin()],
    )
    return application(openapi_config=config)


@cache
def operations() -> tuple[Operation, ...]:
    """What every route says of itself, in the order in which controllers have them."""
    modules = [controller.__module__ for controller in CONTROLLERS]

    def place(route: Route) -> tuple[int, int]:
        handler = unwrap_partial(route.fn)
        return modules.index(handler.__module__), handler.__code__.co_firstlineno

    return tuple(each.operation for each in sorted(routes_of(described()), key=place))


def routes_of(app: Litestar) -> list[Route]:
    """Its routes, without what Litestar answers by itself."""
    handlers = [each for route in app.routes for each in getattr(route, "route_handlers", ())]
    return [each for each in handlers if isinstance(each, Route)]


def plain_paths() -> dict[str, Any]:
    """The paths of Litestar's own document, as plain values."""
    found: dict[str, Any] = described().openapi_schema.to_schema()["paths"]
    return found
