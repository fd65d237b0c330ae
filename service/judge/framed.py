"""The frame of a page in which rules run that nobody vouches for: a wall in a browser.

It is put into the page as text, sandboxed, so that it has no origin: no storage, no window of the
page, no service to speak to. Its policy is its own besides that of the page around it, which lets
no frame go anywhere (``frame-src 'none'``). Workers that begin there have both.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

import service

NAME = "engine-frame.html"
SCRIPT = "engine-frame.js"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>Rules behind a wall</title>
</head>
<body><script>{script}</script></body>
</html>
"""


def page() -> bytes:
    """The page of the frame."""
    policy = (
        f"default-src 'none'; script-src {hashes()} blob: 'wasm-unsafe-eval'; worker-src blob:; "
        "connect-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'"
    )
    return PAGE.format(policy=policy, script=_script()).encode()


@cache
def hashes() -> str:
    """What a page's policy names the frame's script by: the policy around it holds there too."""
    return hashed(_script())


@cache
def _script() -> str:
    return (files(service) / "web" / SCRIPT).read_text("utf-8")


def hashed(text: str) -> str:
    """A text in the words of a policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
