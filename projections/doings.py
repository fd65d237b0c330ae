"""What each piece of a seat may do now, or why it may do nothing.

Nothing here decides. What a piece may do is in the list of commands; why it may do nothing is the
refusal that the rules have for what its fellows may do, asked for it: ``decide`` refuses, and a
refusal stores nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, NamedTuple

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
CARDS = ("card", "cards")
"""Commands name in ``card`` or ``cards`` what is in hand, and in other fields what is in play."""

Place = Literal["play", "hand", "table"]
"""Where a piece is: in play, in hand, or as a card on the table before its seat."""


class Owned(NamedTuple):
    """A piece of a seat.

    piece  its id: a card's is that of all of its kind
    where  field of the state that holds it; a command that takes a card from the table rather than
           from the hand has a flag of that name
    """

    piece: str
    where: str
    place: Place


class Doing(NamedTuple):
    """A piece, and what it may do.

    piece    its id, as commands name it
    where    field of the state that holds it
    ready    number of listed commands by which it acts
    vain     number of those that are certain to achieve nothing
    hopeless  number of those that cannot succeed, whatever their dice show; one may be both
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
    flags = {each.where for each in mine if each.place == "table"}
    for each in mine:
        own = [offer for offer in offers if _takes(offer.command, each, flags)]
        named = [offer for offer in own if each.piece in offer.acting]
        if named:
            vain = sum(offer.vain for offer in named)
            hopeless = sum(offer.hopeless for offer in named)
            yield Doing(each.piece, each.where, len(named), vain, hopeless)
        else:
            fellows = {other.piece for other in mine if other.where == each.where}
            tried = _of_fellows(own, fellows, each.piece) or _of_types(game.commands, each)
            refused = _refused(game, state, seat, tried, each)
            built = bool(tried) and refused is None
            yield Doing(each.piece, each.where, built=built, refused=refused)


def owned(state: Any, seat: str) -> tuple[Owned, ...]:
    """The seat's pieces, each once for the field of the state that holds it.

    Pieces in play are values of a mapping by id which name their ``seat``; what is in hand lies
    under the seat, and others see only how much it is (``kernel.values.Known``); so do cards that
    lie open before the seat, which are more than a name.
    """
    fields = state.__struct_fields__
    held = {name: value for name in fields if isinstance(value := getattr(state, name), Mapping)}
    found = {
        name: Owned(name, field, "play")
        for field, pieces in held.items()
        for name in _in_play(pieces, seat)
    }
    for field, hands in held.items():
        for name in _in_hand(hands.get(seat)):
            found.setdefault(name, Owned(name, field, "hand"))
    lying = (
        Owned(name, field, "table")
        for field, cards in held.items()
        for name in _on_table(cards.get(seat))
    )
    return (*found.values(), *dict.fromkeys(lying))


def _in_play(pieces: Mapping[Any, Any], seat: str) -> list[str]:
    return [name for name, each in pieces.items() if getattr(each, "seat", None) == seat]


def _in_hand(held: Any) -> list[str]:
    return [_name(each) for each in getattr(held, "items", ())] if _known(held) else []


def _on_table(cards: Any) -> list[str]:
    if not isinstance(cards, tuple):
        return []
    return [each.card for each in cards if hasattr(each, "card")]


def _known(held: Any) -> bool:
    return isinstance(held, msgspec.Struct) and held.__struct_config__.tag == "known"


def _takes(command: Any, piece: Owned, flags: Iterable[str]) -> bool:
    """Whether a card that the command names is taken from where the piece is."""
    return all(getattr(command, flag, False) is (flag == piece.where) for flag in flags)


def _name(held: Any) -> str:
    named = (getattr(held, each) for each in NAMES if hasattr(held, each))
    return str(held if isinstance(held, str) else next(named, ""))


def _offer(game: AnyGame, state: Any, seat: str, command: Any) -> Offer:
    words = game.describe(state, command)
    keys = {part.key for part in words.parts if part.role in ACTING}
    acting = {key.removeprefix(HELD) for key in keys} | {words.unit}
    hopeless = _hopeless(game, state, seat, command)
    return Offer(command, frozenset(acting), bool(words.pointless), hopeless)


def _hopeless(game: AnyGame, state: Any, seat: str, command: Any) -> bool:
    odds = game.odds_beside(state, seat, command)
    short = game.short_beside(state, command, odds)
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


def _of_types(types: Iterable[type], piece: Owned) -> list[Any]:
    """Of each type that names such pieces a command about this one: fellows may do nothing."""
    built = (_about(each, piece) for each in types)
    return [command for command in built if command is not None]


def _about(kind: type, piece: Owned) -> Any:
    """A command with the piece wherever it must have a name; None where it would name no such."""
    every = msgspec.structs.fields(kind)
    values = {each.name: _fitting(each.type, piece.piece) for each in every if each.required}
    naming = {name for name, value in values.items() if value in (piece.piece, (piece.piece,))}
    if not {name for name in naming if (name in CARDS) is (piece.place != "play")}:
        return None
    if piece.place == "table":
        if piece.where not in (each.name for each in every):
            return None
        values[piece.where] = True
    return None if None in values.values() else kind(**values)


def _fitting(form: Any, piece: str) -> Any:
    """The piece, alone or in a list, or a number, as the field takes it; else None."""
    for value in (piece, [piece], 0, 1):
        with suppress(msgspec.ValidationError):
            return msgspec.convert(value, form)
    return None


def _refused(
    game: AnyGame, state: Any, seat: str, tried: Iterable[Any], piece: Owned
) -> Refused | None:
    """Why all of them are refused; None where one is accepted.

    Of a piece in hand what is said of the card that was named comes before all else, of one in play
    after it: there the piece only fills the card's place. Then comes what is said most often.
    """
    met: list[Refused] = []
    for command in tried:
        try:
            game.decide(state, seat, command)
        except Refused as refused:
            met.append(refused)
        else:
            return None
    held = piece.place != "play"
    first = [each for each in met if each.pointer.startswith(CARD) is held]
    count = Counter((each.code, each.rule) for each in first or met)
    return max(first or met, key=lambda each: count[each.code, each.rule], default=None)
