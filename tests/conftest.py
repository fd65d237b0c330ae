"""Holds for every test: a rule that it names must have been at work (tests/support/rules.py), and a
test of a slow tier runs when what the tier guards has changed (tests/support/tiers.py)."""

from __future__ import annotations

pytest_plugins = [
    "tests.support.hatchery",
    "tests.support.heard",
    "tests.support.memory",
    "tests.support.routes",
    "tests.support.rules",
    "tests.support.tiers",
]
