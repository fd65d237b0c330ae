"""Whether some files tell of all games of a log: what is left out is named.

The log's own leaves are the count. They have a tag for each game, and the number of each event, so
that whoever reads them all knows how many games there are, and how long each is by now. Games of a
series have a leaf more each, with its number in the series.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from .leaf import FORM, FORMER, SERIES, Leaf, mark_of, mark_tag, series_tag

NAMED = 10
"""Games that are named of those that are in no file."""

Told = Sequence[tuple[str, Leaf]]
"""The leaves that the files tell of, each with its file."""


class OfSeries(NamedTuple):
    """A file whose game is one of a series; ``first``: the hash of its first event."""

    file: str
    series: str
    first: str


class Count:
    """Of the games in a log; a few bytes for each, however many events it has.

    left_out  a line for each game, or part of one, of which no file tells
    doubt     a line about those of which that cannot be told; "" for none
    """

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._former: set[str] = set()
        self._series: dict[str, dict[str, int]] = {}

    def add(self, leaf: Leaf) -> None:
        if leaf.form == SERIES:
            self._series.setdefault(leaf.tag, {})[leaf.hash] = leaf.seq
        elif leaf.form == FORM:
            self._last[leaf.tag] = max(leaf.seq, self._last.get(leaf.tag, 0))
        else:
            self._former.add(leaf.tag)

    def left_out(self, told: Told) -> Iterator[str]:
        longest: dict[str, tuple[int, str]] = {}
        for file, leaf in told:
            longest[leaf.tag] = max((leaf.seq, file), longest.get(leaf.tag, (0, "")))
        for tag, (seq, file) in longest.items():
            if seq < (last := self._last.get(tag, 0)):
                yield f"left out: {file} ends with event {seq}, and the log has {last} of it"
        missing = [tag for tag in self._last if tag not in longest]
        for tag in missing[:NAMED]:
            events = counted(self._last[tag], "event")
            yield f"left out: the game {tag}, of {events}, is in no file"
        if len(missing) > NAMED:
            yield f"left out: {len(missing) - NAMED} more games are in no file"

    def games_of(self, series: str) -> dict[str, int]:
        """The games that the log counts in a series: number of each, by its first event's hash."""
        return self._series.get(series_tag(series), {})

    def left_out_of_series(self, told: Sequence[OfSeries]) -> Iterator[str]:
        """What is missing in the files of each series that they name, and in the log of it."""
        for file, series, first in told:
            if first not in self.games_of(series):
                yield f"not counted: {file} is of the series {series}, where the log has it not"
        for series in dict.fromkeys(each.series for each in told):
            counted_, here = self.games_of(series), {each.first for each in told}
            missing = [number for first, number in counted_.items() if first not in here]
            of = f"of the {len(counted_)} of the series {series}"
            for number in missing[:NAMED]:
                yield f"left out: game {number} {of} is in no file"
            if len(missing) > NAMED:
                yield f"left out: {len(missing) - NAMED} more games {of} are in no file"

    def games_of_player(self, secret: bytes) -> list[str]:
        """Of each game of a player's, in order, the hash of the event by which he took his seat."""
        found: list[str] = []
        while event := next(iter(self._series.get(_marked(secret, len(found) + 1), ())), ""):
            found.append(event)
        return found

    def counts(self, mark: str, events: Set[str]) -> bool:
        """Whether the log counts by this mark the game of which these are the events' hashes."""
        return not events.isdisjoint(self._series.get(mark_tag(mark), ()))

    def left_out_of_player(self, secret: bytes, events: Set[str]) -> Iterator[str]:
        """His games of which no file tells; ``events``: the hashes of all events of the files."""
        own = self.games_of_player(secret)
        for number, event in enumerate(own, 1):
            if event not in events:
                yield f"left out: game {number} of the player's {len(own)} is in no file"

    @property
    def doubt(self) -> str:
        if not self._former:
            return ""
        games = counted(len(self._former), "game")
        return (
            f"{games} are logged in the former form {FORMER}, whose tags lead from no file to its "
            "game: whether a file tells of them cannot be said"
        )

    def total(self, told: Told) -> str:
        """How many games there are, and how many of them the files tell of."""
        tags = {leaf.tag for _, leaf in told}
        games = counted(len(self._last) + len(self._former), "game")
        return f"the {games} of the log, {len(tags & self._last.keys())} told of"


def _marked(secret: bytes, number: int) -> str:
    return mark_tag(mark_of(secret, number))


def counted(count: int, what: str) -> str:
    """A number and what it is of."""
    return f"{count} {what}{'' if count == 1 else 's'}"
