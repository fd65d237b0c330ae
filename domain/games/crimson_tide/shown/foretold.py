"""What comes of an attack without a die of now: asked only where measuring is free (CT-AMB-103)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from ....kernel.chance import Awaited, Dice
from ..rules import commands as c
from ..rules import events as ev
from ..rules.decide import decide
from ..rules.evolve import evolve
from ..rules.odds import prospects
from ..rules.state import Purpose, State
from .attack_sentences import why_wasted


def fails(state: State, command: c.AnyCommand) -> str:
    """Why an attack proves impossible as soon as it is measured; empty for any other."""
    for _, event in _declared(state, command):
        if isinstance(event, ev.AttackWasted):
            end = "taken back" if event.taken_back else "spent"
            return f"{why_wasted(state, event)}: it fails and is {end} ({event.rules[0]})"
    return ""


def odds_later(state: State, command: c.AnyCommand) -> dict[str, Any] | None:
    """The odds of torpedoes that are launched now and whose dice fall in a later turn.

    They are those of the same dice at once, as long as the target evades none of them; whether it
    will, and is still afloat then, its player and others decide.
    """
    for before, event in _declared(state, command):
        if isinstance(event, ev.TorpedoesLaunched):
            thrown = Awaited("later", (Dice(event.inbound.number),), event.inbound.seat)
            purpose = Purpose("torpedo", event.attacker)
            return prospects(replace(before, awaiting=thrown, purpose=purpose))
    return None


def _declared(state: State, command: c.AnyCommand) -> Iterator[tuple[State, ev.AnyEvent]]:
    """The events of an attack up to its first die, each with the state before it."""
    if isinstance(command, c.Attack):
        for event in decide(state, state.units[command.unit].seat, command):
            yield state, event
            state = evolve(state, event)
