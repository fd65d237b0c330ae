"""``games``, ``show``, ``replay`` and ``export`` against a real server and evidence files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from service.evidence.bundle import ARCHIVE
from service.evidence.casefile import unpack
from tests.service.cli.conftest import Run, spawn
from tests.service.cli.play import Table, create
from tests.support.pennant import GAME
from tests.support.server import Running


def test_games_lists_the_lobby(run: Run, server: Running, finished: Table, live: Table) -> None:
    done = run("games", "--url", server.url)
    assert done.code == 0
    rows = {line.split()[0]: line for line in done.out.splitlines()[1:]}
    assert "p2 (choose)" in rows[live.id]
    assert "finished" in rows[finished.id]


def test_games_filters_and_speaks_json(
    run: Run, server: Running, finished: Table, live: Table
) -> None:
    """Other tests of this process play on the same server."""
    found = run("games", "--url", server.url, "--status", "finished", "--json").json
    assert {game["status"] for game in found} == {"finished"}
    ids = [game["id"] for game in found]
    assert (ids.count(finished.id), ids.count(live.id)) == (1, 0)
    assert (
        run("games", "--url", server.url, "--ruleset", "none").out == "There are no such games.\n"
    )


def test_games_reads_as_many_pages_as_it_needs(
    run: Run, server: Running, finished: Table, live: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.games.PAGE", 1)
    found = run("games", "--url", server.url, "--json").json
    assert {finished.id, live.id} <= {game["id"] for game in found}
    assert len(run("games", "--url", server.url, "--limit", 1, "--json").json) == 1


def test_show_draws_the_board_of_a_running_service(
    run: Run, server: Running, finished: Table
) -> None:
    summary = finished.summary()
    done = run("show", finished.id, "--url", server.url)
    assert done.code == 0
    scores = [f"{seat}: {points}" for seat, points in summary["scores"].items()]
    assert done.out.splitlines()[1:] == [*scores, "turns left: 0"]
    early = run("show", finished.id, "--url", server.url, "--at", 3, "--json").json
    assert (early["version"], early["latest"]) == (3, summary["version"])
    assert early["board"].endswith("turns left: 6")


def test_an_old_version_is_headed_by_what_was_so_then(
    run: Run, server: Running, finished: Table
) -> None:
    latest = finished.summary()["version"]
    early = run("show", finished.id, "--url", server.url, "--at", 3).out.splitlines()[0]
    late = run("show", finished.id, "--url", server.url, "--at", latest).out.splitlines()[0]
    assert "playing; to move: p" in early
    assert "; finished" not in early
    assert "won" not in early
    assert "; finished; p1" in late
    assert "to move" not in late


def test_a_file_and_the_service_show_the_same_at_every_version(
    run: Run, server: Running, finished: Table, bundle: Path
) -> None:
    latest = finished.summary()["version"]
    for version in range(2, latest + 1):
        online = run("show", finished.id, "--url", server.url, "--at", version, "--json").json
        offline = run("show", bundle, "--as", "public", "--at", version, "--json").json
        assert (online["board"], online["state"]) == (offline["board"], offline["state"]), version


def test_the_token_says_whose_eyes(run: Run, server: Running, live: Table) -> None:
    own = run("show", live.id, "--url", server.url, "--token", live.tokens["p1"], "--json").json
    public = run("show", live.id, "--url", server.url, "--json").json
    assert (own["viewer"], public["viewer"]) == ("p1", "public")
    assert own["state"]["choices"][0]["sight"] == "known"
    assert public["state"]["choices"][0]["sight"] == "hidden"


def test_a_live_file_shows_its_viewer_and_nobody_else(run: Run, live_bundle: Path) -> None:
    assert run("show", live_bundle, "--json").json["viewer"] == "p1"
    run("show", live_bundle, "--as", "p2").assert_mistake("p2")
    run("show", live_bundle, "--as", "truth").assert_mistake("truth")


@pytest.mark.parametrize("command", ["show", "replay"])
def test_what_is_not_there(run: Run, server: Running, finished: Table, command: str) -> None:
    at = ("--at", "9999") if command == "show" else ("--to", "9999")
    run(command, finished.id, "--url", server.url, *at).assert_mistake("version")
    run(command, "0" * 32, "--url", server.url).assert_mistake("game")
    run(command, "folder/none.decklog").assert_mistake("none.decklog", "no such file")
    run(command, finished.id, "--url", server.url, "--as", "p1").assert_mistake("--as")
    run(command, finished.id, "--url", server.url, "--token", "wrong").assert_mistake("token")


def test_replay_tells_every_event(run: Run, server: Running, finished: Table) -> None:
    done = run("replay", finished.id, "--url", server.url, "--all")
    assert done.code == 0
    told, _, board = done.out.partition("\n\n")
    numbers = [int(line.split()[0]) for line in told.splitlines()]
    assert numbers == list(range(1, finished.summary()["version"] + 1))
    assert board == run("show", finished.id, "--url", server.url).out.partition("\n")[2]


def test_replay_of_a_part(run: Run, bundle: Path) -> None:
    told = run("replay", bundle, "--from", 2, "--to", 4, "--json").json
    assert [event["seq"] for event in told["events"]] == [2, 3, 4]
    assert told["board"].endswith("turns left: 6")
    run("replay", bundle, "--all", "--to", 3).assert_mistake("--to", "--all")


def test_a_file_tells_each_viewer_what_they_knew(run: Run, bundle: Path) -> None:
    texts = {
        viewer: [e["text"] for e in run("replay", bundle, "--as", viewer, "--json").json["events"]]
        for viewer in ("truth", "public", "p1", "p2")
    }
    secret = "chooses a colour in secret."
    hidden = {viewer: [secret in text for text in told] for viewer, told in texts.items()}
    assert [sum(hidden[viewer]) for viewer in ("truth", "public", "p1", "p2")] == [0, 2, 1, 1]


def test_export_then_verify(run: Run, server: Running, finished: Table, tmp_path: Path) -> None:
    path = tmp_path / "game.decklog"
    done = run("export", finished.id, "--url", server.url, "-o", path, "--json")
    assert done.json == {
        "file": str(path),
        "bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "game": finished.id,
    }
    assert run("verify", path).code == 0
    run("export", finished.id, "--url", server.url, "-o", path).assert_mistake("exists")
    again = run("export", finished.id, "--url", server.url, "-o", path, "--force")
    assert f"decklog verify {path}" in again.out
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_an_export_may_carry_its_engine(
    run: Run, server: Running, finished: Table, tmp_path: Path
) -> None:
    path = tmp_path / "whole.decklog"
    assert run("export", finished.id, "--url", server.url, "-o", path, "--with-engine").code == 0
    manifest, files = unpack(path.read_bytes())
    assert hashlib.sha256(files[ARCHIVE]).hexdigest() == manifest.rules.digest
    assert run("verify", path).code == 0


def test_export_where_nothing_can_be_written(
    run: Run, server: Running, finished: Table, tmp_path: Path
) -> None:
    target = tmp_path / "no" / "folder.decklog"
    run("export", finished.id, "--url", server.url, "-o", target).assert_mistake(
        "cannot be written"
    )


def test_export_to_standard_output(
    server: Running, finished: Table, bundle: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from service.cli import main

    assert main(["export", finished.id, "--url", server.url, "-o", "-"], {"pennant": GAME}) == 0
    assert capfdbinary.readouterr().out == bundle.read_bytes()


def test_what_others_wrote_does_not_steer_the_terminal(run: Run, server: Running) -> None:
    table = create(server.url, "red \x1b[31m and \u202ereversed")
    for done in (run("games", "--url", server.url), run("show", table.id, "--url", server.url)):
        assert "red \N{REPLACEMENT CHARACTER}[31m" in done.out
        assert "\x1b" not in done.out
        assert "\u202e" not in done.out


def test_no_service_and_no_decklog_service(run: Run, server: Running) -> None:
    from tests.service.cli.strangers import closed_port, stranger

    run("games", "--url", f"http://127.0.0.1:{closed_port()}").assert_mistake("No service answers")
    run("games", "--url", "nonsense").assert_mistake("no address")
    run("games", "--url", "http://127.0.0.1:door").assert_mistake("no address")
    with stranger() as url:
        run("games", "--url", url).assert_mistake("not as a Decklog service")
        run("export", "x" * 32, "--url", url, "-o", "-").assert_mistake("not as a Decklog service")


def test_the_commands_run_as_processes_of_their_own(
    server: Running, finished: Table, bundle: Path
) -> None:
    program = "tests.service.cli.program"
    listed = spawn("games", "--url", server.url, "--json", program=program)
    assert finished.id in {game["id"] for game in listed.json}
    shown = spawn("show", finished.id, "--url", server.url, program=program)
    assert shown.out.endswith("turns left: 0\n")
    assert spawn("verify", bundle, program=program).out.startswith("UPHELD, origin not proven: ")


def test_a_record_that_is_another_than_the_last_time_is_noticed(
    run: Run, server: Running, finished: Table, cache: Path
) -> None:
    """What was told before is kept from run to run."""
    here = ("--url", server.url)
    assert run("show", finished.id, *here).code == 0
    kept = cache / "decklog" / "heads" / f"{finished.id}.head"
    seq, hash = kept.read_text().split()
    assert run("show", finished.id, *here).code == 0
    for other in (f"{seq} {hash[::-1]}", f"{int(seq) + 9} {hash}"):
        kept.write_text(f"{other}\n")
        told = f"Event {other.split()[0]} of game {finished.id} was {other.split()[1]}"
        run("show", finished.id, *here).assert_mistake(told)
    assert kept.with_name(f"{finished.id}.heads.json").exists()
