"""One command's way through the rules: checks in order of precedence, decide, dice, records."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.event import Event
from domain.kernel.options import Pending
from domain.kernel.values import CHANCE, Seat

from .dice.vault import Batch, PlayerLinks
from .errors import DiceRefused, GameOver, SeatRefused, Stale
from .evidence.chain import Chain
from .evidence.records import BatchRolled, GameClosed
from .live import TURNS, Live, Turn
from .staging import Scribe, Staged, Step, commit_of, steps, summarise
from .store.recorder import Statement
from .store.store import StoredCommand, command_insertion, game_update

MOST_ROLLS = 10_000
"""More rolls than this for one command mean that a game's rules never stop asking."""


class Order(msgspec.Struct, frozen=True):
    """A command as it was handed in; ``link`` is the seat's own dice link, if it has a chain."""

    game: str
    seat: Seat
    command: Any
    expected: int
    link: bytes | None


class Receipt(msgspec.Struct, frozen=True, rename="camel"):
    """What is remembered under the idempotency key: enough to make the answer again."""

    command: str
    seat: Seat
    first: int
    last: int
    next_batch: int


def decide(live: Live, order: Order, at: str) -> Staged:
    """The command's events, staged.

    Raises SeatRefused, Stale, GameOver, DiceRefused, Refused, in this order.
    """
    if order.seat not in live.seats:
        raise SeatRefused(f"The game has no seat {order.seat!r}.", code="seat.unknown")
    check_version(live, order.seat, order.expected)
    if live.summary.result is not None:
        raise GameOver("The game is over: its record is closed.")
    links = check_link(live, order.seat, order.link)
    events, batch = resolve(live, order)
    return _stage(live, order, at, events, batch, links)


def check_version(live: Live, seat: Seat, expected: int) -> None:
    """Raises Stale unless ``expected`` is the version, or what came since does not matter.

    It does not matter when others gave it and the seat is asked the same question as before, one
    that the rules mark as independent of the other seats' answers (secret fleets).
    """
    if expected == live.version or overtaken_harmlessly(live, seat, expected):
        return
    raise Stale(live.version)


def overtaken_harmlessly(live: Live, seat: Seat, expected: int) -> bool:
    since = [turn for turn in live.turns if turn.last > expected]
    base = [turn for turn in live.turns if turn.last == expected]
    if not since or not base or any(turn.seat == seat for turn in since):
        return False
    before, now = _asked(base[0].asked, seat), _asked(live.turns[-1].asked, seat)
    return before is not None and before == now and before.together


def _asked(asked: tuple[Pending, ...], seat: Seat) -> Pending | None:
    return next((question for question in asked if question.seat == seat), None)


def check_link(live: Live, seat: Seat, link: bytes | None) -> PlayerLinks:
    """The seats' links with this one accepted for the next batch. Raises DiceRefused."""
    place = live.seats.index(seat)
    if live.links.known[place] is None:
        if link is not None:
            raise DiceRefused("The seat has no dice chain.", code="dice.link-unexpected")
        return live.links
    if link is None:
        hint = f"Send the seat's link number {live.next_batch} with the command."
        raise DiceRefused(hint, code="dice.link-missing")
    return live.links.accept(place, live.next_batch, link)


def resolve(live: Live, order: Order) -> tuple[list[Event], Batch | None]:
    """decide, then the dice, then decide again, until nothing is awaited. Raises Refused."""
    game = live.game
    events: list[Event] = list(game.decide(live.state, order.seat, order.command))
    if not events:
        raise ValueError(f"{game.ruleset} accepted {order.command} and nothing happened")
    state = game.fold(events, live.state)
    batch: Batch | None = None
    for _ in range(MOST_ROLLS):
        awaited = game.awaiting(state)
        if awaited is None:
            return events, batch
        batch = batch or live.dice.book.open_batch(live.next_batch, _entries(live, order))
        more = game.decide(state, CHANCE, batch.answer(awaited))
        events.extend(more)
        state = game.fold(more, state)
    raise ValueError(f"{game.ruleset} asks for dice without end")


def _entries(live: Live, order: Order) -> list[bytes | None]:
    """Only the seat that commands adds its link: what the others have shown is spent."""
    return [order.link if seat == order.seat else None for seat in live.seats]


def _stage(
    live: Live,
    order: Order,
    at: str,
    events: list[Event],
    batch: Batch | None,
    links: PlayerLinks,
) -> Staged:
    command_id = "c_" + secrets.token_hex(8)
    text = canonical(order.command)
    cause = live.seals.cause(command_id, text)
    entries = steps(live.game, live.state, events)
    state = entries[-1].state
    scribe = Scribe(live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at)
    if batch is not None:
        scribe.platform(BatchRolled.of(batch), cause)
    scribe.game(entries, cause, order.seat)
    result = live.game.result(state)
    if result is not None:
        scribe.platform(GameClosed(live.dice.master.hex(), result), cause)
    scribe.write(state)
    after = _after(live, order.seat, scribe, entries, batch, links, at)
    stored = StoredCommand(live.version + 1, after.version, command_id, order.seat, text, at)
    receipt = Receipt(command_id, order.seat, stored.first, stored.last, after.next_batch)
    statements: list[Statement] = [
        game_update(after.summary),
        command_insertion(live.id, stored),
    ]
    return Staged(after, commit_of(after, scribe, statements), tuple(scribe.told), receipt)


def _after(
    live: Live,
    seat: Seat,
    scribe: Scribe,
    entries: list[Step],
    batch: Batch | None,
    links: PlayerLinks,
    at: str,
) -> Live:
    state = entries[-1].state
    next_batch = live.next_batch + (batch is not None)
    summary = summarise(
        live.game, live.summary, state, version=scribe.seq, next_batch=next_batch, at=at
    )
    turn = Turn(scribe.seq, seat, summary.to_move)
    return msgspec.structs.replace(
        live,
        summary=summary,
        head=scribe.head,
        state=state,
        links=live.links if batch is None else links,
        turns=(*live.turns, turn)[-TURNS:],
    )
