"""The tables of options in RULINGS.md: ``python -m tests.support.option_tables`` writes them.

The fields say name, rule and editions, ``options.toml`` says the rest; nothing is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.kernel.agreed import options_of
from domain.kernel.finder import games
from domain.kernel.game import Game
from tests.support.rules import GAMES

AnyGame = Game[Any, Any, Any]
HEADING = "## Options of a game"


def table(game: AnyGame) -> str:
    """One row for each option, in the order of the fields."""
    some = any(each.editions for each in options_of(game.options))
    head, *rows = (f"| {' | '.join(row)} |\n" for row in _rows(game, editions=some))
    return head + "|" + "---|" * (head.count("|") - 1) + "\n" + "".join(rows)


def _rows(game: AnyGame, *, editions: bool) -> Iterator[list[str]]:
    more = ["editions"] if editions else []
    yield ["option", "default", "what else", *more, "ruling or rule"]
    for each in options_of(game.options):
        text, only = game.option_texts[each.name], [", ".join(each.editions) or "all"]
        yield [f"`{each.name}`", text.usual, text.other, *(only if editions else []), each.rule]


def rulings(game: AnyGame) -> Path:
    return GAMES / game.ruleset.replace("-", "_") / "RULINGS.md"


def anew(game: AnyGame, document: str) -> str:
    """The document with the game's table as it is today."""
    before, heading, rest = document.partition(HEADING)
    section, next_, after = rest.partition("\n## ")
    said = section[: section.index("| option ")]
    return f"{before}{heading}{said}{table(game)}{next_}{after}"


def main() -> None:
    for game in games().values():
        path = rulings(game)
        path.write_text(anew(game, path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
