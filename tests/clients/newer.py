"""A service that is newer than its clients: a proxy that renames some types of event.

What a client gets is what the real service answers, save that every third event has a type that is
in no document, and fields that no client knows.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

TYPE = "decklog.semaphore-hoisted"
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
    return {**event, "type": TYPE, "data": {"flags": 3}} if event["seq"] % 3 == 0 else event


def newer(body: bytes) -> bytes:
    """A JSON answer with some of its events renamed."""
    value = json.loads(body)
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

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
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
