"""What a ruleset gives to the tests that every ruleset must pass: tests/<game>/suite.py, ``SUITE``.

tests/every_game/ runs its numbered cases, its recorded games, their histories and the stored forms
of its events. A new game is one new folder; nothing here names one.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from domain.kernel.chance import Faces
from domain.kernel.codec import Codec
from domain.kernel.forked import fork_rules
from domain.kernel.game import Game
from domain.kernel.options import Options
from domain.kernel.setup import Setup
from domain.kernel.testing.table import Table
from domain.kernel.values import Seat
from service.bots.bot import Bot

TESTS = Path(__file__).resolve().parents[1]

AnyGame = Game[Any, Any, Any]


def as_offered(state: Any, seat: Seat, options: Options[Any]) -> Options[Any]:
    """A seat may choose among all that is legal."""
    return options


def as_thrown(state: Any, faces: Faces) -> Faces:
    """Dice fall as they fall."""
    return faces


class Recipe(NamedTuple):
    """How a whole game is recorded.

    bots   who plays each seat
    ends   reason and rule of its end, and how many win
    offer  narrows what a seat may choose from: a fleet that the story needs
    fall   bends dice: the story needs a hit
    seed   of the dice
    """

    setup: Setup
    bots: Mapping[Seat, Callable[[], Bot]]
    ends: tuple[str, str, int]
    offer: Callable[[Any, Seat, Options[Any]], Options[Any]] = as_offered
    fall: Callable[[Any, Faces], Faces] = as_thrown
    seed: str = "recorded"


@dataclass(frozen=True)
class Suite:
    """A ruleset's contribution.

    folder   name of its folder under domain/games, tests, tests/cases and tests/games
    cases    what its case numbers begin with: ``WAS-C``
    begin    the table of a case; raises Refused when the rules do not allow its set-up
    turn     the number of the turn; recorded games hold the digest of the state at each
    recipes  its recorded games by name: one for every way to end, at least
    rare     examples of events that random games seldom reach
    around   what a case is played within: clears up what only the case needs
    teams    whether partners share a side in a set-up, where one seat might be a side as well
    short    random games of the campaign's short tier, which CI plays
    sample   the events of a whole random game, by seed
    random   the set-up of the random game of a seed, and the game as it is played there
    check    plays the random game of a seed to its end and checks what always holds after each
             event; thorough: each promise of the kernel's conformance suite besides. Gives its
             kind in words (scenario, edition, how it ended), and how many commands it took
    """

    folder: str
    game: AnyGame
    cases: str
    begin: Callable[[Mapping[str, Any]], Table]
    turn: Callable[[Any], int]
    sample: Callable[[int], Sequence[Any]]
    check: Callable[[int, bool], tuple[str, int]]
    random: Callable[[int], tuple[Setup, AnyGame]]
    recipes: Mapping[str, Recipe] = field(default_factory=dict)
    rare: tuple[Any, ...] = ()
    around: Callable[[], AbstractContextManager[None]] = nullcontext
    teams: Callable[[Setup], bool] = lambda setup: False
    short: int = 300

    @property
    def codec(self) -> Codec[Any]:
        """Reads and writes its stored events, the position of a fork among them."""
        return Codec(fork_rules(self.game))

    @property
    def recorded(self) -> Path:
        """Where its recorded games are."""
        return TESTS / "games" / self.folder


@cache
def suites() -> dict[str, Suite]:
    """Every suite by the name of its folder."""
    return {folder: suite_of(folder) for folder in folders()}


def folders() -> list[str]:
    """The names of the folders that have a suite."""
    return sorted(path.parent.name for path in TESTS.glob("*/suite.py"))


def suite_of(folder: str) -> Suite:
    """One suite; nothing of another game is imported."""
    suite: Suite = importlib.import_module(f"tests.{folder}.suite").SUITE
    assert suite.folder == folder, f"tests/{folder}/suite.py is the suite of {suite.folder}"
    return suite


def with_games(parser: argparse.ArgumentParser, *more: str) -> None:
    """``--game FOLDER`` of a command that goes through the games, and may be told of some alone."""
    every = [*folders(), *more]
    help_ = "only this folder; may be repeated"
    parser.add_argument("--game", action="append", choices=every, help=help_)


def chosen(given: Sequence[str] | None) -> dict[str, Suite]:
    """The suites that ``--game`` names; all of them where it names none."""
    return {each: suite_of(each) for each in folders() if given is None or each in given}
