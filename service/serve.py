"""Run the service in this process: say where it is, and stop it without cutting anybody off."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar

from domain.kernel.finder import games as installed_games
from domain.kernel.game import Game
from service.anew import take_anew, take_keys
from service.app import create_app
from service.clock import SYSTEM, Clock
from service.collector import spare_what_is_there
from service.errors import StoreRefused
from service.evidence.chain import Seals
from service.http.doors import Doors
from service.http.reading import reader_at
from service.ops import telling
from service.ops.listening import PortUnusable, bound, worker_name
from service.ops.safety import findings
from service.proxies import Proxies
from service.settings import Gathered, Settings
from service.work.nursery import Nursery

Say = Callable[[str], None]
Games = Mapping[str, Game[Any, Any, Any]]


KEEP_ALIVE = 75
"""Seconds after which an idle connection is closed: later than clients and reverse proxies close
theirs, so that none of them sends a request on a line that is just being cut."""


class Server(uvicorn.Server):
    """uvicorn, with additions: it greets, a stop ends the open event streams first, and a hang-up
    is a stop where a terminal is gone, else has settings read again."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Litestar,
        greet: Callable[[], None],
        again: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(config)
        self._app = app
        self._greet = greet
        self._again = again

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        spare_what_is_there()
        with contextlib.suppress(ValueError, RuntimeError):  # signals are the main thread's
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._hung_up)
        if not self.should_exit:
            self._greet()
            http = self._app.state.http
            if self._again is not None:
                http.desk.clerk.presence.reading(self._again)
            told = telling.started(http.desk, http.settings, http.metrics)
            self._telling = asyncio.create_task(told)

    def _hung_up(self) -> None:
        if self._again is None or _has_terminal():
            self._close()
        else:
            self._again()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; a second SIGINT does not wait. The signal is not raised again: it is dealt with."""
        if self._app.state.stopping and sig == signal.SIGINT:
            self.should_exit = self.force_exit = True
        asyncio.get_event_loop().call_soon_threadsafe(self._close)

    def _close(self) -> None:
        """End the streams and take no new work from now on; close the door when it is time."""
        http = self._app.state.http
        if not self._app.state.stopping:
            self._app.state.stopping = True
            telling.stopping(http.settings, http.metrics.streams_open)
            http.closing.set()
            loop = asyncio.get_running_loop()
            loop.call_later(http.settings.drain_seconds, setattr, self, "should_exit", True)


def run(
    settings: Settings,
    games: Games | None = None,
    say: Say = print,
    clock: Clock | None = None,
    again: Callable[[], Gathered] | None = None,
    shut: Callable[[str, str], bool] | None = None,
    filed: Mapping[str, Seals] | None = None,
) -> int:
    """Serve until SIGINT or SIGTERM; the exit code. ``say`` gets the lines of the greeting.

    shut, filed  see ``create_app``
    again  gathers the settings anew when SIGHUP asks for it; without it SIGHUP is a stop
    Unsafe settings, a store that cannot be opened and a port that is taken are said on standard
    error, code 2.
    """
    if unsafe := findings(settings, os.environ):
        print("\n".join(map(str, unsafe)), file=sys.stderr)
        return 2
    if again is not None:
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until it can be dealt with
    # Before there is any thread, and before there is a listener that a process could keep open.
    nursery = _nursery(games) if settings.work_processes > 0 else None
    try:
        making = partial(
            create_app, games=games, clock=clock, nursery=nursery, shut=shut, filed=filed
        )
        return _run(settings, making, say, again)
    finally:
        if nursery is not None:
            nursery.close()


def _nursery(games: Games | None) -> Nursery | None:
    return Nursery.forked(dict(installed_games() if games is None else games))


def _run(
    settings: Settings,
    making: Callable[[Settings], Litestar],
    say: Say,
    again: Callable[[], Gathered] | None,
) -> int:
    listener = _listen(settings)
    if listener is None:
        return 2
    host, port = listener.getsockname()[:2]
    url = settings.public_url or f"http://{_shown(host)}:{port}"
    try:
        app = making(_named(settings, port))
    except (StoreRefused, ValueError) as refused:
        print(refused, file=sys.stderr)
        listener.close()
        return 2
    doors = doors_of(settings)
    config = uvicorn.Config(
        app,
        http=reader_at(doors),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=settings.stop_seconds,
        lifespan="off",
    )
    server = Server(config, app, lambda: greet(url, say), _reading_again(app, doors, port, again))
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        return runner.run(_serve(app, server, listener))


def _reading_again(
    app: Litestar, doors: Doors, port: int, again: Callable[[], Gathered] | None
) -> Callable[[], None] | None:
    if again is None:
        return None

    def read() -> None:
        told = again()
        told = told._replace(settings=_named(told.settings, port))
        http = app.state.http
        if take_anew(http, doors, told, os.environ):
            app.state.reading = asyncio.ensure_future(take_keys(http.desk, told.settings))

    return read


def _named(settings: Settings, port: int) -> Settings:
    """With the worker's name."""
    return msgspec.structs.replace(settings, worker=worker_name(settings, port))


def _has_terminal() -> bool:
    """Whether somebody started it by hand: then a hang-up means that the terminal was closed."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def doors_of(settings: Settings) -> Doors:
    """The doors of a service; and as many open files as the system lets a process have."""
    if hasattr(resource, "RLIMIT_NOFILE"):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return Doors(settings.connection_limit, settings.head_seconds, Proxies(settings.proxies))


async def _serve(app: Litestar, server: Server, listener: socket.socket) -> int:
    """Serve between the application's start and stop; a store that refuses is said in a line."""
    try:
        async with app.lifespan():
            begun = SYSTEM.monotonic()
            await server.serve(sockets=[listener])
        commands = app.state.http.metrics.commands_taken
        telling.stopped(SYSTEM.monotonic() - begun, commands)
    except Exception:
        refused = app.state.get("refused")
        if not isinstance(refused, StoreRefused):
            raise
        print(refused, file=sys.stderr)
        return 2
    return 0


def _listen(settings: Settings) -> socket.socket | None:
    """A bound socket; None where that cannot be, which is said."""
    try:
        listener = bound(settings)
    except PortUnusable as unusable:
        print(unusable, file=sys.stderr)
        return None
    listener.set_inheritable(True)
    hang_up_on_the_dead(listener, settings.stall_seconds)
    return listener


def hang_up_on_the_dead(listener: socket.socket, seconds: int) -> None:
    """Have the system cut connections whose other end takes nothing for so long, or is gone.

    Inherited by every connection; where the system does not know the option, streams see to it.
    """
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)


def _shown(host: str) -> str:
    """The host as it stands in an address: a wildcard is reached by the loopback name."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def greet(url: str, say: Say) -> None:
    """Where the service is, where its documentation is, and a line that works."""
    say(f"Decklog is at {url}")
    say(f"Documentation:  {url}/docs")
    say(f"Try:            curl {url}/v1/rulesets")
