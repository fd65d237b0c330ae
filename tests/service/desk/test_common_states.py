"""What nobody has a secret in is not folded for each viewer: warm and cold views are one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea import GAME as WAR_AT_SEA
from domain.kernel.codec import full
from domain.kernel.values import PUBLIC, TRUTH, Viewer
from projections.stream import Told
from service.desk import Desk
from service.http.wire import event_bytes
from service.models import NewGame
from service.views.views import ViewCache
from tests.service.desk.kit import fresh_key, on_desk, order, play
from tests.support import pennant, soundings

GAMES: Mapping[str, Any] = {
    "pennant": pennant.GAME,
    "soundings": soundings.GAME,
    "war-at-sea": WAR_AT_SEA,
}
VIEWERS: tuple[Viewer, ...] = ("p1", "p2", PUBLIC, TRUTH)
COMMANDS = 40


@pytest.mark.parametrize("ruleset", sorted(GAMES))
def test_warm_and_cold_views_are_the_same_bytes(ruleset: str, tmp_path: Path) -> None:
    """Of two games at once: what is kept of one is never told of the other."""

    async def test(desk: Desk) -> None:
        made = [
            await desk.writer.create_game(
                NewGame(ruleset, seed=seed), key=fresh_key(), caller="tests"
            )
            for seed in ("one", "other")
        ]
        dice = random.Random(ruleset)
        versions = {each.game.id: 0 for each in made}
        for _ in range(COMMANDS):
            for game, before in versions.items():
                versions[game] = await one_more(desk, game, dice)
                await compare(desk, game, before, versions[game])

    on_desk(tmp_path, test, games=GAMES)


async def one_more(desk: Desk, game: str, dice: random.Random) -> int:
    """A random legal command, if the game goes on; the version after it."""
    summary = await desk.reader.summary(game)
    if not summary.to_move:
        return summary.version
    seat = dice.choice(summary.to_move).seat
    rules = GAMES[summary.rules.ruleset]
    legal = rules.legal((await desk.reader.view(game, seat)).state, seat).commands
    return (await order(desk, game, seat, dice.choice(legal))).version


async def compare(desk: Desk, game: str, before: int, version: int) -> None:
    """The events and the state of each viewer, as the desk has them and as the rows give them."""
    cold = ViewCache(desk.store, GAMES, 1).of(game)
    for viewer in VIEWERS:
        warm = await desk.reader.events(game, viewer, before, version - before)
        read = cold.seen(viewer, before, version - before, version)
        assert list(map(event_bytes, warm)) == list(map(event_bytes, read))
        state = (await desk.reader.view(game, viewer)).state
        assert written(state) == written(cold.at(viewer, version))


def written(state: Any) -> bytes:
    """The state as it is sent: not sorted, so that another order of its parts would show."""
    return msgspec.json.encode(full(state))


def test_a_state_is_common_only_while_nobody_has_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Told] = []

    async def test(desk: Desk) -> None:
        monkeypatch.setattr(ViewCache, "carry", lambda views, game, *to: told.extend(to[-1]))
        new = NewGame("pennant", options={"turns": 4})
        game = (await desk.writer.create_game(new, key=fresh_key(), caller="tests")).game.id
        assert await play(desk, game, seed=1) > 2

    on_desk(tmp_path, test, games=GAMES)
    state = None
    found = set()
    for each in told:
        if each.event is None:
            assert each.common is None
            continue
        kept = state is not None and pennant.GAME.secrets(state)
        state = pennant.GAME.evolve(state, each.event)
        kept = kept or pennant.GAME.secrets(state)
        over = pennant.GAME.result(state) is not None
        assert (each.common is None) == (kept or over)
        assert each.common is None or each.common == state
        found.add((kept, over))
    assert {(True, False), (False, False), (False, True)} <= found
