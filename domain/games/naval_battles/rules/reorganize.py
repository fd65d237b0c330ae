"""The reorganize step besides moving ships: Retreat and Reinforcements."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import facts
from .cards import reinforcements, retreat
from .holding import why_not_held, why_not_play, why_not_step
from .rows import standing, why_not_arranged
from .ships import SHIPS
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]


@rule("NB-REORG-01", "NB-REORG-02", "NB-REORG-04", "NB-REORG-05", "NB-SUB-01", "NB-AMB-18")
def why_not_arrange(state: State, seat: Seat, command: c.Arrange) -> No | None:
    """Ships move freely between rows and submarines turn, any number of times, at no cost.

    A submarine that prepared a card stays active at least until its owner's next such step.
    """
    fleet = [ship.id for ship in facts.fleet(state, seat)]
    return why_not_arranged(fleet, command.rows, command.active)


def arrange(flow: BattleFlow, seat: Seat, command: c.Arrange) -> None:
    """The fleet stands as ordered."""
    rows, active = command.rows, command.active
    flow.emit(ev.FleetArranged(seat=seat, rows=rows, active=active, rules=("NB-REORG-01",)))


@rule("NB-RET-01", "NB-RET-08", "NB-AMB-12", "NB-REORG-03")
def why_not_retreat(state: State, seat: Seat, command: c.Retreat) -> No | None:
    """Only in one's own reorganize step, so never against an attack that is declared."""
    no = why_not_play(state, seat, command.card, "reorganize")
    no = no or _why_not(state, command.card, retreat.FAMILY)
    return no or retreat.why_not(state, seat)


def _why_not(state: State, card: str, family: str, pointer: str = "/card") -> No | None:
    if facts.card(state, card).family == family:
        return None
    return No("card.wrong-kind", "NB-CARD-01", f"Name a card of the kind {family}.", pointer)


@rule("NB-RET-02", "NB-RET-06")
def play_retreat(flow: BattleFlow, seat: Seat, command: c.Retreat) -> None:
    """Up to three damage cards may go, three cards and not three points, submarines' too."""
    damaged = any(ship.damage for ship in facts.fleet(flow.state, seat))
    removing = retreat.REMOVES if damaged else 0
    card = command.card
    flow.emit(ev.RetreatPlayed(seat=seat, card=card, removing=removing, rules=("NB-RET-01",)))


def removable(state: State, seat: Seat) -> Iterator[c.RemoveDamage]:
    """Ships and the damage cards under them, equal cards of a ship once."""
    for ship in facts.fleet(state, seat):
        for card in facts.kinds(ship.damage):
            yield c.RemoveDamage(ship.id, card)


def why_not_remove(state: State, seat: Seat, command: c.RemoveDamage) -> No | None:
    """A damage card under a ship of one's own."""
    if command in removable(state, seat):
        return None
    return No("retreat.no-such-damage", "NB-RET-02", "Name a damage card of yours.", "/card")


def remove(flow: BattleFlow, seat: Seat, command: c.RemoveDamage) -> None:
    """The damage card goes to the discard pile."""
    ship, card = command.ship, command.card
    flow.emit(ev.DamageRemoved(seat=seat, ship=ship, card=card, rules=("NB-RET-02",)))


@rule("NB-REIN-01", "NB-REIN-02", "NB-REIN-05", "NB-SINK-07")
def why_not_reinforce(state: State, seat: Seat, command: c.Reinforce) -> No | None:
    """Ships of the reinforcement pile, worth no more than the cards, into a fleet without gaps."""
    for card in command.cards:
        no = why_not_step(state, card, "reorganize", "/cards")
        no = no or _why_not(state, card, reinforcements.FAMILY, "/cards")
        if no is not None:
            return no
    no = why_not_held(state, seat, *command.cards, pointer="/cards")
    return no or _why_not_taken(state, seat, command)


def _why_not_taken(state: State, seat: Seat, command: c.Reinforce) -> No | None:
    names = [new.ship for new in command.ships]
    if len(set(names)) != len(names) or any(n not in state.reserves[seat] for n in names):
        hint = f"The pile holds {', '.join(state.reserves[seat]) or 'nothing'}."
        return No("reinforce.not-in-pile", "NB-REIN-02", hint, "/ships")
    worth, granted = worth_of(names), reinforcements.points(state, command.cards)
    if worth > granted:
        hint = f"The ships are worth {worth}; the cards bring {granted}."
        return No("reinforce.points", "NB-REIN-02", hint, "/ships")
    for new in command.ships:
        if SHIPS[new.ship].submarine != (new.row == 0) or (new.row and new.active):
            hint = "Submarines go to row 0 and have a side; ships go to rows 1 to 3."
            return No("reinforce.place", "NB-ROW-04", hint, "/ships")
    return _why_not_standing(state, seat, command.ships)


def _why_not_standing(state: State, seat: Seat, ships: tuple[c.Posting, ...]) -> No | None:
    rows, active = standing(state, seat)
    filled: list[list[str]] = [list(row) for row in rows] + [[] for _ in range(3 - len(rows))]
    for new in ships:
        if new.row:
            filled[new.row - 1].append(new.ship)
    while filled and not filled[-1]:
        filled.pop()
    every = [ship.id for ship in facts.fleet(state, seat)] + [new.ship for new in ships]
    no = why_not_arranged(every, tuple(tuple(row) for row in filled), active)
    return no._replace(pointer="/ships") if no is not None else None


def worth_of(ships: list[str]) -> int:
    """Victory points of ships by ID."""
    return sum(SHIPS[name].points for name in ships)


@rule("NB-REIN-04", "NB-REIN-06", "NB-REIN-07", "NB-EX-04")
def reinforce(flow: BattleFlow, seat: Seat, command: c.Reinforce) -> None:
    """The ships may act at once; points not used are lost, all of them if nothing is taken."""
    granted = reinforcements.points(flow.state, command.cards)
    lost = granted - worth_of([new.ship for new in command.ships])
    flow.emit(
        ev.ReinforcementsPlayed(
            seat=seat, cards=command.cards, ships=command.ships, lost=lost, rules=("NB-REIN-02",)
        )
    )


def ready_reinforcements(state: State, seat: Seat) -> Iterator[c.Reinforce]:
    """Each card alone and all together, with nothing, each ship in reach, or the best ones."""
    held = [
        name for name in facts.hand(state, seat)
        if facts.card(state, name).family == reinforcements.FAMILY
    ]  # fmt: skip
    sets = [(name,) for name in facts.kinds(held)] + ([tuple(held)] if len(held) > 1 else [])
    for cards in sets:
        points = reinforcements.points(state, cards)
        yield c.Reinforce(cards)
        fitting = [n for n in state.reserves[seat] if SHIPS[n].points <= points]
        for name in fitting:
            yield c.Reinforce(cards, (posting(name),))
        best = _best(fitting, points)
        if len(best) > 1:
            yield c.Reinforce(cards, tuple(posting(name) for name in best))


def posting(name: str) -> c.Posting:
    """Where a new ship goes unless its owner says otherwise: the first row, or passive."""
    return c.Posting(name, 0 if SHIPS[name].submarine else 1)


def _best(ships: list[str], points: int) -> list[str]:
    chosen: list[str] = []
    for name in sorted(ships, key=lambda n: -SHIPS[n].points):
        if worth_of([*chosen, name]) <= points:
            chosen.append(name)
    return chosen
