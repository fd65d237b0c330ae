"""War at Sea: fleets of miniatures on staggered squares, editions 2007 and 2009."""

from .game import GAME

__all__ = ["GAME"]
