"""Whether a seat could take back its last step, as whoever judges a record sees it."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import Seat

from .asked import Rules
from .casefile import Case
from .papers import Batch
from .records import Takeback
from .signedorders import key_changes
from .takebacks import back_from
from .verdict import equal, need


class LastStep(NamedTuple):
    """The order that was decided last, if nothing has come since.

    before  the position that it was given in
    again   whether a step was taken back before it, and no order came between
    """

    batch: Batch
    before: Any
    again: bool


def check_takeback(case: Case, rules: Rules, step: LastStep | None, state: Any, seq: int) -> Any:
    """The position that event ``seq``, a takeback, leads back to. Raises Refuted.

    state  the position before the takeback
    """
    record = case.records[seq]
    assert isinstance(record, Takeback)
    need(step is not None, "record", seq, "step", "an order right before it", "none")
    assert step is not None
    batch = step.batch
    found = (record.command, record.first)
    equal("record", seq, "step that is taken back", (batch.cause, batch.first), found)
    giver = None if batch.order is None else batch.order.seat
    equal("record", seq, "seat whose step it was", giver, record.seat)
    others = [case.records[e.seq].TYPE for e in batch.envelopes if e.seq in case.records]
    equal("record", seq, "what the step led to besides events of the game", [], others)
    hidden = batch.is_secret or rules.secrets(step.before) or rules.secrets(state)
    need(not hidden, "record", seq, "secrets", "none: nobody has one", "some")
    for position in (step.before, state):
        asked = sorted({each.seat for each in rules.pending(position)})
        equal("record", seq, "seats that are asked", [record.seat], asked)
    equal("record", seq, "result", None, rules.result(state))
    signs = _signs(case, record.seat, seq)
    need(not signs, "record", seq, "seat", "one without a key", record.seat)
    again = step.again and case.created.deadline is not UNSET
    need(not again, "time", seq, "step", "one that was not taken back before", "it was")
    back = back_from(canonical(rules.text(state)), canonical(rules.text(step.before)))
    equal("record", seq, "way back", back, record.back)
    return step.before


def _signs(case: Case, seat: Seat, seq: int) -> bool:
    """Whether the seat signs its orders at an event: then nobody but itself could take one back,
    and it cannot sign that."""
    changes = key_changes(case.records.items())
    own = [key for at, of, key in changes if of == seat and at < seq]
    return bool(own) and own[-1] is not None
