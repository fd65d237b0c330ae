"""A claim says something: of some other hidden thing it is not so.

A claim that holds of whatever may be hidden claims nothing, and what is supposed under it may be
anything. So what a view leaves open is filled with what is wrong on purpose: nothing, too little,
a thing twice, a thing that lies in another sealed place or openly, all of another place. Each claim
has to be untrue of one of these. Of which of them, and in which field, is told as well: a claim
that was weakened, as "in one place" to "in one place at most", is still untrue of much, but not of
all that it was untrue of.

What is planted is planted into the truth, and not into what was supposed: a claim is often what
``suppose`` itself asks, and a bound that was moved moves what is supposed as far. The truth stands
still; where it is at the bound, one more is the first thing beyond.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from ..conformance import AnyGame
from ..shown.claims import Claim, claims_of
from ..values import Hidden, Known

Fault = tuple[str, str]
"""A field of a state, and what is wrong of something that is sealed in it."""
Items = tuple[Any, ...]
Place = tuple[str, Any]
"""A field of a state, and the key or index of what is sealed in it; None for the field itself."""


NUMBER = re.compile(r"(?<![\w-])\d+(?!\w)")
SEAT = re.compile(r"\bp\d\b")


class Biting:
    """Follows positions; which claims have been untrue of what, and which never were.

    met      each claim in words, and its rule
    planted  by claim, the faults that there were: of which field, and what was wrong in it
    refuted  of them, those of which the claim was untrue
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.met: dict[str, str] = {}
        self.planted: dict[str, set[Fault]] = {}
        self.refuted: dict[str, set[Fault]] = {}

    @property
    def toothless(self) -> list[str]:
        """Claims that were true of whatever was hidden."""
        return [f"{text} ({rule})" for text, rule in self.met.items() if not self.refuted[text]]

    @property
    def borne(self) -> dict[str, dict[str, list[str]]]:
        """By claim and field that it is about: the faults of which it is true all the same."""
        return {
            text: {
                field: sorted(fault for at, fault in self.planted[text] - refuted if at == field)
                for field in sorted({field for field, _ in refuted})
            }
            for text, refuted in self.refuted.items()
        }

    def looked_at(self, view: Any, state: Any) -> Iterator[str]:
        """A view, and the truth behind it; claims with a number that counts nothing sealed.

        What nobody knows, as a deck that is never looked into, is in the truth sealed as well:
        nothing is planted there.
        """
        places = [place for place in sealed_places(view) if isinstance(_at(state, place), Known)]
        if not places:
            return
        for claim in claims_of(self.game.insight.claims, view):
            self.met[worded(claim)] = claim.rule
            self._tried(claim, state, places)
            counts = _counts(view, claim)
            for number in NUMBER.findall(claim.text):
                if int(number) not in counts:
                    yield f"{claim.text}: what it is about counts {sorted(counts)}"

    def _tried(self, claim: Claim, state: Any, places: list[Place]) -> None:
        planted = self.planted.setdefault(worded(claim), set())
        refuted = self.refuted.setdefault(worded(claim), set())
        for fault, wrong in spoiled(state, places):
            planted.add(fault)
            if fault not in refuted and _untrue(claim, wrong):
                refuted.add(fault)


def worded(claim: Claim) -> str:
    """A claim without its seat and its numbers."""
    return NUMBER.sub("n", SEAT.sub("p", claim.text))


def _counts(view: Any, claim: Claim) -> set[int]:
    """How much is in the places of the seat that a claim names, or else of no seat."""
    named = set(SEAT.findall(claim.text))
    places = _places(view, Hidden | Known)
    return {_at(view, each).count for each in places if (each[1] in named) == bool(named)}


def sealed_places(view: Any) -> list[Place]:
    """Where a view has something sealed."""
    return _places(view, Hidden)


def _places(view: Any, kinds: Any) -> list[Place]:
    found: list[Place] = []
    for name in view.__struct_fields__:
        value = getattr(view, name)
        items: Iterable[Any] = ()
        if isinstance(value, kinds):
            found.append((name, None))
        elif isinstance(value, dict):
            items = value.items()
        elif isinstance(value, tuple):
            items = enumerate(value)
        found += ((name, key) for key, each in items if isinstance(each, kinds))
    return found


def _at(state: Any, place: Place) -> Any:
    name, key = place
    value = getattr(state, name)
    return value if key is None else value[key]


def _put(state: Any, place: Place, items: tuple[Any, ...]) -> Any:
    """The position with something else in a sealed place."""
    name, key = place
    value = getattr(state, name)
    if key is None:
        return replace(state, **{name: Known(items)})
    if isinstance(value, dict):
        return replace(state, **{name: {**value, key: Known(items)}})
    return replace(state, **{name: (*value[:key], Known(items), *value[key + 1 :])})


def spoiled(state: Any, places: list[Place]) -> Iterator[tuple[Fault, Any]]:
    """Positions in which something else is hidden than may be: what is wrong in which field."""
    true = {place: _at(state, place).items for place in places}
    for place, items in true.items():
        others = [each for other, each in true.items() if other != place]
        for fault, wrong in (*_faults(items, others), *_of_the_open(state, place[1], items)):
            if wrong != items:
                yield (place[0], fault), _put(state, place, wrong)


def _faults(items: Items, others: list[Items]) -> Iterator[tuple[str, Items]]:
    """What may be wrong of a sealed place; nothing of it is a second time under another name."""
    yield "nothing", ()
    if len(items) > 1:
        yield "one less", items[1:]
    if items:
        yield "one more of what is there", (*items, items[0])
        yield "one thing only, often", items[:1] * 99
        yield "all twice", (*items, *items)
        if isinstance(items[0], str):
            yield "a thing that is none", (*items[1:], "nobody's")
    for other in others:
        yield "another's", other
        if other:
            yield "another's besides", (*items, *other)
        for each in other[:3] if other[1:] else ():
            yield "one of another's besides", (*items, each)


def _of_the_open(state: Any, seat: Any, items: Items) -> Iterator[tuple[str, Items]]:
    """Things that lie openly, where what is sealed names such: whose they are is told apart."""
    for field in state.__struct_fields__:
        value = getattr(state, field)
        if items and isinstance(value, dict) and value.keys() >= {*items}:
            for key, each in value.items():
                whose = "its own" if getattr(each, "seat", seat) == seat else "another's"
                yield f"one of {whose} that is open", (key,)


def _untrue(claim: Claim, state: Any) -> bool:
    """Whether a claim is untrue of a position that was spoiled, or cannot be asked of it."""
    try:
        return not claim.holds(state)
    except (LookupError, ValueError):
        return True
