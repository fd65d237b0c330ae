"""A War at Sea bot that takes what looks best now: objectives, good shots, and no needless risk."""

from __future__ import annotations

from collections.abc import Callable

from domain.kernel.commands import deed
from domain.kernel.shown.bot import Item, Json, Position

from .estimate import AIRBASE, CONVOY_SHIP, OBJECTIVE, Table, distance, value

CAUTION = 0.5
"""What a point at risk weighs against a point to win: less than one, as waiting wins nothing."""

ON_THE_SAME_ERRAND = 0.25
"""What an objective is worth to a Ship when another one is as near to it."""

CALM = 5
"""Turns without progress after which the bot asks for a stalemate (RUL-83)."""

CONVOY_STEP = 10.0
"""What a row towards the far edge is worth to a convoy Ship."""

OFF_MAP = "off-map"
BREAKOUT = "secret-breakout"

STALEMATE: Item = {"command": {"type": "war-at-sea.call-stalemate"}}
"""Open at any time but listed nowhere, as it is a way out of the game."""

KEEP_FOR_LATER = 2.0
"""Points that a once-a-game ability must add to an attack before it is worth using up."""


class Greedy:
    """Looks one command ahead. It never resigns, and does the same in the same position."""

    def choose(self, position: Position) -> Item:
        """The item of the highest score; the first one of equals."""
        if not position.items:
            raise ValueError("there is nothing to choose from")
        table = Table(position.seat, position.view, position.units)
        stalled = table.view["calm"] >= CALM and not table.view.get("escort")
        if stalled and position.seat not in table.view["stalemate"]:
            return STALEMATE
        scores = SCORES[position.question]
        return max(position.items, key=scores(position, table))


Score = Callable[[Item], float]


def _kind(item: Item) -> str:
    return deed(item["command"]["type"])


def _first_best(position: Position, table: Table) -> Score:
    """Rather anything than nothing."""
    return lambda item: 0.0 if _kind(item) == "pass" else 1.0


# --- set-up --------------------------------------------------------------------------------------


def _fleet(position: Position, table: Table) -> Score:
    """The most costly of the ready fleets."""

    def score(item: Item) -> float:
        return float(sum(table.cards[card]["data"]["cost"] for card in item["command"]["cards"]))

    return score


def _deploy(position: Position, table: Table) -> Score:
    """Ships first, before their objectives; Aircraft where they need not rearm."""

    def score(item: Item) -> float:
        command = item["command"]
        card = table.cards[command["card"]]["data"]
        cost: float = card["cost"]
        if card["type"] == "Aircraft":
            return 0.0 if command["at"] == AIRBASE else 10.0
        if command["at"] == OFF_MAP:
            return 1.0
        near = _nearest(table, command["at"])
        crowd = len([unit for unit in table.own if unit["sector"] == command["at"]])
        return 1000.0 + cost - 10 * near - 5 * crowd

    return score


def _nearest(table: Table, sector: str) -> int:
    return min((distance(sector, o) for o in table.view["objectives"]), default=0)


# --- the sea -------------------------------------------------------------------------------------


def _sail(position: Position, table: Table) -> Score:
    """What a move gains over staying; passing is worth a little more than nothing."""
    stays: dict[str, float] = {}

    def score(item: Item) -> float:
        command = item["command"]
        if deed(command["type"]) == "pass":
            return 0.01
        if deed(command["type"]) == "use":
            return _ORDERS.get(command["ability"], 1.0)
        unit = table.units[command["unit"]]
        if unit["card"] == CONVOY_SHIP:
            return CONVOY_STEP * _steams(table, unit["sector"], command["to"])
        if unit["id"] not in stays:
            stays[unit["id"]] = berth(table, unit, unit["sector"])
        gain = berth(table, unit, command["to"]) - stays[unit["id"]]
        return gain - (KEEP_FOR_LATER if command.get("boost") else 0.0)

    return score


_ORDERS = {"general-pursuit": -1.0, "ram": 1000.0}
"""Abilities that are used while Ships move: one costs more than this bot can weigh, one cannot
wait; all others are used when no move gains more."""


def _steams(table: Table, here: str, to: str) -> int:
    """Rows that a convoy Ship gains towards the enemy's edge; off the map is beyond the last."""
    if to == OFF_MAP:
        return 1
    rows = int(to.partition(".")[0]) - int(here.partition(".")[0])
    return rows if table.view["edges"][table.seat] == "south" else -rows


def berth(table: Table, unit: Json, sector: str) -> float:
    """What it is worth to have a unit in a sector when the movement is over."""
    fight = table.offense(unit, sector) - CAUTION * table.nerve * table.threat(unit, sector)
    if table.type(unit) != "Ship":
        return fight - 0.1 * _to_prey(table, sector)
    return fight + sum(_hold(table, unit, sector, each) for each in table.view["objectives"])


def _to_prey(table: Table, sector: str) -> int:
    """Sectors to the nearest enemy Ship."""
    ships = table.at_sea(table.enemies, "Ship")
    return min((distance(sector, ship["sector"]) for ship in ships), default=0)


def _hold(table: Table, unit: Json, sector: str, objective: str) -> float:
    """What being in a sector does for one objective: held now, near it, or kept from the enemy."""
    away = distance(sector, objective)
    speed = max(1, table.card(unit)["speed"])
    turns = -(-away // speed)
    worth: float = OBJECTIVE * 0.5**turns + 0.05 * OBJECTIVE * 0.8**away
    if any(_as_near(table, friend, unit, objective, away) for friend in table.own):
        worth *= ON_THE_SAME_ERRAND
    hostile = [
        distance(enemy["sector"], objective) for enemy in table.at_sea(table.enemies, "Ship")
    ]
    if any(reach <= 1 for reach in hostile):
        worth *= 0.4
        if away <= 1:
            worth += 0.4 * OBJECTIVE * ON_THE_SAME_ERRAND
    return worth


def _as_near(table: Table, friend: Json, unit: Json, objective: str, away: int) -> bool:
    if friend["id"] == unit["id"] or not friend["sector"] or table.type(friend) != "Ship":
        return False
    there = distance(friend["sector"], objective)
    return there < away or (there == away and friend["moved"])


# --- the air -------------------------------------------------------------------------------------


def _fly(position: Position, table: Table) -> Score:
    """The mission with the best balance of damage done and risk run; home if there is none."""
    missions: dict[tuple[str, str, str], float] = {}

    def score(item: Item) -> float:
        command = item["command"]
        if deed(command["type"]) in ("pass", "send-to-airbase"):
            return 0.05
        if deed(command["type"]) == "use":
            return _launch(table, command)
        if command["strafing"]:
            return -1.0
        key = (command["unit"], command["sector"], command["role"])
        if key not in missions:
            missions[key] = mission(table, table.units[key[0]], key[1], key[2])
        return missions[key]

    return score


LAUNCHED = {"scoutplane-attack": "scoutplane", "fly-off-strike": "fly-off-squadron"}
"""Abilities that send an Aircraft on a mission, and its card."""

WORTH_A_LAUNCH = 1.0


def _launch(table: Table, command: Json) -> float:
    """A squadron that flies once waits for a good target; other abilities are used at once."""
    card = LAUNCHED.get(command["ability"])
    if card is None:
        return WORTH_A_LAUNCH
    plane = {"id": "", "card": card, "seat": table.seat}
    gain = mission(table, plane, command["on"])
    return gain if gain > WORTH_A_LAUNCH else -1.0


def mission(table: Table, plane: Json, sector: str, role: str = "") -> float:
    """Points that an Aircraft wins in a sector this turn, less those that it risks."""
    killed, stopped = table.flak(sector, plane)
    strike = max(
        (_strike(table, plane, enemy, role) for enemy in table.enemies
         if enemy["sector"] == sector and not enemy["doomed"]),
        default=0.0,
    )  # fmt: skip
    fighter = (role or table.card(plane)["subtype"]) == "Fighter"
    guard = _guard(table, plane, sector) if fighter else 0.0
    if fighter:
        stopped = 0.0
    return strike * (1 - stopped) + guard - table.nerve * killed * table.cost(plane)


def _strike(table: Table, plane: Json, enemy: Json, role: str) -> float:
    """The best of an Aircraft's attacks on one enemy in its sector."""
    subtype = role or table.card(plane)["subtype"]
    match table.type(enemy):
        case "Aircraft":
            return table.worth(table.dice(plane, "antiair", 0), enemy)
        case "Submarine":
            return table.worth(table.dice(plane, "asw", 0), enemy)
    if subtype == "Fighter" and (role or not table.dice(plane, "bomb", 0)):
        return 0.0
    bombs = table.worth(table.dice(plane, "bomb", 0), enemy)
    return max(bombs, table.torpedoes(table.dice(plane, "torpedo", 0), enemy))


def _guard(table: Table, plane: Json, sector: str) -> float:
    """A Fighter beside what is worth guarding; a little, so that a real fight comes first."""
    beside = [u for u in table.own if u["sector"] == sector and u["id"] != plane["id"]]
    bombers = sum(0.5 for u in beside if "Bomber" in table.card(u)["subtype"])
    ships = 0.02 * sum(table.cost(u) for u in beside if table.type(u) == "Ship")
    return bombers + ships


# --- attacks -------------------------------------------------------------------------------------


def _attack(position: Position, table: Table) -> Score:
    """The most points on average; a unit that has begun finishes before another one begins."""
    active = position.view["active"]

    def score(item: Item) -> float:
        command = item["command"]
        match deed(command["type"]):
            case "attack":
                worth = _shot(position, table, item)
                return worth + 1000.0 if worth > 0 and command["unit"] == active else worth
            case "use":
                return -1.0 if command["ability"] == "lay-smoke-screen" else 2000.0
        return 0.0

    return score


def _shot(position: Position, table: Table, item: Item) -> float:
    command = item["command"]
    target = table.units[command["target"]]
    odds = position.reckon(item)
    if odds is None or target["doomed"]:
        return -1.0
    aircraft = table.type(target) == "Aircraft"
    worth = value(odds, table.cost(target), table.left(target), aircraft)
    return worth - KEEP_FOR_LATER * len(command["abilities"])


def _answer(position: Position, table: Table) -> Score:
    """Roll again after a miss, else leave it; all other questions are worth the try."""
    attack = position.view["attack"]
    if attack is None:
        return _between(position, table)
    missed = (
        attack["successes"] < attack["armor"]["total"]
        if attack["weapon"] != "torpedo"
        else not attack["successes"]
    )
    use = 1.0 if attack["outcome"] or missed else -1.0
    return lambda item: use if _kind(item) == "use" else 0.0


def _between(position: Position, table: Table) -> Score:
    """Abilities between the steps: the best attack first, and arrivals near an objective."""

    def score(item: Item) -> float:
        command = item["command"]
        if deed(command["type"]) != "use":
            return 0.0
        odds, on = position.reckon(item), command["on"]
        if odds is None:
            return 100.0 - _nearest(table, on) if command["ability"] == BREAKOUT else 1.0
        target = table.units[on.rpartition("@")[2]]
        aircraft = table.type(target) == "Aircraft"
        return value(odds, table.cost(target), table.left(target), aircraft)

    return score


# --- the end of the turn -------------------------------------------------------------------------


def _risk(position: Position, table: Table) -> Score:
    """The cheapest Aircraft goes down."""
    return lambda item: -float(table.cost(table.units[item["command"]["unit"]]))


def _return(position: Position, table: Table) -> Score:
    """The dearest first, and to a Carrier rather than to the airbase; give up the cheapest."""

    def score(item: Item) -> float:
        command = item["command"]
        if deed(command["type"]) == "pass":
            return 0.0
        cost = float(table.cost(table.units[command["unit"]]))
        if deed(command["type"]) == "use":
            return 1000.0 + _cost_of_lost(table, command["on"])
        if deed(command["type"]) == "eliminate":
            return -cost
        return cost + (0.5 if command["base"] == AIRBASE else 100.0)

    return score


def _cost_of_lost(table: Table, name: str) -> float:
    """The cost of a unit that has left play."""
    gone = next(each for each in table.view["lost"] if each["id"] == name)
    return float(table.cards[gone["card"]]["data"]["cost"])


SCORES: dict[str, Callable[[Position, Table], Score]] = {
    "build-fleet": _fleet,
    "deploy": _deploy,
    "move": _sail,
    "place-aircraft": _fly,
    "attack": _attack,
    "use-ability": _answer,
    "risk-aircraft": _risk,
    "return-aircraft": _return,
    "choose-edge": _first_best,
    "choose-side": _first_best,
    "claim": _first_best,
    "combat-air-patrol": _first_best,
    "sub-hunter": _first_best,
}
"""How to score the items, by the question that is asked: every one that there is."""
