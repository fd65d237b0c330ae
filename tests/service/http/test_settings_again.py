"""SIGHUP: limits and log level are read again while people play; what is wrong changes nothing."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.support.server import Running, running


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def said(server: Running, words: str) -> bool:
    return any(words in line for line in server.lines)


def test_a_hang_up_has_limits_and_log_level_read_again(tmp_path: Path) -> None:
    file = tmp_path / "decklog.toml"
    file.write_text("stream_limit = 4\nqueue_limit = 100\n")
    with running(tmp_path, "pennant", chain_length=64, config=file) as server:
        with httpx.Client(base_url=server.url) as client:
            assert client.get("/v1").json()["limits"]["streams"] == 4
            file.write_text(
                "stream_limit = 9\nparallel_limit = 3\nqueue_limit = 200\nlog_level = 'WARNING'"
            )
            server.process.send_signal(signal.SIGHUP)
            until(lambda: client.get("/v1").json()["limits"]["streams"] == 9)
            assert client.get("/v1").json()["limits"]["parallel"] == 3
            assert said(server, "DECKLOG_STREAM_LIMIT=9")
            assert said(server, "only a start takes: DECKLOG_QUEUE_LIMIT")
            lines = len(server.lines)
            assert client.get("/v1").status_code == 200
            file.write_text("stream_limit = 0\nparallel_limit = -1\nrate_limt = 1")
            server.process.send_signal(signal.SIGHUP)
            until(lambda: said(server, "the settings stay as they are"))
            (refusal,) = server.lines[lines:]
            for word in ("rate_limt", "DECKLOG_STREAM_LIMIT is 0", "DECKLOG_PARALLEL_LIMIT is -1"):
                assert word in refusal
            assert client.get("/v1").json()["limits"]["streams"] == 9
        assert server.stop() == 0
