"""A claim says something: of some other hidden thing it is not so.

A claim that holds of whatever may be hidden claims nothing, and what is supposed under it may be
anything. So what a view leaves open is filled with what is wrong on purpose: nothing, too little,
a thing twice, a thing that lies in another sealed place, all of another place. Each claim has to be
untrue of one of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from ..conformance import AnyGame
from ..shown.claims import Claim, claims_of
from ..values import Hidden, Known

Place = tuple[str, Any]
"""A field of a state, and the key or index of what is sealed in it; None for the field itself."""


NUMBER = re.compile(r"(?<![\w-])\d+(?!\w)")
SEAT = re.compile(r"\bp\d\b")


class Biting:
    """Follows positions; which claims have been untrue of something, and which never were."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.met: dict[str, str] = {}
        self.bitten: set[str] = set()

    @property
    def toothless(self) -> list[str]:
        """Claims that were true of whatever was hidden."""
        return [f"{text} ({rule})" for text, rule in self.met.items() if text not in self.bitten]

    def looked_at(self, view: Any, state: Any) -> Iterator[str]:
        """A view, and what was supposed of it; claims with a number that counts nothing sealed."""
        places = sealed_places(view)
        if not places:
            return
        for claim in claims_of(self.game.insight.claims, view):
            self.met[worded(claim)] = claim.rule
            if worded(claim) not in self.bitten and _untrue(claim, state, places):
                self.bitten.add(worded(claim))
            counts = _counts(view, claim)
            for number in NUMBER.findall(claim.text):
                if int(number) not in counts:
                    yield f"{claim.text}: what it is about counts {sorted(counts)}"


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


def spoiled(state: Any, places: list[Place]) -> Iterator[Any]:
    """Positions in which something else is hidden than may be."""
    true = {place: _at(state, place).items for place in places}
    for place, items in true.items():
        strange = [other for each, others in true.items() if each != place for other in others[:3]]
        others = [each for other, each in true.items() if other != place]
        for wrong in (
            (), items[1:], items[:1] * 99, (*items, *items),
            *((*items, each) for each in strange), *others, *((*items, *each) for each in others),
        ):  # fmt: skip
            if wrong != items:
                yield _put(state, place, wrong)


def _untrue(claim: Claim, state: Any, places: list[Place]) -> bool:
    """Whether a claim is untrue of a position that was spoiled, or cannot be asked of it."""
    for each in spoiled(state, places):
        try:
            if not claim.holds(each):
                return True
        except (LookupError, ValueError):
            return True
    return False
