"""A seat passes the key of its orders on by itself: what it signs is enough, its token is not."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.bots import Signer
from service.evidence.beside import with_receipts
from service.evidence.seatkeys import SeatKey, what_is_passed_on
from service.evidence.signing import SigningKey
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from service.play.passing import MOST
from tests.service.evidence.playing import GAMES
from tests.service.http.table import Match, Table, code
from tests.service.http.test_receipts import keys, receipt_of, signed_by, table
from tests.spec.test_checkers import PROGRAMS
from tests.spec.test_checkers import run as check
from tests.support.second import opinions
from tests.support.service_keys import ServiceKeys

__all__ = ["keys", "table"]

ONE, TWO, THREE, OWN = (Signer(letter * 32) for letter in (b"1", b"2", b"3", b"4"))


@pytest.fixture
def keyed(table: Table) -> Match:
    """A game in which both seats sign, p1 with ONE."""
    seats = [{"seat": "p1", "orderKey": ONE.registered}, {"seat": "p2", "orderKey": OWN.registered}]
    return table.create(seats=seats)


def to(match: Match, old: Signer, key: dict[str, Any]) -> dict[str, Any]:
    """The body for a key of which there need be no secret half."""
    text = what_is_passed_on(match.id, "p1", SeatKey(key["public"], key["keeper"]))
    return {**key, "signature": SigningKey("old", old.seed).sign(text).hex()}


def passing(match: Match, old: Signer, new: Signer, seat: str = "p1") -> dict[str, str]:
    return {**new.registered, "signature": old.pass_on(match.id, seat, new)}


def give(table: Table, match: Match, body: Any, seat: str = "p1", **more: Any) -> httpx.Response:
    return table.post(f"{match.path}/keys", body, match.tokens[seat], **more)


def order(table: Table, match: Match, seat: str, signer: Signer) -> httpx.Response:
    item = table.options(match, seat)["items"][0]["command"]
    summary = table.get(match.path).json()
    more = {"Decklog_Signature": signer.sign(summary, seat, item)}
    path, version = f"{match.path}/commands", summary["version"]
    return table.post(path, item, match.tokens[seat], version=version, **more)


def played(table: Table, match: Match, signer: Signer) -> bytes:
    """The rest of the game, and its evidence."""
    while asked := table.get(match.path).json()["toMove"]:
        seat = asked[0]["seat"]
        assert order(table, match, seat, signer if seat == "p1" else OWN).is_success
    return table.get(f"{match.path}/evidence").content


def test_the_new_key_signs_from_then_on_and_the_old_one_no_more(table: Table, keyed: Match) -> None:
    before = table.version(keyed)
    done = give(table, keyed, passing(keyed, ONE, TWO))
    assert (done.status_code, done.json()["version"]) == (200, before + 1)
    seat = done.json()["seats"][0]
    assert (seat["orderKey"], seat["keeper"]) == (TWO.registered["public"], "client")
    assert code(order(table, keyed, "p1", ONE)) == "signature.wrong"
    assert order(table, keyed, "p1", TWO).is_success


def test_everybody_is_told_by_the_event(table: Table, keyed: Match) -> None:
    body = passing(keyed, ONE, TWO)
    give(table, keyed, body)
    items = [
        table.get(f"{keyed.path}/events?limit=200", token).json()["items"]
        for token in ("", keyed.tokens["p1"], keyed.tokens["p2"])
    ]
    assert items[0] == items[1] == items[2]
    told = items[0][-1]
    assert (told["type"], told["data"]) == (
        "decklog.key-changed",
        {
            "seat": "p1", "old": ONE.registered["public"], "reason": "", "key": TWO.registered,
            "signature": body["signature"],
        },
    )  # fmt: skip


def test_what_does_not_fit_is_refused_and_nothing_is_written(table: Table, keyed: Match) -> None:
    give(table, keyed, passing(keyed, ONE, TWO))
    version = table.version(keyed)
    good = passing(keyed, TWO, THREE)
    weak = Signer(b"5" * 32)
    unfit = to(keyed, TWO, {"public": "00" * 32, "keeper": "client"})
    for body, expected in (
        ({**good, "signature": passing(keyed, ONE, THREE)["signature"]}, "signature.wrong"),
        ({**good, "keeper": "page"}, "signature.wrong"),
        ({**good, "public": weak.registered["public"]}, "signature.wrong"),
        (passing(keyed, TWO, THREE, seat="p2"), "signature.wrong"),
        (passing(keyed, TWO, ONE), "seat.key-unfit"),
        (passing(keyed, TWO, TWO), "seat.key-unfit"),
        (unfit, "seat.key-unfit"),
        ({**good, "signature": good["signature"].upper()}, "body.invalid"),
    ):
        assert code(give(table, keyed, body)) == expected, body
    assert code(give(table, keyed, good, seat="p2")) == "signature.wrong"
    assert table.version(keyed) == version
    assert give(table, keyed, good).is_success


def test_a_seat_without_a_key_has_none_to_pass_on(table: Table) -> None:
    match = table.create()
    assert code(give(table, match, passing(match, ONE, TWO))) == "signature.unexpected"


def test_a_seat_passes_its_key_on_so_many_times(table: Table, keyed: Match) -> None:
    """Each is an event that all others keep and judge: a record does not grow as one seat likes."""
    signers = [ONE, *(Signer(bytes([number]) * 32) for number in range(100, 101 + MOST))]
    answers = [give(table, keyed, passing(keyed, old, new)) for old, new in pairwise(signers)]
    assert [each.status_code for each in answers] == [200] * MOST + [422]
    assert code(answers[-1]) == "seat.key-unfit"
    assert "16 times" in answers[-1].json()["detail"]
    assert order(table, keyed, "p1", signers[MOST]).is_success
    own = give(table, keyed, passing(keyed, OWN, THREE, "p2"), "p2")
    assert own.is_success, "the other seat has its own"


def test_of_a_game_that_is_over_no_key_is_another(table: Table, keyed: Match) -> None:
    played(table, keyed, ONE)
    assert code(give(table, keyed, passing(keyed, ONE, TWO))) == "game.over"


def test_repeated_it_is_the_same_answer_and_one_event(table: Table, keyed: Match) -> None:
    body, more = passing(keyed, ONE, TWO), {"key": "one-key-for-a-key-that-is-passed"}
    first, again = give(table, keyed, body, **more), give(table, keyed, body, **more)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.content == first.content
    assert again.headers["decklog-receipt"] == first.headers["decklog-receipt"]
    assert table.version(keyed) == first.json()["version"]
    other = give(table, keyed, passing(keyed, ONE, THREE), **more)
    assert code(other) == "idempotency.key-reused"


# Judged


def judged(table: Table, match: Match, signer: Signer, keeper: str = "client") -> Verdict:
    new = {**TWO.registered, "keeper": keeper}
    assert give(table, match, to(match, ONE, new)).is_success
    return verify(played(table, match, signer), GAMES)


@pytest.mark.parametrize(("keeper", "grade"), [("client", "O1"), ("page", "O1p")])
def test_the_grade_of_the_orders_stays(table: Table, keyed: Match, keeper: str, grade: str) -> None:
    told = judged(table, keyed, TWO, keeper)
    assert (told.word, told.orders) == ("UPHELD", grade), told.text()
    assert "another key, as it has signed by the old one" in told.text()


def test_its_receipt_is_of_the_seat_and_found_by_every_checker(
    table: Table, keyed: Match, keys: ServiceKeys, tmp_path: Path
) -> None:
    given = receipt_of(give(table, keyed, passing(keyed, ONE, TWO)))
    assert signed_by(given, keys)
    told = given.receipt
    assert (told.game, told.kind, told.seat) == (keyed.id, "key", "p1")
    data = with_receipts(played(table, keyed, TWO), [given])
    verdict = verify(data, GAMES, root=keys.root)
    assert verdict.word == "UPHELD", verdict.text()
    assert "1 receipts have their events" in verdict.text()
    file, root = tmp_path / "game.decklog", str(keys.root)
    file.write_bytes(data)
    for language in PROGRAMS:
        done, said = check(language, str(file), "--root", root)
        assert (done, "1 receipts have their events" in said) == (0, True), said
    (opinion,) = opinions([data], tmp_path, root)
    assert opinion["checks"]["receipts"] == "1 receipts have their events", opinion
