"""Builds the package: the types first, from the document, then as setuptools does.

In a source distribution there is no document, and the types are there already.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typed
from setuptools import build_meta

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "openapi.json"
TYPES = HERE / "decklog_client" / "types.py"

get_requires_for_build_wheel = build_meta.get_requires_for_build_wheel
get_requires_for_build_sdist = build_meta.get_requires_for_build_sdist


def write_types() -> None:
    """Make the generated part anew, where there is what it is made of."""
    if DOCUMENT.is_file():
        document = json.loads(DOCUMENT.read_text("utf-8"))
        TYPES.write_text(typed.module(document), "utf-8")


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """A wheel; the name of its file."""
    write_types()
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """All that a wheel is built from; the name of its file."""
    write_types()
    return build_meta.build_sdist(sdist_directory, config_settings)
