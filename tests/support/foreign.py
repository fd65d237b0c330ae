"""Every parser of bytes that strangers send in a head, a query or a document: what it may do.

Whatever comes, it gives a sound value or refuses by an error of its kind, and twice the bytes take
it no more than twice the time. Bodies are in here up to their decoding; bundles and their chains
have fuzzers of their own (tests/service/evidence, tests.campaigns.flips).
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qsl

import msgspec
from hypothesis import strategies as st
from msgspec import Meta

from service.cli.custom import document_in
from service.cli.mistakes import Mistake
from service.evidence import form
from service.evidence.form import BadForm
from service.http.accept import choose, takes_gzip
from service.http.access import good_links, needs_key, needs_version, whole_body
from service.http.decoding import decode_body, decode_query
from service.http.events import start_of
from service.http.paging import read_cursor, read_offset, read_spot, write_cursor
from service.http.reply import matches, named_version
from service.ops.logs import RequestIds
from service.problems import Refusal
from service.proxies import Proxies
from service.webhooks.targets import Forbidden, check_form

TAG = '"12"'
OFFERED = ("application/json", "application/x-ndjson", "text/event-stream")
TRUSTED = Proxies("10.0.0.0/8, fd00::/8")
IDS = RequestIds()


class Parser(NamedTuple):
    """One parser.

    reads    what it makes of the bytes
    sound    whether that is one of the things that it may make of them
    refuses  errors by which it may refuse
    seeds    what it is made for
    units    what is repeated where the input is made long
    frames   what stands before and behind what is repeated
    """

    name: str
    reads: Callable[[bytes], Any]
    sound: Callable[[bytes, Any], bool]
    refuses: tuple[type[Exception], ...] = (Refusal,)
    seeds: tuple[bytes, ...] = (b"",)
    units: tuple[bytes, ...] = (b"a", b",", b" ", b'"', b"\xff")
    frames: tuple[tuple[bytes, bytes], ...] = ((b"", b""),)


def _text(data: bytes) -> str:
    """A header field as it is handed in."""
    return data.decode("latin-1")


def _asked(name: str, data: bytes) -> Any:
    fields = {name: _text(data)}
    return SimpleNamespace(header=lambda asked: fields.get(asked, ""), identity=None, scope={})


def _guard(need: Callable[[Any], Any], name: str) -> Callable[[bytes], Any]:
    return lambda data: need(_asked(name, data))


def _media(data: bytes) -> None:
    """The body's kind, before any of the body is read."""
    asked = _asked("content-type", data)

    async def body() -> bytes:
        return b"{}"

    asked.body = body
    going = whole_body(asked)
    try:
        going.send(None)
    except (StopIteration, RuntimeError):  # there is no loop here: the head was taken
        pass
    finally:
        going.close()


_QUERY: dict[str, Any] = {
    "cursor": Annotated[str, Meta(max_length=500)],
    "limit": Annotated[int, Meta(ge=1, le=200)],
    "listed": Annotated[bool, Meta()],
}


class _Body(msgspec.Struct, forbid_unknown_fields=True):
    name: str = ""
    options: dict[str, Any] = {}


_BODIES = msgspec.json.Decoder(_Body)


def _query(data: bytes) -> dict[str, Any]:
    return decode_query(_QUERY, parse_qsl(_text(data), keep_blank_values=True))


def _key_is_whole(data: bytes, _: Any) -> bool:
    return 32 <= len(data) <= 255 and all(0x21 <= each <= 0x7E for each in data)


def _cursor_is_ours(data: bytes, text: str) -> bool:
    return write_cursor(text) == data.decode("utf-8") if text else not data


PARSERS: tuple[Parser, ...] = (
    Parser(
        "cursor", lambda data: read_cursor(data.decode("utf-8", "replace")), _cursor_is_ours,
        seeds=tuple(write_cursor(each).encode() for each in ("12", "a" * 32, "\u00e9", "7/key")),
        units=(b"QUFB", b"=", b"-", b"_", b"\xff", b"A"),
    ),
    Parser(
        "cursor of a place", lambda data: read_offset(_text(data)),
        lambda _, place: 0 <= place < 10**16,
        seeds=tuple(write_cursor(each).encode() for each in ("12", "9" * 16)), units=(b"OTk5",),
    ),
    Parser(
        "cursor of a projection", lambda data: read_spot(_text(data)),
        lambda _, spot: 0 <= spot.rank < 10**16,
        seeds=tuple(write_cursor(each).encode() for each in ("1/a", "12/a/b")), units=(b"MS9h",),
    ),
    Parser(
        "If-Match", _guard(needs_version, "if-match"),
        lambda data, _: data.strip().startswith(b'"') and len(data.strip()) >= 2,
        seeds=(TAG.encode(), b'"12-gzip"', b'W/"12"', b"*"), units=(b"1", b'"', b"W/", b'"1",'),
    ),
    Parser(
        "the version in it", lambda data: named_version(_text(data)),
        lambda _, version: -1 <= version < 10**16, (), (TAG.encode(), b'"12-gzip"'),
        (b"1", b"-gzip", b'-gzip"', b"0"),
    ),
    Parser(
        "If-None-Match", lambda data: matches(_text(data), TAG),
        lambda data, same: isinstance(same, bool) and (not same or b"12" in data or b"*" in data),
        (), (TAG.encode(), b'W/"12", "13"', b"*", b'"12-gzip"'),
        (b'"12",', b",", b'W/"a",', b'W/', b'-gzip"'),
    ),
    Parser(
        "Accept", lambda data: choose(_text(data), OFFERED), lambda _, media: media in OFFERED,
        seeds=(b"*/*", b"text/*;q=0.5, application/json", b"text/event-stream;q=nan"),
        units=(b"a/b,", b";", b"q=", b";q=1", b",", b"*/*,", b"0", b"text/*;q=0.1,"),
    ),
    Parser(
        "Accept-Encoding", lambda data: takes_gzip(_text(data)),
        lambda _, takes: isinstance(takes, bool), (),
        (b"gzip", b"gzip;q=0", b"*;q=0.5, br", b"x-gzip ; q = 1."),
        (b"gzip,", b" ", b"gzip;q=0,", b"9", b".", b";", b"\t"),
    ),
    Parser(
        "Idempotency-Key", _guard(needs_key, "idempotency-key"), _key_is_whole,
        seeds=(b"0123456789abcdef" * 2,),
    ),
    Parser(
        "Last-Event-ID", lambda data: start_of(_text(data).strip(), "", 3),
        lambda _, start: 0 <= start < 10**16, seeds=(b"7", b"", b"0" * 16, "\u0661".encode()),
        units=(b"1", b"0", b" ", b"\xb2"),
    ),
    Parser(
        "X-Forwarded-For",
        lambda data: TRUSTED.origin("10.0.0.1", [_text(each) for each in data.split(b"\n")]),
        lambda _, host: bool(host) and host.isascii(), (),
        (b"203.0.113.7, 10.0.0.2", b"[2001:db8::1]:443", b"::ffff:10.0.0.9, fd00::1"),
        (b"10.0.0.1,", b",", b":", b"[", b"1", b"fd00::1,", b"\n", b"%", b"."),
    ),
    Parser(
        "X-Request-Id", lambda data: IDS.of(_text(data)),
        lambda _, id_: id_.isascii() and 0 < len(id_) <= 200, (), (b"abc-123", b"0" * 64),
    ),
    Parser(
        "Decklog-Dice-Link", _guard(good_links, "decklog-dice-link"),
        lambda data, _: not data or len(data) == 64, seeds=(b"0a" * 32,), units=(b"0", b"g"),
    ),
    Parser(
        "Decklog-Signature", _guard(good_links, "decklog-signature"),
        lambda data, _: not data or len(data) == 128, seeds=(b"0a" * 64,), units=(b"0", b"g"),
    ),
    Parser(
        "Content-Type", _media,
        lambda data, _: data.strip().lower().startswith(b"application/json"),
        seeds=(b"application/json", b'application/json; charset="utf-8"', b"text/plain"),
        units=(b";", b"charset=utf-8;", b" ", b"application/json;", b"charset"),
    ),
    Parser(
        "query", _query, lambda _, found: set(found) <= set(_QUERY),
        seeds=(b"limit=5&cursor=MTI", b"listed=true", b"limit=%31&%63ursor="),
        units=(b"&", b"=", b"%", b"a=1&", b"%41", b"limit=1&", b"+"),
    ),
    Parser(
        "body", lambda data: decode_body(_BODIES, data), lambda _, found: isinstance(found, _Body),
        seeds=(b'{"name":"x","options":{"a":[1,true,null,"\\u00e9"]}}', b"{}", b'{"a":1.5}'),
        units=(b"[", b"{", b'{"options":', b" ", b'"', b"\\", b"1", b"-", b'"a":1,', b"\xff",
               b" - at `$"),
    ),
    Parser(
        "JSON of evidence", form.check_canonical, lambda _, __: True,
        (BadForm,), (b'{"a":1,"b":[]}', b"[1,2]", b'"\\u0001"'),
        (b"[", b'{"a":', b" ", b'"', b"\\", b"1", b"1,", b"\xff"),
    ),
    Parser(
        "document in JSON", lambda data: document_in("map.json", data), lambda _, __: True,
        (Mistake,), (b'{"name":"x","cells":["ab","cd"]}',),
        (b"[", b'{"a":', b" ", b'"', b"\\", b"1", b"1,"),
    ),
    Parser(
        "document in TOML", lambda data: document_in("map.toml", data),
        lambda _, found: isinstance(found, dict), (Mistake,),
        (b'name = "x"\ncells = ["ab", "cd"]\n[a.b]\nc = 1979-05-27T07:32:00Z\n', b"[[a]]\nb=1.5\n"),
        (b"[", b"[[a]]\n", b"a.", b"{a=", b"\n", b"#", b'"', b"'", b"a=1\n", b"1", b"_", b"\\"),
        ((b"", b""), (b"a=", b""), (b"", b"a=1"), (b"[", b"a]"), (b"x={", b"a=1}")),
    ),
    Parser(
        "address of a webhook", lambda data: check_form(_text(data), private=False),
        lambda _, url: url.scheme == "https" and bool(url.host), (Forbidden,),
        (b"https://hooks.example.com/x?y=1", b"https://[2606:4700::1111]:443/"),
        (b"a", b".", b":", b"/", b"%", b"@", b"a.", b"?", b"1.", b"\xff"),
    ),
)  # fmt: skip
"""Parsers by what they read."""


# --- anything at all -----------------------------------------------------------------------------

WORDS = (
    b"\x00", b"\xff", b"\r\n", b"\x80", b"nan", b"inf", b"-1", b"1e999", b"0" * 40, b"9" * 40,
    b",", b";", b"=", b"\"", b"\\", b"%00", b"{", b"[", b"]", b"}", b"\xc3\x28", b"\xed\xa0\x80",
    "\u0661\u0662".encode(), "\u2028".encode(), b" ", b"\t", b"W/", b"*", b"q=", b"::", b"../",
)  # fmt: skip


@st.composite
def bytes_for(draw: st.DrawFn, parser: Parser) -> bytes:
    """Bytes of any kind, or what the parser is made for with a few things wrong in it."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.binary(max_size=300))
    data = draw(st.sampled_from(parser.seeds))
    for _ in range(draw(st.integers(0, 6))):
        data = _changed(draw, parser, data)
    return data


def _changed(draw: st.DrawFn, parser: Parser, data: bytes) -> bytes:
    at, to = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
    put: st.SearchStrategy[bytes] = st.one_of(
        st.sampled_from(WORDS),
        st.sampled_from(parser.units).flatmap(
            lambda unit: st.integers(1, 40).map(lambda many: unit * many)
        ),
        st.binary(max_size=4),
        st.just(b""),
        st.just(data[at:to] * 2),
        st.sampled_from(parser.seeds),
    )
    return data[:at] + draw(put) + data[to:]


def holds(parser: Parser, data: bytes) -> bool:
    """Whether the bytes are read; raises AssertionError where what comes of them is not sound."""
    try:
        found = parser.reads(data)
    except parser.refuses:
        return False
    assert parser.sound(data, found), f"{parser.name} makes {found!r} of {data!r}"
    return True


# --- twice as much -------------------------------------------------------------------------------

FEWEST, MOST = 1 << 12, 1 << 20
"""Bytes with which a measurement begins, and ends."""

LONG_ENOUGH = 1e-3
"""Seconds of the processor's that can be compared on a busy machine."""

TIMES = 8.0
"""Times as long as four times the bytes may take: twice what is linear, half of what is quadratic.
Twice the bytes tell the two apart less well than a neighbour on the machine moves them."""

TRIES = 4
"""Measurements before a parser is said to be slow: a neighbour comes and goes."""


def frames(parser: Parser) -> Iterator[tuple[bytes, bytes]]:
    """The parser's own, and the middle of what it is made for."""
    yield from parser.frames
    seed = parser.seeds[0]
    yield seed[: len(seed) // 2], seed[len(seed) // 2 :]


def doubling(parser: Parser, unit: bytes, before: bytes, behind: bytes) -> float:
    """How many times as long it takes where the unit is repeated four times as often, doubled and
    doubled again; 0 where that is too short to tell at any size."""

    def effort(size: int) -> float:
        return _effort(parser, before + unit * (size // len(unit)) + behind)

    size = FEWEST
    while size < MOST:
        if effort(size) >= LONG_ENOUGH:
            first = _least(effort, size)
            # where memory comes from the system and no longer from the heap, there is one step:
            # what grows too fast does so over the next span as well
            return first if first < TIMES else min(first, _least(effort, 4 * size))
        size *= 2
    return 0.0


def _least(effort: Callable[[int], float], size: int) -> float:
    """The least of some measurements over one span; one below the bound is enough."""
    found = math.inf
    for _ in range(TRIES):
        found = min(found, effort(4 * size) / effort(size))
        if found < TIMES:
            break
    return found


def _effort(parser: Parser, data: bytes) -> float:
    best = math.inf
    gc.disable()  # it looks at all that is alive, whenever enough is new: that is not the parser's
    try:
        for _ in range(3):
            began = time.thread_time()
            with suppress(*parser.refuses):
                parser.reads(data)
            best = min(best, time.thread_time() - began)
    finally:
        gc.enable()
    return best
