"""The clerk: carries out what an operator has put into the store (``store/instructions.py``).

It hands it in like any other work: what is done, the line in the operator's log and the end of the
instruction are one transaction, so that of several workers one does it, and the others, deciding
anew on what the store holds now, find it done.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from ..deadlines import Away, later
from ..errors import PASSING, ServiceError, StoreUnavailable
from ..evidence.receipts import as_field, give
from ..evidence.seatkeys import SeatKey
from ..models import GameId
from ..store import (
    actlinks,
    acts,
    announcement,
    curbs,
    deleting,
    examining,
    hidden,
    instructions,
    persons,
    summaries,
    tokens,
    workers,
)
from ..store.acts import Act
from ..store.bulk import Statement
from ..store.curbs import Curb, Curbs
from ..store.instructions import Instruction, Outcome
from ..store.store import FORK, Store
from ..store.workers import Worker
from ..views.views import not_found
from . import rulings
from .engine import Ready, WorkingGames, Write
from .presence import Presence
from .rulings import RulingRefused
from .staging import ReadyRequest

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""How often it is looked whether there is anything to do."""

FAILED = "A fault of ours: the log of the service has it."

RECEIPT = "receipt"
"""What a ruling is answered with besides its event, where the service has keys."""

UNLOGGED = ("who", RECEIPT)
"""Whom an instruction is about is in no log; nor is the receipt, which is for whoever asked."""

FREES = ("thaw", "end", "delete")
"""After these a game stands still no more for what its rules did."""

Read = Callable[..., Awaitable[Any]]
HandIn = Callable[[str, Callable[[WorkingGames], Ready]], Awaitable[Any]]
"""Lets the engine do some work on a game."""

Done = tuple[Ready, Outcome]
"""What an act comes to."""


class Clerk:
    """Of one worker, from its start on.

    away    when the service could not be reached
    forget  has this worker forget a game that is no more
    after   has what is made from the log made anew, where the log is not as it was
    revoked  has this worker forget a token
    presence  of this worker, which an operator may drain
    curbs   whom the operator lets in otherwise than others
    announced  what he tells everybody; "" for nothing
    foreign  ids of what waits and was not given with a key of this store: nobody does it
    """

    def __init__(
        self,
        store: Store,
        hand_in: HandIn,
        read: Read,
        away: Callable[[], Away],
        forget: Callable[[GameId], None],
        after: Callable[[], None],
        revoked: Callable[[str], None],
        presence: Presence,
    ) -> None:
        self._store = store
        self._hand_in = hand_in
        self._read = read
        self._away = away
        self._forget = forget
        self._after = after
        self._revoked = revoked
        self.presence = presence
        self.curbs = Curbs()
        self.announced = ""
        self.foreign: frozenset[str] = frozenset()

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                while await self.look() == instructions.AT_ONCE:
                    pass
                await self.heed()
                await self.link()
            except ServiceError as error:
                log.warning("what the operator wants cannot be done now: %s", error)

    async def heed(self) -> None:
        """Know anew whom the operator lets in otherwise, what he tells everybody, and whether this
        worker is drained. Raises ServiceError."""
        recorder = self._store.recorder
        await self._read(self.curbs.read, recorder, partial(acts.time_of, recorder))
        self.announced = await self._read(announcement.announced, recorder)
        await self._read(self.presence.look)
        self.presence.tell()

    async def link(self) -> None:
        """Link what is new in the operator's log, whoever has done it. Raises ServiceError."""
        while head := await self._read(actlinks.link, self._store.recorder):
            log.info("the operator's log has %d acts, head %s", head.number, head.hash)

    async def look(self) -> int:
        """Do what there is to do; how much that was. Raises ServiceError."""
        seen = await self._read(instructions.waiting, self._store.recorder, self._store.box)
        self._name(seen)
        for each in seen.found:
            await self._carry_out(each)
        return len(seen.found)

    def _name(self, seen: instructions.Waiting) -> None:
        """Once each: what is foreign stays until an operator takes it back."""
        foreign = frozenset(seen.foreign)
        for id_ in sorted(foreign - self.foreign):
            log.error("instruction %s was not given with a key of this store", id_)
        self.foreign = foreign if seen.whole else self.foreign | foreign

    async def _carry_out(self, asked: Instruction) -> None:
        at = await self._read(acts.time_of, self._store.recorder)
        try:
            await self._hand_in(asked.game, lambda bench: self._work(bench, asked, at))
        except ServiceError:
            raise
        except Exception:
            # Whatever is wrong with it, what waits behind it is done.
            log.exception("the operator's %s failed", asked.act)
            failed = instructions.ended(asked.id, at, Outcome("internal.error", FAILED))
            await self._hand_in("", lambda bench: Write(failed))
            return
        if asked.act == "delete":
            self._forget(asked.game)
            await self._take_away(asked.game)
            await self._read(self._after)
            await self._hand_in("", lambda bench: Write([instructions.taken(asked.id)]))
        found = await self._read(instructions.outcome_of, self._store.recorder, asked.id)
        for token in (found.told.get("revoked", "") if found else "").split():
            self._revoked(token)
        log.info("the operator's %s of game %s was seen to", asked.act, asked.game or "none")

    async def _take_away(self, game: GameId) -> None:
        """The file of a game that is deleted. The archivist does it, where the folder is away now:
        what the operator wants next is not held up by that."""
        try:
            await self._read(self._store.archive.remove, game)
        except StoreUnavailable as error:
            log.warning("the file of game %s is to go later: %s", game, error)

    def _work(self, bench: WorkingGames, asked: Instruction, at: str) -> Ready:
        """On the engine's thread: the act with its line in the log, or the refusal."""
        if instructions.outcome_of(bench.store.recorder, asked.id) is not None:
            return Write([])  # another worker was quicker
        try:
            ready, outcome = self._done(bench, asked, at)
        except PASSING:
            raise
        except (ServiceError, RulingRefused) as error:
            return Write(instructions.ended(asked.id, at, _refusal(error)))
        said = {**asked.about, **outcome.told}
        logged = {name: each for name, each in said.items() if name not in UNLOGGED}
        details = msgspec.Raw(msgspec.json.encode(logged))
        act = Act(at, asked.operator, asked.act, asked.game, asked.why, details)
        # Whoever is killed before all is done finds it again: after a deletion more is to be done.
        end = instructions.settled if asked.act == "delete" else instructions.ended
        ended = end(asked.id, at, outcome)
        freed = workers.thawing(self._stuck(bench, asked, at), asked.game)
        return _with(ready, [acts.insertion(act), *ended, *freed])

    def _done(self, bench: WorkingGames, asked: Instruction, at: str) -> Done:
        """What the act comes to. Raises ServiceError, RulingRefused."""
        match asked.act:
            case "thaw" if (found := self._stuck(bench, asked, at)) and not _stopped(bench, asked):
                return Write([]), Outcome(told={"workers": " ".join(each.name for each in found)})
            case "freeze" | "pause" | "thaw" | "resume" | "end" | "void" | "key":
                return self._ruled(bench, asked)
            case "hide" | "show":
                return _listed(bench, asked)
            case "delete":
                return _deleted(bench, asked, at)
            case "announce":
                return Write([announcement.put(asked.about["text"])]), Outcome()
            case "revoke":
                return _revoked(bench, asked)
            case "reissue":
                return _reissued(bench, asked)
            case "forget":
                return _forgotten(bench, asked)
            case "curb" | "lift":
                return _curbed(bench, asked, at)
            case "reload":
                return Write([workers.reloading(asked.id)]), Outcome()
            case "drain" | "undrain":
                return _drained(bench, asked, at)
            case _:
                raise RulingRefused(f"This program does not know how to {asked.act}.")

    def _stuck(self, bench: WorkingGames, asked: Instruction, at: str) -> list[Worker]:
        """The workers at which the game stands still for what its rules did, where the act ends
        that."""
        if asked.act not in FREES:
            return []
        found = workers.listed(bench.store.recorder, at)
        here = self.presence.id if asked.game in self.presence.frozen else ""
        return [each for each in found if asked.game in each.frozen or each.id == here]

    def _ruled(self, bench: WorkingGames, asked: Instruction) -> Done:
        live, reason = bench.live(asked.game), asked.about.get("tell", "")
        match asked.act:
            case "end":
                ready = rulings.end(live, bench.at, reason)
            case "void":
                ready = rulings.void(live, bench.at, reason)
            case "key":
                seat = asked.about["seat"]
                barred = rulings.barred(live, bench.store, seat)
                ready = rulings.rekey(live, bench.at, seat, _new_key(asked), reason, barred)
            case "thaw" | "resume":
                ready = rulings.go_on(live, bench.at, orders=asked.act == "resume")
            case _:
                orders = asked.act == "pause"
                ready = rulings.stop(live, bench.at, self._away(), reason, orders=orders)
        return ready, Outcome(told={"version": str(ready.live.version), **_signed(ready, bench)})


def _new_key(asked: Instruction) -> rulings.NewKey:
    public, keeper = asked.about.get("public", ""), asked.about.get("keeper", "client")
    if not public:
        return rulings.NewKey(None, asked.about.get("signature", ""))
    if keeper not in ("client", "page"):
        raise RulingRefused(f"A key is kept by a client or a page, not by {keeper!r}.")
    key = SeatKey(public, "page" if keeper == "page" else "client")
    return rulings.NewKey(key, asked.about.get("signature", ""))


def _signed(ready: ReadyRequest, bench: WorkingGames) -> dict[str, str]:
    """The receipt for a ruling, by which it cannot be left out later."""
    keys = bench.store.signers
    if keys is None or ready.accepted is None:
        return {}
    return {RECEIPT: as_field(give(ready.live.id, ready.accepted, bench.at, keys.receipts))}


def _stopped(bench: WorkingGames, asked: Instruction) -> bool:
    """Whether an operator has frozen the game."""
    summary = bench.store.summary(asked.game)
    return summary is not None and summary.frozen


def _deleted(bench: WorkingGames, asked: Instruction, at: str) -> Done:
    """The log names the last event, too: a tombstone is held against it. Nobody but its owner knows
    of a what-if game."""
    row = examining.row(bench.store.recorder, asked.game)
    done = deleting.deletion(bench.store, asked.game, at, asked.about.get("tell", ""))
    if not done or row is None:
        raise not_found(asked.game)
    head = "" if row.status == FORK else summaries.head_of(row.summary)
    return Write(done), Outcome(told={"version": str(row.version), "head": head} if head else {})


def _listed(bench: WorkingGames, asked: Instruction) -> Done:
    """In all lists, or in none."""
    if bench.store.summary(asked.game) is None:
        raise not_found(asked.game)
    return Write([hidden.hiding(asked.game, hides=asked.act == "hide")]), Outcome()


def _revoked(bench: WorkingGames, asked: Instruction) -> Done:
    """A token, at once and for good."""
    found = tokens.listed(bench.store.recorder, "", asked.about["token"])
    if not found or found[0].revoked:
        raise RulingRefused("No token that is good has this id: decklog admin tokens lists them.")
    told = {"kind": found[0].kind, "seat": found[0].seat, "revoked": found[0].token}
    return Write([tokens.revocation(found[0].token, bench.at)]), Outcome(told=told)


def _forgotten(bench: WorkingGames, asked: Instruction) -> Done:
    """All that is kept of who holds a seat, but for the record."""
    summary, seat = bench.store.summary(asked.game), asked.about["seat"]
    if summary is None:
        raise not_found(asked.game)
    if seat not in (seats := [each.seat for each in summary.seats]):
        raise RulingRefused(f"The game has no seat {seat!r}; it has {', '.join(seats)}.")
    found = tokens.listed(bench.store.recorder, asked.game)
    held = [each for each in found if each.seat == seat and not each.revoked]
    done = persons.forgetting(asked.game, seat, held, bench.at)
    return Write(done), Outcome(told={"revoked": " ".join(each.token for each in held)})


def _reissued(bench: WorkingGames, asked: Instruction) -> Done:
    """A new token for a seat that somebody holds; the ones of before are good no more."""
    summary, seat = bench.store.summary(asked.game), asked.about["seat"]
    if summary is None:
        raise not_found(asked.game)
    held = {s.seat for s in summary.seats if s.held in ("kept", "taken") and not s.bot}
    if seat not in held:
        raise RulingRefused(f"Nobody holds {seat}; held are: {', '.join(sorted(held)) or 'none'}.")
    made = tokens.make_token(bench.store.entropy, "seat", asked.game, seat)
    old = [
        each.token
        for each in tokens.listed(bench.store.recorder, asked.game)
        if (each.kind, each.seat, each.revoked) == ("seat", seat, "")
    ]
    done = [tokens.insertion(made, bench.at), *(tokens.revocation(t, bench.at) for t in old)]
    told = {"token": made.identity.token_id, "revoked": " ".join(old)}
    secret = instructions.sealed(bench.store.box, asked.id, made.text)
    return Write(done), Outcome(told=told, secret=secret)


def _curbed(bench: WorkingGames, asked: Instruction, at: str) -> Done:
    """An address is a person's: the operator's log has a mark of it alone, by which it is known."""
    try:
        who, rate = curbs.named(asked.about["who"]), int(asked.about.get("rate", "0"))
    except ValueError as error:
        raise RulingRefused(f"{error}.") from None
    told = {"mark": bench.store.box.mark("curb", who.encode())[:16]}
    if asked.act == "lift":
        if who not in {curb.who for curb in curbs.kept(bench.store.recorder)}:
            raise RulingRefused("Nothing is special of them: decklog admin curbs lists whom.")
        return Write(curbs.lifted(who, at)), Outcome(told=told)
    until = later(at, int(asked.about["seconds"])) if "seconds" in asked.about else ""
    if until:
        told["until"] = until
    return Write([curbs.put(Curb(who, rate, until))]), Outcome(told=told)


def _drained(bench: WorkingGames, asked: Instruction, at: str) -> Done:
    """A worker, or every one, takes nothing new, or takes work again."""
    name, found = asked.about.get("worker", ""), workers.listed(bench.store.recorder, at)
    chosen = [each for each in found if name in ("", each.name)]
    if not chosen:
        names = ", ".join(each.name for each in found) or "none"
        raise RulingRefused(f"No worker is called {name!r}; at work are: {names}.")
    told = {"workers": " ".join(each.name for each in chosen)}
    return Write(workers.draining(chosen, drains=asked.act == "drain")), Outcome(told=told)


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
