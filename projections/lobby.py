"""The lobby by life: which games something has happened in lately."""

from __future__ import annotations

from .follow import Document, DocumentStore, Entry, Projection


class Activity(Document, frozen=True):
    """A game's life so far.

    game       its ID
    version    of its latest event
    commands   orders that were accepted
    latest_at  time of the latest event, RFC 3339 UTC
    """

    game: str
    version: int
    commands: int
    latest_at: str


def take(shelf: DocumentStore, entry: Entry) -> None:
    """Every event brings its game to the top."""
    known = shelf.read(entry.game, Activity)
    activity = Activity(
        game=entry.game,
        version=entry.seq,
        commands=(known.commands if known else 0) + entry.ordered,
        latest_at=entry.at,
    )
    shelf.write(entry.game, activity, rank=entry.place, kind=entry.ruleset)


PROJECTION = Projection("lobby", 1, take)
