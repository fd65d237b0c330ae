"""The ways to play: a battle, linked games, teams (NB-LINK, NB-TEAM)."""

from __future__ import annotations

from ...kernel.rules import Refused, rule
from ...kernel.values import Value


class Scenario(Value, frozen=True):
    """One way to play. ``seats``: how many may take part; ``team``: players of a side."""

    id: str
    name: str
    text: str
    seats: tuple[int, ...]
    points: int
    team: int = 1


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
    )
}


@rule("NB-RUL-08")
def check_seats(scenario: str, seats: int) -> None:
    """Refuse an unknown scenario, or seats that it has no room for.

    Linked games and teams are ways to play of their own; there is none that is both.
    """
    known = SCENARIOS.get(scenario)
    if known is None:
        hint = f"Scenarios: {', '.join(SCENARIOS)}."
        linked_teams = scenario.startswith("linked-")
        rule_ = "NB-RUL-08" if linked_teams else "NB-GEN-01"
        raise Refused("setup.unknown-scenario", rule_, hint, "/scenario")
    if seats not in known.seats:
        hint = f"{known.name}: {', '.join(str(n) for n in known.seats)} seats."
        rule_ = "NB-TEAM-03" if known.team > 1 else "NB-GEN-01"
        raise Refused("setup.wrong-seats", rule_, hint, "/seats")
