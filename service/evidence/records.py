"""The data of the platform's own events: what a game's record says besides what its rules say.

Field order and names are stored for ever. Byte strings are lower-case hex; "" stands for absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.chance import PUBLIC_DOMAIN, Dice, sees
from domain.kernel.chances import Chances
from domain.kernel.setup import Result, Setup
from domain.kernel.values import TRUTH, Seat, Value, Viewer

from ..dice.vault import Batch, DiceBook, Epoch
from .escrow import KeptShare
from .seatkeys import OrderSignature, SeatKey

PREFIX = "decklog."
"""Types of platform events begin with it; no ruleset may be called so."""

SERVICE = "service"
"""Actor of what no seat did."""


class Record(Value, frozen=True):
    """Base of a platform event's data."""

    TYPE: ClassVar[str] = ""
    SCHEMA: ClassVar[int] = 1


ENGINE: Final = "engine"
"""Form of a digest of rules: the SHA-256 of their archive (``service.engines``)."""


class RulesUsed(Value, frozen=True):
    """The rules by which the game is judged.

    form    the kind of ``digest``; absent in games that are older than archives, whose digest is
            over
            a list of files: TH("nwe1/rules", ...)
    """

    ruleset: str
    version: str
    digest: str
    form: Literal["engine"] | UnsetType = UNSET


class Params(Value, frozen=True):
    """The inputs of NWD-1's G, and G itself; ``seats`` and ``length`` are numbers."""

    game: str
    rules: str
    scenario: str
    seats: int
    length: int
    g: str


class BotSeat(Value, frozen=True):
    """A seat that a bot of the service plays.

    name      of the bot
    strength  as was asked for
    """

    name: str
    strength: str


class GameCreated(Record, frozen=True):
    """The first event of every game; fixes the dice before anybody joins.

    commitment  C_S
    tips        tip of each domain's server chain
    grade       "A0", "A1", "A2" or "A3", as asked for; the verdict tells the one that was reached
    nonce       32 random bytes, so that equal games have different hashes
    seat_tips   dice tip of each seat in order of ``setup.seats``, if given at creation (none is)
    seed_named  the creator named the seed: unranked
    deadline    seconds that a question may stay open; absent where there is no such limit
    waiting     the seats that wait for a player; absent where the creator keeps all of them
    keys        by seat that the creator keeps: the key that signs its orders; absent for none
    bots        by seat that a bot of the service plays: which one; absent for none
    beacon      of grade "A3": the public beacon, by the hash of its chain; else absent
    escrow      shares of the master, sealed for keepers; absent where there are none
    forfeit     number of absences from the dice at which a seat forfeits; absent for none
    series      that the game is counted in by the public log, 32 bytes; absent for none
    """

    TYPE: ClassVar[str] = "decklog.game-created"

    params: Params
    commitment: str
    tips: dict[str, str]
    grade: str
    nonce: str
    setup: Setup
    rules: RulesUsed
    seat_tips: tuple[str, ...]
    seed_named: bool = False
    deadline: int | UnsetType = UNSET
    waiting: tuple[Seat, ...] | UnsetType = UNSET
    keys: dict[Seat, SeatKey] | UnsetType = UNSET
    bots: dict[Seat, BotSeat] | UnsetType = UNSET
    beacon: str | UnsetType = UNSET
    escrow: tuple[KeptShare, ...] | UnsetType = UNSET
    forfeit: int | UnsetType = UNSET
    series: str | UnsetType = UNSET


class SeatTakenRecord(Record, frozen=True):
    """A seat was taken, with its dice tip or "", and the key that signs its orders, if any.

    mark  by which the public log counts the game as one of its player's, 32 bytes; absent for none
    """

    TYPE: ClassVar[str] = "decklog.seat-taken"

    seat: Seat
    tip: str = ""
    key: SeatKey | UnsetType = UNSET
    mark: str | UnsetType = UNSET


class RollRecorded(Value, frozen=True, omit_defaults=True):
    """One roll of a batch: its label, its dice, and the faces pool by pool.

    faces  none at all for those who may not see them
    odds   the worth of each face when the dice were asked for, by which their exact odds are fixed;
           none where the ruleset keeps no score of the roll, of dice that only one seat
           sees, and in records that were written before there were any
    """

    label: str
    pools: tuple[Dice, ...]
    faces: tuple[tuple[int, ...], ...]
    odds: Chances | None = None


class BatchRolled(Record, frozen=True):
    """A batch was opened and rolled: s[d,t], the seats' links r[p,t] in order, every roll.

    It stands before the first event that its faces led to. In schema 1, when a command had one
    batch at most, it stood before all events of its command.

    Of a hidden domain only its seat sees ``link`` and the faces, of a sealed one nobody; what
    everybody sees is that a batch of that domain was rolled, for which labels and of how many dice.
    """

    TYPE: ClassVar[str] = "decklog.batch-rolled"
    SCHEMA: ClassVar[int] = 2

    t: int
    domain: str
    link: str
    player_links: tuple[str, ...]
    rolls: tuple[RollRecorded, ...]

    @staticmethod
    def of(batch: Batch) -> BatchRolled:
        """The record of all that was rolled in ``batch``, in truth."""
        rolls = tuple(RollRecorded(r.label, r.pools, r.faces, r.odds) for r in batch.rolls)
        links = tuple("" if link is None else link.hex() for link in batch.links)
        return BatchRolled(batch.t, batch.domain, batch.link.hex(), links, rolls)

    @property
    def is_open(self) -> bool:
        """Whether the faces are in it: for who looks at them, or because all may see them."""
        return bool(self.link)


class TipRenewed(Record, frozen=True):
    """A seat begins a new chain in place of the one that was spent; before its first batch.

    First in a command that rolls, or by itself, in no command.
    """

    TYPE: ClassVar[str] = "decklog.tip-renewed"

    seat: Seat
    tip: str


class LinksGiven(Record, frozen=True):
    """A seat gives its links ahead, for all batches up to one: whoever rolls, they are mixed in.

    It stands by itself, in no command, once every seat is filled: a link is opened to nobody before
    the last tip is fixed. The link itself is sealed for its seat; each batch opens its own.

    seat  the seat that gave them
    upto  number t of the last batch for which there is a link then
    link  r[p,upto]
    """

    TYPE: ClassVar[str] = "decklog.links-given"

    seat: Seat
    upto: int
    link: str


class LinksClosed(Record, frozen=True):
    """The links of a batch are closed, and some seats may be absent from it.

    Of grade A2 and A3 it stands by itself after the lock, before each batch, and everybody who has
    a chain and has given no link is absent. Else it stands in the command, right before a batch for
    which some that give their links ahead have none.

    t         number of the batch
    absent    those seats, in order
    unlogged  true where nobody could give a link: the public log did not have the lock in time;
              absent otherwise
    round     of grade A3: number of the beacon's round that will be in the batch, which has not
              come yet; absent otherwise
    """

    TYPE: ClassVar[str] = "decklog.links-closed"

    t: int
    absent: tuple[Seat, ...]
    unlogged: bool | UnsetType = UNSET
    round: int | UnsetType = UNSET


class BeaconSeen(Record, frozen=True):
    """The round of the public beacon for which a batch has waited (grade A3).

    It stands by itself, in no command, after the links of the batch are closed. Its randomness,
    SHA-256 of the signature, is in the batch.

    t          number of the batch
    round      number of the round, as it was named
    signature  that of the beacon, in hex
    """

    TYPE: ClassVar[str] = "decklog.beacon-seen"

    t: int
    round: int
    signature: str


class DeadlinePassed(Record, frozen=True):
    """A seat's time was over, and the service gave the usual answer for it. First in its command.

    The events that follow are the seat's; what the usual answer is, the rules say (Game.usual).

    due  when the time was over, as the seat could read before
    """

    TYPE: ClassVar[str] = "decklog.deadline-passed"

    seat: Seat
    question: str
    subject: str
    due: str


class OrdersLocked(Record, frozen=True):
    """An order that needs dice is fixed, before any link of its batch is taken (dice.md 2.3, 4).

    It stands by itself, in no command. What it leads to follows when the links are closed, under
    the same id and digest, and before any other order. What the store loses by going back is void.

    t          number of the first batch that it opens
    seat       that has given it, or for which the clock has
    command    id that the command has
    digest     of the order, as in the cause of all that it leads to
    seconds    for which links of each batch are waited for
    order      its canonical JSON, sealed for its seat
    passed     where the clock has given it
    signature  the seat's own, where it has a key; sealed with the order
    """

    TYPE: ClassVar[str] = "decklog.orders-locked"

    t: int
    seat: Seat
    command: str
    digest: str
    seconds: int
    order: str
    passed: DeadlinePassed | UnsetType = UNSET
    signature: OrderSignature | UnsetType = UNSET


class ChainRenewed(Record, frozen=True):
    """The chains are spent: their rest may be too short for a command. New ones are committed to.

    Stands last in its command. Every seat that had a chain needs a new tip from now on.

    epoch       1 for the first renewal; the new chains are made with TH("nwd1/renewed", G, epoch)
    first       number t of the batch that opens link 1 of the new chains
    tips        tip of each domain's new server chain
    commitment  C_S over them
    """

    TYPE: ClassVar[str] = "decklog.chain-renewed"

    epoch: int
    first: int
    tips: dict[str, str]
    commitment: str

    @staticmethod
    def of(book: DiceBook, epoch: Epoch) -> ChainRenewed:
        """The service's new chains, made from the same master."""
        tips = {domain: tip.hex() for domain, tip in book.tips_of(epoch).items()}
        return ChainRenewed(epoch.number, epoch.base + 1, tips, book.commitment_of(epoch).hex())


class EpochStarted(Record, frozen=True):
    """The store went back: events after this event's forerunner may be lost.

    Dice that were seen then shall never come again, so that all chains are new: those of the
    service, and every seat that had one needs a new tip. It stands by itself, in no command.

    epoch       number of the new chains, as in :class:`ChainRenewed`
    first       number t of the batch that opens link 1 of the new chains
    nonce       32 random bytes; the chains are made with TH("nwd1/epoch", G, epoch, nonce)
    tips        tip of each domain's new server chain
    commitment  C_S over them
    """

    TYPE: ClassVar[str] = "decklog.epoch-started"

    epoch: int
    first: int
    nonce: str
    tips: dict[str, str]
    commitment: str

    @staticmethod
    def of(book: DiceBook, epoch: Epoch) -> EpochStarted:
        """The service's new chains, made from the same master and the epoch's nonce."""
        tips = {domain: tip.hex() for domain, tip in book.tips_of(epoch).items()}
        commitment = book.commitment_of(epoch).hex()
        return EpochStarted(epoch.number, epoch.base + 1, epoch.nonce.hex(), tips, commitment)


class RulesAgreed(Record, frozen=True):
    """A seat agrees that the game goes on under these rules; it stands by itself, in no command.

    It holds until the seat agrees to others, be it to those that are in use. Once every seat has
    agreed to the same ones, :class:`RulesChanged` follows at once.

    seat   that agrees
    rules  by which the game would go on
    """

    TYPE: ClassVar[str] = "decklog.rules-agreed"

    seat: Seat
    rules: RulesUsed


class RulesChanged(Record, frozen=True):
    """From here on other rules decide. It stands by itself, between two commands.

    The position is carried over as one that a fork begins with, by the upcasters of the new rules;
    the digest of what they came to is sealed in this event. Dice and what they are bound to stay.

    agreed  the seats that agreed, all of them
    since   number of this event: what comes after it is decided by the new rules
    """

    TYPE: ClassVar[str] = "decklog.rules-changed"
    NAME: ClassVar[str] = "rules-changed"
    rules: ClassVar[tuple[str, ...]] = ()

    old: RulesUsed
    new: RulesUsed
    agreed: tuple[Seat, ...]
    since: int


class Takeback(Record, frozen=True):
    """A seat takes back its last step. It stands by itself, right after the events of that step.

    Only a step that rolled no die, that showed nobody anything hidden, and since which nobody else
    was asked. The position is the one before the step again; its digest is sealed in this event.

    seat     the seat that gave the step
    command  id of the order that is taken back
    first    number of the step's first event
    back     the values of the position before that the one after has not, as canonical JSON: an
             array of places, each the keys that lead to it and what stands there; where nothing
             does, the keys alone
    """

    TYPE: ClassVar[str] = "decklog.takeback"
    NAME: ClassVar[str] = "takeback"
    rules: ClassVar[tuple[str, ...]] = ()

    seat: Seat
    command: str
    first: int
    back: str


class BatchVoided(Record, frozen=True):
    """The operator voids the batch that a locked order waits for, and with it the order.

    It stands by itself, in no command. The number is never used again; the service's link is
    opened, so that everybody sees what was discarded: of a hidden domain to its seat.

    t       number of the batch
    domain  that the order would have opened
    link    s[domain,t]
    reason  as it was given, for the players
    """

    TYPE: ClassVar[str] = "decklog.batch-voided"

    t: int
    domain: str
    link: str
    reason: str


class KeyChanged(Record, frozen=True):
    """A seat has another key for its orders, or none any more: as it says itself, or by ruling.

    It stands by itself, in no command, while no order is locked.

    seat       the seat of which the key was lost, or is another from here on
    old        the key that it had until here, in hex
    key        that it has from here on; absent where its orders are not signed any more
    signature  of the key by the one before (:func:`.seatkeys.what_is_passed_on`), in hex: the seat
               itself has passed its key on; absent where the operator alone says so
    reason     as it was given
    """

    TYPE: ClassVar[str] = "decklog.key-changed"

    seat: Seat
    old: str
    reason: str
    key: SeatKey | UnsetType = UNSET
    signature: str | UnsetType = UNSET


class GameClosed(Record, frozen=True):
    """The game is over: how it ended. Nothing but :class:`MasterOpened` comes after it.

    result  who won, and by which rule
    master  in schema 1 the master stood here, and this was the last event; absent since
    """

    TYPE: ClassVar[str] = "decklog.game-closed"
    SCHEMA: ClassVar[int] = 2

    result: Result
    master: str | UnsetType = UNSET


class GameAbandoned(Record, frozen=True):
    """The game was given up before anybody joined it, or nobody played: it has no result.

    Given up, it stands in place of all that its order would have led to: by the rules that would
    have been the end of the game, won by a seat that nobody holds, or against one. Where nobody has
    given an order for so many days it is the service's own, and stands by itself, in no command.

    seat    the seat that gave the order; absent where none did
    days    for which nobody had given an order, nor taken a seat; absent where the game is given up
    master  as in :class:`GameClosed`
    """

    TYPE: ClassVar[str] = "decklog.game-abandoned"
    SCHEMA: ClassVar[int] = 2

    seat: Seat | UnsetType = UNSET
    days: int | UnsetType = UNSET
    master: str | UnsetType = UNSET


class Forfeited(Record, frozen=True):
    """Seats were absent from the dice as often as the game allows, and have forfeited it.

    It stands by itself, in no command, right after the closing of the links that were one too few:
    the order that was locked is not carried out. Absences that nobody could help do not count.

    seats     those seats
    absences  number at which one forfeits
    result    won by all others; by nobody where there are none
    """

    TYPE: ClassVar[str] = "decklog.forfeited"

    seats: tuple[Seat, ...]
    absences: int
    result: Result

    @staticmethod
    def by(seats: Sequence[Seat], absences: int, players: Sequence[Seat]) -> Forfeited:
        """What follows where these seats of all have been absent so often."""
        winners = tuple(seat for seat in players if seat not in seats)
        return Forfeited(tuple(seats), absences, Result(winners, "absent", ""))


class EndedByRuling(Record, frozen=True):
    """The operator ended the game: by no rule of it, and without a result.

    It stands by itself, in no command.

    reason  as it was given: for the players, and for whoever judges
    """

    TYPE: ClassVar[str] = "decklog.ended-by-ruling"

    reason: str


class Paused(Record, frozen=True):
    """The operator stopped the clocks of the game; it stands by itself, in no command.

    Until it is resumed nobody's time runs, and the service answers for nobody.

    orders  whether orders are taken meanwhile; where not, the game is frozen: no seat is taken
            either, and nothing is agreed to
    reason  as it was given, for the players; may be ""
    left    by seat whose time runs: whole seconds that it has from when the game goes on, if it is
            still asked the same then; what was nobody's time is in it
    """

    TYPE: ClassVar[str] = "decklog.paused"

    orders: bool
    reason: str
    left: dict[Seat, int]


class Resumed(Record, frozen=True):
    """The game goes on; it stands by itself, in no command.

    Every question that is open has as much time left as it had when the clocks were stopped; all of
    it, if it was asked after that.
    """

    TYPE: ClassVar[str] = "decklog.resumed"


class MasterOpened(Record, frozen=True):
    """The last event of every game: the master M, which opens all that was sealed (dice.md 2.3, 8).

    It stands by itself, in no command, so that a service may wait with it: until then the end of
    the game is known, and what was sealed is not.

    master  M: all chains of dice and all salts are made of it
    """

    TYPE: ClassVar[str] = "decklog.master-opened"

    master: str


RECORDS: dict[str, type[Record]] = {
    record.TYPE: record
    for record in (
        GameCreated,
        SeatTakenRecord,
        BatchRolled,
        TipRenewed,
        LinksGiven,
        LinksClosed,
        BeaconSeen,
        OrdersLocked,
        DeadlinePassed,
        ChainRenewed,
        EpochStarted,
        RulesAgreed,
        RulesChanged,
        Takeback,
        GameClosed,
        GameAbandoned,
        Forfeited,
        EndedByRuling,
        Paused,
        Resumed,
        BatchVoided,
        KeyChanged,
        MasterOpened,
    )
}
"""Platform events by stored type."""

End = GameClosed | GameAbandoned | Forfeited | EndedByRuling
"""The end of a game, by its rules, by absence or without a result."""

ENDS = frozenset({GameClosed.TYPE, GameAbandoned.TYPE, Forfeited.TYPE, EndedByRuling.TYPE})
"""Types of the events that end a game: nothing comes after them but the opening of the master."""

RULINGS = frozenset(
    {EndedByRuling.TYPE, Paused.TYPE, Resumed.TYPE, BatchVoided.TYPE, KeyChanged.TYPE}
)
"""Types of the events by which the operator steps in."""

FOLDED = (RulesChanged, Takeback)
"""Events of the record by which a position comes to be another one."""

_OPENED_TOO = frozenset({GameClosed.TYPE, GameAbandoned.TYPE})
"""Types of ends that in their first form opened the master as well."""

R = TypeVar("R", bound=Record)


def keeps_secret(record: Record) -> bool:
    """Whether somebody may not see all of the record: it is sealed as an event of the game is."""
    hides = isinstance(record, BatchRolled | BatchVoided) and record.domain != PUBLIC_DOMAIN
    return hides or isinstance(record, LinksGiven | OrdersLocked)


def seen(record: R, viewer: Viewer) -> R:
    """The record as ``viewer`` may know it."""
    if isinstance(record, LinksGiven | OrdersLocked) and viewer in (record.seat, TRUTH):
        return record
    if isinstance(record, LinksGiven):
        return msgspec.structs.replace(record, link="")
    if isinstance(record, OrdersLocked):
        return msgspec.structs.replace(record, order="", signature=UNSET)
    if not isinstance(record, BatchRolled | BatchVoided) or sees(record.domain, viewer):
        return record
    if isinstance(record, BatchVoided):
        return msgspec.structs.replace(record, link="")
    hidden = tuple(RollRecorded(roll.label, roll.pools, ()) for roll in record.rolls)
    return msgspec.structs.replace(record, link="", rolls=hidden)


def taken_back(records: Iterable[object]) -> frozenset[str]:
    """The ids of the orders that were taken back; ``records`` may be events of the game, too."""
    return frozenset(each.command for each in records if isinstance(each, Takeback))


def master_in(record: Record | None) -> str:
    """The master that a record opens, in hex; "" for all that open none."""
    match record:
        case MasterOpened():
            return record.master
        case GameClosed() | GameAbandoned():
            return "" if record.master is UNSET else record.master
        case _:
            return ""


def opens_master(type_: str, schema: int) -> bool:
    """Whether events of this type and form open the master: in the first form the end did."""
    return type_ == MasterOpened.TYPE or (type_ in _OPENED_TOO and schema == 1)
