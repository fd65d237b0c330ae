"""A small reverse proxy that follows what a configuration of nginx says of upstreams: for tests of
such a file where there is no nginx.

It knows ``map $host``, ``upstream``, ``proxy_pass``, ``proxy_next_upstream_tries`` and the answer
of ``@away``; X-Forwarded-For is put in its place. All else of the file it passes over, and a file
that lacks one of these is refused.
"""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

SECONDS = 30.0
HOP = ("connection", "transfer-encoding", "keep-alive", "host", "x-forwarded-for")


class Config(NamedTuple):
    """What the file says.

    cells    the upstream of each host; "default" for any other
    servers  of each upstream, in order
    tries    upstreams that one request may be given to
    away     the body of the answer where none of them is there
    """

    cells: dict[str, str]
    servers: dict[str, list[str]]
    tries: int
    away: str

    def upstream(self, host: str) -> str:
        return self.cells.get(host) or self.cells["default"]


def read(text: str) -> Config:
    """Raises ValueError where what a proxy needs is not in it."""
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    mapped = re.search(r"map \$host \$cell \{(.*?)\}", text, re.S)
    tries = re.search(r"proxy_next_upstream_tries (\d+);", text)
    away = re.search(r"location @away \{.*?return 503 '(.*?)';", text, re.S)
    passed = set(re.findall(r"proxy_pass (\S+);", text))
    if mapped is None or tries is None or away is None or passed != {"http://$cell"}:
        raise ValueError("it is no configuration of cells")
    cells = dict(re.findall(r"^\s*(\S+)\s+(\w+);", mapped[1], re.M))
    servers = {
        name: re.findall(r"^\s*server (\S+)", block, re.M)
        for name, block in re.findall(r"upstream (\w+) \{(.*?)\n\s*\}", text, re.S)
    }
    if set(cells.values()) != set(servers):
        raise ValueError(f"it maps to {set(cells.values())}, and has {set(servers)}")
    return Config(cells, servers, int(tries[1]), away[1])


@contextmanager
def proxy(config: Config, places: Mapping[str, str]) -> Iterator[str]:
    """The address of a proxy. ``places``: where each server of the file really is; who is in none
    is not there."""

    class Handler(BaseHTTPRequestHandler):
        def _ask(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            host = self.headers.get("Host", "").partition(":")[0]
            for server in config.servers[config.upstream(host)][: config.tries]:
                found = self._asked(places.get(server, ""), body) if server in places else None
                if found is not None:
                    self._pass_on(found)
                    return
            self._send(503, {"content-type": "application/problem+json", "retry-after": "2"})
            self.wfile.write(config.away.encode())

        do_GET = do_POST = do_DELETE = do_PUT = _ask  # noqa: N815

        def _asked(self, place: str, body: bytes) -> http.client.HTTPResponse | None:
            """What a worker says; None where it is not there, or is about to go."""
            line = http.client.HTTPConnection(place, timeout=SECONDS)
            fields = {
                name: value for name, value in self.headers.items() if name.lower() not in HOP
            }
            fields |= {"Host": self.headers["Host"], "X-Forwarded-For": self.client_address[0]}
            try:
                line.request(self.command, self.path, body or None, fields)
                answer = line.getresponse()
            except (OSError, http.client.HTTPException):
                return None
            return None if answer.status in (502, 503) else answer

        def _send(self, status: int, fields: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()

        def _pass_on(self, found: http.client.HTTPResponse) -> None:
            """As it comes: a stream is not waited for."""
            self._send(found.status, {n: v for n, v in found.getheaders() if n.lower() not in HOP})
            while part := found.read1(65_536):
                self.wfile.write(part)
                self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
