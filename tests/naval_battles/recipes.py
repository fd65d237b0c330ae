"""How the recorded games of Naval Battles are played: one for each way to end, at least."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.suites import Recipe

RECIPES: Mapping[str, Recipe] = {}
