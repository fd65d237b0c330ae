"""What the players may bring: a regatta, which says how long it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from domain.kernel.custom import Custom
from domain.kernel.form import Fault
from domain.kernel.values import Value


class Regatta(Value, frozen=True):
    """A scenario of the players' own: how many turns, which must be even."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    turns: Annotated[int, msgspec.Meta(ge=1, le=20_000)]


def judge(regatta: Regatta) -> Iterator[Fault]:
    """Both have as many turns."""
    if regatta.turns % 2:
        text = "One seat would have a turn more."
        yield Fault("regatta.odd", "/turns", text, "PEN-6", "Take an even number.")


REGATTA: dict[str, Any] = {"name": "Regatta", "turns": 2}
CUSTOMS = (Custom("scenario", "Regatta", "How long it is.", Regatta, judge, lambda: (REGATTA,)),)
