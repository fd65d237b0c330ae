"""The evidence bundle: one file from which a stranger judges a game again.

What a bundle holds depends on who exports it and when. A finished game opens everything. While a
game runs, a seat gets its own openings and orders and everybody's orders that hid nothing; such a
bundle verifies as partial. The same game, viewer and version always give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.codec import canonical
from domain.kernel.event import UnknownEvent
from domain.kernel.game import Game
from domain.kernel.values import TRUTH, Seat, Viewer

from .. import container
from . import chain, digest
from .chain import NULL, STATE, Envelope, Seals
from .changed import Reading, in_force
from .records import ENGINE, RECORDS, GameCreated, RulesChanged, RulesUsed, opens_master
from .records import seen as seen_record
from .seatkeys import OrderSignature
from .signing import SigningKey, seal_envelope, write_envelope

FORMAT = "decklog-evidence"
VERSION = 1

MANIFEST = "manifest.json"
EVENTS = "events.jsonl"
OPENINGS = "openings.jsonl"
COMMANDS = "commands.jsonl"
SECRETS = "secrets.json"
RULES = "rules/files.json"
SETUP = "rules/setup.json"
ARCHIVE = "rules/rules.engine"
"""The engine itself, where the exporter was asked for it."""
MOST_ENGINES = 16
"""Engines of one game that a bundle carries."""
ARCHIVES = (ARCHIVE, *(f"rules/rules-{n}.engine" for n in range(2, MOST_ENGINES + 1)))
"""The engines of a game that went over to others, in the order in which it names them."""
README = "README.txt"
KEYS = "keys/list.dsse.json"
"""The service's keys, as its root key has signed them."""
SIGNATURE = "manifest.dsse.json"
"""The manifest, signed by one of them."""
COSIGNED = "cosigned.dsse.json"
"""The manifest, signed by others: an organiser, witnesses."""
RECEIPTS = "receipts.jsonl"
"""Receipts that whoever exported the file holds, one a line."""
OUTSIDE = frozenset({SIGNATURE, COSIGNED, RECEIPTS})
"""The files besides the manifest that are not in it: they came after it."""
SIGNED_KIND = "application/vnd.decklog.manifest.v1+json"

LOG_HEAD = "log/checkpoint"
LOG_PROOFS = "log/proofs.txt"
LOG_FILES = (LOG_HEAD, LOG_PROOFS)
"""A head of the public log that its log has signed, and the proof that the last event is in it."""
LOG_CONSISTENCY = "log/consistency.txt"
"""That this head and one of another size, which somebody may have kept, are of one log."""
TIME_PROOF, TIME_STAMP = "time/proof.txt", "time/stamp.tsr"
TIME_FILES = (TIME_PROOF, TIME_STAMP)
"""The proof that the last event is in a head that was the last of its day, and the stamp of that
head by a time-stamping authority (RFC 3161), as it came. Both, or none."""
LOG_PAPERS = (*LOG_FILES, LOG_CONSISTENCY, *TIME_FILES)
"""All that a file may carry of the log."""

NONE, BY_SERVICE = "none", "service"
"""Who has signed the manifest."""

ALONE = b"""
Without that program: /docs/spec of any such service, openapi/spec of its source, says byte by byte
what is hashed and signed here. check.py and check.mjs beside it are two short programs that check
this file by that alone. The first step needs neither: the SHA-256 of each file stands in
manifest.json, and each line of events.jsonl has in "prev" the hash of the line before, which is
SHA-256 of 00 00 00 0a "nwe1/event" 00 00 00 01, the line's length as four bytes, and the line.
"""
"""How to check it without us."""

README_TEXT = (
    b"""A game of naval war, as evidence
================================

This file lets anybody judge the game again without trusting the service that kept it:

    decklog verify THIS-FILE

events.jsonl     every event, one a line; each line carries the hash of the line before it
commands.jsonl   the orders as they were given, with what is needed to find them in the events
openings.jsonl   what was sealed in the events, opened as far as the exporter may see it
secrets.json     the master secret of the dice; only in the file of a finished game
rules/           the set-up, and the SHA-256 of the archive of the rules that judged the game
manifest.json    size and SHA-256 of each of these files, and the hash of the last event

The file carries no signature. Whoever wants to know that two copies are of the same game compares
the hash of the last event, which the verifier prints.
"""
    + ALONE
)


def _before(text: bytes) -> bytes:
    """As it was before it said how to check the file without us."""
    return text.replace(ALONE, b"")


_LISTED = _before(README_TEXT).replace(
    b"SHA-256 of the archive of the rules", b"digests of the files of the rules"
)
"""From before the rules were one archive."""

WITH_ENGINE = README_TEXT.replace(
    b"manifest.json    size", b"rules/rules.engine  that archive itself\nmanifest.json    size"
)
"""Where the archive itself is in the file."""

WITH_ENGINES = README_TEXT.replace(
    b"manifest.json    size",
    b"rules/*.engine   those archives: of the rules that the game began with, then of those that\n"
    b"                 it went over to, in order\nmanifest.json    size",
)
"""Where there are several."""

UNSIGNED = b"The file carries no signature. "
WHO_SIGNED = b"""manifest.dsse.json says who vouches for this file: the manifest, signed by a key of
the service, which stands in keys/list.dsse.json, the list of its keys, signed by its root key.
Whoever knows that root key has it checked: decklog verify THIS-FILE --root VKEY

"""
SIGNED_TEXT = README_TEXT.replace(UNSIGNED, WHO_SIGNED)
"""Of a file that the service has signed."""


def _logged(text: bytes) -> bytes:
    """The same of a file that carries what the public log says of it."""
    told = (
        b"log/             the proof that the public log has the last event, with a signed head\n"
    )
    return text.replace(b"manifest.json    size", told + b"manifest.json    size")


_TEXTS = (README_TEXT, WITH_ENGINE, WITH_ENGINES, SIGNED_TEXT)
_LOGGED_TEXTS = tuple(map(_logged, _TEXTS))

LOGGED_TEXTS = (*map(_before, _LOGGED_TEXTS), *_LOGGED_TEXTS)
SIGNED_TEXTS = tuple(
    each for text in (SIGNED_TEXT, _logged(SIGNED_TEXT)) for each in (_before(text), text)
)

READMES = (_LISTED, *map(_before, (*_TEXTS, *_LOGGED_TEXTS)), *_TEXTS, *_LOGGED_TEXTS)
"""Every text that a program of this format has written; older ones stay valid."""


class BundleError(Exception):
    """The record cannot be exported: it contradicts itself."""


class OtherRules(BundleError):
    """What was sealed under other rules is written otherwise by those that are installed.

    A state or an event may have another form since; that is no sign that anybody changed a thing.
    """

    def __init__(self, seq: int, viewer: Viewer, used: RulesUsed) -> None:
        super().__init__(
            f"event {seq}: what was sealed for {viewer} under {used.ruleset} {used.version} "
            f"(rules {used.digest[:16]}) is written otherwise by the rules that are installed; "
            "export it with those"
        )


class Recorded(msgspec.Struct, frozen=True):
    """A stored event: hashed text, hash, and the true data where it is not the public data."""

    body: bytes
    hash: str
    truth: bytes | None = None


class Order(msgspec.Struct, frozen=True):
    """A stored command: canonical JSON, and the numbers of the first and last event it led to.

    signature  the seat's own, as it is stored; b"" for none
    """

    id: str
    seat: Seat
    command: bytes
    first: int
    last: int
    signature: bytes = b""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what stands in a bundle's files."""


class FileEntry(Line, frozen=True):
    name: str
    size: int
    sha256: str


class Head(Line, frozen=True):
    """Number and hash of the last event."""

    seq: int
    hash: str


class Manifest(Line, frozen=True):
    """What the bundle is, and the digest of each other file.

    viewer      for whom it was exported
    scope       "complete" for a finished game, else "partial"
    signatures  "service" where the service has signed the manifest, else "none"
    """

    format: str
    v: int
    game: str
    head: Head
    viewer: Viewer
    scope: str
    signatures: str
    rules: RulesUsed
    files: tuple[FileEntry, ...]


class Opening(Line, frozen=True):
    """A payload, opened: with its salt it gives ``sealed[viewer]`` of event ``seq``."""

    seq: int
    viewer: Viewer
    salt: str
    payload: msgspec.Raw


class OrderLine(Line, frozen=True):
    """An order; ``salt`` and ``command`` give the digest in the cause of its events.

    signature  the seat's own, where it has a key
    """

    id: str
    seat: Seat
    command: msgspec.Raw
    salt: str
    first: int
    last: int
    signature: OrderSignature | UnsetType = UNSET


class Secrets(Line, frozen=True):
    master: str


class RulesList(Line, frozen=True):
    """The rules that judged the game; nothing if the exporter had another version of them.

    files   those of rules whose digest is over a list of files
    engine  SHA-256 of the archive, in hex, of all others
    """

    files: tuple[digest.RulesFile, ...] = ()
    engine: str | UnsetType = UNSET


def export(
    game: Game[Any, Any, Any],
    rows: Sequence[Recorded],
    orders: Sequence[Order],
    master: bytes,
    viewer: Viewer,
) -> bytes:
    """The bundle of a game for ``viewer``. ``rows`` and ``orders`` are the whole record, in order.

    Raises BundleError if what is sealed cannot be opened with what is stored.
    """
    try:
        return _export(game, rows, orders, master, viewer)
    except (UnknownEvent, msgspec.ValidationError, chain.ChainError) as error:
        raise BundleError(f"a stored event cannot be read: {error}") from None


def _export(
    game: Game[Any, Any, Any],
    rows: Sequence[Recorded],
    orders: Sequence[Order],
    master: bytes,
    viewer: Viewer,
) -> bytes:
    envelopes = [chain.read(row.body) for row in rows]
    created = msgspec.json.decode(envelopes[0].data, type=GameCreated)
    seals = Seals(master, bytes.fromhex(created.params.g))
    opened = opens_master(envelopes[-1].type, envelopes[-1].schema)
    # Of a finished game everybody gets the same file.
    viewer = TRUTH if opened else viewer
    openings = _openings(game, created.rules, rows, envelopes, seals, viewer)
    visible = orders if viewer == TRUTH else _open_orders(envelopes, orders, viewer)
    contents = {
        EVENTS: b"".join(row.body + b"\n" for row in rows),
        OPENINGS: _jsonl(openings),
        COMMANDS: _jsonl([_order_line(order, seals) for order in visible]),
        RULES: canonical(_rules_list(game, created.rules)),
        SETUP: canonical(created.setup),
        README: README_TEXT,
    }
    if opened:
        contents[SECRETS] = canonical(Secrets(master.hex()))
    head = Head(len(rows), rows[-1].hash)
    return pack(contents, envelopes[0].game, head, created.rules, viewer)


def pack(
    contents: Mapping[str, bytes],
    game: str,
    head: Head,
    rules: RulesUsed,
    viewer: Viewer,
    key: SigningKey | None = None,
) -> bytes:
    """The files with their manifest, signed where there is a ``key``, as one file."""
    listed = tuple(
        FileEntry(name, len(contents[name]), hashlib.sha256(contents[name]).hexdigest())
        for name in sorted(contents)
    )
    scope = "complete" if SECRETS in contents else "partial"
    by = BY_SERVICE if KEYS in contents else NONE
    manifest = canonical(Manifest(FORMAT, VERSION, game, head, viewer, scope, by, rules, listed))
    signature = {} if key is None else {SIGNATURE: _signature(manifest, key)}
    return container.pack({**contents, MANIFEST: manifest, **signature})


def _signature(manifest: bytes, key: SigningKey) -> bytes:
    return write_envelope(seal_envelope(SIGNED_KIND, manifest, [key]))


def signed(data: bytes, key: SigningKey, keys: bytes) -> bytes:
    """The bundle, signed by the service's key for bundles; ``keys`` is the list of its keys."""
    files = container.unpack(data)
    manifest = msgspec.json.decode(files.pop(MANIFEST), type=Manifest)
    contents = {**files, README: _text(SIGNED_TEXT, files), KEYS: keys}
    return pack(contents, manifest.game, manifest.head, manifest.rules, manifest.viewer, key)


def with_engines(data: bytes, archives: Sequence[bytes]) -> bytes:
    """The bundle with the engines of its rules in it: one for each that the game names, in order.

    Nobody has signed that: of a signed bundle the copy is not signed. Raises BundleError where they
    are others.
    """
    files = container.unpack(data)
    for name in (*OUTSIDE, KEYS):
        files.pop(name, None)
    manifest = msgspec.json.decode(files.pop(MANIFEST), type=Manifest)
    named = engines_named(manifest, files[EVENTS])
    if named is None:
        raise BundleError("the game names rules of before there were archives")
    given = [hashlib.sha256(archive).hexdigest() for archive in archives]
    if given != named:
        raise BundleError(f"the game names the rules {', '.join(named)}, not {', '.join(given)}")
    if len(given) > MOST_ENGINES:
        raise BundleError(f"it names {len(given)} engines; {MOST_ENGINES} go into a file")
    kept = {name: content for name, content in files.items() if name not in ARCHIVES}
    readme = _text(WITH_ENGINE if len(given) == 1 else WITH_ENGINES, files)
    contents = {**kept, **dict(zip(ARCHIVES, archives, strict=False)), README: readme}
    return pack(contents, manifest.game, manifest.head, manifest.rules, manifest.viewer)


def _text(text: bytes, files: Mapping[str, bytes]) -> bytes:
    return _logged(text) if LOG_HEAD in files else text


def head_in(data: bytes) -> tuple[str, int]:
    """The game of a bundle, and the number of its last event."""
    manifest = msgspec.json.decode(container.unpack(data)[MANIFEST], type=Manifest)
    return manifest.game, manifest.head.seq


def last_event(data: bytes) -> int:
    """The number of the last event of a bundle that was made just now, at the cost of reading its
    manifest."""
    return msgspec.json.decode(container.one_of(data, MANIFEST), type=Manifest).head.seq


def with_log(
    data: bytes, checkpoint: str, proof: str, consistency: str = "",
    stamp: tuple[str, bytes] | None = None,
) -> bytes:  # fmt: skip
    """The bundle, which nobody has signed yet, with what the public log says of its last event.

    consistency  the proof for a head of another size; "" for none
    stamp        the proof for a head that is stamped, and the stamp
    """
    files = container.unpack(data)
    manifest = msgspec.json.decode(files.pop(MANIFEST), type=Manifest)
    papers = {LOG_HEAD: checkpoint.encode(), LOG_PROOFS: proof.encode()}
    if consistency:
        papers[LOG_CONSISTENCY] = consistency.encode()
    if stamp is not None:
        papers.update({TIME_PROOF: stamp[0].encode(), TIME_STAMP: stamp[1]})
    contents = {**files, **papers, README: _logged(README_TEXT)}
    return pack(contents, manifest.game, manifest.head, manifest.rules, manifest.viewer)


def engines_named(manifest: Manifest, events: bytes) -> list[str] | None:
    """The digests of the engines that a game names, each once, in order; None where one is no
    engine's.
    """
    used = [manifest.rules, *(change.new for change in _changes(events))]
    if any(each.form != ENGINE for each in used):
        return None
    return list(dict.fromkeys(each.digest for each in used))


def _changes(events: bytes) -> Iterator[RulesChanged]:
    for line in events.splitlines():
        if RulesChanged.TYPE.encode() in line:
            envelope = chain.read(line)
            if envelope.type == RulesChanged.TYPE:
                yield msgspec.json.decode(envelope.data, type=RulesChanged)


def opened_viewers(sealed: Mapping[Viewer, str], viewer: Viewer) -> list[Viewer]:
    """Whose entries of ``sealed`` a bundle for ``viewer`` opens: its own, or all for the truth."""
    return sorted(v for v in sealed if viewer in (v, TRUTH))


def is_secret(envelope: Envelope) -> bool:
    """Whether the event was decided while some seat held what another might not see."""
    return TRUTH in envelope.sealed


def _jsonl(lines: Sequence[Line]) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def _open_orders(
    envelopes: Sequence[Envelope], orders: Sequence[Order], viewer: Viewer
) -> list[Order]:
    """The viewer's own orders, and those of others that were given when nothing was hidden."""
    return [
        order
        for order in orders
        if order.seat == viewer or not any(map(is_secret, envelopes[order.first - 1 : order.last]))
    ]


def _order_line(order: Order, seals: Seals) -> OrderLine:
    salt = seals.command_salt(order.id).hex()
    command = msgspec.Raw(order.command)
    own = msgspec.json.decode(order.signature, type=OrderSignature) if order.signature else UNSET
    return OrderLine(order.id, order.seat, command, salt, order.first, order.last, own)


def _rules_list(game: Game[Any, Any, Any], used: RulesUsed) -> RulesList:
    game = in_force(game, 1)
    if not digest.are_installed(game, used):
        return RulesList()
    if used.form == ENGINE:
        return RulesList(engine=used.digest)
    return RulesList(digest.rules_files(game))


def _openings(
    game: Game[Any, Any, Any],
    used: RulesUsed,
    rows: Sequence[Recorded],
    envelopes: Sequence[Envelope],
    seals: Seals,
    viewer: Viewer,
) -> list[Opening]:
    """Every sealed payload that ``viewer`` may see, by number and then by name of the viewer."""
    states = _state_payloads(game, rows, envelopes) if viewer == TRUTH else {}
    reading, found = Reading(game), list[Opening]()
    for row, envelope in zip(rows, envelopes, strict=True):
        for name in opened_viewers(envelope.sealed, viewer):
            if name == STATE:
                payload = states[envelope.seq]
            else:
                payload = _payload(game, reading, row, envelope, name)
            found.append(_opening(game, used, seals, envelope, name, payload))
    return found


def _is_older(game: Game[Any, Any, Any], envelope: Envelope) -> bool:
    """Whether the event was stored in a form that the installed rules do not write any more."""
    kinds: dict[str, int] = {f"{game.ruleset}.{kind.NAME}": kind.SCHEMA for kind in game.events}
    return envelope.schema < kinds.get(envelope.type, 0)


def _opening(
    game: Game[Any, Any, Any], used: RulesUsed, seals: Seals, envelope: Envelope, viewer: Viewer,
    payload: bytes,
) -> Opening:  # fmt: skip
    if seals.seal(viewer, envelope.seq, payload) != envelope.sealed[viewer]:
        if viewer != TRUTH and not digest.are_installed(in_force(game, 1), used):
            raise OtherRules(envelope.seq, viewer, used)
        raise BundleError(f"event {envelope.seq}: what is stored for {viewer} was not sealed")
    salt = seals.salt(viewer, envelope.seq).hex()
    return Opening(envelope.seq, viewer, salt, msgspec.Raw(payload))


def _payload(
    game: Game[Any, Any, Any], reading: Reading, row: Recorded, envelope: Envelope, viewer: Viewer
) -> bytes:
    """What ``viewer`` sees of an event, or null where that is the public data."""
    if row.truth is None:
        return NULL
    if viewer == TRUTH:
        return row.truth
    if envelope.type in RECORDS:
        record = msgspec.json.decode(row.truth, type=RECORDS[envelope.type])
        shown = canonical(seen_record(record, viewer))
        return NULL if shown == bytes(envelope.data) else shown
    event = reading.event(envelope, row.truth)
    seen = game.seen(event, viewer)
    if _is_older(in_force(game, envelope.seq), envelope):
        return _older_payload(reading, row.truth, envelope, seen)
    shown = canonical(seen)
    return NULL if shown == bytes(envelope.data) else shown


def _older_payload(reading: Reading, truth: bytes, envelope: Envelope, seen: Any) -> bytes:
    """What was sealed in the old form: the truth or the public data, whichever means ``seen``.

    A third form cannot be written any more; what is given then is in the new one, and not sealed.
    """
    if reading.event(envelope, envelope.data) == seen:
        return NULL
    if reading.event(envelope, truth) == seen:
        return truth
    return canonical(seen)


def _state_payloads(
    game: Game[Any, Any, Any], rows: Sequence[Recorded], envelopes: Sequence[Envelope]
) -> dict[int, bytes]:
    """By number, what was sealed about the true state where its digest was sealed."""
    found: dict[int, bytes] = {}
    for envelope, state in true_states(game, rows, envelopes):
        if STATE in envelope.sealed:
            found[envelope.seq] = chain.state_payload(state)
    return found


def true_states(
    game: Game[Any, Any, Any], rows: Sequence[Recorded], envelopes: Sequence[Envelope]
) -> Iterator[tuple[Envelope, Any]]:
    """Each event with the true state after it."""
    reading, state = Reading(game), None
    for row, envelope in zip(rows, envelopes, strict=True):
        event = reading.event(envelope, envelope.data if row.truth is None else row.truth)
        if event is not None:
            state = game.evolve(state, event)
        yield envelope, state
