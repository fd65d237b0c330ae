"""Clients keep the newest head of the public log: one that does not go on from it is an error."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clients.sdk import logs
from tests.clients.sdk.test_javascript import SCRIPT, TRIALS, given
from tests.support.programs import NODE

Times = Callable[[Path], list[logs.Files]]

BROKEN: dict[str, Times] = {
    **{
        name: lambda folder, told=told: logs.changing(folder, *told)  # type: ignore[misc]
        for name, told in logs.OTHERWISE.items()
    },
    "none any more": logs.gone,
    "a head alone": logs.hidden,
}


def answering(files: logs.Files) -> Callable[[httpx.Request], httpx.Response]:
    def answer(request: httpx.Request) -> httpx.Response:
        found = files.get(request.url.path.removeprefix("/log/"))
        return httpx.Response(404, json={}) if found is None else httpx.Response(200, content=found)

    return answer


@pytest.mark.parametrize("lengths", logs.GROWS)
def test_a_log_that_grows_is_taken(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Path, lengths: tuple[int, int]
) -> None:
    for files in logs.growing(tmp_path / "log", *lengths):
        spoken_to(answering(files), heads=sdk.Heads(tmp_path / "kept")).confirm_log()
    assert sdk.Heads(tmp_path / "kept").checkpoint().size == lengths[1]


@pytest.mark.parametrize("what", BROKEN)
def test_another_log_is_an_error_that_names_both(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Path, what: str
) -> None:
    first, then = BROKEN[what](tmp_path / "log")
    spoken_to(answering(first), heads=sdk.Heads(tmp_path / "kept")).confirm_log()
    client = spoken_to(answering(then), heads=sdk.Heads(tmp_path / "kept"))
    with pytest.raises(sdk.OtherLog) as raised:
        client.confirm_log()
    kept, found = raised.value.kept, raised.value.found
    assert kept.text.encode() == first["checkpoint"] == written(tmp_path, "log.kept.checkpoint")
    assert (found is None) == (what == "none any more")
    assert f"had {kept}; now " in str(raised.value)
    if found is not None:
        assert f"it has {found}, which" in str(raised.value)
        assert (
            found.text.encode() == then["checkpoint"] == written(tmp_path, "log.found.checkpoint")
        )
    assert sdk.Heads(tmp_path / "kept").checkpoint() == kept, "it is not forgotten for the other"


def written(folder: Path, name: str) -> bytes:
    return (folder / "kept" / name).read_bytes()


def test_a_service_without_a_log_is_no_error(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Path
) -> None:
    client = spoken_to(answering({}), heads=sdk.Heads(tmp_path))
    client.confirm_log()
    assert client.calls.heads.checkpoint() is None


def test_a_folder_may_serve_two_services(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Path
) -> None:
    grown = [logs.growing(tmp_path / name, 5, 9)[0] for name in ("one", "two")]
    for name, files in zip(("one", "two"), grown, strict=True):
        files["checkpoint"] = files["checkpoint"].replace(b"\n", f"/{name}\n".encode(), 1)
        heads = sdk.Heads(tmp_path / "kept", f"https://{name}.example")
        spoken_to(answering(files), heads=heads).confirm_log()
        assert heads.checkpoint().log.endswith(f"/{name}")


def test_an_answer_that_another_line_overtook_is_no_other_log(
    sdk: Any, spoken_to: Callable[..., Any], tmp_path: Path
) -> None:
    first, then = logs.growing(tmp_path / "log", *logs.GROWS[-1])
    heads = sdk.Heads(tmp_path / "kept")

    def overtaken(request: httpx.Request) -> httpx.Response:
        spoken_to(answering(then), heads=heads).confirm_log()
        return answering(first)(request)

    spoken_to(overtaken, heads=heads).confirm_log()
    assert heads.checkpoint().text.encode() == then["checkpoint"], "the newer one stays"


def test_who_follows_asks_before_each_line(
    sdk: Any, spoken_to: Callable[..., Any], paused: list[float]
) -> None:
    heard = []

    def answer(request: httpx.Request) -> httpx.Response:
        heard.append(request.url.path.partition("/games/")[0])
        if request.url.path.startswith("/log/"):
            return httpx.Response(404, json={})
        return httpx.Response(200 if heard.count("/v1") == 1 else 204)

    assert list(spoken_to(answer).follow("ab" * 16)) == []
    assert heard == ["/log/checkpoint", "/v1"] * 2


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the other client makes of the same logs: those that grow, then the others."""
    folder = tmp_path_factory.mktemp("logs")
    grown = [logs.growing(folder / f"{at}", *told) for at, told in enumerate(logs.GROWS)]
    broken = [make(folder / f"b{at}") for at, make in enumerate(BROKEN.values())]
    every: list[list[logs.Files]] = [*grown, *broken, [{}]]
    asked = {**given(), "logs": [logs.spelt(each) for each in every]}
    done = subprocess.run(
        [NODE, str(TRIALS), str(SCRIPT / "src")], input=json.dumps(asked),
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    found: list[dict[str, Any]] = json.loads(done.stdout)["logs"]
    return found


def test_in_javascript_too(scripted: list[dict[str, Any]]) -> None:
    count = len(logs.GROWS)
    assert scripted[:count] == [{"kept": new} for _, new in logs.GROWS]
    assert scripted[-1] == {"kept": None}
    for what, told in zip(BROKEN, scripted[count:-1], strict=True):
        assert told["error"] == "OtherLog", what
        assert f"{told['kept']['size']} leaves of" in told["message"]
        assert (told["found"] is None) == (what == "none any more")
        assert (told["found"] or {"root": "none"})["root"] in told["message"]
