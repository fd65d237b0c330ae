"""A body as it comes in parts: whole, within its limit, or not at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from litestar.exceptions import InternalServerException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from service.http.asked import received

MOST = 8
HUNG_UP = {"type": "http.disconnect"}


def part(body: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def body_of(*messages: dict[str, Any], announced: str = "") -> bytes:
    waiting = [*messages]

    async def receive() -> Any:
        return waiting.pop(0)

    return asyncio.run(received(receive, announced, MOST))


@pytest.mark.parametrize(
    "parts",
    [
        [part(b"12345678", more=False)],
        [part(b"123", more=True), part(b"", more=True), part(b"45678", more=False)],
        [part(b"12345678", more=True), {"type": "http.request"}],
    ],
)
def test_a_body_is_put_together_of_its_parts(parts: list[dict[str, Any]]) -> None:
    assert body_of(*parts, announced="8") == b"12345678"


def test_there_may_be_no_byte() -> None:
    assert body_of({"type": "http.request"}) == b""


def test_what_is_announced_as_too_large_is_not_read() -> None:
    with pytest.raises(RequestEntityTooLarge):
        body_of(announced="9")  # there is no message to take


def test_what_is_too_large_is_not_read_to_its_end() -> None:
    with pytest.raises(RequestEntityTooLarge):
        body_of(part(b"12345", more=True), part(b"6789", more=True), announced="5")


def test_who_hangs_up_has_sent_no_body() -> None:
    with pytest.raises(InternalServerException):
        body_of(part(b"123", more=True), HUNG_UP, announced="8")
