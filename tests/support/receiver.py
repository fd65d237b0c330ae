"""A receiver of webhooks on the loopback that behaves as it is told: well, slowly, or badly.

    with running() as receiver:
        receiver.url("/hook")
        receiver.behave(503, 503, 204)

Each answer is taken in turn, the last one stays. ``HANG`` never answers; ``MOVED`` redirects.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

HANG = -1
MOVED = 307
PATIENCE = 30


@dataclass
class Letter:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes
    answer: int

    @property
    def message(self) -> Any:
        return msgspec.json.decode(self.body)


@dataclass
class Receiver:
    """What came, and how to answer what comes."""

    port: int = 0
    letters: list[Letter] = field(default_factory=list)
    answers: list[int] = field(default_factory=lambda: [204])
    slowly: float = 0.0
    says: Callable[[bytes], bytes] = lambda body: b""
    ended: threading.Event = field(default_factory=threading.Event)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def behave(self, *answers: int) -> None:
        with self.changed:
            self.answers = list(answers)

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Keep a request; how to answer it."""
        with self.changed:
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            self.letters.append(Letter(path, headers, body, answer))
            self.changed.notify_all()
        return answer

    def await_letters(self, many: int) -> list[Letter]:
        """Until so many requests have come."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.letters) >= many, PATIENCE), self.letters
            return list(self.letters)

    @property
    def taken(self) -> list[Letter]:
        """The requests that were answered well."""
        return [letter for letter in self.letters if 200 <= letter.answer < 300]


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = receiver.take(self.path, headers, body)
            if answer == HANG:
                receiver.ended.wait(PATIENCE)
                return
            time.sleep(receiver.slowly)
            self.send_response(answer)
            if 300 <= answer < 400:
                self.send_header("Location", receiver.url("/elsewhere"))
            said = receiver.says(body)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing on the tests' output."""

    return Handler


@contextmanager
def running() -> Iterator[Receiver]:
    """A receiver on a free port; stopped at the end."""
    receiver = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receiver))
    server.daemon_threads = True
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.ended.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
