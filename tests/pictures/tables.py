"""Every field of each game's state, and how it shows in the picture.

A field of the state, or of a unit, stands in exactly one of three tables of its game:

SHOWN    a change of the field, and the class of what it adds to the picture
TOLD     a change of the field that changes the picture's words
UNDRAWN  why it is in no picture
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from domain.games.crimson_tide.rules import state as ct
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.naval_battles.rules import state as nb
from domain.games.war_at_sea.rules import state as was
from domain.games.war_at_sea.rules.charts import Map
from domain.games.war_at_sea.rules.effects import MoreDice
from domain.games.war_at_sea.rules.scenarios import scenario
from domain.kernel.chance import Awaited, Dice
from domain.kernel.setup import Result
from domain.kernel.tally import Tally
from domain.kernel.values import Hidden, Known, StepKey

RESULT = Result(("p2",), "points", "TEST-1")
AWAITED = Awaited("a roll", (Dice(2),), "p1")
HIDDEN = "what follows from it is drawn; by itself it is book-keeping"


@dataclass(frozen=True)
class Table:
    """A game's part. ``at`` is the recorded game and version whose position is changed.

    unit  the unit that is changed, by ID
    """

    folder: str
    at: tuple[str, int]
    unit: str
    state: type
    piece: type
    shown: dict[str, tuple[Any, str]]
    told: dict[str, Any]
    unit_shown: dict[str, tuple[Any, str]]
    unit_told: dict[str, Any] = field(default_factory=dict)
    undrawn: dict[str, str] = field(default_factory=dict)
    unit_undrawn: dict[str, str] = field(default_factory=dict)
    units: str = "units"


_EFFECT = MoreDice(unit="p1-1", attack="main", dice=1, source="p2-1", rule="TEST-1", until=9)
_ATTACK = was.Attack(
    "p1-1", "main", "p2-1", 1, Tally(4, ()), Tally(0, ()), Tally(3, ()), Tally(9, ())
)

WAR_AT_SEA = Table(
    folder="war_at_sea",
    at=("points-2009", 81),
    unit="p1-1",
    state=was.State,
    piece=was.Unit,
    shown={
        "fleets": ({"p1": Hidden(1), "p2": Known(("uss-atlanta",))}, "fleet-hidden"),
        "units": ({}, "side-name"),
        "lost": ((was.Lost("p1-9", "uss-atlanta", "p1", 1, "destroyed", 9),), "lost-units"),
        "stacks": ({"p1-1": ("uss-atlanta",)}, "stack"),
        "objectives": (("1.1", "2.2", "3.3", "4.4"), "objective"),
        "smoke": ({"3.3": 4}, "smoke"),
        "mines": (("3.3", "3.3", "4.4"), "marker-mine"),
        "effects": ((_EFFECT,), "marker-effect"),
        "active": ("p1-1", "marker-active"),
        "squalls": (("5.5",), "squall"),
        "light": ("night", "dark-sea"),
        "attack": (_ATTACK, "attack-open"),
    },
    told={
        "edition": "2007",
        "scenario": "convoy",
        "alliances": {"p1": "Allies", "p2": "Axis"},
        "step": StepKey("surface-attack"),
        "turn": 7,
        "edges": {"p1": "north", "p2": "south"},
        "first": "p2",
        "passed": ("p1",),
        "claimed": {"4.4": "p2"},
        "scores": {"p1": 77, "p2": 3},
        "barred": ("p1",),
        "stalemate": ("p1",),
        "awaiting": AWAITED,
        "escort": "p1",
        "weather": 3,
        "zone": 2,
        "result": RESULT,
        "custom_scenario": scenario("major-200", "2009"),
        "custom_map": Map("bare", "Bare", island_by_die=("1.1", "1.2", "1.3", "1.4", "1.5", "1.6")),
    },
    undrawn={
        "options": HIDDEN,
        "seats": "every side has a panel",
        "side_chooser": HIDDEN,
        "tended": HIDDEN,
        "first_deployer": HIDDEN,
        "thrown": "in the report",
        "last": HIDDEN,
        "declined": HIDDEN,
        "bonus": "in the scores",
        "used": HIDDEN,
        "progress": HIDDEN,
        "calm": HIDDEN,
        "purpose": "the heading says that dice are awaited",
        "carriers": "the Carrier has its Destroyed marker",
        "rolls": HIDDEN,
    },
    unit_shown={
        "damage": (1, "hull-lost"),
        "pending": (1, "hull-pending"),
        "doomed": (True, "marker-destroyed"),
        "aborted": (True, "marker-aborted"),
        "rearming": (True, "marker-rearming"),
        "placed": (True, "marker-mission"),
        "strafing": (True, "marker-strafing"),
        "role": ("Fighter", "marker-role"),
        "done": (("main",), "marker-fired"),
        "attacked": (True, "marker-fired"),
        "spent": (("lucky-escape",), "marker-spent"),
        "moved": (True, "marker-moved"),
        "base": ("1.1", "aboard"),
    },
    unit_told={"id": "p1-77", "card": "uss-boise-cl-47", "seat": "p2", "sector": "11.7"},
    unit_undrawn={
        "struck": HIDDEN,
        "own_act": "told when the unit leaves play",
    },
)
"""War at Sea."""

_SHOT = ct.Shot("p1-4", "primary", "p2-4", "forward", 1, dice=Tally(5, ()))
_STORM = ct.Storm("s9", (300_000, 300_000), 100_000)
_LAND = ct.Land("l9", ((0, 0), (90_000, 0), (90_000, 90_000)), "hard")

CRIMSON_TIDE = Table(
    folder="crimson_tide",
    at=("amphibious", 170),
    unit="p1-4",
    state=ct.State,
    piece=ct.Unit,
    shown={
        "fleets": ({"p1": Hidden(1)}, "fleet-hidden"),
        "dives": ({"p1": Hidden(1)}, "dives-hidden"),
        "units": ({}, "side-name"),
        "lost": (
            tuple(ct.Lost(f"{s}-9", "uss-boise", s, 1, "destroyed", 9) for s in ("p1", "p2")),
            "lost-units",
        ),
        "land": ((_LAND,) * 9, "land-hard"),
        "storms": ((_STORM,) * 9, "storm-disc"),
        "objectives": ((ct.Objective("o9", (90_000, 90_000), 5),), "objective-control"),
        "order": (ct.Order("p1-4", (), 2, 2), "marker-active"),
        "shot": (_SHOT, "attack-open"),
        "wind": (90, "wind"),
    },
    told={
        "scenario": "major",
        "title": "A battle of our own",
        "terms": ct.Terms(
            points={"p1": 9}, units=9, airbase=9, turns=3, light="night", escort="p1"
        ),
        "options": ct.Options(width=50),
        "step": StepKey("movement"),
        "turn": 9,
        "first": "p2",
        "passed": ("p1",),
        "scores": {"p1": 77, "p2": 3},
        "draw": ("p1",),
        "gone": ("p1",),
        "awaiting": AWAITED,
        "result": RESULT,
    },
    undrawn={
        "seats": "every seat has a panel",
        "tended": HIDDEN,
        "revealed": "the fleets are shown or sealed",
        "last": HIDDEN,
        "led": HIDDEN,
        "purpose": "the heading says that dice are awaited",
        "rolls": HIDDEN,
    },
    unit_shown={
        "submerged": (True, "marker-submerged"),
        "detected": (True, "marker-detected"),
        "stopped": (True, "marker-stopped"),
        "must_reverse": (True, "marker-reverse"),
        "hull_lost": (1, "hull-lost"),
        "pending": (1, "hull-pending"),
        "criticals": ((2, 4, 5, 6, 7, 8, 9, 10, 11), "marker-critical-6"),
        "pending_criticals": ((6,), "marker-pending-critical"),
        "doomed": (True, "marker-destroyed"),
        "inbound": ((ct.Inbound("p2-2", 1, 3),), "marker-inbound"),
        "moved": (True, "marker-moved"),
        "evaded": (True, "marker-evaded"),
        "tested": (True, "marker-tested"),
        "collided": (True, "marker-collided"),
        "used": (("secondary",), "marker-fired"),
        "tried": (("surface-attack/primary/p2-1",), "marker-tried"),
        "launched": (True, "marker-launched"),
        "mended": ((6,), "marker-mended"),
        "rearming": (2, "marker-rearming"),
        "aborted": (True, "marker-aborted"),
    },
    unit_told={
        "id": "p1-77",
        "card": "uss-boise",
        "seat": "p2",
        "pose": Pose(500_000, 500_000, 45),
        "ahead": 7,
        "astern": 3,
        "turned": False,
    },
    unit_undrawn={
        "away_ahead": "only with must_reverse: a case has it",
        "fresh": "the critical itself is drawn",
        "base": "a unit at a base has no pose: see the built positions",
        "mission": "aircraft only: see the built positions",
        "beside": "aircraft only: see the built positions",
        "side": "aircraft only: see the built positions",
        "at": "aircraft only: see the built positions",
    },
)
"""Crimson Tide."""

_PREPARED = nb.Prepared("near-miss", "jp-yamato", used=True)
_OPEN = nb.Attack(1, "torpedo-spread", "gb-king-george-v", "torpedo-4", ("jp-kagero",))

NAVAL_BATTLES = Table(
    folder="naval_battles",
    at=("points-2", 100),
    unit="jp-yamato",
    units="ships",
    state=nb.State,
    piece=nb.Ship,
    shown={
        "committed": ({"p1": Hidden(1)}, "fleet-hidden"),
        "ships": ({}, "side-name"),
        "reserves": ({"p1": ("jp-akagi",), "p2": ("gb-hood",)}, "reserve"),
        "sunk": ({"p1": ("gb-hood",), "p2": ("jp-akagi",)}, "sunk-ships"),
        "hands": ({"p1": Hidden(4), "p2": Hidden(2)}, "hand-hidden"),
        "deck": (Hidden(7), "deck"),
        "discards": (("near-miss",), "discard"),
        "prepared": (
            {"p1": (nb.Prepared("near-miss", "jp-yamato", used=True),), "p2": ()},
            "prepared-used",
        ),
        "retreats": ({"p1": ("retreat",)}, "retreat"),
        "attacks": ((_OPEN,), "attack-open"),
        "removing": (2, "aside"),
        "surprises": ((nb.Surprise("surprise-attack", "p2"),), "aside"),
        "aim": (nb.Aim("land-raid", 1, 2), "aside"),
        "roll": (nb.Roll("torpedo", "p1", 1), "aside"),
        "tied": (("p1", "p2"), "aside"),
    },
    told={
        "scenario": "linked",
        "step": StepKey("draw"),
        "nations": {"p1": "italy", "p2": "france"},
        "lacking": {"p1": 2},
        "earlier": {"p1": 9, "p2": 3},
        "first": "p2",
        "active": "p2",
        "turn": 9,
        "round": 8,
        "calm": 4,
        "calls": ("p1",),
        "passed": ("p1",),
        "withdrew": {"p1": 3},
        "gone": ("p1",),
        "awaiting": AWAITED,
        "result": RESULT,
    },
    undrawn={
        "edition": "there is one",
        "options": HIDDEN,
        "seats": "every seat has its fleet",
        "battle": "told in linked games: see the built positions",
        "house": "its cards are called by their names",
        "progress": HIDDEN,
        "declared": HIDDEN,
        "last": HIDDEN,
        "purpose": "the heading says that dice are awaited",
        "renewed": "counted, to know what may lie in hands; the discards were shown before",
        "drawn": HIDDEN,
        "rolls": HIDDEN,
    },
    unit_shown={
        "row": (3, "row-3"),
        "damage": (("main-14-18-4",), "hull-lost"),
        "used": (("main-18",), "marker-fired"),
        "prepared": (True, "marker-prepared"),
        "raided": (True, "marker-raided"),
        "covered": (2, "marker-covered"),
    },
    unit_told={"id": "jp-akagi", "seat": "p2"},
    unit_undrawn={"active": "submarines only: see the built positions"},
)
"""Naval Battles."""

TABLES = (WAR_AT_SEA, CRIMSON_TIDE, NAVAL_BATTLES)
