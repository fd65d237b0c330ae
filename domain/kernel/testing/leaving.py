"""Whoever leaves play leaves it whole: nothing is based on it, names it or shows it any more.

Roles tell which unit has left (``lost``, ``left``; ``placed`` brings it back), and where its name
may still stand is listed (:attr:`Tables.remains`). A step that takes a unit and forgets what is
aboard leaves aircraft behind whose base is gone: so each event that takes units has to be shown
taking one that others are based on (:attr:`Tables.aboard`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ..conformance import AnyGame, Nonconformance, Played
from ..shown.scene import Group, Item
from .completeness import file_of

OUT = ("lost", "left")


class Named(NamedTuple):
    """A text in a state: its path (``units/*/base``), the key of the record around it, itself."""

    path: str
    holder: str
    text: str


def texts(value: Any, path: str = "", holder: str = "") -> list[Named]:
    """All texts in a value; ``*`` is below a key of a dict, ``{}`` the key, ``[]`` an item."""
    found: list[Named] = []
    _gather(found, value, path, holder)
    return found


def _gather(found: list[Named], value: Any, path: str, holder: str) -> None:
    """Into one list: a state is searched at every event, and most of what it has are figures."""
    match value:
        case None | int():
            return
        case str():
            found += (Named(path, holder, part) for part in value.split("/"))
        case msgspec.Struct():
            for name in value.__struct_fields__:
                _gather(found, getattr(value, name), f"{path}/{name}".lstrip("/"), holder)
        case Mapping():
            for key, each in value.items():
                found.append(Named(f"{path}/{{}}", str(key), str(key)))
                _gather(found, each, f"{path}/*", str(key))
        case tuple() | list() | frozenset():
            for each in value:
                _gather(found, each, f"{path}/[]", holder)


class Leaving:
    """Follows games, and finds what those who leave play leave behind."""

    def __init__(self, game: AnyGame) -> None:
        assert game.tables is not None
        self.game, self.tables = game, game.tables
        self.gone: set[str] = set()
        self.met: set[str] = set()
        self.took: set[type] = set()
        self.laden: set[type] = set()
        self.unlisted: list[str] = []

    def begin(self) -> None:
        """Another game."""
        self.gone = set()

    def happened(self, state: Any, events: Iterable[Any]) -> Any:
        """Events from the state before them; gives the state after."""
        for event in events:
            for role in self.game.meaning(state, event):
                if role.role in OUT and role.unit:
                    self._leaves(state, type(event), role.unit)
                if role.role == "placed":
                    self.gone.discard(role.unit)
            out = {r.unit for r in self.game.meaning(state, event) if r.role in OUT and r.unit}
            state = self.game.evolve(state, event)
            if out and self.tables.losses:
                listed = {each.text for each in texts(state) if each.path == self.tables.losses}
                self.unlisted += [
                    f"{unit} is not in {self.tables.losses}" for unit in sorted(out - listed)
                ]
        return state

    def _leaves(self, state: Any, kind: type, unit: str) -> None:
        self.gone.add(unit)
        self.took.add(kind)
        if any(each.text == unit and each.path in self.tables.aboard for each in texts(state)):
            self.laden.add(kind)

    def settled(self, state: Any, *, draw: bool = True) -> Iterator[str]:
        """What still names a unit that has left, and what still shows one."""
        yield from self.unlisted
        self.unlisted = []
        if not self.gone:
            return
        for found in texts(state):
            if found.text in self.gone and not self._allowed(state, found):
                of = f"{found.path} of {found.holder or 'the state'}"
                yield f"{of} names {found.text}, which has left play"
        for key in sorted(_keys(self.game, state) & self.gone) if draw else ():
            yield f"the picture shows {key}, which has left play"

    def _allowed(self, state: Any, found: Named) -> bool:
        allowed = self.tables.remains.get(found.path)
        if allowed is None:
            return False
        self.met.add(found.path)
        return isinstance(allowed, str) or allowed(state, found.holder, found.text)

    def lacking(self) -> list[str]:
        """What no game has shown: a unit that is taken with others aboard, an entry that is met."""
        where, bare = f"({file_of(self.tables.where)})", self.tables.bare
        shown = "a game or a case in which it takes a unit that others are based on"
        unshown = self.took - self.laden - bare if self.tables.aboard else set[type]()
        found = [f"event {_name(each)}: {shown}, or an entry that it is bare" for each in unshown]
        found += [
            f"event {_name(each)}: listed as bare, takes a base" for each in bare & self.laden
        ]
        unmet = self.tables.remains.keys() - self.met
        found += [f"entry {path} of what remains: a game in which it does" for path in unmet]
        return sorted(f"{each} {where}" for each in found)


def _name(kind: type) -> str:
    name: str = kind.NAME  # type: ignore[attr-defined]
    return name


def _keys(game: AnyGame, state: Any) -> set[str]:
    """The keys of all pieces in the picture."""
    return set() if game.scene is None else set(_within(game.scene(state, None, (), "").items))


def _within(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Group):
            yield item.key
            yield from _within(item.items)


def check_left(game: AnyGame, played: Played) -> None:
    """Over a whole game, after each command: who has left play is named where it may be only."""
    follow, state, known = Leaving(game), None, 0
    opening = len(played.events) - sum(count for _, _, count in played.turns)
    for count in (opening, *(count for _, _, count in played.turns)):
        state = follow.happened(state, played.events[known : known + count])
        known += count
        for fault in follow.settled(state):
            raise Nonconformance(f"event {known}: {fault}")
