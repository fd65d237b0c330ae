"""A referee of War at Sea: re-derives from the events what must be so, by the rulebooks alone.

Seeds: ``000`` the rulebook of 2007, ``002`` the update of 2009; the words in quotes are headings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .verdict import Data, Events, Reader, Verdict, read_all
from .war_at_sea_shots import amended, concealment, declared, resolved, rolled
from .war_at_sea_table import Table, Unit, chart, distance

SIZES = {"200": 20, "300": 25, "500": 40}
VALUES = {
    "2007": {"200": (75, 250), "300": (100, 400), "500": (200, 600)},
    "2009": {"200": (100, 300), "300": (150, 450), "500": (250, 750)},
}
"""Objective and target of a major engagement (000 and 002, "Major Engagement Scenario")."""

ORDER = {
    "2007": "air-defense air-attack surface-attack torpedo-attack air-return",
    "2009": "air-defense air-attack surface-attack submarine-attack air-return",
}
LEGS = {"tokyo-express": (2, 2), "evacuate": (1, 3)}
"""Cards with two awards, each once a game: by an island of the enemy's half, then back home."""

LAID_OUT = ("standard", "convoy", "major-200", "major-300", "major-500")


def judge(events: Events, over: bool = True) -> Verdict:
    """The verdict on a game of one of the rulebook's scenarios, all options known."""
    verdict, opened = Verdict(), events[0][1]
    table = Table(
        opened["edition"], opened["scenario"], opened.get("options", {}), tuple(opened["seats"])
    )

    def reader_of(name: str) -> Reader | None:
        rule = RULES.get(name)
        return None if rule is None else lambda seq, data: rule(table, seq, data, verdict)

    return read_all(events, over, verdict, reader_of)


def nothing(_table: Table, _seq: int, _data: Data, _say: Verdict) -> None:
    """An event that says nothing which could be judged."""


def objective(table: Table) -> int:
    """What an objective is worth (000 "How to Win", "Major Engagement Scenario"; 002)."""
    return VALUES[table.edition].get(table.size, (50, 150))[0]


def target(table: Table) -> int:
    """The points that win (000 "How to Win"; 002)."""
    return VALUES[table.edition].get(table.size, (50, 150))[1]


# Set-up


def sides_set(table: Table, _seq: int, data: Data, _say: Verdict) -> None:
    table.alliances = dict(data["alliances"])


def escort_chosen(table: Table, _seq: int, data: Data, _say: Verdict) -> None:
    table.escort = data["seat"]


def fleet_locked(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Cost and size of a fleet (000 "Building a Fleet", "Scenarios"; 002 "Convoy Scenario")."""
    names = data["cards"]["items"]
    if table.scenario not in LAID_OUT:
        say.leave("fleet", "a scenario of the players' own")
        return
    cards = [table.card(name) for name in names]
    limit = int(table.size) if table.size in SIZES else 100
    if table.scenario == "convoy" and table.edition == "2009" and data["seat"] != table.escort:
        limit = 80
    say.check(seq, "fleet within its points", sum(c.cost for c in cards) <= limit, True)
    say.check(seq, "fleet within its size", len(cards) <= SIZES.get(table.size, 15), True)
    for each in cards:
        _side(table, seq, data["seat"], each, say)


def _side(table: Table, seq: int, seat: str, card: Any, say: Verdict) -> None:
    """Only units of its side serve in a fleet (000 "Choosing Sides")."""
    if card.nation in ("France", "Italy") or card.alliance == "Neutral":
        say.leave("fleet of its side", "France, Italy or a neutral")
    elif not table.options.get("fleetExercise"):
        say.check(seq, "fleet of its side", card.alliance, table.alliances[seat])


def zone_selected(table: Table, seq: int, data: Data, say: Verdict) -> None:
    table.zone, table.objectives = data.get("zone", 0), set(data.get("objectives", ()))
    if table.scenario not in LAID_OUT:
        say.leave("objectives", "a scenario of the players' own")
        table.zone = 0
    elif table.scenario == "convoy":
        say.check(seq, "no objectives in a convoy battle", table.objectives, set())
    elif table.zone:
        say.check(seq, "objectives", table.objectives, set(chart(table.zone)["objectives"]))


def light_set(table: Table, _seq: int, data: Data, _say: Verdict) -> None:
    table.light = data["light"]


def deployed(table: Table, seq: int, data: Data, say: Verdict) -> None:
    unit = Unit(
        data["unit"],
        table.card(data["card"]),
        data["seat"],
        data.get("sector", ""),
        data.get("base", ""),
    )
    table.units[unit.id] = unit
    if unit.card.type == "Ship" and unit.card.subtype != "Torpedo Boat":
        table.had_ships.add(unit.seat)
    _dry(table, seq, unit, (unit.sector,), say)


def joined(table: Table, _seq: int, data: Data, _say: Verdict) -> None:
    deployed(table, _seq, data, _say)
    table.units[data["unit"]].placed = bool(data.get("sector"))


def _dry(table: Table, seq: int, unit: Unit, path: tuple[str, ...], say: Verdict) -> None:
    """Ships and Submarines keep out of islands and shoals (000 "Islands", "Shoals")."""
    if not table.zone or table.scenario == "convoy" or unit.card.type == "Aircraft":
        return
    if unit.says("island", "shoal"):
        say.leave("islands and shoals", "an ability speaks of them")
        return
    closed = {*chart(table.zone).get("islands", ()), *chart(table.zone).get("shoals", ())}
    say.check(seq, "islands and shoals", sorted(closed.intersection(path)), [])


# Dice


def dice_awaited(table: Table, _seq: int, data: Data, _say: Verdict) -> None:
    table.awaited = data


def dice_thrown(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """As many dice as were asked for, of so many sides."""
    pools = [(p["count"], p["sides"]) for p in table.awaited["awaited"]["pools"]]
    table.thrown = tuple(tuple(pool) for pool in data["faces"]["items"])
    say.check(seq, "dice counted", [len(pool) for pool in table.thrown], [c for c, _ in pools])
    fits = all(
        1 <= face <= sides
        for (_, sides), pool in zip(pools, table.thrown, strict=False)
        for face in pool
    )
    say.check(seq, "faces of the dice", fits, True)


def initiative(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Two dice and the best Flagship that is not crippled (000 "A. Initiative Phase")."""
    table.first = data.get("first", "")
    if any(u.unsure and u.card.flagship for u in table.units.values()):
        say.leave("initiative", "a Flagship is crippled by an ability")
        return
    totals: dict[str, int] = {}
    helped = False
    for seat, faces in zip(table.seats, table.thrown, strict=True):
        tally = data["totals"][seat]
        extra = sum(r["value"] for r in tally["reasons"] if r["label"] not in ("die", "flagship"))
        helped = helped or any(r["label"] not in ("die", "flagship") for r in tally["reasons"])
        totals[seat] = tally["total"]
        say.check(
            seq, "initiative total", tally["total"] - extra, sum(faces) + _flagship(table, seat)
        )
    _loser(table, seq, data, totals, helped, say)


def _flagship(table: Table, seat: str) -> int:
    ready = [u.card.flagship for u in table.of(seat) if u.in_play and not u.crippled]
    return max(ready, default=0)


def _loser(
    table: Table, seq: int, data: Data, totals: dict[str, int], helped: bool, say: Verdict
) -> None:
    """The loser is the First Player; the better Flagship wins a tie; else it is rerolled."""
    one, two = table.seats
    if any(r.startswith("WAS-CARD") for r in data.get("rules", ())):
        say.leave("first player", "an ability decides")
        return
    flags = {seat: _flagship(table, seat) for seat in table.seats}
    if totals[one] == totals[two] and helped and table.options.get("tieBreakAbilities"):
        say.leave("first player", "abilities break the tie")
        return
    ranks = {seat: (totals[seat], flags[seat]) for seat in table.seats}
    first = "" if ranks[one] == ranks[two] else min(ranks, key=lambda seat: ranks[seat])
    say.check(seq, "first player", data.get("first", ""), first)


# Turns and steps


def turn_began(table: Table, seq: int, data: Data, say: Verdict) -> None:
    say.check(seq, "turns count up", data["turn"], table.turn + 1)
    table.turn = data["turn"]
    table.barred = set()
    table.threats = set()
    for unit in table.units.values():
        unit.moved = unit.placed = unit.strafing = unit.aborted = False
        unit.effects = [e for e in unit.effects if e["until"] >= table.turn]


def step_began(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """The phases come in order, and the First Player's step first (000 "Sequence of Play").

    One in which nobody could do anything, and nothing happened, is not on record.
    """
    order = ["initiative", "sea-movement", "air-mission", *ORDER[table.edition].split()]
    order.append("end-of-turn")
    before, part, after = table.phase, table.part, data["step"]["phase"]
    if before in order and after in order and (before, part) != (after, data["step"]["part"]):
        there, now = order.index(before), order.index(after)
        start = before == "end-of-turn" and after == "initiative"
        say.check(seq, "phases in order", start or now >= there, True)
        back = before == after and (part, data["step"]["part"]) == ("second", "first")
        say.check(seq, "First Player's step first", back, False)
    if before != after:
        _phase_over(table, seq, before, say)
    table.phase, table.part = after, data["step"]["part"]


def phase_ended(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Something of the phase is put away: its attacks, its damage."""
    del data
    _settled(table, seq, say)


def _phase_over(table: Table, seq: int, phase: str, say: Verdict) -> None:
    """What has to be so before another phase begins, whether or not its end is on record."""
    _settled(table, seq, say)
    for unit in table.units.values():
        unit.shots.clear()
    if phase == "air-return":
        for seat in table.seats:
            _has_room(table, seq, seat, say)


def _settled(table: Table, seq: int, say: Verdict) -> None:
    """No damage waits, and who is destroyed has left play (000 "Timing of Damage")."""
    for unit in table.units.values():
        say.check(seq, "damage takes effect", (unit.id, unit.pending), (unit.id, 0))
        say.check(
            seq, "the destroyed leave play", (unit.id, unit.sunk or unit.doomed), (unit.id, False)
        )
    table.lost = set()


def _acts(table: Table, seq: int, seat: str, say: Verdict) -> None:
    """Who acts in a player's step (000 "First and Second Player")."""
    if table.part in ("first", "second") and table.first:
        due = table.first if table.part == "first" else table.other(table.first)
        say.check(seq, "acts in its own step", seat, due)


def passed(table: Table, seq: int, data: Data, say: Verdict) -> None:
    _acts(table, seq, data["seat"], say)


# Movement


def moved(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """A chain of adjacent sectors, no longer than the speed (000 "Speed and Movement")."""
    unit, path = table.units[data["unit"]], tuple(data["path"])
    where = (unit.sector, *path)
    steps = [distance(a, b) for a, b in zip(where, path, strict=False)]
    normal = table.phase == "sea-movement" and table.part in ("first", "second")
    say.check(seq, "moves to adjacent sectors", [s for s in steps if s not in (1, None)], [])
    if not normal:
        say.leave("movement", "outside a Sea Movement step")
    else:
        _acts(table, seq, unit.seat, say)
        say.check(seq, "moves once a turn", unit.moved, False)
        _length(seq, unit, data, say)
        _room(table, seq, unit, path, say)
    _dry(table, seq, unit, path, say)
    unit.sector, unit.moved = path[-1], unit.moved or normal


def place_on_map(sector: str) -> bool:
    return distance(sector, sector) == 0


def _length(seq: int, unit: Unit, data: Data, say: Verdict) -> None:
    if data.get("boost"):
        say.leave("length of the move", f"with {data['boost']}")
        return
    if unit.unsure:
        say.leave("length of the move", "crippled by an ability")
        return
    words = {e["word"] for e in unit.effects}
    if words - {"speed"} and unit.says("move", "sector", "speed"):
        say.leave("length of the move", "an ability lasts")
        return
    speed = unit.card.speed - unit.crippled if unit.card.speed > 1 else unit.card.speed
    speed += sum(e["change"] for e in unit.effects if e["word"] == "speed")
    say.check(seq, "length of the move", len(data["path"]) <= speed, True)


def _room(table: Table, seq: int, unit: Unit, path: tuple[str, ...], say: Verdict) -> None:
    """Two Ships, one Submarine (000 and 002, "Stacking"; 500 points: three Ships)."""
    tested = path[-1:] if table.edition == "2009" else path
    limit = 3 if table.size == "500" else 2
    if unit.card.type == "Submarine":
        limit = 1
    for sector in tested:
        there = [
            u
            for u in table.of(unit.seat)
            if u.sector == sector and u.card.type == unit.card.type and u is not unit
        ]
        if any(u.says("friendly Ships") for u in (unit, *there)):
            say.leave("stacking", "an ability speaks of it")
        elif place_on_map(sector):
            say.check(seq, "stacking", len(there) < limit, True)


def shifted(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    table.units[data["unit"]].sector = data["sector"]
    say.leave("movement", f"shifted by {data['ability']}")


# Aircraft


def placed(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """A mission for an Aircraft that is armed, where there is room (000 "C. Air Mission Phase")."""
    unit = table.units[data["unit"]]
    say.check(seq, "own Aircraft", (unit.seat, unit.card.type), (data["seat"], "Aircraft"))
    say.check(seq, "one mission a turn", unit.placed, False)
    say.check(seq, "no mission while rearming", unit.rearming, False)
    sector = data.get("sector", "")
    there = [
        u
        for u in table.of(unit.seat)
        if u.sector == sector and u.placed and u.card.type == "Aircraft"
    ]
    limit = 5 if (table.size, table.edition) == ("500", "2009") else 4
    if place_on_map(sector):
        say.check(seq, "room for Aircraft", len(there) < limit, True)
    unit.sector, unit.placed, unit.strafing = sector, True, data.get("strafing", False)


def sent_home(table: Table, _seq: int, data: Data, _say: Verdict) -> None:
    for name in data["units"]:
        table.units[name].base = "airbase"


def searched(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Patrol Bombers find on 3 or more, others on 5 (002 "Darkness")."""
    unit = table.units[data["unit"]]
    needed = 3 if unit.card.subtype == "Patrol Bomber" else 5
    if unit.says("search", "dark", "night"):
        say.leave("search", "an ability speaks of it")
    else:
        say.check(seq, "search needs", data["needed"], needed)
    found = data["face"] >= data["needed"]
    say.check(seq, "search die", data["face"], table.thrown[0][0])
    say.check(seq, "search", data.get("found", False), found)
    unit.aborted = unit.aborted or not found
    lasting(table, data)


def recovered(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Those on 1 are lost (002 "Darkness", Air Return Phase)."""
    lost = [u for u, face in zip(data["units"], data["faces"], strict=True) if face == 1]
    say.check(seq, "recovery", list(data.get("lost", ())), lost)


def return_began(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Who rearmed this turn is ready (000 "H. Air Return Phase")."""
    waiting = {u.id for u in table.of(data["seat"]) if u.rearming}
    if table.shelled or any("uncertain-arrival" in u.families for u in table.of(data["seat"])):
        say.leave("rearmed", "an ability puts it off")
    else:
        say.check(seq, "rearmed", sorted(data.get("rearmed", ())), sorted(waiting))
    for name in data.get("rearmed", ()):
        table.units[name].rearming = False


def returned(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Rearming at the airbase, never on a Carrier; Carriers have so much room (000 "Carriers")."""
    unit, base = table.units[data["unit"]], data["base"]
    rearming = data.get("rearming", False)
    if unit.says("rearm") or any(u.says("rearm", "land there") for u in table.of(unit.seat)):
        say.leave("rearming", "an ability speaks of it")
    else:
        flew = unit.placed or _homeless(table, unit)
        say.check(seq, "rearming", rearming, base == "airbase" and flew)
    unit.base, unit.sector, unit.rearming = base, "", rearming
    carrier = table.units.get(base)
    if carrier and carrier.card.subtype == "Carrier":
        based = [u for u in table.of(unit.seat) if u.base == base and not u.sector]
        say.check(seq, "basing capacity", len(based) <= carrier.card.basing, True)
        say.check(seq, "no Patrol Bomber on a Carrier", unit.card.subtype != "Patrol Bomber", True)


def _homeless(table: Table, unit: Unit) -> bool:
    """Who was aboard a lost Carrier rearms ashore (000 "Destroyed Carriers", RUL-71)."""
    aboard = unit.base not in ("", "airbase") and unit.base not in table.units
    return table.edition == "2007" and aboard


def return_ended(table: Table, seq: int, data: Data, say: Verdict) -> None:
    _has_room(table, seq, data["seat"], say)


def _has_room(table: Table, seq: int, seat: str, say: Verdict) -> None:
    """The airbase holds 5, or 7, 9, 13 (000 "The Land Airbase", "Major Engagement Scenario")."""
    limit = {"200": 7, "300": 9, "500": 13}.get(table.size, 5)
    there = [u for u in table.of(seat) if u.base == "airbase" and not u.sector]
    if any(u.says("airbase") for u in there):
        say.leave("airbase's room", "an ability speaks of it")
        return
    say.check(seq, "airbase's room", len(there) <= limit, True)


def rearming_ended(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    table.units[data["unit"]].rearming = False
    say.leave("rearming", "ended by an ability")


def rearming_began(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    table.units[data["unit"]].rearming = True
    say.leave("rearming", "begun by an ability")


def shelled(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    table.shelled = True
    for name in data["units"]:
        table.units[name].rearming = True
    say.leave("rearming", "begun by an ability")


# Abilities


def lasting(table: Table, data: Data) -> None:
    """Keep what an ability set going; who it cripples is not sure any more."""
    for effect in data.get("effects", ()):
        unit = table.units.get(effect.get("unit", ""))
        if unit:
            unit.effects.append(dict(effect))
            unit.unsure = unit.unsure or "cripple" in effect["word"]


def effect_began(table: Table, _seq: int, data: Data, _say: Verdict) -> None:
    lasting(table, {"effects": [data["effect"]]})


def used(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """On the card, and no more often than it says (000 "Special Abilities")."""
    unit = table.units[data["unit"]]
    say.check(seq, "ability on the card", data["ability"] in unit.families, True)
    once = data.get("once", "")
    key = (unit.id, data["ability"], table.turn if once == "turn" else once)
    table.used[key] += 1
    if once:
        often = len(LEGS.get(data["ability"], (0,)))
        say.check(seq, f"once a {once}", table.used[key] <= often, True)
    table.errand = unit.id, data["ability"]
    table.meddled = True
    if data.get("bars"):
        table.barred.add(data["bars"])
    lasting(table, data)


def ability_rolled(table: Table, seq: int, data: Data, say: Verdict) -> None:
    unit = table.units.get(data["unit"])
    table.meddled = True
    if unit and data["ability"] == "slow":
        """Slow by a die of so much or less (002 "Slow")."""
        slowed = any(e["word"] == "speed" for e in data.get("effects", ()))
        say.check(seq, "slow", slowed, data["face"] <= unit.number("slow"))
    elif unit and data["ability"] == "fast":
        sped = any(e["word"] == "speed" for e in data.get("effects", ()))
        say.check(seq, "fast", sped, data["face"] >= unit.number("fast"))
    else:
        say.leave("ability's die", data["ability"])
    lasting(table, data)


# Damage and losses


def hull_lost(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    table.units[data["unit"]].pending += data["points"]
    say.leave("hull lost", data["cause"])


def repaired(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    table.units[data["unit"]].damage -= data["points"]
    say.leave("hull repaired", data["cause"])


def doomed(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    unit = table.units[data["unit"]]
    unit.doomed = True
    unit.own_act = data["cause"] in unit.families
    say.leave("destroyed by an ability", data["cause"])


def spared(table: Table, _seq: int, data: Data, say: Verdict) -> None:
    unit = table.units[data["unit"]]
    unit.doomed, unit.pending = False, data["pending"]
    say.leave("spared", "by an ability")


def damaged(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Waiting damage is dealt at the end of the phase (000 "Timing of Damage", "Crippled")."""
    unit = table.units[data["unit"]]
    say.check(seq, "hull damage", data["damage"], unit.pending)
    unit.damage, unit.pending = unit.damage + unit.pending, 0
    if unit.unsure or unit.says("crippl"):
        say.leave("crippled", "an ability speaks of it")
        return
    say.check(seq, "crippled", data["crippled"], unit.crippled)


def carrier_lost(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Those on 1 go down with the Carrier (000 and 002, "Destroyed Carriers")."""
    lost = [u for u, face in zip(data["units"], data["faces"], strict=True) if face == 1]
    say.check(seq, "lost with the Carrier", list(data.get("lost", ())), lost)
    table.lost.update(lost)


def removed(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """A unit that leaves play scores its cost for the enemy (000 "How to Win", "Destroyed")."""
    unit, cause = table.units.pop(data["unit"]), data["cause"]
    table.gone[unit.id] = unit
    if cause == "exited":
        say.check(seq, "leaves over the edge", unit.sector.split(".")[0] in ("1", "11"), True)
        say.check(seq, "of the convoy", (unit.seat, unit.card.type), (table.escort, "Ship"))
        table.through[unit.seat] += 1
        del table.gone[unit.id]
    elif cause == "destroyed":
        fallen = unit.doomed or unit.sunk or unit.id in table.lost
        say.check(seq, "only the destroyed leave play", fallen, True)
    _score(table, seq, unit, data, say)
    table.points[data["scorer"]] += data["points"]


def _score(table: Table, seq: int, unit: Unit, data: Data, say: Verdict) -> None:
    cause, own = data["cause"], unit.own_act or data["cause"] == "recovery"
    if cause not in ("destroyed", "recovery", "stranded"):
        say.leave("points for a unit", cause)
        return
    scored = table.scenario != "convoy" and cause != "stranded"
    if own and not table.options.get("selfLossScores", True):
        scored = False
    if unit.card.cost and unit.seat:
        say.check(seq, "scored by the enemy", data["scorer"], table.other(unit.seat))
    say.check(seq, "points for a unit", data["points"], unit.card.cost if scored else 0)


# Objectives, points, the end


def _holders(table: Table, seat: str, sector: str) -> list[Unit]:
    """Ships that hold a sector, if no enemy Ship is in it or next to it (000 "I. End of Turn")."""
    near = [distance(u.sector, sector) for u in table.ships(table.other(seat))]
    held = [u for u in table.ships(seat) if u.sector == sector]
    if any(d is not None and d <= 1 for d in near):
        return []
    return [u for u in held if "no-sea-control" not in u.families]


def claimed(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Claiming an objective (000 "Claiming Objectives"; 002 "High-Speed Run", "No Sea Control")."""
    seat, sector = data["seat"], data["sector"]
    say.check(seq, "objective is there", sector in table.objectives, True)
    say.check(seq, "objective is held", bool(_holders(table, seat, sector)), True)
    say.check(seq, "fleet may claim", seat in table.barred, False)
    if table.scenario in LAID_OUT:
        say.check(seq, "points of an objective", data["points"], objective(table))
    table.objectives.discard(sector)
    table.points[seat] += data["points"]


def scored(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """The bonus for an enemy without Ships (002 "How to Win")."""
    seat = data["seat"]
    if data["cause"] == "no-ships":
        say.check(seq, "bonus's points", data["points"], objective(table))
        say.check(seq, "bonus is due", _bonus_due(table, seat), True)
        table.bonus.add(seat)
    elif data["cause"] in LEGS:
        leg = table.used[(*table.errand, "game")]
        say.check(seq, "points of an errand", data["points"], LEGS[data["cause"]][leg - 1])
    else:
        say.leave("points of an ability", data["cause"])
    table.points[seat] += data["points"]


def _bonus_due(table: Table, seat: str) -> bool:
    enemy = table.other(seat)
    ever = enemy in table.had_ships or table.options.get("noShipsBonusShiplessFleet", False)
    left = [u for u in table.ships(enemy) if u.card.subtype != "Torpedo Boat"]
    played = table.edition == "2009" and table.scenario != "convoy"
    return bool(played and ever and not left and seat not in table.bonus)


def turn_ended(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """The game goes on: nobody has won, and nothing that was due was left out."""
    del data
    _unclaimed(table, seq, say)
    for seat in table.seats:
        say.check(seq, "bonus not forgotten", _bonus_due(table, seat), False)
        if table.scenario not in LAID_OUT[:1] + LAID_OUT[2:]:
            say.leave("goes on with units", "a convoy, or a scenario of the players' own")
        else:
            say.check(seq, "goes on with units", bool(table.of(seat)), True)
    one, two = (table.points[seat] for seat in table.seats)
    if table.scenario in LAID_OUT and table.scenario != "convoy":
        over = max(one, two) >= target(table) and one != two
        say.check(seq, "goes on below the target", over, False)


def _unclaimed(table: Table, seq: int, say: Verdict) -> None:
    if table.options.get("claims", "automatic") != "automatic":
        return
    for seat in table.seats:
        for sector in table.objectives:
            holders = _holders(table, seat, sector)
            if any(u.says("objective", "claim") for u in holders):
                say.leave("claims not forgotten", "an ability speaks of it")
            elif seat not in table.barred:
                say.check(seq, "claims not forgotten", bool(holders), False)


def ended(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Who wins, and why (000 "How to Win", "I. End of Turn", "Convoy Scenario"; 002)."""
    test = ENDS.get(data["reason"])
    if test is None or table.scenario not in LAID_OUT:
        say.leave("winner", data["reason"])
        return
    say.check(seq, f"winner by {data['reason']}", tuple(data.get("winners", ())), test(table))


def _by_points(table: Table) -> tuple[str, ...]:
    best = max(table.points[seat] for seat in table.seats)
    leaders = tuple(seat for seat in table.seats if table.points[seat] == best)
    return leaders if len(leaders) == 1 and best >= target(table) else ()


def _by_units(table: Table) -> tuple[str, ...]:
    left = tuple(seat for seat in table.seats if table.of(seat))
    return left if len(left) == 1 else ()


def _by_score(table: Table) -> tuple[str, ...]:
    one, two = table.seats
    if table.of(one) or table.of(two):
        return ("nobody: there are units",)
    return () if table.points[one] == table.points[two] else (_best(table.points),)


def _best(counts: Mapping[str, int]) -> str:
    return max(counts, key=lambda seat: counts[seat])


def _by_cost(table: Table) -> tuple[str, ...]:
    """Most points' worth of units left (000 "I. End of Turn"); of equals the score (RUL-83)."""
    worth = {seat: sum(u.card.cost for u in table.of(seat)) for seat in table.seats}
    ranks = {seat: (worth[seat], table.points[seat]) for seat in table.seats}
    best = max(table.seats, key=lambda seat: ranks[seat])
    return (best,) if len(set(ranks.values())) == 2 else ()


def _by_sinking(table: Table) -> tuple[str, ...]:
    sunk = [u for u in table.gone.values() if u.seat == table.escort]
    lost = [u for u in sunk if u.card.id.startswith("convoy")]
    return (table.other(table.escort),) if len(lost) >= 3 else ()


ENDS: dict[str, Callable[[Table], tuple[str, ...]]] = {
    "victory-points": _by_points,
    "elimination": _by_units,
    "mutual-elimination": _by_score,
    "stalemate": _by_cost,
    "convoy-sunk": _by_sinking,
    "convoy-through": lambda t: (t.escort,) if t.through[t.escort] >= 3 else (),
}

RULES: dict[str, Callable[[Table, int, Data, Verdict], None]] = {
    **dict.fromkeys(("game-opened", "task-done", "fleet-deployed", "attack-ended"), nothing),
    "sides-set": sides_set,
    "escort-chosen": escort_chosen,
    "fleet-locked": fleet_locked,
    "zone-selected": zone_selected,
    "light-set": light_set,
    "unit-deployed": deployed,
    "squadron-joined": joined,
    "dice-awaited": dice_awaited,
    "dice-thrown": dice_thrown,
    "initiative-rolled": initiative,
    "turn-began": turn_began,
    "step-began": step_began,
    "phase-ended": phase_ended,
    "passed": passed,
    "unit-moved": moved,
    "unit-shifted": shifted,
    "aircraft-placed": placed,
    "aircraft-sent-home": sent_home,
    "search-rolled": searched,
    "recovery-rolled": recovered,
    "return-began": return_began,
    "aircraft-returned": returned,
    "return-ended": return_ended,
    "rearming-ended": rearming_ended,
    "rearming-began": rearming_began,
    "airbase-shelled": shelled,
    "effect-began": effect_began,
    "ability-used": used,
    "ability-rolled": ability_rolled,
    "attack-declared": declared,
    "attack-amended": amended,
    "attack-rolled": rolled,
    "concealment-rolled": concealment,
    "attack-resolved": resolved,
    "hull-lost": hull_lost,
    "hull-repaired": repaired,
    "unit-doomed": doomed,
    "unit-spared": spared,
    "damage-applied": damaged,
    "carrier-loss-rolled": carrier_lost,
    "unit-removed": removed,
    "objective-claimed": claimed,
    "points-scored": scored,
    "turn-ended": turn_ended,
    "game-ended": ended,
}
