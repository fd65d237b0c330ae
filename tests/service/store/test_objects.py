"""Files by key are the same in a folder and in a bucket, and so is what they refuse."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from service.errors import StoreRefused, StoreUnavailable
from service.store import objects
from service.store.archive import Archive
from service.store.objects import Breaker, Bucket, Objects, objects_at
from tests.support.bucket import BucketServer, bucket
from tests.support.redis import free_port

pytestmark = pytest.mark.slow("stores")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BucketServer]:
    with bucket(tmp_path / "buckets") as made:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(objects, "TIMEOUT", timedelta(seconds=60))  # of a busy machine
        yield made


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "folder":
        return str(tmp_path / "folder")
    made: BucketServer = request.getfixturevalue("server")
    return made.address


def test_what_is_written_is_read_listed_and_taken_away(place: str) -> None:
    files: Objects = objects_at(place)
    assert str(files) == place
    assert files.is_bare()
    assert files.writable()
    assert list(files.listed()) == []
    files.write("ab/one.zip.gz", b"one")
    files.write("ab/two.zip.gz", b"two")
    files.write("cd/three.zip.gz", b"\x00" * 300_000)
    files.write("ab/two.zip.gz", b"two again")
    assert not files.is_bare()
    assert files.read("ab/two.zip.gz") == b"two again"
    assert files.read("cd/three.zip.gz") == b"\x00" * 300_000
    assert sorted(files.listed()) == ["ab/one.zip.gz", "ab/two.zip.gz", "cd/three.zip.gz"]
    assert sorted(files.listed("ab")) == ["ab/one.zip.gz", "ab/two.zip.gz"]
    files.remove("ab/one.zip.gz")
    files.remove("ab/one.zip.gz")
    with pytest.raises(FileNotFoundError):
        files.read("ab/one.zip.gz")
    assert sorted(objects_at(place).listed()) == ["ab/two.zip.gz", "cd/three.zip.gz"]


def test_a_bucket_is_below_its_prefix(server: BucketServer) -> None:
    objects_at(server.address).write("ab/one", b"1")
    assert (server.files / "ab" / "one").read_bytes() == b"1"
    assert list(objects_at("s3://games/other").listed()) == []
    assert list(objects_at("s3://games").listed()) == ["decklog/ab/one"]


@pytest.mark.parametrize("address", ["s3://", "s3:///prefix", "s3://games?x=1"])
def test_an_address_without_a_bucket_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="names no bucket"):
        objects_at(address)
    with pytest.raises(StoreRefused, match="names no bucket"):
        Archive(address)


ASKS: list[Callable[[Objects], object]] = [
    lambda files: files.read("ab/one"),
    lambda files: files.is_bare(),
    lambda files: files.write("ab/one", b""),
]


def test_a_bucket_that_is_not_there_is_no_empty_one(server: BucketServer) -> None:
    for ask in ASKS:
        with pytest.raises(OSError, match="no such bucket") as told:
            ask(objects_at("s3://nobody"))
        assert not isinstance(told.value, FileNotFoundError)
    with pytest.raises(StoreUnavailable):
        Archive("s3://nobody").write("0" * 32, b"")


def test_a_wrong_secret_is_told_without_it(
    server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another-secret-than-the-servers")
    for ask in ASKS:
        with pytest.raises(OSError, match=r"refuses.*AWS_ACCESS_KEY_ID.*\(SignatureDoes") as told:
            ask(objects_at(server.address))
        assert "another-secret" not in str(told.value)
        assert server.environment["AWS_ENDPOINT_URL"] not in str(told.value), "players read it"


def test_that_there_are_no_keys_is_told(
    server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a role of the machine is asked for, at an address that says nothing to an operator."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    nobody = f"http://127.0.0.1:{free_port()}"
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", nobody)
    with pytest.raises(OSError, match=r"no keys.*AWS_ACCESS_KEY_ID") as told:
        objects_at(server.address).read("ab/one")
    assert nobody not in str(told.value)


def test_a_server_that_is_away_is_told_in_time(
    server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = objects_at(server.address)
    files.write("ab/one", b"1")
    server.stop()
    for ask in ASKS:
        with pytest.raises(OSError, match=r"nobody answers.*AWS_ENDPOINT_URL") as told:
            ask(objects_at(server.address))
        assert server.environment["AWS_ENDPOINT_URL"] not in str(told.value), "players read it"
    with pytest.raises(OSError, match="nobody answers"):
        files.read("ab/one")
    server.start()
    with pytest.raises(OSError, match="lately"):
        files.read("ab/one")
    monkeypatch.setattr(objects, "PAUSE_SECONDS", 0.0)
    assert objects_at(server.address).read("ab/one") == b"1"


def test_a_bucket_that_hangs_keeps_few_waiting(
    server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took ten seconds of a reader's thread each time that an archived game was asked for."""
    server.stop()
    monkeypatch.setattr(objects, "TIMEOUT", timedelta(seconds=1))
    with socket.create_server(("127.0.0.1", server.port)):
        files = objects_at(server.address)
        begun = time.monotonic()
        for _ in range(20):
            with pytest.raises(OSError, match=r"nobody answers|lately"):
                files.read("ab/one")
        assert time.monotonic() - begun < 20


def test_a_breaker_lets_one_try_after_a_while() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])

    def ask(error: Exception | None = None) -> None:
        with breaker.asking():
            if error is not None:
                raise error

    ask()
    with pytest.raises(FileNotFoundError):
        ask(FileNotFoundError())
    ask()
    with pytest.raises(OSError, match="away"):
        ask(OSError("away"))
    with pytest.raises(OSError, match="lately"):
        ask()
    now[0] += objects.PAUSE_SECONDS
    with breaker.asking(), pytest.raises(OSError, match="lately"):
        ask()
    ask()


def test_a_store_is_refused_where_nothing_speaks_to_buckets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.setattr("service.store.objects.importlib.import_module", missing)
    with pytest.raises(StoreRefused, match=r"decklog\[buckets\]") as refused:
        Archive("s3://games")
    assert refused.value.code == "store.no-archive"
    with pytest.raises(ImportError):
        Bucket("s3://games")
