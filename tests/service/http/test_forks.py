"""What if, over HTTP: forks of running and of finished games, and what they must not tell."""

from __future__ import annotations

import json
import threading
import time
from itertools import pairwise
from typing import Any

import pytest

from domain.kernel.finder import games
from service.evidence.verdict import UPHELD
from service.evidence.verify import verify
from service.play.forks import chooser
from service.views.threads import DIGGERS
from tests.service.http.table import Match, Table, code
from tests.service.http.test_differences import applied
from tests.support.pennant import GAME

PENNANT = {"pennant": GAME}


@pytest.fixture
def match(table: Table) -> Match:
    """Colours are chosen; p1 has fired once."""
    made = table.create(options={"turns": 4}, seed="parent")
    table.choose_colours(made)
    assert table.command(made, "p1", {"type": "pennant.fire", "aim": "hull"}).status_code == 200
    return made


def forked(table: Table, parent: Match, token: str = "", **body: Any) -> Match:
    answer = table.post(f"{parent.path}/forks", body, token)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert made["game"]["fork"]["game"] == parent.id
    tokens = {each["seat"]: each["token"] for each in made["tokens"]}
    return Match(made["game"]["id"], tokens, made["organiser"], answer)


def state(table: Table, game: Match, seat: str = "p1", at: int = 0) -> Any:
    version = at or game.created.json()["game"]["version"]
    return table.get(f"{game.path}/view?at={version}", game.tokens[seat]).json()["state"]


def play_out(table: Table, game: Match) -> None:
    """To the end; only a token of the fork sees whose turn it is."""
    for _ in range(50):
        summary = table.get(game.path, game.tokens["p1"]).json()
        if summary["status"] == "finished":
            return
        seat = summary["toMove"][0]["seat"]
        offer = table.options(game, seat)
        body = offer["items"][0]["command"]
        assert table.command(game, seat, body, offer["version"]).status_code == 200
    raise AssertionError("the fork does not end")


def awaiting(table: Table, game: Match) -> int:
    """The version at which the first dice were asked for."""
    return int(table.get(f"{game.path}/rolls").json()["items"][0]["seq"]) - 1


def test_a_fork_goes_on_from_any_version_with_other_commands(table: Table, match: Match) -> None:
    before = awaiting(table, match) - 1
    fork = forked(table, match, match.tokens["p1"], at=before)
    assert state(table, fork) == state(table, match, at=before)
    version = fork.created.json()["game"]["version"]
    other = table.command(fork, "p1", {"type": "pennant.pass"}, version)
    assert other.status_code == 200
    assert state(table, fork, at=other.json()["version"])["points"] == [0, 0]
    stood = table.version(match)
    play_out(table, fork)
    assert table.version(match) == stood


def test_a_fork_does_not_wait_behind_those_who_go_through_whole_games(
    table: Table, match: Match
) -> None:
    """What is posted has a short deadline, and of its parent a fork needs the first event alone."""
    released = threading.Event()
    diggers = table.client.app.state.http.desk.threads.diggers
    digging = [diggers.submit(released.wait, 60) for _ in range(DIGGERS)]
    try:
        forked(table, match, match.tokens["p1"])
        assert not any(each.done() for each in digging)
    finally:
        released.set()


def test_a_fork_may_throw_the_awaited_dice_anew_or_choose_them(table: Table, match: Match) -> None:
    at = awaiting(table, match)
    chosen = forked(table, match, at=at, faces=[[6, 6, 1]])
    assert state(table, chosen)["points"] == [2, 0]
    again = [
        table.get(f"{f.path}/rolls", f.tokens["p1"]).json()["items"][0]["faces"]
        for f in (forked(table, match, at=at, seed=f"seed {n}") for n in range(6))
    ]
    assert len({json.dumps(faces) for faces in again}) > 1
    same = forked(table, match, at=at, seed="seed 0")
    assert (
        table.get(f"{same.path}/rolls", same.tokens["p1"]).json()["items"][0]["faces"] == again[0]
    )
    for faces in ([[7, 1, 1]], [[1]], [[1, 1, 1], [1]]):
        refused = table.post(f"{match.path}/forks", {"at": at, "faces": faces})
        assert code(refused) == "fork.wrong-faces"
    assert code(table.post(f"{match.path}/forks", {"faces": [[1]]})) == "fork.no-dice"


def test_between_two_events_of_a_command_there_is_no_position(table: Table) -> None:
    match = table.create(options={"turns": 1})
    table.choose_colours(match)
    assert code(table.post(f"{match.path}/forks", {"at": 1})) == "version.unknown"
    assert code(table.post(f"{match.path}/forks", {"at": 4})) == "fork.between"
    table.command(match, "p1", {"type": "pennant.pass"})
    assert code(table.post(f"{match.path}/forks", {})) == "game.over"
    assert code(table.post(f"{match.path}/forks", {"at": 99})) == "version.unknown"


def test_no_version_inside_a_command_is_forked_unless_dice_are_awaited(
    table: Table, match: Match
) -> None:
    """Somebody may be asked there already; what the command has yet to do would be lost."""
    table.play_out(match)
    events = table.get(f"{match.path}/events?limit=200").json()["items"]
    asked = set()
    for event, following in pairwise(events[2:]):
        at = event["seq"]
        told = table.get(f"{match.path}/moment?at={at}&as=truth").json()
        inside = event["causedBy"] == following["causedBy"]
        dice = "decklog.batch-rolled" in (event["type"], following["type"])
        answer = table.post(f"{match.path}/forks", {"at": at})
        if event["type"] == "decklog.game-closed":
            assert code(answer) == "game.over"
        elif inside and not dice:
            assert code(answer) in ("fork.between", "game.over")
            asked.add(bool(told["toMove"]))
        else:
            assert answer.status_code == 201
    assert asked == {True, False}


def test_dice_that_end_the_game_leave_nothing_to_play(table: Table) -> None:
    match = table.create(options={"turns": 1})
    table.choose_colours(match)
    assert table.command(match, "p1", {"type": "pennant.fire", "aim": "hull"}).status_code == 200
    at = awaiting(table, match)
    refused = table.post(f"{match.path}/forks", {"at": at, "faces": [[6, 6, 6]]})
    assert code(refused) == "game.over"
    assert forked(table, match, at=at).id != match.id, "thrown anew, they may end it"


def test_what_is_made_up_comes_from_the_seed_that_is_shown() -> None:
    one, again, other = chooser("one"), chooser("one"), chooser("other")
    drawn = [[choose(1_000) for _ in range(20)] for choose in (one, again, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) > 10, "each draw is another"
    assert all(0 <= each < 1_000 for each in drawn[0])


def test_nobody_else_learns_that_a_fork_exists(table: Table, match: Match) -> None:
    lobby = table.get("/v1/games").json()
    before = [table.get(f"{match.path}{part}").content for part in ("", "/events", "/rolls")]
    fork = forked(table, match, match.tokens["p1"], name="mine")
    for token in ("", match.tokens["p1"], match.tokens["p2"], match.organiser):
        for part in ("", "/view", "/events", "/commands", "/rolls", "/evidence", "/moment"):
            hidden = table.get(f"{fork.path}{part}", token)
            absent = table.get(f"/v1/games/{'0' * 32}{part}", token)
            assert code(hidden) == "game.not-found"
            told = hidden.text.replace(fork.id, "0" * 32)
            assert told == absent.text
        order = table.post(f"{fork.path}/commands", {"type": "pennant.pass"}, token, version=1)
        assert code(order) in ("game.not-found", "token.missing")
        assert code(table.post(f"{fork.path}/forks", {}, token)) == "game.not-found"
        taken = table.post(f"{fork.path}/seats", {"seat": "p1"}, token)
        assert code(taken) == "game.not-found"
    assert table.get("/v1/games").json() == lobby
    after = [table.get(f"{match.path}{part}").content for part in ("", "/events", "/rolls")]
    assert after == before


def test_a_fork_of_a_running_game_makes_up_what_its_asker_cannot_see(table: Table) -> None:
    match = table.create()
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    own = forked(table, match, match.tokens["p1"], seed="same")
    assert state(table, own)["choices"] == [{"sight": "known", "items": ["bold"]}, None]
    for token in ("", match.tokens["p2"]):
        fork = forked(table, match, token, seed="same")
        chosen, waiting = state(table, fork)["choices"]
        assert chosen["items"] in (["bold"], ["steady"])
        assert waiting is None
    refused = table.post(f"{match.path}/forks", {"viewer": "truth"}, match.tokens["p2"])
    assert code(refused) == "viewer.not-entitled"


def test_a_fork_is_compared_with_its_parent(table: Table, match: Match) -> None:
    at = awaiting(table, match)
    fork = forked(table, match, at=at, faces=[[6, 6, 6]])
    token = fork.tokens["p1"]
    assert table.command(match, "p2", {"type": "pennant.pass"}).status_code == 200
    found = table.get(f"{fork.path}/diff?with={match.id}", token).json()
    assert found["other"] == match.id
    left = next(change for change in found["changes"] if change["path"] == "/left")
    assert (left["before"], left["after"]) == (3, 2)
    assert left["events"], "the parent's own events, since the fork"
    assert min(left["events"]) > at
    sibling = forked(table, match, at=at, faces=[[1, 1, 1]])
    assert code(table.get(f"{fork.path}/diff?with={sibling.id}", token)) == "game.not-found"


def beside(table: Table, one: Match, two: Match, **more: str) -> Any:
    """Two games compared by the holder of both tokens; ``more`` are other headers or a query."""
    query = "".join(f"&{name}={value}" for name, value in more.items())
    return table.get(
        f"{one.path}/diff?with={two.id}{query}", one.tokens["p1"],
        Decklog_With_Token=two.tokens["p1"],
    )  # fmt: skip


def test_two_forks_of_one_game_are_compared_by_the_holder_of_both(
    table: Table, match: Match
) -> None:
    at = awaiting(table, match)
    lucky = forked(table, match, at=at, faces=[[6, 6, 6]])
    unlucky = forked(table, match, at=at, faces=[[1, 1, 1]])
    table.command(
        unlucky, "p2", {"type": "pennant.pass"}, unlucky.created.json()["game"]["version"]
    )
    answer = beside(table, lucky, unlucky)
    assert answer.headers["cache-control"] == "no-store"
    found = answer.json()
    assert (found["game"], found["other"]) == (lucky.id, unlucky.id)
    states = [state(table, lucky), state(table, unlucky, at=found["to"])]
    assert applied(states[0], found) == states[1]
    left = next(change for change in found["changes"] if change["path"] == "/left")
    assert left["events"] == [found["to"]], "the pass, which is an event of the other fork"
    points = next(change for change in found["changes"] if change["path"] == "/points/0")
    assert (points["events"], points["rules"]) == ([], []), "it was so when the fork began"
    same = beside(table, lucky, forked(table, match, at=at, faces=[[6, 6, 6]]))
    assert same.json()["changes"] == []


def test_games_are_compared_by_whatever_ancestor_they_share(table: Table, match: Match) -> None:
    table.play_out(match)
    one, two = forked(table, match, at=5), forked(table, match, at=5)
    first, second = (forked(table, game, game.tokens["p1"]) for game in (one, two))
    passed = table.command(
        first, "p1", {"type": "pennant.pass"}, first.created.json()["game"]["version"]
    )
    for other in (one, two, second):
        found = beside(table, first, other).json()
        assert [c["path"] for c in found["changes"] if c["path"] == "/left"] == ["/left"]
        assert found["events"] == [], "none of these has moved on"
    back = beside(table, second, first).json()
    assert {event["seq"] for event in back["events"]} == {passed.json()["version"]}
    parent = table.get(f"{first.path}/diff?with={match.id}", first.tokens["p1"]).json()
    seqs = [event["seq"] for event in parent["events"]]
    assert min(seqs) == 6, "the grandparent's own events since both went their own ways"
    shot = table.get(f"{match.path}/rolls").json()["items"][0]["event"]
    late = forked(table, match, at=shot)
    table.command(late, "p2", {"type": "pennant.pass"}, late.created.json()["game"]["version"])
    parent = table.get(f"{late.path}/diff?with={match.id}&to={shot}", late.tokens["p1"]).json()
    assert "/left" in [change["path"] for change in parent["changes"]]
    assert parent["events"] == [], "the parent at the parting has no events since"
    far = table.get(f"{late.path}/diff?with={match.id}", late.tokens["p1"]).json()
    left = next(change for change in far["changes"] if change["path"] == "/left")
    assert left["events"], "and its newest version has some"
    assert min(left["events"]) > shot
    strangers = table.create(options={"turns": 4})
    table.play_out(strangers)
    unrelated = forked(table, strangers, at=5)
    assert code(beside(table, first, unrelated)) == "diff.unrelated"


def test_the_other_games_token_opens_that_game_alone(table: Table, match: Match) -> None:
    one, two = (forked(table, match, match.tokens["p1"]) for _ in "12")
    path, own = f"{one.path}/diff?with={two.id}", one.tokens["p1"]
    for wrong in (own, match.tokens["p1"], match.organiser):
        assert code(table.get(path, own, Decklog_With_Token=wrong)) == "game.not-found"
        hidden = table.get(path, wrong, Decklog_With_Token=two.tokens["p1"])
        assert (hidden.status_code == 200) == (wrong == own)
    assert code(table.get(path, own, Decklog_With_Token="nobody's")) == "token.invalid"
    assert code(table.get(path, "", Decklog_With_Token=two.tokens["p1"])) == "game.not-found"


def test_a_seat_that_compares_its_fork_sees_of_the_parent_what_it_saw_before(
    table: Table,
) -> None:
    match = table.create()
    fork = forked(table, match, match.tokens["p2"], seed="before the choice")
    chosen = table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    assert chosen.status_code == 200
    for seat, told in (("p1", True), ("p2", False)):
        answer = table.get(
            f"{fork.path}/diff?with={match.id}", fork.tokens["p1"],
            Decklog_With_Token=match.tokens[seat],
        )  # fmt: skip
        assert ("bold" in answer.text) == told
        answer = table.get(
            f"{match.path}/diff?with={fork.id}", match.tokens[seat],
            Decklog_With_Token=fork.tokens["p1"],
        )  # fmt: skip
        assert ("bold" in answer.text) == told
    assert "bold" not in table.get(f"{fork.path}/diff?with={match.id}", fork.tokens["p1"]).text


def test_a_fork_of_a_finished_game_begins_with_the_truth_and_forks_again(
    table: Table, match: Match
) -> None:
    table.play_out(match)
    fork = forked(table, match, at=5)
    assert fork.created.json()["game"]["fork"]["viewer"] == "truth"
    again = forked(table, fork, fork.tokens["p1"])
    assert again.created.json()["game"]["fork"]["game"] == fork.id


def test_a_repeated_request_makes_one_fork(table: Table, match: Match) -> None:
    path, key = f"{match.path}/forks", "the-same-key-0123456789abcdef0123"
    one = table.post(path, {}, match.tokens["p1"], key=key)
    two = table.post(path, {}, match.tokens["p1"], key=key)
    assert one.json() == two.json()
    assert two.headers["idempotency-replayed"] == "true"
    other = table.post(path, {"name": "other"}, match.tokens["p1"], key=key)
    assert code(other) == "idempotency.key-reused"


def master(table: Table, game: Match) -> str:
    """What a game that is over has opened: the beginning of all its dice."""
    told = table.get(f"{game.path}/events?limit=200", game.tokens["p1"]).json()["items"]
    opened = next(event for event in told if event["type"] == "decklog.master-opened")
    return str(opened["data"]["master"])


def test_a_fork_that_ends_opens_no_dice_of_a_game_with_the_same_seed(
    table: Table, match: Match
) -> None:
    """Its maker names the very seed that the parent had, and plays it to its end first."""
    fork = forked(table, match, match.tokens["p1"], seed="parent")
    play_out(table, fork)
    opened = master(table, fork)
    table.play_out(match)
    assert opened != master(table, match)


def test_a_fork_is_judged_by_the_verifier(table: Table, match: Match) -> None:
    fork = forked(table, match, match.tokens["p1"])
    part = table.get(f"{fork.path}/evidence", fork.tokens["p1"]).content
    assert verify(part, PENNANT).code == UPHELD
    play_out(table, fork)
    whole = table.get(f"{fork.path}/evidence", fork.tokens["p1"]).content
    verdict = verify(whole, PENNANT)
    assert verdict.code == UPHELD
    assert any("what-if" in note and match.id in note for note in verdict.notes)


# --- with the real rulesets -----------------------------------------------------------------------


UNMEASURED = sorted(name for name, game in games().items() if game.insight.forbids)


@pytest.mark.parametrize("ruleset", sorted(set(games()) - set(UNMEASURED)))
def test_every_ruleset_is_played_on_from_every_seats_view(house: Table, ruleset: str) -> None:
    """Now and then each seat forks what it sees; the fork is played on and upheld."""
    match = house.create(ruleset=ruleset, seed=f"forks of {ruleset}")
    for step in range(9):
        game = house.get(match.path).json()
        seat = game["toMove"][0]["seat"]
        offer = house.options(match, seat)
        if step in (1, 8):
            for viewer in match.tokens:
                fork = forked(house, match, match.tokens[viewer], seed="made up")
                _play_on(house, fork, 3)
                bundle = house.get(f"{fork.path}/evidence", fork.tokens["p1"]).content
                verdict = verify(bundle, games())
                assert verdict.code == UPHELD, verdict.text()
        done = house.command(match, seat, offer["items"][0]["command"], offer["version"])
        assert done.status_code == 200, done.text


@pytest.mark.parametrize("ruleset", UNMEASURED)
def test_where_nobody_measures_before_declaring_only_a_finished_game_is_forked(
    house: Table, ruleset: str
) -> None:
    match = house.create(ruleset=ruleset, seed=f"forks of {ruleset}")
    for _ in range(8):
        seat = house.get(match.path).json()["toMove"][0]["seat"]
        offer = house.options(match, seat)
        house.command(match, seat, offer["items"][0]["command"], offer["version"])
    version = house.get(match.path).json()["version"]
    for token in (match.tokens["p1"], ""):
        refused = house.post(f"{match.path}/forks", {}, token)
        assert code(refused) == "fork.unmeasured"
        assert refused.json()["rule"] == games()[ruleset].insight.forbids
    assert house.command(match, "p2", {"type": f"{ruleset}.resign"}, version).status_code == 200
    fork = forked(house, match, at=version)
    _play_on(house, fork, 3)
    bundle = house.get(f"{fork.path}/evidence", fork.tokens["p1"]).content
    assert verify(bundle, games()).code == UPHELD


def _play_on(table: Table, fork: Match, commands: int) -> None:
    for _ in range(commands):
        game = table.get(fork.path, fork.tokens["p1"]).json()
        if game["status"] == "finished":
            return
        seat = game["toMove"][0]["seat"]
        offer = table.options(fork, seat)
        assert offer["items"], offer
        done = table.command(fork, seat, offer["items"][-1]["command"], offer["version"])
        assert done.status_code == 200, done.text


def test_bots_play_the_other_seats_of_a_what_if(table: Table, match: Match) -> None:
    made = forked(table, match, match.tokens["p1"], bots={"p2": {"strength": "easy"}})
    assert set(made.tokens) == {"p1"}
    game = made.created.json()["game"]
    assert [seat["bot"] for seat in game["seats"]] == ["", "gunner"]
    for _ in range(100):
        now = table.get(made.path, made.tokens["p1"]).json()
        if now["version"] > game["version"]:
            break
        time.sleep(0.1)
    moved = table.get(f"{made.path}/events?after={game['version']}", made.tokens["p1"]).json()
    assert moved["items"][0]["actor"] == "p2", "it was p2's turn, and nobody held it"


@pytest.mark.parametrize(
    ("bots", "says"),
    [
        ({"p9": {}}, "the game has no seat p9"),
        ({"p1": {}, "p2": {}}, "one seat at least is yours"),
        ({"p1": {"name": "nelson"}}, "bots here are gunner, random"),
    ],
)
def test_what_no_bot_of_a_what_if_can_be(
    table: Table, match: Match, bots: dict[str, Any], says: str
) -> None:
    answer = table.post(f"{match.path}/forks", {"bots": bots}, match.tokens["p1"])
    assert (answer.status_code, code(answer)) == (422, "seats.invalid"), "it fits the schema"
    assert says in answer.json()["detail"].lower()
    assert [each["pointer"] for each in answer.json()["errors"]] == ["/bots"]
