"""The picture of a ship shows every figure of its card, whatever it has done already."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.games.naval_battles.rules import facts
from domain.games.naval_battles.rules.cards import torpedo_spread
from domain.games.naval_battles.rules.ships import SHIPS
from domain.games.naval_battles.rules.state import Ship, State
from domain.games.naval_battles.shown.scenes.cards import ship_card
from domain.kernel.shown.scene import Group, Word

from ..tables import ship, table


def _figures(state: State, piece: Ship) -> str:
    """What the card in the picture says in small print."""
    return " ".join(_words(ship_card(state, piece, (0, 0), "")))


def _words(group: Group) -> Iterator[str]:
    for item in group.items:
        if isinstance(item, Group):
            yield from _words(item)
        elif isinstance(item, Word) and item.name == "figures":
            yield item.text


@pytest.mark.parametrize("name", [card.id for card in SHIPS.values() if card.guidance])
def test_guidance_is_on_the_picture(name: str) -> None:
    """The booklet prints it on the card of whoever fires torpedoes; a roll adds just that."""
    piece = ship("p1", name, 0 if SHIPS[name].submarine else 1)
    state = table(piece)
    (reason,) = torpedo_spread.guidance(name)
    for fired in range(len(facts.mounts(state, piece)) + 1):
        shown = replace(piece, used=tuple(facts.mounts(state, piece)[:fired]))
        assert f"guidance +{reason.value}" in _figures(state, shown)


def test_no_guidance_is_shown_where_there_is_none() -> None:
    without = [card.id for card in SHIPS.values() if not card.guidance]
    assert without
    for name in without:
        piece = ship("p1", name, 0 if SHIPS[name].submarine else 1)
        assert "guidance" not in _figures(table(piece), piece)


@pytest.mark.parametrize("name", list(SHIPS))
def test_no_figure_is_cut_off_when_mounts_have_fired(name: str) -> None:
    """Points stand last: whatever is cut takes them first."""
    piece = ship("p1", name, 0 if SHIPS[name].submarine else 1)
    state = table(piece)
    mounts = facts.mounts(state, piece)
    for fired in range(len(mounts) + 1):
        shown = replace(piece, used=tuple(mounts[:fired]))
        assert _figures(state, shown).endswith(f"{SHIPS[name].points}vp")
