"""A real server in a process of its own, on a free port of the loopback, for tests of anything.

    with running(tmp_path, games="pennant") as server:
        httpx.get(server.url + "/v1")

As a program (``python -m tests.support.server pennant``) it is that process: settings come from
``DECKLOG_*``.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .nest import Hatched, Nest

ROOT = Path(__file__).resolve().parents[2]

START_EFFORT = 30.0
"""CPU seconds of its own that a server may take to start: a busy machine is no failure."""
STUCK_SECONDS = 60.0
"""A server that is starting and has used no CPU for so long hangs."""
STOP_SECONDS = 60

hatchery: Callable[[], Nest] | None = None
"""Gives the nest off which servers are forked that are told of none, in a run of tests."""


@dataclass
class Running:
    """A running server: where it is, its process, and what it has printed so far."""

    url: str
    process: subprocess.Popen[str] | Hatched
    database: Path
    lines: list[str] = field(default_factory=list)

    def stop(self) -> int:
        """Stop it as an operator would; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """Kill it as a power cut would."""
        self.process.kill()
        self.process.wait(STOP_SECONDS)


def start(
    folder: Path,
    games: str = "installed",
    control: Path | None = None,
    nest: Nest | None = None,
    tree: Path = ROOT,
    **settings: Any,
) -> Running:
    """Start a server with its store in ``folder``; the same folder again continues its games.

    control  a folder through which it can be harmed while it runs, see harm.py
    nest     a process that forks it, where many are started; none: the hatchery's, where there is
             one, else a program of its own
    tree     the source whose program it is: another one's lies beside ours
    games    "installed": the rulesets found by entry point; "pennant": that test game alone;
             "stuck": it as well, with rules that come to no end for one choice;
             "both": the installed ones and every test game
    """
    database = folder / "decklog.sqlite"
    told: dict[str, Any] = {
        "database": database, "port": 0, "rate_limit": 0, "connection_limit": 0, **settings
    }  # fmt: skip
    environment = os.environ | {
        f"DECKLOG_{name.upper()}": str(value) for name, value in told.items()
    }
    environment["PYTHONPATH"] = str(tree)
    arguments = [games, *([str(control)] if control else [])]
    if nest is None and hatchery is not None and tree == ROOT:
        nest = hatchery()
    process = nest.start(arguments, environment) if nest else _program(arguments, environment, tree)
    server = Running("", process, database)
    listener = threading.Thread(target=_listen, args=(server,), daemon=True)
    listener.start()
    _await_greeting(server)
    return server


def _program(
    arguments: list[str], environment: dict[str, str], tree: Path
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.server", *arguments],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _listen(server: Running) -> None:
    assert server.process.stdout is not None
    with server.process.stdout as printed:  # a pipe for each of hundreds of servers
        for line in printed:
            server.lines.append(line.rstrip("\n"))


def _await_greeting(server: Running) -> None:
    import httpx  # the process that serves needs none

    spent, moved = 0.0, time.monotonic()
    while spent < START_EFFORT and time.monotonic() < moved + STUCK_SECONDS:
        for line in list(server.lines):
            if line.startswith("Decklog is at "):
                server.url = line.rpartition(" ")[2]
                httpx.get(server.url + "/readyz", timeout=STUCK_SECONDS).raise_for_status()
                return
        if server.process.poll() is not None:
            break
        time.sleep(0.02)
        if (now := _effort(server.process.pid)) > spent:
            spent, moved = now, time.monotonic()
    server.process.kill()
    raise RuntimeError("the server did not start:\n" + "\n".join(server.lines))


def _effort(pid: int) -> float:
    """CPU seconds that a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(folder: Path, games: str = "installed", **settings: Any) -> Iterator[Running]:
    """A server for the length of a ``with`` block."""
    server = start(folder, games, **settings)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            try:
                server.stop()
            except subprocess.TimeoutExpired:
                server.kill()


def rulesets(choice: str) -> Mapping[str, Any] | None:
    """The rulesets that a choice of games means; None: whatever is installed."""
    if choice == "installed":
        return None
    from domain.kernel.finder import games
    from tests.support import pennant, soundings, stuck

    if choice == "pennant":
        return {"pennant": pennant.GAME}
    if choice == "stuck":
        return {"pennant": stuck.GAME}
    return {**games(), "pennant": pennant.GAME, "soundings": soundings.GAME}


def main() -> int:
    from service.collector import look_rarely

    look_rarely()

    from service.serve import run
    from service.settings import from_environment, gather
    from tests.support import harm
    from tests.support.orphans import end_with_parent

    end_with_parent()
    clock = harm.install(Path(sys.argv[2])) if len(sys.argv) > 2 else None
    settings = from_environment()
    return run(settings, rulesets(sys.argv[1]), lambda line: print(line, flush=True), clock, gather)


if __name__ == "__main__":
    sys.exit(main())
