"""A process of one engine: whatever it does, its asker has an answer, or hears that there is none.

Behind a wall, where there is one here, it reads no file, opens no socket and leaves no process.
"""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.codec import canonical
from service.engines import wall
from service.engines.outside import Failed, Outside
from tests.service.engines.harm import bent_sample, doing
from tests.service.engines.trees import PENNANT, built
from tests.support import pennant

START = wall.walled() or wall.plain()


def begun(process: Outside) -> Any:
    return json.loads(process.ask(canonical({"call": "start", "setup": pennant.SETUP})))["state"]


def harmed(process: Outside) -> Any:
    request = canonical({"call": "prospects", "state": begun(process)})
    return json.loads(process.ask(request))


def test_it_answers_as_long_as_it_is_asked() -> None:
    with Outside(START, built(PENNANT)) as process:
        assert [begun(process) for _ in range(3)] == [begun(process)] * 3


@pytest.mark.parametrize("walled", [False, True])
def test_it_begins_with_and_without_a_wall(walled: bool) -> None:
    start = wall.walled() if walled else wall.plain()
    if start is None:
        assert wall.bubblewrap() == ""
        return
    assert start.walled == walled
    with Outside(start, built(PENNANT)) as process:
        assert begun(process)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["while True: pass"], "it was late with its answer"),
        (["__import__('time').sleep(60)"], "it was late with its answer"),
        (["__import__('os')._exit(0)"], "its process has ended"),
        (["__import__('os').kill(__import__('os').getpid(), 9)"], "its process has ended"),
        (["__import__('os').fork()", "return None"], "the answer to another request"),
        (
            ["__import__('os').write(4, b'x' * 64)"],
            "another request|bytes",
        ),
    ],
    ids=["loops", "sleeps", "exits", "kills-itself", "forks", "writes"],
)
def test_what_gives_no_answer_is_ended(lines: list[str], why: str) -> None:
    with Outside(START, doing("prospects", *lines), seconds=2) as process:
        request = canonical({"call": "prospects", "state": begun(process)})
        with pytest.raises(Failed, match=why):
            _again(process, request)
        with pytest.raises(Failed, match="ended"):
            process.ask(b"{}")


def _again(process: Outside, request: bytes) -> None:
    """A forked child answers as well, as soon as it is run: it is given the time before each."""
    for _ in range(3):
        process.ask(request)
        time.sleep(0.5)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["bytearray(2 << 30)"], {"crashed": "MemoryError: "}),
        (["return harm(*given)"], "RecursionError"),
        (["raise SystemError('no')"], {"crashed": "SystemError: no"}),
        (["print('{}' * 1000)", "return None"], {"prospects": None}),
        (["with open('/dev/shm/decklog-harm', 'w') as file: file.write('x')"], "Error"),
    ],
    ids=["memory", "recursion", "breaks", "prints", "writes-a-file"],
)
def test_what_breaks_down_says_so_and_goes_on(lines: list[str], answer: Any) -> None:
    with Outside(START, doing("prospects", *lines)) as process:
        for _ in range(2):
            told = harmed(process)
            assert told == answer if isinstance(answer, dict) else answer in told["crashed"]
    assert (
        not Path("/dev/shm/decklog-harm").exists() or not Path("/dev/shm/decklog-harm").read_bytes()
    )


def test_behind_a_wall_there_is_no_file_and_no_network() -> None:
    """Where no wall can be had, nothing from elsewhere runs at all (evidence/test_engines.py)."""
    start = wall.walled()
    if start is None:
        assert wall.bubblewrap() == ""
        return
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"__import__('socket').create_connection(('127.0.0.1', {port}), 2)"
        for line in ("open('/etc/passwd').read()", f"open({__file__!r}).read()", connect):
            with Outside(start, doing("prospects", line)) as process:
                assert "Error" in harmed(process)["crashed"], line
    count = "return {'all': [p for p in __import__('os').listdir('/proc') if p.isdigit()]}"
    with Outside(start, doing("prospects", count)) as process:
        assert "crashed" in harmed(process), "there is not even a /proc"


def test_what_it_forked_ends_with_it() -> None:
    lines = [
        "pid = __import__('os').fork()",
        "if not pid: __import__('time').sleep(60)",
        "return {'pid': pid}",
    ]
    with Outside(wall.plain(), doing("prospects", *lines)) as process:
        child = harmed(process)["prospects"]["pid"]
        os.kill(child, 0)
    for _ in range(200):
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            break
        if state == "Z":
            break
        os.sched_yield()
    else:
        pytest.fail("the child is still there")


@pytest.mark.parametrize(
    ("archive", "why"),
    [(b"", "no archive"), (b"PK", "no archive"), (bent_sample(), "its sample does not come out")],
)
def test_what_is_no_engine_here_does_not_begin(archive: bytes, why: str) -> None:
    with pytest.raises(Failed, match=why):
        Outside(START, archive)


@pytest.mark.parametrize("start", [wall.plain(), START], ids=["plain", "walled"])
def test_inside_its_process_is_a_fence_too(start: wall.Start, tmp_path: Path) -> None:
    """Also without a wall; where the kernel has none, the engine says so."""
    asked = "return {'fence': __import__('ctypes').CDLL(None).syscall(444, None, 0, 1)}"
    with Outside(start, doing("prospects", asked)) as process:
        version = harmed(process)["prospects"]["fence"]
    if version < 1:
        assert process.fence == 0
        return
    assert process.fence == version
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        lines = [
            f"open({str(secret)!r}).read()", "open('/etc/passwd').read()",
            f"open({str(tmp_path / 'new')!r}, 'w')", f"open({str(secret)!r}, 'a')",
            "__import__('os').listdir('/')",
            "__import__('subprocess').run(['/usr/bin/env'], check=True)",
        ]  # fmt: skip
        if version >= 4:
            lines.append(f"__import__('socket').create_connection(('127.0.0.1', {port}), 2)")
        for line in lines:
            with Outside(start, doing("prospects", line)) as process:
                assert "Error" in harmed(process)["crashed"], line
    assert not (tmp_path / "new").exists()
    assert secret.read_text() == "a secret"
