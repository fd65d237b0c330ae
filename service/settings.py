"""What an operator may set, with defaults that suit one machine; environment: ``DECKLOG_*``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from .dice.vault import CHAIN_LENGTH

PREFIX = "DECKLOG_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of one service process.

    database            SQLite file; its lock and key files lie beside it
    store               address of a PostgreSQL database (postgresql://...), used instead of the
                        file; several workers may share it, and all need the same ``key``
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
    rate_limit          requests a minute for each caller; 0: no limit
    stream_limit        open event streams of each caller
    stream_ping         seconds between comments on an idle event stream
    webhook_seconds     how long an attempt to deliver a webhook may take; 0: this process delivers
                        none, and another one has to
    webhook_private     webhooks may lead to http, to any port, to this machine and to its network:
                        for local development only
    stop_seconds        how long a stop waits for requests in flight
    log_level           name of a logging level
    """

    database: Path = Path("decklog.sqlite")
    store: str = ""
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
    rate_limit: int = 6_000
    stream_limit: int = 16
    stream_ping: float = 15.0
    webhook_seconds: float = 10.0
    webhook_private: bool = False
    stop_seconds: int = 10
    log_level: str = "INFO"

    def __post_init__(self) -> None:
        if self.idempotency_hours < 24:
            raise ValueError("idempotency_hours must be 24 or more")
        if self.key and len(_hex(self.key)) != 32:
            raise ValueError("key must be 32 bytes in hex")
        if self.store and not self.store.startswith(("postgresql://", "postgres://")):
            raise ValueError("store must be an address that begins with postgresql://")


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
    found: dict[str, Any] = {
        name: source[PREFIX + name.upper()]
        for name in Settings.__struct_fields__
        if PREFIX + name.upper() in source
    }
    found.update({name: value for name, value in over.items() if value is not None})
    return msgspec.convert(found, Settings, strict=False, dec_hook=_to_path)


def _to_path(type_: type, value: Any) -> Any:
    if type_ is Path:
        return Path(value)
    raise TypeError(f"no way to read {type_}")
