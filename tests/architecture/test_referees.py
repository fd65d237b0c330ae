"""A referee is independent: it takes figures from the cards, and no rule from an engine."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.tree import parsed, python

FIGURES = {"domain.games.war_at_sea.rules.cards"}
"""What a referee may import of a game: names and figures of its cards."""
SHARED = {"service.referees": {"domain.kernel.codec"}}
"""What finds the referees may import of the kernel: the form of events."""
LATE = ("import_module", "__import__")
"""Ways to import that say at run time what."""
REFEREES = [name for name in python("service") if name.startswith("service/referees/")]


def imports(tree: ast.Module, package: str) -> set[str]:
    """The modules of this project that are imported, wherever in the file, by their full names."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            found.add(".".join(part for part in (base, node.module or "") if part))
        elif isinstance(node, ast.Name) and node.id in LATE:
            found.add(node.id)
    ours = {"domain", "service", "projections", "tests"}
    return {name for name in found if name.split(".")[0] in ours or name in LATE}


def strange(name: str, tree: ast.Module) -> set[str]:
    """What a module of the referees should not import."""
    home = name.endswith("__init__.py")
    package = "service.referees"
    own = {found for found in imports(tree, package) if found.startswith(package)}
    allowed = {*own, *FIGURES, *(SHARED[package] | {"import_module"} if home else set())}
    return imports(tree, package) - allowed


@pytest.mark.parametrize("name", REFEREES)
def test_a_referee_imports_no_rule(name: str) -> None:
    assert strange(name, parsed(name)) == set()


def test_there_is_one_for_every_game_of_ours() -> None:
    games = {name.split("/")[2] for name in python("domain") if name.startswith("domain/games/")}
    folders = {game for game in games if not game.endswith(".py")}
    assert {f"service/referees/{game}.py" for game in folders} <= set(REFEREES)


@pytest.mark.parametrize(
    "source",
    [
        "from domain.games.war_at_sea.rules import dice",
        "from domain.games.war_at_sea import GAME",
        "import domain.games.crimson_tide.rules.decide",
        "def f():\n    from domain.games.naval_battles.rules.evolve import evolve",
        "from ..evidence import verify",
        "from importlib import import_module\nx = import_module('domain')",
    ],
)
def test_an_import_of_a_rule_is_seen(source: str) -> None:
    assert strange("service/referees/toy.py", ast.parse(source))
