"""A forfeit is what the game allows, right after the absence that was one too many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from service.evidence.chain import NO_CAUSE
from service.evidence.records import SERVICE, Forfeited, GameCreated, Record
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Fire

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type

replace = msgspec.structs.replace
MOST = 3


def forfeited(
    change: Callable[[Any], Record] | None = None, most: Any = MOST, absences: int = MOST
) -> Table:
    """p2 is absent so often, and then the service says that it has forfeited."""
    both: dict[type[Record], Any] = {GameCreated: lambda r: replace(r, forfeit=most)}
    if change is not None:
        both[Forfeited] = change

    def changed(record: Record) -> Record:
        return both[type(record)](record) if type(record) in both else record

    played = Table(
        setup=pennant.setup(30), grade="A2", tips=True, prompt=("p1",), cheat=Cheat(record=changed)
    )
    played.play(1, orders=2)
    seen = 0
    closes = played.closes

    def counted(t: int, absent: tuple[str, ...]) -> None:
        nonlocal seen
        closes(t, absent)
        seen += 1

    played.closes = counted  # type: ignore[method-assign]
    while seen < absences:
        seat = played.game.pending(played.state)[0].seat
        if seen == absences - 1:
            played.locks(seat, Fire("hull"))
        else:
            played.order(seat, Fire("hull"))
    end = Forfeited.by(["p2"], MOST, played.setup.seats)
    played.write([end], NO_CAUSE, SERVICE, sealing=False)
    played.open_master()
    return played


def test_an_honest_one_is_upheld() -> None:
    verdict = verify(forfeited().export(), GAMES, grade="A2")
    assert verdict.word == "UPHELD", verdict.text()
    assert verdict.result == {"winners": ("p1",), "reason": "absent", "rule": ""}
    assert "won by p1 (absent)" in verdict.text()
    assert "no rule of the game has ended it" in verdict.text()


MISFITS: list[tuple[Callable[[], Table], str]] = [
    (lambda: forfeited(most=UNSET), "forfeit"),
    (lambda: forfeited(most=MOST + 1), "forfeit"),
    (lambda: forfeited(most=MOST - 1), "event"),
    (lambda: forfeited(absences=MOST - 1), "forfeit"),
    (lambda: forfeited(lambda r: replace(r, seats=("p1",))), "forfeit"),
    (lambda: forfeited(lambda r: replace(r, seats=("p1", "p2"))), "forfeit"),
    (lambda: forfeited(lambda r: replace(r, absences=MOST + 1)), "forfeit"),
    (
        lambda: forfeited(lambda r: replace(r, result=replace(r.result, winners=("p2",)))),
        "forfeit",
    ),
    (lambda: forfeited(lambda r: replace(r, result=replace(r.result, rule="PT-1"))), "forfeit"),
]


@pytest.mark.parametrize(("made", "what"), MISFITS)
def test_a_forfeit_that_does_not_fit(made: Callable[[], Table], what: str) -> None:
    verdict = verify(made().forge(), GAMES)
    assert verdict.finding is not None, verdict.text()
    assert verdict.finding.what == what


def test_a_seat_whose_absences_are_too_many_is_not_let_off() -> None:
    cheat = Cheat(record=on_type(GameCreated, lambda r: replace(r, forfeit=2)))
    played = Table(setup=pennant.setup(10), grade="A2", tips=True, prompt=("p1",), cheat=cheat)
    finding = verify(played.play(1).forge(), GAMES).finding
    assert finding is not None
    assert (finding.check, finding.what) == ("dice", "event")
    assert "p2" in finding.expected
