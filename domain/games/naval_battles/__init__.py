"""Naval Battles: hidden hands and fleets of cards, two to six players, alone or in teams."""

from .game import GAME

__all__ = ["GAME"]
