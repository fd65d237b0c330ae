"""The table as text for a terminal, at most 100 columns wide: fleets by rows, then attacks."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.shown.wording import count, join
from ....kernel.values import Hidden, Seat
from ..rules import facts
from ..rules.facts import points, total
from ..rules.scenarios import SCENARIOS, is_linked
from ..rules.ships import SHIPS
from ..rules.state import Attack, Ship, State
from . import names

WIDTH = 100


def board(state: State) -> str:
    """The whole table as text."""
    parts = [*_heading(state), ""]
    for seat in state.seats:
        parts += [*_side(state, seat), ""]
    if state.attacks:
        parts += ["Attacks:", *(_attack(state, each) for each in state.attacks), ""]
    return "\n".join(line.rstrip()[:WIDTH] for line in parts[:-1])


def _heading(state: State) -> Iterator[str]:
    known = SCENARIOS.get(state.scenario)
    what = known.name if known is not None else state.scenario
    if is_linked(state.scenario):
        what += f", battle {state.battle}"
    when = f"turn {state.turn} (round {state.round}) of {state.active}" if state.turn else "set-up"
    yield f"Naval Battles, {what}: {when}, {names.step_name(state.step)}"
    last = f", last {names.card_name(state, state.discards[-1])}" if state.discards else ""
    yield f"Deck {state.deck.count}, discards {len(state.discards)}{last}"
    if state.result is not None:
        winners = join(state.result.winners) or "nobody"
        yield f"Over: {state.result.reason} ({state.result.rule}); won by {winners}"


def _side(state: State, seat: Seat) -> Iterator[str]:
    nation = names.nation_of(state, seat)
    score = f"{points(state, seat)} points"
    if is_linked(state.scenario):
        score += f", {total(state, seat)} in all"
    gone = ", has left" if seat in state.gone else ""
    yield f"{seat} {nation}: {score}, {count(state.hands[seat].count, 'hand card')}{gone}"
    for row in facts.ROWS:
        ships = facts.row(state, seat, row)
        if ships:
            yield from _wrapped(f"  row {row}: ", [_ship(state, ship) for ship in ships])
    below = facts.row(state, seat, 0)
    if below:
        yield from _wrapped("  below: ", [_ship(state, ship) for ship in below])
    yield from _lying(state, seat)


def _wrapped(label: str, words: list[str]) -> Iterator[str]:
    line = label
    for number, word in enumerate(words):
        text = word + (", " if number < len(words) - 1 else "")
        if len(line) + len(text) > WIDTH and line.strip() != label.strip():
            yield line
            line = " " * len(label)
        line += text
    yield line


def _ship(state: State, ship: Ship) -> str:
    hull = SHIPS[ship.id].hull
    side = ("", " active" if ship.active else " passive")[ship.row == 0]
    return f"{names.ship_name(ship.id)}{side} {hull - facts.damage(state, ship)}/{hull}"


def _lying(state: State, seat: Seat) -> Iterator[str]:
    lying = [names.card_name(state, card) for card in state.retreats.get(seat, ())]
    lying += [
        names.card_name(state, card.card) + (" (used)" if card.used else "")
        for card in state.prepared[seat]
    ]
    if lying:
        yield from _wrapped("  in play: ", lying)
    held = state.hands[seat]
    if not isinstance(held, Hidden) and held.items:
        yield from _wrapped("  hand: ", [names.card_name(state, card) for card in held.items])
    if state.sunk[seat]:
        yield from _wrapped("  sunk: ", [names.ship_name(ship) for ship in state.sunk[seat]])


def _attack(state: State, attack: Attack) -> str:
    what = names.card_name(state, attack.card) if attack.card else "air raid"
    by = f" by {names.ship_names(attack.ships)}" if attack.ships else ""
    need = f", needs {attack.needed}" if attack.needed else ""
    return f"  {attack.number}: {what}{by} at {names.ship_name(attack.target)}{need}"
