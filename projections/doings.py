"""What each piece of a seat may do now, or why it may do nothing.

Nothing here decides. What a piece may do is in the list of commands; why it may do nothing is the
refusal that the rules have for what its fellows may do, asked for it: ``decide`` refuses, and a
refusal stores nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from domain.kernel.game import Game
from domain.kernel.rules import Refused

AnyGame = Game[Any, Any, Any]

TRIED = 24
"""At most so many commands are tried for a piece that is in no list."""
ACTING = ("unit", "card")
"""Roles of parts that are the seat's own piece: a target is not."""
NAMES = ("card", "id")
"""The field by which a piece in hand goes that is no plain name."""
HELD = "card:"
"""Before the key of a part that is a card in hand, so that it is mistaken for no piece in play."""
CARD = "/card"
"""Commands name in ``card`` or ``cards`` what is in hand."""


class Doing(NamedTuple):
    """A piece, and what it may do.

    piece    its id, as commands name it
    where    field of the state that holds it
    ready    number of listed commands by which it acts
    vain     number of those that are certain to achieve nothing
    hopeless  number of those that cannot succeed, whatever their dice show
    built    a command that is not listed takes it
    refused  why it may do nothing; None where it may do something, or no command names pieces
    """

    piece: str
    where: str
    ready: int = 0
    vain: int = 0
    hopeless: int = 0
    built: bool = False
    refused: Refused | None = None


class Offer(NamedTuple):
    """A listed command: the pieces that act by it, and whether it may achieve anything."""

    command: Any
    acting: frozenset[str]
    vain: bool
    hopeless: bool


def doings(game: AnyGame, state: Any, seat: str) -> Iterator[Doing]:
    """Of each piece of the seat, in the state's order; ``state`` as the seat itself sees it."""
    offers = [_offer(game, state, seat, each) for each in game.legal(state, seat).commands]
    mine = owned(state, seat)
    for piece, where in mine.items():
        named = [offer for offer in offers if piece in offer.acting]
        if named:
            vain = sum(offer.vain for offer in named)
            hopeless = sum(offer.hopeless for offer in named)
            yield Doing(piece, where, len(named), vain, hopeless)
        else:
            fellows = {other for other, place in mine.items() if place == where}
            tried = _of_fellows(offers, fellows, piece) or _of_types(game.commands, piece)
            card = piece not in getattr(state, where)
            refused = _refused(game, state, seat, tried, card=card)
            yield Doing(piece, where, built=bool(tried) and refused is None, refused=refused)


def owned(state: Any, seat: str) -> dict[str, str]:
    """The seat's pieces by id, each with the field of the state that holds it.

    Pieces in play are values of a mapping by id which name their ``seat``; what is in hand lies
    under the seat, and others see only how much it is (``kernel.values.Known``).
    """
    fields = state.__struct_fields__
    held = {name: value for name in fields if isinstance(value := getattr(state, name), Mapping)}
    found = {name: field for field, pieces in held.items() for name in _in_play(pieces, seat)}
    for field, hands in held.items():
        for name in _in_hand(hands.get(seat)):
            found.setdefault(name, field)
    return found


def _in_play(pieces: Mapping[Any, Any], seat: str) -> list[str]:
    return [name for name, each in pieces.items() if getattr(each, "seat", None) == seat]


def _in_hand(held: Any) -> list[str]:
    return [_name(each) for each in getattr(held, "items", ())] if _known(held) else []


def _known(held: Any) -> bool:
    return isinstance(held, msgspec.Struct) and held.__struct_config__.tag == "known"


def _name(held: Any) -> str:
    named = (getattr(held, each) for each in NAMES if hasattr(held, each))
    return str(held if isinstance(held, str) else next(named, ""))


def _offer(game: AnyGame, state: Any, seat: str, command: Any) -> Offer:
    words = game.describe(state, command)
    keys = {part.key for part in words.parts if part.role in ACTING}
    acting = {key.removeprefix(HELD) for key in keys} | {words.unit}
    vain = bool(words.pointless)
    return Offer(
        command, frozenset(acting), vain, not vain and _hopeless(game, state, seat, command)
    )


def _hopeless(game: AnyGame, state: Any, seat: str, command: Any) -> bool:
    odds = game.odds_beside(state, seat, command)
    short = None if odds is None else game.odds_in_short(odds)
    return short is not None and bool(short.hopeless)


def _of_fellows(offers: Iterable[Offer], fellows: set[str], piece: str) -> list[Any]:
    """What fellows may do, with the piece in their place: as many of each type as there are."""
    tried = dict[Any, None]()
    for offer in offers:
        for fellow in sorted(offer.acting & fellows):
            tried.setdefault(_instead(offer.command, fellow, piece))
    step = len(tried) // TRIED + 1
    return [*tried][::step]


def _instead(command: Any, fellow: str, piece: str) -> Any:
    """The command with one piece in another's place."""

    def put(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(put, value))
        return piece if value == fellow else value

    fields = {name: put(getattr(command, name)) for name in command.__struct_fields__}
    return type(command)(**fields)


def _of_types(types: Iterable[type], piece: str) -> list[Any]:
    """A command of each type that names pieces, about this one: where fellows may do nothing."""
    built = (_about(each, piece) for each in types)
    return [command for command in built if command is not None]


def _about(kind: type, piece: str) -> Any:
    """A command with the piece wherever it must have a name; None where that is nowhere."""
    fields = [each for each in msgspec.structs.fields(kind) if each.required]
    values = [_fitting(each.type, piece) for each in fields]
    if not any(value in (piece, (piece,)) for value in values) or None in values:
        return None
    return kind(**{each.name: value for each, value in zip(fields, values, strict=True)})


def _fitting(form: Any, piece: str) -> Any:
    """The piece, alone or in a list, or a number, as the field takes it; else None."""
    for value in (piece, [piece], 0, 1):
        with suppress(msgspec.ValidationError):
            return msgspec.convert(value, form)
    return None


def _refused(
    game: AnyGame, state: Any, seat: str, tried: Iterable[Any], *, card: bool
) -> Refused | None:
    """Why all of them are refused; None where one is accepted.

    What is said of a card that was named comes before all else, then what is said most often.
    """
    met: list[Refused] = []
    for command in tried:
        try:
            game.decide(state, seat, command)
        except Refused as refused:
            met.append(refused)
        else:
            return None
    of_card = [each for each in met if each.pointer.startswith(CARD)] if card else []
    count = Counter((each.code, each.rule) for each in of_card or met)
    return max(of_card or met, key=lambda each: count[each.code, each.rule], default=None)
