"""Who sees what. Secret are hands, fleets before they are laid out, the deck, and draws.

There is no catch-all: a new event does not type-check until somebody has decided who sees it.
"""

from __future__ import annotations

from typing import assert_never, get_args

from msgspec.structs import replace

from ....kernel.chance import sees
from ....kernel.rules import rule
from ....kernel.values import Hidden, Viewer
from . import events as ev

OpenEvent = (
    ev.GameOpened
    | ev.NationTaken
    | ev.FirstPlayerRolled
    | ev.FleetLaidOut
    | ev.DiceAwaited
    | ev.TurnBegan
    | ev.StepBegan
    | ev.CardsExpired
    | ev.Passed
    | ev.FleetArranged
    | ev.RetreatPlayed
    | ev.DamageRemoved
    | ev.ReinforcementsPlayed
    | ev.CardPrepared
    | ev.CardsDiscarded
    | ev.EndCalled
    | ev.PlayerLeft
    | ev.BattleEnded
    | ev.BattleBegan
    | ev.GameEnded
    | ev.AttackDeclared
    | ev.SurpriseDeclared
    | ev.SurpriseSprung
    | ev.DefensePlayed
    | ev.CoverTried
    | ev.SilenceTried
    | ev.AttackStopped
    | ev.AttackMoved
    | ev.RollIntended
    | ev.PlanningUsed
    | ev.RollScored
    | ev.AttackMissed
    | ev.AttackIgnored
    | ev.DamageScored
    | ev.ShipSunk
    | ev.RowsClosed
)
"""Events that lie on the table for everybody. A new event is in no list until somebody decides."""

_OPEN = frozenset(get_args(OpenEvent))
"""The same as a set: whether an event is in it is one look, not one try for each type."""


@rule("NB-HID-02", "NB-HID-04", "NB-SINK-04")
def redact(event: ev.AnyEvent, viewer: Viewer) -> ev.AnyEvent:
    """What ``viewer`` may know of ``event``.

    Hands and the deck keep their size, which is public; a secret fleet is one sealed envelope.
    """
    if type(event) in _OPEN:
        return event
    if isinstance(event, ev.FleetCommitted):
        return event if viewer == event.seat else replace(event, ships=Hidden(1))
    if isinstance(event, ev.CardsDrawn):
        if viewer == event.seat:
            return event
        return replace(event, cards=Hidden(event.cards.count))
    if isinstance(event, ev.DeckLaid):
        return replace(event, cards=Hidden(event.cards.count))
    if isinstance(event, ev.DiceThrown):
        if sees(event.domain, viewer):
            return event
        return replace(event, faces=Hidden(event.faces.count))
    if isinstance(event, OpenEvent):
        return event
    assert_never(event)
