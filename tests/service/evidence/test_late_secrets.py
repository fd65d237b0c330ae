"""Secrets that came too late prove nothing: a seat that chose its own with another's in hand, or a
link that nobody gave after the lock, makes no grade."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from service.evidence.chain import NO_CAUSE
from service.evidence.records import (
    BatchRolled,
    BotSeat,
    GameCreated,
    LinksClosed,
    SeatTakenRecord,
)
from service.evidence.verify import verify
from tests.support import pennant

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type

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
    assert (found.what, found.expected) == ("link of p1", "none: p1 has not given it")


def late(grade: str) -> Table:
    """After the store went back p1 begins its chain when the link of p2 is known."""
    played = Table(setup=LONG, grade=grade, tips=True).play(1, orders=8)
    played.goes_back(b"\x42" * 32)
    played.begins("p2")
    gives, played.prompt = played.gives, ("p2", "p1")

    def after_it(seat: str, upto: int, link: bytes = b"") -> None:
        if seat == "p1" and seat in played.renewing:
            played.begins(seat)
        gives(seat, upto, link)

    if grade == "A2":
        played.gives = after_it  # type: ignore[method-assign]
    else:
        played.gives("p2", played.epoch.base + 90)
        played.begins("p1")
    return played.play(1)


def taken_late() -> Table:
    """A seat of which the record does not say that it waited is taken when a link is known."""
    played = Table(setup=LONG, grade="A1")
    for place, seat in enumerate(played.setup.seats):
        tip = played.player_link(place, 0).hex()
        played.write([SeatTakenRecord(seat, tip)], NO_CAUSE, seat, sealing=False)
        if seat == "p1":
            played.gives(seat, 90)
    return played.play(1)


LATE: list[Callable[[], Table]] = [partial(late, "A1"), partial(late, "A2"), taken_late]


@pytest.mark.parametrize("played", LATE)
def test_no_chain_is_begun_when_links_of_others_are_known(played: Callable[[], Table]) -> None:
    """Whoever knows the master too makes its secret until the dice of those batches are good."""
    found = finding(played())
    assert found.expected == "fixed before others' links are known"


def of_bots(grade: str) -> Table:
    """The service plays both seats, and by the record each has a secret of its own."""
    bots = {"p1": BotSeat("admiral", "full"), "p2": BotSeat("admiral", "full")}
    cheat = Cheat(record=on_type(GameCreated, lambda r: msgspec.structs.replace(r, bots=bots)))
    return Table(setup=LONG, grade=grade, tips=True, cheat=cheat).play(1)


@pytest.mark.parametrize("grade", ["A1", "A2"])
def test_a_bot_of_the_service_has_no_secret_of_its_own(grade: str) -> None:
    """Its dice would be graded as if somebody else had a part in them."""
    assert finding(of_bots(grade)).expected == "none: a bot plays it"


def asked_for_more() -> Table:
    """An order is said to need one batch more than it does: p1 gives its link for it."""
    played = Table(setup=LONG, grade="A2", tips=True)
    locks, gives = played.locks, played.gives

    def once(seat: str, upto: int, link: bytes = b"") -> None:
        if played.given.get(seat, 0) < upto:
            gives(seat, upto, link)

    def one_more(seat: str, command: Any) -> None:
        locks(seat, command)
        if played.batch == 2:
            gives("p1", 3)

    played.gives, played.locks = once, one_more  # type: ignore[method-assign]
    return played.play(1)


def test_no_order_is_locked_when_links_of_its_dice_are_known() -> None:
    """The service and a player would see the dice of the next batch before he gives his order."""
    found = finding(asked_for_more())
    assert (found.what, found.expected) == ("lock", "before links of its dice are known")


def foisted() -> Table:
    """A link of p2 in a batch that p1 rolls, and for which p2 has given none ahead."""
    played = Table(setup=LONG, grade="A1", tips=True)
    played.gives("p1", 90)
    write = played.write

    def once(items: Any, cause: Any, actor: str, sealing: bool = True) -> None:
        played.given.pop("p2", None)
        write(items, cause, actor, sealing)

    played.play(1, orders=2)
    played.given["p2"] = 90  # the batches have it, and no event says that it was given
    played.write = once  # type: ignore[method-assign]
    seat = played.game.pending(played.state)[0].seat
    if seat == "p2":
        played.order(seat, pennant.Pass())
    played.given["p2"] = 90
    played.order("p1", pennant.Fire("hull"))
    return played.play(1)


def test_whoever_neither_rolls_nor_gave_ahead_has_no_link_in_a_batch() -> None:
    """The service and p2 know all links, and would choose the dice of p1: with that one, or
    without."""
    found = finding(foisted())
    assert (found.what, found.expected) == ("link of p2", "none: p2 has not given it")


def slandered() -> Table:
    """In the order itself stands once more, of p1 whose link is in the batch, that it is absent."""
    played = Table(setup=LONG, grade="A2", tips=True)
    honest = played._with_absent

    def falsely(done: Any) -> Any:
        for item in honest(done):
            if isinstance(item, BatchRolled) and item.t == 2:
                yield LinksClosed(2, ("p1",))
            yield item

    played._with_absent = falsely  # type: ignore[method-assign]
    return played.play(1)


def test_nobody_is_called_absent_whose_link_is_there() -> None:
    found = finding(slandered())
    assert (found.what, found.expected) == ("seats that are absent, on record before it", "None")
