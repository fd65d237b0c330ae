"""What is asked of a game's examples besides completeness finds each fault, made on purpose.

That the games have none of them is asked by test_completeness.py, over the same examples.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace as replace_record
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.examples.pennant.rules.course import COLOUR, COURSE
from domain.examples.pennant.rules.events import FireResolved, Revealed
from domain.examples.pennant.rules.state import BATTLE, CHOICE
from domain.kernel.conformance import Nonconformance
from domain.kernel.options import PartOf
from domain.kernel.rules import No
from domain.kernel.testing.completeness import check_complete
from domain.kernel.testing.seen import Seen
from domain.kernel.testing.sound import SOUND, told
from tests.support import pennant
from tests.support.completeness import watch

pytestmark = pytest.mark.slow("conformance")

GAME = pennant.GAME


@cache
def _seen() -> Seen:
    found = Seen()
    for seed, turns in enumerate((6, 6, 300, 300)):
        watch(GAME, pennant.setup(turns), seed, found)
    return found


def faults(reckoned: frozenset[str] = frozenset(), **functions: Any) -> str:
    """What is said of Pennant with some functions exchanged."""
    try:
        check_complete(pennant.mutant(**functions), _seen(), (*SOUND, *told(reckoned)))
    except Nonconformance as found:
        return str(found)
    return ""


def one_aim(state: Any, seat: str) -> Any:
    """A table of offers that forgets one."""
    options = GAME.legal(state, seat)
    kept = (each for each in options.commands if each != pennant.Fire("magazine"))
    return replace(options, commands=tuple(kept))


def says(event_kind: type, text: str) -> Any:
    """The sentences, with another for a type of event."""
    return lambda state, event: (
        text.format(event=event) if isinstance(event, event_kind) else GAME.says(state, event)
    )


def says_backwards(state: Any, event: Any) -> str:
    if isinstance(event, FireResolved):
        rolled = " ".join(map(str, event.faces[::-1]))
        return f"{event.seat} rolls {rolled}: {event.points} points."
    return GAME.says(state, event)


def describes(text: str, *parts: PartOf) -> Any:
    def describe(state: Any, command: Any) -> Any:
        words = GAME.describe(state, command)
        return replace(words, text=text or words.text, parts=parts or words.parts)

    return describe


def again(pointer: str) -> Any:
    """An order of play whose refusal of a second choice points somewhere."""
    asks = replace_record(COLOUR, again=No("choose.again", "PEN-2", "Once.", pointer))
    course = copy(COURSE)
    course.steps = (replace_record(COURSE.steps[0], asks=asks), *COURSE.steps[1:])
    return (course,)


class Undecided:
    """Says that it judges, and takes what comes."""

    judges = frozenset({"choose", "turn"})

    def choose(self, position: Any) -> Any:
        return position.items[0]


assert GAME.tables is not None
TITLES = dict.fromkeys((CHOICE, BATTLE), "Battle")


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ({"legal": one_aim}, "command fire: an offer, or a refusal, of Fire(aim='magazine')"),
        ({"pending": lambda state: GAME.pending(state)[:1]}, "question choose: its seats together"),
        ({"redact": lambda event, viewer: event}, "question choose: answers that the others do"),
        ({"courses": again("/aim")}, "question choose: a pointer of its again into choose: /aim"),
        ({"tables": replace_record(GAME.tables, titles=TITLES)}, "a title other than that of"),
        ({"bots": {"idler": Undecided}}, "question turn: a judgement of the bot idler"),
        ({"says": says(Revealed, "7 colours.")}, "event revealed: its own numbers"),
        ({"says": says(FireResolved, "{event.seat} rolls.")}, "event fire-resolved: its {"),
        ({"says": says_backwards}, "in that order in"),
        ({"describe": describes("Fire 5 guns.")}, "command fire: its own numbers"),
        ({"describe": describes("", PartOf("number", "2", "3 dice"))}, "a part that reads as 2"),
    ],
)  # fmt: skip
def test_what_is_not_sound_is_named(functions: dict[str, Any], said: str) -> None:
    assert said in faults(**functions)


def test_what_is_sound_is_not() -> None:
    assert faults() == ""
    assert faults(courses=again("/colour")) == ""


def test_an_entry_that_is_not_true_is_named() -> None:
    assert "event revealed: reckoning: it is listed as reckoned" in faults(frozenset({"revealed"}))
