"""A running game goes over to another engine when every seat has agreed, and is judged by both."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.engines import shown, wall
from service.engines.load import load
from service.evidence.shelf import Folder
from service.evidence.verify import verify
from service.settings import Settings
from service.store import engines
from service.views.rulesets import lettered
from service.work.nursery import Nursery
from tests.service.engines.harm import bent_sample, doing, later
from tests.service.engines.trees import PENNANT, built, tree
from tests.service.http.table import code
from tests.service.ops.play import Played, bearer, create, key, play
from tests.support import pennant

WON = "return found and __import__('msgspec').structs.replace(found, winners=('p2',))"
SECOND = doing("result", "found = true(*given)", WON)
"""Rules by which p2 wins every battle."""
OLD, NEW = (hashlib.sha256(each).hexdigest() for each in (built(PENNANT), SECOND))
OTHERS = {"pennant": lettered(load(SECOND))}
TREE = tree(PENNANT)
HERE = {"pennant": pennant.GAME}


@contextmanager
def service(folder: Path, games: Any, **more: Any) -> Iterator[httpx.Client]:
    settings = Settings(
        database=folder / "changed.sqlite", rate_limit=0, chain_length=64, log_level="WARNING"
    )
    with TestClient(create_app(settings, games, **more)) as client:
        yield client


def agree(client: httpx.Client, game: Played, seat: str, digest: str, **more: str) -> Any:
    fields = {**key(), **bearer(game.tokens[seat]), **more}
    return client.post(f"{game.path}/rules", json={"digest": digest}, headers=fields)


def store_of(client: Any) -> Any:
    return client.app.state.http.desk.store


def kept(folder: Path, *archives: bytes) -> None:
    """The store has these engines and what shows them, as if other games of it named them."""
    with service(folder, HERE) as client:
        for each in archives:
            digest, shows = hashlib.sha256(each).hexdigest(), shown.build(TREE, PENNANT, each)
            rows = [engines.insertion(digest, each), engines.showing(digest, "", shows)]
            store_of(client).recorder.put((), rows)


def changed(client: httpx.Client, game: Played, digest: str = NEW) -> dict[str, Any]:
    """The game, gone over."""
    first = agree(client, game, "p1", digest)
    assert first.status_code == 200, first.text
    assert first.json()["rules"]["digest"] != digest
    told = agree(client, game, "p2", digest)
    assert told.status_code == 200, told.text
    found: dict[str, Any] = told.json()
    assert found["rules"]["digest"] == digest
    return found


@pytest.mark.parametrize("orders", [0, 1, 3, 5])
def test_a_game_goes_over_and_both_parts_are_judged(tmp_path: Path, orders: int) -> None:
    """From the secret choice of colours on; offline, by engines that the judge is given."""
    kept(tmp_path, SECOND)
    with service(tmp_path, HERE) as client:
        game = create(client, "pennant")
        play(client, game, orders, seed="one")
        before = client.get(game.path).json()
        found = changed(client, game)
        since = before["version"] + 3
        assert found["version"] == since
        assert found["agreed"] == {}
        (former,) = found["former"]
        assert (former["rules"], former["until"]) == (before["rules"], since)
        assert (found["toMove"], found["scores"]) == (before["toMove"], before["scores"])
        live = client.get(f"{game.path}/evidence", headers=bearer(game.tokens["p1"])).content
        assert play(client, game, 1_000, seed="two")
        assert client.get(game.path).json()["result"]["winners"] == ["p2"], "by the new rules"
        file = client.get(f"{game.path}/evidence").content
    (tmp_path / "second.engine").write_bytes(SECOND)
    (tmp_path / "first.engine").write_bytes(built(PENNANT))
    places, trusted = (Folder(tmp_path),), (OLD, NEW)
    for data, scope in ((file, "complete"), (live, "partial")):
        for games in (HERE, {}, OTHERS):
            verdict = verify(data, games, engines=places, trusted=trusted)
            assert (verdict.word, verdict.scope) == ("UPHELD", scope), verdict.text()
            assert any(note.startswith(f"Event {since}: all seats") for note in verdict.notes)
    verdict = verify(file, HERE, engines=places)
    assert verdict.code == (5 if wall.bubblewrap() else 3), "the second is not vouched for"
    verdict = verify(file, HERE, engines=())
    assert verdict.code in (3, 5), "the installed rules may let another win"


def test_an_order_that_is_repeated_afterwards_is_answered_as_it_was(tmp_path: Path) -> None:
    kept(tmp_path, SECOND)
    with service(tmp_path, HERE) as client:
        game = create(client, "pennant")
        play(client, game, 3, seed="one")
        now = client.get(game.path).json()
        mine = bearer(game.tokens[now["toMove"][0]["seat"]])
        offer = client.get(f"{game.path}/commands", headers=mine).json()
        fields = {**mine, **key(), "If-Match": f'"{offer["version"]}"'}

        def given() -> httpx.Response:
            where, body = f"{game.path}/commands", offer["items"][0]["command"]
            return client.post(where, json=body, headers=fields)

        first = given()
        assert first.json()["rules"]["digest"] != NEW
        changed(client, game)
        again = given()
        assert (again.content, again.headers["decklog-head"]) == (
            first.content, first.headers["decklog-head"],
        )  # fmt: skip


def test_it_goes_on_after_a_restart_and_everything_of_it_is_told(tmp_path: Path) -> None:
    """Views at any version, by what decided there; forks, replays, streams; in processes too."""
    kept(tmp_path, SECOND)
    nursery = Nursery.forked(HERE)
    assert nursery is not None
    with service(tmp_path, HERE) as client:
        game = create(client, "pennant")
        play(client, game, 3, seed="one")
        path = game.path
        version = client.get(path).json()["version"]
        then = [client.get(f"{path}/view?at={n}").json() for n in range(2, version + 1)]
        changed(client, game)
        play(client, game, 1, seed="two")
        now = read_all(client, game)
        views = [client.get(f"{path}/view?at={n}").json() for n in range(2, version + 1)]
        assert views == then, "what was, is as it was"
        after = client.get(f"{path}/view?at={version + 3}").json()
        assert after["rules"]["digest"] == NEW
        assert after["state"] == then[-1]["state"]
        moment = client.get(f"{path}/moment?at={version}").json()
        assert moment["judgedBy"]["digest"] == OLD
        assert client.get(f"{path}/moment?at={version + 3}").json()["judgedBy"]["digest"] == NEW
        rolls = client.get(f"{path}/rolls").json()["items"]
        assert {roll["rules"]["digest"] for roll in rolls if roll["seq"] < version} <= {OLD}
        assert {roll["rules"]["digest"] for roll in rolls if roll["seq"] > version + 3} <= {NEW}
        events = client.get(f"{path}/events?limit=200").json()["items"]
        types = [each["type"] for each in events]
        place = types.index("decklog.rules-changed")
        assert types[place - 2 : place] == ["decklog.rules-agreed"] * 2
        said = events[place]
        assert said["data"]["agreed"] == ["p1", "p2"]
        assert (said["data"]["old"]["digest"], said["data"]["new"]["digest"]) == (OLD, NEW)
        assert said["data"]["since"] == said["seq"] == version + 3
        assert "All seats have agreed" in said["text"]["en"]
    with service(tmp_path, HERE) as client:
        assert read_all(client, game) == now, "read anew from the store"
    with service(tmp_path, HERE, nursery=nursery) as client:
        assert read_all(client, game) == now, "in processes of their own"
        for at in (version, version + 3):
            fork = client.post(
                f"{game.path}/forks",
                json={"at": at, "seed": "what if"},
                headers={**key(), **bearer(game.tokens["p1"])},
            )
            assert fork.status_code == 201, fork.text
            assert fork.json()["game"]["rules"]["digest"] == NEW, "forks by their parent's"
        assert play(client, game, 1_000, seed="three")
        assert client.get(game.path).json()["result"]["winners"] == ["p2"]
    nursery.close()


READ = (
    "view", "events?limit=200", "moment", "report", "board.svg", "rolls", "luck", "why?event=4",
    "mentions?rule=PEN-1", "mentions?type=decklog.rules-changed", "diff?from=2&to=9",
    "board.svg?at=4", "view?at=7", "evidence",
)  # fmt: skip


def read_all(client: httpx.Client, game: Played) -> dict[str, Any]:
    found = {part: client.get(f"{game.path}/{part}") for part in READ}
    found["offers"] = client.get(f"{game.path}/commands", headers=bearer(game.tokens["p1"]))
    found["then"] = client.get(
        f"{game.path}/commands?at=4&as=p1", headers=bearer(game.tokens["p1"])
    )
    assert [name for name, told in found.items() if told.status_code != 200] == []
    return {name: told.content for name, told in found.items()}


def test_an_agreement_is_taken_back_replaced_and_repeated(tmp_path: Path) -> None:
    third = later("1.0.3")
    kept(tmp_path, SECOND, third)
    digest = hashlib.sha256(third).hexdigest()
    with service(tmp_path, HERE) as client:
        game = create(client, "pennant")
        assert agree(client, game, "p1", NEW).json()["agreed"] == {"p1": NEW}
        assert agree(client, game, "p1", OLD).json()["agreed"] == {}, "taken back"
        assert agree(client, game, "p1", digest).json()["agreed"] == {"p1": digest}
        told = agree(client, game, "p2", NEW).json()
        assert told["agreed"] == {"p1": digest, "p2": NEW}
        assert told["rules"]["digest"] == OLD, "they did not agree to the same"
        same = {"Idempotency-Key": uuid.uuid4().hex}
        one, again = (agree(client, game, "p2", digest, **same) for _ in range(2))
        assert one.json() == again.json()
        assert again.headers["idempotency-replayed"] == "true"
        assert one.json()["rules"]["digest"] == digest
        assert one.headers["etag"] == f'"{one.json()["version"]}"'
        found = changed(client, game)
        assert [each["rules"]["digest"] for each in found["former"]] == [OLD, digest]
        back = changed(client, game, OLD)
        assert back["rules"]["digest"] == OLD
        assert play(client, game, 1_000, seed="on")
        file = client.get(f"{game.path}/evidence").content
    for number, archive in enumerate((SECOND, third)):
        (tmp_path / f"{number}.engine").write_bytes(archive)
    verdict = verify(file, HERE, engines=(Folder(tmp_path),), trusted=(NEW, digest))
    assert verdict.word == "UPHELD", verdict.text()


def test_what_is_refused(tmp_path: Path) -> None:
    other = doing("result", "raise ValueError('no position of mine')")
    kept(tmp_path, SECOND, other, bent_sample())
    with service(tmp_path, HERE) as client:
        game = create(client, "pennant")
        before = client.get(game.path).json()["version"]
        for digest, refusal in (("0" * 64, "engine.not-found"), ("none", "body.invalid")):
            assert code(agree(client, game, "p1", digest)) == refusal
        refused = agree(client, game, "p1", hashlib.sha256(other).hexdigest())
        assert (refused.status_code, code(refused)) == (422, "engine.unfit")
        assert "no position of mine" in refused.json()["detail"] + refused.json()["hint"]
        refused = agree(client, game, "p1", hashlib.sha256(bent_sample()).hexdigest())
        assert (refused.status_code, code(refused)) == (503, "engine.missing")
        assert client.get(game.path).json()["version"] == before
        fork = client.post(
            f"{game.path}/forks",
            json={"seed": "what if"},
            headers={**key(), **bearer(game.tokens["p1"])},
        ).json()
        tokens = {each["seat"]: each["token"] for each in fork["tokens"]}
        what_if = Played(fork["game"]["id"], tokens, "")
        assert code(agree(client, what_if, "p1", NEW)) == "engine.unfit"
        assert play(client, game, 1_000, seed="to the end")
        assert code(agree(client, game, "p1", NEW)) == "game.over"


def test_a_summary_is_made_again_from_the_log(tmp_path: Path) -> None:
    kept(tmp_path, SECOND)
    with service(tmp_path, HERE) as client:
        game = create(client, "pennant")
        play(client, game, 3, seed="one")
        changed(client, game)
        agree(client, game, "p1", OLD)
        told = agree(client, game, "p2", OLD).json()
        recorder = store_of(client).recorder
        ((data,),) = recorder.query("SELECT summary FROM games WHERE game = ?", (game.id,))
        older = json.loads(bytes(data))
        for name in ("mark", "form", "head", "former", "agreed"):
            del older[name]
        text = json.dumps(older, separators=(",", ":")).encode()
        recorder.put((), [("UPDATE games SET summary = ? WHERE game = ?", (text, game.id))])
    with service(tmp_path, HERE) as client:
        again = client.get(game.path).json()
        assert {n: v for n, v in again.items() if n != "updatedAt"} == {
            n: v for n, v in told.items() if n != "updatedAt"
        }
        assert play(client, game, 1_000, seed="on")
