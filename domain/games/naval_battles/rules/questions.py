"""What is asked in a battle: of whom, by which rule, and how each answer is judged and done.

Questions rest on public facts only, so every viewer sees the same: who may be asked is never found
out by looking into a hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.question import Question, act
from ....kernel.rules import rule
from ....kernel.values import Seat
from . import commands as c
from . import declaring, defending, drawing, facts, preparing, reorganize, rolling, rows, setup
from . import events as ev
from .cards import planning
from .cards import retreat as retreats
from .state import State
from .templates import arrange, commit, discard, reinforce

Asks = Question[State, ev.AnyEvent, c.AnyCommand]
Commands = Iterator[c.AnyCommand]
Seats = tuple[Seat, ...]


def _one(seat: Seat) -> Seats:
    return (seat,) if seat else ()


@rule("NB-SEQ-03")
def _active(state: State) -> Seats:
    """The player whose turn it is, until he ends the step; he may do nothing in it."""
    seat = state.active
    return () if seat in state.passed or seat in state.gone else (seat,)


# --- set-up --------------------------------------------------------------------------------------


def _fleets(state: State, seat: Seat) -> Commands:
    ready = setup.ready_fleets(state.nations[seat], state.options.carriers)
    yield from (c.CommitFleet(ships) for ships in ready)
    yield c.DrawFleet()


NATION = Asks(
    "choose-nation",
    "NB-SETUP-08",
    who=lambda state: _one(setup.choosing(state)),
    offers=lambda state, seat: map(c.ChooseNation, setup.free_nations(state)),
    acts=(act(c.ChooseNation, setup.take_nation, setup.why_not_nation),),
    optional=False,
)
FLEET = Asks(
    "commit-fleet",
    "NB-SETUP-02",
    who=lambda state: (s for s in facts.present(state) if s not in state.committed),
    offers=_fleets,
    acts=(
        act(c.CommitFleet, setup.commit, setup.why_not_fleet),
        act(c.DrawFleet, setup.draw_fleet),
    ),
    optional=False,
    together=True,
    templates=lambda state, seat: (commit(state, seat),),
    # The first of the list is what everybody could foresee: a fleet is drawn in secret.
    usual=lambda state, seat: c.DrawFleet(),
)
LAYOUT = Asks(
    "lay-out",
    "NB-SETUP-05",
    who=lambda state: _one(setup.laying(state)),
    offers=lambda state, seat: (c.Arrange(*layout) for layout in setup.layouts(state, seat)),
    acts=(act(c.Arrange, setup.lay_out, setup.why_not_lay_out),),
    optional=False,
    templates=lambda state, seat: (arrange(setup.committed(state, seat)),),
)


# --- reorganize and prepare ----------------------------------------------------------------------


def _reorganize(state: State, seat: Seat) -> Commands:
    for layout in rows.arrangements(state, seat):
        yield c.Arrange(*layout)
    yield from reorganize.ready_reinforcements(state, seat)
    for name in facts.kinds(facts.hand(state, seat)):
        if facts.card(state, name).family == retreats.FAMILY and not retreats.why_not(state, seat):
            yield c.Retreat(name)


def _preparing(state: State) -> Seats:
    """Nobody is asked who openly has no card or no ship for it."""
    able = state.hands[state.active].count and preparing.able(state, state.active)
    return _active(state) if able else ()


REORGANIZE = Asks(
    "reorganize",
    "NB-REORG-01",
    who=_active,
    offers=_reorganize,
    acts=(
        act(c.Arrange, reorganize.arrange, reorganize.why_not_arrange),
        act(c.Reinforce, reorganize.reinforce, reorganize.why_not_reinforce),
        act(c.Retreat, reorganize.play_retreat, reorganize.why_not_retreat),
    ),
    templates=lambda state, seat: (
        arrange(tuple(ship.id for ship in facts.fleet(state, seat))),
        *reinforce(state, seat),
    ),
)
REMOVE = Asks(
    "remove-damage",
    "NB-RET-02",
    who=lambda state: _active(state) if state.removing else (),
    offers=reorganize.removable,
    acts=(act(c.RemoveDamage, reorganize.remove, reorganize.why_not_remove),),
)
PREPARE = Asks(
    "prepare",
    "NB-PREP-01",
    who=_preparing,
    offers=preparing.preparations,
    acts=(act(c.Prepare, preparing.prepare, preparing.why_not_prepare),),
)


# --- attack --------------------------------------------------------------------------------------


def _declaring(state: State) -> Seats:
    seat = state.active
    armed = state.hands[seat].count or any(facts.is_carrier(s) for s in facts.fleet(state, seat))
    return _active(state) if armed else ()


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


DECLARE = Asks(
    "declare",
    "NB-ATK-01",
    who=_declaring,
    offers=_declarations,
    acts=(
        act(c.DeclareAttack, declaring.attack, declaring.why_not_attack),
        act(c.LandRaid, declaring.land_raid, declaring.why_not_land_raid),
        act(c.AirRaid, declaring.air_raid, declaring.why_not_air_raid),
        act(c.SurpriseAttack, declaring.surprise, declaring.why_not_surprise),
    ),
)
AIM = Asks(
    "aim-raid",
    "NB-LBAR-06",
    who=lambda state: _active(state) if state.aim is not None else (),
    offers=lambda state, seat: (c.AimRaid(each.id) for each in declaring.targets(state, seat)),
    acts=(act(c.AimRaid, declaring.aim, declaring.why_not_aim),),
    subject=lambda state: "" if state.aim is None else state.aim.card,
)


def _defenses(state: State, seat: Seat) -> Commands:
    yield from defending.defenses(state, seat)
    yield from defending.covers(state, seat)
    yield from defending.silences(state, seat)


DEFEND = Asks(
    "defend",
    "NB-DEF-03",
    who=lambda state: _one(defending.defender(state)),
    offers=_defenses,
    acts=(
        act(c.Defend, defending.defend, defending.why_not_defend),
        act(c.AirCover, defending.cover, defending.why_not_cover),
        act(c.RunSilent, defending.silent, defending.why_not_silent),
    ),
)


def _rolling(state: State) -> Seats:
    roll = rolling.window(state)
    return () if roll is None else (roll.seat,)


PLAN = Asks(
    "plan",
    "NB-FSM-03",
    who=_rolling,
    offers=lambda state, seat: (c.Plan(n + 1) for n in range(len(planning.unused(state, seat)))),
    acts=(act(c.Plan, rolling.plan, rolling.why_not_plan),),
    on_pass=rolling.roll_plainly,
    subject=lambda state: "" if state.roll is None else f"attack {state.roll.attack}",
)


# --- discard -------------------------------------------------------------------------------------


def _discards(state: State, seat: Seat) -> Commands:
    hand = facts.hand(state, seat)
    for name in facts.kinds(hand):
        yield c.DiscardCards((name,))
    if len(hand) > 1:
        yield c.DiscardCards(hand)


DISCARD = Asks(
    "discard",
    "NB-DISC-01",
    who=lambda state: _active(state) if state.hands[state.active].count else (),
    offers=_discards,
    acts=(act(c.DiscardCards, drawing.discard, drawing.why_not_discard),),
    templates=lambda state, seat: discard(facts.hand(state, seat)),
)
