"""The application factory: settings in, an ASGI application out."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Union

import msgspec
from litestar import Litestar, Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.logging import LoggingConfig
from litestar.types import ASGIApp

from domain.kernel.game import Game
from service.api.call import Http
from service.api.operation import Operation
from service.api.pipeline import LOG, answer, as_refusal
from service.api.registry import OPERATIONS
from service.api.reply import problem_reply
from service.clock import Clock
from service.desk import Desk
from service.errors import StoreRefused
from service.frontdoor import FrontDoor
from service.limits import Limits
from service.metrics import Metrics
from service.openapi.codes import refusal_codes
from service.openapi.document import document_for
from service.settings import Settings

AnyGame = Game[Any, Any, Any]


def create_app(
    settings: Settings, games: Mapping[str, AnyGame] | None = None, clock: Clock | None = None
) -> Litestar:
    """The service over HTTP. The desk starts and stops with the application's lifespan.

    games  the rulesets on offer; every installed one when none are given
    ``app.state.http`` holds what the requests share; setting ``app.state.http.closing`` ends the
    open streams.
    """
    desk = Desk(settings, games, clock)
    http = Http(
        desk=desk,
        settings=settings,
        limits=Limits(settings.rate_limit, settings.stream_limit, time.monotonic),
        metrics=Metrics(),
        operations=OPERATIONS,
        document=document_for(desk.games),
        decoders={name: command_decoder(game) for name, game in desk.games.items()},
        refusals={name: refusal_codes(game) for name, game in desk.games.items()},
    )

    async def open_desk(app: Litestar) -> None:
        try:
            await desk.start()
        except StoreRefused as refusal:
            app.state.refused = refusal
            raise

    app = Litestar(
        route_handlers=[route(http, operation) for operation in OPERATIONS],
        on_startup=[open_desk],
        on_shutdown=[desk.stop],
        exception_handlers={Exception: _refuse},
        openapi_config=None,
        request_max_body_size=settings.body_limit,
        logging_config=logging_config(settings),
        debug=False,
    )
    app.state.http = http
    app.asgi_handler = FrontDoor(app.asgi_handler, http)
    return app


def command_decoder(game: AnyGame) -> msgspec.json.Decoder[Any]:
    """A strict decoder of the ruleset's commands."""
    return msgspec.json.Decoder(Union[game.commands])  # noqa: UP007


def route(http: Http, operation: Operation) -> HTTPRouteHandler:
    """The route of an operation: everything happens in the pipeline."""

    async def handle(request: Request[Any, Any, Any]) -> ASGIApp:
        return await answer(http, operation, request)

    path = operation.path.replace("{roll}", "{roll:path}").replace("}", ":str}")
    path = path.replace(":path:str}", ":path}")
    register: Callable[[Callable[..., Awaitable[ASGIApp]]], HTTPRouteHandler] = HTTPRouteHandler(
        path, http_method=[operation.method], name=operation.id, status_code=200
    )
    return register(handle)


def _refuse(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """What fails outside the pipeline: routing, above all."""
    refusal = as_refusal(error)
    if refusal.code == "internal.error":
        LOG.error("a request failed", exc_info=error)
    reply = problem_reply(refusal, request.scope["path"])
    return Response(
        reply.body, status_code=reply.status, media_type=reply.media, headers=reply.headers
    )


def logging_config(settings: Settings) -> LoggingConfig:
    """Plain lines on standard error. Litestar would log every 404; faults are logged by us."""
    return LoggingConfig(
        root={"level": settings.log_level, "handlers": ["console"]},
        handlers={
            "console": {
                "class": "logging.StreamHandler",
                "level": "DEBUG",
                "formatter": "plain",
            }
        },
        formatters={"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        log_exceptions="never",
    )
