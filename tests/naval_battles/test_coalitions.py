"""What seats that show each other everything learn of the other hands: their own cards, no more.

Every way in which some draws can fall is played. Of each proper subset of the seats it is reckoned
exactly, from the events and views that its members see, how the hands of all others may be. As
far as their own cards do not exclude it, every hand has to be as likely as any other.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, permutations, product
from math import log2
from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules import events as ev
from domain.games.naval_battles.rules.deck import STANDARD_TABLE, full_deck
from domain.kernel.chance import SEALED_DOMAIN, Faces
from domain.kernel.codec import canonical
from domain.kernel.game import Game
from domain.kernel.values import CHANCE, Known, Seat, StepKey, Viewer

from .tables import SEATS, given, ship

AnyGame = Game[Any, Any, Any]
Hands = tuple[tuple[str, ...], ...]
FLEET = ("jp-yamato", "de-bismarck", "it-roma", "gb-hood")
DECK = ("main-11-13-1", "torpedo-3", "escort-ship", "planning", "retreat")
HELD = tuple(card for card in full_deck(STANDARD_TABLE) if card not in DECK)
"""Other cards: each hand holds six of them before it draws one."""


def play(game: AnyGame, seats: tuple[Seat, ...], places: tuple[int, ...]) -> tuple[Any, list[Any]]:
    """Each seat draws the card at the next of the places; the state after it, and the events."""
    ships = [ship(seat, name) for seat, name in zip(seats, FLEET, strict=False)]
    hands = {seat: list(HELD[6 * n : 6 * n + 6]) for n, seat in enumerate(seats)}
    battle = given(*ships, seats=len(seats), step=StepKey("discard"), hands=hands, deck=Known(DECK))
    state, events, left = battle.state, list(battle.events), list(places)
    while left:
        awaited = game.awaiting(state)
        if awaited is not None:
            more = game.decide(state, CHANCE, Faces(awaited.label, ((left.pop(0),),)))
        else:
            more = game.decide(state, game.pending(state)[0].seat, c.Pass())
        events.extend(more)
        state = game.fold(more, state)
    return state, events


def drawn(state: Any, seat: Seat) -> tuple[str, ...]:
    return tuple(sorted(card for card in state.hands[seat].items if card in DECK))


@cache
def worlds(game: AnyGame, count: int) -> list[tuple[dict[Seat, Any], dict[Seat, bytes]]]:
    """Every world: what each seat drew, and what each seat has seen."""
    seats = SEATS[:count]
    found = []
    for places in product(*(range(1, len(DECK) - n + 1) for n in range(count))):
        state, events = play(game, seats, places)
        seen = {
            seat: b"\n".join(canonical(game.seen(event, seat)) for event in events)
            for seat in seats
        }
        found.append(({seat: drawn(state, seat) for seat in seats}, seen))
    return found


def subsets(count: int) -> Iterator[tuple[Seat, ...]]:
    """Every proper subset of the seats; the empty one, too."""
    seats = SEATS[:count]
    return chain.from_iterable(combinations(seats, size) for size in range(count))


def told(game: AnyGame, count: int, coalition: tuple[Seat, ...]) -> float:
    """Bits that the coalition learns of the other hands beyond what its own cards exclude."""
    groups: dict[Any, Counter[Hands]] = defaultdict(Counter)
    own: dict[Any, Counter[Hands]] = defaultdict(Counter)
    for hands, seen in worlds(game, count):
        others = tuple(hand for seat, hand in hands.items() if seat not in coalition)
        groups[tuple(seen[seat] for seat in coalition)][others] += 1
        own[tuple(hands[seat] for seat in coalition)][others] += 1
    return doubt(own) - doubt(groups)


def doubt(groups: dict[Any, Counter[Hands]]) -> float:
    """Bits that are open on the average: what one would have to be told to know all hands."""
    every = sum(map(Counter.total, groups.values()))
    return sum(
        many * log2(group.total() / many) / every
        for group in groups.values()
        for many in group.values()
    )


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.rule("NB-RND-01", "NB-HID-02", "NB-HID-03")
def test_no_coalition_learns_anything_of_another_hand(count: int) -> None:
    for coalition in subsets(count):
        assert told(GAME, count, coalition) == pytest.approx(0, abs=1e-9), coalition


@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_hand_is_as_likely_as_any_other(count: int) -> None:
    """All orders of the cards, each once: what the own cards do not exclude is equally likely."""
    dealt = Counter(tuple(hands.values()) for hands, _ in worlds(GAME, count))
    assert dealt == Counter(tuple((card,) for card in order) for order in permutations(DECK, count))


def test_the_measure_finds_what_ones_own_dice_would_tell() -> None:
    """If each saw the dice of his own draws, whoever draws after others would learn of them."""

    def redact(event: Any, viewer: Viewer) -> Any:
        own = isinstance(event, ev.DiceThrown) and event.owner == viewer
        return event if own else GAME.redact(event, viewer)

    leaky = dataclasses.replace(GAME, redact=redact)
    assert told(leaky, 3, ("p1",)) == pytest.approx(0), "he drew first"
    for coalition in (("p2",), ("p3",), ("p1", "p3"), ("p2", "p3")):
        assert told(leaky, 3, coalition) > 0.1, coalition


def test_the_dice_of_every_draw_are_sealed() -> None:
    """Also for a seat whose neighbours have left."""
    for count in (2, 3, 4):
        _, events = play(GAME, SEATS[:count], (1,) * count)
        thrown = [event for event in events if event.NAME == "dice-thrown"]
        assert [event.domain for event in thrown] == [SEALED_DOMAIN] * count
