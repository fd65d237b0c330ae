"""Pennant: a whole game, small enough to be read at once. Begin with rules/course.py."""

from .game import GAME

__all__ = ["GAME"]
