"""All games together over HTTP: results, dice, statistics, and the lobby by life."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

from service.following.shelf import SEPARATOR, checksum, sound
from service.http.paging import write_cursor
from service.http.records import READING, TAG
from service.http.registry import operations
from tests.service.http.table import Table, code, sunk


def pages(table: Table, path: str) -> list[dict[str, Any]]:
    """Every item of a list, page by page, along the Link headers."""
    found: list[dict[str, Any]] = []
    asked: set[str] = set()
    while True:
        assert path not in asked, f"{path} leads to itself: is the cursor passed on?"
        asked.add(path)
        answer = table.get(path)
        assert answer.status_code == 200, answer.text
        found += answer.json()["items"]
        linked = "link" in answer.headers
        assert linked == (answer.json()["next"] is not None), (
            f"{path}: `next` is {answer.json()['next']!r}, and the answer has "
            f"{'a' if linked else 'no'} Link header: give next_link(call, cursor) to call.json"
        )
        if not linked:
            return found
        path = answer.headers["link"].partition(">")[0].lstrip("<")


def test_results_are_the_finished_games_the_latest_first(table: Table) -> None:
    matches = [table.create() for _ in range(5)]
    order = [matches[number] for number in (3, 0, 4)]
    games = [table.play_out(match) for match in order]
    found = pages(table, "/v1/results?limit=2")
    assert [result["game"] for result in found] == [match.id for match in order][::-1]
    for game, result in zip(games[::-1], found, strict=True):
        assert result["winners"] == game["result"]["winners"]
        assert (result["reason"], result["rule"]) == (
            game["result"]["reason"],
            game["result"]["rule"],
        )
        assert result["version"] == game["version"] - 1  # then the master was opened
        assert (result["createdAt"], result["finishedAt"]) == (game["createdAt"], game["updatedAt"])
        events = pages(table, f"/v1/games/{game['id']}/events?limit=200")
        orders = {event["causedBy"] for event in events if event["causedBy"]}
        assert result["commands"] == len(orders)
    assert pages(table, "/v1/results?ruleset=chess") == []
    assert pages(table, "/v1/results?ruleset=pennant") == found


def test_dice_are_those_of_the_games_own_ledgers(table: Table) -> None:
    matches = [table.create() for _ in range(2)]
    for match in matches:
        table.play_out(match)
    found = pages(table, "/v1/dice?limit=3")
    ledger = [
        (match.id, roll["id"], roll["seq"], roll["faces"])
        for match in matches[::-1]
        for roll in pages(table, f"{match.path}/rolls")[::-1]
    ]
    assert ledger
    told = [
        (roll["game"], roll["roll"], roll["seq"], [pool["faces"] for pool in roll["pools"]])
        for roll in found
    ]
    assert told == ledger
    figures = table.get("/v1/statistics").json()["items"][0]
    shown = [face for _, _, _, faces in ledger for pool in faces for face in pool]
    [six] = figures["dice"]
    assert six["sides"] == 6
    assert six["counts"] == [shown.count(face) for face in range(1, 7)]
    assert (figures["rolls"], six["dice"]) == (len(ledger), len(shown))


def test_statistics_have_what_was_just_done(table: Table) -> None:
    assert table.get("/v1/statistics").json() == {"items": []}
    match = table.create()
    [figures] = table.get("/v1/statistics").json()["items"]
    assert (figures["ruleset"], figures["games"], figures["finished"]) == ("pennant", 1, 0)
    game = table.play_out(match)
    answer = table.get("/v1/statistics")
    [figures] = answer.json()["items"]
    assert figures["finished"] == 1
    assert figures["events"] == game["version"]
    winners = game["result"]["winners"]
    assert figures["wins"] == dict.fromkeys(winners, 1)
    assert figures["draws"] == (not winners)
    tag = {"If_None_Match": answer.headers["etag"]}
    assert table.get("/v1/statistics", **tag).status_code == 304


def test_the_lobby_by_activity(table: Table) -> None:
    matches = [table.create() for _ in range(4)]
    table.choose_colours(matches[1])
    table.play_out(matches[2])
    order = [matches[number].id for number in (2, 1, 3, 0)]
    assert [game["id"] for game in pages(table, "/v1/games?sort=activity&limit=1")] == order
    assert [game["id"] for game in pages(table, "/v1/games?sort=created&limit=3")] == [
        match.id for match in matches[::-1]
    ]
    finished = pages(table, "/v1/games?sort=activity&status=finished&ruleset=pennant")
    assert finished == [table.get(matches[2].path).json()]
    assert code(table.get("/v1/games?sort=size")) == "query.invalid"


def test_a_cursor_that_was_never_given_out_is_refused(table: Table) -> None:
    for path in LISTS:
        assert code(table.get(f"{path}cursor=nonsense")) == "query.invalid", path


OWN = "listOwnEvents"


def lists() -> Iterator[str]:
    """Every list of all games that is paged, in each of its orders; nobody names a new one.

    That of engines is of no games, has one order, by digest, and pages of its own (test_engines);
    that of one's own events is of the games of the tokens that come with it (test_own_events).
    """
    for operation in operations():
        fields, apart = operation.query, operation.tag == "engines" or operation.id == OWN
        if "cursor" in fields and "{" not in operation.path and not apart:
            orders = get_args(get_args(fields["sort"])[0]) if "sort" in fields else ()
            yield from (f"{operation.path}?sort={order}&" for order in orders)
            if not orders:
                yield f"{operation.path}?"


LISTS = tuple(lists())
USUAL = 50
"""Rows of a page where the request does not say how many."""


Listed = tuple[str, str, str, int, bytes]
"""Projection, key, kind, rank and document of what is listed."""


def put_again(table: Table, change: Callable[[Listed], Iterable[Listed]]) -> None:
    """What is listed is written once more, otherwise, with the checksum that belongs to it."""
    recorder = table.client.app.state.http.desk.store.recorder
    rows = recorder.query(
        "SELECT projection, key, kind, rank, document FROM projected WHERE rank > 0"
    )
    statements = []
    for name, key, kind, rank, document in rows:
        told = sound(name, key, kind, rank, bytes(document))
        for to, new, of, at, text in change((name, key, kind, rank, told)):
            stored = text + SEPARATOR + checksum(new, of, at, text)
            row = "INSERT OR REPLACE INTO projected (projection, key, kind, rank, document) "
            statements.append((f"{row} VALUES (?, ?, ?, ?, ?)", (to, new, of, at, stored)))
    recorder.put((), statements)


def of_one_rank(table: Table) -> None:
    """Every listed document of a projection gets the rank of the others, as any may have."""
    put_again(table, lambda it: [(*it[:3], 7, it[4])])


def test_lists_have_everything_where_ranks_are_equal(table: Table) -> None:
    """Of each list there is more than one row; one that has none here needs games that fill it."""
    for _ in range(2):
        sunk(table)
        table.play_out(table.create())
    wholes = {path: pages(table, f"{path}limit=200") for path in LISTS}
    few = [path for path, whole in wholes.items() if len(whole) < 2]
    assert not few, f"no two rows, so paging shows nothing; fill them in this test: {few}"
    of_one_rank(table)
    for path, whole in wholes.items():
        found = pages(table, f"{path}limit=1")
        lost = [each for each in whole if each not in found]
        assert not lost, f"{path}limit=1 loses where ranks are equal: {lost}"
        assert len(found) == len(whole), path


def crowd(table: Table, copies: int) -> None:
    """So many games more, and each listed document so many times more, under keys of their own."""

    def more(it: Listed) -> Iterator[Listed]:
        name, key, kind, rank, document = it
        if name != "lobby":
            for number in range(copies):
                yield name, f"{key}-{number}", kind, rank, document

    for _ in range(copies):
        table.create()
    put_again(table, more)


def test_a_page_that_nobody_bounds_is_whole_and_the_next_goes_on_behind_it(table: Table) -> None:
    """Of each list there are more rows than the page of a caller who says nothing of its size."""
    sunk(table)
    table.play_out(table.create())
    few = [path for path in LISTS if not pages(table, path)]
    assert not few, f"no rows here; fill them in this test: {few}"
    crowd(table, USUAL)
    for path in LISTS:
        whole = pages(table, f"{path}limit=200")
        assert len(whole) > USUAL
        first = table.get(path).json()["items"]
        assert len(first) == USUAL, f"{path}: a page of {USUAL} has {len(first)} rows"
        for limit in (1, USUAL + 1):
            found = len(table.get(f"{path}limit={limit}").json()["items"])
            assert found == limit, f"{path}limit={limit} has {found} rows: is the limit passed on?"
        assert pages(table, path) == whole, f"{path}: rows are lost between two pages"


def test_the_lists_are_those_of_the_operations() -> None:
    assert {"/v1/results?", "/v1/dice?", "/v1/games?sort=activity&"} < set(LISTS)
    every = {f"{each.path}?" for each in operations() if each.tag == TAG and "cursor" in each.query}
    assert not every - {*LISTS}, f"lists that lists() does not find: {sorted(every - {*LISTS})}"


WHOLE = {"getStatistics"}
"""Operations of all games whose answer does not grow with the games: a row a ruleset."""


def test_a_list_that_grows_with_the_games_is_paged() -> None:
    whole = {each.id for each in operations() if each.tag == TAG and "cursor" not in each.query}
    assert whole == WHOLE, f"without a cursor, or with one by now: {sorted(whole ^ WHOLE)}"
    for each in operations():
        if each.tag == TAG and each.id not in WHOLE:
            assert {"cursor", "limit", "ruleset"} <= each.query.keys(), f"{each.id}: its query"


REFUSED = {"query.invalid", *READING}
"""What whoever asks for a page may be refused with: his query, and a store that cannot be read."""


def test_a_list_tells_the_problems_that_it_may_give() -> None:
    """Who reads the document alone learns them there: the answer itself is a problem either way."""
    owed = {
        each.id: sorted(REFUSED - {*each.problems})
        for each in operations()
        if each.tag == TAG and each.id not in WHOLE
    }
    assert {id: codes for id, codes in owed.items() if codes} == {}
    paged = [each for each in operations() if "cursor" in each.query]
    silent = [each.id for each in paged if "query.invalid" not in each.problems]
    assert silent == [], "a cursor that nobody gave out is refused with query.invalid"


def test_cursors_that_no_list_gave_out(table: Table) -> None:
    match = table.create()
    forged = ("0/a", "01/a", "1/", "/a", "-1/a", "1", "x/a", f"{10**17}/a", "1/\x00")
    for path in (path for path in LISTS if "sort=created" not in path):
        for text in forged:
            refused = table.get(f"{path}cursor={write_cursor(text)}")
            assert (refused.status_code, code(refused)) == (422, "query.invalid"), (path, text)
    for path in (
        f"{match.path}/events", f"{match.path}/mentions", f"{match.path}/rolls",
        "/v1/rulesets/pennant/rules", "/v1/rulesets/pennant/customs/scenario",
    ):  # fmt: skip
        for text in ("0", "01", "\x00", "99999", "x" * 64):
            if path.endswith("/events") and text == "99999":
                continue  # above the newest version: version.unknown, as with ``after``
            refused = table.get(f"{path}?cursor={write_cursor(text)}")
            assert (refused.status_code, code(refused)) == (422, "query.invalid"), (path, text)
