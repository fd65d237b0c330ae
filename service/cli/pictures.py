"""Boards as pictures, games as films: ``decklog show --svg``, ``decklog replay --html``."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from projections.film import Caption, Film
from projections.pictures import FilmStep, scenes
from projections.reports import Reporter

from .console import Report, say, unheard
from .export import write_whole
from .record import Record
from .remote import Remote, game_path


def save(path: str, data: bytes) -> int:
    """The file, whole or not at all; says what was written. Raises Mistake."""
    write_whole(Path(path), data)
    say(f"{path}: {len(data):,} bytes")
    return 0


def fetched(remote: Remote, game: str, at: int | None, unit: str) -> bytes:
    """The picture as the service draws it for whoever asks. Raises Mistake."""
    wished: dict[str, Any] = {"at": at, "unit": unit}
    query = urlencode({name: value for name, value in wished.items() if value})
    return remote.download(game_path(game, "/board.svg") + (f"?{query}" if query else ""), unheard)


def film_of(record: Record, report: Report = unheard) -> bytes:
    """Every version of the game as one HTML file."""
    about = f"Game {record.id}, {record.latest} versions"
    if record.viewer:
        about += f", as {record.viewer} sees it"
    made = Film(record.game.title, f"{about}.")
    reporter = Reporter()
    steps = [FilmStep(told.event, told.caused_by) for told in record.told]
    for told, scene in zip(record.told, scenes(record.game, steps), strict=True):
        reporter.feed(record.entry(told))
        place = f"Turn {reporter.turn}, {reporter.phase}" if reporter.turn else reporter.phase
        made.add(scene, Caption(told.text, told.actor, place, told.caused_by))
        report(told.seq, record.latest)
    return made.html().encode()
