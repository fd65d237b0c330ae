"""``GET board.svg``: the picture at any version, for whoever may see what, kept by whoever may."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from tests.service.http.table import Table, code


def test_the_board_is_a_picture_of_the_view_that_the_caller_has(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    done = table.get(f"{match.path}/board.svg", match.tokens["p1"])
    assert done.status_code == 200
    assert done.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in done.headers["content-security-policy"]
    said = " ".join(ET.fromstring(done.text).itertext())
    board = table.get(f"{match.path}/moment", match.tokens["p1"]).json()["board"]
    assert all(line in said for line in board.splitlines())


def test_a_picture_has_a_strong_tag_and_never_changes_at_a_version(table: Table) -> None:
    match = table.create()
    version = table.version(match)
    path = f"{match.path}/board.svg?at={version}"
    first = table.get(path)
    table.choose_colours(match)
    again = table.get(path)
    assert (first.content, first.headers["etag"]) == (again.content, again.headers["etag"])
    assert "immutable" in first.headers["cache-control"]
    kept = table.get(path, If_None_Match=first.headers["etag"])
    assert (kept.status_code, kept.content) == (304, b"")
    newest = table.get(f"{match.path}/board.svg")
    assert newest.headers["cache-control"] == "no-cache"
    private = table.get(path, match.tokens["p1"])
    assert private.headers["cache-control"] == "no-store"


def test_the_last_action_is_told_in_the_description(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    events = table.get(f"{match.path}/events").json()["items"]
    last = [event for event in events if event["causedBy"] == events[-1]["causedBy"]]
    told = [e["text"]["en"] for e in last if e["type"].startswith("pennant.") and e["text"]["en"]]
    shown = " ".join(ET.fromstring(table.get(f"{match.path}/board.svg").text).itertext())
    assert told
    assert all(sentence in shown for sentence in told)


def test_what_has_no_picture_is_refused(table: Table) -> None:
    match = table.create()
    path = f"{match.path}/board.svg"
    assert code(table.get(f"{path}?at=1")) == "version.unknown"
    assert code(table.get(f"{path}?at=999")) == "version.unknown"
    assert code(table.get(f"{path}?as=p2")) == "viewer.not-entitled"
    assert code(table.get(f"{path}?unit=a/b")) == "query.invalid"
    assert code(table.get(path, Accept="image/png")) == "accept.not-acceptable"


def test_a_finished_game_opens_every_picture(table: Table) -> None:
    match = table.create(options={"turns": 4}, seed="pictures")
    table.play_out(match)
    for viewer in ("public", "p1", "p2", "truth"):
        assert table.get(f"{match.path}/board.svg?as={viewer}").status_code == 200


def test_a_what_if_game_is_drawn_from_its_beginning(table: Table) -> None:
    """The event that brings the position is none that the ruleset's own scene knows."""
    match = table.create(options={"turns": 4}, seed="pictures")
    table.play_out(match)
    made = table.post(f"{match.path}/forks", {"at": 9, "seed": "what if"}).json()
    path, token = f"/v1/games/{made['game']['id']}", made["tokens"][0]["token"]
    parent = table.get(f"{match.path}/board.svg?at=9&as=truth").text
    for version in range(2, made["game"]["version"] + 1):
        drawn = table.get(f"{path}/board.svg?at={version}", token)
        assert drawn.status_code == 200
        if version == 2:
            assert _letters(drawn.text) == _letters(parent)


def _letters(text: str) -> list[str]:
    """What is written on the board, without the last action."""
    root = ET.fromstring(text)
    last = {id(e) for group in root.iter() if _is_last(group) for e in group.iter()}
    lines = root.iter("{http://www.w3.org/2000/svg}text")
    return [str(line.text) for line in lines if id(line) not in last]


def _is_last(element: ET.Element) -> bool:
    return "last" in element.get("class", "").replace("-", " ").split()
