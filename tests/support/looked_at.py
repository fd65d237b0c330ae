"""The pages as html-validate and Lighthouse find them: programs of npm, pinned (``page_tools``)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from tests.support import chromium, programs

TOOLS = Path(__file__).parent / "page_tools"
SECONDS = 180
AUDITS = ("network-requests", "cumulative-layout-shift")
FLAGS = (*chromium.QUIET, "--headless")
RULES = {
    "extends": ["html-validate:standard"],
    "rules": {
        # Of what a script made there is no source to be neat: a browser wrote it down.
        "no-trailing-whitespace": "off", "no-inline-style": "off", "void-style": "off",
        "attribute-boolean-style": "off", "no-raw-characters": "off", "attr-quotes": "off",
        "no-implicit-close": "off", "doctype-style": "off", "attribute-empty-style": "off",
        "long-title": "off",
    },
}  # fmt: skip
"""What html-validate is asked for; the rest of its standard stands."""


class Loading(NamedTuple):
    """A page's first loading: requests, bytes on the wire, and by how much its layout shifts."""

    requests: int
    bytes: int
    shift: float


def install() -> None:
    """Once: npm goes by the lock file."""
    if not (TOOLS / "node_modules").exists():
        programs.install(TOOLS)


def faults(folder: Path, pages: dict[str, str]) -> list[str]:
    """What html-validate finds in each page's HTML, by its name."""
    install()
    (folder / "rules.json").write_text(json.dumps({"root": True, **RULES}), "utf-8")
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    command = ["html-validate", "--config", "rules.json", "--formatter", "json"]
    told = json.loads(_said(folder, *command, *(f"{name}.html" for name in pages)))
    return [
        f"{Path(each['filePath']).stem}: {fault['ruleId']}: {fault['message']} {fault['selector']}"
        for each in told
        for fault in each["messages"]
    ]


def loading(folder: Path, url: str) -> Loading:
    """As Lighthouse loads it."""
    install()
    browser = chromium.executable()
    said = _said(
        folder, "lighthouse", url, "--output=json", "--quiet", "--preset=desktop",
        f"--only-audits={','.join(AUDITS)}", f"--chrome-flags={' '.join(FLAGS)}",
        environment={**chromium.environment(browser), "CHROME_PATH": browser},
    )  # fmt: skip
    audits: dict[str, Any] = json.loads(said)["audits"]
    requests = audits["network-requests"]["details"]["items"]
    shift = audits["cumulative-layout-shift"]["numericValue"]
    return Loading(len(requests), sum(each["transferSize"] for each in requests), shift)


def _said(folder: Path, *command: str, environment: dict[str, Any] | None = None) -> str:
    name, *rest = command
    own = programs.environment()
    done = subprocess.run(
        [str(TOOLS / "node_modules" / ".bin" / name), *rest], cwd=folder,
        env={**own, **(environment or {}), "PATH": own["PATH"]},
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    if not done.stdout.strip():
        raise RuntimeError(done.stderr[-4000:])
    return done.stdout
