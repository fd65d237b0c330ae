"""``decklog review``: decisions of a game that is over, from the service and from its file."""

from __future__ import annotations

from pathlib import Path

import httpx

from tests.service.cli.conftest import Run
from tests.service.cli.play import Table
from tests.support.server import Running


def test_file_and_service_tell_the_same_and_every_order_is_looked_at(
    run: Run, server: Running, finished: Table, bundle: Path
) -> None:
    filed = run("review", bundle, "--json").json
    asked = run("review", finished.id, "--url", server.url, "--json").json
    assert filed["decisions"] == asked["decisions"]
    events = httpx.get(
        f"{server.url}/v1/games/{finished.id}/events",
        headers={"Accept": "application/x-ndjson"},
        params={"after": 0, "follow": "false"},
    ).text
    assert [each["event"] for each in filed["decisions"]] == sorted(
        {each["event"] for each in filed["decisions"]}
    )
    assert 0 < len(filed["decisions"]) < events.count("\n")
    for each in filed["decisions"]:
        assert each["offered"] > 0
        assert each["chosen"]["text"]
        better = each["advised"]
        gain = better["hit"] + better["lost"] if better else 0
        assert each["turning"] == (each["cost"] >= 200)
        assert each["cost"] == max(0, gain - each["chosen"]["hit"] - each["chosen"]["lost"]) or (
            better is None and each["cost"] == 0
        )


def test_it_is_told_in_words(run: Run, bundle: Path) -> None:
    found = run("review", bundle, "--json").json
    told = run("review", bundle, "--all")
    lines = told.out.splitlines()
    costly = [each for each in found["decisions"] if each["cost"]]
    assert lines[0].startswith(f"{len(found['decisions'])} decisions; {found['bot']} would have")
    assert len([line for line in lines if "  rather: " in line]) == len(costly)
    short = run("review", bundle).out.splitlines()
    turning = [each for each in found["decisions"] if each["turning"]]
    assert len([line for line in short if "  rather: " in line]) == len(turning)
    assert "{" not in told.out


def test_a_game_that_goes_on_is_reviewed_for_nobody(
    run: Run, server: Running, live: Table, live_bundle: Path
) -> None:
    run("review", live_bundle).assert_mistake("does not open all")
    done = run("review", live.id, "--url", server.url, "--token", live.tokens["p1"])
    done.assert_mistake("viewer.not-entitled")
