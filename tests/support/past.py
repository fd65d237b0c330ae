"""Engines of the past, made of this repository's history by the recipe of the evidence of the past.

``python -m tests.support.past`` writes them where the build carries them.
"""

from __future__ import annotations

import hashlib
import lzma
import tomllib
from pathlib import Path
from typing import Any

from service.engines import carry, history, load, shown, whole
from service.engines.build import Ruleset, build

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "evidence" / "history"
CARRIED = ROOT / "service" / "engines" / "carried"


def recipes() -> dict[str, dict[str, Any]]:
    """By name of the file of evidence: which rules decided it, and where they are."""
    return tomllib.loads((FOLDER / "recipe.toml").read_text("utf-8"))


def home(ruleset: str) -> str:
    """The package of one of our games."""
    return f"domain.games.{ruleset.replace('-', '_')}"


def archive(recipe: dict[str, Any]) -> bytes:
    """The engine of a recipe, out of git. Raises NoHistory."""
    package = home(recipe["ruleset"])
    folders = ["domain/kernel", package.replace(".", "/")]
    tree = history.tree_at(ROOT, recipe["commit"], folders)
    if f"{package.replace('.', '/')}/rules/engine.py" in tree:
        return build(tree, Ruleset(recipe["ruleset"], recipe["version"], package))
    return whole.pack(tree, recipe["ruleset"], recipe["version"], package)


def shown_over(recipe: dict[str, Any], engine: bytes) -> bytes | None:
    """What shows it, as of its commit; None for an engine that has it. Raises NoHistory."""
    if load.opened(engine)[1]["kind"] == load.WHOLE:
        return None
    package = home(recipe["ruleset"])
    folders = ["domain/kernel", package.replace(".", "/")]
    tree = history.tree_at(ROOT, recipe["commit"], folders)
    return shown.build(tree, Ruleset(recipe["ruleset"], recipe["version"], package), engine)


def row(recipe: dict[str, Any], data: bytes) -> carry.Carried:
    """What the table says of it."""
    files, about = load.opened(data)
    digest = hashlib.sha256(data).hexdigest()
    listed = whole.listed_digest(files, about) if about["kind"] == load.WHOLE else digest
    day = history.day_of(ROOT, recipe["commit"])
    return carry.Carried(
        recipe["ruleset"], recipe["version"], recipe["commit"], listed, digest, day
    )


def main() -> None:
    table = "# Engines of the past. Made by python -m tests.support.past.\n"
    for recipe in recipes().values():
        data = archive(recipe)
        made = row(recipe, data)
        packed = lzma.compress(data, preset=9)
        (CARRIED / f"{made.ruleset}-{made.commit}.xz").write_bytes(packed)
        over = shown_over(recipe, data)
        if over is not None:
            name = f"{made.ruleset}-{made.commit}.shown.xz"
            (CARRIED / name).write_bytes(lzma.compress(over, preset=9))
        fields = ("ruleset", "version", "commit", "rules", "digest", "day")
        table += "\n[[engine]]\n" + "".join(f'{f} = "{getattr(made, f)}"\n' for f in fields)
    (CARRIED / "table.toml").write_text(table, "utf-8")


if __name__ == "__main__":
    main()
