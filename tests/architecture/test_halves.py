"""A game is two halves: ``rules/`` decides, ``shown/`` shows, and ``game.py`` alone knows both.

The contracts of pyproject.toml say who may import whom; here it is held that no file of a game
stands outside of the two halves, and that no game stands outside of the contracts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import grimp
import pytest
from importlinter.configuration import configure
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract
from importlinter.domain.contract import Contract

from tests.architecture.tree import text, tracked

GAMES = sorted(
    name.removesuffix("/game.py")
    for name in tracked()
    if name.startswith(("domain/games/", "domain/examples/")) and name.endswith("/game.py")
)
HALVES = {"rules", "shown"}
LAYERS = ["game", "shown", "rules"]
AT_THE_TOP = {"__init__.py", "game.py", "rulebook.toml", "RULINGS.md", "HOUSE.md", "README.md"}
"""What belongs to both halves, or is about the game as a whole."""


@pytest.mark.parametrize("game", GAMES)
def test_every_file_of_a_game_decides_or_shows(game: str) -> None:
    tops = {name.split("/")[3] for name in tracked() if name.startswith(f"{game}/")}
    assert tops - AT_THE_TOP == HALVES


def test_no_game_and_no_example_is_without_halves() -> None:
    folders = {
        "/".join(name.split("/")[:3])
        for name in tracked()
        if name.startswith(("domain/games/", "domain/examples/")) and name.count("/") > 2
    }
    assert folders == {*GAMES}
    assert len(GAMES) == 4


def test_every_game_is_in_the_contract() -> None:
    (layers,) = [each for each in contracts() if each.get("layers") == LAYERS]
    assert layers["exhaustive"]
    assert layers["containers"] == [game.replace("/", ".") for game in GAMES]


def contracts() -> list[dict[str, Any]]:
    """What pyproject.toml says to the linter of imports."""
    found = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    return [dict(each) for each in found]


@cache
def graph() -> grimp.ImportGraph:
    """Who imports whom in the domain."""
    configure()
    return grimp.build_graph("domain", cache_dir=None)


KINDS: dict[str, Callable[..., Contract]] = {
    "forbidden": ForbiddenContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}
APART = "A game is rules/ and shown/, and what decides knows nothing of what shows"
KERNEL = "Of the kernel too: what decides, what shows, and what knows both"
DECIDES = "What decides stands on what decides"
COURSE = "Rules never import the course that is made of them"


def broken(imports: grimp.ImportGraph) -> set[str]:
    """Those of these contracts that imports break."""
    return {each["name"] for each in contracts() if each["name"] in HELD and breaks(each, imports)}


HELD = {APART, KERNEL, DECIDES, COURSE}


def breaks(contract: dict[str, Any], imports: grimp.ImportGraph) -> bool:
    options = {key: str(said) if isinstance(said, bool) else said for key, said in contract.items()}
    if contract["type"] == "protected":  # the service may, and is not in this graph
        options["allowed_importers"] = [
            name for name in contract["allowed_importers"] if name.startswith("domain.")
        ]
    made = KINDS[contract["type"]](contract["name"], {"root_packages": ["domain"]}, options)
    return not made.check(deepcopy(imports), verbose=False).kept


PENNANT, SEA = "domain.examples.pennant", "domain.games.war_at_sea"


@pytest.mark.parametrize(
    ("importer", "imported", "which"),
    [
        (f"{PENNANT}.rules.state", f"{PENNANT}.shown.words", {APART, DECIDES}),
        (f"{SEA}.rules.folds.card", f"{SEA}.shown.scenes.whole", {APART, DECIDES}),
        (f"{SEA}.rules.state", f"{SEA}.game", {APART, DECIDES}),
        (f"{SEA}.shown.words", f"{SEA}.game", {APART}),
        (f"{SEA}.rules.state", "domain.kernel.shown.scene", {DECIDES}),
        (f"{SEA}.rules.state", "domain.kernel.game", {DECIDES}),
        (f"{SEA}.rules.state", "domain.kernel.finder", {DECIDES}),
        ("domain.kernel.engine", "domain.kernel.shown.insight", {KERNEL, DECIDES}),
        ("domain.kernel.fork", "domain.kernel.game", {KERNEL, DECIDES}),
        ("domain.kernel.shown.scene", "domain.kernel.game", {KERNEL}),
        (f"{SEA}.rules.families.shots", f"{SEA}.rules.sequence", {COURSE}),
        (f"{SEA}.rules.facts", "domain.kernel.play", {COURSE}),
        (f"{SEA}.rules.facts", f"{SEA}.rules.odds", {COURSE}),
    ],
)
def test_an_import_the_wrong_way_breaks_a_contract(
    importer: str, imported: str, which: set[str]
) -> None:
    imports = deepcopy(graph())
    imports.add_import(importer=importer, imported=imported)
    assert broken(graph()) == set()
    assert broken(imports) == which


@pytest.mark.parametrize(
    ("module", "which"), [(f"{SEA}.between", {APART}), ("domain.kernel.between", {KERNEL})]
)
def test_a_module_that_is_in_neither_half_breaks_a_contract(module: str, which: set[str]) -> None:
    imports = deepcopy(graph())
    imports.add_module(module)
    assert broken(imports) == which
