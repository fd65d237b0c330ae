"""A seat takes back its last step, where nobody can have learned anything from it.

The record keeps the step, and the event that takes it back: nothing is ever taken out of it.
"""

from __future__ import annotations

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.values import Seat

from ..errors import GameOver, TakebackRefused
from ..evidence.chain import Chain
from ..evidence.changed import joined, parts_of
from ..evidence.receipts import Accepted
from ..evidence.records import SERVICE, Takeback
from ..evidence.takebacks import back_from
from ..models import GameSummary, GameTold
from ..views.frozen import check_frozen
from .deciding import check_unlocked
from .live import Live
from .staging import ReadyRequest, RecordWriter, commit_of, gone_on

LAST_ONLY = "Only the game's last step is taken back, by the seat that gave it."
OFFERED_WHEN = (
    "A step is taken back while it rolled no die, nobody has a secret, nobody else was asked since "
    "and its seat has no key for its orders; with a deadline, once; and only in a game in which "
    "players may measure before they declare."
)


def went_back(summary: GameSummary) -> GameSummary:
    """The summary after a step was taken back."""
    return msgspec.structs.replace(summary, takebacks=summary.takebacks + 1)


def take_back(live: Live, seat: Seat, command: str, at: str) -> ReadyRequest:
    """The seat's step undone, staged. Raises GameOver, GameFrozen, DiceRefused, TakebackRefused.

    command  id of the order that it was: so that nobody takes back what he has not seen
    """
    if live.summary.status == "finished":
        raise GameOver("The game is over: its record is closed.")
    check_frozen(live.summary)
    check_unlocked(live)
    step, offered = live.step, live.summary.takeback
    if step is None or (step.seat, step.command) != (seat, command):
        raise TakebackRefused(LAST_ONLY)
    if offered is None:
        raise TakebackRefused(OFFERED_WHEN)
    back = back_from(canonical(live.state), canonical(step.before))
    record = Takeback(seat, command, step.first, back)
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    scribe.platform(record, actor=seat)
    scribe.write(step.before)
    game = joined(parts_of(live.game), went_back=True)
    before = msgspec.structs.replace(
        live, game=game, state=step.before, summary=went_back(live.summary)
    )
    after = gone_on(before, scribe, seat, at, actor=SERVICE)
    answer = GameTold(game=after.summary)
    accepted = Accepted("takeback", seat, canonical(record), scribe.seq, scribe.head)
    return ReadyRequest(after, commit_of(after, scribe, ()), tuple(scribe.told), answer, accepted)
