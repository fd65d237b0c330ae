"""Crimson Tide: naval war on an open table, in exact integers."""

from .game import GAME

__all__ = ["GAME"]
