"""``decklog replay``: step through a game in the terminal, forwards and backwards."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import click

from domain.kernel.codec import full
from projections.timeline import Chapter

from .console import clean, emit, is_terminal, progress, say
from .files import is_file
from .mistakes import Mistake
from .pictures import film_of, save
from .record import Record, from_file, from_service
from .remote import Remote
from .show import refuse_viewer
from .tools import Tools, json_option, service_options, viewer_option

KEYS = (
    "n next  p previous  N next order  P previous order  ] next phase  [ phase before  "
    "t timeline  j number+Enter  g first  G last  q quit"
)
ALIASES = {
    " ": "n",
    "\x1b[C": "n",
    "\x1b[B": "n",
    "\x1b[D": "p",
    "\x1b[A": "p",
    "\x1b[6~": "N",
    "\x1b[5~": "P",
    "\x1b[H": "g",
    "\x1b[F": "G",
    "\x1b": "q",
    "\x04": "q",
}
"""Arrows, space, page up and down, home, end and escape do what one would think."""


@click.command("replay", short_help="Step through a game, forwards and backwards.")
@click.argument("target", metavar="GAME|FILE")
@click.option(
    "--to", type=click.IntRange(1), metavar="N", help="Tell it up to version N, and stop."
)
@click.option("--all", "everything", is_flag=True, help="Tell it to the end, and stop.")
@click.option(
    "--from", "start", type=click.IntRange(1), default=1, metavar="N", help="Begin at version N."
)
@viewer_option("FILE only: as a seat, public or truth saw it.")
@click.option(
    "--html",
    "film",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write the whole game as one HTML file that plays by itself.",
)
@click.option("--timeline", is_flag=True, help="Tell its phases with their versions, and stop.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    target: str,
    to: int | None,
    everything: bool,
    timeline: bool,
    start: int,
    viewer: str,
    film: str | None,
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Step through a game: GAME on a running service, or an evidence FILE offline.

    In a terminal, keys move through it:

    \b
      n  next event        N  after the next order       g  first event
      p  previous event    P  after the order before     G  last event
      ]  next phase        [  the phase before           t  timeline of all phases
      j  jump: a number, then Enter                      q  quit

    With --to or --all, and where there is no terminal, the events are told as sentences, with the
    board at the end.
    """
    if to is not None and everything:
        raise Mistake("--to and --all exclude each other.", "Give one of them.", "usage")
    if film is not None and (to is not None or everything or as_json):
        raise Mistake("--html goes with none of --to, --all, --json.", "Leave them out.", "usage")
    record = _record(tools, target, viewer, url, token)
    if film is not None:
        with progress("drawing the game") as report:
            made = film_of(record, report)
        return save(film, made)
    first = record.checked(start)
    last = record.latest if to is None else record.checked(to)
    if timeline:
        _phases(record, as_json=as_json)
    elif as_json:
        emit(_document(record, first, last))
    elif to is not None or everything or not _interactive():
        _tell(record, first, last)
    else:
        with key_reader() as read:
            Player(record, first).run(keys(read))
    return 0


def _record(tools: Tools, target: str, viewer: str, url: str, token: str) -> Record:
    with progress("reading the game") as report:
        if is_file(target):
            return from_file(tools, target, viewer, report)
        refuse_viewer(viewer)
        with Remote(url, token) as remote:
            return from_service(tools, remote, target, report)


def _interactive() -> bool:
    return is_terminal() and is_terminal(sys.stdin)


def _document(record: Record, first: int, last: int) -> dict[str, Any]:
    told = record.told[first - 1 : last]
    return {
        "game": record.id,
        "ruleset": record.game.ruleset,
        "viewer": record.viewer,
        "events": [
            {
                "seq": t.seq,
                "type": t.type,
                "at": t.at,
                "actor": t.actor,
                "causedBy": t.caused_by,
                "text": t.text,
            }
            for t in told
        ],
        "version": last,
        "board": record.board(last),
        "state": full(record.state(last)),
    }


def _phases(record: Record, *, as_json: bool) -> None:
    """The timeline: each phase in which something was told, with the versions it spans."""
    found = record.chapters()
    if as_json:
        emit(
            [{**each._asdict(), "lines": [line._asdict() for line in each.lines]} for each in found]
        )
        return
    for line in timeline_of(found):
        say(line)


def timeline_of(found: Sequence[Chapter], version: int = 0) -> list[str]:
    """A line for each phase; the one that ``version`` is in is marked."""
    lines = []
    for each in found:
        mark = ">" if each.first <= version <= each.last else " "
        where = f"turn {each.turn}, {each.phase}" if each.turn else each.phase
        count = f"{len(each.lines)} events told"
        lines.append(f"{mark} {each.first:>5} to {each.last:>5}  {where:<40} {count}".rstrip())
    return lines


def _tell(record: Record, first: int, last: int) -> None:
    width = len(str(record.latest))
    for told in record.told[first - 1 : last]:
        if told.text:
            say(f"{told.seq:>{width}}  {told.text}")
    say()
    say(record.board(last))


class Player:
    """The state of a replay: a record and the version that is shown."""

    def __init__(self, record: Record, version: int, write: Callable[[str], None] | None = None):
        self.record = record
        self.version = version
        self._write = write or _on_terminal
        self._moves: dict[str, Callable[[], int]] = {
            "n": lambda: self.version + 1,
            "p": lambda: self.version - 1,
            "N": self._after_next_order,
            "P": self._after_order_before,
            "g": lambda: 1,
            "G": lambda: self.record.latest,
            "]": self._next_phase,
            "[": self._phase_before,
        }

    def run(self, pressed: Iterator[str]) -> None:
        """Until q is pressed or the keys end."""
        self.show()
        for key in pressed:
            if key == "q":
                return
            if key == "j":
                self._jump(pressed)
            elif key == "t":
                self._timeline()
            elif key in self._moves:
                self.go(self._moves[key]())

    def go(self, version: int) -> None:
        """Show a version, or the nearest one there is."""
        self.version = min(max(version, 1), self.record.latest)
        self.show()

    def show(self, prompt: str = "") -> None:
        told = self.record.at(self.version)
        lines = [
            self.record.board(self.version),
            "",
            f"version {self.version} of {self.record.latest}  {told.actor}  {told.type}",
            told.text or "(book-keeping)",
            "",
            prompt or KEYS,
        ]
        self._write(clean("\n".join(lines)))

    @cached_property
    def _chapters(self) -> list[Chapter]:
        return self.record.chapters()

    def _timeline(self) -> None:
        lines = [*timeline_of(self._chapters, self.version), "", KEYS]
        self._write(clean("\n".join(lines)))

    def _next_phase(self) -> int:
        later = (each.last for each in self._chapters if each.last > self.version)
        return next(later, self.record.latest)

    def _phase_before(self) -> int:
        ended = [each.last for each in self._chapters if each.last < self.version]
        return ended[-1] if ended else 1

    def _jump(self, pressed: Iterator[str]) -> None:
        number = ""
        self.show("jump to: ")
        for key in pressed:
            if key in "\r\n":
                break
            if key == "q":
                number = ""
                break
            number = number[:-1] if key in "\x7f\b" else number + (key if key.isdigit() else "")
            number = number[:9]
            self.show(f"jump to: {number}")
        self.go(int(number) if number else self.version)

    def _after_next_order(self) -> int:
        """The last event of the next order (or of the present one, if there is more of it)."""
        version = min(self.version + 1, self.record.latest)
        while version < self.record.latest and self._same(version, version + 1):
            version += 1
        return version

    def _after_order_before(self) -> int:
        """The last event before the present order began."""
        version = self.version
        while version > 1 and self._same(version - 1, version):
            version -= 1
        return version - 1

    def _same(self, one: int, two: int) -> bool:
        return self.record.at(one).caused_by == self.record.at(two).caused_by


def keys(read: Callable[[], str]) -> Iterator[str]:
    """Single keys from ``read``, which may give several at once (a paste, a fast hand)."""
    while True:
        try:
            text = read()
        except (EOFError, KeyboardInterrupt):
            return
        if not text:
            return
        if text in ALIASES:
            yield ALIASES[text]
        elif not text.startswith("\x1b"):
            for key in text:
                yield ALIASES.get(key, key)


@contextmanager
def key_reader() -> Iterator[Callable[[], str]]:
    """Reads what was typed, without waiting for Enter.

    The terminal stays in this mode throughout: a key that is pressed while a frame is drawn would
    otherwise wait in a line that is never ended.
    """
    try:
        import termios
        import tty
    except ImportError:  # not a POSIX system
        yield click.getchar
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield lambda: os.read(terminal, 64).decode(errors="replace")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _on_terminal(text: str) -> None:
    """A frame: the screen is cleared first."""
    click.clear()
    click.echo(text)
