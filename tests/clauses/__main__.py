"""Clause coverage of the original rulebooks.

    python -m tests.clauses                               clauses by seed, and what lacks
    python -m tests.clauses --seeds FOLDER                the same, and the tables against the texts
    python -m tests.clauses --seeds FOLDER --show 003 320 460
                                                          sentences with address, digest and row
    python -m tests.clauses --seeds FOLDER --write        adds what a table has nothing for
    python -m tests.clauses --take 003 FILE               sets rows: address, rules, proofs, reason
    python -m tests.clauses --proofs CT-COLL-09           cases and tests that name a rule

Ends with 1 when a clause lacks something.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.clauses.cut import Clause, clauses
from tests.clauses.table import (
    SEEDS,
    Row,
    books,
    compare,
    heading,
    lacks,
    load,
    named,
    path,
    store,
    take,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the coverage; the exit code says whether it is whole."""
    asked = _parser().parse_args(arguments)
    if asked.show:
        return _show(asked.seeds, *asked.show)
    if asked.proofs:
        return _proofs(asked.proofs)
    if asked.take:
        _take(*asked.take)
    if asked.write:
        for seed in SEEDS:
            _write(asked.seeds, seed)
    faults = [fault for seed in SEEDS for fault in _report(seed, asked.seeds)]
    print(*faults[:100], f"{len(faults)} lacking", sep="\n")
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("tests.clauses", description=__doc__, formatter_class=raw)
    parser.add_argument("--seeds", type=Path, help="folder of the original texts")
    parser.add_argument("--write", action="store_true", help="add clauses that a table lacks")
    parser.add_argument("--show", nargs=3, metavar=("SEED", "FIRST", "LAST"), help="lines to show")
    parser.add_argument("--take", nargs=2, metavar=("SEED", "FILE"), help="rows to set")
    parser.add_argument("--proofs", metavar="RULE", help="what shows a rule")
    return parser


def _source(folder: Path, seed: str) -> Path:
    return next(folder.glob(f"{seed}_*.txt"))


def _cut(folder: Path, seed: str) -> tuple[Clause, ...]:
    return clauses(_source(folder, seed).read_text("utf-8"))


def _show(folder: Path, seed: str, first: str, last: str) -> int:
    rows = load(seed)
    for clause in _cut(folder, seed):
        if int(first) <= clause.line <= int(last):
            row = rows.get(clause.address, Row(clause.address, clause.digest))
            print(row.line, clause.words, sep="\n    ")
    return 0


def _write(folder: Path, seed: str) -> None:
    rows = load(seed) if path(seed).exists() else {}
    cut = _cut(folder, seed)
    kept = {c.address: rows.get(c.address, Row(c.address, c.digest)) for c in cut}
    file = _source(folder, seed)
    fixed = hashlib.sha256(file.read_bytes()).hexdigest()
    store(seed, {"file": file.name, "sha256": fixed, "clauses": str(len(cut))}, kept)


def _take(seed: str, file: str) -> None:
    rows = load(seed)
    for line in Path(file).read_text("utf-8").splitlines():
        if line.strip():
            take(rows, line)
    store(seed, heading(seed), rows)


def _proofs(rule: str) -> int:
    print(f"{rule}: {books()[rule].text}")
    print(*sorted(proof for proof, rules in named().items() if rule in rules), sep="\n")
    return 0


def _report(seed: str, folder: Path | None) -> Iterator[str]:
    rows = load(seed)
    count = Counter(row.why.partition(" ")[0] or ("rules" if row.rules else "nothing")
                    for row in rows.values())  # fmt: skip
    print(heading(seed)["file"], len(rows), dict(count.most_common()))
    for row in rows.values():
        yield from (f"{seed}/{row.address}: {fault}" for fault in lacks(seed, row))
    if folder is not None:
        yield from (f"{seed}/{fault}" for fault in compare(_cut(folder, seed), rows))


if __name__ == "__main__":
    sys.exit(main())
