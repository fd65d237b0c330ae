"""A fork's rules: the first event is the position, everything is open, all dice are public."""

from __future__ import annotations

import msgspec
import pytest

from domain.kernel.chance import PUBLIC_DOMAIN, side_domain
from domain.kernel.codec import Codec, canonical
from domain.kernel.fork import NAME, Fork
from domain.kernel.forked import fork_rules, played
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, Known
from tests.support import pennant, soundings

STATE = pennant.State(
    seats=("p1", "p2"), left=3, choices=(Known(("bold",)), Known(("steady",))),
    colours=("bold", "steady"), points=(2, 0),
)  # fmt: skip
FORK = Fork("0" * 32, 9, "p1", "seed", msgspec.json.decode(canonical(STATE)))
SETUP = Setup("pennant", "first", "standard", ("p1", "p2"), {"turns": 4}, fork=FORK)


def test_it_begins_with_the_position_in_its_set_up() -> None:
    rules = fork_rules(pennant.GAME)
    (event,) = rules.opening(msgspec.json.decode(canonical(SETUP), type=Setup))
    assert rules.evolve(None, event) == STATE
    assert "what if" in rules.says(None, event)
    assert rules.redact(event, PUBLIC) is event


def test_its_first_event_has_one_stored_form_for_ever() -> None:
    rules = fork_rules(pennant.GAME)
    codec = Codec(rules)
    (event,) = rules.opening(SETUP)
    assert (codec.name(event), event.SCHEMA, event.NAME) == ("pennant.forked", 1, NAME)
    stored = codec.encode(event)
    assert msgspec.json.decode(stored) == {"state": msgspec.json.decode(canonical(STATE))}
    assert codec.decode("pennant.forked", 1, stored) == event


def test_a_game_that_is_no_fork_is_as_it_was() -> None:
    assert played(pennant.GAME, fork=False) is pennant.GAME
    assert played(pennant.GAME, fork=True) is fork_rules(pennant.GAME)
    plain = msgspec.structs.replace(SETUP, fork=None)
    assert b"fork" not in canonical(plain)
    with pytest.raises(ValueError, match="no fork"):
        fork_rules(pennant.GAME).opening(plain)


def test_hidden_dice_are_open_in_a_fork() -> None:
    game = soundings.GAME
    setup = Setup(game.ruleset, game.editions[-1], "standard", ("p1", "p2"))
    state = game.fold(game.opening(setup))
    rules = fork_rules(game)
    for _ in range(60):
        awaited = game.awaiting(state)
        if awaited is not None and awaited.domain == side_domain(awaited.owner):
            shown = rules.awaiting(state)
            assert shown is not None
            assert (shown.domain, shown.label) == (PUBLIC_DOMAIN, awaited.label)
            return
        asked = game.pending(state)[0].seat
        command = game.legal(state, asked).commands[0]
        state = game.fold(game.decide(state, asked, command), state)
    raise AssertionError("no hidden dice were asked for")
