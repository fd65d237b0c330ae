"""Refusals of numbered cases get their hint, as it is given today: ``python -m
tests.support.case_hints``.

Only a refusal that names no hint yet gets one; code, rule and pointer have to be right before. What
was written is then to be read: does it tell a person, at that very table, what would be legal? A
case that expects another hint than it gets fails, and so it stays until somebody has decided which
of the two is wrong; ``--anew NUMBER`` then writes the hints of that case once more.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator
from typing import Any

from domain.kernel.rules import Refused
from domain.kernel.testing.cases import said
from tests.support import cases
from tests.support.suites import Suite, suites

Entry = dict[str, Any]


def refusals(suite: Suite, case: Entry) -> Iterator[tuple[Entry, Refused]]:
    """What a case expects of each refusal, and the refusal that it meets."""
    script, expected = case.get("script", ()), case["expect"].get("refused")
    with suite.around():
        try:
            table = suite.begin(case)
        except Refused as refused:
            yield expected or {}, refused
            return
        for number, entry in enumerate(script, 1):
            last = expected if number == len(script) else None
            wanted: Entry = entry.get("refused") or last or {}
            try:
                cases.do(suite.game, table, entry)
            except Refused as refused:
                yield wanted, refused


def hinted(suite: Suite, line: str, anew: Collection[str] = ()) -> str:
    """A line of a file of cases, each of whose refusals names its hint."""
    if '"refused"' not in line:
        return line
    case = json.loads(line)
    for wanted, refused in refusals(suite, case):
        if "hint" in wanted and case["id"] not in anew:
            continue
        hint = {"hint": refused.hint} if refused.hint else {}
        now = {key: text for key, text in wanted.items() if key != "hint"} | hint
        if now != said(refused):
            raise ValueError(f"{case['id']} is refused by {said(refused)}, not by {wanted}")
        wanted.clear()
        wanted.update(said(refused))
    return json.dumps(case, ensure_ascii=False, separators=(",", ":"))


def changed(suite: Suite, anew: Collection[str]) -> Iterator[str]:
    """The numbers of the cases that are written."""
    for path in sorted((cases.FOLDER / suite.folder).glob("*.jsonl")):
        lines = path.read_text("utf-8").splitlines()
        now = [hinted(suite, line, anew) for line in lines]
        yield from (json.loads(a)["id"] for a, b in zip(lines, now, strict=True) if a != b)
        if now != lines:
            path.write_text("\n".join(now) + "\n", "utf-8")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.case_hints", description=__doc__)
    parser.add_argument("--anew", metavar="NUMBER", action="append", default=[])
    anew = parser.parse_args().anew
    for suite in suites().values():
        print(f"{suite.folder}: {', '.join(changed(suite, anew)) or 'nothing moved'}")


if __name__ == "__main__":
    main()
