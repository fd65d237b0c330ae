"""Grades of dice: what was done so that nobody knows them beforehand, the least first."""

from __future__ import annotations

GRADES = ("A0", "A1", "A2", "A3")

LOCKED = ("A2", "A3")
"""Of games in which the order is locked before links of its dice are taken."""

BEACON = "A3"
"""Of games whose batches have a round of a public beacon, named before it comes."""
