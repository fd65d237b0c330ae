"""The address that the service listens on: by the start, and by the check before it."""

from __future__ import annotations

import errno
import socket

from ..settings import Settings

NO_SUCH_HOST = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""What the system answers for an address that is not this machine's, or of no family it has."""

OTHER_PORT = (
    '(DECKLOG_PORT). Take another port: decklog serve --port 0, or make serve ARGS="--port 0", '
    "finds a free one."
)
OTHER_HOST = "(DECKLOG_HOST). Take an address of this machine: 127.0.0.1, or 0.0.0.0 for all."


class PortUnusable(Exception):
    """Nothing can listen there; in words, and what to do.

    taken  whether it is because somebody else does
    """

    def __init__(self, told: str, *, taken: bool) -> None:
        super().__init__(f"port.unusable: {told}")
        self.taken = taken


def bound(settings: Settings) -> socket.socket:
    """A bound socket, so that port 0 has become a number before anything is said.

    Nobody can connect before it listens. Raises PortUnusable.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except (OSError, UnicodeError) as error:
        listener.close()
        raise _unusable(settings, error) from None
    return listener


def _unusable(settings: Settings, error: OSError | UnicodeError) -> PortUnusable:
    number = error.errno if isinstance(error, OSError) else None
    why = (getattr(error, "strerror", None) or str(error)).lower()
    host = isinstance(error, (socket.gaierror, UnicodeError)) or number in NO_SUCH_HOST
    told = f"cannot listen on {settings.host}:{settings.port}, {why}"
    hint = OTHER_HOST if host else OTHER_PORT
    return PortUnusable(f"{told} {hint}", taken=number == errno.EADDRINUSE)


def worker_name(settings: Settings, port: int) -> str:
    """Of several workers on a machine each has a port of its own."""
    return settings.worker or f"{socket.gethostname()}:{port}"
