"""Players, readers and meddlers, and what they were told."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from service.models import GameSummary, TakeSeat
from tests.support.player import Player

from . import checks
from .ages import Attic
from .kernel import World
from .town import Ask, Exchange, Lost, Said, Town
from .voices import AppVoice, DeskVoice, Order, Voice

AGAIN = (408, 429, 500, 502, 503, 504, 507)
"""Statuses that say: try again."""

PATIENCE = 12.0
"""Seconds after which somebody takes it that no answer comes."""

EXPECTED = frozenset({"version.stale", "game.over"})
"""Codes with which what was just offered may be refused: others were quicker."""


TOO_LATE = frozenset({*EXPECTED, "dice.link-wrong"})
UNFORKED = frozenset({"fork.unmeasured", "fork.between", "game.over", "version.unknown"})
"""Codes with which a what-if game may be refused."""

GONE = frozenset({"game.not-found", "token.invalid", "version.unknown"})
"""Codes that only a store that went back gives to those who play."""

REUSED = frozenset({"idempotency.key-reused"})


@dataclass
class Reader:
    """Who follows a game through the eyes of a seat ("": the public), and what he got."""

    seat: str
    lines: list[bytes] = field(default_factory=list)
    finished: bool = False
    exchange: Exchange | None = None
    following: bool = False


@dataclass
class Table:
    """A game, its seats' tokens and dice chains, and who follows it.

    absent  seats that make no new chain when the one that they had is spent
    """

    id: str
    organiser: str
    tokens: dict[str, str]
    players: dict[str, Player]
    absent: set[str] = field(default_factory=set)
    readers: list[Reader] = field(default_factory=list)
    over: bool = False


@dataclass
class Deed:
    """A command under its key: what was sent, and what was said to it, if anything was.

    began  when it was asked what there is to do
    lost  the store went back behind it
    """

    order: Order
    began: float
    ended: float = 0.0
    said: Said | None = None
    command: str = ""
    version: int = 0
    lost: bool = False

    @property
    def done(self) -> bool:
        return self.said is not None and not self.said.code and not self.lost


class Gone(Exception):
    """The store went back behind the beginning of a game."""


@dataclass
class Manners:
    """What the people of a world are like.

    commands  how many are to be acknowledged before they rest
    think     seconds that somebody thinks, at most; 0: a crowd
    readers   who follow each game: the public first, then its seats
    invited   the last seat is taken by an invitation, for which two contend
    chained   and whoever takes it brings a dice chain of his own
    lazy      how likely a seat goes away for a while, up to twice the time that it has
    deadline  seconds for each question; 0: none
    twice     how likely a command is sent twice at the same moment
    repeat    how likely some command of long ago is sent again after a turn
    brief     rounds after which a game is left for a new one; 0: it is played to its end
    absent    how likely whoever brings a chain makes no other when it is spent
    """

    ruleset: str = "pennant"
    options: Mapping[str, Any] = field(default_factory=dict)
    commands: int = 200
    tables: int = 4
    think: float = 0.05
    readers: int = 3
    invited: bool = False
    chained: bool = False
    lazy: float = 0.0
    deadline: int = 0
    twice: float = 0.0
    repeat: float = 0.05
    brief: int = 0
    absent: float = 0.0


class People:
    """All who are outside.

    codes  how often what was answered in place of what was hoped for
    forks  answers that gave a what-if game
    besides  commands that were done while the store went back, by requests that were sent before
    attic  what they leave behind, in a world with nights
    nights  when each was over, and who had asked before had been answered by the evening's time
    """

    def __init__(self, town: Town, manners: Manners) -> None:
        self.town, self.manners = town, manners
        self.voice: Voice = DeskVoice(town.games) if town.plan.level == "desk" else AppVoice()
        self.tables: list[Table] = []
        self.deeds: list[Deed] = []
        self.reads: list[tuple[str, float, float, int]] = []
        self.acknowledged = 0
        self.codes: dict[str, int] = {}
        self.forks = 0
        self.besides: set[str] = set()
        self.attic = Attic(self) if town.plan.days else None
        self.nights: list[float] = []
        self._asking: dict[object, float] = {}
        self._keys = 0
        self._went_back = -1.0

    @property
    def world(self) -> World:
        return self.town.world

    @property
    def enough(self) -> bool:
        return self.acknowledged >= self.manners.commands

    def begin(self) -> None:
        for _ in range(self.manners.tables):
            self._go(self._play_on())

    def _go(self, work: Coroutine[Any, Any, Any]) -> None:
        self.town.outside.spawn(self._guarded(work))

    async def _guarded(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except Gone:
            self._go(self._play_on())
        except AssertionError as error:
            self.world.fail(str(error))
        except Exception as error:
            self.world.fail(f"somebody outside failed: {error!r}")

    @property
    def rested(self) -> bool:
        """Whether the last night is over for everybody who is asking for something."""
        last = self.nights[-1] if self.nights else -1.0
        return self.world.now > last and all(began > last for began in self._asking.values())

    def _known(self, deed: Deed) -> bool:
        """Whether its key has to be known: a night is shorter than that, two may be longer."""
        return sum(night > deed.began for night in self.nights) < 2

    def key(self) -> str:
        self._keys += 1
        return f"key-{self._keys:032d}"

    # --- asking ---

    async def _once(self, ask: Ask) -> Said | None:
        """One try, at any worker; None where nobody knows what became of it."""
        number = self.world.play.randrange(len(self.town.workers))
        exchange = self.town.call(number, ask)
        try:
            async with asyncio.timeout(PATIENCE):
                return await exchange.future
        except (Lost, TimeoutError):
            exchange.hang_up()
            return None

    async def ask(self, ask: Ask) -> Said:
        """The last word on a request."""
        me = object()
        self._asking[me] = self.world.now
        try:
            return await self._last_word(ask)
        finally:
            del self._asking[me]

    async def _last_word(self, ask: Ask) -> Said:
        while True:
            said = await self._once(ask)
            if said is not None and said.status not in AGAIN and said.code != _BUSY:
                if said.code in GONE and self._went_back > 0:
                    raise Gone
                return said
            code = "lost" if said is None else said.code
            self._count(code)
            if code == "internal.error":
                self.world.fail(f"an internal error: {said}")
            await asyncio.sleep(0.05 + self.world.play.random() * 0.5)

    def _count(self, code: str) -> None:
        self.codes[code] = self.codes.get(code, 0) + 1

    # --- games ---

    async def _created(self, *, played: bool) -> Said:
        """A new game, which may bring a document; where that is gone by now, without it."""
        wish, began = self._wish(), self.world.now
        if self.attic is not None and played:
            wish |= self.attic.brought()
        said = await self.ask(self.voice.create(wish, self.key()))
        if self.attic is not None and not self.attic.named(wish, began, said.code):
            said = await self.ask(self.voice.create(self._wish(), self.key()))
        return said

    async def open_table(self, *, played: bool = True) -> Table:
        began = self.world.now
        said = await self._created(played=played)
        assert said.status == 201, f"no new game: {said.body!r}"
        id_, organiser = said.told["game"]["id"], said.told["organiser"]
        if self.town.plan.hooks:
            hooked = await self.ask(self.voice.hook(id_, organiser, self.key()))
            assert hooked.status == 201, f"no webhook: {hooked.body!r}"
        if self.attic is not None:
            self.attic.opened(id_, began)
        tokens = {each["seat"]: each["token"] for each in said.told["tokens"]}
        table = Table(id_, organiser, tokens, {})
        for each in said.told["invitations"]:
            await self._seat(table, said.told["game"], each)
        self.tables.append(table)
        for seat in ("", *tokens)[: self.manners.readers]:
            reader = Reader(seat)
            table.readers.append(reader)
            self._go(self._follow(table, reader))
        return table

    def _wish(self) -> dict[str, Any]:
        manners = self.manners
        wish: dict[str, Any] = {"ruleset": manners.ruleset, "options": dict(manners.options)}
        if manners.invited:
            wish["seats"] = [{"seat": "p1"}, {"seat": "p2", "hold": "invite"}]
        if manners.chained:
            wish["grade"] = "A1"
        if manners.deadline:
            wish["deadline"] = manners.deadline
        return wish

    async def _seat(self, table: Table, game: Any, invited: Mapping[str, str]) -> None:
        """Two contend for a seat with one invitation, each sends twice: one gets one token."""
        seat = invited["seat"]
        taking = TakeSeat(seat=seat, invitation=invited["token"])
        if self.manners.chained:
            player = Player([each["seat"] for each in game["seats"]].index(seat), self._length)
            summary = msgspec.convert(game, GameSummary)
            taking = msgspec.structs.replace(taking, dice_tip=player.tip(summary).hex())
            table.players[seat] = player
            if self.manners.absent and self.world.play.random() < self.manners.absent:
                table.absent.add(seat)
        keys, began = [self.key(), self.key()], self.world.now
        said = await asyncio.gather(
            *(self.ask(self.voice.take(table.id, taking, key)) for key in (*keys, *keys))
        )
        if began < self._went_back:
            raise Gone
        table.tokens[seat] = checks.one_seat(said[0::2], said[1::2])

    @property
    def _length(self) -> int:
        return self.town.plan.chain_length

    async def _play_on(self) -> None:
        """Game after game, until enough is done."""
        while not self.enough:
            if self.attic is not None:
                await self.attic.leave()
            table, rounds = await self.open_table(), 0
            while self._going(table) and rounds < (self.manners.brief or math.inf):
                rounds += 1
                await asyncio.sleep(self.world.play.random() * self.manners.think)
                with suppress(Gone):
                    await self._turn(table)

    def _going(self, table: Table) -> bool:
        return not (self.enough or table.over)

    async def _turn(self, table: Table) -> None:
        """Everybody who is asked does something, at the same moment."""
        began = self.world.now
        said = await self.ask(self.voice.summary(table.id))
        assert not said.code, f"no summary: {said.body!r}"
        if began > self._went_back:
            self.reads.append((table.id, began, self.world.now, said.told["version"]))
        if said.told["status"] == "finished":
            table.over = True
            return
        seats = [each["seat"] for each in said.told["toMove"]]
        await asyncio.gather(*(self._act(table, seat, said.told) for seat in seats))
        if self.world.play.random() < self.manners.repeat:
            await self._repeat()
            await self._fork(table)

    async def _fork(self, table: Table) -> None:
        """A what-if game, asked for twice under one key: one is made, and the game is as it was."""
        if not isinstance(self.voice, AppVoice):
            return
        began = self.world.now
        seat, token = self.world.play.choice(sorted(table.tokens.items()))
        ask = self.voice.fork(table.id, token, self.key())
        said = await asyncio.gather(self.ask(ask), self.ask(ask))
        if began > self._went_back:
            checks.alike(said)
            for each in said:
                assert each.code in ("", *UNFORKED), f"no fork for {seat}: {each.body!r}"
                self.forks += not each.code
                if self.attic is not None and not each.code:
                    self.attic.forked(each.told["game"]["id"], began)

    async def _act(self, table: Table, seat: str, summary: Any) -> None:
        play = self.world.play
        if play.random() < self.manners.lazy:
            await asyncio.sleep(play.random() * 2 * self.manners.deadline)
            return
        token, pick, asked = table.tokens[seat], play.random(), self.world.now
        offer = await self.ask(self.voice.offer(table.id, seat, token, pick))
        assert not offer.code, f"no offer: {offer.body!r}"
        version, command = offer.told["version"], offer.told["command"].encode()
        if command:
            order = Order(table.id, seat, token, version, command, self.key())
            order = self._with_link(table, summary, order)
            deed = Deed(order, asked)
            self.deeds.append(deed)
            await self._give(deed)

    def _with_link(self, table: Table, summary: Any, order: Order) -> Order:
        """The order with the seat's dice link, where it has a chain."""
        player = table.players.get(order.seat)
        if player is None:
            return order
        game = msgspec.convert(summary, GameSummary)
        link, tip = player.next_link(game), player.new_tip(game)
        if tip is not None and order.seat in table.absent:
            return order  # the chain before is spent, and he makes no other
        return msgspec.structs.replace(order, link=link, tip=tip)

    async def _give(self, deed: Deed) -> None:
        ask = self.voice.give(deed.order)
        tries = [self.ask(ask)]
        if self.world.strikes("people/twice", self.manners.twice) is not None:
            tries.append(self.ask(ask))
        said = await asyncio.gather(*tries)
        if deed.began > self._went_back:
            checks.alike(said)
        first = said[0]
        deed.ended, deed.said = self.world.now, first
        if first.code:
            self._count(first.code)
            late = deed.order.link is not None and first.code.startswith("dice.")
            late = late or (self._went_back > 0 and first.code == "version.lost")
            late = late or deed.began < self._went_back  # of a version that was another one
            assert first.code in EXPECTED or late, f"an offer was refused: {first.body!r}"
            if first.code == "version.stale" and not late:
                checks.overtaken(self.town, deed.order)
            return
        deed.command, deed.version = first.told["command"], first.told["version"]
        self.acknowledged += 1
        self.world.log(f"done {deed.command} {deed.version}")
        if deed.began < self._went_back:
            self._done_again(said)
            deed.lost = not self._stored(deed)
        if not deed.lost:
            checks.acknowledged(self.town.disk, deed)

    async def _repeat(self) -> None:
        """Some command of long ago once more: the same bytes."""
        done = [deed for deed in self.deeds[-300:] if deed.done]
        if done:
            deed = self.world.play.choice(done)
            began, said = self.world.now, await self.ask(self.voice.give(deed.order))
            if began > self._went_back:
                if self._known(deed) or not said.code:
                    checks.repeated(deed, said)
                else:  # its key may be forgotten by now: then its version is an old one
                    checks.refused(said, TOO_LATE)
                await self._meddle(deed, done)
            else:
                self._done_again([said])

    async def _meddle(self, deed: Deed, done: Sequence[Deed]) -> None:
        """What has to be refused: an old version, and another command under a key that is known."""
        old, began = msgspec.structs.replace(deed.order, key=self.key()), self.world.now
        said = await self.ask(self.voice.give(old))
        if began < self._went_back:
            self._done_again([said])
            return
        checks.refused(said, TOO_LATE)
        others = [
            each.order
            for each in done
            if each.order.token == deed.order.token and each.order.command != deed.order.command
        ]
        if others:
            other = msgspec.structs.replace(deed.order, command=others[-1].command)
            said = await self.ask(self.voice.give(other))
            if began > self._went_back:
                checks.refused(said, REUSED if self._known(deed) else REUSED | TOO_LATE)
            else:
                self._done_again([said])

    # --- a store that went back ---

    def went_back(self) -> None:
        """A standby took over: what it has is what counts, and they know no more than it."""
        ask = self.town.disk.ask
        self._went_back = self.world.now
        self.reads.clear()
        for deed in self.deeds:
            deed.lost = deed.lost or (deed.done and not self._stored(deed))
        versions = dict(ask("SELECT game, version FROM games"))
        for table in list(self.tables):
            there = table.id in versions and self._seated(table)
            for reader in table.readers:
                self._knows_less(table, reader, versions.get(table.id, 0), there=there)
            table.over = not there
            if not there:
                self.tables.remove(table)

    def _done_again(self, said: Sequence[Said]) -> None:
        """What was under way meanwhile: whose key the store has lost is done once more."""
        self.besides |= {each.told["command"] for each in said if not each.code}

    def _knows_less(self, table: Table, reader: Reader, version: int, *, there: bool) -> None:
        if reader.exchange is not None:
            reader.exchange.hang_up()
        ended, reader.finished = reader.finished, not there
        if len(reader.lines) > version:
            del reader.lines[version:]
            if ended and there and not reader.following:  # of an end that never was
                self._go(self._follow(table, reader))

    def _stored(self, deed: Deed) -> bool:
        return bool(self.town.disk.ask("SELECT 1 FROM commands WHERE id = ?", (deed.command,)))

    def _seated(self, table: Table) -> bool:
        """Whether the seat that was taken last is still taken."""
        kept = {(seat,) for seat in table.tokens}
        sql = "SELECT seat FROM tokens WHERE game = ? AND kind = 'seat' AND revoked IS NULL"
        return kept <= set(self.town.disk.ask(sql, (table.id,)))

    # --- following ---

    async def _follow(self, table: Table, reader: Reader) -> None:
        """A game to its end, from wherever he was when he was cut off."""
        play, reader.following = self.world.play, True
        while not reader.finished:
            token = table.tokens.get(reader.seat, "")
            ask = self.voice.follow(table.id, reader.seat, token, len(reader.lines))
            number = play.randrange(len(self.town.workers))
            exchange = reader.exchange = self.town.call(number, ask, _lines(reader))
            leaves = play.random() * 3 if play.random() < 0.2 and not self.enough else None
            try:
                async with asyncio.timeout(leaves):
                    said = await exchange.future
                if said.status == 204:
                    reader.finished = True
                behind = said.code in GONE and self._went_back > 0
                assert said.status in (200, 204, *AGAIN) or behind, f"a stream: {said}"
            except (Lost, TimeoutError):
                exchange.hang_up()
            await asyncio.sleep(0.02 + play.random() * 0.2)
        reader.following = False


_BUSY = "idempotency.key-busy"


def _lines(reader: Reader) -> Any:
    """Takes pieces of a stream apart into lines; what is cut off by its end is thrown away."""
    rest = [b""]

    def piece(data: bytes) -> None:
        whole = (rest[0] + data).split(b"\n")
        rest[0] = whole.pop()
        reader.lines.extend(line for line in whole if line)

    return piece
