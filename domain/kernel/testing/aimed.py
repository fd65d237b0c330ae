"""What is drawn of the last action lies at the units that it is about, and at no other's place.

An event says by its roles which units it is about; of one that means nothing to readers those
count that it names, and of an attack whose result it tells, those who were attacked before. Where
they lie is told by the picture itself, before the event and after it: each piece is a group with
the unit as its key. What is drawn of an event is a group whose name begins with ``last``: a line
leads from who did it, or from where the unit was, to the unit; a star, a ring or a cross lies
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

from ..conformance import AnyGame, Nonconformance, Played
from ..shown.drawing import Point
from ..shown.scene import Box, Disc, Group, Item, Scene, Way
from .leaving import texts

MARK, OPEN, SHOT, MOVE = "last", "attack-open", "shot", "move"
"""Words of the names of what is drawn: of all of it, of an attack that is open, of one that is
over, of a way."""
PIECE = "unit"
"""A word of the name of a piece."""
NEAR = 48**2
"""How far from the middle of a piece a mark may lie and is at its place, also beside another:
the square of the distance."""


Places = Mapping[str, Point]
"""Where each piece lies."""


class Mark(NamedTuple):
    """One thing that is drawn: its name, where it begins, and where it ends.

    begins  of a line; None of a mark that lies at one place
    """

    name: str
    begins: Point | None
    ends: Point


def pieces(scene: Scene) -> dict[str, Point]:
    """Where each piece of a picture lies."""
    found = {}
    for group in _groups(scene.items):
        if PIECE in group.name.split() and group.key:
            found[group.key] = middle(group)
    return found


def marks(scene: Scene) -> Iterator[Mark]:
    """What a picture has of the last action, words apart."""
    for group in _groups(scene.items):
        if group.name.split()[:1] == [MARK]:
            lines = [each for each in group.items if isinstance(each, Way) and not each.closed]
            arrows = [each for each in lines if each.arrow]
            placed = [
                each
                for each in group.items
                if isinstance(each, Disc | Group) or (isinstance(each, Way) and each.closed)
            ]
            if arrows:
                ends = _middle(placed[-1]) if placed else arrows[-1].points[-1]
                yield Mark(group.name, arrows[0].points[0], ends)
            elif placed:
                yield Mark(group.name, None, _middle(placed[0]))


def _groups(items: Iterable[Item]) -> Iterator[Group]:
    for item in items:
        if isinstance(item, Group):
            yield item
            yield from _groups(item.items)


def middle(group: Group) -> Point:
    """The middle of a piece: that of the first thing it is drawn with."""
    return _middle(next(each for each in group.items if not isinstance(each, Group)))


def _middle(item: Item) -> Point:
    match item:
        case Disc():
            return item.x, item.y
        case Box():
            return item.x + item.width // 2, item.y + item.height // 2
        case Group():
            points = [point for way in item.items if isinstance(way, Way) for point in way.points]
        case Way():
            points = list(item.points)
        case _:
            points = [(item.x, item.y)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


class Aimed:
    """Follows games, and finds marks of the last action at the places of other units."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.fired: dict[frozenset[str], tuple[str, str]] = {}
        self.seats: dict[str, str] = {}
        self.checked: dict[str, int] = {}

    def begin(self) -> None:
        """Another game."""
        self.fired, self.seats = {}, {}

    def happened(self, before: Any, event: Any, after: Any, look: bool = True) -> Iterator[str]:
        """What is drawn elsewhere of an event; of one that is not looked at, what it means."""
        roles = [each for each in self.game.meaning(before, event) if each.unit]
        for role in roles:
            if role.role == "attacked":
                self.fired[frozenset((role.by, role.unit))] = role.by, role.unit
            if role.seat:
                self.seats[role.unit] = role.seat
        if look and before is not None and self.game.scene is not None:
            yield from self._of(before, event, after)

    def _of(self, before: Any, event: Any, after: Any) -> Iterator[str]:
        assert self.game.scene is not None
        scene = self.game.scene(after, before, (event,), "")
        found = list(marks(scene))
        if found:
            was, now = pieces(self.game.scene(before, before, (), "")), pieces(scene)
            for mark in found:
                for wrong in self._wrong(before, event, mark, was, now):
                    yield f"{event.NAME}: {mark.name} {wrong}"

    def _wrong(
        self, before: Any, event: Any, mark: Mark, was: Places, now: Places
    ) -> Iterator[str]:
        sources, targets = self._meant(before, event, mark, was.keys() | now.keys())
        gone = OPEN in mark.name.split() and bool(self._gone(now))
        if targets:
            self.checked[event.NAME] = self.checked.get(event.NAME, 0) + 1
            yield from _elsewhere("ends", mark.ends, targets, was, now, far=not gone)
        if mark.begins is not None and sources & (was.keys() | now.keys()):
            yield from _elsewhere("begins", mark.begins, sources, was, now)
        elif mark.begins is not None and sources:
            yield from self._stranger(mark.begins, sources, targets, now)

    def _meant(
        self, before: Any, event: Any, mark: Mark, known: Set[str]
    ) -> tuple[set[str], set[str]]:
        """Where a mark of an event should begin, and where it should end; nothing is unknown."""
        roles = [each for each in self.game.meaning(before, event) if each.unit]
        named = {each.text for each in texts(event)} & known
        units = {each.unit for each in roles}
        if OPEN in mark.name.split():
            pairs = list(self.fired.values())
            return {by for by, _ in pairs}, {unit for _, unit in pairs} & known
        if MOVE in mark.name.split():
            moved = {each.unit for each in roles if each.role == "moved"}
            return moved, moved | (named if units else set())
        pair = self.fired.get(frozenset(named))
        if roles:
            return {each.by for each in roles if each.by}, units
        if pair is not None:
            return {pair[0]}, {pair[1]}
        if SHOT not in mark.name.split():
            return set(), named
        shot = {unit for _, unit in self.fired.values()}
        if len(named) == 1 and not named & shot:
            return named, set()
        return set(), named or shot & known

    def _gone(self, now: Places) -> set[str]:
        """Who was fired at and has no piece any more: an attack upon it may be drawn yet."""
        return {unit for _, unit in self.fired.values()} - now.keys()

    def _stranger(
        self, begins: Point, seats: set[str], targets: set[str], now: Places
    ) -> Iterator[str]:
        """A line of a seat's begins at none of the pieces of another."""
        for name, at in now.items():
            owner = self.seats.get(name)
            if _apart(at, begins) <= NEAR and owner and owner not in seats and name not in targets:
                yield f"begins at {name} of {owner}, and {_told(seats)} did it"


def _elsewhere(
    what: str, at: Point, named: set[str], was: Places, now: Places, *, far: bool = True
) -> Iterator[str]:
    """Why a point is not at the place of one of these units; ``far``: nowhere else either."""
    own = [_apart(at, each[name]) for each in (was, now) for name in sorted(named & each.keys())]
    others = {name: _apart(at, there) for name, there in now.items() if name not in named}
    other = min(others, key=lambda name: others[name], default="")
    if own and (min(own) <= NEAR or (other and min(own) <= others[other])):
        return
    if other and others[other] <= NEAR:
        yield f"{what} at {other}, and it is about {_told(named)}"
    elif far and named & now.keys():
        yield f"{what} far from {_told(named)}"


def _apart(a: Point, b: Point) -> int:
    """The square of the distance."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _told(names: set[str]) -> str:
    return " and ".join(sorted(names))


def check_aimed(game: AnyGame, played: Played) -> None:
    """Raises Nonconformance with all that is drawn elsewhere along a game."""
    follow, state = Aimed(game), None
    found: set[str] = set()
    for event in played.events:
        after = game.evolve(state, event)
        found.update(follow.happened(state, event, after))
        state = after
    if found:
        raise Nonconformance("\n".join(sorted(found)))
