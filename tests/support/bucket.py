"""A real S3-like store for tests: rclone serves a folder of the disk over S3's protocol.

    with bucket(folder, "games") as server:
        server.address        # s3://games/decklog
        server.environment    # where it is and who asks, by the names that its clients read
        server.stop(); server.start()

The folder of the bucket is ``server.files``: what is in it is what is under the keys.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.redis import free_port

START_SECONDS = 20
KEY, SECRET = "DECKLOGTESTS00000001", "a-secret-of-the-tests-and-of-nobody-else"


def program() -> str:
    """The rclone of the pinned wheel."""
    return str(Path(sys.executable).with_name("rclone"))


class BucketServer:
    """One server with one bucket, running or not."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        (folder / name).mkdir(parents=True)
        self.files = folder / name / "decklog"
        self.address = f"s3://{name}/decklog"
        self.environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }

    def start(self) -> None:
        """Start it, on the same port as ever; returns when it takes connections."""
        told = ["--addr", f"127.0.0.1:{self.port}", "--auth-key", f"{KEY},{SECRET}"]
        told += ["--config", "", "--vfs-cache-mode", "off", "--dir-cache-time", "0s"]
        self._process = subprocess.Popen(
            [program(), "serve", "s3", *told, str(self._folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def stop(self) -> None:
        """Nobody listens any more; its objects stay."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def bucket(folder: Path, name: str = "games") -> Iterator[BucketServer]:
    """A bucket of that name, its server started; stopped at the end."""
    server = BucketServer(folder, name)
    server.start()
    try:
        yield server
    finally:
        server.stop()
