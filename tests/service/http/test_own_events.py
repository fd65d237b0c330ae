"""One stream for all games of a player: by tokens alone, resumed by one cursor, and of no other."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service.http.table import Match, Table, code
from tests.support.server import Running, running

SSE = "text/event-stream"
CHOOSE = {"type": "pennant.choose", "colour": "bold"}
Frame = tuple[str, str, dict[str, Any]]
"""Cursor, type and data; a moment has the cursor ""."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("own")
    with running(folder, "pennant", chain_length=256) as server:
        yield server


@pytest.fixture
def live(server: Running) -> Iterator[Table]:
    with httpx.Client(base_url=server.url, timeout=20) as client:
        yield Table.at(client)


def bundle(*tokens: str, **more: str) -> dict[str, str]:
    return {"Accept": SSE, "Decklog-Tokens": " ".join(tokens), **more}


def frames(text: str) -> list[Frame]:
    """What was sent, without signs of life."""
    found = []
    for part in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in part.splitlines() if not line.startswith(":"))
        if "data" in fields:
            found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found


def told(live: Table, headers: dict[str, str], query: str = "") -> list[Frame]:
    """All that there is now."""
    answer = live.client.get(f"/v1/events?follow=false{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    return frames(answer.text)


def own(live: Table, match: Match, seat: str) -> list[dict[str, Any]]:
    """The game's own stream of the seat."""
    page = live.ask("GET", f"{match.path}/events?limit=200", match.tokens[seat])
    items: list[dict[str, Any]] = page.json()["items"]
    return items


def of(sent: list[Frame], match: Match, seat: str) -> list[dict[str, Any]]:
    """What the stream said of one game, with the eyes of a seat."""
    return [
        data["event"]
        for _, kind, data in sent
        if kind != "moment" and (data["game"], data["viewer"]) == (match.id, seat)
    ]


def test_each_game_comes_with_the_eyes_of_its_token(live: Table) -> None:
    one, two = live.create(), live.create()
    live.command(one, "p1", CHOOSE)
    held = [(one, "p1"), (two, "p2"), (one, "p2")]
    sent = told(live, bundle(*(match.tokens[seat] for match, seat in held)))
    for match, seat in held:
        assert of(sent, match, seat) == own(live, match, seat)
    assert of(sent, one, "p1") != of(sent, one, "p2"), "the secret choice is its seat's"
    assert len(sent) == sum(len(own(live, match, seat)) for match, seat in held)


def test_every_cut_resumes_without_loss_or_doubling(live: Table) -> None:
    one, two = live.create(), live.create()
    live.command(one, "p1", CHOOSE)
    tokens = (one.tokens["p1"], two.tokens["p1"])
    whole = told(live, bundle(*tokens))
    for cut in range(len(whole)):
        rest = told(live, bundle(*tokens, **{"Last-Event-ID": whole[cut][0]}))
        for match in (one, two):
            assert of(whole[: cut + 1], match, "p1") + of(rest, match, "p1") == own(
                live, match, "p1"
            )
    at_the_end = told(live, bundle(*tokens), f"&cursor={whole[-1][0]}")
    assert at_the_end == []


def test_the_cursor_counts_the_events_of_these_games_alone(live: Table) -> None:
    """Others who play move nothing in it."""
    one = live.create()
    before = told(live, bundle(one.tokens["p1"]))
    for _ in range(3):
        live.play_out(live.create())
    assert told(live, bundle(one.tokens["p1"])) == before
    cursor = before[-1][0]
    said = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    assert said == f"{one.id[:12]}p1.{len(own(live, one, 'p1'))}"


def test_what_happens_comes_and_the_stream_ends_with_its_games(live: Table) -> None:
    one, two = live.create(), live.create()
    heard: list[str] = []
    ready = threading.Event()

    def listen() -> None:
        headers = bundle(one.tokens["p1"], two.tokens["p1"])
        path = "/v1/events?past=false&moments=true"
        with live.client.stream("GET", path, headers=headers, timeout=20) as stream:
            for chunk in stream.iter_text():
                heard.append(chunk)
                if "moment" in chunk:
                    ready.set()

    listener = threading.Thread(target=listen)
    versions = {match.id: live.version(match) for match in (one, two)}
    listener.start()
    assert ready.wait(10)
    for match in (two, one):
        live.play_out(match)
    listener.join(15)
    assert not listener.is_alive()
    sent = frames("".join(heard))
    for match in (one, two):
        later = own(live, match, "p1")[versions[match.id] :]
        assert of(sent, match, "p1") == later
        standing = [
            d["standing"] for _, kind, d in sent if kind == "moment" and d["game"] == match.id
        ]
        assert standing[-1]["status"] == "finished"
    gone = live.client.get("/v1/events", headers=bundle(one.tokens["p1"], two.tokens["p1"], **{
        "Last-Event-ID": [cursor for cursor, _, _ in sent if cursor][-1]
    }))  # fmt: skip
    assert gone.status_code == 204


def test_pages_follow_their_cursor_to_the_end(live: Table) -> None:
    one, two = live.create(), live.create()
    live.play_out(two)
    tokens = {"Decklog-Tokens": f"{one.tokens['p1']} {two.tokens['p2']}"}
    items: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = live.client.get(f"/v1/events?limit=3&cursor={cursor}", headers=tokens)
        live.contract.check(page)
        found = page.json()
        items += found["items"]
        cursor = found["next"]
        if not found["items"]:
            break
        assert ("link" in page.headers) == (len(found["items"]) == 3)
    for match, seat in ((one, "p1"), (two, "p2")):
        assert [e["event"] for e in items if e["game"] == match.id] == own(live, match, seat)
    alone = {"Decklog-Tokens": two.tokens["p2"]}
    assert live.client.get("/v1/events?limit=200", headers=alone).json()["next"] is None


def test_who_has_no_token_or_a_wrong_one_is_told_so(live: Table) -> None:
    match = live.create()
    assert code(live.client.get("/v1/events")) == "token.missing"
    assert code(live.client.get("/v1/events", headers=bundle("dl_none"))) == "token.invalid"
    good = live.client.get("/v1/events", headers={"Authorization": f"Bearer {match.tokens['p1']}"})
    assert [e["event"] for e in good.json()["items"]] == own(live, match, "p1")
    for cursor in ("nonsense", base64.urlsafe_b64encode(b"x.y").decode().rstrip("=")):
        wrong = live.client.get(f"/v1/events?cursor={cursor}", headers=bundle(match.tokens["p1"]))
        assert code(wrong) == "query.invalid"
    ahead = base64.urlsafe_b64encode(f"{match.id[:12]}p1.999".encode()).decode().rstrip("=")
    wrong = live.client.get(f"/v1/events?cursor={ahead}", headers=bundle(match.tokens["p1"]))
    assert code(wrong) == "query.invalid"
    many = live.client.get("/v1/events", headers=bundle(*["dl"] * 51))
    assert code(many) == "query.invalid"


def blamed(refused: httpx.Response) -> tuple[str, list[str], bool]:
    """Code, pointers, and whether the refusal speaks of something that was not sent."""
    problem = refused.json()
    strangers = ("Authorization", "parameter 'cursor'")
    pointers = [each["pointer"] for each in problem.get("errors", ())]
    return code(refused), pointers, any(stranger in problem["detail"] for stranger in strangers)


def test_a_refusal_names_the_header_that_is_wrong(live: Table) -> None:
    match = live.create()
    path, good = "/v1/events", match.tokens["p1"]
    many = live.client.get(path, headers=bundle(*["dl"] * 51))
    assert blamed(many) == ("query.invalid", ["#Decklog-Tokens"], False)
    wrong = live.client.get(path, headers=bundle(good, "dl_none"))
    assert blamed(wrong) == ("token.invalid", ["#Decklog-Tokens"], False)
    ahead = base64.urlsafe_b64encode(f"{match.id[:12]}p1.999".encode()).decode().rstrip("=")
    for cursor in ("nonsense", ahead):
        spoilt = live.client.get(path, headers={**bundle(good), "Last-Event-ID": cursor})
        assert blamed(spoilt) == ("query.invalid", ["#Last-Event-ID"], False), cursor
    named = live.client.get(f"{path}?cursor={ahead}", headers=bundle(good))
    assert blamed(named)[1] == ["#cursor"]
    other = live.client.get(
        f"{match.path}/diff?with={'0' * 32}", headers={"Decklog-With-Token": "dl_none"}
    )
    assert blamed(other) == ("token.invalid", ["#Decklog-With-Token"], False)
    own = live.client.get(match.path, headers={"Authorization": "Bearer dl_none"})
    assert blamed(own) == ("token.invalid", [], True)


def test_a_token_that_is_revoked_hears_no_more(live: Table) -> None:
    one, two = live.create(), live.create()
    live.ask("DELETE", "/v1/token", one.tokens["p1"])
    gone = live.client.get("/v1/events", headers=bundle(one.tokens["p1"], two.tokens["p1"]))
    assert code(gone) == "token.invalid"
