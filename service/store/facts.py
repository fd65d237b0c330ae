"""What a PostgreSQL says of itself to who only looks: do commits last, who follows it, its time.

Everything is asked in transactions that only read, but for one: how long a commit takes is measured
with a message in the log of changes, which belongs to no table and is read by nobody.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import psycopg

from ..clock import SYSTEM
from ..errors import StoreRefused
from .postgres import (
    Connection,
    SharedLook,
    check_safe,
    check_sequences,
    connected,
    shares_transactions,
)

COMMITS = 9
"""Commits that are timed."""

T = TypeVar("T")

_SERVER = (
    "SELECT current_setting('server_version'), pg_is_in_recovery(), "
    "current_setting('synchronous_standby_names'), pg_database_size(current_database())"
)
_STANDBYS = (
    "SELECT count(*), count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) "
    "FROM pg_stat_replication"
)
_SESSIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
_COMMIT = b"SELECT pg_logical_emit_message(true, 'decklog', '')"


class Facts(NamedTuple):
    """Of one server, as it is now.

    loose     whether a pooler shares its connections between transactions
    unsafe    why a worker would not start on it
    standby   whether it is one, which takes no writes
    standbys  servers that follow it, and how many of them a commit waits for
    waits     what ``synchronous_standby_names`` says; "": a commit waits for nobody
    skew      its clock less ours, in seconds
    bytes     of the database
    sessions  others that are open on the database
    commit    seconds of a commit, the median; None where it may not be measured
    """

    version: str
    loose: bool
    unsafe: tuple[StoreRefused, ...]
    standby: bool
    standbys: int
    synchronous: int
    waits: str
    skew: float
    bytes: int
    sessions: int
    commit: float | None


def facts(look: SharedLook, address: str, patience: int) -> Facts:
    """Raises StoreRefused ``store.unreachable`` where the server goes away meanwhile."""

    def connect() -> Connection:
        return connected(address, patience)

    try:
        ((version, standby, waits, size),) = look.query(_SERVER)
        ((standbys, synchronous),) = look.query(_STANDBYS)
        checks = (
            lambda: check_safe(look.connection),
            lambda: check_sequences(look.connection),
        )
        return Facts(
            version=version.split()[0],
            loose=shares_transactions(connect),
            unsafe=tuple(refused for check in checks if (refused := _refusal(check)) is not None),
            standby=standby,
            standbys=standbys,
            synchronous=synchronous,
            waits=waits,
            skew=_skew(look),
            bytes=size,
            sessions=look.query(_SESSIONS)[0][0],
            commit=None if standby else _commit(connect),
        )
    except psycopg.Error as error:
        why = " ".join(str(error).split())
        raise StoreRefused("store.unreachable", f"{look.name}: {why}.") from error


def sessions(look: SharedLook) -> int:
    """Others that are open on the database of the store: workers, tools, people."""
    return int(look.query(_SESSIONS)[0][0])


def _refusal(check: Callable[[], None]) -> StoreRefused | None:
    try:
        check()
    except StoreRefused as refused:
        return refused
    return None


def _skew(look: SharedLook) -> float:
    before = SYSTEM.now().timestamp()
    ((told,),) = look.query("SELECT extract(epoch FROM clock_timestamp())")
    return float(told) - (before + SYSTEM.now().timestamp()) / 2


def _commit(connect: Callable[[], Connection]) -> float | None:
    found = []
    try:
        with connect() as connection:
            for _ in range(COMMITS):
                begun = time.perf_counter()
                connection.execute(_COMMIT)
                found.append(time.perf_counter() - begun)
    except psycopg.errors.InsufficientPrivilege:
        return None
    return statistics.median(found)
