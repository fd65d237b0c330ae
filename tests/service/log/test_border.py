"""By when a log had a game: ``--until``, and the promises of receipts that were not kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from service import container
from service.cli import main
from service.evidence import bundle
from service.evidence.keylist import KeyList, ListedKey, sign_list
from service.evidence.logged import Owed
from service.evidence.receipts import Accepted, Given, as_field, give, read
from service.evidence.signing import SigningKey
from service.evidence.verdict import CANNOT_JUDGE, REFUTED, UPHELD, Verdict
from service.evidence.verify import verify
from service.log.border import Border, read_time
from service.log.games import leaves_of
from service.log.judging import Judge
from service.publishing.folder import LogFolder
from tests.service.evidence.playing import AT, GAME_ID, GAMES, finished
from tests.service.log.logs import AT as COSIGNED
from tests.service.log.logs import leaf, played
from tests.service.log.test_judging import carrying, grown, head, papers, policy
from tests.support.pennant import GAME

ROOT, BUNDLES, RECEIPTS = (
    SigningKey(f"decklog.example/{role}", bytes([number]) * 32)
    for number, role in enumerate(("root", "bundles", "receipts"))
)
KEYS = sign_list(
    KeyList(
        1, "decklog.example", str(ROOT.verify_key), 1, AT,
        (
            ListedKey("bundles", str(BUNDLES.verify_key), AT),
            ListedKey("receipts", str(RECEIPTS.verify_key), "2020-01-01T00:00:00.000Z"),
        ),
    ),
    ROOT,
)  # fmt: skip
GAME_FILE = finished(8, 1, master=b"\x77" * 32).export()
OWN = leaves_of(GAME_FILE)
BEFORE = 5
LEAVES = [*played(BEFORE), *(each.data for each in OWN), *played(20)[BEFORE:]]
NUMBER = BEFORE + len(OWN) - 1
SEEN = datetime.fromtimestamp(COSIGNED + 10, UTC)
"""When the second of two witnesses has cosigned a head."""


@pytest.fixture
def logged(tmp_path: Path) -> bytes:
    return papers(tmp_path, head(tmp_path, LEAVES, [0, 2]), GAME_FILE)


def judged(data: bytes, until: Border, known: Sequence[tuple[str, str]] = ()) -> Verdict:
    return verify(data, GAMES, log=Judge(policy(), known, None, until))


def test_by_a_time_that_witnesses_vouch_for(logged: bytes) -> None:
    told = judged(logged, SEEN)
    assert told.code == UPHELD
    check = next(each for each in told.checks if each.check == "log")
    assert check.text.endswith(", by 2026-09-21T14:13:30Z: log/checkpoint was cosigned before")
    late = judged(logged, SEEN.replace(second=29))
    assert (late.code, "log/checkpoint at 2026-09-21T14:13:30Z" in late.reason) == (
        CANNOT_JUDGE, True
    )  # fmt: skip
    undated = verify(logged, GAMES, log=Judge(None, (), None, SEEN))
    assert (undated.code, "none that has it is dated" in undated.reason) == (CANNOT_JUDGE, True)


def test_a_time_of_another_zone_is_told_in_utc(logged: bytes) -> None:
    for text in ("2026-09-21T23:13:30+09:00", "2026-09-21T07:13:30-07:00"):
        check = next(c for c in judged(logged, read_time(text)).checks if c.check == "log")
        assert check.text.endswith(", by 2026-09-21T14:13:30Z: log/checkpoint was cosigned before")
    assert judged(logged, read_time("2026-09-21T14:13:30+09:00")).code == CANNOT_JUDGE
    assert read_time("0001-01-01T00:00:00+09:00") is None
    assert read_time("9999-12-31T23:00:00-09:00") is None


def test_a_head_that_was_kept_may_be_the_one_of_before(tmp_path: Path, logged: bytes) -> None:
    """The file's own is the newest one when it was exported."""
    later = [*LEAVES, leaf(9, 1), leaf(9, 2)]
    kept = head(tmp_path, LEAVES, [0, 2])
    file = papers(tmp_path, head(tmp_path, later, [1, 2]), GAME_FILE)
    data = carrying(file, str(grown(tmp_path, len(LEAVES), len(later))))
    assert judged(data, SEEN, [("kept", kept)]).code == UPHELD
    before = head(tmp_path / "b", LEAVES[:NUMBER], [0, 2])
    told = judged(data, SEEN.replace(year=2020), [("kept", kept)])
    assert told.code == CANNOT_JUDGE
    # a head that is dated in time and has the event not shows nothing of it
    short = carrying(file, str(grown(tmp_path, NUMBER, len(later))))
    assert judged(short, SEEN.replace(year=2020), [("before", before)]).code == CANNOT_JUDGE


def test_by_a_number_of_leaves(logged: bytes) -> None:
    assert judged(logged, NUMBER + 1).code == UPHELD
    told = judged(logged, NUMBER)
    assert told.code == REFUTED
    assert told.finding is not None
    assert told.finding.what == "place of the last event"
    assert told.finding.found == f"leaf {NUMBER + 1}"
    assert judged(GAME_FILE, NUMBER + 1).code == REFUTED


def ordered() -> dict[int, bytes]:
    """What p1 has ordered, by the event that each order led to."""
    lines = container.unpack(GAME_FILE)[bundle.COMMANDS].splitlines()
    told = [msgspec.json.decode(line, type=bundle.OrderLine) for line in lines]
    return {each.last: bytes(each.command) for each in told if each.seat == "p1"}


SEQ = max(ordered())


def receipt(at: str) -> Given:
    """For the last order of p1, taken then."""
    took = Accepted("order", "p1", ordered()[SEQ], SEQ, OWN[SEQ - 1].hash)
    return read(as_field(give(GAME_ID.hex(), took, at, RECEIPTS)).encode())


LONG_AGO, MUCH_LATER = "2020-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z"


def broken(data: bytes, given: Given, kept: str, folder: Path) -> list[str]:
    """The promises that were not kept, by a head that somebody has."""
    told = verify(
        bundle.signed(data, BUNDLES, KEYS), GAMES, root=ROOT.verify_key, receipts=[given],
        log=Judge(policy(), [("mine", kept)], LogFolder(folder).fetch),
    )  # fmt: skip
    assert told.code == UPHELD, told
    return [note for note in told.notes if note.startswith("Promise broken: ")]


def test_a_promise_that_was_not_kept_is_named(tmp_path: Path, logged: bytes) -> None:
    """A head of after the promised time has the order's event not; the tiles show where it is."""
    place = BEFORE + SEQ - 1
    early = head(tmp_path / "early", LEAVES[:place], [0, 1])
    (note,) = broken(logged, receipt(LONG_AGO), early, tmp_path)
    assert f"event {SEQ} was to be in the log by 2020-01-01T00:00:10.000Z" in note
    assert f"mine, of {place} leaves, which witnesses cosigned at 2026-09-21T14:13:30Z" in note
    undated = head(tmp_path / "undated", LEAVES[:place], [0])
    has = head(tmp_path / "has", LEAVES[: place + 1], [0, 1])
    for at, kept in ((MUCH_LATER, early), (LONG_AGO, undated), (LONG_AGO, has)):
        assert broken(logged, receipt(at), kept, tmp_path) == []


def test_of_the_last_event_no_tile_is_asked_for(tmp_path: Path, logged: bytes) -> None:
    """Its place stands in the file, and so does the way from the head that was kept."""
    early = head(tmp_path / "early", LEAVES[: BEFORE + 2], [0, 1])
    files = container.unpack(carrying(logged, str(grown(tmp_path, BEFORE + 2, len(LEAVES)))))
    shown = {name: files[name] for name in (*bundle.LOG_FILES, bundle.LOG_CONSISTENCY)}
    judge = Judge(policy(), [("mine", early)])
    for owed, lines in (
        (Owed(len(OWN), OWN[-1].hash, LONG_AGO), 1),
        (Owed(len(OWN), OWN[-1].hash, "no time"), 0),
        (Owed(SEQ, OWN[SEQ - 1].hash, LONG_AGO), 0),
        (Owed(len(OWN) + 1, "0" * 64, LONG_AGO), 0),
    ):
        word = judge(shown, GAME_ID.hex(), len(OWN), OWN[-1].hash, [owed])
        assert len(word.broken) == lines, owed


def test_the_command_takes_a_day_or_a_size(
    tmp_path: Path, logged: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path, rules = tmp_path / "game.decklog", tmp_path / "policy"
    path.write_bytes(logged)
    asked = policy()
    lines = [f"log {asked.logs[0]}"]
    lines += [f"witness {name} {each.key}" for name, each in asked.witnesses.items()]
    rules.write_text("\n".join([*lines, "group two 2 w1 w2 w3", "quorum two"]))
    line = ["verify", str(path), "--policy", str(rules), "--until"]
    for until, code in (("2026-09-22", 0), ("2026-09-21", 3), (str(NUMBER + 1), 0), ("3", 1)):
        assert main([*line, until], {"pennant": GAME}) == code, until
    capsys.readouterr()
    assert main([*line, "soon"], {"pennant": GAME}) == 2
    assert "neither a time nor a size" in capsys.readouterr().err
