"""The client developer's guide against a real server: used by its test, and to write it anew.

``python -m tests.docs.guide`` (part of ``make docs``) puts the real output below each command whose
output is no longer what is shown, and the clients' programs where they are quoted.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from tests.docs.console import Shown, run, shown
from tests.docs.readme import ADDRESS, rewritten
from tests.support.clients import CLIENTS
from tests.support.server import ROOT, Running, running

GUIDE = ROOT / "openapi" / "guide"
PAGES = sorted(path.stem for path in GUIDE.glob("*.md"))
CODE = re.compile(r"^```(ts|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
QUOTED = {"ts": "typescript/play.ts", "python": "python/play.py"}
SAVED = {"bots": ("bot.py",), "clients": ("bot.py", "signed.py"), "webhooks": ("receiver.py",)}
"""Pages whose programs in Python are saved, and as what."""
READY_MADE = CLIENTS / "python" / "decklog_client"
"""The client of the page "clients", which a reader installs: it lies beside the program here."""
SECONDS = 120


def text(page: str) -> str:
    return (GUIDE / f"{page}.md").read_text("utf-8")


def tour(page: str, server: Running, folder: Path) -> list[tuple[Shown, str, int]]:
    """Run the page's commands in ``folder``: each with its real output and its exit code."""
    document = text(page)
    programs = [code for language, code in CODE.findall(document) if language == "python"]
    if page in SAVED:
        for name, code in zip(SAVED[page], programs, strict=True):
            (folder / name).write_text(code, "utf-8")
    if page == "clients":
        (folder / READY_MADE.name).symlink_to(READY_MADE)
    commands = list(shown(document))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    texts = [each.command.replace(ADDRESS, server.url) for each in commands]
    done = run(texts, folder, os.environ | {"PATH": path}, SECONDS)
    assert len(done) == len(commands), f"stopped after {len(done)} of {len(commands)} commands"
    return [
        (each, output.replace("\r", ""), code)
        for each, (output, code) in zip(commands, done, strict=True)
    ]


def quoting(page: str, document: str) -> str:
    """The document with the clients' programs as they are today."""
    if page != "quick-start":
        return document

    def today(match: re.Match[str]) -> str:
        source = (CLIENTS / QUOTED[match[1]]).read_text("utf-8")
        return f"```{match[1]}\n{source}```"

    return CODE.sub(today, document)


def main() -> int:
    """Write the pages anew; 1 when a command failed."""
    failed = 0
    with (
        tempfile.TemporaryDirectory() as place,
        running(Path(place), rate_limit=6000, deadline_grace=0) as server,
    ):
        for page in PAGES:
            folder = Path(place) / page
            folder.mkdir()
            done = tour(page, server, folder)
            document = quoting(page, rewritten(text(page), done))
            (GUIDE / f"{page}.md").write_text(document, "utf-8")
            failed += sum(code != 0 for _, _, code in done)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
