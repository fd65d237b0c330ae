"""The referee of Naval Battles: reads a game's events, re-derives what must be so.

Written from the booklet (seed 004) and the figures of the cards, knowing nothing of the engine but
the stored form of its events. A number before a rule is a line of the seed; an ID stands where the
seed is silent: a ruling.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any

from .figures import GAMES
from .verdict import Events, Reader, Verdict, read_all

Data = Any
FIGURES = GAMES / "naval_battles" / "rules"
DECK = {c["id"]: c for c in tomllib.loads((FIGURES / "deck.toml").read_text("utf-8"))["cards"]}
SHIPS = {
    s["id"]: s
    for file in sorted((FIGURES / "ships").iterdir(), key=lambda file: file.name)
    if file.name.endswith(".toml")
    for s in tomllib.loads(file.read_text("utf-8"))["ship"]
}
LEADS: dict[str, int] = tomllib.loads((FIGURES / "handicap.toml").read_text())["leads"]
STEPS = ("reorganize", "prepare", "declare", "defense", "resolve", "discard", "draw")
PREPARED = ("near-miss", "armor-plating", "escort-ship", "planning")
STOPPERS = ("near-miss", "armor-plating", "small-target", "evasive-action")
SALVOS = {
    "near-miss": ("main-salvo",),
    "armor-plating": ("secondary-salvo", "secondary-salvo-double"),
}
RAIDS = ("land-air-raid", "air-raid")


class Table:
    """What lies on the table, as somebody would keep it on paper."""

    def __init__(self, opened: Data, verdict: Verdict) -> None:
        self.v, self.seq = verdict, 0
        self.seats, self.terms = opened["seats"], opened["options"]
        self.scenario = opened["scenario"]
        house = opened.get("house")
        self.cards = {c["id"]: c for c in house["cards"]} if house else DECK
        self.nations: dict[str, str] = {}
        self.earlier = dict.fromkeys(self.seats, 0)
        self.gone: set[str] = set()
        self.battle = 1
        self.clear()

    def clear(self) -> None:
        """A new battle."""
        self.fleets: dict[str, list[str]] = {}
        self.ships: dict[str, Data] = {}
        self.reserve: dict[str, list[str]] = {}
        self.short: dict[str, int] = {}
        self.sunk: dict[str, list[str]] = {s: [] for s in self.seats}
        self.hands: dict[str, Counter[str]] = {s: Counter() for s in self.seats}
        self.play: dict[str, list[Data]] = {s: [] for s in self.seats}
        self.retreats: dict[str, list[str]] = {s: [] for s in self.seats}
        self.withdrew: dict[str, int] = {}
        self.turns: Counter[str] = Counter()
        self.deck: Counter[str] = Counter()
        self.discards: Counter[str] = Counter()
        self.attacks: dict[int, Data] = {}
        self.surprises: list[Data] = []
        self.calls: set[str] = set()
        self.faces: list[int] = []
        self.rollers: set[str] = set()
        self.tied, self.first, self.active, self.step = list(self.seats), "", "", ""
        self.turn, self.round, self.calm, self.progress = 0, 0, 0, False
        self.number, self.planned, self.removing = 0, 0, 0
        self.sinker = ""
        self.moved = self.laid = 0
        self.due: tuple[str, ...] = ()

    def check(self, rule: str, said: object, should: object) -> None:
        self.v.check(self.seq, rule, said, should)

    def holds(self, rule: str, what: str, true: object) -> None:
        """The record shows ``what`` not to be so, or nothing."""
        self.check(rule, what if true else f"not: {what}", what)

    def family(self, card: str) -> str:
        return str(self.cards[card]["family"])

    def side(self, seat: str) -> int:
        """Which team a seat is of; partners sit alternately (16.2, 13-17)."""
        size = {"pairs": 2, "trios": 3}.get(self.scenario.removeprefix("linked-"), 1)
        place: int = self.seats.index(seat)
        return place % (len(self.seats) // size)

    def score(self, seat: str) -> int:
        housed = self.terms.get("handicap") == "house"
        lead = LEADS.get(self.nations.get(seat, ""), 0) if housed else 0
        sunk: int = sum(SHIPS[name]["points"] for name in self.sunk[seat])
        right = self.seats[self.seats.index(seat) - 1]
        return lead + sunk + self.short.get(right, 0)

    def own(self, seat: str) -> list[str]:
        return [name for name, ship in self.ships.items() if ship["seat"] == seat]

    def in_play(self, seat: str) -> list[str]:
        return sorted([p["card"] for p in self.play[seat]] + self.retreats[seat])

    def takes(self, seat: str, card: str) -> None:
        """A card leaves the hand, where it must have been."""
        self.holds("hand", f"{card} in the hand of {seat}", self.hands[seat][card] > 0)
        self.hands[seat][card] -= 1


def mounts(t: Table, name: str) -> list[str]:
    ship = SHIPS[name]
    historical = t.terms.get("mikuma") == "historical"
    found: list[str] = (
        ship.get("historicalMounts", ship["mounts"]) if historical else ship["mounts"]
    )
    return found


def submarine(name: str) -> bool:
    return bool(SHIPS[name]["type"] == "submarine")


def ordered(t: Table, cards: Counter[str]) -> list[str]:
    """These cards as the deck's list has them (NB-RND-02)."""
    return [card for card in t.cards for _ in range(cards[card])]


# --- setting up (136-152) ---


def nation_taken(t: Table, e: Data) -> None:
    t.holds("138 one nation, one player", "nation free", e["nation"] not in t.nations.values())
    t.nations[e["seat"]] = e["nation"]


def fleet_committed(t: Table, e: Data) -> None:
    seat, names = e["seat"], e["ships"]["items"]
    worth = sum(SHIPS[n]["points"] for n in names)
    if t.terms.get("startingFleet") == "at-most":
        t.holds("142 fleet of at most 25", f"{worth} points", 0 < worth <= 25)
    else:
        t.check("142 fleet of 25", worth, 25)
    if t.terms.get("carriers") == "one":
        carriers = [n for n in names if "carrier" in SHIPS[n]["type"]]
        t.holds("NB-RUL-11 one carrier", f"{carriers}", len(carriers) <= 1)
    flags = {SHIPS[n]["nation"] for n in names}
    t.check("103 one nation in a fleet", flags, {t.nations[seat]})
    t.check("142 a ship once", len(set(names)), len(names))
    t.fleets[seat] = names


def dice_awaited(t: Table, e: Data) -> None:
    """Who is asked for a die of the first roll: all, then those who tied."""
    purpose = e["purpose"]
    if purpose.get("kind") == "first":
        t.rollers = set(t.tied) - t.gone
        t.check("144 who is asked to roll", sorted(purpose["seats"]), sorted(t.rollers))


def first_player_rolled(t: Table, e: Data) -> None:
    faces = e["faces"]
    if not faces:  # all who tied have left, but one (NB-RUL-01)
        t.first = e["first"]
        t.check("144 nobody else is left", set(t.tied) - t.gone, {t.first})
        return
    t.check("144 who rolls", sorted(faces), sorted(t.rollers))
    t.check("144 faces", list(faces.values()), t.faces)
    t.tied = [seat for seat in faces if faces[seat] == max(faces.values())]
    t.first = e.get("first", "")
    t.check("144 highest is first", t.first, t.tied[0] if len(t.tied) == 1 else "")


def clockwise(t: Table, after: int) -> str:
    place: int = t.seats.index(t.first)
    return str(t.seats[(place + after) % len(t.seats)])


def fleet_laid_out(t: Table, e: Data) -> None:
    seat, rows, subs = e["seat"], e["rows"], e.get("submarines", [])
    if not t.gone:
        t.check("146 layout clockwise", seat, clockwise(t, t.laid))
    t.laid += 1
    placed = [n for row in rows for n in row] + subs
    t.check("146 the fleet chosen", sorted(placed), sorted(t.fleets[seat]))
    t.short[seat] = 25 - sum(SHIPS[n]["points"] for n in placed)  # the left player's (NB-RUL-13)
    t.check("142 what the fleet lacks", e.get("lacking", 0), t.short[seat])
    rest = [n for n, s in SHIPS.items() if s["nation"] == t.nations[seat] and n not in placed]
    t.check("142 reinforcement pile", sorted(e.get("reserve", [])), sorted(rest))
    t.reserve[seat] = rest
    for name in placed:
        t.ships[name] = {"seat": seat, "row": 0, "active": False, "damage": []} | fresh()
    place(t, seat, rows, e.get("active", []))


def fresh() -> Data:
    return {"used": [], "prepared": False, "raided": False, "covered": 0}


def place(t: Table, seat: str, rows: Data, active: Data) -> None:
    """Rows and sides of a fleet (146, 173)."""
    own = t.own(seat)
    surface = sorted(n for n in own if not submarine(n))
    t.check("146 all ships in rows", sorted(n for row in rows for n in row), surface)
    t.holds("146 one to three rows", f"{len(rows)} rows, none empty", len(rows) <= 3 and all(rows))
    subs = {n for n in own if submarine(n)}
    t.holds("173 submarines flipped", "own submarines", set(active) <= subs)
    for name in own:
        t.ships[name]["row"] = next((i for i, r in enumerate(rows, 1) if name in r), 0)
        t.ships[name]["active"] = name in active


# --- the deck (150, 199) ---


def deck_laid(t: Table, e: Data) -> None:
    laid = e["cards"]["items"]
    if e.get("renewed"):
        t.check("199 draw deck empty", t.deck.total(), 0)
        t.check("199 discards become the deck", laid, ordered(t, t.discards))
        t.discards = Counter()
    else:
        whole = Counter({c: figures["count"] for c, figures in t.cards.items()})
        t.check("76 the whole deck", laid, ordered(t, whole))
        t.check("NB-RUL-14 nobody has won before the deck is laid", leaders(t), [])
    t.deck = Counter(laid)
    t.faces = []


def dice_thrown(t: Table, e: Data) -> None:
    t.faces = [face for pool in e["faces"]["items"] for face in pool]


def cards_drawn(t: Table, e: Data) -> None:
    seat, cards = e["seat"], e["cards"]["items"]
    left = ordered(t, t.deck)
    faces = [*t.faces, 1][: len(cards)] if len(cards) == len(left) else t.faces
    t.check("199 a die for each card", len(faces), len(cards))
    named = [left.pop(face - 1) for face in faces if face <= len(left)]
    t.check("199 cards that the dice name", sorted(cards), sorted(named))
    t.holds("card", "drawn from the deck", not Counter(cards) - t.deck)
    t.deck -= Counter(cards)
    t.hands[seat].update(cards)
    t.holds("199 seven cards", f"{t.hands[seat].total()} at most 7", t.hands[seat].total() <= 7)
    if t.active:
        t.check("199 draw in the draw step", (seat, t.step), (t.active, "draw"))
    t.faces = []
    if t.terms.get("reshuffle") != "wanted" and t.discards.total() and not t.deck.total():
        t.due = ("deck-laid",)


def discard(t: Table, cards: Data) -> None:
    t.discards.update(cards)


# --- turns and steps (152, 160-169) ---


def turn_began(t: Table, e: Data) -> None:
    seat = e["seat"]
    for held in (
        [t.active] if t.active and t.active not in t.gone else t.seats if not t.active else []
    ):
        if held not in t.gone and t.deck.total() + t.discards.total():
            fewer = not t.active and held == t.first
            full = t.terms.get("firstHand", 7) if fewer else 7
            t.check("199 hand of seven", t.hands[held].total(), full)
    t.check("152 turn clockwise", seat, follower(t))
    t.turn += 1
    t.check("152 turns counted", e["turn"], t.turn)
    _round(t, e)
    t.active, t.step, t.number, t.removing = seat, "", 0, 0
    t.turns[seat] += 1
    for ship in t.ships.values():
        ship.update(fresh())
    for prepared in [p for cards in t.play.values() for p in cards]:
        prepared["used"] = False
    if t.in_play(seat):
        t.due = ("cards-expired",)


def follower(t: Table) -> str:
    """The next player on the left who is still there."""
    start: int = t.seats.index(t.active or t.first) + (1 if t.active else 0)
    size = len(t.seats)
    around = [t.seats[(start + i) % size] for i in range(size)]
    return str(next(seat for seat in around if seat not in t.gone))


def _round(t: Table, e: Data) -> None:
    places = {clockwise(t, i): i for i in range(len(t.seats))}
    new = not t.active or places[e["seat"]] <= places[t.active]
    if new:
        t.calm = 0 if t.progress or not t.active else t.calm + 1
        t.round, t.progress = t.round + 1, False
    t.check("NB-RUL-04 rounds counted", e["round"], t.round)
    t.check("NB-WIN-05 calm rounds", e.get("calm", 0), t.calm)


def step_began(t: Table, e: Data) -> None:
    step = e["step"]["phase"]
    if step in STEPS:
        before = STEPS.index(t.step) if t.step in STEPS else -1
        t.holds("160 order of steps", f"{step} after {t.step}", STEPS.index(step) > before)
    t.step = step
    if step == "prepare":
        no_gap(t, t.active)
    if step in ("resolve",):
        silent_rolled(t)
    if step == "discard":
        t.check("191 all attacks finished", sorted(t.attacks), [])
        t.check("397 all surprises sprung", t.surprises, [])
        gaps_closed(t)


def no_gap(t: Table, seat: str) -> None:
    rows = {t.ships[n]["row"] for n in t.own(seat)} - {0}
    t.check("173 no gap in the rows", rows, set(range(1, len(rows) + 1)))


def gaps_closed(t: Table) -> None:
    for seat in t.seats:
        no_gap(t, seat)


def rows_closed(t: Table, e: Data) -> None:
    """Whole rows move forward to fill the gap (255)."""
    own = [n for n in t.own(e["seat"]) if not submarine(n)]
    rows = sorted({t.ships[n]["row"] for n in own})
    should = {n: rows.index(t.ships[n]["row"]) + 1 for n in own}
    moved = {n: row for n, row in should.items() if row != t.ships[n]["row"]}
    t.check("255 rows move forward", e["rows"], moved)
    t.check("255 after all attacks", sorted(t.attacks), [])
    for name, row in e["rows"].items():
        t.ships[name]["row"] = row


def cards_expired(t: Table, e: Data) -> None:
    seat = e["seat"]
    t.check("181 discarded at the start of his turn", sorted(e["cards"]), t.in_play(seat))
    t.holds("181 whose turn starts", seat, seat == t.active or seat in t.gone)
    t.play[seat], t.retreats[seat] = [], []
    discard(t, e["cards"])


def his_step(t: Table, e: Data, step: str) -> None:
    t.check(f"160 own {step} step", (e["seat"], t.step), (t.active, step))


def fleet_arranged(t: Table, e: Data) -> None:
    his_step(t, e, "reorganize")
    place(t, e["seat"], e["rows"], e.get("active", []))


def retreat_played(t: Table, e: Data) -> None:
    seat = e["seat"]
    his_step(t, e, "reorganize")
    t.takes(seat, e["card"])
    t.check("375 card", t.family(e["card"]), "retreat")
    t.removing = 3 if any(t.ships[n]["damage"] for n in t.own(seat)) else 0
    t.check("377 up to 3 damage cards", e["removing"], t.removing)
    if t.terms.get("consecutiveRetreats") is False:
        last = t.withdrew.get(seat, -9)
        t.holds("NB-RET-10", "no retreat in the turn before", t.turns[seat] - last != 1)
    t.withdrew[seat] = t.turns[seat]
    t.retreats[seat].append(e["card"])


def damage_removed(t: Table, e: Data) -> None:
    ship = t.ships[e["ship"]]
    t.holds("377 at most 3 removed", "still one to remove", t.removing > 0)
    t.check("377 own ship", ship["seat"], e["seat"])
    t.removing -= 1
    t.holds("377 damage card", f"{e['card']} under {e['ship']}", e["card"] in ship["damage"])
    if e["card"] in ship["damage"]:
        ship["damage"].remove(e["card"])
    discard(t, [e["card"]])


def reinforcements_played(t: Table, e: Data) -> None:
    seat, joined = e["seat"], e.get("ships", [])
    his_step(t, e, "reorganize")
    for card in e["cards"]:
        t.takes(seat, card)
        t.check("385 card", t.family(card), "reinforcements")
    discard(t, e["cards"])
    given = sum(t.cards[c].get("points", 0) for c in e["cards"])
    worth = sum(SHIPS[j["ship"]]["points"] for j in joined)
    t.check("387 points of the cards", worth + e.get("lost", 0), given)
    t.holds("387 no more than the cards give", f"{worth} of {given}", worth <= given)
    for posting in joined:
        join(t, seat, posting)


def join(t: Table, seat: str, posting: Data) -> None:
    name, row = posting["ship"], posting.get("row", 0)
    t.holds("387 from his pile", name, name in t.reserve[seat])
    t.reserve[seat] = [n for n in t.reserve[seat] if n != name]
    t.check("146 a submarine has no row", row == 0, submarine(name))
    active = posting.get("active", False)
    t.ships[name] = {"seat": seat, "row": row, "active": active, "damage": []} | fresh()


def card_prepared(t: Table, e: Data) -> None:
    seat, card, name = e["seat"], e["card"], e["ship"]
    his_step(t, e, "prepare")
    t.takes(seat, card)
    t.holds("181 a prepare card", card, t.family(card) in PREPARED)
    ship = t.ships.get(name, {"seat": "", "active": False, "prepared": True})
    t.check("181 own ship", ship["seat"], seat)
    t.holds("457 active submarine", name, not submarine(name) or ship["active"])
    t.holds("181 one card a ship", name, not ship["prepared"])
    ship["prepared"] = True
    t.play[seat].append({"card": card, "used": False})


def cards_discarded(t: Table, e: Data) -> None:
    his_step(t, e, "discard")
    for card in e["cards"]:
        t.takes(e["seat"], card)
    discard(t, e["cards"])


# --- declaring (187, 207-225, 257-323) ---


def attack_declared(t: Table, e: Data) -> None:
    seat, a = e["seat"], e["attack"]
    his_step(t, e, "declare")
    t.number += 1
    t.check("NB-ATK-14 numbers", a["number"], t.number)
    t.check("379 no attack after a retreat", t.retreats[seat], [])
    t.attacks[a["number"]] = a = dict(a) | {"seat": seat}
    if a["target"] not in t.ships:
        return t.holds("101 target in play", a["target"], False)
    owner = t.ships[a["target"]]["seat"]
    t.holds("15 an enemy", owner, t.side(owner) != t.side(seat))
    t.check("379 a retreated fleet is no target", t.retreats[owner], [])
    played(t, seat, a, e.get("left", 0))
    for name in a.get("ships", []):
        attacker(t, seat, name, a)
    aligned(t, a)
    return None


def played(t: Table, seat: str, a: Data, left: int) -> None:
    """The card that is played, or the raid of a carrier."""
    if a["kind"] == "air-raid":
        t.check("435 no card for a carrier's raid", a.get("card", ""), "")
        return t.check("435 one carrier", len(a.get("ships", [])), 1)
    t.check("118 card of the kind", a["kind"], t.family(a["card"]))
    number = {"land-air-raid": 0, "secondary-salvo-double": 2}.get(a["kind"], 1)
    t.check("221 ships that fire", len(set(a.get("ships", []))), number)
    t.check("207 a mount each", len(a.get("mounts", [])), number)
    if a["kind"] != "land-air-raid":
        return t.takes(seat, a["card"])
    if a["batch"] == a["number"]:
        t.takes(seat, a["card"])
    raids = [b for b in t.attacks.values() if b.get("batch") == a["batch"]]
    should = t.cards[a["card"]]["raids"] - len(raids)
    t.check("317 raids of the card", left, should)
    return t.check("317 one card", {b["card"] for b in raids}, {a["card"]})


def attacker(t: Table, seat: str, name: str, a: Data) -> None:
    ship = t.ships.get(name)
    t.holds("101 attacker in play", name, ship is not None)
    if ship is None:
        return
    t.check("101 own ship attacks", ship["seat"], seat)
    t.holds("457 active to attack", name, not submarine(name) or ship["active"])
    if a["kind"] == "air-raid":
        carrier(t, name, ship)
    else:
        t.holds("181 not after a prepare card", name, not ship["prepared"])
        mount(t, name, ship, a["mounts"][a["ships"].index(name)], a)


def carrier(t: Table, name: str, ship: Data) -> None:
    t.holds("421 a carrier", name, "airRaid" in SHIPS[name])
    t.holds("435 one raid a turn", name, not ship["raided"])
    if t.terms.get("preparedCarrierRaids") is False:
        t.holds("NB-AMB-17", name, not ship["prepared"])
    ship["raided"] = True


def mount(t: Table, name: str, ship: Data, used: str, a: Data) -> None:
    ship["used"].append(used)
    times = ship["used"].count(used)
    t.holds("207 each mount once", f"{used} of {name}", times <= mounts(t, name).count(used))
    calibers = t.cards[a["card"]].get("calibers", [])
    sort = "main" if a["kind"] == "main-salvo" else "secondary"
    fitting = [f"{sort}-{inches}" for inches in calibers] if "salvo" in a["kind"] else ["torpedo"]
    t.holds("209 mount matches the card", f"{used} for {a['card']}", used in fitting)


def aligned(t: Table, a: Data) -> None:
    """Rows of attacker and target (269, 283, 291, 297, 305, 319, 435)."""
    target, kind = t.ships[a["target"]]["row"], a["kind"]
    if kind in RAIDS:
        return t.check("319 number needed", a["needed"], needed(t, a))
    rows = [t.ships[n]["row"] for n in a.get("ships", []) if n in t.ships]
    far = (1, 2) if kind == "main-salvo" else (1,)
    if kind == "torpedo-spread" and rows == [0]:
        return t.holds("297 submarines hit any row", f"row {target}", target > 0)
    t.holds("269 row of the attacker", f"{rows}", all(row in far for row in rows))
    wanted = (0,) if kind == "depth-charges" else far
    return t.holds("269 row of the target", f"{target}", target in wanted)


def needed(t: Table, a: Data) -> int:
    """What a raid's die must reach; 0: it cannot be made."""
    ship = t.ships[a["target"]]
    guns = -int(SHIPS[a["target"]].get("antiAircraft", 0))
    if a["kind"] == "land-air-raid":
        card = t.cards[a["card"]]
        by_row = [card["needsSubmarine"], *card["needs"]]
    else:
        raid = SHIPS[a["ships"][0]].get("airRaid", [0, 0, 0])
        allowed = t.terms.get("carrierRaidSubmarines") == "row-3-number"
        by_row = [raid[2] if allowed else -guns, *raid]
    return int(by_row[ship["row"]]) + guns


def surprise_declared(t: Table, e: Data) -> None:
    his_step(t, e, "declare")
    t.takes(e["seat"], e["card"])
    t.check("397 card", t.family(e["card"]), "surprise-attack")
    t.check("379 no attack after a retreat", t.retreats[e["seat"]], [])
    t.holds("399 an enemy", e["target"], t.side(e["target"]) != t.side(e["seat"]))
    t.surprises.append((e["card"], e["target"]))
    if t.terms.get("surpriseAttack") != "on-resolve":
        t.due = ("surprise-sprung",)


def surprise_sprung(t: Table, e: Data) -> None:
    seat, known = e["target"], (e["card"], e["target"]) in t.surprises
    t.holds("397 was declared", f"{e['card']} at {seat}", known)
    if known:
        t.surprises.remove((e["card"], seat))
    t.check("399 all that he has in play", sorted(e.get("cards", [])), t.in_play(seat))
    t.play[seat], t.retreats[seat] = [], []
    discard(t, [e["card"], *e.get("cards", [])])


# --- defending (229-239, 327-369, 445-459) ---


def open_attack(t: Table, e: Data) -> Data:
    a = t.attacks.get(e["attack"])
    t.holds("191 the attack is open", f"attack {e['attack']}", a is not None)
    return a


def defense_played(t: Table, e: Data) -> None:
    seat, card, a = e["seat"], e["card"], open_attack(t, e)
    if a is None:
        return
    t.check("189 defense step", t.step, "defense")
    family, owner = t.family(card), t.ships[a["target"]]["seat"]
    if e.get("prepared"):
        uses(t, seat, card)
        t.check("331 his fleet", owner, seat)
        t.holds("331 a card to prepare", card, family in PREPARED[:3])
    else:
        t.takes(seat, card)
        discard(t, [card])
        t.check("15 own or a partner's fleet", t.side(owner), t.side(seat))
    answers(t, family, a)
    t.due = ("attack-moved", "attack-stopped")[family != "escort-ship" :][:1]
    a["by"] = family


def uses(t: Table, seat: str, card: str) -> None:
    """A prepared card, once in a player's turn (181)."""
    ready = [p for p in t.play[seat] if p["card"] == card and not p["used"]]
    t.holds("181 prepared and unused", f"{card} of {seat}", ready)
    if ready:
        ready[0]["used"] = True


def answers(t: Table, family: str, a: Data) -> None:
    """What a defense may be played against."""
    if family in SALVOS:
        t.holds("331 stops such salvos", f"{family}: {a['kind']}", a["kind"] in SALVOS[family])
    if family == "small-target":
        hull = SHIPS[a["target"]]["hull"]
        t.holds("361 hull of 4 or less", a["target"], hull <= 4)
    if family == "escort-ship":
        t.holds("353 no submarine", a["target"], not submarine(a["target"]))
    t.holds("128 a defense", family, family in (*STOPPERS, "escort-ship"))


def attack_moved(t: Table, e: Data) -> None:
    a, new = open_attack(t, e), t.ships.get(e["target"])
    if a is None or new is None:
        return t.holds("349 a ship in play", e["target"], new)
    old = t.ships[a["target"]]
    t.check("349 by an Escort Ship", a.get("by"), "escort-ship")
    t.holds("349 a different ship", e["target"], e["target"] != a["target"])
    t.check("349 same row and fleet", (new["seat"], new["row"]), (old["seat"], old["row"]))
    t.holds("353 to no submarine", e["target"], not submarine(e["target"]))
    a["target"] = e["target"]
    if a["kind"] in RAIDS:
        t.check("231 number needed now", e.get("needed", 0), needed(t, a))
        a["needed"] = needed(t, a)
    return None


def cover_tried(t: Table, e: Data) -> None:
    a, name = open_attack(t, e), e["carrier"]
    ship = t.ships.get(name)
    t.holds("445 carrier in play", name, ship is not None)
    if a is None or ship is None:
        return
    t.check("449 defense step", t.step, "defense")
    t.holds("445 against air raids", a["kind"], a["kind"] in RAIDS)
    owner = t.ships[a["target"]]["seat"]
    t.check("445 his fleet", (ship["seat"], owner), (e["seat"], e["seat"]))
    ship["covered"] += 1
    symbols = SHIPS[name].get("coverSymbols", 0)
    t.holds("449 once for each symbol", f"{name} {symbols}", ship["covered"] <= symbols)


def silence_tried(t: Table, e: Data) -> None:
    a, name = open_attack(t, e), e["submarine"]
    if a is None:
        return
    t.check("459 its own attack", name, a["target"])
    passive = submarine(name) and name in t.ships and not t.ships[name]["active"]
    t.holds("459 a passive submarine", name, passive)
    t.holds("459 rolls once", name, not a.get("silent"))
    a["silent"] = True


def silent_rolled(t: Table) -> None:
    for a in t.attacks.values():
        if submarine(a["target"]) and not t.ships[a["target"]]["active"]:
            t.holds("459 rolled each time", a["target"], a.get("silent"))


def attack_stopped(t: Table, e: Data) -> None:
    a = open_attack(t, e)
    if a is None:
        return
    t.check("229 what stops it", e["by"], a.get("by"))
    t.check("234 stopped in the defense", t.step, "defense")
    finish(t, e, a, [])


def finish(t: Table, e: Data, a: Data, more: list[str]) -> None:
    """An attack is over: its card goes to the discards, a raid card with its last raid (132)."""
    t.attacks.pop(a["number"], None)
    batch = a.get("batch", 0)
    others = batch and any(b.get("batch") == batch for b in t.attacks.values())
    card = [a["card"]] if a.get("card") and not others else []
    t.check("132 discarded", sorted(e.get("discarded", [])), sorted(card + more))
    discard(t, e.get("discarded", []))


# --- dice (299, 321, 407, 451, 459) ---


def roll_intended(t: Table, e: Data) -> None:
    t.planned = 0
    seat = e["roll"]["seat"]
    unused = [p for p in t.play[seat] if t.family(p["card"]) == "planning" and not p["used"]]
    t.holds("407 he has Planning", seat, unused)


def planning_used(t: Table, e: Data) -> None:
    t.planned = len(e.get("cards", []))
    for card in e.get("cards", []):
        t.check("407 card", t.family(card), "planning")
        uses(t, e["seat"], card)


def roll_scored(t: Table, e: Data) -> None:
    a, kind, name = open_attack(t, e), e["kind"], e.get("ship", "")
    if a is None:
        return
    t.check("dice: the face", [e["face"]], t.faces)
    help_ = SHIPS[name].get("guidance", 0) if kind == "torpedo" else 0
    t.check("299 the total", e["total"]["total"], e["face"] + help_ + t.planned)
    t.check(f"{kind} number", e["needed"]["total"], bar(kind, name, a))
    t.check("239 success", e["success"], e["total"]["total"] >= e["needed"]["total"])
    whose = a["seat"] if kind in ("torpedo", "raid") else t.ships[a["target"]]["seat"]
    t.check("243 who rolls", e["seat"], whose)
    t.planned, t.faces = 0, []
    follow(t, e, a)


def bar(kind: str, name: str, a: Data) -> int:
    if kind == "torpedo":
        return 5
    if kind == "raid":
        return int(a["needed"])
    return int(SHIPS[name]["airCover" if kind == "cover" else "runSilent"])


def follow(t: Table, e: Data, a: Data) -> None:
    """What must come of a roll."""
    if e["kind"] in ("cover", "silent"):
        if e["success"]:
            a["by"] = {"cover": "air-cover", "silent": "run-silent"}[e["kind"]]
            t.due = ("attack-stopped",)
        return
    in_turn(t, a)
    hits = ("damage-scored", "ship-sunk") if e["kind"] == "torpedo" else ("ship-sunk",)
    t.due = hits if e["success"] else ("attack-missed",)
    a["rolled"] = e["success"]


# --- resolving (241-255) ---


def in_turn(t: Table, a: Data) -> None:
    """Attacks are resolved as they were declared, or those without a die first (NB-AMB-50)."""
    t.check("191 resolve step", t.step, "resolve")
    alive = [(n, b) for n, b in t.attacks.items() if b["target"] in t.ships]
    if t.terms.get("resolveOrder", "declared") == "sure-first":
        sure = [(n, b) for n, b in alive if b["kind"] not in (*RAIDS, "torpedo-spread")]
        alive = sure or alive
    t.check("NB-RES-04 order", a["number"], min((n for n, _ in alive), default=0))


def attack_missed(t: Table, e: Data) -> None:
    a = open_attack(t, e)
    if a is None:
        return
    t.check("243 missed by a die", a.get("rolled"), False)
    finish(t, e, a, [])


def attack_ignored(t: Table, e: Data) -> None:
    a = open_attack(t, e)
    if a is None:
        return
    t.holds("253 target is sunk", a["target"], a["target"] not in t.ships)
    finish(t, e, a, [])


def hit(t: Table, e: Data, a: Data) -> int:
    """An attack that takes effect on its target; the damage of the ship with it."""
    in_turn(t, a)
    t.check("253 the ship aimed at", e["ship"], a["target"])
    if a["kind"] in (*RAIDS, "torpedo-spread"):
        t.check("243 hit by a die", a.get("rolled"), True)
    under = t.ships[a["target"]]["damage"]
    cards = [*under, a["card"]] if a["kind"] not in RAIDS else under
    return sum(t.cards[c]["damage"] for c in cards)


def damage_scored(t: Table, e: Data) -> None:
    a = open_attack(t, e)
    if a is None or a["target"] not in t.ships:
        return t.holds("101 target in play", e["ship"], False)
    total, hull = hit(t, e, a), SHIPS[a["target"]]["hull"]
    t.check("247 card under the target", e["card"], a.get("card"))
    t.check("269 damage of the card", e["damage"], t.cards[a["card"]].get("damage"))
    t.check("251 damage points", e["total"], total)
    t.check("251 hull", e["hull"], hull)
    t.holds("251 it floats", f"{total} of {hull}", total < hull)
    t.ships[a["target"]]["damage"].append(a["card"])
    t.attacks.pop(a["number"])
    t.progress, t.calm = True, 0
    return None


def ship_sunk(t: Table, e: Data) -> None:
    a = open_attack(t, e)
    if a is None or a["target"] not in t.ships:
        return t.holds("101 target in play", e["ship"], False)
    total, name = hit(t, e, a), a["target"]
    if a["kind"] not in RAIDS:
        t.holds("251 it sinks", f"{total} of {SHIPS[name]['hull']}", total >= SHIPS[name]["hull"])
    ship = t.ships.pop(name)
    t.check("253 owner and sinker", (e["seat"], e["by"]), (ship["seat"], a["seat"]))
    t.check("104 victory points", e["points"], SHIPS[name]["points"])
    finish(t, e, a, ship["damage"])
    t.sunk[a["seat"]].append(name)
    t.sinker = a["seat"]
    t.progress, t.calm = True, 0
    won(t, a["seat"])
    return None


# --- the end (9, 17, 465) ---


LIMITS = {
    "standard": 25, "linked": 75, "pairs": 50, "trios": 75,
    "linked-pairs": 150, "linked-trios": 225,
}  # fmt: skip
"""What wins the game (465, 17), of teams together; linked games of teams by our ruling."""

BATTLES = {"linked": 25, "linked-pairs": 50, "linked-trios": 75}
"""What ends a battle of linked games (9)."""


def side_points(t: Table, seat: str) -> int:
    mates = [s for s in t.seats if t.side(s) == t.side(seat)]
    return sum(t.score(s) + t.earlier[s] for s in mates)


def won(t: Table, seat: str) -> None:
    """Whether these points end the game or the battle at once."""
    limit = LIMITS[t.scenario]
    there = [s for s in t.seats if t.side(s) == t.side(seat) and s not in t.gone]
    if there and side_points(t, seat) >= limit:
        t.due = ("game-ended",)
    elif there and here(t, seat) >= BATTLES.get(t.scenario, limit):
        t.due = ("battle-ended",)


def game_ended(t: Table, e: Data) -> None:
    enders = {"points": by_points, "resignation": by_resignation, "agreement": by_agreement}
    if e["reason"] not in enders:
        return t.v.leave("end", e["reason"])
    return t.check(f"465 winners by {e['reason']}", sorted(e["winners"]), enders[e["reason"]](t))


def by_points(t: Table) -> list[str]:
    """The side that sank just now, or that began the battle past the limit."""
    if not t.turn:
        return leaders(t)
    past = t.sinker and side_points(t, t.sinker) >= LIMITS[t.scenario] and not left(t, t.sinker)
    return sorted(s for s in t.seats if past and t.side(s) == t.side(t.sinker))


def leaders(t: Table) -> list[str]:
    """Who has won by what the battle begins with: alone past the limit, or with most (NB-RUL-14).

    Past that of the game, or if nobody is, past that of a battle.
    """
    for limit, points in ((LIMITS[t.scenario], side_points), (BATTLES.get(t.scenario), here)):
        reached = {t.side(s): points(t, s) for s in t.seats if not left(t, s)}
        best = [side for side in reached if reached[side] == max(reached.values())]
        if limit and max(reached.values()) >= limit:
            return sorted(s for s in t.seats if best == [t.side(s)])
    return []


def here(t: Table, seat: str) -> int:
    """Points of a side in this battle."""
    return sum(t.score(s) for s in t.seats if t.side(s) == t.side(seat))


def left(t: Table, seat: str) -> bool:
    """A whole side has left."""
    return all(s in t.gone for s in t.seats if t.side(s) == t.side(seat))


def by_resignation(t: Table) -> list[str]:
    sides = {t.side(s) for s in t.seats if s not in t.gone}
    t.check("NB-RUL-01 one side is left", len(sides), 1)
    return sorted(s for s in t.seats if t.side(s) in sides)


def by_agreement(t: Table) -> list[str]:
    limit = t.terms.get("stallRounds", 10)
    t.holds("NB-WIN-05", f"{t.calm} calm rounds", limit and t.calm >= limit)
    missing = set(t.seats) - t.gone - t.calls
    t.check("NB-WIN-05 all agree", sorted(missing), [])
    points = {t.side(s): side_points(t, s) for s in t.seats if not left(t, s)}
    best = [side for side, total in points.items() if total == max(points.values())]
    return sorted(s for s in t.seats if best == [t.side(s)])


def battle_ended(t: Table, e: Data) -> None:
    t.check("9 points recorded", e["points"], {s: t.score(s) for s in t.seats})
    past = here(t, e["winner"]) >= BATTLES.get(t.scenario, 0)
    t.holds("9 sunk 25 points for each", e["winner"], past)
    if t.turn:
        t.check("9 who sank the last", t.side(e["winner"]), t.sinker and t.side(t.sinker))
    else:
        t.holds("NB-RUL-14 most to begin with", e["winner"], e["winner"] in leaders(t))


def battle_began(t: Table, e: Data) -> None:
    t.battle += 1
    t.check("9 next battle", e["battle"], t.battle)
    t.earlier = {s: t.earlier[s] + t.score(s) for s in t.seats}
    t.check("9 points of all battles", e["earlier"], t.earlier)
    if t.terms.get("linkedNations") != "anew":
        t.check("NB-LINK-04 nations kept", e["nations"], t.nations)
    t.nations = dict(e["nations"])
    t.clear()
    t.tied = [s for s in t.seats if s not in t.gone]


def end_called(t: Table, e: Data) -> None:
    t.calls.add(e["seat"])


def player_left(t: Table, e: Data) -> None:
    t.gone.add(e["seat"])


def nothing(t: Table, e: Data) -> None:
    """An event that says nothing which could be judged."""


def passed(t: Table, e: Data) -> None:
    """In the defense, whose turn it is to defend depends on who could (229): left out."""
    if t.step == "defense":
        t.v.leave("239 defenses clockwise", "who had a defense left is not modelled")
    elif t.step in STEPS:
        t.check("160 own step", e["seat"], t.active)


READERS: dict[str, Callable[[Table, Data], None]] = {
    "game-opened": nothing,
    "nation-taken": nation_taken,
    "fleet-committed": fleet_committed,
    "first-player-rolled": first_player_rolled,
    "fleet-laid-out": fleet_laid_out,
    "deck-laid": deck_laid,
    "dice-awaited": dice_awaited,
    "dice-thrown": dice_thrown,
    "cards-drawn": cards_drawn,
    "turn-began": turn_began,
    "step-began": step_began,
    "cards-expired": cards_expired,
    "fleet-arranged": fleet_arranged,
    "retreat-played": retreat_played,
    "damage-removed": damage_removed,
    "reinforcements-played": reinforcements_played,
    "card-prepared": card_prepared,
    "cards-discarded": cards_discarded,
    "end-called": end_called,
    "passed": passed,
    "player-left": player_left,
    "battle-ended": battle_ended,
    "battle-began": battle_began,
    "game-ended": game_ended,
    "attack-declared": attack_declared,
    "surprise-declared": surprise_declared,
    "surprise-sprung": surprise_sprung,
    "defense-played": defense_played,
    "cover-tried": cover_tried,
    "silence-tried": silence_tried,
    "attack-stopped": attack_stopped,
    "attack-moved": attack_moved,
    "roll-intended": roll_intended,
    "planning-used": planning_used,
    "roll-scored": roll_scored,
    "attack-missed": attack_missed,
    "attack-ignored": attack_ignored,
    "damage-scored": damage_scored,
    "ship-sunk": ship_sunk,
    "rows-closed": rows_closed,
}


def judge(events: Events, over: bool = True) -> Verdict:
    """The verdict on one game. What an event leads to at once must come next."""
    verdict = Verdict()
    table = Table(events[0][1], verdict)

    def reader_of(name: str) -> Reader | None:
        act = READERS.get(name)
        return None if act is None else lambda seq, data: _read(table, name, seq, data)

    return read_all(events, over, verdict, reader_of)


def _read(table: Table, name: str, seq: int, data: Data) -> None:
    table.seq = seq
    if table.due:
        table.holds("what must follow", " or ".join(table.due), name in table.due)
    table.due = ()
    READERS[name](table, data)
