"""``decklog admin``: a service that is at work obeys, on either store, at whatever worker."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.evidence.verify import verify
from tests.service.cli.conftest import Done, Run
from tests.service.cli.test_admin_page import entered, page_of
from tests.service.http.table import Match, Table, code
from tests.service.ops.play import create
from tests.service.ops.test_metrics import give
from tests.support import postgres
from tests.support.pennant import GAME
from tests.support.server import Running, running

SOON = 2.0
"""Seconds within which whatever an operator asks for is done, at every worker."""

PASS = {"type": "pennant.pass"}
SIGNED = ("--by", "harbour master", "--why", "SECRETWHY")


@dataclass
class Fleet:
    """Workers on one store, a table at each, and where the command line finds the store."""

    servers: list[Running]
    tables: list[Table]
    where: tuple[str, ...]
    environment: dict[str, str]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def fleet(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    folder = tmp_path_factory.mktemp("fleet")
    told: dict[str, Any] = {"chain_length": 64}
    environment: dict[str, str] = {}
    where: tuple[str, ...] = ("--database", str(folder / "decklog.sqlite"))
    if request.param == "postgresql":
        server = request.getfixturevalue("postgresql")
        told |= {"store": postgres.place(server, str(folder)), "key": postgres.KEY}
        environment = {"DECKLOG_STORE": told["store"], "DECKLOG_KEY": told["key"]}
        where = ()
    with ExitStack() as stack:
        count = 2 if environment else 1
        servers = [stack.enter_context(running(folder, "pennant", **told)) for _ in range(count)]
        clients = [
            stack.enter_context(httpx.Client(base_url=each.url, timeout=20)) for each in servers
        ]
        yield Fleet(servers, [Table.at(client) for client in clients], where, environment)


Admin = Any


@pytest.fixture
def admin(run: Run, fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> Admin:
    """Runs a command of ``decklog admin``; it says how long that took."""
    for name, value in fleet.environment.items():
        monkeypatch.setenv(name, value)

    def call(*args: object) -> Done:
        began = time.monotonic()
        done = run("admin", *args, *SIGNED, *fleet.where)
        assert time.monotonic() - began < SOON + 2, "the machine may be busy, but not so busy"
        return done

    return call


def ok(done: Done) -> str:
    assert done.code == 0, done.err
    return done.out.rstrip("\n")


def refused_everywhere(fleet: Fleet, match: Match, wanted: str) -> None:
    """Within two seconds, at each worker."""
    for table in fleet.tables:
        until = time.monotonic() + SOON
        given = ""
        while given != wanted and time.monotonic() < until:
            version = table.get(match.path).json().get("version", 1)
            given = code(table.command(match, "p1", PASS, version))
        assert given == wanted


def test_a_game_is_frozen_and_thawed_at_every_worker(fleet: Fleet, admin: Admin) -> None:
    match = fleet.tables[0].create()
    fleet.tables[0].choose_colours(match)
    assert ok(admin("freeze", match.id, "--tell", "a complaint")) == f"Game {match.id} is frozen."
    refused_everywhere(fleet, match, "game.frozen")
    for table in fleet.tables:
        paused = table.get(match.path).json()["paused"]
        assert (paused["reason"], paused["orders"]) == ("a complaint", False)
        check = table.post(f"{match.path}/commands/check", PASS, match.tokens["p1"])
        assert code(check) == "game.frozen"
        taken = table.post(f"{match.path}/seats", {"seat": "p1"})
        assert code(taken) == "seat.taken"
    refused = admin("freeze", match.id)
    refused.assert_mistake("ruling.impossible")
    assert "stopped already" in refused.err
    assert ok(admin("thaw", match.id)) == f"Game {match.id} goes on."
    for table in fleet.tables:
        assert table.get(match.path).json()["paused"] is None
    assert fleet.tables[-1].command(match, "p1", PASS).status_code == 200


def seen(game: str, run: Run, *where: object) -> str:
    """What ``status`` says of the games that rules have frozen, as soon as it names that one."""
    until = time.monotonic() + SOON
    while True:
        said = run("admin", "status", *where).out
        told = "\n".join(line for line in said.splitlines() if " by its rules " in line)
        if game in told:
            return told
        assert time.monotonic() < until


def test_a_game_that_its_rules_have_frozen_is_named_and_thawed(tmp_path: Path, run: Run) -> None:
    """By the name that the command line tells, and seen on the operator's page; no restart."""
    token, where = tmp_path / "operator.token", ("--database", tmp_path / "decklog.sqlite")
    with (
        running(tmp_path, "stuck", chain_length=64, work_processes=0) as server,
        httpx.Client(base_url=server.url, timeout=30) as client,
    ):
        game = create(client, "pennant", options={"turns": 12})
        run("admin", "thaw", game.id, *SIGNED, *where).assert_mistake("ruling.impossible")
        assert give(client, game, "steady") == give(client, game, "bold") == "game.damaged"
        assert f"frozen     {game.id} at " in seen(game.id, run, *where)
        with page_of(server.database, token) as (url, _), httpx.Client(base_url=url) as browser:
            entered(browser, token.read_text().strip())
            shown = browser.get("/").text.partition("Frozen by their rules")[2]
            assert game.id in shown
        assert ok(run("admin", "thaw", game.id, *SIGNED, *where)) == f"Game {game.id} goes on."
        until = time.monotonic() + SOON
        while (code_ := give(client, game, "bold")) == "game.damaged":
            assert time.monotonic() < until
        assert code_ == ""
        assert any(f"game {game.id} is tried again" in line for line in server.lines)
        other = create(client, "pennant", options={"turns": 12})
        assert give(client, other, "steady") == "game.damaged"
        assert game.id not in seen(other.id, run, *where)
        ruling = ("--tell", "It comes to no end.")
        ended = f"Game {other.id} is ended."
        assert ok(run("admin", "end", other.id, *SIGNED, *ruling, *where)) == ended
        until = time.monotonic() + SOON
        while give(client, other, "bold") != "game.over":
            assert time.monotonic() < until


def test_streams_hear_of_a_ruling_and_end_with_the_game(fleet: Fleet, admin: Admin) -> None:
    match = fleet.tables[0].create()
    seen: list[str] = []

    def follow() -> None:
        headers = {
            "Accept": "application/x-ndjson",
            "Authorization": f"Bearer {match.tokens['p2']}",
        }
        url = f"{fleet.servers[-1].url}{match.path}/events"
        with httpx.stream("GET", url, headers=headers, timeout=30) as stream:
            seen.extend(json.loads(line)["type"] for line in stream.iter_lines() if line)

    listener = threading.Thread(target=follow)
    listener.start()
    ok(admin("pause", match.id))
    assert ok(admin("end", match.id, "--tell", "One person.")) == f"Game {match.id} is ended."
    listener.join(20)
    assert not listener.is_alive()
    assert seen[-3:] == ["decklog.paused", "decklog.ended-by-ruling", "decklog.master-opened"]
    refused_everywhere(fleet, match, "game.over")
    for table in fleet.tables:
        known = table.get(match.path).json()
        assert (known["ruling"], known["abandoned"], known["paused"]) == ("One person.", True, None)
        verdict = verify(table.get(f"{match.path}/evidence").content, {"pennant": GAME})
        assert verdict.word == "UPHELD"
        assert any("One person." in note for note in verdict.notes)
    missing = admin("end", match.id)
    assert (missing.code, "--tell" in missing.err) == (2, True)


def test_a_hidden_game_is_in_no_list_and_a_deleted_one_is_gone(fleet: Fleet, admin: Admin) -> None:
    fleet.tables[0].create()
    before = fleet.tables[0].get("/v1/statistics").json()
    match = fleet.tables[0].create()
    fleet.tables[0].play_out(match)
    lists = ("/v1/games", "/v1/games?sort=activity", "/v1/results", "/v1/dice?limit=200")
    for table in fleet.tables:
        assert [match.id in table.get(path).text for path in lists] == [True] * 4
        assert table.get("/v1/statistics").json() != before
    ok(admin("hide", match.id))
    for table in fleet.tables:
        assert [match.id in table.get(path).text for path in lists] == [False] * 4
        assert table.get("/v1/statistics").json() == before, "else it would tell how it ended"
        assert table.get(match.path).status_code == 200
    ok(admin("show", match.id))
    admin("delete", match.id).assert_mistake("gone for good")
    known = fleet.tables[0].get(match.path).json()
    ok(admin("delete", match.id, "--yes", "--tell", "The law asks for it."))
    for table in fleet.tables:
        for path in ("", "/view", "/events", "/evidence", "/commands", "/rolls"):
            answer = table.get(f"{match.path}{path}", match.tokens["p1"])
            assert (answer.status_code, code(answer)) == (410, "game.deleted"), path
        gone = table.get(match.path).json()
        assert f"number {known['version']}" in gone["hint"] + gone["detail"]
        assert [match.id in table.get(path).text for path in lists] == [False] * 4


def test_a_token_is_listed_revoked_and_made_anew(fleet: Fleet, admin: Admin, run: Run) -> None:
    match = fleet.tables[0].create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "open"}])
    listed = run("admin", "tokens", match.id, "--json", *fleet.where).json
    kinds = sorted((t["kind"], t["seat"], t["revoked"]) for t in listed)
    assert kinds == [("organiser", "", ""), ("seat", "p1", "")]
    mine = next(t["token"] for t in listed if t["kind"] == "seat")
    for table in fleet.tables:
        assert table.get(match.path, match.tokens["p1"]).status_code == 200
    assert mine in match.tokens["p1"]
    assert match.tokens["p1"] not in run("admin", "tokens", match.id, *fleet.where).out
    said, new = ok(admin("reissue", match.id, "p1")).splitlines()
    assert said == f"A new token of seat p1 in game {match.id}:"
    admin("reissue", match.id, "p2").assert_mistake("ruling.impossible")
    soon(fleet, match.path, match.tokens["p1"], "token.invalid")
    for table in fleet.tables:
        assert table.get(match.path, new).status_code == 200
    kept = run("store", "acts", "--json", *fleet.where).out
    assert new not in kept
    ok(admin("revoke", new.split("_")[2]))
    soon(fleet, match.path, new, "token.invalid")
    admin("revoke", mine).assert_mistake("ruling.impossible")


def soon(fleet: Fleet, path: str, token: str, wanted: str) -> None:
    """At each worker, within two seconds, whoever asks so is told that."""
    for table in fleet.tables:
        until = time.monotonic() + SOON
        given = None
        while given != wanted and time.monotonic() < until:
            answer = table.get(path, token)
            given = code(answer) if answer.status_code >= 400 else ""
        assert given == wanted


def test_a_token_is_banned_and_let_in_again(fleet: Fleet, admin: Admin, run: Run) -> None:
    match = fleet.tables[0].create()
    token = match.tokens["p1"]
    name = token.split("_")[2]
    ok(admin("ban", name, "--hours", 1))
    soon(fleet, match.path, token, "caller.banned")
    assert fleet.tables[0].get(match.path, match.tokens["p2"]).status_code == 200
    (curb,) = run("admin", "curbs", "--json", *fleet.where).json
    assert (curb["who"], curb["rate"]) == (f"token:{name}", 0)
    ok(admin("quota", name, 3))
    soon(fleet, match.path, token, "")
    for table in fleet.tables:
        given = [table.get(match.path, token).status_code for _ in range(5)]
        assert 429 in given
    ok(admin("lift", name))
    soon(fleet, match.path, token, "")
    assert run("admin", "curbs", "--json", *fleet.where).json == []


def test_a_network_is_banned_and_its_address_is_in_no_log(
    fleet: Fleet, admin: Admin, run: Run
) -> None:
    match = fleet.tables[0].create()
    try:
        ok(admin("ban", "127.0.0.0/8"))
        soon(fleet, match.path, "", "caller.banned")
        for table in fleet.tables:
            assert table.get("/readyz").status_code == 200
    finally:
        ok(admin("lift", "127.0.0.0/8"))
    soon(fleet, match.path, "", "")
    ok(admin("ban", "2001:db8::1"))
    # One caller has all of the /64; lifting something else is no success.
    admin("lift", "2001:db8::1/128").assert_mistake("ruling.impossible")
    ok(admin("lift", "2001:db8::2"))
    told = run("store", "acts", "--json", *fleet.where).out
    lines = "\n".join(line for server in fleet.servers for line in server.lines)
    assert "curb" in told
    for address in ("127.0.0.0", "2001:db8"):
        assert address not in told
        assert f"{address}/" not in lines
    admin("ban", "somebody").assert_mistake("neither a token")
    for beyond in (("quota", "2001:db8::1", 10**30), ("ban", "2001:db8::1", "--hours", 10**15)):
        assert admin(*beyond).code == 2
    assert not any("a commit failed" in line for server in fleet.servers for line in server.lines)


def test_the_clocks_of_all_games_are_stopped_and_run_again(fleet: Fleet, admin: Admin) -> None:
    timed, other = fleet.tables[0].create(deadline=3600), fleet.tables[0].create()
    admin("pause", "--all", timed.id).assert_mistake("Name a game")
    admin("pause").assert_mistake("Name a game")
    ok(admin("pause", "--all", "--tell", "a flood"))
    for table in fleet.tables:
        known = table.get(timed.path).json()
        assert (known["paused"]["orders"], known["due"]) == (True, {})
        assert table.get(other.path).json()["paused"] is None
    ok(admin("resume", "--all"))
    for table in fleet.tables:
        known = table.get(timed.path).json()
        assert known["paused"] is None
        assert known["due"].keys() == {"p1", "p2"}


def test_an_announcement_is_told_by_every_worker(fleet: Fleet, admin: Admin) -> None:
    for text in ("We move on Sunday.", ""):
        ok(admin("announce", text))
        for table in fleet.tables:
            until = time.monotonic() + SOON
            while (found := table.get("/v1").json()["announcement"]) != text:
                assert time.monotonic() < until, found


def test_the_store_is_seen_at_a_glance(fleet: Fleet, admin: Admin, run: Run) -> None:
    frozen, paused, hidden, gone = (fleet.tables[0].create(name="SECRETNAME") for _ in range(4))
    before = run("admin", "status", "--json", *fleet.where).json
    ok(admin("freeze", frozen.id))
    ok(admin("pause", paused.id))
    ok(admin("hide", hidden.id))
    ok(admin("delete", gone.id, "--yes"))
    until = time.monotonic() + 30 * SOON
    while run("admin", "waiting", "--json", *fleet.where).json:
        assert time.monotonic() < until, "what is left to do after a deletion is done"
    found = run("admin", "status", "--json", *fleet.where).json
    assert set(found["frozen"]) - set(before["frozen"]) == {frozen.id}
    assert set(found["paused"]) - set(before["paused"]) == {paused.id}
    more = {name: found["counts"][name] - count for name, count in before["counts"].items()}
    assert {name: count for name, count in more.items() if count} == {"hidden": 1, "deleted": 1}
    assert (found["damaged"], found["silent"], found["former"]) == ([], [], {"": 0})
    assert found["events"] > 0
    assert found["bytes"] > 0
    assert {"lobby", "results", "dice", "statistics"} <= found["behind"].keys()
    said = run("admin", "status", *fleet.where).out
    assert frozen.id in said
    assert "SECRETNAME" not in said + str(found)


def test_what_is_kept_of_a_person_is_given_out_and_taken_away(
    fleet: Fleet, admin: Admin, run: Run
) -> None:
    match = fleet.tables[0].create()
    fleet.tables[0].choose_colours(match)
    person = ("person", "export", match.id, "p1")
    found = run("admin", *person, *SIGNED, *fleet.where).json
    assert [each["command"]["type"] for each in found["orders"]] == ["pennant.choose"]
    assert [(t["kind"], t["revoked"]) for t in found["tokens"]] == [("seat", "")]
    assert match.tokens["p1"] not in str(found)
    admin("person", "forget", match.id, "p1").assert_mistake("gone for good")
    assert "The record of the game stays" in ok(admin("person", "forget", match.id, "p1", "--yes"))
    soon(fleet, match.path, match.tokens["p1"], "token.invalid")
    soon(fleet, match.path, match.tokens["p2"], "")
    found = run("admin", *person, *SIGNED, *fleet.where).json
    assert len(found["orders"]) == 1
    acts = run("store", "acts", match.id, "--json", *fleet.where).json
    assert [each["act"] for each in acts] == ["person-export", "forget", "person-export"]


def test_what_nobody_does_waits_and_can_be_taken_back(
    run: Run, tmp_path: Path, fleet: Fleet
) -> None:
    where = ("--database", tmp_path / "decklog.sqlite")
    with (
        running(tmp_path, "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        match = Table.at(client).create()
    first, second = (
        run("admin", act, match.id, *SIGNED, "--wait", 0, *where) for act in ("hide", "freeze")
    )
    first.assert_mistake("Nobody has done it", code=75)
    assert (second.code, "withdraw" in second.err) == (75, True)
    waiting = run("admin", "waiting", "--json", *where).json
    assert [(each["act"], each["game"]) for each in waiting] == [
        ("hide", match.id), ("freeze", match.id),
    ]  # fmt: skip
    assert ok(run("admin", "withdraw", waiting[1]["id"], *where)) == "It is taken back."
    run("admin", "withdraw", waiting[1]["id"], *where).assert_mistake("Nothing waits")
    with (
        running(tmp_path, "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        until = time.monotonic() + 10
        while run("admin", "waiting", "--json", *where).json:
            assert time.monotonic() < until
        table = Table.at(client)
        assert match.id not in table.get("/v1/games").text
        assert table.get(match.path).json()["paused"] is None
    (act,) = run("store", "acts", "--json", *where).json
    assert (act["act"], act["operator"], act["game"]) == ("hide", "harbour master", match.id)


def _at_rest(tmp_path: Path, **told: Any) -> tuple[Match, tuple[str, ...]]:
    """A game in a store at which nobody is at work any more, and where the store is."""
    with (
        running(tmp_path, "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url, timeout=20) as client,
    ):
        match = Table.at(client).create(**told)
    return match, ("--database", str(tmp_path / "decklog.sqlite"))


def test_an_act_that_will_be_done_ends_otherwise_than_one_that_was_not(
    tmp_path: Path, run: Run
) -> None:
    match, where = _at_rest(tmp_path)
    assert run("admin", "freeze", match.id, *SIGNED, "--wait", 0, *where).code == 75
    assert run("admin", "freeze", "0" * 32, "--by", " ", "--why", "w", *where).code == 2


def test_a_new_token_is_made_for_nobody_who_has_gone(tmp_path: Path, run: Run) -> None:
    """Its secret is told once, to whoever waits: a seat would be locked out of its game."""
    match, where = _at_rest(tmp_path)
    done = run("admin", "reissue", match.id, "p1", *SIGNED, "--wait", 0, *where)
    assert (done.code, "Nothing was done" in done.err) == (2, True)
    assert run("admin", "waiting", "--json", *where).json == []


def test_all_clocks_are_asked_for_before_the_first_is_waited_for(tmp_path: Path, run: Run) -> None:
    with running(tmp_path, "pennant", chain_length=64) as server:
        with httpx.Client(base_url=server.url, timeout=20) as client:
            games = {Table.at(client).create(deadline=600).id for _ in range(12)}
        where = ("--database", str(tmp_path / "decklog.sqlite"))
        began = time.monotonic()
        done = run("admin", "pause", "--all", *SIGNED, "--json", *where)
        took = time.monotonic() - began
    assert {each["game"] for each in done.json} == games
    assert took < len(games) - 2, "each waits for a look of the clerk of its own"


@pytest.mark.parametrize(
    "given",
    [
        ("--by", "", "--why", "w"),
        ("--by", "b", "--why", "  "),
        ("--by", "evil\n2026-11-27T05:12:25.266Z  root  delete", "--why", "w"),
        ("--by", "b", "--why", "\x1b[2J"),
        ("--by", "b" * 101, "--why", "w"),
        ("--by", "b", "--why", "w" * 1_001),
        ("--by", "b", "--why", "w", "--tell", "t" * 1_001),
    ],
)
def test_who_and_why_are_a_line_that_says_something(
    tmp_path: Path, run: Run, given: tuple[str, ...]
) -> None:
    match, where = _at_rest(tmp_path)
    assert run("admin", "freeze", match.id, *given, "--wait", 0, *where).code == 2
    assert run("admin", "waiting", "--json", *where).json == []


@pytest.mark.parametrize("whom", ["0.0.0.0/0", "::/0"])
def test_nobody_bans_everybody(run: Run, whom: str) -> None:
    run("admin", "ban", whom, *SIGNED).assert_mistake("is everybody")


def test_what_may_be_a_token_is_not_said_again(run: Run) -> None:
    done = run("admin", "ban", "dl_seat_0123456789abcdef_SECRET", *SIGNED)
    assert (done.code, "SECRET" in done.err + done.out) == (2, False)


def test_nothing_is_asked_of_a_store_that_is_not_there(run: Run, tmp_path: Path) -> None:
    where = ("--database", tmp_path / "none.sqlite")
    run("admin", "freeze", "0" * 32, *SIGNED, *where).assert_mistake("There is no store")
    assert not (tmp_path / "none.sqlite").exists()


def test_no_token_and_no_word_of_the_operator_is_in_the_log(fleet: Fleet, admin: Admin) -> None:
    match = fleet.tables[0].create(name="SECRETNAME")
    ok(admin("freeze", match.id, "--tell", "SECRETTELL"))
    time.sleep(0.1)
    lines = "\n".join(line for server in fleet.servers for line in server.lines)
    assert f"the operator's freeze of game {match.id}" in lines
    assert "SECRET" not in lines
    assert "dl_seat_" not in lines
