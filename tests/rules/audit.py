"""Books, code and proofs side by side: what ``make rules`` prints."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from domain.kernel.rules import HOMES
from domain.kernel.shown.rulebook import RuleText, load_rulebook
from tests.support.rules import GAMES


@dataclass(frozen=True)
class Line:
    """One entry of a book, with where it lives, its tests, and what became of it when broken.

    killed  whether one of its tests noticed that its home was changed
    rows    how many did: 1, or 2 for two and more
    owed    no test of it did, and the list of those says so (tests/rules/unproved.toml)
    """

    entry: RuleText
    home: str
    tests: tuple[str, ...]
    killed: bool = False
    rows: int = 0
    owed: bool = False

    @property
    def missing(self) -> str:
        """What a rule marked done still lacks; empty when it lacks nothing."""
        if self.entry.status != "done":
            return ""
        wanted = (("code", self.home), ("test", self.tests), ("proof", self.killed or self.owed))
        lacks = [word for word, there in wanted if not there]
        return " and ".join(lacks)

    @property
    def early(self) -> bool:
        """In code and proved, though its book does not call it done yet."""
        return self.entry.status == "deferred" and bool(self.home) and self.killed


@dataclass(frozen=True)
class Audit:
    """One game's book against its code and its tests."""

    game: str
    lines: tuple[Line, ...]
    strangers: tuple[str, ...]
    """IDs that the game's code marks, but its book does not hold."""

    @property
    def missing(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.missing)

    @property
    def complete(self) -> bool:
        return not self.missing and not self.strangers

    def counts(self) -> dict[str, int]:
        """The figures of the head line, in the order in which they are printed."""
        lines = self.lines
        return {
            "in the book": len(lines),
            "rules": sum(line.entry.kind == "rule" for line in lines),
            "rulings": sum(line.entry.kind == "ruling" for line in lines),
            "done": sum(line.entry.status == "done" for line in lines),
            "in code": sum(bool(line.home) for line in lines),
            "tested": sum(bool(line.tests) for line in lines),
            "killed when broken": sum(line.killed for line in lines),
            "shown by one row only": sum(line.rows == 1 for line in lines),
            "proof owed": sum(line.owed for line in lines),
            "information": sum(line.entry.status == "information" for line in lines),
            "deferred": sum(line.entry.status == "deferred" for line in lines),
            "missing": len(self.missing),
        }


def audit(
    game: str,
    book: Iterable[RuleText],
    homes: dict[str, CodeType],
    proofs: Mapping[str, Collection[str]],
    rows: Mapping[str, int],
    owed: Collection[str] = (),
) -> Audit:
    """``homes``: the marked code of this game only. ``proofs``: rule ID to its tests; ``rows``: to
    how many of them noticed that its home was broken; ``owed``: where it is known that none does.
    """
    entries = tuple(book)
    lines = tuple(
        Line(
            entry,
            _place(homes.get(entry.id)),
            tuple(sorted(proofs.get(entry.id, ()))),
            rows.get(entry.id, 0) > 0,
            rows.get(entry.id, 0),
            entry.id in owed and not rows.get(entry.id, 0),
        )
        for entry in entries
    )
    return Audit(game, lines, tuple(sorted(homes.keys() - {entry.id for entry in entries})))


def _place(code: CodeType | None) -> str:
    if code is None:
        return ""
    path = Path(code.co_filename)
    base = GAMES.parents[1]
    shown = path.relative_to(base) if path.is_relative_to(base) else path
    return f"{shown}:{code.co_firstlineno} {code.co_qualname}"


def games() -> list[str]:
    """Package names of the games that ship with a rulebook."""
    return sorted(path.parent.name for path in GAMES.glob("*/rulebook.toml"))


def audit_game(
    game: str,
    proofs: dict[str, Collection[str]],
    rows: Mapping[str, int] | None = None,
    owed: Collection[str] = (),
) -> Audit:
    """Import all of a game, then audit it."""
    package = f"domain.games.{game}"
    folder = str(GAMES / game)
    for name in _modules(package, folder):
        importlib.import_module(name)
    homes = {key: code for key, code in HOMES.items() if code.co_filename.startswith(folder)}
    return audit(game, load_rulebook(package), homes, proofs, rows or {}, owed)


def _modules(package: str, folder: str) -> Iterator[str]:
    yield package
    for module in pkgutil.walk_packages([folder], package + "."):
        yield module.name


def load_proofs(path: Path) -> dict[str, Collection[str]]:
    """What the collector wrote (tests/support/rules.py)."""
    proofs: dict[str, Collection[str]] = json.loads(path.read_text("utf-8"))
    return proofs


def numbers(lines: Iterable[Line]) -> str:
    """IDs, short: ``ATK 01 02 05 · DMG 07``."""
    areas: dict[str, list[str]] = {}
    for line in lines:
        prefix, number = line.entry.id.rsplit("-", 1)
        areas.setdefault(line.entry.area or prefix, []).append(number)
    return " · ".join(f"{area} {' '.join(found)}" for area, found in areas.items())


def render(found: Audit) -> str:
    """The report of one game as text."""
    head = ", ".join(f"{count} {word}" for word, count in found.counts().items())
    parts = [f"{found.game}: {head}"]
    by_want: dict[str, list[Line]] = {}
    for line in found.missing:
        by_want.setdefault(line.missing, []).append(line)
    parts += [f"  missing {want}: {numbers(lines)}" for want, lines in sorted(by_want.items())]
    deferred = [line for line in found.lines if line.entry.status == "deferred"]
    if deferred:
        parts.append(f"  deferred: {numbers(deferred)}")
    if early := [line for line in found.lines if line.early]:
        parts.append(f"  proved, could be marked done: {numbers(early)}")
    if owed := [line for line in found.lines if line.owed]:
        parts.append(f"  no test notices when it is broken: {numbers(owed)}")
    if found.strangers:
        parts.append(f"  in code, but in no book: {' '.join(found.strangers)}")
    return "\n".join(parts)
