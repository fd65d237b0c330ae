"""B10: an ETag of what shows a game names version and bytes, and If-Match takes it."""

from __future__ import annotations

import json
import re
import uuid

import httpx
import pytest

from service.http.operation import Operation
from service.http.paging import write_cursor
from service.http.registry import operations
from service.openapi.document import COMMITTED
from tests.service.http.table import Match, Table

QUERIES = {
    "getReasons": "?event=2",
    "listMoments": "?question=first(state)",
    "getDiff": "?from=2",
    "getFilm": "?after=2",
}
OPEN_ONLY = ("getReview",)
"""Of a game whose master is opened."""
GAME = re.compile(r"^/v1/games/\{game\}")
TAGGED = [
    each
    for each in operations()
    if each.method == "GET" and any("ETag" in answer.headers for answer in each.answers)
]
OF_A_GAME = [each for each in TAGGED if GAME.match(each.path)]
TAG = re.compile(r'"([1-9][0-9]*)-[0-9a-f]{16}(-gzip)?"')


def rolled(table: Table) -> Match:
    """A game whose newest order has rolled dice."""
    match = table.create(seed="etags")
    table.choose_colours(match)
    done = table.command(match, "p1", {"type": "pennant.fire", "aim": "hull"})
    assert done.status_code == 200, done.text
    return match


def shown(table: Table, match: Match, operation: Operation, seat: str) -> list[httpx.Response]:
    """Every form of what the operation shows, compressed and not."""
    path = operation.path.replace("{game}", match.path.rsplit("/", 1)[1])
    if "{roll}" in path:
        roll = table.get(f"{match.path}/rolls").json()["items"][-1]
        path = path.replace("{roll}", roll["id"])
    path += QUERIES.get(operation.id, "")
    forms = [form for answer in operation.answers for form, _ in answer.forms]
    found = [
        table.get(path, match.tokens.get(seat, ""), Accept=form, Accept_Encoding=coding)
        for form in forms
        for coding in ("identity", "gzip")
    ]
    assert [each.status_code for each in found] == [200] * len(found), (path, found[0].text)
    return found


def written_on(table: Table, match: Match, tag: str) -> str:
    """The code by which a forbidden command that is written on the tag is refused."""
    fields = {"Idempotency-Key": uuid.uuid4().hex, "If-Match": tag}
    body = {"type": "pennant.choose", "colour": "bold"}
    path = f"{match.path}/commands"
    refused = table.ask("POST", path, match.tokens["p1"], fields, json=body)
    assert refused.status_code >= 400, refused.text
    return str(refused.json()["code"])


def if_match_pattern() -> re.Pattern[str]:
    """What the document says that If-Match looks like."""
    document = json.loads(COMMITTED.read_bytes())
    found = [
        each["schema"]["pattern"]
        for each in (
            document["components"]["parameters"].get(listed["$ref"].rsplit("/", 1)[1], {})
            if "$ref" in listed
            else listed
            for listed in document["paths"]["/v1/games/{game}/commands"]["post"]["parameters"]
        )
        if each["name"] == "If-Match"
    ]
    return re.compile(found[0])


@pytest.mark.parametrize("seat", ["p1", ""])
@pytest.mark.parametrize("over", [False, True])
def test_every_tag_of_a_game_is_good_for_a_command_on_its_version(
    table: Table, *, over: bool, seat: str
) -> None:
    match, pattern = rolled(table), if_match_pattern()
    if over:
        table.play_out(match)
    now, tags = table.version(match), set()
    for operation in OF_A_GAME:
        if operation.id in OPEN_ONLY and not over:
            continue
        for answer in shown(table, match, operation, seat):
            tag = answer.headers["etag"]
            named = TAG.fullmatch(tag)
            assert named, (operation.id, tag)
            wanted = answer.json()["seq"] if operation.id == "getRoll" else now
            assert int(named[1]) == wanted, (operation.id, tag, now)
            assert pattern.fullmatch(tag), (operation.id, tag)
            if wanted == now:
                tags.add(tag)
    codes = {tag: written_on(table, match, tag) for tag in tags}
    assert len(codes) > len(OF_A_GAME)
    assert set(codes.values()) == {"game.over" if over else "turn.not-yours"}, codes


@pytest.mark.parametrize("at", [2, 3])
def test_a_tag_of_an_earlier_version_begins_with_that(table: Table, at: int) -> None:
    match = rolled(table)
    earlier = [each for each in OF_A_GAME if "at" in each.query]
    assert len(earlier) > 6
    for operation in earlier:
        path = operation.path.replace("{game}", match.path.rsplit("/", 1)[1])
        query = QUERIES.get(operation.id, "?")
        answer = table.get(f"{path}{query}&at={at}".replace("?&", "?"))
        assert answer.status_code == 200, answer.text
        assert answer.headers["etag"].startswith(f'"{at}-'), operation.id
    compared = table.get(f"{match.path}/diff?from=5&to={at}")
    assert compared.headers["etag"].startswith(f'"{at}-')


def test_what_is_of_no_game_has_a_tag_that_no_version_has(table: Table) -> None:
    others = [each for each in TAGGED if each not in OF_A_GAME and "{" not in each.path]
    assert len(others) > 4
    for operation in others:
        answer = table.get(operation.path)
        if "etag" in answer.headers:
            assert not TAG.fullmatch(answer.headers["etag"]), operation.id
            assert re.fullmatch(r'"[0-9a-f]{32}(-gzip)?"', answer.headers["etag"]), operation.id


def test_a_refusal_that_bears_a_tag_says_so_in_the_document(table: Table) -> None:
    match = rolled(table)
    document = json.loads(COMMITTED.read_bytes())
    for rest, query in (("/view", "at=999"), ("/commands", f"cursor={write_cursor('1.1')}")):
        refused = table.get(f"{match.path}{rest}?{query}", match.tokens["p2"])
        assert refused.status_code in (404, 409), refused.text
        assert refused.headers["etag"] == f'"{table.version(match)}"'
        promised = document["paths"][f"/v1/games/{{game}}{rest}"]["get"]["responses"]
        answer = promised[str(refused.status_code)]
        if "$ref" in answer:
            answer = document["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]]
        assert "ETag" in answer["headers"], rest
