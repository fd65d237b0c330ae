"""The catalogue, and decks that players bring."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.events import GameOpened
from domain.games.naval_battles.house import CUSTOMS, FEWEST, examples
from domain.kernel import conformance
from domain.kernel.custom import Unfit
from domain.kernel.game import Setup

from ..tables import SEATS


def test_ships_cards_scenarios_and_rules_are_listed() -> None:
    units, cards = GAME.catalogue.units(), GAME.catalogue.abilities()
    assert len(units) == 78
    assert sum(card.data["count"] for card in cards) == 102
    assert all(entry.playable for entry in (*units, *cards))
    assert all(entry.provenance for entry in (*units, *cards))
    assert all(card.text for card in cards)
    assert [each.id for each in GAME.catalogue.scenarios()] == [
        "standard", "linked", "pairs", "trios",
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
    small = {"cards": [{**whole["cards"][salvo], "count": FEWEST - 1}]}
    assert faults(small) == [("deck.size", "/cards")]
    meek = {"cards": [{**whole["cards"][miss], "count": FEWEST}]}
    assert faults(meek) == [("deck.too-peaceful", "/cards")]
    assert faults({"cards": [], "deck": 1})


def test_a_game_with_a_house_deck() -> None:
    """Fifty salvos of six points: the bundle of the game holds the deck."""
    (whole,) = examples()
    salvo = next(card for card in whole["cards"] if card["id"] == "main-14-18-4")
    document = {"name": "Salvos", "cards": [{**salvo, "id": "big", "damage": 6, "count": 50}]}
    setup = Setup("naval-battles", "1", "standard", SEATS[:2], {}, {"deck": document})
    events = GAME.opening(setup)
    opened = events[0]
    assert isinstance(opened, GameOpened)
    assert opened.house is not None
    assert opened.house.name == "Salvos"
    dice = iter(range(10**6))
    for played in conformance.play(GAME, setup, lambda n: (next(dice) * 7919) % n):
        assert all(not hand.count or set(hand.items) == {"big"} for hand in _hands(played.state))
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
