"""Of several refusals that a request deserves, the one that stands first in the table is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from service.problems import KINDS
from tests.service.http.table import Match, Table, code

ORDER = [kind.code for kind in KINDS]
KEY = "precedence-key-0123-9f86d081884c7d65"


@dataclass
class Wish:
    """A command as it will be sent; each fault spoils one thing of it."""

    table: Table
    match: Match
    game: str = ""
    path: str = ""
    method: str = "POST"
    query: str = ""
    token: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"type":"pennant.fire","aim":"hull"}'

    def send(self) -> Any:
        game = self.game or self.match.id
        path = self.path or f"/v1/games/{game}/commands"
        headers = {
            "Idempotency-Key": KEY, "If-Match": '"1"', "Content-Type": "application/json",
            **self.headers,
        }  # fmt: skip
        sent = {name: value for name, value in headers.items() if value}
        return self.table.ask(self.method, path + self.query, self.token, sent, content=self.body)


def spoil_header(name: str, value: str) -> Callable[[Wish], None]:
    def spoil(wish: Wish) -> None:
        wish.headers[name] = value

    return spoil


def no_route(wish: Wish) -> None:
    wish.path = "/v1/nowhere"


def wrong_method(wish: Wish) -> None:
    wish.method = "PUT"


def bad_token(wish: Wish) -> None:
    wish.token = "dl_seat_none"


def no_token(wish: Wish) -> None:
    wish.token = ""


def bad_query(wish: Wish) -> None:
    wish.query = "?surprise=1"


def no_game(wish: Wish) -> None:
    wish.game = "0" * 32


def other_game(wish: Wish) -> None:
    wish.token = wish.table.create().tokens["p1"]


def no_seat(wish: Wish) -> None:
    wish.token = wish.match.organiser


def body(text: bytes) -> Callable[[Wish], None]:
    def spoil(wish: Wish) -> None:
        wish.body = text

    return spoil


def used_key(wish: Wish) -> None:
    """A fresh match in which the key was used for p1's choice."""
    wish.table.command(wish.match, "p1", {"type": "pennant.choose", "colour": "bold"}, key=KEY)


def nothing(wish: Wish) -> None:
    """If-Match is stale and it is not p1's phase for firing as the wish stands."""


FAULTS: dict[str, Callable[[Wish], None]] = {
    "route.not-found": no_route,
    "method.not-allowed": wrong_method,
    "accept.not-acceptable": spoil_header("Accept", "image/png"),
    "token.invalid": bad_token,
    "token.missing": no_token,
    "query.invalid": bad_query,
    "game.not-found": no_game,
    "token.wrong-game": other_game,
    "token.not-a-seat": no_seat,
    "idempotency.key-missing": spoil_header("Idempotency-Key", ""),
    "idempotency.key-malformed": spoil_header("Idempotency-Key", "short"),
    "precondition.required": spoil_header("If-Match", ""),
    "precondition.malformed": spoil_header("If-Match", "*"),
    "signature.malformed": spoil_header("Decklog-Signature", "zz"),
    "dice-link.malformed": spoil_header("Decklog-Dice-Link", "zz"),
    "content.unsupported": spoil_header("Content-Type", "text/plain"),
    "body.too-large": body(b'"' + b"x" * 300_000 + b'"'),
    "body.malformed": body(b"{"),
    "body.invalid": body(b'{"type":"pennant.fire","aim":1}'),
    "command.unknown-type": body(b'{"type":"surrender"}'),
    "idempotency.key-reused": used_key,
    "version.stale": nothing,
}


def conflict(first: str, second: str) -> bool:
    """Two faults that spoil the same thing cannot be had at once."""
    same = (
        {"token.invalid", "token.missing", "token.wrong-game", "token.not-a-seat"},
        {"idempotency.key-missing", "idempotency.key-malformed", "idempotency.key-reused"},
        {"precondition.required", "precondition.malformed"},
        {"body.too-large", "body.malformed", "body.invalid", "command.unknown-type"},
        {"game.not-found", "token.wrong-game", "token.not-a-seat"},
        {"route.not-found", "method.not-allowed", "query.invalid"},
    )
    return any({first, second} <= group for group in same)


def test_the_faults_stand_in_the_order_of_the_table() -> None:
    assert list(FAULTS) == [name for name in ORDER if name in FAULTS]


@pytest.mark.parametrize("first", FAULTS)
def test_the_first_of_two_refusals_is_given(table: Table, first: str) -> None:
    later = list(FAULTS)[list(FAULTS).index(first) :]
    for second in later:
        if conflict(first, second):
            continue
        match = table.create()
        wish = Wish(table, match, token=match.tokens["p1"])
        table.command(match, "p2", {"type": "pennant.choose", "colour": "bold"})
        for fault in dict.fromkeys((second, first)):
            FAULTS[fault](wish)
        assert code(wish.send()) == first, f"with {second}"
