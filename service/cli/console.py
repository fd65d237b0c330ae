"""Output: tables and colour for a terminal, plain text for everything else, JSON for programs."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click
import msgspec

from .mistakes import Mistake

PATIENCE = 2.0
"""Seconds after which, and between which, a command that is no terminal's says how far it is."""

Report = Callable[[int, int], None]
"""Told how much is done and of how much; 0 of 0 is not known."""


def unheard(done: int, total: int) -> None:
    """The report of a task whose progress nobody watches."""


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def is_terminal(stream: TextIO | None = None) -> bool:
    """Whether a person looks at the stream (standard output when none is named)."""
    return (stream or sys.stdout).isatty()


def clean(text: str) -> str:
    """Without control characters: what others wrote must not steer the terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def say(text: str = "") -> None:
    """A line or several."""
    click.echo(clean(text))


def emit(value: Any) -> None:
    """The answer as one JSON document."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))


def complain(mistake: Mistake, *, as_json: bool) -> None:
    """One line and a hint on standard error; one JSON object where JSON was asked for."""
    if as_json:
        told = {"code": mistake.code, "message": mistake.message, "hint": mistake.hint}
        click.echo(msgspec.json.encode(told), err=True)
        return
    click.echo(f"decklog: {_one_line(mistake.message)}", err=True)
    if mistake.hint:
        click.echo(f"hint: {_one_line(mistake.hint)}", err=True)


def _one_line(text: str) -> str:
    return clean(" ".join(text.split()))


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows under headings: ruled for a terminal, else aligned columns that no line is cut in."""
    if is_terminal():
        _rich_table(columns, rows)
        return
    lines = [[_cell(cell) for cell in row] for row in (columns, *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(padded).rstrip())


def _cell(text: str) -> str:
    """What others wrote is no line of the table by itself."""
    return clean(" ".join(text.splitlines()))


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(Text(_cell(cell)) for cell in row))
    Console(highlight=False).print(made)


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """How far a long task is, on standard error: a bar in a terminal, else a line now and then."""
    if is_terminal(sys.stderr):
        with _bar(what) as report:
            yield report
    else:
        yield _Lines(what).report


@contextmanager
def _bar(what: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=None)

        def report(done: int, total: int) -> None:
            shown.update(task, completed=done, total=total or None)

        yield report


class _Lines:
    """Progress for a log file: nothing for what is quick."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._due = time.monotonic() + PATIENCE

    def report(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + PATIENCE
        far = f"{100 * done // total}%" if total else f"{done:,}"
        click.echo(f"{self._what}: {far}", err=True)
