"""Planted bugs of Naval Battles: what a game's record would show if the engine were wrong.

Each plant changes one event of a sound game, the first one that it fits; the referee must notice.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from service.referees.naval_battles import DECK, SHIPS
from service.referees.verdict import Events

Data = Any
Change = Callable[[Data], bool]
"""Change an event's data in place; False where it does not fit."""


@dataclass(frozen=True)
class Plant:
    """A bug: what it is, the event that shows it, the change of that event."""

    name: str
    event: str
    change: Change


def planted(plant: Plant, events: Events) -> Events | None:
    """The game as the bug would have it, or nothing where it never comes up."""
    for place, (kind, data) in enumerate(events):
        changed = copy.deepcopy(data)
        if kind.endswith(f".{plant.event}") and plant.change(changed):
            left_out = changed.get("left out")
            return [*events[:place], *([] if left_out else [(kind, changed)]), *events[place + 1 :]]
    return None


def sets(**fields: Any) -> Change:
    """Other values, wherever the event has different ones."""

    def change(e: Data) -> bool:
        fits = any(e.get(key) != value for key, value in fields.items())
        e.update(fields)
        return fits

    return change


def more(key: str, by: int) -> Change:
    """A number that is too high, or too low."""

    def change(e: Data) -> bool:
        e[key] = e.get(key, 0) + by
        return True

    return change


def left_out(e: Data) -> bool:
    """The event does not happen."""
    e["left out"] = True
    return True


def attack(kind: str, **fields: Any) -> Change:
    """An attack of this kind, with other values."""

    def change(e: Data) -> bool:
        if e["attack"]["kind"] != kind:
            return False
        e["attack"] |= fields
        return True

    return change


def needs_less(e: Data) -> bool:
    """A raid that forgets the guns of its target, or the row."""
    e["attack"]["needed"] = e["attack"].get("needed", 0) - 1
    return bool(e["attack"]["needed"] > 0)


def same_ship_twice(e: Data) -> bool:
    """A salvo of two ships, fired by one."""
    fits = len(e["attack"].get("ships", [])) == 2
    if fits:
        e["attack"]["ships"] = e["attack"]["ships"][:1] * 2
    return fits


def own_target(e: Data) -> bool:
    """An attack at a ship of one's own."""
    ships = e["attack"].get("ships", [])
    e["attack"]["target"] = ships[0] if ships else ""
    return bool(ships)


def misread(e: Data) -> bool:
    """A failure taken for a success, or the other way."""
    e["success"] = not e["success"]
    return True


def roll(kind: str, key: str, by: int) -> Change:
    """A roll's total, or what it needs, is wrong."""

    def change(e: Data) -> bool:
        e[key]["total"] += by
        return bool(e["kind"] == kind)

    return change


def other_card(e: Data) -> bool:
    """A card is drawn that the dice did not name."""
    cards = e["cards"]["items"]
    cards[0] = next(card for card in DECK if card != cards[0])
    return True


def one_more_card(e: Data) -> bool:
    e["cards"]["items"].append("near-miss")
    return True


def one_card_less(e: Data) -> bool:
    e["cards"]["items"].pop()
    return bool(e["cards"]["items"])


def small_fleet(e: Data) -> bool:
    e["ships"]["items"].pop()
    return True


def foreign_ship(e: Data) -> bool:
    own = SHIPS[e["ships"]["items"][0]]
    points = (own["points"], own["nation"])
    fit = (n for n, s in SHIPS.items() if s["points"] == points[0] and s["nation"] != points[1])
    e["ships"]["items"][0] = next(fit)
    return True


def gap(e: Data) -> bool:
    e["rows"].insert(0, [])
    return len(e["rows"]) <= 3


def forgotten(key: str) -> Change:
    """A list that lacks its first entry."""

    def change(e: Data) -> bool:
        e[key] = e.get(key, [])
        return bool(e[key]) and e[key].pop(0) is not None

    return change


def other_winner(e: Data) -> bool:
    e["winners"] = ["p2"] if "p2" not in e["winners"] else ["p1"]
    return True


def other_seat(e: Data) -> bool:
    e["seat"] = "p1" if e["seat"] != "p1" else "p2"
    return True


def too_small(e: Data) -> bool:
    """Small Target for whatever was defended otherwise."""
    fits = e["card"] == "armor-plating"
    e["card"] = "near-miss"
    return bool(fits)


def from_hand(e: Data) -> bool:
    return bool(e.pop("prepared", False))


def loser_first(e: Data) -> bool:
    faces = e["faces"]
    e["first"] = min(faces, key=lambda seat: faces[seat])
    return len(set(faces.values())) > 1


def joins_for_nothing(e: Data) -> bool:
    """Reinforcements worth one point more than their cards."""
    e["lost"] = e.get("lost", 0) - 1
    return bool(e.get("ships"))


def row_ahead(e: Data) -> bool:
    for name in e["rows"]:
        e["rows"][name] += 1
    return True


BUGS = (
    Plant("damage one more than the card's", "damage-scored", more("damage", 1)),
    Plant("damage of earlier turns is forgotten", "damage-scored", more("total", -1)),
    Plant("a hull of another size", "damage-scored", more("hull", 1)),
    Plant("a hit leaves no mark", "damage-scored", left_out),
    Plant("another ship is hit", "damage-scored", sets(ship="fr-richelieu")),
    Plant("a ship does not sink", "ship-sunk", left_out),
    Plant("points doubled", "ship-sunk", more("points", 5)),
    Plant("the wrong player claims the ship", "ship-sunk", sets(by="p9")),
    Plant("damage cards of a sunk ship vanish", "ship-sunk", forgotten("discarded")),
    Plant("a die misread", "roll-scored", misread),
    Plant("torpedoes hit at 4", "roll-scored", roll("torpedo", "needed", -1)),
    Plant("guidance added twice", "roll-scored", roll("torpedo", "total", 1)),
    Plant("a raid needs less", "roll-scored", roll("raid", "needed", -1)),
    Plant("air cover needs more", "roll-scored", roll("cover", "needed", 1)),
    Plant("run silent needs less", "roll-scored", roll("silent", "needed", -1)),
    Plant("another face than was thrown", "roll-scored", more("face", 1)),
    Plant("a raid declared at a lower number", "attack-declared", needs_less),
    Plant("one ship fires for two", "attack-declared", same_ship_twice),
    Plant("an attack at one's own fleet", "attack-declared", own_target),
    Plant(
        "a main salvo from a torpedo mount",
        "attack-declared",
        attack("main-salvo", mounts=["torpedo"]),
    ),
    Plant(
        "a sunk or absent ship attacks",
        "attack-declared",
        attack("secondary-salvo", ships=["none"]),
    ),
    Plant(
        "a target that is not in play", "attack-declared", attack("torpedo-spread", target="none")
    ),
    Plant("a card of another kind", "attack-declared", attack("torpedo-spread", card="depth-3")),
    Plant("an attack out of turn", "attack-declared", other_seat),
    Plant("a raid too many", "attack-declared", more("left", 1)),
    Plant("a card that the dice did not name", "cards-drawn", other_card),
    Plant("eight cards in hand", "cards-drawn", one_more_card),
    Plant("six cards in hand", "cards-drawn", one_card_less),
    Plant("a deck of 101 cards", "deck-laid", one_card_less),
    Plant("a fleet of less than 25 points", "fleet-committed", small_fleet),
    Plant("a ship of another nation", "fleet-committed", foreign_ship),
    Plant("the lowest roller is first", "first-player-rolled", loser_first),
    Plant("the turn does not pass on", "turn-began", other_seat),
    Plant("a turn not counted", "turn-began", more("turn", 1)),
    Plant("an empty row in front", "fleet-arranged", gap),
    Plant("rows do not close up", "rows-closed", left_out),
    Plant("rows close up too little", "rows-closed", row_ahead),
    Plant("prepared cards stay", "cards-expired", left_out),
    Plant("a prepared card stays", "cards-expired", forgotten("cards")),
    Plant("a Near Miss against anything", "defense-played", too_small),
    Plant("a prepared card used from the hand", "defense-played", from_hand),
    Plant("an attack moved to no ship of that row", "attack-moved", sets(target="fr-richelieu")),
    Plant("a defense without effect", "attack-stopped", left_out),
    Plant("an attack stopped by nothing", "attack-stopped", sets(by="evasive-action")),
    Plant("run silent left out", "silence-tried", left_out),
    Plant("air cover of a ship without planes", "cover-tried", sets(carrier="fr-richelieu")),
    Plant("four damage cards removed", "retreat-played", more("removing", 1)),
    Plant("more reinforcements than points", "reinforcements-played", joins_for_nothing),
    Plant("a Planning card that nobody has", "planning-used", sets(cards=["planning"] * 4)),
    Plant("a card prepared that is not in hand", "card-prepared", sets(card="retreat")),
    Plant("a discard that is not in hand", "cards-discarded", sets(cards=["depth-3"] * 3)),
    Plant("Surprise Attack leaves the cards", "surprise-sprung", forgotten("cards")),
    Plant("Surprise Attack does nothing", "surprise-sprung", left_out),
    Plant("the wrong winner", "game-ended", other_winner),
    Plant("points of a battle not recorded", "battle-began", sets(earlier={})),
)

PLANTS: dict[str, Callable[[Events], Events | None]] = {
    bug.name: partial(planted, bug) for bug in BUGS
}
"""Every planted bug by name: the spoilt game; none where the game has no event for it."""
