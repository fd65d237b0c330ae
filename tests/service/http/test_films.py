"""``GET film``: a stretch of versions in one answer, each the same as if it was asked for alone."""

from __future__ import annotations

from typing import Any

from projections.differences import Change, apply
from tests.service.http.table import Match, Table, code


def played(table: Table) -> Match:
    match = table.create()
    table.choose_colours(match)
    return match


def path_of(pointer: str, state: Any) -> tuple[str | int, ...]:
    """The steps of a pointer, as they lead into plain JSON."""
    found: list[str | int] = []
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        step = int(name) if isinstance(state, list) else name
        found.append(step)
        inside = isinstance(state, list) and int(step) < len(state)
        state = state[step] if inside or (isinstance(state, dict) and step in state) else None
    return tuple(found)


def unrolled(film: dict[str, Any]) -> dict[int, Any]:
    """The state of each version of an answer."""
    state, found = film["state"], {}
    for frame in film["frames"]:
        for each in frame["changes"]:
            change = Change(path_of(each["path"], state), each["kind"], None, each.get("value"))
            state = apply(state, [change])
        found[frame["version"]] = state
    return found


def test_every_version_is_what_its_view_shows(table: Table) -> None:
    match = played(table)
    latest = table.version(match)
    film = table.get(f"{match.path}/film", match.tokens["p1"]).json()
    states = unrolled(film)
    assert list(states) == list(range(1, latest + 1))
    assert (film["viewer"], film["after"], film["state"], film["lines"]) == ("p1", 0, None, [])
    for version, state in states.items():
        told = table.get(f"{match.path}/view?at={version}", match.tokens["p1"])
        assert told.json()["state"] == state if told.status_code == 200 else state is None


def test_a_stretch_begins_with_the_state_before_it(table: Table) -> None:
    match = played(table)
    asked = f"{match.path}/film?after=3&limit=2&at={table.version(match)}"
    film = table.get(asked).json()
    assert [frame["version"] for frame in film["frames"]] == [4, 5]
    assert film["state"] == table.get(f"{match.path}/view?at=3").json()["state"]
    assert unrolled(film)[5] == table.get(f"{match.path}/view?at=5").json()["state"]
    none = table.get(f"{match.path}/film?after={table.version(match)}").json()
    assert none["frames"] == []


def test_its_pictures_are_those_of_the_board(table: Table) -> None:
    match = played(table)
    whole = table.get(f"{match.path}/film?pictures=true").json()
    later = table.get(f"{match.path}/film?pictures=true&after=3").json()
    for film in (whole, later):
        assert len(set(film["lines"])) == len(film["lines"])
        for frame in film["frames"]:
            drawn = table.get(f"{match.path}/board.svg?at={frame['version']}")
            if drawn.status_code == 200:
                picture = "\n".join(film["lines"][number] for number in frame["picture"])
                assert picture + "\n" == drawn.text
            else:
                assert frame["picture"] == []


def test_nobody_is_shown_more_than_by_a_view(table: Table) -> None:
    match = played(table)
    for viewer in ("p2", "truth"):
        refused = table.get(f"{match.path}/film?as={viewer}", match.tokens["p1"])
        assert code(refused) == "viewer.not-entitled"
    for seat in ("p1", "p2"):
        film = table.get(f"{match.path}/film", match.tokens[seat]).json()
        told = table.get(f"{match.path}/view", match.tokens[seat]).json()
        assert unrolled(film)[told["version"]] == told["state"]


def test_a_named_version_is_kept_and_what_is_too_much_is_refused(table: Table) -> None:
    match = played(table)
    latest = table.version(match)
    assert "immutable" in table.get(f"{match.path}/film?at={latest}").headers["cache-control"]
    assert table.get(f"{match.path}/film").headers["cache-control"] == "no-cache"
    assert code(table.get(f"{match.path}/film?after={latest + 1}")) == "version.unknown"
    assert code(table.get(f"{match.path}/film?limit=1001")) == "query.invalid"
