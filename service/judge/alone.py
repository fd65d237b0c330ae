"""``judge.html``: the judge and all that it needs in one file, which opens from a disk, offline.

Nothing in it is compressed, since compressors differ: the same tree makes the same bytes anywhere.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from importlib.resources import files

import service

from . import framed, parts
from .framed import hashed

NAME = "judge.html"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.good { color: #17603a; } .bad { color: #a11b1b; }
"""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>Decklog: judge</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>Judge of evidence</h1>
<p>A file that is dropped here is judged in this page by the program's own verifier, rules included,
and sent nowhere. Rules that this page does not carry run behind a wall, and uphold nothing.</p>
<p><label for="file">An evidence file: </label><input type="file" id="file" accept=".decklog"></p>
<section aria-label="Judge" aria-live="polite">
<h2 id="word">No file yet</h2>
<progress id="bar" aria-label="Progress of the judge" hidden></progress>
<pre id="told" tabindex="0"></pre>
</section>
</main>
{data}
<script type="module">{script}</script>
</body>
</html>
"""


def page(built: Mapping[str, bytes]) -> bytes:
    """The page with the parts of the judge, as :func:`parts.built` has them."""
    pages = files(service) / "web"
    found = {name: data for name, data in sorted(built.items()) if name != parts.LIST}
    found[parts.WORKER] = (pages / parts.WORKER).read_bytes()
    texts = [_inlined((pages / name).read_text("utf-8")) for name in ("ask.js", "walled.js")]
    script = "\n".join(["", *texts, (files(service) / "judge" / "alone.js").read_text("utf-8")])
    data = "\n".join(
        f'<script type="application/base64" id="{name}">{base64.b64encode(found[name]).decode()}'
        "</script>"
        for name in sorted(found)
    )
    return PAGE.format(policy=_policy(script), style=STYLE, data=data, script=script).encode()


def _inlined(module: str) -> str:
    """A module as a part of one script."""
    lines = module.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("import ")).replace("export ", "")


def _policy(script: str) -> str:
    """Nothing but this script and style, and what workers compile from the page's own bytes."""
    own = f"{hashed(script)} {framed.hashes()}"
    return (
        f"default-src 'none'; script-src {own} blob: 'wasm-unsafe-eval'; "
        f"style-src {hashed(STYLE)}; worker-src blob:; connect-src 'none'; frame-src 'none'; "
        "base-uri 'none'; form-action 'none'"
    )
