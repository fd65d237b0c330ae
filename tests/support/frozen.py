"""The stored form of War at Sea's events, frozen: what was written once is read for ever.

tests/frozen/war_at_sea.json holds, for each event type and schema number, its form (a JSON Schema)
and an example as it is stored. ``python -m tests.support.frozen`` adds types that are new and
changes nothing else: a new form of an old type needs a new schema number and an upcaster. Only what
no release has written yet may be struck from the file and frozen anew.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, get_args

import msgspec

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea import events as ev
from domain.games.war_at_sea.state import Attack
from domain.kernel.codec import Codec
from domain.kernel.conformance import play
from domain.kernel.tally import Reason, Tally
from tests.support.random_battles import game_of, setup_of

FILE = Path(__file__).resolve().parents[1] / "frozen" / "war_at_sea.json"
CODEC: Codec[ev.AnyEvent] = Codec(GAME)
TYPES: tuple[type[Any], ...] = get_args(ev.AnyEvent)

_DICE = Tally.of(Reason(12, "WAS-ATK-02", "printed", "p1-1"))
_ATTACK = Attack(
    attacker="p1-1",
    weapon="main",
    target="p2-1",
    range=1,
    dice=_DICE.plus(Reason(-3, "WAS-CARD-jammed-mount", "ability", "p1-1")),
    die=Tally.of(),
    armor=Tally.of(Reason(5, "WAS-FLEET-19", "printed", "p2-1")),
    vital=Tally.of(Reason(9, "WAS-FLEET-20", "printed", "p2-1")),
)

RARE: tuple[ev.AnyEvent, ...] = (
    ev.AttackEnded(attacker="p1-1"),
    ev.AbilityDeclined(unit="p1-1", ability="lucky-escape", rules=("RUL-96",)),
    ev.CarrierDoomed(carrier="p1-1", chosen=("p1-2", "p1-3"), rules=("WAS-AIR-14",)),
    ev.CarrierLossRolled(
        carrier="p1-1", units=("p1-2", "p1-3"), faces=(1, 5), lost=("p1-2",), rules=("WAS-AIR-15",)
    ),
    ev.ClaimDeclined(seat="p1", sectors=("6.3",), rules=("WAS-EOT-03",)),
    ev.PointsScored(seat="p2", points=50, cause="no-ships", rules=("WAS-VP-08",)),
    ev.SmokeCleared(sectors=("3.4",), rules=("WAS-EOT-11",)),
    ev.SmokeLaid(unit="p1-1", sector="3.4", until=2, rules=("WAS-ABIL-30",)),
    ev.AttackAmended(attack=_ATTACK, rules=("WAS-CARD-jammed-mount",)),
    ev.AttackGivenUp(unit="p1-1", weapon="main", rules=("WAS-CARD-shore-support",)),
    ev.EffectEnded(word="aimed", unit="p2-1", source="p1-1", rules=("WAS-CARD-straddle",)),
    ev.HullLost(unit="p1-1", points=2, cause="mines", faces=(2, 5), rules=("WAS-CARD-mines",)),
    ev.HullRepaired(
        unit="p1-1", points=1, cause="damage-control", rules=("WAS-CARD-damage-control",)
    ),
    ev.MinesLaid(unit="p1-1", sector="3.4", rules=("WAS-CARD-mines",)),
    ev.MinesSwept(unit="p1-1", sector="3.4", rules=("WAS-CARD-sweep-mines",)),
    ev.RearmingEnded(unit="p1-1", rules=("WAS-CARD-excellent-endurance",)),
    ev.RearmingBegan(unit="p1-1", rules=("WAS-CARD-uncertain-arrival",)),
    ev.AircraftStayed(seat="p1", units=("p1-2",), rules=("WAS-AIRM-08",)),
    ev.StackKept(carrier="p1-1", cards=("b-25h-mitchell",), rules=("WAS-AIR-14",)),
    ev.SquadronJoined(
        unit="p1-5",
        card="scoutplane",
        seat="p1",
        source="p1-1",
        sector="3.4",
        base="p1-1",
        rules=("WAS-CARD-scoutplane-attack",),
    ),
    ev.StalemateCalled(seat="p1", rules=("RUL-83",)),
    ev.UnitDoomed(unit="p1-1", cause="fatal-flaw", rules=("WAS-ABIL-24",)),
    ev.UnitSpared(unit="p1-1", pending=1, rules=("WAS-DMG-16",)),
)
"""Examples of events that random battles seldom reach."""


def load() -> dict[str, dict[str, Any]]:
    """What is frozen, by stored name and schema number: ``war-at-sea.unit-moved.v1``."""
    frozen: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return frozen


def key(type_: type[Any]) -> str:
    """Name and number under which a type's present form is frozen."""
    return f"{GAME.ruleset}.{type_.NAME}.v{type_.SCHEMA}"


def form(type_: type[Any]) -> dict[str, Any]:
    """The stored form of a type: fields, types, defaults, those of its parts included."""
    (schema,), parts = msgspec.json.schema_components([type_], ref_template="{name}")
    built: dict[str, Any] = json.loads(msgspec.json.encode([schema, parts]))[1]
    return {name: _bare(part) for name, part in built.items()}


def _bare(part: Any) -> Any:
    """Descriptions are for people and may change."""
    if isinstance(part, dict):
        return {name: _bare(value) for name, value in part.items() if name != "description"}
    return [_bare(each) for each in part] if isinstance(part, list) else part


def examples() -> dict[str, Any]:
    """One event of each type, the richest of some random battles where they have one."""
    found: dict[str, bytes] = {key(type(event)): CODEC.encode(event) for event in RARE}
    for seed in range(12):
        for event in _events(seed):
            data, name = CODEC.encode(event), key(type(event))
            if len(found.get(name, b"")) < len(data):
                found[name] = data
    return {name: json.loads(data) for name, data in found.items()}


def _events(seed: int) -> tuple[ev.AnyEvent, ...]:

    dice = random.Random(f"frozen {seed}")
    *_, played = play(game_of(seed), setup_of(seed), dice.randrange)
    return tuple(played.events)


def main() -> None:
    """Freeze the types that are not frozen yet."""
    frozen = load() if FILE.exists() else {}
    fresh = [type_ for type_ in TYPES if key(type_) not in frozen]
    shown = examples() if fresh else {}
    for type_ in fresh:
        frozen[key(type_)] = {"form": form(type_), "example": shown[key(type_)]}
        print(f"frozen: {key(type_)}")
    lines = [
        f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'), sort_keys=True)}"
        for name, entry in sorted(frozen.items())
    ]
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
