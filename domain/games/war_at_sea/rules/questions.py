"""What is asked in a battle: of whom, by which rule, and how each answer is judged and done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from ....kernel.question import Act, Question, act
from ....kernel.values import Seat
from . import (
    abilities,
    air_missions,
    air_return,
    attacks,
    damage,
    deployment,
    duties,
    fleets,
    followups,
    offers,
    sea_movement,
    tasks,
    victory,
)
from . import commands as c
from . import events as ev
from .abilities import NOWHERE, Works
from .fleet_options import fleet_template
from .mechanisms import breakout, squadrons
from .state import State
from .turns import acting, alternating, owner

Asks = Question[State, ev.AnyEvent, c.AnyCommand]
Acts = tuple[Act[State, ev.AnyEvent], ...]
Seats = tuple[Seat, ...]

RISKING = act(c.Risk, damage.risk, damage.why_not_risk)
"""An answer of which the rules themselves know when it is open."""

ANYWHERE: Acts = (act(c.Use, abilities.use, NOWHERE.why_not_use), RISKING)
"""The same, and an ability that is used: not where no mechanism is at work."""

IN_STEPS: Acts = (*ANYWHERE, act(c.Fire, attacks.fire, attacks.why_not_fire))
"""The same in a side's own step: the rules know in which of them there are attacks."""


def using(asks: Asks, works: Works) -> Asks:
    """The question where these mechanisms are at work: it is answered by abilities as well."""
    use = act(c.Use, abilities.use, works.why_not_use)
    return replace(
        asks,
        offers=lambda state, seat: chain(asks.offers(state, seat), works.uses(state, seat)),
        acts=(*(each for each in asks.acts if each.command is not c.Use), use),
    )


# --- set-up --------------------------------------------------------------------------------------


def _choosing(state: State) -> Seats:
    return (state.side_chooser,) if state.side_chooser and not state.alliances else ()


SIDE = Asks(
    "choose-side",
    "WAS-SETUP-03",
    who=_choosing,
    offers=offers.sides,
    acts=(*ANYWHERE, act(c.ChooseSide, tasks.choose_side, belongs="WAS-SETUP-02")),
    optional=False,
)
FLEET = Asks(
    "build-fleet",
    "WAS-SETUP-23",
    who=lambda state: (seat for seat in state.seats if seat not in state.fleets),
    offers=offers.fleets,
    acts=(*ANYWHERE, act(c.SubmitFleet, fleets.submit, belongs="WAS-SETUP-02")),
    optional=False,
    together=True,
    templates=lambda state, seat: (fleet_template(state, seat),),
)
EDGE = Asks(
    "choose-edge",
    "WAS-SETUP-12",
    who=lambda state: () if state.edges else (owner(state),),
    offers=offers.edges,
    acts=(*ANYWHERE, act(c.ChooseEdge, deployment.choose_edge, belongs="WAS-SETUP-02")),
    optional=False,
)
DEPLOY = Asks(
    "deploy",
    "WAS-SETUP-02",
    who=lambda state: () if "deployed" in state.tended else (owner(state),),
    offers=offers.deploy,
    acts=(*IN_STEPS, act(c.Deploy, deployment.deploy, deployment.why_not_deploy, "WAS-SETUP-02")),
    optional=False,
)


# --- abilities that have a time of their own -----------------------------------------------------

ABILITY = Asks(
    "use-ability",
    "WAS-ABIL-08",
    who=alternating,
    offers=lambda state, seat: (),
    acts=ANYWHERE,
    able=True,
)
HUNT = using(
    replace(ABILITY, key="sub-hunter", rule="WAS-ABIL-37", must_act=sea_movement.why_not_end),
    abilities.HUNTING,
)
PATROL = using(replace(ABILITY, key="combat-air-patrol", rule="WAS-ABIL-16"), abilities.ON_PATROL)
ARRIVAL = using(replace(ABILITY, must_act=breakout.why_not_wait), abilities.AFTER_AIR_RETURN)


# --- a turn --------------------------------------------------------------------------------------

_MOVE = Asks(
    "move",
    "WAS-SEA-01",
    who=acting,
    offers=offers.moves,
    acts=(*IN_STEPS, act(c.Move, sea_movement.move, sea_movement.why_not_move, "WAS-SEA-01")),
    must_act=sea_movement.why_not_end,
    able=True,
)
MOVE_FIRST = using(_MOVE, abilities.MOVING_FIRST)
MOVE = using(_MOVE, abilities.MOVING)
MISSION = using(
    Asks(
        "place-aircraft",
        "WAS-AIRM-01",
        who=alternating,
        offers=offers.placements,
        acts=(
            *ANYWHERE,
            act(c.Place, air_missions.place, air_missions.why_not_place, "WAS-AIRM-01"),
            act(
                c.SendToAirbase, squadrons.send_home, air_missions.why_not_send_home, "WAS-AIRM-07"
            ),
        ),
        must_act=air_missions.why_not_stay,
        able=True,
    ),
    abilities.ON_MISSION,
)
TORPEDO_ATTACK = Asks(
    "attack",
    "WAS-TORP-01",
    who=acting,
    offers=offers.fire,
    acts=IN_STEPS,
    able=True,
)
SUBMARINE_ATTACK = replace(TORPEDO_ATTACK, rule="WAS-SUBA-01")
SURFACE_ATTACK = using(replace(TORPEDO_ATTACK, rule="WAS-SURF-01"), abilities.IN_SURFACE_ATTACK)
AIR_ATTACK = using(replace(TORPEDO_ATTACK, rule="WAS-AIRA-01"), abilities.IN_AIR_ATTACK)
AIR_DEFENSE = using(
    replace(
        TORPEDO_ATTACK,
        rule="WAS-AIRD-01",
        must_act=duties.why_not_end,
        usual=duties.first_due,
    ),
    abilities.IN_AIR_DEFENSE,
)


def _losing(state: State) -> Seats:
    carrier = damage.open_risk(state)
    return () if carrier is None else (carrier.seat,)


RISK = Asks(
    "risk-aircraft",
    "WAS-AIR-10",
    who=_losing,
    offers=offers.risks,
    acts=ANYWHERE,
    optional=False,
)


def _returning(state: State) -> Seats:
    """Everybody lands, whoever has passed."""
    seat = owner(state)
    return (seat,) if air_return.flying(state, seat) else acting(state)


RETURN = using(
    Asks(
        "return-aircraft",
        "WAS-RETN-01",
        who=_returning,
        offers=offers.returns,
        acts=(
            *IN_STEPS,
            act(c.Return, air_return.give_back, air_return.why_not_return, "WAS-RETN-01"),
            act(c.Eliminate, air_return.eliminate, air_return.why_not_eliminate, "WAS-RETN-14"),
        ),
        must_act=air_return.why_not_end,
        able=True,
    ),
    abilities.RETURNING,
)


def _claiming(state: State) -> Iterator[Seat]:
    if "claims" not in state.tended and "turn" not in state.tended:
        yield from (seat for seat in (state.first, state.second) if seat not in state.passed)


CLAIM = using(
    Asks(
        "claim",
        "WAS-EOT-01",
        who=_claiming,
        offers=offers.claims,
        acts=(*ANYWHERE, act(c.Claim, victory.claim, victory.why_not_claim, "WAS-EOT-03")),
        on_pass=victory.claim_no_more,
        able=True,
    ),
    abilities.AT_THE_END,
)


# --- an attack under way -------------------------------------------------------------------------


def _answering(state: State) -> Seats:
    asked = followups.question(state)
    return () if asked is None else (asked[0],)


FOLLOW_UP = Asks(
    "use-ability",
    "RUL-96",
    who=_answering,
    offers=offers.answers,
    acts=(
        act(c.Use, followups.answer, followups.why_not_answer),
        RISKING,
    ),
    must_act=followups.why_not_decline,
    on_pass=followups.decline,
)
