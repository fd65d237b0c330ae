"""Offers of every ruleset carry their odds in one shape."""

from __future__ import annotations

import httpx
import pytest

from tests.service.http.table import Table
from tests.support.stranger import Stranger

COMMANDS = {"naval-battles": 120, "war-at-sea": 200}


@pytest.mark.parametrize("ruleset", COMMANDS)
def test_what_has_odds_has_them_in_short(house: Table, ruleset: str) -> None:
    seen, hopeless = 0, set[str]()

    def told(answer: httpx.Response) -> None:
        nonlocal seen
        for item in answer.json().get("items", ()):
            assert ("odds" in item) == ("oddsSummary" in item)
            if "odds" in item and "pointless" in item:
                assert item["oddsSummary"]["hopeless"]
            word = item.get("oddsSummary", {}).get("hopeless")
            if word:
                assert item["oddsSummary"]["hit"] == 0
                assert item.get("pointless", word) == word
                assert word.endswith(")"), "with its rule"
                hopeless.add(word.partition(":")[0])
            if "odds" in item:
                seen += 1
                assert item["odds"]["ruleset"] == ruleset
                assert set(item["oddsSummary"]) == {"hit", "destroyed", "expected", "hopeless"}
                assert 0 <= item["oddsSummary"]["hit"] <= 1000
        assert house.contract is not None
        house.contract.check(answer)

    Stranger(house.client, ruleset, 5, told).play(COMMANDS[ruleset])
    assert seen > 5
    assert all(word.startswith(("armor ", "needs ", "already ")) for word in hopeless)
