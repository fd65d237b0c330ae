"""What an operator may set, with defaults that suit one machine; environment: ``DECKLOG_*``.

Secrets may also lie in files: ``DECKLOG_KEY_FILE`` names one that holds the key. What is legal but
unwise is for :mod:`service.ops.safety` to refuse.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from .dice.vault import CHAIN_LENGTH
from .proxies import Proxies

PREFIX = "DECKLOG_"

SECRETS = ("key", "store", "redis")
"""Settings that may be given as the name of a file (``DECKLOG_<NAME>_FILE``) that holds them."""

OTHER_VARIABLES = ("COMMIT", "URL", "TOKEN", "TRACE")
"""``DECKLOG_*`` variables that are no settings: what was built, and the command line's own."""

FOR_TESTS = "TEST_"
"""Begins the names of variables that are for tests."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of one service process.

    database            SQLite file; its lock and key files lie beside it
    store               address of a PostgreSQL database (postgresql://...), used instead of the
                        file; several workers may share it, and all need the same ``key``
    newest              file in a second place that keeps the newest event's hash, by which an older
                        backup is noticed; empty: beside the database file, none for ``store``
    key                 32 bytes in hex that encrypt dice masters and stored answers at rest;
                        empty: a key file beside the database, made at first start (mode 0600)
    host, port          where to listen; port 0 takes a free one
    public_url          address that clients see; empty: http://host:port
    chain_length        links in each dice chain (NWD-1 ``N``); spent chains are renewed
    cached_games        games whose state is kept in memory
    queue_limit         commands that may wait for the engine before the service says 503
    idempotency_hours   how long an idempotency key is remembered; 24 at least
    store_busy_seconds  how long a write waits for another program that holds the database
    body_limit          bytes of a request body
    json_depth          levels of a request body
    page_limit          items of a page, at most
    work_processes      processes for what is expensive: odds, reasons, differences, pictures, luck,
                        evidence, forks, documents; 0: it is done in line, and nothing bounds it
    rate_limit          requests a minute for each caller; 0: no limit
    fork_days           for which a fork is kept after the last command in it; 0: for ever
    unplayed_days       after which a game in which nobody has given a command is ended; 0: never
    document_days       for which a document is kept after it was posted or named by a new game;
                        0: for ever
    creation_limit      games, forks, documents and webhooks that each caller makes in an hour; all
                        behind one address eight times as many; 0, or a rate_limit of 0: no limit
    parallel_limit      requests of each token that a worker works on at the same time; 0: no limit.
                        Callers without a token, who are known by their address: eight times as many
    connection_limit    connections of each address to a worker, unless it is a listed proxy; 0: no
                        limit
    head_seconds        within which a connection has to send the whole head of a request
    stream_limit        open event streams of each token at a worker, of each address eight times
                        as many
    stream_ping         seconds between comments on an idle event stream
    webhook_seconds     how long an attempt to deliver a webhook may take; 0: this process delivers
                        none, and another one has to
    webhook_private     webhooks may lead to http, to any port, to this machine and to its network:
                        for local development only
    deadline_grace      seconds after a start in which no deadline is over: who could answer before?
    stall_seconds       after which a reader that takes nothing of its answer is hung up on
    redis               address of a Redis (redis://...), for news and quotas that workers share;
                        nothing is lost when it vanishes
    proxies             addresses or networks of the reverse proxies whose X-Forwarded-For is
                        believed, separated by commas; nobody's unless they are listed
    drain_seconds       how long a service that is told to stop goes on refusing new work politely
                        before it closes its door, so that whoever sends it work notices
    stop_seconds        how long a stop waits for requests in flight
    log_level           name of a logging level
    log                 "text": lines for people; "json": a JSON object a line
    traces              address of an OTLP/HTTP receiver for OpenTelemetry traces; empty: the
                        standard ``OTEL_EXPORTER_OTLP_*`` variables, else none
    """

    database: Path = Path("decklog.sqlite")
    store: str = ""
    newest: str = ""
    key: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""
    chain_length: int = CHAIN_LENGTH
    cached_games: int = 1_000
    queue_limit: int = 4_096
    idempotency_hours: int = 48
    store_busy_seconds: int = 5
    body_limit: int = 262_144
    json_depth: int = 32
    page_limit: int = 200
    work_processes: int = 2
    rate_limit: int = 6_000
    fork_days: int = 30
    unplayed_days: int = 90
    document_days: int = 90
    creation_limit: int = 240
    parallel_limit: int = 8
    connection_limit: int = 256
    head_seconds: float = 10.0
    stream_limit: int = 4
    stream_ping: float = 15.0
    webhook_seconds: float = 10.0
    webhook_private: bool = False
    deadline_grace: int = 60
    stall_seconds: int = 30
    redis: str = ""
    proxies: str = ""
    drain_seconds: float = 0.0
    stop_seconds: int = 10
    log_level: str = "INFO"
    log: Literal["text", "json"] = "text"
    traces: str = ""

    def __post_init__(self) -> None:
        if self.idempotency_hours < 24:
            raise ValueError("idempotency_hours must be 24 or more")
        if self.key and len(_hex(self.key)) != 32:
            raise ValueError("key must be 32 bytes in hex")
        if self.store and not self.store.startswith(("postgresql://", "postgres://")):
            raise ValueError("store must be an address that begins with postgresql://")
        if self.redis and not self.redis.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("redis must be an address that begins with redis://")
        for name in ("store", "redis", "public_url", "traces"):
            _check_address(name, getattr(self, name))
        Proxies(self.proxies)

    @property
    def second_place(self) -> Path | None:
        """Where the newest event's hash is kept besides."""
        if self.newest:
            return Path(self.newest)
        return None if self.store else self.database.with_name(self.database.name + ".newest")

    @property
    def shared_prefix(self) -> str:
        """What stands before all that the workers of one store keep in Redis."""
        name = self.key or str(self.database.absolute())
        return f"decklog:{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def _check_address(name: str, address: str) -> None:
    """Raises ValueError, which does not show the address: there may be a password in it."""
    try:
        parts = urlsplit(address)
        if name != "store":  # PostgreSQL's may name several hosts, each with its port
            _ = parts.port
    except ValueError:
        raise ValueError(f"{name} is no address that can be read") from None


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def from_environment(environ: Mapping[str, str] | None = None, **over: Any) -> Settings:
    """Settings from ``DECKLOG_DATABASE``, ``DECKLOG_PORT``, ...; ``over`` wins where given.

    Raises msgspec.ValidationError for a value of the wrong type, ValueError for one out of range.
    """
    source = os.environ if environ is None else environ
    found = _from_files(source)
    for name in Settings.__struct_fields__:
        if PREFIX + name.upper() in source:
            if name in found:
                raise ValueError(
                    f"{PREFIX}{name.upper()} and {PREFIX}{name.upper()}_FILE: give one"
                )
            found[name] = source[PREFIX + name.upper()]
    found.update({name: value for name, value in over.items() if value is not None})
    return msgspec.convert(found, Settings, strict=False, dec_hook=_to_path)


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """``DECKLOG_*`` variables that mean nothing: a misspelt one must not be overlooked."""
    fields = Settings.__struct_fields__
    known = {name.upper() for name in fields} | set(OTHER_VARIABLES)
    known |= {f"{name.upper()}_FILE" for name in SECRETS if name in fields}
    names = (name.removeprefix(PREFIX) for name in environ if name.startswith(PREFIX))
    return [PREFIX + n for n in sorted(names) if n not in known and not n.startswith(FOR_TESTS)]


def _from_files(source: Mapping[str, str]) -> dict[str, Any]:
    """The secrets that files hold, without the line's end. Raises ValueError."""
    found: dict[str, Any] = {}
    for name in SECRETS:
        variable = f"{PREFIX}{name.upper()}_FILE"
        if name not in Settings.__struct_fields__ or variable not in source:
            continue
        try:
            found[name] = Path(source[variable]).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{variable} cannot be read: {error}") from None
    return found


def _to_path(type_: type, value: Any) -> Any:
    if type_ is Path:
        return Path(value)
    raise TypeError(f"no way to read {type_}")
