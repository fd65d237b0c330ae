"""@decklog/client without a service, by what decklog-client and the service make of the same."""

from __future__ import annotations

import base64
import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from projections.differences import changes
from service.bots import agent
from service.evidence.receipts import Accepted, as_field, give
from service.evidence.signing import SigningKey
from service.log.leaf import mark_of
from tests.clients.sdk.test_python import ASKED, GAME, SUMMARY, TOLD, event, frame
from tests.support.programs import NODE
from tests.support.server import ROOT

SCRIPT = ROOT / "openapi" / "clients" / "typescript"
TRIALS = Path(__file__).with_name("trials.mjs")
LINES = 12
NOW = 1_800_000_000
SECRET = "whsec_" + base64.b64encode(b"s" * 32).decode()
BODY = '{"type":"test"}'
GROWN: list[tuple[Any, Any]] = [
    ({"a": 1, "b": [1, 2, 3]}, {"a": 2, "b": [1, 3]}),
    ({"a": {"x/y": 1, "~": 2}}, {"a": {"x/y": 3, "n": None}}),
    ({"a": [1, 2, 3, 4]}, {"a": []}),
    ({"a": []}, {"a": [{"id": "u"}, {"id": "v"}]}),
    ({"a": None}, {"a": {"b": 1}}),
]
SUMMARIES: list[tuple[dict[str, Any], str]] = [
    ({**SUMMARY, **more}, seat)
    for seat in ("p1", "p2")
    for more in (
        {},
        {"renewals": 2},
        {"renewals": 2, "chainParams": "22" * 32, "firstBatch": 3},
        {"status": "open"},
        {"grade": "A2", "locked": {"batch": 4, "missing": ["p2"]}},
        {"grade": "A3", "locked": {"batch": 4, "missing": ["p2"]}},
        {"grade": "A3"},
    )
]
TEXT = b"".join([b"retry: 9\n\n", frame(event(1)), frame(event(2, "é \u2028 \u0085")), b": x\n\n"])
STREAM = b"".join(frame(event(seq)) for seq in (1, 2, 3)).decode()
SUNK = {"path": "/ships", "kind": "changed", "after": 1}
CUTS = (0, 40, 130, len(STREAM))


def answer(status: int, body: Any, **headers: str) -> dict[str, Any]:
    text = body if isinstance(body, str) else json.dumps(body)
    return {"status": status, "body": text, "headers": headers}


def messages() -> list[list[Any]]:
    at = datetime.fromtimestamp(NOW, UTC)
    headers = {
        "webhook-id": "m1",
        "webhook-timestamp": str(NOW),
        "webhook-signature": f"v1,AAAA {Webhook(SECRET).sign('m1', at, BODY)}",
    }
    other = "whsec_" + base64.b64encode(b"x" * 32).decode()
    return [
        [SECRET, headers, BODY, NOW],
        [SECRET, headers, BODY + " ", NOW],
        [SECRET, {**headers, "webhook-id": "m2"}, BODY, NOW],
        [other, headers, BODY, NOW],
        [SECRET, headers, BODY, NOW + 301],
        [SECRET, {}, BODY, NOW],
    ]


def resumed(cut: int) -> list[dict[str, Any]]:
    """A stream that breaks off, and what it is asked for when it is taken up again."""
    whole = [number for number in (1, 2, 3) if STREAM.find(f"id: {number + 1}\n") in range(cut + 1)]
    came = 3 if cut == len(STREAM) else len(whole)
    head = [answer(200, {"items": [event(came)]})] if came else []
    rest = "".join(frame(event(seq)).decode() for seq in range(came + 1, 4))
    going = [answer(200, rest), answer(200, {"items": [event(3)]})] if rest else []
    return [{**answer(200, STREAM), "cut": cut}, *head, *going, answer(204, "")]


def headed(seq: int, digit: str) -> dict[str, Any]:
    return answer(200, {}, **{"Decklog-Head": f'{seq};hash="{digit * 64}"'})


def given() -> dict[str, Any]:
    receipt = give(GAME, Accepted("order", "p1", b"", 7, "f" * 64), "2026-01-02T03:04:05.000000Z",
                   SigningKey("x", b"x" * 32))  # fmt: skip
    done, again = answer(200, {"done": True}), {"Retry-After": "7"}
    return {
        "game": GAME,
        "summaries": SUMMARIES,
        "stream": TEXT.decode(),
        "messages": messages(),
        "changes": [
            [
                before,
                [
                    {"path": each.pointer, "kind": each.kind, "after": each.after}
                    for each in changes(before, after)
                ],
            ]
            for before, after in GROWN
        ],
        "logs": [],
        "later": [
            [answer(429, {}, **again), done],
            [answer(503, {}, **again), done],
            [answer(409, {"code": "idempotency.key-busy"}), done],
            [answer(412, {}, **again), done],
            [answer(412, {"code": "version.stale"}), done],
            [answer(409, {"code": "game.over"}), done],
            [],
        ],
        "cuts": [resumed(cut) for cut in CUTS],
        "heads": [headed(5, "a"), headed(4, "c"), headed(5, "b")],
        "back": [headed(5, "a"), answer(404, {"code": "version.unknown"})],
        "receipt": as_field(receipt),
        "turns": [answer(200, each) for each in TOLD],
        "watched": [
            answer(200, {"version": 0, "rules": "r", "state": {"ships": 2}}),
            {**answer(200, STREAM), "cut": len(STREAM)},
            answer(200, {"items": [event(3)]}),
            answer(204, ""),
            answer(200, {"rules": "r", "changes": [SUNK]}),
        ],
    }


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    done = subprocess.run(
        [NODE, str(TRIALS), str(SCRIPT / "src")], input=json.dumps(given()),
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_bot_needs_twelve_lines() -> None:
    program = (SCRIPT / "bot.js").read_text("utf-8").split("\n\n", 1)[1]
    assert len(program.splitlines()) <= LINES
    assert f"```js\n{program}```" in (SCRIPT / "README.md").read_text("utf-8")


def test_a_list_is_read_only_by_who_asks_for_it(made: dict[str, Any]) -> None:
    told = made["turns"]
    asked = [f"{each['method']} {each['address']}" for each in told["heard"]]
    assert asked == [each.replace(" ", " http://service") for each in ASKED]
    assert told["came"] == [[1, "move"], [3, "move"]]


def test_links_are_those_of_the_agent(made: dict[str, Any]) -> None:
    for told, (summary, seat) in zip(made["chains"], SUMMARIES, strict=True):
        chain = agent.Chain(bytes(range(32)), summary, agent.place_of(summary, seat))
        links = [chain.link(number).hex() for number in (0, 1, 40)]
        assert told == [*links, agent.wanted(summary, seat)]


def test_a_chain_is_hashed_once_for_one_secret_seat_and_epoch(made: dict[str, Any]) -> None:
    assert made["once"] == [True, True]


def test_a_page_that_is_behind_forgets_nothing_for_another(made: dict[str, Any]) -> None:
    assert made["behind"] == [{"seq": seq, "hash": str(seq)} for seq in (11, 10)]


def test_a_patched_state_shares_what_did_not_change_and_writes_into_nothing(
    made: dict[str, Any],
) -> None:
    found, untouched, shared = made["kept"]
    assert found == {"ships": {"hood": {"hull": 1}}, "sky": {"clear": True}}
    assert untouched
    assert shared


def test_marks_are_those_that_the_log_counts(made: dict[str, Any], sdk: Any) -> None:
    own = [mark_of(bytes(range(32)), number) for number in (1, 2, 2**40)]
    assert made["marks"] == own == [sdk.mark(bytes(range(32)), n) for n in (1, 2, 2**40)]


def test_a_stream_may_be_cut_into_any_pieces(made: dict[str, Any]) -> None:
    for told in made["frames"]:
        assert [(each["id"], json.loads(each["data"])) for each in told] == [
            ("1", event(1)), ("2", event(2, "é \u2028 \u0085")),
        ]  # fmt: skip


def test_a_message_of_the_service_is_taken_and_no_other(made: dict[str, Any]) -> None:
    assert made["messages"] == [{"type": "test"}, *["NotFromTheService"] * 5]


def test_a_state_is_patched_by_what_the_service_tells(made: dict[str, Any]) -> None:
    assert made["patched"] == [after for _, after in GROWN]


def test_what_comes_later_is_asked_again_with_the_same_key(made: dict[str, Any]) -> None:
    *passing, stale, over, nobody = made["patience"]
    for each in passing:
        assert each["came"] == {"done": True}
        one, two = each["heard"]
        assert one["key"] == two["key"]
        assert len(one["key"]) == 32
    assert [each["pauses"] for each in passing] == [[7000], [7000], [250], [7000]]
    assert (stale["came"]["code"], over["came"]["code"]) == ("version.stale", "game.over")
    assert stale["pauses"] == over["pauses"] == []
    assert nobody["came"]["error"] == "TypeError"
    assert 50_000 < sum(nobody["pauses"]) <= 60_000
    assert len({each["key"] for each in nobody["heard"]}) == 1


def test_a_stream_that_is_cut_loses_and_doubles_nothing(made: dict[str, Any]) -> None:
    for told in made["cuts"]:
        assert told["came"] == [1, 2, 3]
        assert told["heard"][0]["last"] == "0"
        assert told["heard"][-1]["last"] == "3"


def test_the_end_is_seen_where_the_line_broke_before_its_moment(made: dict[str, Any]) -> None:
    assert made["watched"]["came"] == [[0, {"ships": 2}], [3, {"ships": 1}]]
    assert made["watched"]["heard"][-1]["address"].endswith("/diff?from=0&to=3")


def test_another_record_is_an_error_with_both_heads(made: dict[str, Any]) -> None:
    kept, found = ({"seq": 5, "hash": digit * 64} for digit in "ab")
    assert made["heads"]["came"] == {"error": "OtherRecord", "kept": kept, "found": found}
    assert made["back"]["came"] == {"error": "OtherRecord", "kept": kept, "found": None}


def test_receipts_name_the_head_that_is_kept(made: dict[str, Any]) -> None:
    assert made["receipt"] == [{"seq": 7, "hash": "f" * 64}]
