"""What each piece may do, or by which refusal it may do nothing, in one answer."""

from __future__ import annotations

from typing import Any

from tests.service.http.table import Match, Table, code

MOST = 60


def pieces(house: Table, match: Match, seat: str, query: str = "") -> dict[str, Any]:
    """The answer for a seat."""
    answer = house.get(f"{match.path}/pieces{query}", match.tokens[seat])
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    assert found["seat"] == seat
    assert found["items"]
    return found


def until(house: Table, match: Match, question: str) -> str:
    """Play first offers until somebody is asked this; who is."""
    for _ in range(MOST):
        now = house.get(match.path).json()["toMove"][0]
        if now["question"] == question:
            return str(now["seat"])
        offer = house.options(match, now["seat"])
        done = house.command(match, now["seat"], offer["items"][0]["command"], offer["version"])
        assert done.status_code == 200, done.text
    raise AssertionError(f"nobody was asked {question}")


def test_a_piece_is_in_the_list_or_has_a_reason(house: Table) -> None:
    match = house.create(ruleset="war-at-sea", seed="pieces")
    seat = until(house, match, "move")
    offer = house.options(match, seat)
    for piece in pieces(house, match, seat)["items"]:
        named = [item for item in offer["items"] if item["unit"] == piece["id"]]
        assert piece["ready"] == len(named)
        assert ("refused" in piece) is not (piece["ready"] > 0 or piece["built"])


def test_a_unit_that_has_moved_says_so_by_the_rule_that_says_so(house: Table) -> None:
    match = house.create(ruleset="war-at-sea", seed="pieces")
    seat = until(house, match, "move")
    item = next(i for i in house.options(match, seat)["items"] if i["unit"])
    house.command(match, seat, item["command"], house.version(match))
    again = until(house, match, "move")
    while again != seat:
        offer = house.options(match, again)
        house.command(match, again, offer["items"][0]["command"], offer["version"])
        again = until(house, match, "move")
    told = {each["id"]: each for each in pieces(house, match, seat)["items"]}[item["unit"]]
    refused = house.post(f"{match.path}/commands/check", item["command"], match.tokens[seat])
    assert told["refused"]["code"] == code(refused) == "move.already-moved"
    assert told["refused"]["rule"] == "WAS-SEA-03"
    assert told["refused"]["hint"]


def test_the_other_seat_is_told_whose_turn_it_is(house: Table) -> None:
    match = house.create(ruleset="war-at-sea", seed="pieces")
    seat = until(house, match, "move")
    other = {"p1": "p2", "p2": "p1"}[seat]
    items = pieces(house, match, other)["items"]
    assert {each["refused"]["code"] for each in items} == {"turn.not-yours"}
    assert not any(each["ready"] for each in items)


def test_cards_in_hand_are_those_that_the_seat_itself_sees(house: Table) -> None:
    match = house.create(ruleset="naval-battles", seed="pieces")
    asked = until(house, match, "reorganize")
    for seat in match.tokens.keys() & {"p1", "p2"}:
        own = pieces(house, match, seat)["items"]
        assert all(each["name"] for each in own)
        hand = {each["id"] for each in own if each["place"] == "hands"}
        view = house.get(f"{match.path}/view", match.tokens[seat]).json()["state"]
        assert hand == set(view["hands"][seat]["items"])
        reasons = {each["refused"]["code"] for each in own if "refused" in each}
        assert ("card.wrong-step" if seat == asked else "turn.not-yours") in reasons


def test_an_onlooker_has_no_pieces(house: Table) -> None:
    match = house.create(ruleset="war-at-sea", seed="pieces")
    until(house, match, "move")
    told = house.get(f"{match.path}/pieces").json()
    assert (told["seat"], told["items"]) == ("", [])


def test_it_is_told_of_an_earlier_version_and_changes_nothing(house: Table) -> None:
    match = house.create(ruleset="war-at-sea", seed="pieces")
    seat = until(house, match, "move")
    before = pieces(house, match, seat)
    offer = house.options(match, seat)
    done = house.command(match, seat, offer["items"][0]["command"], offer["version"])
    assert done.status_code == 200, done.text
    after = house.version(match)
    assert pieces(house, match, seat, f"?at={before['version']}") == before
    assert house.version(match) == after
