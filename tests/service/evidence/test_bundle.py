"""The bundle: the same bytes twice, everything after the end, and nothing too much before it."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec
import pytest

from service import container
from service.evidence import bundle
from service.evidence.bundle import BundleError, Recorded
from service.evidence.digest import rules_digest
from tests.support import pennant
from tests.support.pennant import Choose, Fire, Pass

from .playing import Table, decode, finished


def files_of(data: bytes) -> dict[str, bytes]:
    return container.unpack(data)


def lines_of(files: dict[str, bytes], name: str) -> list[Any]:
    return [decode(line) for line in files[name].splitlines()]


def begun(colours: tuple[str, ...] = ("bold",), turns: int = 8) -> Table:
    """A game in which p1, and then p2, has chosen so far."""
    table = Table(setup=finished(turns).setup)
    for seat, colour in zip(("p1", "p2"), colours, strict=False):
        table.order(seat, msgspec.convert({"type": "pennant.choose", "colour": colour}, Choose))
    return table


def test_the_same_game_gives_the_same_bytes() -> None:
    table = finished()
    assert table.export() == table.export() == finished().export()


def test_of_a_finished_game_everybody_gets_the_same_file() -> None:
    table = finished()
    assert len({table.export(viewer) for viewer in ("p1", "p2", "public", "truth")}) == 1


def test_the_files_of_a_finished_game() -> None:
    files = files_of(finished().export())
    assert sorted(files) == [
        "README.txt", "commands.jsonl", "events.jsonl", "manifest.json", "openings.jsonl",
        "rules/files.json", "rules/setup.json", "secrets.json",
    ]  # fmt: skip
    assert b"decklog verify" in files["README.txt"]


def test_the_manifest_lists_every_other_file() -> None:
    table = finished()
    files = files_of(table.export())
    manifest = decode(files.pop("manifest.json"))
    assert [entry["name"] for entry in manifest["files"]] == sorted(files)
    for entry in manifest["files"]:
        content = files[entry["name"]]
        assert entry["size"] == len(content)
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
    assert manifest["head"] == {"seq": len(table.rows), "hash": table.rows[-1].hash}
    assert (manifest["scope"], manifest["signatures"]) == ("complete", "none")


def test_events_are_the_very_text_that_was_hashed() -> None:
    table = finished()
    assert files_of(table.export())["events.jsonl"] == b"".join(r.body + b"\n" for r in table.rows)


def test_a_finished_game_opens_every_seal() -> None:
    files = files_of(finished().export())
    events = lines_of(files, "events.jsonl")
    sealed = [(e["seq"], viewer) for e in events for viewer in sorted(e["sealed"])]
    opened = [(o["seq"], o["viewer"]) for o in lines_of(files, "openings.jsonl")]
    assert opened == sealed
    assert len(sealed) > len(events) // 3


def test_a_finished_game_opens_its_master_and_every_order() -> None:
    table = finished()
    files = files_of(table.export())
    assert decode(files["secrets.json"]) == {"master": table.book.master.hex()}
    given = [(o["seat"], o["first"], o["last"]) for o in lines_of(files, "commands.jsonl")]
    assert given == [(o.seat, o.first, o.last) for o in table.orders]


def test_in_play_nothing_opens_the_dice_or_the_seals_of_others() -> None:
    table = begun(("bold", "steady"))
    table.order("p1", Fire())
    secret = [table.book.master, *(table.seals.key(v) for v in ("p1", "p2", "truth", "state"))]
    next_link = table.book.open_batch(table.batch, [None, None]).link
    for viewer in ("p1", "p2", "public"):
        data = table.export(viewer)
        assert "secrets.json" not in files_of(data)
        for value in (*secret, next_link):
            assert value.hex().encode() not in data


@pytest.mark.parametrize(("viewer", "sees"), [("p1", True), ("p2", False), ("public", False)])
def test_a_secret_order_is_in_its_own_seats_file_only(viewer: str, sees: bool) -> None:
    files = files_of(begun().export(viewer))
    assert len(lines_of(files, "commands.jsonl")) == sees
    payloads = [o["payload"] for o in lines_of(files, "openings.jsonl")]
    assert any(payload is not None for payload in payloads) == sees
    assert (b"bold" in files["openings.jsonl"] + files["commands.jsonl"]) == sees
    assert {o["viewer"] for o in lines_of(files, "openings.jsonl")} <= {viewer}


def test_a_seats_file_opens_its_empty_seals_too() -> None:
    """That nothing was hidden for the seat is evidence as well."""
    files = files_of(begun().export("p2"))
    assert [o["payload"] for o in lines_of(files, "openings.jsonl")] == [None, None]


def test_orders_that_hid_nothing_are_in_everybodys_file() -> None:
    table = begun(("bold", "steady"))
    table.order("p1", Fire())
    table.order("p2", Pass())
    for viewer, seats in (("p1", "p1 p1 p2"), ("p2", "p2 p1 p2"), ("public", "p1 p2")):
        orders = lines_of(files_of(table.export(viewer)), "commands.jsonl")
        assert [order["seat"] for order in orders] == seats.split()


def test_two_worlds_look_the_same_to_the_other_seat() -> None:
    """Only hashes and sealed digests, which tell nothing, differ between bold and steady."""
    worlds = []
    for colour in ("bold", "steady"):
        data = begun((colour,)).export("p2")
        worlds.append(re.sub(rb"[0-9a-f]{64}", b"#", b"".join(files_of(data).values())))
    assert worlds[0] == worlds[1]


def test_a_truth_that_was_not_sealed_is_not_exported() -> None:
    table = begun()
    place = next(i for i, row in enumerate(table.rows) if row.truth is not None)
    row = table.rows[place]
    assert row.truth is not None
    table.rows[place] = Recorded(row.body, row.hash, row.truth.replace(b"bold", b"steady"))
    with pytest.raises(BundleError, match=f"event {place + 1}"):
        table.export("p1")


def test_the_rules_are_named_only_if_they_judged_the_game() -> None:
    told = {"engine": rules_digest(pennant.GAME).hex(), "files": []}
    assert decode(files_of(finished().export())["rules/files.json"]) == told
    other = finished(rules=b"\x05" * 32)
    assert decode(files_of(other.export())["rules/files.json"]) == {"files": []}


def test_every_text_of_a_readme_stays_known() -> None:
    digests = [hashlib.sha256(text).hexdigest()[:16] for text in bundle.READMES]
    assert digests == [
        "de1310bafe107cef",
        "226a99c4aa5e4056",
        "0f8f8235bf6187e2",
        "f680f83e8f1b4bd1",
        "616cca3fec1c1261",
        "f1340110210f68f0",
        "bb80078f026dfd82",
        "42930613c9415685",
        "6cd288619ddc32c4",
        "3f6cbf370a6a1783",
        "d6b7aceee976f50c",
        "7c28fb37d055310e",
        "89eabf7ce0401120",
        "704b509c6dbd67b4",
        "e31baad72365e600",
        "273a7e301bf48e52",
        "b1e909f5b8095f38",
    ]  # fmt: skip
