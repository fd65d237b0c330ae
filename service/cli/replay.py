"""``decklog replay``: step through a game in the terminal, forwards and backwards."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

import click

from domain.kernel.codec import full
from projections.timeline import Chapter

from .console import clean, emit, is_terminal, progress, say
from .diff import between
from .diff import told as told_apart
from .filed import file_desk
from .files import is_file
from .mistakes import Mistake
from .pictures import film_of, save
from .record import Record, from_file, from_service
from .remote import Remote, game_path
from .show import refuse_viewer
from .tools import Tools, json_option, service_options, viewer_option
from .why import chances, explained, reasons_of_file

KEYS = (
    "n next  p previous  N next order  P previous order  ] next phase  [ phase before  "
    "t timeline  w why  o odds  d what changed  j number+Enter  g first  G last  q quit"
)
COLOURS = ("blue", "red", "green", "magenta", "yellow", "cyan")
"""Of the seats, in their order."""
WIDTH = 78
"""Letters of the strip of turns."""
SILENT = ("No dice were thrown for it.",)
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
      w  why it came about  o  its dice and their odds         d  what the order changed
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
        asked = Asked(tools, target, viewer, url, token)
        with key_reader() as read:
            Player(record, first, asked=asked.reasons).run(keys(read))
    return 0


def _record(tools: Tools, target: str, viewer: str, url: str, token: str) -> Record:
    with progress("reading the game") as report:
        if is_file(target):
            return from_file(tools, target, viewer, report)
        refuse_viewer(viewer)
        with Remote(url, token) as remote:
            return from_service(tools, remote, target, report)


class Asked(NamedTuple):
    """Who is asked for reasons: the service, or the file itself."""

    tools: Tools
    target: str
    viewer: str
    url: str
    token: str

    def reasons(self, seq: int) -> dict[str, Any]:
        """Of an event. Raises Mistake."""
        if is_file(self.target):
            return reasons_of_file(file_desk(self.tools, self.target, self.viewer), seq)
        with Remote(self.url, self.token) as remote:
            return dict(remote.get(game_path(self.target, "/why"), event=seq))


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


def strip_of(found: Sequence[Chapter], version: int, latest: int) -> str:
    """The whole game on one line: where turns begin, and where one stands."""
    line = ["-"] * WIDTH

    def at(seq: int) -> int:
        return (seq - 1) * (WIDTH - 1) // max(1, latest - 1)

    turns = {each.turn: each.first for each in reversed(found)}
    for turn, first in turns.items():
        name = f"|{turn or ''}"
        line[at(first) : at(first) + len(name)] = name
    line[at(version)] = "#"
    return "".join(line[:WIDTH])


def _tell(record: Record, first: int, last: int) -> None:
    width = len(str(record.latest))
    for told in record.told[first - 1 : last]:
        if told.text:
            say(f"{told.seq:>{width}}  {told.text}")
    say()
    say(record.board(last))


class Player:
    """The state of a replay: a record and the version that is shown."""

    def __init__(
        self,
        record: Record,
        version: int,
        write: Callable[[str], None] | None = None,
        asked: Callable[[int], dict[str, Any]] | None = None,
    ):
        self.record = record
        self.version = version
        self._write = write or _on_terminal
        self._colour = write is None
        self._asked = asked
        self._pages: dict[str, Callable[[], Iterable[str]]] = {
            "t": lambda: timeline_of(self._chapters, self.version),
            "w": lambda: self._reasons(explained),
            "o": lambda: self._reasons(chances),
            "d": self._changed,
        }
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
            elif key in self._pages:
                self._page(self._pages[key]())
            elif key in self._moves:
                self.go(self._moves[key]())

    def go(self, version: int) -> None:
        """Show a version, or the nearest one there is."""
        self.version = min(max(version, 1), self.record.latest)
        self.show()

    def show(self, prompt: str = "") -> None:
        told = self.record.at(self.version)
        lines = [
            clean(self.record.board(self.version)),
            "",
            strip_of(self._chapters, self.version, self.record.latest),
            f"version {self.version} of {self.record.latest}  {told.actor}  {self._where}",
            self._by_seat(told.actor, told.text or "(book-keeping)"),
            "",
            prompt or KEYS,
        ]
        self._write("\n".join(lines))

    @property
    def _where(self) -> str:
        """Turn and phase."""
        for each in self._chapters:
            if each.first <= self.version <= each.last:
                return f"turn {each.turn}, {each.phase}" if each.turn else each.phase
        return ""

    def _by_seat(self, actor: str, text: str) -> str:
        """The sentence, in the colour of its seat where there are colours."""
        number = actor.removeprefix("p")
        if not self._colour or not number.isdigit() or "NO_COLOR" in os.environ:
            return clean(text)
        return click.style(clean(text), fg=COLOURS[(int(number) - 1) % len(COLOURS)], bold=True)

    def _page(self, lines: Iterable[str]) -> None:
        """Something to read in place of the board; any key leads back."""
        try:
            told = list(lines)
        except Mistake as mistake:
            told = [mistake.message, mistake.hint]
        head = f"version {self.version} of {self.record.latest}"
        self._write("\n".join([head, "", *(clean(line) for line in told), "", KEYS]))

    def _reasons(self, tell: Callable[[dict[str, Any]], Iterable[str]]) -> list[str]:
        """Of the event that is shown. Raises Mistake."""
        if self._asked is None:
            return ["Nobody can be asked."]
        return list(tell(self._asked(self.version))) or list(SILENT)

    def _changed(self) -> Iterator[str]:
        """What the order that is shown has changed so far."""
        before = self._after_order_before()
        if before < 1 or self.record.state(before) is None:
            return iter(["Nothing was there before."])
        return told_apart(between(self.record, before, self.version))

    @cached_property
    def _chapters(self) -> list[Chapter]:
        return self.record.chapters()

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
