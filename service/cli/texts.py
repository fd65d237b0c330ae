"""Texts that an operator gives: what stands in his log, or in a game's record, for good."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from .console import clean


class Line(click.ParamType[str]):
    """One line without control characters, of ``most`` characters; ``least`` 1: it says something.

    A second line in a name would read like another line of the log.
    """

    name = "text"

    def __init__(self, most: int, least: int = 1) -> None:
        self._most = most
        self._least = least

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raises BadParameter."""
        text = value.strip()
        if len(text) < self._least:
            self.fail("it says nothing", param, ctx)
        if len(text) > self._most:
            self.fail(
                f"it has {len(text):,} characters, and {self._most:,} are the most", param, ctx
            )
        if "\n" in text or "\t" in text or clean(text) != text:
            self.fail("it has to be one line without control characters", param, ctx)
        return text


OPERATOR = Line(100)
REASON = Line(1_000)
TOLD = Line(1_000)
UNTOLD = Line(1_000, least=0)
"""Where nothing may be said, too."""

F = TypeVar("F", bound=Callable[..., Any])


def logged_as(function: F, *, required: bool) -> F:
    """Who asks, and why: what the operator's log has of every act."""
    by = click.option(
        "--by", envvar="DECKLOG_OPERATOR", metavar="NAME", required=required, type=OPERATOR,
        help="Who you are, for the operator's log; DECKLOG_OPERATOR says so, too.",
    )  # fmt: skip
    why = click.option(
        "--why", metavar="TEXT", required=required, type=REASON,
        help="Reason, for the operator's log.",
    )  # fmt: skip
    return by(why(function))


logged = partial(logged_as, required=True)
logged_if_done = partial(logged_as, required=False)
"""Of what can be looked at first (``--dry-run``)."""
