"""Planted bugs for the referee of Crimson Tide: changes of a game's events that it must notice.

A plant is a rule's name, the kind of event that it spoils, and what it does to the event's data; it
answers whether it changed anything. Each is tried on the first event that it fits.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from service.referees.verdict import Events, Stored

Data = dict[str, Any]
Spoil = Callable[[Data], bool]
SPOILT: dict[str, tuple[str, Spoil]] = {}


def plant(name: str, kind: str) -> Callable[[Spoil], Spoil]:
    """Enter a planted bug in the list."""

    def enter(spoil: Spoil) -> Spoil:
        SPOILT[name] = (kind, spoil)
        return spoil

    return enter


def short(kind: str) -> str:
    """An event's name without the ruleset's."""
    return kind.rpartition(".")[2]


def spoilt(events: Sequence[Stored], name: str) -> list[Stored] | None:
    """The game with one planted bug; none where the game has no event for it."""
    kind, spoil = SPOILT[name]
    for number, (found, data) in enumerate(events):
        if short(found) == kind:
            changed = copy.deepcopy(dict(data))
            if spoil(changed):
                return [*events[:number], (found, changed), *events[number + 1 :]]
    return None


def without(events: Sequence[Stored], kind: str) -> list[Stored] | None:
    """The game without its first event of a kind."""
    for number, (found, _) in enumerate(events):
        if short(found) == kind:
            return [*events[:number], *events[number + 1 :]]
    return None


def opening_of(events: Sequence[Stored]) -> Data:
    """What the battle was opened with: seats and options."""
    return dict(next(data for kind, data in events if short(kind) == "game-opened"))


def of_teams(events: Sequence[Stored]) -> bool:
    """Whether sides have partners."""
    return len(opening_of(events)["seats"]) > 2


def in_anothers_quadrant(events: Sequence[Stored]) -> list[Stored] | None:
    """The first unit is placed as far along the edge as if its owner had his partner's quadrant."""
    options = opening_of(events)["options"]
    if not of_teams(events) or options["quadrants"] != "set-up":
        return None
    far = options["width"] * options["klick"] // 2
    for number, (kind, data) in enumerate(events):
        if short(kind) == "unit-placed":
            axis = "x" if options["home"] in ("south", "north") else "y"
            pose = dict(data["pose"])
            pose[axis] += far if pose[axis] < far else -far
            return [*events[:number], (kind, {**data, "pose": pose}), *events[number + 1 :]]
    return None


def winner_alone(events: Sequence[Stored]) -> list[Stored] | None:
    """Of the side that wins only the first seat is said to have won."""
    kind, data = events[-1]
    if not of_teams(events) or not data["winners"]:
        return None
    return [*events[:-1], (kind, {**data, "winners": data["winners"][:1]})]


def at_a_partner(events: Sequence[Stored]) -> list[Stored] | None:
    """The first attack of a ship or submarine is at one of a partner's."""
    seats = opening_of(events)["seats"]
    placed = {data["unit"]: data["seat"] for kind, data in events if short(kind) == "unit-placed"}
    for number, (kind, data) in enumerate(events):
        own = placed.get(data["attacker"]) if short(kind) == "attack-declared" else None
        if own and of_teams(events):
            partners = [s for s in seats[seats.index(own) % 2 :: 2] if s != own]
            targets = [u for u, seat in placed.items() if seat in partners]
            changed = [(kind, {**data, "target": u}) for u in targets[:1]]
            return [*events[:number], *changed, *events[number + 1 :]] if changed else None
    return None


def dead_man_acts(events: Sequence[Stored]) -> list[Stored] | None:
    """A unit that was removed makes its last move once more, at the next chance of its side."""
    removed: dict[str, Stored] = {}
    moved: dict[str, Stored] = {}
    for number, (kind, data) in enumerate(events):
        if short(kind) == "move-ordered":
            moved[data["order"]["unit"]] = (kind, data)
        if short(kind) == "unit-removed" and data["unit"] in moved:
            removed[data["unit"]] = moved[data["unit"]]
        if short(kind) == "step-began" and data["step"]["phase"] == "movement" and removed:
            extra = list(removed.values())[-1]
            return [*events[: number + 1], extra, *events[number + 1 :]]
    return None


DROPPED = {"a marker without its destruction": "unit-destroyed", "a turn without end": "turn-ended"}
"""What is left out, and the kind of event."""


def _add(data: Data, key: str, by: int = 1) -> bool:
    data[key] += by
    return True


def _set(data: Data, key: str, value: object) -> bool:
    data[key] = value
    return True


@plant("range one band off", "attack-measured")
def _band(d: Data) -> bool:
    return _add(d["shot"], "band")


@plant("range one band off in a waste", "attack-wasted")
def _wasted(d: Data) -> bool:
    return d["reason"] == "out-of-range" and _add(d, "band", -1)


@plant("a shot within range is wasted", "attack-wasted")
def _in_arc(d: Data) -> bool:
    return d["reason"] == "outside-arc" and _set(d, "reason", "out-of-range")


@plant("pool one too large", "attack-measured")
def _pool(d: Data) -> bool:
    return _add(d["shot"]["dice"], "total")


@plant("armor one too high", "attack-measured")
def _armor(d: Data) -> bool:
    return _add(d["shot"]["armor"], "total")


@plant("critical rating one too low", "attack-measured")
def _critical(d: Data) -> bool:
    return _add(d["shot"]["critical"], "total", -1)


@plant("hits on 3", "attack-measured")
def _least(d: Data) -> bool:
    return _add(d["shot"]["least"], "total", -1)


@plant("fired through the wrong arc", "attack-measured")
def _arc(d: Data) -> bool:
    ways = {"forward": "aft", "aft": "forward", "port": "starboard", "starboard": "port"}
    arc = d["shot"]["arc"]
    return arc in ways and _set(d["shot"], "arc", ways[arc])


@plant("six not rolled again", "attack-resolved")
def _six(d: Data) -> bool:
    return len(d["rounds"]) > 1 and _set(d, "rounds", d["rounds"][:-1])


@plant("one hit too many", "attack-resolved")
def _hits(d: Data) -> bool:
    return _add(d, "hits")


@plant("outcome one step up", "attack-resolved")
def _outcome(d: Data) -> bool:
    up = {"miss": "hit", "hit": "critical", "aborted": "destroyed"}
    return d["outcome"] in up and _set(d, "outcome", up[d["outcome"]])


@plant("two hull points for a gun's hit", "attack-resolved")
def _hull(d: Data) -> bool:
    return d["hull"] == 1 and _add(d, "hull")


@plant("wrong critical", "critical-rolled")
def _table(d: Data) -> bool:
    return _set(d, "result", 11 if d["result"] != 11 else 4)


@plant("a torpedo too many", "torpedoes-launched")
def _torpedo(d: Data) -> bool:
    return _add(d["inbound"], "number")


@plant("a torpedo hits on 5", "torpedoes-checked")
def _torpedo_hit(d: Data) -> bool:
    return _add(d, "hits") and _add(d, "hull", 2)


@plant("evaded with a 3", "evasion-rolled")
def _evaded(d: Data) -> bool:
    return _set(d, "evaded", not d["evaded"])


@plant("moved too far", "unit-moved")
def _far(d: Data) -> bool:
    return bool(d["track"]) and _add(d["track"][-1], "x", 30_000) and _add(d["track"][-1], "y", 9)


@plant("a klick too many", "unit-moved")
def _klick(d: Data) -> bool:
    return _add(d, "ahead")


@plant("ordered past its speed", "move-ordered")
def _speed(d: Data) -> bool:
    path = [0] * (d["order"]["allowed"] + 1)
    return _set(d["order"], "path", path) and _set(d["order"], "klicks", len(path))


@plant("allowed one klick more", "move-ordered")
def _allowed(d: Data) -> bool:
    return _add(d["order"], "allowed")


@plant("turned too sharply", "move-ordered")
def _sharp(d: Data) -> bool:
    path = d["order"]["path"]
    return (
        len(path) > 1 and not d["order"]["astern"] and _set(d["order"], "path", [0, 91, *path[2:]])
    )


@plant("turned before the first klick", "move-ordered")
def _early(d: Data) -> bool:
    path = d["order"]["path"]
    return bool(path) and not d["order"]["astern"] and _set(d["order"], "path", [9, *path[1:]])


@plant("aground on a high face", "grounding-tested")
def _aground(d: Data) -> bool:
    return _set(d, "aground", not d["aground"])


@plant("an impact without its hull point", "impact-rolled")
def _impact(d: Data) -> bool:
    return d["hull"] > 0 and _set(d, "hull", 0)


@plant("collision dice by the card", "units-collided")
def _ram(d: Data) -> bool:
    return _add(d["impacts"][0], "dice")


@plant("damage applied twice", "damage-applied")
def _damage(d: Data) -> bool:
    return _add(d, "hullLost")


@plant("points doubled", "unit-removed")
def _points(d: Data) -> bool:
    return d["points"] > 0 and _set(d, "points", 2 * d["points"])


@plant("points to its owner", "unit-removed")
def _scorer(d: Data) -> bool:
    return _set(d, "scorer", "p2" if d["scorer"] == "p1" else "p1")


@plant("initiative total wrong", "initiative-rolled")
def _total(d: Data) -> bool:
    return _add(d["totals"]["p1"], "total")


@plant("the winner goes first", "initiative-rolled")
def _first(d: Data) -> bool:
    return bool(d["first"]) and _set(d, "first", "p2" if d["first"] == "p1" else "p1")


@plant("found with a 2", "detection-rolled")
def _found(d: Data) -> bool:
    return _set(d, "detected", not d["detected"])


@plant("one rearming marker too few", "aircraft-landed")
def _rearming(d: Data) -> bool:
    return _add(d, "rearming", -1)


@plant("an aircraft a length off its place", "aircraft-deployed")
def _beside(d: Data) -> bool:
    return bool(d["beside"]) and _set(d, "at", [d["at"][0] + 50_000, d["at"][1]])


@plant("repaired with a 4", "repair-rolled")
def _repaired(d: Data) -> bool:
    return _set(d, "repaired", not d["repaired"])


@plant("a fleet too dear", "fleets-revealed")
def _dear(d: Data) -> bool:
    return _set(d, "fleets", {s: [{"card": "uss-iowa"}] * 9 for s in d["fleets"]})


@plant("set up in the middle", "unit-placed")
def _placed(d: Data) -> bool:
    return _set(d, "pose", {"x": 700_000, "y": 700_000, "heading": 0})


@plant("an enemy takes over from who has left", "player-left")
def _heir(d: Data) -> bool:
    return _set(d, "heir", "p1" if int(d["seat"][1:]) % 2 == 0 else "p2")


@plant("who has left passes", "player-left")
def _gone(d: Data) -> bool:
    return _set(d, "seat", d["heir"]) and _set(d, "heir", d["seat"])


@plant("the loser wins", "game-ended")
def _winner(d: Data) -> bool:
    other = {"p1": "p2", "p2": "p1"}
    ways = [other[s] for s in d["winners"]]
    return d["reason"] == "last-turn" and bool(ways) and _set(d, "winners", ways)


@plant("the game ends a turn late", "turn-began")
def _late(d: Data) -> bool:
    return d["turn"] > 1 and _add(d, "turn")


def begins_elsewhere(events: Events) -> Events | None:
    """A ship that the scenario places stands a wu beside it."""
    for number, (kind, data) in enumerate(events if opening_of(events)["terms"]["starts"] else ()):
        if short(kind) == "unit-placed":
            pose = dict(data["pose"]) | {"x": data["pose"]["x"] + 1}
            return [*events[:number], (kind, {**data, "pose": pose}), *events[number + 1 :]]
    return None


def does_not_begin(events: Events) -> Events | None:
    """A unit of the scenario is nowhere when the battle begins."""
    return without(events, "aircraft-based") if opening_of(events)["terms"]["starts"] else None


@plant("a convoy in the wrong fleet", "game-opened")
def _convoy(d: Data) -> bool:
    other = {"p1": "p2", "p2": "p1"}
    terms = d["terms"]
    return bool(terms["escort"]) and _set(
        d, "terms", terms | {"escort": other[terms["escort"]], "otherEscort": ""}
    )


@plant("the late convoy wins", "game-ended")
def _late_convoy(d: Data) -> bool:
    other = {"p1": "p2", "p2": "p1"}
    return d["reason"].startswith("convoy") and _set(d, "winners", [other[s] for s in d["winners"]])


PLANTS: dict[str, Callable[[Events], Events | None]] = {
    **{name: partial(spoilt, name=name) for name in SPOILT},
    **{name: partial(without, kind=kind) for name, kind in DROPPED.items()},
    "a removed ship acts": dead_man_acts,
    "a unit in a partner's quadrant": in_anothers_quadrant,
    "one of a team wins alone": winner_alone,
    "an attack at a partner": at_a_partner,
    "a unit beside where the scenario says": begins_elsewhere,
    "a unit of the scenario is missing": does_not_begin,
}
"""Every planted bug by name: the spoilt game; none where the game has no event for it."""
