"""A whole log counted again: what the leaves tell, what files add, and what is out of order."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.cli import main
from service.evidence import bundle
from service.evidence.keylist import KeyList, ListedKey, sign_list
from service.evidence.records import GameCreated
from service.evidence.signing import SigningKey
from service.log.audit import Counted, Leaves, read_file
from service.log.auditpage import audit_of
from service.log.games import leaves_of
from service.log.leaf import read_leaf
from tests.service.evidence.playing import SECRETS, Cheat, Table, finished
from tests.service.evidence.test_cheats import on_type
from tests.service.evidence.test_forfeited import forfeited
from tests.service.log.logs import LOG, leaf, played, write_log
from tests.support import pennant


def game(number: int, **more: Any) -> bytes:
    """A whole game of its own id."""
    return finished(8, number, id=bytes([number]) * 16, **more).export()


def given_up(number: int) -> bytes:
    """A game that nobody went on with."""
    table = Table(setup=pennant.setup(8), id=bytes([number]) * 16).play(3, 2)
    table.left(30)
    return table.export()


def shared(number: int) -> bytes:
    """Links of both seats were promised, and given by one alone."""
    more: dict[str, Any] = {"grade": "A1", "tips": True, "length": 64, "secrets": SECRETS}
    return Table(setup=pennant.setup(8), id=bytes([number]) * 16, **more).play(3).export()


Audited = Callable[..., tuple[int, Any]]


@pytest.fixture
def audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Audited:
    """Exit code and answer of the command, over a log of these leaves and these files."""

    def call(leaves: list[bytes], files: dict[str, bytes], *more: str) -> tuple[int, Any]:
        write_log(tmp_path / "log", leaves)
        paths = []
        for name, data in files.items():
            paths.append(str(tmp_path / name))
            Path(paths[-1]).write_bytes(data)
        line = ["audit", str(tmp_path / "log"), *paths, "--log", str(LOG.public), "--json", *more]
        code = main(line, {"pennant": pennant.GAME})
        return code, json.loads(capsys.readouterr().out)

    return call


def leaves(*files: bytes) -> list[bytes]:
    return [each.data for file in files for each in leaves_of(file)]


def said(found: Any) -> list[str]:
    return [each["text"].rpartition("/")[2] for each in found["findings"]]


def test_the_leaves_alone_tell_games_and_events(audited: Audited) -> None:
    code, found = audited(played(10), {})
    assert (code, found["findings"]) == (0, [])
    assert (found["games"], found["events"], found["longest"], found["breaks"]) == (3, 10, 4, 0)
    assert (found["size"], found["log"], found["told"]) == (10, LOG.public.name, [])


def test_the_files_of_all_games_tell_how_they_ended(audited: Audited) -> None:
    one, two, left = game(1), shared(2), given_up(3)
    code, found = audited(leaves(one, two, left), {"a": one, "b": two, "c": left})
    assert (code, found["findings"]) == (0, []), found
    assert found["endings"] == {"closed": 2, "abandoned": 1, "forfeited": 0, "ended by ruling": 0,
                                "in play": 0}  # fmt: skip
    assert found["grades"] == {"A0": 1, "A1": 1, "nothing rolled": 1}
    games = {each["game"]: each for each in found["told"]}
    assert [games[bytes([n]).hex() * 16]["promised"] for n in (1, 2, 3)] == ["A0", "A1", "A0"]
    assert found["batches"] == sum(each["batches"] for each in games.values()) > 3
    assert found["engines"]["strange"] == {}
    ((name, count),) = found["engines"]["used"].items()
    assert (name.startswith("pennant "), count) == (True, 3)
    thrown = sum(each["count"] for each in found["dice"])
    assert thrown == sum(sum(each["faces"]) for each in found["dice"]) > 20


def test_a_game_that_was_forfeited_is_counted(audited: Audited) -> None:
    data = forfeited().export()
    code, found = audited(leaves(data), {"a": data})
    assert (code, found["endings"]["forfeited"]) == (0, 1), found


def test_a_file_that_this_judge_cannot_read_on_is_named(audited: Audited) -> None:
    cheat = Cheat(record=on_type(GameCreated, lambda r: msgspec.structs.replace(r, beacon="ab")))
    data = Table(setup=pennant.setup(6), grade="A3", tips=True, cheat=cheat).play(1).forge()
    code, found = audited([leaf(1, 1)], {"a": data})
    assert (code, len(found["told"])) == (1, 0)
    assert any("cannot be judged here (the public beacon ab" in each for each in said(found))


def test_absences_are_counted(audited: Audited) -> None:
    table = Table(
        setup=pennant.setup(8), grade="A1", tips=True, length=64, secrets=SECRETS, id=b"\x09" * 16
    )
    table.play(3)
    data = table.export()
    _, found = audited(leaves(data), {"a": data})
    (told,) = found["told"]
    assert found["absences"] == sum(told["absences"].values()) > 0
    assert found["absentGames"] == 1


def test_a_game_that_is_in_no_file_is_left_out(audited: Audited) -> None:
    one, two = game(1), game(2)
    code, found = audited(leaves(one, two), {"a": one})
    assert code == 1
    (line,) = said(found)
    assert line.startswith("left out: the game ")
    assert line.endswith(f"of {len(leaves_of(two))} events, is in no file")


def test_a_file_that_ends_too_early_is_named(audited: Audited) -> None:
    table = Table(setup=pennant.setup(8), id=b"\x05" * 16).play(3, 2)
    early = table.export("p1")
    whole = leaves(table.play(3).export())
    code, found = audited(whole, {"a": early})
    own = len(leaves_of(early))
    assert (code, found["endings"]["in play"]) == (1, 1)
    assert [each["text"].rpartition(" with ")[2] for each in found["findings"]] == [
        f"event {own}, and the log has {len(whole)} of it"
    ]


def test_a_file_of_another_record_is_no_part_of_it(audited: Audited) -> None:
    one, false = game(1), game(1, master=b"\x07" * 32)
    code, found = audited(leaves(one), {"a": one, "b": false})
    assert (code, said(found), found["files"]) == (1, ["b: the log has another event 1"], 2)
    assert len(found["told"]) == 1
    code, found = audited(leaves(one), {"a": one, "c": game(3)})
    assert (code, said(found)) == (1, ["c: its game is not in the log"])
    own = leaves(one)
    code, found = audited(own[:-1], {"a": one})
    assert code == 1
    assert said(found)[0] == f"a: 1 of its {len(own)} events are not in the log"


def test_a_copy_of_a_game_is_counted_once(audited: Audited) -> None:
    one = game(1)
    code, found = audited(leaves(one), {"a": one, "b": one})
    _, once = audited(leaves(one), {"a": one})
    assert (code, found["files"], len(found["told"])) == (0, 2, 1)
    assert found["dice"] == once["dice"]


def test_a_file_that_is_named_twice_is_one(audited: Audited, tmp_path: Path) -> None:
    """Nor do two copies of its name make up for events that the log has not."""
    one = game(1)
    again = str(tmp_path / "a.decklog")
    for more in (again, str(tmp_path)):
        code, found = audited(leaves(one), {"a.decklog": one}, more)
        assert (code, found["files"], found["findings"]) == (0, 1, []), found
    own = leaves(one)
    third = own[: len(own) // 3]
    assert len(own) == 3 * len(third)
    code, found = audited(third, {"a.decklog": one}, again, again)
    assert (code, said(found)[0]) == (
        1, f"a.decklog: {2 * len(third)} of its {len(own)} events are not in the log"
    )  # fmt: skip


def test_an_event_that_stands_twice_does_not_make_up_for_one_that_is_missing(
    audited: Audited,
) -> None:
    one = game(1)
    own = leaves(one)
    code, found = audited([*own[:2], own[1], *own[3:]], {"a": one})
    assert (code, len(found["told"])) == (1, 0)
    assert f"a: 1 of its {len(own)} events are not in the log" in said(found)


def test_breaks_in_the_numbers_of_a_game_are_found(audited: Audited) -> None:
    code, found = audited([leaf(1, 1), leaf(1, 3), leaf(1, 3), leaf(2, 2)], {})
    assert (code, found["breaks"]) == (1, 3)
    one, two = f"the game {1:032x}: ", f"the game {2:032x}: "
    assert said(found) == [
        f"{one}event 3 follows event 1: what is between them is missing",
        f"{one}event 3 stands behind event 3: one of them is logged twice",
        f"{two}the first event that is logged is number 2",
    ]
    code, found = audited([leaf(at, 2) for at in range(30)], {})
    assert (code, len(found["findings"])) == (1, 11)
    assert said(found)[-1] == "20 more breaks in the numbers"


def test_a_file_that_is_none_or_contradicts_itself_is_named(audited: Audited) -> None:
    one = game(1)
    files = {"a": one, "b": b"PK", "c": one.replace(b'"bold"', b'"calm"')}
    code, found = audited(leaves(one), files)
    assert code == 1
    assert [each.split(" (")[0] for each in said(found)] == [
        "b: this is no evidence file", "c: this is no evidence file"
    ]  # fmt: skip


def test_leaves_that_nobody_signed_tell_nothing(audited: Audited, tmp_path: Path) -> None:
    audited(played(9), {})
    tile = tmp_path / "log" / "tile" / "entries" / "000.p" / "9"
    tile.write_bytes(tile.read_bytes().replace(leaf(2, 3), leaf(5, 3), 1))
    line = ["audit", str(tmp_path / "log"), "--log", str(LOG.public)]
    assert main(line, {"pennant": pennant.GAME}) == 1


def test_a_log_that_is_not_there_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["audit", str(tmp_path / "none"), "--log", str(LOG.public)]
    assert main(line, {"pennant": pennant.GAME}) == 2
    assert "does not give" in capsys.readouterr().err
    write_log(tmp_path / "log", played(3))
    other = SigningKey(LOG.public.name, bytes(32)).verify_key
    assert main(["audit", str(tmp_path / "log"), "--log", str(other)], {}) == 2
    assert "cannot be counted: the checkpoint is not signed" in capsys.readouterr().err


ROOT = SigningKey("decklog.example/root", b"r" * 32)
BUNDLES = SigningKey("decklog.example/bundles", b"b" * 32)
AT = "2020-01-01T00:00:00.000Z"


def listed(serial: int, *more: ListedKey) -> bytes:
    own = ListedKey("bundles", str(BUNDLES.verify_key), AT)
    root = str(ROOT.verify_key)
    return sign_list(KeyList(1, "decklog.example", root, serial, AT, (own, *more)), ROOT)


def log_key(**more: Any) -> ListedKey:
    return ListedKey("log", str(LOG.public), AT, **more)


def test_the_age_of_the_keys_is_told(audited: Audited, tmp_path: Path) -> None:
    """By the newest list that is in the files, or given besides."""
    one = bundle.signed(game(1), key=BUNDLES, keys=listed(1, log_key()))
    root = str(ROOT.verify_key)
    code, found = audited(leaves(one), {"a": one}, "--root", root)
    assert (code, found["findings"]) == (0, [])
    told = found["keys"]
    assert (told["serial"], told["at"], told["root"], told["revoked"]) == (1, AT, root, {})
    assert told["days"] > 0
    newer = tmp_path / "newer"
    newer.write_bytes(listed(2, log_key(until=AT, compromised=AT)))
    code, found = audited(leaves(one), {"a": one}, "--root", root, "--keys", str(newer))
    assert (code, found["keys"]["serial"]) == (1, 2)
    assert (found["keys"]["ended"], found["keys"]["revoked"]) == (
        [LOG.public.hint], {LOG.public.hint: AT}
    )  # fmt: skip
    assert said(found) == [f"the log's key was taken back: others may have it since {AT}"]
    assert audited(leaves(one), {"a": one})[1]["keys"] is None


def test_a_log_of_another_key_than_the_listed_is_named(audited: Audited, tmp_path: Path) -> None:
    root, keys = str(ROOT.verify_key), tmp_path / "keys"
    other = ListedKey("log", str(SigningKey("decklog.example/log", b"o" * 32).verify_key), AT)
    for more, kind, word in (((other,), "alarm", "is not in the list"), ((), "unknown", "no log")):
        keys.write_bytes(listed(1, *more))
        code, found = audited(played(3), {}, "--root", root, "--keys", str(keys))
        ((finding),) = found["findings"]
        assert (finding["kind"], word in finding["text"]) == (kind, True)
        assert code == (kind == "alarm")


def test_a_root_that_signs_two_lists_of_one_number_is_named(
    audited: Audited, tmp_path: Path
) -> None:
    one = bundle.signed(game(1), key=BUNDLES, keys=listed(1, log_key()))
    keys = tmp_path / "keys"
    keys.write_bytes(listed(1, log_key(until=AT)))
    line = ("--root", str(ROOT.verify_key), "--keys", str(keys))
    code, found = audited(leaves(one), {"a": one}, *line)
    assert (code, "has signed both" in said(found)[0]) == (1, True)
    keys.write_bytes(b"{}")
    code, found = audited(leaves(one), {"a": one}, *line)
    assert (code, len(found["findings"]), found["keys"]["serial"]) == (1, 1, 1)


def test_loaded_dice_are_an_alarm() -> None:
    """No file of another record can bring them: each face is rolled again. A service that makes
    games until their dice please it can."""
    told = read_file("a", game(1), lambda used: True)
    held = told._replace(faces={6: [0, 1, 1, 1, 1, 20]})
    own = Leaves([held])
    for each in leaves(game(1)):
        own.add(read_leaf(each))
    counted = Counted(own.events, b"", own, (held,), ())
    found = audit_of("example.org/log", counted, 1, None, ("0.1.0", 0))
    assert (found.alarm, [each.text for each in found.findings]) == (
        True, ["each face of d6: loaded, 0 in a million"]
    )  # fmt: skip


def test_the_page_is_one_file_without_a_script(audited: Audited, tmp_path: Path) -> None:
    one = game(1)
    audited([*leaves(one), leaf(3, 1)], {"<b>.decklog": one}, "--page", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "&lt;b&gt;.decklog" in page
    assert f"left out: the game {3:032x}" in page
    assert bytes([1]).hex() * 16 in page


def test_the_text_has_all_that_is_told(
    audited: Audited, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = game(1)
    audited(leaves(one), {"a.decklog": one})
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "one.decklog").write_bytes(one)
    line = ["audit", str(tmp_path / "log"), str(folder), "--log", str(LOG.public)]
    assert main(line, {"pennant": pennant.GAME}) == 0
    text = capsys.readouterr().out
    assert f"Audit of {LOG.public.name}" in text
    assert "  files       1, of 1 of the 1 games" in text
    assert "  ended       1 closed, 0 abandoned, 0 forfeited, 0 ended by ruling, 0 in play" in text
    assert "  none        nothing is out of order, as far as this can tell" in text
