"""Where measuring is free, each shot on offer says what it is worth; where it is not, none does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from msgspec.structs import replace

from domain.games.crimson_tide import GAME
from domain.games.crimson_tide.rules import commands as c
from domain.games.crimson_tide.rules import events as ev
from domain.kernel.shown.odds_summary import OddsSummary
from projections.odds import of_command
from tests.support.stretches import of_recorded
from tests.support.suites import suites

MOST = 60
"""So many shots of each kind are looked at."""
Kind = Literal["fails", "torpedoes", "dice"]


def agreed(state: Any, measuring: str) -> Any:
    """The same position between players who have agreed so."""
    return replace(state, options=replace(state.options, measuring=measuring))


@cache
def shots(measuring: str) -> tuple[tuple[Any, str, c.Attack, Kind], ...]:
    """Attacks that recorded games offered, as if measuring had been agreed on so."""
    left = Counter[Kind]({"fails": MOST, "torpedoes": MOST, "dice": MOST})
    found: list[tuple[Any, str, c.Attack, Kind]] = []
    for state, seat in asked(measuring):
        for command in GAME.legal(state, seat).commands:
            if isinstance(command, c.Attack):
                kind = becomes(state, seat, command)
                if left[kind]:
                    left[kind] -= 1
                    found.append((state, seat, command, kind))
    return tuple(found)


def asked(measuring: str) -> Iterator[tuple[Any, str]]:
    """Who is asked, in each position of the recorded games."""
    for stretch in of_recorded(suites()["crimson_tide"]):
        state = agreed(stretch.after, measuring)
        if GAME.result(state) is None and GAME.awaiting(state) is None:
            yield from ((state, each.seat) for each in GAME.pending(state))


def becomes(state: Any, seat: str, command: c.Attack) -> Kind:
    """What its declaration leads to before a die."""
    led = {type(event) for event in GAME.decide(state, seat, command)}
    if ev.AttackWasted in led:
        return "fails"
    return "torpedoes" if ev.TorpedoesLaunched in led else "dice"


def test_a_shot_that_fails_says_so_and_any_other_has_odds() -> None:
    met = Counter[str]()
    for state, seat, command, kind in shots("free"):
        odds = GAME.odds_beside(state, seat, command)
        short = GAME.short_beside(state, command, odds)
        assert short is not None, command
        met[kind] += 1
        if kind == "fails":
            assert odds is None
            assert short == OddsSummary(0, 0, 0, short.hopeless)
            assert short.hopeless.endswith(")")
            assert "it fails and is" in short.hopeless
            continue
        assert odds is not None, command
        assert bool(short.hopeless) is bool(GAME.describe(state, command).pointless)
        assert (short.hit > 0) is not bool(short.hopeless)
        assert of_command(GAME, state, seat, command, measured=False) == odds
    assert met == {"fails": MOST, "torpedoes": 3, "dice": MOST}


def test_torpedoes_have_the_odds_of_as_many_dice_as_they_are() -> None:
    for state, seat, command, kind in shots("free"):
        if kind == "torpedoes":
            (launched,) = (
                event.inbound
                for event in GAME.decide(state, seat, command)
                if isinstance(event, ev.TorpedoesLaunched)
            )
            odds = GAME.odds_beside(state, seat, command)
            assert odds is not None
            miss = {each["outcome"]: each["exact"] for each in odds["outcomes"]}["miss"]
            dice = launched.number
            assert (odds["dice"], odds["least"], miss) == (dice, 6, f"{5**dice}/{6**dice}")


def test_nothing_is_told_where_nobody_may_measure() -> None:
    for state, seat, command, _ in shots("after-declaring"):
        odds = GAME.odds_beside(state, seat, command)
        assert odds is None
        assert GAME.short_beside(state, command, odds) is None
    assert {kind for *_, kind in shots("after-declaring")} == {"fails", "torpedoes", "dice"}
