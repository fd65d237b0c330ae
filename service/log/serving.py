"""A witness over HTTP: one address, two paths, by the standard library alone."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .witness import LARGEST, Reply, Witness

SECONDS = 10.0
"""How long a connection may be silent."""

ADD = "/add-checkpoint"
NEWEST = "/checkpoint/"


def server_of(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """A server that is bound; ``serve_forever`` runs it, ``shutdown`` ends it."""

    class Handler(BaseHTTPRequestHandler):
        timeout = SECONDS
        server_version = "decklog-witness"
        sys_version = ""

        def do_POST(self) -> None:
            if self.path != ADD:
                self._answer(Reply(404, "There is nothing here.\n"))
                return
            length = self.headers.get("Content-Length", "")
            if not length.isascii() or not length.isdigit() or int(length) > LARGEST:
                self.close_connection = True
                self._answer(Reply(413, f"A request has {LARGEST} bytes at most.\n"))
                return
            self._answer(witness.add_checkpoint(self.rfile.read(int(length))))

        def do_GET(self) -> None:
            found = self.path.startswith(NEWEST)
            name = self.path.removeprefix(NEWEST)
            self._answer(witness.newest(name) if found else Reply(404, "There is nothing here.\n"))

        def _answer(self, reply: Reply) -> None:
            body = reply.body.encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.media)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Who asks is nobody's business."""

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    return server
