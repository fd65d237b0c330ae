"""Makes the frozen stored forms: a whole game as rows, with the master that opens it.

    python -m tests.service.store.freeze

Run it once for each new format, under a new file name: what is frozen is read for ever. With
``--events`` it only adds a game of Pennant for an event of it that no file has yet
(``forms-pennant-EVENT.jsonl``); `make remake` does.

``forms.jsonl`` is a game of Pennant, one batch a command before all of its events;
``forms-2.jsonl`` one of Soundings, with hidden batches and chains that were renewed;
``forms-3.jsonl`` another one, with a deadline that p1 misses at once; ``forms-4.jsonl`` one
more, which says in its first event who waits; ``forms-abandoned.jsonl`` a game of Naval
Battles that nobody joined; ``forms-tender.jsonl`` a game of Pennant that costs a tender. In
``forms-5.jsonl`` and ``forms-abandoned-2.jsonl`` the master is opened after the end, by itself. In
``forms-abandoned-3.jsonl`` a step is two fields; in ``forms-6.jsonl`` the store went back when
p1 had been late. In ``forms-changed.jsonl`` a game of Pennant went over to another engine; in
``forms-ruled.jsonl`` one was frozen, thawed, and ended by ruling. In ``forms-abandoned-4.jsonl``
it is said when discards are shuffled; in ``forms-beacon.jsonl`` a game of Pennant has a beacon's
round, and is forfeited. In ``forms-taken-back.jsonl``, a battle at sea, a step is taken back; in
``forms-keys.jsonl`` the key of a seat is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import tempfile
from collections.abc import Callable, Coroutine, Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.commands import Resign
from service.bots import Signer
from service.clock import FixedClock
from service.desk import Desk, open_desk
from service.models import NewAgreement, NewGame, OrderKey, SeatWish, TakeSeat
from service.settings import Settings
from service.store import engines
from tests.service.desk import test_takebacks as takebacks
from tests.service.desk.kit import desk_in, fresh_key, instruct, new_game, order, play
from tests.service.desk.test_beaconed import JUST_BEFORE, a_round_and_an_absence
from tests.service.desk.test_locked_orders import begun, give
from tests.service.engines.harm import later
from tests.support import pennant
from tests.support.player import Player
from tests.support.soundings import Draw, Gale, Jettison

KINDS = (
    "",
    "-2",
    "-3",
    "-tender",
    "-abandoned",
    "-4",
    "-5",
    "-changed",
    "-ruled",
    "-links",
    "-abandoned-2",
    "-abandoned-3",
    "-beacon",
    "-taken-back",
    "-keys",
    "-abandoned-4",
    "-6",
)
HERE = Path(__file__).parent
FORMS = (
    *sorted(HERE.glob("forms-pennant-*.jsonl")),
    *(HERE / f"forms{name}.jsonl" for name in KINDS),
)
TRIED = 60
"""Games of Pennant in which an event is looked for."""

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

LENGTH = 16
"""Links of the game's chains: short, so that they are spent and renewed."""


class Head(msgspec.Struct):
    """First line: which game, its master in hex, and its state at the end."""

    game: str
    master: str
    params: str
    state: msgspec.Raw
    ruleset: str = "pennant"


class Form(msgspec.Struct):
    """Each further line: a row of ``stored_events``."""

    seq: int
    topic: str
    state: str


Make = Callable[[Path], Coroutine[Any, Any, tuple[Head, list[Form]]]]


async def record(folder: Path) -> tuple[Head, list[Form]]:
    """A game in which every platform event and every event of Soundings occurs."""
    clock = FixedClock(NOON)
    async with desk_in(folder, clock, chain_length=LENGTH, deadline_grace=0) as desk:
        seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="open")]
        fields: dict[str, Any] = {
            "ruleset": "soundings",
            "grade": "A1",
            "seats": seats,
            "deadline": 60,
        }
        created = await new_game(desk, turns=24, seed="forms", **fields)
        game, player = created.game.id, Player(1, LENGTH)
        tip = player.tip(created.game).hex()
        await desk.writer.take_seat(
            game, TakeSeat(seat="p2", dice_tip=tip, accept_named_seed=True), key=fresh_key()
        )
        clock.at += timedelta(seconds=60)
        await desk.timekeeper.tick()
        desk.store.recorder.put((), [("INSERT INTO lost (game) VALUES (?)", (game,))])
        desk.engine.drop(game)
        await desk.announcer.look()
        await _play(desk, game, player)
        return await _kept(desk, game, "soundings")


async def record_abandoned(folder: Path) -> tuple[Head, list[Form]]:
    """A game of Naval Battles that its creator leaves before anybody has joined."""
    settings = Settings(database=folder / "left.sqlite", key="07" * 32, chain_length=LENGTH)
    async with open_desk(settings, {"naval-battles": GAME}, FixedClock(NOON)) as desk:
        seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="open")]
        new = NewGame(ruleset="naval-battles", seats=seats)
        game = (await desk.writer.create_game(new, key=fresh_key(), caller="")).game.id
        await order(desk, game, "p1", Resign())
        return await _kept(desk, game, "naval-battles")


async def record_changed(folder: Path) -> tuple[Head, list[Form]]:
    """A game of Pennant that goes over to another engine, which decides alike, and back."""
    archive = later()
    digest = hashlib.sha256(archive).hexdigest()
    async with desk_in(folder, FixedClock(NOON)) as desk:
        desk.store.recorder.put((), [engines.insertion(digest, archive)])
        created = await new_game(desk, turns=12, seed="forms changed")
        game, own = created.game.id, created.game.rules.digest
        await play(desk, game, 7, 3)
        for wanted in (digest, own):
            for seat in ("p1", "p2"):
                wish = NewAgreement(digest=wanted)
                await desk.writer.give_agreement(game, seat, wish, key=fresh_key(), caller="")
        await play(desk, game, 7)
        return await _kept(desk, game, "pennant")


async def record_ruled(folder: Path) -> tuple[Head, list[Form]]:
    """A game of Pennant that an operator stops, lets go on, and ends."""
    async with desk_in(folder, FixedClock(NOON)) as desk:
        game = (await new_game(desk, turns=12, seed="forms ruled", deadline=60)).game.id
        await play(desk, game, 7, 3)
        await instruct(desk, "freeze", game, tell="a complaint")
        await instruct(desk, "thaw", game)
        await play(desk, game, 7, 1)
        await instruct(desk, "end", game, tell="It was right.")
        return await _kept(desk, game, "pennant")


async def record_keys(folder: Path) -> tuple[Head, list[Form]]:
    """A game of Pennant in which p1 passes its key on, and then loses it."""
    async with desk_in(folder, FixedClock(NOON)) as desk:
        one, two = Signer(b"1" * 32), Signer(b"2" * 32)
        wish = SeatWish(seat="p1", order_key=OrderKey(public=one.registered["public"]))
        seats = [wish, SeatWish(seat="p2")]
        game = (await new_game(desk, turns=12, seed="forms keys", seats=seats)).game.id
        told = {"seat": "p1", "public": two.registered["public"]}
        signature = one.pass_on(game, "p1", two)
        await instruct(desk, "key", game, tell="a new telephone", **told, signature=signature)
        await instruct(desk, "key", game, tell="it is gone", seat="p1")
        await play(desk, game, 7)
        return await _kept(desk, game, "pennant")


async def record_links(folder: Path) -> tuple[Head, list[Form]]:
    """A game of Pennant with dice of grade A2, of which one batch is voided."""
    async with desk_in(folder, FixedClock(NOON)) as desk:
        game, players = await begun(desk, turns=4)
        await order(desk, game, "p1", pennant.Fire())
        await instruct(desk, "void", game, tell="a wrong click")
        while (summary := await desk.reader.summary(game)).result is None:
            await order(desk, game, summary.to_move[0].seat, pennant.Fire())
            for player in players:
                await give(desk, game, player)
        return await _kept(desk, game, "pennant")


async def record_beacon(folder: Path) -> tuple[Head, list[Form]]:
    """A game of Pennant with a round of a public beacon in its dice, which p2 forfeits."""
    relay = folder / "relay"
    clock = FixedClock(JUST_BEFORE)
    async with desk_in(folder, clock, beacon=str(relay), deadline_grace=0) as desk:
        async for _ in a_round_and_an_absence(desk, clock, relay):
            pass
        ((game, *_),) = desk.store.recorder.query("SELECT game FROM games")
        return await _kept(desk, game, "pennant")


async def record_taken_back(folder: Path) -> tuple[Head, list[Form]]:
    """A battle at sea in which a seat takes back a step, ended by an operator soon after."""
    choose = random.Random(1)
    async with desk_in(folder, FixedClock(NOON), takebacks.GAMES) as desk:
        game = await takebacks.begun(desk)
        await takebacks.take_back(desk, game, await takebacks.until_offered(desk, game, choose))
        await takebacks.one_more(desk, game, choose)
        await instruct(desk, "end", game, tell="It is long enough.")
        return await _kept(desk, game, "war-at-sea")


async def _kept(desk: Desk, game: str, ruleset: str) -> tuple[Head, list[Form]]:
    stored = desk.store.game(game)
    assert stored is not None
    state = msgspec.Raw(msgspec.json.encode((await desk.reader.view(game, "truth")).state))
    master, params = stored.master.hex(), stored.summary.params
    forms = [Form(seq, topic, text.decode()) for seq, topic, text in desk.store.rows(game)]
    return Head(game, master, params, state, ruleset), forms


async def _play(desk: Desk, game: str, player: Player) -> None:
    """Every command in turn; p2 sends its links, and a new tip when its chain is spent."""
    kinds = (Gale(), Draw(), Jettison())
    for number in count():
        summary = await desk.reader.summary(game)
        if summary.result is not None:
            return
        seat, command = summary.to_move[0].seat, kinds[number // 2 % 3]
        if isinstance(command, Jettison):
            hand = (await desk.reader.view(game, seat)).state.hands[int(seat[1:]) - 1]
            command = Jettison(hand.items[:1])
        own: dict[str, Any] = {}
        if seat == "p2":
            own = {"link": player.next_link(summary), "tip": player.new_tip(summary)}
        await order(desk, game, seat, command, **own)


async def record_event(folder: Path, topic: str) -> tuple[Head, list[Form]]:
    """A game of Pennant, played at random, in which an event occurs. Raises LookupError."""
    for seed in range(TRIED):
        async with desk_in(folder / str(seed), FixedClock(NOON)) as desk:
            game = (await new_game(desk, turns=12, seed=f"forms {seed}")).game.id
            await play(desk, game, seed)
            head, forms = await _kept(desk, game, "pennant")
        if topic in {form.topic for form in forms}:
            return head, forms
    raise LookupError(f"{TRIED} games of Pennant, played at random, and none comes to {topic}")


def unfrozen(files: Iterable[Path] = FORMS) -> list[str]:
    """The events of Pennant that no file has, by stored name."""
    rows = (row for file in files for row in file.read_bytes().splitlines()[1:])
    known = {msgspec.json.decode(row, type=Form).topic for row in rows}
    topics = [f"pennant.{event.NAME}.v1" for event in pennant.GAME.events]
    return [topic for topic in topics if topic not in known]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.service.store.freeze")
    parser.add_argument("--events", action="store_true", help="only events of Pennant that are new")
    if parser.parse_args().events:
        for topic in unfrozen():
            name = f"forms-pennant-{topic.split('.')[1]}.jsonl"
            _write(HERE / name, partial(record_event, topic=topic))
        return
    for file, make in zip(FORMS[-2:], (record_abandoned, record), strict=True):
        _write(file, make)
    _write(HERE / "forms-changed.jsonl", record_changed)
    _write(HERE / "forms-ruled.jsonl", record_ruled)
    _write(HERE / "forms-links.jsonl", record_links)
    _write(HERE / "forms-beacon.jsonl", record_beacon)
    _write(HERE / "forms-taken-back.jsonl", record_taken_back)
    _write(HERE / "forms-keys.jsonl", record_keys)


def _write(file: Path, make: Make) -> None:
    with tempfile.TemporaryDirectory() as folder:
        head, forms = asyncio.run(make(Path(folder)))
    lines = [msgspec.json.encode(line) for line in (head, *forms)]
    file.write_bytes(b"\n".join(lines) + b"\n")
    print(f"{file.name}: {len(forms)} events")


if __name__ == "__main__":
    main()
