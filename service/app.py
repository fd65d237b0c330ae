"""The application factory: settings in, an ASGI application out."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cache, lru_cache, partial
from typing import Any

from litestar import Litestar

from domain.kernel.finder import games as installed_games
from domain.kernel.game import Game
from service import draining
from service.clock import SYSTEM, Clock
from service.desk import line_of, open_desk
from service.dice.vault import Vault
from service.entropy import SYSTEM as GENERATOR
from service.entropy import Entropy
from service.errors import StoreRefused
from service.evidence.chain import Seals
from service.evidence.digest import rules_digest
from service.http.access import DenyByDefault
from service.http.asked import Http
from service.http.envelope import Envelope
from service.http.limits import Limits
from service.http.registry import application
from service.news.hints import MakeHints
from service.news.line import Line
from service.openapi.codes import refusal_codes
from service.openapi.document import document_for
from service.openapi.explained import explained
from service.ops.logs import RequestIds, logging_config
from service.ops.metrics import Metrics
from service.ops.telemetry import Telemetry
from service.ops.traces import tracer_for
from service.play.deciding import command_decoder
from service.proxies import Proxies
from service.publishing.served import serving
from service.settings import Settings
from service.store.store import Connect
from service.threads import MakesThreads
from service.views.rulesets import with_lists_read
from service.webhooks.keeper import Proves
from service.webhooks.sending import MessageSender
from service.webhooks.targets import Resolve, resolve
from service.work.nursery import Nursery

AnyGame = Game[Any, Any, Any]


def create_app(
    settings: Settings,
    games: Mapping[str, AnyGame] | None = None,
    clock: Clock | None = None,
    *,
    vault: Vault | None = None,
    resolving: Resolve = resolve,
    proving: Proves | None = None,
    connect: Connect | None = None,
    sender: MessageSender | None = None,
    hints: MakeHints | None = None,
    line: Line | None = None,
    entropy: Entropy | None = None,
    threads: MakesThreads | None = None,
    nursery: Nursery | None = None,
    compared: bool | None = None,
    shut: Callable[[str, str], bool] | None = None,
    filed: Mapping[str, Seals] | None = None,
) -> Litestar:
    """The service over HTTP. The desk is opened and closed with the application's lifespan.

    games      the rulesets on offer; every installed one when none are given
    vault      where the dice come from; NWD-1's own when none is given
    resolving  how addresses of a webhook's name are found; ``proving``: see ``open_desk``
    connect, sender, hints, line, entropy, threads, nursery, compared  what
    :func:`~service.desk.open_desk` takes
    shut       whether an operation that writes, in a game, is not done here: what is shown is out
               of files, and no other origin's pages may read it
    filed      seals of games out of files that do not open everything
    ``app.state.http`` holds what the requests share; setting ``app.state.http.closing`` ends the
    open streams.
    """
    telemetry = Telemetry(Metrics(), tracer_for(settings, os.environ, entropy or GENERATOR))
    offered = dict(installed_games() if games is None else games)
    for game in offered.values():
        rules_digest(game)  # whoever has no archive is named before anybody plays by it
        command_decoder(game)  # it takes a while, and is kept
    told = with_lists_read(offered)
    line = line or line_of(settings)
    http = Http(
        settings=settings,
        limits=Limits(settings, (clock or SYSTEM).monotonic, line),
        metrics=telemetry.metrics,
        describe=cache(partial(document_for, told)),
        refusals=lambda: {name: refusal_codes(game) for name, game in told.items()},
        explained=lru_cache(512)(partial(explained, told)),  # it parses the sources
        rule_titles=cache(lambda: rule_titles(told.values())),
        proxies=Proxies(settings.proxies),
        request_ids=RequestIds(entropy or GENERATOR),
        shut=shut or (lambda operation, game: False),
        apart=shut is not None,
    )

    @asynccontextmanager
    async def at_work(app: Litestar) -> AsyncIterator[None]:
        try:
            async with open_desk(
                settings, offered, clock, telemetry,
                line=line, vault=vault, resolving=resolving, proving=proving, connect=connect,
                sender=sender, hints=hints, entropy=entropy, threads=threads, nursery=nursery,
                compared=compared,
            ) as desk:  # fmt: skip
                desk.store.filed = filed or {}
                http.opened(desk, telemetry.read(desk, settings))
                draining.heed(http, desk, lambda: app.state.stopping)
                yield
        except StoreRefused as refusal:
            app.state.refused = refusal
            raise
        finally:
            await telemetry.close()

    app = application(
        lifespan=[at_work],
        plugins=[DenyByDefault()],
        openapi_config=None,
        request_max_body_size=settings.body_limit,
        logging_config=logging_config(settings),
    )
    app.state.http, app.state.stopping = http, False
    files = serving(app.asgi_handler, settings.log_dir)
    app.asgi_handler = Envelope(files, http, telemetry.tracer, app.routes)
    return app


def rule_titles(games: Iterable[AnyGame]) -> dict[str, str]:
    """What each rule is called. An ID that means different rules in two rulesets is left out."""
    found: dict[str, set[str]] = {}
    for game in games:
        for text in game.catalogue.rules():
            found.setdefault(text.id, set()).add(text.title)
    return {id_: titles.pop() for id_, titles in found.items() if len(titles) == 1}
