"""The log: one line a request, and every fault with its trace; as text or as JSON, a line each.

Lines name the route, not the path, and never a header or a body: what a client sends is not
written down. What slips into a message all the same, above all into an exception's, is masked on
its way out: tokens by their form, and the secrets of the settings by what they are.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, TextIO

from litestar.logging import LoggingConfig
from pythonjsonlogger.json import JsonFormatter

from service.entropy import SYSTEM, Entropy, drawn
from service.settings import Settings

ACCESS = logging.getLogger("decklog.access")

REQUEST_ID: ContextVar[str] = ContextVar("decklog_request_id", default="")
"""Of the request that is being answered, also on the engine's thread; "" outside of any."""

HEADER = "X-Request-Id"
_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
"""Without the underscore no token of ours can pass for an id."""

_SECRET_FORMS = (
    ("dl_", re.compile(r"dl_[a-z]+_[A-Za-z0-9_-]+"), "dl_***"),
    ("whsec_", re.compile(r"whsec_[A-Za-z0-9+/=_-]+"), "whsec_***"),
    ("bearer", re.compile(r"(?i)\b(bearer)\s+[A-Za-z0-9._~+/=-]{8,}"), r"\1 ***"),
    ("basic", re.compile(r"(?i)\b(basic)\s+[A-Za-z0-9._~+/=-]{8,}"), r"\1 ***"),
    ("://", re.compile(r"\b([a-z][a-z0-9+]*)://([^\s/@:]*):([^\s/@]+)@"), r"\1://\2:***@"),
)
"""What each form has in it, in lower case: most lines have none of these, which is soon seen."""

FACTS = ("method", "route", "status", "duration_ms", "game", "seat_kind", "code")
"""What the line of a request says besides its id."""


class RequestIds:
    """Numbers requests, behind a name that no other process has."""

    def __init__(self, entropy: Entropy = SYSTEM) -> None:
        self._process = drawn(entropy, 10)
        self._numbers = itertools.count()

    def of(self, sent: str) -> str:
        """The id that the client or its proxy gave the request, or a new one: it is no secret."""
        return sent if _ID.fullmatch(sent) else f"{self._process}{next(self._numbers):012x}"


def mask(text: str, secrets: tuple[str, ...] = ()) -> str:
    """The text without tokens, passwords in addresses, and the secrets that are given."""
    for secret in secrets:
        text = text.replace(secret, "***")
    lower = text.lower()
    for sign, form, stand_in in _SECRET_FORMS:
        if sign in lower:
            text = form.sub(stand_in, text)
    return text


def _with_id(record: logging.LogRecord) -> bool:
    """A filter that lets everything pass, and adds the id of the request."""
    record.request_id = REQUEST_ID.get()
    return True


class PlainLines(logging.Formatter):
    """Lines for people."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = secrets
        self._second = (-1, "")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """The usual form; what the lines of one second share is made once."""
        second, head = int(record.created), self._second[1]
        if second != self._second[0]:
            head = time.strftime(self.default_time_format, self.converter(second))
            self._second = second, head
        return f"{head},{int(record.msecs):03d}"

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        said = vars(record)
        told = [f"{name}={value}" for name in FACTS if (value := said.get(name))]
        if id_ := said.get("request_id"):
            told.append(f"request_id={id_}")
        head, newline, trace = line.partition("\n")
        return mask(" ".join((head, *told)) + newline + trace, self._secrets)


class JsonLines(JsonFormatter):
    """Lines for machines: one JSON object each, the traceback in ``exc_info``."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__(
            "%(asctime)s %(levelname)s %(name)s %(message)s %(request_id)s",
            rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
            datefmt="%Y-%m-%dT%H:%M:%S%z",
        )
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        return mask(super().format(record), self._secrets)


class TurnLines(logging.StreamHandler[TextIO]):
    """Lines on standard error; those of one turn of the event loop go out together.

    A write lets go of the interpreter's lock, and the loop would wait for it again at each line.
    Warnings and faults, and what other threads say, go out at once, after all that came before.
    """

    _waiting: str = ""
    _due: asyncio.AbstractEventLoop | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the line until the turn is over."""
        try:
            self._waiting += self.format(record) + self.terminator
            loop = None if record.levelno >= logging.WARNING else running_loop()
            if loop is None:
                self.flush()
            elif loop is not self._due:
                self._due = loop
                loop.call_soon(self.flush)
        except Exception:
            self.handleError(record)

    def flush(self) -> None:
        """Write what waits. Also called at the end of the process, when the stream that was there
        at the start may be closed: then on what is standard error by now, or on nothing."""
        self.acquire()
        try:
            lines, self._waiting, self._due = self._waiting, "", None
            if self.stream.closed and sys.stderr is not None:
                self.stream = sys.stderr
            if self.stream.closed:
                return
            if lines:
                self.stream.write(lines)
            super().flush()
        finally:
            self.release()


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop of this thread, if there is one."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_FORMATTERS: Mapping[str, Callable[[tuple[str, ...]], logging.Formatter]] = {
    "text": PlainLines,
    "json": JsonLines,
}


def formatter(settings: Settings) -> logging.Formatter:
    """The form of the lines that the settings ask for."""
    return _FORMATTERS[settings.log](settings.store_keys)


def logging_config(settings: Settings) -> LoggingConfig:
    """Lines on standard error. Litestar would log every 404; faults are logged by us."""
    # No line names its process or thread: asking the system for them at each took longer than most
    # of the rest (docs.python.org, Logging HOWTO, "Optimization").
    # Nor where it was written, which takes a walk along the frames (the same place).
    logging.logProcesses = logging.logThreads = logging.logMultiprocessing = False
    logging._srcfile = None
    return LoggingConfig(
        root={"level": settings.log_level, "handlers": ["console"]},
        handlers={
            "console": {
                "class": f"{TurnLines.__module__}.{TurnLines.__name__}",
                "level": "DEBUG",
                "formatter": "lines",
                "filters": ["request"],
            }
        },
        formatters={"lines": {"()": formatter, "settings": settings}},
        filters={"request": {"()": lambda: _with_id}},
        loggers={"httpx": {"level": "WARNING"}},  # it would name the addresses of others
        log_exceptions="never",
    )


QUIET_ROUTES = ("/healthz", "/readyz", "/metrics")
"""Asked by machines every few seconds: their lines are for DEBUG."""


def access(facts: Mapping[str, Any]) -> None:
    """The line of one request, when its answer is complete: for a stream, when it has ended."""
    level = logging.DEBUG if facts["route"] in QUIET_ROUTES else logging.INFO
    ACCESS.log(level, "answered", extra=dict(facts))
