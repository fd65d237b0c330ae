"""Routes are registered once in a run of tests: each application that a test makes stands on them.

Litestar needs 60 ms of the processor for ours, whatever the settings are: that was a third of what
most tests over HTTP cost. An application has its own state, its own start and stop, and its own
log; what it shares with the others says nothing of any of them. Servers that are processes of
their own register for themselves, and so does a test that adds a route: by ``__wrapped__``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache, wraps
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from litestar import Litestar

    Make = Callable[..., Litestar]

OWN = frozenset({"lifespan", "logging_config"})
"""What an application has for itself."""

SHARED = frozenset({"plugins", "openapi_config", "request_max_body_size"})
"""What routes are registered with."""


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Where no test of the run makes an application, nothing of it is imported."""
    service = sys.modules.get("service.app")
    if service is not None:
        service.application = sharing(service.application)  # type: ignore[attr-defined]


def sharing(make: Make) -> Make:
    """``make``, but routes that were registered for such an application are taken again."""

    @cache
    def registered(kinds: tuple[type, ...], body_limit: int) -> Litestar:
        plugins = [kind() for kind in kinds]
        return make(plugins=plugins, openapi_config=None, request_max_body_size=body_limit)

    @wraps(make)
    def application(**more: Any) -> Litestar:
        if more.keys() != OWN | SHARED or more["openapi_config"] is not None:
            return make(**more)
        kinds = tuple(type(plugin) for plugin in more["plugins"])
        whole = registered(kinds, more["request_max_body_size"])
        return _beside(whole, more["lifespan"], more["logging_config"])

    return application


def _beside(registered: Litestar, lifespan: Sequence[Any], logging_config: Any) -> Litestar:
    """An application with the same routes and everything else of its own."""
    from litestar.datastructures import State
    from litestar.events import SimpleEventEmitter

    app = copy(registered)
    app.state = State()
    app.asgi_router = copy(registered.asgi_router)
    app.asgi_router.app = app
    app.event_emitter = SimpleEventEmitter(())
    app._lifespan_managers = list(lifespan)
    app.logging_config = logging_config
    if logging_config:
        app.get_logger = logging_config.configure()
        app.logger = app.get_logger("litestar")
    return app
