"""Where files that are written once and never changed are kept: in a folder, or in a bucket.

A key is ``ab/NAME``. Whoever asks hears OSError where the place cannot be reached or refuses, and
FileNotFoundError where it has nothing under the key.
"""

from __future__ import annotations

import errno
import importlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from ..clock import SYSTEM
from ..threads import SYSTEM as THREADS
from .places import unwritable

SCHEME = "s3"
"""How the address of a bucket begins; whatever else is a folder."""
TIMEOUT = timedelta(seconds=5)
RETRIES = {"max_retries": 1, "retry_timeout": timedelta(seconds=5)}
PAUSE_SECONDS = 30.0
"""For which a bucket is left alone that did not answer: whoever reads there keeps a thread of all
readers waiting."""
ROLE = re.compile(r"/latest/(api/token|meta-data)|/v2/credentials|AssumeRole")
"""Where a role of the machine is asked for, which is done when there are no keys."""
CODE = re.compile(r"<Code>(\w+)</Code>")
"""What such a store calls its refusal."""


class Objects(Protocol):
    """Files by key, whole or not there at all."""

    def read(self, key: str) -> bytes:
        """What is under the key."""

    def write(self, key: str, data: bytes) -> None:
        """Keep it, for good when this returns."""

    def remove(self, key: str) -> None:
        """Take it away, if it is there."""

    def listed(self, head: str = "") -> Iterator[str]:
        """All keys, half-written files too; only those below ``head``, which has no slash."""

    def is_bare(self) -> bool:
        """Whether nothing is there, as in the place of a disk that is not mounted."""

    def writable(self) -> bool:
        """Whether a file could be written, as far as can be seen without writing one."""


def objects_at(place: str) -> Objects:
    """The folder of that path, or the bucket of an address such as ``s3://games/decklog``.

    Raises ImportError where what speaks to buckets is not installed, ValueError of an address that
    names no bucket.
    """
    return Bucket(place) if is_bucket(place) else Folder(Path(place))


def is_bucket(place: str) -> bool:
    """Whether a place is the address of a bucket, and not the path of a folder."""
    return place.startswith(f"{SCHEME}://")


class Folder:
    """Files below a folder, each on the disk before its name is."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    def read(self, key: str) -> bytes:
        """What is under the key."""
        return (self._path / key).read_bytes()

    def write(self, key: str, data: bytes) -> None:
        """A file with a name is whole: its name comes last."""
        path = self._path / key
        _made(path.parent)
        part = path.with_name(path.name + ".part")
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        synced(path.parent)

    def remove(self, key: str) -> None:
        """Take it away, if it is there."""
        (self._path / key).unlink(missing_ok=True)

    def listed(self, head: str = "") -> Iterator[str]:
        """All keys, half-written files too."""
        for path in self._path.glob(f"{head or '*'}/*"):
            yield str(path.relative_to(self._path))

    def is_bare(self) -> bool:
        """Whether nothing is in it; or it is missing."""
        return not self._path.is_dir() or not any(self._path.iterdir())

    def writable(self) -> bool:
        """Whether this process may write into it, or into what it would be made in."""
        return not unwritable(self._path)


class Breaker:
    """Stands between a service and what may be away: a circuit breaker.

    After a failure nobody asks for a while; then one may, and the others wait for what he hears.
    """

    def __init__(self, monotonic: Callable[[], float] = SYSTEM.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = THREADS.lock()
        self._until: float | None = None

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Raises OSError at once where it is not the time to ask."""
        with self._lock:
            if self._until is not None and self._monotonic() < self._until:
                raise OSError(errno.EIO, "it has not answered lately")
            if self._until is not None:
                self._until = self._monotonic() + PAUSE_SECONDS
        try:
            yield
        except FileNotFoundError:
            self._until = None
            raise
        except OSError:
            self._until = self._monotonic() + PAUSE_SECONDS
            raise
        self._until = None


class Bucket:
    """Objects of an S3-like store, below a prefix of one bucket, by ``obstore``.

    Region, endpoint and credentials are those of the environment, by the names that the tools of
    such stores share (AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and so on).
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._breaker = Breaker()
        parts = urlsplit(address)
        if not parts.netloc or parts.query or parts.fragment:
            raise ValueError(f"{address} names no bucket: say s3://BUCKET or s3://BUCKET/PREFIX.")
        self._obstore: Any = importlib.import_module("obstore")
        stores: Any = importlib.import_module("obstore.store")
        self._refusals: Any = importlib.import_module("obstore.exceptions").BaseError
        endpoint = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT") or ""
        try:
            self._store = stores.S3Store(
                parts.netloc,
                prefix=parts.path.strip("/") or None,
                client_options={"timeout": TIMEOUT, "allow_http": endpoint.startswith("http:")},
                retry_config=RETRIES,
            )
        except self._refusals as error:
            raise ValueError(_first_line(error)) from None

    def __str__(self) -> str:
        return self._address

    def read(self, key: str) -> bytes:
        """What is under the key."""
        with self._told():
            return bytes(self._obstore.get(self._store, key).bytes())

    def write(self, key: str, data: bytes) -> None:
        """A store of objects has one whole or not at all, and answers when it is kept."""
        with self._told():
            self._obstore.put(self._store, key, data)

    def remove(self, key: str) -> None:
        """Take it away, if it is there."""
        with self._told():
            self._obstore.delete(self._store, key)

    def listed(self, head: str = "") -> Iterator[str]:
        """All keys below the prefix."""
        with self._told():
            for some in self._obstore.list(self._store, head or None):
                yield from (each["path"] for each in some)

    def is_bare(self) -> bool:
        """Whether no object is below the prefix."""
        with self._told():
            return not next(iter(self._obstore.list(self._store)), ())

    def writable(self) -> bool:
        """True: only writing shows it."""
        return True

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the bucket refuses, as what a folder would."""
        with self._breaker.asking():
            try:
                yield
            except (FileNotFoundError, self._refusals) as error:
                if "NoSuchBucket" in str(error):
                    raise OSError(errno.EIO, "there is no such bucket") from None
                if isinstance(error, FileNotFoundError):
                    raise
                raise OSError(errno.EIO, _why(error)) from None


def _why(error: Exception) -> str:
    """What happened, with what an operator looks at, and without addresses."""
    text = _before_debugging(error)
    if ROLE.search(text):
        return (
            "there are no keys for the bucket, and this machine has no role that gives some: "
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        )
    if "403 Forbidden" in text or "401 Unauthorized" in text:
        code = CODE.search(text)
        return (
            "the bucket refuses the keys, or they may not do this: look at AWS_ACCESS_KEY_ID, "
            f"AWS_SECRET_ACCESS_KEY and AWS_REGION ({code[1] if code else 'no reason was given'})"
        )
    if "error sending request" in text or "operation timed out" in text:
        return (
            "nobody answers for the bucket in time: look at AWS_ENDPOINT_URL (AWS_REGION where it "
            "is Amazon's), and whether its server is at work"
        )
    return _first_line(error)


def _before_debugging(error: Exception) -> str:
    """The message, without the library's account of where in itself it came up."""
    return str(error).partition("Debug source:")[0]


def _first_line(error: Exception) -> str:
    """What happened, without the answer of the server, which may be pages."""
    return str(error).strip().split("\n")[0][:200]


def _made(folder: Path) -> None:
    """The folder, with its name on the disk."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        synced(folder.parent)


def synced(path: Path) -> None:
    """A file, or a folder with its names, on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
