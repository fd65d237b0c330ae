"""Runs what a document shows: ```` ```console ```` blocks, ``$ command`` and the output below it.

``...`` in an output stands for anything, also for several lines. All blocks of a document share one
shell, so what one sets the next may use.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.server import ROOT

BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRESS = re.compile(
    r"^(reading|verifying|exporting|playing|rebuilding|checking)\b[^\n]*: [\d,]+%?\r?\n",
    re.MULTILINE,
)
"""What only a slow machine is told."""
BOUNDARY = "--- end of command, exit code"


@dataclass(frozen=True)
class Shown:
    """One command as a document shows it, with the output that it promises."""

    command: str
    output: str


def shown(document: str) -> Iterator[Shown]:
    """The commands of all console blocks, in order. A command goes on after a final backslash."""
    for block in BLOCK.findall(document):
        command: list[str] = []
        output: list[str] = []
        for line in block.splitlines():
            if command and command[-1].endswith("\\") and not output:
                command.append(line)
            elif line.startswith("$ "):
                if command:
                    yield Shown("\n".join(command), "\n".join(output))
                command, output = [line[2:]], []
            else:
                output.append(line)
        if command:
            yield Shown("\n".join(command), "\n".join(output))


def matches(promised: str, real: str) -> bool:
    """Whether ``real`` is what ``promised`` says, its ``...`` standing for anything."""
    pattern = ".*".join(re.escape(part) for part in _tidy(promised).split("..."))
    return re.fullmatch(pattern, _tidy(real), re.DOTALL) is not None


def _tidy(output: str) -> str:
    return "\n".join(line.rstrip() for line in output.strip().splitlines())


def run(
    commands: list[str], folder: Path, environment: Mapping[str, str], seconds: int
) -> list[tuple[str, int]]:
    """Run the commands in one shell; the output and the exit code of each.

    ``decklog`` and ``python`` see the tree that this file is in, whichever one is installed.
    """
    script = "\n".join(f"{command}\ncode=$?; echo; echo '{BOUNDARY}' $code" for command in commands)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    parts = re.split(rf"\n?{BOUNDARY} (\d+)\n", done.stdout)
    return [(PROGRESS.sub("", parts[i]), int(parts[i + 1])) for i in range(0, len(parts) - 1, 2)]
