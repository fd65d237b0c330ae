"""A later version of a game reads what an earlier one stored: store, evidence, forks."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.codec import Codec, canonical
from domain.kernel.conformance import Nonconformance, check_upcasters
from domain.kernel.fork import Fork
from domain.kernel.forked import fork_rules
from domain.kernel.game import Game
from domain.kernel.values import TRUTH
from projections.stream import SeenEvent
from service.cli.mistakes import Mistake
from service.cli.record import from_bytes
from service.cli.tools import Tools
from service.desk import Desk
from service.evidence.bundle import OtherRules
from service.evidence.verdict import NOT_VOUCHED, WORDS
from service.evidence.verify import verify
from tests.service.desk.kit import desk_in, new_game, order
from tests.service.evidence.playing import Table, finished
from tests.support import pennant
from tests.support.later import AIMED, AIMED_UPCASTERS, MOVED, MOVED_UPCASTER, later
from tests.support.pennant import Choose, Fire
from tests.support.suites import suites

CONSISTENT = WORDS[NOT_VOUCHED]

AnyGame = Game[Any, Any, Any]


@pytest.fixture(scope="module")
def aimed(tmp_path_factory: pytest.TempPathFactory) -> AnyGame:
    """Pennant with two events of another form."""
    return later(tmp_path_factory.mktemp("aimed"), "aimed_pennant", AIMED, AIMED_UPCASTERS)


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> AnyGame:
    """Pennant with a position of another form."""
    return later(tmp_path_factory.mktemp("moved"), "moved_pennant", MOVED, MOVED_UPCASTER)


@pytest.fixture(scope="module")
def careless(tmp_path_factory: pytest.TempPathFactory) -> AnyGame:
    """Pennant with the new numbers and without upcasters."""
    return later(tmp_path_factory.mktemp("careless"), "careless_pennant", AIMED, "")


# Stores


class Earlier(msgspec.Struct):
    """What an earlier version left in its store.

    before  the events of ``game`` by number, by name
    points  of the position that ``fork`` began with
    """

    game: str
    fork: str
    before: list[str]
    points: tuple[int, ...]


async def _earlier(folder: Path) -> Earlier:
    """A game and a fork of it, both in the middle, in a store that is closed again."""
    async with desk_in(folder) as desk:
        game = (await new_game(desk, turns=9, seed="older forms")).game.id
        await order(desk, game, "p1", Choose("bold"))
        await order(desk, game, "p2", Choose("steady"))
        await order(desk, game, "p1", Fire("hull"))
        view = await desk.reader.view(game, TRUTH)
        at = msgspec.json.decode(canonical(view.state))
        beginning = Fork(game, view.version, TRUTH, "seed", at, schema=pennant.GAME.position)
        made = await desk.writer.create_fork(
            pennant.setup(9), beginning, "", key="k" * 20, fingerprint=b"", caller="tests"
        )
        await order(desk, made.game.id, "p2", Fire("hull"))
        told = [event.type for event in await desk.reader.events(game, TRUTH, 0, 500)]
        return Earlier(game, made.game.id, told, view.state.points)


async def _read_later(folder: Path, earlier: Earlier, game: AnyGame) -> list[bytes]:
    """Beside the later version both are played to their ends by their own; the evidence of both."""
    async with desk_in(folder, games={"pennant": game}) as desk:
        told = [event.type for event in await desk.reader.events(earlier.game, TRUTH, 0, 500)]
        assert told == earlier.before
        first = _forked(await desk.reader.events(earlier.fork, TRUTH, 0, 500))
        assert not isinstance(first.data.state, game.state)
        assert first.data.state.points == earlier.points
        assert first.schema == pennant.GAME.position
        for id in (earlier.game, earlier.fork):
            await _to_the_end(desk, id)
        return [await desk.reader.evidence(id, TRUTH) for id in (earlier.game, earlier.fork)]


async def _to_the_end(desk: Desk, id: str) -> None:
    game = (await desk.reader.views(id)).game
    while (summary := await desk.reader.summary(id)).result is None:
        seat = summary.to_move[0].seat
        options = game.legal((await desk.reader.view(id, seat)).state, seat).commands
        await order(desk, id, seat, options[summary.version % len(options)])


def _forked(events: list[SeenEvent]) -> SeenEvent:
    (found,) = [event for event in events if event.type == "pennant.forked"]
    return found


@pytest.mark.parametrize("later_game", ["aimed", "moved"])
def test_an_old_store_and_an_old_fork_go_on_under_their_own_engine(
    tmp_path: Path, later_game: str, request: pytest.FixtureRequest
) -> None:
    game: AnyGame = request.getfixturevalue(later_game)
    earlier = asyncio.run(_earlier(tmp_path))
    for evidence in asyncio.run(_read_later(tmp_path, earlier, game)):
        verdict = verify(evidence, {"pennant": pennant.GAME})
        assert verdict.word == "UPHELD", verdict.text()


def test_a_fork_says_which_form_its_position_has(moved: AnyGame) -> None:
    state = moved.fold(moved.opening(pennant.setup(3)))
    plain = msgspec.json.decode(canonical(state))
    fork = Fork("0" * 32, 2, TRUTH, "seed", plain, schema=moved.position)
    setup = msgspec.structs.replace(pennant.setup(3), fork=fork)
    (event,) = fork_rules(moved).opening(setup)
    assert (event.state, event.SCHEMA) == (state, 2)
    before = msgspec.json.decode(
        canonical(pennant.GAME.fold(pennant.GAME.opening(pennant.setup(3))))
    )
    earlier = msgspec.structs.replace(fork, state=before, schema=1)
    (event,) = fork_rules(moved).opening(msgspec.structs.replace(setup, fork=earlier))
    assert event.state == state


# Evidence


def test_an_old_bundle_is_consistent_where_the_old_form_means_the_same(aimed: AnyGame) -> None:
    verdict = verify(finished(8, 1).export(), {"pennant": aimed})
    assert verdict.word == CONSISTENT, verdict.text()
    assert "is another and decides every order" in verdict.reason


@pytest.mark.parametrize("viewer", ["p1", "p2", "public", "truth"])
def test_so_is_one_of_a_game_in_play(aimed: AnyGame, viewer: str) -> None:
    table = Table(setup=pennant.setup(8)).play(1, 1)
    assert table.game.secrets(table.state)
    verdict = verify(table.export(viewer), {"pennant": aimed})
    assert verdict.word == CONSISTENT, verdict.text()


def test_a_state_of_another_form_is_not_judged_and_nobody_is_accused(moved: AnyGame) -> None:
    verdict = verify(finished(8, 1).export(), {"pennant": moved})
    assert verdict.word == "CANNOT JUDGE"
    assert "digest of the state" in verdict.reason
    assert "use pennant 1.0.0" in verdict.reason


def test_an_old_bundle_that_was_tampered_with_is_refuted_all_the_same(aimed: AnyGame) -> None:
    table = finished(8, 1)
    body = table.rows[6].body
    table.rows[6] = msgspec.structs.replace(table.rows[6], body=body.replace(b'"p1"', b'"p2"'))
    assert table.rows[6].body != body
    assert verify(table.forge(), {"pennant": aimed}).word == "REFUTED"


def test_a_false_event_of_an_old_form_is_not_upheld(aimed: AnyGame) -> None:
    table = Table(setup=pennant.setup(8))
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.cheat.event = lambda event: (
        msgspec.structs.replace(event, aim="magazine")
        if isinstance(event, pennant.FireDeclared)
        else event
    )
    table.order("p1", Fire("hull"))
    table.play(1)
    verdict = verify(table.export(), {"pennant": aimed})
    assert verdict.word == "CANNOT JUDGE"
    assert "what public sees" in verdict.reason


def test_an_old_bundle_is_shown(aimed: AnyGame) -> None:
    data = finished(8, 1).export()
    _, now = from_bytes(Tools({"pennant": pennant.GAME}), data, "a.decklog")
    _, then = from_bytes(Tools({"pennant": aimed}), data, "a.decklog")
    assert [told.text for told in then.told] == [told.text for told in now.told]


@pytest.mark.parametrize("viewer", ["p1", "p2", "public", "truth"])
def test_an_old_game_is_exported_with_the_seals_that_it_has(aimed: AnyGame, viewer: str) -> None:
    table = Table(setup=pennant.setup(8)).play(1, 1)
    before = table.export(viewer)
    table.game = aimed
    after = table.export(viewer)
    assert verify(after, {"pennant": pennant.GAME}).word == "UPHELD"
    one, other = (from_bytes(Tools({"pennant": aimed}), each, "a")[0] for each in (before, after))
    assert one.opened == other.opened


def test_who_cannot_open_an_old_state_does_not_say_that_it_was_tampered_with(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    both = later(
        tmp_path_factory.mktemp("both"), "both_pennant", {**AIMED, **MOVED}, AIMED_UPCASTERS
    )
    table = finished(8, 1)
    table.game = both
    with pytest.raises(OtherRules, match="written otherwise by the rules that are installed"):
        table.export()


# What is missing


def test_without_an_upcaster_nothing_is_read_and_it_is_said(careless: AnyGame) -> None:
    data = finished(8, 1).export()
    verdict = verify(data, {"pennant": careless})
    assert verdict.word == "CANNOT JUDGE"
    assert "no upcaster" in verdict.reason
    with pytest.raises(Mistake, match="no upcaster"):
        from_bytes(Tools({"pennant": careless}), data, "a.decklog")
    with pytest.raises(Nonconformance, match=r"none for .*'chosen', 1"):
        check_upcasters(careless)


def test_an_upcaster_of_no_event_and_a_position_without_one_are_noticed(aimed: AnyGame) -> None:
    check_upcasters(aimed)
    with pytest.raises(Nonconformance, match="'forked', 1"):
        check_upcasters(replace(aimed, position=2))
    with pytest.raises(Nonconformance, match="which no event had"):
        check_upcasters(replace(pennant.GAME, upcasters={("chosen", 1): dict}))


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_every_game_reads_all_that_it_ever_wrote(suite: Any) -> None:
    check_upcasters(suite.game)


def test_what_an_upcaster_cannot_read_is_false_data_and_no_accident(aimed: AnyGame) -> None:
    def strict(old: dict[str, Any]) -> dict[str, Any]:
        return {"seat": old["seat"], "picked": old["choice"]}

    game = replace(aimed, upcasters={**aimed.upcasters, ("chosen", 1): strict})
    with pytest.raises(msgspec.ValidationError, match=r"chosen\.v1: KeyError"):
        Codec(game).decode("pennant.chosen", 1, b'{"seat":"p1"}')
    with pytest.raises(msgspec.ValidationError):
        Codec(game).decode("pennant.chosen", 1, b"[]")
