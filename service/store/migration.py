"""A store of an older format: what bringing it to the present one does, and that it was done.

No worker does it: while one of the older program is still at work, what it wrote would be misread.
An operator stops them, and runs ``decklog store migrate``. What is done is safe to repeat: one that
was interrupted is begun anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import msgspec

from ..clock import stamp
from . import summaries
from .bulk import Statement
from .looking import Look
from .queries import Queries
from .schema import FORMAT

_KEEP = (
    "INSERT INTO meta (name, value) VALUES ('migrated', ?) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


class Migrated(msgspec.Struct, frozen=True):
    """The last migration: from which format to which, and when it was done."""

    before: int
    after: int
    at: str


def migrated(before: int, now: datetime) -> Statement:
    """Keeps that a store has just been brought from that format to the present one."""
    return _KEEP, (msgspec.json.encode(Migrated(before, FORMAT, stamp(now))),)


def last(look: Queries) -> Migrated | None:
    """The last migration; None where there was none, or one by a program that kept no word."""
    found = look.query("SELECT value FROM meta WHERE name = 'migrated'")
    return msgspec.json.decode(bytes(found[0][0]), type=Migrated) if found else None


class Plan(NamedTuple):
    """What a migration will do.

    found        the format that the store has
    missing      tables and indexes that are to be made
    projections  that are to be made anew, from all events there are
    summaries    of games that are to be written anew, from their events: a service does that too,
                 beside its work
    """

    found: int
    missing: tuple[str, ...]
    projections: int
    summaries: int

    @property
    def changes(self) -> bool:
        """Whether there is anything that no service does by itself."""
        return self.found < FORMAT or bool(self.missing)

    def lines(self) -> Iterator[str]:
        """In words, a line each."""
        if not self.changes:
            yield self._up_to_date()
            if self.summaries:
                yield (
                    f"summaries of games in the form of another program: {self.summaries}; a "
                    "service makes them anew beside its work, a migration does it at once"
                )
            return
        if self.found < FORMAT:
            yield f"format {self.found} becomes {FORMAT}; older programs refuse it afterwards"
        if self.missing:
            yield f"tables and indexes are made: {', '.join(self.missing)}"
        if self.found < FORMAT and self.projections:
            yield f"projections are made anew from all events: {self.projections}"
        if self.summaries:
            yield f"summaries of games are written anew from their events: {self.summaries}"

    def _up_to_date(self) -> str:
        archived = self.found > FORMAT
        why = "since games were archived" if archived else "as this program needs it"
        return f"format {self.found}, {why}: nothing to migrate"


def plan(look: Look) -> Plan:
    """What a migration of this store will do; the store is not empty."""
    counted = "SELECT count(DISTINCT projection) FROM projected"
    missing = tuple(look.missing())
    projections = 0 if "projected" in missing else int(look.query(counted)[0][0])
    return Plan(look.format(), missing, projections, summaries.count_of_another_form(look))
