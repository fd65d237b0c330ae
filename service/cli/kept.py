"""Where the command line keeps what it needs again: engines, heads of games."""

from __future__ import annotations

import os
from pathlib import Path


def cache(what: str) -> Path:
    """The folder of one kind."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "decklog" / what
