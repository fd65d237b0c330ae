"""SETUP: the battle zone, the coin, the edges of the map, and deploying."""

from __future__ import annotations

from msgspec.structs import replace

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Hidden, Known, Seat
from . import board, convoy, purposes, terms
from . import commands as c
from . import events as ev
from .cards import Card
from .charts import land
from .convoy import OFF_MAP
from .damage import ask
from .facts import card_named, card_of, chart_key, is_carrier, limits_of, own
from .fleets import homeless, may_base
from .mechanisms import breakout, homes, placing
from .stacking import count, has_room, limit
from .state import AIRBASE, Edge, State
from .turns import owner

BattleFlow = Flow[State, ev.AnyEvent]


@rule("WAS-SETUP-11", "WAS-SETUP-12", "RUL-01", "RUL-04", "WAS-SCEN-05")
def edges_open(state: State) -> tuple[Edge, ...]:
    """The first deployer may take either side in both editions (RUL-01: a clarification)."""
    return ("south", "north")


PLACED = {"Ship": "WAS-SETUP-13", "Submarine": "WAS-SETUP-14", "Aircraft": "WAS-SETUP-17"}
"""By type of card, the rule that says where it is set up."""


@rule("WAS-SETUP-22")
def edges_taken(state: State, edge: Edge) -> dict[Seat, Edge]:
    """The second deployer gets the opposite side."""
    seat = state.first_deployer
    return {seat: edge, state.other(seat): board.opposite(edge)}


def choose_edge(flow: BattleFlow, seat: Seat, command: c.ChooseEdge) -> None:
    """The first deployer takes an edge of the map."""
    edges = edges_taken(flow.state, command.edge)
    flow.emit(ev.EdgesChosen(edges=edges, rules=("WAS-SETUP-12",)))


def undeployed(state: State, seat: Seat) -> tuple[str, ...]:
    """The seat's cards that are not on the map yet, as far as this viewer may know them."""
    fleet = state.fleets.get(seat, Known(()))
    return () if isinstance(fleet, Hidden) else fleet.items


@rule("WAS-SCEN-06", "WAS-SETUP-13", "WAS-SETUP-14", "WAS-MAP-14")
def area(state: State, seat: Seat, each: Card) -> tuple[str, ...]:
    """Where a Ship or Submarine may be set up: the own edge row, or the own half."""
    edge, own_area = state.edges[seat], terms.area(state, seat)
    if each.type == "Ship":
        usual = own_area.ships or board.edge_row(edge)
    else:
        usual = own_area.submarines or board.half(edge)
    return tuple(dict.fromkeys((*usual, *placing.more_places(state, seat, each))))


@rule("WAS-SETUP-15", "WAS-SETUP-16", "RUL-08")
def closed(state: State, sector: str) -> bool:
    """Nobody sets up in an island or shoal sector, whatever an ability says about movement."""
    return sector in land(chart_key(state))


@rule("RUL-06", "RUL-07")
def has_deployment_room(state: State, seat: Seat, sector: str, each: Card) -> bool:
    """The stacking limit; Ships overstack evenly once every legal sector of the row is full."""
    if has_room(state, seat, sector, each):
        return True
    if each.type != "Ship":
        return False
    row = [s for s in area(state, seat, each) if not closed(state, s)]
    fewest = min(count(state, seat, s, "Ship") for s in row)
    return fewest >= limit(state, "Ship") and count(state, seat, sector, "Ship") == fewest


def why_not_at_sea(state: State, seat: Seat, each: Card, at: str) -> No | None:
    """Why a Ship or Submarine may not be set up in ``at``."""
    if at == OFF_MAP:
        return breakout.why_not_hidden(state, seat, each)
    if at not in board.NEIGHBOURS:
        return No("deploy.no-sector", "WAS-SETUP-20", "Half-sectors are not in play.", "/at")
    sectors = area(state, seat, each)
    if at not in sectors:
        rule_ = "WAS-SETUP-13" if each.type == "Ship" else "WAS-SETUP-14"
        return No("deploy.outside-area", rule_, f"Set up in {', '.join(sectors)}.", "/at")
    if closed(state, at):
        return No("deploy.terrain", "WAS-SETUP-15", "Islands and shoals are closed.", "/at")
    if not has_deployment_room(state, seat, at, each):
        return No("deploy.overstacked", "WAS-SETUP-24", "The sector is full.", "/at")
    return None


@rule("WAS-SETUP-18", "WAS-AIR-02", "WAS-AIR-01", "WAS-AIR-18")
def room_at(state: State, seat: Seat, base: str) -> int:
    """Free places at a base: the Carrier's basing capacity or the airbase's, less who is there."""
    if base == AIRBASE:
        return limits_of(state).airbase - homes.ashore(state, seat)[0]
    based = sum(unit.base == base and not unit.sector for unit in own(state, seat))
    return card_of(state, state.units[base]).basing - based


def bases(state: State, seat: Seat) -> dict[str, Card | None]:
    """The seat's bases in play: the airbase, and every Carrier."""
    found: dict[str, Card | None] = {AIRBASE: None}
    for unit in own(state, seat):
        if unit.sector and is_carrier(state, unit) and card_of(state, unit).basing:
            found[unit.id] = card_of(state, unit)
    return found


@rule("WAS-SETUP-17", "WAS-MAP-13", "WAS-SETUP-19")
def why_not_based(state: State, seat: Seat, each: Card, at: str) -> No | None:
    """Why an Aircraft may not start at base ``at``."""
    if homes.moored(each):
        return homes.why_not_moored(state, seat, at)
    holders = bases(state, seat)
    if at not in holders:
        return No("deploy.no-base", "WAS-SETUP-17", f"Its bases are {', '.join(holders)}.", "/at")
    berth = at in homes.berths(state, seat, holders) and homes.takes(holders[at], each)
    if not (berth or may_base(each, holders[at], flags=state.options.history)):
        return No("deploy.wrong-type", "WAS-AIR-03", "That Carrier cannot base it.", "/at")
    if room_at(state, seat, at) < 1 and not _fits_extra(state, seat, each, at):
        return No("deploy.base-full", "WAS-SETUP-18", "That base is full.", "/at")
    if _strands(state, seat, each, at):
        return No("deploy.strands-aircraft", "RUL-09", "Another Aircraft needs that place.", "/at")
    return None


def _fits_extra(state: State, seat: Seat, each: Card, at: str) -> bool:
    """Whether it takes a place at the airbase beyond the limit."""
    return at == AIRBASE and homes.overstacks(each) and homes.ashore(state, seat)[1] > 0


def _strands(state: State, seat: Seat, each: Card, at: str) -> bool:
    """Whether basing it there would leave another Aircraft of the fleet without any base."""
    left = list(undeployed(state, seat))
    left.remove(each.id)
    cards = [card_named(state, name) for name in left]
    waiting = [each for each in cards if each.type == "Aircraft"]
    holders = bases(state, seat)
    spare = _fits_extra(state, seat, each, at)
    rooms = {base: room_at(state, seat, base) - (base == at) for base in holders}
    rooms[AIRBASE] += spare
    for number, each_ in enumerate(cards):
        if each_.basing:
            rooms[f"/{number}"] = each_.basing
            holders[f"/{number}"] = each_
    berths = homes.berths(state, seat, holders) - (
        {at} if homes.takes(holders[at], each) else set()
    )
    extra = homes.ashore(state, seat)[1] - spare
    flags = state.options.history
    return homeless(waiting, rooms, holders, flags=flags, berths=berths, extra=extra) > 0


@rule("WAS-SETUP-25")
def why_not_deploy(state: State, seat: Seat, command: c.Deploy) -> No | None:
    """Why one of the fleet's units may not be set up there."""
    if command.card not in undeployed(state, seat):
        return No("deploy.not-in-fleet", "WAS-SETUP-23", "It is not waiting in the fleet.", "/card")
    each = card_named(state, command.card)
    if each.type == "Aircraft":
        return why_not_based(state, seat, each, command.at)
    return why_not_at_sea(state, seat, each, command.at)


def deploy(flow: BattleFlow, seat: Seat, command: c.Deploy) -> None:
    """A unit is set up, with what its place brings with it."""
    deployed = put(flow.state, seat, card_named(flow.state, command.card), command.at)
    flow.emit(deployed)
    placing.deployed(flow, flow.state.units[deployed.unit])


def places(state: State, seat: Seat, each: Card) -> tuple[str, ...]:
    """Everywhere that a unit might be set up, legal or not: candidates for the legal list."""
    if homes.moored(each):
        return homes.anchorages(state, seat)
    if each.type == "Aircraft":
        return tuple(bases(state, seat))
    hidden = breakout.why_not_hidden(state, seat, each) is None
    return (*area(state, seat, each), *((OFF_MAP,) if hidden else ()))


def put(state: State, seat: Seat, each: Card, at: str) -> ev.UnitDeployed:
    """A unit of the card is put into play there, with the seat's next number."""
    name = f"{seat}-{1 + sum(unit.seat == seat for unit in state.all_units)}"
    sector, base = spot(each, at)
    rules = (PLACED[each.type],)
    return ev.UnitDeployed(
        unit=name, card=each.id, seat=seat, sector=sector, base=base, rules=rules
    )


def spot(each: Card, at: str) -> tuple[str, str]:
    """Sector and base of a unit that is set up in ``at``; neither off the map."""
    if at == OFF_MAP:
        return "", ""
    return ("", at) if each.type == "Aircraft" else (at, "")


@rule("WAS-SETUP-07", "RUL-02", "WAS-MAP-11", "WAS-MAP-12", "WAS-SETUP-08", "WAS-SCEN-04",
      "WAS-SCEN-45", "WAS-MAP-25", "WAS-MAP-26", "WAS-SCEN-32")  # fmt: skip
def zone_of(state: State, face: int) -> tuple[int, tuple[str, ...]]:
    """The chart that a die selects, with its objectives: three in a zone, none for a convoy."""
    return face, terms.objectives(replace(state, zone=face))


@rule("WAS-SETUP-09")
def zone_rolled(flow: BattleFlow, face: int) -> None:
    """The die's zone is laid out with its objective markers."""
    zone, objectives = zone_of(flow.state, face)
    flow.emit(ev.ZoneSelected(zone=zone, objectives=objectives, rules=("WAS-SETUP-07",)))


def deployer_rolled(flow: BattleFlow, face: int) -> None:
    """The coin names who deploys first."""
    winner = flow.state.seats[face - 1]
    flow.emit(ev.DeployerChosen(seat=winner, rules=("WAS-SETUP-10",)))


@rule("WAS-SETUP-10")
def flip_coin(flow: BattleFlow) -> bool:
    """The winner of the coin deploys first; it is no choice."""
    if flow.state.first_deployer:
        return False
    if flow.state.escort:
        convoy.deploys_first(flow)
    elif not terms.first_deployer(flow):
        ask(flow, purposes.Deployer(), "", Dice(1, 2))
    return True


def end_if_deployed(flow: BattleFlow) -> bool:
    """A side whose units are all on the map has deployed."""
    seat = owner(flow.state)
    if "deployed" in flow.state.tended or undeployed(flow.state, seat):
        return False
    flow.emit(ev.FleetDeployed(seat=seat, rules=("WAS-SETUP-25",)))
    return True
