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
from .document import COMMITTED, build, encode, plain, read_examples, slices
from .record import record_all, together
from .released import keep
from .sharing import spread


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
        print(f"kept {keep(plain()).name}")
        return 0
    differing = [path.name for path, said in made().items() if path.read_bytes() != said]
    if not differing:
        print("openapi.json and the rulesets' own are what the code says")
        return 0
    print(f"{', '.join(differing)}: other than the code; run python -m service.openapi --write")
    return 1


def made() -> dict[Path, bytes]:
    """Every document as the code says, with the examples that are committed, by where it lies."""
    examples = read_examples()
    return {COMMITTED: encode(build(games(), examples)), **slices(games(), examples)}


def diff(old: Path, new: Path) -> int:
    """Print what has changed; 1 when some of it breaks clients."""
    changes = differences(*(spread(json.loads(path.read_bytes())) for path in (old, new)))
    for change in changes:
        print(change)
    breaking = sum(change.breaking for change in changes)
    print(f"{breaking} breaking, {len(changes) - breaking} additive")
    return int(breaking > 0)


def write() -> None:
    """Record the examples with every installed ruleset, then write the documents."""
    examples, problems = asyncio.run(record_all(games().values()))
    shown = together(examples.values())
    whole = encode(build(games(), shown, problems))
    for path, said in {COMMITTED: whole, **slices(games(), shown, problems)}.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(said)
        print(f"wrote {path.name}")


if __name__ == "__main__":
    sys.exit(main())
