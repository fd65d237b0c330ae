"""Runs a module as a program, and lists the files of the tree that it opens: ``make remake`` asks.

    python -m tests.support.opened LIST tests.support.recorded --game war_at_sea

A compiled module counts as its source. What a process opens that the program starts is not listed.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def place(path: str) -> str:
    """A path as it stands in the tree, its source's if it is a compiled module; "" elsewhere."""
    full = Path(path).absolute()
    if not full.is_relative_to(ROOT):
        return ""
    if full.parent.name == "__pycache__":
        full = full.parents[1] / f"{full.name.partition('.')[0]}.py"
    return full.relative_to(ROOT).as_posix()


def main() -> None:
    """Whatever way the program ends, what it opened is written."""
    target, module, *arguments = sys.argv[1:]
    opened: set[str] = set()

    def note(event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[0], str):
            opened.add(given[0])

    sys.addaudithook(note)
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        found = {place(path) for path in tuple(opened)} - {""}
        Path(target).write_text("".join(f"{name}\n" for name in sorted(found)), "utf-8")


if __name__ == "__main__":
    main()
