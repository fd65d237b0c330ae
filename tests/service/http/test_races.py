"""Several clients at once: one effect for one key, one winner for one version."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.service.http.table import Table, code
from tests.support.server import running

PASS = {"type": "pennant.pass"}
CHOOSE = {"type": "pennant.choose", "colour": "bold"}
KEY = "one-key-for-all-of-them-2c624232cc221f7b"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with (
        running(tmp_path_factory.mktemp("races"), "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url, timeout=20) as client,
    ):
        yield Table.at(client)


def test_the_same_post_five_times_at_once_has_one_effect_and_one_answer(live: Table) -> None:
    for _ in range(5):
        match = live.create()
        before = live.version(match)
        with ThreadPoolExecutor(5) as pool:
            answers = list(
                pool.map(lambda _: live.command(match, "p1", CHOOSE, before, key=KEY), range(5))  # noqa: B023
            )
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert sum("idempotency-replayed" not in answer.headers for answer in answers) <= 1
        assert live.version(match) == answers[0].json()["version"]


def test_of_two_commands_for_one_version_exactly_one_wins(live: Table) -> None:
    for _ in range(5):
        match = live.create()
        live.choose_colours(match)
        before = live.version(match)
        with ThreadPoolExecutor(2) as pool:
            answers = list(
                pool.map(lambda _: live.command(match, "p1", PASS, before), range(2))  # noqa: B023
            )
        won = [answer for answer in answers if answer.status_code == 200]
        (lost,) = [answer for answer in answers if answer.status_code != 200]
        assert (len(won), code(lost)) == (1, "version.stale")
        assert lost.json()["version"] == won[0].json()["version"] == live.version(match)


def test_an_independent_command_that_was_overtaken_is_accepted(live: Table) -> None:
    match = live.create()
    before = live.version(match)
    first = live.command(match, "p1", CHOOSE, before)
    second = live.command(match, "p2", CHOOSE, before)
    assert (first.status_code, second.status_code) == (200, 200)


def test_creating_five_times_at_once_with_one_key_makes_one_game(live: Table) -> None:
    with ThreadPoolExecutor(5) as pool:
        made = list(pool.map(lambda _: live.create(key=KEY), range(5)))
    assert len({match.id for match in made}) == 1
    assert len({match.created.content for match in made}) == 1
