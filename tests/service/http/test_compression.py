"""Large answers go out in gzip to who takes it: another representation, another entity tag."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncGenerator

import pytest

from service.errors import ServiceError
from service.http.accept import takes_gzip
from service.http.events import in_gzip
from service.http.reply import LARGE, LONG, coded, plain
from tests.service.http.table import Table

BIG = "/openapi.json"
SMALL = "/v1/problems/version.stale"


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("gzip", True),
        ("GZIP;q=1.0, br", True),
        ("x-gzip", True),
        ("*", True),
        ("br, *;q=0.1", True),
        ("", False),
        ("identity", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("*;q=0", False),
        ("gzip;q=nonsense", False),
        ("gzippy", False),
    ],
)
def test_gzip_is_sent_only_to_who_takes_it(header: str, taken: bool) -> None:
    assert takes_gzip(header) is taken


def test_a_tag_is_coded_and_plain_again() -> None:
    assert plain(coded('"12"')) == '"12"' == plain('"12"')
    assert coded('"12"') != '"12"'


def test_the_same_bytes_come_out_and_the_tag_is_another(table: Table) -> None:
    whole = table.get(BIG, Accept_Encoding="identity")
    packed = table.get(BIG, Accept_Encoding="gzip")
    assert "content-encoding" not in whole.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == whole.content
    assert int(packed.headers["content-length"]) < int(whole.headers["content-length"]) / 4
    assert packed.headers["etag"] == coded(whole.headers["etag"])
    assert "Accept-Encoding" in whole.headers["vary"]
    for tag in (whole.headers["etag"], packed.headers["etag"]):
        again = table.get(BIG, Accept_Encoding="gzip", If_None_Match=tag)
        assert (again.status_code, again.headers["etag"]) == (304, packed.headers["etag"])


def test_what_is_small_is_sent_as_it_is(table: Table) -> None:
    answer = table.get(SMALL, Accept_Encoding="gzip")
    assert len(answer.content) < LARGE
    assert "content-encoding" not in answer.headers


def test_the_tag_of_a_compressed_list_is_good_for_a_command(table: Table) -> None:
    match = table.create()
    seat = table.get(match.path).json()["toMove"][0]["seat"]
    offer = table.get(f"{match.path}/commands", match.tokens[seat])
    version = offer.json()["version"]
    for tag in (f'"{version}-brotli"', coded(f'"{version}"')):
        body = offer.json()["items"][0]["command"]
        headers = {"If-Match": tag, "Idempotency-Key": f"compressed-{len(tag):032}"}
        path = f"{match.path}/commands"
        given = table.ask("POST", path, match.tokens[seat], headers, json=body)
        assert given.status_code == (200 if tag.endswith('-gzip"') else 412), given.text


def test_a_log_that_waits_for_nothing_is_compressed_and_one_that_goes_on_is_not(
    table: Table,
) -> None:
    match = table.create(options={"turns": 12})
    table.play_out(match)
    lines = {"Accept": "application/x-ndjson"}
    path = f"{match.path}/events?follow=false"
    whole = table.get(path, **lines, Accept_Encoding="identity")
    packed = table.get(path, **lines, Accept_Encoding="gzip")
    assert "content-encoding" not in whole.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == whole.content
    assert len(whole.content.splitlines()) == table.version(match)
    assert "Accept-Encoding" in packed.headers["vary"]
    # What waits would lie in the compressor until more has come.
    going_on = table.get(match.path + "/events", **lines, Accept_Encoding="gzip")
    assert "content-encoding" not in going_on.headers


def test_a_log_that_breaks_off_can_be_read_to_where_it_did() -> None:
    async def packed() -> bytes:
        return b"".join([each async for each in in_gzip(_breaking())])

    assert gzip.decompress(asyncio.run(packed())) == b"first\n" + LONG * b"x" + b"\n"


async def _breaking() -> AsyncGenerator[bytes, None]:
    yield b"first\n"
    yield LONG * b"x" + b"\n"
    raise ServiceError("The game is damaged from here on.", code="game.damaged")
