"""Nations, secret fleets, the first player, the layout (NB-SETUP)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from ....kernel.chance import SEALED_DOMAIN, Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Hidden, Known, Seat
from . import commands as c
from . import evening, facts
from . import events as ev
from .asking import ask
from .rows import Rows, formations, why_not_arranged
from .ships import NATIONS, SHIPS, Nation, ships_of
from .state import Purpose, State

BattleFlow = Flow[State, ev.AnyEvent]
FLEET_POINTS = 25
"""Victory points of a starting fleet (NB-SETUP-02)."""


@rule("NB-SETUP-01", "NB-SETUP-08", "NB-EX-01")
def choosing(state: State) -> Seat:
    """Whose turn it is to take a nation, in seat order; empty when all have one."""
    if state.options.nations == "random":
        return ""
    return next((s for s in facts.present(state) if s not in state.nations), "")


def free_nations(state: State) -> tuple[Nation, ...]:
    """Nations that nobody has (NB-COMP-04)."""
    taken = state.nations.values()
    return tuple(nation for nation in NATIONS if nation not in taken)


def why_not_nation(state: State, seat: Seat, command: c.ChooseNation) -> No | None:
    """No nation twice."""
    if command.nation in free_nations(state):
        return None
    left = ", ".join(free_nations(state))
    return No("nation.taken", "NB-COMP-04", f"Nations left: {left}.", "/nation")


def take_nation(flow: BattleFlow, seat: Seat, command: c.ChooseNation) -> None:
    """The seat commands this nation."""
    _take(flow, seat, command.nation, "NB-SETUP-01")


def deal_nations(flow: BattleFlow) -> bool:
    """Option: nations at random, each of those that are left as likely as another."""
    state = flow.state
    waiting = tuple(s for s in facts.present(state) if s not in state.nations)
    if state.options.nations != "random" or not waiting:
        return False
    left = len(free_nations(state))
    dice = tuple(Dice(1, left - n) for n in range(len(waiting)) if left - n > 1)
    ask(flow, Purpose("nations", waiting), waiting[0], dice)
    return True


def nations_dealt(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    """Each seat takes the nation that its die counts to among those left."""
    for number, seat in enumerate(purpose.seats):
        at = faces[number][0] - 1 if number < len(faces) else 0
        nation = free_nations(flow.state)[at]
        _take(flow, seat, nation, "NB-SETUP-08")


def _take(flow: BattleFlow, seat: Seat, nation: Nation, rule_: str) -> None:
    """A seat commands a nation, and begins with the points of its handicap."""
    taken = ev.NationTaken(seat=seat, nation=nation, rules=(rule_,))
    handicapped = evening.lead_of(flow.state.options, nation)
    flow.emit(replace(taken, rules=(rule_, "NB-RUL-12")) if handicapped else taken)


@rule("NB-SETUP-02", "NB-SETUP-09", "NB-SHIP-02", "NB-AMB-01", "NB-LINK-04")
def why_not_fleet(state: State, seat: Seat, command: c.CommitFleet) -> No | None:
    """Ships of one's nation, each once, worth exactly (or at most) 25 points; one at least.

    Who has no ship has nothing to lose. What a smaller fleet lacks is made up for (NB-RUL-13).
    """
    ships = command.ships
    if len(set(ships)) != len(ships):
        return No("fleet.twice", "NB-COMP-04", "Every ship exists once.", "/ships")
    for name in ships:
        if name not in SHIPS or SHIPS[name].nation != state.nations[seat]:
            hint = f"Choose ships of {state.nations[seat]}."
            return No("fleet.not-your-nation", "NB-SHIP-02", hint, "/ships")
    if not ships:
        return No("fleet.empty", "NB-SETUP-09", "Choose one ship at least.", "/ships")
    worth = sum(SHIPS[name].points for name in ships)
    if state.options.starting_fleet == "exactly" and worth != FLEET_POINTS:
        hint = f"The ships are worth {worth}; exactly {FLEET_POINTS} are wanted."
        return No("fleet.points", "NB-SETUP-09", hint, "/ships")
    if worth > FLEET_POINTS:
        hint = f"The ships are worth {worth}; at most {FLEET_POINTS} are allowed."
        return No("fleet.points", "NB-SETUP-09", hint, "/ships")
    return evening.why_not_carriers(state, ships)


@lru_cache(maxsize=16)
def fleets(nation: str, carriers: str = "any") -> tuple[tuple[str, ...], ...]:
    """All fleets of exactly 25 points, those of few ships first; ``carriers``: the option."""
    every = ships_of(nation)
    found = (
        tuple(ship.id for ship in chosen)
        for size in range(3, len(every))
        for chosen in combinations(every, size)
        if sum(ship.points for ship in chosen) == FLEET_POINTS
    )
    return tuple(fleet for fleet in found if carriers == "any" or evening.few_carriers(fleet))


def own_fleets(state: State, seat: Seat) -> tuple[tuple[str, ...], ...]:
    """All fleets of exactly 25 points that a seat may choose."""
    return fleets(state.nations[seat], state.options.carriers)


@lru_cache(maxsize=16)
@rule("NB-FLEET-07")
def ready_fleets(nation: str, carriers: str = "any") -> tuple[tuple[str, ...], ...]:
    """Some fleets of exactly 25 points, for bots and people in a hurry: large to small ships."""
    found = fleets(nation, carriers)
    step = max(1, len(found) // READY)
    return found[::step][:READY]


READY = 8
"""How many fleets are offered ready-made."""


@rule("NB-HID-01")
def commit(flow: BattleFlow, seat: Seat, command: c.CommitFleet) -> None:
    """The choice is made in secret; nobody else learns even how many ships it holds."""
    ordered = tuple(name for name in SHIPS if name in command.ships)
    flow.emit(ev.FleetCommitted(seat=seat, ships=Known(ordered), rules=("NB-SETUP-02",)))


@rule("NB-RUL-09")
def draw_fleet(flow: BattleFlow, seat: Seat, command: c.DrawFleet) -> None:
    """Any fleet of exactly 25 points, each as likely; the dice are sealed, as the choice is."""
    many = len(own_fleets(flow.state, seat))
    ask(flow, Purpose("fleet", (seat,)), seat, (Dice(1, many),), SEALED_DOMAIN)


def fleet_drawn(flow: BattleFlow, seat: Seat, face: int) -> None:
    """The die counts to a fleet."""
    commit(flow, seat, c.CommitFleet(own_fleets(flow.state, seat)[face - 1]))


@rule("NB-SETUP-04", "NB-LINK-06")
def roll_first(flow: BattleFlow) -> bool:
    """One die each for the first turn; those tied for the highest roll again."""
    state = flow.state
    if state.first:
        return False
    present = facts.present(state)
    rollers = tuple(seat for seat in state.tied if seat in present) or present
    if len(rollers) == 1:
        reasons = ("NB-SETUP-04", "NB-RUL-01")  # of the tied only one is left
        flow.emit(ev.FirstPlayerRolled(faces={}, first=rollers[0], rules=reasons))
        return True
    ask(flow, Purpose("first", rollers), rollers[0], (Dice(len(rollers)),))
    return True


def first_rolled(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    """The highest die moves first, unless it is tied."""
    thrown = dict(zip(purpose.seats, faces[0], strict=True))
    best = max(thrown.values())
    leaders = [seat for seat, face in thrown.items() if face == best]
    first = leaders[0] if len(leaders) == 1 else ""
    flow.emit(ev.FirstPlayerRolled(faces=thrown, first=first, rules=("NB-SETUP-04",)))


@rule("NB-SETUP-05", "NB-AMB-43")
def laying(state: State) -> Seat:
    """Who lays out next, clockwise from the first player; empty when all have."""
    order = facts.clockwise(state, state.seats[state.seats.index(state.first) - 1])
    waiting = (s for s in order if s in state.committed and s not in state.gone)
    return next(waiting, "")


def committed(state: State, seat: Seat) -> tuple[str, ...]:
    """The ships that a seat has chosen; none where they are hidden."""
    fleet = state.committed.get(seat, Hidden(0))
    return fleet.items if isinstance(fleet, Known) else ()


def layouts(state: State, seat: Seat) -> tuple[tuple[Rows, tuple[str, ...]], ...]:
    """Layouts ready to use."""
    return formations(committed(state, seat))


def why_not_lay_out(state: State, seat: Seat, command: c.Arrange) -> No | None:
    return why_not_arranged(committed(state, seat), command.rows, command.active)


@rule("NB-SETUP-03", "NB-SETUP-10", "NB-SHIP-04", "NB-EX-02")
def lay_out(flow: BattleFlow, seat: Seat, command: c.Arrange) -> None:
    """The fleet comes to the table; all other ships of the nation are the reinforcement pile."""
    ships = committed(flow.state, seat)
    lacking = FLEET_POINTS - sum(SHIPS[name].points for name in ships)
    below = tuple(name for name in ships if SHIPS[name].submarine)
    nation = ships_of(flow.state.nations[seat])
    flow.emit(
        ev.FleetLaidOut(
            seat=seat,
            rows=command.rows,
            submarines=below,
            active=command.active,
            reserve=tuple(ship.id for ship in nation if ship.id not in ships),
            lacking=lacking,
            rules=("NB-SETUP-05", "NB-RUL-13") if lacking else ("NB-SETUP-05",),
        )
    )
