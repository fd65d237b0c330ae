"""A bundle, opened and checked as far as it can be without dice and rules.

Container, manifest, chain of hashes, openings against their seals, orders against their digests.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import PUBLIC, TRUTH, Viewer

from .. import container
from . import bundle, chain, form
from .bundle import Manifest, Opening, OrderLine, RulesList, Secrets
from .chain import GENESIS, NULL, ChainError, Envelope, Seals
from .digest import digest_of, scenario_digest
from .form import BadForm, is_stamp
from .papers import Batch, Opened, batches_of, check_openings, check_orders, opened_records
from .records import (
    ENDS,
    ENGINE,
    PREFIX,
    RECORDS,
    SERVICE,
    End,
    GameAbandoned,
    GameCreated,
    MasterOpened,
    Record,
    RulesAgreed,
    SeatTakenRecord,
    Takeback,
    master_in,
    opens_master,
)
from .verdict import equal, need, refute, unhex

T = TypeVar("T")

REQUIRED = (bundle.EVENTS, bundle.OPENINGS, bundle.COMMANDS, bundle.RULES, bundle.SETUP)
ALLOWED = frozenset(
    {
        *REQUIRED,
        bundle.SECRETS,
        bundle.README,
        *bundle.ARCHIVES,
        bundle.KEYS,
        *bundle.OUTSIDE,
        *bundle.LOG_PAPERS,
    }
)


_MANIFEST = msgspec.json.Decoder(Manifest)
_ENVELOPE = msgspec.json.Decoder(Envelope)
_OPENING = msgspec.json.Decoder(Opening)
_ORDER = msgspec.json.Decoder(OrderLine)
_SECRETS = msgspec.json.Decoder(Secrets)
_RULES = msgspec.json.Decoder(RulesList)
_RECORDS = {name: msgspec.json.Decoder(type_) for name, type_ in RECORDS.items()}


class Unreadable(Exception):
    """Not a bundle of this format, or damaged: no word about the game."""


@dataclass(frozen=True)
class Case:
    """A checked bundle.

    records the platform events by number, with what is opened of them
    opened  the true or visible data of sealed events: (seq, viewer) to payload
    seals   once the master is opened: open everything
    closed  how the game ended
    master  the master in hex, once it is opened
    """

    manifest: Manifest
    envelopes: tuple[Envelope, ...]
    created: GameCreated
    records: Mapping[int, Record]
    openings: tuple[Opening, ...]
    opened: Opened
    orders: tuple[OrderLine, ...]
    batches: tuple[Batch, ...]
    seals: Seals | None
    closed: End | None
    master: str
    has_rules: bool

    @property
    def sees_all(self) -> bool:
        """Whether the true data of every event is in the bundle."""
        return bool(self.master) or self.manifest.viewer == TRUTH

    def data(self, envelope: Envelope, viewer: Viewer) -> bytes:
        """The event's data for ``viewer`` as opened, else its public data."""
        payload = self.opened.get((envelope.seq, viewer), NULL)
        return bytes(envelope.data) if payload == NULL else payload


# Container and manifest


def unpack(data: bytes) -> tuple[Manifest, dict[str, bytes]]:
    """Manifest and files of a bundle. Raises Unreadable."""
    manifest, files, _ = unpack_whole(data)
    return manifest, files


def unpack_whole(data: bytes) -> tuple[Manifest, dict[str, bytes], bytes]:
    """The same, and the bytes of the manifest. Raises Unreadable."""
    try:
        files = container.unpack(data)
        text = _taken(files, bundle.MANIFEST)
        manifest = form.read(text, _MANIFEST)
    except (container.BadContainer, BadForm) as error:
        raise Unreadable(str(error)) from None
    if (manifest.format, manifest.v) != (bundle.FORMAT, bundle.VERSION):
        raise Unreadable(f"format {manifest.format} {manifest.v} is not known here")
    _check_files(manifest, files)
    return manifest, files, text


def _taken(files: dict[str, bytes], name: str) -> bytes:
    try:
        return files.pop(name)
    except KeyError:
        raise Unreadable(f"{name} is missing") from None


def _check_files(manifest: Manifest, files: Mapping[str, bytes]) -> None:
    listed = [entry.name for entry in manifest.files]
    if listed != sorted(files.keys() - bundle.OUTSIDE):
        raise Unreadable("the manifest lists other files than there are")
    for name in REQUIRED:
        if name not in files:
            raise Unreadable(f"{name} is missing")
    if not ALLOWED.issuperset(files):
        raise Unreadable("there are files that no bundle has")
    for entry in manifest.files:
        content = files[entry.name]
        digest = hashlib.sha256(content).hexdigest()
        if (entry.size, entry.sha256) != (len(content), digest):
            raise Unreadable(f"{entry.name} is damaged: its SHA-256 is {digest}")
    if files.get(bundle.README) not in bundle.READMES:
        raise Unreadable(f"{bundle.README} is not the text that a bundle has")
    _check_signed(manifest, files)


def _check_signed(manifest: Manifest, files: Mapping[str, bytes]) -> None:
    """All parts of a signature, or none: who cuts it off has to say that there is none."""
    marks = {
        bundle.SIGNATURE in files,
        bundle.KEYS in files,
        files[bundle.README] in bundle.SIGNED_TEXTS,
        manifest.signatures == bundle.BY_SERVICE,
    }
    if len(marks) > 1 or manifest.signatures not in (bundle.NONE, bundle.BY_SERVICE):
        raise Unreadable("some parts of a signature are missing")
    logged = {files[bundle.README] in bundle.LOGGED_TEXTS, *(n in files for n in bundle.LOG_FILES)}
    if len(logged) > 1 or (bundle.LOG_CONSISTENCY in files and False in logged):
        raise Unreadable("some of the papers of a public log are missing")
    stamped = {name in files for name in bundle.TIME_FILES}
    if len(stamped) > 1 or (True in stamped and False in logged):
        raise Unreadable("some parts of a time stamp are missing")


# The parts


def open_case(manifest: Manifest, files: dict[str, bytes]) -> Case:
    """The bundle's content, checked. Raises Refuted, Unreadable (for hostile nesting).

    The large files are taken out of ``files``: they are not needed twice, and may be half of all.
    """
    try:
        return _open(manifest, files)
    except form.TooDeep as error:
        raise Unreadable(str(error)) from None


def _open(manifest: Manifest, files: dict[str, bytes]) -> Case:
    envelopes = check_chain(manifest, files.pop(bundle.EVENTS))
    records = _records(envelopes)
    created = records.get(1)
    if not isinstance(created, GameCreated):
        raise refute("record", 1, "type", GameCreated.TYPE, envelopes[0].type)
    closed = next((each for each in records.values() if isinstance(each, End)), None)
    master = master_in(records.get(len(envelopes)))
    has_rules = _check_setup(manifest, files, created)
    seals = _secrets(manifest, files, created, master)
    openings = _read_lines(files, bundle.OPENINGS, _OPENING, "payload")
    opened = check_openings(manifest, envelopes, openings, seals)
    records = opened_records(envelopes, records, opened, (*created.setup.seats, TRUTH))
    orders = _read_lines(files, bundle.COMMANDS, _ORDER, "command")
    batches = batches_of(envelopes, orders)
    case = Case(
        manifest, envelopes, created, records, openings, opened, orders, batches,
        seals, closed, master, has_rules,
    )  # fmt: skip
    check_orders(batches, orders, seals, manifest.viewer)
    return case


def check_chain(manifest: Manifest, text: bytes) -> tuple[Envelope, ...]:
    """The events, each hashed and linked to the one before, up to the manifest's head."""
    envelopes: list[Envelope] = []
    prev = GENESIS
    for seq, line in enumerate(_lines(bundle.EVENTS, text), 1):
        try:
            form.check_canonical(line)
            envelope = _ENVELOPE.decode(line)
            chain.check_place(envelope, game=manifest.game, seq=seq, prev=prev)
        except ChainError as error:
            raise refute("chain", seq, error.check, error.expected, error.found) from None
        except form.TooDeep:
            raise
        except (BadForm, msgspec.MsgspecError) as error:
            raise refute("chain", seq, "form", "a canonical event", error) from None
        equal("chain", seq, "v", chain.VERSION, envelope.v)
        need(is_stamp(envelope.at), "chain", seq, "at", "a time", envelope.at)
        _shorten(envelope, manifest.game, prev)
        prev = chain.hash_of(line)
        envelopes.append(envelope)
    need(bool(envelopes), "chain", 1, "length", "at least one event", "none")
    equal("chain", len(envelopes), "number of events", manifest.head.seq, len(envelopes))
    equal("chain", len(envelopes), "hash of the last event", manifest.head.hash, prev)
    return tuple(envelopes)


def _shorten(envelope: Envelope, game: str, prev: str) -> None:
    """Keep what many events have in common once, and of the line only the data: a long game takes
    half the memory."""
    keep = msgspec.structs.force_setattr
    keep(envelope, "game", game)
    keep(envelope, "prev", prev)
    for name in ("type", "at", "actor"):
        keep(envelope, name, sys.intern(getattr(envelope, name)))
    keep(envelope, "data", msgspec.Raw(bytes(envelope.data)))


def _lines(name: str, text: bytes) -> Iterator[bytes]:
    try:
        return form.lines(text)
    except BadForm as error:
        raise refute("form", 0, name, "whole lines", error) from None


def _read(name: str, text: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    try:
        return form.read(text, decoder)
    except form.TooDeep:
        raise
    except BadForm as error:
        raise refute("form", 0, name, "canonical JSON of its kind", error) from None


def _read_lines(
    files: dict[str, bytes], name: str, decoder: msgspec.json.Decoder[T], raw: str
) -> tuple[T, ...]:
    """The lines as values; ``raw`` names the field that is left as it stands."""
    found: list[T] = []
    for number, line in enumerate(_lines(name, files.pop(name)), 1):
        value: Any = _read(f"{name}, line {number}", line, decoder)
        msgspec.structs.force_setattr(value, raw, msgspec.Raw(bytes(getattr(value, raw))))
        found.append(value)
    return tuple(found)


def _records(envelopes: tuple[Envelope, ...]) -> dict[int, Record]:
    """The platform events by number, each in the one form of its kind and where it may stand."""
    found: dict[int, Record] = {}
    for envelope in envelopes:
        if envelope.type.startswith(PREFIX):
            found[envelope.seq] = _record(envelope)
    for seq, record in found.items():
        need(isinstance(record, GameCreated) == (seq == 1), "record", seq, "place", "first", seq)
    _check_end(envelopes, found)
    return found


def _check_end(envelopes: tuple[Envelope, ...], records: Mapping[int, Record]) -> None:
    """After the end comes the opening of the master alone, and nothing comes after that."""
    last = len(envelopes)
    for seq, record in records.items():
        if isinstance(record, End):
            opened = isinstance(records.get(last), MasterOpened)
            need(seq == last - opened, "record", seq, "place", last - opened, seq)
            first_form = opens_master(envelopes[seq - 1].type, envelopes[seq - 1].schema)
            equal("record", seq, "opens the master", first_form, bool(master_in(record)))
        elif isinstance(record, MasterOpened):
            need(seq == last, "record", seq, "place", last, seq)
            before = envelopes[seq - 2]
            need(before.type in ENDS, "record", seq, "after", "the end of the game", before.type)
            once = not opens_master(before.type, before.schema)
            need(once, "record", seq, "master", "opened once", "opened twice")


def _record(envelope: Envelope) -> Record:
    decoder = _RECORDS.get(envelope.type)
    if decoder is None or not 1 <= envelope.schema <= RECORDS[envelope.type].SCHEMA:
        known = ", ".join(RECORDS)
        raise refute("record", envelope.seq, "type", f"one of {known}", envelope.type)
    try:
        record = decoder.decode(envelope.data)
    except msgspec.ValidationError as error:
        raise refute("record", envelope.seq, "data", envelope.type, error) from None
    equal("record", envelope.seq, "data", canonical(record), bytes(envelope.data))
    equal("record", envelope.seq, "actor", _actor(record), envelope.actor)
    return record


def _actor(record: Record) -> str:
    if isinstance(record, GameAbandoned):
        return SERVICE if record.seat is UNSET else record.seat
    return record.seat if isinstance(record, SeatTakenRecord | RulesAgreed | Takeback) else SERVICE


def _check_setup(manifest: Manifest, files: Mapping[str, bytes], created: GameCreated) -> bool:
    """Set-up and rules against G's digests; whether the bundle was exported by the same rules."""
    params = created.params
    viewers = (*created.setup.seats, PUBLIC, TRUTH)
    need(manifest.viewer in viewers, "setup", 0, "viewer", ", ".join(viewers), manifest.viewer)
    unhex(0, "game id", manifest.game, 16)
    # A named seed names the game inside G as well, so that the same seed makes the same dice.
    own = params.game == manifest.game
    named = created.seed_named
    need(own != named, "setup", 1, "dice bound to the game's own id", not named, own)
    equal("setup", 1, "digest of the set-up", scenario_digest(created.setup).hex(), params.scenario)
    equal("setup", 1, "digest of the rules", created.rules.digest, params.rules)
    equal("setup", 1, "number of seats", len(created.setup.seats), params.seats)
    waiting = () if created.waiting is UNSET else created.waiting
    strange = sorted(set(waiting) - set(created.setup.seats))
    equal("setup", 1, "seats that wait for a player, and are none", [], strange)
    bots = {} if created.bots is UNSET else created.bots
    unfit = sorted(bots.keys() - (set(created.setup.seats) - set(waiting)))
    equal("setup", 1, "seats that a bot plays, and that are none or wait", [], unfit)
    equal("setup", 1, "dice tips, one for each seat", params.seats, len(created.seat_tips))
    equal("setup", 1, "ruleset", created.setup.ruleset, created.rules.ruleset)
    equal("setup", 0, "rules in the manifest", created.rules, manifest.rules)
    equal("setup", 0, bundle.SETUP, canonical(created.setup), files[bundle.SETUP])
    return _check_rules(created, _read(bundle.RULES, files[bundle.RULES], _RULES))


def _check_rules(created: GameCreated, listed: RulesList) -> bool:
    """The list of the rules against their digest; whether there is anything in it."""
    used = created.rules
    if used.form == ENGINE:
        equal("setup", 0, "files of rules that are an archive", (), listed.files)
        if listed.engine is not UNSET:
            equal("setup", 0, "archive of the rules", used.digest, listed.engine)
        return listed.engine is not UNSET
    equal("setup", 0, "archive of rules that are files", UNSET, listed.engine)
    for file in listed.files:  # in capitals it would be the same number, and another text
        unhex(0, f"SHA-256 of {file.name}", file.sha256)
    if listed.files:
        found = digest_of(listed.files).hex()
        equal("setup", 0, "digest over the files of the rules", used.digest, found)
    return bool(listed.files)


def _secrets(
    manifest: Manifest,
    files: Mapping[str, bytes],
    created: GameCreated,
    master: str,
) -> Seals | None:
    """The seals of a finished game, from the master that its last event opened."""
    scope = "complete" if master else "partial"
    equal("secrets", 0, "scope in the manifest", scope, manifest.scope)
    equal("secrets", 0, f"{bundle.SECRETS} present", bool(master), bundle.SECRETS in files)
    if not master:
        return None
    equal("secrets", 0, "viewer in the manifest", TRUTH, manifest.viewer)
    secrets = _read(bundle.SECRETS, files[bundle.SECRETS], _SECRETS)
    equal("secrets", manifest.head.seq, "master", master, secrets.master)
    return Seals(unhex(manifest.head.seq, "master", master), unhex(1, "G", created.params.g))
