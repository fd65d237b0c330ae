"""What players and clients read, as digests: a change of it wants a line in CHANGELOG.md.

Rules, options, cards, abilities and scenarios of each game, operations and problem codes of the
service: ``tests/docs/words.json`` keeps a digest of the words and figures of each. Whatever is
another one now has to be named below "[Unreleased]", by its ID or its name. The file is no memory
of the last change: it is renewed with a release,

    python -m tests.support.told --release

and by nothing else, so that a change moves no file of its own. A second change of the same thing is
not noticed, since its name is there already.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.kernel.agreed import options_of
from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.shown.catalogue import Entry
from service.http.registry import operations
from service.problems import KINDS

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests" / "docs" / "words.json"
AnyGame = Game[Any, Any, Any]


class Thing(NamedTuple):
    """Something that is read.

    key    kind and ID, those of a game with its ruleset
    names  by which a line may name it
    words  all that is read of it
    """

    key: str
    names: frozenset[str]
    words: Any


def things() -> Iterator[Thing]:
    """Everything that players and clients read."""
    for name, game in sorted(games().items()):
        yield from _of_game(name, game)
    for operation in operations():
        told: tuple[str, ...] = (
            operation.method,
            operation.path,
            operation.summary,
            operation.description,
        )
        yield Thing(f"operation {operation.id}", frozenset({operation.id, operation.path}), told)
    for kind in KINDS:
        told = (str(kind.status), kind.title, kind.meaning, kind.hint)
        yield Thing(f"code {kind.code}", frozenset({kind.code}), told)


def _of_game(name: str, game: AnyGame) -> Iterator[Thing]:
    for rule in game.catalogue.rules():
        yield Thing(f"{name} rule {rule.id}", frozenset({rule.id}), (rule.title, rule.text))
    for option in options_of(game.options):
        text = game.option_texts[option.name]
        told = (text.whole, str(option.default), [str(each) for each in option.values])
        yield Thing(f"{name} option {option.name}", frozenset({option.name}), told)
    for kind, many, entries in (
        ("unit", "units", game.catalogue.units()),
        ("ability", "abilities", game.catalogue.abilities()),
        ("scenario", "scenarios", game.catalogue.scenarios()),
        ("map", "maps", game.catalogue.maps()),
    ):
        every = f"all {many} of {name}"
        yield from (_entry(f"{name} {kind}", every, entry) for entry in entries)


def _entry(kind: str, every: str, entry: Entry) -> Thing:
    """An entry of a catalogue; a change of the form of all of a kind may be told once."""
    plain = re.sub(r" *\{n\}", "", entry.name)
    told = (entry.name, entry.text, msgspec.to_builtins(entry.data))
    return Thing(f"{kind} {entry.id}", frozenset({entry.id, entry.name, plain, every}), told)


def digest(words: Any) -> str:
    plain = json.dumps(words, sort_keys=True, default=str)
    return hashlib.sha256(plain.encode()).hexdigest()[:8]


def now() -> dict[str, str]:
    return {each.key: digest(each.words) for each in things()}


def kept() -> dict[str, str]:
    found: dict[str, str] = json.loads(KEPT.read_bytes())
    return found


def unlogged(old: Mapping[str, str], new: Mapping[str, Thing], changelog: str) -> list[str]:
    """What is another one, new or gone, and has no name in the unreleased part."""
    told = changelog.partition("\n## [Unreleased]\n")[2].partition("\n## [")[0]
    changed = [key for key, each in new.items() if digest(each.words) != old.get(key)]
    gone = [key for key in old if key not in new]
    return sorted(
        [key for key in changed if not _named(new[key].names, told)]
        + [key for key in gone if not _named({key.split()[-1]}, told)]
    )


def _named(names: Any, told: str) -> bool:
    """Whether a line has one of the names, whole."""
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]|\.\w)", told) for name in names)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.told", description=__doc__)
    parser.add_argument(
        "--release", action="store_true", help="keep what is read now", required=True
    )
    parser.parse_args()
    rows = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(now().items())]
    KEPT.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
    print(f"{KEPT.relative_to(ROOT)}: {len(rows)} things")
    return 0


if __name__ == "__main__":
    sys.exit(main())
