"""Games whose store went back: upheld with a note; refuted where the new chains are not right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service.dice.vault import BEGINNING
from service.evidence.records import EpochStarted
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Choose, Fire

from .playing import GAMES, Cheat, Table

replace = msgspec.structs.replace
FIRST, SECOND = bytes([1]) * 32, bytes([2]) * 32


def table(cheat: Cheat | None = None, second: bytes = SECOND) -> Table:
    """Two losses, and spent chains between them."""
    made = Table(
        game=pennant.GAME, setup=pennant.setup(30), cheat=cheat or Cheat(), tips=True,
        grade="A1", length=8,
    )  # fmt: skip
    for seat in made.setup.seats:
        made.order(seat, Choose("bold"))
    for _ in range(3):
        made.order(made.game.pending(made.state)[0].seat, Fire())
    made.goes_back(FIRST)
    for _ in range(9):
        made.order(made.game.pending(made.state)[0].seat, Fire())
    made.goes_back(second)
    while made.game.result(made.state) is None:
        made.order(made.game.pending(made.state)[0].seat, Fire())
    return made


def test_such_a_game_is_upheld_and_says_where_it_lost_something() -> None:
    made = table()
    verdict = verify(made.export(), GAMES)
    assert verdict.word == "UPHELD", verdict.text()
    told = [note for note in verdict.notes if "store went back" in note]
    assert len(told) == 2
    assert verify(made.export("p1"), GAMES).word == "UPHELD"
    assert made.epoch.number > 2, "the chains were spent besides"


def on(change: Callable[[EpochStarted], Any]) -> Cheat:
    return Cheat(record=lambda item: change(item) if isinstance(item, EpochStarted) else item)


@pytest.mark.parametrize(
    ("cheat", "second", "what"),
    [
        (on(lambda r: replace(r, epoch=r.epoch + 1)), SECOND, "number of the renewal"),
        (on(lambda r: replace(r, first=r.first + 1)), SECOND, "first batch of the new chains"),
        (on(lambda r: replace(r, commitment="00" * 32)), SECOND, "commitment C_S"),
        (on(lambda r: replace(r, nonce="00" * 32)), SECOND, "commitment C_S"),
        (on(lambda r: replace(r, nonce="00")), SECOND, "nonce"),
        (on(lambda r: replace(r, nonce="")), SECOND, "nonce"),
        (on(lambda r: replace(r, tips={})), SECOND, "domains"),
        (Cheat(), FIRST, "nonce"),
    ],
)
def test_a_false_start_is_refuted(cheat: Cheat, second: bytes, what: str) -> None:
    verdict = verify(table(cheat, second).forge(), GAMES)
    assert verdict.finding is not None, verdict.text()
    assert verdict.finding.what == what


def test_a_history_that_was_lost_has_no_link_in_common_with_what_follows() -> None:
    g = bytes(32)
    lost = BEGINNING.started(4, FIRST)
    kept = BEGINNING.started(4, SECOND)
    epochs = [BEGINNING, BEGINNING.renewed(4), lost, lost.renewed(9), kept, kept.renewed(9)]
    epochs += [lost.renewed(9).started(11, SECOND), lost.renewed(9).renewed(12)]
    assert len({epoch.params(g) for epoch in epochs}) == len(epochs)
