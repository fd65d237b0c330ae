"""A referee of Crimson Tide: judges a battle from its events, by seed 003 and the cards' figures.

Numbers in brackets are lines of the booklet's text, or its sections; readings are those of
RULINGS.md. Geometry is in floats with a tolerance (``crimson_tide_table``): what lies right at a
limit is not judged. Positions are compared to two world units: the record rounds each klick.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from . import crimson_tide_table as t
from .figures import GAMES
from .verdict import Data, Events, Reader, Verdict, read_all

FIGURES = GAMES / "crimson_tide" / "rules"
GUNS = ("primary", "secondary", "tertiary")
TEMPLATE = {"capital": 45, "large": 60, "medium": 72, "small": 90}  # half degrees (343 to 353)
GROUNDS = {"capital": 3, "large": 2, "medium": 1, "small": 0}  # (399 to 401)
GROUND_DICE = {"soft": 4, "hard": 8, "impassable": 12}  # (417 to 419)
REPAIRABLE = (4, 5, 6, 7, 9, 10, 11)  # the table's own notes
PHASES = (
    "dive",
    "initiative",
    "movement",
    "air-deployment",
    "air-defense",
    "air-attack",
    "surface-attack",
    "torpedo-check",
    "submarine-attack",
    "air-transit",
    "end-of-turn",
)
HALVES = ("first", "second")
BOMBERS = ("Dive Bomber", "Torpedo Bomber", "Patrol Bomber")


SEES_ON_3 = ("radar-fire-control", "sharp-lookouts")
EVADED_ON_5 = ("long-lance", "wakeless-torpedoes", "close-drop")
ESCORTS = {"escort": 8, "close-formation": 4, "early-warning": 8}
CRITICAL_AS = {  # (what is rolled, what it counts as, whether it harms)
    "vulnerable-magazine": (3, 2, True),
    "guarded-magazines": (2, 3, False),
    "unit-machinery": (5, 11, False),
    "undivided-machinery": (11, 5, True),
    "fire-parties": (6, 12, False),
    "fuel-vapors": (11, 6, True),
    "armored-flight-deck": (7, 12, False),
}
"""What the special abilities of chapter 5 do; those of the cards that have one are ours (774)."""


@cache
def cards() -> dict[str, dict[str, Any]]:
    """The figures of every card."""
    found = [f for name in ("units", "pieces") for f in (FIGURES / name).iterdir()]
    texts = [f.read_text("utf-8") for f in found if f.name.endswith(".toml")]
    return {unit["id"]: unit for text in texts for unit in tomllib.loads(text)["unit"]}


@dataclass
class Unit:
    """What the referee knows of a unit."""

    name: str
    card: dict[str, Any]
    seat: str
    pose: t.Pose | None = None
    at: t.XY | None = None
    home: str = ""
    lost: int = 0
    pending: int = 0
    marks: set[int] = field(default_factory=set)
    coming: set[int] = field(default_factory=set)
    destroyed: bool = False
    crippled_said: bool = False
    gone: bool = False
    submerged: bool = False
    detected: bool = False
    stopped: bool = False
    collided: bool = False
    launched: bool = False
    turned: bool = False
    made: int = 0
    evaded: bool = False
    tested: bool = False
    halted: bool = False
    order: Data | None = None
    anchor: t.Pose | None = None
    turning: int = 0
    track: list[t.Pose] = field(default_factory=list)
    inbound: list[dict[str, Any]] = field(default_factory=list)
    mission: str = ""
    beside: str = ""
    aborted: bool = False
    rearming: int = 0
    burned: bool = False
    damaged_landing: bool = False
    used: set[str] = field(default_factory=set)

    @property
    def kind(self) -> str:
        return str(self.card["kind"])

    @property
    def size(self) -> str:
        return str(self.card.get("size", ""))

    @property
    def hull(self) -> int:
        return int(self.card.get("hullPoints", 0))

    @property
    def left(self) -> int:
        return self.hull - self.lost

    @property
    def crippled(self) -> bool:
        """One hull point left, or the result of the critical table (4.2)."""
        return self.kind != "aircraft" and (self.left <= 1 or 3 in self.marks)

    @property
    def carrier(self) -> bool:
        return self.card.get("aircraftKinds") == "carrier"

    @property
    def afloat(self) -> bool:
        return self.kind in ("ship", "submarine") and not self.submerged and not self.gone

    def has(self, family: str, negative: bool = False) -> dict[str, Any] | None:
        """An ability, unless SYSTEMS DOWN has put it out of use."""
        if 7 in self.marks and not negative:
            return None
        found = [a for a in self.card.get("abilities", ()) if a["family"] == family]
        return found[0] if found else None

    def has_any(self, *families: str) -> bool:
        return any(self.has(family) for family in families)

    def movement(self) -> int:
        """Klicks allowed now: CRIPPLED and ENGINE HIT halve, BREAKDOWN ends it (4.2, 4.3)."""
        if 5 in self.marks:
            return 0
        klicks = self.printed()
        for half in (self.crippled, 11 in self.marks):
            klicks = klicks // 2 if half else klicks
        return klicks

    def printed(self) -> int:
        key = "submergedMovement" if self.submerged else "movement"
        return int(self.card.get(key, 0))

    def shape(self) -> list[t.XY]:
        """Its base, or the point of an aircraft's token."""
        if self.at is not None:
            return [self.at]
        assert self.pose is not None
        return t.base(self.pose, self.size)

    def middle(self) -> t.XY:
        if self.at is not None:
            return self.at
        assert self.pose is not None
        return self.pose.x, self.pose.y


def column(dice: Iterable[int], number: int) -> int:
    """The dice of a range column; none where the card has no such column."""
    found = list(dice)
    return found[number - 1] if number <= len(found) else 0


def hits_of(rounds: Iterable[Iterable[int]], least: int) -> int:
    """4 and 5 one hit, 6 two; below the least face none (1.5, lines 67 to 69)."""
    return sum((2 if face == 6 else 1) for dice in rounds for face in dice if face >= least)


def explodes(rounds: list[list[int]]) -> bool:
    """Each 6 is rolled again, and again, until there is none (1.5)."""
    needed = [faces.count(6) for faces in rounds]
    return [len(faces) for faces in rounds[1:]] + [0] == needed


def pose_of(data: Data) -> t.Pose:
    return t.Pose(data["x"], data["y"], data["heading"])


class Referee:
    """Follows a battle event by event, and says where the record cannot be so."""

    def __init__(self) -> None:
        self.verdict = Verdict()
        self.seq = 0
        self.units: dict[str, Unit] = {}
        self.all_seats: list[str] = []
        self.seats: list[str] = []
        self.gone: list[str] = []
        self.phase = self.part = ""
        self.turn = 0
        self.first = ""
        self.score: Counter[str] = Counter()
        self.thrown: list[list[int]] = []
        self.rolled: list[list[int]] = []
        self.shot: Data | None = None
        self.want_critical = ""
        self.wind = 0
        self.impacts: list[Data] = []
        self.grounded: Data | None = None
        self.fleets: dict[str, list[str]] = {}
        self.due: list[Data] = []  # what the scenario places and does not stand yet
        self.placed_by_scenario = False
        self.safe: Counter[str] = Counter()  # ships of convoys that are off, by side
        self.sunk: Counter[str] = Counter()

    # ---- tools

    def check(self, rule: str, said: object, should: object) -> None:
        self.verdict.check(self.seq, rule, said, should)

    def leave(self, rule: str, why: str) -> None:
        self.verdict.leave(rule, why)

    def sure(self, rule: str, answer: bool | None, should: bool = True) -> None:
        """A geometric answer: left alone where the floats cannot tell."""
        if answer is None:
            self.leave(rule, "right at a limit")
        else:
            self.check(rule, answer, should)

    def other(self, side: str) -> str:
        return next(s for s in self.seats if s != side)

    def side(self, seat: str) -> str:
        """Partners sit alternately with the enemy; a side has its first seat's name."""
        return self.seats[self.all_seats.index(seat) % 2]

    def partners(self, side: str) -> list[str]:
        return [s for s in self.all_seats if self.side(s) == side]

    def dark(self) -> bool:
        light, change = self.terms["light"], self.terms["change"]
        if light == "dawn":
            return bool(self.turn <= change)
        if light == "dusk":
            return bool(self.turn >= change)
        return bool(light == "night")

    def judge(self, events: Events, over: bool) -> Verdict:
        return read_all(events, over, self.verdict, self._reader)

    def _reader(self, name: str) -> Reader | None:
        """The method that is named like the event."""
        act = getattr(self, name.replace("-", "_"), None)
        if act is None:
            return None

        def read(seq: int, data: Data) -> None:
            self.seq = seq
            act(data)

        return read

    # ---- set-up (1.3, 1.4, 6.1)

    def game_opened(self, d: Data) -> None:
        self.options, self.terms = d["options"], d["terms"]
        self.klick = self.options["klick"]
        self.all_seats = list(d["seats"])
        self.seats = self.all_seats[:2]
        self.check("6.4 two sides of equal number", len(self.all_seats) % 2, 0)
        self.land, self.goals = d["land"], {g["id"]: dict(g) for g in d["objectives"]}
        self.storms = {s["id"]: dict(s) for s in d["storms"]}
        self.holding = {g: dict.fromkeys(self.seats, 0) for g in self.goals}
        sides = (self.options["width"] * self.klick, self.options["length"] * self.klick)
        turned = self.options["home"] in ("west", "east")
        self.table = sides[::-1] if turned else sides
        for u in d["targets"]:
            unit = Unit(u["id"], cards()[u["card"]], u["seat"])
            unit.pose = pose_of(u["pose"]) if u.get("pose") else None
            self.units[u["id"]] = unit
        self.due = [dict(each) for each in self.terms["starts"]]
        self.placed_by_scenario = bool(self.due)

    def fleets_revealed(self, d: Data) -> None:
        for seat, picks in d["fleets"].items():
            self.check("6.4 who has left has no fleet", seat in self.gone, False)
            self.fleets.setdefault(self.side(seat), []).extend(p["card"] for p in picks)
            if self.placed_by_scenario:
                named = [(s["card"], s["base"]) for s in self.due if s["seat"] == seat]
                fleet = [(p["card"], p.get("base", "")) for p in picks]
                self.check("1.4 the scenario's own units", sorted(fleet), sorted(named))
            if self._heir(seat):
                self.leave("1.3 fleet of two", "a partner who has left may have brought a part")
                continue
            cost = sum(cards()[p["card"]]["points"] for p in picks)
            self.check("1.3 fleet cost", cost <= self.terms["points"][seat], True)
            own = [p for p in picks if p["card"] != "convoy-ship"]
            self.check("6.1 fleet size", len(own) <= self.terms["units"], True)
        for side in self.seats:
            due = self.terms["convoy"] if side in self._escorts() else 0
            convoy = self.fleets[side].count("convoy-ship")
            self.check("6.3 the whole convoy, in one or both fleets", convoy, due)

    def _escorts(self) -> list[str]:
        named = (self.terms["escort"], self.terms["otherEscort"])
        return [side for side in self.seats if side in named]

    def _heir(self, seat: str) -> bool:
        return any(self.side(s) == self.side(seat) for s in self.gone)

    def player_left(self, d: Data) -> None:
        """A partner who is still there takes over (our ruling on teams)."""
        seat, heir = d["seat"], d["heir"]
        self.check("6.4 leaves once", seat in self.gone, False)
        self.check("6.4 a partner takes over", self.side(heir), self.side(seat))
        self.check("6.4 who is still there", heir in [*self.gone, seat], False)
        self.gone.append(seat)

    def dice_awaited(self, d: Data) -> None:
        """Nothing to judge: the throw follows."""

    task_done = attack_ended = dice_awaited

    def passed(self, d: Data) -> None:
        """Of an act that names its seat: it has not left, and it is its side's step."""
        self.check("6.4 who has left does nothing", d["seat"] in self.gone, False)
        if self.part in HALVES:
            self.check("1.6 passes in its own step", self.side(d["seat"]), self._mover())

    fleet_locked = dives_chosen = draw_offered = passed

    def dice_thrown(self, d: Data) -> None:
        self.thrown = d["faces"]["items"]
        self.rolled.append(list(self.thrown[0]))
        faces = [f for pool in self.thrown for f in pool]
        if "/wind/" not in d["label"]:
            self.check("1.5 six-sided dice", all(1 <= f <= 6 for f in faces), True)

    def unit_placed(self, d: Data) -> None:
        side = self.side(d["seat"])
        unit = Unit(d["unit"], cards()[d["card"]], side, pose_of(d["pose"]))
        self.check("6.4 who has left places nothing", d["seat"] in self.gone, False)
        others = [u for u in self.units.values() if u.afloat and u.pose]
        self.units[d["unit"]] = unit
        corners = unit.shape()
        inside = all(
            -t.NEAR <= x <= self.table[0] + t.NEAR and -t.NEAR <= y <= self.table[1] + t.NEAR
            for x, y in corners
        )
        self.check("1.4 on the table", inside, True)
        clear = all(t.depth(corners, u.shape()) <= t.NEAR for u in others)
        self.check("2.6 bases apart", clear, True)
        if self.placed_by_scenario:
            self._begins(d, "")
        else:
            self._in_quadrant(unit, d["seat"])
            self._in_zone(unit)

    def _begins(self, d: Data, base: str) -> None:
        """Either the scenario has the position of each unit, or the players place them (1.4)."""
        begun = {"seat": d["seat"], "card": d["card"], "pose": d.get("pose"), "base": base}
        self.check("1.4 where the scenario says", begun in self.due, True)
        if begun in self.due:
            self.due.remove(begun)

    def _in_zone(self, unit: Unit) -> None:
        far = self._from_home(unit)
        if unit.kind == "submarine":
            half = self.options["length"] * self.klick / 2
            deep = self._home_depth(unit.seat, unit.middle())
            self.check("6.1 submarine in its half", deep <= half + t.NEAR, True)
        else:
            self.check("1.4 within range 1 of the edge", far <= 8 * self.klick + t.NEAR, True)

    def _in_quadrant(self, unit: Unit, seat: str) -> None:
        """Partners have equal parts of the edge, the first on the left of the first side (6.4)."""
        partners = self.partners(self.side(seat))
        if len(partners) == 1 or self.options["quadrants"] != "set-up":
            return
        x, y = unit.middle()
        home = self.options["home"]
        along = {"south": x, "north": self.table[0] - x, "west": self.table[1] - y}.get(home, y)
        part = self.options["width"] * self.klick / len(partners)
        place = partners.index(seat)
        inside = place * part - t.NEAR <= along <= (place + 1) * part + t.NEAR
        self.check("6.4 sets up in his quadrant", inside, True)

    def _home_depth(self, seat: str, point: t.XY) -> float:
        home = self.options["home"]
        near: dict[str, float] = {
            "south": point[1],
            "north": self.table[1] - point[1],
            "west": point[0],
        }
        deep: float = near.get(home, self.table[0] - point[0])
        long: float = self.options["length"] * self.klick
        return deep if seat == self.seats[0] else long - deep

    def _from_home(self, unit: Unit) -> float:
        return min(self._home_depth(unit.seat, p) for p in unit.shape())

    def aircraft_based(self, d: Data) -> None:
        side = self.side(d["seat"])
        self.units[d["unit"]] = Unit(d["unit"], cards()[d["card"]], side, home=d["base"])
        self._room(d["base"], side)
        if self.placed_by_scenario:
            ship = self.units.get(d["base"])
            self._begins(d, ship.card["id"] if ship else d["base"])

    def _room(self, name: str, seat: str) -> None:
        """What a base holds is not more than its room (1.6.8, 6.1)."""
        there = [
            u for u in self.units.values()
            if u.home == name and u.seat == seat and not u.gone and u.at is None
        ]  # fmt: skip
        room = self.terms["airbase"] * len(self.partners(seat))
        if name != "land-base":
            room = self.units[name].card.get("aircraft", 0)
        self.check("1.6.8 room at the base", len(there) <= room, True)

    def storms_gathered(self, d: Data) -> None:
        number = max(0, d["face"] - 3)
        self.check("weather table", len(d["storms"]), number)
        self.storms.update({s["id"]: dict(s) for s in d["storms"]})

    # ---- the turn (1.6)

    def turn_began(self, d: Data) -> None:
        self.check("1.6 turns follow", d["turn"], self.turn + 1)
        self.check("1.4 each unit of the scenario begins", self.due, [])
        self.check("1.2 no turn after the last", d["turn"] <= self.terms["turns"], True)
        target, top = self.terms["target"], max(self.score.values(), default=0)
        level = len({self.score[s] for s in self.seats}) == 1 or self._convoy()
        self.check("1.2 target score ends it", bool(target and top >= target and not level), False)
        self.turn = d["turn"]
        self.phase = self.part = ""

    def step_began(self, d: Data) -> None:
        """A step in which nobody could do anything, and nothing happened, is not on record."""
        after: dict[str, str] = d["step"]
        there, now = self._when(self.phase, self.part), self._when(**after)
        if self.turn and self.phase and there >= (0, 0):
            self.check("1.6 steps in order", now > there, True)
        for half in HALVES:
            if there <= self._when("movement", half) < now:
                self._owed(half)
        if there < self._when("end-of-turn") <= now:
            self._all_landed()
        if there < self._when("submarine-attack", "first") <= now:
            late = [u.name for u in self.units.values() if not u.gone and self._old(u)]
            self.check("3.10 inbound markers are checked", late, [])
        self.phase, self.part = after["phase"], after["part"]

    def _when(self, phase: str, part: str = "") -> tuple[int, int]:
        """Where in a turn a step stands; before all of them one of the set-up, or none."""
        if phase not in PHASES:
            return (-1, 0)
        return (self._place(phase), ("", "first", "second", "end").index(part))

    def _all_landed(self) -> None:
        for u in self.units.values():
            out = u.at is not None and not u.gone
            self.check("1.6.8 nobody stays out", out, False)

    def _place(self, phase: str) -> int:
        """Dives may be declared after the initiative, by agreement (RULINGS, diveDeclaration)."""
        if phase in PHASES[:2] and self.options["diveDeclaration"] != "together":
            return 1 - PHASES.index(phase)
        return PHASES.index(phase)

    def _old(self, unit: Unit) -> list[dict[str, Any]]:
        return [g for g in unit.inbound if g["turn"] < self.turn]

    def _mover(self, half: str = "") -> str:
        return self.first if (half or self.part) == "first" else self.other(self.first)

    def _owed(self, half: str) -> None:
        """Who is not stopped moves a klick at least (2.2.1, lines 310 and 311)."""
        for u in self.units.values():
            owes = u.seat == self._mover(half) and u.pose and u.kind != "land" and not u.gone
            if owes and not u.stopped and u.movement():
                self.check("2.2.1 minimum move", u.order is not None or u.halted, True)

    def initiative_rolled(self, d: Data) -> None:
        if self.placed_by_scenario:
            self.check("1.4 no roll for who places", self.phase, "initiative")
        totals, flags = {}, {}
        for seat, dice in zip(self.seats, self.thrown, strict=True):
            flags[seat] = self._flag(seat)
            totals[seat] = sum(dice) + flags[seat]
            self.check("1.6.1 initiative total", d["totals"][seat]["total"], totals[seat])
        one, two = self.seats
        won = (totals[one], flags[one]), (totals[two], flags[two])
        first = "" if won[0] == won[1] else one if won[0] < won[1] else two
        self.check("1.6.1 the lower total is first", d["first"], first)
        self.first = d["first"]

    def _flag(self, seat: str) -> int:
        if self.phase != "initiative":
            bonuses = [cards()[c].get("flagship", 0) for c in self.fleets[seat]]
        else:
            there = [u for u in self.units.values() if u.seat == seat and u.pose and not u.gone]
            bonuses = [u.card.get("flagship", 0) for u in there if not u.crippled]
        return sum(bonuses) if self.options["flagship"] == "sum" else max(bonuses, default=0)

    def dives_revealed(self, d: Data) -> None:
        for u in self.units.values():
            if u.kind == "submarine" and u.seat in d["seats"] and not u.gone:
                down = u.name in d["submerged"]
                if down and not u.submerged:
                    u.detected = False  # it dives from the surface (3.11)
                u.submerged = down

    # ---- movement (2)

    def move_ordered(self, d: Data) -> None:
        o, unit = d["order"], self.units[d["order"]["unit"]]
        self._acts(unit)
        self.check("1.6.2 ordered once a turn", unit.order, None)
        self.check("1.6.2 the mover's own unit", unit.seat, self._mover())
        allowed = self._allowed(unit, o)
        self.check("2 movement allowed", o["allowed"], allowed)
        self.check("2 klicks within movement", len(o["path"]) <= allowed, True)
        self.check("2 klicks of the path", o["klicks"], len(o["path"]))
        self._turns(unit, o)
        if not o["path"]:
            free = unit.stopped or not unit.movement() or o["stop"]
            self.check("2.2.1 minimum move", free, True)
        unit.order, unit.made, unit.turned, unit.halted = o, 0, False, False
        unit.evaded, unit.anchor, unit.turning = o["evade"], unit.pose, 0
        unit.tested, unit.track = False, [unit.pose] if unit.pose else []

    def _allowed(self, unit: Unit, o: Data) -> int:
        """Evading costs half (3.11); astern half at most, one klick at least (2.2.2)."""
        full = unit.movement()
        rest = full - full // 2 if o["evade"] else full
        if o["astern"]:
            return min(max(1, full // 2) if full else 0, rest)
        return rest

    def _turns(self, unit: Unit, o: Data) -> None:
        if 4 in unit.marks:
            self.check("4.3 steering breakdown", any(o["path"]), False)
        if o["astern"]:
            self.check("2.2.2 astern after a stop", unit.stopped, True)
            self.check("2.2.2 90 degrees astern", sum(map(abs, o["path"])) <= 180, True)
            return
        self.check("2.3 first klick straight", o["path"][:1] in ([], [0]), True)
        most = max(map(abs, o["path"]), default=0)
        self.check("2.3 turn within the template", most <= TEMPLATE[unit.size], True)

    def drift_began(self, d: Data) -> None:
        unit = self.units[d["order"]["unit"]]
        self.check("4.3 who drifts is broken down", 5 in unit.marks, True)
        unit.order, unit.made, unit.halted, unit.track = d["order"], 0, False, []
        unit.anchor, unit.turning, unit.tested = unit.pose, 0, True

    def evasion_rolled(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        self.check("3.11 evasion was ordered", unit.evaded, True)
        self.check("3.11 evasion die", self.rolled[-1], [d["face"]])
        group = unit.inbound[d["place"]]
        at = [g["evadedOn"] for g in unit.inbound]
        best = at.index(min(at)) if self.options["evades"] == "easiest" else 0
        self.check("3.11 which marker", d["place"], best)
        self.check("3.11 evasion needs", d["needed"], group["evadedOn"])
        self.check("3.11 evaded", d["evaded"], d["face"] >= d["needed"])
        if d["evaded"]:
            group["number"] -= 1
            unit.inbound = [g for g in unit.inbound if g["number"] > 0]

    def unit_moved(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        self._acts(unit, drifting=bool(unit.order and unit.order["drifting"]))
        for data in d["track"]:
            self._one_pose(unit, pose_of(data))
        done = d["astern"] if unit.order and unit.order["astern"] else d["ahead"]
        if unit.order and not unit.order["drifting"]:
            self.check("2.2.1 klicks made", done, unit.made)
            self.check("2.3 it has turned", d["turned"], unit.turned)
            self.check("2.2.2 not ahead and astern", bool(d["ahead"] and d["astern"]), False)
        self._apart(unit)

    def _one_pose(self, unit: Unit, pose: t.Pose) -> None:
        assert unit.pose is not None
        assert unit.anchor is not None
        assert unit.order is not None
        turn = (pose.heading - unit.pose.heading + 360) % 720 - 360
        moved = abs(pose.x - unit.pose.x) + abs(pose.y - unit.pose.y) > 0
        if turn:
            self.check("2.3 it turns on the spot", moved, False)
            self.check("2.3 no turn in a drift", unit.order["drifting"], False)
            unit.turning += turn
            unit.turned = True
        elif moved:
            self._one_klick(unit, pose)
        unit.pose = pose
        unit.track.append(pose)

    def _one_klick(self, unit: Unit, pose: t.Pose) -> None:
        assert unit.anchor is not None
        assert unit.order is not None
        order, path = unit.order, unit.order["path"]
        x, y = t.ahead(self.wind if order["drifting"] else pose.heading)
        way = -1 if order["astern"] else 1
        dx, dy = way * (pose.x - unit.anchor.x), way * (pose.y - unit.anchor.y)
        self.check("2.2.1 straight along the heading", abs(dx * y - dy * x) <= 2, True)
        far = dx * x + dy * y
        self.check("2.2.1 no farther than a klick", -2 <= far <= self.klick + 2, True)
        if not order["drifting"]:
            self.check("2 klicks within the order", unit.made < len(path), True)
            turn = path[unit.made] if unit.made < len(path) else None
            self.check("2.3 turned as ordered", unit.turning, turn)
        if abs(far - self.klick) <= 2:
            unit.made += 1
            unit.anchor, unit.turning = pose, 0

    def _apart(self, unit: Unit) -> None:
        """Bases never overlap, nor a base and land (2.6, 2.4)."""
        mine = unit.shape()
        for u in self.units.values():
            if u is not unit and u.afloat and u.pose and unit.afloat:
                self.check("2.6 bases apart", t.depth(mine, u.shape()) <= t.NEAR, True)
        for land in self.land:
            rides = land["hardness"] == "soft" and unit.has("shallow-draft")
            if not land["shallow"] and not rides:
                clear = t.depth(mine, land["corners"]) <= t.NEAR
                self.check("2.4 clear of land", clear, True)

    def grounding_tested(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        self.check("2.4.1 one test a turn", unit.tested, False)
        unit.tested = True
        self.check("2.4.1 grounds on", d["groundsOn"], GROUNDS[unit.size])
        self.check("2.4.1 grounding die", self.rolled[-1], [d["face"]])
        self.check("2.4.1 aground", d["aground"], d["face"] <= d["groundsOn"])
        self.check("2.4.1 small ships make no test", unit.size == "small", False)
        self.check("2.4.1 test at full speed", self._full_speed(unit), True)
        self.sure("2.4.1 treacherous waters", self._treacherous(unit, unit.pose))

    def _full_speed(self, unit: Unit) -> bool:
        """Half of its movement or more; strictly less is half speed, 3 of 7 for one (2.4.1)."""
        assert unit.order is not None
        klicks: int = unit.order["klicks"]
        printed = self.options["halfSpeed"] == "printed"
        half: float = (unit.printed() if printed else unit.order["allowed"]) / 2
        if self.options["halfSpeed"] == "rounded":
            half = int(half)
        return klicks > 0 and klicks >= half

    def _treacherous(self, unit: Unit, pose: t.Pose | None) -> bool | None:
        assert pose is not None
        answers = []
        for land in self.land:
            far = t.distance(t.base(pose, unit.size), land["corners"])
            limit = 0 if land["shallow"] else 4 * self.klick
            answers.append(t.within(far, limit))
        return True if True in answers else None if None in answers else False

    def ran_aground(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        unit.halted = True
        self.impacts.extend(d["impacts"])
        land = next(x for x in self.land if x["id"] == d["land"])
        self.check("2.4.2 hardness", d["hardness"], land["hardness"])
        spared = land["hardness"] == "soft" and unit.has("shallow-draft") is not None
        dice = [] if spared else [GROUND_DICE[land["hardness"]]]
        self.check("2.4.2 dice", [i["dice"] for i in d["impacts"]], dice)

    def units_collided(self, d: Data) -> None:
        unit, other = self.units[d["unit"]], self.units[d["other"]]
        near = t.distance(unit.shape(), other.shape()) <= self.klick / 50 + t.NEAR
        self.check("2.6 they touch", near, True)
        dice = [(i["unit"], i["by"], i["dice"]) for i in d["impacts"]]
        pair = [(other.name, unit.name, unit.left), (unit.name, other.name, other.left)]
        self.check("2.6 dice are hull points", dice, pair)
        self.impacts.extend(d["impacts"])
        unit.halted = True
        if not d["drifting"]:
            unit.collided = other.collided = True

    def impact_rolled(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        found = [i for i in self.impacts if (i["unit"], i["by"]) == (d["unit"], d["by"])]
        self.check("2.6 an impact is due", len(found) > 0, True)
        self.impacts = [i for i in self.impacts if i not in found[:1]]
        self._same_dice(d["rounds"], found[0]["dice"] if found else 0, "2.6")
        self.check("1.5 hits", d["hits"], hits_of(d["rounds"], 4))
        ratings = self._ratings(unit)
        self.check("4.2 ratings", (d["armor"], d["critical"]), ratings)
        above = [self._above(d["hits"], rating) for rating in ratings]
        self.check("2.6 hull points lost", d["hull"], 2 if above[1] else int(above[0]))

    def _same_dice(self, rounds: list[list[int]], dice: int, rule: str) -> None:
        self.check(f"{rule} number of dice", len(rounds[0]), dice)
        self.check("1.5 every 6 again", explodes(rounds), True)
        self.check("1.5 the dice that fell", rounds, self.rolled[-len(rounds) :])

    def _above(self, hits: int, rating: int) -> bool:
        if not hits:
            return False  # an attack that hits nothing does nothing (1.5)
        return hits >= rating if self.options["threshold"] == "equal-or-above" else hits > rating

    def _ratings(self, unit: Unit) -> tuple[int, int]:
        armor, critical = unit.card["armor"], unit.card["critical"]
        if unit.crippled:
            return max(1, armor - 1), max(1, critical - 1)  # (4.2)
        if unit.mission == "strafe":
            least = 1 if self.options["strafingLeast"] == "one" else -9
            return max(least, armor - 2), max(least, critical - 2)  # (3.9)
        return armor, critical

    def hull_lost(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        if d["pending"]:
            unit.pending += d["hull"]
        else:
            unit.lost += d["hull"]
        if d["cause"] == "crippling":
            self.check("4.2 crippled leaves 1", unit.left - unit.pending, 1)

    def move_ended(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        o = unit.order
        assert o is not None
        if o["drifting"]:
            return
        full = unit.halted or self._off(unit) or unit.made == len(o["path"])
        self.check("2.2.1 the whole order is made", full, True)
        stays = o["stop"] or o["astern"] or unit.halted or (unit.stopped and not o["path"])
        if not self._off(unit):
            self.check("2.2.2 STOPPED marker", d["stopped"], stays)
        unit.stopped = d["stopped"]
        self._should_test(unit)

    def _off(self, unit: Unit) -> bool:
        x, y = unit.middle()
        return not (2 < x < self.table[0] - 2 and 2 < y < self.table[1] - 2)

    def _should_test(self, unit: Unit) -> None:
        spares = unit.has_any("shallow-draft", "inshore-pilot")
        immune = unit.size == "small" or spares or not unit.track
        if not self.land or immune or not self._full_speed(unit) or not unit.order:
            return
        if any(self._treacherous(unit, pose) for pose in unit.track):
            self.check("2.4.1 a test is made", unit.tested, True)

    # ---- aircraft (1.6.3, 1.6.8, 6.5)

    def aircraft_deployed(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        self._acts(unit)
        self.check("1.6.3 one place a turn", unit.at, None)
        self.check("1.6.3 no rearming marker", unit.rearming, 0)
        unit.at, unit.mission, unit.beside = tuple(d["at"]), d["mission"], d["beside"]
        home = self.units.get(unit.home)
        self.check("1.6.3 launched by", d["carrier"] in ("", unit.home), True)
        if home is not None and home.carrier:
            self._flight_deck(home, "1.6.3 launch")
            home.launched = True
        if d["beside"]:
            target = self.units[d["beside"]]
            self.check("1.6.3 an enemy target", target.seat == unit.seat, False)
            self._beside(unit, target, d["side"])

    def _beside(self, unit: Unit, target: Unit, name: str) -> None:
        assert target.pose is not None
        assert unit.at is not None
        x, y = t.side(target.pose, target.size, name)
        near = abs(unit.at[0] - x) + abs(unit.at[1] - y) <= 4
        self.check("1.6.3 beside its target", near, True)
        ends = name in ("bow", "stern")
        self.check("1.6.3 side or end", ends, unit.mission == "strafe")

    def _flight_deck(self, ship: Unit, rule: str) -> None:
        """A carrier steams dead ahead to launch or recover (1.6.3); SYSTEMS DOWN ends it (4.3)."""
        moving = ship.order is not None and ship.made > 0 and not ship.order["astern"]
        still = not ship.made and self.options["stoppedCarrierMayLaunch"]
        steady = (moving or still) and not ship.turned and not ship.evaded
        stays = ship.stopped and not self.options["stoppedCarrierMayLaunch"]
        if stays and self.options.get("stoppingCarrier") == "grounded":
            self.check(f"{rule}: proceeds, has not stopped", ship.stopped, False)
        self.check(f"{rule}: dead ahead", steady, True)
        self.check(f"{rule}: systems", 7 in ship.marks, False)

    def spotting_rolled(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        needed = 3 if unit.card["type"] == "Patrol Bomber" else 5
        self.check("6.5 spotting in the dark", self.dark(), True)
        self.check("6.5 spotting needs", d["needed"], needed)
        self.check("6.5 spotting die", self.rolled[-1], [d["face"]])
        self.check("6.5 found", d["found"], d["face"] >= needed)
        unit.aborted = not d["found"]

    def rearmed(self, d: Data) -> None:
        due = sorted(u.name for u in self.units.values() if u.rearming and not u.gone)
        self.check("1.6.3 rearming", sorted(d["units"]), due)
        for name in d["units"]:
            self.units[name].rearming -= 1

    def recovery_rolled(self, d: Data) -> None:
        unit, face = self.units[d["unit"]], d["face"]
        self.check("6.5 recovery in the dark", self.dark(), True)
        self.check("6.5 recovery die", self.rolled[-1], [face])
        outcome = "crashed" if face <= 2 else "damaged" if face <= 4 else "safe"
        self.check("6.5 recovery", d["outcome"], outcome)
        unit.damaged_landing = outcome == "damaged"

    def aircraft_landed(self, d: Data) -> None:
        unit, base = self.units[d["unit"]], self.units.get(d["base"])
        self._acts(unit)
        two = base is None or unit.damaged_landing
        self.check("1.6.8 rearming markers", d["rearming"], 2 if two else 1)
        if base is not None:
            self.check("1.6.8 the base is there", base.gone or base.destroyed, False)
            if base.carrier:
                self._flight_deck(base, "1.6.8 recovery")
                fired = base.used - {"aaw"}
                self.check("1.6.8 a carrier that fired", sorted(fired), [])
        unit.at, unit.mission, unit.beside, unit.home = None, "", "", d["base"]
        unit.rearming, unit.damaged_landing = d["rearming"], False
        self._room(d["base"], unit.seat)

    def transit_ended(self, d: Data) -> None:
        for u in self.units.values():
            if u.seat == d["seat"]:
                self.check("1.6.8 nobody stays out", u.at is not None and not u.gone, False)
                u.aborted = False

    # ---- attacks (3)

    def _acts(self, unit: Unit, drifting: bool = False) -> None:
        """Who was removed does nothing; each acts in its own step (1.1, 1.6)."""
        self.check("1.1 a removed unit does not act", unit.gone, False)
        if self.part in HALVES and not drifting:
            self.check("1.6 acts in its own step", unit.seat, self._mover())

    def attack_declared(self, d: Data) -> None:
        unit, target, weapon = self.units[d["attacker"]], self.units[d["target"]], d["weapon"]
        self._acts(unit)
        self.check("3.1 at an enemy", target.seat == unit.seat, False)
        self.check("1.1 the target is there", target.gone, False)
        slot, used = d["slot"], unit.used
        self.check("3.6 each weapon once", slot in used, False)
        part = slot.rpartition(".")[2]
        if part == "broadside":
            self.check(
                "3.6 broadside alone", bool({"primary.forward", "primary.aft"} & used), False
            )
        elif weapon == "primary":
            self.check("3.6 not after broadside", "primary.broadside" in used, False)
        if unit.kind == "ship" and weapon == "asw":
            self.check("3.6 ASW alone", sorted(used - {"aaw", "asw"}), [])
        elif unit.kind == "ship" and weapon != "aaw":
            self.check("3.6 no guns with ASW", "asw" in used, False)
        used.add(slot)
        self._may(unit, weapon)
        self.check("1.6 the weapon's phase", self.phase, self._phase_of(unit, weapon))

    def _phase_of(self, unit: Unit, weapon: str) -> str:
        if weapon == "aaw":
            return "air-defense"
        if unit.kind == "aircraft":
            return "air-attack"
        return "submarine-attack" if unit.kind == "submarine" else "surface-attack"

    def _may(self, unit: Unit, weapon: str) -> None:
        """Markers that close a weapon (4.2, the critical table, 1.6.3, 1.6.5)."""
        if 8 in unit.marks:
            self.check("4.3 crew casualty", weapon, "primary")
        if 9 in unit.marks:
            self.check("4.3 defenses down", weapon in ("aaw", "asw"), False)
        if unit.crippled and weapon == "torpedo":
            self.check("4.2 no torpedoes when crippled", True, False)
        if unit.carrier:
            self.check("1.6.3 no fire after a launch", unit.launched, False)
        if unit.kind == "aircraft" and weapon != "aaw":
            self.check("1.6.5 not when aborted", unit.aborted, False)
        if unit.kind == "aircraft" and weapon == "aaw":
            self.check("3.9 a strafer does not", unit.mission == "strafe", False)
        if unit.submerged:
            deep = weapon == "torpedo" and unit.has("submerged-shot") is not None
            self.check("3.10 submerged", deep, True)

    def _free_again(self, d: Data) -> None:
        spent = not d["takenBack"]
        if d["reason"] in ("concealed", "not-detected") and self.options["failedCheck"] == "kept":
            spent = False
        if not spent:
            self.units[d["attacker"]].used.discard(d["slot"])

    def attack_wasted(self, d: Data) -> None:
        self._free_again(d)
        unit, target = self.units[d["attacker"]], self.units[d["target"]]
        far = self._band(unit, target, d["band"])
        reason = d["reason"]
        if reason == "out-of-range" and far:
            dark = self.dark() and self.options["nightGunnery"] == "reduced"
            if dark and unit.kind != "aircraft" and d["weapon"] in GUNS:
                self.leave("3.5 out of range", "night gunnery")
            else:
                self.check("3.5 out of range", self._printed(unit, d["weapon"], d["arc"], far), 0)
        elif reason == "too-small":
            small = target.size == "small" and target.kind != "land"
            self.check("3.11 too small", small and d["band"] > 4, True)
        elif reason == "outside-arc":
            self._arc(unit, target, d["arc"], False)
        elif reason == "outside-channel":
            self._channel(unit, target, d["arc"], False)
        elif reason == "no-line-of-sight":
            self._sight(unit, target, d["arc"], d["seen"]["sight"])
        else:
            self.leave("wasted", reason)

    def _band(self, unit: Unit, target: Unit, said: int) -> int | None:
        far = t.band(t.distance(unit.shape(), target.shape()), self.klick)
        if far is None:
            self.leave("3.5 range band", "right at a limit")
        elif said:
            self.check("3.5 range band", said, far)
        return far

    def _printed(self, unit: Unit, weapon: str, arc: str, number: int) -> int:
        """The card's dice: columns past the fourth only with the ability (3.3, 1.8)."""
        name = weapon
        if weapon == "primary":
            name = arc if arc in ("forward", "aft") else "broadside"
        top = 4
        ability = unit.has("extended-range")
        if weapon == "primary" and ability:
            top = ability["n"]
        if weapon == "torpedo" and unit.card.get("abilities") and number > 1:
            long = any(a["family"] == "long-lance" for a in unit.card["abilities"])
            top = 1 if long and not unit.has("long-lance") else 4
        return column(unit.card.get(name, ()), number) if number <= top else 0

    def _arc(self, unit: Unit, target: Unit, arc: str, should: bool) -> None:
        assert unit.pose is not None
        points = [target.middle()]
        if self.options["arcTest"] == "any-targeting-point" and target.pose:
            points = t.aims(target.pose, target.size)
        answers = [t.in_arc(unit.pose, unit.size, arc, p) for p in points]
        answer = True if True in answers else None if None in answers else False
        self.sure("3.4 firing arc", answer, should)

    def _channel(self, unit: Unit, target: Unit, arc: str, should: bool) -> None:
        assert unit.pose is not None
        name = "bow" if unit.kind == "submarine" else arc
        strip = t.channel(unit.pose, unit.size, name)
        deep = t.depth(strip, target.shape())
        self.sure("3.4 channel", None if abs(deep) <= t.NEAR else deep > 0, should)

    def _sight(self, unit: Unit, target: Unit, arc: str, said: str) -> None:
        found = None
        if target.kind != "land" and not unit.submerged and not target.submerged:
            found = self._seen(unit, target, arc)
        if found is None:
            self.leave("3.2 line of sight", "right at a limit, ashore or submerged")
        else:
            self.check("3.2 line of sight", said, found)

    def _seen(self, unit: Unit, target: Unit, arc: str) -> str | None:
        assert unit.pose is not None
        assert target.pose is not None
        start = t.side(unit.pose, unit.size, arc or "bow")
        points: list[bool | None] = [False, False, False]
        aims = t.aims(target.pose, target.size)
        for other in self.units.values():
            if other.afloat and other.pose and other not in (unit, target):
                self._hide(points, start, aims, other.shape())
        for storm in self.storms.values():
            self._storm_hides(points, start, aims, storm, (unit, target))
        lands: list[bool | None] = [False, False, False]
        center = self.options["terrainSightFrom"] == "center"
        for land in self.land:
            if land["blocks"] and not land["shallow"]:
                self._hide(lands, unit.middle() if center else start, aims, land["corners"])
        return self._graded(points, lands)

    def _graded(self, points: list[bool | None], lands: list[bool | None]) -> str | None:
        if self.options["landSight"] == "any-point":
            if True in lands:
                return "blocked"
            return None if None in lands else t.sight(points)
        both = zip(points, lands, strict=True)
        return t.sight([True if True in p else None if None in p else False for p in both])

    def _hide(
        self, points: list[bool | None], start: t.XY, aims: list[t.XY], shape: t.Shape
    ) -> None:
        for n, aim in enumerate(aims):
            found = t.hidden(start, aim, shape)
            points[n] = (
                True if True in (points[n], found) else points[n] if found is False else None
            )

    def _storm_hides(
        self,
        points: list[bool | None],
        start: t.XY,
        aims: list[t.XY],
        storm: Data,
        pair: tuple[Unit, Unit],
    ) -> None:
        inside = [t.within(t.distance([u.middle()], [storm["at"]]), storm["radius"]) for u in pair]
        if True in inside:
            return
        for n, aim in enumerate(aims):
            far = t.distance([storm["at"]], [start, aim])
            found = None if None in inside else t.within(far, storm["radius"])
            points[n] = (
                True if True in (points[n], found) else points[n] if found is False else None
            )

    def attack_measured(self, d: Data) -> None:
        s = self.shot = d["shot"]
        unit, target, weapon = self.units[s["attacker"]], self.units[s["target"]], s["weapon"]
        self._band(unit, target, s["band"])
        small = target.size == "small" and target.kind != "land"
        self.check("3.11 small beyond range 4", small and s["band"] > 4, False)
        if unit.kind != "aircraft" and weapon in GUNS:
            self._arc(unit, target, s["arc"], True)
            if weapon != "primary":
                self.check("3.4 broadside guns", s["arc"] in ("port", "starboard"), True)
        if unit.kind != "aircraft" and weapon == "torpedo":
            self._channel(unit, target, s["arc"], True)
        if s["seen"]:
            self._sight(unit, target, s["arc"], s["seen"]["sight"])
        if target.kind == "submarine" and weapon != "aaw":
            deep = weapon == "asw" or unit.has("submerged-shot") is not None
            self.check("1.7 submerged: ASW only", deep or not target.submerged, True)
        ratings = s["armor"]["total"], s["critical"]["total"]
        self.check("3.1 ratings", ratings, self._ratings(target))
        self._dice(unit, s)
        self.check("3.1 least face", s["least"]["total"], self._least(unit, target, s))

    def _dice(self, unit: Unit, s: Data) -> None:
        number = self._printed(unit, s["weapon"], s["arc"], s["band"])
        if s["weapon"] == "torpedo" and unit.card["type"] == "Torpedo Bomber" and self.dark():
            number -= 1  # (6.5)
        halvings = self._halvings(unit, s)
        if halvings is None:
            self.leave("3.1 number of dice", "at the rim of a storm, or ashore or flying in one")
            return
        for _ in range(halvings):
            number //= 2
        self.check("3.1 number of dice", s["dice"]["total"], max(0, number))

    def _halvings(self, unit: Unit, s: Data) -> int | None:
        """Collision (2.6), storm (2.5), partly hidden (3.2), spotted (1.7.3), turrets hit (4.3)."""
        far = [t.distance([unit.middle()], [x["at"]]) - x["radius"] for x in self.storms.values()]
        near = min(far, default=1e9)
        if abs(near) <= t.NEAR or (near < 0 and unit.kind in ("aircraft", "land")):
            return None
        storm = near < 0 and not unit.submerged
        half = s["seen"] is not None and s["seen"]["sight"] == "partially-blocked"
        turrets = s["weapon"] == "primary" and 10 in unit.marks
        return sum(map(bool, (unit.collided, storm, half, s["spotter"], turrets)))

    def _least(self, unit: Unit, target: Unit, s: Data) -> int:
        """4, or 5, or 6: the strictest (4.2, 3.2, 1.6.4, 6.5, 3.11); torpedoes 6 (3.3)."""
        weapon = s["weapon"]
        if weapon == "torpedo":
            return 6
        big = unit.size in ("large", "capital") and unit.kind == "ship"
        if weapon == "primary" and big and target.size == "small" and target.kind != "land":
            return 6
        hard = unit.crippled or bool(s["seen"] and s["seen"]["sight"] == "impeded")
        ordnance = unit.kind == "aircraft" and weapon in ("bombs", "asw")
        hard = hard or (self.dark() and (weapon == "aaw" or ordnance))
        reduced = self.dark() and self.options["nightGunnery"] == "reduced"
        hard = hard or (reduced and weapon in GUNS and not unit.has("night-fighter"))
        hard = hard or (weapon == "aaw" and self._escorted(unit, target))
        return 5 if hard else 4

    def _escorted(self, unit: Unit, target: Unit) -> bool:
        if unit.card["type"] != "Fighter" or target.card["type"] not in BOMBERS:
            return False
        return any(
            u.seat == target.seat and u.at and u.mission != "strafe" and u.has(family)
            and not u.gone and t.distance([u.at], target.shape()) <= klicks * self.klick
            for u in self.units.values() for family, klicks in ESCORTS.items()
        )  # fmt: skip

    def concealment_rolled(self, d: Data) -> None:
        unit, target = self.units[d["attacker"]], self.units[d["target"]]
        needed = 3 if unit.has_any(*SEES_ON_3) else 4
        self.check("3.11 concealment needs", d["needed"], needed)
        self.check("3.11 concealment", d["passed"], d["face"] >= needed)
        self.check("3.11 concealment die", self.rolled[-1], [d["face"]])
        far = [t.distance([target.middle()], [x["at"]]) - x["radius"] for x in self.storms.values()]
        self.check("2.5 the target is in a storm", min(far, default=1e9) <= t.NEAR, True)

    def detection_rolled(self, d: Data) -> None:
        unit, target = self.units[d["attacker"]], self.units[d["target"]]
        needed = 5 if target.submerged else 3
        self.check("3.11 detection needs", d["needed"], needed)
        self.check("3.11 detected", d["detected"], d["face"] >= needed)
        self.check("3.11 detection die", self.rolled[-1], [d["face"]])
        self.check("4.3 systems down detects nothing", 7 in unit.marks, False)
        self.check("3.11 it was not detected", target.detected, False)
        target.detected = d["detected"]

    def attack_resolved(self, d: Data) -> None:
        s, target = self.shot, self.units[d["target"]]
        assert s is not None
        same = all(d[k] == s[k] for k in ("attacker", "weapon", "target"))
        self.check("3.1 the attack that was measured", same, True)
        if target.kind == "submarine":
            self.check("3.11 detected", target.detected, True)
        if d["weapon"] == "torpedo":
            self._air_torpedo(d, target, s)
            return
        self._same_dice(d["rounds"], s["dice"]["total"], "3.1")
        hits = hits_of(d["rounds"], self._least(self.units[d["attacker"]], target, s))
        self.check("1.5 hits", d["hits"], hits)
        armor, critical = self._ratings(target)
        level = sum(self._above(hits, r) for r in (armor, max(armor, critical)))
        aircraft = target.kind == "aircraft"
        names = ("miss", "aborted", "destroyed") if aircraft else ("miss", "hit", "critical")
        self.check("3.1 outcome", d["outcome"], names[level])
        self.check("3.1 hull points", d["hull"], 0 if aircraft else int(level > 0))
        self._takes(target, d)

    def _takes(self, target: Unit, d: Data) -> None:
        target.pending += d["hull"]
        if d["outcome"] == "aborted":
            target.aborted = True
        if target.kind == "aircraft" and d["outcome"] == "destroyed":
            target.pending = 1
        if d["outcome"] == "critical":
            self.want_critical = target.name

    def _air_torpedo(self, d: Data, target: Unit, s: Data) -> None:
        """By agreement an aircraft's torpedoes run at once; each 6 is two points (3.3)."""
        self.check("3.3 torpedoes at once", self.options["airTorpedo"], "immediate")
        self.check("3.3 dice", len(d["rounds"][0]), s["dice"]["total"])
        self.check("1.5 the dice that fell", d["rounds"], self.rolled[-1:])
        sixes = d["rounds"][0].count(6)
        self.check("3.3 torpedo hits", (d["hits"], d["hull"]), (sixes, 2 * sixes))
        target.pending += d["hull"]

    def critical_rolled(self, d: Data) -> None:
        target = self.units[d["target"]]
        self.check("4.3 a critical is due", self.want_critical, d["target"])
        self.want_critical = ""
        self.check("4.3 the two dice", self.rolled[-1], list(d["faces"]))
        result = sum(d["faces"])
        for family, (rolled, counts, harms) in CRITICAL_AS.items():
            if sum(d["faces"]) == rolled and target.has(family, negative=harms):
                result = counts
        if target.kind == "land":
            self.leave("4.3 critical table", "a target ashore")
        else:
            self.check("4.3 critical table", d["result"], 0 if result == 12 else result)
        if d["result"] not in (0, 12):
            target.coming.add(d["result"])

    # ---- torpedoes (3.3, 3.10)

    def torpedoes_launched(self, d: Data) -> None:
        s, group = self.shot, d["inbound"]
        assert s is not None
        target = self.units[d["target"]]
        if target.kind == "submarine":
            self.check("3.11 detected", target.detected, True)
        unit = self.units[d["attacker"]]
        self.check("3.3 markers are dice", group["number"], s["dice"]["total"])
        self.check("3.3 the firer", (group["firer"], group["turn"]), (unit.name, self.turn))
        self.check("3.11 evaded on", group["evadedOn"], 5 if unit.has_any(*EVADED_ON_5) else 4)
        target.inbound.append(dict(group))

    def torpedoes_checked(self, d: Data) -> None:
        target = self.units[d["target"]]
        old = self._old(target)
        self.check("3.10 markers of an earlier turn", bool(old), True)
        self.check("1.6 markers are checked in their step", self.phase, "torpedo-check")
        if old:
            said = (d["firer"], d["turn"], len(d["faces"]))
            self.check(
                "3.10 which markers", said, tuple(old[0][k] for k in ("firer", "turn", "number"))
            )
            target.inbound.remove(old[0])
        self.check("3.10 torpedo dice", self.rolled[-1], list(d["faces"]))
        sixes = list(d["faces"]).count(6)
        self.check("3.3 torpedo hits", (d["hits"], d["hull"]), (sixes, 2 * sixes))
        target.pending += d["hull"]

    # ---- damage and the end of the turn (4, 1.6.9)

    def damage_applied(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        late = self.options["damageEffects"] == "end-of-turn"
        at = self.phase == "end-of-turn" if late else self.part == "end"
        self.check("4.1 when damage takes effect", at or self.phase == "end-of-turn", True)
        total = min(unit.hull, unit.lost + unit.pending)
        if 2 in unit.coming:
            total = unit.hull
        elif 3 in unit.coming and self.options["criticalCrippled"] == "one-hull-point":
            total = max(total, unit.hull - 1)  # 4.2: crippled is one hull point left
        self.check("4.1 hull points lost in all", d["hullLost"], total)
        self.check("4.3 markers placed", sorted(d["criticals"]), sorted(unit.coming - unit.marks))
        unit.lost = d["hullLost"]
        unit.pending = 0
        unit.marks |= unit.coming
        unit.coming = set()

    def unit_destroyed(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        if unit.kind == "aircraft":
            dead = unit.pending > 0
        else:
            dead = unit.left - unit.pending <= 0 or 2 in unit.coming | unit.marks
        self.check("4.2 destroyed when the last hull point is lost", dead, True)
        self.check("4.2 destroyed once", unit.destroyed, False)
        unit.destroyed = True

    def unit_crippled(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        down = unit.left == 1 or 3 in unit.coming | unit.marks
        self.check("4.2 crippled with one hull point", down, True)
        unit.crippled_said = True

    def unit_removed(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        self.check("1.1 removed once", unit.gone, False)
        unit.gone = True
        points = unit.card["points"]
        if unit.card["id"] == "convoy-ship":
            points = self.terms["convoyPoints"]
            (self.safe if d["cause"] == "exit" else self.sunk)[unit.seat] += 1
        if d["cause"] == "exit":
            self.leave("6.3 points of an exit", "as the scenario says")
        else:
            scored = (d["scorer"], d["points"])
            self.check("1.2 points", scored, (self.other(unit.seat), points))
        if d["cause"] == "destroyed":
            self.check("4.2 marked before removed", unit.destroyed, True)
            if unit.kind != "aircraft" and self.options["damageEffects"] == "end-of-turn":
                self.check("1.1 ships leave at the end of the turn", self.phase, "end-of-turn")
        if d["cause"] == "left-table":
            self.check("2.2 it is off the table", self._off(unit), True)
        if d["cause"] == "with-carrier":
            self.check("1.6.8 its carrier is gone", self.units[unit.home].gone, True)
        if d["scorer"]:
            self.score[d["scorer"]] += d["points"]

    def repair_rolled(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        self.check("4.4 it has the marker", d["critical"] in unit.marks, True)
        self.check("4.4 it can be repaired", d["critical"] in REPAIRABLE, True)
        self.check("4.4 repair die", self.rolled[-1], [d["face"]])
        self.check("4.4 repaired on 5 and 6", d["repaired"], d["face"] >= 5)
        if d["repaired"]:
            unit.marks.discard(d["critical"])

    def fire_burned(self, d: Data) -> None:
        unit = self.units[d["unit"]]
        self.check("4.3 fire on even turns", self.turn % 2, 0)
        self.check("4.3 a fire marker", 6 in unit.marks, True)
        self.check("4.3 a fire burns once a turn", unit.burned, False)
        unit.burned = True
        unit.lost += 1

    def wind_drawn(self, d: Data) -> None:
        self.wind = d["direction"]

    def storms_moved(self, d: Data) -> None:
        self.check("2.5 klicks are a die", 1 <= d["klicks"] <= 6, True)
        x, y = t.ahead(self.wind)
        for name, at in d["at"].items():
            old = self.storms[name]["at"]
            far = d["klicks"] * self.klick
            off = abs(old[0] + far * x - at[0]) + abs(old[1] + far * y - at[1])
            self.check("2.5 storms go with the wind", off <= 14, True)
            self.storms[name]["at"] = at
        for name in d["gone"]:
            self.storms.pop(name, None)

    def control_checked(self, d: Data) -> None:
        """Held by one side's ships alone, for turns in a row (6.1)."""
        goal = self.goals[d["objective"]]
        there: dict[str, bool | None] = {}
        for seat in self.seats:
            answers = [
                self._near_goal(u, goal["at"]) for u in self.units.values() if u.seat == seat
            ]
            there[seat] = True if True in answers else None if None in answers else False
        if None in there.values():
            self.leave("6.1 control", "right at a limit")
        else:
            for seat in self.seats:
                alone = there[seat] and not there[self.other(seat)]
                turns = self.holding[goal["id"]][seat] + 1 if alone else 0
                self.check("6.1 control", d["turns"].get(seat, 0), turns)
        self.holding[goal["id"]] = {s: d["turns"].get(s, 0) for s in self.seats}

    def _near_goal(self, unit: Unit, at: t.XY) -> bool | None:
        if unit.kind != "ship" or unit.gone or unit.pose is None:
            return False
        if unit.has("no-sea-control", negative=True):
            return False
        return t.within(t.distance(unit.shape(), [at]), 8 * self.klick)

    def objective_gained(self, d: Data) -> None:
        goal = self.goals[d["objective"]]
        self.check("6.1 points of the objective", d["points"], goal["points"])
        if d["unit"]:
            ship = self.units[d["unit"]]
            self.check("6.2 a landing ship that has stopped", ship.stopped, True)
            self.check("6.2 its troops", ship.has("land-troops") is not None, True)
            near = t.within(t.distance(ship.shape(), [goal["at"]]), self.klick)
            self.sure("6.2 at the landing place", near)
        else:
            self.check("6.1 two turns in a row", self.holding[goal["id"]][d["seat"]], 2)
        self.score[d["seat"]] += d["points"]

    def turn_ended(self, d: Data) -> None:
        self.check("1.6 the turn that ends", d["turn"], self.turn)
        for u in self.units.values():
            if u.kind != "aircraft" and not u.gone:
                self.check("4.2 the destroyed are removed", u.left <= 0 or 2 in u.marks, False)
                self.check("4.1 damage has taken effect", (u.pending, u.coming), (0, set()))
                if u.left == 1 and u.kind != "land":
                    self.check("4.2 crippled is said", u.crippled_said, True)
            if not u.gone and 6 in u.marks and self.turn % 2 == 0:
                self.check("4.3 a fire burns", u.burned, True)
            u.collided = u.launched = u.evaded = u.turned = u.burned = False
            u.order, u.used, u.made = None, set(), 0

    def game_ended(self, d: Data) -> None:
        reason, winners = d["reason"], [s for s in self.seats if s in d["winners"]]
        whole = [s for s in self.all_seats if self.side(s) in winners]
        self.check("6.4 a side wins together", list(d["winners"]), whole)
        one, two = self.seats
        best = [s for s in self.seats if self.score[s] > self.score[self.other(s)]]
        convoy = self._convoy()
        if reason == "target-reached":
            top = max(self.score[one], self.score[two])
            self.check("1.2 target reached", top >= self.terms["target"] > 0, True)
            self.check("1.2 the higher score wins", winners, best)
        elif reason == "last-turn" and not convoy:
            self.check("1.2 the last turn", self.turn, self.terms["turns"])
            self.check("1.2 the higher score wins", winners, best)
        elif reason == "elimination" and not convoy:
            there = [self._alive(s) for s in self.seats]
            self.check("1.2 a side is empty", all(there), False)
            survivor = [s for s, alive in zip(self.seats, there, strict=True) if alive]
            points = self.options["elimination"] == "points-decide" or not survivor
            self.check("1.2 who wins an empty table", winners, best if points else survivor)
        elif reason in ("convoy-through", "convoy-lost"):
            gains = [self._gain(side) for side in self.seats]
            won = [s for s, gain in zip(self.seats, gains, strict=True) if gain == max(gains)]
            self.check("6.3 a convoy decides", max(gains) > 0, True)
            self.check("6.3 whose it is", winners, won if len(won) == 1 else [])
        else:
            self.leave("1.2 the end", reason)

    def _convoy(self) -> bool:
        """Whether the convoy alone decides (6.3)."""
        return bool(self._escorts() and not self.terms["convoyPoints"])

    def _gain(self, side: str) -> int:
        """What has been won for a side: its convoy through, the enemy's lost (6.3, our ruling)."""
        most, enemy = self.terms["convoy"] / 2, self.other(side)
        through = side in self._escorts() and self.safe[side] > most
        late = self.turn >= self.terms["turns"] and self.safe[enemy] <= most
        return through + (enemy in self._escorts() and (self.sunk[enemy] > most or late))

    def _alive(self, seat: str) -> bool:
        return any(u.seat == seat and not u.gone and u.kind != "land" for u in self.units.values())


def judge(events: Events, over: bool = True) -> Verdict:
    """The verdict on one game's events, as the truth sees them."""
    return Referee().judge(events, over)
