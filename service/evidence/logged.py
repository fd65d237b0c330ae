"""What a public log says of a game, as a judge of evidence asks it.

The log stands above this package (``service.log``): whoever judges brings one who can read its
papers, or none, and then they are not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class Owed(NamedTuple):
    """What a receipt promises: the event of that number and hash is in the log by then."""

    seq: int
    hash: str
    by: str


class LogWord(NamedTuple):
    """What the papers of a file show; "" where they show nothing of it.

    check   what was checked
    origin  whose log has the last event, and who vouches for that log
    time    since when
    note    what is left open
    broken  promises of receipts that were not kept, a line for each
    """

    check: str = ""
    origin: str = ""
    time: str = ""
    note: str = ""
    broken: tuple[str, ...] = ()


class LogJudge(Protocol):
    """Reads the papers of a public log that a file carries, none where it carries none."""

    def __call__(
        self, papers: Mapping[str, bytes], game: str, seq: int, hash: str, owed: Sequence[Owed] = ()
    ) -> LogWord:
        """About the last event, number ``seq``, of the game with this id.

        owed  what the service has promised of events of the file
        Raises Refuted, Undecidable.
        """


UNREAD = LogWord(note="The file carries a proof of a public log, which is not judged here.")
"""Where nobody reads them."""
