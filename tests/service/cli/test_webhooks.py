"""``webhooks listen`` tells a receiver what the service's own webhook would tell it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from service.bots import DecklogClient
from service.webhooks.overheard import Overheard, frames
from tests.service.cli.conftest import spawn
from tests.support import receiver as receivers
from tests.support.receiver import Letter, Receiver
from tests.support.server import ROOT, Running, running

SECRET = "whsec_" + "QUJD" * 10 + "QUI="
WAIT = 60
ROLES = ["--role", "moved", "--role", "lost"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("listen")
    with running(folder, "pennant", webhook_private="true") as server:
        yield server


@contextmanager
def listening(server: Running, game: str, to: str, *more: str) -> Iterator[subprocess.Popen[str]]:
    line = [sys.executable, "-m", "service.cli", "webhooks", "listen", game, "--to", to]
    line += ["--url", server.url, "--secret", SECRET, *more]
    process = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"secret {SECRET}\n"
        yield process
    finally:
        process.kill()
        process.communicate()


Waits = Callable[[list[Any], str], None]
"""Is told who is asked now, and by whose command; waits until both have been told of it."""


def play_to_the_end(server: Running, made: Any, waits: Waits = lambda asked, actor: None) -> None:
    """Each seat gives its first command, until the game is over."""
    seats = {each["seat"]: each["token"] for each in made["tokens"]}
    with DecklogClient(server.url) as client:
        game, actor = made["game"]["id"], ""
        while asked := client.summary(game)["toMove"]:
            waits(asked, actor)
            actor = asked[0]["seat"]
            seat = client.as_holder(seats[actor])
            seat.act(game, lambda listed: listed["items"][0]["command"])


class InStep:
    """Lets the game go on when service and listener have told of all turns so far.

    Turns that come at once have one moment together, of which the listener tells as of one.
    """

    def __init__(self, receiver: Receiver, seat: str) -> None:
        self.receiver, self.seat = receiver, seat
        self.asked: dict[str, Any] = {}
        self.turns = 0

    def __call__(self, asked: list[Any], actor: str) -> None:
        now = {each["seat"]: each for each in asked}
        new = {
            seat for seat, question in now.items()
            if seat not in self.asked or (question != self.asked[seat] and seat != actor)
        }  # fmt: skip
        self.asked, self.turns = now, self.turns + len(new & {self.seat or seat for seat in new})
        with self.receiver.changed:
            assert self.receiver.changed.wait_for(self._told, WAIT)

    def _told(self) -> bool:
        lists = (told(self.receiver.letters, path) for path in ("/own", "/heard"))
        return all([kind for kind, _ in each].count("your-turn") >= self.turns for each in lists)


def told(letters: list[Letter], path: str) -> list[Any]:
    """What the letters say, without the time at which each was made."""
    found = [each.message for each in letters if each.path == path]
    return [(each["type"], each["data"]) for each in found]


@pytest.mark.parametrize(("seat", "more"), [("", ROLES), ("p1", [])])
def test_a_receiver_hears_what_the_service_would_tell_it(
    server: Running, seat: str, more: list[str]
) -> None:
    with receivers.running() as receiver, DecklogClient(server.url) as client:
        made = client.create_game(ruleset="pennant", options={"turns": 4})
        game = made["game"]["id"]
        holder = next(
            (each["token"] for each in made["tokens"] if each["seat"] == seat),
            made["organiser"],
        )
        wishes = {"roles": more[1::2]} if more else {}
        client.as_holder(holder)._post(
            f"/v1/games/{game}/webhooks", {"url": receiver.url("/own"), **wishes}
        )
        more = [*more, "--seat", seat] if seat else more
        with listening(server, game, receiver.url("/heard"), *more) as process:
            play_to_the_end(server, made, InStep(receiver, seat))
            assert process.wait(WAIT) == 0
            assert process.stdout is not None
            said = process.stdout.read().splitlines()
        heard = told(receiver.letters, "/heard")
        receiver.await_letters(2 * len(heard))
        assert heard == told(receiver.letters, "/own")
        assert [kind for kind, _ in heard].count("game-over") == 1
        assert {"your-turn"} < {kind for kind, _ in heard}
        assert said == [f"{kind} at version {data['seq']}: 204" for kind, data in heard]
        for letter in receiver.letters:
            if letter.path == "/heard":
                Webhook(SECRET).verify(letter.body, letter.headers)


def test_what_is_not_taken_is_sent_again_and_410_ends_it(server: Running) -> None:
    with receivers.running() as receiver, DecklogClient(server.url) as client:
        made = client.create_game(ruleset="pennant", options={"turns": 4})
        receiver.behave(503, 204, 410)
        with listening(server, made["game"]["id"], receiver.url("/hook")) as process:
            play_to_the_end(server, made)
            assert process.wait(WAIT) == 0
        first, again, last = receiver.letters
        assert first.headers["webhook-id"] == again.headers["webhook-id"]
        assert first.body == again.body
        assert last.headers["webhook-id"] != first.headers["webhook-id"]


def test_what_cannot_be_listened_to_is_said(server: Running) -> None:
    at = ("--url", server.url, "--to", "http://127.0.0.1:9/")
    done = spawn("webhooks", "listen", "0" * 32, *at)
    assert (done.code, "game.not-found" in done.err) == (2, True)
    with DecklogClient(server.url) as client:
        made = client.create_game(ruleset="pennant", options={"turns": 1})
        done = spawn("webhooks", "listen", made["game"]["id"], "--seat", "p9", *at)
        assert (done.code, "seat p9" in done.err) == (2, True)
        play_to_the_end(server, made)
        done = spawn("webhooks", "listen", made["game"]["id"], *at)
        assert (done.code, "The game is over" in done.err) == (2, True)


def test_a_stream_is_cut_into_what_it_tells() -> None:
    lines = ["retry: 2000", "", "id: 3", "event: a.b", 'data: {"seq":3}', "", ": alive", ""]
    assert [*frames(lines)] == [("a.b", {"seq": 3})]
    assert [*frames([*lines, "event: cut", 'data: {"seq":4}'])] == [("a.b", {"seq": 3})]


def test_an_event_that_comes_twice_is_told_once() -> None:
    overheard = Overheard(2, [{"seat": "p1"}])
    event = {"seq": 3, "actor": "p1", "roles": [{"role": "lost", "unit": "a", "seat": "p2"}]}
    assert [news.type for news in overheard.take("x.lost", event)] == ["happened"]
    assert [*overheard.take("x.lost", event)] == []
    moment = {"version": 3, "toMove": [{"seat": "p1", "rule": "PEN-9"}, {"seat": "p2"}]}
    assert [(news.type, news.seat) for news in overheard.take("moment", moment)] == [
        ("your-turn", "p2")
    ], "p1 only goes on with its own"
