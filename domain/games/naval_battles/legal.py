"""What a seat may do now: exactly what ``decide`` accepts, by asking the same rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...kernel.options import Options, Pending, Template
from ...kernel.values import Seat
from . import commands as c
from .cards import planning
from .cards import retreat as retreats
from .rules import (
    declaring,
    defending,
    facts,
    preparing,
    reorganize,
    rolling,
    rows,
    setup,
    winning,
)
from .sequence import asked
from .state import State
from .templates import arrange, commit, discard, reinforce

Commands = Iterator[c.AnyCommand]

_ABOUT = {
    "nations": ("choose-nation", "NB-SETUP-08"),
    "fleets": ("commit-fleet", "NB-SETUP-02"),
    "layout": ("lay-out", "NB-SETUP-05"),
    "reorganize": ("reorganize", "NB-REORG-01"),
    "prepare": ("prepare", "NB-PREP-01"),
    "declare": ("declare", "NB-ATK-01"),
    "defense": ("defend", "NB-DEF-03"),
    "discard": ("discard", "NB-DISC-01"),
}
_MUST = frozenset({"nations", "fleets", "layout"})
"""Steps in which passing is no answer."""


def question(state: State) -> tuple[str, str, str]:
    """What is asked now: its key, the rule that asks, and what it is about."""
    roll = rolling.window(state)
    if roll is not None:
        return "plan", "NB-FSM-03", f"attack {roll.attack}"
    if state.removing:
        return "remove-damage", "NB-RET-02", ""
    if state.aim is not None:
        return "aim-raid", "NB-LBAR-06", state.aim.card
    return (*_ABOUT[state.step], "")


def pending(state: State) -> tuple[Pending, ...]:
    """The open questions. They rest on public facts only, so every viewer sees the same."""
    seats = asked(state)
    if not seats:
        return ()
    key, rule_, subject = question(state)
    optional, together = state.step not in _MUST, state.step == "fleets"
    return tuple(Pending(seat, key, rule_, optional, together, subject) for seat in seats)


def legal(state: State, seat: Seat) -> Options[c.AnyCommand]:
    """Every command that ``decide`` would accept from the seat."""
    if state.result is not None or seat not in state.seats or seat in state.gone:
        return Options()
    concessions: tuple[c.AnyCommand, ...] = (c.Resign(),)
    if winning.why_not_agree(state, seat) is None:
        concessions = (c.AgreeToEnd(), c.Resign())
    if seat not in asked(state):
        return Options(concessions=concessions)
    key = question(state)[0]
    found = list(_ACTIONS[key](state, seat))
    if state.step not in _MUST:
        found.append(c.Pass())
    return Options(tuple(found), _templates(state, seat, key), concessions)


def _templates(state: State, seat: Seat, key: str) -> tuple[Template, ...]:
    if key == "commit-fleet":
        return (commit(state, seat),)
    if key == "lay-out":
        return (arrange(setup.committed(state, seat)),)
    if key == "reorganize":
        fleet = tuple(ship.id for ship in facts.fleet(state, seat))
        return (arrange(fleet), *reinforce(state, seat))
    return discard(facts.hand(state, seat)) if key == "discard" else ()


def _nations(state: State, seat: Seat) -> Commands:
    return (c.ChooseNation(nation) for nation in setup.free_nations(state))


def _fleets(state: State, seat: Seat) -> Commands:
    ready = setup.ready_fleets(state.nations[seat], state.options.carriers)
    yield from (c.CommitFleet(ships) for ships in ready)
    yield c.DrawFleet()


def _layouts(state: State, seat: Seat) -> Commands:
    return (c.Arrange(*layout) for layout in setup.layouts(state, seat))


def _reorganize(state: State, seat: Seat) -> Commands:
    for layout in rows.arrangements(state, seat):
        yield c.Arrange(*layout)
    yield from reorganize.ready_reinforcements(state, seat)
    for name in facts.kinds(facts.hand(state, seat)):
        if facts.card(state, name).family == retreats.FAMILY and not retreats.why_not(state, seat):
            yield c.Retreat(name)


def _removals(state: State, seat: Seat) -> Commands:
    return (c.RemoveDamage(ship, card) for ship, card in reorganize.removable(state, seat))


def _preparations(state: State, seat: Seat) -> Commands:
    return (c.Prepare(card, ship) for card, ship in preparing.preparations(state, seat))


def _declarations(state: State, seat: Seat) -> Commands:
    aims = declaring.targets(state, seat)
    yield from declaring.shots(state, seat, aims)
    for card in declaring.raid_cards(state, seat):
        for target in aims:
            yield c.LandRaid(card, target.id)
    reach = declaring.carrier_reach(state)
    for carrier in declaring.carriers(state, seat):
        for target in aims:
            if target.row in reach:
                yield c.AirRaid(carrier.id, target.id)
    yield from declaring.surprises(state, seat)


def _aims(state: State, seat: Seat) -> Commands:
    return (c.AimRaid(target.id) for target in declaring.targets(state, seat))


def _defenses(state: State, seat: Seat) -> Commands:
    yield from defending.defenses(state, seat)
    yield from defending.covers(state, seat)
    yield from defending.silences(state, seat)


def _plans(state: State, seat: Seat) -> Commands:
    return (c.Plan(n + 1) for n in range(len(planning.unused(state, seat))))


def _discards(state: State, seat: Seat) -> Commands:
    hand = facts.hand(state, seat)
    for name in facts.kinds(hand):
        yield c.DiscardCards((name,))
    if len(hand) > 1:
        yield c.DiscardCards(hand)


_ACTIONS: dict[str, Callable[[State, Seat], Commands]] = {
    "choose-nation": _nations,
    "commit-fleet": _fleets,
    "lay-out": _layouts,
    "reorganize": _reorganize,
    "remove-damage": _removals,
    "prepare": _preparations,
    "declare": _declarations,
    "aim-raid": _aims,
    "defend": _defenses,
    "plan": _plans,
    "discard": _discards,
}

__all__ = ["legal", "pending", "question"]
