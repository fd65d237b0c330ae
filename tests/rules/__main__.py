"""``make rules``: run the rule tests, break what changed, print each game's book, code and proofs.

Exit code 1 when a rule marked done has no home in code, no test, or no proof, which is that one of
its tests notices when its home is broken; when code names a rule that no book holds; or when a rule
test fails.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from tests.rules.audit import Audit, audit_game, games, load_proofs, render
from tests.rules.breaking import asked, run
from tests.rules.verdicts import unproved
from tests.support.rules import ROOT

PROOFS = ROOT / "build" / "rules" / "proofs.json"
PASSED, NONE_COLLECTED = 0, 5


def main(arguments: list[str]) -> int:
    """The exit code."""
    options = _options(arguments)
    failed = False if options.again else not _run_tests(options.jobs)
    proofs = load_proofs(PROOFS)
    names = options.game or games()
    broken = run(asked(names, anew=options.anew), keep=options.write).verdicts
    rows = {rule: each.rows for found in broken.values() for rule, each in found.items()}
    audits = [audit_game(game, proofs, rows, unproved()) for game in names]
    if options.json:
        _print_json(audits)
    else:
        print("\n".join(render(found) for found in audits))
    if failed:
        print("Some rule tests failed: their proofs do not count.", file=sys.stderr)
    return int(failed or not all(found.complete for found in audits))


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make rules", description=__doc__)
    parser.add_argument(
        "--game", action="append", choices=games(), help="only this game; may be repeated"
    )
    parser.add_argument("--again", action="store_true", help="use the proofs of the last run")
    parser.add_argument("--anew", action="store_true", help="break every rule again: takes long")
    parser.add_argument("--write", action="store_true", help="keep what became of broken rules")
    parser.add_argument("--json", action="store_true", help="every line as JSON")
    parser.add_argument("--jobs", default="auto", help="test processes (default: one a core)")
    return parser.parse_args(arguments)


def _run_tests(jobs: str) -> bool:
    PROOFS.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=short", "-n", jobs]
    command += ["-m", "rule", "--rule-proofs", str(PROOFS)]
    done = subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False)
    if not PROOFS.exists():
        PROOFS.parent.mkdir(parents=True, exist_ok=True)
        PROOFS.write_text("{}", "utf-8")
    return done.returncode in (PASSED, NONE_COLLECTED)


def _print_json(audits: list[Audit]) -> None:
    games = {
        found.game: {
            "counts": found.counts(),
            "strangers": found.strangers,
            "rules": [
                {
                    "id": line.entry.id,
                    "status": line.entry.status,
                    "home": line.home,
                    "tests": line.tests,
                    "rows": line.rows,
                    "missing": line.missing,
                }
                for line in found.lines
            ],
        }
        for found in audits
    }
    print(json.dumps(games, indent=1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
