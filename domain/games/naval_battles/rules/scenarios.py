"""The ways to play: a battle, linked games, teams, and linked games of teams (NB-LINK, NB-TEAM)."""

from __future__ import annotations

from ....kernel.rules import Refused
from ....kernel.values import Value


class Scenario(Value, frozen=True):
    """One way to play.

    seats   how many may take part
    points  what wins: together, in teams
    team    players of a side
    linked  battle after battle
    """

    id: str
    name: str
    text: str
    seats: tuple[int, ...]
    points: int
    team: int = 1
    linked: bool = False


SCENARIOS = {
    each.id: each
    for each in (
        Scenario(
            "standard",
            "Battle",
            "One battle, everyone for himself: the first to sink 25 victory points wins.",
            (2, 3, 4, 5, 6),
            25,
        ),
        Scenario(
            "linked",
            "Linked games",
            "Battle after battle, each until somebody has sunk 25 points; the first to reach 75 in"
            " all of them together wins.",
            (2, 3, 4, 5, 6),
            75,
            linked=True,
        ),
        Scenario(
            "pairs",
            "Teams of two",
            "Partners sit alternately and defend each other; the first team with 50 points wins.",
            (4, 6),
            50,
            2,
        ),
        Scenario(
            "trios",
            "Teams of three",
            "Two teams of three, seated alternately; the first with 75 points wins.",
            (6,),
            75,
            3,
        ),
        Scenario(
            "linked-pairs",
            "Linked games of teams of two",
            "Battle after battle, each until a team has sunk 50 points; the first team to reach 150"
            " in all of them together wins.",
            (4, 6),
            150,
            2,
            True,
        ),
        Scenario(
            "linked-trios",
            "Linked games of teams of three",
            "Battle after battle, each until a team has sunk 75 points; the first team to reach 225"
            " in all of them together wins.",
            (6,),
            225,
            3,
            True,
        ),
    )
}


def is_linked(scenario: str) -> bool:
    """Whether it is played battle after battle."""
    return scenario in SCENARIOS and SCENARIOS[scenario].linked


def team_of(scenario: str) -> int:
    """How many players are one side."""
    return SCENARIOS[scenario].team if scenario in SCENARIOS else 1


def check_seats(scenario: str, seats: int) -> None:
    """Refuse an unknown scenario, or seats that it has no room for."""
    known = SCENARIOS.get(scenario)
    if known is None:
        hint = f"Scenarios: {', '.join(SCENARIOS)}."
        raise Refused("setup.unknown-scenario", "NB-GEN-01", hint, "/scenario")
    if seats not in known.seats:
        hint = f"{known.name}: {', '.join(str(n) for n in known.seats)} seats."
        rule_ = "NB-TEAM-03" if known.team > 1 else "NB-GEN-01"
        raise Refused("setup.wrong-seats", rule_, hint, "/seats")
