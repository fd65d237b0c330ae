"""What if: a game that begins at a position of another game, played on with open cards.

A fork is made by whoever looks into a position, for all its seats; there is nobody to hide anything
from. So its events are seen by all, and all its dice are open. Its first event is the position; it
stands in the set-up, which dice and evidence are bound to.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .event import Event
from .values import Value, Viewer

NAME = "forked"
"""Name of a fork's first event, in every ruleset."""


class Fork(Value, frozen=True, omit_defaults=True):
    """The moment from which a game was forked.

    game, version  of the parent
    viewer   through whose eyes the position was taken; ``"truth"`` when the parent was over
    seed     seed of the values that stand in for the viewer's unknown ones, and of the fork's dice
    state    the position as canonical JSON, complete
    schema   the number of the position's form: :attr:`Game.position` when the fork was made
    label, faces  the dice that were awaited there, and how they were made to fall, if they were
    """

    game: str
    version: int
    viewer: Viewer
    seed: str
    state: dict[str, Any]
    label: str = ""
    faces: tuple[tuple[int, ...], ...] = ()
    schema: int = 1


def forked_event(state: type[Any], position: int) -> type[Any]:
    """The event of a ruleset that holds a state of it, in the form of that number."""
    return msgspec.defstruct(
        "Forked",
        [("state", state | None, None)],
        bases=(Event,),
        namespace={
            "NAME": NAME,
            "SCHEMA": position,
            "__doc__": "The position that a fork goes on from.",
        },
        module=__name__,
        frozen=True,
        omit_defaults=True,
        rename="camel",
    )
