"""What if: the position that a fork begins with. Pure: no vault, no store, no clock (NWD-1 2.6).

A fork of a running game begins with what its asker sees; the rest is made up from a seed that is
shown, so two parents that look the same to the asker give the same fork, byte for byte. An import
contract keeps every dice vault out of here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from domain.kernel.chance import Faces
from domain.kernel.codec import canonical
from domain.kernel.fork import Fork
from domain.kernel.game import Game
from domain.kernel.rules import Refused
from domain.kernel.values import CHANCE, TRUTH, Choose, Viewer

from ..engines.choosing import Chooser
from ..problems import Refusal

AnyGame = Game[Any, Any, Any]


class Origin(NamedTuple):
    """Where a fork comes from: the parent, a version of it, through whose eyes."""

    game: str
    version: int
    viewer: Viewer


def chooser(seed: str) -> Choose:
    """Numbers from a seed: SHA-256 of seed and a counter, with a remainder too small to matter."""
    return Chooser(seed)


def fork(
    game: AnyGame,
    origin: Origin,
    state: Any,
    seed: str,
    *,
    whole: bool,
    faces: Sequence[Sequence[int]] = (),
) -> Fork:
    """The fork's beginning from the viewer's state.

    whole  whether the version is the last of its command
    faces  how the awaited dice are to fall
    Raises Refusal ``fork.between``, ``fork.no-dice``, ``fork.wrong-faces``, ``game.over``.
    """
    over, awaited = game.result(state) is not None, game.awaiting(state)
    if not over and awaited is None and (not whole or not game.pending(state)):
        raise Refusal("fork.between")
    if faces and awaited is None:
        raise Refusal("fork.no-dice")
    if over:
        raise Refusal("game.over", "Nothing goes on from a position in which the game is over.")
    supposed = state if origin.viewer == TRUTH else game.insight.suppose(state, chooser(seed))
    fallen = tuple(tuple(each) for each in faces)
    label = ""
    if fallen and awaited is not None:
        label = awaited.label
        supposed = _thrown(game, supposed, Faces(label, fallen))
    plain: dict[str, Any] = msgspec.json.decode(canonical(supposed))
    return Fork(
        origin.game, origin.version, origin.viewer, seed, plain, label=label, faces=fallen,
        schema=game.position,
    )  # fmt: skip


def _thrown(game: AnyGame, state: Any, faces: Faces) -> Any:
    """The position after the chosen dice."""
    try:
        after = game.fold(game.decide(state, CHANCE, faces), state)
    except Refused as refused:
        raise Refusal("fork.wrong-faces", hint=refused.hint) from None
    if game.result(after) is not None:
        raise Refusal("game.over", "With these dice the game is over: there is no more to play.")
    return after
