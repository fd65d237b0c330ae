"""What is so after the events of a player turn outside the attack."""

from __future__ import annotations

from msgspec.structs import replace

from .....kernel.setup import Result
from .....kernel.values import Hidden, Known, StepKey
from .. import events as ev
from ..state import Prepared, Ship, State
from .common import Folds, changed, played


def _turn(state: State, e: ev.TurnBegan) -> State:
    new_round = e.round != state.round
    return replace(
        state,
        active=e.seat,
        turn=e.turn,
        round=e.round,
        calm=e.calm,
        progress=state.progress and not new_round,
        ships={name: _fresh(ship) for name, ship in state.ships.items()},
        prepared={seat: _unused(cards) for seat, cards in state.prepared.items()},
    )


def _fresh(ship: Ship) -> Ship:
    if ship.used or ship.prepared or ship.raided or ship.covered:
        return replace(ship, used=(), prepared=False, raided=False, covered=0)
    return ship


def _unused(cards: tuple[Prepared, ...]) -> tuple[Prepared, ...]:
    return tuple(replace(card, used=False) if card.used else card for card in cards)


def _step(state: State, e: ev.StepBegan) -> State:
    return replace(
        state, step=e.step, passed=(), removing=0, aim=None, declared=0, last=state.active
    )


def _expired(state: State, e: ev.CardsExpired) -> State:
    return cleared(state, e.seat, e.cards)


def cleared(state: State, seat: str, cards: tuple[str, ...]) -> State:
    """Nothing lies before a player's fleet any more; ``cards`` are discarded."""
    return replace(
        state,
        prepared={**state.prepared, seat: ()},
        retreats={s: lying for s, lying in state.retreats.items() if s != seat},
        discards=(*state.discards, *cards),
    )


def _passed(state: State, e: ev.Passed) -> State:
    if state.removing:
        return replace(state, removing=0)
    if state.aim is not None:
        return replace(state, aim=None)
    return replace(state, passed=(*state.passed, e.seat), last=e.seat)


def _arranged(state: State, e: ev.FleetArranged) -> State:
    ships = state.ships.copy()
    rows = {name: number for number, row in enumerate(e.rows, 1) for name in row}
    for name, ship in state.ships.items():
        if ship.seat == e.seat:
            ships[name] = replace(ship, row=rows.get(name, 0), active=name in e.active)
    return replace(state, ships=ships)


def _retreat(state: State, e: ev.RetreatPlayed) -> State:
    return replace(
        state,
        hands=played(state, e.seat, e.card),
        retreats={**state.retreats, e.seat: (*state.retreats.get(e.seat, ()), e.card)},
        withdrew={**state.withdrew, e.seat: state.round},
        removing=e.removing,
    )


def _removed(state: State, e: ev.DamageRemoved) -> State:
    under = list(state.ships[e.ship].damage)
    under.remove(e.card)
    ships = changed(state, e.ship, damage=tuple(under))
    left = state.removing - 1 if any(s.damage for s in _own(ships, e.seat)) else 0
    return replace(state, ships=ships, discards=(*state.discards, e.card), removing=left)


def _own(ships: dict[str, Ship], seat: str) -> list[Ship]:
    return [ship for ship in ships.values() if ship.seat == seat]


def _reinforced(state: State, e: ev.ReinforcementsPlayed) -> State:
    ships = state.ships.copy()
    for new in e.ships:
        ships[new.ship] = Ship(new.ship, e.seat, row=new.row, active=new.active)
    left = tuple(name for name in state.reserves[e.seat] if name not in ships)
    return replace(
        state,
        hands=played(state, e.seat, *e.cards),
        discards=(*state.discards, *e.cards),
        ships=ships,
        reserves={**state.reserves, e.seat: left},
    )


def _prepared(state: State, e: ev.CardPrepared) -> State:
    lying = (*state.prepared[e.seat], Prepared(e.card, e.ship))
    return replace(
        state,
        hands=played(state, e.seat, e.card),
        prepared={**state.prepared, e.seat: lying},
        ships=changed(state, e.ship, prepared=True),
    )


def _discarded(state: State, e: ev.CardsDiscarded) -> State:
    hands = played(state, e.seat, *e.cards)
    return replace(
        state,
        hands=hands,
        discards=(*state.discards, *e.cards),
        passed=(*state.passed, e.seat),
    )


def _called(state: State, e: ev.EndCalled) -> State:
    return replace(state, calls=(*state.calls, e.seat))


def _left(state: State, e: ev.PlayerLeft) -> State:
    return replace(state, gone=(*state.gone, e.seat))


def _battle_ended(state: State, e: ev.BattleEnded) -> State:
    """Its ships and cards lie on the table until the next battle is set up."""
    return state


def _battle_began(state: State, e: ev.BattleBegan) -> State:
    """All cards and ships are taken from the table; points and who has left remain."""
    seats = state.seats
    return State(
        edition=state.edition,
        scenario=state.scenario,
        options=state.options,
        seats=seats,
        step=StepKey("nations"),
        battle=e.battle,
        house=state.house,
        nations=e.nations,
        sunk=dict.fromkeys(seats, ()),
        earlier=e.earlier,
        hands=dict.fromkeys(seats, Known(())),
        deck=Hidden(0),
        prepared=dict.fromkeys(seats, ()),
        gone=state.gone,
        rolls=state.rolls,
    )


def _ended(state: State, e: ev.GameEnded) -> State:
    return replace(state, result=Result(e.winners, e.reason, e.rule), awaiting=None, purpose=None)


HOW: Folds = {
    ev.TurnBegan: _turn,
    ev.StepBegan: _step,
    ev.CardsExpired: _expired,
    ev.Passed: _passed,
    ev.FleetArranged: _arranged,
    ev.RetreatPlayed: _retreat,
    ev.DamageRemoved: _removed,
    ev.ReinforcementsPlayed: _reinforced,
    ev.CardPrepared: _prepared,
    ev.CardsDiscarded: _discarded,
    ev.EndCalled: _called,
    ev.PlayerLeft: _left,
    ev.BattleEnded: _battle_ended,
    ev.BattleBegan: _battle_began,
    ev.GameEnded: _ended,
}
"""Event type to its fold."""
