"""A position that a viewer could take for the truth: sealed fleets are made up."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ....kernel.fork import Choose
from ....kernel.order import ordered
from ....kernel.values import Hidden, Known, Seat
from ..rules import commands as c
from ..rules.cards import card
from ..rules.convoy import ships
from ..rules.deployment import places, why_not_deploy
from ..rules.facts import side_of
from ..rules.fleet_options import open_cards, ready_fleets
from ..rules.state import State
from .claims import in_play, might_be

MORE = 4
"""At most so many units are made up for a fleet that is partly deployed."""


def suppose(state: State, choose: Choose) -> State:
    """Each sealed fleet is one that might be chosen; what is deployed of it is in it."""
    for seat, held in ordered(state.fleets):
        if isinstance(held, Hidden):
            made = _rest if in_play(state, seat) else _whole
            state = replace(state, fleets={**state.fleets, seat: Known(made(state, seat, choose))})
    return state


def _whole(state: State, seat: Seat, choose: Choose) -> tuple[str, ...]:
    """A fleet of which nothing is deployed yet, with the Ships that come with it."""
    side = side_of(state, seat)
    if side is not None and side.fleet:
        return (*side.fleet, *ships(state, seat))
    ready = tuple(ready_fleets(state, seat))
    return (*ready[choose(len(ready))], *ships(state, seat))


def _rest(state: State, seat: Seat, choose: Choose) -> tuple[str, ...]:
    """Units that may still come: at least one, or the fleet would have been shown as deployed."""
    side, there = side_of(state, seat), in_play(state, seat)
    if side is not None and side.fleet:
        return _without((*side.fleet, *ships(state, seat)), there)
    found = _without(ships(state, seat), there)
    pool = open_cards(state.alliances[seat], state)
    for _ in range(choose(MORE) + (not found)):
        fitting = [name for name in pool if _may_come(state, seat, (*found, name))]
        if not fitting:
            break
        found = (*found, fitting[choose(len(fitting))])
    return found


def _without(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    left = list(cards)
    for name in gone:
        if name in left:
            left.remove(name)
    return tuple(left)


def _may_come(state: State, seat: Seat, rest: tuple[str, ...]) -> bool:
    """Whether the fleet is allowed and its last unit finds a place as the table stands."""
    if not might_be(state, seat, rest):
        return False
    waiting = replace(state, fleets={**state.fleets, seat: Known(rest)})
    return any(True for _ in _spots(waiting, seat, rest[-1]))


def _spots(state: State, seat: Seat, name: str) -> Iterator[str]:
    each = card(name, state.edition)
    for at in places(state, seat, each):
        if why_not_deploy(state, seat, c.Deploy(name, at)) is None:
            yield at
