"""Cases that expect records which are not made any more are written anew: ``python -m
tests.support.case_records``.

Only records that say where one is, or that something is done, may go so (:data:`BOOKKEEPING`):
whatever else a case expects and does not find is a fault of the rules, and stops this. A record
that is missing is struck; where it was the last, the beginning of the next step that is on record
takes its place, so that the case still shows that play goes on. The case has to hold then.

``--dry`` says what would change.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from domain.kernel.testing.cases import fits
from tests.support import cases
from tests.support.suites import Suite, suites

BOOKKEEPING = frozenset({"step-began", "phase-ended", "return-ended", "transit-ended", "task-done"})
"""What says nothing but where one is, or that something is done."""

Pattern = dict[str, Any]


def kept(patterns: Sequence[Pattern], events: Sequence[Pattern]) -> list[Pattern]:
    """The patterns as they are on record; raises ValueError for a missing one that may not go."""
    found: list[Pattern] = []
    at, struck = 0, False
    for pattern in patterns:
        place = next((n for n in range(at, len(events)) if fits(pattern, events[n])), None)
        struck = place is None
        if place is not None:
            at = place + 1
            found.append(pattern)
        elif pattern["type"] not in BOOKKEEPING:
            raise ValueError(f"{pattern} is not on record, and may not be struck")
    if struck:
        on = (each["step"] for each in events[at:] if each["type"] == "step-began")
        found += [{"type": "step-began", "step": step} for step in list(on)[:1]]
    return found


def events_of(suite: Suite, case: Pattern) -> list[Pattern]:
    """What is on record of a case when its script is done. Refused entries change nothing."""
    with suite.around():
        table = suite.begin(case)
        script = [*case.get("script", ())]
        for entry in script[:-1] if "refused" in case["expect"] else script:
            if "refused" not in entry:
                cases.do(suite.game, table, entry)
        return [cases.event(each) for each in table.events]


def rewritten(suite: Suite, line: str) -> str:
    """A line of a file of cases with what is on record now."""
    case = json.loads(line)
    expected = case["expect"].get("events", [])
    if not any(each["type"] in BOOKKEEPING for each in expected):
        return line
    now = kept(expected, events_of(suite, case))
    if now == expected:
        return line
    case["expect"]["events"] = now
    cases.run(suite, case)
    return json.dumps(case, ensure_ascii=False, separators=(",", ":"))


def changed(suite: Suite, game: str, dry: bool) -> Iterator[str]:
    """The numbers of the cases that are written anew."""
    for path in sorted((cases.FOLDER / game).glob("*.jsonl")):
        lines = path.read_text("utf-8").splitlines()
        now = [rewritten(suite, line) if line.strip() else line for line in lines]
        yield from (json.loads(a)["id"] for a, b in zip(lines, now, strict=True) if a != b)
        if now != lines and not dry:
            path.write_text("\n".join(now) + "\n", "utf-8")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="tests.support.case_records",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--dry", action="store_true", help="write nothing")
    options = parser.parse_args()
    for name, suite in suites().items():
        if (cases.FOLDER / name).is_dir():
            print(f"{name}: {', '.join(changed(suite, name, options.dry)) or 'nothing moved'}")


if __name__ == "__main__":
    main()
