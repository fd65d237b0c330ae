"""Size, words and addresses: what is never right in this repository."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.architecture.tree import (
    CODE,
    ROOT,
    against,
    functions,
    lines_of,
    parsed,
    python,
    text,
    tracked,
)

MODULE_LINES = 400
FUNCTION_LINES = 70

# One letter of each stands in brackets, or this file would find itself.
UNFINISHED = re.compile(r"\b(T[O]DO|F[I]XME|X[X]X|raise NotImplemented[E]rror)\b")
DODGE = re.compile(
    r"mark\.[s]kip|mark\.[x]fail|pytest\.[s]kip\(|importor[s]kip|assert [T]rue$", re.MULTILINE
)
MACHINE = re.compile(r"/(work|farm|root|tmp|home|Users)/[A-Za-z]")
REGISTRY = re.compile(
    r"[i]ndex-url|[f]ind-links|[r]egistry *= *.http|\"[r]esolved\": *\"http|pypi[.]org/simple"
)


def readable() -> Iterator[tuple[str, str]]:
    """Every tracked file that is text, whatever its name ends in, with what it says."""
    for name in tracked():
        try:
            yield name, (ROOT / name).read_text("utf-8")
        except UnicodeDecodeError:
            continue


def test_a_module_of_the_domain_is_short() -> None:
    assert against(python("domain"), _too_long) == {}


def _too_long(name: str) -> Iterator[str]:
    if (lines := text(name).count("\n")) > MODULE_LINES:
        yield f"{lines} lines"


def test_functions_are_short() -> None:
    assert against(python(*CODE, "tests"), _long_functions) == {}


def _long_functions(name: str) -> Iterator[str]:
    if text(name).count("\n") <= FUNCTION_LINES:
        return  # it is not parsed for nothing
    for function in functions(parsed(name)):
        if lines_of(function) > FUNCTION_LINES:
            yield f"{function.name}: {lines_of(function)} lines"


def test_nothing_is_left_unfinished() -> None:
    assert against(python(), lambda name: UNFINISHED.findall(text(name))) == {}


def test_no_test_dodges() -> None:
    found = against(python("tests"), lambda name: DODGE.findall(text(name)))
    # Nothing but openssl makes time stamps, and a machine need not have it: they are told of there.
    assert found == {"tests/support/tsa.py": ["mark.s" + "kip"]}


def test_no_machine_is_named() -> None:
    """A path of somebody's machine, or the address of a package registry."""
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, said in readable()
        for number, line in enumerate(said.splitlines(), 1)
        if MACHINE.search(line) or REGISTRY.search(line)
    ]
    assert found == []


TOLD_ABOVE = {
    "domain/games/crimson_tide/rules/pieces": "domain/games/crimson_tide/README.md",
    "domain/games/crimson_tide/rules/units": "domain/games/crimson_tide/README.md",
    "domain/games/naval_battles": "domain/README.md",
    "domain/games/war_at_sea": "domain/README.md",
    "domain/games/war_at_sea/rules/book": "domain/games/war_at_sea/rules/units/README.md",
    "tests/naval_battles": "tests/README.md",
    "tests/war_at_sea": "tests/README.md",
}
"""Folders without a README yet, and what tells of them meanwhile: may only shrink."""


SERVICE = sorted({name.split("/")[1] for name in python("service") if name.count("/") > 1})
"""The packages of the service; that of the document is told in openapi/."""


def wanted() -> Iterator[str]:
    """The folders that somebody who adds something stands in: every game's, and every kind of data.

    A kind of data is a folder of a game with TOML files, or one of tests that is called like it.
    """
    yield from ("", "decklog", "domain", "projections", "service", "openapi", "deploy", "tests")
    yield from (f"service/{name}" for name in SERVICE if name != "openapi")
    for game in sorted(path.parent for path in (ROOT / "domain/games").glob("*/game.py")):
        data = {path.parent for path in game.glob("rules/*/*.toml")}
        tests = ROOT / "tests" / game.name
        for folder in sorted({game, tests, *data}):
            yield folder.relative_to(ROOT).as_posix()
        for name in ("abilities", "cards", *sorted(each.name for each in data)):
            if (tests / name).is_dir():
                yield (tests / name).relative_to(ROOT).as_posix()


@pytest.mark.parametrize("folder", sorted(set(wanted())))
def test_every_folder_has_a_readme(folder: str) -> None:
    there = (ROOT / folder / "README.md").is_file()
    assert there != (folder in TOLD_ABOVE), "write one, or strike it from TOLD_ABOVE"


def test_folders_of_games_and_their_data_are_among_them() -> None:
    assert {"domain/games/crimson_tide", "tests/crimson_tide", "tests/war_at_sea/cards"} < {
        *wanted()
    }
    assert {"domain/games/war_at_sea/rules/families", "tests/war_at_sea/abilities"} < {*wanted()}
