"""Chance is a seat. A rule asks for dice; the chance seat answers with a command that has faces.

So rules stay pure, tests write the faces, and a provable source plugs in at one place.
"""

from __future__ import annotations

from .rules import Refused
from .values import TRUTH, Seat, Value, Viewer

PUBLIC_DOMAIN = "pub"
"""The domain of open dice: everybody sees the faces as soon as they have fallen."""

SEALED_DOMAIN = "sealed"
"""The domain of dice that nobody at all sees before the game is over, not even whose they are.

For what comes out of a secret that no seat holds, such as a deck without an order: whoever saw such
a die would learn something of the rest from it.
"""

_SIDE = "side:"


def side_domain(seat: Seat) -> str:
    """The domain of dice and draws that only ``seat`` sees before the game is over."""
    return _SIDE + seat


def domain_seat(domain: str) -> Seat | None:
    """The seat that alone sees the faces of ``domain``; None for open and for sealed dice."""
    return domain.removeprefix(_SIDE) if domain.startswith(_SIDE) else None


def sees(domain: str, viewer: Viewer) -> bool:
    """Whether ``viewer`` sees the faces of ``domain`` before the game is over."""
    return domain == PUBLIC_DOMAIN or viewer in (TRUTH, domain_seat(domain))


class Dice(Value, frozen=True):
    """``count`` dice of ``sides`` faces each, rolled in turn. A coin is one die of two faces."""

    count: int
    sides: int = 6


class Awaited(Value, frozen=True):
    """An open request to the chance seat.

    label   names the roll; unique in its game; ASCII, at most 255 bytes (NWD-1)
    pools   the rolls, in order
    owner   the seat whose dice they are: it is logged, and changes nothing (WAS RUL-46)
    domain  :data:`PUBLIC_DOMAIN`, ``side_domain(seat)`` for dice that only that seat may see, or
            :data:`SEALED_DOMAIN` for dice that nobody sees. That such a batch was rolled and how
            many dice it had stays open to all: label and pools of a hidden roll may say nothing
            that its faces would
    """

    label: str
    pools: tuple[Dice, ...]
    owner: str
    domain: str = PUBLIC_DOMAIN


class Faces(Value, frozen=True, tag_field="type", tag="faces"):
    """Chance's command: one tuple of faces for each pool of the request, faces from 1 up."""

    label: str
    faces: tuple[tuple[int, ...], ...]


def check_faces(awaited: Awaited | None, answer: Faces) -> None:
    """Refuse an answer that is not exactly what was asked for."""
    if awaited is None:
        raise Refused("chance.not-awaited", hint="No dice are awaited now.")
    if answer.label != awaited.label:
        raise Refused("chance.wrong-label", hint=f"The roll {awaited.label!r} is awaited.")
    if len(answer.faces) != len(awaited.pools):
        raise Refused("chance.wrong-pools", hint=f"{len(awaited.pools)} pools are awaited.")
    for pool, faces in zip(awaited.pools, answer.faces, strict=True):
        if len(faces) != pool.count or any(not 1 <= face <= pool.sides for face in faces):
            raise Refused("chance.wrong-faces", hint=f"{pool.count}d{pool.sides} are awaited.")
