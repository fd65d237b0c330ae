"""``python -m service.openapi``: compare the committed document with the code, or write it anew.

``--diff OLD [NEW]`` tells what has changed for clients since an older document; NEW is the
committed one where none is named. The exit code is 1 when something is breaking. ``--release``
keeps the committed document as the one that clients rely on from now on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from domain.kernel.finder import games

from .differ import differences
from .document import COMMITTED, build, encode, read_examples
from .record import record_all, together
from .released import keep


def main() -> int:
    """0 when document and code agree, or were made to."""
    parser = argparse.ArgumentParser(prog="python -m service.openapi", description=__doc__)
    parser.add_argument("--write", action="store_true", help="record examples, write the document")
    parser.add_argument("--diff", nargs="+", metavar=("OLD", "NEW"), help="changes for clients")
    parser.add_argument("--release", action="store_true", help="keep the committed document")
    asked = parser.parse_args()
    if asked.write:
        write()
        return 0
    if asked.diff:
        return diff(*(Path(name) for name in (*asked.diff, str(COMMITTED))[:2]))
    if asked.release:
        print(f"kept {keep(json.loads(COMMITTED.read_bytes())).name}")
        return 0
    if COMMITTED.is_file() and COMMITTED.read_bytes() == encode(build(games(), read_examples())):
        print("openapi.json is what the code says")
        return 0
    print("openapi.json differs from the code: run python -m service.openapi --write")
    return 1


def diff(old: Path, new: Path) -> int:
    """Print what has changed; 1 when some of it breaks clients."""
    changes = differences(json.loads(old.read_bytes()), json.loads(new.read_bytes()))
    for change in changes:
        print(change)
    breaking = sum(change.breaking for change in changes)
    print(f"{breaking} breaking, {len(changes) - breaking} additive")
    return int(breaking > 0)


def write() -> None:
    """Record the examples with every installed ruleset, then write the document."""
    examples, problems = asyncio.run(record_all(games().values()))
    COMMITTED.write_bytes(encode(build(games(), together(examples.values()), problems)))
    print(f"wrote {COMMITTED.name}")


if __name__ == "__main__":
    sys.exit(main())
