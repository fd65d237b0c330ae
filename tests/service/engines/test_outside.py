"""A process of one engine: whatever it does, its asker has an answer, or hears that there is none.

Behind a wall, where there is one here, it reads no file, opens no socket and leaves no process.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import platform
import resource
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.codec import canonical
from service.engines import wall
from service.engines.calls import ALIKE, CLONE3, CLOSED, FOREIGN, program
from service.engines.outside import Failed, Outside
from tests.service.engines.harm import bent_sample, doing, loading
from tests.service.engines.trees import PENNANT, built
from tests.support import pennant

pytestmark = pytest.mark.slow("engines")

START = wall.walled() or wall.plain()
ENOUGH = 60.0
CLOSING = platform.machine() in CLOSED and sys.platform == "linux"


def unclosed(start: wall.Start) -> wall.Start:
    """The same where the system cannot close calls: what is there besides has to hold."""
    never = "import host.engines.calls as calls\ncalls.close_calls = lambda: False\nmain()"
    boot = wall.BOOT.replace("\nmain()", f"\n{never}")
    return start._replace(line=tuple(boot if part == wall.BOOT else part for part in start.line))


def begun(process: Outside) -> Any:
    return json.loads(process.ask(canonical({"call": "start", "setup": pennant.SETUP})))["state"]


def harmed(process: Outside) -> Any:
    request = canonical({"call": "prospects", "state": begun(process)})
    return json.loads(process.ask(request))


def test_it_answers_as_long_as_it_is_asked() -> None:
    with Outside(START, built(PENNANT)) as process:
        assert [begun(process) for _ in range(3)] == [begun(process)] * 3


def test_it_answers_a_service_with_thousands_of_connections() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert hard == resource.RLIM_INFINITY or hard > 1_100
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1_100), hard))
    with contextlib.ExitStack() as closing:
        closing.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        while closing.enter_context(open(os.devnull, "rb")).fileno() < 1_030:
            pass
        with Outside(START, built(PENNANT)) as process:
            assert begun(process)


def test_one_that_begins_with_nonsense_is_ended() -> None:
    boot = wall.BOOT.replace("\nmain()", "\nimport host.engines.host as host\n{}\nmain()")
    said = "host._send = lambda fd, number, text, true=host._send: true(fd, number, b'[')"
    line = (boot.format(said) if part == wall.BOOT else part for part in wall.plain().line)
    with pytest.raises(Failed, match="nonsense"):
        Outside(wall.Start(tuple(line), False), built(PENNANT))


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
    with Outside(unclosed(START), doing("prospects", *lines), seconds=2) as process:
        assert not process.closed
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


def test_one_whose_asker_is_gone_before_it_begins_ends() -> None:
    """Nobody would end it: it hears of no end of its parent that was before it listened for that"""
    archive = loading("while True: pass")
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1 << 18)  # nobody reads it meanwhile
    os.write(write, struct.pack(">IQ", len(archive), 1) + archive)
    os.close(write)
    process = subprocess.Popen(
        wall.plain().line, stdin=read, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={}
    )
    try:
        assert process.wait(timeout=ENOUGH) == 1
    finally:
        process.kill()
        process.wait()
        os.close(read)


def test_what_it_forked_ends_with_it() -> None:
    lines = [
        "pid = __import__('os').fork()",
        "if not pid: __import__('time').sleep(60)",
        "return {'pid': pid}",
    ]
    with Outside(unclosed(wall.plain()), doing("prospects", *lines)) as process:
        child = harmed(process)["prospects"]["pid"]
        os.kill(child, 0)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            break
        if state == "Z":
            break
        time.sleep(0.01)
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


@pytest.mark.parametrize(
    "line",
    [
        "__import__('os').fork()",
        "__import__('os').execv('/bin/true', ['true'])",
        "__import__('subprocess').run(['/bin/true'])",
        "__import__('socket').socket()",
        "__import__('socket').socketpair()",
        "__import__('socket').socket(__import__('socket').AF_UNIX)",
        "__import__('os').kill(1, 0)",
        "__import__('os').kill(__import__('os').getpid(), 9)",
        "__import__('threading').Thread(target=print).start()",
    ],
)
@pytest.mark.parametrize("start", [wall.plain(), START], ids=["plain", "walled"])
def test_what_no_engine_needs_is_closed_to_it(start: wall.Start, line: str) -> None:
    """Without a wall too, where Landlock knows files and TCP only; and it goes on."""
    with Outside(start, doing("prospects", line)) as process:
        assert process.closed == CLOSING
        if CLOSING:
            told = harmed(process)["crashed"]
            assert "PermissionError" in told or "can't start new thread" in told, told
            assert begun(process)


def test_the_way_round_by_another_interface_is_closed() -> None:
    """Calls by number: ``clone3`` is said not to be there, and those of x32 are not permitted."""
    lines = [
        "ctypes = __import__('ctypes')",
        "libc = ctypes.CDLL(None, use_errno=True)",
        "done = lambda *n: (libc.syscall(*n), ctypes.get_errno())[1]",
        "return {'clone3': done(435, None, 0), 'x32': done(0x40000000 + 41, 1, 1, 0)}",
    ]
    with Outside(wall.plain(), doing("prospects", *lines)) as process:
        told = harmed(process)["prospects"]
    if CLOSING:
        assert told == {"clone3": errno.ENOSYS, "x32": errno.EPERM}


@pytest.mark.parametrize("machine", CLOSED)
def test_the_filter_leads_every_closed_call_to_its_answer(machine: str) -> None:
    """Run here as the kernel runs it, for processors that are not this one too."""
    processor, closed = CLOSED[machine]
    text = program(processor, closed)
    for number in range(600):
        expected = 0x50001 if number in {*closed, *ALIKE} else 0x7FFF0000
        expected = 0x50026 if number == CLONE3 else expected
        assert answered(text, processor, number) == expected, number
    assert answered(text, processor ^ 1, 0) == 0x50001, "another processor"
    assert answered(text, processor, FOREIGN) == 0x50001
    assert closed == tuple(dict.fromkeys(closed)), "each once"


def answered(text: bytes, processor: int, number: int) -> int:
    """What the filter says of a call."""
    lines = [struct.unpack_from("=HBBI", text, at) for at in range(0, len(text), 8)]
    at, word = 0, 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            word = {0: number, 4: processor}[value]
        else:
            at += yes if (word == value if code == 0x15 else word >= value) else no
