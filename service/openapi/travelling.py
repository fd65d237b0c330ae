"""Examples of the time-travel desk, recorded from the game that the others are recorded from."""

from __future__ import annotations

from .recorder import Recorder

PLAIN = {"Accept": "text/plain"}


async def travelling(recorder: Recorder, game: str, rolled: int, token: str) -> None:
    """``game`` is the path of one whose dice have fallen at version ``rolled``.

    token  of the seat that is asked now
    """
    await recorder.record("getMoment", "GET", f"{game}/moment?at={rolled}")
    await recorder.record("getReport", "GET", f"{game}/report?at={rolled}")
    await recorder.record("getReport", "GET", f"{game}/report?at={rolled}", headers=PLAIN)
    await recorder.record("getBoard", "GET", f"{game}/board.svg?at={rolled}")
    await recorder.record("getFilm", "GET", f"{game}/film?after={rolled - 2}&at={rolled}")
    await recorder.problem("viewer.not-entitled", "GET", f"{game}/view?as=truth")
    await recorder.record("getDiff", "GET", f"{game}/diff?from={max(2, rolled - 3)}&to={rolled}")
    stranger = (await recorder.ask("POST", "/v1/games", json={"ruleset": recorder.ruleset})).json()
    beside = f"{game}/diff?with={stranger['game']['id']}"
    await recorder.problem("diff.unrelated", "GET", beside)
    rolls = (await recorder.ask("GET", f"{game}/rolls?limit=1")).json()["items"]
    await recorder.record("getReasons", "GET", f"{game}/why?event={rolls[0]['event']}")
    await recorder.record("listMentions", "GET", f"{game}/mentions?limit=2")
    asking = f"{game}/query?question=when(any(rolls,it.score%3E1))&limit=2"
    await recorder.record("listMoments", "GET", asking)
    await recorder.record("getLuck", "GET", f"{game}/luck")
    await recorder.record("getLuck", "GET", f"{game}/luck", headers={"Accept": "image/svg+xml"})
    dice = {"count": 3, "worth": [0, 0, 0, 1, 1, 2], "again": [6]}
    asked = {"roll": {"pools": [dice], "most": 8, "outcomes": [{"outcome": "hit", "least": 2}]}}
    await recorder.record("getOdds", "POST", "/v1/odds", json=asked)
    await recorder.problem("odds.unclear", "POST", "/v1/odds", json={})
    await _before_declaring(recorder, game, token)
    begin = {"at": rolls[0]["seq"] - 1, "seed": "an example", "name": "What if"}
    tried = await recorder.ask("POST", f"{game}/forks", json=begin)
    if tried.json().get("code") == "fork.unmeasured":
        recorder.problems["fork.unmeasured"] = tried.json()
        return
    fork = await recorder.record("createFork", "POST", f"{game}/forks", 201, json=begin)
    own = fork.json()["tokens"][0]["token"]
    beside = f"/v1/games/{fork.json()['game']['id']}"
    await recorder.ask("GET", f"{beside}/diff?with={game.rpartition('/')[2]}", token=own)
    wrong = {**begin, "faces": [[99]]}
    await recorder.problem("fork.wrong-faces", "POST", f"{game}/forks", json=wrong)
    await _between(recorder, game, rolled)
    faces = {"faces": [[1]]}
    await recorder.problem("fork.no-dice", "POST", f"{game}/forks", json=faces)


async def _before_declaring(recorder: Recorder, game: str, token: str) -> None:
    """The odds of an order that rolls no dice; some rules forbid to ask before one declares."""
    offer = (await recorder.ask("GET", f"{game}/commands?limit=1", token=token)).json()
    asked = {"game": offer["game"], "command": offer["items"][0]["command"]}
    answer = await recorder.ask("POST", "/v1/odds", token=token, json=asked)
    found = answer.json()
    if found.get("code") not in ("odds.none", "odds.unmeasured"):
        raise RuntimeError(f"a game begins with an order that rolls no dice, not with {found}")
    recorder.problems[found["code"]] = found


async def _between(recorder: Recorder, game: str, rolled: int) -> None:
    """The newest version that is none to go on from."""
    for version in range(rolled, 1, -1):
        answer = await recorder.ask("POST", f"{game}/forks", json={"at": version})
        if answer.json().get("code") == "fork.between":
            recorder.problems["fork.between"] = answer.json()
            return
    raise RuntimeError("no version lies between two events of a command")
