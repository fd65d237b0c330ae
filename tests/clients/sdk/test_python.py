"""decklog-client without a service: patience, streams, heads, patches, dice, webhooks."""

from __future__ import annotations

import base64
import copy
import importlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

from projections.differences import changes
from service.bots import agent
from service.evidence.receipts import Accepted, as_field, give
from service.evidence.signing import SigningKey
from tests.clients.sdk.conftest import PYTHON
from tests.support.server import ROOT

GAME = "0123456789abcdef" * 2
PATH = f"/v1/games/{GAME}"
Answers = Callable[[httpx.Request], httpx.Response]


def in_turn(*answers: httpx.Response | Exception) -> tuple[Answers, list[httpx.Request]]:
    """Gives the answers one after the other; the requests that came."""
    heard: list[httpx.Request] = []
    left = iter(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.startswith("/log/"):
            return refusal(404, "path.unknown")  # no public log is kept
        heard.append(request)
        told = next(left)
        if isinstance(told, Exception):
            raise told
        return told

    return answer, heard


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code}, headers=headers)


# --- forms ---------------------------------------------------------------------------------------


def test_a_bot_needs_twelve_lines_and_is_the_one_that_is_shown() -> None:
    text = (PYTHON / "bot.py").read_text("utf-8")
    program = text.split("\n\n", 1)[1]
    assert len(program.splitlines()) <= 12
    for page in (PYTHON / "README.md", ROOT / "openapi" / "guide" / "clients.md"):
        assert f"```python\n{program}```" in page.read_text("utf-8")


def test_the_client_that_waits_is_made_of_the_one_that_awaits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(PYTHON))
    made = importlib.import_module("waiting")
    assert made.WAITING.read_text("utf-8") == made.waiting(made.AWAITING.read_text("utf-8"))


# --- patience ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "later",
    [
        refusal(429, "rate.exceeded", **{"Retry-After": "7"}),
        refusal(503, "service.stopping", **{"Retry-After": "7"}),
        refusal(409, "idempotency.key-busy", **{"Retry-After": "7"}),
        refusal(412, "version.stale", **{"Retry-After": "7"}),
    ],
    ids=lambda answer: str(answer.status_code),
)
def test_what_comes_later_is_asked_again_with_the_same_key_when_it_says(
    spoken_to: Callable[..., Any], paused: list[float], later: httpx.Response
) -> None:
    answers, heard = in_turn(later, httpx.Response(200, json={"done": True}))
    assert spoken_to(answers).give(GAME, {"type": "x"}, 4) == {"done": True}
    assert paused == [7.0]
    one, two = heard
    assert one.content == two.content
    assert one.headers["idempotency-key"] == two.headers["idempotency-key"]
    assert one.headers["if-match"] == '"4"'


def test_two_requests_have_two_keys_of_32_characters(spoken_to: Callable[..., Any]) -> None:
    answers, heard = in_turn(httpx.Response(200, json={}), httpx.Response(200, json={}))
    client = spoken_to(answers)
    client.post("/v1/games", {})
    client.post("/v1/games", {})
    keys = {each.headers["idempotency-key"] for each in heard}
    assert [len(key) for key in keys] == [32, 32]


def test_a_broken_line_is_no_answer(spoken_to: Callable[..., Any], paused: list[float]) -> None:
    answers, heard = in_turn(
        httpx.ReadError("cut"), httpx.ConnectError("down"), httpx.Response(201, json={"id": 1})
    )
    assert spoken_to(answers).post("/v1/games", {}) == {"id": 1}
    assert paused == [0.25, 0.5]
    assert len({each.headers["idempotency-key"] for each in heard}) == 1


def test_patience_ends_and_the_last_answer_is_given(
    sdk: Any, spoken_to: Callable[..., Any], paused: list[float]
) -> None:
    client = spoken_to(lambda _: refusal(503, "service.stopping"), patience=3)
    with pytest.raises(sdk.Problem, match=r"service\.stopping"):
        client.get("/v1")
    assert sum(paused) <= 3 < sum(paused) + 2 * paused[-1]

    def down(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("down")

    with pytest.raises(httpx.ConnectError):
        spoken_to(down, patience=1).get("/v1")


@pytest.mark.parametrize(("status", "code"), [(412, "version.stale"), (409, "seat.taken")])
def test_what_does_not_pass_is_not_asked_again(
    sdk: Any, spoken_to: Callable[..., Any], status: int, code: str
) -> None:
    answers, heard = in_turn(refusal(status, code))
    with pytest.raises(sdk.Problem) as raised:
        spoken_to(answers).post("/v1/games", {})
    assert (raised.value.status, raised.value.code) == (status, code)
    assert len(heard) == 1


def test_a_list_whose_game_moved_on_is_begun_anew(spoken_to: Callable[..., Any]) -> None:
    answers, heard = in_turn(
        httpx.Response(200, json={"version": 3, "items": [1], "next": "c"}),
        refusal(409, "cursor.stale"),
        httpx.Response(200, json={"version": 4, "items": [2], "next": "d"}),
        httpx.Response(200, json={"version": 4, "items": [3], "next": None}),
    )
    assert spoken_to(answers).commands(GAME)["items"] == [2, 3]
    assert [each.url.params.get("cursor") for each in heard] == [None, "c", None, "d"]


# --- turns ---------------------------------------------------------------------------------------

DONE = [{"seat": "p1", "question": "move"}]
"""What a table is told: it stands open, it has moved on, what may be done there, it is over."""
TOLD: list[dict[str, Any]] = [
    {"status": "running", "version": 1, "toMove": DONE},
    {"standing": {"status": "running", "version": 3, "toMove": DONE}},
    {"version": 3, "toMove": DONE, "items": [{"command": 7}], "next": None},
    {"standing": {"status": "finished", "version": 4, "toMove": []}},
]
ASKED = [
    f"GET {PATH}",
    f"POST {PATH}/commands",
    f"GET {PATH}/commands?at=3",
    f"POST {PATH}/commands",
]


def test_a_list_is_read_only_by_who_asks_for_it(spoken_to: Callable[..., Any]) -> None:
    """The first command is known beforehand; the second turn's list is looked at twice."""
    answers, heard = in_turn(*(httpx.Response(200, json=each) for each in TOLD))
    seen = []
    client = spoken_to(answers)
    client.holding = lambda token: client
    for turn in client.table(GAME, {"p1": "t"}).turns():
        seen.append((turn.version, turn.question["question"]))
        turn.give(5 if turn.version == 1 else (turn.items() and turn.items()[0]["command"]))
    assert seen == [(1, "move"), (3, "move")]
    assert [f"{each.method} {each.url.raw_path.decode()}" for each in heard] == ASKED
    assert [each.content for each in heard if each.method == "POST"] == [b"5", b"7"]
    assert [each.headers.get("If-Match") for each in heard] == [None, '"1"', None, '"3"']


def test_a_turn_that_nobody_answered_is_asked_about_anew(spoken_to: Callable[..., Any]) -> None:
    over = {"status": "finished", "version": 2, "toMove": []}
    answers, heard = in_turn(*(httpx.Response(200, json=each) for each in (TOLD[0], over)))
    client = spoken_to(answers)
    assert len(list(client.table(GAME, {"p1": "t"}).turns())) == 1
    assert [each.url.path for each in heard] == [PATH, PATH]


# --- streams -------------------------------------------------------------------------------------


def event(seq: int, text: str = "") -> dict[str, Any]:
    return {"seq": seq, "type": "t", "hash": f"{seq:064x}", "text": text}


def frame(told: dict[str, Any], moment: bool = False) -> bytes:
    head = "event: moment\n" if moment else f"id: {told['seq']}\nevent: {told['type']}\n"
    return f"{head}data: {json.dumps(told, ensure_ascii=False)}\n\n".encode()


STREAM = (
    b"retry: 2000\n\n"
    + frame(event(1))
    + frame(event(2, "caf\u00e9 \u2028 \u0085"))
    + b": still here\n\n"
    + frame({"version": 2}, moment=True)
    + frame(event(3))
)


def test_a_stream_may_be_cut_into_any_pieces(sdk: Any) -> None:
    for size in (1, 2, 3, 7, 1000):
        frames = importlib.import_module("decklog_client.stream").Frames()
        pieces = (STREAM[at : at + size] for at in range(0, len(STREAM), size))
        told = [one for piece in pieces for one in frames.feed(piece)]
        assert [(number, kind) for number, kind, _ in told] == [
            ("1", "t"), ("2", "t"), ("", "moment"), ("3", "t"),
        ]  # fmt: skip
        assert json.loads(told[1][2]) == event(2, "caf\u00e9 \u2028 \u0085")


class Cut(httpx.SyncByteStream):
    """A body that breaks off after some bytes."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    def __iter__(self) -> Iterator[bytes]:
        yield self.body
        raise httpx.ReadError("cut")


def served(cuts: Iterator[int]) -> Answers:
    """A service whose streams break off after so many bytes each, and then are whole."""
    events = [event(1), event(2), event(3)]

    def answer(request: httpx.Request) -> httpx.Response:
        after = int(request.headers.get("last-event-id", request.url.params.get("after", 0)))
        left = [each for each in events if each["seq"] > after]
        if request.headers["accept"] == "application/json":
            return httpx.Response(200, json={"items": left[:1], "next": None})
        if not left:
            return httpx.Response(204)
        body, cut = b"".join(map(frame, left)), next(cuts, None)
        if cut is None:
            return httpx.Response(200, content=body)
        return httpx.Response(200, stream=Cut(body[:cut]))

    return answer


def test_a_stream_that_is_cut_anywhere_loses_and_doubles_nothing(
    spoken_to: Callable[..., Any], paused: list[float]
) -> None:
    for cut in range(len(STREAM)):
        client = spoken_to(served(iter([cut, 5, 40])))
        assert [news.data["seq"] for news in client.follow(GAME)] == [1, 2, 3]
    assert paused


def test_the_end_is_seen_where_the_line_broke_before_its_moment(
    spoken_to: Callable[..., Any],
) -> None:
    view = {"version": 1, "rules": "r", "state": {"ships": 2}}
    told = {"rules": "r", "changes": [{"path": "/ships", "kind": "changed", "after": 1}]}
    body = frame(event(2)) + frame(event(3))
    answers, heard = in_turn(
        httpx.Response(200, json=view),
        httpx.Response(200, stream=Cut(body)),
        httpx.Response(200, json={"items": [event(3)]}),
        httpx.Response(204),
        httpx.Response(200, json=told),
    )
    seen = list(spoken_to(answers).watch(GAME))
    assert [(each["version"], each["state"]) for each in seen] == [
        (1, {"ships": 2}), (3, {"ships": 1}),
    ]  # fmt: skip
    assert dict(heard[-1].url.params) == {"from": "1", "to": "3"}


def test_a_stream_that_is_refused_says_so(sdk: Any, spoken_to: Callable[..., Any]) -> None:
    with pytest.raises(sdk.Problem, match=r"game\.not-found"):
        list(spoken_to(lambda _: refusal(404, "game.not-found")).follow(GAME))


# --- heads ---------------------------------------------------------------------------------------


def headed(seq: int, digit: str, **more: str) -> httpx.Response:
    field = {"Decklog-Head": f'{seq};hash="{digit * 64}"', **more}
    return httpx.Response(200, json={}, headers=field)


def test_another_hash_of_the_same_event_is_an_error_with_both(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Any
) -> None:
    answers, _ = in_turn(headed(5, "a"), headed(4, "c"), headed(5, "b"))
    client = spoken_to(answers, heads=sdk.Heads(tmp_path, "http://service"))
    client.game(GAME)
    client.game(GAME)  # an older one says nothing
    with pytest.raises(sdk.OtherRecord) as raised:
        client.game(GAME)
    assert raised.value.kept == sdk.Head(5, "a" * 64)
    assert raised.value.found == sdk.Head(5, "b" * 64)
    written = json.loads((tmp_path / f"{GAME}.heads.json").read_text())
    assert written == raised.value.document()
    assert [each["hash"][0] for each in written["heads"]] == ["a", "b"]


@pytest.mark.parametrize("items", [[], [{**event(5), "hash": "b" * 64}]])
def test_who_comes_back_asks_for_what_was_kept(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Any, items: list[Any]
) -> None:
    """A store that went back, or one that tells something else: by a new process as well."""
    answers, _ = in_turn(headed(5, "a"))
    spoken_to(answers, heads=sdk.Heads(tmp_path)).game(GAME)
    answers, heard = in_turn(httpx.Response(200, json={"items": items}))
    client = spoken_to(answers, heads=sdk.Heads(tmp_path))
    with pytest.raises(sdk.OtherRecord) as raised:
        next(iter(client.follow(GAME)))
    assert raised.value.found == (sdk.Head(5, "b" * 64) if items else None)
    assert heard[0].url.params["after"] == "4"


def test_a_game_that_is_shorter_now_is_another_record(
    sdk: Any, spoken_to: Callable[..., Any]
) -> None:
    answers, _ = in_turn(headed(5, "a"), refusal(404, "version.unknown"))
    client = spoken_to(answers)
    client.game(GAME)
    with pytest.raises(sdk.OtherRecord, match="now there is none"):
        client.confirm(GAME)


def test_a_receipt_is_kept_and_what_it_names_is_asked_for(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Any
) -> None:
    payload = base64.b64encode(json.dumps({"seq": 5, "head": "a" * 64}).encode()).decode()
    receipt = base64.b64encode(json.dumps({"payload": payload}).encode()).decode()
    answers, heard = in_turn(
        headed(5, "a", **{"Decklog-Receipt": receipt}),
        headed(9, "d"),
        httpx.Response(200, json={"items": [{**event(9), "hash": "d" * 64}]}),
        httpx.Response(200, json={"items": [{**event(5), "hash": "e" * 64}]}),
    )
    client = spoken_to(answers, heads=sdk.Heads(tmp_path))
    client.give(GAME, {}, 4)
    client.game(GAME)
    assert (tmp_path / f"{GAME}-5.receipt").read_text() == receipt + "\n"
    with pytest.raises(sdk.OtherRecord) as raised:
        client.confirm(GAME)
    assert raised.value.kept == sdk.Head(5, "a" * 64)
    assert [each.url.params.get("after") for each in heard[2:]] == ["8", "4"]


def test_receipts_of_a_service_name_their_head(sdk: Any) -> None:
    taken = Accepted("order", "p1", b"body", 7, "f" * 64)
    given = give(GAME, taken, "2026-01-02T03:04:05.000000Z", SigningKey("x", b"x" * 32))
    text = as_field(given)
    assert importlib.import_module("decklog_client.heads").receipt_head(text) == (7, "f" * 64)


# --- patches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": 1, "b": [1, 2, 3]}, {"a": 2, "b": [1, 3]}),
        ({"a": {"x/y": 1, "~": 2}}, {"a": {"x/y": 3, "n": None}}),
        ({"a": []}, {"a": [{"id": "u"}, {"id": "v"}]}),
        ({"a": [1, 2, 3, 4]}, {"a": []}),
        ({"a": [{"id": "u", "n": 1}, {"id": "v", "n": 2}]}, {"a": [{"id": "v", "n": 3}]}),
        ({"a": None}, {"a": {"b": 1}}),
    ],
)
def test_a_state_is_patched_by_what_the_service_tells(sdk: Any, before: Any, after: Any) -> None:
    kept = copy.deepcopy(before)
    told = [
        {"path": each.pointer, "kind": each.kind, **each_values(each)}
        for each in changes(before, after)
    ]
    assert sdk.patched(before, told) == after
    assert before == kept


def each_values(change: Any) -> dict[str, Any]:
    return {} if change.kind == "removed" else {"after": change.after}


def test_a_change_of_no_place_is_an_error(sdk: Any) -> None:
    with pytest.raises(ValueError, match="no place"):
        sdk.patched({"a": 1}, [{"path": "/b/c", "kind": "changed", "after": 1}])


# --- dice and webhooks ---------------------------------------------------------------------------

SUMMARY: dict[str, Any] = {
    "params": "11" * 32,
    "renewals": 0,
    "chainLength": 40,
    "firstBatch": 1,
    "nextBatch": 4,
    "status": "playing",
    "grade": "A1",
    "locked": None,
    "seats": [
        {"seat": "p1", "diceTip": "", "linksUpto": 0},
        {"seat": "p2", "diceTip": "ab", "linksUpto": 0},
    ],
}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"renewals": 2},
        {"renewals": 2, "chainParams": "22" * 32, "firstBatch": 3},
        {"status": "open"},
        {"grade": "A2", "locked": {"batch": 4, "missing": ["p2"]}},
        {"grade": "A2", "locked": {"batch": 4, "missing": ["p1"]}},
        {"grade": "A2"},
        {"grade": "A3", "locked": {"batch": 4, "missing": ["p2"]}},
        {"grade": "A3"},
    ],
)
@pytest.mark.parametrize("seat", ["p1", "p2"])
def test_links_are_those_of_the_agent(sdk: Any, seat: str, more: dict[str, Any]) -> None:
    summary, secret = {**SUMMARY, **more}, bytes(range(32))
    place = agent.place_of(summary, seat)
    chain, own = sdk.Chain(secret, summary, seat), agent.Chain(secret, summary, place)
    assert chain.tip == own.tip
    assert [chain.link(n) for n in range(41)] == [own.link(n) for n in range(41)]
    dice = importlib.import_module("decklog_client.dice")
    assert dice.wanted(summary, seat) == agent.wanted(summary, seat)


def test_a_message_of_the_service_is_taken_and_no_other(sdk: Any) -> None:
    secret = "whsec_" + base64.b64encode(b"s" * 32).decode()
    now, body = datetime.now(UTC), b'{"type":"test"}'
    former = "v1," + base64.b64encode(bytes(32)).decode()
    headers = {
        "Webhook-Id": "m1",
        "Webhook-Timestamp": str(int(now.timestamp())),
        "Webhook-Signature": f"{former} {Webhook(secret).sign('m1', now, body.decode())}",
    }
    assert sdk.verify(secret, headers, body) == {"type": "test"}
    later = now.timestamp() + 301
    wrongs: tuple[Callable[[], Any], ...] = (
        lambda: sdk.verify(secret, headers, body + b" "),
        lambda: sdk.verify(secret, {**headers, "Webhook-Id": "m2"}, body),
        lambda: sdk.verify("whsec_" + base64.b64encode(b"x" * 32).decode(), headers, body),
        lambda: sdk.verify(secret, headers, body, now=later),
        lambda: sdk.verify(secret, {}, body),
    )
    for wrong in wrongs:
        with pytest.raises(sdk.NotFromTheService):
            wrong()


# --- the last step back ---------------------------------------------------------------------------


STEP = {"takeback": {"seat": "p1", "command": "c_7", "first": 9}}


def test_the_last_step_is_taken_back_where_the_game_offers_it(
    spoken_to: Callable[..., Any],
) -> None:
    answers, heard = in_turn(
        httpx.Response(200, json=STEP), httpx.Response(200, json={"takeback": None})
    )
    assert spoken_to(answers).take_back(GAME) == {"takeback": None}
    assert json.loads(heard[1].content) == {"command": "c_7"}
    assert heard[1].url.path == f"{PATH}/takebacks"


@pytest.mark.parametrize(
    "told",
    [
        [httpx.Response(200, json={"takeback": None})],
        [httpx.Response(200, json=STEP), refusal(409, "takeback.refused")],
        [httpx.Response(200, json=STEP), refusal(409, "game.over")],
    ],
)
def test_a_step_that_stays_is_none(
    spoken_to: Callable[..., Any], told: list[httpx.Response]
) -> None:
    answers, _ = in_turn(*told)
    assert spoken_to(answers).take_back(GAME) is None


def test_another_refusal_of_a_takeback_is_raised(sdk: Any, spoken_to: Callable[..., Any]) -> None:
    answers, _ = in_turn(httpx.Response(200, json=STEP), refusal(403, "token.not-a-seat"))
    with pytest.raises(sdk.wire.Problem, match=r"token\.not-a-seat"):
        spoken_to(answers).take_back(GAME)
