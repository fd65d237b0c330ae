"""The last action: attacks from ship to ship, dice and their results, losses, cards played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .....kernel.shown.drawing import Point, cross, shot
from .....kernel.shown.scene import Group, Word
from .....kernel.shown.wording import join
from ...rules import events as ev
from ...rules.evolve import evolve
from ...rules.state import Attack, State
from .. import names
from ..sentences import says

Places = dict[str, Point]


def drawn(
    before: State | None, events: Iterable[ev.AnyEvent], state: State, places: Places
) -> Iterator[Group]:
    """Attacks that are open, and a group for each event that can be seen on the table."""
    for attack in state.attacks:
        yield from _open(state, attack, places)
    now = before
    for event in events:
        if now is not None:
            yield from _of(now, event, places)
        now = evolve(now, event)


def _open(state: State, attack: Attack, places: Places) -> Iterator[Group]:
    """A line from each attacker; an attack from nowhere comes from above its target."""
    end = places.get(attack.target)
    if end is None:
        return
    what = names.card_name(state, attack.card) if attack.card else "air raid"
    need = f", needs {attack.needed}" if attack.needed else ""
    silent = ", silence tried" if attack.silent else ""
    mounts = f" with {join(map(names.mount_name, attack.mounts))}" if attack.mounts else ""
    title = f"attack {attack.number}: {what}{mounts}{need}{silent}"
    starts = [places[ship] for ship in attack.ships if ship in places] or [_above(end)]
    for number, start in enumerate(starts):
        text = f"{attack.number}: {what}{need}" if number == 0 else ""
        yield shot(start, end, text, f"attack-open attack-{attack.kind}", title, None)


def _above(end: Point) -> Point:
    return end[0] - 50, end[1] - 60


def _of(now: State, event: ev.AnyEvent, places: Places) -> Iterator[Group]:
    title = says(now, event)
    match event:
        case ev.DamageScored(attack=number, ship=ship, damage=damage):
            yield from _result(now, number, ship, places, f"-{damage}", "hit", title, True)
        case ev.AttackMissed(attack=number):
            yield from _result(now, number, "", places, "missed", "missed", title, False)
        case ev.AttackStopped(attack=number, by=by):
            text = f"stopped: {names.card_name(now, by)}" if by else "stopped"
            yield from _result(now, number, "", places, text, "stopped", title, False)
        case ev.AttackIgnored(attack=number):
            yield from _result(now, number, "", places, "ignored", "ignored", title, False)
        case ev.RollScored(ship=ship, face=face, total=total, needed=needed, attack=number):
            attack = names.attack_of(now, number)
            at = places.get(ship or (attack.target if attack else ""))
            if at:
                text = f"die {face}: {total.total} of {needed.total}"
                note = Word(at[0], at[1] + 34, text, 12, "note", "middle")
                yield Group((note,), name="last roll", title=title)
        case ev.ShipSunk(ship=ship, by=by, points=points):
            if ship in places:
                at = places[ship]
                note = Word(at[0], at[1] - 24, f"sunk by {by}: {points}", 13, "note", "middle")
                yield Group((cross(at, 30, "sunk"), note), name="last removal", title=title)
        case ev.DamageRemoved(ship=ship) | ev.CardPrepared(ship=ship) | ev.CoverTried(carrier=ship):
            if ship in places:
                at = places[ship]
                note = Word(at[0], at[1] + 20, _word(event), 12, "note", "middle")
                yield Group((note,), name="last card", title=title)
        case _:
            return


def _word(event: ev.AnyEvent) -> str:
    match event:
        case ev.DamageRemoved():
            return "damage removed"
        case ev.CardPrepared():
            return "prepares"
        case _:
            return "air cover"


def _result(
    now: State, number: int, ship: str, places: Places,
    text: str, name: str, title: str, struck: bool,
) -> Iterator[Group]:  # fmt: skip
    attack = names.attack_of(now, number)
    target = ship or (attack.target if attack else "")
    end = places.get(target)
    if end is None:
        return
    ships = attack.ships if attack else ()
    starts = [places[each] for each in ships if each in places] or [_above(end)]
    for start in starts:
        yield shot(start, end, text, f"shot shot-{name}", title, struck)
