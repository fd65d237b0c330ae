"""Which tree of Decklog runs: who has several must not look at one and run another."""

from __future__ import annotations

from pathlib import Path

RUNNING = Path(__file__).resolve().parents[2]
MARK = Path("service") / "cli" / "trees.py"


def elsewhere() -> Path | None:
    """The tree of Decklog that one stands in, where it is another than the one that runs."""
    try:
        stood = Path.cwd()
    except FileNotFoundError:  # the folder was removed; there is nothing to stand in
        return None
    for folder in (stood, *stood.parents):
        if (folder / MARK).is_file():
            return folder if folder != RUNNING else None
    return None


def notice() -> str:
    """What to say to who stands in another tree; empty where there is nothing to say."""
    other = elsewhere()
    if other is None:
        return ""
    return (
        f"decklog: what runs is the tree {RUNNING}, and you stand in another.\n"
        f'hint: export PYTHONPATH="{other}" makes every decklog of this terminal use that one.'
    )
