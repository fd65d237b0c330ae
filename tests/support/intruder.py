"""Random attacks on a service in this process, by seed: malformed tokens, hostile requests.

    python -m tests.campaigns.intruders        thousands of them, with progress

``tests/service/http/test_intruders.py`` is the short tier.
"""

from __future__ import annotations

import random
import re
import string
from base64 import urlsafe_b64encode
from typing import Any
from zlib import crc32

import httpx

from service.http.operation import Operation
from tests.service.http.table import Match, Table

VISIBLE = "".join(chr(code) for code in range(0x21, 0x7F))
KINDS = ("seat", "invitation", "organiser", "spectator", "auditor", "admin", "root", "")
JUNK = (
    "' OR 1=1 --", '"; DROP TABLE tokens; --', "../../etc/passwd", "%00", "${jndi:ldap://x}",
    "<script>alert(1)</script>", "\\x00\\x01", "null", "undefined", "-1", "1e309", "9" * 40,
    "..%2f..%2fetc%2fpasswd", "%27", "%F0%9F%9A%A2", "~", "|id", "$(id)", "{{7*7}}", "a" * 300,
)  # fmt: skip
WORSE = (
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"a":1,"a":2}', b"[" * 5_000, b"true", b"-0",
    b'{"type":' + b"9" * 400 + b"}", b'{"type":"pennant.fire","aim":"hull"}', b'"' + b"x" * 9_000,
    b'{"ruleset":"pennant","options":{"turns":-1}}', b'{"ruleset":["pennant"]}',
    b'{"url":"https://127.0.0.1/"}', b'{"seat":"p1","invitation":"x"}', b'{"type":"\\ud800"}',
    b'{"__proto__":{}}', b"\x00" * 10,
)  # fmt: skip

INTERNALS = re.compile(
    r"(?i)traceback|File \"|\bline \d+, in\b|/site-packages/|\.py\b"
    r"|/(usr|home|root|work|tmp|var|etc)/\w"
    r"|\b(sqlite3?|psycopg|postgres\w*|msgspec|litestar|eventsourcing|uvicorn|httpx)\b"
    r"|\bSELECT\b.+\bFROM\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b|no such (table|column)"
    r"|stored_events|followers|<\w+ object at 0x|\b\w+(Error|Exception)\b"
)
"""What no problem may say: paths, SQL, names of our parts, lines of a trace."""


def checksummed(body: str) -> str:
    return f"{body}_{crc32(body.encode()):08x}"


def malformed(seed: int, good: str) -> str:
    """A text that is not the token ``good``, more or less like one. The same for the same seed."""
    chance = random.Random(seed)
    found = _ways(chance, good)[chance.randrange(9)]
    return found if found != good else found + "x"


def _ways(chance: random.Random, good: str) -> tuple[str, ...]:
    place = chance.randrange(len(good))
    other = chance.choice(VISIBLE)
    secret = urlsafe_b64encode(chance.randbytes(32)).rstrip(b"=").decode()
    kind, id_ = chance.choice(KINDS), f"{chance.getrandbits(64):016x}"
    parts = good.split("_")
    own = "_".join(parts[:3])
    return (
        good[:place] + other + good[place + 1 :],
        good[:place],
        good + "".join(chance.choices(VISIBLE, k=chance.randrange(1, 40))),
        good.replace("_seat_", f"_{kind}_"),
        checksummed(f"dl_{kind}_{id_}_{secret}"),
        checksummed(f"{own}_{secret}"),
        "".join(chance.choices(VISIBLE, k=chance.randrange(1, 200))),
        chance.choice(JUNK).replace("\x00", ""),
        chance.choice(string.ascii_letters) * chance.choice((1, 100, 8_000)),
    )


def header(seed: int, token: str) -> str:
    """The token as an Authorization header, not always as one should."""
    scheme = random.Random(seed * 7 + 1).choice(("Bearer", "Bearer", "Bearer", "bearer", "Basic"))
    return f"{scheme} {token}"


def check_token(table: Table, match: Match, seed: int) -> dict[str, Any]:
    """A malformed token is refused; the body of the problem, which has the same shape always."""
    token = malformed(seed, match.tokens["p1"])
    answer = table.ask("GET", match.path, "", {"Authorization": header(seed, token)})
    assert answer.status_code == 401, (seed, token, answer.text)
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["code"] == "token.invalid", (seed, token)
    return problem


def attack(table: Table, match: Match, operations: tuple[Operation, ...], seed: int) -> int:
    """A random request; its status. Raises AssertionError where a problem tells of our inside."""
    chance = random.Random(seed)
    operation = chance.choice(operations)
    names = {
        name: match.id if name == "game" and chance.random() < 0.5 else _part(chance)
        for name in re.findall(r"\{(\w+)\}", operation.path)
    }
    path = operation.path.format(**names)
    if chance.random() < 0.4:
        path += f"?{chance.choice(('cursor', 'limit', 'at', 'after', 'x', ''))}={_part(chance)}"
    headers = {
        name: chance.choice((*JUNK, '"1"', "application/json", "*/*", "some-key-0123456789"))
        for name in ("Idempotency-Key", "If-Match", "If-None-Match", "Accept", "Last-Event-ID",
                     "Content-Type", "Decklog-Dice-Link")
        if chance.random() < 0.4
    }  # fmt: skip
    token = chance.choice((match.tokens["p1"], match.organiser, ""))
    more: dict[str, Any] = {"content": chance.choice(WORSE)} if operation.method == "POST" else {}
    if operation.method == "POST" and chance.random() < 0.7:
        headers |= {
            "Content-Type": "application/json",
            "Idempotency-Key": f"a-key-of-seed-{seed:032}",
        }
        headers.setdefault("If-Match", '"1"')
    method: str = operation.method
    if method == "GET" and chance.random() < 0.1:
        method = "HEAD"
    answer = table.ask(method, path, token, headers, **more)
    check_silent(answer, seed)
    return answer.status_code


def _part(chance: random.Random) -> str:
    text = chance.choice(JUNK)
    return httpx.URL("http://x/", params={"a": text}).query.decode()[2:].replace("/", "%2F") or "x"


def check_silent(answer: httpx.Response, seed: object = "") -> None:
    """A problem tells nothing of what the service is made of."""
    assert answer.status_code < 500 or answer.headers["content-type"].startswith(
        "application/problem+json"
    ), answer.text
    if answer.request.method == "HEAD":
        assert not answer.content, seed
    elif answer.status_code >= 400:
        shown = {name: value for name, value in answer.json().items() if name != "instance"}
        found = INTERNALS.search(str(shown))
        assert found is None, (seed, found, answer.text)
