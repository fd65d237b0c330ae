"""Through whose eyes, and at which version: what every operation that looks at a game may be told.

A caller sees a game with its own eyes; it may look with those of the public too. Once the game is
over everything is open: anybody may look as any seat, or at the truth.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.kernel.values import PUBLIC, TRUTH, Viewer
from service.models import GameSummary
from service.problems import Refusal

from .call import Call

Version = (
    Annotated[
        int,
        Meta(ge=1, le=2**53 - 1, description="The version to show; the newest one if absent."),
    ]
    | UnsetType
)
Perspective = Annotated[
    str,
    Meta(
        max_length=16,
        pattern="^[a-z0-9]*$",
        description="Look as this seat, as `public` or at the `truth`, where the caller may: its "
        "own seat and `public`; everything once the game is over. Absent: the caller's own eyes.",
    ),
]

FOR_EVER = "private, max-age=31536000, immutable"
"""Caching of what never changes again."""


def viewer_of(call: Call, summary: GameSummary, wished: str) -> Viewer:
    """Whose view the caller gets. Raises ``viewer.not-entitled``."""
    own = call.viewer(summary)
    entitled = [own, PUBLIC]
    if summary.status == "finished" or (summary.fork is not None and own != PUBLIC):
        entitled += [*(seat.seat for seat in summary.seats), TRUTH]
    if wished and wished not in entitled:
        names = ", ".join(dict.fromkeys(entitled))
        raise Refusal("viewer.not-entitled", hint=f"This caller may look now as: {names}.")
    return wished or own


def version_of(summary: GameSummary, at: int | UnsetType) -> int:
    """The version that is asked for. Raises ``version.unknown``."""
    if at is UNSET:
        return summary.version
    if int(at) > summary.version:
        raise Refusal("version.unknown", version=summary.version)
    return int(at)


def caching(call: Call, at: int | UnsetType) -> str:
    """A named version never changes; what a token shows is kept nowhere."""
    return FOR_EVER if at is not UNSET and call.identity is None else ""
