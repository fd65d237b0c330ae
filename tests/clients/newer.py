"""A service that is newer than its clients: a proxy that says what is in no document.

What a client gets is what the real service answers, save that every third event has a type that is
in no document, and fields and roles that no client knows; offers have one more way out of the game,
of a type that no client knows; games have the options of a ruleset that no client knows; and every
fifth command is refused, before it reaches the service, by a code that no client knows.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

TYPE = "decklog.semaphore-hoisted"
CODE = "version.semaphore"
REFUSED_EVERY = 5
ROLE = {"role": "signalled", "unit": "", "seat": "", "by": "", "cause": "", "number": 0}
OPTIONS = {"ruleset": "semaphore", "flags": 3}
WAY_OUT = {"type": "semaphore.hoist", "flags": [3], "to": {"all": True}}
PROBLEM = {
    "type": f"/problems/{CODE}",
    "title": "Semaphore",
    "status": 412,
    "code": CODE,
    "detail": "The signal was not read.",
    "hint": "List again.",
    "version": 1,
}
LEFT = (
    "connection",
    "transfer-encoding",
    "content-length",
    "date",
    "server",
    "host",
    "accept-encoding",
)
"""Of a request: what is between two only, and what would come compressed."""
HOP = ("connection", "transfer-encoding", "content-length", "date", "server")


def renamed(event: dict[str, Any]) -> dict[str, Any]:
    """The event, or every third time one of a type that nobody knows yet."""
    new = {"type": TYPE, "data": {"flags": 3}, "roles": [ROLE]}
    return {**event, **new} if event["seq"] % 3 == 0 else event


def newer(body: bytes) -> bytes:
    """A JSON answer as a newer service gives it."""
    value = json.loads(body)
    if "options" in value and "status" in value:
        value["options"] = OPTIONS
    if "concessions" in value:
        item = {"text": "Hoist", "unit": "", "target": "", "rule": "", "parts": []}
        value["concessions"].append({**item, "command": WAY_OUT})
    for name in ("events", "items"):
        if isinstance(value.get(name), list):
            value[name] = [renamed(e) if "seq" in e else e for e in value[name]]
    return json.dumps(value).encode()


def newer_lines(lines: Iterator[str]) -> Iterator[bytes]:
    """Server-sent events with some of them renamed."""
    for line in lines:
        if line.startswith("data: "):
            event = renamed(json.loads(line.removeprefix("data: ")))
            yield b"data: " + json.dumps(event).encode() + b"\n"
        else:
            yield line.encode() + b"\n"


@contextmanager
def newer_than_its_clients(url: str) -> Iterator[str]:
    """The address of such a service in front of ``url``."""

    given = itertools.count(1)

    class Handler(BaseHTTPRequestHandler):
        def end_headers(self) -> None:
            """Java's client writes to a connection again until it is told that it is closed."""
            self.send_header("Connection", "close")
            super().end_headers()

        def refused(self) -> bool:
            """Whether the request was a command that is refused, which it is told."""
            posted = self.command == "POST" and self.path.endswith("/commands")
            if not posted or next(given) % REFUSED_EVERY:
                return False
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = json.dumps(PROBLEM).encode()
            self.send_response(412)
            self.send_header("Content-Type", "application/problem+json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return True

        def handle_any(self) -> None:
            if self.refused():
                return
            length = int(self.headers.get("Content-Length", 0))
            headers = {n: v for n, v in self.headers.items() if n.lower() not in LEFT}
            headers["accept-encoding"] = "identity"
            request = {"headers": headers, "content": self.rfile.read(length)}
            silence = httpx.Timeout(60)
            with httpx.stream(self.command, url + self.path, timeout=silence, **request) as answer:  # type: ignore[arg-type]
                self.send_response(answer.status_code)
                for name, value in answer.headers.items():
                    if name.lower() not in HOP:
                        self.send_header(name, value)
                if answer.headers.get("content-type", "").startswith("text/event-stream"):
                    self.end_headers()
                    for piece in newer_lines(answer.iter_lines()):
                        self.wfile.write(piece)
                    return
                body = answer.read()
                if answer.headers.get("content-type") == "application/json":
                    body = newer(body)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        do_GET = do_POST = handle_any  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
