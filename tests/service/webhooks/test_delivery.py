"""Messages come to a real receiver: signed, in order, again and again, and never astray."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import WebhookVerificationError

from service.desk import open_desk
from service.settings import Settings
from service.webhooks import courier
from service.webhooks.keeper import NewWebhook, Owner
from service.webhooks.rows import due as due_rows
from service.webhooks.rows import waiting
from tests.service.desk.kit import GAMES, fresh_key, new_game, play
from tests.service.http.table import Match
from tests.service.webhooks.conftest import House, MovedClock, check_signed, housing
from tests.support import postgres
from tests.support.receiver import HANG, MOVED, Receiver
from tests.support.server import ROOT

OPENED = 1
"""Events after the end of a game: the opening of its master."""


def asked(game: dict[str, Any]) -> dict[str, Any]:
    return {pending["seat"]: pending for pending in game["toMove"]}


def play_and_expect(house: House, match: Match) -> dict[str, list[tuple[str, int]]]:
    """Play the game to its end; by seat, the messages that it should get, worked out from GETs."""
    begun = house.table.get(match.path).json()
    at_once = [("your-turn", begun["version"])]
    expected = {seat: list(at_once if seat in asked(begun) else []) for seat in ("p1", "p2")}
    while True:
        before = house.table.get(match.path).json()
        if before["status"] == "finished":
            for told in expected.values():
                told.append(("game-over", before["version"] - OPENED))
            return expected
        actor = before["toMove"][0]["seat"]
        offer = house.table.options(match, actor)
        done = house.table.command(match, actor, offer["items"][0]["command"], offer["version"])
        assert done.status_code == 200, done.text
        after = house.table.get(match.path).json()
        for seat, pending in asked(after).items():
            news = asked(before).get(seat)
            if news is None or (news != pending and seat != actor):
                expected[seat].append(("your-turn", after["version"]))


def told(letters: list[Any], path: str) -> list[tuple[str, int]]:
    return [
        (letter.message["type"], letter.message["data"]["seq"])
        for letter in letters
        if letter.path == path
    ]


def test_a_whole_game_is_told_in_order_and_signed(house: House) -> None:
    match = house.table.create()
    made = {who: house.hook(match, who, types=[]) for who in ("p1", "p2", "")}
    secrets = {f"/{who or 'organiser'}": made[who].json()["secret"] for who in made}
    expected = play_and_expect(house, match)
    many = len(expected["p1"]) + len(expected["p2"])
    letters = house.receiver.await_letters(many + many - 1)
    for who in ("p1", "p2"):
        assert told(letters, f"/{who}") == expected[who]
        assert len(expected[who]) > 2
    overs = [one for one in expected["p1"] if one[0] == "game-over"]
    turns = [one for told_ in expected.values() for one in told_ if one not in overs]
    every = sorted(turns, key=lambda one: one[1]) + overs
    assert told(letters, "/organiser") == every
    for letter in letters:
        check_signed(letter, secrets[letter.path])
        with pytest.raises(WebhookVerificationError):
            check_signed(letter, secrets["/p1" if letter.path != "/p1" else "/p2"])
        assert set(letter.message) == {"type", "timestamp", "data"}
        assert set(letter.message["data"]) == {"game", "seq", "seat"}
        assert letter.message["data"]["game"] == match.id
        if letter.message["type"] == "your-turn" and letter.path != "/organiser":
            assert f"/{letter.message['data']['seat']}" == letter.path
    assert len({letter.headers["webhook-id"] for letter in letters}) == len(letters)
    log = house.settled(match, made["p1"])
    assert [(d["type"], d["seq"]) for d in log][::-1] == expected["p1"]
    assert {d["state"] for d in log} == {"delivered"}
    assert all(len(d["attempts"]) == 1 and d["dueAt"] is None for d in log)


def shown(language: str) -> str:
    """What the README shows of webhooks in that language."""
    text = (ROOT / "openapi" / "README.md").read_text("utf-8").partition("## Being told")[2]
    return text.partition(f"```{language}")[2].partition("```")[0]


def test_the_request_of_the_readme_is_taken(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def public(host: str, port: int) -> list[str]:
        return ["93.184.215.14"]

    monkeypatch.setattr(house.desk.webhooks, "_private", False)
    monkeypatch.setattr(house.desk.webhooks, "_resolve", public)
    body = json.loads(shown("json"))
    made = house.hook(house.table.create(), **body)
    assert made.status_code == 201
    assert {name: made.json()["webhook"][name] for name in body} == body


def test_the_receiver_of_the_readme_reads_it(house: House) -> None:
    names: dict[str, Any] = {}
    exec(shown("python"), names)
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    [letter] = house.receiver.await_letters(1)
    secret = made.json()["secret"]
    assert names["receive"](letter.headers, letter.body, secret) == (match.id, 0)
    with pytest.raises(WebhookVerificationError):
        names["receive"](letter.headers, letter.body + b" ", secret)


def test_a_webhook_made_while_its_seat_is_asked_tells_it(house: House) -> None:
    match = house.table.create()
    house.table.choose_colours(match)
    game = house.table.get(match.path).json()
    (seat,) = asked(game)
    other = "p1" if seat == "p2" else "p2"
    made = {who: house.hook(match, who, types=[]) for who in (seat, other, "")}
    [log] = house.settled(match, made[seat], seat)
    assert (log["type"], log["seq"]) == ("your-turn", game["version"])
    letters = house.receiver.await_letters(2)
    assert told(letters, "/organiser") == [("your-turn", game["version"])]
    assert {letter.message["data"]["seat"] for letter in letters} == {seat}
    assert house.deliveries(match, made[other], other) == []


def test_only_what_was_asked_for_and_only_from_then_on(house: House) -> None:
    match = house.table.create()
    house.table.choose_colours(match)
    made = house.hook(match, "p2", types=["game-over"])
    house.table.play_out(match)
    log = house.settled(match, made, "p2")
    assert [d["type"] for d in log] == ["game-over"]
    assert told(house.receiver.letters, "/p2") == [
        ("game-over", house.table.get(match.path).json()["version"] - OPENED)
    ]


def test_what_fails_is_repeated_with_growing_pauses(house: House) -> None:
    house.receiver.behave(503, 500, 404, 204)
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    for number, delay in enumerate(courier.DELAYS[:3], 1):
        delivery = house.tried(match, made, number)
        assert delivery["state"] == "waiting"
        last = datetime.fromisoformat(delivery["attempts"][-1]["at"])
        pause = datetime.fromisoformat(delivery["dueAt"]) - last
        assert timedelta(seconds=delay) <= pause < timedelta(seconds=delay + 5)
        house.clock.move(seconds=delay + 1)
    [delivery] = house.settled(match, made)
    assert delivery["state"] == "delivered"
    assert [tried["status"] for tried in delivery["attempts"]] == [503, 500, 404, 204]
    assert [tried["number"] for tried in delivery["attempts"]] == [1, 2, 3, 4]
    letters = house.receiver.letters
    assert len({letter.headers["webhook-id"] for letter in letters}) == 1
    assert len({letter.body for letter in letters}) == 1
    assert len({letter.headers["webhook-timestamp"] for letter in letters}) == 4


def test_after_a_day_it_is_given_up_and_the_next_one_goes(house: House) -> None:
    house.receiver.behave(500)
    match = house.table.create()
    made = house.hook(match)
    first = house.test(match, made)
    tries = 0
    while True:
        tries += 1
        delivery = house.tried(match, made, tries)
        if delivery["state"] == "failed":
            break
        house.clock.move(seconds=courier.DELAYS[min(tries - 1, len(courier.DELAYS) - 1)] + 1)
    assert delivery["id"] == first["id"]
    assert tries > len(courier.DELAYS)
    begun = datetime.fromisoformat(delivery["createdAt"])
    over = datetime.fromisoformat(delivery["attempts"][-1]["at"]) - begun
    assert courier.PERSISTENCE <= over < courier.PERSISTENCE + timedelta(hours=9)
    house.receiver.behave(204)
    house.test(match, made)
    log = house.settled(match, made)
    assert [d["state"] for d in log] == ["delivered", "failed"]


def test_the_order_is_kept_while_the_first_one_fails(house: House) -> None:
    house.receiver.behave(500)
    match = house.table.create()
    made = house.hook(match)
    other = house.hook(match, "p2")
    names = [house.test(match, made)["message"] for _ in range(3)]
    house.tried(match, made, 1)
    assert {letter.headers["webhook-id"] for letter in house.receiver.letters} == {names[0]}
    house.receiver.behave(204)
    house.test(match, other, "p2")
    assert house.settled(match, other, "p2")[0]["state"] == "delivered", "others do not wait"
    house.clock.move(seconds=6)
    house.settled(match, made)
    taken = [each for each in house.receiver.taken if each.path == "/p1"]
    assert [letter.headers["webhook-id"] for letter in taken] == names


def test_410_ends_it(house: House) -> None:
    house.receiver.behave(410)
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    house.until(
        lambda: house.table.get(house.path(made), match.tokens["p1"]).json()["state"] == "ended"
    )
    refused = house.act(match, f"{house.path(made)}/test")
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook.ended")
    [delivery] = house.deliveries(match, made)
    assert delivery["state"] == "failed"
    assert "decklog_webhooks_given_up_total 1.0" in house.table.get("/metrics").text
    again = house.act(match, f"{house.path(made)}/deliveries/{delivery['id']}/repeat")
    assert again.json()["code"] == "webhook.ended"
    sent = len(house.receiver.letters)
    house.table.play_out(match)
    house.clock.move(hours=25)
    quiet = house.hook(match, "p2")
    house.receiver.behave(204)
    house.test(match, quiet, "p2")
    house.settled(match, quiet, "p2")
    assert [letter.path for letter in house.receiver.letters[sent:]] == ["/p2"]


@pytest.mark.parametrize("answer", [MOVED, 301, 302, 308])
def test_a_redirect_is_not_followed(house: House, answer: int) -> None:
    house.receiver.behave(answer)
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    delivery = house.tried(match, made, 1)
    assert (delivery["state"], delivery["attempts"][0]["status"]) == ("waiting", answer)
    assert {letter.path for letter in house.receiver.letters} == {"/p1"}


def test_a_receiver_that_hangs_holds_up_nobody_else(house: House) -> None:
    match = house.table.create()
    hanging, good = house.hook(match), house.hook(match, "p2")
    house.receiver.behave(HANG)
    house.test(match, hanging)
    house.receiver.await_letters(1)
    house.receiver.behave(204)
    house.test(match, good, "p2")
    assert house.settled(match, good, "p2")[0]["state"] == "delivered"
    delivery = house.tried(match, hanging, 1)
    assert delivery["attempts"][0]["error"] == "timeout"
    assert delivery["attempts"][0]["millis"] >= 2000


def test_a_slow_receiver_is_waited_for(house: House) -> None:
    house.receiver.slowly = 0.7
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    [delivery] = house.settled(match, made)
    assert delivery["attempts"][0]["millis"] >= 700


def test_a_receiver_that_is_not_there(house: House) -> None:
    match = house.table.create()
    made = house.hook(match, url="http://127.0.0.1:9/nobody")
    house.test(match, made)
    assert house.tried(match, made, 1)["attempts"][0]["error"] == "no-connection"


def test_a_name_that_turns_private_is_not_followed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name was public when the webhook was made, and leads to this machine afterwards."""
    match = house.table.create()
    monkeypatch.setattr(house.desk.courier._sender, "_private", False)
    monkeypatch.setattr(house.desk.courier._sender, "_resolve", _loopback)
    made = house.hook(match, url=house.receiver.url().replace("http:", "https:"))
    house.test(match, made)
    assert house.tried(match, made, 1)["attempts"][0]["error"] == "target-forbidden"
    assert house.receiver.letters == []


async def _loopback(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def test_the_connection_goes_to_the_address_that_was_checked(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = house.table.create()
    port = house.receiver.port
    monkeypatch.setattr(house.desk.courier._sender, "_resolve", _loopback)
    monkeypatch.setattr(house.desk.webhooks, "_resolve", _loopback)
    made = house.hook(match, url=f"http://bots.example.org:{port}/hook?x=1")
    house.test(match, made)
    [letter] = house.receiver.await_letters(1)
    assert letter.path == "/hook?x=1"
    assert letter.headers["host"] == f"bots.example.org:{port}"


def test_a_message_is_sent_again_with_its_id(house: House) -> None:
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    [delivery] = house.settled(match, made)
    path = f"{house.path(made)}/deliveries/{delivery['id']}/repeat"
    first = house.act(match, path, key="repeat-it-once-please-9f86d081884c")
    again = house.act(match, path, key="repeat-it-once-please-9f86d081884c")
    assert first.status_code == again.status_code == 202
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first.json()
    log = house.settled(match, made)
    assert len(log) == 2
    assert {d["message"] for d in log} == {delivery["message"]}
    assert len({d["id"] for d in log}) == 2
    bodies = {letter.body for letter in house.receiver.letters}
    assert len(house.receiver.letters) == 2
    assert len(bodies) == 1


def test_both_secrets_sign_for_a_day_after_a_rotation(house: House) -> None:
    match = house.table.create()
    made = house.hook(match)
    rotated = house.act(match, f"{house.path(made)}/secret")
    old, new = made.json()["secret"], rotated.json()["secret"]
    assert old != new
    house.test(match, made)
    [letter] = house.receiver.await_letters(1)
    for secret in (old, new):
        check_signed(letter, secret)
    assert letter.headers["webhook-signature"].count("v1,") == 2
    house.settled(match, made)
    house.clock.move(hours=24, minutes=1)
    house.test(match, made)
    letter = house.receiver.await_letters(2)[1]
    assert letter.headers["webhook-signature"].count("v1,") == 1


def test_a_start_sends_what_the_stop_left(tmp_path: Path, hears: Receiver) -> None:
    """One process plays and delivers nothing; it stops at any point; the next one delivers all."""
    with housing(tmp_path, hears, webhook_seconds=0) as house:
        match = house.table.create()
        made = house.hook(match, types=[])
        expected = play_and_expect(house, match)
    assert hears.letters == []
    with housing(tmp_path, hears) as house:
        house.until(lambda: len(hears.letters) >= len(expected["p1"]))
        log = house.settled(match, made)
        assert [(d["type"], d["seq"]) for d in log][::-1] == expected["p1"]
    assert told(hears.letters, "/p1") == expected["p1"]


def test_a_delivery_that_was_sent_and_not_recorded_is_sent_again(house: House) -> None:
    """As after a crash between the answer and its record: at least once."""
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    [delivery] = house.settled(match, made)
    recorder = house.desk.store.recorder
    taken = "UPDATE deliveries SET state = 'waiting', tries = 0, taken = ? WHERE delivery = ?"
    lease = house.clock.now() + timedelta(seconds=60)
    recorder.put((), [(taken, (lease.isoformat(timespec="milliseconds"), delivery["id"]))])
    assert waiting(recorder) == 1
    now = house.clock.now().isoformat(timespec="milliseconds")
    assert due_rows(recorder, now, 9) == [], "somebody has it"
    house.clock.move(seconds=61)
    house.settled(match, made)
    assert len(house.receiver.letters) == 2
    assert len({letter.headers["webhook-id"] for letter in house.receiver.letters}) == 1


def test_nothing_of_address_or_secret_is_in_the_store_or_the_log(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    match = house.table.create()
    made = house.hook(match, url=house.receiver.url("/very-private-path?key=word"))
    rotated = house.act(match, f"{house.path(made)}/secret")
    house.test(match, made)
    house.settled(match, made)
    house.desk.store.recorder.query("PRAGMA wal_checkpoint(TRUNCATE)")
    text = b"".join(path.read_bytes() for path in tmp_path.glob("games.sqlite*"))
    for secret in (made.json()["secret"], rotated.json()["secret"], "very-private-path"):
        assert secret.encode() not in text
        assert secret not in "".join(r.getMessage() for r in caplog.records if r.name != "httpcore")


def test_two_workers_deliver_each_message_once(
    postgresql: str, tmp_path: Path, hears: Receiver
) -> None:
    hears.slowly = 0.02
    given = Settings(
        store=postgres.place(postgresql, str(tmp_path)),
        key=postgres.KEY,
        chain_length=256,
        webhook_private=True,
        webhook_seconds=5,
    )

    async def run() -> list[int]:
        async with (
            open_desk(given, GAMES, MovedClock()) as one,
            open_desk(given, GAMES, MovedClock()) as two,
        ):
            desks = (one, two)
            for number in range(6):
                made = await new_game(desks[number % 2])
                owner = Owner(made.game.id, "", "0" * 16)
                new = NewWebhook(url=hears.url(f"/{number}"))
                await desks[0].webhooks.create(owner, new, key=fresh_key())
                await play(desks[1], made.game.id, number)
            recorder = desks[0].store.recorder
            for _ in range(400):
                await asyncio.sleep(0.05)
                quiet = not any(desks[0].following.lags().values())
                if quiet and not waiting(recorder):
                    break
            sql = "SELECT state, tries FROM deliveries"
            return [tries for state, tries in recorder.query(sql) if state == "delivered"]

    tries = asyncio.run(run())
    assert len(tries) == len(hears.letters) > 20
    assert set(tries) == {1}
    counts = Counter(letter.headers["webhook-id"] for letter in hears.letters)
    assert set(counts.values()) == {1}
    for number in range(6):
        seqs = [letter.message["data"]["seq"] for letter in hears.letters
                if letter.path == f"/{number}"]  # fmt: skip
        assert seqs == sorted(seqs)


def test_a_process_may_deliver_nothing(tmp_path: Path, hears: Receiver) -> None:
    with housing(tmp_path, hears, webhook_seconds=0) as house:
        match = house.table.create()
        made = house.hook(match)
        house.test(match, made)
        assert [d["state"] for d in house.deliveries(match, made)] == ["waiting"]
    assert hears.letters == []
