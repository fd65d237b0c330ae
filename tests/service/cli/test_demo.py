"""``demo``: a whole battle by itself, the same one for the same seed, and what can go wrong."""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from domain.games.war_at_sea import GAME
from domain.kernel.finder import games
from service.bots import DecklogClient, RandomLegal, bots_of, demo
from service.cli import main
from service.evidence.verify import verify
from tests.service.cli.conftest import Done, Run, spawn
from tests.support import pennant, soundings
from tests.support.server import Running, running

pytestmark = pytest.mark.slow("drills")

GAMES = {"war-at-sea": GAME}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Done, Path]:
    """A demo as a user starts it, and the evidence that it kept."""
    kept = tmp_path_factory.mktemp("demo") / "battle.decklog"
    return spawn("demo", "--seed", "trafalgar", "--fast", "--keep", kept), kept


def test_a_battle_is_told_and_upheld(told: tuple[Done, Path]) -> None:
    done, _ = told
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert "seed trafalgar" in lines[0]
    assert "== Set-up ==" in lines
    turns = [int(line.split()[2]) for line in lines if line.startswith("== Turn ")]
    assert turns == list(range(1, len(turns) + 1))
    assert turns
    assert sum("rolls" in line for line in lines) > 10
    assert any(line.startswith("UPHELD, origin not proven: ") for line in lines)
    assert re.search(r"(has won|A draw) \(.+\), \d+ to \d+ points, after \d+ turns", done.out)


def test_the_kept_evidence_is_the_battle(ask: Run, told: tuple[Done, Path]) -> None:
    done, kept = told
    judged = ask("verify", kept)
    assert judged.code == 0
    assert done.out.endswith(judged.out)
    replayed = ask("replay", kept, "--as", "public", "--all")
    sentences = [line.strip() for line in done.out.splitlines() if line.startswith("  ")]
    rolls = [line for line in sentences if " rolls " in line]
    assert [line for line in rolls if line not in replayed.out] == []


def test_its_service_is_gone_afterwards(told: tuple[Done, Path]) -> None:
    port = int(re.search(r"http://127\.0\.0\.1:(\d+)", told[0].out)[1])  # type: ignore[index]
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_the_same_seed_is_the_same_battle(told: tuple[Done, Path], tmp_path: Path) -> None:
    again = spawn("demo", "--seed", "trafalgar", "--keep", tmp_path / "again.decklog")
    assert report(again) == report(told[0])


def report(done: Done) -> list[str]:
    """The battle without what belongs to the one run: addresses, names of files, hashes."""
    whole = done.out.partition("== Set-up ==")[2]
    return whole.partition("The evidence file")[0].splitlines()


@pytest.fixture
def document(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a demo in this process for its JSON."""

    def call(*args: str) -> tuple[int, dict[str, Any]]:
        code = main(["demo", "--json", *args], GAMES)
        return code, msgspec.json.decode(capsys.readouterr().out)

    return call


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a demo's service is, as the demo starts it."""
    with demo.service(tmp_path_factory.mktemp("started")) as url:
        yield url


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch, started: str) -> None:
    """The demo finds its service started: it is the battle that is looked at."""
    monkeypatch.setattr(demo, "service", lambda folder: nullcontext(started))


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with every game that there is, test games too."""
    with running(tmp_path_factory.mktemp("everything"), "both") as server:
        yield server


@pytest.mark.usefixtures("there")
def test_an_undecided_battle_is_given_up_by_the_side_that_is_behind(document: Any) -> None:
    code, battle = document("--seed", "short", "--turns", "1", "--bots", "random")
    assert code == 0
    (winner,), (loser,) = battle["result"]["winners"], battle["givenUp"]
    assert battle["result"]["reason"] == "resignation"
    assert {winner, loser} == set(battle["scores"])
    assert battle["scores"][loser] <= battle["scores"][winner]
    assert battle["turns"] == 2, "it ends as soon as the turn after the limit begins"


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("edition", GAME.editions)
def test_both_editions_and_json(document: Any, edition: str) -> None:
    code, battle = document("--seed", "json", "--edition", edition, "--bots", "random,greedy")
    assert code == 0
    assert battle["edition"] == edition
    assert battle["verdict"]["word"] == "UPHELD"
    assert battle["verdict"]["events"] == battle["events"]
    assert battle["file"] == ""


@pytest.mark.usefixtures("there")
def test_the_exit_code_is_the_verdicts(document: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = DecklogClient.evidence
    monkeypatch.setattr(DecklogClient, "evidence", lambda self, game: honest(self, game)[:-1])
    code, battle = document("--seed", "bent", "--turns", "1")
    assert (code, battle["verdict"]["word"]) == (2, "UNREADABLE")


def test_the_users_settings_are_left_alone(
    document: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "own.sqlite"
    monkeypatch.setenv("DECKLOG_DATABASE", str(own))
    monkeypatch.setenv("DECKLOG_PORT", "1")
    code, _ = document("--seed", "mine", "--turns", "1")
    assert code == 0
    assert not own.exists()


def test_mistakes_are_found_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(demo, "service")

    def told(*args: object) -> Done:
        code = main(["demo", *map(str, args)], games())
        return Done(code, *capsys.readouterr())

    told("--edition", "1805").assert_mistake("1805")
    told("--keep", tmp_path / "no" / "file").assert_mistake("no such folder")
    told("--bots", "nelson").assert_mistake("no bot 'nelson'")
    told("--bots", "greedy,greedy,random").assert_mistake("3 bots")
    told("--seats", "3").assert_mistake("3 bots")
    told("--game", "chess").assert_mistake("chess")
    spawn("demo", "--game", "chess").assert_mistake("chess")


def test_a_service_that_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "_line", lambda *given: ["sh", "-c", "echo broken >&2"])
    assert main(["demo"], GAMES) == 1
    shown = capsys.readouterr()
    assert shown.err.splitlines() == [
        "decklog: The demo failed: the service did not start",
        "hint: The service's last word was: broken",
    ]


LATE = 'sleep 2; echo "{\\"url\\": \\"http://late\\"}"; exec sleep 60'
"""A service that takes longer than is waited for."""


def test_a_busy_machine_is_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With fifteen programs at work a start took half a minute: what works is not given up."""
    worked = count(1)
    monkeypatch.setattr(demo, "START_SECONDS", 0.2)
    monkeypatch.setattr(demo, "effort", lambda pid: float(next(worked)))
    monkeypatch.setattr(demo, "_line", lambda *given: ["sh", "-c", LATE])
    with demo.service(tmp_path) as url:
        assert url == "http://late"
    assert next(worked) > 2


@pytest.mark.parametrize("spent", [[1.0, 1.0], [0.0], [50.0, 100.0, demo.START_EFFORT]])
def test_what_does_not_work_or_works_without_end_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spent: list[float]
) -> None:
    told = iter(spent)
    monkeypatch.setattr(demo, "START_SECONDS", 0.2)
    monkeypatch.setattr(demo, "effort", lambda pid: next(told))
    monkeypatch.setattr(demo, "_line", lambda *given: ["sleep", "60"])
    with pytest.raises(demo.DemoFailed, match="did not start"), demo.service(tmp_path):
        pass
    assert not list(told)


def test_effort_is_time_of_the_processor() -> None:
    before = demo.effort(os.getpid())
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    assert before + 0.05 <= demo.effort(os.getpid()) <= before + 5
    assert demo.effort(2**31) == 0, "there is no such process"


@pytest.mark.usefixtures("there")
def test_teams_of_bots_win_together(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a side that is behind both give up; whoever wins has a partner."""
    options = ["--game", "crimson-tide", "--seats", "4", "--turns", "1", "--bots", "random"]
    assert main(["demo", "--seed", "teams", *options], games()) == 0
    told = capsys.readouterr().out
    assert told.count("is behind and gives up.") == 2
    assert re.search(r"p[12] and p[34] have won \(resignation, CT-WIN-08\)", told)


def test_a_service_that_dies_in_the_middle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def few(*args: Any) -> Iterator[Any]:
        yield from ()
        raise httpx.ConnectError("gone")

    monkeypatch.setattr(demo, "steps", few)
    assert main(["demo", "--fast"], GAMES) == 1
    assert "the battle stopped: gone" in capsys.readouterr().err


def test_any_game_with_any_number_of_seats(everything: Running) -> None:
    """A game that knows no turns and no resigning, with three seats and hidden draws."""
    lines: list[str] = []
    plan = demo.Plan("three", soundings.GAME, "first", ("random",) * 3)
    battle = demo.play(everything.url, plan, lines.append)
    assert battle.summary["status"] == "finished"
    assert battle.given_up == ()
    assert list(battle.summary["scores"]) == ["p1", "p2", "p3"]
    assert lines[0] == "== Set-up =="
    assert any("has drawn" in line for line in lines), "told as an onlooker sees it"
    assert verify(battle.evidence, {"soundings": soundings.GAME}).word == "UPHELD"


def test_which_bots_play(tmp_path: Path) -> None:
    assert list(bots_of(GAME)) == ["greedy", "random"]
    assert list(bots_of(soundings.GAME)) == ["random"]
    brought = soundings.mutant(bots={"own": RandomLegal})
    assert list(bots_of(brought)) == ["own", "random"]


def test_a_game_without_resigning_is_left_undecided(everything: Running) -> None:
    lines: list[str] = []
    plan = demo.Plan("calm", pennant.GAME, "first", ("random",) * 2, turns=-1)
    battle = demo.play(everything.url, plan, lines.append)
    assert (battle.summary["result"], battle.given_up) == (None, ())
    assert "No decision" in lines[-1]
    assert verify(battle.evidence, {"pennant": pennant.GAME}).scope == "partial"


@pytest.mark.parametrize("orders", [3, 20])
def test_bots_that_idle_are_told_of_and_nobody_gives_up_for_them(
    orders: int, everything: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever names no turns wants to see a battle that bots bring to its end."""
    monkeypatch.setattr(demo, "ORDERS", orders)
    lines: list[str] = []
    plan = demo.Plan("idle", GAME, "2009", ("random",) * 2)
    with DecklogClient(everything.url) as onlooker:
        known = {game["id"] for game in onlooker.games()}
        with pytest.raises(demo.DemoFailed, match=f"the bots idle: after {orders} orders"):
            demo.play(everything.url, plan, lines.append)
        (game,) = (game for game in onlooker.games() if game["id"] not in known)
        assert (game["status"], game["result"]) == ("playing", None)
    assert not [line for line in lines if "gives up" in line]


@pytest.mark.usefixtures("there")
def test_the_command_says_that_they_idle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "ORDERS", 3)
    assert main(["demo", "--fast"], GAMES) == 1
    assert "The demo failed: the bots idle" in capsys.readouterr().err


def test_who_is_behind() -> None:
    assert demo.behind({"p1": 10, "p2": 20}) == "p1"
    assert demo.behind({"p1": 20, "p2": 10}) == "p2"
    assert demo.behind({"p1": 10, "p2": 10}) == "p2"
    assert demo.behind({"p1": 10, "p2": 10, "p3": 20}) == "p2"


@pytest.mark.slow("clients")
@pytest.mark.parametrize("game", games())
def test_the_evidence_of_every_installed_game_is_upheld(game: str, tmp_path: Path) -> None:
    kept = tmp_path / f"{game}.decklog"
    done = spawn("demo", "--game", game, "--seed", "upheld", "--fast", "--keep", kept)
    assert done.code == 0, done.out
    assert "\nUPHELD, origin not proven: " in done.out
    assert spawn("verify", kept).code == 0
