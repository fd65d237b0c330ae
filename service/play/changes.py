"""A running game goes over to another engine, once every seat has agreed to it.

Each agreement is an event of the record, and so is the change, which takes the position over as
it is. Who agreed may go on playing meanwhile, and may agree to something else.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.values import Seat
from projections.records import Rules

from ..engines.outside import Failed
from ..errors import EngineMissing, EngineRefused, GameOver
from ..evidence.chain import Chain
from ..evidence.changed import Part, carry, goes_back, joined, parts_of
from ..evidence.receipts import Accepted
from ..evidence.records import ENGINE, SERVICE, RulesAgreed, RulesChanged, RulesUsed
from ..models import FormerRules, GameSummary, GameTold
from ..store.store import Store
from ..views.frozen import check_frozen
from .deciding import check_unlocked
from .live import AnyGame, Live
from .opening import keep_engine
from .staging import ReadyRequest, RecordWriter, commit_of, gone_on


def rules_named(used: RulesUsed, edition: str) -> Rules:
    """Rules as summaries name them."""
    return Rules(
        ruleset=used.ruleset, edition=edition, version=used.version, digest=used.digest
    )  # fmt: skip


def agreed(summary: GameSummary, record: RulesAgreed) -> GameSummary:
    """The summary after a seat has agreed; to the rules that are in use is to nothing else."""
    wishes = {**summary.agreed, record.seat: record.rules.digest}
    others = {seat: each for seat, each in wishes.items() if each != summary.rules.digest}
    return msgspec.structs.replace(summary, agreed=dict(sorted(others.items())))


def gone_over(summary: GameSummary, record: RulesChanged) -> GameSummary:
    """The summary after all have agreed."""
    former = FormerRules(rules=summary.rules, until=record.since)
    rules = rules_named(record.new, summary.rules.edition)
    return msgspec.structs.replace(
        summary, rules=rules, former=(*summary.former, former), agreed={}
    )  # fmt: skip


def agree(live: Live, seat: Seat, new: AnyGame, digest: str, store: Store, at: str) -> ReadyRequest:
    """A seat's agreement, staged, and the change where it was the last. Raises GameOver,
    GameFrozen, EngineRefused.

    new     what would decide from then on
    digest  by which it is named
    """
    if live.summary.status == "finished":
        raise GameOver("The game is over: its record is closed.")
    check_frozen(live.summary)
    check_unlocked(live)
    state = _taken_over(live, new)
    used = RulesUsed(new.ruleset, new.version, digest, ENGINE)
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    record = RulesAgreed(seat, used)
    scribe.platform(record, actor=seat)
    scribe.write(None)
    after = msgspec.structs.replace(live, summary=agreed(live.summary, record))
    wishes, statements = after.summary.agreed, []
    if all(wishes.get(each) == used.digest for each in live.seats):
        changed = RulesChanged(_used(live), used, live.seats, scribe.seq + 1)
        scribe.platform(changed)
        scribe.write(state)
        parts = (*parts_of(live.game), Part(changed.since, new))
        game = joined(parts, went_back=goes_back(live.game))
        summary = gone_over(after.summary, changed)
        after = msgspec.structs.replace(after, game=game, state=state, summary=summary)
        statements = keep_engine(new, used.digest, store)
    after = gone_on(after, scribe, seat, at, actor=SERVICE)
    answer = GameTold(game=after.summary)
    accepted = Accepted("agreement", seat, canonical(record), scribe.seq, scribe.head)
    commit = commit_of(after, scribe, statements)
    return ReadyRequest(after, commit, tuple(scribe.told), answer, accepted)


def _used(live: Live) -> RulesUsed:
    """The rules by which the game goes now, as its record names them."""
    rules, first = live.summary.rules, live.dice.rules
    if rules.digest == first.digest:
        return first
    return RulesUsed(rules.ruleset, rules.version, rules.digest, ENGINE)


def _taken_over(live: Live, new: AnyGame) -> Any:
    """The position as the new rules have it. Raises EngineRefused."""
    if live.summary.fork is not None:
        raise EngineRefused("A what-if keeps the rules under which it began: make another.")
    if new.ruleset != live.summary.rules.ruleset:
        raise EngineRefused(f"The engine is of {new.ruleset}.", pointer="/digest")
    old = parts_of(live.game)[-1].game
    try:
        if not live.dice.domains.issuperset(new.domains(live.dice.setup)):
            raise EngineRefused("It has dice that this game did not commit to.", pointer="/digest")
        state = carry(old, live.state, new)
        quiet = new.awaiting(state) is None and new.result(state) is None and new.pending(state)
    except (ValueError, TypeError, LookupError) as error:
        raise EngineRefused(f"It does not read the position: {error}", pointer="/digest") from None
    except (EngineMissing, Failed) as error:  # of rules in a process of their own
        told = getattr(error, "hint", str(error))
        raise EngineRefused(f"It does not run: {told}", pointer="/digest") from None
    if not quiet:
        raise EngineRefused("By it the position is none in which a seat is asked.")
    return state
