"""Lessons: a first battle in steps that explain themselves; one file of data for each game."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.util import find_spec
from typing import Any

import msgspec

from domain.kernel.finder import games, home_of

NAME = "lesson.json"
"""In the package of a game that comes from elsewhere."""

log = logging.getLogger(__name__)


class _Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Part of a lesson's file."""


class Act(_Form, frozen=True):
    """Offered commands, of which any will do.

    command  type of the command
    rule     by which it is offered
    asked    rule of the question that it answers; of passes every game has one kind alone
    parts    keys of a part, by its role
    """

    command: str
    rule: str = ""
    asked: str = ""
    parts: dict[str, tuple[str, ...]] = {}


class Sign(_Form, frozen=True):
    """An event of an order of the learner's.

    event   its type
    rule    one of those that it names
    data    values of its fields, by their way (``attack.weapon``)
    anyone  an order of anybody's may have caused it
    """

    event: str
    rule: str = ""
    anyone: bool = False
    data: dict[str, tuple[Any, ...]] = {}


class Step(_Form, frozen=True):
    """What is to be done, once.

    text   what to do, and why. ``{unit}`` is the part of that role in an offer that will do,
           ``{worth}`` what its dice may achieve, ``{says}`` what the button of a way on says
    rules  whose text opens in place
    act    what is to be given: the step is shown while it is offered
    done   what shows that it was
    also   what may be done before without being another way
    since  the step is shown after one of these alone
    """

    title: str
    text: str
    act: tuple[Act, ...]
    done: tuple[Sign, ...]
    rules: tuple[str, ...] = ()
    also: tuple[Sign, ...] = ()
    since: tuple[Sign, ...] = ()


class Hint(_Form, frozen=True):
    """What is said of a question that no step is about."""

    text: str
    rules: tuple[str, ...] = ()


class Lesson(_Form, frozen=True):
    """A lesson of a game.

    about      what it is, for who may begin it
    start      how its game is made: what ``POST /v1/games`` takes, but for ruleset, name and seats
    steps      in the order in which they are likely to come
    meanwhile  by the rule of the question, else by its name
    end        when all steps are done
    """

    about: str
    start: dict[str, Any]
    steps: tuple[Step, ...]
    meanwhile: dict[str, Hint]
    end: str


def lesson_of(text: bytes) -> Lesson:
    """A lesson's file, read strictly. Raises MsgspecError."""
    return msgspec.json.decode(text, type=Lesson)


@cache
def lessons() -> dict[str, Lesson]:
    """By ruleset: those of this folder, and what other installed games bring in their package."""
    own = {
        each.name.removesuffix(".json"): lesson_of(each.read_bytes())
        for each in (resources.files("service") / "web" / "lessons").iterdir()
        if each.name.endswith(".json")
    }
    homes = {name: home_of(game) for name, game in games().items() if name not in own}
    return own | dict(brought(homes))


def brought(homes: Mapping[str, str]) -> Iterator[tuple[str, Lesson]]:
    """The lessons of packages, by ruleset; one that is wrong is left out, and the log tells it."""
    for name, home in homes.items():
        spec = find_spec(home)
        if spec is None or spec.submodule_search_locations is None:
            continue  # a game of one module
        found = resources.files(home) / NAME
        try:
            if found.is_file():
                yield name, lesson_of(found.read_bytes())
        except msgspec.MsgspecError as wrong:
            log.warning("the lesson of %s is left out: %s", name, wrong)
