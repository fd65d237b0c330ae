"""What a projection is: a function that takes in the log of all games, one entry after the other.

A projection keeps documents on its shelf, under keys of its own. It sees of each event what
everybody may know, in the order of the log, each entry once; where it is in the log is kept in the
same transaction as its documents. It must depend on nothing else, so that it can be thrown away and
made again. A module of this folder (or an entry point of the group ``decklog.projections``) with a
``PROJECTION`` in it is found and followed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from domain.kernel.shown.roles import Role
from domain.kernel.values import Seat

T = TypeVar("T", bound=msgspec.Struct)


class Document(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of what a projection keeps and shows."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One event of the log, as everybody may know it.

    place    in the log of all games: rising, with holes
    game     whose event it is, by id; ``ruleset`` is the one it is played by
    seq      dense from 1 in its game
    type     ``<ruleset>.<name>``, or ``decklog.<name>`` for the service's own
    at       RFC 3339 UTC with milliseconds
    actor    a seat, or "service"
    ordered  whether it is the first event of a command
    by       then the seat whose command it is, also where its dice fell first or where the service
             answered for it; empty: it is no first event
    data     the public data as canonical JSON
    roles    what it means, in words that all games share: a unit is lost, moved, fired at; as the
             event alone says it, so that ``seat`` may be empty
    opened   with the end of a game: its dice batches that only one seat could see until now, in
             truth; their data is like that of an open batch
    """

    place: int
    game: str
    ruleset: str
    seq: int
    type: str
    schema: int
    at: str
    actor: str
    ordered: bool
    data: bytes
    opened: tuple[Entry, ...] = ()
    roles: tuple[Role, ...] = ()
    by: Seat = ""


class DocumentStore(Protocol):
    """Where a projection keeps its documents."""

    def read(self, key: str, type_: type[T]) -> T | None:
        """The document under the key."""

    def write(self, key: str, document: msgspec.Struct, *, rank: int = 0, kind: str = "") -> None:
        """Keep the document in place of the one that was there.

        rank  its order in the list, the highest first, of equals by key, backwards; 0: not listed
        kind  by which the list may be restricted; the ruleset, as a rule
        """


@dataclass(frozen=True)
class Projection:
    """A read model.

    name     of its documents, for ever
    version  a new number where ``take`` or the documents change: it is then made anew
    take     puts one entry of the log onto the shelf; entries that do not concern it change nothing
    """

    name: str
    version: int
    take: Callable[[DocumentStore, Entry], None]
