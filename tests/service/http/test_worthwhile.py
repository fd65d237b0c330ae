"""Of hundreds of placements the list says which are worth a look, by the ruleset's own words."""

from __future__ import annotations

from typing import Any

import httpx

from tests.service.http.table import Table
from tests.support.stranger import Stranger

DOES = {"attack", "intercept", "guard", "escort", "patrol", "ability"}
SEEDS, COMMANDS = (5, 8, 13), 120


def test_offers_say_what_is_worth_a_look(house: Table) -> None:
    seen: list[dict[str, Any]] = []

    def told(answer: httpx.Response) -> None:
        assert house.contract is not None
        house.contract.check(answer)
        seen.extend(answer.json().get("items", ()))

    for seed in SEEDS:
        Stranger(house.client, "war-at-sea", seed, told).play(COMMANDS)
    places = [each for each in seen if each["command"]["type"] == "war-at-sea.place"]
    worth = [each["worthwhile"] for each in places if "worthwhile" in each]
    assert 0 < len(worth) < len(places) // 3
    assert not any("worthwhile" in each for each in seen if each not in places)
    for each in worth:
        assert each["ruleset"] == "war-at-sea"
        assert each["purposes"]
        for purpose in each["purposes"]:
            assert purpose.keys() == {"does", "on", "text", "rule"}
            assert purpose["does"] in DOES
            assert purpose["rule"].startswith("WAS-")
