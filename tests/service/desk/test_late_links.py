"""After a renewal nobody opens links before every seat has begun its new chain, or the last one
could make a secret that fits them; meanwhile no order has to wait."""

from __future__ import annotations

from pathlib import Path

from service.desk import Desk
from service.models import NewLinks, TakeSeat
from tests.support.pennant import Fire
from tests.support.player import Player

from .kit import fresh_key, judged, new_game, on_desk, order, wishes
from .test_links_ahead import SEATS, begin, give, refused


async def starts_anew(desk: Desk, game: str, player: Player) -> None:
    tip = player.new_tip(await desk.reader.summary(game))
    assert tip is not None
    seat = SEATS[player.place]
    giving = NewLinks(tip=tip.hex())
    await desk.writer.give_links(game, seat, giving, key=fresh_key(), caller=seat)


async def gives(desk: Desk, game: str, player: Player, upto: int) -> None:
    summary = await desk.reader.summary(game)
    number = upto - summary.first_batch + 1
    link = player.link(player.params(summary), number)
    await give(desk, game, player, upto, link)


def test_links_are_given_once_every_seat_has_begun_its_new_chain(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        made = (await new_game(desk, turns=30, grade="A1", seats=wishes("open", "open"))).game
        game, players = made.id, [Player(place, 4) for place in (0, 1)]
        for seat, player in zip(SEATS, players, strict=True):
            taking = TakeSeat(seat=seat, dice_tip=player.tip(made).hex())
            await desk.writer.take_seat(game, taking, key=fresh_key())
        for player in players:
            await gives(desk, game, player, 4)
        await begin(desk, game)
        while not (summary := await desk.reader.summary(game)).renewals:
            await order(desk, game, summary.to_move[0].seat, Fire("hull"))
        await starts_anew(desk, game, players[0])
        upto = summary.first_batch
        assert await refused(desk, game, players[0], upto) == "dice.link-unexpected"
        for _ in SEATS:
            summary = await desk.reader.summary(game)
            await order(desk, game, summary.to_move[0].seat, Fire("hull"))
        await starts_anew(desk, game, players[1])
        for player in players:
            desk.engine.drop(game)
            await gives(desk, game, player, upto + 3)
        summary = await desk.reader.summary(game)
        await order(desk, game, summary.to_move[0].seat, Fire("hull"))
        verdict = await judged(desk, game)
        assert verdict.batches[-1].seats == SEATS

    on_desk(tmp_path, test, chain_length=4)
