"""The referee's opinion of attacks in War at Sea: target, range, dice, successes, result.

What an ability adds to a figure is taken from the record, if its card has it; all else is derived.
"""

from __future__ import annotations

from collections.abc import Iterable

from .verdict import Data, Verdict
from .war_at_sea_table import Table, Unit, ability, distance

GUNS = ("main", "secondary", "tertiary")
AT_SHIPS = (*GUNS, "strafe", "bomb")
SMALL = ("Destroyer", "Torpedo Boat")
ESCORT = ability("escort")[0]
MORE = ("second", "third", "extra", "twice", "two", "one more", "again", "different", "instead")
NIGHT_EYES = {"night-fighter", "improved-radar", "radar-fire-control"}
"""Gunnery abilities that see in the dark (002 "Darkness", Surface Attack Phase)."""


def declared(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """An attack: who, at whom, when, how far, with what."""
    attack = dict(data["attack"])
    one, two = table.units[attack["attacker"]], table.units[attack["target"]]
    table.attack, table.meddled, table.concealed = attack, False, False
    say.check(seq, "attacks an enemy", two.seat, table.other(one.seat))
    _when(table, seq, one, attack, say)
    _whom(table, seq, one, two, attack, say)
    _how_often(table, seq, one, attack["weapon"], say)
    _range(seq, one, two, attack, say)
    _figures(table, seq, one, two, attack, say)
    one.shots[attack["weapon"]] += 1
    if attack["weapon"] == "asw" and one.card.type == "Aircraft":
        table.threats.add((one.id, two.id))


def amended(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """The same attack with other figures."""
    attack = dict(data["attack"])
    table.attack = attack
    one, two = table.units[attack["attacker"]], table.units[attack["target"]]
    _figures(table, seq, one, two, attack, say)


def _when(table: Table, seq: int, one: Unit, attack: Data, say: Verdict) -> None:
    """Each phase has its attacks (000 and 002, "Sequence of Play", "Torpedo Attacks")."""
    if table.part not in ("first", "second"):
        say.leave("attack in its phase", f"in the step {table.part}")
        return
    due = table.first if table.part == "first" else table.other(table.first)
    say.check(seq, "attacks in its own step", one.seat, due)
    if attack.get("withAbilities"):
        say.leave("attack in its phase", "with an ability")
    else:
        opened = (table.phase, attack["weapon"]) in _open(table, one)
        say.check(seq, "attack in its phase", opened, True)


def _open(table: Table, one: Unit) -> set[tuple[str, str]]:
    new = table.edition == "2009"
    found = {("air-defense", "antiair")}
    if one.card.type == "Aircraft":
        weapons = ["bomb", "asw", "torpedo", *(["strafe"] if one.strafing or not new else [])]
        return found | {("air-attack", w) for w in weapons}
    if one.card.type == "Submarine":
        return found | {("submarine-attack" if new else "torpedo-attack", "torpedo")}
    found |= {("surface-attack", w) for w in (*GUNS, "asw")}
    return found | {("surface-attack" if new else "torpedo-attack", "torpedo")}


def _whom(table: Table, seq: int, one: Unit, two: Unit, attack: Data, say: Verdict) -> None:
    """Each attack has its targets (000 "Range, Attack Type"; 002 "Small Ship Evasion")."""
    weapon, kind = attack["weapon"], two.card.type
    expected = {"antiair": "Aircraft", "asw": "Submarine"}.get(weapon, "Ship")
    submerged = one.card.type == "Submarine" and "submerged-shot" in one.families
    if weapon == "torpedo" and kind == "Submarine" and submerged:
        expected = "Submarine"
    say.check(seq, "target of its kind", kind, expected)
    if table.edition == "2009":
        boat = weapon == "torpedo" and two.card.subtype == "Torpedo Boat"
        far = weapon in GUNS and attack["range"] >= 4 and two.card.subtype in SMALL
        say.check(seq, "no torpedo at a Torpedo Boat", boat, False)
        say.check(seq, "no far gunnery at small ships", far, False)
    if table.dark:
        reach = 4 if _solved(table, one, weapon) else 3
        far = weapon in GUNS and attack["range"] > reach
        say.check(seq, "no far gunnery in the dark", far, False)
    if one.card.type == "Aircraft" and table.phase == "air-attack" and one.aborted:
        if one.says("abort"):
            say.leave("the aborted do not attack", "an ability speaks of it")
        else:
            say.check(seq, "the aborted do not attack", one.id, "")
    if weapon in (*GUNS, "torpedo") and attack["range"]:
        say.leave("line of sight", "not modelled")


def _solved(table: Table, one: Unit, weapon: str) -> bool:
    """Radar Solution: undamaged, with its first main gunnery of the game."""
    first = not table.used[one.id, "radar-solution", "game"]
    return "radar-solution" in one.families and weapon == "main" and first and not one.damage


def _how_often(table: Table, seq: int, one: Unit, weapon: str, say: Verdict) -> None:
    """One attack a phase, of Ships one with each battery (000 "One Attack per Phase"; 002)."""
    if one.says(*MORE):
        say.leave("attacks in a phase", "an ability speaks of it")
        return
    say.check(seq, "each attack once a phase", one.shots[weapon], 0)
    before = set(one.shots.elements())
    if one.card.type != "Ship":
        say.check(seq, "one attack a phase", before, set())
    elif before:
        mixed = "asw" in {weapon, *before} and {weapon, *before} != {"asw"}
        say.check(seq, "depth charges or guns", mixed, False)


def _range(seq: int, one: Unit, two: Unit, attack: Data, say: Verdict) -> None:
    """Sectors between the two (000 "Range, Attack Type, and Attack Dice")."""
    far = distance(one.sector, two.sector)
    if far is None:
        say.leave("range", "off the map")
        return
    say.check(seq, "range", attack["range"], far)


# Figures


def _figures(table: Table, seq: int, one: Unit, two: Unit, attack: Data, say: Verdict) -> None:
    for name in ("dice", "die", "armor", "vital"):
        reasons = attack[name]["reasons"]
        total = sum(r["value"] for r in reasons if r.get("counted", True))
        say.check(seq, f"{name} adds up", attack[name]["total"], total)
        for reason in _of_abilities(reasons):
            _owned(table, seq, reason, say)
    if one.unsure or two.unsure:
        say.leave("figures of an attack", "crippled by an ability")
        return
    _dice(table, seq, one, two, attack, say)
    _die(table, seq, one, two, attack, say)
    _armor(table, seq, two, attack, say)


def _of_abilities(reasons: Iterable[Data]) -> list[Data]:
    """What abilities add; escort is a rule of the book, so we count it ourselves."""
    found = [r for r in reasons if r["rule"].startswith(("WAS-ABIL", "WAS-CARD"))]
    return [r for r in found if r["rule"] != ESCORT]


def _owned(table: Table, seq: int, reason: Data, say: Verdict) -> None:
    """Whose ability it is has it on the card."""
    unit = table.units.get(reason.get("source", "")) or table.gone.get(reason.get("source", ""))
    if unit is None:
        say.leave("ability's figure", "of no unit")
        return
    owned = {ability(family)[0] for family in unit.families}
    say.check(seq, "ability's figure is on a card", reason["rule"] in owned, True)
    say.leave("size of an ability's figure", reason["label"])


def _dice(table: Table, seq: int, one: Unit, two: Unit, attack: Data, say: Verdict) -> None:
    """The card's dice at that range, and what takes some away (000 "Resolving Attacks"; 002)."""
    weapon, far = attack["weapon"], attack["range"]
    row = one.card.attacks.get(weapon, ())
    base = row[far] if far < len(row) else -1
    if base < 0 and weapon == "main" and 4 <= far <= one.number("extended-range") and row:
        base = row[3] if one.damage == 0 else -1
    printed = sum(r["value"] for r in attack["dice"]["reasons"] if r["label"] == "printed")
    if attack.get("withAbilities"):
        say.leave("dice", "with an ability")
        return
    if base < 0 and one.families - {"extended-range"}:
        say.leave("dice", "an ability's range")
        return
    say.check(seq, "dice printed", printed, base)
    dice = base + sum(r["value"] for r in _of_abilities(attack["dice"]["reasons"]))
    if weapon == "torpedo":
        if one.says("threat") or (one.crippled and one.says("crippl")):
            say.leave("dice", "an ability speaks of it")
            return
        dice = max(1, dice - _fewer(table, one))
    say.check(seq, "dice", attack["dice"]["total"], dice)


def _fewer(table: Table, one: Unit) -> int:
    """Torpedo dice that are lost (000 "Crippled"; 002 "ASW Threat", "Darkness")."""
    fewer = int(one.crippled)
    if table.dark and one.card.type == "Aircraft":
        fewer += 1
    if table.edition == "2007" or one.card.type != "Submarine":
        return fewer
    ships = [u for u in table.ships(table.other(one.seat)) if _threatens(u, one)]
    return fewer + len(ships) + sum(1 for _, struck in table.threats if struck == one.id)


def _threatens(ship: Unit, one: Unit) -> bool:
    """A Ship with depth charges in its sector or next to it; some only in its own."""
    far = distance(ship.sector, one.sector)
    reach = 0 if "limited-asw-threat" in ship.families else 1
    armed = max(ship.card.attacks.get("asw", (0,))) >= 1
    return armed and far is not None and far <= reach


def _die(table: Table, seq: int, one: Unit, two: Unit, attack: Data, say: Verdict) -> None:
    """Penalties on each die (000 "Penalties to Each Attack Die"; 002 "Small Ship Evasion")."""
    reasons = _of_abilities(attack["die"]["reasons"])
    if any(r["value"] > 0 for r in reasons):
        say.leave("die", "an ability adds to it")
        return
    why = _why_not(table, one, two, attack["weapon"])
    if why:
        say.leave("die", why)
        return
    others = [*_penalties(table, one, two, attack), *(r["value"] for r in reasons)]
    small = (
        table.edition == "2009"
        and attack["weapon"] == "main"
        and one.card.subtype == "Battleship"
        and two.card.subtype in SMALL
    )
    if table.options.get("diePenaltiesOverlap"):
        expected = min((*others, -2 if small else 0, 0))
    else:
        expected = min(sum(others), -2 if small else 0)
    say.check(seq, "die", attack["die"]["total"], expected)


def _why_not(table: Table, one: Unit, two: Unit, weapon: str) -> str:
    if one.crippled and one.says("crippl"):
        return "an ability speaks of crippled units"
    if table.dark and one.card.type == "Submarine" and weapon == "antiair":
        return "a Submarine's antiair in the dark"
    if table.dark and one.says("dark", "night") and not one.families & NIGHT_EYES:
        return "an ability speaks of the dark"
    if table.dark and one.families & NIGHT_EYES and weapon not in GUNS:
        return "an ability speaks of the dark"
    if weapon == "antiair" and (one.says("escort") or two.says("escort")) and two.card.is_bomber:
        return "an ability speaks of escorts" if "escort" not in one.families else ""
    if weapon == "main" and one.says("Destroyer") and two.card.subtype in SMALL:
        return "an ability speaks of small ships"
    return ""


def _penalties(table: Table, one: Unit, two: Unit, attack: Data) -> list[int]:
    weapon, far = attack["weapon"], attack["range"]
    found = []
    if one.crippled and weapon in (*GUNS, "antiair", "asw"):
        found.append(-1)
    if weapon == "antiair" and one.card.subtype == "Fighter" and two.card.is_bomber:
        found += [-1] * _escorted(table, two)
    if table.dark and _blind(table, one, two, weapon, far):
        found.append(-1)
    return found


def _escorted(table: Table, two: Unit) -> bool:
    """An escort in its sector that does not strafe (000 "Escort"; 002 "E. Air Attack Phase")."""
    friends = [u for u in table.of(two.seat) if u.sector == two.sector and u is not two]
    return any("escort" in u.families and not u.strafing and not u.aborted for u in friends)


def _blind(table: Table, one: Unit, two: Unit, weapon: str, far: int) -> bool:
    if table.phase == "air-defense":
        return True
    if table.phase == "air-attack":
        return weapon in ("strafe", "bomb", "asw")
    seen = two.damage > 0 or one.families & NIGHT_EYES
    return weapon in GUNS and 1 <= far <= 3 and not seen


def _armor(table: Table, seq: int, two: Unit, attack: Data, say: Verdict) -> None:
    """Printed armor, less 1 while crippled, 2 while strafing, at least 1 (000 "Crippled"; 002)."""
    fewer = int(two.crippled) + 2 * (two.strafing and table.edition == "2009")
    if fewer and two.says("armor", "crippl"):
        say.leave("armor", "an ability speaks of it")
        return
    for name, figure in (("armor", two.card.armor), ("vital", two.card.vital_armor)):
        more = sum(r["value"] for r in _of_abilities(attack[name]["reasons"]))
        low = min(1, figure)
        say.check(seq, name, attack[name]["total"], max(low, figure + more - fewer))


# Dice on the table


def rolled(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """As many dice as the attack has, and their successes (000 "Attack Roll")."""
    faces, attack = data["faces"], table.attack
    say.check(seq, "as many dice as it has", len(faces), attack["dice"]["total"])
    if table.awaited["purpose"]["kind"] == "attack":
        say.check(seq, "the dice that were thrown", tuple(faces), table.thrown[0])
    attack["successes"] = data["successes"]
    one, two = table.units[attack["attacker"]], table.units[attack["target"]]
    if attack["die"]["total"] > 0 or one.says("only 6", "6s only", "each 5", "on 5", "natural"):
        say.leave("successes", "an ability speaks of it")
        return
    del two
    penalty = attack["die"]["total"]
    torpedo = attack["weapon"] == "torpedo"
    expected = sum(_worth(face, penalty, torpedo) for face in faces)
    say.check(seq, "successes", data["successes"], expected)


def _worth(face: int, penalty: int, torpedo: bool) -> int:
    """A 6 is two whatever the penalty, a torpedo's one hit; 4 or 5 is one."""
    if face == 6:
        return 1 if torpedo else 2
    return int(not torpedo and face + penalty >= 4)


def concealment(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """5 or 6 conceals, from the same sector only 6 (000 "Fog, Smoke, and Squalls")."""
    unit, enemy = table.units[data["unit"]], table.units[table.attack["attacker"]]
    higher = unit.families & {"stealthy", "bad-weather-fighter"}
    if enemy.says("conceal"):
        say.leave("concealment needs", "an ability speaks of it")
    else:
        needed = (5 if table.attack["range"] else 6) - bool(higher)
        say.check(seq, "concealment needs", data["needed"], needed)
    hidden = data["face"] >= data["needed"]
    say.check(seq, "concealment", data.get("concealed", False), hidden)
    table.concealed = table.concealed or hidden


def resolved(table: Table, seq: int, data: Data, say: Verdict) -> None:
    """Successes against armor (000 "Resolving Attacks", "Resolving Torpedo Attacks")."""
    one, two = table.units[data["attacker"]], table.units[data["target"]]
    same = (table.attack["attacker"], table.attack["target"], table.attack["weapon"])
    said = (data["attacker"], data["target"], data["weapon"])
    say.check(seq, "the attack that was declared", said, same)
    outcome = (data["outcome"], data.get("damage", 0))
    because = data.get("because", "")
    if because == "concealment" or table.concealed:
        say.check(seq, "result", (*outcome, table.concealed), ("no-effect", 0, True))
    elif because or table.meddled:
        say.leave("result", because or "an ability came between")
    elif data["weapon"] == "torpedo":
        _torpedo(seq, one, two, table.attack["successes"], outcome, say)
    elif two.says("instead of being destroyed", "would destroy", "exactly") or (
        data["weapon"] == "bomb" and two.says("nor destroy")
    ):
        say.leave("result", "an ability speaks of it")
    else:
        say.check(seq, "result", outcome, _result(table, two))
    _counters(two, data)


def _result(table: Table, two: Unit) -> tuple[str, int]:
    successes, aircraft = table.attack["successes"], two.card.type == "Aircraft"
    if aircraft and (two.aborted or two.doomed):
        return "no-effect", 0
    if successes >= table.attack["vital"]["total"]:
        return "destroyed", 0
    if successes >= table.attack["armor"]["total"]:
        return ("aborted", 0) if aircraft else ("hit", 1)
    return "miss", 0


def _torpedo(
    seq: int, one: Unit, two: Unit, hits: int, outcome: tuple[str, int], say: Verdict
) -> None:
    if one.says("torpedo hit", "hull point") or two.says("torpedo", "hull point"):
        say.leave("result", "an ability speaks of torpedoes")
        return
    say.check(seq, "torpedo result", outcome, ("hit", 2 * hits) if hits else ("miss", 0))


def _counters(two: Unit, data: Data) -> None:
    two.pending += data.get("damage", 0)
    if data["outcome"] == "destroyed" and not two.aborted:
        two.doomed = True
    if data["outcome"] == "aborted":
        two.aborted = True
