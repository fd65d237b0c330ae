"""Whatever is altered in a bundle, it is never upheld: bytes, lines, whole records made anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from domain.kernel.codec import canonical
from service import container
from service.evidence import bundle, chain
from service.evidence.bundle import Head, Manifest
from service.evidence.keylist import KeyList, ListedKey, sign_list
from service.evidence.records import (
    PREFIX,
    ChainRenewed,
    GameCreated,
    SeatTakenRecord,
    TipRenewed,
)
from service.evidence.signing import SigningKey, read_envelope, write_envelope
from service.evidence.verify import verify
from tests.support import pennant, soundings
from tests.support.pennant import Choose, Fire
from tests.support.soundings import Draw, Gale
from tests.support.suites import TESTS

from .playing import AT, GAMES, Table, decode

REST = pytest.mark.slow("evidence")
UPHELD = (0, 4)
LIVE_VIEWER = "p1"


KINDS = ("finished", "live", "hidden", "hidden live")
COMPLETE = ("finished", "hidden")
SHORT: dict[str, Any] = {"tips": True, "grade": "A1", "length": 8}
"""Chains so short that they are renewed within the game."""


@cache
def honest(kind: str) -> bytes:
    """A finished game with links of all seats, or the same game in play as p1 has it.

    The hidden ones have dice that only one seat sees, and chains that are renewed.
    """
    if kind.startswith("hidden"):
        return rough_sea(kind).export(LIVE_VIEWER)
    table = Table(setup=pennant.setup(6), tips=True, grade="A1", length=64)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    if kind == "live":
        return table.export(LIVE_VIEWER)
    return table.play(7).export()


def rough_sea(kind: str) -> Table:
    """Every seat has drawn, in a gale too; the live one stops there, the other is played on."""
    table = Table(game=soundings.GAME, setup=soundings.setup(20, deal=False), **SHORT)
    table.order("p1", Draw())
    while min(hand.count for hand in table.state.hands) < 2:
        table.order(table.game.pending(table.state)[0].seat, Gale())
    while kind == "hidden" and table.game.result(table.state) is None:
        table.order(table.game.pending(table.state)[0].seat, Draw())
    return table


def files_of(kind: str) -> tuple[Manifest, dict[str, bytes]]:
    files = container.unpack(honest(kind))
    manifest = msgspec.json.decode(files.pop("manifest.json"), type=Manifest)
    return manifest, files


def remade(manifest: Manifest, files: dict[str, bytes], head: Head | None = None) -> bytes:
    """The bundle with a manifest that fits the altered files."""
    return bundle.pack(files, manifest.game, head or manifest.head, manifest.rules, manifest.viewer)


@pytest.mark.parametrize("kind", KINDS)
def test_the_unaltered_bundle_is_upheld_and_can_be_remade(kind: str) -> None:
    manifest, files = files_of(kind)
    assert verify(honest(kind), GAMES, grade="A1").code == 0
    assert remade(manifest, files) == honest(kind)


def test_the_hidden_games_have_what_they_are_for() -> None:
    for kind in ("hidden", "hidden live"):
        events = [decode(line) for line in files_of(kind)[1]["events.jsonl"].splitlines()]
        types = {event["type"] for event in events}
        assert kind != "hidden" or {ChainRenewed.TYPE, TipRenewed.TYPE} <= types
        domains = [(e["cause"]["id"], e["data"]["domain"]) for e in events if "t" in e["data"]]
        assert {domain for _, domain in domains} == {"pub", "side:p1", "side:p2", "side:p3"}
        assert len({cause for cause, _ in domains}) < len(domains), "several in one command"


# Bytes of the file


def byte_mutation(data: bytes, choose: random.Random) -> bytes:
    at = choose.randrange(len(data))
    match choose.randrange(5):
        case 0:
            return data[:at] + bytes([data[at] ^ 1 << choose.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + choose.randint(1, 40) :]
        case 2:
            return data[:at] + choose.randbytes(choose.randint(1, 40)) + data[at:]
        case 3:
            return data[:at]
        case _:
            other = choose.randrange(len(data))
            low, high = sorted((at, other))
            return data[:low] + data[high:] + data[low:high]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_altered_bytes(kind: str, seed: int) -> None:
    choose, data = random.Random(seed), honest(kind)
    for _ in range(60):
        altered = byte_mutation(data, choose)
        if altered != data:
            assert verify(altered, GAMES).code == 2


# Lines of the files, with a manifest that fits again

HEX = frozenset(b"0123456789abcdef")
LINE_CHANGES = ("drop", "double", "swap", "cut", "digit", "byte", "blank", "copy")


def line_mutation(lines: list[bytes], choose: random.Random, change: str) -> list[bytes]:
    full = [place for place, line in enumerate(lines) if set(line) & HEX and len(line) > 4]
    at, other = choose.choice(full), choose.choice(full)
    line, new = lines[at], list(lines)
    match change:
        case "drop":
            del new[at]
        case "double":
            new.insert(at, line)
        case "swap":
            new[at], new[other] = new[other], new[at]
        case "cut":
            new[at] = line[: choose.randrange(len(line))]
        case "digit":
            places = [i for i, b in enumerate(line) if b in HEX]
            place = choose.choice(places)
            digit = choose.choice([b for b in sorted(HEX) if b != line[place]])
            new[at] = line[:place] + bytes([digit]) + line[place + 1 :]
        case "byte":
            place = choose.randrange(len(line))
            new[at] = line[:place] + bytes([line[place] ^ 1 << choose.randrange(7)])
            new[at] += line[place + 1 :]
        case "blank":
            new.insert(at, b"")
        case "copy":
            new[at] = lines[other]
    return new


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("change", LINE_CHANGES)
def test_altered_lines(kind: str, change: str) -> None:
    choose = random.Random(f"{kind} {change}")
    manifest, files = files_of(kind)
    done = 0
    for name in sorted(files):
        for _ in range(6):
            lines = files[name].split(b"\n")
            ended = lines[-1] == b""
            lines = lines[:-1] if ended else lines
            new = line_mutation(lines, choose, change)
            text = b"\n".join(new) + (b"\n" if ended and new else b"")
            if text == files[name]:
                continue
            verdict = verify(remade(manifest, {**files, name: text}), GAMES)
            assert verdict.code not in UPHELD, (name, verdict.text())
            done += 1
    assert done >= 12


@pytest.mark.parametrize("kind", KINDS)
def test_a_shorter_record(kind: str) -> None:
    """The last events left out, with and without what belongs to them."""
    manifest, files = files_of(kind)
    lines = files["events.jsonl"].splitlines(keepends=True)
    for length in range(len(lines)):
        text = b"".join(lines[:length])
        assert verify(remade(manifest, {**files, "events.jsonl": text}), GAMES).code == 1
        if length:
            head = Head(length, chain.hash_of(lines[length - 1].rstrip()))
            shorter = remade(manifest, {**files, "events.jsonl": text}, head)
            assert verify(shorter, GAMES).code == 1


@pytest.mark.parametrize("kind", KINDS)
def test_other_names_in_the_manifest(kind: str) -> None:
    files = container.unpack(honest(kind))
    manifest = decode(files["manifest.json"])
    for name, value in leaves(manifest):
        changed = canonical(put(manifest, name, other(value)))
        verdict = verify(container.pack({**files, "manifest.json": changed}), GAMES)
        assert verdict.code not in UPHELD, (name, verdict.text())


# Whole records made anew: one value altered in one event, every later hash made to fit

Path = tuple[str | int, ...]

FREE = {
    ("at",),  # informative: no clock but the service's own says when
    ("data", "nonce"),  # random by definition
    ("data", "grade"),  # a promise; the verdict prints what was reached
}
"""What an exporter can choose without contradicting itself; every other value is bound."""


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    match value:
        case dict():
            for key in value:
                yield from leaves(value[key], (*path, key))
        case list():
            for place, part in enumerate(value):
                yield from leaves(part, (*path, place))
        case _:
            yield path, value


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy of plain JSON with one value exchanged."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def other(value: Any) -> Any:
    """Another value of the same kind, as harmless to the form as possible."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if len(value) >= 16 and all(c in "0123456789abcdef" for c in value):
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case "A0" | "A1":
            return "A1" if value == "A0" else "A0"
        case "p1" | "p2":
            return "p2" if value == "p1" else "p1"
        case str() if value.endswith("Z") and value.startswith("2026"):
            return value.replace("2026", "2027")
        case str():
            return value + "x"
        case _:
            return 0


def rehashed(events: list[dict[str, Any]]) -> tuple[bytes, Head]:
    """The events as lines, each with the hash of the one before; and the head."""
    prev, lines = chain.GENESIS, []
    for event in events:
        line = canonical({**event, "prev": prev})
        prev = chain.hash_of(line)
        lines.append(line + b"\n")
    return b"".join(lines), Head(len(events), prev)


def alterations(events: list[dict[str, Any]], kind: str) -> Iterator[tuple[int, Path, Any]]:
    """Every value of every event; of the hidden games only the platform's, which are new there."""
    for place, event in enumerate(events):
        if kind.startswith("hidden") and not event["type"].startswith(PREFIX):
            continue
        for path, value in leaves(event):
            if path not in FREE and path[0] != "prev":
                yield place, path, value


@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=REST) for n in range(1, 4))])
@pytest.mark.parametrize("kind", KINDS)
def test_one_value_altered_and_every_hash_made_to_fit(kind: str, part: int) -> None:
    manifest, files = files_of(kind)
    events = [decode(line) for line in files["events.jsonl"].splitlines()]
    every = list(alterations(events, kind))[part::4]
    survivors = []
    for place, path, value in every:
        changed = [*events]
        changed[place] = put(events[place], path, other(value))
        text, head = rehashed(changed)
        altered = remade(manifest, {**files, "events.jsonl": text}, head)
        if verify(altered, GAMES, grade="A1").code in UPHELD:
            survivors.append((place + 1, events[place]["type"], path))
    assert len(every) > 30
    if kind in COMPLETE:
        assert survivors == []
    elif kind == "live":
        assert [change for change in survivors if not beyond_reach(*change)] == []
    else:
        own = [at for at, event in enumerate(events, 1) if event["data"].get("domain") == "side:p1"]
        assert own, "the viewer has drawn"
        assert [change for change in survivors if change[0] in own and change[2][0] == "data"] == []


def beyond_reach(seq: int, type_: str, path: Path) -> bool:
    """In play, what is sealed for others cannot be judged yet: digests, and p2's secret order.

    Nor can a tip of which no link was opened: it is p2's own word.
    """
    if path[0] == "sealed":
        return path[1] != LIVE_VIEWER
    return seq in (6, 7) or (type_, path) == ("decklog.seat-taken", ("data", "tip"))


def test_only_what_is_free_is_free() -> None:
    """The exceptions above are real ones: a record with them altered is another, true record."""
    manifest, files = files_of("finished")
    events = [decode(line) for line in files["events.jsonl"].splitlines()]
    for path in FREE:
        changed = [put(events[0], path, other(value_at(events[0], path))), *events[1:]]
        text, head = rehashed(changed)
        assert head != manifest.head
        altered = remade(manifest, {**files, "events.jsonl": text}, head)
        assert verify(altered, GAMES).code == 0, path
        assert verify(altered, GAMES, head=manifest.head.hash).code == 1, path


def value_at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def moved(events: list[Any], choose: random.Random) -> list[Any]:
    """Events dropped, doubled or exchanged."""
    at = choose.randrange(1, len(events))
    to = choose.randrange(1, len(events))
    match choose.randrange(3):
        case 0:
            return events[:at] + events[at + 1 :]
        case 1:
            return [*events[:at], events[at], *events[at:]]
        case _:
            new = [*events]
            new[at], new[to] = new[to], new[at]
            return new


def of_arrivals(events: list[Any], changed: list[Any]) -> bool:
    """Whether only seats that were taken have changed places: as good a record, which the verdict
    says (see the test below)."""
    pairs = zip(events, changed, strict=False)
    moved = [pair for pair in pairs if pair[0] != pair[1]]
    return len(events) == len(changed) and all(
        each["type"] == SeatTakenRecord.TYPE for pair in moved for each in pair
    )


@pytest.mark.parametrize("renumber", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_events_dropped_doubled_or_exchanged_and_rehashed(kind: str, renumber: bool) -> None:
    choose = random.Random(f"{kind} {renumber}")
    manifest, files = files_of(kind)
    events = [decode(line) for line in files["events.jsonl"].splitlines()]
    for _ in range(60):
        changed = moved(events, choose)
        if renumber:
            changed = [{**event, "seq": n} for n, event in enumerate(changed, 1)]
        if changed == events or of_arrivals(events, changed):
            continue
        text, head = rehashed(changed)
        verdict = verify(remade(manifest, {**files, "events.jsonl": text}, head), GAMES)
        assert verdict.code == 1, verdict.text()


def test_who_took_a_seat_first_is_the_services_word_and_the_verdict_says_so() -> None:
    """Without a signature or a log nothing binds two arrivals that follow one another: the record
    in which they came the other way round is as good, and has another head."""
    manifest, files = files_of("live")
    events = [decode(line) for line in files["events.jsonl"].splitlines()]
    first, second = (at for at, e in enumerate(events) if e["type"] == "decklog.seat-taken")
    events[first], events[second] = events[second], events[first]
    text, head = rehashed([{**event, "seq": at} for at, event in enumerate(events, 1)])
    altered = remade(manifest, {**files, "events.jsonl": text}, head)
    verdict = verify(altered, GAMES)
    assert verdict.code in UPHELD
    assert head.hash != manifest.head.hash
    by = {each.what: each.by for each in verdict.vouched}
    assert by["origin"].startswith("not proven")
    assert by["time"].endswith("and who took a seat first")


def test_a_claimed_seed_name_is_bound_too() -> None:
    """A ranked game cannot be passed off as an unranked one."""
    manifest, files = files_of("finished")
    events = [decode(line) for line in files["events.jsonl"].splitlines()]
    assert events[0]["type"] == GameCreated.TYPE
    text, head = rehashed([put(events[0], ("data", "seedNamed"), True), *events[1:]])
    verdict = verify(remade(manifest, {**files, "events.jsonl": text}, head), GAMES)
    assert verdict.code == 1


Change = Callable[[dict[str, bytes]], dict[str, bytes]]


@pytest.mark.parametrize(
    "change",
    [
        lambda files: {**files, "secrets.json": files["secrets.json"].replace(b'":"', b'":"00')},
        lambda files: {k: v for k, v in files.items() if k != "secrets.json"},
        lambda files: {**files, "openings.jsonl": b""},
        lambda files: {**files, "commands.jsonl": b""},
        lambda files: {**files, "notes.txt": b"hello"},
        lambda files: {**files, "README.txt": files["README.txt"] + b"Trust me.\n"},
        lambda files: {**files, "events.jsonl": b"[" * 100_000 + b"\n"},
    ],
    ids=["master", "no master", "no openings", "no orders", "extra file", "readme", "deep"],
)
def test_altered_files(change: Change) -> None:
    manifest, files = files_of("finished")
    assert verify(remade(manifest, change(files)), GAMES).code in (1, 2)


def test_a_digest_in_capitals_is_not_the_bundle_that_was_written() -> None:
    """Found by the random bytes above: the same number, another text, and once it was upheld."""
    manifest, files = of_before()
    listed = decode(files["rules/files.json"])
    for file in listed["files"]:
        file["sha256"] = file["sha256"].upper()
    verdict = verify(remade(manifest, {**files, "rules/files.json": canonical(listed)}), GAMES)
    assert verdict.code == 1
    assert "SHA-256 of game/" in verdict.text()


@pytest.mark.parametrize(
    "told",
    [{"engine": "00" * 32}, {"files": [{"name": "game/x.py", "sha256": "00" * 32}]}, "capitals"],
    ids=["other", "files", "capitals"],
)
def test_what_is_told_of_the_rules_is_judged(told: Any) -> None:
    manifest, files = files_of("finished")
    listed = decode(files["rules/files.json"])
    more = {"engine": listed["engine"].upper()} if told == "capitals" else told
    text = canonical({**listed, **more})
    verdict = verify(remade(manifest, {**files, "rules/files.json": text}), GAMES)
    assert verdict.code == 1, verdict.text()


def test_rules_of_before_are_no_archive() -> None:
    manifest, files = of_before()
    text = canonical({"engine": manifest.rules.digest, "files": []})
    verdict = verify(remade(manifest, {**files, "rules/files.json": text}), GAMES)
    assert verdict.code == 1, verdict.text()
    assert "archive of rules that are files" in verdict.text()


def of_before() -> tuple[Manifest, dict[str, bytes]]:
    """Evidence from before rules were one archive."""
    files = container.unpack((TESTS / "evidence/history/first-battle.decklog").read_bytes())
    return msgspec.json.decode(files.pop("manifest.json"), type=Manifest), files


# Signatures

ROOT = SigningKey("decklog.example/root", b"r" * 32)
BUNDLES = SigningKey("decklog.example/bundles", b"b" * 32)
LISTED = ListedKey("bundles", str(BUNDLES.verify_key), AT)
KEYS = sign_list(KeyList(1, "decklog.example", str(ROOT.verify_key), 1, AT, (LISTED,)), ROOT)


@cache
def signed() -> bytes:
    """A finished game that the service has signed."""
    return bundle.signed(honest("finished"), BUNDLES, KEYS)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", [bundle.SIGNATURE, bundle.KEYS])
def test_altered_signatures(seed: int, name: str) -> None:
    """Whoever alters a signature or the list of keys is found out, with or without the root."""
    choose, files = random.Random(seed), container.unpack(signed())
    assert verify(signed(), GAMES, root=ROOT.verify_key).code == 0
    for _ in range(25):
        altered = byte_mutation(files[name], choose)
        if altered == files[name]:
            continue
        changed = {**files, name: altered}
        if name == bundle.KEYS:  # a manifest that fits, and that the key signs: he has stolen it
            manifest = msgspec.json.decode(changed.pop("manifest.json"), type=Manifest)
            del changed[bundle.SIGNATURE]
            data = bundle.pack(
                changed, manifest.game, manifest.head, manifest.rules, manifest.viewer, BUNDLES
            )
        else:
            data = container.pack(changed)
        for root in (None, ROOT.verify_key):
            assert verify(data, GAMES, root=root).code in (1, 2)


@pytest.mark.parametrize("change", ["another hint", "a second signature", "other spaces"])
def test_a_signature_has_one_form(change: str) -> None:
    files = container.unpack(signed())
    envelope = read_envelope(files[bundle.SIGNATURE])
    (own,) = envelope.signatures
    other = msgspec.structs.replace(own, keyid="other+00000000")
    signatures = {"another hint": (other,), "a second signature": (own, other)}.get(change, (own,))
    made = write_envelope(msgspec.structs.replace(envelope, signatures=signatures))
    if change == "other spaces":
        made = made.replace(b":", b": ", 1)
    data = container.pack({**files, bundle.SIGNATURE: made})
    for root in (None, ROOT.verify_key):
        assert verify(data, GAMES, root=root).code == 1
