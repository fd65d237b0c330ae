"""RUL-13, RUL-104: what the players may agree on before fleets are built."""

from __future__ import annotations

from typing import Any

from msgspec import ValidationError, convert
from msgspec.structs import replace

from ....kernel.agreed import idle
from ....kernel.rules import Refused, rule
from .editions import Edition
from .scenarios import Scenario
from .state import Options

UNSAID: dict[str, object] = {"light": "agreed", "weather": False, "year": 0, "history": False}
"""What a scenario may settle in place of an option, and how it says that it does not."""


def read_options(given: dict[str, Any]) -> Options:
    """The options as they were agreed; refuses what is none."""
    try:
        return convert(given, Options)
    except ValidationError as error:
        raise Refused("setup.bad-option", "RUL-104", str(error), "/options") from None


def settled(options: Options, limits: Scenario) -> Options:
    """The options with what the scenario settles; refuses one that says something else."""
    fixed: dict[str, object] = {
        name: getattr(limits, name)
        for name, unsaid in UNSAID.items()
        if getattr(limits, name) != unsaid
    }
    if len({side.alliance for side in limits.sides}) == 1:
        fixed["fleet_exercise"] = limits.sides[0].alliance
    for name, value in fixed.items():
        if getattr(options, name) not in (getattr(Options(), name), value):
            raise Refused(
                "setup.settled-by-scenario", "WAS-SETUP-28",
                f"The scenario says {value!r}; leave the option out.", f"/options/{name}",
            )  # fmt: skip
    if limits.sides and "fleet_exercise" not in fixed and options.fleet_exercise:
        raise Refused(
            "setup.settled-by-scenario", "WAS-SETUP-28",
            "In this scenario the Axis fights the Allies; leave fleetExercise out.",
            "/options/fleetExercise",
        )  # fmt: skip
    return replace(options, **fixed)


@rule("WAS-DARK-01", "WAS-SCEN-62", "RUL-13")
def check_options(edition: Edition, options: Options) -> None:
    """What does nothing in the edition is not agreed on: darkness and weather are rules of 2009."""
    for each in idle(options, edition):
        hint = f"{each.name} does nothing in {edition}, only in {' and '.join(each.editions)}."
        raise Refused("setup.not-in-edition", each.rule, hint, f"/options/{each.name}")
