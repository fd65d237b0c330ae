"""Lay Smoke Screen: smoke in its own sector, in the place of attacks."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.flow import Flow
from .....kernel.rules import rule
from .. import events as ev
from ..facts import card_of
from ..families import deeds
from ..families.effects import bears, rule_of
from ..state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]
Uses = Iterator[tuple[str, str]]


@rule("WAS-ABIL-30", "WAS-SURF-19", "WAS-FLEET-52")
def uses(state: State, unit: Unit) -> Uses:
    """Lay Smoke Screen: instead of all its attacks in its own Surface Attack step."""
    smoke = None if unit.done else bears(card_of(state, unit), deeds.LaysSmoke)
    if smoke:
        yield smoke[0].family, ""


def lay(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """Smoke in its own sector, until the end of the next turn."""
    until, rules = flow.state.turn + 1, (rule_of(family),)
    flow.emit(ev.SmokeLaid(unit=unit.id, sector=unit.sector, until=until, rules=rules))
