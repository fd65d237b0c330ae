"""Claims about the hidden say something: each is untrue of just those wrong things that it was
untrue of, counts what it names, and is made by the rule by which it is known to all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace as replace_fields

from domain.games.naval_battles.rules.deck import full_deck
from domain.games.naval_battles.rules.folds.common import cards_of
from domain.games.naval_battles.shown.claims import held, kept, on_the_table
from domain.kernel.shown.claims import Claim
from domain.kernel.testing.biting import Biting, sealed_places
from domain.kernel.values import Seat
from tests.support import pennant, walks
from tests.support.recorded import files
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

CRIMSON_TIDE, NAVAL_BATTLES = (suites()[f].game for f in ("crimson_tide", "naval_battles"))
GAMES, EARLY = 6, 300
FIRST, STRIDE = 20, 7
"""Views with something sealed that are looked at: so many of a game, then every so many."""

BESIDES = ("equal-scores-2009", "held-out-2007")
"""Recorded games that are looked at as well: no random one has fleets that the scenario gives."""

SIZE = ("a thing that is none",)
"""What a number alone may not tell."""

FEWER = ("nothing", "one less")
"""What a bound from above may not tell."""

TWICE = ("all twice", "one more of what is there", "one thing only, often")
"""What the first thing alone does not tell."""

ANY = (
    "a thing that is none", "all twice", "another's", "another's besides", "one less",
    "one more of what is there", "one of another's besides", "one thing only, often",
)  # fmt: skip
"""All but nothing."""

NO_SHIP = (
    "a thing that is none", "all twice", "nothing", "one less", "one more of what is there",
    "one thing only, often",
)  # fmt: skip
"""All that brings nothing of another's."""

Seen = tuple[Any, Any]
"""A view, and the truth behind it."""

Said = tuple[str, dict[str, tuple[str, ...]]]

CLAIMED: dict[str, dict[str, Said]] = {
    "crimson_tide": {
        "p might choose that fleet": ("CT-FLEET-01", {"fleets": ("another's",)}),
        "p chooses among its submarines": ("CT-SUB-03", {"dives": FEWER}),
    },
    "naval_battles": {
        "p might choose that fleet": ("NB-SETUP-02", {"committed": ()}),
        "p holds n cards": ("NB-HID-02", {"hands": SIZE}),
        "n are left to draw": ("NB-HID-02", {"deck": SIZE}),
        "each card is in one place": ("NB-DECK-01", {"deck": (), "hands": ()}),
        "what is left to draw was in the discards that became the deck": (
            "NB-DRAW-02", {"deck": FEWER},
        ),
        "p holds no more of the renewed deck than were drawn": ("NB-DRAW-02", {"hands": FEWER}),
    },
    "war_at_sea": {
        "p has the fleet that was given": ("WAS-SETUP-28", {"fleets": ()}),
        "p might choose that fleet": (
            "WAS-SETUP-23", {"fleets": ("nothing", "one less", "one more of what is there")},
        ),
        "p has no Ships of a convoy": ("WAS-SCEN-22", {"fleets": NO_SHIP}),
        "p has the Ships of the convoy": (
            "WAS-SCEN-22",
            {"fleets": ("another's besides", "one less", "one of another's besides")},
        ),
        "p has something left to deploy": ("WAS-SETUP-25", {"fleets": ANY}),
    },
}  # fmt: skip
"""What is claimed in each game, without seats and numbers: the rule that makes it known, and in
each field that it is about what may be wrong and it is true all the same. Of all else that is
planted it is untrue: a claim that says less than it did bears more.
"""


def views(folder: str) -> Iterator[Seen]:
    """What viewers see of games while something is sealed."""
    for places in games(suites()[folder]):
        for number, seen in enumerate(with_something_sealed(islice(places, EARLY))):
            if number < FIRST or number % STRIDE == 0:
                yield seen


def games(suite: Suite) -> Iterator[Iterator[walks.Place]]:
    for seed in range(GAMES):
        setup, game = suite.random(seed)
        yield walks.random(game, setup, seed)
    for path in files(suite):
        if path.stem in BESIDES:
            yield walks.recorded(suite, path)


def with_something_sealed(places: Iterable[walks.Place]) -> Iterator[Seen]:
    every = ((view, place.state) for place in places for view in place.views.values())
    return (seen for seen in every if sealed_places(seen[0]))


def looked(game: AnyGame, seen: Iterable[Seen]) -> tuple[Biting, list[str]]:
    follow, found = Biting(game), set[str]()
    for view, state in seen:
        found.update(follow.looked_at(view, state))
    return follow, sorted(found)


@pytest.mark.parametrize("folder", sorted(suites()))
def test_claims_say_something_by_their_rule(folder: str) -> None:
    follow, found = looked(suites()[folder].game, views(folder))
    assert found == []
    assert follow.toothless == [], "true of whatever is hidden: what does it claim?"
    assert follow.met == {text: rule for text, (rule, _) in CLAIMED[folder].items()}
    claimed = {text: fields for text, (_, fields) in CLAIMED[folder].items()}
    assert borne(follow) == claimed, (
        f"what a claim of {folder} is true of, whatever is hidden, is more or less than it was"
    )


def borne(follow: Biting) -> dict[str, dict[str, tuple[str, ...]]]:
    return {
        text: {field: tuple(each) for field, each in fields.items()}
        for text, fields in follow.borne.items()
    }


def changed(game: AnyGame, field: str, claims: Callable[[Any], Any]) -> AnyGame:
    """The game with another claim of a field."""
    return replace(
        game, insight=replace(game.insight, claims={**game.insight.claims, field: claims})
    )


def of_hands(view: Any) -> Iterator[Claim]:
    for seat, hand in view.hands.items():
        yield Claim(f"{seat} holds {hand.count + 1} cards", "NB-HID-02", lambda state: False)


def of_fleets(view: Any) -> Iterator[Claim]:
    yield Claim("a fleet is chosen", "WAS-SETUP-23", lambda state: True)


def test_a_claim_that_is_true_of_everything_is_named() -> None:
    game = changed(suites()["war_at_sea"].game, "fleets", of_fleets)
    follow, _ = looked(game, islice(views("war_at_sea"), 9))
    assert follow.toothless == ["a fleet is chosen (WAS-SETUP-23)"]


def test_a_claim_that_counts_something_else_is_named() -> None:
    game = changed(suites()["naval_battles"].game, "hands", of_hands)
    _, found = looked(game, islice(views("naval_battles"), 60))
    assert any("cards: what it is about counts" in each for each in found), found


def of_field(game: AnyGame, field: str, view: Any) -> Iterable[Claim]:
    claims = game.insight.claims[field]
    assert not isinstance(claims, str)
    return claims(view)


def in_one_place_at_most(view: Any) -> Iterator[Claim]:
    """Weaker than it is: a card may be lost."""
    for claim in of_field(NAVAL_BATTLES, "deck", view):
        yield weaker(claim, few)


def few(state: Any) -> bool:
    found = Counter(on_the_table(state))
    for hand in (*state.hands.values(), state.deck):
        found.update(hand.items)
    return found < Counter(full_deck(cards_of(state)))


def even_without_ships(view: Any) -> Iterator[Claim]:
    """Weaker than it is: a fleet may have nothing in it."""
    for claim in of_field(CRIMSON_TIDE, "fleets", view):
        yield weaker(claim, empty)


def empty(state: Any) -> bool:
    return not all(fleet.count for fleet in state.fleets.values())


def one_too_many(view: Any) -> Iterator[Claim]:
    """Weaker than it is by one; that ``suppose`` asks the same must not hide it."""
    for claim in of_field(NAVAL_BATTLES, "drawn", view):
        (seat,) = (seat for seat in view.seats if claim.text.startswith(seat))
        yield weaker(claim, partial(one_beyond, seat=seat))


def one_beyond(state: Any, seat: Seat) -> bool:
    more = replace_fields(state, drawn={seat: state.drawn.get(seat, 0) + 1})
    return kept(more, seat, held(state.hands[seat]))


def weaker(claim: Claim, or_: Callable[[Any], bool]) -> Claim:
    """True also where something else is so."""

    def holds(state: Any) -> bool:
        return claim.holds(state) or or_(state)

    return replace(claim, holds=holds)


@pytest.mark.parametrize(
    ("folder", "field", "claims", "text", "where", "fault"),
    [
        (
            "naval_battles", "deck", in_one_place_at_most, "each card is in one place",
            "deck", "one less",
        ),
        (
            "naval_battles", "drawn", one_too_many,
            "p holds no more of the renewed deck than were drawn",
            "hands", "one more of what is there",
        ),
        (
            "crimson_tide", "fleets", even_without_ships, "p might choose that fleet",
            "fleets", "nothing",
        ),
    ],
)  # fmt: skip
def test_a_claim_that_says_less_than_it_did_is_named(
    folder: str, field: str, claims: Callable[[Any], Any], text: str, where: str, fault: str
) -> None:
    """Each is still untrue of much: none is without a tooth."""
    follow, found = looked(changed(suites()[folder].game, field, claims), views(folder))
    assert (found, follow.toothless) == ([], [])
    assert fault not in CLAIMED[folder][text][1][where]
    assert fault in borne(follow)[text][where]


def test_the_claims_of_a_game_from_outside_say_something() -> None:
    game, setup = pennant.GAME, pennant.setup(6)
    along = (place for n in range(4) for place in walks.random(game, setup, n))
    follow, found = looked(game, with_something_sealed(along))
    assert found == []
    assert follow.toothless == []
    assert borne(follow) == {"p has chosen a colour": {"choices": TWICE}}
