"""The example of a game keeps every promise that a real game makes, and is as short as it says."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from domain.examples import pennant
from domain.examples.pennant.shown.bot import Gunner
from domain.kernel import conformance
from domain.kernel.chance import domain_seat, side_domain
from domain.kernel.shown.bot import Position
from domain.kernel.values import CHANCE
from tests.support.pennant import (
    GAME,
    AnyEvent,
    Choose,
    Command,
    Fire,
    FireDeclared,
    Pass,
    State,
    mutant,
    redact,
    setup,
)

STRAYS = (Choose("bold"), Choose("steady"), Fire("hull"), Fire("magazine"), Pass())


@pytest.mark.parametrize("seed", range(12))
def test_conformance(seed: int) -> None:
    dice = random.Random(seed)
    last = None
    for played in conformance.play(GAME, setup(6), dice.randrange):
        seats = played.setup.seats
        for stray in STRAYS:
            conformance.check_purity(GAME, played.state, seats[0], stray)
        conformance.check_legality(GAME, played.state, seats, STRAYS)
        conformance.check_canonical(GAME, played.state, seats, dice.randrange)
        conformance.check_views(GAME, played)
        last = played
    assert last is not None
    conformance.check_roundtrip(GAME, last.events)
    conformance.check_replay(GAME, last)
    assert GAME.result(last.state) is not None


def test_two_worlds_look_the_same_until_the_colours_are_shown() -> None:
    worlds = []
    for colour in ("bold", "steady"):
        played = conformance.Played(setup(6), list(GAME.opening(setup(6))))
        state = GAME.fold(played.events)
        played.events.extend(GAME.decide(state, "p1", Choose(colour)))
        worlds.append(played)
    conformance.check_two_worlds(GAME, worlds[0], worlds[1], "p2")


def test_a_leak_is_noticed() -> None:
    leaky = mutant(redact=lambda event, viewer: event)
    worlds = []
    for colour in ("bold", "steady"):
        played = conformance.Played(setup(6), list(leaky.opening(setup(6))))
        state = leaky.fold(played.events)
        played.events.extend(leaky.decide(state, "p1", Choose(colour)))
        worlds.append(played)
    with pytest.raises(conformance.Nonconformance):
        conformance.check_two_worlds(leaky, worlds[0], worlds[1], "p2")
    assert redact(worlds[0].events[1], "p2") == redact(worlds[1].events[1], "p2")


def test_a_roll_of_a_domain_that_was_never_named_is_noticed() -> None:
    silent = mutant(domains=lambda setup: ("side:p1",))
    with pytest.raises(conformance.Nonconformance, match="never named"):
        list(conformance.play(silent, setup(6), random.Random(1).randrange))


def test_a_domain_of_no_seat_is_noticed() -> None:
    def awaiting(state: State) -> object:
        asked = state.awaited
        return asked and msgspec.structs.replace(asked, domain=side_domain("p9"))

    strange = mutant(awaiting=awaiting, domains=lambda setup: (side_domain("p9"),))
    with pytest.raises(conformance.Nonconformance, match="of no seat"):
        list(conformance.play(strange, setup(6), random.Random(1).randrange))


def test_a_request_for_dice_that_a_viewer_cannot_see_is_noticed() -> None:
    def hiding(event: AnyEvent, viewer: str) -> AnyEvent:
        if isinstance(event, FireDeclared) and viewer != event.seat:
            return msgspec.structs.replace(event, awaited=None)
        return redact(event, viewer)

    played = conformance.Played(setup(6), list(GAME.opening(setup(6))))
    for seat, command in (("p1", Choose("bold")), ("p2", Choose("bold")), ("p1", Fire())):
        played.events.extend(GAME.decide(GAME.fold(played.events), seat, command))
    played.state = GAME.fold(played.events)
    conformance.check_views(GAME, played)
    with pytest.raises(conformance.Nonconformance, match="another request"):
        conformance.check_views(mutant(redact=hiding), played)


def test_a_hidden_domain_names_its_seat() -> None:
    assert domain_seat(side_domain("p3")) == "p3"
    assert domain_seat("pub") is None


HOME = Path(pennant.__path__[0])
FILES = {path.relative_to(HOME).as_posix(): path for path in HOME.rglob("*.py")}


def test_what_decides_is_short() -> None:
    """Nobody copies an example that is long."""
    assert FILES["rules/course.py"].read_text("utf-8").count("\n") < 250


def test_the_recipe_names_each_of_its_files() -> None:
    recipe = (HOME.parents[1] / "README.md").read_text("utf-8")
    named = {name for name in FILES if f"(examples/pennant/{name})" in recipe}
    assert named == {name for name in FILES if not name.endswith("__init__.py")}


def test_the_bot_beats_whoever_fires_at_the_hull() -> None:
    won = [_fought(seed) for seed in range(60)]
    assert won.count("p1") > 2 * won.count("p2")


def _fought(seed: int) -> str:
    """Who wins: the bot, or a seat that chooses the first colour and fires at the hull."""
    dice, bot = random.Random(seed), Gunner()
    state = GAME.fold(GAME.opening(setup(20)))
    while (ended := GAME.result(state)) is None:
        awaited = GAME.awaiting(state)
        if awaited is not None:
            order = CHANCE, conformance.throw(awaited, dice.randrange)
        else:
            asked = GAME.pending(state)[0]
            items = [
                {"command": msgspec.to_builtins(c), "odds": GAME.odds(state, c)}
                for c in GAME.legal(state, asked.seat).commands
            ]
            position = Position(asked.seat, asked.question, items, dict, {})
            chosen = bot.choose(position) if asked.seat == "p1" else items[0]
            order = asked.seat, msgspec.convert(chosen["command"], Command)
        state = GAME.fold(GAME.decide(state, *order), state)
    return "".join(ended.winners)
