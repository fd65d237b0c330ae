"""Which program this is."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version


@lru_cache(maxsize=1)
def service_version() -> str:
    """The installed version of Decklog; read from the disk once."""
    try:
        return version("decklog")
    except PackageNotFoundError:
        return "0+unknown"


def commit() -> str:
    """The commit that it was built from; "" where nobody has said."""
    return os.environ.get("DECKLOG_COMMIT", "")
