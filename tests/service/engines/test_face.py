"""A loaded engine answers in the kernel's types, whatever its own kernel knows of them."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.kernel.finder import games
from domain.kernel.options import Pending, Template
from domain.kernel.setup import Setup
from service.engines import carry, load
from service.engines.face import adapt, carried_over
from service.engines.said import PendingSaid
from tests.service.engines.trees import PENNANT, RULESETS, built
from tests.support import pennant
from tests.support.templated import plain


def templates(archive: bytes) -> tuple[Template, ...]:
    """How a fleet of War at Sea is built, as the engine of an archive tells it."""
    engine = adapt(load.load(archive))
    setup = Setup("war-at-sea", "2009", "standard", ("p1", "p2"))
    state = None
    for event in engine.opening(setup):
        state = engine.evolve(state, event)
    return tuple(engine.legal(state, "p1").templates)


def test_templates_tell_their_refusals_through_an_archive_too() -> None:
    game = games()["war-at-sea"]
    told = templates(built(RULESETS["war-at-sea"]))
    state = game.fold(game.opening(Setup("war-at-sea", "2009", "standard", ("p1", "p2"))))
    assert told == game.legal(state, "p1").templates
    assert [each.code for each in told[0].refusals] == ["fleet.no-base", "fleet.over-points"]


def test_an_engine_of_the_past_tells_templates_without_refusals() -> None:
    """That of version 6 is from before templates told which refusals they leave open."""
    carried = {(each.ruleset, each.version): each for each in carry.table()}
    (fleet,) = templates(carry.archive(carried["war-at-sea", "6"]))
    assert (fleet.type, fleet.refusals) == ("war-at-sea.submit-fleet", ())
    assert set(plain(fleet.schema)["properties"]) == {"type", "cards"}


def test_where_an_order_led_is_not_worked_out_again() -> None:
    """The engine has folded the events as it decided: a pinned game's order costs no more."""
    engine = adapt(load.load(built(PENNANT)))
    opening = engine.opening(pennant.SETUP)
    states = engine.states(opening, None)
    assert states is led(opening).states
    choose = next(each for each in engine.commands if each.__name__ == "Choose")
    events = engine.decide(states[-1], "p1", choose("bold"))
    assert engine.states(events, states[-1]) is led(events).states
    folded, state = list[Any](), states[-1]
    for event in events:
        state = engine.evolve(state, event)
        folded.append(state)
    assert led(events).states == tuple(folded)
    elsewhere = engine.states(opening, None)[-1]
    again = engine.states(tuple(events), elsewhere)
    assert again == led(events).states
    assert again is not led(events).states, "no other tuple of them is taken for it"


class Question(msgspec.Struct, frozen=True):
    """A question of another kernel, with a field that ours has not, and less."""

    seat: str
    question: str
    rule: str
    colour: str = ""


def test_a_value_of_another_form_is_carried_over_field_by_field() -> None:
    """What it lacks is as it is by itself; one of the very form is carried over at once."""
    over = carried_over(Pending, PendingSaid)
    asked = Pending("p1", "deploy", "R-1", optional=True, subject="p1-3")
    assert over(asked) == asked
    assert over(Question("p1", "deploy", "R-1", "red")) == Pending("p1", "deploy", "R-1")


def led(events: Any) -> Any:
    """Events that have with them where they led."""
    assert hasattr(events, "states")
    return events
