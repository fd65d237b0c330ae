"""A Crimson Tide bot that manoeuvres: it brings broadsides to bear and keeps clear of trouble."""

from __future__ import annotations

from collections.abc import Callable

from domain.kernel.commands import deed

from ..bot import Item, Json, Position
from .lookout import Lookout, Spot

CAUTION = 0.5
"""What a point at risk weighs against a point to win."""

CLOSING = 0.15
"""What it is worth to be a klick nearer to prey that is still out of range."""

CROWDED, TOO_CLOSE = 4.6, 3.4
"""Klicks between middles where a collision becomes likely, and nearly certain."""

SHORE = 3.0
"""Klicks from land's middle outward that are left alone."""

WRECK = 60.0
"""What running into something is held against, in points: about as much as a ship."""

CONVOY_SHIP, STEAMING = "convoy-ship", 4.0
"""What a klick towards where it has to go is worth to a ship with an errand."""

HOLDING = 7
"""Klicks from a marker at which a ship is sure to hold it."""

Score = Callable[[Item], float]


class Captain:
    """Looks one order ahead. It never gives up, and does the same in the same position."""

    def choose(self, position: Position) -> Item:
        """The item of the highest score; the first one of equals."""
        if not position.items:
            raise ValueError("there is nothing to choose from")
        lookout = Lookout(position.seat, position.view, position.units)
        scores = SCORES[position.question]
        return max(position.items, key=scores(lookout))


def _kind(item: Item) -> str:
    return deed(item["command"]["type"])


# --- set-up and dives ----------------------------------------------------------------------------


def _fleet(sea: Lookout) -> Score:
    """The strongest of the ready fleets."""

    def score(item: Item) -> float:
        picks = item["command"]["units"]
        return sum(float(sea.cards[pick["card"]]["data"]["points"]) for pick in picks)

    return score


def _place(sea: Lookout) -> Score:
    """The dearest ship first, near the middle but not in a heap."""
    middle = sea.view["options"]["width"] / 2

    def score(item: Item) -> float:
        command = item["command"]
        spot = Spot(command["x"] / sea.klick, command["y"] / sea.klick, 0.0)
        near = min((spot.away(sea.where(u)) for u in sea.friends), default=CROWDED)
        crowd = max(0.0, 1.5 * CROWDED - near)
        points = float(sea.cards[command["card"]]["data"]["points"])
        return 10 * points - abs(spot.x - float(middle)) / 4 - 5 * crowd

    return score


def _dive(sea: Lookout) -> Score:
    """Submarines stay up: only there can they attack ships, and they are quicker."""
    return lambda item: -float(len(item["command"]["submerged"]))


# --- the sea -------------------------------------------------------------------------------------


def _sail(sea: Lookout) -> Score:
    """Orders by what the guns will bear on at their end; ships that matter most go first."""

    def score(item: Item) -> float:
        command = item["command"]
        if deed(command["type"]) == "pass":
            return -WRECK
        unit = sea.units[command["unit"]]
        return sea.points(unit) / 100 + berth(sea, unit, command)

    return score


def berth(sea: Lookout, unit: Json, command: Json) -> float:
    """What an order is worth: shots to come, less shots to be taken and dangers on the way."""
    track = sea.track(unit, command)
    end = track[-1]
    prey = max((_prey(sea, unit, end, enemy) for enemy in sea.enemies), default=0.0)
    shots = sum(sea.broadside(enemy, sea.where(enemy), unit, end) for enemy in sea.enemies)
    worth = prey - CAUTION * shots + _errand(sea, unit, track, command)
    if not _gets_through(sea, unit, end):
        worth -= _dangers(sea, unit, track)
    if command["evade"]:
        worth += 0.5 * sea.torpedoes(1, unit)
    return worth


def _prey(sea: Lookout, unit: Json, end: Spot, enemy: Json) -> float:
    """The best use of a unit against one enemy from a place: guns, torpedoes, or closing in."""
    there = sea.where(enemy)
    band = sea.band(end, there, enemy)
    worth = sea.broadside(unit, end, enemy, there)
    torpedo = sea.dice(unit, "torpedo", "", band)
    for side in ("starboard", "port"):
        if torpedo and sea.in_channel(unit, end, there, enemy, side):
            return worth + sea.torpedoes(torpedo, enemy)
    return worth - CLOSING * max(0.0, end.away(there) - 2 * 8)


def _dangers(sea: Lookout, unit: Json, track: list[Spot]) -> float:
    """Collisions, the edge of the table, land: what a prudent captain stays clear of."""
    cost = 0.0
    leaves = min(sea.inside(spot) for spot in track[1:] or track)
    if leaves < 0.5:
        cost += 10 * WRECK
    elif sea.inside(track[-1]) < 5:
        cost += 5 - sea.inside(track[-1])
    for other in sea.others(unit):
        there = sea.where(other)
        if track[0].away(there) > len(track) + CROWDED:
            continue
        near = min(spot.away(there) for spot in track[1:] or track)
        if near < TOO_CLOSE:
            cost += WRECK / 2
        elif near < CROWDED:
            cost += (CROWDED - near) * 4
    return cost + sum(_shoal(sea, piece, track) for piece in sea.view["land"])


def _errand(sea: Lookout, unit: Json, track: list[Spot], command: Json) -> float:
    """What the scenario wants of a unit: through with the convoy, to the marker, to the beach."""
    end, worth = track[-1], 0.0
    if _in_convoy(sea, unit):
        worth += STEAMING * (_to_go(sea, unit, track[0]) - _to_go(sea, unit, end))
    for objective in sea.view["objectives"]:
        x, y = objective["at"]
        away = end.away(Spot(x / sea.klick, y / sea.klick, 0.0))
        if objective["kind"] == "control" and sea.card(unit)["kind"] == "ship":
            worth += objective["points"] / 10 if away < HOLDING else -CLOSING * away
        elif objective["kind"] == "landing" and sea.has(unit, "land-troops"):
            worth -= STEAMING * away
            worth += objective["points"] if away < 1 and command["stop"] else 0.0
    return worth


def _in_convoy(sea: Lookout, unit: Json) -> bool:
    """Who has ships of a convoy escorts it."""
    return bool(unit["card"] == CONVOY_SHIP and sea.ours(unit))


def _to_go(sea: Lookout, unit: Json, spot: Spot) -> float:
    """Klicks to the enemy's edge; below 0 beyond it."""
    length = float(sea.view["options"]["length"])
    first = sea.ours(unit) == (sea.view["seats"][0] in sea.side)
    return length - spot.y if first else spot.y


def _gets_through(sea: Lookout, unit: Json, end: Spot) -> bool:
    """Whether a convoy ship leaves by the edge where it is safe."""
    return _in_convoy(sea, unit) and _to_go(sea, unit, end) < 0


def _shoal(sea: Lookout, piece: Json, track: list[Spot]) -> float:
    """What a piece of land costs on a track: nothing far off, a ship right in it."""
    xs, ys = ([corner[axis] / sea.klick for corner in piece["corners"]] for axis in (0, 1))
    near = min(
        max(min(xs) - spot.x, spot.x - max(xs), min(ys) - spot.y, spot.y - max(ys))
        for spot in track[1:] or track
    )
    return WRECK if near < 1 else (SHORE - near) * 3 if near < SHORE else 0.0


# --- the air -------------------------------------------------------------------------------------


def _fly(sea: Lookout) -> Score:
    """Bombers at what they hurt most; fighters over enemy aircraft, or over what is dear."""
    aloft = [u for u in sea.units.values() if u["at"] is not None and not sea.ours(u)]

    def score(item: Item) -> float:
        command = item["command"]
        if deed(command["type"]) == "pass":
            return 0.02
        unit = sea.units[command["unit"]]
        if command["mission"] == "strafe":
            return -1.0
        if command["mission"] == "ordnance":
            return _strike(sea, unit, sea.units[command["target"]])
        spot = Spot(command["at"][0] / sea.klick, command["at"][1] / sea.klick, 0.0)
        return _patrol(sea, unit, spot, aloft)

    return score


def _strike(sea: Lookout, unit: Json, target: Json) -> float:
    """What an aircraft does to the ship beside which it is placed, less what flak may do to it."""
    if target["submerged"] or sea.card(target)["kind"] == "submarine":
        return -1.0
    bombs = sea.worth(sea.dice(unit, "bombs", "", 1), target)
    hit = max(bombs, sea.torpedoes(sea.dice(unit, "torpedo", "", 1), target))
    guns = sea.flak(sea.dice(target, "aaw", "", 1), unit)
    return hit - CAUTION * guns if hit else -1.0


def _patrol(sea: Lookout, unit: Json, spot: Spot, aloft: list[Json]) -> float:
    if sea.card(unit)["type"] != "Fighter":
        return -0.5
    near = [enemy for enemy in aloft if spot.away(sea.where(enemy)) < 8]
    fight = max((sea.flak(sea.dice(unit, "aaw", "", 1), enemy) for enemy in near), default=0.0)
    guard = max((sea.points(u) for u in sea.friends if spot.away(sea.where(u)) < 1), default=0.0)
    return fight + guard / 100


def _land(sea: Lookout) -> Score:
    """On a ship rather than on land: it rearms sooner."""
    return lambda item: 0.0 if item["command"]["base"] == "land-base" else 1.0


# --- attacks -------------------------------------------------------------------------------------


def _attack(sea: Lookout) -> Score:
    """The shot that looks best; none at what looks out of reach."""

    def score(item: Item) -> float:
        command = item["command"]
        if deed(command["type"]) == "pass":
            return 0.0
        return shot(sea, command)

    return score


def shot(sea: Lookout, command: Json) -> float:
    """Points that an attack promises, judged by eye; below 0 if it cannot come off."""
    unit, target = sea.units[command["unit"]], sea.units[command["target"]]
    at, there = sea.where(unit), sea.where(target)
    band, weapon, arc = sea.band(at, there, target), command["weapon"], command["arc"]
    dice = sea.dice(unit, weapon, arc, band)
    if not dice:
        return -1.0
    if weapon == "aaw":
        return sea.flak(dice, target)
    found = 0.5 if sea.card(target)["kind"] == "submarine" and not target["detected"] else 1.0
    if weapon == "torpedo" and unit["pose"] is not None:
        good = sea.in_channel(unit, at, there, target, arc)
        return found * sea.torpedoes(dice, target) if good else -1.0
    if weapon == "torpedo":
        return sea.torpedoes(dice, target)
    if arc and at.arc(there) != arc:
        return -1.0
    return found * sea.worth(dice, target)


SCORES: dict[str, Callable[[Lookout], Score]] = {
    "build-fleet": _fleet,
    "place": _place,
    "dive": _dive,
    "move": _sail,
    "deploy-aircraft": _fly,
    "attack": _attack,
    "land-aircraft": _land,
}
"""How to score the items, by the question that is asked: every one that there is."""
