"""One command's way through the rules: checks in order of precedence, decide, dice, records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple, Union

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.codec import canonical, read_back
from domain.kernel.options import Pending
from domain.kernel.values import Seat

from ..deadlines import Away, first_overdue
from ..dice.grades import LOCKED
from ..dice.links import PlayerLinks
from ..dice.resolve import Resolved, resolve
from ..dice.vault import Batch
from ..entropy import Entropy, drawn
from ..errors import DiceRefused, GameOver, Lost, SeatRefused, SignatureRefused, Stale
from ..evidence.chain import Chain
from ..evidence.joined import goes_to_nobody
from ..evidence.locks import LINK_SECONDS
from ..evidence.receipts import Accepted
from ..evidence.records import (
    SERVICE,
    BatchRolled,
    ChainRenewed,
    DeadlinePassed,
    GameAbandoned,
    GameClosed,
    OrdersLocked,
    TipRenewed,
)
from ..evidence.seatkeys import Given, OrderSignature, is_signed, stored, what_is_signed
from ..models import Standing
from ..store.store import command_insertion, signature_insertion
from ..store.stored import StoredCommand
from ..views.frozen import check_frozen
from . import unsealing
from .live import DICE, AnyGame, Live, Locked, Step, accept_links
from .staging import DecidedEvent, ReadyRequest, RecordWriter, commit_of, given_up, gone_on, steps


class Order(msgspec.Struct, frozen=True):
    """A command as it was handed in.

    link  the seat's own dice link, if it has a chain
    tip   of the seat's next chain, if the one before is spent
    signature  the seat's own, if it signs its orders
    """

    game: str
    seat: Seat
    command: Any
    expected: int
    link: bytes | None = None
    tip: bytes | None = None
    signature: bytes | None = None


class Receipt(msgspec.Struct, frozen=True, rename="camel"):
    """What is remembered under the idempotency key: enough to make the answer again.

    last      event that was stored with it: the command's, or what closed the record after that
    standing  None where it was kept by a service that did not tell it
    receipt  that the service has signed, as it goes out; "" where it signs nothing
    """

    command: str
    seat: Seat
    first: int
    last: int
    next_batch: int
    standing: Standing | None = None
    receipt: str = ""


def decide(live: Live, order: Order, at: str, entropy: Entropy) -> ReadyRequest:
    """The command's events, staged.

    Raises SeatRefused, Stale, GameOver, GameFrozen, SignatureRefused, DiceRefused, Refused, in this
    order.
    """
    if type(order.command) not in live.game.commands:
        order = msgspec.structs.replace(order, command=_of_these_rules(live, order.command))
    if order.seat not in live.seats:
        raise SeatRefused(f"The game has no seat {order.seat!r}.", code="seat.unknown")
    check_version(live, order.seat, order.expected)
    if live.summary.status == "finished":
        raise GameOver("The game is over: its record is closed.")
    check_frozen(live.summary)
    check_unlocked(live)
    signature = check_signature(live, order)
    purse = check_link(live, order)
    if _ends_for_nobody(live, order):
        ready = _abandon(live, order, at, _new_id(entropy))
    else:
        called = (_new_id(entropy), at)
        try:
            ready = _stage(live, order, called, purse, _resolve(live, order, purse))
        except NeedsLinks:
            return locked(live, order, called, signature)
    return _with_signature(ready, signature)


class NeedsLinks(Exception):
    """Dice are asked for whose links are not closed (grade A2): the order has to be locked.

    domain  of the dice
    """

    def __init__(self, domain: str) -> None:
        super().__init__(domain)
        self.domain = domain


def check_unlocked(live: Live) -> None:
    """Raises DiceRefused while an order waits for the links of its dice."""
    if live.locked is not None:
        seat, t = live.locked.order.seat, live.locked.wanted
        hint = f"The order of {seat} is locked, and batch {t} waits for links until {{}}."
        raise DiceRefused(hint.format(live.locked.due), code="dice.awaited")


def locked(
    live: Live, order: Order, called: tuple[str, str], signature: OrderSignature | None,
    passed: DeadlinePassed | UnsetType = UNSET,
) -> ReadyRequest:  # fmt: skip
    """The order is fixed and sealed, before any link of its dice is taken: staged.

    It is carried out when they are closed (``locks.py``).
    """
    command_id, at = called
    if live.summary.status == "open":
        hint = "Dice of grade A2 fall once every seat is filled."
        raise DiceRefused(hint, code="dice.awaited")
    text = canonical(order.command)
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    record = OrdersLocked(
        live.next_batch, order.seat, command_id, live.seals.cause(command_id, text).digest,
        LINK_SECONDS, text.decode(), passed, UNSET if signature is None else signature,
    )  # fmt: skip
    scribe.platform(record)
    scribe.write(None)
    waiting = msgspec.structs.replace(live, locked=Locked(scribe.seq, record, at))
    after = gone_on(waiting, scribe, DICE, at, actor=SERVICE)
    standing = Standing.of(after.summary)
    receipt = Receipt(command_id, order.seat, scribe.seq, scribe.seq, live.next_batch, standing)
    accepted = Accepted("order", order.seat, text, scribe.seq, scribe.head)
    commit = commit_of(after, scribe, ())
    return ReadyRequest(after, commit, tuple(scribe.told), receipt, accepted)


def carried_out(live: Live, at: str) -> ReadyRequest:
    """What the locked order leads to, staged. Raises NeedsLinks where it needs another batch."""
    assert live.locked is not None
    lock = live.locked.order
    command = command_decoder(live.game).decode(lock.order)
    order = Order(live.id, lock.seat, command, live.version)
    purse = DiceContribution(live.links)
    passed = None if lock.passed is UNSET else lock.passed
    done = _resolve(live, order, purse)
    ready = _stage(live, order, (lock.command, at), purse, done, passed)
    signature = None if lock.signature is UNSET else lock.signature
    return _with_signature(ready, signature)


def _with_signature(ready: ReadyRequest, signature: OrderSignature | None) -> ReadyRequest:
    """What is staged, with the seat's signature beside its order."""
    if signature is None:
        return ready
    receipt: Receipt = ready.answer
    kept = signature_insertion(ready.live.id, receipt.command, stored(signature))
    commit = msgspec.structs.replace(ready.commit, statements=(*ready.commit.statements, kept))
    return msgspec.structs.replace(ready, commit=commit)


def check_signature(live: Live, order: Order) -> OrderSignature | None:
    """The seat's signature of its order, where it has a key. Raises SignatureRefused."""
    seat = next(each for each in live.summary.seats if each.seat == order.seat)
    if not seat.order_key:
        if order.signature is not None:
            raise SignatureRefused(f"{seat.seat} has no key.", code="signature.unexpected")
        return None
    if order.signature is None:
        raise SignatureRefused(f"{seat.seat} signs its orders.", code="signature.missing")
    asked = _asked(live.summary.to_move, order.seat)
    question, subject = ("", "") if asked is None else (asked.question, asked.subject)
    signature = OrderSignature(question, subject, order.signature.hex())
    summary = live.summary
    chains = summary.params if summary.chain_params is UNSET else summary.chain_params
    given = Given(
        live.id, order.seat, seat.last, canonical(order.command), summary.rules.digest, chains
    )
    if not is_signed(given, seat.order_key, signature):
        text = what_is_signed(given, signature).decode()
        raise SignatureRefused(f"Signed is: {text}")
    return signature


def command_decoder(game: AnyGame) -> msgspec.json.Decoder[Any]:
    """A strict decoder of the commands of a game's rules: each engine has types of its own."""
    return _decoder(game.commands)


@cache
def _decoder(commands: tuple[type, ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[commands])  # noqa: UP007


def _of_these_rules(live: Live, command: Any) -> Any:
    """A command of other rules as those have it that decide now. Raises Stale where they have none
    such.

    Whoever read it may not know yet that the game went over to other rules.
    """
    try:
        return command_decoder(live.game).decode(canonical(command))
    except msgspec.ValidationError:
        raise Stale(live.version) from None


def check_version(live: Live, seat: Seat, expected: int) -> None:
    """Raises Stale unless ``expected`` is the version, or what came since does not matter; Lost
    where there is no such version.

    It does not matter when others gave it and the seat is asked the same question as before, one
    that the rules mark as independent of the other seats' answers (secret fleets); nor do links
    for the dice that somebody has given ahead.
    """
    if expected > live.version:
        raise Lost(live.version)
    if expected == live.version or overtaken_harmlessly(live, seat, expected):
        return
    raise Stale(live.version)


def overtaken_harmlessly(live: Live, seat: Seat, expected: int) -> bool:
    since = [turn for turn in live.turns if turn.last > expected and turn.seat != DICE]
    if not since:
        return live.turns[0].last <= expected
    base = [turn for turn in live.turns if turn.last == expected]
    if not base or any(turn.seat == seat for turn in since):
        return False
    before, now = _asked(base[0].asked, seat), _asked(live.turns[-1].asked, seat)
    return before is not None and before == now and before.together


def _asked(asked: tuple[Pending, ...], seat: Seat) -> Pending | None:
    return next((question for question in asked if question.seat == seat), None)


class DiceContribution(NamedTuple):
    """What a command brings for its dice.

    links  of all seats, those that it brings itself among them
    tip    of the chain that its seat begins with it, or None
    """

    links: PlayerLinks
    tip: bytes | None = None


def check_link(live: Live, order: Order) -> DiceContribution:
    """The seat's links for every batch that its command may open. Raises DiceRefused.

    Those that it has given ahead need not be brought again.
    """
    place, links, last = live.seats.index(order.seat), live.links, live.last_link
    if place in links.spent and order.link is not None:
        links = _begun(links, place, order.tip)
    elif order.tip is not None and place not in links.spent:
        hint = "A new tip is taken when the seat's chain is spent."
        raise DiceRefused(hint, code="dice.link-unexpected")
    if links.known[place] is None and place not in links.spent:
        if order.link is not None:
            raise DiceRefused("The seat has no dice chain.", code="dice.link-unexpected")
        return DiceContribution(links)
    if live.summary.grade in LOCKED:
        if order.link is not None:
            hint = "Links of grade A2 are given when the order is locked: see giveLinks."
            raise DiceRefused(hint, code="dice.link-unexpected")
        return DiceContribution(links)
    if order.link is None and order.tip is None and links.spent:
        # absent from these dice, as anybody is who has not begun a new chain; since no links are
        # given ahead before all have, no order waits for that
        return DiceContribution(links)
    if order.link is not None:
        return DiceContribution(links.take(place, last, order.link), order.tip)
    if links.upto(place) < last:
        hint = f"Send the seat's link number {last - links.epoch.base} with the command."
        raise DiceRefused(hint, code="dice.link-missing")
    return DiceContribution(links)


def _begun(links: PlayerLinks, place: int, tip: bytes | None) -> PlayerLinks:
    """The seats' links with the first one's new chain. Raises DiceRefused."""
    if tip is None:
        hint = f"Make a chain for renewal {links.epoch.number}, and send its tip and link."
        raise DiceRefused(hint, code="dice.exhausted")
    return links.register(place, tip)


def _new_id(entropy: Entropy) -> str:
    """Of a command."""
    return "c_" + drawn(entropy, 8)


def _ends_for_nobody(live: Live, order: Order) -> bool:
    """Whether the order would end, without dice, a game that nobody joined. Raises Refused."""
    if live.summary.status != "open":
        return False
    waiting = [s.seat for s in live.summary.seats if s.held != "kept"]
    taken = [s.seat for s in live.summary.seats if s.held == "taken"]
    after = live.game.fold(live.game.decide(live.state, order.seat, order.command), live.state)
    result = live.game.result(after)
    return result is not None and goes_to_nobody(waiting, taken, result.winners)


def _abandon(live: Live, order: Order, at: str, command_id: str) -> ReadyRequest:
    """The record is closed in place of what the order would have led to: there is no result."""
    text = canonical(order.command)
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    cause = live.seals.cause(command_id, text)
    scribe.platform(GameAbandoned(order.seat), cause, order.seat)
    scribe.write(live.state)
    given = _given(live, order, scribe, command_id, text, at)
    unsealing.end(live, scribe)
    after = gone_on(live, scribe, order.seat, at)
    after = msgspec.structs.replace(after, summary=given_up(after.summary))
    return _staged(live, after, scribe, given)


def _resolve(live: Live, order: Order, purse: DiceContribution) -> Resolved:
    """decide, then the dice, then decide again, until nothing is awaited. Raises Refused."""
    first = live.game.decide(live.state, order.seat, order.command)
    if not first:
        raise ValueError(f"{live.game.ruleset} accepted {order.command} and nothing happened")
    numbers = count(live.next_batch)

    def open_batch(domain: str) -> Batch:
        t = next(numbers)
        if needs_links(live, t):
            raise NeedsLinks(domain)
        beacon = None if live.locked is None else live.locked.beacon(t)
        links = purse.links.entries(t)
        return live.dice.book.open_batch(t, links, domain, live.links.epoch, beacon)

    return resolve(live.game, live.state, first, open_batch)


def needs_links(live: Live, t: int) -> bool:
    """Whether batch ``t`` may not be rolled yet: of grade A2 or A3, where any seat has a chain."""
    if live.summary.grade not in LOCKED or not any(live.links.known):
        return False
    return live.locked is None or not live.locked.order.t <= t < live.locked.wanted


def decide_by_clock(live: Live, at: str, entropy: Entropy, away: Away = ()) -> ReadyRequest | None:
    """The usual answer to the question whose time was over first; None where none is overdue.

    away  when the service could not be reached
    Its batches have the links that have been given ahead: the absent seat's own among them.
    """
    question = first_overdue(live.summary, at, away)
    if question is None:
        return None
    seat, usual = question.seat, live.game.usual(live.state, question)
    command = read_back(usual)  # as a verifier will read it
    order = Order(live.id, seat, command, live.version)
    passed = DeadlinePassed(seat, question.question, question.subject, live.summary.due[seat])
    ahead, called = DiceContribution(live.links), (_new_id(entropy), at)
    try:
        done = _resolve(live, order, ahead)
    except NeedsLinks:
        return locked(live, order, called, None, passed)
    return _stage(live, order, called, ahead, done, passed)


def _stage(
    live: Live,
    order: Order,
    called: tuple[str, str],
    purse: DiceContribution,
    done: Resolved,
    passed: DeadlinePassed | None = None,
) -> ReadyRequest:
    command_id, at = called
    text = canonical(order.command)
    cause = live.seals.cause(command_id, text)
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    if passed is not None:
        scribe.platform(passed, cause)
    if purse.tip is not None and done.batches:
        scribe.platform(TipRenewed(order.seat, purse.tip.hex()), cause)
    ahead = purse.links if live.locked is None else None  # else who is absent is on record
    led = steps(live.game, live.state, done)
    scribe.command(led, cause, order.seat, ahead)
    links = _links_after(live, order, purse, done)
    result = live.game.result(done.state)
    next_batch = live.next_batch + len(done.batches)
    if result is not None:
        scribe.platform(GameClosed(result), cause)
    elif (renewal := live.dice.renewal(links.epoch, next_batch)) is not None:
        scribe.platform(ChainRenewed.of(live.dice.book, renewal), cause)
        links = links.renewed(renewal)
    scribe.write(done.state)
    given = _given(live, order, scribe, command_id, text, at)
    if result is not None:
        unsealing.end(live, scribe)
    moved = msgspec.structs.replace(live, state=done.state, links=links, locked=None)
    plain = scribe.seq == live.version + len(led)  # no event of the service is among them
    step = _undoable(live, order, command_id, led) if plain else None
    after = gone_on(moved, scribe, order.seat, at, len(done.batches), step=step)
    return _staged(live, after, scribe, given)


def _undoable(
    live: Live, order: Order, command_id: str, led: Sequence[DecidedEvent | Batch]
) -> Step | None:
    """The order as a step that may be taken back; None where it rolled dice, or somebody had a
    secret."""
    if any(isinstance(each, Batch) or each.secret for each in led):
        return None
    return Step(
        live.version + 1, command_id, order.seat, live.state, live.summary.to_move, live.again
    )  # fmt: skip


def _given(
    live: Live, order: Order, scribe: RecordWriter, command_id: str, text: bytes, at: str
) -> StoredCommand:
    """The command as it is stored, when all that it led to has been written."""
    return StoredCommand(live.version + 1, scribe.seq, command_id, order.seat, text, at)


def _staged(live: Live, after: Live, scribe: RecordWriter, given: StoredCommand) -> ReadyRequest:
    """What is stored of the command, with its receipt."""
    standing = Standing.of(after.summary)
    receipt = Receipt(given.id, given.seat, given.first, scribe.seq, after.next_batch, standing)
    statements = [command_insertion(live.id, given)]
    head = scribe.told[given.last - given.first].hash
    accepted = Accepted("order", given.seat, given.command, given.last, head)
    commit = commit_of(after, scribe, statements)
    return ReadyRequest(after, commit, tuple(scribe.told), receipt, accepted)


def _links_after(live: Live, order: Order, purse: DiceContribution, done: Resolved) -> PlayerLinks:
    """What is known of the seats' chains: a link that opened no batch is forgotten."""
    links = live.links
    if purse.tip is not None and done.batches:
        links = links.register(live.seats.index(order.seat), purse.tip)
    for batch in done.batches:
        links = accept_links(links, BatchRolled.of(batch))
    return links
