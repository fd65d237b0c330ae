"""Secrets are found from the types and from what ``redact`` hides, and each is kept.

Whoever makes a new one need enter it nowhere: games at random come to it, and it is asked of each
whether its owner sees it, somebody else does not, ``secrets`` says so, and two worlds that differ
in it look the same to the others (domain/kernel/testing/secrecy.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.examples.pennant.rules.events import Chosen, Revealed, redact
from domain.examples.pennant.shown.words import ROLES
from domain.games.crimson_tide.rules.events import FleetLocked as CrimsonFleet
from domain.games.naval_battles.game import GAME as NAVAL
from domain.games.naval_battles.rules.events import CardsDrawn, DeckLaid, FleetCommitted
from domain.games.war_at_sea.rules.events import FleetLocked as WarFleet
from domain.kernel.conformance import Nonconformance
from domain.kernel.setup import Setup
from domain.kernel.shown.roles import nothing
from domain.kernel.testing.secrecy import Spot, Watched, check_secrets, spots, unkept, watch
from domain.kernel.values import PUBLIC, TRUTH, Hidden, Known
from tests.support import pennant, soundings
from tests.support.suites import AnyGame, suites

pytestmark = pytest.mark.slow("conformance")

GAMES = 6
SMALL = 30
"""Random games that are watched: of those of one length, and of the small ones."""

ELSEWHERE: dict[str, frozenset[tuple[type, str]]] = {
    "crimson_tide": frozenset({(CrimsonFleet, "units")}),
    "naval_battles": frozenset({(FleetCommitted, "ships")}),
    "war_at_sea": frozenset({(WarFleet, "cards")}),
}
"""Fleets that are sent in whole: test_conformance.py of two games, tests/naval_battles/worlds.py of
the third, compare two worlds of them."""


def random_games(name: str) -> Iterator[tuple[Setup, AnyGame]]:
    """Games to watch; the small ones are those of the tests of the service."""
    if name == "pennant":
        return ((pennant.setup(6), pennant.GAME) for _ in range(SMALL))
    if name == "soundings":
        return ((soundings.setup(6, 2 + n % 3), soundings.GAME) for n in range(SMALL))
    return (suites()[name].random(seed) for seed in range(GAMES))


def watched(name: str, games: Iterator[tuple[Setup, AnyGame]]) -> tuple[AnyGame, Watched]:
    found = Watched()
    for seed, (setup, game) in enumerate(games):
        watch(game, setup, Random(f"{name} {seed}").randrange, found)
    return game, found


@pytest.mark.parametrize("name", [*suites(), "pennant", "soundings"])
def test_each_secret_is_kept_and_owned_up_to(name: str) -> None:
    game, found = watched(name, random_games(name))
    check_secrets(game, found, ELSEWHERE.get(name, frozenset()))


def test_secrets_are_found_by_their_type() -> None:
    assert spots(pennant.GAME) == {Spot(Chosen, "choice")}
    assert {Spot(CardsDrawn, "cards"), Spot(DeckLaid, "cards")} < spots(NAVAL)


# --- what is found --------------------------------------------------------------------------------


def faults(**functions: Any) -> str:
    """What is said of Pennant with some functions exchanged."""
    game = pennant.mutant(**functions)
    try:
        check_secrets(*watched("mutant", ((pennant.setup(6), game) for _ in range(SMALL))))
    except Nonconformance as found:
        return str(found)
    return ""


def shown(event: Any, viewer: str) -> Any:
    """A new secret that nobody thought of in ``redact``."""
    return event


def shown_to_players(event: Any, viewer: str) -> Any:
    return redact(event, viewer) if viewer == PUBLIC else event


def hidden_from_all(event: Any, viewer: str) -> Any:
    if isinstance(event, Chosen) and viewer != TRUTH:
        return replace(event, choice=Hidden(1))
    return event


def told_by_size(event: Any, viewer: str) -> Any:
    seen = redact(event, viewer)
    if isinstance(seen, Chosen) and isinstance(event.choice, Known):
        return seen if seen is event else replace(seen, choice=Hidden(len(event.choice.items[0])))
    return seen


def told_in_a_word(state: Any, seat: str, command: Any) -> Any:
    """As a sentence would that is stored with the event."""
    events = pennant.GAME.decide(state, seat, command)
    if isinstance(command, pennant.Choose):
        said = replace(events[0], rules=("PEN-2", command.colour))
        return (said, *events[1:])
    return events


def told_later(state: Any, seat: str, command: Any) -> Any:
    """The other seat's choice tells of the first one."""
    events = pennant.GAME.decide(state, seat, command)
    first = state.choices[0]
    if seat == "p2" and isinstance(command, pennant.Choose) and isinstance(first, Known):
        return (replace(events[0], rules=first.items), *events[1:])
    return events


def told_by_number(state: Any, seat: str, command: Any) -> Any:
    events = pennant.GAME.decide(state, seat, command)
    if isinstance(command, pennant.Choose) and command.colour == "bold":
        return (*events, pennant.TenderLost(seat="", tender="", by=""))
    return events


def roles(kind: Any, meaning: Any) -> dict[Any, Any]:
    """What events mean, but for one type."""
    return {**ROLES, kind: meaning}


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ({"redact": shown}, "event chosen: tells p"),
        ({"redact": shown_to_players}, "event chosen: tells p2 what is secret in choices"),
        ({"redact": hidden_from_all}, "event chosen, field choice: hidden from p1, whose it is"),
        ({"secrets": lambda state: False}, "Game.secrets says that nothing is"),
        ({"redact": told_by_size}, "event chosen: tells p2 what is secret in choices"),
        ({"decide": told_in_a_word}, "event chosen: tells p2 what is secret in choices"),
        ({"decide": told_later}, "event chosen: tells p2 what is secret in choices"),
        ({"decide": told_by_number}, "event tender-lost: tells"),
        ({"secrets": lambda state: bool(state.seats)}, "is or may be sealed, and all see all"),
        ({"roles": roles(Revealed, nothing)}, "event revealed: shows all that was sealed in"),
        ({"roles": roles(Chosen, ROLES[Revealed])}, "event chosen: something that is sealed"),
    ],
)
def test_a_secret_that_is_not_kept_is_found(functions: dict[str, Any], said: str) -> None:
    assert said in faults(**functions)


def test_what_lacks_is_named_with_its_file() -> None:
    spot = Spot(Chosen, "choice")
    every: dict[str, Any] = {key: {spot} for key in ("met", "sealed", "shown", "worlds")}

    def lacks(*without: str, elsewhere: bool = False) -> list[str]:
        kept = Watched(**{key: value for key, value in every.items() if key not in without})
        where = frozenset({(Chosen, "choice")}) if elsewhere else frozenset[tuple[type, str]]()
        return [str(gap) for gap in unkept(pennant.GAME, kept, where)]

    assert lacks() == lacks("worlds", elsewhere=True) == []
    assert lacks("met") == ["event chosen, field choice: a random game that shows it (tests)"]
    (found,) = lacks("shown")
    assert "a seat that sees it, or an entry that none does (Tables.blind)" in found
    assert "two worlds that differ in it" in lacks("worlds")[0]
    assert "strangeness to random games" in lacks(elsewhere=True)[0]
