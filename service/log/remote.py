"""A log that somebody else serves: what comes from there is bounded in size and time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported where it is used: that takes a tenth of the service's start
    import httpx

LARGEST = 1 << 20
"""Bytes of a file, at most."""

SECONDS = 5.0


class Unreachable(Exception):
    """The log does not give the file now."""


class RemoteLog:
    """The files below an address, ``http://HOST/log``, or in a folder."""

    def __init__(self, address: str, seconds: float = SECONDS) -> None:
        self.address = address.rstrip("/")
        self._seconds = seconds
        self._client: httpx.Client | None = None

    def fetch(self, path: str) -> bytes:
        """A file. Raises KeyError where there is none, and Unreachable."""
        if not self.address.startswith(("http://", "https://")):
            return self._read(Path(self.address.removeprefix("file://")) / path)
        import httpx

        if self._client is None:
            self._client = httpx.Client(timeout=self._seconds, follow_redirects=False)
        try:
            with self._client.stream("GET", f"{self.address}/{path}") as answer:
                if answer.status_code == 404:
                    raise KeyError(path)
                if answer.status_code != 200:
                    raise Unreachable(f"{path}: status {answer.status_code}")
                return bounded(answer)
        except httpx.HTTPError as error:
            raise Unreachable(f"{path}: {error}") from None

    def text(self, path: str) -> str:
        """A file of text. Raises as ``fetch`` does."""
        try:
            return self.fetch(path).decode()
        except UnicodeDecodeError:
            raise Unreachable(f"{path} is no text") from None

    def _read(self, path: Path) -> bytes:
        try:
            with path.open("rb") as file:
                return file.read(LARGEST)
        except (FileNotFoundError, NotADirectoryError):
            raise KeyError(str(path)) from None
        except OSError as error:
            raise Unreachable(str(error)) from None

    def close(self) -> None:
        """Harmless when repeated."""
        if self._client is not None:
            self._client.close()
            self._client = None


def bounded(answer: httpx.Response) -> bytes:
    """The body of an answer. Raises Unreachable where it is too long."""
    body = b""
    for part in answer.iter_bytes():
        body += part
        if len(body) > LARGEST:
            raise Unreachable("the answer is too long")
    return body
