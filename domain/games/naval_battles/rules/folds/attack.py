"""What is so after the events of the attack step."""

from __future__ import annotations

from msgspec.structs import replace

from .. import events as ev
from ..state import Aim, Prepared, State, Surprise
from .common import Folds, attack_changed, changed, played, without
from .turn import cleared


def _declared(state: State, e: ev.AttackDeclared) -> State:
    attack = e.attack
    ships, hands, aim = state.ships, state.hands, None
    if attack.kind == "air-raid":
        ships = changed(state, attack.ships[0], raided=True)
    elif attack.batch in (0, attack.number):
        hands = played(state, e.seat, attack.card)
    for name, mount in zip(attack.ships, attack.mounts, strict=False):
        ships = ships.copy()
        ships[name] = replace(ships[name], used=(*ships[name].used, mount))
    if e.left:
        aim = Aim(attack.card, attack.batch, e.left)
    return replace(
        state,
        attacks=(*state.attacks, attack),
        declared=attack.number,
        ships=ships,
        hands=hands,
        aim=aim,
    )


def _surprise(state: State, e: ev.SurpriseDeclared) -> State:
    return replace(
        state,
        hands=played(state, e.seat, e.card),
        surprises=(*state.surprises, Surprise(e.card, e.target)),
    )


def _sprung(state: State, e: ev.SurpriseSprung) -> State:
    state = cleared(state, e.target, (*e.cards, e.card))
    left = list(state.surprises)
    left.remove(Surprise(e.card, e.target))
    return replace(state, surprises=tuple(left))


def _defended(state: State, e: ev.DefensePlayed) -> State:
    state = _acted(state, e.seat)
    if e.prepared:
        lying = used(state.prepared[e.seat], e.card)
        return replace(state, prepared={**state.prepared, e.seat: lying})
    return replace(state, hands=played(state, e.seat, e.card), discards=(*state.discards, e.card))


def used(cards: tuple[Prepared, ...], card: str) -> tuple[Prepared, ...]:
    """Prepared cards with the first unused one of this name used."""
    lying = list(cards)
    number = lying.index(next(each for each in cards if each.card == card and not each.used))
    lying[number] = replace(lying[number], used=True)
    return tuple(lying)


def _acted(state: State, seat: str) -> State:
    """A defense gives those who passed another chance, unless each player finishes at once."""
    passed = () if state.options.defense_order == "one-each" else state.passed
    return replace(state, last=seat, passed=passed)


def _cover(state: State, e: ev.CoverTried) -> State:
    used = state.ships[e.carrier].covered + 1
    return replace(_acted(state, e.seat), ships=changed(state, e.carrier, covered=used))


def _silence(state: State, e: ev.SilenceTried) -> State:
    attacks = attack_changed(state, e.attack, silent=True)
    return replace(state if e.automatic else _acted(state, e.seat), attacks=attacks)


def _over(state: State, e: ev.AttackStopped | ev.AttackMissed | ev.AttackIgnored) -> State:
    discards = (*state.discards, *e.discarded) if e.discarded else state.discards
    return replace(state, attacks=without(state, e.attack), discards=discards)


def _moved(state: State, e: ev.AttackMoved) -> State:
    attacks = attack_changed(state, e.attack, target=e.target, needed=e.needed)
    return replace(state, attacks=attacks)


def _intended(state: State, e: ev.RollIntended) -> State:
    return replace(state, roll=e.roll)


def _planned(state: State, e: ev.PlanningUsed) -> State:
    assert state.roll is not None
    prepared = state.prepared
    for card in e.cards:
        prepared = {**prepared, e.seat: used(prepared[e.seat], card)}
    roll = replace(state.roll, asked=True, planned=len(e.cards))
    return replace(state, prepared=prepared, roll=roll)


def _scored(state: State, e: ev.RollScored) -> State:
    return replace(state, roll=None)


def _damage(state: State, e: ev.DamageScored) -> State:
    under = (*state.ships[e.ship].damage, e.card)
    return replace(
        state,
        ships=changed(state, e.ship, damage=under),
        attacks=without(state, e.attack),
        **_progress(),
    )


def _progress() -> dict[str, object]:
    return {"progress": True, "calm": 0, "calls": ()}


def _sunk(state: State, e: ev.ShipSunk) -> State:
    ships = state.ships.copy()
    del ships[e.ship]
    return replace(
        state,
        ships=ships,
        attacks=without(state, e.attack),
        discards=(*state.discards, *e.discarded),
        sunk={**state.sunk, e.by: (*state.sunk[e.by], e.ship)},
        **_progress(),
    )


def _closed(state: State, e: ev.RowsClosed) -> State:
    ships = state.ships.copy()
    for name, row in e.rows.items():
        ships[name] = replace(ships[name], row=row)
    return replace(state, ships=ships)


HOW: Folds = {
    ev.AttackDeclared: _declared,
    ev.SurpriseDeclared: _surprise,
    ev.SurpriseSprung: _sprung,
    ev.DefensePlayed: _defended,
    ev.CoverTried: _cover,
    ev.SilenceTried: _silence,
    ev.AttackStopped: _over,
    ev.AttackMoved: _moved,
    ev.RollIntended: _intended,
    ev.PlanningUsed: _planned,
    ev.RollScored: _scored,
    ev.AttackMissed: _over,
    ev.AttackIgnored: _over,
    ev.DamageScored: _damage,
    ev.ShipSunk: _sunk,
    ev.RowsClosed: _closed,
}
"""Event type to its fold."""
