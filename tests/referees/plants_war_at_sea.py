"""Planted bugs of War at Sea: a game's events changed as an engine with that bug would tell them.

Each plant changes the first event of its kind that it finds and leaves alone what it does not.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from service.referees.verdict import Events

Data = dict[str, Any]
Story = list[tuple[str, Data]]
Change = Callable[[Data], bool]


def plant(events: Events, kind: str, change: Change) -> Story | None:
    """The story with the first fitting event of a kind changed; None where there is none."""
    story: Story = [(name, dict(data)) for name, data in events]
    for seq, (name, data) in enumerate(story):
        if name.removeprefix("war-at-sea.") == kind:
            changed = copy.deepcopy(data)
            if change(changed):
                story[seq] = name, changed
                return story
    return None


def repeated(events: Events, kind: str, fits: Callable[[Data], bool]) -> Story | None:
    """The story with the first fitting event of a kind told twice."""
    story: Story = [(name, dict(data)) for name, data in events]
    for seq, (name, data) in enumerate(story):
        if name.removeprefix("war-at-sea.") == kind and fits(data):
            return [*story[: seq + 1], story[seq], *story[seq + 1 :]]
    return None


def dropped(events: Events, kind: str) -> Story | None:
    """The story without its first event of a kind."""
    story: Story = [(name, dict(data)) for name, data in events]
    for seq, (name, _) in enumerate(story):
        if name.removeprefix("war-at-sea.") == kind:
            return story[:seq] + story[seq + 1 :]
    return None


def more(figure: str, by: int) -> Change:
    """A figure is so much higher than it should be."""

    def change(data: Data) -> bool:
        data[figure] += by
        return True

    return change


def tally(name: str, by: int) -> Change:
    """A tally of an attack is so much higher, with a reason that is no ability's."""

    def change(data: Data) -> bool:
        made = data["attack"][name]
        made["total"] += by
        made["reasons"] = [*made["reasons"], {"value": by, "rule": "WAS-ATK-02", "label": "slip"}]
        return True

    return change


def attack(figure: str, by: int) -> Change:
    """A figure of an attack is so much higher."""

    def change(data: Data) -> bool:
        data["attack"][figure] += by
        return True

    return change


def instead(figure: str, was: Any, now: Any) -> Change:
    """One word stands where another should."""

    def change(data: Data) -> bool:
        fits = bool(data.get(figure) == was)
        data[figure] = now
        return fits

    return change


def guns_early(data: Data) -> bool:
    """Surface Attack stands where Air Defense begins."""
    fits: bool = data["step"] == {"phase": "air-defense", "part": "first"}
    data["step"]["phase"] = "surface-attack"
    return fits


def flipped(figure: str) -> Change:
    """Yes for no."""

    def change(data: Data) -> bool:
        data[figure] = not data.get(figure, False)
        return True

    return change


def weapon(was: str, now: str) -> Change:
    """It attacks with something else."""

    def change(data: Data) -> bool:
        fits = bool(data["attack"]["weapon"] == was)
        data["attack"]["weapon"] = now
        return fits

    return change


def own_side(data: Data) -> bool:
    """It fires at itself."""
    data["attack"]["target"] = data["attack"]["attacker"]
    return True


def too_far(data: Data) -> bool:
    """A Ship goes on to and fro, farther than any can."""
    data["path"] = [*data["path"], *(data["path"][-1:] * 3)]
    return not data.get("boost")


def leap(data: Data) -> bool:
    """A Ship leaps across the map."""
    row = 1 if int(data["path"][-1].split(".")[0]) > 5 else 11
    data["path"] = [f"{row}.4"]
    return True


def swapped(data: Data) -> bool:
    """The winner of the initiative goes first."""
    seats = list(data["totals"])
    data["first"] = seats[data["first"] == seats[0]] if data.get("first") else ""
    return bool(data["first"])


def loaded(data: Data) -> bool:
    """A die is not the one that was thrown."""
    faces = list(data["faces"])
    data["faces"] = [7 - faces[0], *faces[1:]]
    return True


def one_die_more(data: Data) -> bool:
    data["faces"] = [*data["faces"], 1]
    return True


def other_scorer(data: Data) -> bool:
    data["scorer"] = {"p1": "p2", "p2": "p1"}[data["scorer"]]
    return bool(data["points"])


def doubled(data: Data) -> bool:
    data["points"] *= 2
    return bool(data["points"])


def other_winner(data: Data) -> bool:
    winners = {("p1",): ["p2"], ("p2",): ["p1"]}
    data["winners"] = winners.get(tuple(data.get("winners", ())), ["p1"])
    return True


def other_ability(data: Data) -> bool:
    data["ability"] = "ram"
    return True


def wrong_objective(data: Data) -> bool:
    data["sector"] = "2.2" if data["sector"] != "2.2" else "2.3"
    return True


def no_dice(data: Data) -> bool:
    seen = data["faces"]
    data["faces"] = seen | {"items": [[*pool, 1] for pool in seen["items"]]}
    return True


def _once(data: Data) -> bool:
    return bool(data.get("once"))


def _any(_data: Data) -> bool:
    return True


Plant = Callable[[Events], Story | None]


def _of(kind: str, change: Change) -> Plant:
    return lambda events: plant(events, kind, change)


PLANTS: dict[str, Plant] = {
    "a die more in the pool": _of("attack-declared", tally("dice", 1)),
    "a die fewer in the pool": _of("attack-declared", tally("dice", -1)),
    "a penalty too many on each die": _of("attack-declared", tally("die", -1)),
    "armor one too high": _of("attack-declared", tally("armor", 1)),
    "armor one too low": _of("attack-declared", tally("armor", -1)),
    "vital armor one too high": _of("attack-declared", tally("vital", 1)),
    "a total that is not its reasons": _of(
        "attack-declared", lambda d: bool(d["attack"]["dice"].update(total=99) is None)
    ),
    "range one too far": _of("attack-declared", attack("range", 1)),
    "fires at its own side": _of("attack-declared", own_side),
    "depth charges at a Ship": _of("attack-declared", weapon("main", "asw")),
    "bombs of a Ship": _of("attack-declared", weapon("main", "bomb")),
    "the main guns fire twice": lambda events: repeated(
        events, "attack-declared", lambda d: bool(d["attack"]["weapon"] == "main")
    ),
    "a success too many": _of("attack-rolled", more("successes", 1)),
    "a die that was not thrown": _of("attack-rolled", loaded),
    "one die more than the pool": _of("attack-rolled", one_die_more),
    "a miss that hits": _of("attack-resolved", instead("outcome", "miss", "hit")),
    "a hit that misses": _of("attack-resolved", instead("outcome", "hit", "miss")),
    "a hit that destroys": _of("attack-resolved", instead("outcome", "hit", "destroyed")),
    "a destroyed Ship only hit": _of("attack-resolved", instead("outcome", "destroyed", "hit")),
    "an aborted Aircraft destroyed": _of(
        "attack-resolved", instead("outcome", "aborted", "destroyed")
    ),
    "damage one too much": _of("damage-applied", more("damage", 1)),
    "crippled or not": _of("damage-applied", flipped("crippled")),
    "damage forgotten": lambda events: dropped(events, "damage-applied"),
    "a destroyed unit stays": lambda events: dropped(events, "unit-removed"),
    "points doubled": _of("unit-removed", doubled),
    "points for its own side": _of("unit-removed", other_scorer),
    "moves too far": _of("unit-moved", too_far),
    "leaps across the map": _of("unit-moved", leap),
    "moves twice": lambda events: repeated(events, "unit-moved", _any),
    "the winner goes first": _of("initiative-rolled", swapped),
    "an ability used twice": lambda events: repeated(events, "ability-used", _once),
    "an ability of another card": _of("ability-used", other_ability),
    "two missions in a turn": lambda events: repeated(events, "aircraft-placed", _any),
    "no rearming at the airbase": _of("aircraft-returned", instead("rearming", True, False)),
    "an objective worth more": _of("objective-claimed", doubled),
    "an objective that nobody holds": _of("objective-claimed", wrong_objective),
    "the bonus doubled": _of("points-scored", doubled),
    "the search succeeds": _of("search-rolled", instead("found", False, True)),
    "a concealment missed": _of("concealment-rolled", flipped("concealed")),
    "the loser wins": _of("game-ended", other_winner),
    "the game never ends": lambda events: dropped(events, "game-ended"),
    "a turn is skipped": _of("turn-began", more("turn", 1)),
    "guns before bombs": _of("step-began", guns_early),
    "a die too many": _of("dice-thrown", no_dice),
}
