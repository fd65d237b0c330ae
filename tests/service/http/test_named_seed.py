"""A named seed opens every hand: whoever joins such a game has to accept that, and is told."""

from __future__ import annotations

from typing import Any

import pytest

from service.evidence.verify import verify
from service.problems import KINDS
from tests.service.http.table import Match, Table, code

OPEN = [{"seat": "p1"}, {"seat": "p2", "hold": "open"}]
ACCEPT = {"seat": "p2", "acceptNamedSeed": True}


def test_whoever_joins_a_game_with_a_named_seed_has_to_accept_that(table: Table) -> None:
    match = table.create(seed="anchors", seats=OPEN)
    assert match.created.json()["game"]["grade"] == "none"
    refused = table.post(f"{match.path}/seats", {"seat": "p2"})
    assert (refused.status_code, code(refused)) == (409, "seat.seed-named")
    assert table.get(match.path).json()["status"] == "open"
    no = table.post(f"{match.path}/seats", {**ACCEPT, "acceptNamedSeed": False})
    assert code(no) == "seat.seed-named"
    taken = table.post(f"{match.path}/seats", ACCEPT)
    assert taken.status_code == 201, taken.text
    assert (taken.json()["game"]["status"], taken.json()["game"]["grade"]) == ("playing", "none")


def test_an_invitation_to_such_a_game_is_not_spent_by_the_refusal(table: Table) -> None:
    match = table.create(seed="anchors", seats=[{"seat": "p1"}, {"seat": "p2", "hold": "invite"}])
    (given,) = match.created.json()["invitations"]
    wish = {"seat": "p2", "invitation": given["token"]}
    assert code(table.post(f"{match.path}/seats", wish)) == "seat.seed-named"
    taken = table.post(f"{match.path}/seats", {**wish, "acceptNamedSeed": True})
    assert taken.status_code == 201, taken.text


def test_without_a_named_seed_there_is_nothing_to_accept(table: Table) -> None:
    for wish in ({"seat": "p2"}, ACCEPT):
        match = table.create(seats=OPEN)
        assert match.created.json()["game"]["grade"] == "A0"
        assert table.post(f"{match.path}/seats", wish).status_code == 201


def test_the_precedence_of_the_refusal(table: Table) -> None:
    """A seat that is not to be had, or a game that is over, is said first; a bad tip later."""
    order = [kind.code for kind in KINDS]
    before = ("seat.unknown", "seat.invitation-needed", "seat.invitation-wrong", "seat.taken")
    assert all(order.index(one) < order.index("seat.seed-named") for one in (*before, "game.over"))
    assert order.index("seat.seed-named") < order.index("dice.link-unexpected")
    match = table.create(seed="anchors", seats=OPEN)
    path = f"{match.path}/seats"
    assert code(table.post(path, {"seat": "p9"})) == "seat.unknown"
    assert code(table.post(path, {"seat": "p1"})) == "seat.taken"
    tip = {"diceTip": "0" * 64}
    assert code(table.post(path, {"seat": "p2", **tip})) == "seat.seed-named"


def evidence(table: Table, match: Match) -> Any:
    return table.get(f"{match.path}/evidence", match.organiser).content


@pytest.mark.parametrize("grade", ["A0", "A1"])
def test_the_verdict_gives_such_dice_no_grade(table: Table, grade: str) -> None:
    """Whatever was asked for: its dice prove that they can be repeated, and nothing else."""
    games = table.client.app.state.http.desk.games
    match = table.create(seed="anchors", grade=grade, options={"turns": 2})
    table.choose_colours(match)
    verdict = verify(evidence(table, match), games)
    assert (verdict.word, verdict.grade) == ("UPHELD", "none")
    assert any("proves repetition only" in note for note in verdict.notes)
    for asked in ("A0", "A1"):
        assert verify(evidence(table, match), games, grade=asked).code == 4, "lower than asked"
    other = table.create(options={"turns": 2})
    assert verify(evidence(table, other), games, grade="A0").code == 0


def test_the_event_says_it_in_words(table: Table) -> None:
    match = table.create(seed="anchors")
    first = table.get(f"{match.path}/events?limit=1").json()["items"][0]
    assert "named seed" in first["text"]["en"]
    assert "grade none" in first["text"]["en"]
