"""``diff``, ``why``, ``odds``, ``luck``, ``fork`` and the timeline, against a server and files."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from service.bots import DecklogClient
from service.cli import luck, why
from service.cli.mistakes import Mistake
from service.cli.record import from_file
from service.cli.remote import Remote
from service.cli.replay import Player, keys, timeline_of
from service.cli.tools import Tools
from service.http.refusals import PATIENCE
from tests.service.cli.conftest import Run
from tests.service.cli.play import Table, create
from tests.support.pennant import GAME
from tests.support.server import Running


@pytest.fixture
def rolls(finished: Table) -> list[dict[str, object]]:
    """The rolls of the finished game; at least one."""
    found = finished.http.get(f"/v1/games/{finished.id}/rolls").json()["items"]
    assert found
    return list(found)


@pytest.fixture(scope="session")
def longer(server: Running, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Evidence of one game twice: exported while it ran, with dice enough, and at its end."""
    table, folder = create(server.url, "exported twice", options={"turns": 60}), []
    for moves, name in ((60, "half"), (1_000, "whole")):
        table.play(moves, Random(60))
        folder.append(tmp_path_factory.mktemp("longer") / f"{name}.decklog")
        folder[-1].write_bytes(table.http.get(f"/v1/games/{table.id}/evidence").content)
    return folder[0], folder[1]


def test_diff_of_a_file_and_of_a_game_say_the_same(
    run: Run, server: Running, finished: Table, bundle: Path
) -> None:
    there = run("diff", finished.id, "--url", server.url, "--from", 2, "--as", "truth", "--json")
    here = run("diff", bundle, "--from", 2, "--json")
    shown = [(c["path"], c["text"], c["events"]) for c in here.json["changes"]]
    assert shown == [(c["path"], c["text"], c["events"]) for c in there.json["changes"]]
    whole = run("diff", bundle)
    assert whole.out.startswith("The game begins.  [")
    assert max(map(len, whole.out.splitlines())) < 200, "an event that changed much is one line"
    told = run("diff", bundle, "--from", 2)
    assert all(change["text"] in told.out for change in here.json["changes"])
    assert run("diff", bundle, "--from", 3, "--to", 3).out == "Nothing is different.\n"


def test_diff_of_two_files_finds_where_they_part(run: Run, bundle: Path, live_bundle: Path) -> None:
    assert "the same to the end" in run("diff", bundle, "--with", bundle).out
    parted = run("diff", bundle, "--with", live_bundle, "--json").json
    assert parted["shared"] == 0, "one has another number of turns"
    assert parted["parting"] == [2, 2]
    assert "parting" in run("diff", live_bundle, "--with", bundle, "--json").json
    run("diff", bundle, "--from", 99).assert_mistake("version 99")


def test_why_explains_a_roll_a_value_and_searches(
    run: Run, server: Running, finished: Table, rolls: list[dict[str, object]]
) -> None:
    told = run("why", finished.id, "--url", server.url, "--roll", rolls[0]["id"])
    assert told.code == 0
    rule = "PEN-5" if "at the magazine" in told.out else "PEN-4"
    for part in ("Events:", "Numbers:", "Dice:", "Rules:", "ways to fall", f"  {rule}  "):
        assert part in told.out
    value = run("why", finished.id, "--url", server.url, "--path", "/left")
    assert value.out.count("from") >= 1
    assert "The value is 0." in value.out
    by_rule = run("why", finished.id, "--url", server.url, "--rule", "PEN-6")
    assert len(by_rule.out.splitlines()) == 1
    nowhere = run("why", finished.id, "--url", server.url, "--path", "/nowhere")
    nowhere.assert_mistake("Nothing stands at that place")
    assert "What stands at the top: " in nowhere.err
    none = run("why", finished.id, "--url", server.url, "--rule", "PEN-99")
    assert none.out == "No event fits.\n"
    run("why", finished.id, "--url", server.url).assert_mistake("exactly one")


def test_a_client_waits_for_as_long_as_the_service_works_on_an_answer() -> None:
    """It gave up after thirty seconds, and whoever asks again only makes it longer."""
    with Remote("http://127.0.0.1:1") as remote, DecklogClient("http://127.0.0.1:1") as client:
        for http in (remote._http, client._http):
            assert http.timeout.read is not None
            assert http.timeout.read > PATIENCE


def test_every_event_that_fits_is_told(
    run: Run, server: Running, finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond the first page it told nothing, and did not say so."""
    asked = ("why", finished.id, "--url", server.url, "--rule", "PEN-4")
    whole = run(*asked)
    listed = run(*asked, "--json").json
    assert len(listed["items"]) == len(whole.out.splitlines()) > 2
    monkeypatch.setattr(why, "PAGE", 2)
    assert run(*asked).out == whole.out
    assert run(*asked, "--json").json == listed
    assert listed["next"] is None


def test_odds_of_a_command_and_of_dice(
    run: Run, server: Running, finished: Table, rolls: list[dict[str, object]]
) -> None:
    events = finished.http.get(f"/v1/games/{finished.id}/events?limit=200").json()["items"]
    at = next(e["seq"] for e in events if e["type"] == "pennant.fire-declared") - 1
    fire = '{"type":"pennant.fire","aim":"hull"}'
    told = run("odds", finished.id, fire, "--url", server.url, "--at", at, "--as", "truth")
    assert told.out.startswith("Fire at the hull.")
    dice = run("odds", "--dice", "2x0,0,0,1,1,2", "--outcome", "hit:2", "--url", server.url)
    totals = [sum(pair) for pair in product((0, 0, 0, 1, 1, 2), repeat=2)]
    assert f"({Fraction(sum(t >= 2 for t in totals), 36)})" in dice.out
    assert dice.out.rstrip().endswith(f"on average {Fraction(sum(totals), 36)}")
    again = run("odds", "--dice", "1x0,0,0,1,1,2!", "--url", server.url)
    assert again.out.rstrip().endswith("on average 4/5")
    for words in (
        (),
        ("--dice", "x"),
        (finished.id, "no json"),
        (finished.id, fire, "--dice", "1x1,2"),
    ):
        assert run("odds", *words, "--url", server.url).code == 2


def test_luck_of_games_and_the_dice_of_files(
    run: Run, server: Running, finished: Table, bundle: Path, rolls: list[dict[str, object]]
) -> None:
    told = run("luck", finished.id, "--url", server.url)
    assert told.out.startswith(f"Luck in game {finished.id}")
    assert "expected" in told.out
    twice = run("luck", finished.id, finished.id, "--url", server.url, "--json").json
    assert len(twice["games"]) == 1
    assert run("luck", bundle).out.splitlines()[0] == "1 game in 1 file"


def test_the_dice_of_a_game_are_counted_once_however_many_copies_there_are(
    run: Run, bundle: Path, live_bundle: Path, longer: tuple[Path, Path]
) -> None:
    once = run("luck", bundle, "--json").json
    copies = run("luck", *[bundle] * 99, live_bundle, "--json").json
    assert copies["trials"] == once["trials"] == [], "too few dice for a verdict"
    assert (copies["files"], copies["distinctGames"], copies["copies"]) == (100, 2, 98)
    told = run("luck", bundle, bundle).out
    assert "1 game in 2 files: the dice of a game that is in several files are counted once" in told
    half, whole = (run("luck", path, "--json").json["trials"] for path in longer)
    table = from_file(Tools({"pennant": GAME}), str(longer[1]))
    faces = [f for told in table.told for f in getattr(told.event, "faces", ())]
    assert half[0]["count"] < whole[0]["count"]
    assert whole[0]["cells"] == [faces.count(face) for face in range(1, 7)]
    for both in (longer, longer[::-1]):
        assert run("luck", *both, "--json").json["trials"] == whole


def test_two_files_that_tell_other_dice_of_one_roll_are_not_counted(bundle: Path) -> None:
    tools = Tools({"pennant": GAME})
    game, rolled = luck._rolled(tools, str(bundle))
    key = next(iter(rolled))
    assert key[0] == game
    changed = {**rolled, key: ((6, (0,)),)}
    with pytest.raises(Mistake, match="tells other dice") as refused:
        luck._merge(rolled, changed, "changed.decklog")
    assert refused.value.code == "evidence.refuted"


def test_fork_makes_a_game_that_only_its_tokens_open(
    run: Run, server: Running, finished: Table, rolls: list[dict[str, object]]
) -> None:
    roll = rolls[0]
    assert isinstance(roll["seq"], int)
    assert isinstance(roll["pools"], list)
    faces = " + ".join(" ".join("6" * pool["count"]) for pool in roll["pools"])
    done = run(
        "fork", finished.id, "--url", server.url, "--at", roll["seq"] - 1, "--faces", faces,
        "--seed", "terminal", "--json",
    )  # fmt: skip
    fork, tokens = done.json["game"], done.json["tokens"]
    assert fork["fork"]["seed"] == "terminal"
    own = ("--url", server.url, "--token", tokens[0]["token"])
    assert run("show", fork["id"], *own).code == 0
    assert run("replay", fork["id"], *own, "--all").out.count("what if") == 1
    assert run("diff", fork["id"], *own, "--with", finished.id).code == 0
    run("show", fork["id"], "--url", server.url).assert_mistake("There is no game")
    told = run("fork", finished.id, "--url", server.url, "--at", roll["seq"] - 1)
    assert "token of p1: dl_seat_" in told.out
    run("fork", finished.id, "--url", server.url, "--faces", "six").assert_mistake("numbers")
    run("fork", finished.id, "--url", server.url).assert_mistake("over")


def test_two_forks_are_compared_by_their_tokens_or_by_their_files(
    run: Run, server: Running, finished: Table, tmp_path: Path, rolls: list[dict[str, object]]
) -> None:
    roll, url = rolls[0], ("--url", server.url)
    assert isinstance(roll["seq"], int)
    made, paths = [], []
    for seed in ("one", "another"):
        done = run("fork", finished.id, *url, "--at", roll["seq"] - 1, "--seed", seed, "--json")
        made.append((done.json["game"]["id"], done.json["tokens"][0]["token"]))
        paths.append(tmp_path / f"{seed}.decklog")
        assert run("export", made[-1][0], "--token", made[-1][1], *url, "-o", paths[-1]).code == 0
    (one, mine), (two, theirs) = made
    there = run(
        "diff", one, *url, "--token", mine, "--with", two, "--with-token", theirs, "--json"
    )  # fmt: skip
    assert there.json["other"] == two
    here = run("diff", paths[0], "--with", paths[1], "--json").json
    assert [(c["path"], c["events"]) for c in here["changes"]] == [
        (c["path"], c["events"]) for c in there.json["changes"]
    ]
    hidden = run("diff", one, *url, "--token", mine, "--with", two)
    hidden.assert_mistake("There is no game")
    begun = run("diff", paths[0], "--from", 3, "--with", paths[1], "--to", 3)
    assert begun.out == "Nothing is different.\n"


def test_a_fork_is_compared_with_its_parent_by_their_files(
    run: Run, server: Running, finished: Table, bundle: Path, live_bundle: Path, tmp_path: Path
) -> None:
    url, path = ("--url", server.url), tmp_path / "fork.decklog"
    made = run("fork", finished.id, *url, "--at", 5, "--json").json
    token = made["tokens"][0]["token"]
    assert run("export", made["game"]["id"], "--token", token, *url, "-o", path).code == 0
    assert "parting" in run("diff", path, "--with", live_bundle, "--json").json, "no kin"
    found = run("diff", path, "--with", bundle, "--json").json
    there = run("diff", made["game"]["id"], *url, "--token", token, "--with", finished.id, "--json")
    assert found["changes"]
    assert [(c["path"], c["text"], c["events"]) for c in found["changes"]] == [
        (c["path"], c["text"], c["events"]) for c in there.json["changes"]
    ]


def test_the_timeline_is_told_and_walked(run: Run, bundle: Path) -> None:
    told = run("replay", bundle, "--timeline")
    assert told.out.splitlines()[0].split()[:3] == ["1", "to", told.out.split()[2]]
    chapters = run("replay", bundle, "--timeline", "--json").json
    assert chapters[0]["first"] == 1
    record = from_file(Tools({"pennant": GAME}), str(bundle))
    assert chapters[-1]["last"] == record.latest
    assert timeline_of(record.chapters(), record.latest)[-1].startswith(">")
    frames: list[str] = []
    player = Player(record, 1, frames.append)
    pressed = iter(["]", "t", "[", "q"])
    player.run(keys(lambda: next(pressed)))
    assert "events told" in frames[2]
    assert player.version == 1
