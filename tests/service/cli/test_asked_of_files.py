"""``why``, ``odds``, ``luck``, ``diff`` and ``fork`` of evidence files: what a service would
answer, without one, and by the engine that the file names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.cli import main
from service.cli.filed import file_desk
from service.cli.mistakes import Mistake
from service.cli.record import from_file
from service.cli.tools import Tools
from service.evidence.records import BatchRolled
from tests.service.cli.conftest import Done, Run
from tests.service.cli.play import Table
from tests.service.evidence.test_rules_changed import table
from tests.support.pennant import GAME
from tests.support.server import ROOT, Running

HISTORY = ROOT / "tests" / "evidence" / "history"
FIRE = '{"type":"pennant.fire","aim":"hull"}'


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process, with the installed rulesets."""

    def call(*args: object) -> Done:
        code = main([str(arg) for arg in args])
        return Done(code, *capsys.readouterr())

    return call


def test_a_file_says_why_as_the_service_does(
    run: Run, server: Running, finished: Table, bundle: Path
) -> None:
    rolls = finished.http.get(f"/v1/games/{finished.id}/rolls").json()["items"]
    url = ("--url", server.url, "--json")
    for words in (
        ("--roll", rolls[0]["id"]),
        ("--path", "/left"),
        ("--event", 6),
        ("--rule", "PEN-4"),
        ("--path", "/left", "--at", 9),
    ):
        there = run("why", finished.id, *url, *words, "--as", "truth").json
        assert run("why", bundle, *words, "--json").json == there, words
        assert run("why", bundle, *words).out, words


def test_a_file_that_cannot_say_why_says_what_is_wrong(run: Run, bundle: Path) -> None:
    run("why", bundle).assert_mistake("exactly one")
    run("why", bundle, "--path", "/nowhere").assert_mistake("Nothing stands at that place")
    run("why", bundle, "--event", 9999).assert_mistake("version.unknown")
    run("why", bundle, "--path", "/left", "--at", 9999).assert_mistake("no version 9999")
    run("why", bundle, "--roll", "none").assert_mistake("no roll of that id")
    run("why", bundle, "--event", 3, "--as", "p9").assert_mistake("does not show the game")
    assert run("why", bundle, "--rule", "PEN-99").out == "No event fits.\n"


def test_a_file_tells_the_odds_as_the_service_does(
    run: Run, server: Running, finished: Table, bundle: Path
) -> None:
    events = finished.http.get(f"/v1/games/{finished.id}/events?limit=200").json()["items"]
    at = next(e["seq"] for e in events if e["type"] == "pennant.fire-declared") - 1
    words = (FIRE, "--at", at, "--as", "truth", "--json")
    there = run("odds", finished.id, *words, "--url", server.url).json
    assert run("odds", bundle, *words).json == there
    assert run("odds", bundle, FIRE, "--at", at).out.startswith("Fire at the hull.")
    run("odds", bundle, '{"type":"pennant.fly"}').assert_mistake("no such command")
    run("odds", bundle, "no json").assert_mistake("no JSON object")
    run("odds", bundle, FIRE, "--at", 1).assert_mistake("before the opening")


def test_the_luck_of_one_file_is_that_of_its_game(
    run: Run, server: Running, finished: Table, bundle: Path, live_bundle: Path
) -> None:
    there = run("luck", finished.id, "--url", server.url, "--as", "truth", "--json").json
    assert run("luck", bundle, "--json").json["games"] == there["games"]
    assert f"Luck in game {finished.id}" in run("luck", bundle).out
    both = run("luck", bundle, live_bundle, bundle, "--json").json
    assert both["games"] == []
    each = run("luck", bundle, live_bundle, bundle, "--each", "--json").json
    assert each["games"][0]["game"] == finished.id
    assert len(each["games"]) == 2


def test_what_if_of_a_file_is_told_and_not_kept(
    run: Run, server: Running, finished: Table, bundle: Path
) -> None:
    roll = finished.http.get(f"/v1/games/{finished.id}/rolls").json()["items"][0]
    faces = " + ".join(" ".join("6" * pool["count"]) for pool in roll["pools"])
    words = ("fork", bundle, "--at", roll["seq"] - 1, "--seed", "terminal")
    told = run(*words, "--faces", faces, "--json").json
    assert (told["game"], told["version"], told["viewer"]) == (
        finished.id,
        roll["seq"] - 1,
        "truth",
    )
    assert any("6" in text for text in told["events"])
    plain = run(*words)
    assert plain.out.startswith(f"What if, from version {roll['seq'] - 1} of game {finished.id}")
    there = run(
        "fork", finished.id, "--url", server.url, "--at", roll["seq"] - 1, "--faces", faces,
        "--seed", "terminal", "--json",
    ).json  # fmt: skip
    fork, token = there["game"]["id"], there["tokens"][0]["token"]
    own = ("--url", server.url, "--token", token, "--at", 2, "--json")
    assert run("show", fork, *own).json["state"] == told["state"]
    run(*words, "--faces", "six").assert_mistake("numbers")
    run(*words, "--faces", "7 7 7").assert_mistake("fork.wrong-faces")
    run("fork", bundle).assert_mistake("over")


def test_a_file_of_one_seat_tells_what_that_seat_knew(
    run: Run, server: Running, live: Table, live_bundle: Path
) -> None:
    own = ("--url", server.url, "--token", live.tokens["p1"], "--json")
    for words in (("--event", 3), ("--path", "/left"), ("--rule", "PEN-2")):
        there = run("why", live.id, *words, *own)
        here = run("why", live_bundle, *words, "--json")
        assert here.out == there.out, words
    run("why", live_bundle, "--event", 3, "--as", "p2").assert_mistake("does not show the game")
    run("why", live_bundle, "--event", 3, "--as", "truth").assert_mistake("does not show the game")
    open_ = run("show", live_bundle, "--as", "public", "--json").json
    there = run("show", live.id, "--url", server.url, "--json").json
    assert open_["state"] == there["state"]


@pytest.mark.parametrize("path", sorted(HISTORY.glob("*.decklog")), ids=lambda path: path.stem)
def test_games_of_the_past_are_asked_by_their_own_engines(inside: Run, path: Path) -> None:
    """The installed rules do not even read the first of them."""
    shown = inside("show", path, "--at", 60, "--json")
    assert shown.code == 0, shown.err
    assert "not known here" not in shown.err, "nothing was put up with"
    assert not shown.json["board"].startswith("What shows"), "it is shown as it was"
    luck = inside("luck", path, "--json").json
    faced = next(trial["cells"] for trial in luck["trials"] if trial["cells"])
    assert sum(faced) > 30
    rules = 0
    for seq in range(60, 140, 16):
        told = inside("why", path, "--event", seq, "--json")
        assert told.code == 0, told.err
        rules += len(told.json["rules"])
    assert rules > 2, "in words, of the rules of then"
    assert inside("diff", path, "--from", 60, "--to", 80).out.count("\n") > 5
    assert inside("replay", path, "--all").code == 0


@pytest.mark.parametrize("name", ["first-battle", "war-at-sea-6", "crimson-tide"])
def test_odds_and_what_if_of_a_game_of_the_past(inside: Run, name: str) -> None:
    """Commands are read as they were called then."""
    path = HISTORY / f"{name}.decklog"
    desk = file_desk(Tools(), str(path))
    rolled = [seq for seq, r in desk.case.records.items() if isinstance(r, BatchRolled)]
    fired = [o for o in desk.case.orders if any(o.first <= seq <= o.last for seq in rolled)]
    told = [
        inside("odds", path, bytes(order.command).decode(), "--at", order.first - 1)
        for order in fired[-6:]
    ]
    assert {done.code for done in told} <= {0, 2}
    assert any(done.code == 0 for done in told), told[0].err
    assert not any("no such command" in done.err for done in told)
    views = desk.filed.materials.views.of(desk.id)
    waits = ((v, desk.game.awaiting(views.at("truth", v))) for v in range(40, 90))
    at, awaited = next((v, found) for v, found in waits if found is not None)
    faces = " + ".join(" ".join("6" * pool.count) for pool in awaited.pools)
    what_if = inside("fork", path, "--at", at, "--faces", faces)
    assert what_if.code == 0, what_if.err
    assert what_if.out.count("6") > 1


def test_a_game_that_went_over_is_asked_by_all_its_rules(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "changed.decklog"
    path.write_bytes(table().play(5).export())
    shown = run("show", path, "--json")
    assert shown.code == 0, shown.err
    assert "is not known here" in shown.err, "its first engine is nobody's here"
    record = from_file(Tools({"pennant": GAME}), str(path))
    changed = next(told for told in record.told if told.type == "decklog.rules-changed")
    assert changed.text
    assert run("why", path, "--event", changed.seq, "--json").json["event"]["seq"] == changed.seq
    assert run("why", path, "--event", record.latest - 2).code == 0
    assert run("diff", path, "--from", changed.seq - 1, "--to", changed.seq).code == 0


def test_an_engine_out_of_a_file_is_not_run(tmp_path: Path) -> None:
    """What shows a file runs in this process: never what a stranger put into it."""
    from service.filed.games import Filed

    path = tmp_path / "changed.decklog"
    path.write_bytes(table().play(5).export())
    desk = file_desk(Tools({"pennant": GAME}), str(path))
    used = desk.case.created.rules

    class Everywhere:
        name = "a folder of somebody's"

        def find(self, used: Any) -> Any:
            from tests.service.evidence.test_rules_changed import LATER

            yield LATER

    filed = Filed({"pennant": GAME}, (Everywhere(),))
    filed.put(desk.case, "truth")
    assert filed.engine(used.digest) is None
    assert filed.strange(desk.id) == (used,)


def test_a_ruleset_that_is_nowhere_is_named(inside: Run, bundle: Path) -> None:
    inside("why", bundle, "--event", 3).assert_mistake("pennant")


def test_a_file_is_not_its_neighbour(bundle: Path) -> None:
    with pytest.raises(Mistake, match="cannot be read"):
        file_desk(Tools({"pennant": GAME}), f"{bundle}.gone")
