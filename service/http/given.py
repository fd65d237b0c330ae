"""What handlers are given by name: the game of the path, through whose eyes, at which version.

A caller sees a game with its own eyes; it may look with those of the public too. Once its master is
opened everything is open: anybody may look as any seat, or at the truth.

A handler asks for one of them, or for a chain in which each needs the one before it. Of two that do
not need each other nobody knows which refuses first: Litestar runs them at once, and at fifteen
times the cost. A link of a chain costs a request a fiftieth, so that these have none.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation
from msgspec import UNSET, UnsetType

from domain.kernel.values import PUBLIC, TRUTH, Viewer
from service.models import GameSummary
from service.problems import Refusal

from .asked import Asked, own_eyes
from .parameters import As, At, GameId

T = TypeVar("T")

Given = SkipValidation[NamedDependency[T]]
"""What a dependency gives, as it is. Litestar would look at its value again at each use."""

FOR_EVER = "private, max-age=31536000, immutable"
"""Caching of what never changes again."""


def viewer_of(asked: Asked, summary: GameSummary, wished: str) -> Viewer:
    """Whose view the caller gets. Raises ``viewer.not-entitled``."""
    own = own_eyes(asked.identity, summary)
    entitled = [own, PUBLIC]
    if summary.opened or (summary.fork is not None and own != PUBLIC):
        entitled += [*(seat.seat for seat in summary.seats), TRUTH]
    if wished and wished not in entitled:
        names = ", ".join(dict.fromkeys(entitled))
        raise Refusal("viewer.not-entitled", hint=f"This caller may look now as: {names}.")
    return wished or own


def version_of(summary: GameSummary, at: int | UnsetType | None) -> int:
    """The version that is asked for. Raises ``version.unknown``."""
    if at is None or at is UNSET:
        return summary.version
    if int(at) > summary.version:
        raise Refusal("version.unknown", version=summary.version)
    return int(at)


def caching(asked: Asked, at: int | None) -> str:
    """A named version never changes; what a token shows is kept nowhere."""
    return FOR_EVER if at is not None and asked.identity is None else ""


class Seen(NamedTuple):
    """A game as the caller looks at it: through whose eyes, at which version.

    cache  what may be kept of it: all of a version that was named, "" for the usual
    """

    summary: GameSummary
    viewer: Viewer
    version: int
    cache: str


async def provide_summary(request: Asked, game: GameId) -> GameSummary:
    """The game of the path. Raises ``game.not-found``."""
    return request.game or await request.summary_of(request.game_id(), request.identity)


async def provide_seen(request: Asked, game: GameId, as_: As = "") -> Seen:
    """The game of the path as it is now. Raises ``game.not-found``, ``viewer.not-entitled``."""
    summary = await provide_summary(request, game)
    return Seen(summary, viewer_of(request, summary, as_), summary.version, "")


async def provide_moment(request: Asked, game: GameId, at: At = None, as_: As = "") -> Seen:
    """The game of the path at a version. Raises as ``seen`` does, and then ``version.unknown``."""
    summary = await provide_summary(request, game)
    viewer, version = viewer_of(request, summary, as_), version_of(summary, at)
    return Seen(summary, viewer, version, caching(request, at))


DEPENDENCIES: dict[str, Any] = {
    "summary": Provide(provide_summary),
    "seen": Provide(provide_seen),
    "moment": Provide(provide_moment),
}
