"""What was run of the named campaigns: kept in tests/data, and shown in tests/campaigns/README.md.

    python -m tests.campaigns.named.table

takes over what the state files on clean commits say and writes the table. A row that is kept stays,
whatever becomes of its state file; one of the same command and commit is replaced.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests.support.server import ROOT

from . import pieces
from .campaigns import CAMPAIGNS

ROWS = ROOT / "tests" / "data" / "named_campaigns.jsonl"
SHOWN = ROOT / "tests" / "campaigns" / "README.md"
START, END = "<!-- made by tests.campaigns.named.table -->\n", "<!-- end -->\n"
HEAD = (
    "| command (`python -m tests.campaigns.…`) | commit | date | amount | of the whole "
    "| processor seconds for each | failures |\n|---|---|---|---|---|---|---|\n"
)


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A campaign, as far as it was run on one commit. ``effort``: seconds of processors in all."""

    command: str
    commit: str
    date: str
    amount: int
    unit: str
    whole: int
    failures: int
    effort: float = 0.0
    note: str = ""


def kept(file: Path = ROWS) -> list[Row]:
    return [msgspec.json.decode(line, type=Row) for line in file.read_bytes().splitlines()]


def row_of(name: str, at: str, found: dict[int, pieces.Piece]) -> Row:
    """What the state of a campaign comes to."""
    campaign = CAMPAIGNS[name]
    amount = sum(each.amount for each in found.values())
    effort = round(sum(each.effort for each in found.values()), 1)
    date = max(each.day for each in found.values())
    failed = len(pieces.failures(campaign, found))
    return Row(f"named {name}", at, date, amount, campaign.unit, campaign.whole, failed, effort)


def found(folder: Path = pieces.KEPT) -> list[Row]:
    """A row for every state file of a clean commit in which a piece is done."""
    rows = []
    for file in sorted(folder.glob("*/*.jsonl")):
        name, at = file.parent.name, file.stem
        done = pieces.read(file)
        if done and name in CAMPAIGNS and "dirty" not in at and at != "unknown":
            rows.append(row_of(name, at, done))
    return rows


def together(old: Iterable[Row], new: Iterable[Row]) -> list[Row]:
    """New rows in the place of old ones of the same command and commit."""
    rows = {(row.command, row.commit): row for row in (*old, *new)}
    return sorted(rows.values(), key=lambda row: (row.command, row.date, row.commit))


def table(rows: Iterable[Row]) -> str:
    return HEAD + "".join(_line(row) for row in rows)


def _line(row: Row) -> str:
    each = f"{row.effort / row.amount:.3g}" if row.effort and row.amount else "–"
    note = f"; {row.note}" if row.note else ""
    share = f"{100 * row.amount / row.whole:.3g} % of {row.whole:,}"
    amount = f"{row.amount:,} {row.unit}{note}"
    cells = (f"`{row.command}`", row.commit, row.date, amount, share, each, f"{row.failures:,}")
    return f"| {' | '.join(cells)} |\n"


def within(text: str, made: str) -> str:
    """The text with the table in its place."""
    head, rest = text.split(START)
    return head + START + made + END + rest.split(END)[1]


def main() -> int:
    rows = together(kept(), found())
    ROWS.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    SHOWN.write_text(within(SHOWN.read_text("utf-8"), table(rows)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
