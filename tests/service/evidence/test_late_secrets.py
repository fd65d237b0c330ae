"""Secrets that came too late prove nothing: a seat that chose its own with another's in hand, or a
link that nobody gave after the lock, makes no grade."""

from __future__ import annotations

from typing import Any

from service.evidence.verify import verify
from tests.support import pennant

from .playing import GAMES, Table

LONG = pennant.setup(10)


def finding(of: Table) -> Any:
    verdict = verify(of.forge(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    return verdict.finding


def unasked() -> Table:
    """Each batch has a link of p1, and no event says that it was given after the lock."""
    played = Table(setup=LONG, grade="A2", tips=True, prompt=("p2",))
    played.given["p1"] = 90
    return played.play(1)


def test_a_seat_that_is_absent_by_the_record_has_no_link_in_the_batch() -> None:
    """With the other's link in hand the service and a player would choose between two batches: the
    one with the link of the player, who was called absent, and the one without."""
    found = finding(unasked())
    assert (found.what, found.expected) == ("link of p1", "none: it was not given")
