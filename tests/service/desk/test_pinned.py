"""A game is decided by one engine from its first event to its end, whatever is installed later."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.kernel.values import TRUTH
from service import container
from service.app import create_app
from service.cli import main
from service.desk import Desk
from service.engines import shown
from service.engines.load import load
from service.errors import EngineMissing
from service.evidence.digest import shown_archive
from service.evidence.shelf import Folder
from service.evidence.verify import verify
from service.models import CreatedGame
from service.ops.checking import check
from service.settings import Gathered
from service.store import engines
from service.store.bulk import Statement
from service.views.rulesets import lettered
from tests.service.desk.kit import desk_in, new_game, order, settings
from tests.service.engines.harm import doing
from tests.service.engines.test_shown import WORDS
from tests.service.engines.trees import PENNANT, built, replaced
from tests.service.ops.play import Played, play
from tests.support import later, pennant

WON = "return found and __import__('msgspec').structs.replace(found, winners=('p2',))"
SECOND = doing("result", "found = true(*given)", WON)
"""Rules by which p2 wins every battle."""
FIRST_DIGEST, SECOND_DIGEST = (
    hashlib.sha256(each).hexdigest() for each in (built(PENNANT), SECOND)
)


def second() -> dict[str, Any]:
    return {"pennant": lettered(load(SECOND))}


async def on(desk: Desk, game: str, orders: int = 1_000) -> None:
    """Played by what is on offer, so many orders or to the end."""
    for _ in range(orders):
        summary = await desk.reader.summary(game)
        if summary.result is not None:
            return
        seat = summary.to_move[0].seat
        rules = (await desk.reader.views(game)).game
        options = rules.legal((await desk.reader.view(game, seat)).state, seat).commands
        await order(desk, game, seat, options[summary.version % len(options)])


def test_a_battle_ends_under_the_engine_under_which_it_began(tmp_path: Path) -> None:
    async def before() -> str:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            game = (await new_game(desk)).game.id
            await on(desk, game, 4)
            return game

    async def after(game: str) -> tuple[Any, ...]:
        async with desk_in(tmp_path, games=second()) as desk:
            newer = (await new_game(desk)).game.id
            for each in (game, newer):
                await on(desk, each)
            told = [(await desk.reader.summary(each)) for each in (game, newer)]
            files = [await desk.reader.evidence(each, TRUTH) for each in (game, newer)]
            return (*told, *files)

    first, newer, old_file, new_file = asyncio.run(after(asyncio.run(before())))
    assert (first.rules.digest, newer.rules.digest) == (FIRST_DIGEST, SECOND_DIGEST)
    assert newer.result.winners == ("p2",)
    upheld = verify(old_file, {"pennant": pennant.GAME})
    assert upheld.word == "UPHELD", upheld.text()
    (tmp_path / "second.engine").write_bytes(SECOND)
    places = (Folder(tmp_path),)
    upheld = verify(new_file, {}, engines=places, trusted=(SECOND_DIGEST,))
    assert upheld.word == "UPHELD", upheld.text()


def test_a_game_whose_engine_is_gone_is_frozen_and_the_others_play_on(tmp_path: Path) -> None:
    async def before() -> str:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            game = (await new_game(desk)).game.id
            await on(desk, game, 3)
            desk.store.recorder.put((), [("DELETE FROM engines", ())])
            return game

    async def after(game: str) -> None:
        async with desk_in(tmp_path, games=second()) as desk:
            with pytest.raises(EngineMissing, match=f"{FIRST_DIGEST}.*frozen"):
                await on(desk, game)
            await on(desk, (await new_game(desk)).game.id)

    async def found_again(game: str) -> None:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            await on(desk, game)

    game = asyncio.run(before())
    store, rules = settings(tmp_path), pennant.GAME
    told = Gathered(store, {}, ())
    (still,) = check(told, {}, [SECOND_DIGEST]).frozen
    assert (still.game, still.version, still.digest) == (game, rules.version, FIRST_DIGEST)
    assert check(told, {}, [FIRST_DIGEST]).frozen == ()
    asyncio.run(after(game))
    asyncio.run(found_again(game))


def test_games_in_play_are_counted_by_their_rules_before_an_upgrade(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def before() -> None:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            for orders in (3, 0, 1_000):
                await on(desk, (await new_game(desk)).game.id, orders)

    async def after() -> None:
        async with desk_in(tmp_path, games=second()) as desk:
            await new_game(desk)

    asyncio.run(before())
    asyncio.run(after())
    looked = check(Gathered(settings(tmp_path), {}, ()), {}, [SECOND_DIGEST])
    old, new = looked.in_play
    if old.installed:
        old, new = new, old
    assert (old.digest, old.games, old.installed) == (FIRST_DIGEST, 2, False)
    assert (new.digest, new.games, new.installed) == (SECOND_DIGEST, 1, True)
    for name in ("store", "key"):
        monkeypatch.setenv(f"DECKLOG_{name.upper()}", getattr(settings(tmp_path), name))
    words = ["serve", "--check", "--database", str(settings(tmp_path).database)]
    assert main(words, {"pennant": pennant.GAME}) == 0
    told = capsys.readouterr().err
    assert f"in play: 2 games by the installed rules (pennant 1.0.0, engine {FIRST_DIGEST})" in told
    assert f"1 game by rules that are not installed (pennant 1.0.0, engine {SECOND_DIGEST})" in told
    assert "an upgrade concerns none of them" in told
    assert "frozen" not in told
    assert main([*words, "--json"], {"pennant": pennant.GAME}) == 0
    listed = json.loads(capsys.readouterr().out)["inPlay"]
    assert sorted(each["games"] for each in listed) == [1, 2]


READ = (
    "view", "events", "commands", "moment", "report", "board.svg", "rolls", "luck", "why?event=4",
    "mentions?rule=PEN-1", "diff?from=2&to=5",
)  # fmt: skip


def test_a_game_under_another_engine_is_played_on_over_http(tmp_path: Path) -> None:
    """Its commands are read as its own engine knows them, and its engine is given to judges."""

    async def before() -> CreatedGame:
        async with desk_in(tmp_path, games=second()) as desk:
            made = await new_game(desk)
            await on(desk, made.game.id, 4)
            return made

    made = asyncio.run(before())
    quiet = settings(tmp_path, log_level="WARNING")
    with TestClient(create_app(quiet, {"pennant": pennant.GAME})) as client:
        tokens = {each.seat: each.token for each in made.tokens}
        played = Played(made.game.id, tokens, made.organiser)
        assert play(client, played, 1_000, seed="on"), "it comes to its end"
        assert client.get(played.path).json()["result"]["winners"] == ["p2"]
        archive = client.get(f"/v1/engines/{SECOND_DIGEST}").content
        assert archive == SECOND
        listed = client.get("/v1/engines").json()["items"]
        assert {SECOND_DIGEST: False, FIRST_DIGEST: True}.items() <= {
            each["digest"]: each["installed"] for each in listed
        }.items()


def test_all_of_a_game_under_another_engine_is_told_over_http(tmp_path: Path) -> None:
    async def before() -> str:
        async with desk_in(tmp_path, games=second()) as desk:
            game = (await new_game(desk)).game.id
            await on(desk, game, 4)
            return game

    game = asyncio.run(before())
    quiet = settings(tmp_path, log_level="WARNING")
    with TestClient(create_app(quiet, {"pennant": pennant.GAME})) as client:
        for part in READ:
            told = client.get(f"/v1/games/{game}/{part}")
            assert told.status_code == 200, (part, told.text)
        texts = [
            each["text"]["en"] for each in client.get(f"/v1/games/{game}/events").json()["items"]
        ]
        assert "Fire resolved." in texts, "events are told by name"
        assert client.get(f"/v1/games/{game}").json()["rules"]["digest"] == SECOND_DIGEST


def shown_over_http(folder: Path, game: str, rules: Any) -> dict[str, Any]:
    """All that a reader of a game is shown, by a service on which these rules are installed."""
    quiet = settings(folder, log_level="WARNING")
    with TestClient(create_app(quiet, {"pennant": rules})) as client:
        path = f"/v1/games/{game}"
        latest = client.get(path).json()["version"]
        items = client.get(f"{path}/events?limit=200").json()["items"]
        found: dict[str, Any] = {"texts": [each["text"]["en"] for each in items]}
        dated = [
            f"{part}?at={at}"
            for part in ("board.svg", "moment", "commands", "view")
            for at in (3, latest - 1, latest)
        ]
        for part in (*dated, *READ):
            told = client.get(f"{path}/{part}")
            assert told.status_code == 200, (part, told.text)
            found[part] = told.text
        return found


def older_tree(folder: Path, name: str = "older") -> Any:
    """Pennant as it was: another rule, another sentence, another word on the board."""
    edits = {
        "fires at the {event.aim}": "opened fire at the {event.aim} in those days",
        "turns left: {state.left}": "turns of old left: {state.left}",
        'version="1.0.0"': 'version="0.9.0"',
    }
    return later.later(folder, name, edits, "")


def test_a_game_of_an_older_engine_is_shown_as_the_older_tree_showed_it(tmp_path: Path) -> None:
    """Pictures, sentences, reasons and offers, byte for byte, after the tree has moved on."""
    older = older_tree(tmp_path / "tree")

    async def before() -> str:
        async with desk_in(tmp_path, games={"pennant": older}) as desk:
            game = (await new_game(desk)).game.id
            await on(desk, game, 5)
            return game

    game = asyncio.run(before())
    then = shown_over_http(tmp_path, game, older)
    now = shown_over_http(tmp_path, game, pennant.GAME)
    assert now == then
    assert any("in those days" in text for text in then["texts"])
    assert "turns of old left" in "".join(map(str, then.values()))


def test_texts_that_were_improved_under_one_engine_are_kept_at_the_next_start(
    tmp_path: Path,
) -> None:
    """What shows an engine is of the last tree that had the engine."""
    worse = shown.build(
        replaced(PENNANT, WORDS, "fires at", "did something to"), PENNANT, built(PENNANT)
    )

    async def before() -> None:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            await new_game(desk)
            assert desk.store.shown(FIRST_DIGEST) == shown_archive(pennant.GAME)
            texts = [engines.showing_anew(FIRST_DIGEST, "0" * 64, worse)]
            desk.store.recorder.put((), texts)
            assert desk.store.shown(FIRST_DIGEST) == worse

    async def after() -> None:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            assert desk.store.shown(FIRST_DIGEST) == shown_archive(pennant.GAME)

    asyncio.run(before())
    asyncio.run(after())


@pytest.mark.parametrize("harm", ["gone", "made for another", "broken"])
def test_a_game_is_told_in_letters_where_what_shows_it_cannot_be_used(
    tmp_path: Path, harm: str
) -> None:
    """And it says so; who decides the game is not concerned."""
    older = older_tree(tmp_path / "tree", harm.replace(" ", "_"))
    files, _ = shown.opened(shown_archive(older))
    words = next(name for name in files if name.endswith("shown/words.py"))
    broken = container.pack({**files, words: b"raise KeyError\n"})

    async def before() -> str:
        async with desk_in(tmp_path, games={"pennant": older}) as desk:
            game = (await new_game(desk)).game.id
            await on(desk, game, 5)
            digest = (await desk.reader.summary(game)).rules.digest
            statement: Statement = {
                "gone": ("DELETE FROM shown", ()),
                "made for another": engines.showing_anew(digest, "", shown_archive(pennant.GAME)),
                "broken": engines.showing_anew(digest, "", broken),
            }[harm]
            desk.store.recorder.put((), [statement])
            return game

    game = asyncio.run(before())
    told = shown_over_http(tmp_path, game, pennant.GAME)
    assert "What shows pennant 0.9.0 is not here" in told["board.svg?at=3"]
    assert "Fire resolved." in told["texts"]

    async def end() -> None:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            await on(desk, game)

    asyncio.run(end())
