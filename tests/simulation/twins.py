"""Two worlds that differ in what is hidden: nobody from whom it is hidden can tell them apart.

What a game's own ``redact`` shows too much of cannot be seen by folding with it. So a stored game
is taken at a moment at which something is to become hidden, and goes on twice from there: with two
throws of dice that not everybody sees, or with two commands of a seat that is asked together with
others, of whom none may know of another's answer until all have answered.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from domain.kernel.chance import PUBLIC_DOMAIN
from domain.kernel.codec import canonical
from domain.kernel.conformance import throw
from domain.kernel.events import DiceAwaited
from domain.kernel.values import CHANCE, PUBLIC, Seat
from projections.stream import TrueEvent


class Twins(NamedTuple):
    """Two ways in which a game may go on that differ in what one seat alone may know.

    what    a word for it
    owner   the seat that may know it; "" for nobody
    events  of the one and of the other
    """

    what: str
    owner: Seat
    events: tuple[Sequence[Any], Sequence[Any]]


def twins_at(rules: Any, state: Any, seats: Sequence[Seat], dice: random.Random) -> Twins | None:
    """From this state; None where nothing is about to be hidden, or there are no two ways."""
    if rules.result(state) is not None:
        return None
    awaited = rules.awaiting(state)
    if awaited is not None:
        if awaited.domain == PUBLIC_DOMAIN:
            return None
        thrown = [throw(awaited, dice.randrange) for _ in range(2)]
        return _both(rules, state, CHANCE, thrown, awaited.owner)
    asked = [each.seat for each in rules.pending(state) if each.together and each.seat in seats]
    if len(set(asked)) < 2:
        return None  # the last answer shows what the others were
    seat = dice.choice(asked)
    offered = rules.legal(state, seat).commands
    if not offered:
        return None
    first = dice.choice(offered)
    alike = [each for each in offered if type(each) is type(first)]
    return _both(rules, state, seat, [first, dice.choice(alike)], seat)


def _both(rules: Any, state: Any, by: Seat, ways: Sequence[Any], owner: Seat) -> Twins | None:
    one, other = ways
    if one == other:
        return None
    events = rules.decide(state, by, one), rules.decide(state, by, other)
    return Twins(type(one).__name__, owner, events)


def told_apart(rules: Any, twins: Twins, viewer: str) -> bool:
    """Whether the viewer can tell which of the two it is."""
    one, other = (canonical([rules.seen(e, viewer) for e in way]) for way in twins.events)
    return one != other


def moments(rules: Any, told: Sequence[TrueEvent]) -> Iterator[Any]:
    """The states at which somebody, or chance, is asked: in the middle of a command nobody is."""
    state = None
    for each, after in zip(told, (*told[1:], None), strict=True):
        if each.event is None:
            continue
        state = rules.evolve(state, each.event)
        if isinstance(each.event, DiceAwaited) or after is None or _begins(each, after):
            yield state


def _begins(each: TrueEvent, after: TrueEvent) -> bool:
    return after.head.cause.id != each.head.cause.id


def leaks(
    rules: Any, told: Sequence[TrueEvent], seats: Sequence[Seat], dice: random.Random, most: int
) -> Iterator[str]:
    """What somebody learns who may not, at so many moments of a stored game."""
    states = [*moments(rules, told)]
    dice.shuffle(states)
    found = (twins for each in states if (twins := twins_at(rules, each, seats, dice)))
    for twins in islice(found, most):
        for viewer in (PUBLIC, *seats):
            if viewer != twins.owner and told_apart(rules, twins, viewer):
                yield f"{viewer} can tell what {twins.owner or 'nobody'} may know of {twins.what}"
