"""``decklog open``: the pages out of evidence files alone, read-only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.cli.filed import file_desk
from service.cli.open import _filled, _not_opened
from service.cli.tools import Tools
from service.evidence.verify import verify
from service.filed.opening import Shut
from service.settings import Settings
from tests.service.cli.conftest import Run
from tests.service.cli.play import Table
from tests.service.evidence.playing import GAMES
from tests.service.evidence.playing import Table as PlayedTable
from tests.service.evidence.test_rulings import stood_still
from tests.service.evidence.test_signed_orders import signed, slow_game
from tests.support.pennant import GAME, setup
from tests.support.server import ROOT, Running

HISTORY = sorted((ROOT / "tests" / "evidence" / "history").glob("*.decklog"))


@contextmanager
def opened(folder: Path, tools: Tools, *files: Path) -> Iterator[httpx.Client]:
    settings = Settings(
        database=folder / "files.sqlite", rate_limit=0, chain_length=64, log_level="WARNING"
    )
    games = _filled(tools, settings, [str(path) for path in files])
    shut = Shut(frozenset(games))
    app = create_app(settings, tools.games, shut=shut, filed=_not_opened(games))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def fresh() -> dict[str, str]:
    return {"Idempotency-Key": uuid.uuid4().hex}


READS = (
    "", "/view", "/view?at=5", "/view?as=p1", "/events?limit=200", "/rolls", "/moment?at=7",
    "/report", "/diff?from=3", "/why?event=6", "/why?path=/left", "/mentions?rule=PEN-4", "/luck",
    "/board.svg?at=9", "/commands?at=5&as=p1", "/evidence",
)  # fmt: skip


def test_everything_is_shown_as_the_service_showed_it(
    tmp_path: Path, server: Running, finished: Table, bundle: Path
) -> None:
    """Byte for byte; of the game as a whole, what no record has is gone: its name, and tokens."""
    with opened(tmp_path, Tools({"pennant": GAME}), bundle) as files:
        for part in READS:
            path = f"/v1/games/{finished.id}{part}"
            here, there = files.get(path), finished.http.get(path)
            assert here.status_code == there.status_code == 200, path
            if not part:
                ours, theirs = here.json(), there.json()
                assert (ours.pop("name"), theirs.pop("name")) == (bundle.name, "finished")
                assert ours == theirs
            else:
                assert here.content == there.content, path
        (listed,) = files.get("/v1/games").json()["items"]
        assert listed["id"] == finished.id
        assert files.get("/v1/results").json()["items"][0]["game"] == finished.id
        assert files.get("/").headers["content-type"].startswith("text/html")


def test_nothing_is_written_but_what_if_games(
    tmp_path: Path, finished: Table, bundle: Path
) -> None:
    with opened(tmp_path, Tools({"pennant": GAME}), bundle) as files:
        path = f"/v1/games/{finished.id}"
        writing = {
            "/v1/games": {"ruleset": "pennant"},
            f"{path}/seats": {"seat": "p1"},
            f"{path}/commands": {"type": "pennant.pass"},
            f"{path}/rules": {"digest": "0" * 64},
            "/v1/rulesets/pennant/customs/map": {"name": "Regatta", "turns": 2},
        }
        for address, body in writing.items():
            refused = files.post(address, json=body, headers=fresh())
            assert (refused.status_code, refused.json()["code"]) == (403, "service.read-only")
            assert files.get(refused.json()["type"]).status_code == 200
        with_token = {**fresh(), "Authorization": f"Bearer {finished.tokens['p1']}"}
        refused = files.post(f"{path}/commands", json={"type": "pennant.pass"}, headers=with_token)
        assert refused.status_code in (401, 403)
        checked = files.post("/v1/odds", json={"roll": {"pools": [{"count": 1, "worth": [0, 1]}]}})
        assert checked.status_code == 200, "what only asks is answered"
        made = files.post(f"{path}/forks", json={"at": 5}, headers=fresh())
        assert made.status_code == 201, made.text
        fork, token = made.json()["game"]["id"], made.json()["tokens"][0]
        own = {"Authorization": f"Bearer {token['token']}"}
        offer = files.get(f"/v1/games/{fork}/commands", headers=own).json()
        if offer["items"]:
            given = files.post(
                f"/v1/games/{fork}/commands", json=offer["items"][0]["command"],
                headers={**fresh(), **own, "If-Match": f'"{offer["version"]}"'},
            )  # fmt: skip
            assert given.status_code == 200, given.text
        assert [game["id"] for game in files.get("/v1/games").json()["items"]] == [finished.id]


def test_games_of_the_past_are_shown_by_their_engines(tmp_path: Path) -> None:
    """No installed engine decides any of them; boards, reasons and luck are there all the same."""
    with opened(tmp_path, Tools(), *HISTORY) as files:
        listed = files.get("/v1/games").json()["items"]
        assert {game["name"] for game in listed} == {path.name for path in HISTORY}
        for game in listed:
            assert game["status"] == "finished"
            for part in ("board.svg?at=60", "why?event=76", "luck", "report", "diff?from=50&to=60"):
                answer = files.get(f"/v1/games/{game['id']}/{part}")
                assert answer.status_code == 200, (game["name"], part, answer.text)
            board = files.get(f"/v1/games/{game['id']}/moment?at=60").json()["board"]
            assert not board.startswith("What shows")


@pytest.mark.parametrize("path", HISTORY, ids=lambda path: path.stem)
def test_what_if_games_go_on_by_the_engines_of_the_past(tmp_path: Path, path: Path) -> None:
    """Also by one of before there were such games."""
    with opened(tmp_path, Tools(), path) as files:
        (game,) = files.get("/v1/games").json()["items"]
        asked = (
            files.post(f"/v1/games/{game['id']}/forks", json={"at": at}, headers=fresh())
            for at in range(60, 80)
        )
        made = next(answer for answer in asked if answer.status_code != 422)
        assert made.status_code == 201, made.text
        fork, tokens = made.json()["game"], {t["seat"]: t["token"] for t in made.json()["tokens"]}
        at, own = f"/v1/games/{fork['id']}", {}
        if fork["toMove"]:
            own = {"Authorization": f"Bearer {tokens[fork['toMove'][0]['seat']]}"}
            offer = files.get(f"{at}/commands", headers=own).json()
            done = files.post(
                f"{at}/commands", json=offer["items"][0]["command"],
                headers={**fresh(), **own, "If-Match": f'"{offer["version"]}"'},
            )  # fmt: skip
            assert done.status_code == 200, done.text
        own = own or {"Authorization": f"Bearer {next(iter(tokens.values()))}"}
        assert files.get(f"{at}/board.svg", headers=own).status_code == 200


def test_the_evidence_of_what_is_shown_is_the_file(tmp_path: Path) -> None:
    path = next(path for path in HISTORY if path.stem == "war-at-sea-6")
    with opened(tmp_path, Tools(), path) as files:
        (game,) = files.get("/v1/games").json()["items"]
        data = files.get(f"/v1/games/{game['id']}/evidence").content
    assert verify(data, Tools().games).word == "UPHELD"


def test_what_is_not_shown_is_named(
    run: Run, tmp_path: Path, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run("open", tmp_path / "gone.decklog")
    assert done.code == 2
    assert "cannot be read" in done.err
    assert done.err.rstrip().splitlines()[-2].startswith("decklog: None of these files")
    gone = tmp_path / "gone.decklog"
    with opened(tmp_path, Tools({"pennant": GAME}), gone, bundle, bundle) as files:
        assert len(files.get("/v1/games").json()["items"]) == 1
    assert "is not shown" in capsys.readouterr().err


IN_PLAY = (
    "", "/view", "/view?at=5", "/events?limit=200", "/rolls", "/moment?at=7", "/diff?from=3",
    "/why?event=6", "/mentions?rule=PEN-4", "/luck", "/board.svg?at=4",
)  # fmt: skip


def test_a_game_in_play_is_shown_as_everybody_may_see_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever the file is of: byte for byte what it gives of the file of an onlooker."""
    table = PlayedTable(setup=setup(6)).play(3, 5)
    answers: dict[str, dict[str, bytes]] = {}
    for viewer in ("p1", "public"):
        file = tmp_path / f"{viewer}.decklog"
        file.write_bytes(table.export(viewer))
        folder = tmp_path / viewer
        folder.mkdir()
        with opened(folder, Tools({"pennant": GAME}), file) as files:
            (game,) = files.get("/v1/games").json()["items"]
            assert game["name"] == f"{file.name} (in play: what everybody may see)"
            assert game["status"] != "finished"
            at = f"/v1/games/{game['id']}"
            asked = {part: files.get(f"{at}{part}") for part in IN_PLAY}
            assert {part: each.status_code for part, each in asked.items()} == dict.fromkeys(
                IN_PLAY, 200
            )
            answers[viewer] = {part: each.content for part, each in asked.items() if part}
            assert files.get(f"{at}/view?as=p1").status_code in (401, 403)
            refused = files.get(f"{at}/evidence")
            assert (refused.status_code, refused.json()["code"]) == (503, "evidence.unavailable")
            made = files.post(f"{at}/forks", json={"at": 3}, headers=fresh())
            assert made.json()["game"]["fork"]["viewer"] == "public", made.text
        assert "in play: shown as everybody may see it" in capsys.readouterr().err
    assert answers["p1"] == answers["public"]


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1", 200), ("127.0.0.1:8000", 200), ("localhost:1", 200), ("[::1]:80", 200),
     ("elsewhere.example", 400), ("127.0.0.1.elsewhere.example:80", 400), ("", 400),
     ("localhost.elsewhere.example", 400)],
)  # fmt: skip
def test_by_another_name_than_this_machine_s_there_is_no_answer(
    tmp_path: Path, bundle: Path, host: str, status: int
) -> None:
    """A page's own name may be led here, and then the browser takes what it asks for its own."""
    with opened(tmp_path, Tools({"pennant": GAME}), bundle) as files:
        for path in ("/", "/v1/games", "/v1/nothing"):
            answer = files.get(path, headers={"Host": host})
            assert (answer.status_code == 400) == (status == 400), path
            if status == 400:
                assert answer.json()["code"] == "request.malformed"
                assert bundle.name not in answer.text


def test_it_listens_on_this_machine_alone_and_leaves_nothing(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "service.cli", "open", str(HISTORY[1])]
    process = subprocess.Popen(
        line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        url = process.stdout.readline().rstrip("\n").rpartition(" ")[2]
        assert url.startswith("http://127.0.0.1:")
        assert len(httpx.get(f"{url}/v1/games").json()["items"]) == 1
        (folder,) = tmp_path.iterdir()
        assert folder.stat().st_mode & 0o077 == 0, "what was secret is nobody else's to read"
        process.send_signal(signal.SIGINT)
        process.wait(30)
        assert list(tmp_path.iterdir()) == []
    finally:
        process.kill()
        process.communicate()


def test_what_seats_have_signed_is_in_the_evidence_that_is_given_on(tmp_path: Path) -> None:
    file = tmp_path / "signed.decklog"
    file.write_bytes(signed(slow_game()).export())
    own = verify(file.read_bytes(), GAMES)
    assert own.code == 0
    with opened(tmp_path, Tools({"pennant": GAME}), file) as files:
        (game,) = files.get("/v1/games").json()["items"]
        given_on = verify(files.get(f"/v1/games/{game['id']}/evidence").content, GAMES)
    assert given_on.text() == own.text()


def test_a_game_that_was_ended_by_ruling_is_over_in_files_too(tmp_path: Path) -> None:
    table = stood_still()
    table.ends("It was late.")
    file = tmp_path / "ruled.decklog"
    file.write_bytes(table.export())
    desk = file_desk(Tools({"pennant": GAME}), str(file))
    known = desk.summary
    assert (known.status, known.abandoned, known.ruling) == ("finished", True, "It was late.")
    assert (known.to_move, known.paused) == ((), None)
    with opened(tmp_path, Tools({"pennant": GAME}), file) as files:
        (game,) = files.get("/v1/games").json()["items"]
        assert (game["status"], game["ruling"]) == ("finished", "It was late.")


def test_no_page_of_another_origin_reads_what_files_open(tmp_path: Path, bundle: Path) -> None:
    """A browser that looks at them looks at the web too, and every page there may ask this machine
    for something."""
    origin = {"Origin": "https://elsewhere.example"}
    with opened(tmp_path, Tools({"pennant": GAME}), bundle) as files:
        (game,) = files.get("/v1/games").json()["items"]
        for path in ("/", "/v1/games", f"/v1/games/{game['id']}/evidence", "/v1/nothing"):
            asked = files.get(path, headers=origin)
            assert not [name for name in asked.headers if name.startswith("access-control-")], path
            assert asked.headers["cross-origin-resource-policy"] == "same-origin"
        wish = {**origin, "Access-Control-Request-Method": "POST"}
        before = files.options(f"/v1/games/{game['id']}/forks", headers=wish)
        assert not [name for name in before.headers if name.startswith("access-control-")]
        assert "POST" in before.headers["allow"]
