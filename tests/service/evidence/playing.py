"""Games for the verifier, written event by event: by an honest service, or by one that cheats."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET

from domain.kernel.chance import Awaited, Faces
from domain.kernel.codec import canonical
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, Seat, Viewer
from service.deadlines import later
from service.dice import nwd1
from service.dice.grades import LOCKED
from service.dice.resolve import Resolved, resolve
from service.dice.vault import BEGINNING, Batch, DiceBook, Vault
from service.evidence import bundle, chain
from service.evidence.beacon import QUICKNET, entry_of, first_after
from service.evidence.bundle import Opening, Order, OrderLine, Recorded
from service.evidence.chain import NO_CAUSE, Cause, Chain, Seals
from service.evidence.changed import Part, carry, joined, parts_of
from service.evidence.digest import rules_digest, scenario_digest
from service.evidence.records import (
    ENGINE,
    SERVICE,
    BatchRolled,
    BatchVoided,
    BeaconSeen,
    ChainRenewed,
    DeadlinePassed,
    EndedByRuling,
    EpochStarted,
    GameAbandoned,
    GameClosed,
    GameCreated,
    KeyChanged,
    LinksClosed,
    LinksGiven,
    MasterOpened,
    OrdersLocked,
    Params,
    Paused,
    Record,
    Resumed,
    RulesAgreed,
    RulesChanged,
    RulesUsed,
    SeatTakenRecord,
    Takeback,
    TipRenewed,
    keeps_secret,
    seen,
)
from service.evidence.takebacks import back_from
from tests.support import pennant, soundings
from tests.support.beacon import OWN, signed

GAMES: dict[str, Game[Any, Any, Any]] = {"pennant": pennant.GAME, "soundings": soundings.GAME}
AT = "2026-11-21T14:00:00.000Z"
GAME_ID = bytes(range(16))
SECRETS = (b"\x11" * 32, b"\x22" * 32, b"\x33" * 32)
"""What the players keep for themselves: the far ends of their chains are made of it."""


@dataclass
class Cheat:
    """Where a dishonest service departs from the truth; by default nowhere."""

    faces: Callable[[Batch, Awaited, Faces], Faces] = lambda batch, awaited, faces: faces
    number: Callable[[int], int] = lambda t: t
    record: Callable[[Record], Record] = lambda record: record
    event: Callable[[Any], Any] = lambda event: event
    command: Callable[[Any], Any] = lambda command: command
    envelope: Callable[[dict[str, Any]], dict[str, Any]] = lambda fields: fields


class Loaded(Batch):
    """A batch whose faces a cheat may exchange."""

    __slots__ = ("cheat",)

    def __init__(self, honest: Batch, cheat: Cheat) -> None:
        self.domain, self.t, self.link = honest.domain, honest.t, honest.link
        self.links, self.rolls, self.key = honest.links, honest.rolls, honest.key
        self.cheat = cheat

    def answer(self, awaited: Awaited) -> Faces:
        return self.cheat.faces(self, awaited, super().answer(awaited))


def _records(done: Resolved) -> list[Any]:
    return [BatchRolled.of(item) if isinstance(item, Batch) else item for item in done.items]


@dataclass
class Table:
    """A game in play, with all that the store would keep of it."""

    game: Game[Any, Any, Any] = pennant.GAME
    setup: Setup = pennant.SETUP
    grade: str = "A0"
    tips: bool = False
    cheat: Cheat = field(default_factory=Cheat)
    rules: bytes | None = None
    rows: list[Recorded] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    questions: list[tuple[str, str]] = field(default_factory=list)
    sealed: dict[int, dict[Viewer, bytes]] = field(default_factory=dict)
    state: Any = None
    length: int = 4096
    deadline: int = 0
    minutes: int = 0
    waiting: tuple[Seat, ...] = ()
    unopened: bool = False
    master: bytes = b""
    nonce: str = "0f" * 32
    secrets: tuple[bytes, ...] = SECRETS
    given: dict[Seat, int] = field(default_factory=dict)
    prompt: tuple[Seat, ...] = ("p1", "p2")
    beacons: dict[int, nwd1.Beacon] = field(default_factory=dict)
    id: bytes = GAME_ID

    def __post_init__(self) -> None:
        rules = self.rules or rules_digest(self.game)
        scenario = scenario_digest(self.setup)
        seats = len(self.setup.seats)
        vault = Vault(self.length)
        domains = self.game.domains(self.setup)
        self.book: DiceBook = vault.new_game(self.id, rules, scenario, seats, "evidence", domains)
        if self.master:
            self.book = DiceBook(self.master, self.book.g, self.length, tuple(domains))
        self.seals = Seals(self.book.master, self.book.g)
        self.chain = Chain(self.id.hex(), self.seals)
        self.epoch = BEGINNING
        self.renewing: set[Seat] = set()
        self.batch = 1
        self._open(rules, scenario, seats)

    def _open(self, rules: bytes, scenario: bytes, seats: int) -> None:
        game, book = self.game, self.book
        params = Params(
            self.id.hex(), rules.hex(), scenario.hex(), seats, self.length, book.g.hex()
        )
        created = GameCreated(
            params, book.commitment.hex(), {d: t.hex() for d, t in book.tips.items()}, self.grade,
            self.nonce, self.setup, RulesUsed(game.ruleset, game.version, rules.hex(), ENGINE),
            ("",) * seats, deadline=self.deadline or UNSET,
            waiting=self.waiting or UNSET, beacon=QUICKNET if self.grade == "A3" else UNSET,
        )  # fmt: skip
        opening = resolve(game, None, game.opening(self.setup), self._opening_batch)
        self.write([created, *_records(opening)], NO_CAUSE, SERVICE)
        if self.tips:
            for place, seat in enumerate(self.setup.seats):
                tip = self.player_link(place, 0)
                self.write([SeatTakenRecord(seat, tip.hex())], NO_CAUSE, seat, sealing=False)

    def _opening_batch(self, domain: str) -> Batch:
        none = [None] * len(self.setup.seats)
        self.batch += 1
        return self.book.open_batch(self.batch - 1, none, domain)

    def player_link(self, place: int, number: int) -> bytes:
        """The seat's link for batch ``number``; its tip for the batch before the first."""
        g = self.epoch.params(self.book.g)
        far = nwd1.player_seed(self.secrets[place], g, place)
        return nwd1.player_chain(g, place).down(far, self.length, number - self.epoch.base)

    def order(self, seat: Seat, command: Any) -> None:
        """One command, decided, rolled and written."""
        command = self.cheat.command(command)
        first = self.game.decide(self.state, seat, command)
        after = self.game.states(first, self.state)[-1]
        if self.grade in LOCKED and self.tips and self.game.awaiting(after) is not None:
            self.locks(seat, command)
        done = resolve(self.game, self.state, first, lambda domain: self._batch(seat, domain))
        self._finish(seat, command, done)

    def locks(self, seat: Seat, command: Any) -> None:
        """An order is locked, and links of its batch are given and closed."""
        text, t, command_id = canonical(command), self.batch, f"c_{len(self.orders):016x}"
        digest = self.seals.cause(command_id, text).digest
        lock = OrdersLocked(t, seat, command_id, digest, 30, text.decode())
        self.write([lock], NO_CAUSE, SERVICE, sealing=False)
        for each in self.prompt:
            self.gives(each, t)
        absent = tuple(each for each in self.setup.seats if each not in self.prompt)
        self.minutes += 1 if absent else 0
        self.closes(t, absent)

    def closes(self, t: int, absent: tuple[Seat, ...]) -> None:
        """The links of a batch; of grade A3 it has a round of the tests' own beacon."""
        if self.grade != "A3":
            self.write([LinksClosed(t, absent)], NO_CAUSE, SERVICE, sealing=False)
            return
        number = first_after(OWN, later(AT, 60 * self.minutes + 4))
        closing = LinksClosed(t, absent, round=number)
        self.write([closing], NO_CAUSE, SERVICE, sealing=False)
        self.minutes += 1
        self.beacons[t] = entry_of(number, signed(number))
        self.write([BeaconSeen(t, number, signed(number))], NO_CAUSE, SERVICE, sealing=False)

    def voids(self, command: Any, seat: Seat, domain: str = "pub") -> None:
        """The operator voids an order that was locked."""
        text, t, command_id = canonical(command), self.batch, f"c_void{self.batch:012x}"
        digest = self.seals.cause(command_id, text).digest
        lock = OrdersLocked(t, seat, command_id, digest, 30, text.decode())
        self.write([lock], NO_CAUSE, SERVICE, sealing=False)
        link = self.book.open_batch(t, [], domain, self.epoch).link.hex()
        void = BatchVoided(t, domain, link, "a wrong click")
        self.write([void], NO_CAUSE, SERVICE, sealing=False)
        self.batch += 1

    def taken(self, seat: Seat) -> None:
        """A seat that was waiting is taken, without a dice tip."""
        self.write([SeatTakenRecord(seat)], NO_CAUSE, seat, sealing=False)

    def abandon(self, seat: Seat, command: Any, days: Any = UNSET) -> None:
        """The game ends without a result in place of what the command would have led to."""
        text, number = canonical(command), self.chain.seq + 1
        command_id = f"c_{len(self.orders):016x}"
        self.write([GameAbandoned(seat, days)], self.seals.cause(command_id, text), seat)
        self.orders.append(Order(command_id, seat, text, number, number))
        self.open_master()

    def left(self, days: Any, seat: Any = UNSET, kept: int | None = None) -> None:
        """The service ends the game that nobody has played for so many days, or fewer."""
        self.minutes += 24 * 60 * (days if kept is None else kept)
        self.write([GameAbandoned(seat, days)], NO_CAUSE, SERVICE, sealing=False)
        self.open_master()

    def stops(self, left: dict[Seat, int], reason: str = "", *, orders: bool = False) -> None:
        """The operator stops the clocks."""
        self.write([Paused(orders, reason, left)], NO_CAUSE, SERVICE, sealing=False)

    def resumes(self) -> None:
        """They run again."""
        self.write([Resumed()], NO_CAUSE, SERVICE, sealing=False)

    def rekeys(self, record: KeyChanged) -> int:
        """The operator rules on the key of a seat; the number of that event."""
        self.write([record], NO_CAUSE, SERVICE, sealing=False)
        return self.chain.seq

    def ends(self, reason: str) -> None:
        """The operator ends the game."""
        self.write([EndedByRuling(reason)], NO_CAUSE, SERVICE, sealing=False)
        self.open_master()

    def open_master(self) -> None:
        opened = MasterOpened(self.book.master.hex())
        self.write([opened], NO_CAUSE, SERVICE, sealing=False)

    def goes_back(self, nonce: bytes) -> None:
        """The service's store went back: new dice for what follows."""
        self.epoch = self.epoch.started(self.batch - 1, nonce)
        self.renewing = set(self.setup.seats) if self.tips else set()
        started = EpochStarted.of(self.book, self.epoch)
        self.write([started], NO_CAUSE, SERVICE, sealing=False)

    def agrees(self, seat: Seat, used: RulesUsed) -> None:
        """A seat would go on under other rules."""
        self.write([RulesAgreed(seat, used)], NO_CAUSE, seat, sealing=False)

    def goes_over(self, old: RulesUsed, new: RulesUsed, game: Game[Any, Any, Any]) -> None:
        """From here on other rules decide, whoever agreed."""
        since = self.chain.seq + 1
        newest = parts_of(self.game)[-1].game
        self.state = carry(newest, self.state, game)
        self.game = joined((*parts_of(self.game), Part(since, game)))
        self.write([RulesChanged(old, new, self.setup.seats, since)], NO_CAUSE, SERVICE)

    def takes_back(self, seat: Seat, before: Any, told: Takeback | None = None) -> None:
        """The position is the one before again, whoever's step it was.

        told  what the record says of it; without it, what is true of the last order
        """
        last = self.orders[-1]
        back = back_from(canonical(self.state), canonical(before))
        record = Takeback(seat, last.id, last.first, back) if told is None else told
        self.game = joined(parts_of(self.game), went_back=True)
        self.state = before
        self.write([record], NO_CAUSE, seat)

    def by_clock(self, seat: Seat, minutes: int) -> None:
        """The service answers for a seat, so many minutes after what was last done."""
        asked = next(q for q in self.game.pending(self.state) if q.seat == seat)
        since, self.minutes = self.minutes, self.minutes + minutes
        due = later(AT, 60 * since + self.deadline)
        passed = DeadlinePassed(seat, asked.question, asked.subject, due)
        command = self.cheat.command(self.game.usual(self.state, asked))
        first = self.game.decide(self.state, seat, command)
        done = resolve(self.game, self.state, first, lambda domain: self._batch(seat, domain))
        self._finish(seat, command, done, passed)

    def _batch(self, seat: Seat, domain: str) -> Batch:
        t = self.cheat.number(self.batch)
        self.batch += 1
        links: list[bytes | None] = [
            self.player_link(place, t)
            if self.given.get(each, 0) >= t
            or (self.tips and each == seat and self.grade not in LOCKED)
            else None
            for place, each in enumerate(self.setup.seats)
        ]
        batch = self.book.open_batch(t, links, domain, self.epoch, self.beacons.get(t))
        return Loaded(batch, self.cheat)

    def _finish(self, seat: Seat, command: Any, done: Resolved, *before: Record) -> None:
        text = canonical(command)
        command_id = f"c_{len(self.orders):016x}"
        first = self.chain.seq + 1
        asked = (q for q in self.game.pending(self.state) if q.seat == seat)
        self.questions.append(next(((q.question, q.subject) for q in asked), ("", "")))
        items: list[Any] = [*before, *self._new_tip(seat, done), *self._with_absent(done)]
        result = self.game.result(done.state)
        if result is not None:
            items.append(GameClosed(result))
        elif not self.epoch.lasts(self.batch, self.length, len(self.book.domains)):
            self.epoch = self.epoch.renewed(self.batch - 1)
            self.renewing = set(self.setup.seats) if self.tips else set()
            items.append(ChainRenewed.of(self.book, self.epoch))
        self.write(items, self.seals.cause(command_id, text), seat)
        self.orders.append(Order(command_id, seat, text, first, self.chain.seq))
        if result is not None and not self.unopened:
            self.open_master()

    def gives(self, seat: Seat, upto: int, link: bytes = b"") -> None:
        """A seat gives its links up to a batch ahead."""
        link = link or self.player_link(self.setup.seats.index(seat), upto)
        self.given[seat] = upto
        self.write([LinksGiven(seat, upto, link.hex())], NO_CAUSE, SERVICE, sealing=False)

    def begins(self, seat: Seat) -> None:
        """A seat begins its next chain, by itself."""
        self.renewing.discard(seat)
        tip = self.player_link(self.setup.seats.index(seat), self.epoch.base)
        self.given.pop(seat, None)
        self.write([TipRenewed(seat, tip.hex())], NO_CAUSE, SERVICE, sealing=False)

    def _with_absent(self, done: Resolved) -> Iterator[Any]:
        """What it led to; before a batch, who gives links ahead and has none for it."""
        for item in _records(done):
            if isinstance(item, BatchRolled):
                pairs = zip(self.setup.seats, item.player_links, strict=True)
                absent = tuple(seat for seat, link in pairs if not link and seat in self.given)
                if absent and self.grade not in LOCKED:
                    yield LinksClosed(item.t, absent)
            yield item

    def _new_tip(self, seat: Seat, done: Resolved) -> list[TipRenewed]:
        if seat not in self.renewing or not done.batches:
            return []
        self.renewing.remove(seat)
        tip = self.player_link(self.setup.seats.index(seat), self.epoch.base)
        return [TipRenewed(seat, tip.hex())]

    def write(self, items: Sequence[Any], cause: Cause, actor: Seat, sealing: bool = True) -> None:
        last = len(items) - 1
        for place, item in enumerate(items):
            if isinstance(item, Record):
                record = self.cheat.record(item)
                public, truth = canonical(seen(record, PUBLIC)), canonical(record)
                type_, payloads = record.TYPE, self._sealed_record(record, public)
                by_seat = isinstance(item, SeatTakenRecord | RulesAgreed | GameAbandoned | Takeback)
                who = actor if by_seat else SERVICE
                who = SERVICE if isinstance(item, GameAbandoned) and item.seat is UNSET else who
            else:
                before, event = self.state, self.cheat.event(item)
                self.state = self.game.evolve(before, event)
                truth = canonical(event)
                public = chain.public_data(self.game, event, truth)
                payloads = self._payloads(before, event, public)
                type_, who = f"{self.game.ruleset}.{event.NAME}", actor
            if sealing and place == last:
                payloads["state"] = chain.state_payload(self.state)
            self._add(type_, item.SCHEMA, who, cause, public, payloads, truth)

    def _sealed_record(self, record: Record, public: bytes) -> dict[Viewer, bytes]:
        if not keeps_secret(record):
            return {}
        seats = self.setup.seats
        return chain.payloads_by(lambda viewer: canonical(seen(record, viewer)), public, seats)

    def _payloads(self, before: Any, event: Any, public: bytes) -> dict[Viewer, bytes]:
        secrets = self.game.secrets
        if secrets(self.state) or (before is not None and secrets(before)):
            return chain.payloads(self.game, event, public, self.setup.seats)
        return {}

    def _add(
        self, type_: str, schema: int, who: Seat, cause: Cause, data: bytes, payloads: Any,
        truth: bytes,
    ) -> None:  # fmt: skip
        fields = self.cheat.envelope(
            {"type": type_, "schema": schema, "at": later(AT, 60 * self.minutes), "actor": who,
             "cause": cause, "data": data, "payloads": payloads}
        )  # fmt: skip
        link = self.chain.add(**fields)
        self.sealed[self.chain.seq] = fields["payloads"]
        self.rows.append(Recorded(link.body, link.hash, None if truth == data else truth))

    def play(self, seed: int, orders: int = 1_000_000) -> Table:
        """Random legal orders, up to so many, or to the end."""
        choose = random.Random(seed)
        for _ in range(orders):
            if self.game.result(self.state) is not None:
                break
            moves = [
                (seat, command)
                for seat in self.setup.seats
                for command in self.game.legal(self.state, seat).commands
            ]
            self.order(*choose.choice(moves))
        return self

    def export(self, viewer: Viewer = "truth") -> bytes:
        return bundle.export(self.game, self.rows, self.orders, self.book.master, viewer)

    def forge(self) -> bytes:
        """The bundle of a finished game by an exporter that checks nothing of what it writes."""
        openings = [
            Opening(seq, viewer, self.seals.salt(viewer, seq).hex(), msgspec.Raw(payloads[viewer]))
            for seq, payloads in self.sealed.items()
            for viewer in sorted(payloads)
        ]
        digest = (self.rules or rules_digest(self.game)).hex()
        rules_list = canonical(bundle.RulesList(engine=digest))
        head = bundle.Head(len(self.rows), self.rows[-1].hash)
        rules = RulesUsed(self.game.ruleset, self.game.version, digest, ENGINE)
        contents = {
            bundle.README: bundle.README_TEXT,
            bundle.RULES: rules_list,
            bundle.EVENTS: b"".join(row.body + b"\n" for row in self.rows),
            bundle.OPENINGS: b"".join(canonical(opening) + b"\n" for opening in openings),
            bundle.COMMANDS: b"".join(canonical(line) + b"\n" for line in self._order_lines()),
            bundle.SETUP: canonical(self.setup),
            bundle.SECRETS: canonical(bundle.Secrets(self.book.master.hex())),
        }
        return bundle.pack(contents, self.id.hex(), head, rules, "truth")

    def _order_lines(self) -> list[OrderLine]:
        return [
            OrderLine(
                order.id, order.seat, msgspec.Raw(order.command),
                self.seals.command_salt(order.id).hex(), order.first, order.last,
            )
            for order in self.orders
        ]  # fmt: skip


def finished(turns: int = 8, seed: int = 1, **more: Any) -> Table:
    """A whole game of pennant."""
    return Table(setup=pennant.setup(turns), **more).play(seed)


def at_sea(turns: int = 8, seed: int = 1, orders: int = 1_000_000, **more: Any) -> Table:
    """A game of Soundings, to its end or so many orders: hidden batches, several in one order."""
    return Table(game=soundings.GAME, setup=soundings.setup(turns), **more).play(seed, orders)


def decode(line: bytes) -> Any:
    return msgspec.json.decode(line)
