"""The order of refusals, for every operation and every two of its codes.

The codes are those that the operation says it gives, in the order of the table of problems. For
each two of them a request is spoilt in both ways, and the first is expected. Two that cannot be had
at once spoil the same part of the request, or stand in :data:`ALONE` or :data:`APART` with a
reason; every other pair is tried.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, pairwise, product
from typing import Any, get_args

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.evidence.digest import rules_digest
from service.http.operation import Operation
from service.http.paging import write_cursor
from service.http.registry import operations
from service.openapi.paths import codes_of
from service.problems import BY_CODE
from service.settings import Settings
from service.store import engines
from service.webhooks.keeper import MOST
from tests.service.engines.harm import later
from tests.service.http.table import Match, Table, code
from tests.support import pennant
from tests.support.contract import Contract

NOW = "now"
"""Stands for the newest version of the game that is asked for in the end."""
KEY = "precedence-key-0123-9f86d081884c7d65"
USED = f"{KEY}-giveCommand-used"

ALONE = {
    "request.malformed": "No client library sends it: tests/service/ops sends bytes.",
    "service.stopping": "Of the service and not of the request.",
    "service.read-only": "Of the service and not of the request.",
    "rate.exceeded": "Of what was asked before.",
    "caller.banned": "Of what an operator does: tests/service/cli/test_admin.py.",
    "requests.too-many": "Of what is asked at the same time.",
    "streams.too-many": "Of what is asked at the same time.",
    "body.too-slow": "Of how the request comes in.",
    "idempotency.key-busy": "Of what is asked at the same time.",
    "game.damaged": "Of the store.",
    "game.deleted": "Of what an operator does: tests/service/desk/test_clerk.py.",
    "game.frozen": "Of what an operator does: tests/service/desk/test_clerk.py.",
    "ruleset.not-installed": "Of the installation.",
    "engine.missing": "Of the installation.",
    "engine.wrong-dice": "Of rules that fail: tests/service/test_wrong_dice.py.",
    "store.full": "Of the machine.",
    "store.unavailable": "Of the machine.",
    "service.overloaded": "Of the machine.",
    "service.not-ready": "Of the machine.",
    "service.deadline": "Of the machine.",
    "internal.error": "A fault of ours.",
    "dice.awaited": "Of dice that wait for links: tests/service/desk/test_locked_orders.py.",
    "dice.exhausted": "Of a chain that is spent, which is renewed before.",
    "dice.tip-copied": "Of dice that seats bring: tests/service/http/test_own_dice.py.",
    "signature.missing": "Of seats with keys: tests/service/http/test_seat_keys.py.",
    "signature.unexpected": "Of seats with keys: tests/service/http/test_seat_keys.py.",
    "signature.wrong": "Of seats with keys: tests/service/http/test_seat_keys.py.",
    "dice.link-unexpected": "Of dice that seats bring: tests/service/http/test_own_dice.py.",
    "dice.link-missing": "Of dice that seats bring: tests/service/http/test_own_dice.py.",
    "dice.link-wrong": "Of dice that seats bring: tests/service/http/test_own_dice.py.",
    "evidence.unavailable": "Of the store.",
    "engine.unfit": "Of a what-if, or an engine: tests/service/http/test_rules_changed.py.",
    "takeback.refused": "Of every step of Pennant: tests/service/desk/test_takebacks.py.",
    "odds.unmeasured": "Of a ruleset that forbids it; Pennant does not.",
    "fork.unmeasured": "Of a ruleset that forbids it; Pennant does not.",
    "webhook.unproved": "Of a receiver that does not agree: tests/service/webhooks/test_proof.py.",
    "webhook.ended": "Of a receiver that is gone.",
    "seat.key-unfit": "Of seats with keys: tests/service/http/test_seat_keys.py.",
    "seat.seed-named": "Of a game with a named seed: tests/service/http/test_named_seed.py.",
}
"""Codes that no request of Pennant's deserves by its own words, with the reason."""

NEVER = {
    ("revokeToken", "accept.not-acceptable"): "The answer has no body.",
    ("deleteWebhook", "accept.not-acceptable"): "The answer has no body.",
    (
        "getLuck",
        "version.unknown",
    ): "It is asked of the newest version alone; the document keeps it.",
    ("takeSeat", "dice.tip-malformed"): "The form of the body refuses it before: body.invalid.",
    (
        "giveLinks",
        "idempotency.key-reused",
    ): "Nothing is taken of a seat without a chain: tests/service/http/test_own_dice.py.",
    (
        "giveTakeback",
        "idempotency.key-reused",
    ): "No step of Pennant is ever taken back: tests/service/desk/test_takebacks.py.",
    (
        "giveKey",
        "idempotency.key-reused",
    ): "No seat of these games has a key: tests/service/http/test_passing_on.py.",
    ("takeSeat", "game.over"): "No game of Pennant ends before its seats are taken.",
}
"""Codes that one operation cannot give, with the reason."""

APART = {
    ("idempotency.key-reused", "seat.taken"): "The seat is taken by the request of that key.",
    ("idempotency.key-reused", "seat.invitation-wrong"): "With an invitation the key is its own.",
    ("viewer.not-entitled", "game.over"): "Of a game that is over everybody may see all.",
    ("game.not-found", "token.wrong-game"): "A game that is not there has no token.",
    ("game.not-found", "token.not-a-seat"): "A game that is not there has no token.",
    ("game.not-found", "token.not-a-member"): "A game that is not there has no token.",
}
"""Two codes that exclude each other though they do not spoil the same part."""


@dataclass
class House:
    """What there is: games in several states, a webhook, a document."""

    table: Table
    fresh: Match
    over: Match
    other: Match
    webhook: str
    delivery: str
    full: Match
    open: Match
    awaited: int
    """Version of ``other`` at which dice are awaited; two before it a command is not over."""


@dataclass
class Asked:
    """A request as it will be sent; each fault spoils parts of it, which it names."""

    house: House
    operation: Operation
    path: dict[str, str]
    token: str
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    raw: bytes | None = None

    def send(self) -> Any:
        if self.headers.get("If-Match") == NOW:
            known = self.house.table.get(f"/v1/games/{self.path['game']}").json()
            self.headers["If-Match"] = f'"{known.get("version", 1)}"'
        sent = self.raw if self.raw is not None else self._body()
        return self.house.table.ask(
            self.operation.method,
            self.operation.path.format(**self.path),
            self.token,
            {name: value for name, value in self.headers.items() if value},
            params=self.query,
            **({} if sent is None else {"content": sent}),
        )

    def _body(self) -> bytes | None:
        return None if self.body is None else json.dumps(self.body).encode()


LATER = later()
"""An engine that the store has besides that of its games."""

BODIES: dict[str, Any] = {
    "createGame": {"ruleset": "pennant"},
    "takeSeat": {"seat": "p2"},
    "giveCommand": {"type": "pennant.fire", "aim": "hull"},
    "checkCommand": {"type": "pennant.fire", "aim": "hull"},
    "checkCustom": {"name": "Regatta", "turns": 2},
    "createCustom": {"name": "Regatta", "turns": 2},
    "createFork": {"seed": "order"},
    "giveAgreement": {"digest": rules_digest(pennant.GAME).hex()},
    "giveLinks": {"upto": 1, "link": "00" * 32},
    "giveTakeback": {"command": "c_0"},
    "giveKey": {"public": "00" * 32, "signature": "00" * 64},
    "getOdds": {},
    "createWebhook": {"url": "http://127.0.0.1:9/"},
}
OTHERS: dict[str, Any] = {
    "createGame": {"ruleset": "pennant", "name": "another"},
    "createCustom": {"name": "Another", "turns": 2},
    "createFork": {"seed": "another"},
    "giveAgreement": {"digest": hashlib.sha256(LATER).hexdigest()},
    "giveLinks": {"upto": 2, "link": "00" * 32},
    "giveTakeback": {"command": "c_1"},
    "giveKey": {"public": "11" * 32, "signature": "00" * 64},
    "createWebhook": {"url": "http://127.0.0.1:9/another"},
}
"""Other bodies, for which a key was used already."""
NAMES = {
    "ruleset": "pennant", "unit": "pennant", "ability": "haunt", "rule": "PEN-3",
    "kind": "scenario",
    "custom": "0" * 64, "roll": "fire/1", "page": "quick-start", "asset": "reference.js",
    "file": "app.js", "document": "pennant.json", "code": "game.over", "delivery": "none",
    "digest": rules_digest(pennant.GAME).hex(),
}  # fmt: skip


def asked(house: House, operation: Operation) -> Asked:
    """A request in which nothing is spoilt yet."""
    match = house.fresh
    path = {**NAMES, "game": match.id, "webhook": house.webhook, "delivery": house.delivery}
    token = "" if operation.access == "open" else match.tokens["p1"]
    if operation.id == "revokeToken":
        token = house.other.tokens["p2"]
    found = Asked(house, operation, path, token)
    if operation.body is not None:
        body = BODIES.get(operation.id)
        found.body = json.loads(json.dumps(body)) if body is not None else None
        found.headers["Content-Type"] = "application/json"
    if operation.id == "getOdds":
        found.body = {"game": house.other.id, "command": {"type": "pennant.fire", "aim": "hull"}}
        found.token = house.other.tokens["p2"]
    if operation.id == "takeSeat":
        found.path["game"], found.token = house.open.id, house.over.tokens["p1"]
    if operation.id == "createFork":
        found.path["game"], found.token = house.other.id, house.other.tokens["p1"]
    if operation.id == "getReasons":
        found.query["path"] = "/left"
    if operation.id == "listMoments":
        found.query["question"] = "when(len(rolls) > 0)"
    if operation.writes:
        found.headers["Idempotency-Key"] = KEY + operation.id
    if "If-Match" in operation.headers:
        found.headers["If-Match"] = NOW
    return found


Spoil = Callable[[Asked], None]
Fault = tuple[tuple[str, ...], Spoil]
"""The parts of a request that it spoils, and how."""


def header(name: str, value: str) -> Fault:
    return (f"header {name}",), lambda a: a.headers.__setitem__(name, value)


def query(name: str, value: str) -> Fault:
    return (f"query {name}",), lambda a: a.query.__setitem__(name, value)


def beyond(name: str) -> Fault:
    """A version of the query that the game has not come to: the next one."""
    return (f"query {name}",), lambda a: a.query.__setitem__(name, str(latest(a) + 1))


def beyond_in_body(name: str) -> Fault:
    """The same in the body."""
    return (f"body {name}",), lambda a: a.body.__setitem__(name, latest(a) + 1)


def latest(a: Asked) -> int:
    """The version of the game that is asked about."""
    game = a.body["game"] if a.operation.id == "getOdds" else a.path["game"]
    version: int = a.house.table.get(f"/v1/games/{game}").json()["version"]
    return version


def raw(text: bytes, *parts: str) -> Fault:
    return ("body", *parts), lambda a: setattr(a, "raw", text)


def part(name: str, value: Any) -> Fault:
    """A field of the body."""

    def spoil(a: Asked) -> None:
        assert isinstance(a.body, dict), (
            f"{a.operation.id} is asked without a body, so no field of it can be wrong: BODIES of "
            f"this file needs one with the field {name!r}, or NEVER the reason for none"
        )
        a.body[name] = value

    return (f"body {name}",), spoil


def at(version: Callable[[House], int]) -> Fault:
    return ("body at",), lambda a: part("at", version(a.house))[1](a)


def path(name: str, value: str) -> Fault:
    return (f"path {name}",), lambda a: a.path.__setitem__(name, value)


def token(of: Callable[[House], str]) -> Fault:
    return ("token",), lambda a: setattr(a, "token", of(a.house))


def game(of: Callable[[House], Match], *, seat: str = "p1") -> Fault:
    """Another game, with a token of it."""

    def spoil(a: Asked) -> None:
        a.path["game"], a.token = of(a.house).id, of(a.house).tokens[seat]

    return ("path game", "token"), spoil


def over(a: Asked) -> None:
    a.path["game"], a.token = a.house.over.id, a.house.over.tokens["p1"]


def used_key(a: Asked) -> None:
    """The key has stood for another request of the same caller."""
    key = a.headers["Idempotency-Key"] = f"{KEY}-{a.operation.id}-used"
    if a.operation.id in OTHERS:  # a command takes the game on: that was sent in time
        path = a.operation.path.format(**a.path)
        a.house.table.post(path, OTHERS[a.operation.id], a.token, key=key)


def no_such_game(a: Asked) -> None:
    a.path["game"] = "0" * 32
    if a.operation.id == "getOdds":
        a.body["game"] = "0" * 32


COMMON: dict[str, Fault] = {
    "accept.not-acceptable": header("Accept", "application/x-none"),
    "token.invalid": token(lambda house: "dl_seat_none"),
    "token.missing": token(lambda house: ""),
    "query.invalid": query("surprise", "1"),
    "ruleset.other-version": query("digest", "0" * 64),
    "engine.not-found": path("digest", "0" * 64),
    "game.not-found": (("path game", "body game"), no_such_game),
    "token.wrong-game": token(lambda house: house.over.tokens["p1"]),
    "token.not-a-seat": token(lambda house: house.fresh.organiser),
    "token.not-a-member": token(lambda house: str(_invitation(house.fresh))),
    "viewer.not-entitled": query("as", "truth"),
    "version.unknown": beyond("at"),
    "cursor.stale": query("cursor", write_cursor("1.1")),
    "idempotency.key-missing": header("Idempotency-Key", ""),
    "idempotency.key-malformed": header("Idempotency-Key", "short"),
    "idempotency.key-reused": (("header Idempotency-Key", "token"), used_key),
    "precondition.required": header("If-Match", ""),
    "precondition.malformed": header("If-Match", "*"),
    "version.lost": (
        ("header If-Match",),
        lambda a: a.headers.__setitem__("If-Match", f'"{latest(a) + 1}"'),
    ),
    "version.stale": header("If-Match", '"1"'),
    "signature.malformed": header("Decklog-Signature", "zz"),
    "dice-link.malformed": header("Decklog-Dice-Link", "zz"),
    "content.unsupported": header("Content-Type", "text/plain"),
    "body.too-large": raw(b'"' + b"x" * 300_000 + b'"'),
    "body.malformed": raw(b"{"),
    "body.invalid": raw(b"[]"),
    "command.unknown-type": part("type", "surrender"),
    "ruleset.unknown": part("ruleset", "chess"),
    "grade.unavailable": part("grade", "A3"),
    "edition.unknown": part("edition", "1066"),
    "options.invalid": part("options", {"turns": "many"}),
    "seats.invalid": part("seats", [{"seat": "p9"}]),
    "custom.unclear": part("customs", {"scenario": {}}),
    "custom.unknown": part("customs", {"scenario": {"id": "0" * 64}}),
    "dice.tip-malformed": part("diceTip", "0" * 64),
    "seat.unknown": part("seat", "p9"),
    "seat.invitation-needed": (("body seat", "body invitation"), lambda a: None),
    "seat.invitation-wrong": part("invitation", "none"),
    "seat.taken": part("seat", "p1"),
    "game.over": game(lambda house: house.over),
    "webhook.target-forbidden": part("url", "ftp://127.0.0.1/"),
    "webhook.too-many": game(lambda house: house.full),
    "diff.unrelated": (
        ("query with",), lambda a: a.query.__setitem__("with", a.house.other.id),
    ),
}  # fmt: skip

LONG = json.dumps({"name": "x" * 5_000}).encode()
LARGE = {"name": "Regatta", "turns": 2, "more": ["x" * 4_000] * 20}
OWN: dict[tuple[str, str], Fault] = {
    **{
        (operation, "document.too-large"): raw(json.dumps(LARGE).encode())
        for operation in ("checkCustom", "createCustom")
    },
    **{
        (operation, "document.faulty"): raw(b'{"name":"Regatta","turns":3}')
        for operation in ("checkCustom", "createCustom")
    },
    ("checkCustom", "body.invalid"): raw(LONG),
    ("createCustom", "body.invalid"): raw(LONG),
    ("createGame", "document.too-large"): part("customs", {"scenario": {"document": LARGE}}),
    ("createGame", "document.faulty"): part(
        "customs", {"scenario": {"document": {"name": "Regatta", "turns": 3}}}
    ),
    ("giveAgreement", "engine.not-found"): part("digest", "0" * 64),
    ("getOdds", "viewer.not-entitled"): part("viewer", "truth"),
    ("getOdds", "version.unknown"): beyond_in_body("at"),
    ("getOdds", "command.unknown-type"): part("command", {"type": "surrender"}),
    ("getOdds", "odds.unclear"): raw(b"{}"),
    ("getOdds", "odds.none"): part("command", {"type": "pennant.pass"}),
    ("createFork", "viewer.not-entitled"): part("viewer", "p2"),
    ("createFork", "version.unknown"): beyond_in_body("at"),
    ("createFork", "seats.invalid"): part("bots", {"p9": {}}),
    ("createFork", "fork.between"): at(lambda house: house.awaited - 2),
    ("createFork", "fork.no-dice"): part("faces", [[1]]),
    ("createFork", "fork.wrong-faces"): (
        ("body at", "body faces"),
        lambda a: a.body.update(at=a.house.awaited, faces=[[99]]),
    ),
    ("createFork", "game.over"): (
        ("path game", "token", "body at"),
        over,
    ),
    ("createFork", "token.invalid"): token(lambda house: "dl_seat_none"),
    ("listEvents", "version.unknown"): beyond("after"),
    ("getDiff", "version.unknown"): beyond("from"),
    ("getReasons", "resource.not-found"): query("path", "/nowhere"),
    ("createWebhook", "query.invalid"): query("surprise", "1"),
}
"""What is spoilt otherwise in one operation, or there alone."""


def fault(operation: Operation, name: str) -> Fault | None:
    """How the code is provoked; None where that is not known."""
    if (operation.id, name) in OWN:
        return OWN[operation.id, name]
    if name == "resource.not-found":
        found = [each for each in NAMES if f"{{{each}}}" in operation.path]
        found += ["webhook"] if "{webhook}" in operation.path else []
        if found == ["ruleset"]:  # what is not there has no other version
            return ("path ruleset", "query digest"), path("ruleset", "none-such")[1]
        return path(found[-1], "none-such") if found else None
    return COMMON.get(name)


NO_CURSOR = query("cursor", "nonsense")
"""What a list finds wrong itself: the form of a query is read before, and by all in one way."""


FOREIGN = query("cursor", write_cursor("nonsense"))
"""A cursor that can be read, and that no list gave out: each finds that itself, last of all."""

INSTEAD = {
    (
        "listEvents",
        "version.unknown",
    ): "A cursor stands in place of `after`.",
}
"""What a cursor keeps an operation from judging at all, with the reason."""


def ways(operation: Operation, name: str) -> list[Fault]:
    """Every way in which the code is provoked."""
    found = fault(operation, name)
    assert found is not None, f"{operation.id}: nothing here provokes {name} (COMMON, OWN)"
    pages = "cursor" in operation.query and name == "query.invalid"
    return [found, NO_CURSOR] if pages else [found]


def codes(operation: Operation) -> list[str]:
    """What the operation may give and a request can deserve, the first one first."""
    found = set(codes_of(operation, ())) - set(ALONE)
    found -= {name for id_, name in NEVER if id_ == operation.id}
    return precedence(operation, found)


def precedence(operation: Operation, codes: Iterable[str]) -> list[str]:
    """Codes of the service in the order in which the operation judges them."""
    places = {name: (place, 0) for place, name in enumerate(BY_CODE)}
    for number, (name, after) in enumerate(operation.later, 1):
        places[name] = (places[after][0], number)
    return sorted(codes, key=places.__getitem__)


def pairs(operation: Operation) -> list[tuple[str, str]]:
    """Every two codes that can be had together, and each with itself."""
    found = []
    for one, two in combinations_with_replacement(codes(operation), 2):
        first, second = fault(operation, one), fault(operation, two)
        if first is None or second is None or (one, two) in APART:
            continue
        if one == two or not _clash(first[0], second[0]):
            found.append((one, two))
    return found


def _clash(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether two faults spoil the same part; the whole body has all its fields."""
    whole = "body" in one + two and all(
        any(p.startswith("body") for p in each) for each in (one, two)
    )
    return whole or bool({*one} & {*two})


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    settings = Settings(
        database=tmp_path_factory.mktemp("order") / "order.sqlite", rate_limit=0, chain_length=64,
        webhook_seconds=0, webhook_private=True, log_level="ERROR",
    )  # fmt: skip
    app = create_app(settings, {"pennant": pennant.GAME})
    with TestClient(app) as client:
        table = Table(client, Contract.of(app.state.http.describe()))
        rows = [engines.insertion(hashlib.sha256(LATER).hexdigest(), LATER)]
        app.state.http.desk.store.recorder.put((), rows)
        yield furnished(table)


def furnished(table: Table) -> House:
    fresh = table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "invite"}])
    chosen = table.command(fresh, "p1", {"type": "pennant.choose", "colour": "bold"}, key=USED)
    assert chosen.status_code == 200, chosen.text
    over, full = table.create(), table.create()
    table.play_out(over)
    hook, token = {"url": "http://127.0.0.1:9/"}, fresh.tokens["p1"]
    made = table.post(f"{fresh.path}/webhooks", hook, token)
    sent = table.post(f"{made.headers['location']}/test", None, token)
    for _ in range(MOST):
        table.post(f"{full.path}/webhooks", hook, full.tokens["p1"])
    spend_keys(table, fresh, hook)
    open_ = table.create(seats=[{"seat": "p1", "hold": "open"}, {"seat": "p2", "hold": "invite"}])
    seat, key = {"seat": "p1"}, f"{KEY}-takeSeat-used"
    taken = table.post(f"{open_.path}/seats", seat, over.tokens["p1"], key=key)
    assert taken.status_code == 201, taken.text
    other = table.create()
    table.choose_colours(other)
    fired = table.command(other, "p1", {"type": "pennant.fire", "aim": "hull"}).json()["events"]
    webhook = made.json()["webhook"]["id"]
    return House(
        table, fresh, over, other, webhook, sent.json()["id"], full, open_, fired[0]["seq"]
    )


def spend_keys(table: Table, fresh: Match, hook: dict[str, str]) -> None:
    """Keys that stand for something else, where that can be done but once."""
    token = fresh.tokens["p1"]
    place = table.post(f"{fresh.path}/webhooks", hook, token).headers["location"]
    table.post(f"{place}/secret", None, token, key=f"{KEY}-rotateSecret-used")
    first = table.post(f"{place}/test", None, token, key=f"{KEY}-testWebhook-used").json()["id"]
    again = f"{place}/deliveries/{first}/repeat"
    table.post(again, None, token, key=f"{KEY}-repeatDelivery-used")


def _invitation(match: Match) -> Any:
    return match.created.json()["invitations"][0]["token"]


def sorts(operation: Operation) -> tuple[str, ...]:
    """The orders in which a list can be had; "" where it has but one."""
    fields = operation.query
    return get_args(get_args(fields["sort"])[0]) if "sort" in fields else ("",)


def said(house: House, operation: Operation, sort: str, *faults: Fault) -> str:
    """The code, or the status of success, of a request that is spoilt in these ways."""
    request = asked(house, operation)
    if sort:
        request.query["sort"] = sort
    for _, spoil in faults:
        spoil(request)
    given = request.send()
    if given.status_code < 400:
        return str(given.status_code)
    return code(given) + astray(given.json().get("errors", ()), faults)


def astray(errors: Sequence[dict[str, Any]], faults: Sequence[Fault]) -> str:
    """Where an error points to, if one field of the body is wrong and it is not that one."""
    kinds = {parts for parts, _ in faults}
    (parts,) = kinds if len(kinds) == 1 else ((),)
    if len(parts) != 1 or not parts[0].startswith("body ") or not errors:
        return ""
    pointers = [each.get("pointer", "") for each in errors]
    field = "/" + parts[0].removeprefix("body ")
    return "" if all(each.startswith(field) for each in pointers if each) else f" at {pointers}"


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.id)
def test_the_first_of_two_is_given_everywhere(house: House, operation: Operation) -> None:
    wrong = []
    for (one, two), sort in product(pairs(operation), sorts(operation)):
        for first, second in product(ways(operation, one), ways(operation, two)):
            if one != two and _clash(first[0], second[0]):
                continue
            given = said(house, operation, sort, second, first)
            if given != one:
                wrong.append(f"{one} ({first[0][0]}) with {two} ({second[0][0]}) {sort}: {given}")
    assert not wrong, f"{operation.id} gives another code than the first: {'; '.join(wrong)}"


def figures(values: dict[str, Any]) -> dict[str, int]:
    """The whole numbers among the fields of a body or a query."""
    return {
        name: int(value)
        for name, value in values.items()
        if type(value) is int or (isinstance(value, str) and re.fullmatch(r"-?\d+", value))
    }


def farther(house: House, operation: Operation, name: str, way: Fault) -> list[str]:
    """Figures by which a code is provoked, though one nearer to what was asked provokes it, too."""
    plain, spoilt = asked(house, operation), asked(house, operation)
    way[1](spoilt)
    found = []
    for place in ("query", "body"):
        before, after = getattr(plain, place), getattr(spoilt, place)
        for field_, figure in (figures(after) if isinstance(after, dict) else {}).items():
            start = figures(before).get(field_, 0) if isinstance(before, dict) else 0
            nearer = figure - 1 if figure > start else figure + 1
            again = moved(place, field_, nearer)
            if abs(figure - start) > 1 and said(house, operation, "", way, again).startswith(name):
                found.append(f"{name}: {place} {field_}={figure}, and {nearer} is refused, too")
    return found


def moved(place: str, name: str, figure: int) -> Fault:
    """A figure of the query or the body in place of the one that it has."""
    value = str(figure) if place == "query" else figure
    return (), lambda a: getattr(a, place).__setitem__(name, value)


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.id)
def test_a_figure_that_is_wrong_is_the_nearest_that_is(house: House, operation: Operation) -> None:
    """Far beyond a bound nobody sees that it lies elsewhere by one."""
    found = [
        each
        for name in codes(operation)
        for way in ways(operation, name)
        for each in farther(house, operation, name, way)
    ]
    assert not found, f"{operation.id}: show the nearest figure that is refused: {found}"


def test_a_figure_far_beyond_is_found(house: House) -> None:
    (operation,) = (each for each in operations() if each.id == "getView")
    assert farther(house, operation, "version.unknown", beyond("at")) == []
    [found] = farther(house, operation, "version.unknown", query("at", "99999"))
    assert found.startswith("version.unknown: query at=99999, and 99998 is refused, too")


PAGED = [each for each in operations() if "cursor" in each.query]


@pytest.mark.parametrize("operation", PAGED, ids=lambda operation: operation.id)
def test_a_cursor_of_another_list_is_judged_last(house: House, operation: Operation) -> None:
    """Alike in all lists and all their orders: what it was given out for has to be known first."""
    wrong = []
    for name, sort in product(codes(operation), sorts(operation)):
        first = fault(operation, name)
        assert first is not None, f"{operation.id}: nothing provokes {name} (COMMON, OWN)"
        if _clash(first[0], FOREIGN[0]) or (operation.id, name) in INSTEAD:
            continue
        given = said(house, operation, sort, FOREIGN, first)
        if given != name:
            wrong.append(f"{name} ({first[0][0]}) {sort}: {given}")
    wrong += [
        f"no other fault {sort}: {given}"
        for sort in sorts(operation)
        if (given := said(house, operation, sort, FOREIGN)) != "query.invalid"
    ]
    assert not wrong, (
        f"{operation.id} (service/http) judges a cursor that it never gave out before what its "
        f"other parameters say, or not at all: {'; '.join(wrong)}"
    )


def test_what_a_cursor_stands_in_place_of_is_a_code_of_its_list() -> None:
    for id_, name in INSTEAD:
        (operation,) = (each for each in PAGED if each.id == id_)
        assert name in codes(operation), f"INSTEAD: {id_} never gives {name}"


def test_every_list_says_that_its_cursor_may_be_refused() -> None:
    untold = [each.id for each in PAGED if "query.invalid" not in each.problems]
    assert PAGED, "no operation has a cursor"
    assert not untold, f"Operation.problems of a list with a cursor lack query.invalid: {untold}"


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.id)
def test_every_code_is_provoked_or_says_why_not(operation: Operation) -> None:
    assert [name for name in codes(operation) if fault(operation, name) is None] == []


def test_what_is_excepted_would_be_tried_otherwise() -> None:
    """A reason that excuses nothing is out of date."""
    every = {operation.id: operation for operation in operations()}
    given = {name for operation in operations() for name in codes_of(operation, ())}
    assert set(ALONE) <= given
    assert [name for name in ALONE if name in COMMON] == []
    for id_, name in NEVER:
        assert name in codes_of(every[id_], ())
    for pair in APART:
        assert any(set(pair) <= set(codes(operation)) for operation in operations()), pair
    for id_, name in OWN:
        assert name in codes(every[id_]), (id_, name)


def test_every_pair_is_tried_or_excepted() -> None:
    """Which are not tried, and why: one part of the request is spoilt by both, or a reason."""
    for operation in operations():
        tried = set(pairs(operation))
        for one, two in combinations_with_replacement(codes(operation), 2):
            first, second = fault(operation, one), fault(operation, two)
            assert first is not None, (operation.id, one)
            assert second is not None, (operation.id, two)
            excepted = (one, two) in APART or (one != two and _clash(first[0], second[0]))
            assert ((one, two) in tried) != excepted, (operation.id, one, two)
        assert all((name, name) in tried for name in codes(operation))


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.id)
def test_an_operation_names_its_codes_in_the_order_of_the_table(operation: Operation) -> None:
    """Written twice, so that an entry of problems.toml that stands elsewhere is noticed."""
    said = [name for name in operation.problems if name not in ALONE]
    assert said == precedence(operation, said), misplaced(operation, said)


def misplaced(operation: Operation, said: Sequence[str]) -> str:
    """Which code stands elsewhere, and the places of which one is wrong."""
    wanted = precedence(operation, said)
    one, other = next((a, b) for a, b in zip(said, wanted, strict=True) if a != b)
    later = dict(operation.later)
    judged = [
        f"{name} is judged after {later[name]} (`later`)" for name in (one, other) if name in later
    ] or [f"neither {one} nor {other} is in `later`"]
    return (
        f"{operation.id}: `problems` in service/http has {one} where the order is {other}. Either "
        f"`problems` has them in a wrong order, or service/problems.toml does, or, if {one} or "
        f"{other} is judged later than that table says, `later` of the operation has to name it "
        f"with the code that it follows; {' and '.join(judged)}"
    )


def test_a_pointer_to_another_field_is_found() -> None:
    faults = [part("seats", []), part("seats", [])]
    assert astray([{"pointer": "/name"}], faults) == " at ['/name']"
    assert astray([{"pointer": "/seats/0"}], faults) == astray([], faults) == ""
    assert astray([{"pointer": "/name"}], [*faults, part("name", 7)]) == ""


def test_the_message_names_each_place_that_may_be_wrong() -> None:
    (operation,) = (each for each in operations() if each.id == "createGame")
    said = [name for name in operation.problems if name not in ALONE]
    swapped = [said[1], said[0], *said[2:]]
    told = misplaced(operation, swapped)
    for place in (
        f"has {said[1]} where the order is {said[0]}",
        "service/problems.toml",
        "`later`",
    ):
        assert place in told


def test_the_table_ends_with_what_no_request_deserves() -> None:
    """So that an entry that was put at the end, where nothing says its rank, is noticed."""
    table = list(BY_CODE)
    ends = table[table.index("evidence.unavailable") :]
    wrong = [name for name in ends if name not in ALONE]
    assert not wrong, (
        f"service/problems.toml has {wrong} after what only the machine comes to: put each where "
        "it is looked for"
    )


def test_what_is_judged_later_stands_earlier_in_the_table() -> None:
    order = list(BY_CODE)
    for operation in operations():
        for name, after in operation.later:
            assert order.index(name) < order.index(after), (operation.id, name)
            assert name in codes_of(operation, ()), (operation.id, name)


def out_of_order(operations: Iterable[Operation], table: Sequence[str]) -> list[str]:
    """Codes of one ``later`` that do not follow one another as in the table of problems."""
    places = {name: number for number, name in enumerate(table)}
    return [
        f"{operation.id}: {one} before {two}"
        for operation in operations
        for one, two in pairwise(name for name, _ in operation.later)
        if places[one] > places[two]
    ]


def test_what_is_judged_later_keeps_the_order_of_the_table() -> None:
    """So that an entry of problems.toml that is moved alone is noticed, wherever it is judged."""
    wrong = out_of_order(operations(), list(BY_CODE))
    assert not wrong, f"Operation.later and service/problems.toml have two orders: {wrong}"
