"""Documents that clients rely on: what was released, without its examples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .document import FOLDER

RELEASED = FOLDER / "released"


def keep(document: Mapping[str, Any]) -> Path:
    """Keep ``document`` under its version; a file of that version is replaced."""
    path = RELEASED / f"{document['info']['version']}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(_lean(document), indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def latest() -> dict[str, Any]:
    """The document that was released last."""
    found: dict[str, Any] = json.loads(max(RELEASED.glob("*.json"), key=_version).read_bytes())
    return found


def _version(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in path.stem.split("."))


def _lean(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the names of its examples alone: those of problems are its codes."""
    lean: dict[str, Any] = json.loads(json.dumps(document))
    del lean["components"]["examples"]
    for item in lean["paths"].values():
        for operation in item.values():
            for place in (operation.get("requestBody", {}), *operation["responses"].values()):
                for form in place.get("content", {}).values():
                    if "examples" in form:
                        form["examples"] = {name: {} for name in form["examples"]}
    lean["x-unrouted"] = {code: {} for code in lean["x-unrouted"]}
    return lean
