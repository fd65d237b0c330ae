"""Nothing is sent to a receiver that has not agreed, but one challenge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.webhooks.sending import Sender
from service.webhooks.targets import resolve
from tests.service.http.table import code
from tests.service.webhooks.conftest import House, housing
from tests.support.receiver import HANG, MOVED, Receiver

NOW = datetime(2026, 11, 25, tzinfo=UTC)


def echo(body: bytes) -> bytes:
    return str(msgspec.json.decode(body)["data"].get("challenge", "")).encode() + b"\n"


@pytest.fixture
def asking(tmp_path: Path, hears: Receiver) -> Iterator[House]:
    """A service that may send to this machine, and asks all the same."""
    hears.behave(200)
    with housing(tmp_path, hears) as house:
        house.desk.webhooks._prove = house.desk.courier._sender.prove  # type: ignore[attr-defined]
        yield house


def test_who_says_the_word_again_gets_messages(asking: House) -> None:
    asking.receiver.says = echo
    match = asking.table.create()
    made = asking.hook(match)
    assert made.status_code == 201
    (challenge,) = asking.receiver.await_letters(1)
    assert challenge.message["type"] == "challenge"
    assert len(challenge.message["data"]["challenge"]) == 32
    assert asking.act(match, f"{made.headers['location']}/test").status_code == 202
    assert asking.receiver.await_letters(2)[1].message["type"] == "test"


SILENT: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda body: b"",
    "another word": lambda body: b"0" * 32,
    "the whole challenge": lambda body: body,
    "the word and more": lambda body: echo(body) + b"x" * 1_000,
}


@pytest.mark.parametrize("name", SILENT)
def test_who_says_anything_else_gets_one_challenge_and_nothing_more(
    asking: House, name: str
) -> None:
    asking.receiver.says = SILENT[name]
    match = asking.table.create()
    refused = asking.hook(match)
    assert (refused.status_code, code(refused)) == (422, "webhook.unproved")
    assert refused.json()["errors"][0]["pointer"] == "/url"
    asking.table.choose_colours(match)
    listed = asking.table.get(f"{match.path}/webhooks", match.tokens["p1"]).json()
    assert listed["items"] == []
    assert len(asking.receiver.letters) == 1


def test_a_request_that_is_repeated_asks_once(asking: House) -> None:
    asking.receiver.says = echo
    match = asking.table.create()
    body, token = {"url": asking.receiver.url("/p1")}, match.tokens["p1"]
    one, two = (
        asking.table.post(
            f"{match.path}/webhooks", body, token, key="one-webhook-9f86d081884c7d659a2f"
        )
        for _ in range(2)
    )
    assert one.content == two.content
    # That it is the seat's turn may be told by now.
    told = [each.message["type"] for each in asking.receiver.letters]
    assert told.count("challenge") == 1


@pytest.mark.parametrize("answer", [HANG, MOVED, 500, 403])
def test_who_hangs_moves_or_fails_does_not_agree(hears: Receiver, answer: int) -> None:
    hears.says = echo
    hears.behave(answer)

    async def test() -> bool:
        sender = Sender(resolve, private=True, seconds=0.5)
        try:
            return await sender.prove(hears.url(), "word", NOW)
        finally:
            await sender.close()

    assert asyncio.run(test()) is False


def test_a_private_address_is_not_even_asked(hears: Receiver) -> None:
    hears.says = echo
    hears.behave(200)

    async def test() -> bool:
        sender = Sender(resolve, private=False, seconds=0.5)
        return await sender.prove(hears.url(), "word", NOW)

    assert asyncio.run(test()) is False
    assert hears.letters == []


def test_in_local_development_nobody_asks(tmp_path: Path, hears: Receiver) -> None:
    with housing(tmp_path, hears) as house:
        made: Any = house.hook(house.table.create())
        assert made.status_code == 201
        assert hears.letters == []
