"""What goes wrong around a stamp: disks, damaged files, slow authorities, stops between files."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from service.log import stamp
from service.publishing import stamping
from service.publishing.folder import LogFolder, write
from service.publishing.stamping import DailyHeads, kept_days, stamped_days
from service.settings import Settings
from tests.service.publishing.test_stamping import DAY, asked, note
from tests.support import tsa

pytestmark = tsa.needs_openssl

NOWHERE = "http://127.0.0.1:9/"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> tsa.Authority:
    return tsa.Authority(tmp_path_factory.mktemp("tsa") / "office")


class Disk:
    """Writes, or says that it is full."""

    full = False

    def __call__(self, path: Path, data: bytes) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        write(path, data)


def test_the_head_of_a_day_outlives_a_full_disk(tmp_path: Path) -> None:
    disk = Disk()
    folder, today = LogFolder(tmp_path, disk), datetime.now(UTC).date()
    own = DailyHeads(folder)
    last = note(tmp_path, 5)
    own.turn(last, today)
    disk.full = True
    for head in (last, note(tmp_path, 7)):  # the next day has signed meanwhile
        with pytest.raises(OSError, match="No space left"):
            own.turn(head, today + timedelta(days=1))
    disk.full = False
    assert own.turn(note(tmp_path, 7), today + timedelta(days=1)) == today
    assert folder.text(stamp.day_path(today, stamp.CHECKPOINT)) == str(last)
    assert own.turn(note(tmp_path, 9), today + timedelta(days=1)) is None, "once"


def test_a_head_that_could_not_be_kept_counts_as_unstamped(
    tmp_path: Path, office: tsa.Authority
) -> None:
    own, folder = asked(tmp_path, NOWHERE, office)
    disk = Disk()
    own.heads._folder = LogFolder(tmp_path, disk)
    own.rest()
    own.heads._day = DAY + timedelta(days=1)
    disk.full = True

    def turn() -> None:
        own.turn(note(tmp_path, 7), DAY + timedelta(days=2))

    turn()
    assert "No space left" in own.trouble
    assert own.unstamped > 0
    assert own.ask() is None
    assert "No space left" in own.trouble, "there is nothing to ask, and all is not well"
    disk.full = False
    turn()
    assert kept_days(folder) == [DAY, DAY + timedelta(days=1)]
    assert (own.trouble, own._day) == ("", DAY + timedelta(days=1))
    assert own.unstamped > 0, "it waits for its stamp now"


def test_who_comes_back_to_office_writes_over_no_head_of_an_earlier_day(
    tmp_path: Path, office: tsa.Authority
) -> None:
    own, folder = asked(tmp_path, NOWHERE, office)
    own.heads._day = DAY
    path = stamp.day_path(DAY, stamp.CHECKPOINT)
    kept = folder.text(path)
    own.rest()
    own.turn(note(tmp_path, 9), datetime.now(UTC).date() + timedelta(days=9))
    assert folder.text(path) == kept
    assert len(kept_days(folder)) == 2


def test_a_damaged_index_is_alarmed_of_until_it_is_repaired(
    tmp_path: Path, office: tsa.Authority
) -> None:
    folder = LogFolder(tmp_path)
    folder.say(stamp.INDEX, "2026-11-25 4\nbroken line\n")
    with tsa.served(office.answer) as address:
        own, _ = asked(tmp_path, address, office)
        assert own.ask() is None
        assert "has a line that is none" in own.trouble
        assert own.unstamped > 0
        folder.say(stamp.INDEX, "2026-11-25 4\n")
        own.turn(note(tmp_path, 5), DAY + timedelta(days=1))
        assert own.unstamped > 0, "it waits for its stamp now"
        assert own.ask() is not None
    assert (own.trouble, own.unstamped) == ("", 0.0)
    assert [each.day for each in stamped_days(folder)] == [DAY - timedelta(days=1), DAY]


def test_a_stop_between_token_and_index_changes_no_byte_of_the_token(
    tmp_path: Path, office: tsa.Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is served as what never changes."""
    with tsa.served(office.answer) as address:
        own, folder = asked(tmp_path, address, office)
        with monkeypatch.context() as patched:
            patched.setattr(folder, "say", stopping(folder, stamp.INDEX))
            assert own.ask() is None
        kept = folder.fetch(stamp.day_path(DAY, stamp.TOKEN))
        assert own.ask() is not None
        assert folder.fetch(stamp.day_path(DAY, stamp.TOKEN)) == kept
        assert stamped_days(folder) == [stamp.StampedDay(DAY, 5)]


def test_a_token_that_does_not_hold_is_no_stamp_because_it_is_there(
    tmp_path: Path, office: tsa.Authority
) -> None:
    stranger = tsa.Authority(tmp_path / "else", "Other Office")
    with tsa.served(office.answer) as address:
        own, folder = asked(tmp_path / "log", address, office)
        path = stamp.day_path(DAY, stamp.TOKEN)
        text = folder.text(stamp.day_path(DAY, stamp.CHECKPOINT))
        folder.say(path, stranger.answer(stamp.request(text)[0]))
        found = own.ask()
    assert found is not None
    assert stamp.check(folder.fetch(path), text, stamp.read_roots(office.root)) == found


def stopping(folder: LogFolder, at: str) -> Callable[[str, str | bytes], None]:
    """Writes until it comes to that file."""
    say = folder.say

    def until(name: str, data: str | bytes) -> None:
        if name == at:
            raise OSError("stopped here")
        say(name, data)

    return until


@pytest.mark.parametrize(
    "address",
    [
        "http://user:pa/ss@host/tsr", "http://user:secretpw@/tsr", "http:///secretpw",
        "https://user:secretpw@é..b/", "http://user:secret\x7fpw@host/", "http://",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused_at_the_start_and_not_shown(address: str) -> None:
    with pytest.raises(ValueError, match="tsa is no address that can be read") as refused:
        Settings(tsa=address)
    assert str(refused.value) == "tsa is no address that can be read"


def test_what_nobody_expected_is_told_without_its_words(
    tmp_path: Path,
    office: tsa.Authority,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They may hold the address, and a password in it."""
    address = "http://user:secretpw@host/"
    own, _ = asked(tmp_path, NOWHERE, office)

    def broken(query: bytes) -> bytes:
        raise RuntimeError(address)

    monkeypatch.setattr(own, "_post", broken)
    assert own.ask() is None
    assert own.trouble == "RuntimeError"
    assert "in broken" in caplog.text, "where it was is told"
    assert "secretpw" not in caplog.text


class Dripping:
    """Sends a byte and again one, each within every limit of a read, for ten seconds."""

    def __init__(self, begin: bytes, again: bytes) -> None:
        self.asked = threading.Event()
        self._begin, self._again = begin, again
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._server.getsockname()[1]}/tsr"
        self._pace = threading.Event()
        self._left = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Dripping:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._pace.set()
        self._thread.join()
        self._server.close()

    def left(self) -> bool:
        """Whether the asker has hung up before the end."""
        self._thread.join()
        return self._left

    def _run(self) -> None:
        asker, _ = self._server.accept()
        with asker:
            asker.recv(1 << 16)
            asker.sendall(self._begin)
            self.asked.set()
            try:
                for _ in range(200):
                    self._pace.wait(0.05)
                    asker.sendall(self._again)
            except OSError:
                self._left = True


OK = b"HTTP/1.1 200 OK\r\n"
DRIPS = {
    "header": (OK + b"X: ", b"a"),
    "body": (OK + b"Content-Length: 60000\r\n\r\n", b"a"),
    "early": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
}


@pytest.mark.parametrize("drip", DRIPS)
def test_the_limit_is_of_the_whole_question(
    tmp_path: Path, office: tsa.Authority, monkeypatch: pytest.MonkeyPatch, drip: str
) -> None:
    monkeypatch.setattr(stamping, "SECONDS", 0.3)
    with Dripping(*DRIPS[drip]) as authority:
        own, _ = asked(tmp_path, authority.address, office)
        assert own.ask() is None
        assert own.trouble == "the answer takes longer than 0.3 seconds"
        assert own.unstamped > 0
        assert authority.left(), "the connection is given up"


def test_a_stop_does_not_wait_for_the_authority(tmp_path: Path, office: tsa.Authority) -> None:
    with Dripping(*DRIPS["header"]) as authority:
        own, folder = asked(tmp_path, authority.address, office)
        own.start()
        assert authority.asked.wait(60)
        own.stop()
        assert not own._thread.is_alive()
        assert authority.left()
    assert (own.trouble, kept_days(folder)) == ("", [DAY]), "it is nobody's fault"
