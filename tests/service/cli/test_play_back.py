"""``decklog play``: "u" takes back the seat's last step, and says where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from service.bots import DecklogClient
from service.cli.play import STAYS, Sitting
from tests.service.cli.play import Table, create
from tests.support.server import Running, running

BATTLE = {"ruleset": "war-at-sea", "edition": "2009", "scenario": "standard", "seed": "undo"}
MOST = 200
"""Commands within which a battle has a step that may be taken back."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("back"), games="both") as started:
        yield started


def until_offered(table: Table) -> str:
    """Random play until a step may be taken back; whose it is."""
    rng = Random(5)
    for _ in range(MOST):
        table.play(1, rng)
        if step := table.summary()["takeback"]:
            return str(step["seat"])
    raise AssertionError(f"no step that may be taken back within {MOST} commands")


def test_u_takes_back_the_last_step_and_then_says_that_nothing_is(server: Running) -> None:
    table = create(server.url, "back", **BATTLE)
    seat = until_offered(table)
    answers, pages = iter(["u", "u", "q"]), list[str]()
    with DecklogClient(server.url, table.tokens[seat]) as client:
        sitting = Sitting(client, table.id, lambda: next(answers), pages.append, lambda: None)
        before = table.summary()
        assert sitting.play() == 0
    after = table.summary()
    assert (after["takebacks"], after["version"]) == (1, before["version"] + 1)
    shown = [STAYS in page for page in pages]
    assert shown == [False, False, True]
