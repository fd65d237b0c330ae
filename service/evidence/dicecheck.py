"""Every die again: commitment, tips, each opened link, each face, batch numbers without a gap."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from domain.kernel.chance import sees
from domain.kernel.values import Seat

from ..dice import nwd1
from ..dice.grades import BEACON, GRADES, LOCKED
from ..dice.links import PlayerLinks
from ..dice.nwd1 import DiceError
from ..dice.vault import BEGINNING, DiceBook, Epoch
from ..dice.vault import Batch as DiceBatch
from ..errors import DiceRefused
from .casefile import Case
from .locks import Locks
from .records import (
    BatchRolled,
    BatchVoided,
    BeaconSeen,
    ChainRenewed,
    DeadlinePassed,
    EpochStarted,
    Forfeited,
    GameCreated,
    LinksClosed,
    LinksGiven,
    OrdersLocked,
    Paused,
    Record,
    Resumed,
    SeatTakenRecord,
    TipRenewed,
    keeps_secret,
)
from .verdict import equal, need, refute, unhex

MAX_LENGTH = 1 << 20
"""Links of a chain that the verifier is willing to hash."""


class DiceCheck:
    """Goes through a case's platform events in order, and keeps each batch opened for the rules.

    batches  by number of its event, each batch with its key: it rolls what the rules ask for; not
             those that are sealed from whom the bundle is for
    grades   of each batch
    records  of all batches, in order
    sealed   how many batches could not be opened
    epochs   which chains were in use, one after the other, with the record that began each
    started  numbers of the events that say that the store went back
    voided   numbers of the batches that the operator has voided
    absences in how many batches each seat that had a chain had no part
    """

    def __init__(self, case: Case) -> None:
        created = case.created
        self.batches: dict[int, DiceBatch] = {}
        self.grades: list[str] = []
        self.records: list[BatchRolled] = []
        self.faces = self.sealed = 0
        self.epochs: list[tuple[Epoch, ChainRenewed | EpochStarted]] = []
        self._case = case
        self._g = check_params(created)
        self._domains = len(created.tips)
        self._known = _check_commitment(1, created.tips, created.commitment, self._g)
        seats = created.params.seats
        self._seats = created.setup.seats
        self._links = PlayerLinks.none(self._g, created.params.length, seats)
        self._command = ""
        self._upto: dict[Seat, int] = {}
        self._locks = Locks(case)
        self._rolls = _who_rolls(case)
        self._closed: tuple[int, LinksClosed] | None = None
        self._waiting = set(() if created.waiting is UNSET else created.waiting)
        self._bots = frozenset(() if created.bots is UNSET else created.bots)
        self.absences: dict[Seat, int] = {}
        self._most = _forfeits(created)
        self._missed: dict[Seat, int] = {}
        self._lost: tuple[Seat, ...] = ()
        self.started: list[int] = []
        self.voided: list[int] = []
        for place, tip in enumerate(created.seat_tips):
            self._register(1, place, tip)
        for envelope in case.envelopes:
            self._locks.pass_by(envelope.cause.id)
            forfeit = not self._lost or envelope.type == Forfeited.TYPE
            need(forfeit, "dice", envelope.seq, "event", f"the forfeit of {self._lost}", "another")
            record = case.records.get(envelope.seq)
            if not isinstance(record, BatchRolled):
                self._check_in_vain()
            if record is not None:
                self.take(envelope.seq, record)
        self._check_in_vain()

    def take(self, seq: int, record: Record) -> None:
        match record:
            case SeatTakenRecord():
                self._waiting.discard(record.seat)
                if record.mark is not UNSET:
                    unhex(seq, "mark", record.mark)
                self._register(seq, self._place(seq, record.seat), record.tip)
            case TipRenewed():
                place = self._place(seq, record.seat)
                spent = place in self._links.spent
                need(spent, "dice", seq, "new tip", "of a seat whose chain is spent", record.seat)
                need(bool(record.tip), "dice", seq, "new tip", "32 bytes in hex", "none")
                self._register(seq, place, record.tip)
            case LinksGiven():
                self._give(seq, record)
            case LinksClosed():
                self._close(seq, record)
            case Forfeited():
                self._forfeit(seq, record)
            case BeaconSeen():
                self._locks.seen(seq, record)
            case BatchVoided():
                self._void(seq, record)
            case OrdersLocked():
                self._place(seq, record.seat)
                known = self._opened()
                need(not known, "dice", seq, "lock", "before links of its dice are known", known)
                self._locks.lock(seq, record, self._next)
            case Paused() | Resumed():
                self._locks.clocks(seq, record)
            case ChainRenewed():
                self._renew(seq, record)
            case EpochStarted():
                self._start(seq, record)
            case BatchRolled():
                self._batch(seq, record)

    @property
    def grade(self) -> str:
        """The lowest grade of any batch; "" while nothing was rolled."""
        return min(self.grades, default="")

    @property
    def wanted(self) -> int:
        """The batch that a locked order waits for; 0: none does."""
        return self._next if self._locks.locked else 0

    def due(
        self, master: bytes, domain: str, links: Mapping[Seat, bytes], signature: str = "",
        later: int = 0,
    ) -> DiceBatch:  # fmt: skip
        """The batch that comes next, as the master has it: nobody can make it other dice.

        links  those of seats that are given for it, where the file does not have them
        signature  of the beacon's round that it waits for, in hex
        later  of how many batches after the file's last one it comes
        Raises DiceRefused for a link that is none, DiceError for another domain.
        """
        t, known = self._next + later, self._links
        for seat, link in links.items():
            if seat not in self._seats:
                raise DiceRefused(f"there is no seat {seat}")
            known = known.take(self._seats.index(seat), t, link)
        if owed := self._owed(t, known):
            raise DiceRefused(f"{owed[0]} has given a link of batch {t}, which is not here")
        if self._locks.beaconed and (later or not self.wanted):
            why = f"nobody has named the round of the beacon that batch {t} would have"
            raise DiceRefused(f"{why}: each batch of grade A3 has one of its own")
        book = DiceBook(master, self._g, known.length, tuple(self._known))
        beacon = self._locks.beacon(t, signature)
        return book.open_batch(t, known.entries(t), domain, known.epoch, beacon)

    def owed(self) -> tuple[Seat, ...]:
        """The seats that have given a link for the next batch, which this file does not have."""
        return self._owed(self._next, self._links)

    def _owed(self, t: int, links: PlayerLinks) -> tuple[Seat, ...]:
        there = links.entries(t)
        return tuple(
            seat for place, seat in enumerate(self._seats)
            if self._upto.get(seat, 0) >= t and there[place] is None
        )  # fmt: skip

    @property
    def _next(self) -> int:
        return len(self.grades) + len(self.voided) + 1

    def _opened(self) -> dict[Seat, int]:
        """The seats whose links of batches to come are known, and up to which."""
        return {seat: upto for seat, upto in self._upto.items() if upto >= self._next}

    def _place(self, seq: int, seat: str) -> int:
        need(seat in self._seats, "record", seq, "seat", ", ".join(self._seats), seat)
        return self._seats.index(seat)

    def _register(self, seq: int, place: int, tip: str) -> None:
        if not tip:
            return
        what = f"tip of {self._seats[place]}"
        need(self._seats[place] not in self._bots, "dice", seq, what, "none: a bot plays it", tip)
        known = self._opened()
        need(not known, "dice", seq, what, "fixed before others' links are known", known)
        try:
            self._links = self._links.register(place, unhex(seq, "dice tip", tip))
        except DiceRefused as error:
            raise refute("dice", seq, what, error.hint, tip) from None

    def _lasts(self) -> bool:
        return self._links.epoch.lasts(self._next, self._links.length, self._domains)

    def _renew(self, seq: int, record: ChainRenewed) -> None:
        """New chains when the old ones do not last for another command, and only then."""
        need(not self._lasts(), "dice", seq, "renewal", "when the chains are spent", "before")
        self._begin(seq, self._links.epoch.renewed(self._next - 1), record)

    def _start(self, seq: int, record: EpochStarted) -> None:
        """New chains because the store went back: at any time, and never with the same nonce."""
        nonce = unhex(seq, "nonce", record.nonce)
        used = [epoch.nonce for epoch, _ in self.epochs]
        need(nonce not in used, "dice", seq, "nonce", "a new one", record.nonce)
        self.started.append(seq)
        self._locks.void()
        self._begin(seq, self._links.epoch.started(self._next - 1, nonce), record)

    def _begin(self, seq: int, epoch: Epoch, record: ChainRenewed | EpochStarted) -> None:
        equal("dice", seq, "number of the renewal", epoch.number, record.epoch)
        equal("dice", seq, "first batch of the new chains", self._next, record.first)
        equal("dice", seq, "domains", sorted(self._known), sorted(record.tips))
        g = epoch.params(self._g)
        known = _check_commitment(seq, record.tips, record.commitment, g)
        self._known = {name: (epoch.base, tip) for name, (_, tip) in known.items()}
        self._links, self._upto = self._links.renewed(epoch), {}
        self.epochs.append((epoch, record))

    def _batch(self, seq: int, record: BatchRolled) -> None:
        equal("dice", seq, "number t of the batch", self._next, record.t)
        cause = self._case.envelopes[seq - 1].cause.id
        if cause != self._command or not self.grades:
            need(self._lasts(), "dice", seq, "chains", "renewed before another command", "spent")
            self._command = cause
        last = self._links.length + self._links.epoch.base
        need(record.t <= last, "dice", seq, "number t of the batch", f"<= {last}", record.t)
        need(record.domain in self._known, "dice", seq, "domain", list(self._known), record.domain)
        need(bool(record.rolls), "dice", seq, "rolls", "at least one", "none")
        locked = self._locks.rolled(seq, record.t, any(self._links.known))
        links = self._player_links(seq, record)
        self._check_absent(seq, record)
        beacon = self._locks.beacons.get(record.t) if locked else None
        self.grades.append(_grade(record, locked=locked, beacon=beacon is not None))
        self.records.append(record)
        if keeps_secret(record) and not record.is_open:
            viewer = self._case.manifest.viewer
            own = sees(record.domain, viewer)
            need(not own, "dice", seq, "server link", f"opened for {viewer}", "sealed")
            self.sealed += 1
            return
        link, g = self._server_link(seq, record), self._links.epoch.params(self._g)
        self._check_faces(seq, record, DiceBatch(g, record.domain, record.t, link, links, beacon))
        self.batches[seq] = DiceBatch(g, record.domain, record.t, link, links, beacon)

    def _give(self, seq: int, record: LinksGiven) -> None:
        """Links given ahead: from now on each batch up to that one has to have them."""
        place, known = self._place(seq, record.seat), self._upto.get(record.seat, 0)
        what = f"links of {record.seat}"
        need(self._links.known[place] is not None, "dice", seq, what, "of a seat with a tip", "one")
        open_ = sorted(self._waiting)
        need(not open_, "dice", seq, what, "given once every seat is filled", f"before {open_}")
        most = self._links.epoch.base + self._links.length
        least = max(known, self._next - 1) + 1
        if self._locks.asked:
            need(not self._locks.waits, "dice", seq, what, "before they are closed", "one")
            least = most = self._locks.wanted
            self._locks.given()
        need(least <= record.upto <= most, "dice", seq, what, f"{least} to {most}", record.upto)
        self._upto[record.seat] = record.upto
        if record.link:
            link = unhex(seq, "player link", record.link)
            try:
                self._links = self._links.give(place, record.upto, link)
            except DiceRefused as error:
                raise refute("dice", seq, what, error.hint, record.link) from None

    def _close(self, seq: int, record: LinksClosed) -> None:
        if self._case.envelopes[seq - 1].cause.id:
            self._closed = (seq, record)
            return
        known = zip(self._seats, self._links.known, strict=True)
        chains = [seat for seat, entry in known if entry is not None]
        missing = [seat for seat in chains if self._upto.get(seat, 0) < record.t]
        self._locks.close(seq, record, missing)
        if record.unlogged is UNSET:
            for seat in missing:
                self._missed[seat] = self._missed.get(seat, 0) + 1
        self._lost = tuple(seat for seat in missing if self._missed.get(seat) == self._most)

    def _forfeit(self, seq: int, record: Forfeited) -> None:
        """Who was absent once too often has lost, right then, and nobody else."""
        due = Forfeited.by(self._lost, 0 if self._most is UNSET else self._most, self._seats)
        need(bool(self._lost), "dice", seq, "forfeit", "after the last absence allowed", "before")
        equal("dice", seq, "forfeit", due, record)
        self._lost = ()

    def _void(self, seq: int, record: BatchVoided) -> None:
        """A batch is discarded before its dice could fall; its link is the service's, opened."""
        equal("dice", seq, "batch that is voided", self._locks.wanted, record.t)
        equal("dice", seq, "batch that is voided", self._next, record.t)
        need(record.domain in self._known, "dice", seq, "domain", list(self._known), record.domain)
        own = sees(record.domain, self._case.manifest.viewer)
        if record.link or own or not keeps_secret(record):
            self._server_link(seq, record)
        self._locks.void()
        self.voided.append(record.t)

    def _check_absent(self, seq: int, record: BatchRolled) -> None:
        """What a seat has given ahead is in it; where one has given no more, that is on record."""
        for seat, upto in self._upto.items():
            there = bool(record.player_links[self._seats.index(seat)])
            what = f"link of {seat}"
            need(there or upto < record.t, "dice", seq, what, f"given up to batch {upto}", "none")
        absent = self._absent(record)
        ahead = tuple(seat for seat in absent if seat in self._upto)
        for seat in absent:
            self.absences[seat] = self.absences.get(seat, 0) + 1
        self._check_given(seq, record)
        closed, self._closed = self._closed, None
        found = closed[1] if closed is not None and closed[0] == seq - 1 else None
        due = LinksClosed(record.t, ahead) if ahead and not self._locks.asked else None
        equal("dice", seq, "seats that are absent, on record before it", due, found)

    def _check_in_vain(self) -> None:
        """An order names the absent right before a batch that they are absent from."""
        if self._closed is not None:
            seq, record = self._closed
            equal("dice", seq, "seats that are absent, on record before it", None, record)

    def _check_given(self, seq: int, record: BatchRolled) -> None:
        """The batch has the links that were given for it, and, but for grade A2, that of whoever
        rolls it: of others the service and a player could choose whether they are in it."""
        cause = self._case.envelopes[seq - 1].cause.id
        rolls = () if self._locks.asked else self._rolls.get(cause, ())
        for seat, link in zip(self._seats, record.player_links, strict=True):
            given = not link or self._upto.get(seat, 0) >= record.t or seat in rolls
            need(given, "dice", seq, f"link of {seat}", f"none: {seat} has not given it", link)

    def _absent(self, record: BatchRolled) -> list[Seat]:
        """The seats that have had a chain, and no part in this batch."""
        return [
            seat
            for place, seat in enumerate(self._seats)
            if not record.player_links[place]
            and (self._links.known[place] is not None or place in self._links.spent)
        ]

    def _server_link(self, seq: int, record: BatchRolled | BatchVoided) -> bytes:
        """s[d,t], which must lead down to the newest link of its domain that is known."""
        number, known = self._known[record.domain]
        link, base = unhex(seq, "server link", record.link), self._links.epoch.base
        server = nwd1.server_chain(self._links.epoch.params(self._g), record.domain)
        reached = server.down(link, record.t - base, number - base)
        what = f"link {number - base} of the server, from link {record.t - base}"
        equal("dice", seq, what, known.hex(), reached.hex())
        self._known[record.domain] = (record.t, link)
        return link

    def _player_links(self, seq: int, record: BatchRolled) -> list[bytes | None]:
        equal("dice", seq, "player links", len(self._seats), len(record.player_links))
        links: list[bytes | None] = []
        for place, text in enumerate(record.player_links):
            links.append(self._player_link(seq, place, record.t, text) if text else None)
        return links

    def _player_link(self, seq: int, place: int, t: int, text: str) -> bytes:
        link = unhex(seq, "player link", text)
        try:
            self._links = self._links.take(place, t, link)
        except DiceRefused as error:
            raise refute("dice", seq, f"link of {self._seats[place]}", error.hint, text) from None
        return link

    def _check_faces(self, seq: int, record: BatchRolled, batch: DiceBatch) -> None:
        for roll in record.rolls:
            try:
                faces = batch.roll(roll.label, roll.pools)
            except DiceError as error:
                raise refute("dice", seq, f"roll {roll.label}", error.hint, roll.pools) from None
            equal("dice", seq, f"faces of {roll.label}", faces, roll.faces)
            self.faces += sum(map(len, faces))


def _forfeits(created: GameCreated) -> int | UnsetType:
    """At which absence a seat forfeits, in a game that can have one."""
    most = created.forfeit
    if most is not UNSET:
        fits = most > 0 and created.grade in LOCKED
        need(fits, "dice", 1, "forfeit", "at an absence, of grade A2 or A3", most)
    return most


def _who_rolls(case: Case) -> dict[str, set[Seat]]:
    """By the id of an order, who gave it; nobody did where the clock has answered."""
    found: dict[str, set[Seat]] = {}
    for envelope in case.envelopes:
        found.setdefault(envelope.cause.id, set()).add(envelope.actor)
    for seq, record in case.records.items():
        if isinstance(record, DeadlinePassed):
            found[case.envelopes[seq - 1].cause.id].discard(record.seat)
    return found


def _grade(record: BatchRolled, *, locked: bool, beacon: bool) -> str:
    """Of a batch: links that came before the order was locked never make A2. A beacon alone makes
    no grade: no seat has had a part in the dice."""
    if not any(record.player_links):
        return "A0"
    if locked and beacon:
        return BEACON
    return "A2" if locked else "A1"


def check_params(created: GameCreated) -> bytes:
    """G, recomputed from what it is made of."""
    params = created.params
    need(0 < params.length <= MAX_LENGTH, "dice", 1, "length", f"1 to {MAX_LENGTH}", params.length)
    need(0 < params.seats < 256, "dice", 1, "seats", "1 to 255", params.seats)
    need(created.grade in GRADES, "dice", 1, "grade", " or ".join(GRADES), created.grade)
    unhex(1, "nonce", created.nonce)
    if created.series is not UNSET:
        unhex(1, "series", created.series)
    g = nwd1.params(
        unhex(1, "game id", params.game, 16),
        unhex(1, "digest of the rules", params.rules),
        unhex(1, "digest of the set-up", params.scenario),
        params.seats,
        params.length,
    )
    equal("dice", 1, "G", g.hex(), params.g)
    return g


def _check_commitment(
    seq: int, tips: Mapping[str, str], committed: str, g: bytes
) -> dict[str, tuple[int, bytes]]:
    """Number and value of the newest known link of each domain: its tip."""
    ascii_names = all(name.isascii() for name in tips)
    need(ascii_names, "dice", seq, "domains", "ASCII names", list(tips))
    values = {name: unhex(seq, f"tip of {name}", tip) for name, tip in tips.items()}
    commitment = nwd1.server_commitment(g, values).hex()
    equal("dice", seq, "commitment C_S", commitment, committed)
    return {name: (0, tip) for name, tip in values.items()}


def check_master(case: Case, dice: DiceCheck, master: str, seq: int) -> None:
    """The opened master makes the very chains whose tips were committed to (check 9)."""
    created = case.created
    g = check_params(created)
    book = DiceBook(unhex(seq, "master", master), g, created.params.length, tuple(created.tips))
    epochs = [(BEGINNING, created.tips), *((epoch, r.tips) for epoch, r in dice.epochs)]
    for epoch, tips in epochs:
        for domain in book.domains:
            what = f"tip of {domain} from the master"
            equal("secrets", seq, what, book.tip(domain, epoch).hex(), tips[domain])


Batches = Mapping[int, DiceBatch]
