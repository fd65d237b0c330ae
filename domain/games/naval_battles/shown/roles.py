"""What the events mean to readers who do not know the game; a new event gets a line here."""

from __future__ import annotations

from ....kernel.shown.roles import Part, Role, Roles, each, nothing, phase
from ....kernel.values import Seat
from ..rules import events as ev
from ..rules.state import State


def _role(
    role: Part, state: State | None, ship: str, by: str = "", cause: str = ""
) -> tuple[Role, ...]:
    return each(role, state.ships if state is not None else {}, (ship,), by, cause)


def _laid_out(state: State | None, event: ev.FleetLaidOut) -> tuple[Role, ...]:
    ships = (*(ship for row in event.rows for ship in row), *event.submarines)
    return tuple(Role("placed", ship, event.seat) for ship in ships)


def _reinforced(state: State | None, event: ev.ReinforcementsPlayed) -> tuple[Role, ...]:
    return tuple(Role("placed", new.ship, event.seat) for new in event.ships)


def _attacked(state: State | None, event: ev.AttackDeclared) -> tuple[Role, ...]:
    attack = event.attack
    return _role("attacked", state, attack.target, event.seat, attack.kind)


def _redirected(state: State | None, event: ev.AttackMoved) -> tuple[Role, ...]:
    """The attack has another target now."""
    return _role("attacked", state, event.target, *_source(state, event.attack))


def _damaged(state: State | None, event: ev.DamageScored) -> tuple[Role, ...]:
    return _role("damaged", state, event.ship, *_source(state, event.attack))


def _source(state: State | None, number: int) -> tuple[Seat, str]:
    """Whose attack of that number it is, and of which kind."""
    attacks = state.attacks if state is not None else ()
    kind = next((attack.kind for attack in attacks if attack.number == number), "")
    return (state.active if state is not None else "", kind)


def _sunk(state: State | None, event: ev.ShipSunk) -> tuple[Role, ...]:
    kind = _source(state, event.attack)[1]
    return (Role("lost", event.ship, event.seat, event.by, kind),)


ROLES: Roles = {
    ev.TurnBegan: lambda state, event: (Role("turn", seat=event.seat, number=event.turn),),
    ev.StepBegan: phase,
    ev.FleetLaidOut: _laid_out,
    ev.ReinforcementsPlayed: _reinforced,
    ev.FleetArranged: lambda state, event: (Role("moved", seat=event.seat),),
    ev.RowsClosed: lambda state, event: tuple(
        Role("moved", ship, event.seat) for ship in event.rows
    ),
    ev.AttackDeclared: _attacked,
    ev.AttackMoved: _redirected,
    ev.DamageScored: _damaged,
    ev.DamageRemoved: lambda state, event: (Role("repaired", event.ship, event.seat),),
    ev.ShipSunk: _sunk,
    # An attack goes on.
    ev.SurpriseDeclared: nothing,
    ev.SurpriseSprung: nothing,
    ev.DefensePlayed: nothing,
    ev.CoverTried: nothing,
    ev.SilenceTried: nothing,
    ev.AttackStopped: nothing,
    ev.AttackMissed: nothing,
    ev.AttackIgnored: nothing,
    ev.RollIntended: nothing,
    ev.RollScored: nothing,
    ev.PlanningUsed: nothing,
    # Cards.
    ev.DeckLaid: nothing,
    ev.CardsDrawn: nothing,
    ev.CardsExpired: nothing,
    ev.CardsDiscarded: nothing,
    ev.CardPrepared: nothing,
    ev.RetreatPlayed: nothing,
    # Of no ship.
    ev.GameOpened: nothing,
    ev.NationTaken: nothing,
    ev.FleetCommitted: nothing,
    ev.FirstPlayerRolled: nothing,
    ev.DiceAwaited: nothing,
    ev.DiceThrown: nothing,
    ev.Passed: nothing,
    ev.EndCalled: nothing,
    ev.PlayerLeft: nothing,
    ev.BattleEnded: nothing,
    ev.BattleBegan: nothing,
    ev.GameEnded: nothing,
}
