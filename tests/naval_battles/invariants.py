"""What holds after each event of any game of Naval Battles, whatever is played (issue 4).

Written against the nouns of the rulebook: where a card or a ship may be, what a row is, whose turn
it is. A breach names the event.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from domain.games.naval_battles.rules import events as ev
from domain.games.naval_battles.rules.deck import STANDARD, Deck, full_deck, table
from domain.games.naval_battles.rules.ships import SHIPS, ships_of
from domain.games.naval_battles.rules.state import State
from domain.kernel.conformance import Nonconformance
from domain.kernel.values import Known, StepKey

from .tables import cards_outside


def check(before: State | None, event: ev.AnyEvent, state: State) -> None:
    """Raise Nonconformance when the event broke a promise."""
    for broken in (_cards(state), _ships(state), _rows(event, state), _counters(state)):
        if broken:
            raise Nonconformance(f"{event.NAME}: {broken}")
    if before is not None and before.battle == state.battle:
        lost = [seat for seat in state.seats if len(before.sunk[seat]) > len(state.sunk[seat])]
        if lost:
            raise Nonconformance(f"{event.NAME}: a sunken pile of {lost} has become smaller")


def _cards(state: State) -> str:
    """Every action card of the deck is in exactly one place, once there is a deck."""
    found = cards_outside(state)
    for held in (state.deck, *state.hands.values()):
        if isinstance(held, Known):
            found.update(held.items)
    if not found:
        return ""
    whole = _whole(state.house or STANDARD)
    if found == whole:
        return ""
    return f"cards too many {dict(found - whole)}, missing {dict(whole - found)}"


@lru_cache(maxsize=16)
def _whole(deck: Deck) -> Counter[str]:
    """How often each card is in a deck: counted once, not at every event."""
    return Counter(full_deck(table(deck)))


def _ships(state: State) -> str:
    """Every ship of a nation in play is in the fleet, in the pile, or sunk: once."""
    for seat, nation in state.nations.items():
        if seat not in state.reserves:
            continue
        mine = {ship.id for ship in ships_of(nation)}
        places = [ship.id for ship in state.ships.values() if ship.seat == seat]
        places += state.reserves[seat]
        places += [name for names in state.sunk.values() for name in names if name in mine]
        if sorted(places) != sorted(mine):
            return f"{seat}'s ships are not each in one place: {sorted(places)}"
        if any(name in mine for name in state.sunk[seat]):
            return f"{seat} has sunk a ship of its own"
    return ""


def _rows(event: ev.AnyEvent, state: State) -> str:
    """Submarines are in no row, ships in one; a gap lasts no longer than the attack step."""
    for ship in state.ships.values():
        if SHIPS[ship.id].submarine != (ship.row == 0):
            return f"{ship.id} is in row {ship.row}"
        if ship.active and ship.row:
            return f"{ship.id} is active and no submarine"
    if state.step in (StepKey("resolve"), StepKey("defense")) or state.result is not None:
        return ""
    for seat in state.seats:
        rows = sorted({ship.row for ship in state.ships.values() if ship.seat == seat} - {0})
        if rows != list(range(1, len(rows) + 1)):
            return f"{seat} has rows {rows} after {event.NAME}"
    return ""


def _counters(state: State) -> str:
    """Nothing is used more often than it is there."""
    for ship in state.ships.values():
        printed = SHIPS[ship.id]
        if ship.used and Counter(ship.used) - Counter(printed.mounts):
            return f"{ship.id} has fired {ship.used}"
        if ship.covered > printed.cover_symbols:
            return f"{ship.id} has given air cover {ship.covered} times"
    for seat in state.seats:
        if state.hands[seat].count > 7:
            return f"{seat} holds {state.hands[seat].count} cards"
    if any(attack.target not in state.ships for attack in state.attacks):
        return "" if state.step == StepKey("resolve") else "an attack has no target"
    return ""
