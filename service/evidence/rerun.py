"""The rules again: from the set-up, each order is decided anew and every event compared.

A complete bundle is decided on the truth. A partial one is decided on what its viewer may see;
orders that were given while something was hidden from the viewer are taken as the events say, as
long as what the viewer sees and what the public sees fit together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.event import UnknownEvent
from domain.kernel.rules import Refused
from domain.kernel.setup import Result
from domain.kernel.values import PUBLIC, TRUTH, Seat, Viewer

from ..deadlines import DAY, later
from ..dice.nwd1 import DiceError
from ..dice.resolve import Resolved, resolve
from ..dice.vault import Batch as DiceBatch
from ..engines.outside import Failed
from . import chain
from .asked import Rules
from .casefile import Case
from .chain import NULL, STATE, Envelope
from .dicecheck import Batches
from .differing import Apart, between
from .joined import goes_to_nobody
from .laststep import LastStep, check_takeback
from .papers import ALONE, Batch
from .records import (
    SERVICE,
    BatchRolled,
    BatchVoided,
    BeaconSeen,
    ChainRenewed,
    DeadlinePassed,
    GameAbandoned,
    GameClosed,
    GameCreated,
    KeyChanged,
    LinksClosed,
    LinksGiven,
    OrdersLocked,
    Paused,
    Record,
    Resumed,
    RollRecorded,
    RulesAgreed,
    RulesChanged,
    RulesUsed,
    SeatTakenRecord,
    Takeback,
    TipRenewed,
)
from .timing import Timing
from .verdict import Refuted, equal, need, refute

Progress = Callable[[str, int, int], None]
"""Called with the name of the check, how much of it is done, and of how much."""

STRIDE = 64


class Rerun:
    """Decides a case again.

    state    after the batches so far: the truth, or the viewer's view of it
    orders   orders that were decided again
    taken    orders that could not be, because something was hidden from the viewer
    digests  digests of the true state that were compared
    at       number of the event where it is
    """

    def __init__(
        self, parts: Sequence[Rules], case: Case, dice: Batches, *, judge_odds: bool = True
    ) -> None:
        self._rules, *self._later = parts
        self._used = case.created.rules
        self._agreed: dict[Seat, RulesUsed] = {}
        self._judge_odds = judge_odds
        self._case = case
        self._dice = dice
        self._seats = case.created.setup.seats
        self._viewer: Viewer = TRUTH if case.sees_all else case.manifest.viewer
        self.state: Any = None
        self._timing = Timing(case.created)
        self._paused: Paused | None = None
        self._step: LastStep | None = None
        self._went_back = False
        self.orders = self.taken = self.digests = 0
        self.at = 0

    def run(self, progress: Progress) -> None:
        """Every batch in turn. Raises Refuted at the first difference."""
        total = len(self._case.batches)
        for done, batch in enumerate(self._case.batches):
            if done % STRIDE == 0:
                progress("rules", done, total)
            self._batch(batch)
        progress("rules", total, total)
        self._check_end()

    def _batch(self, batch: Batch) -> None:
        game_events = self._own_events(batch)
        self.at = batch.first
        if self._stands_alone(batch):
            self._alone(batch)
            self._step = None
            return
        before = self.state
        self._not_frozen(batch.first, "an order")
        passed = self._case.records.get(batch.first)
        if isinstance(passed, DeadlinePassed):
            need(self._paused is None, "time", batch.first, "clocks", "running", "stopped")
            self._by_clock(batch, passed)
        self._go_on(batch, game_events)
        self._step = LastStep(batch, before, self._went_back) if batch.cause else None
        self._went_back = False
        if self._timing.kept:
            self._timing.take(batch, self._rules.pending(self.state))

    def _alone(self, batch: Batch) -> None:
        match self._case.records[batch.first]:
            case Paused() | Resumed() as ruling:
                self._stop_or_go(batch, ruling)
                _no_seals(batch.envelopes[0])
            case RulesChanged() as changed:
                self._change(batch, changed)
                self._check_state_places(batch)
                self._check_state(batch)
            case Takeback():
                self._not_frozen(batch.first, "a step taken back")
                step, self.at = self._step, batch.first
                self.state = check_takeback(self._case, self._rules, step, self.state, self.at)
                self._went_back = True
                self._check_state_places(batch)
                self._check_state(batch)
                if self._timing.kept:
                    self._timing.take(batch, self._rules.pending(self.state), SERVICE)
            case KeyChanged():
                _no_seals(batch.envelopes[0])
            case BatchVoided():
                pass  # its seals and its link are judged with the dice
            case LinksGiven() | OrdersLocked():
                self._not_frozen(batch.first, "links given, nor an order locked,")
            case BeaconSeen():
                self._not_frozen(batch.first, "a round of a beacon")
                _no_seals(batch.envelopes[0])
            case TipRenewed():
                self._not_frozen(batch.first, "a chain begun")
                _no_seals(batch.envelopes[0])
            case SeatTakenRecord():
                self._not_frozen(batch.first, "a seat taken")
                _no_seals(batch.envelopes[0])
            case RulesAgreed(seat=seat, rules=rules):
                self._not_frozen(batch.first, "an agreement")
                need(seat in self._seats, "record", batch.first, "seat", self._seats, seat)
                self._agreed[seat] = rules
                _no_seals(batch.envelopes[0])
            case _:
                _no_seals(batch.envelopes[0])
                self._unplayed(batch)

    def _stop_or_go(self, batch: Batch, ruling: Paused | Resumed) -> None:
        """The clocks are stopped where they run, and run again where they are stopped."""
        seq, at = batch.first, batch.envelopes[0].at
        due = "stopped" if self._paused is None else "running"
        found = "stopped" if isinstance(ruling, Paused) else "running"
        equal("record", seq, "clocks", due, found)
        if isinstance(ruling, Paused):
            self._timing.stop(seq, at, ruling)
            self._paused = ruling
        else:
            self._timing.go_on(at)
            self._paused = None

    def _not_frozen(self, seq: int, what: str) -> None:
        frozen = self._paused is not None and not self._paused.orders
        need(not frozen, "record", seq, "place", f"not {what} while the game is frozen", "one")

    def _change(self, batch: Batch, changed: RulesChanged) -> None:
        """All seats have agreed to what takes the position over, where no dice are on the way."""
        seq, setup = batch.first, self._case.created.setup
        equal("record", seq, "rules until now", self._used, changed.old)
        agreed = tuple(seat for seat in self._seats if self._agreed.get(seat) == changed.new)
        equal("record", seq, "seats that agreed", self._seats, agreed)
        equal("record", seq, "seats that agreed", agreed, changed.agreed)
        equal("record", seq, "since", seq, changed.since)
        need(setup.fork is None, "record", seq, "game", "none that is a what-if", "a what-if")
        self._check_quiet(seq)
        old, self._rules = self._rules, self._later.pop(0)
        self.state = self._rules.carried(old.text(self.state), old.position, setup)
        self._check_quiet(seq)
        self._used = changed.new
        if self._timing.kept:
            self._timing.take(batch, self._rules.pending(self.state))

    def _check_quiet(self, seq: int) -> None:
        """No dice are awaited, and the game is not over."""
        awaited, result = self._rules.awaiting(self.state), self._rules.result(self.state)
        equal("record", seq, "dice that are awaited", None, awaited)
        equal("record", seq, "result", None, result)

    def _by_clock(self, batch: Batch, passed: DeadlinePassed) -> None:
        """The service answered for a seat: its time was over, and the answer is the usual one."""
        question = self._timing.check(batch, passed)
        if batch.order is not None:
            usual = self._rules.usual(self.state, question)
            equal("order", batch.first, "the usual answer", usual, bytes(batch.order.command))

    def _check_question(self, batch: Batch) -> None:
        """What a seat has signed answers what it was asked then, and no later question."""
        order = batch.order
        if order is None or order.signature is UNSET:
            return
        asked = next((q for q in self._rules.pending(self.state) if q.seat == order.seat), None)
        due = ("", "") if asked is None else (asked.question, asked.subject)
        found = (order.signature.question, order.signature.subject)
        equal("order", batch.first, "question that is answered", due, found)

    def _go_on(self, batch: Batch, game_events: list[Envelope]) -> None:
        self._check_question(batch)
        if isinstance(self._case.records.get(batch.last), GameAbandoned):
            self._abandoned(batch, game_events)
        elif self._case.sees_all or not batch.is_secret:
            self._judge(batch, game_events)
        elif batch.first == 1 and self._rolled_in(batch).keys() <= self._dice.keys():
            # The opening hangs on the set-up alone, so it can be judged; the view goes on from it.
            self._judge(batch, game_events)
            self.state = self._rules.states([*map(self._visible, game_events)], None)[-1]
        else:
            self._follow(batch, game_events)

    def _stands_alone(self, batch: Batch) -> bool:
        """A seat taken, an epoch started, rules agreed to and changed, a step taken back, what was
        ruled, the end of a game that nobody played and the master opened are nobody's order, each
        an event of its own."""
        return batch.envelopes[0].type in ALONE and not batch.cause

    def _own_events(self, batch: Batch) -> list[Envelope]:
        """The game's events of a batch, after checking where its platform events stand."""
        records = self._case.records
        inner = list(batch.envelopes)
        if batch.first == 1:
            need(not batch.cause, "order", 1, "cause", "none", batch.cause)
            _pop(inner, records, GameCreated)
        elif self._stands_alone(batch):
            return []
        else:
            need(bool(batch.cause), "order", batch.first, "cause", "the id of an order", "none")
        if inner and isinstance(
            records.get(inner[-1].seq), GameClosed | GameAbandoned | ChainRenewed
        ):
            inner.pop()
        batches = self._rolled_in(batch)
        for envelope, after in zip(inner, [*inner[1:], None], strict=False):
            place = f"no {envelope.type} here"
            fits = envelope.seq not in records or (envelope.seq in batches and after is not None)
            if isinstance(records.get(envelope.seq), DeadlinePassed):
                fits = envelope.seq == batch.first and after is not None
            if isinstance(records.get(envelope.seq), LinksClosed):
                fits = after is not None and after.seq in batches
            if isinstance(records.get(envelope.seq), TipRenewed):
                fits = envelope.seq == batch.first and bool(batches)
            need(fits, "record", envelope.seq, "place", place, "one")
        return [envelope for envelope in inner if envelope.seq not in records]

    def _rolled_in(self, batch: Batch) -> dict[int, BatchRolled]:
        """The dice batches of an order by number of their events."""
        found = {e.seq: self._case.records.get(e.seq) for e in batch.envelopes}
        return {seq: record for seq, record in found.items() if isinstance(record, BatchRolled)}

    # Partial bundles: what was hidden is followed, not judged

    def _follow(self, batch: Batch, given: Sequence[Envelope]) -> None:
        before = self.state
        events = []
        for envelope in given:
            self.at = envelope.seq
            event = self._visible(envelope)
            if batch.order is not None or not batch.cause:
                actor = SERVICE if batch.order is None else batch.order.seat
                equal("rules", envelope.seq, "actor", actor, envelope.actor)
            self._compare_data(event, envelope, PUBLIC, bytes(envelope.data), "")
            self.state = self._rules.states([event], self.state)[-1]
            events.append(event)
        self._check_shape(batch, events, given, before)
        self.taken += 1

    def _visible(self, envelope: Envelope) -> Any:
        """The event as the viewer may know it."""
        return self._decode(envelope, self._case.data(envelope, self._viewer))

    # Judging

    def _judge(self, batch: Batch, given: Sequence[Envelope]) -> None:
        before = self.state
        done = self._decide(batch)
        self.state, events = done.state, done.events
        self._check_batches(batch, done, given)
        actor = batch.order.seat if batch.order is not None else SERVICE
        for event, envelope in zip(events, given, strict=False):
            self._compare(event, envelope, actor)
        last = given[-1].seq if given else batch.first
        equal("rules", last, "number of events", len(events), len(given))
        self._check_shape(batch, events, given, before)
        self._check_state(batch, before)
        self.orders += batch.order is not None

    def _unplayed(self, batch: Batch) -> None:
        """The service ended the game because nobody had given an order, for as long as it says."""
        record, seq = self._case.records.get(batch.first), batch.first
        if not isinstance(record, GameAbandoned):
            return
        need(record.seat is UNSET, "record", seq, "seat", "none: nobody gave an order", record.seat)
        days = 0 if record.days is UNSET else record.days
        need(days > 0, "record", seq, "days", "some days", days)
        orders = [each.first for each in self._case.batches if each.cause]
        need(not orders, "order", seq, "orders before it", "none", orders[:1])
        before, at = self._case.envelopes[seq - 2].at, batch.envelopes[0].at
        soonest = later(before, days * DAY)
        need(at >= soonest, "time", seq, "at", f"{soonest} or later", at)

    def _abandoned(self, batch: Batch, given: Sequence[Envelope]) -> None:
        """By the rules the order would have ended the game, and it would have gone to nobody."""
        equal("record", batch.last, "events of the order that is given up", 0, len(given))
        record = self._case.records[batch.last]
        lone = isinstance(record, GameAbandoned) and record.days is UNSET
        need(lone, "record", batch.last, "days", "none: there is an order", "some")
        before = self.state
        result = self._rules.result(self._decide(batch).state)
        found = result is not None and self._to_nobody(result)
        need(found, "rules", batch.last, "end", "one that goes to nobody", result)
        self.state = before
        self._check_state_places(batch)
        self._check_state(batch)
        self.orders += 1

    def _to_nobody(self, result: Result) -> bool:
        """Whether such an end would go to nobody, by the seats that were waiting and were taken."""
        waiting = self._case.created.waiting
        records = self._case.records.values()
        taken = [record.seat for record in records if isinstance(record, SeatTakenRecord)]
        return goes_to_nobody(() if waiting is UNSET else waiting, taken, result.winners)

    def _decide(self, batch: Batch) -> Resolved:
        """What the order leads to by the rules, dice included."""
        first = batch.first
        rolled = {record.domain: seq for seq, record in self._rolled_in(batch).items()}

        def open_batch(domain: str) -> DiceBatch:
            if domain not in rolled:
                raise refute("dice", first, "batch", f"a batch of {domain}", "no batch")
            return self._dice[rolled[domain]]

        try:
            return resolve(self._rules, self.state, self._first_events(batch), open_batch)
        except Refused as refusal:
            raise refute(
                "rules", first, "the order", f"refused: {refusal.code}", "accepted", refusal.rule
            ) from None
        except DiceError as error:
            raise refute("dice", first, "roll", error.hint, error.code) from None

    def _check_batches(self, batch: Batch, done: Resolved, given: Sequence[Envelope]) -> None:
        """The rolls are those that the rules ask for, and each batch stands in its place."""
        asked = [
            (one.domain, tuple(RollRecorded(r.label, r.pools, r.faces) for r in one.rolls))
            for one in done.batches
        ]
        rolled = self._rolled_in(batch)
        recorded = [
            (
                record.domain,
                tuple(msgspec.structs.replace(roll, odds=None) for roll in record.rolls),
            )
            for record in rolled.values()
        ]
        equal("rules", batch.first, "rolls that the rules ask for", asked, recorded)
        self._check_odds(batch, done, [roll for r in rolled.values() for roll in r.rolls])
        before = {one.domain: done.items.index(one) for one in done.batches}
        for number, (seq, record) in enumerate(rolled.items()):
            first_form = self._case.envelopes[seq - 1].schema == 1
            due = 0 if first_form else before[record.domain] - number
            found = sum(envelope.seq < seq for envelope in given)
            equal("record", seq, "events of the order before the batch", due, found)

    def _check_odds(self, batch: Batch, done: Resolved, given: Sequence[RollRecorded]) -> None:
        """Odds that were recorded are those that the rules give; older records have none."""
        if not self._judge_odds:
            return
        reckoned = {roll.label: roll.odds for one in done.batches for roll in one.rolls}
        for roll in given:
            if roll.odds is not None:
                what = f"odds of {roll.label}"
                equal("rules", batch.first, what, reckoned.get(roll.label), roll.odds)

    def _first_events(self, batch: Batch) -> Sequence[Any]:
        if batch.order is None:
            return self._rules.opening(self._case.created.setup)
        seat, seq = batch.order.seat, batch.first
        need(seat in self._seats, "order", seq, "seat", ", ".join(self._seats), seat)
        try:
            command = self._rules.command(bytes(batch.order.command))
            return self._rules.decide(self.state, seat, command)
        except msgspec.ValidationError as error:
            raise refute("order", seq, "the order", "a command of the game", error) from None

    def _compare(self, event: Any, envelope: Envelope, actor: str) -> None:
        seq, rule = envelope.seq, ", ".join(self._rules.decided_by(event))
        if (name := self._rules.name(event)) != envelope.type:
            raise refute("rules", seq, "type", name, envelope.type, rule)
        equal("rules", seq, "actor", actor, envelope.actor)
        self._compare_data(event, envelope, PUBLIC, bytes(envelope.data), rule)
        for viewer in envelope.sealed:
            payload = self._case.opened.get((seq, viewer))
            if viewer != STATE and payload is not None:
                data = bytes(envelope.data) if payload == NULL else payload
                self._compare_data(event, envelope, viewer, data, rule)
                differs = data != bytes(envelope.data)
                what = f"sealed for {viewer}"
                need(differs or payload == NULL, "seal", seq, what, "null", payload)

    def _compare_data(
        self, event: Any, envelope: Envelope, viewer: Viewer, data: bytes, rule: str
    ) -> None:
        """What ``viewer`` sees of the decided event against what the bundle says it sees."""
        expected = self._rules.seen(event, viewer)
        if envelope.schema == self._rules.schema(event):
            same = expected == data
        else:
            same = self._rules.same(event, self._decode(envelope, data), viewer)
        if same:
            return
        fields = between(expected, data)
        raise refute("rules", envelope.seq, f"what {viewer} sees", expected, data, rule, fields)

    def _decode(self, envelope: Envelope, data: bytes) -> Any:
        try:
            return self._rules.read(envelope.type, envelope.schema, data)
        except UnknownEvent as error:
            what = f"an event that {self._rules.ruleset} {self._rules.version} has"
            raise refute("rules", envelope.seq, "type", what, error) from None
        except msgspec.ValidationError as error:
            raise refute("rules", envelope.seq, "data", envelope.type, error) from None

    # Seals and states

    def _check_shape(
        self, batch: Batch, events: Sequence[Any], given: Sequence[Envelope], before: Any
    ) -> None:
        """While secrets are kept, each event is sealed for every seat and the truth, else none."""
        secret = before is not None and self._rules.secrets(before)
        due = sorted((*self._seats, TRUTH))
        kept = self._rules.kept(events, before)
        for after, envelope in zip(kept, given, strict=True):
            expected = due if secret or after else []
            found = sorted(set(envelope.sealed) - {STATE})
            equal("seal", envelope.seq, "viewers with a seal", expected, found)
            secret = after
        self._check_state_places(batch)

    def _check_state_places(self, batch: Batch) -> None:
        for envelope in batch.envelopes:
            found = STATE in envelope.sealed
            last = envelope.seq == batch.last
            equal("seal", envelope.seq, "digest of the state is sealed", last, found)

    def _check_state(self, batch: Batch, before: Any = None) -> None:
        """The digest of the state that an order came to; where it differs, what the order changed.

        The bundle has no more of its state than that. Its events have been found as they should be,
        and the digest before it too: what differs is among the fields that the order changed.
        """
        payload = self._case.opened.get((batch.last, STATE))
        if payload is None:
            return
        expected = chain.state_payload(self._rules.text(self.state))
        if expected != payload:
            fields: tuple[Apart, ...] = ()
            if before is not None:
                was, is_ = (canonical(self._rules.text(each)) for each in (before, self.state))
                fields = between(was, is_)
            what = "digest of the state"
            raise refute("rules", batch.last, what, expected, payload, "", fields)
        self.digests += 1

    def _last_order(self) -> Batch:
        """The order that ended the game; the opening where there was none."""
        return next(b for b in reversed(self._case.batches) if not self._stands_alone(b))

    def _check_end(self) -> None:
        """The record is closed if, and only if, the rules say that the game is over."""
        result = self._rules.result(self.state)
        closed = self._case.closed
        last = len(self._case.envelopes)
        said = closed.result if isinstance(closed, GameClosed) else None
        equal("rules", last, "result", result, said)
        if said is not None and not self._rolled_in(self._last_order()):
            lone = self._to_nobody(said)
            need(not lone, "rules", last, "end", "abandoned: it goes to nobody", said)


def _pop(inner: list[Envelope], records: Any, type_: type[Record]) -> None:
    if inner and isinstance(records.get(inner[0].seq), type_):
        inner.pop(0)


def _no_seals(envelope: Envelope) -> None:
    equal("seal", envelope.seq, "viewers with a seal", [], sorted(envelope.sealed))


def run_rules(
    parts: Sequence[Rules],
    case: Case,
    dice: Batches,
    progress: Progress,
    *,
    judge_odds: bool = True,
) -> Rerun:
    """All of it; whatever the rules stumble over in a false record is a contradiction too.

    parts       the rules that the game began with, and those after each change
    judge_odds  false where another version of the rules may tell the odds of a roll otherwise
    """
    rerun = Rerun(parts, case, dice, judge_odds=judge_odds)
    try:
        rerun.run(progress)
    except (Refuted, Failed):
        raise
    except Exception as error:  # a false record may bring a ruleset to do anything
        found = f"{type(error).__name__}: {error}"
        what = "one that the rules can follow"
        raise refute("rules", rerun.at, "the record", what, found) from None
    return rerun
