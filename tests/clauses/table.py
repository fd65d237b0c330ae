"""The kept tables: one line for each clause of a seed, and what a line must hold.

    address  digest  rules  proofs  why

Columns are parted by tabs, IDs within a column by blanks. A clause has rules and proofs, or a
reason for which it needs none; never both, never neither. Beside a reason only such rules stand
as are information: they decide nothing, and no case could fail for them.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from domain.kernel.shown.rulebook import RuleText, load_rulebook
from tests.clauses.cut import Clause
from tests.rules.audit import games
from tests.support import cases
from tests.support.suites import TESTS, suites

HERE = Path(__file__).parent
SEEDS = ("000", "001", "002", "003", "004")

REASONS: Mapping[str, str] = {
    "print": "page numbers, headings, contents, captions, credits, addresses, scanning faults",
    "material": "what lies in the box, and what it is made of: nothing to decide",
    "history": "what happened at sea, or what a thing stands for: nothing to decide",
    "advice": "how to play well",
    "table-manners": "how to handle pieces, dice and paper where a service keeps them",
    "pointer": "where in the booklet more is said: see X",
    "repeat": "the same as another clause, named after it: repeat 303.2, or repeat 000/303.2",
    "decided": "what a word means, or a summary; these rules decide it: decided WAS-VP-01",
    "part": "the rest of a sentence that the text breaks in two: part 138.1",
    "elsewhere": "a rule of something that this game does not have, said after it: elsewhere ...",
}
CITING = ("repeat", "part")


@dataclass(frozen=True)
class Row:
    """A clause, and what stands for it.

    rules   IDs of its game's rulebook
    proofs  numbered cases (WAS-C-012) and tests (war_at_sea/test_x.py::test_y) of those rules
    why     why it needs none: a reason, and what the reason asks for
    """

    address: str
    digest: str
    rules: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    why: str = ""

    @property
    def line(self) -> str:
        """The row as the table has it."""
        words = self.address, self.digest, " ".join(self.rules), " ".join(self.proofs), self.why
        return "\t".join(words).rstrip("\t")


def path(seed: str) -> Path:
    """Where the table of a seed is kept."""
    return HERE / f"{seed}.tsv"


def load(seed: str) -> dict[str, Row]:
    """The rows of a seed by address. Raises ValueError for a line that is none."""
    rows = {}
    for line in path(seed).read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        fields = [*line.split("\t"), "", "", ""][:5]
        address, fixed, rules, proofs, why = fields
        if address in rows or line.count("\t") > len(fields) - 1:
            raise ValueError(f"{seed}.tsv: {line!r}: one line a clause, five columns")
        rows[address] = Row(address, fixed, tuple(rules.split()), tuple(proofs.split()), why)
    return rows


def heading(seed: str) -> dict[str, str]:
    """What the first lines of a table say of its seed: `file`, `sha256`, `clauses`."""
    lines = path(seed).read_text("utf-8").splitlines()
    said = (line[1:].split(maxsplit=1) for line in lines if line.startswith("#"))
    return {words[0]: words[1] for words in said}


def store(seed: str, head: Mapping[str, str], rows: Mapping[str, Row]) -> None:
    """Write a table."""
    lines = [*(f"# {name} {value}" for name, value in head.items())]
    lines += [row.line for row in rows.values()]
    path(seed).write_text("\n".join(lines) + "\n", "utf-8")


def take(rows: dict[str, Row], line: str) -> None:
    """Set what a line says: address, rules, proofs, reason, parted by tabs; the digest stays.

    The address may be a stretch of the table, `12.1-40.3`, for headings and pictures. Raises
    ValueError for an address that the table does not have.
    """
    where, rules, proofs, why = [*line.split("\t"), "", "", ""][:4]
    first, _, last = where.partition("-")
    names = list(rows)
    for name in names[names.index(first) : names.index(last or first) + 1]:
        kept = rows[name].digest
        rows[name] = Row(name, kept, tuple(rules.split()), tuple(proofs.split()), why.strip())


def compare(cut: tuple[Clause, ...], rows: Mapping[str, Row]) -> Iterator[str]:
    """In what a table differs from the sentences of its seed."""
    found = {clause.address: clause for clause in cut}
    yield from (f"{address}: no sentence begins there" for address in rows if address not in found)
    for address, clause in found.items():
        if address not in rows:
            yield f"{address}: the table has nothing for it"
        elif rows[address].digest != clause.digest:
            yield f"{address}: its words are not those that the table was made for"


def lacks(seed: str, row: Row) -> Iterator[str]:
    """What a row lacks, or says that is not so."""
    if (row.why and row.proofs) or not (row.why or row.rules):
        yield "rules with their proofs, or a reason why it needs none; one of the two"
    yield from (f"{rule} is in no rulebook" for rule in row.rules if rule not in books())
    yield from _unreasonable(seed, row) if row.why else _unproved(row)


def _unreasonable(seed: str, row: Row) -> Iterator[str]:
    reason, _, rest = row.why.partition(" ")
    if reason not in REASONS:
        yield f"{reason!r} is no reason; there are {', '.join(REASONS)}"
    yield from (
        f"{rule} is no information: a reason does not stand for it"
        for rule in known(row)
        if books()[rule].status != "information"
    )
    if reason == "elsewhere" and not rest:
        yield "elsewhere: of what?"
    if reason == "decided":
        yield from _undecided(rest)
    if reason in CITING:
        yield from _uncited(seed, row, rest)


def _uncited(seed: str, row: Row, cited: str) -> Iterator[str]:
    other, _, address = cited.rpartition("/")
    there = table(other or seed).get(address) if (other or seed) in SEEDS else None
    if there is None or there is row or there.why.startswith(CITING):
        yield f"{row.why!r}: name a clause that has rules or a reason of its own"


def _undecided(cited: str) -> Iterator[str]:
    shown = frozenset[str]().union(*named().values())
    if not cited or not set(cited.split()) <= shown & books().keys():
        yield f"decided {cited}: name rules that cases or tests show"


def _unproved(row: Row) -> Iterator[str]:
    yield from (
        f"{proof} is no case or test that names one of its rules"
        for proof in row.proofs
        if not set(row.rules) & named().get(proof, frozenset())
    )
    if not row.proofs:
        yield "no case or test shows it, and no reason says why it needs none"


def known(row: Row) -> tuple[str, ...]:
    """Its rules that are in a book."""
    return tuple(rule for rule in row.rules if rule in books())


@cache
def table(seed: str) -> dict[str, Row]:
    """A kept table, read once."""
    return load(seed)


@cache
def books() -> dict[str, RuleText]:
    """Every entry of every rulebook by its ID."""
    found = (load_rulebook(f"domain.games.{game}") for game in games())
    return {entry.id: entry for book in found for entry in book}


@cache
def named() -> dict[str, frozenset[str]]:
    """The rules that each numbered case and each test of rules names."""
    found: dict[str, set[str]] = {}
    for name in suites():
        for case in cases.load(name):
            found[case["id"]] = set(case["rules"])
    for source in sorted(TESTS.rglob("test_*.py")):
        if HERE in source.parents:
            continue  # these name rules as examples
        for test, rules in _marked(source):
            found.setdefault(f"{source.relative_to(TESTS)}::{test}", set()).update(rules)
    for test, rules in _killers():
        found.setdefault(test, set()).update(rules)
    return {proof: frozenset(rules) for proof, rules in found.items()}


def _marked(source: Path) -> Iterator[tuple[str, set[str]]]:
    """Tests of a file with what their decorators name."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            told = (part for mark in node.decorator_list for part in ast.walk(mark))
            words = {part.value for part in told if isinstance(part, ast.Constant)}
            yield node.name, {word for word in words if isinstance(word, str)}


def _killers() -> Iterator[tuple[str, set[str]]]:
    """Tests that noticed when a rule's home was broken: some take their marks from a table."""
    for kept in sorted((TESTS / "rules" / "broken").glob("*.json")):
        for rule, verdict in json.loads(kept.read_text("utf-8")).items():
            test = str(verdict.get("by", "")).removeprefix("tests/").partition("[")[0]
            yield test, {rule}
