"""A receiver of traces, as a collector would be: OTLP over HTTP, on a free port of the loopback."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass
class Span:
    """What a test looks at."""

    name: str
    trace: str
    id: str
    parent: str
    kind: int
    status: int
    links: tuple[str, ...]
    facts: dict[str, Any]


@dataclass
class Receiver:
    """Where it is, what came, and the bytes of it."""

    url: str
    spans: list[Span] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver for the length of a ``with`` block."""
    found = Receiver("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            take(found, self.path, body)
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def take(receiver: Receiver, path: str, body: bytes) -> None:
    assert path == "/v1/traces", path
    receiver.raw.append(body)
    request = ExportTraceServiceRequest.FromString(body)
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            receiver.spans += [read(span) for span in scope.spans]


def read(span: Any) -> Span:
    facts = {
        each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes
    }
    return Span(
        name=span.name,
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        kind=span.kind,
        status=span.status.code,
        links=tuple(link.span_id.hex() for link in span.links),
        facts=facts,
    )
