"""Which options the rules of a game ask about while it is played, in each of its editions."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import msgspec

from domain.kernel.agreed import Agreed, options_of
from domain.kernel.rules import Refused
from tests.support import cases
from tests.support.suites import Suite

SEEDS = 8
"""Random games besides the cases: as many for each edition."""


@contextmanager
def watched(options: type[msgspec.Struct], package: str) -> Iterator[set[str]]:
    """The names of the options that code of ``package`` reads meanwhile."""
    read: set[str] = set()
    with ExitStack() as stack:
        for each in options_of(options):
            plain = vars(options)[each.field]
            stack.callback(setattr, options, each.field, plain)
            setattr(options, each.field, _noting(plain, each.name, package, read))
        yield read


def _noting(plain: Any, name: str, package: str, read: set[str]) -> property:
    def get(options: Any) -> Any:
        if sys._getframe(1).f_globals["__name__"].startswith(f"{package}."):
            read.add(name)
        return plain.__get__(options)

    return property(get)


def reads(suite: Suite, edition: str) -> set[str]:
    """The options that are read in the edition: by each case that sets one, and by random games.

    When each that works there was read, nobody looks further.
    """
    game = suite.game
    some = {each for each in options_of(game.options) if each.works(edition)}
    wanted = {each.name for each in some}
    package = f"domain.games.{suite.folder}"
    with watched(game.options, package) as read, suite.around():
        for case in cases.load(suite.folder):
            if wanted <= read:
                return read
            if any(_set(each, case) for each in some):
                with suppress(AssertionError, Refused):  # it may expect another edition's outcome
                    cases.run(suite, {**case, "edition": edition})
        for seed in range(SEEDS * len(game.editions)):
            if game.editions[seed % len(game.editions)] == edition and not wanted <= read:
                suite.sample(seed)
    return read


def _set(option: Agreed, case: Mapping[str, Any]) -> bool:
    setup = case.get("setup", {})
    return option.name in setup or option.name in setup.get("options", {})
