"""Ten leaks, each a ruleset that tells somebody something it must not (issue 4).

They are Naval Battles with one function spoilt, to be switched on in a test: the two-world runs of
test_secrecy.py must find every one of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import events as ev
from domain.games.naval_battles.rules.cards import SHIELDS
from domain.games.naval_battles.rules.state import State
from domain.kernel.chance import Awaited
from domain.kernel.game import Game
from domain.kernel.options import Options, Pending
from domain.kernel.rules import Refused
from domain.kernel.values import Hidden, Known, Seat, StepKey, Viewer

AnyGame = Game[Any, Any, Any]


def _hand(state: State, seat: Seat) -> tuple[str, ...]:
    held = state.hands[seat]
    return held.items if isinstance(held, Known) else ()


def _others(state: State, seat: Seat) -> tuple[str, ...]:
    """The cards of the player after this one."""
    at = (state.seats.index(seat) + 1) % len(state.seats)
    return _hand(state, state.seats[at])


def _open_draws(event: Any, viewer: Viewer) -> Any:
    """Whoever watches sees the cards that are drawn."""
    return event if isinstance(event, ev.CardsDrawn) else GAME.redact(event, viewer)


def _open_dice(event: Any, viewer: Viewer) -> Any:
    """The dice of a draw are open: where the card lay among those that are left."""
    return event if isinstance(event, ev.DiceThrown) else GAME.redact(event, viewer)


def _open_fleets(event: Any, viewer: Viewer) -> Any:
    """Fleets are no secret."""
    return event if isinstance(event, ev.FleetCommitted) else GAME.redact(event, viewer)


def _counted_fleets(event: Any, viewer: Viewer) -> Any:
    """How many ships a secret fleet has is told."""
    if isinstance(event, ev.FleetCommitted) and viewer != event.seat:
        return replace(event, ships=Hidden(event.ships.count))
    return GAME.redact(event, viewer)


def _asks_who_can(state: State) -> tuple[Pending, ...]:
    """Only a player who holds a defense is asked to defend."""
    asked = GAME.pending(state)
    if state.step != StepKey("defense") or not asked or asked[0].question != "defend":
        return asked
    cards = set(_hand(state, asked[0].seat))
    return asked if cards & set(SHIELDS) else tuple(replace(q, optional=False) for q in asked)


def _spares_the_armed(state: State, seat: Seat) -> Options[Any]:
    """No target is offered whose owner could evade."""
    found = GAME.legal(state, seat)
    if state.step != StepKey("declare"):
        return found
    safe = {s for s in state.seats if "evasive-action" in _hand(state, s)}
    kept = tuple(each for each in found.commands if not _aims_at(state, each, safe))
    return replace(found, commands=kept)


def _aims_at(state: State, command: Any, seats: set[Seat]) -> bool:
    target = state.ships.get(getattr(command, "target", ""))
    return target is not None and target.seat in seats


def _talkative(state: State, seat: Seat, command: Any) -> tuple[Any, ...]:
    """A refusal says what the next player holds."""
    try:
        return GAME.decide(state, seat, command)
    except Refused as refusal:
        held = ", ".join(_others(state, seat)) if seat in state.seats else ""
        raise Refused(refusal.code, refusal.rule, f"{refusal.hint} ({held})") from None


def _telling_codes(state: State, seat: Seat, command: Any) -> tuple[Any, ...]:
    """The code of a refusal depends on a hidden hand."""
    try:
        return GAME.decide(state, seat, command)
    except Refused as refusal:
        rich = seat in state.seats and len(set(_others(state, seat))) % 2
        raise Refused(refusal.code + ("-x" if rich else ""), refusal.rule, refusal.hint) from None


def _labelled(state: State) -> Awaited | None:
    """The label of a request depends on the cards in the deck."""
    awaited = GAME.awaiting(state)
    if awaited is None or not isinstance(state.deck, Known):
        return awaited
    left = sum(map(len, state.deck.items))
    return replace(awaited, label=f"{awaited.label}-{left}")


def _counted_cards(state: State) -> dict[Seat, int]:
    """The score counts the main salvos that a player holds."""
    worth = {seat: sum(n.startswith("main") for n in _hand(state, seat)) for seat in state.seats}
    return {seat: points + worth[seat] for seat, points in GAME.scores(state).items()}


LEAKS: dict[str, Callable[[], AnyGame]] = {
    "draws are open": lambda: dataclasses.replace(GAME, redact=_open_draws),
    "dice of the deck are open": lambda: dataclasses.replace(GAME, redact=_open_dice),
    "fleets are open": lambda: dataclasses.replace(GAME, redact=_open_fleets),
    "fleets are counted": lambda: dataclasses.replace(GAME, redact=_counted_fleets),
    "questions": lambda: dataclasses.replace(GAME, pending=_asks_who_can),
    "options": lambda: dataclasses.replace(GAME, legal=_spares_the_armed),
    "hints": lambda: dataclasses.replace(GAME, decide=_talkative),
    "codes": lambda: dataclasses.replace(GAME, decide=_telling_codes),
    "labels": lambda: dataclasses.replace(GAME, awaiting=_labelled),
    "scores": lambda: dataclasses.replace(GAME, scores=_counted_cards),
}
"""Each leak by a name: a ruleset that has it."""

__all__ = ["LEAKS"]
