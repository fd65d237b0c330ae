"""The words in which abilities.toml says what an ability does: a closed vocabulary (CT-SA-09).

The engine asks for words, never for the name of an ability: a new ability that needs no new word is
a table in that file and nothing else. Where a word has an amount ``n``, the card's number counts.
"""

from __future__ import annotations

from typing import Literal

from ....kernel.values import Value
from .state import Hardness, Weapon

Amount = int | Literal["n"]
"""A number, or the number on the card."""


class Word(Value, frozen=True, tag_field="word"):
    """Base of every word."""


class Reach(Word, frozen=True, tag="reach"):
    """A weapon's columns beyond ``beyond`` may be used, up to range ``to``."""

    weapon: Weapon
    beyond: int
    to: Amount


class EvadedOn(Word, frozen=True, tag="evaded-on"):
    """Evasive maneuvers shake its torpedoes off on ``face`` or more."""

    face: int


class SeesStormed(Word, frozen=True, tag="sees-in-storms"):
    """Its concealment checks succeed on ``face`` or more."""

    face: int


class NightGuns(Word, frozen=True, tag="guns-at-night"):
    """What is agreed about guns in the dark does not touch its guns."""


class TorpedoesSubmarines(Word, frozen=True, tag="torpedoes-submarines"):
    """It may torpedo detected submarines, also while it is submerged."""


class NoGroundingTest(Word, frozen=True, tag="no-grounding-test"):
    """It makes no test in treacherous waters."""


class Rides(Word, frozen=True, tag="rides"):
    """Ground of this hardness does no harm to its hull."""

    ground: Hardness


class LandsTroops(Word, frozen=True, tag="lands-troops"):
    """Stopped at a landing place when a turn ends, it puts its troops ashore."""


class NoControl(Word, frozen=True, tag="no-control"):
    """It counts for nothing where sea control of an objective is told."""


class CriticalAs(Word, frozen=True, tag="critical-as"):
    """A result ``roll`` of the critical table counts as ``result`` for it."""

    roll: int
    result: int


class Escorts(Word, frozen=True, tag="escorts"):
    """Enemy fighters hit friendly bombers within ``klicks`` of it on 5 and 6 only."""

    klicks: int


AnyWord = (
    Reach
    | EvadedOn
    | SeesStormed
    | NightGuns
    | TorpedoesSubmarines
    | NoGroundingTest
    | Rides
    | LandsTroops
    | NoControl
    | CriticalAs
    | Escorts
)
"""Every word."""
