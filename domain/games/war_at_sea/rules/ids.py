"""What the texts are that stand for things: aliases, which cost nothing while a game is played."""

from __future__ import annotations

UnitId = str
"""A unit: ``p1-1``. Whose it is stands in ``Unit.seat`` and is never read out of it."""

CardId = str
"""A stat card."""

SectorId = str
"""A sector of the map; empty where something is on none."""

BaseId = str
"""Where an Aircraft is based: the unit ID of a Carrier, a sector, or the land airbase."""

AbilityId = str
"""A family of abilities: the name of its file."""

RuleId = str
"""A rule of the rulebook, of a card, or a ruling."""
