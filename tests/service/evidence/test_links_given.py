"""A service that leaves out, changes or foists links which seats have given ahead is refuted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.kernel.codec import canonical
from service.evidence.casefile import open_case, unpack_whole
from service.evidence.chain import NO_CAUSE
from service.evidence.receipts import Accepted, check_receipts, give, read
from service.evidence.records import (
    BatchRolled,
    LinksClosed,
    LinksGiven,
    Record,
    SeatTakenRecord,
)
from service.evidence.signing import SigningKey, write_envelope
from service.evidence.verdict import Refuted
from service.evidence.verify import verify
from tests.support import pennant

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type

replace = msgspec.structs.replace
LONG = pennant.setup(10)


def table(cheat: Cheat | None = None, upto: int = 90, **fields: Any) -> Table:
    """A whole game in which both seats have given their links."""
    found = Table(setup=LONG, grade="A1", tips=True, cheat=cheat or Cheat(), **fields)
    for seat in found.setup.seats:
        found.gives(seat, upto)
    return found


def finding(of: Table) -> Any:
    verdict = verify(of.forge(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    return verdict.finding


def test_an_honest_one_is_upheld_and_each_batch_names_both() -> None:
    verdict = verify(table().play(1).export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", "A1"), verdict.text()
    assert {batch.seats for batch in verdict.batches} == {("p1", "p2")}


def test_links_that_run_out_are_absences() -> None:
    verdict = verify(table(upto=2).play(1).export(), GAMES)
    assert verdict.word == "UPHELD", verdict.text()
    assert sum(verdict.absences.values()) == len(verdict.batches) - 2


def leaving_out(place: int) -> Callable[[Record], Record]:
    def change(record: BatchRolled) -> BatchRolled:
        links = tuple("" if at == place else link for at, link in enumerate(record.player_links))
        return replace(record, player_links=links) if record.t == 2 else record

    return on_type(BatchRolled, change)


@pytest.mark.parametrize("place", [0, 1])
def test_a_link_that_was_given_is_not_left_out(place: int) -> None:
    found = finding(table(Cheat(record=leaving_out(place))).play(1))
    assert (found.check, found.what) == ("dice", f"link of p{place + 1}")
    assert found.expected == "given up to batch 90"


def test_it_is_not_left_out_of_what_a_seat_sees_either() -> None:
    """A game in play, of which others see no link: up to which batch there is one is enough."""
    played = table(Cheat(record=leaving_out(1))).play(1, orders=14)
    verdict = verify(played.export("p1"), GAMES)
    assert verdict.word == "REFUTED"
    assert verdict.finding is not None
    assert verdict.finding.what == "link of p2"


def test_the_batches_open_the_link_that_was_given() -> None:
    """Sealed was another one: it comes out when the master is opened, or before to its seat."""

    def change(record: LinksGiven) -> LinksGiven:
        return replace(record, link="ab" * 32)

    found = finding(table(Cheat(record=on_type(LinksGiven, change))).play(1))
    assert found.what == "links of p1"


@pytest.mark.parametrize("absent", [(), ("p1",), ("p1", "p2", "p1"), ("p2", "p1")])
def test_the_absent_are_named_right(absent: tuple[str, ...]) -> None:
    def change(record: LinksClosed) -> LinksClosed:
        return replace(record, absent=absent)

    played = Table(setup=LONG, grade="A1", cheat=Cheat(record=on_type(LinksClosed, change)))
    assert finding(_running_out(played)).what.startswith("seats that are absent")


def _running_out(played: Table) -> Table:
    """Nobody brings a link with a command; what was given is for two batches."""
    played.tips = True
    for place, seat in enumerate(played.setup.seats):
        tip = played.player_link(place, 0)
        played.write([SeatTakenRecord(seat, tip.hex())], NO_CAUSE, seat, sealing=False)
    for seat in played.setup.seats:
        played.gives(seat, 2)
    played.tips = False
    return played.play(1)


def test_honest_absences_are_upheld() -> None:
    verdict = verify(_running_out(Table(setup=LONG, grade="A1")).export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", "A0"), verdict.text()
    assert set(verdict.absences) == {"p1", "p2"}


def test_an_absence_without_its_event_is_refuted() -> None:
    played = Table(setup=LONG, grade="A1")
    played._with_absent = lambda done: iter(  # type: ignore[method-assign]
        [i for i in Table._with_absent(played, done) if not isinstance(i, LinksClosed)]
    )
    assert finding(_running_out(played)).found == "None"


@pytest.mark.parametrize("upto", [90, 12, 0, 5000])
def test_links_are_given_for_batches_to_come_within_the_chain(upto: int) -> None:
    played = table()
    played.gives("p1", upto, played.player_link(0, min(max(upto, 0), 4096)))
    found = finding(played.play(1))
    assert (found.what, found.expected) == ("links of p1", "91 to 4096")


def test_links_are_opened_to_nobody_before_the_last_tip() -> None:
    played = Table(setup=LONG, grade="A1", tips=True, waiting=("p1", "p2"))
    early = Table(setup=LONG, grade="A1", waiting=("p1", "p2"))
    assert played.given == early.given == {}
    early.gives("p1", 5)
    found = verify(early.play(1, orders=2).export("public"), GAMES).finding
    assert found is not None
    assert found.what == "links of p1"


def test_a_receipt_of_links_convicts_whoever_leaves_them_out() -> None:
    key = SigningKey("decklog.example/receipts", bytes(range(32)))
    played = table().play(1)
    case = _case(played)
    seq = next(n for n, each in case.records.items() if isinstance(each, LinksGiven))
    hashes = [*(each.prev for each in case.envelopes[1:]), case.manifest.head.hash]
    record = case.records[seq]
    good = Accepted("links", "p1", canonical(record), seq, hashes[seq - 1])
    for accepted, whole in ((good, True), (good._replace(body=b"{}"), False)):
        given = read(write_envelope(give(case.manifest.game, accepted, _AT, key)))
        if whole:
            assert check_receipts(case, hashes, [given.receipt]) == 0
        else:
            with pytest.raises(Refuted):
                check_receipts(case, hashes, [given.receipt])


_AT = "2030-01-01T00:00:00.000Z"


def _case(played: Table) -> Any:
    manifest, files, _ = unpack_whole(played.export())
    return open_case(manifest, files)


def renewed(grade: str = "A1") -> Table:
    """Half a game; then the store goes back, and both seats begin new chains by themselves."""
    played = Table(setup=LONG, grade=grade, tips=True).play(1, orders=8)
    played.goes_back(b"\x42" * 32)
    for seat in played.setup.seats:
        played.begins(seat)
    if grade == "A1":
        for seat in played.setup.seats:
            played.gives(seat, played.epoch.base + 90)
    return played


@pytest.mark.parametrize("grade", ["A1", "A2"])
def test_chains_that_are_begun_by_themselves_are_judged(grade: str) -> None:
    verdict = verify(renewed(grade).play(1).export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", grade), verdict.text()
    assert verdict.batches[-1].seats == ("p1", "p2")


def test_no_chain_is_begun_before_its_time() -> None:
    played = Table(setup=LONG, grade="A1", tips=True).play(1, orders=4)
    played.begins("p1")
    assert finding(played.play(1)).what == "new tip"
