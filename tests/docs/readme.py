"""The README's tour against a real server: used by its test, and to write its outputs anew.

``python -m tests.docs.readme`` (``make docs``) runs the tour and puts the real output below each
command whose output is no longer what is shown.

What dice decide is ``...`` in the README, for they fall anew when the files of the rules change: a
change of rules alone never writes here.
The board is shown of a recorded battle (``tests/games/first-battle.decklog``, kept by ``decklog
demo --seed first-battle --keep``): showing it rolls nothing and decides nothing.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from domain.games.war_at_sea.rules.cards import CARDS
from tests.docs.console import Shown, matches, run, shown
from tests.support.server import ROOT, running

README = ROOT / "README.md"
ADDRESS = "http://127.0.0.1:8000"
PROGRAM = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
VOLATILE = re.compile(r"\b[0-9a-f]{16,64}\b|\b[0-9][0-9,]*(?= bytes)")
"""What differs from run to run: identifiers, digests, and the size of what holds them."""
CARDS_SAID = re.compile(r"\bAll [0-9,]+ cards\b")
SECONDS = 240


def tour(document: str, folder: Path) -> list[tuple[Shown, str, int]]:
    """Run the tour in ``folder``: each command with its real output and its exit code."""
    program = PROGRAM.search(document)
    assert program is not None, "the README has no program"
    commands = list(shown(document))
    # What the tour looks at lies where a reader's clone has it; what it writes stays in the folder.
    (folder / "tests").mkdir()
    (folder / "tests" / "games").symlink_to(ROOT / "tests" / "games")
    with running(folder) as server:
        (folder / "play.py").write_text(program[1].replace(ADDRESS, server.url), "utf-8")
        environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "DECKLOG_URL": server.url,
        }
        texts = [each.command.replace(ADDRESS, server.url) for each in commands]
        done = run(texts, folder, environment, SECONDS)
        assert len(done) == len(commands), f"stopped after {len(done)} of {len(commands)} commands"
        return [
            (each, output.replace(server.url, ADDRESS), code)
            for each, (output, code) in zip(commands, done, strict=True)
        ]


def rewritten(document: str, done: list[tuple[Shown, str, int]]) -> str:
    """The document with real outputs where the shown ones no longer match.

    A line that is still true stays as it is shown, with every ``...`` in it.
    """
    for each, output, _ in done:
        if not matches(each.output, output):
            lines = VOLATILE.sub("...", output).strip().splitlines()
            real = "".join(f"{_kept(line.rstrip(), each.output)}\n" for line in lines)
            old = f"$ {each.command}\n" + (each.output + "\n" if each.output else "")
            assert old in document, each.command
            document = document.replace(old, f"$ {each.command}\n{real}", 1)
    return document


def counted(document: str) -> str:
    """The document with the figure of cards that there are today."""
    return CARDS_SAID.sub(f"All {len(CARDS):,} cards", document)


def _kept(line: str, promised: str) -> str:
    """The promised line that says the same with less, or else the line itself."""
    less = (old for old in promised.splitlines() if "..." in old and old.strip(" ."))
    return next((old for old in less if _margin(old) == _margin(line) and matches(old, line)), line)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def main() -> int:
    """Write the README anew; 1 when a command failed."""
    document = README.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        done = tour(document, Path(folder))
    README.write_text(counted(rewritten(document, done)), "utf-8")
    failed = [(each.command, output) for each, output, code in done if code]
    for command, output in failed:
        print(f"failed: {command}\n{output}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
