"""Proof that breaks: a rule is proved when a test that names it notices that its home was changed.

    python -m tests.rules.breaking            what changed since its verdict was kept
    python -m tests.rules.breaking --write    the same, and keep the verdicts
    python -m tests.rules.breaking --anew     all of it: the slow tier
    python -m tests.rules.breaking --tally    how many of all mutants are noticed; can be stopped
    python -m tests.rules.breaking --table war_at_sea.board     rows of these tables, owed or not

The work is done in a process of its own that loads the tests once (tests/rules/breaker.py).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.rules.audit import games
from tests.rules.breaker import ASKED, Tallied, Work
from tests.rules.verdicts import (
    HERE,
    Rowed,
    Verdict,
    load,
    load_rows,
    store,
    store_rows,
    unproved,
)

FOLDERS = ("tests/war_at_sea", "tests/naval_battles", "tests/crimson_tide", "tests/every_game")
"""Where tests of rules are: those that speak HTTP prove by the same domain, and take long."""
TALLY = HERE.parents[1] / "build" / "rules" / "tally.jsonl"
"""What ``--tally`` counted, a line a home."""
PIECE = 20
"""Verdicts after which they are kept, so that a run that was stopped is taken up again."""


class Found(NamedTuple):
    """What a run knows.

    verdicts  by game and rule; a rule that there was no time for has none
    rows      by table and rule; the same
    fresh     rules, and rows of tables, that were broken in this run
    """

    verdicts: dict[str, dict[str, Verdict]]
    rows: dict[str, Rowed]
    fresh: list[str]


def run(asked: Work, *, keep: bool = False) -> Found:
    """Break what has no verdict that holds; ``keep`` what is found."""
    found = Found({game: {} for game in asked.games}, {}, [])
    for line in _lines(asked):
        if "rows" in line:
            found.rows[line["rows"]] = msgspec.convert(line["verdict"], Rowed)
        else:
            found.verdicts[line["game"]][line["rule"]] = msgspec.convert(line["verdict"], Verdict)
        found.fresh.extend([line.get("rows") or line["rule"]] if line["fresh"] else [])
        if keep and line["fresh"] and len(found.fresh) % PIECE == 0:
            _keep(found, whole=False)
    if keep:
        _keep(found, whole=not asked.rules and not asked.seconds and not asked.tables)
    return found


def _keep(found: Found, *, whole: bool) -> None:
    """What was not looked at stays as it was kept, unless the whole was."""
    for game, verdicts in found.verdicts.items():
        store(game, verdicts if whole else load(game) | verdicts)
    every = whole and found.verdicts.keys() == set(games())
    store_rows(found.rows if every else load_rows() | found.rows)


def asked(
    names: Sequence[str],
    *,
    rules: Sequence[str] = (),
    jobs: int = 2,
    most: int = 100,
    seconds: float = 0.0,
    anew: bool = False,
    tally: bool = False,
    tables: Sequence[str] = (),
) -> Work:
    """Work on these games; ``anew``: believing nothing that is known; ``tables``: only on these."""
    known = {} if anew else {rule: each for game in names for rule, each in load(game).items()}
    tallied = tuple(each.key for each in load_tally()) if tally and not anew else ()
    rows = {} if anew else load_rows()
    return Work(
        tuple(names),
        tuple(rules),
        jobs,
        most,
        seconds,
        known,
        tally,
        tallied,
        rows,
        tuple(tables),
        0,
    )


def _lines(work: Work) -> Iterator[dict[str, Any]]:
    """What the process that does the work says, as it says it. Raises RuntimeError if it fails."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "pytest", "-q", "--tb=native", "-m", "rule"]
    command += ["-p", "tests.rules.breaker", "-p", "no:cacheprovider", *FOLDERS]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    with tempfile.TemporaryDirectory() as folder, os.fdopen(reading, "rb") as lines:
        said, output = Path(folder, "work.json"), Path(folder, "output")
        said.write_bytes(msgspec.json.encode(msgspec.structs.replace(work, target=writing)))
        process = subprocess.Popen(
            command,
            cwd=HERE.parents[1],
            env=environment | {ASKED: str(said)},
            pass_fds=[writing],
            stdout=output.open("w"),
            stderr=subprocess.STDOUT,
        )
        os.close(writing)
        for line in map(json.loads, lines):
            if "trouble" in line:
                raise RuntimeError(line["trouble"])
            yield line
        if process.wait():
            raise RuntimeError(f"the tests could not be broken:\n{output.read_text()[-6000:]}")


def main(arguments: list[str]) -> int:
    """1 when a rule of the games asked for survives that is not known to (``unproved.toml``)."""
    options = _options(arguments)
    work = asked(
        options.game or games(),
        rules=options.rule,
        jobs=options.jobs,
        most=options.most,
        anew=options.anew,
        tally=options.tally,
        tables=options.table,
    )
    if options.tally:
        return _tally(work, options.anew)
    found = run(work, keep=options.write)
    print(f"{len(found.fresh)} verdicts are new, the others hold")
    _print_rows(found.rows)
    alive = max(_print(game, verdicts) for game, verdicts in found.verdicts.items())
    return int(alive or any(each.left for each in found.rows.values()))


def _print(game: str, verdicts: dict[str, Verdict]) -> int:
    alive = {rule: found for rule, found in verdicts.items() if not found.killed}
    rows = sum(found.rows == 1 for found in verdicts.values())
    print(
        f"{game}: {len(verdicts)} rules in code, {len(verdicts) - len(alive)} killed when broken, "
        f"{rows} shown by one row only, {len(alive)} survive"
    )
    for rule, found in sorted(alive.items()):
        print(f"  {rule}: {found.tried} mutants, {found.crashed} only crashed")
    return int(bool(alive.keys() - unproved().keys()))


def _print_rows(rows: Mapping[str, Rowed]) -> None:
    tried = sum(each.tried for each in rows.values())
    left = sum(len(each.left) for each in rows.values())
    print(f"rows of {len(rows)} tables: {tried} changes, {left} survive")
    for name, found in sorted(rows.items()):
        for what in found.left:
            print(f"  {name}: {what}")


def load_tally() -> list[Tallied]:
    """What earlier runs counted, of homes as they were then."""
    lines = TALLY.read_bytes().splitlines() if TALLY.exists() else ()
    return [msgspec.json.decode(line, type=Tallied) for line in lines]


def _tally(work: Work, anew: bool) -> int:
    """Count on from where the last run was stopped: each home is kept as soon as it is counted."""
    TALLY.parent.mkdir(parents=True, exist_ok=True)
    with TALLY.open("wb" if anew else "ab") as kept:
        for line in _lines(work):
            kept.write(msgspec.json.encode(line) + b"\n")
            kept.flush()
    newest = {(each.game, each.home): each for each in load_tally()}
    for game in work.games:
        _print_tally(game, [each for each in newest.values() if each.game == game])
    return 0


def _print_tally(game: str, homes: list[Tallied]) -> None:
    tried, crashed = sum(each.tried for each in homes), sum(len(each.crashed) for each in homes)
    left = sum(len(each.left) for each in homes)
    noticed = tried - crashed - left
    print(
        f"{game}: {len(homes)} homes, {tried} mutants: {noticed} noticed "
        f"({100 * noticed // max(1, tried)} %), {crashed} only crash, {left} survive"
    )
    for home in sorted(homes, key=lambda each: (-len(each.left), each.home)):
        for what in home.left:
            print(f"  {home.home}: {what}")


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.rules.breaking",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--game", action="append", choices=games(), help="only this game; may be repeated"
    )
    parser.add_argument("--rule", action="append", default=[], help="only this rule; as often")
    parser.add_argument(
        "--table",
        action="append",
        default=[],
        help="only rows of tables that are named so; as often",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--most", type=int, default=100, help="mutants of a home (default: 100)")
    parser.add_argument("--anew", action="store_true", help="believe nothing that is known")
    parser.add_argument("--write", action="store_true", help="keep the verdicts")
    parser.add_argument("--tally", action="store_true", help="count all mutants of each home")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
