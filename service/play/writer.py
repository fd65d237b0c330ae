"""The writing half of the desk: what changes games, each request once however often it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.fork import Fork
from domain.kernel.setup import Setup
from domain.kernel.values import Seat

from ..dice.nwd1 import th
from ..evidence.changed import parts_of
from ..evidence.receipts import as_field, give
from ..models import (
    BotWish,
    CreatedGame,
    CustomDocument,
    GameTold,
    NewAgreement,
    NewGame,
    NewKey,
    NewLinks,
    NewTakeback,
    Outcome,
    SeatTaken,
    Standing,
    TakeSeat,
)
from ..store import idempotency
from ..store.tokens import revocation, token_id_of
from ..views.callers import TokenCache
from ..views.reader import Reader
from ..views.rulesets import engine_of
from ..views.threads import Threads
from . import customs
from .changes import agree
from .deciding import Order, Receipt, decide
from .engine import Engine, Job, Ready, Replayed, WorkingGames, Write
from .giving import give as give_ahead
from .inflight import InFlight, Joined
from .locks import Logged, check_logged
from .opening import open_fork, open_game
from .passing import pass_on
from .seating import take
from .staging import ReadyRequest
from .takebacks import take_back

NO_BOTS: Mapping[Seat, BotWish] = MappingProxyType({})

T = TypeVar("T")
M = TypeVar("M", CreatedGame, CustomDocument, GameTold, SeatTaken)


class Writer:
    """Creates games, takes commands. On the event loop.

    logged  whether the public log has an event for good; None: none is kept

    Every method that waits is safe to cancel: what was handed in is finished anyway. Every one
    raises KeyReused, KeyBusy, StoreFull, StoreUnavailable, Overloaded, and Stopping once the
    service has stopped.
    """

    def __init__(
        self, engine: Engine, reader: Reader, threads: Threads, tokens: TokenCache
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._threads = threads
        self._tokens = tokens
        self._inflight = InFlight()
        self.logged: Logged | None = None
        self._loop = asyncio.get_running_loop()

    async def create_game(self, new: NewGame, *, key: str, caller: str) -> CreatedGame:
        """A new game; ``caller`` is the scope of the idempotency ``key``.

        Raises BadSetup, Refused (the rules do not allow the set-up), DiceRefused, KeyReused,
        KeyBusy, StoreFull, StoreUnavailable, Stopping, Overloaded.
        """

        def work(bench: WorkingGames) -> ReadyRequest:
            return open_game(new, bench.games, bench.vault, bench.store, bench.at)

        print_ = th("decklog/create", canonical(new))
        answer = await self.once(f"create/{caller}", key, print_, work)
        return _marked(answer, CreatedGame)

    async def create_fork(
        self,
        parent: Setup,
        fork: Fork,
        name: str,
        *,
        key: str,
        fingerprint: bytes,
        caller: str,
        bots: Mapping[Seat, BotWish] = NO_BOTS,
    ) -> CreatedGame:
        """A what-if game; ``parent`` is the set-up of the game that it comes from.

        bots  by seat that one plays

        Raises what ``create_game`` raises.
        """

        def work(bench: WorkingGames) -> ReadyRequest:
            told = (bench.games, bench.vault, bench.store, bench.at)
            return open_fork(parent, fork, name, bots, *told)

        answer = await self.once(f"fork/{caller}", key, fingerprint, work)
        return _marked(answer, CreatedGame)

    async def post_custom(
        self, found: CustomDocument, *, listed: bool, key: str, caller: str
    ) -> CustomDocument:
        """A document that was checked, kept under the name of its content; once, however often.

        Raises KeyReused, KeyBusy, StoreFull, StoreUnavailable, Stopping, Overloaded.
        """

        def work(bench: WorkingGames) -> Write:
            return customs.keep(bench, found, listed=listed)

        print_ = th("decklog/custom-post", found.id.encode(), str(listed).encode())
        answer = await self.once(f"custom/{caller}", key, print_, work)
        return _marked(answer, CustomDocument)

    async def custom(self, id: str) -> CustomDocument | None:
        """The document of that name, for whoever knows the name."""
        found = await self._threads.read(self._engine.store.custom, id)
        return customs.shown(found, self._engine.store.document_days) if found else None

    async def customs(
        self, ruleset: str, kind: str, *, after: str, limit: int
    ) -> list[CustomDocument]:
        """Listed documents of a kind, the latest post first, after the id ``after``."""
        store = self._engine.store
        found = await self._threads.read(store.customs, ruleset, kind, after, limit)
        return [customs.shown(kept, store.document_days) for kept in found]

    async def take_seat(
        self, game: str, taking: TakeSeat, *, key: str, caller: str = ""
    ) -> SeatTaken:
        """A seat for somebody, and its token.

        The answer is a secret, and so the idempotency ``key`` counts for ``caller`` alone; with an
        invitation, which is a secret itself, it does not matter from where the request is repeated.
        Raises NotFound, SeatRefused, DiceRefused, GameOver and what ``create_game`` raises.
        """

        def work(bench: WorkingGames) -> ReadyRequest:
            return take(bench.live(game), taking, bench.store, bench.at)

        print_ = th("decklog/take", game.encode(), canonical(taking))
        scope = f"take/{game}" if taking.invitation else f"take/{game}/{caller}"
        answer = await self.once(scope, key, print_, work, game)
        if isinstance(taking.invitation, str):
            self._tokens.revoked(token_id_of(taking.invitation))
        return _marked(answer, SeatTaken)

    async def command(
        self,
        game: str,
        seat: Seat,
        command: msgspec.Struct,
        *,
        expected: int,
        key: str,
        fingerprint: bytes,
        caller: str,
        link: bytes | None = None,
        tip: bytes | None = None,
        signature: bytes | None = None,
    ) -> Outcome:
        """Decide ``command`` for ``seat`` at version ``expected``, roll its dice, store it all.

        fingerprint  of the request: another one under the same key raises KeyReused
        link         the seat's own link for batch ``next_batch + link_credit - 1``, where it has a
                     dice tip
        tip          of the seat's next chain, where the one before is spent
        signature    of the order by the seat's own key, where it has one
        Order of checks: idempotency (KeyReused, KeyBusy, or the stored answer), NotFound, Damaged,
        Stale, GameOver, SignatureRefused, DiceRefused, Refused; then StoreFull, StoreUnavailable.
        """
        order = Order(game, seat, command, expected, link, tip, signature)

        def work(bench: WorkingGames) -> ReadyRequest:
            live = bench.live(game)
            return bench.patience.during(game, lambda: decide(live, order, bench.at, bench.entropy))

        print_ = th("decklog/command", game.encode(), seat.encode(), fingerprint)
        answer = await self.once(f"command/{caller}", key, print_, work, game)
        receipt, replayed = told(answer, Receipt)
        return await self._outcome(game, receipt, replayed=replayed)

    async def _outcome(self, game: str, receipt: Receipt, *, replayed: bool) -> Outcome:
        after, count = receipt.first - 1, receipt.last - receipt.first + 1
        events = await self._reader.events_upto(receipt.last, game, receipt.seat, after, count)
        standing = receipt.standing or Standing.of(await self._reader.summary(game))
        return Outcome(
            version=receipt.last,
            head=events[-1].hash,
            command=receipt.command,
            events=tuple(events),
            next_batch=receipt.next_batch,
            standing=standing,
            receipt=receipt.receipt,
            replayed=replayed,
        )

    async def give_agreement(
        self, game: str, seat: Seat, agreeing: NewAgreement, *, key: str, caller: str
    ) -> GameTold:
        """A seat agrees to go on under another engine; the game does, once every seat has agreed.

        Raises NotFound, EngineMissing, EngineNotFound, GameOver, EngineRefused and what
        ``create_game`` raises.
        """

        def work(bench: WorkingGames) -> ReadyRequest:
            live = bench.live(game)
            rules, digest = live.summary.rules, agreeing.digest
            own = parts_of(live.game)[-1].game
            new = own if digest == rules.digest else engine_of(bench.games, rules.ruleset, digest)
            return agree(live, seat, new, digest, bench.store, bench.at)

        asked = agreeing.digest.encode()
        return await self._put_on_record("rules", game, seat, asked, work, key=key, caller=caller)

    async def give_takeback(
        self, game: str, seat: Seat, taking: NewTakeback, *, key: str, caller: str
    ) -> GameTold:
        """A seat takes back its last step.

        Raises NotFound, GameOver, GameFrozen, DiceRefused, TakebackRefused and what
        ``create_game`` raises.
        """

        def work(bench: WorkingGames) -> ReadyRequest:
            return take_back(bench.live(game), seat, taking.command, bench.at)

        asked = canonical(taking)
        return await self._put_on_record(
            "takeback", game, seat, asked, work, key=key, caller=caller
        )

    async def give_links(
        self, game: str, seat: Seat, giving: NewLinks, *, key: str, caller: str
    ) -> GameTold:
        """A seat gives its dice links ahead.

        Raises NotFound, GameOver, GameFrozen, DiceRefused and what ``create_game`` raises.
        """

        def work(bench: WorkingGames) -> ReadyRequest:
            live = bench.live(game)
            check_logged(live, self.logged)
            return bench.patience.during(game, lambda: give_ahead(live, seat, giving, bench.at))

        asked = canonical(giving)
        return await self._put_on_record("links", game, seat, asked, work, key=key, caller=caller)

    async def give_key(
        self, game: str, seat: Seat, giving: NewKey, *, key: str, caller: str
    ) -> GameTold:
        """A seat passes its key on to another one.

        Raises NotFound, GameOver, GameFrozen, DiceRefused, SignatureRefused, SeatRefused and what
        ``create_game`` raises.
        """

        def work(bench: WorkingGames) -> ReadyRequest:
            return pass_on(bench.live(game), seat, giving, bench.store, bench.at)

        asked = canonical(giving)
        return await self._put_on_record("key", game, seat, asked, work, key=key, caller=caller)

    async def _put_on_record(
        self,
        kind: str,
        game: str,
        seat: Seat,
        asked: bytes,
        work: Callable[[WorkingGames], ReadyRequest],
        *,
        key: str,
        caller: str,
    ) -> GameTold:
        """What a seat says beside its orders. ``asked``: what another request of that key lacks."""
        print_ = th(f"decklog/{kind}", game.encode(), seat.encode(), asked)
        answer = await self.once(f"{kind}/{caller}", key, print_, work, game)
        return _marked(answer, GameTold)

    async def revoke(self, token_id: str) -> bool:
        """End a token at once; whether there was one."""

        def work(bench: WorkingGames) -> Write:
            found = bench.store.recorder.query(
                "SELECT 1 FROM tokens WHERE token = ? AND revoked IS NULL", (token_id,)
            )
            return Write([revocation(token_id, bench.at)], bool(found))

        found: bool = await self._hand_in(work)
        self._tokens.revoked(token_id)
        return found

    def hand_in_for(self, game: str, work: Callable[[WorkingGames], Ready]) -> asyncio.Future[Any]:
        """Work of the service's own on a game: no request, so that nothing is remembered of it."""
        return self._handed_in(work, game=game)

    async def once(
        self,
        scope: str,
        key: str,
        fingerprint: bytes,
        work: Callable[[WorkingGames], ReadyRequest | Write],
        game: str = "",
    ) -> Any:
        """What ``work`` answers, or Replayed: the same key has one effect, however often it comes.

        Requests that come while the first one runs wait for its answer.
        """

        def remembered(bench: WorkingGames) -> Ready:
            found = bench.remembered((scope, key), fingerprint)
            if found is not None:
                return Replayed(found)
            try:
                staged = work(bench)
            except Exception:
                found = bench.overtaken((scope, key), fingerprint)
                if found is None:
                    raise
                return Replayed(found)
            staged = receipted(staged, bench)
            answer = msgspec.json.encode(staged.answer)
            memory = idempotency.insertion(
                bench.store.box, (scope, key), fingerprint, answer, bench.store.ageing.at,
                bench.entropy,
            )  # fmt: skip
            if isinstance(staged, Write):
                return Write([*staged.statements, memory], staged.answer)
            statements = (*staged.commit.statements, memory)
            commit = msgspec.structs.replace(staged.commit, statements=statements)
            return msgspec.structs.replace(staged, commit=commit)

        return await self._inflight.once(
            (scope, key), fingerprint, lambda: self._handed_in(remembered, (scope, key), game)
        )

    def _handed_in(
        self,
        work: Callable[[WorkingGames], Ready],
        key: idempotency.Key | None = None,
        game: str = "",
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self._loop.create_future()
        self._engine.hand_in(Job(work, future, key, game))
        return future

    async def _hand_in(self, work: Callable[[WorkingGames], Ready]) -> Any:
        return await asyncio.shield(self._handed_in(work))


def receipted(staged: ReadyRequest | Write, bench: WorkingGames) -> ReadyRequest | Write:
    """With the receipt for what was accepted, where the service signs: it is remembered with the
    answer, so that who asks again gets the same."""
    keys = bench.store.signers
    if not isinstance(staged, ReadyRequest) or staged.accepted is None or keys is None:
        return staged
    given = give(staged.live.id, staged.accepted, bench.at, keys.receipts)
    answer = msgspec.structs.replace(staged.answer, receipt=as_field(given))
    return msgspec.structs.replace(staged, answer=answer)


def told(answer: Any, type_: type[T]) -> tuple[T, bool]:
    """The answer, and whether it was given before: to another just now, or stored."""
    replayed = isinstance(answer, Replayed)
    if isinstance(answer, Joined):
        answer = answer.value
    elif isinstance(answer, Replayed):
        answer = msgspec.json.decode(answer.answer, type=type_)
    assert isinstance(answer, type_)
    return answer, replayed


def _marked(answer: Any, type_: type[M]) -> M:
    """The answer, which says itself whether it was given before."""
    found, replayed = told(answer, type_)
    return msgspec.structs.replace(found, replayed=replayed)
