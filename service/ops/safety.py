"""Settings that are legal and yet unsafe: the service does not start with them.

Each refusal has a stable code, says what is wrong, and what would be safe.
``decklog serve --check`` shows them without starting anything.
"""

from __future__ import annotations

import ipaddress
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec

from ..settings import Settings, about, unknown_variables, variable
from ..store.box import key_path
from ..store.places import unusable, unwritable

DISTINCT_BYTES = 16
"""Of 10^16 random keys of 32 bytes not one is expected to have fewer different bytes."""

INTERNAL = (".local", ".internal", ".svc", ".localhost", ".test")
"""Ends of names that only mean something inside a network of one's own."""

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
ENCRYPTED = ("require", "verify-ca", "verify-full")


class Unsafe(msgspec.Struct, frozen=True):
    """Why the service does not start.

    code  stable: "settings." and a name
    why   what is wrong; never a secret
    hint  what would be safe
    """

    code: str
    why: str
    hint: str

    def __str__(self) -> str:
        return f"{self.code}: {self.why}. {self.hint}"


def findings(settings: Settings, environ: Mapping[str, str]) -> list[Unsafe]:
    """Everything that is unsafe, in a fixed order; nothing when the service may start."""
    found = [each for check in _CHECKS for each in check(settings)]
    return [*_misspelt(environ), *_assertions(__debug__), *found]


def _misspelt(environ: Mapping[str, str]) -> Iterator[Unsafe]:
    if names := unknown_variables(environ):
        hint = "See decklog config; in Kubernetes, set enableServiceLinks: false."
        yield Unsafe("settings.unknown", f"{', '.join(names)}: no such setting", hint)


def _assertions(on: bool) -> Iterator[Unsafe]:
    if not on:
        hint = "Start Python without -O, and without PYTHONOPTIMIZE."
        yield Unsafe("settings.assertions-off", "the program's own checks are off", hint)


def _key(settings: Settings) -> Iterator[Unsafe]:
    make = "Make one: openssl rand -hex 32."
    if settings.store and not settings.key:
        yield Unsafe(
            "settings.key-missing",
            "DECKLOG_STORE needs DECKLOG_KEY, the same for every worker",
            make,
        )
    if any(len(set(bytes.fromhex(key))) < DISTINCT_BYTES for key in settings.store_keys):
        yield Unsafe("settings.key-weak", "DECKLOG_KEY does not look random", make)


def _files(settings: Settings) -> Iterator[Unsafe]:
    if settings.store:
        return
    folder = settings.database.absolute().parent
    if found := unwritable(folder) or next(filter(None, _unusable(settings)), ""):
        why = f"DECKLOG_DATABASE, {settings.database}, cannot be written: {found}"
        hint = "Name a file in a folder that belongs to the service."
        yield Unsafe("settings.database-misplaced", why, hint)
        return
    key = key_path(settings.database)
    if not settings.key and _mode(key) & 0o077:
        hint = f"chmod 600 {key.name}."
        yield Unsafe(
            "settings.key-exposed",
            f"others may read or write {key.name}, in place of DECKLOG_KEY",
            hint,
        )
    mode = _mode(folder)
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        hint = "Use a folder that belongs to the service alone."
        yield Unsafe(
            "settings.folder-open", "anybody may replace the database (DECKLOG_DATABASE)", hint
        )


def _unusable(settings: Settings) -> Iterator[str]:
    """What is in the way of the database, or of what lies beside it."""
    database = settings.database
    yield unusable(database)
    for end in (".lock", "-wal", "-shm"):
        yield unusable(database.with_name(database.name + end))
    if not settings.key:
        yield unusable(key_path(database), os.R_OK)


def _mode(path: Path) -> int:
    """Permission bits; 0 for what is not there."""
    try:
        return path.stat().st_mode
    except OSError:
        return 0


def _limits(settings: Settings) -> Iterator[Unsafe]:
    if settings.rate_limit == 0 and not is_loopback(settings.host):
        hint = "Set DECKLOG_RATE_LIMIT, or listen on 127.0.0.1 only."
        yield Unsafe("settings.unlimited", f"DECKLOG_RATE_LIMIT is 0 on {settings.host}", hint)
    if settings.webhook_private and not is_loopback(settings.host):
        hint = "Leave DECKLOG_WEBHOOK_PRIVATE out, or listen on 127.0.0.1 only."
        yield Unsafe(
            "settings.webhooks-private",
            "DECKLOG_WEBHOOK_PRIVATE lets callers reach the inner network",
            hint,
        )
    for name, told in about().items():
        if told.least is None or told.most is None:
            continue
        if not told.least <= getattr(settings, name) <= told.most:
            why = f"{variable(name)} is {getattr(settings, name)}"
            yield Unsafe("settings.out-of-range", why, f"Use {told.range}.")


def _logging(settings: Settings) -> Iterator[Unsafe]:
    if settings.log_level not in LEVELS:
        why = f"DECKLOG_LOG_LEVEL: no level is called {settings.log_level!r}"
        yield Unsafe("settings.log-level", why, f"Use one of {', '.join(LEVELS)}.")


def _addresses(settings: Settings) -> Iterator[Unsafe]:
    for name in ("public_url", "traces"):
        if address := getattr(settings, name):
            yield from _address(name, address)


def _address(name: str, address: str) -> Iterator[Unsafe]:
    parts = urlsplit(address)
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        hint = "Use https://host, without user, password, query or fragment."
        yield Unsafe(
            "settings.address-malformed", f"{variable(name)} is no plain http address", hint
        )
    elif parts.scheme == "http" and not is_near(parts.hostname):
        why = f"{variable(name)} leads through open networks without encryption"
        yield Unsafe("settings.clear-text", why, "Use https.")


def _redis(settings: Settings) -> Iterator[Unsafe]:
    parts = urlsplit(settings.redis)
    if parts.scheme == "redis" and not is_near(parts.hostname or ""):
        why = "DECKLOG_REDIS leads through open networks without encryption"
        yield Unsafe("settings.redis-clear-text", why, "Use rediss://.")


def _store(settings: Settings) -> Iterator[Unsafe]:
    parts = urlsplit(settings.store)
    query = parse_qs(parts.query)
    hosts = [*_hosts(parts.netloc), *",".join(query.get("host", [])).split(",")]
    if all(is_near(host) or host.startswith("/") for host in hosts if host):
        return
    if query.get("sslmode", [""])[-1] not in ENCRYPTED:
        why = "DECKLOG_STORE leads through open networks without encryption"
        yield Unsafe("settings.store-clear-text", why, "Add sslmode=verify-full to it.")


def _hosts(place: str) -> list[str]:
    """The hosts in an address, of which PostgreSQL's may have several: user@one:5432,two:5432."""
    listed = place.rpartition("@")[2].split(",")
    return [urlsplit(f"//{each}").hostname or "" for each in listed]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_near(host: str) -> bool:
    """This machine, a private network, or a name that has no meaning outside of one."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith(INTERNAL)


_CHECKS: tuple[Callable[[Settings], Iterator[Unsafe]], ...] = (
    _key,
    _files,
    _limits,
    _logging,
    _addresses,
    _store,
    _redis,
)
