"""The check of the check: clauses drawn at random are negated in a copy of the engine.

    python -m tests.clauses.negated --draw    the addresses drawn, and which lack a negation
    python -m tests.clauses.negated           negates what changed since it was kept
    python -m tests.clauses.negated --anew    negates all of them
    ... --write                               and keeps what was found

A negation is somebody's sentence of the opposite: words of one file under domain/ exchanged
(negated.toml). In a copy of the tree that has it, one at a time, one of the clause's own proofs has
to fail, by what it asserts or by a refusal; a proof that only crashes shows nothing. What was found
is kept under a digest of the file and of the proofs' words (negated.json).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from domain.kernel.values import Value
from tests.clauses.table import HERE, SEEDS, Row, books, known, table
from tests.support import cases
from tests.support.rules import UNPROVED
from tests.support.suites import TESTS, suites

ROOT = TESTS.parent
COPIED = ("domain", "projections", "service", "tests", "pyproject.toml")
NEGATIONS = HERE / "negated.toml"
KEPT = HERE / "negated.json"
DRAWN = 40
TICKET = "forty clauses"
"""What the draw is seeded with."""
ASSERTS = ("AssertionError", "assert", "Failed", "domain.kernel.rules.Refused", "Refused")
"""How the message begins of a proof that failed and did not only crash."""


class Negation(Value, frozen=True):
    """A clause's opposite.

    clause  seed and address: ``003/320.1``
    file    under the root of the repository
    old     words that stand there once
    new     what stands there in the negated engine
    """

    clause: str
    file: str
    old: str
    new: str

    @property
    def row(self) -> Row:
        """The clause's line in its table."""
        seed, _, address = self.clause.partition("/")
        return table(seed)[address]

    @property
    def text(self) -> str:
        """The file as it stands in the copy. Raises ValueError when ``old`` is not there once."""
        text = (ROOT / self.file).read_text("utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.clause}: {self.old!r} stands {text.count(self.old)} times")
        return text.replace(self.old, self.new)

    @property
    def key(self) -> str:
        """Changes with the file, the negation and the proofs."""
        told = [self.text, *self.row.proofs, *map(_words, self.row.proofs)]
        return hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]


def load() -> dict[str, Negation]:
    """The negations by clause."""
    rows = tomllib.loads(NEGATIONS.read_text("utf-8"))["negated"]
    return {row["clause"]: Negation(**row) for row in rows}


def kept() -> dict[str, dict[str, str]]:
    """What was found before: by clause its key and the proof that failed."""
    found: dict[str, dict[str, str]] = json.loads(KEPT.read_text("utf-8"))
    return found


def drawn() -> list[str]:
    """The clauses that are negated: of all that a rule which is done stands for.

    Each clause's lot hangs on its own address and words, so that a change elsewhere draws nothing
    anew.
    """
    lots = {f"{seed}/{row.address}": row.digest for seed in SEEDS for row in _played(seed)}
    return sorted(sorted(lots, key=lambda name: _lot(name, lots[name]))[:DRAWN])


def _lot(name: str, digest: str) -> float:
    return random.Random(f"{TICKET} {name} {digest}").random()


def _played(seed: str) -> Iterator[Row]:
    for row in table(seed).values():
        if any(books()[rule].status == "done" for rule in known(row)):
            yield row


def fails(negation: Negation, copy: Path) -> str:
    """The first of the clause's proofs that fails in the negated engine; empty when none does."""
    file = copy / negation.file
    before = file.read_text("utf-8")
    file.write_text(negation.text, "utf-8")
    try:
        return _failing([_node(proof) for proof in negation.row.proofs], copy)
    finally:
        file.write_text(before, "utf-8")


def _failing(nodes: Sequence[str], copy: Path) -> str:
    report = copy / "report.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line",
               f"--junitxml={report}", *nodes]  # fmt: skip
    clean = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(command, cwd=copy, env=clean, capture_output=True, check=False)
    if not report.exists():
        raise RuntimeError(f"pytest said nothing about {', '.join(nodes)}")
    for case in ET.parse(report).iter("testcase"):
        failure = case.find("failure")
        message = "" if failure is None else failure.get("message", "")
        if message.startswith(ASSERTS) and UNPROVED not in message:
            return case.get("name", "")
    return ""


def _node(proof: str) -> str:
    """A proof as pytest names it."""
    if "::" in proof:
        return f"tests/{proof}"
    return f"tests/every_game/test_cases.py::test_case[{proof}]"


def _words(proof: str) -> str:
    """What a proof says: the case's line, the test's file."""
    if "::" in proof:
        return (TESTS / proof.partition("::")[0]).read_text("utf-8")
    return json.dumps(_cases()[proof], sort_keys=True)


@cache
def _cases() -> dict[str, Any]:
    """Every numbered case by its ID."""
    return {case["id"]: case for name in suites() for case in cases.load(name)}


def copied(folder: Path) -> Path:
    """A copy of what the proofs need, in which the engine may be changed."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            leave = shutil.ignore_patterns("__pycache__", "node_modules", ".venv")
            shutil.copytree(ROOT / name, folder / name, ignore=leave)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def negate(wanted: Sequence[Negation], *, say: bool = False) -> dict[str, str]:
    """By clause the proof that failed, or nothing."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder)) if wanted else Path(folder)
        for negation in wanted:
            found[negation.clause] = fails(negation, copy)
            if say:
                print(negation.clause, found[negation.clause] or "SURVIVED", flush=True)
    return found


def stale(negations: Sequence[Negation]) -> list[Negation]:
    """Those that were not tried as they now stand."""
    before = kept()
    return [n for n in negations if before.get(n.clause, {}).get("key") != n.key]


def main(arguments: Sequence[str] | None = None) -> int:
    """Negate, print, keep; 1 when a negated clause went unnoticed or has no negation."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("clauses.negated", description=__doc__, formatter_class=raw)
    parser.add_argument("--draw", action="store_true", help="only say which are drawn")
    parser.add_argument("--anew", action="store_true", help="believe nothing that is kept")
    parser.add_argument("--write", action="store_true", help="keep what is found")
    asked = parser.parse_args(arguments)
    negations = load()
    owed = [name for name in drawn() if name not in negations]
    if asked.draw:
        for name in drawn():
            print(name, "" if name in negations else "has no negation")
        return bool(owed)
    wanted = list(negations.values()) if asked.anew else stale(list(negations.values()))
    found = negate(wanted, say=True)
    if asked.write:
        _keep(negations, found)
    alive = [name for name, proof in found.items() if not proof]
    print(
        f"{len(negations)} negations, {len(found)} tried, {len(alive)} unnoticed, {len(owed)} owed"
    )
    return bool(alive or owed)


def _keep(negations: dict[str, Negation], found: dict[str, str]) -> None:
    before = {name: verdict for name, verdict in kept().items() if name in negations}
    fresh = {n: {"key": negations[n].key, "by": proof} for n, proof in found.items() if proof}
    KEPT.write_text(json.dumps(before | fresh, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
