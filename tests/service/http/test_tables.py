"""A stream that keeps a table: first the whole, then what is different; patched it is as read."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema_rs import Draft202012Validator

from projections.differences import Change, apply, place
from projections.tables import aligned
from tests.service.http.table import Match, Table
from tests.support.server import Running, running

SSE = {"Accept": "text/event-stream"}
SHORT: dict[str, Any] = {
    "ruleset": "crimson-tide",
    "options": {"turns": 1, "points": 60},
    "seed": "tables",
}
STEPS = 25


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("tables")
    with running(folder, chain_length=512, log_level="WARNING") as server:
        yield server


@pytest.fixture
def table(server: Running) -> Iterator[Table]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield Table.at(client)


class Follower:
    """Somebody who follows a game, and has the table that the stream tells."""

    def __init__(self, table: Table, match: Match, seat: str) -> None:
        self.table, self.match, self.token = table, match, match.tokens.get(seat, "")
        headers = {**SSE, **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        path = f"{match.path}/events?table=true&after={table.version(match)}"
        self.context = table.client.stream("GET", path, headers=headers, timeout=60)
        self.stream = self.context.__enter__()
        self.lines = self.stream.iter_lines()
        self.has: Any = None
        self.told: list[dict[str, Any]] = []

    def until(self, version: int) -> None:
        """Read on until the table is of that version."""
        kind = ""
        while self.has is None or self.has["game"]["version"] < version:
            name, _, value = next(self.lines).partition(": ")
            kind = value if name == "event" else kind
            if name == "data" and kind == "table":
                self.told.append(json.loads(value))
                for each in self.told[-1]["changes"]:
                    path = place(each["path"], self.has)
                    self.has = made(self.has, Change(path, each["kind"], None, each.get("value")))

    def reads(self, version: int) -> dict[str, Any]:
        """The same by asking."""

        def get(path: str) -> Any:
            return self.table.ask("GET", f"{self.match.path}{path}", self.token).json()

        pieces = get(f"/pieces?at={version}")
        return {
            "game": get(""),
            "state": get(f"/view?at={version}")["state"],
            "commands": get(f"/commands?at={version}&limit=200"),
            "pieces": pieces if "items" in pieces else None,
        }

    def leave(self) -> None:
        self.context.__exit__(None, None, None)


def made(whole: Any, change: Change) -> Any:
    """The change made: what is added to a list goes in there, as RFC 6902 has it."""
    if change.kind != "added" or not isinstance(change.path[-1], int):
        return apply(whole, [change])
    copy = json.loads(json.dumps(whole))
    within = copy
    for step in change.path[:-1]:
        within = within[step]
    within.insert(change.path[-1], change.after)
    return copy


def document(table: Table, name: str) -> dict[str, Any]:
    """The schema of that name, with all that it refers to."""
    whole = table.contract.document
    return {"$ref": f"#/components/schemas/{name}", "components": whole["components"]}


def test_a_stream_says_what_its_data_are(table: Table) -> None:
    """What `table` brings stood in the guide alone."""
    listed = table.contract.document["paths"]["/v1/games/{game}/events"]["get"]
    said = listed["responses"]["200"]["content"]["text/event-stream"]["schema"]
    names = [each["$ref"].rsplit("/", 1)[1] for each in said["contentSchema"]["anyOf"]]
    assert names == ["Event", "Standing", "CommandList", "TableTold", "TableWhole"]
    schemas = table.contract.document["components"]["schemas"]
    assert set(schemas["TableTold"]["properties"]) == {"version", "changes"}
    assert set(schemas["TableWhole"]["properties"]) == {"game", "state", "commands", "pieces"}
    match = table.create(**SHORT)
    path = f"{match.path}/events?follow=false&moments=true&offers=true&table=true"
    told = table.ask("GET", path, match.tokens["p1"], {**SSE, "Accept-Encoding": "identity"}).text
    for kind in ("moment", "offers", "table"):
        assert f"event: {kind}\n" in told


def test_after_each_order_everybodys_table_is_what_he_reads(table: Table) -> None:
    match = table.create(**SHORT)
    people = [Follower(table, match, seat) for seat in ("p1", "p2", "")]
    for _ in range(STEPS):
        version = table.version(match)
        for each in people:
            each.until(version)
            read = each.reads(version)
            assert each.has == read
            assert read["commands"]["next"] is None
        asked = table.client.get(match.path).json()["toMove"]
        if not asked:
            break  # it is over
        seat = asked[0]["seat"]
        offer = table.options(match, seat)
        done = table.command(match, seat, offer["items"][-1]["command"], offer["version"])
        assert done.status_code == 200, done.text
    judge = Draft202012Validator(document(table, "TableTold"))
    whole = Draft202012Validator(document(table, "TableWhole"))
    for each in people:
        each.leave()
        assert all(judge.is_valid(told) for told in each.told)
        whole.validate(each.has)
        assert {key for told in each.told for change in told["changes"] for key in change} == {
            "path", "kind", "value",
        }  # fmt: skip
        assert [change["path"] for change in each.told[0]["changes"]] == [""]
        assert all(c["path"] != "" for one in each.told[1:] for c in one["changes"])


def test_such_a_stream_is_compressed_for_who_takes_that_and_each_step_arrives(table: Table) -> None:
    match = table.create(**SHORT)
    path = f"{match.path}/events?table=true&follow=false"
    plain = table.client.get(path, headers={**SSE, "Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with table.client.stream("GET", path, headers={**SSE, "Accept-Encoding": "gzip"}) as stream:
        assert stream.headers["content-encoding"] == "gzip"
        packed = b"".join(stream.iter_raw())
    assert gzip.decompress(packed) == plain.content
    assert plain.content.startswith(b"retry: ")
    following = path.replace("&follow=false", "")
    with table.client.stream(
        "GET", following, headers={**SSE, "Accept-Encoding": "gzip"}
    ) as stream:
        unpacker, come = zlib.decompressobj(16 + zlib.MAX_WBITS), b""
        for piece in stream.iter_raw():
            come += unpacker.decompress(piece)
            if come.endswith(b"\n\n") and b"event: table" in come:
                break  # the stream is open still, and all that was told is there
    assert come == plain.content


def test_the_table_comes_only_where_it_is_asked_for(table: Table) -> None:
    match = table.create(**SHORT)
    asked = table.client.get(f"{match.path}/events?follow=false", headers=SSE)
    assert "event: table" not in asked.text
    assert "content-encoding" not in asked.headers
    for media in ("application/x-ndjson", "application/json"):
        said = table.client.get(
            f"{match.path}/events?table=true&follow=false", headers={"Accept": media}
        )
        assert '"toMove"' not in said.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1, 2, 3, 4], [1, 4]),
        ([1, 4], [0, 1, 2, 3, 4, 5]),
        ([{"a": 1}, {"b": 2}], [{"b": 2}, {"c": 3}]),
        ({"a": [1, 2], "b": 1}, {"a": [2], "c": None}),
        ({"a": 1}, {"a": True}),
        ([1, 2], [3]),
        (None, {"a": []}),
        ({"a/b": {"~": [1, 2, 3]}}, {"a/b": {"~": [3, 1]}}),
    ],
)
def test_what_is_in_both_lists_stays(before: Any, after: Any) -> None:
    now = before
    for change in aligned((), before, after):
        now = made(now, change)
    assert json.dumps(now) == json.dumps(after)


def test_of_a_list_that_lost_its_middle_only_that_is_told() -> None:
    before = [{"unit": n // 3, "to": n} for n in range(300)]
    after = [each for each in before if each["unit"] != 40]
    found = [*aligned(("items",), before, after)]
    assert [(each.kind, each.path) for each in found] == [
        ("removed", ("items", n)) for n in (122, 121, 120)
    ]
