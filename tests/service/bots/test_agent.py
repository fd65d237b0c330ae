"""Whole games with agents, over real connections: their seats' secrets are in every die."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.bots import DecklogClient, RandomLegal, steps
from service.bots.agent import AHEAD, Agent, Chain, wanted
from service.bots.bot import Json
from service.dice import nwd1
from service.evidence.verify import verify
from tests.service.desk.kit import GAMES
from tests.support.server import ROOT, Running, running

SECRETS = {"p1": bytes([1]) * 32, "p2": bytes([2]) * 32}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("agents")
    with running(folder, "pennant", chain_length=256) as live:
        yield live


def opened(host: DecklogClient, grade: str, turns: int = 8) -> Json:
    seats = [{"seat": seat, "hold": "open"} for seat in SECRETS]
    made = host.create_game(ruleset="pennant", options={"turns": turns}, grade=grade, seats=seats)
    game: Json = made["game"]
    return game


def seated(host: DecklogClient, game: Json) -> dict[str, DecklogClient]:
    found = {}
    for place, (seat, secret) in enumerate(SECRETS.items()):
        tip = Chain(secret, game, place).tip.hex()
        found[seat] = host.as_holder(host.take_seat(game["id"], seat, tip=tip)["token"])
    return found


def fire(listed: Json) -> Json:
    """An order that rolls dice where there is one."""
    firing = [item for item in listed["items"] if item.get("oddsSummary")]
    chosen: Json = (firing or listed["items"])[0]["command"]
    return chosen


def battle(host: DecklogClient, grade: str, turns: int = 8) -> bytes:
    game = opened(host, grade, turns)
    players = seated(host, game)
    agents = [Agent(players[seat], game["id"], seat, SECRETS[seat]) for seat in SECRETS]
    while (now := host.summary(game["id"]))["status"] != "finished":
        if not any(agent.look() for agent in agents):
            seat = now["toMove"][0]["seat"]
            players[seat].act(game["id"], fire)
    assert all(agent.given > 0 for agent in agents)
    return host.evidence(game["id"])


def test_bots_play_with_secrets_of_their_own(server: Running) -> None:
    """Each on its own connection: it gives its links, and waits for those of the other."""
    with DecklogClient(server.url) as host:
        game = opened(host, "A2", 12)
        players = seated(host, game)

        def one_side(seat: str) -> int:
            agents = [Agent(players[seat], game["id"], seat, SECRETS[seat])]
            bots, own = {seat: RandomLegal(seat)}, {seat: players[seat]}
            return len(list(steps(own, game["id"], bots, patient=True, agents=agents)))

        with ThreadPoolExecutor(2) as pool:
            assert all(pool.map(one_side, SECRETS))
        assert host.summary(game["id"])["status"] == "finished"
        verdict = verify(host.evidence(game["id"]), GAMES, grade="A2")
    assert (verdict.word, verdict.absences) == ("UPHELD", {}), verdict.text()


@pytest.mark.parametrize("grade", ["A1", "A2"])
def test_an_agent_begins_a_new_chain_where_the_old_one_is_spent(tmp_path: Path, grade: str) -> None:
    with running(tmp_path, "pennant", chain_length=16) as live, DecklogClient(live.url) as host:
        evidence = battle(host, grade, 40)
    verdict = verify(evidence, GAMES, grade=grade)
    assert (verdict.word, verdict.grade, verdict.absences) == ("UPHELD", grade, {}), verdict.text()
    assert evidence.count(b'"type":"decklog.tip-renewed"') >= 4


@pytest.mark.parametrize("grade", ["A1", "A2"])
def test_a_whole_game_in_which_both_agents_give_all_links(server: Running, grade: str) -> None:
    with DecklogClient(server.url) as host:
        verdict = verify(battle(host, grade), GAMES, grade=grade)
    assert (verdict.word, verdict.grade, verdict.absences) == ("UPHELD", grade, {}), verdict.text()
    assert {each.seats for each in verdict.batches} == {("p1", "p2")}
    assert len(verdict.batches) > 4


@pytest.mark.parametrize("renewals", [0, 3])
def test_the_agent_makes_the_chain_that_is_defined(renewals: int) -> None:
    g = bytes(range(32))
    summary = {"params": g.hex(), "renewals": renewals, "chainLength": 20}
    params = nwd1.th("nwd1/renewed", g, nwd1.u32(renewals)) if renewals else g
    chain, own = Chain(SECRETS["p2"], summary, 1), nwd1.player_chain(params, 1)
    far = nwd1.player_seed(SECRETS["p2"], params, 1)
    assert [chain.link(n) for n in range(21)] == [own.down(far, 20, n) for n in range(21)]
    assert chain.tip == own.down(far, 20, 0)


def _summary(**more: object) -> Json:
    seats = [{"seat": "p1", "diceTip": "aa", "linksUpto": 0, **more}]
    return {
        "seats": seats, "status": "playing", "grade": "A1", "nextBatch": 1, "firstBatch": 1,
        "chainLength": 256, "locked": None,
    }  # fmt: skip


def test_what_the_agent_gives_and_when() -> None:
    assert wanted(_summary(), "p1") == AHEAD
    assert wanted(_summary(diceTip=""), "p1") == 0
    assert wanted({**_summary(), "status": "open"}, "p1") == 0
    assert wanted({**_summary(linksUpto=AHEAD), "nextBatch": AHEAD // 2}, "p1") == 0
    half = {**_summary(linksUpto=AHEAD), "nextBatch": AHEAD // 2 + 1}
    assert wanted(half, "p1") == AHEAD + AHEAD // 2
    assert wanted({**half, "chainLength": 70}, "p1") == 70
    sealed = {**_summary(linksUpto=4), "grade": "A2"}
    assert wanted(sealed, "p1") == 0
    lock = {"seat": "p2", "batch": 9, "due": "", "missing": ["p1"]}
    assert wanted({**sealed, "locked": lock}, "p1") == 9
    assert wanted({**sealed, "locked": {**lock, "missing": []}}, "p1") == 0


def agent(server: Running, game: str, seat: str, kept: Path, *more: str) -> list[str]:
    line = [sys.executable, "-m", "service.cli", "agent", game, "--url", server.url]
    return [*line, "--seat", seat, "--file", str(kept), "--json", *more]


def test_two_agents_as_programs_of_their_own(server: Running, tmp_path: Path) -> None:
    with DecklogClient(server.url) as host:
        game = opened(host, "A2")["id"]
        files = {seat: tmp_path / f"{seat}.json" for seat in SECRETS}
        for seat, kept in files.items():
            line = agent(server, game, seat, kept, "--take")
            assert subprocess.run(line, cwd=ROOT, check=False).returncode == 0
            assert kept.stat().st_mode & 0o777 == 0o600
            again = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True)
            assert (again.returncode, "cannot be made" in again.stderr) == (2, True)
        told = {seat: json.loads(kept.read_text("utf-8")) for seat, kept in files.items()}
        lines = [agent(server, game, seat, kept) for seat, kept in files.items()]
        running_ = [subprocess.Popen(line, cwd=ROOT, stdout=subprocess.DEVNULL) for line in lines]
        try:
            after = 0
            while (now := host.summary(game))["status"] != "finished":
                if now["locked"] is None:
                    seat = now["toMove"][0]["seat"]
                    player = host.as_holder(told[seat]["token"])
                    player.act(game, fire)
                elif after < now["version"]:
                    after = now["version"]
                    next(iter(host.events(game, after, follow=True)), None)
            assert [each.wait(60) for each in running_] == [0, 0]
        finally:
            for each in running_:
                each.kill()
                each.wait()
        verdict = verify(host.evidence(game), GAMES, grade="A2")
    assert (verdict.word, verdict.absences) == ("UPHELD", {}), verdict.text()


def test_what_is_no_file_of_an_agent_is_a_mistake(server: Running, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    for text in ("", "{}", '{"game":"g","seat":"p1","token":"","secret":"00"}'):
        kept.write_text(text, "utf-8")
        line = agent(server, "0" * 32, "p1", kept)
        found = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True)
        assert found.returncode == 2, found.stderr
