"""Taking a seat: by name where it is open, by invitation where it is kept for somebody."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.codec import canonical

from ..dice.links import PlayerLinks
from ..errors import DiceRefused, GameOver, SeatRefused
from ..evidence.chain import Chain
from ..evidence.ed25519 import is_key
from ..evidence.escrow import plays
from ..evidence.receipts import Accepted
from ..evidence.records import SERVICE, SeatTakenRecord
from ..evidence.seatkeys import SeatKey
from ..models import SeatSummary, SeatTaken, TakeSeat
from ..store.bulk import Statement
from ..store.store import Store
from ..store.tokens import find, insertion, is_it, make_token, revocation, token_id_of
from ..views.frozen import check_frozen
from .live import Live, is_tip
from .opening import with_key
from .staging import ReadyRequest, RecordWriter, commit_of, gone_on


def take(live: Live, taking: TakeSeat, store: Store, at: str) -> ReadyRequest:
    """The seat taken, staged.

    Raises SeatRefused, GameOver, GameFrozen, SeatRefused for a named seed, DiceRefused, SeatRefused
    for its key, in this order.
    """
    seat = next((s for s in live.summary.seats if s.seat == taking.seat), None)
    if seat is None:
        hint = f"Seats of this game: {', '.join(live.seats)}."
        raise SeatRefused(hint, code="seat.unknown", pointer="/seat")
    invitation = check_right(live.id, seat, taking, store)
    if live.summary.status == "finished":
        raise GameOver("The game is over: its seats are closed.")
    check_frozen(live.summary)
    if live.summary.seed_named and not taking.accept_named_seed:
        raise SeatRefused(
            "The seed of this game was named: send acceptNamedSeed to join all the same.",
            code="seat.seed-named",
            pointer="/acceptNamedSeed",
        )
    tip = "" if taking.dice_tip is UNSET else taking.dice_tip
    links = register(live, seat, tip)
    record = SeatTakenRecord(
        taking.seat, tip, _key(taking, [keeper.key for keeper in store.keepers]), taking.mark
    )
    after, scribe = _seated(live, record, links, at)
    token = make_token(store.entropy, "seat", live.id, taking.seat)
    statements: list[Statement] = [insertion(token, at)]
    if invitation:
        statements.append(revocation(invitation, at))
    answer = SeatTaken(game=after.summary, seat=taking.seat, token=token.text)
    accepted = Accepted("join", taking.seat, canonical(record), scribe.seq, scribe.head)
    commit = commit_of(after, scribe, statements)
    return ReadyRequest(after, commit, tuple(scribe.told), answer, accepted)


def _key(taking: TakeSeat, keepers: Sequence[str]) -> SeatKey | UnsetType:
    key = taking.order_key
    if key is UNSET:
        return UNSET
    if not is_key(bytes.fromhex(key.public)):
        hint = "Send the public half of a key pair of Ed25519."
        raise SeatRefused(hint, code="seat.key-unfit", pointer="/orderKey/public")
    if plays(key.public, keepers):
        hint = "Who keeps a share of the master in escrow plays in no seat."
        raise SeatRefused(hint, code="seat.key-unfit", pointer="/orderKey/public")
    return SeatKey(key.public, key.keeper)


def check_right(game: str, seat: SeatSummary, taking: TakeSeat, store: Store) -> str:
    """The id of the invitation that opens the seat; "" for an open seat. Raises SeatRefused."""
    if seat.held in ("kept", "taken"):
        raise SeatRefused(f"Seat {seat.seat} is taken.", pointer="/seat")
    if taking.invitation is UNSET:
        if seat.held == "open":
            return ""
        raise SeatRefused(
            f"Send the invitation to seat {seat.seat}.",
            code="seat.invitation-needed",
            pointer="/invitation",
        )
    token_id = token_id_of(taking.invitation)
    kept = find(store.recorder, token_id) if token_id else None
    if kept is not None and is_it(kept, taking.invitation):
        who = kept.identity
        if (who.kind, who.game, who.seat) == ("invitation", game, seat.seat):
            if not kept.revoked:
                return token_id
            _check_free(store, game, seat.seat)
    raise SeatRefused(
        f"This does not invite to seat {seat.seat} of this game.",
        code="seat.invitation-wrong",
        pointer="/invitation",
    )


def _check_free(store: Store, game: str, seat: str) -> None:
    """Raises SeatRefused where the seat was taken since the game was read, at another worker.

    Whoever invited was quicker with somebody else, or the same request came in twice: the
    invitation was right, and is used up.
    """
    now = store.summary(game)
    if now is not None and any(s.seat == seat and s.held == "taken" for s in now.seats):
        raise SeatRefused(f"Seat {seat} is taken.", pointer="/seat")


def register(live: Live, seat: SeatSummary, tip: str) -> PlayerLinks:
    """The seats' links with the new tip. Raises DiceRefused."""
    if not tip:
        return live.links
    if live.summary.grade == "A0":
        raise DiceRefused(
            "This game rolls by the service's chain alone (grade A0).",
            code="dice.link-unexpected",
            pointer="/diceTip",
        )
    if not is_tip(tip):
        raise DiceRefused(
            "A dice tip is 32 bytes in lower-case hex.",
            code="dice.tip-malformed",
            pointer="/diceTip",
        )
    return live.links.register(live.seats.index(seat.seat), bytes.fromhex(tip))


def _seated(
    live: Live, record: SeatTakenRecord, links: PlayerLinks, at: str
) -> tuple[Live, RecordWriter]:
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    seat = record.seat
    scribe.platform(record, actor=seat)
    scribe.write(None)
    seats = tuple(
        with_key(SeatSummary(seat=seat, held="taken", dice_tip=record.tip), record.key)
        if s.seat == seat
        else s
        for s in live.summary.seats
    )
    summary = msgspec.structs.replace(live.summary, seats=seats)
    taken = msgspec.structs.replace(live, summary=summary, links=links)
    return gone_on(taken, scribe, seat, at, actor=SERVICE), scribe
