"""``python -m service.openapi``: compare the committed document with the code, or write it anew."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

from domain.kernel.finder import games

from .document import COMMITTED, EXAMPLES, build, encode, read_examples
from .record import record_all


def main() -> int:
    """0 when document and code agree, or were made to."""
    parser = argparse.ArgumentParser(prog="python -m service.openapi", description=__doc__)
    parser.add_argument("--write", action="store_true", help="record examples, write the document")
    if parser.parse_args().write:
        write()
        return 0
    if COMMITTED.is_file() and COMMITTED.read_bytes() == encode(build(games(), read_examples())):
        print("openapi.json is what the code says")
        return 0
    print("openapi.json differs from the code: run python -m service.openapi --write")
    return 1


def write() -> None:
    """Record the examples with every installed ruleset, then write the document."""
    examples, problems = asyncio.run(record_all(games().values()))
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    for old in EXAMPLES.glob("*.json"):
        old.unlink()
    for name, value in {**examples, "problems": problems}.items():
        (EXAMPLES / f"{name}.json").write_text(_text(value), "utf-8")
    COMMITTED.write_bytes(encode(build(games(), examples, problems)))
    print(f"wrote {COMMITTED.name} and {len(examples) + 1} example files")


def _text(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
