"""Cards: a ship with its figures and markers, and the face or back of an action card."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.shown.drawing import Marker, badges, boat, cut, deck, hull, pips, wrapped
from .....kernel.shown.scene import Box, Group, Item, Word
from .....kernel.shown.wording import join
from .....kernel.values import Seat
from ...rules import facts
from ...rules.ships import SHIPS, ShipCard
from ...rules.state import Ship, State
from .. import names

WIDTH, HEIGHT = 150, 92
HAND_WIDTH, HAND_HEIGHT = 92, 56

LETTERS = {
    "battleship": "BB",
    "battlecruiser": "BC",
    "heavy-cruiser": "CA",
    "light-cruiser": "CL",
    "destroyer": "DD",
    "patrol": "PT",
    "aircraft-carrier": "CV",
    "light-aircraft-carrier": "LV",
    "escort-aircraft-carrier": "EV",
    "submarine": "SS",
}

MARKERS = {
    "active": Marker("^", "submarine: active side up"),
    "passive": Marker("v", "submarine: passive side up"),
    "damaged": Marker("D", "damage cards, and how many"),
    "fired": Marker("!", "mounts that have fired, and how many"),
    "prepared": Marker("P", "has played a prepare card"),
    "raided": Marker("R", "has launched its air raid"),
    "covered": Marker("a", "air cover used, and how often"),
}
"""Markers on ships, by the name that they have in the picture."""


def markers(ship: Ship) -> Iterator[tuple[str, Marker]]:
    """The markers on a ship."""
    if facts.is_submarine(ship):
        name = "active" if ship.active else "passive"
        yield name, MARKERS[name]
    counted = {
        "damaged": (len(ship.damage), "D", "damage card"),
        "fired": (len(ship.used), "!", "mount fired"),
        "covered": (ship.covered, "a", "air cover"),
    }
    for name, (number, letter, text) in counted.items():
        if number:
            yield name, Marker(f"{letter}{number}", f"{number} {text}{'s' * (number > 1)}")
    if ship.prepared:
        yield "prepared", MARKERS["prepared"]
    if ship.raided:
        yield "raided", MARKERS["raided"]


def ship_card(state: State, ship: Ship, at: tuple[int, int], focus: str) -> Group:
    """A ship in its row."""
    x, y = at
    card = SHIPS[ship.id]
    harm = facts.damage(state, ship)
    items: list[Item] = [
        Box(x, y, WIDTH, HEIGHT, "card", "ship-card", 6),
        Word(x + 8, y + 16, cut(card.name, 21), 13, "strong", name="ship-name"),
        _silhouette(card, (x + 34, y + 36)),
        Word(x + 34, y + 41, LETTERS[card.type], 13, "first-ink", "middle"),
    ]
    items += pips((x + 104, y + 26), max(card.hull - harm, 0), 0, min(harm, card.hull), 5)
    items.append(
        Word(x + 104, y + 46, f"{card.hull - harm}/{card.hull} hull", 11, "text", "middle")
    )
    for number, line in enumerate(wrapped(_figures(state, ship, card), 26)[:2]):
        items.append(Word(x + 8, y + 63 + 13 * number, line, 10, "faint", name="figures"))
    items += badges((x + WIDTH // 2, y + HEIGHT - 9), markers(ship), 8, per_row=6)
    title = f"{card.name}, {card.type.replace('-', ' ')} of {ship.seat}"
    focused = " focus" if ship.id == focus else ""
    return Group(
        tuple(items),
        name=f"unit unit-{'submarine' if card.submarine else 'ship'} seat-{ship.seat}{focused}",
        title=title,
        about=", ".join(_said(state, ship, card, harm)),
        key=ship.id,
    )


def _silhouette(card: ShipCard, at: tuple[int, int]) -> Item:
    if card.submarine:
        return boat(at, 26, 9, "first")
    return (deck if card.air_raid else hull)(at, 26, 9, "first")


def _figures(state: State, ship: Ship, card: ShipCard) -> str:
    """Mounts with how many have not fired, and the other figures of the card.

    In short: two lines have to hold it all, also when everything has fired.
    """
    mounts = facts.mounts(state, ship)
    used = list(ship.used)
    parts = []
    for mount in dict.fromkeys(mounts):
        inches = mount.partition("-")[2]
        spent = used.count(mount)
        many = mounts.count(mount)
        count = f"{many - spent}/{many}" if spent else str(many)
        parts.append(f"{count}x{inches}in" if inches else f"{count}xtorp")
    parts += [f"raid {'/'.join(map(str, card.air_raid))}"] if card.air_raid else []
    parts += [f"cover {card.air_cover}"] if card.air_cover else []
    parts += [f"AA {card.anti_aircraft}"] if card.anti_aircraft else []
    parts += [f"guidance +{card.guidance}"] if card.guidance else []
    parts += [f"silent {card.run_silent}"] if card.run_silent else []
    return " ".join([*parts, f"{card.points}vp"])


def _said(state: State, ship: Ship, card: ShipCard, harm: int) -> Iterator[str]:
    yield f"row {ship.row}" if ship.row else "below the surface"
    yield f"{card.hull - harm} of {card.hull} hull points"
    if ship.damage:
        yield f"under it {names.card_names(state, ship.damage)}"
    if ship.used:
        yield f"fired: {join(map(names.mount_name, ship.used))}"
    for _, marker in markers(ship):
        yield marker.text


def face(state: State, card: str, at: tuple[int, int], name: str) -> Group:
    """An action card, face up."""
    x, y = at
    text = names.card_name(state, card)
    items: list[Item] = [Box(x, y, HAND_WIDTH, HAND_HEIGHT, "card", "action-card", 5)]
    for number, line in enumerate(wrapped(text, 15)[:4]):
        items.append(Word(x + 5, y + 13 + 13 * number, cut(line, 16), 10, "text"))
    return Group(tuple(items), name=name, title=text, key=f"card:{card}")


def backs(number: int, at: tuple[int, int], name: str, title: str) -> Group:
    """Cards face down, fanned out, with their number."""
    x, y = at
    shown = min(number, 8)
    items: list[Item] = [
        Box(x + 9 * each, y, 40, HAND_HEIGHT, "back", f"{name}-back", 5) for each in range(shown)
    ]
    items.append(Word(x + 9 * shown + 40, y + 34, f"{number}", 16, "strong", name="count"))
    return Group(tuple(items), name=name, title=title)


def owner_title(state: State, seat: Seat) -> str:
    """A seat with its nation."""
    return f"{seat} {names.nation_of(state, seat)}"
