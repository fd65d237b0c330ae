"""OpenTelemetry traces, where somebody has said where to send them. Else nothing is imported.

A request is a span with its ``decide`` inside; what the engine did for several requests at once is
a trace of its own, with a link to each of them, and the commit inside. Attributes name routes,
statuses and sizes: no game, no seat, no token, and of an exception only that there was one.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import Context
from typing import Any, Protocol
from urllib.parse import urlsplit

from service.entropy import SYSTEM, Entropy, drawn
from service.play.watch import Fact
from service.settings import Settings

STANDARD = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""Where OpenTelemetry's own variables name the receiver."""

FLUSH_MILLIS = 3000
"""How long a stop waits for the last spans to be taken."""


class Tracer(Protocol):
    """What the service needs of traces."""

    def request(
        self, method: str, headers: Sequence[tuple[bytes, bytes]]
    ) -> AbstractContextManager[Any]:
        """Round a request; continues the trace that its ``traceparent`` names."""

    def answered(self, span: Any, route: str, status: int, request_id: str) -> None:
        """What became of the request."""

    def span(
        self, name: str, of: Sequence[Context], facts: Mapping[str, Fact]
    ) -> AbstractContextManager[Any]:
        """Round a piece of the engine's work, see :class:`service.play.watch.Watch`."""

    def close(self) -> None:
        """Send what is waiting; bounded."""


class NoTraces:
    """Nobody asked for traces."""

    def request(
        self, method: str, headers: Sequence[tuple[bytes, bytes]]
    ) -> AbstractContextManager[Any]:
        return nullcontext()

    def answered(self, span: Any, route: str, status: int, request_id: str) -> None:
        return

    def span(
        self, name: str, of: Sequence[Context], facts: Mapping[str, Fact]
    ) -> AbstractContextManager[Any]:
        return nullcontext()

    def close(self) -> None:
        return


def tracer_for(settings: Settings, environ: Mapping[str, str], entropy: Entropy = SYSTEM) -> Tracer:
    """Traces to ``DECKLOG_TRACES`` or to where the standard variables say; else :class:`NoTraces`.

    Raises ValueError when they are asked for and the extra ``traces`` is not installed.
    """
    asked = bool(settings.traces or any(environ.get(name) for name in STANDARD))
    off = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if not asked or off or environ.get("OTEL_TRACES_EXPORTER", "otlp") == "none":
        return NoTraces()
    try:
        return OpenTelemetry(settings.traces, entropy)
    except ImportError as error:
        raise ValueError(f"{error}: install Decklog with its extra, decklog[traces]") from None


def spans_address(base: str) -> str:
    """The receiver's address for spans: of a bare address, the path that OTLP lays down."""
    return base if urlsplit(base).path.strip("/") else base.rstrip("/") + "/v1/traces"


class OpenTelemetry:
    """Spans by the SDK, sent in batches from a thread of its own."""

    def __init__(self, address: str, entropy: Entropy = SYSTEM) -> None:
        """``address``: of the receiver; "" leaves it to the standard variables."""
        exporter = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        resources = importlib.import_module("opentelemetry.sdk.resources")
        sdk = importlib.import_module("opentelemetry.sdk.trace")
        export = importlib.import_module("opentelemetry.sdk.trace.export")
        carrier = importlib.import_module("opentelemetry.trace.propagation.tracecontext")
        self._api = importlib.import_module("opentelemetry.trace")
        self._propagator = carrier.TraceContextTextMapPropagator()
        named = {"service.name": "decklog", "service.instance.id": drawn(entropy, 16)}
        resource = resources.Resource(named).merge(resources.OTELResourceDetector().detect())
        self._provider = sdk.TracerProvider(resource=resource, shutdown_on_exit=False)
        told = {"endpoint": spans_address(address)} if address else {}
        sender = exporter.OTLPSpanExporter(timeout=FLUSH_MILLIS // 1000, **told)
        self._provider.add_span_processor(export.BatchSpanProcessor(sender))
        self._tracer = self._provider.get_tracer("decklog")

    @contextmanager
    def request(self, method: str, headers: Sequence[tuple[bytes, bytes]]) -> Iterator[Any]:
        sent = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in headers
            if name == b"traceparent"
        }
        with self._start(
            method,
            kind=self._api.SpanKind.SERVER,
            context=self._propagator.extract(sent),
            attributes={"http.request.method": method},
        ) as span:
            yield span

    def answered(self, span: Any, route: str, status: int, request_id: str) -> None:
        span.update_name(f"{span.attributes['http.request.method']} {route}")
        span.set_attributes(
            {
                "http.route": route,
                "http.response.status_code": status,
                "decklog.request_id": request_id,
            }
        )
        if status >= 500:
            span.set_status(self._api.StatusCode.ERROR)

    @contextmanager
    def span(self, name: str, of: Sequence[Context], facts: Mapping[str, Fact]) -> Iterator[Any]:
        found = (context.run(self._api.get_current_span).get_span_context() for context in of)
        links = [self._api.Link(each) for each in found if each.is_valid]
        told = {f"decklog.{key}": value for key, value in facts.items()}
        with self._start(name, links=links, attributes=told) as span:
            yield span

    def _start(self, name: str, **more: Any) -> AbstractContextManager[Any]:
        """A current span; of an exception it keeps that it came, not what it says."""
        span: AbstractContextManager[Any] = self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False, **more
        )
        return span

    def close(self) -> None:
        self._provider.force_flush(FLUSH_MILLIS)
        self._provider.shutdown()
