"""What holds after each event of any battle of War at Sea, whatever is played.

Written against the rulebook's nouns and not with the engine's own helpers: figures come from the
cards and the scenario, places from the board. A breach names the event.
"""

from __future__ import annotations

from collections import Counter

from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.cards import Card
from domain.games.war_at_sea.rules.convoy import OFF_MAP
from domain.games.war_at_sea.rules.facts import card_of, chart_of, limits_of
from domain.games.war_at_sea.rules.families.effects import has
from domain.games.war_at_sea.rules.stacking import widened
from domain.games.war_at_sea.rules.state import AIRBASE, State, Unit
from domain.kernel.conformance import Nonconformance

PLACES = frozenset({*board.SECTORS, *board.AIRFIELDS.values(), OFF_MAP})
MOVING = ("deployment", "sea-movement", "air-mission", "edges")
"""Steps in which a sector may be fuller than it may stay."""


def check(before: State | None, event: ev.AnyEvent, state: State) -> None:
    """Raise Nonconformance when the event broke a promise."""
    for broken in (
        _each_unit_in_one_place(before, state),
        _hull_points(state),
        _scores(before, event, state),
        _objectives(before, state),
        _stacking(event, state),
        _bases(event, state),
    ):
        if broken:
            raise Nonconformance(f"{event.NAME}: {broken}")


def _each_unit_in_one_place(before: State | None, state: State) -> str:
    lost = [each.id for each in state.lost]
    if len(set(lost)) != len(lost):
        return f"lost twice: {lost}"
    if both := state.units.keys() & set(lost):
        return f"in play and lost: {both}"
    if before is not None and (gone := before.units.keys() - state.units.keys() - set(lost)):
        return f"vanished: {gone}"
    for unit in state.units.values():
        if why := _astray(state, unit):
            return f"{unit.id} ({unit.card}): {why}"
    return ""


def _astray(state: State, unit: Unit) -> str:
    if unit.sector:
        if unit.sector in board.AIRFIELDS.values() and not unit.base:
            return "only Aircraft raid an airbase"
        return "" if unit.sector in PLACES else f"there is no sector {unit.sector}"
    if card_of(state, unit).type != "Aircraft":
        return "" if _breaking_out(state, unit) else "a Ship or Submarine without a sector"
    return "" if unit.base else "an Aircraft without sector or base"


def _breaking_out(state: State, unit: Unit) -> bool:
    """Off the map until turn 3: Ships with Secret Breakout, each with a Cruiser at most."""
    mine = [u for u in state.units.values() if u.seat == unit.seat and not (u.sector or u.base)]
    names = [[ref.family for ref in card_of(state, u).abilities] for u in mine]
    ships = sum("secret-breakout" in families for families in names)
    others = [card_of(state, u) for u, fam in zip(mine, names, strict=True)
              if "secret-breakout" not in fam]  # fmt: skip
    cruisers = all(card.subtype == "Cruiser" for card in others)
    return state.turn <= 3 and cruisers and len(others) <= ships


def _hull_points(state: State) -> str:
    for unit in state.units.values():
        hull = card_of(state, unit).hull_points
        if not 0 <= unit.damage < max(hull, 1):
            return f"{unit.id} has lost {unit.damage} of {hull} hull points and is in play"
        if unit.pending < 0:
            return f"{unit.id} is about to lose {unit.pending} hull points"
    return ""


def _scores(before: State | None, event: ev.AnyEvent, state: State) -> str:
    if before is None:
        return "" if not any(state.scores.values()) else "points before the first event"
    won = Counter(dict(state.scores))
    won.subtract(before.scores)
    match event:
        case ev.UnitRemoved():
            due = {event.scorer: event.points} if event.points else {}
        case ev.ObjectiveClaimed() | ev.PointsScored():
            due = {event.seat: event.points}
        case _:
            due = {}
    told = {seat: points for seat, points in won.items() if points}
    return "" if told == {s: p for s, p in due.items() if p} else f"scored {told}, not {due}"


def _objectives(before: State | None, state: State) -> str:
    if twice := set(state.objectives) & state.claimed.keys():
        return f"claimed and open: {twice}"
    if before is not None and not before.claimed.items() <= state.claimed.items():
        return f"a claim was lost: {before.claimed} became {state.claimed}"
    return ""


def _stacking(event: ev.AnyEvent, state: State) -> str:
    """At the end of a phase no sector holds more of a side's units of a type than it may."""
    if not isinstance(event, ev.PhaseEnded) or state.step.phase in MOVING:
        return ""
    limits = limits_of(state)
    usual = {"Ship": limits.ships, "Submarine": limits.submarines, "Aircraft": limits.aircraft}
    stacks: dict[tuple[str, str, str], list[Card]] = {}
    for unit in state.units.values():
        if unit.sector and unit.sector != OFF_MAP:
            card = card_of(state, unit)
            stacks.setdefault((unit.seat, unit.sector, card.type), []).append(card)
    for (seat, sector, type_), cards in stacks.items():
        most = usual[type_]
        if type_ == "Ship":
            most = max(widened(most, card) for card in cards)
        if len(cards) > most:
            return f"{seat} has {len(cards)} units of type {type_} in {sector}, {most} may stay"
    return ""


def _bases(event: ev.AnyEvent, state: State) -> str:
    """When a turn ends, no base holds more Aircraft than it has places for."""
    if not isinstance(event, ev.TurnEnded):
        return ""
    aboard: dict[tuple[str, str], list[Card]] = {}
    for unit in state.units.values():
        if unit.base and not unit.sector:
            aboard.setdefault((unit.seat, unit.base), []).append(card_of(state, unit))
    for (seat, base), cards in aboard.items():
        places = _places(state, base, cards)
        if places is None:
            return f"{seat} has Aircraft aboard {base}, which is not in play"
        if len(cards) > places:
            return f"{base} of {seat} holds {len(cards)} Aircraft, it has {places} places"
    return ""


def _places(state: State, base: str, cards: list[Card]) -> int | None:
    """Places at a base; no limit by an island, but only Sea Basing is based there."""
    if base == AIRBASE:
        beyond = sum(has(card, "overstack") is not None for card in cards)
        return limits_of(state).airbase + min(3, beyond)
    if base in chart_of(state).islands:
        return sum(has(card, "sea-basing") is not None for card in cards)
    if base not in state.units:
        return None
    ship = card_of(state, state.units[base])
    if has(ship, "seaplane-detachments"):
        return 2 if all(card.id == "seaplane-detachment" for card in cards) else 0
    return ship.basing
