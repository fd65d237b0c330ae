"""The check of suppositions sees what is wrong with one: each fault here was made on purpose.

The first is the one that was found by hand: a card had been shown to all, and the supposed hand
held it in one of a hundred seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace as replace_record
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.naval_battles.game import GAME
from domain.games.naval_battles.rules.deck import sorted_cards
from domain.games.naval_battles.rules.folds.common import cards_of
from domain.games.naval_battles.rules.state import State
from domain.games.naval_battles.shown.claims import held
from domain.kernel.shown.claims import Claim
from domain.kernel.testing.suppositions import contradictions, sealed
from domain.kernel.values import Choose, Hidden, Known, Seat
from service.play.forks import chooser
from tests.support import pennant, walks
from tests.support.suites import AnyGame, suites

pytestmark = pytest.mark.slow("conformance")

SEEDS = 100
SHOWN = "p2 holds what p2 has shown (TEST-1)"


class Showing(State, frozen=True):
    """Naval Battles with a table on which a seat shows a card of its hand to all."""

    shown: dict[Seat, str] = msgspec.field(default_factory=dict)


def _shown(view: Showing) -> Iterator[Claim]:
    yield from (_holds(seat, card) for seat, card in view.shown.items())


def _holds(seat: Seat, card: str) -> Claim:
    text = f"{seat} holds what {seat} has shown"
    return Claim(text, "TEST-1", lambda state: card in held(state.hands[seat]))


def _mindful(view: Showing, choose: Choose) -> Showing:
    """The shown card stays in the hand; another one takes its place where it was made up."""
    found = GAME.insight.suppose(view, choose)
    for seat, card in view.shown.items():
        hand = list(held(found.hands[seat]))
        if card not in hand:
            found = _exchanged(found, seat, hand.pop(choose(len(hand))), card)
    assert isinstance(found, Showing)
    return found


def _exchanged(state: State, seat: Seat, out: str, into: str) -> State:
    places = {**{s: held(h) for s, h in state.hands.items()}, "": held(state.deck)}
    other = next(place for place, cards in places.items() if place != seat and into in cards)
    for place, gone, new in ((seat, out, into), (other, into, out)):
        cards = list(places[place])
        cards[cards.index(gone)] = new
        places[place] = sorted_cards(cards_of(state), tuple(cards))
    deck = Known(places.pop(""))
    return replace(state, hands={s: Known(cards) for s, cards in places.items()}, deck=deck)


@cache
def _table() -> Showing:
    """p1's view of a game in which p2 has shown the rarest card of its hand."""
    suite = suites()["naval_battles"]
    setup, game = suite.random(0)
    place = next(p for p in walks.random(game, setup, 0) if p.state.turn == 2 and _able(p.state))
    fields = {name: getattr(place.views["p1"], name) for name in State.__struct_fields__}
    table = cards_of(place.state)
    rarest = min(held(place.state.hands["p2"]), key=lambda card: table[card].count)
    return Showing(**fields, shown={"p2": rarest})


def _able(state: State) -> bool:
    return GAME.awaiting(state) is None and bool(state.hands["p2"].count)


def showing(suppose: Callable[[Any, Choose], Any]) -> AnyGame:
    """The game of that table, with what it claims of the shown card."""
    claims = {**GAME.insight.claims, "shown": _shown}
    return replace_record(
        GAME, state=Showing, insight=replace_record(GAME.insight, claims=claims, suppose=suppose)
    )


def contradicted(game: AnyGame, view: Any) -> list[str]:
    """What is wrong with what is supposed, over a hundred seeds."""
    found = (game.insight.suppose(view, chooser(str(seed))) for seed in range(SEEDS))
    return [each for one in found for each in contradictions(game, view, one, "p1")]


def test_a_hand_that_forgets_a_shown_card_is_seen() -> None:
    wrong = contradicted(showing(GAME.insight.suppose), _table())
    assert set(wrong) == {f"it is not so that {SHOWN}"}
    assert len(wrong) > SEEDS // 2


def test_a_hand_that_keeps_the_shown_card_agrees_in_each_of_the_seeds() -> None:
    assert contradicted(showing(_mindful), _table()) == []


# --- other faults, one by one -------------------------------------------------------------------


def _blind(view: State, choose: Choose) -> State:
    """As if nobody had seen which cards became the deck."""
    found = GAME.insight.suppose(replace(view, renewed=(), drawn={}), choose)
    assert isinstance(found, State)
    return replace(found, renewed=view.renewed, drawn=view.drawn)


def _light(view: State, choose: Choose) -> State:
    """A card of another's hand is left out."""
    found = GAME.insight.suppose(view, choose)
    hands: Mapping[Seat, Any] = {
        seat: Known(hand.items[1:]) if isinstance(view.hands[seat], Hidden) else hand
        for seat, hand in found.hands.items()
    }
    return replace(found, hands=dict(hands))  # type: ignore[no-any-return]


def _left(view: State, choose: Choose) -> State:
    return view


@pytest.mark.parametrize(
    ("suppose", "said"),
    [
        (_light, "seen with the same eyes it is another view"),
        (_light, "it is not so that each card is in one place"),
        (_left, "something is left hidden"),
    ],
)
def test_a_fault_of_hands_is_named(suppose: Callable[[Any, Choose], Any], said: str) -> None:
    view = _table()
    wrong = contradicted(showing(suppose), replace(view, shown={}))
    assert any(said in each for each in wrong), wrong


def test_cards_that_all_saw_become_the_deck_are_in_no_older_hand() -> None:
    """Along a recorded game whose deck was renewed: counted blindly, hands hold such cards."""
    suite = suites()["naval_battles"]
    blind = replace_record(GAME, insight=replace_record(GAME.insight, suppose=_blind))
    views = [
        place.views["p1"]
        for place in walks.recorded(suite, suite.recorded / "pairs-6.jsonl")
        if place.state.renewed and sealed(place.views["p1"])
    ]
    assert views
    assert any("renewed" in each or "discards" in each for each in _wrong(blind, views))
    assert _wrong(GAME, views) == []


def _wrong(game: AnyGame, views: list[Any]) -> list[str]:
    found = ((view, game.insight.suppose(view, chooser("a seed"))) for view in views[::10])
    return [each for view, one in found for each in contradictions(game, view, one, "p1")]


def test_a_choice_that_was_made_is_not_open_again() -> None:
    """What Pennant and all three games once supposed of sealed choices."""

    def undone(state: Any, choose: Choose) -> Any:
        choices = (None if isinstance(choice, Hidden) else choice for choice in state.choices)
        return replace(state, choices=tuple(choices))

    insight = replace_record(pennant.GAME.insight, suppose=undone)
    game = pennant.mutant(insight=insight)
    sight = [
        game.seen(event, "p2")
        for event in game.decide(
            game.fold(game.opening(pennant.SETUP)), "p1", pennant.Choose("bold")
        )
    ]
    view = game.fold(sight, game.fold(game.opening(pennant.SETUP)))
    wrong = list(contradictions(game, view, undone(view, chooser("")), "p2"))
    assert "open questions of it is another" in wrong
    assert "seen with the same eyes it is another view" in wrong
