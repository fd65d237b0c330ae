"""The clerk: carries out what an operator has put into the store (``store/instructions.py``).

It hands it in like any other work: what is done, the line in the operator's log and the end of the
instruction are one transaction, so that of several workers one does it, and the others, deciding
anew on what the store holds now, find it done.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

from ..deadlines import Away
from ..errors import PASSING, ServiceError
from ..models import GameId
from ..store import acts, deleting, hidden, instructions
from ..store.acts import Act
from ..store.bulk import Statement
from ..store.instructions import Instruction, Outcome
from ..store.store import Store
from ..views.views import not_found
from . import rulings
from .engine import Ready, WorkingGames, Write
from .rulings import RulingRefused
from .staging import ReadyRequest

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""How often it is looked whether there is anything to do."""

Read = Callable[..., Awaitable[Any]]
HandIn = Callable[[str, Callable[[WorkingGames], Ready]], Awaitable[Any]]
"""Lets the engine do some work on a game."""

Done = tuple[Ready, dict[str, str]]
"""What an act comes to, and what is told of it."""


class Clerk:
    """Of one worker, from its start on.

    away    when the service could not be reached
    forget  has this worker forget a game that is no more
    after   has what is made from the log made anew, where the log is not as it was
    """

    def __init__(
        self,
        store: Store,
        hand_in: HandIn,
        read: Read,
        away: Callable[[], Away],
        forget: Callable[[GameId], None],
        after: Callable[[], None],
    ) -> None:
        self._store = store
        self._hand_in = hand_in
        self._read = read
        self._away = away
        self._forget = forget
        self._after = after

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except ServiceError as error:
                log.warning("what the operator wants cannot be done now: %s", error)

    async def look(self) -> int:
        """Do what there is to do; how much that was. Raises ServiceError."""
        found = await self._read(instructions.waiting, self._store.recorder, self._store.box)
        for each in found:
            await self._carry_out(each)
        return len(found)

    async def _carry_out(self, asked: Instruction) -> None:
        at = await self._read(acts.time_of, self._store.recorder)
        await self._hand_in(asked.game, lambda bench: self._work(bench, asked, at))
        if asked.act == "delete":
            self._forget(asked.game)
            await self._read(self._after)
        log.info("the operator's %s of game %s was seen to", asked.act, asked.game or "none")

    def _work(self, bench: WorkingGames, asked: Instruction, at: str) -> Ready:
        """On the engine's thread: the act with its line in the log, or the refusal."""
        if instructions.outcome_of(bench.store.recorder, asked.id) is not None:
            return Write([])  # another worker was quicker
        try:
            ready, told = self._done(bench, asked, at)
        except PASSING:
            raise
        except (ServiceError, RulingRefused) as error:
            return Write(instructions.ended(asked.id, at, _refusal(error)))
        details = msgspec.Raw(msgspec.json.encode({**asked.about, **told}))
        act = Act(at, asked.operator, asked.act, asked.game, asked.why, details)
        ended = instructions.ended(asked.id, at, Outcome(told=told))
        return _with(ready, [acts.insertion(act), *ended])

    def _done(self, bench: WorkingGames, asked: Instruction, at: str) -> Done:
        """What the act comes to. Raises ServiceError, RulingRefused."""
        match asked.act:
            case "freeze" | "pause" | "thaw" | "resume" | "end":
                return self._ruled(bench, asked)
            case "hide" | "show":
                return _listed(bench, asked)
            case "delete":
                reason = asked.about.get("tell", "")
                done = deleting.deletion(bench.store, asked.game, at, reason)
                if not done:
                    raise not_found(asked.game)
                return Write(done), {}
            case _:
                raise RulingRefused(f"This program does not know how to {asked.act}.")

    def _ruled(self, bench: WorkingGames, asked: Instruction) -> Done:
        live, reason = bench.live(asked.game), asked.about.get("tell", "")
        match asked.act:
            case "end":
                ready = rulings.end(live, bench.at, reason)
            case "thaw" | "resume":
                ready = rulings.go_on(live, bench.at, orders=asked.act == "resume")
            case _:
                orders = asked.act == "pause"
                ready = rulings.stop(live, bench.at, self._away(), reason, orders=orders)
        return ready, {"version": str(ready.live.version)}


def _listed(bench: WorkingGames, asked: Instruction) -> Done:
    """In all lists, or in none."""
    if bench.store.summary(asked.game) is None:
        raise not_found(asked.game)
    return Write([hidden.hiding(asked.game, hides=asked.act == "hide")]), {}


def _with(ready: Ready, statements: Iterable[Statement]) -> Ready:
    """The same, with more to be stored in its transaction."""
    if isinstance(ready, Write):
        return Write([*ready.statements, *statements], ready.answer)
    assert isinstance(ready, ReadyRequest), "nothing is remembered of an operator's act"
    commit = msgspec.structs.replace(
        ready.commit, statements=(*ready.commit.statements, *statements)
    )
    return msgspec.structs.replace(ready, commit=commit)


def _refusal(error: ServiceError | RulingRefused) -> Outcome:
    if isinstance(error, ServiceError):
        return Outcome(error.code, error.hint)
    return Outcome("ruling.impossible", str(error))
