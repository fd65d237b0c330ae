"""The catalogue, and decks that players bring."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.deck import STANDARD, STANDARD_TABLE, Deck, full_deck
from domain.games.naval_battles.rules.events import GameOpened
from domain.games.naval_battles.rules.house import CUSTOMS, FEWEST, examples, judge
from domain.games.naval_battles.rules.ships import SHIPS
from domain.kernel import conformance
from domain.kernel.custom import Unfit
from domain.kernel.setup import Setup

from ..tables import SEATS


def test_ships_cards_scenarios_and_rules_are_listed() -> None:
    units, cards = GAME.catalogue.units(), GAME.catalogue.abilities()
    assert [unit.id for unit in units] == list(SHIPS)
    assert sum(card.data["count"] for card in cards) == len(full_deck(STANDARD_TABLE))
    assert all(entry.playable for entry in (*units, *cards))
    assert all(entry.provenance for entry in (*units, *cards))
    assert all(card.text for card in cards)
    assert [each.id for each in GAME.catalogue.scenarios()] == [
        "standard", "linked", "pairs", "trios", "linked-pairs", "linked-trios",
    ]  # fmt: skip
    assert len(GAME.catalogue.rules()) >= 320
    assert not any(rule.status == "deferred" for rule in GAME.catalogue.rules())


def test_house_decks_keep_the_promises_of_customs() -> None:
    conformance.check_customs(GAME)


def deck(*changes: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    (document,) = examples()
    for number, fields in changes:
        document["cards"][number] |= fields
    return document


def faults(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault.code, fault.pointer) for fault in CUSTOMS[0].check(document)]


@pytest.mark.rule("NB-RUL-07")
def test_what_is_wrong_with_a_deck() -> None:
    assert faults(deck()) == []
    (whole,) = examples()
    places = {card["id"]: number for number, card in enumerate(whole["cards"])}
    raid, miss, salvo = places["land-air-x2"], places["near-miss"], places["main-14-18-4"]
    more = places["reinforcements-3"]
    assert faults(deck((salvo, {"damage": 0}))) == [("deck.damage", f"/cards/{salvo}/damage")]
    assert faults(deck((miss, {"damage": 2}))) == [("deck.damage", f"/cards/{miss}/damage")]
    calibers = faults(deck((salvo, {"calibers": [5]}), (miss, {"calibers": [5]})))
    assert calibers == [("deck.calibers", f"/cards/{n}/calibers") for n in (salvo, miss)]
    assert faults(deck((raid, {"needs": [3, 4]}))) == [("deck.raid", f"/cards/{raid}")]
    assert faults(deck((miss, {"raids": 1}))) == [("deck.raid", f"/cards/{miss}")]
    assert faults(deck((more, {"points": 0}))) == [("deck.points", f"/cards/{more}/points")]
    assert faults(deck((miss, {"id": "planning"})))[0][0] == "deck.card-twice"
    small = {"cards": [{**whole["cards"][raid], "needs": [3, 4, 5], "count": FEWEST - 1}]}
    assert faults(small) == [("deck.size", "/cards")]
    assert faults({"cards": [], "deck": 1})


DEAD_END, PEACE = ("deck.no-last-resort", "/cards"), ("deck.too-peaceful", "/cards")


@pytest.mark.rule("NB-RUL-07")
@pytest.mark.parametrize(
    ("counts", "changes", "expected"),
    [
        ({"near-miss": 42}, {}, [PEACE, DEAD_END]),
        ({"surprise-attack": 42}, {}, [PEACE, DEAD_END]),
        ({"depth-1": 42}, {}, [PEACE, DEAD_END]),
        ({"main-14-18-4": 50}, {}, [DEAD_END]),
        ({"torpedo-4": 50}, {}, [DEAD_END]),
        ({"land-air-x3": 42}, {}, []),
        ({"land-air-x1": 41}, {}, [("deck.size", "/cards")]),
        (
            dict.fromkeys(list(STANDARD_TABLE)[-9:], 50) | {"land-air-x1": 50},
            {},
            [("deck.size", "/cards"), PEACE],
        ),
        ({"land-air-x3": 42}, {"needs": [5, 5, 6]}, [DEAD_END]),
        ({"land-air-x3": 42}, {"needs_submarine": 7}, [DEAD_END]),
        ({"land-air-x3": 42}, {"needs": [7, 7, 7]}, [PEACE, DEAD_END]),
        ({"land-air-x1": 14, "near-miss": 28}, {}, []),
        ({"land-air-x1": 13, "near-miss": 29}, {}, [PEACE]),
        ({"land-air-x1": 1, "main-14-18-4": 13, "near-miss": 28}, {}, []),
        ({"land-air-x1": 1, "depth-1": 13, "near-miss": 28}, {}, [PEACE]),
    ],
)
def test_what_a_deck_needs_so_that_no_game_is_a_dead_end(
    counts: dict[str, int], changes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    found = [
        replace(card, count=counts[card.id], **(changes if card.family == "land-air-raid" else {}))
        for card in STANDARD.cards
        if card.id in counts
    ]
    assert [(fault.code, fault.pointer) for fault in judge(Deck(tuple(found)))] == expected


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_with_the_weakest_deck_that_is_allowed_a_battle_is_won(seats: int) -> None:
    """Fourteen single raids, nothing else that harms anybody; agreeing to end is not open."""
    cards = [
        replace(card, count=14 if card.id == "land-air-x1" else 28, evidence="")
        for card in STANDARD.cards
        if card.id in ("land-air-x1", "small-target")
    ]
    deck = Deck(tuple(cards), "Bombers")
    assert list(judge(deck)) == []
    document = msgspec.json.decode(msgspec.json.encode(deck))
    setup = Setup(
        "naval-battles", "1", "standard", SEATS[:seats], {"stallRounds": 0}, {"deck": document}
    )
    dice = random.Random(f"bombers {seats}")
    (played,) = deque(conformance.play(GAME, setup, dice.randrange, patience=10**9), maxlen=1)
    result = GAME.result(played.state)
    assert result is not None
    assert result.reason == "points"


def test_a_game_with_a_house_deck() -> None:
    """Fifty salvos of six points and a raid: the bundle of the game holds the deck."""
    (whole,) = examples()
    salvo = next(card for card in whole["cards"] if card["id"] == "main-14-18-4")
    raid = next(card for card in whole["cards"] if card["id"] == "land-air-x1")
    big = {**salvo, "id": "big", "damage": 6, "count": 50}
    document = {"name": "Salvos", "cards": [big, {**raid, "count": 1}]}
    setup = Setup("naval-battles", "1", "standard", SEATS[:2], {}, {"deck": document})
    events = GAME.opening(setup)
    opened = events[0]
    assert isinstance(opened, GameOpened)
    assert opened.house is not None
    assert opened.house.name == "Salvos"
    dice = iter(range(10**6))
    for played in conformance.play(GAME, setup, lambda n: (next(dice) * 7919) % n):
        known = {"big", "land-air-x1"}
        assert all(not hand.count or set(hand.items) <= known for hand in _hands(played.state))
        if len(played.turns) > 150:
            break
    conformance.check_views(GAME, played)
    conformance.check_roundtrip(GAME, played.events)
    assert any(event.NAME == "cards-drawn" for event in played.events)


def _hands(state: Any) -> list[Any]:
    return list(state.hands.values())


def test_a_deck_that_is_not_fit_for_a_game() -> None:
    bad = Setup("naval-battles", "1", "standard", SEATS[:2], {}, {"deck": {"cards": []}})
    with pytest.raises(Unfit) as refusal:
        GAME.opening(bad)
    assert refusal.value.faults[0].pointer == "/customs/deck/cards"
