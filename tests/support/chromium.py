"""A real Chromium for tests: Debian's, or the one that ``DECKLOG_CHROMIUM`` names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "build" / "screenshots"
"""Pictures of pages are left there, to be looked at."""

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-extensions",
    "--in-process-gpu",
)  # fmt: skip


def executable() -> str:
    """Where the browser is; what to do when there is none."""
    found = os.environ.get("DECKLOG_CHROMIUM") or shutil.which("chromium")
    assert found, "install Debian's package chromium, or name a browser in DECKLOG_CHROMIUM"
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window; it is closed afterwards."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(QUIET))
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
