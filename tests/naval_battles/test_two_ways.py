"""A raid may be aimed in two ways, and both reach the same targets for the same reasons.

The first raid of a card is aimed when it is played, the later ones after it. What the table agreed
on must hold for both: whoever adds a reading to one of them and forgets the other is found here.
"""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules import declaring
from domain.kernel.agreed import options_of
from domain.kernel.rules import No, Refused
from domain.kernel.testing.table import Table

from .tables import given, ship

CARD, AIMED = "land-air-x2", "de-t13"
ENEMIES = (
    ship("p2", AIMED, 1), ship("p2", "de-bismarck", 2), ship("p2", "de-graf-zeppelin", 3),
    ship("p2", "de-u-47", active=False), ship("p2", "de-u-505", active=True),
)  # fmt: skip
OWN = (ship("p1", "jp-yamato", 1), ship("p1", "jp-i-19", active=False))
VALUES: list[dict[str, Any]] = [
    {option.name: value} for option in options_of(GAME.options) for value in option.values
]


def laid(options: dict[str, Any]) -> Table:
    """A card of two raids in the hand, and a target of every kind."""
    return given(*ENEMIES, *OWN, hands={"p1": (CARD,)}, options=options)


def answer(table: Table, command: Any) -> tuple[str, ...]:
    """Why a command is refused; empty: it is accepted."""
    found: Refused | None = table.refusal("p1", command)
    return () if found is None else (found.code, found.rule, found.pointer, found.hint)


def differing(options: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The ships that the first raid and a later one do not find alike."""
    before, after = laid(options), laid(options).act("p1", c.LandRaid(CARD, AIMED))
    assert after.state.aim is not None
    found = {
        name: (answer(before, c.LandRaid(CARD, name)), answer(after, c.AimRaid(name)))
        for name in (*before.state.ships, "nothing")
    }
    return {name: both for name, both in found.items() if both[0] != both[1]}


def offered(table: Table, kind: type[c.LandRaid | c.AimRaid]) -> set[str]:
    return {each.target for each in table.offers("p1") if isinstance(each, kind)}


@pytest.mark.parametrize("options", VALUES, ids=lambda each: str(*each.items()))
def test_the_first_raid_and_the_later_ones_find_the_same(options: dict[str, Any]) -> None:
    assert differing(options) == {}, "declaring.why_not_land_raid and why_not_aim: (first, later)"
    before, after = laid(options), laid(options).act("p1", c.LandRaid(CARD, AIMED))
    assert offered(before, c.LandRaid) == offered(after, c.AimRaid) != set()


@pytest.mark.parametrize("options", VALUES, ids=lambda each: str(*each.items()))
def test_what_is_refused_by_the_book_is_refused_so_by_every_agreement(
    options: dict[str, Any],
) -> None:
    """What the table agreed on is asked after the book: it refuses what was allowed, no more."""
    usual, agreed = laid({}), laid(options)
    for name in (*usual.state.ships, "nothing"):
        command = c.LandRaid(CARD, name)
        before, after = answer(usual, command), answer(agreed, command)
        assert not before or after in ((), before), f"{name}: {before} -> {after}"


def test_targets_of_every_kind_are_laid() -> None:
    state = laid({}).state
    assert {each.row for each in state.ships.values() if each.seat == "p2"} == {0, 1, 2, 3}
    assert {e.active for e in state.ships.values() if e.seat == "p2" and not e.row} == {False, True}


def test_a_way_that_is_forgotten_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    known = declaring.why_not_target

    def passive(state: Any, seat: str, target: Any, *more: Any) -> Any:
        unseen = target is not None and state.aim is None and target.id == "de-u-47"
        return (
            No("raid.unseen", "NB-LBAR-01", "No.") if unseen else known(state, seat, target, *more)
        )

    monkeypatch.setattr(declaring, "why_not_target", passive)
    assert [*differing({})] == ["de-u-47"]
