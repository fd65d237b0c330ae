"""The page's own verifier, which has no rules: it refuses all that the form lets it refuse."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from domain.kernel.setup import Result
from service import container
from service.evidence import bundle
from service.evidence.beacon import NETWORKS, QUICKNET
from service.evidence.digest import rules_archive
from service.evidence.records import (
    BatchRolled,
    GameClosed,
    GameCreated,
    LinksClosed,
    LinksGiven,
)
from service.evidence.signing import read_envelope, write_envelope
from service.evidence.verdict import REFUTED, UPHELD, Verdict
from service.evidence.verify import verify
from tests.service.evidence import test_cheats as cheats
from tests.service.evidence.playing import GAMES, Cheat, Table, at_sea, finished
from tests.service.evidence.test_beaconed import CHEATS as OF_BEACONS
from tests.service.evidence.test_beaconed import table as with_beacon
from tests.service.evidence.test_epochs import table as went_back
from tests.service.evidence.test_forfeited import forfeited
from tests.service.evidence.test_late_secrets import (
    LATE,
    asked_for_more,
    foisted,
    of_bots,
    slandered,
    unasked,
)
from tests.service.evidence.test_links_given import renewed
from tests.service.evidence.test_links_given import table as given
from tests.service.evidence.test_locked import CHEATS as OF_LOCKS
from tests.service.evidence.test_locked import VOIDS, void_of, voided, without
from tests.service.evidence.test_locked import table as sealed
from tests.service.evidence.test_mutations import signed
from tests.service.evidence.test_rules_changed import ALL, LATER, alone, judged, on
from tests.service.evidence.test_rules_changed import table as went_over
from tests.service.evidence.test_rulings import begun, stood_still
from tests.service.evidence.test_times_told import IMPOSSIBLE, dated
from tests.service.evidence.test_times_told import sealed as timed
from tests.support import pennant
from tests.support.beacon import OWN
from tests.support.damaged import damaged
from tests.support.pennant import Choose, Fire
from tests.support.second import CONSISTENT, opinions, owed, reached_the_rules

replace = msgspec.structs.replace


def forged(cheat: Cheat) -> bytes:
    """A whole game by a service that cheats and makes its record anew, so that every hash fits."""
    table = Table(setup=pennant.setup(6), cheat=cheat, length=64)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    return table.play(5).forge()


def _parts() -> list[bytes]:
    """Files of which a part of the signature is missing, or is of something else."""
    whole = container.unpack(signed())
    envelope = read_envelope(whole[bundle.SIGNATURE])
    other = msgspec.structs.replace(envelope, payload="AAAA")
    cut = {name: data for name, data in whole.items() if name != bundle.SIGNATURE}
    return [container.pack(cut), container.pack({**whole, bundle.SIGNATURE: write_envelope(other)})]


def test_signed_files_are_read_and_parts_of_a_signature_belong_together(tmp_path: Path) -> None:
    files = [signed(), *_parts()]
    told = opinions(files, tmp_path)
    assert [each["word"] for each in told] == ["CONSISTENT", "UNREADABLE", "REFUTED"]
    for data, each in zip(files, told, strict=True):
        assert each["word"] in owed(verify(data, GAMES))


FORMS = {
    "faces": Cheat(faces=cheats.all_altered),
    "a second roll": Cheat(faces=cheats.roll_again),
    "a repeated label": Cheat(record=cheats.extra_roll),
    "a batch thrown away": Cheat(number=lambda t: t + 1),
    "a link": cheats.first_batch(link="00" * 32),
    "a short link": cheats.first_batch(link="00" * 31),
    "a domain": cheats.first_batch(domain="side:p1"),
    "too few links": cheats.first_batch(player_links=("",)),
    "a link of nobody": cheats.first_batch(player_links=("11" * 32, "")),
    "no rolls": cheats.first_batch(rolls=()),
    "a grade": cheats.creation(grade="A9"),
    "a nonce": cheats.creation(nonce="0f"),
    "a series": cheats.creation(series="0f"),
    "a tip twice": cheats.creation(seat_tips=("77" * 32, "77" * 32)),
    "three tips": cheats.creation(seat_tips=("", "", "")),
    "another set-up": Cheat(
        record=cheats.on_type(GameCreated, lambda r: replace(r, setup=pennant.setup(20)))
    ),
    "a seal less": cheats.envelope(cheats.unseal_seat),
    "no seal of the state": cheats.envelope(cheats.unseal_state),
    "a seal more": cheats.envelope(cheats.seal_more),
    "another actor": cheats.envelope(cheats.other_actor),
    "no time": cheats.envelope(cheats.bad_time),
    "a nameless order": cheats.envelope(cheats.no_cause),
    "no seal of the truth": cheats.envelope(cheats.unseal_truth),
}
"""Forgeries that can be seen without the rules."""

RULES = {
    "faces that the rules did not get": Cheat(faces=cheats.told_only),
    "a roll more": Cheat(faces=cheats.unasked),
    "another winner": Cheat(
        record=cheats.on_type(
            GameClosed,
            lambda r: replace(r, result=Result(("p2",), "bribery", "PEN-6")),
        )
    ),
    "another digest of the state": cheats.envelope(cheats.false_state),
}
"""Forgeries that only the rules tell."""


def test_what_the_form_tells_is_refused(tmp_path: Path) -> None:
    files = [forged(cheat) for cheat in FORMS.values()]
    assert {verify(data, GAMES).code for data in files} == {REFUTED}
    said = opinions(files, tmp_path)
    upheld = [name for name, each in zip(FORMS, said, strict=True) if each["word"] != "REFUTED"]
    assert upheld == []


def test_what_only_the_rules_tell_is_not_called_upheld(tmp_path: Path) -> None:
    files = [forged(cheat) for cheat in RULES.values()]
    told = [verify(data, GAMES) for data in files]
    assert all(each.code == REFUTED and reached_the_rules(each) for each in told)
    assert {each["word"] for each in opinions(files, tmp_path)} == {"CONSISTENT"}


GOOD: dict[str, Callable[[], bytes]] = {
    "links of seats": lambda: finished(tips=True, length=64).export(),
    "renewed": lambda: finished(turns=12, length=8, tips=True).export(),
    "went back": lambda: went_back().export(),
    "hidden dice": lambda: at_sea(length=64).export(),
    "hidden dice, of one seat": lambda: at_sea(orders=6, length=64).export("p1"),
    "hidden dice, of nobody": lambda: at_sea(orders=6, length=64).export("public"),
    "unfinished": lambda: Table(setup=pennant.setup(6), length=64).play(3, 4).export("p2"),
}


@pytest.mark.parametrize("name", GOOD)
def test_damaged_files_are_judged_alike(name: str, tmp_path: Path) -> None:
    good = GOOD[name]()
    draw = random.Random(name)
    files = [good, *(damaged(good, draw) for _ in range(60))]
    told = [verify(data, GAMES) for data in files]
    assert told[0].code == UPHELD
    said = opinions(files, tmp_path)
    assert [
        (number, _said(each), answer)
        for number, (each, answer) in enumerate(zip(told, said, strict=True))
        if answer["word"] not in owed(each)
    ] == []


@pytest.mark.parametrize("viewer", ["truth", "p1"])
def test_games_that_went_over_to_other_rules_are_judged_alike(viewer: str, tmp_path: Path) -> None:
    """True ones were refuted: the second opinion knew of no such events."""
    good = went_over().play(5, 6).export(viewer)
    whole = bundle.with_engines(good, [LATER, rules_archive(pennant.GAME)])
    draw = random.Random(viewer)
    files = [good, whole, *(damaged(good, draw) for _ in range(50))]
    files += [went_over(cheat, agreed).play(5).forge() for cheat, agreed in FALSE_CHANGES]
    told = [judged(data, tmp_path) for data in files]
    assert [each.code for each in told[:2]] == [UPHELD, UPHELD]
    said = opinions(files, tmp_path)
    assert [each["word"] for each in said[:2]] == [CONSISTENT, CONSISTENT]
    assert [
        (number, _said(each), answer)
        for number, (each, answer) in enumerate(zip(told, said, strict=True))
        if answer["word"] not in owed(each)
    ] == []


FALSE_CHANGES = (
    (Cheat(), ()),
    (alone(lambda r: replace(r, seat="p9")), ALL),
    (on(lambda r: replace(r, since=r.since + 1)), ALL),
)


def _said(told: Verdict) -> str:
    return f"{told.word} {told.finding or told.reason}"


def test_what_an_operator_ruled_is_read(tmp_path: Path) -> None:
    over, resumed = begun(), stood_still()
    over.ends("It was right.")
    resumed.ends("It was right.")
    files = [over.export(), resumed.export(), stood_still().export("p1")]
    assert [told["word"] for told in opinions(files, tmp_path)] == [CONSISTENT] * 3
    over.open_master()
    (told,) = opinions([over.forge()], tmp_path)
    assert told["word"] == "REFUTED"


def test_links_that_were_given_ahead_are_judged_alike(tmp_path: Path) -> None:
    def left_out(record: BatchRolled) -> BatchRolled:
        return (
            replace(record, player_links=("", record.player_links[1])) if record.t == 2 else record
        )

    def other(record: LinksGiven) -> LinksGiven:
        return replace(record, link="ab" * 32)

    def unnamed(record: LinksClosed) -> LinksClosed:
        return replace(record, absent=())

    cheats_ = [cheats.on_type(BatchRolled, left_out), cheats.on_type(LinksGiven, other)]
    tables = [given(), given(upto=2), *(given(Cheat(record=each)) for each in cheats_)]
    tables.append(given(Cheat(record=cheats.on_type(LinksClosed, unnamed)), upto=2))
    files = [table.play(1).forge() for table in tables]
    files += [given().play(1, orders=14).export(viewer) for viewer in ("p1", "public")]
    told = opinions(files, tmp_path)
    words = ["CONSISTENT", "CONSISTENT", "REFUTED", "REFUTED", "REFUTED"]
    assert [each["word"] for each in told[:5]] == words, told
    for data, each in zip(files, told, strict=True):
        assert each["word"] in owed(verify(data, GAMES)), (each, verify(data, GAMES).text())


def test_dice_of_locked_orders_are_judged_alike(tmp_path: Path) -> None:
    tables = [sealed(), sealed(prompt=("p2",)), renewed("A2"), renewed(), *map(sealed, OF_LOCKS)]
    files = [table.play(1).forge() for table in tables]
    files += [sealed().play(1, orders=14).export(viewer) for viewer in ("p1", "public")]
    files += [without(LinksClosed).play(1).forge(), unasked().forge(), asked_for_more().forge()]
    files += [foisted().forge(), slandered().forge()]
    files += [played().forge() for played in LATE]
    files += [of_bots("A1").forge(), of_bots("A2").forge()]
    told = opinions(files, tmp_path)
    words = [*["CONSISTENT"] * 4, *["REFUTED"] * len(OF_LOCKS)]
    assert [each["word"] for each in told[: len(words)]] == words, told
    assert told[0]["grade"] == "A2"
    for data, each in zip(files, told, strict=True):
        assert each["word"] in owed(verify(data, GAMES)), (each, verify(data, GAMES).text())


def test_dice_with_a_beacon_are_judged_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for the beacon's signature, which the second opinion does not check."""
    monkeypatch.setitem(NETWORKS, QUICKNET, OWN)
    files = [with_beacon(cheat).play(1).forge() for cheat in (None, *OF_BEACONS)]
    files += [with_beacon().play(1, orders=8).export(viewer) for viewer in ("p1", "public")]
    told = opinions(files, tmp_path)
    assert (told[0]["word"], told[0]["grade"]) == ("CONSISTENT", "A3")
    assert [each["word"] for each in told[1 : 1 + len(OF_BEACONS)]] == ["REFUTED"] * len(OF_BEACONS)
    for data, each in zip(files, told, strict=True):
        assert each["word"] in owed(verify(data, GAMES)), (each, verify(data, GAMES).text())


def test_a_forfeit_is_followed_alike(tmp_path: Path) -> None:
    """Whether it was due is the judge's to say: the second opinion counts no absences."""
    files = [forfeited().forge(), forfeited().export()]
    told = opinions(files, tmp_path)
    assert [each["word"] for each in told] == ["CONSISTENT"] * 2, told


def test_times_that_no_calendar_has_are_refuted_alike(tmp_path: Path) -> None:
    files = [timed(dated(at)).forge() for at in IMPOSSIBLE]
    told = opinions(files, tmp_path)
    assert {(each["word"], each["check"]) for each in told} == {("REFUTED", "chain")}, told
    for data, each in zip(files, told, strict=True):
        assert each["word"] in owed(verify(data, GAMES)), (each, verify(data, GAMES).text())


def test_batches_that_were_voided_are_judged_alike(tmp_path: Path) -> None:
    tables = [voided(), *(voided(void_of(change)) for change, _ in VOIDS)]
    files = [table.export() for table in tables]
    told = opinions(files, tmp_path)
    assert [each["word"] for each in told] == ["CONSISTENT", *["REFUTED"] * len(VOIDS)], told
    for data, each in zip(files, told, strict=True):
        assert each["word"] in owed(verify(data, GAMES)), (each, verify(data, GAMES).text())
