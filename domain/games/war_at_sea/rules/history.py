"""HIST: year and historical restrictions on fleets, where the players agree on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from ....kernel.data import load_toml
from ....kernel.rules import Refused, rule
from ....kernel.values import Value
from .cards import Card
from .editions import Edition
from .scenarios import PACKAGE
from .state import Options

JAPAN, FRANCE, ITALY = "Japan", "France", "Italy"
SURRENDER = 1943
"""From this year on Italian Ships may sail with the Allies (WAS-HIST-04)."""


class Limit(Value, frozen=True):
    """At most so many of these Ships together, by the rule that lists them."""

    ships: tuple[str, ...]
    most: int
    rule: str


@cache
def limits() -> dict[Edition, tuple[Limit, ...]]:
    """The class lists of both editions."""
    return load_toml(PACKAGE, "class-limits.toml", dict[Edition, tuple[Limit, ...]])


@rule("WAS-SCEN-61", "RUL-102")
def check_year(year: int, cards: Sequence[Card]) -> None:
    """With a scenario year, nothing that came later; 0 is no restriction."""
    for number, each in enumerate(cards):
        if year and each.year > year:
            raise Refused(
                "fleet.too-late",
                "WAS-SCEN-61",
                f"{each.name} is of {each.year}, the battle of {year}.",
                f"/cards/{number}",
            )


@rule("WAS-HIST-03", "WAS-HIST-04", "RUL-95")
def may_serve(each: Card, alliance: str, options: Options) -> bool:
    """Whether a unit may be in a fleet of the alliance: its own, or what history adds.

    French Ships sail under Vichy too; by history Italian ones with the Allies from 1943 on.
    """
    if each.alliance == alliance:
        return True
    if each.type != "Ship":
        return False
    if alliance == "Axis":
        return each.nation == FRANCE and (options.history or options.vichy == "always")
    return options.history and each.nation == ITALY and options.year >= SURRENDER


def check_history(edition: Edition, cards: Sequence[Card]) -> None:
    """All that historical restrictions forbid besides."""
    check_nations(cards)
    check_classes(edition, cards)


@rule("WAS-HIST-01", "WAS-HIST-02")
def check_nations(cards: Sequence[Card]) -> None:
    """Japanese units sail with no other nation; all others of an alliance mix freely."""
    nations = {each.nation for each in cards}
    if JAPAN in nations and len(nations) > 1:
        others = ", ".join(sorted(nations - {JAPAN}))
        raise Refused("fleet.nations", "WAS-HIST-02", f"Japan does not sail with {others}.")


@rule(
    "WAS-HIST-05", "WAS-HIST-07", "WAS-HIST-08", "WAS-HIST-10", "WAS-HIST-11", "WAS-HIST-12",
    "WAS-HIST-13", "WAS-HIST-14", "WAS-HIST-15", "WAS-HIST-16", "WAS-HIST-17", "WAS-HIST-18",
    "WAS-HIST-19", "WAS-HIST-20", "RUL-94",
)  # fmt: skip
def check_classes(edition: Edition, cards: Sequence[Card]) -> None:
    """No more Ships of a class than the edition's list allows; what it does not name is free."""
    there = Counter(each.id for each in cards)
    for limit in limits()[edition]:
        number = sum(there[ship] for ship in limit.ships)
        if number > limit.most:
            named = ", ".join(each.name for each in cards if each.id in limit.ships)
            raise Refused(
                "fleet.class-limit", limit.rule, f"{named}: at most {limit.most} of that class."
            )


@rule("WAS-HIST-06")
def same_flag(aircraft: Card, carrier: Card) -> bool:
    """Carriers base their own nation's Aircraft; British ones also American."""
    if aircraft.nation == carrier.nation:
        return True
    return (aircraft.nation, carrier.nation) == ("United States", "United Kingdom")
