"""Where the games keep their figures: data that a referee may read. It imports no rule."""

from __future__ import annotations

from importlib.resources import files

GAMES = files(f"{__name__.removesuffix('service.referees.figures')}domain") / "games"
"""A folder for each game, as in the tree or below the name that it is installed by."""
