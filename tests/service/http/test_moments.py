"""Any version of a game, through any eyes that the caller may use."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.kernel.shown.roles import Role
from projections.moments import chaptered
from projections.stream import SeenEvent
from projections.timeline import told
from tests.service.http.table import Match, Table, code
from tests.support.pennant import GAME, State


@pytest.fixture
def over(table: Table) -> Match:
    """A game that was played to its end."""
    match = table.create(options={"turns": 4}, seed="moments")
    table.play_out(match)
    return match


def legal_at(table: Table, match: Match, seat: str, version: int) -> list[Any]:
    answer = table.get(f"{match.path}/commands?at={version}&as={seat}")
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["version"], body["seat"]) == (version, seat)
    return [item["command"] for item in body["items"]]


def test_moment_legal_list_and_view_agree_at_every_version_and_for_every_seat(
    table: Table, over: Match
) -> None:
    last = table.version(over)
    offered = 0
    for seat in ("p1", "p2"):
        for version in range(2, last + 1):
            view = table.get(f"{over.path}/view?at={version}&as={seat}").json()
            state = msgspec.convert(view["state"], State)
            moment = table.get(f"{over.path}/moment?at={version}&as={seat}").json()
            assert moment["board"] == GAME.board(state)
            assert moment["scores"] == GAME.scores(state)
            asked = [question.seat for question in GAME.pending(state)]
            assert [question["seat"] for question in moment["toMove"]] == asked
            legal = msgspec.to_builtins(GAME.legal(state, seat).commands)
            assert legal_at(table, over, seat, version) == list(legal)
            offered += len(legal)
    assert offered, "somebody had something to do"
    moment = table.get(f"{over.path}/moment").json()
    assert moment["status"] == "finished"
    assert moment["latest"] == moment["version"] == last


def test_while_a_game_runs_a_caller_looks_as_itself_or_as_the_public(table: Table) -> None:
    match = table.create()
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    own = table.get(f"{match.path}/view?as=p1", match.tokens["p1"]).json()["state"]
    public = table.get(f"{match.path}/view?as=public", match.tokens["p1"]).json()["state"]
    assert own["choices"][0]["sight"] == "known"
    assert public["choices"][0]["sight"] == "hidden"
    assert public == table.get(f"{match.path}/view").json()["state"]
    for path in ("view", "moment", "report", "commands", "events", "rolls", "rolls/fire/1"):
        for token, wished in (("p2", "p1"), ("p1", "truth"), ("p1", "p9")):
            refused = table.get(f"{match.path}/{path}?as={wished}", match.tokens[token])
            assert code(refused) == "viewer.not-entitled"
        answer = table.get(f"{match.path}/{path}?as=p1")
        assert code(answer) == "viewer.not-entitled"
        assert answer.json()["hint"].endswith("public.")


def test_once_it_is_over_anybody_sees_all(table: Table, over: Match) -> None:
    for wished in ("p1", "p2", "public", "truth"):
        shown = table.get(f"{over.path}/events?as={wished}").json()["items"]
        assert len(shown) == table.version(over)
    chosen = [
        table.get(f"{over.path}/events?as={wished}").json()["items"][2]["data"]["choice"]["sight"]
        for wished in ("p1", "p2", "truth")
    ]
    assert chosen == ["known", "hidden", "known"]


def test_a_named_version_never_changes_and_another_is_refused(table: Table, over: Match) -> None:
    for path in ("report", "view"):
        first = table.get(f"{over.path}/{path}?at=3")
        assert "immutable" in first.headers["cache-control"]
        again = table.get(f"{over.path}/{path}?at=3", If_None_Match=first.headers["etag"])
        assert again.status_code == 304
        assert code(table.get(f"{over.path}/{path}?at=999")) == "version.unknown"
        assert "immutable" not in table.get(f"{over.path}/{path}").headers["cache-control"]
    assert code(table.get(f"{over.path}/commands?at=1")) == "version.unknown"
    opening = table.get(f"{over.path}/moment?at=1").json()
    assert (opening["board"], opening["scores"], opening["toMove"]) == ("", {}, [])


def test_who_asks_for_a_version_before_the_opening_is_told_to_ask_for_a_later_one(
    table: Table, over: Match
) -> None:
    refused = table.get(f"{over.path}/view?at=1")
    assert code(refused) == "version.unknown"
    assert "from the opening" in refused.json()["hint"]


def test_the_tag_of_a_moment_goes_with_its_bytes(table: Table) -> None:
    """``latest`` is in it: what was true when the game stood there is not true for ever."""
    match = table.create()
    before = table.get(f"{match.path}/moment?at=2")
    table.choose_colours(match)
    after = table.get(f"{match.path}/moment?at=2", If_None_Match=before.headers["etag"])
    assert after.status_code == 200
    assert after.json()["latest"] > before.json()["latest"]
    assert "immutable" not in before.headers["cache-control"]


def test_the_report_tells_every_sentence_once_and_in_order(table: Table, over: Match) -> None:
    events = table.get(f"{over.path}/events?limit=200").json()["items"]
    report = table.get(f"{over.path}/report").json()
    lines = [line for chapter in report["chapters"] for line in chapter["lines"]]
    assert [(line["version"], line["text"]) for line in lines] == [
        (event["seq"], event["text"]["en"]) for event in events if event["text"]["en"]
    ]
    text = table.get(f"{over.path}/report", Accept="text/plain")
    assert text.headers["content-type"].startswith("text/plain")
    assert all(line["text"] in text.text for line in lines)
    half = table.get(f"{over.path}/report?at=4").json()
    assert half["chapters"][-1]["last"] == 4


def _event(seq: int, type_: str, text: str, *roles: Role) -> SeenEvent:
    return SeenEvent(
        seq=seq, hash="", type=type_, schema=1, at="", actor="p1", caused_by="", event={}, data={},
        rules=(), text=text, roles=roles,
    )  # fmt: skip


def test_chapters_follow_turns_and_phases() -> None:
    found = chaptered(
        [
            _event(1, "x.opened", "It begins."),
            _event(2, "x.turn-began", "", Role("turn", number=1)),
            _event(3, "x.step-began", "Movement.", Role("phase")),
            _event(4, "x.moved", "A moves."),
            _event(5, "x.step-began", "Nothing happens here.", Role("phase")),
            _event(6, "x.step-began", "Gunnery.", Role("phase")),
            _event(7, "x.shot", "B fires."),
        ]
    )
    assert [(c.turn, c.phase, c.first, c.last) for c in found] == [
        (0, "Set-up", 1, 1),
        (1, "Movement", 2, 4),
        (1, "Gunnery", 5, 7),
    ]
    assert told(found)[:2] == ["== Set-up ==", "      1  It begins."]
