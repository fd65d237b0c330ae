"""The types of the pages: their modules as the compiler of TypeScript reads them.

``python -m tests.support.typed_pages`` tells what it finds; with names, in those modules alone.

The pages are plain modules without a build step; their types stand in comments (JSDoc), and what
goes over the wire has the types that are generated from the document (``types.js``).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from service.http.web import CLIENT, OF_CLIENT
from tests.support import clients
from tests.support.programs import NODE, environment
from tests.support.server import ROOT

WEB = ROOT / "service" / "web"
COMPILER = {
    "target": "es2022", "module": "nodenext",
    "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"], "types": [],
    "strict": True, "allowJs": True, "checkJs": True, "noEmit": True,
    # What the first drawing makes is declared in the class, and there from then on.
    "strictPropertyInitialization": False,
}  # fmt: skip
LINE = re.compile(
    r"^(?P<name>[\w-]+\.js)\((?P<line>\d+),\d+\): error (?P<code>TS\d+): (?P<text>.*)$"
)
UNTYPED = re.compile(r"TS70\d\d")
"""Something has the type "any" because nobody says which it has."""


class Finding(NamedTuple):
    """What the compiler finds in a module."""

    name: str
    line: int
    code: str
    text: str

    @property
    def untyped(self) -> bool:
        return UNTYPED.fullmatch(self.code) is not None


def findings(web: Path = WEB) -> list[Finding]:
    """Of all modules in a folder, under the strict rules. Raises RuntimeError where it cannot."""
    clients.install()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _laid(folder, web)
        done = subprocess.run(
            [NODE, clients.tool("tsc"), "-p", "."], cwd=folder, env=environment(),
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    found = list(_read(done.stdout))
    if done.returncode and not found:
        raise RuntimeError(done.stdout + done.stderr)
    return found


def _laid(folder: Path, web: Path) -> None:
    """The modules as the pages have them, beside the types of the document."""
    for path in web.glob("*.js"):
        shutil.copy(path, folder)
    for name in OF_CLIENT:
        shutil.copy(CLIENT / name, folder)
    made = folder / "made"
    made.mkdir()
    shutil.copy(CLIENT.parent / "typed.js", made)
    subprocess.run([NODE, str(made / "typed.js"), str(clients.DOCUMENT)], cwd=made, check=True)
    (made / "src" / "types.d.ts").rename(folder / "types.d.ts")
    shutil.rmtree(made)
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    told = {"compilerOptions": COMPILER, "include": ["*.js"]}
    (folder / "tsconfig.json").write_text(json.dumps(told), "utf-8")


def _read(text: str) -> Iterator[Finding]:
    for line in text.splitlines():
        if read := LINE.match(line):
            yield Finding(read["name"], int(read["line"]), read["code"], read["text"])


if __name__ == "__main__":
    for each in findings():
        if not sys.argv[1:] or each.name in sys.argv[1:]:
            print(f"service/web/{each.name}:{each.line}: {each.code} {each.text}")
