"""Nobody goes on in a game that the operator has frozen."""

from __future__ import annotations

from ..errors import GameFrozen
from ..models import GameSummary


def check_frozen(summary: GameSummary) -> None:
    """Raises GameFrozen, with the reason that was given."""
    if not summary.frozen:
        return
    reason = summary.paused.reason if summary.paused else ""
    told = f" The reason that was given: {reason}" if reason else ""
    raise GameFrozen(f"The operator has frozen the game.{told}")
