"""The last head of a day is stamped by an authority of openssl's own, and by some that lie."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from litestar.testing import TestClient

from service import container
from service.app import create_app
from service.cli import main
from service.desk import Desk
from service.errors import StoreRefused
from service.evidence import bundle
from service.evidence.casefile import unpack
from service.evidence.verdict import CANNOT_JUDGE, REFUTED, UPHELD, Verdict
from service.evidence.verify import verify
from service.log import border, stamp
from service.log.checkpoint import open_checkpoint
from service.log.judging import Judge
from service.log.note import Note
from service.publishing import stamping
from service.publishing.asking import client
from service.publishing.folder import LogFolder
from service.publishing.proving import _proof
from service.publishing.public import PublicLog
from service.publishing.stamping import Authority, DailyHeads, Stamper, kept_days, stamped_days
from service.settings import Settings
from tests.service.desk.kit import new_game, play
from tests.service.evidence.playing import GAMES
from tests.service.following.test_thread import until
from tests.service.log.logs import LOG, played, write_log
from tests.service.log.test_judging import HONEST, LEAVES, NUMBER, head, policy
from tests.service.publishing.test_public import run, size, with_log
from tests.service.publishing.test_witnesses import SEED
from tests.spec.test_checkers import PROGRAMS
from tests.spec.vectors import SPEC
from tests.support import tsa
from tests.support.pennant import GAME
from tests.support.second import CONSISTENT, opinions

pytestmark = tsa.needs_openssl

DAY = date(2026, 11, 26)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> tsa.Authority:
    return tsa.Authority(tmp_path_factory.mktemp("tsa") / "office")


def note(folder: Path, leaves: int) -> Note:
    return open_checkpoint(write_log(folder, played(leaves)), LOG.public)[0]


def asked(
    folder: Path, address: str, office: tsa.Authority, leaves: int = 5
) -> tuple[Stamper, LogFolder]:
    """Who has just been told that a day is over."""
    found = LogFolder(folder)
    own = Stamper(Authority(address, stamp.read_roots(office.root)), found, client)
    first = note(folder, leaves)
    own.turn(first, DAY)
    own.heads._day = DAY  # it stood then
    own.turn(first, DAY + timedelta(days=1))
    return own, found


def test_the_last_head_of_a_day_is_kept_before_the_next_day_signs(tmp_path: Path) -> None:
    folder = LogFolder(tmp_path)
    own = DailyHeads(folder)
    assert own.turn(None, DAY) is None, "an empty log has none"
    today = datetime.now(UTC).date()
    assert own.turn(note(tmp_path, 3), today) is None
    assert own.turn(note(tmp_path, 5), today) is None, "the day goes on"
    last = note(tmp_path, 7)
    assert own.turn(last, today + timedelta(days=1)) == today
    assert folder.text(stamp.day_path(today, stamp.CHECKPOINT)) == str(last)
    assert own.turn(last, today + timedelta(days=2)) is None, "nothing was signed that day"
    assert own.turn(note(tmp_path, 9), today + timedelta(days=4)) == today + timedelta(days=2)
    again = DailyHeads(folder)
    assert again.turn(note(tmp_path, 9), today + timedelta(days=9)) is None, "it is kept"
    assert kept_days(folder) == [today, today + timedelta(days=2)]


def test_a_stamp_is_checked_and_kept_as_it_came(tmp_path: Path, office: tsa.Authority) -> None:
    came: list[bytes] = []

    def answer(query: bytes) -> bytes:
        came.append(office.answer(query))
        return came[-1]

    with tsa.served(answer) as address:
        own, folder = asked(tmp_path, address, office)
        assert own.unstamped > 0
        found = own.ask()
        assert own.ask() is None, "it is asked once a day"
    assert found is not None
    assert found.by == "CN=Clock Office"
    assert abs(found.at - datetime.now(UTC)) < timedelta(minutes=10)
    assert (own.trouble, own.unstamped, len(came)) == ("", 0.0, 1)
    assert folder.fetch(stamp.day_path(DAY, stamp.TOKEN)) == came[0]
    assert stamped_days(folder) == [stamp.StampedDay(DAY, 5)]
    own.rest()
    own.turn(note(tmp_path, 5), DAY + timedelta(days=1))
    assert own.unstamped == 0.0, "whoever comes to office finds the stamp"


def test_a_token_with_its_certificates_in_another_order_is_read_and_kept_as_it_came(
    tmp_path: Path, office: tsa.Authority
) -> None:
    """That DER does not allow, and some authorities do; so does OpenSSL 3.0."""
    while not office.unsorted:
        office.certify(30)
    query, nonce = stamp.request("a head")
    token = office.answer(query, whole_chain=True)
    with pytest.raises(ValueError, match="InvalidSetOrdering"):
        stamp.library().decode_timestamp_response(token)
    assert (
        stamp.check(token, "a head", stamp.read_roots(office.root), nonce).by == "CN=Clock Office"
    )
    with tsa.served(lambda query: office.answer(query, whole_chain=True)) as address:
        own, folder = asked(tmp_path, address, office)
        assert own.ask() is not None
    kept = folder.fetch(stamp.day_path(DAY, stamp.TOKEN))
    assert stamp.in_order(kept) != kept, "as it came"


def other_data(office: tsa.Authority) -> tsa.Answers:
    """About another text, with the nonce that was asked for."""
    mark = b"\x04\x40"  # SHA-512, as an octet string
    foreign, _ = stamp.request("another head")
    other = foreign[foreign.index(mark) + 2 :][:64]

    def answer(query: bytes) -> bytes:
        at = query.index(mark) + 2
        return office.answer(query[:at] + other + query[at + 64 :])

    return answer


def test_what_is_no_stamp_of_this_head_is_refused_and_asked_for_again(
    tmp_path: Path, office: tsa.Authority, caplog: pytest.LogCaptureFixture
) -> None:
    expired = tsa.Authority(tmp_path / "expired", "Late Office", -1)
    lies = {
        "data": (other_data(office), office, "Mismatch between messages"),
        "nonce": (lambda _: office.answer(stamp.request("a head")[0]), office, "Nonce mismatch"),
        "stranger": (tsa.Authority(tmp_path / "else").answer, office, "certificate verify error"),
        "expired": (expired.answer, expired, "certificate has expired"),
        "refused": (lambda _: office.answer(b"no request"), office, "refused, status 2"),
        "garbage": (lambda _: b"\x30\x82garbage", office, "cannot be read"),
        "html": (lambda _: b"<html>come back later</html>", office, "cannot be read"),
        "nothing": (lambda _: b"", office, "cannot be read"),
        "huge": (lambda _: b"\x30" * 10_000_000, office, "more than 65536 bytes"),
    }
    for name, (lie, whose, why) in lies.items():
        with tsa.served(lie) as address:
            own, folder = asked(tmp_path / name, address, whose)
            assert own.ask() is None, name
            assert why in own.trouble, name
            assert f"is not stamped: {own.trouble}" in caplog.text, "the operator is told"
            assert stamped_days(folder) == [], name
            with pytest.raises(KeyError):
                folder.fetch(stamp.day_path(DAY, stamp.TOKEN))
            assert own.unstamped > 0
        with tsa.served(whose.answer) as address:
            if whose is expired:
                expired.certify(30)
            own.authority = own.authority._replace(url=address)
            assert own.ask() is not None, name
        own.stop()


def test_an_answer_that_cannot_be_read_is_kept_beside_and_is_no_stamp(
    tmp_path: Path, office: tsa.Authority
) -> None:
    with tsa.served(lambda _: b"\x30\x03abc") as address:
        own, folder = asked(tmp_path, address, office)
        assert own.ask() is None
    assert folder.fetch(stamp.day_path(DAY, stamping.UNREAD)) == b"\x30\x03abc"
    assert not stamp.is_path(stamp.day_path(DAY, stamping.UNREAD)), "it is not served"


def test_a_silent_authority_holds_nobody_and_redirects_are_not_followed(
    tmp_path: Path, office: tsa.Authority
) -> None:
    freed, met = threading.Event(), []

    def silent(query: bytes) -> bytes:
        freed.wait(60)
        return b""

    with tsa.served(silent) as address:
        own, _ = asked(tmp_path / "silent", address, office)
        own._http = lambda: httpx.Client(timeout=0.2, follow_redirects=False, trust_env=False)
        assert own.ask() is None
        assert own.trouble == "timed out"
        freed.set()

    def inside(query: bytes) -> bytes:
        met.append(query)
        return office.answer(query)

    with tsa.served(inside) as private, tsa.served(lambda _: b"", 307, private) as address:
        own, _ = asked(tmp_path / "led", address, office)
        assert own.ask() is None
        assert (own.trouble, met) == ("status 307", [])


def test_a_damaged_file_of_stamps_keeps_the_log_from_nothing(
    tmp_path: Path, office: tsa.Authority, caplog: pytest.LogCaptureFixture
) -> None:
    own, folder = asked(tmp_path, "http://127.0.0.1:9/", office)
    folder.say(stamp.day_path(DAY, stamp.CHECKPOINT), "no note")
    own.turn(note(tmp_path, 9), DAY + timedelta(days=5))
    assert "the files of stamps" in caplog.text


# In a file


def stamped(
    folder: Path, office: tsa.Authority, text: str = "", leaves: int = len(LEAVES) - 1
) -> bytes:
    """The file of a game with a head of today, and a stamp of yesterday's."""
    earlier = text or head(folder / "earlier", LEAVES[:leaves], [])
    token = office.answer(stamp.request(earlier)[0])
    return with_stamp(folder, earlier, token)


def with_stamp(folder: Path, earlier: str, token: bytes) -> bytes:
    now = head(folder / "now", LEAVES, [0, 2])
    proof = str(_proof(LogFolder(folder / "now"), NUMBER, now))
    told = str(_proof(LogFolder(folder / "earlier"), NUMBER, earlier))
    return bundle.with_log(HONEST, now, proof, "", (told, token))


def judged(data: bytes, roots: bytes = b"", **more: object) -> Verdict:
    found = stamp.read_roots(roots) if roots else None
    return verify(data, GAMES, log=Judge(policy(), roots=found, **more))  # type: ignore[arg-type]


def test_the_verdict_says_which_authority_vouches_for_the_time(
    tmp_path: Path, office: tsa.Authority
) -> None:
    data = stamped(tmp_path, office)
    by = {each.what: each.by for each in judged(data, office.root).vouched}
    witnesses, _, authority = by["time"].partition("; ")
    assert witnesses == "the witnesses, that all of it was there at 2026-09-21T14:13:30Z"
    said = "the time-stamping authority CN=Clock Office, that all of it was there at 20"
    assert authority.startswith(said)
    unjudged = judged(data)
    assert unjudged.code == UPHELD
    assert "authority" not in {each.what: each.by for each in unjudged.vouched}["time"]
    assert any("is stamped (time/stamp.tsr), which is not judged" in n for n in unjudged.notes)
    for told in opinions([data], tmp_path):
        assert told["word"] == CONSISTENT


def test_a_file_is_judged_by_a_time_that_an_authority_vouches_for(
    tmp_path: Path, office: tsa.Authority
) -> None:
    data, soon = stamped(tmp_path, office), datetime.now(UTC) + timedelta(hours=1)
    told = judged(data, office.root, until=soon)
    assert told.code == UPHELD
    before = judged(data, office.root, until=datetime(2026, 1, 1, tzinfo=UTC))
    assert before.code == CANNOT_JUDGE


def test_a_stamped_head_with_another_past_than_the_files_is_refuted(
    tmp_path: Path, office: tsa.Authority
) -> None:
    """Two heads of one size convict the log by the file alone; others by its tiles."""
    other = head(tmp_path / "same/earlier", [*LEAVES[:-1], LEAVES[0]], [])
    data = stamped(tmp_path / "same", office, other)
    for told in (judged(data, office.root), judged(data)):
        assert told.code == REFUTED
        assert told.finding is not None
        assert "goes on from the head in time/proof.txt" in str(told.finding.expected)
    other = head(tmp_path / "past/earlier", [LEAVES[-1], *LEAVES[1:-1]], [])
    data = stamped(tmp_path / "past", office, other)
    open_ = judged(data, office.root)
    assert open_.code == UPHELD
    assert any("were not compared" in each for each in open_.notes)
    kept = [("kept.txt", head(tmp_path / "kept", LEAVES[: len(LEAVES) - 1], []))]
    tiles = LogFolder(tmp_path / "past/now").fetch
    for more in ({"fetch": tiles}, {"fetch": tiles, "known": kept}):
        assert judged(data, office.root, **more).code == REFUTED


def test_a_stamped_head_is_compared_by_the_tiles_of_the_log(
    tmp_path: Path, office: tsa.Authority
) -> None:
    data = stamped(tmp_path, office)
    assert any("were not compared" in each for each in judged(data, office.root).notes)
    fetched = judged(data, office.root, fetch=LogFolder(tmp_path / "now").fetch)
    assert fetched.code == UPHELD
    assert not any("were not compared" in each for each in fetched.notes)

    def away(path: str) -> bytes:
        raise KeyError(path)

    assert any("were not compared" in n for n in judged(data, office.root, fetch=away).notes)


def test_what_an_authority_says_is_as_rough_as_it_says(tmp_path: Path) -> None:
    rough = tsa.Authority(tmp_path / "rough", "Rough Office", accuracy="secs:86400, millisecs:1")
    data, now = stamped(tmp_path, rough), datetime.now(UTC)
    roots = stamp.read_roots(rough.root)

    def by(until: datetime) -> Verdict:  # without witnesses, who vouch for a time of their own
        return verify(data, GAMES, log=Judge(None, roots=roots, until=until))

    assert by(now + timedelta(minutes=5)).code == CANNOT_JUDGE
    late = by(now + timedelta(days=1, minutes=5))
    assert late.code == UPHELD
    token = container.unpack(data)[bundle.TIME_STAMP]
    text = container.unpack(data)[bundle.TIME_PROOF].decode().partition("\n\n")[2]
    at = stamp.check(token, text, roots).at
    assert now + timedelta(hours=23) < at < now + timedelta(hours=25)
    assert at.microsecond == 0, "no part of a second is cut off where the time is told"
    assert border.told(at) in {each.what: each.by for each in late.vouched}["time"]


def test_without_a_policy_nobody_has_looked_who_signed_the_stamped_head(
    tmp_path: Path, office: tsa.Authority
) -> None:
    text = head(tmp_path / "earlier", LEAVES[: len(LEAVES) - 1], [])
    unsigned = text.partition("\n\n")[0] + f"\n\n\u2014 {LOG.public.name} AAAAAAAA\n"
    data = stamped(tmp_path, office, unsigned)
    assert judged(data, office.root).code == REFUTED
    roots, soon = stamp.read_roots(office.root), datetime.now(UTC) + timedelta(hours=1)
    anybodys = verify(data, GAMES, log=Judge(None, roots=roots, until=soon))
    assert anybodys.code == UPHELD
    said = str(anybodys.checks)
    assert "time/proof.txt, whose signatures were not checked, was stamped before" in said
    by_policy = judged(stamped(tmp_path / "signed", office), office.root, until=soon)
    assert "were not checked" not in str(by_policy.checks)


def test_a_stamp_that_is_not_of_this_game_or_of_nobody_is_refuted(
    tmp_path: Path, office: tsa.Authority
) -> None:
    stranger = tsa.Authority(tmp_path / "else", "Other Office")
    data = stamped(tmp_path, office)
    assert judged(data, stranger.root).code == REFUTED
    earlier = container.unpack(data)[bundle.TIME_PROOF].decode().partition("\n\n")[2]
    other = office.answer(stamp.request(f"{earlier}.")[0])
    told = judged(with_stamp(tmp_path, earlier, other), office.root)
    assert told.code == REFUTED
    assert told.finding is not None
    assert (told.finding.check, told.finding.what) == ("log", "time stamp")
    assert "Mismatch between messages" in str(told.finding.found)
    unread = judged(with_stamp(tmp_path, earlier, b"\x30\x03abc"), office.root)
    assert unread.code == CANNOT_JUDGE
    assert "openssl ts -verify may read it" in unread.reason
    assert any("No stamp" in n for n in judged(unstamped(tmp_path), office.root).notes)


def unstamped(folder: Path) -> bytes:
    now = head(folder / "now", LEAVES, [0, 2])
    return bundle.with_log(HONEST, now, str(_proof(LogFolder(folder / "now"), NUMBER, now)))


def test_half_a_stamp_is_no_file(tmp_path: Path, office: tsa.Authority) -> None:
    data = stamped(tmp_path, office)
    manifest, whole = unpack(data)
    for name in bundle.TIME_FILES:
        left = {each: text for each, text in whole.items() if each != name}
        half = bundle.pack(left, manifest.game, manifest.head, manifest.rules, manifest.viewer)
        told = judged(half)
        assert told.word == "UNREADABLE"
        assert "time stamp" in told.reason
        assert opinions([half], tmp_path)[0]["word"] == "UNREADABLE"


def other_files(folder: Path, office: tsa.Authority) -> Iterator[tuple[str, bytes]]:
    """Files whose stamp the specification does not allow, and what is wrong with each."""
    manifest, whole = unpack(stamped(folder, office))

    def packed(files: dict[str, bytes]) -> bytes:
        return bundle.pack(files, manifest.game, manifest.head, manifest.rules, manifest.viewer)

    for name in bundle.TIME_FILES:
        half = {each: text for each, text in whole.items() if each != name}
        yield "half a time stamp", packed(half)
    without = {each: text for each, text in whole.items() if not each.startswith("log/")}
    yield "a time stamp without a log", packed(without)
    yield "no proof", packed({**whole, bundle.TIME_PROOF: b"garbage"})
    proof = whole[bundle.TIME_PROOF].decode().splitlines(keepends=True)
    lacks = "".join([*proof[:2], *proof[3:]]).encode()
    yield "the proof", packed({**whole, bundle.TIME_PROOF: lacks})
    text = head(folder / "split/earlier", [*LEAVES[:-1], LEAVES[0]], [])
    yield "another past", stamped(folder / "split", office, text)
    elsewhere = whole[bundle.TIME_PROOF].replace(LOG.public.name.encode(), b"example.org/other")
    yield "another log", packed({**whole, bundle.TIME_PROOF: elsewhere})


CHECKERS = {**PROGRAMS, "shell": ("sh", str(SPEC / "check.sh"))}


@pytest.mark.parametrize(
    "program", [*PROGRAMS, pytest.param("shell", marks=pytest.mark.slow("stores"))]
)
def test_the_checkers_of_the_specification_take_a_whole_stamp_alone(
    program: str, tmp_path: Path, office: tsa.Authority
) -> None:
    file = tmp_path / "game.decklog"

    def check(data: bytes) -> tuple[int, str]:
        file.write_bytes(data)
        line = [*CHECKERS[program], str(file)]
        done = subprocess.run(line, check=False, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    code, said = check(stamped(tmp_path, office))
    assert (code, "leaves is stamped; the stamp is not checked here\n" in said) == (0, True), said
    for why, data in other_files(tmp_path, office):
        code, said = check(data)
        assert code == 1, why
        assert re.search(f": WRONG: .*{why}", said), (why, said)


def test_the_second_opinion_reads_the_proof_of_a_stamped_head(
    tmp_path: Path, office: tsa.Authority
) -> None:
    whys, files = zip(*other_files(tmp_path, office), strict=True)
    for why, data, told in zip(whys, files, opinions(files, tmp_path), strict=True):
        assert told["word"] in ("REFUTED", "UNREADABLE"), why
        assert judged(data).word == told["word"], why


def test_the_command_line_takes_the_authoritys_root(
    tmp_path: Path, office: tsa.Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    file, root = tmp_path / "game.decklog", tmp_path / "root.pem"
    file.write_bytes(stamped(tmp_path, office))
    root.write_bytes(office.root)
    games = {"pennant": GAME}
    assert main(["verify", str(file), "--tsa-root", str(root)], games) == 0
    assert "the time-stamping authority CN=Clock Office, that all of it" in capsys.readouterr().out
    assert main(["verify", str(file)], games) == 0
    assert "which is not judged: --tsa-root" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", str(file), "--tsa-root", str(file)], games) == 2
    assert "--tsa-root: no certificate in PEM" in capsys.readouterr().err


def test_a_monitor_checks_the_newest_stamp(
    tmp_path: Path, office: tsa.Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    with tsa.served(office.answer) as address:
        own, folder = asked(tmp_path / "log", address, office)
        own.ask()
    write_log(tmp_path / "log", played(9))
    root, stranger = tmp_path / "root.pem", tmp_path / "other.pem"
    root.write_bytes(office.root)
    stranger.write_bytes(tsa.Authority(tmp_path / "else").root)
    line = ["monitor", str(tmp_path / "log"), "--log", str(LOG.public), "--tsa-root"]
    line[1:1] = ["--folder", str(tmp_path / "m")]
    assert main([*line, str(root)], {}) == 0
    said = capsys.readouterr().out
    assert f"the head of {DAY} was there at 20" in said
    assert "Z, says CN=Clock Office" in said
    assert "has seen the same, up to 5 leaves" in said
    assert main([*line, str(stranger)], {}) == 1
    assert f"the time stamp of {DAY} is none" in capsys.readouterr().out
    forged = write_log(tmp_path / "other", [*played(4), LEAVES[7]])
    folder.say(stamp.day_path(DAY, stamp.CHECKPOINT), forged)
    folder.say(stamp.day_path(DAY, stamp.TOKEN), office.answer(stamp.request(forged)[0]))
    assert main([*line, str(root)], {}) == 1
    assert "was shown another log" in capsys.readouterr().out


def watched(folder: Path, office: tsa.Authority) -> tuple[LogFolder, list[str]]:
    """A log with a stamp of ``DAY``, and the line of a monitor over it."""
    with tsa.served(office.answer) as address:
        own, found = asked(folder / "log", address, office)
        own.ask()
    root = folder / "root.pem"
    root.write_bytes(office.root)
    line = ["monitor", str(folder / "log"), "--folder", str(folder / "m")]
    return found, [*line, "--log", str(LOG.public), "--tsa-root", str(root)]


@pytest.mark.parametrize("damage", ["garbage", "no token", "no index", "no day", "nonsense"])
def test_a_monitor_alarms_where_a_stamp_is_gone_that_it_has_seen(
    damage: str, tmp_path: Path, office: tsa.Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, line = watched(tmp_path, office)
    token = stamp.day_path(DAY, stamp.TOKEN)
    ruin: dict[str, Callable[[], object]] = {
        "garbage": lambda: folder.say(token, b"\x30\x03abc"),
        "no token": (tmp_path / "log" / token).unlink,
        "no index": (tmp_path / "log" / stamp.INDEX).unlink,
        "no day": lambda: folder.say(stamp.INDEX, ""),
        "nonsense": lambda: folder.say(stamp.INDEX, "nonsense"),
    }
    assert main(line, {}) == 0
    capsys.readouterr()
    ruin[damage]()
    never = [str(tmp_path / "new") if each == str(tmp_path / "m") else each for each in line]
    assert main(never, {}) == (1 if damage == "nonsense" else 0), "it has seen none"
    assert "time stamp" in capsys.readouterr().out
    for _ in range(2):
        assert main(line, {}) == 1
        assert "time stamp" in capsys.readouterr().out


def test_a_monitor_looks_again_at_the_stamp_that_it_has_seen(
    tmp_path: Path, office: tsa.Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    """A newer day does not hide that an earlier one is gone; a newer one may be unreadable."""
    folder, line = watched(tmp_path, office)
    assert main(line, {}) == 0
    newer = DAY + timedelta(days=1)
    index = folder.text(stamp.INDEX)
    folder.say(stamp.INDEX, f"{index}{newer} 5\n")
    folder.say(
        stamp.day_path(newer, stamp.CHECKPOINT), folder.text(stamp.day_path(DAY, stamp.CHECKPOINT))
    )
    folder.say(stamp.day_path(newer, stamp.TOKEN), b"\x30\x03abc")
    assert main(line, {}) == 0
    assert "cannot be read" in capsys.readouterr().out
    folder.say(stamp.INDEX, f"{newer} 5\n")
    assert main(line, {}) == 1
    assert f"the time stamp of {DAY}, which was seen, is gone" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_monitor_without_the_library_raises_no_alarm(
    tmp_path: Path, office: tsa.Authority, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    _, line = watched(tmp_path, office)
    assert main(line, {}) == 0

    def missing() -> None:
        raise stamp.StampUnread("install it")

    monkeypatch.setattr(stamp, "library", missing)
    assert main(line, {}) == 0
    assert "install it" in capsys.readouterr().out


# In a service


def settings(tmp_path: Path, address: str, office: tsa.Authority) -> Settings:
    root = tmp_path / "root.pem"
    root.write_bytes(office.root)
    own = Settings(database=tmp_path / "games.sqlite", chain_length=256)
    return with_log(own, tmp_path, log_key=SEED, tsa=address, tsa_root=str(root))


def test_a_service_has_yesterdays_head_stamped_and_serves_it(
    tmp_path: Path, office: tsa.Authority
) -> None:
    with tsa.served(office.answer) as address:
        own = settings(tmp_path, address, office)

        async def test(desk: Desk, log: PublicLog) -> None:
            await play(desk, (await new_game(desk, 6)).game.id, 1, 4)
            await until(lambda: size(tmp_path, log.key) > 4)
            assert (log.unstamped, log._stamps is not None) == (0.0, True)
            today = desk.clock.now().date()
            log._now = lambda: datetime(today.year + 1, 1, 1, tzinfo=UTC)
            folder = LogFolder(tmp_path / "log")
            await until(lambda: bool(stamped_days(folder)))
            await until(lambda: log.unstamped == 0.0)

        run(own, test)
    app = create_app(own, {"pennant": GAME})
    day = stamped_days(LogFolder(tmp_path / "log"))[0].day
    with TestClient(app) as http:
        index = http.get(f"/log/{stamp.INDEX}")
        token = http.get(f"/log/{stamp.day_path(day, stamp.TOKEN)}")
        text = http.get(f"/log/{stamp.day_path(day, stamp.CHECKPOINT)}")
        assert index.headers["cache-control"] == "no-cache"
        assert token.headers["content-type"] == "application/octet-stream"
        assert "immutable" in token.headers["cache-control"]
        assert stamp.check(token.content, text.text, stamp.read_roots(office.root))
        assert http.get("/log/time/2026-11-26/unread.tsr").status_code == 404
        assert "decklog_log_unstamped_seconds" in http.get("/metrics").text


def test_settings_without_a_root_do_not_start(tmp_path: Path, office: tsa.Authority) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        raise AssertionError("it has started")

    own = settings(tmp_path, "http://127.0.0.1:9/", office)
    (tmp_path / "root.pem").write_text("no certificate")
    with pytest.raises(StoreRefused, match="no certificate in PEM"):
        run(own, test)
    with pytest.raises(StoreRefused, match="DECKLOG_TSA_ROOT"):
        run(with_log(own, tmp_path, tsa_root=""), test)
    with pytest.raises(ValueError, match="tsa must be an address"):
        with_log(own, tmp_path, tsa="ftp://example.org")
