"""Holds for every test: a rule that it names must have been at work (tests/support/rules.py)."""

from __future__ import annotations

pytest_plugins = ["tests.support.rules"]
