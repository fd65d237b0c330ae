"""A game that an operator has hidden, or frozen, tells nobody more than it has to: the same service
is asked with it and without it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service.cli.conftest import Run
from tests.service.http.table import Match, Table, code, sunk
from tests.service.http.test_records import LISTS as PAGED
from tests.support.server import running

PASS = {"type": "pennant.pass"}
SIGNED = ("--by", "harbour master", "--why", "a complaint")
OWN = (
    "/v1/games", "/v1/games?sort=activity", "/v1/games?status=open", "/v1/games?status=playing",
    "/v1/games?status=finished", "/v1/games?sort=activity&status=finished",
    "/v1/games?ruleset=pennant", "/v1/results?ruleset=pennant",
)  # fmt: skip
LISTS = tuple(dict.fromkeys((*OWN, *(path.rstrip("?&") for path in PAGED))))
"""With each list of all games there is, which nobody names here."""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[tuple[Table, tuple[str, ...]]]:
    with (
        running(tmp_path, "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url, timeout=20) as client,
    ):
        yield Table.at(client), ("--database", str(server.database))


def pages(table: Table, path: str, limit: int) -> list[Any]:
    """A list from page to page, with all that stands around it but the cursors themselves."""
    found = []
    cursor = ""
    while True:
        more = f"&cursor={cursor}" if cursor else ""
        answer = table.plainly(f"{path}{'&' if '?' in path else '?'}limit={limit}{more}")
        told = answer.json()
        cursor = told.pop("next", None) or ""
        found.append((answer.status_code, told, bool(cursor)))
        if not cursor:
            return found


def listed(table: Table) -> dict[str, Any]:
    return {f"{path} by {limit}": pages(table, path, limit) for path in LISTS for limit in (1, 200)}


def test_lists_with_a_hidden_game_are_those_without_it(
    world: tuple[Table, tuple[str, ...]], run: Run
) -> None:
    table, where = world
    for name in ("first", "second"):
        table.play_out(table.create(name=name))
    table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "open"}])
    without = listed(table)
    before = table.get("/v1").json()
    hidden = [table.create(name="SECRETNAME"), table.create(seats=[
        {"seat": "p1"}, {"seat": "p2", "hold": "open"}])]  # fmt: skip
    hidden += table.create(), sunk(table)[0]
    table.play_out(hidden[0])
    table.choose_colours(hidden[2])
    same = [path for path, found in listed(table).items() if found == without[path]]
    assert not same, f"the games that are hidden then are in no row of {same}: it shows nothing"
    for match in hidden:
        assert run("admin", "hide", match.id, *SIGNED, *where).code == 0
    other = [path for path, found in listed(table).items() if found != without[path]]
    assert not other, f"a hidden game shows in {other}: a key begins with its game's id"
    assert table.get("/v1").json() == before
    table.play_out(hidden[2])
    assert listed(table) == without, "what happens in it moves nothing"
    for match in hidden:
        assert run("admin", "show", match.id, *SIGNED, *where).code == 0
    assert listed(table) != without


def errors(table: Table, match: Match, other: Match) -> dict[str, tuple[int, str]]:
    """What whoever has no seat in the game is told of what he asks for in it."""
    tokens = {"nobody": "", "another's": other.tokens["p1"], "bad": "x" * 40}
    asked = {
        "command": (f"{match.path}/commands", PASS),
        "check": (f"{match.path}/commands/check", PASS),
        "webhook": (f"{match.path}/webhooks", {"url": "https://example.org/x"}),
        "seat": (f"{match.path}/seats", {"seat": "p1"}),
    }  # fmt: skip
    found = {}
    for who, token in tokens.items():
        for what, (path, body) in asked.items():
            answer = table.post(path, body, token, version=1 if what == "command" else None)
            found[f"{what} by {who}"] = (answer.status_code, code(answer))
        hooks = table.get(f"{match.path}/webhooks", token)
        found[f"webhooks of {who}"] = (hooks.status_code, code(hooks))
    return found


@pytest.mark.parametrize("act", ["freeze", "pause", "hide"])
def test_who_has_no_seat_meets_the_same_errors_as_before(
    world: tuple[Table, tuple[str, ...]], run: Run, act: str
) -> None:
    table, where = world
    match, other = table.create(deadline=3600), table.create()
    before = errors(table, match, other)
    assert {status for status, _ in before.values()} <= {401, 403, 404, 409, 412, 428}
    assert run("admin", act, match.id, *SIGNED, *where).code == 0
    assert errors(table, match, other) == before


def test_a_deleted_game_is_in_no_list_and_moves_none(
    world: tuple[Table, tuple[str, ...]], run: Run
) -> None:
    table, where = world
    table.play_out(table.create(name="stays"))
    without = listed(table)
    gone = table.create(name="SECRETNAME")
    table.play_out(gone)
    done = run("admin", "delete", gone.id, "--yes", *SIGNED, *where)
    assert done.code == 0, done.err
    assert listed(table) == without
