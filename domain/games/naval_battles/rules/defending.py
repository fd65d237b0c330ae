"""The defense: who is asked, cards, air cover, run silent (NB-DEF, NB-COVER, NB-SUB)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import facts, reckoning, rolling
from .cards import RAIDS, SHIELDS, escort_ship
from .cards.vocabulary import Shield
from .holding import why_not_play
from .ships import SHIPS
from .state import Attack, Roll, Ship, State

BattleFlow = Flow[State, ev.AnyEvent]


# --- who is asked --------------------------------------------------------------------------------


@rule("NB-DEF-06", "NB-TEAM-07")
def defenders(state: State) -> tuple[Seat, ...]:
    """Seats whose fleet is under an open attack, and their partners; by public facts only."""
    under = {state.ships[each.target].seat for each in state.attacks}
    if len(facts.side(state, state.seats[0])) > 1:
        under = {mate for seat in sorted(under) for mate in facts.side(state, seat)}
    return tuple(seat for seat in state.seats if seat in under and seat not in state.gone)


@rule("NB-DEF-01", "NB-DEF-03", "NB-DEF-05", "NB-AMB-05")
def defender(state: State) -> Seat:
    """Who is asked now: clockwise from who acted last, one defense each, until all passed in a row.

    With ``whole-player`` each player, clockwise from the attacker, finishes before the next.
    """
    able = defenders(state)
    start = state.last if state.options.defense_order == "one-each" else state.active
    order = facts.clockwise(state, start)
    return next((seat for seat in order if seat in able and seat not in state.passed), "")


# --- cards ---------------------------------------------------------------------------------------


def _attack(state: State, number: int) -> tuple[Attack, Ship] | No:
    attack = facts.attack(state, number)
    if attack is None:
        hint = f"Open attacks: {', '.join(str(each.number) for each in state.attacks)}."
        return No("defense.no-attack", "NB-DEF-08", hint, "/attack")
    return attack, state.ships[attack.target]


@rule("NB-TEAM-06", "NB-AMB-40")
def _why_not_help(state: State, seat: Seat, target: Ship, prepared: bool) -> No | None:
    """One defends one's own fleet; with cards from the hand a partner's too."""
    if target.seat == seat or (not prepared and target.seat in facts.side(state, seat)):
        return None
    return No("defense.not-yours", "NB-TEAM-06", "It is not aimed at your fleet.", "/attack")


@rule("NB-PREP-05")
def _shield(state: State, seat: Seat, command: c.Defend) -> Shield | No:
    if command.prepared:
        if all(lying.used or lying.card != command.card for lying in state.prepared[seat]):
            hint = "No such card lies unused before your fleet."
            return No("defense.not-prepared", "NB-PREP-05", hint, "/card")
    else:
        no = why_not_play(state, seat, command.card, "defense")
        if no is not None:
            return no
    shield = SHIELDS.get(facts.card(state, command.card).family)
    if shield is None:
        return No("defense.no-defense", "NB-CARD-01", "It answers no attack.", "/card")
    return shield


@rule("NB-DEF-09", "NB-AMB-19")
def why_not_defend(state: State, seat: Seat, command: c.Defend) -> No | None:
    """Any number of defenses against any open attack; none has to be used."""
    found = _attack(state, command.attack)
    if isinstance(found, No):
        return found
    attack, target = found
    shield = _shield(state, seat, command)
    if isinstance(shield, No):
        return shield
    no = _why_not_help(state, seat, target, command.prepared)
    no = no or shield.why_not(state, attack, target)
    if no is not None:
        return no
    if shield.moves:
        return escort_ship.why_not_to(state, target, command.to)
    if command.to:
        return No("defense.no-move", "NB-ESC-01", "Only Escort Ship moves an attack.", "/to")
    return None


def defenses(state: State, seat: Seat) -> Iterator[c.Defend]:
    """Every card that the seat may use against every open attack."""
    side = facts.side(state, seat)
    hand = [(name, False) for name in facts.kinds(facts.hand(state, seat))]
    lying = [
        (name, True) for name in facts.kinds(p.card for p in state.prepared[seat] if not p.used)
    ]
    for name, prepared in (*hand, *lying):
        shield = SHIELDS.get(facts.card(state, name).family)
        if shield is None:
            continue
        for attack in state.attacks:
            target = state.ships[attack.target]
            if target.seat != seat and (prepared or target.seat not in side):
                continue
            if shield.why_not(state, attack, target) is None:
                yield from _uses(state, name, prepared, shield, attack, target)


def _uses(
    state: State, name: str, prepared: bool, shield: Shield, attack: Attack, target: Ship
) -> Iterator[c.Defend]:
    if not shield.moves:
        yield c.Defend(name, attack.number, prepared)
        return
    for other in facts.row(state, target.seat, target.row):
        if other.id != target.id:
            yield c.Defend(name, attack.number, prepared, other.id)


@rule("NB-DEF-04", "NB-CARD-04")
def defend(flow: BattleFlow, seat: Seat, command: c.Defend) -> None:
    """A card from the hand is discarded after its effect, a prepared one stays."""
    attack = facts.attack(flow.state, command.attack)
    assert attack is not None
    shield = SHIELDS[facts.card(flow.state, command.card).family]
    flow.emit(
        ev.DefensePlayed(
            seat=seat,
            card=command.card,
            attack=command.attack,
            prepared=command.prepared,
            rules=(shield.rule,),
        )
    )
    if shield.moves:
        move(flow, attack, command.to)
    else:
        stop(flow, attack, command.card, shield.rule)


def move(flow: BattleFlow, attack: Attack, to: str) -> None:
    """The attack is reckoned anew for its new target."""
    moved = reckoning.numbered(flow.state, replace(attack, target=to))
    flow.emit(
        ev.AttackMoved(
            attack=attack.number, target=to, needed=moved.needed, rules=("NB-ESC-01", "NB-ESC-05")
        )
    )


@rule("NB-DEF-08")
def stop(flow: BattleFlow, attack: Attack, by: str, rule_: str) -> None:
    """A stopped attack is over and its card discarded, a raid card with its last raid."""
    flow.emit(
        ev.AttackStopped(
            attack=attack.number, by=by, discarded=spent(flow.state, attack), rules=(rule_,)
        )
    )


def spent(state: State, attack: Attack) -> tuple[str, ...]:
    """The cards that go to the discard pile when this attack is over."""
    if not attack.card:
        return ()
    others = (each for each in state.attacks if each.number != attack.number)
    if attack.batch and any(each.batch == attack.batch for each in others):
        return ()
    return (attack.card,)


# --- air cover -----------------------------------------------------------------------------------


@rule("NB-COVER-01", "NB-COVER-02", "NB-COVER-04", "NB-COVER-06", "NB-AMB-28")
def why_not_cover(state: State, seat: Seat, command: c.AirCover) -> No | None:
    """Each symbol of an own carrier, once in each player turn, for any raid at the own fleet."""
    ship = state.ships.get(command.carrier)
    if ship is None or ship.seat != seat or not SHIPS[ship.id].air_cover:
        return No("cover.no-carrier", "NB-COVER-01", "Name a carrier of yours.", "/carrier")
    if ship.covered >= SHIPS[ship.id].cover_symbols:
        return No("cover.used", "NB-COVER-02", "Its air cover is used.", "/carrier")
    found = _attack(state, command.attack)
    if isinstance(found, No):
        return found
    attack, target = found
    if attack.kind not in RAIDS:
        return No("cover.no-raid", "NB-COVER-01", "Air cover stops air raids.", "/attack")
    if target.seat != seat:
        return No("cover.not-yours", "NB-COVER-06", "It is not aimed at your fleet.", "/attack")
    return None


def covers(state: State, seat: Seat) -> Iterator[c.AirCover]:
    """Carriers and the raids that they may try to stop."""
    raids = [a for a in state.attacks if a.kind in RAIDS and state.ships[a.target].seat == seat]
    if not raids:
        return
    for ship in facts.fleet(state, seat):
        if SHIPS[ship.id].cover_symbols > ship.covered:
            for raid in raids:
                yield c.AirCover(ship.id, raid.number)


@rule("NB-DEF-07")
def cover(flow: BattleFlow, seat: Seat, command: c.AirCover) -> None:
    """The raid is named, then the die rolled; its result is known before the next defense.

    Where the carrier stands and what else it did does not matter.
    """
    carrier, number = command.carrier, command.attack
    flow.emit(ev.CoverTried(seat=seat, carrier=carrier, attack=number, rules=("NB-COVER-02",)))
    rolling.intend(flow, Roll("cover", seat, number, carrier))


# --- run silent ----------------------------------------------------------------------------------


@rule("NB-SUB-03", "NB-AMB-30")
def hides(state: State, attack: Attack) -> bool:
    """Whether its target may still run silent: passive, and not rolled for this attack yet."""
    target = state.ships[attack.target]
    return target.row == 0 and not target.active and not attack.silent


def why_not_silent(state: State, seat: Seat, command: c.RunSilent) -> No | None:
    """For an attack at a passive submarine of one's own, once for each attack."""
    found = _attack(state, command.attack)
    if isinstance(found, No):
        return found
    attack, target = found
    if target.seat != seat:
        return No("silent.not-yours", "NB-SUB-04", "It is not aimed at your fleet.", "/attack")
    if not hides(state, attack):
        hint = "Each passive submarine rolls once for each attack at it."
        return No("silent.not-open", "NB-AMB-30", hint, "/attack")
    return None


def silences(state: State, seat: Seat) -> Iterator[c.RunSilent]:
    """Attacks that a submarine of the seat may run silent from."""
    for attack in state.attacks:
        if state.ships[attack.target].seat == seat and hides(state, attack):
            yield c.RunSilent(attack.number)


def silent(flow: BattleFlow, seat: Seat, command: c.RunSilent) -> None:
    """The owner has it tried."""
    _try(flow, seat, command.attack, automatic=False)


def _try(flow: BattleFlow, seat: Seat, number: int, *, automatic: bool) -> None:
    """The owner rolls once."""
    attack = facts.attack(flow.state, number)
    assert attack is not None
    flow.emit(
        ev.SilenceTried(
            seat=seat,
            submarine=attack.target,
            attack=number,
            automatic=automatic,
            rules=("NB-SUB-04",),
        )
    )
    rolling.intend(flow, Roll("silent", seat, number, attack.target))


@rule("NB-SUB-05", "NB-AMB-31", "NB-FSM-06")
def run_silent_at_last(flow: BattleFlow) -> bool:
    """All have passed: what passive submarines did not roll yet is rolled for them."""
    state = flow.state
    for attack in state.attacks:
        if hides(state, attack):
            _try(flow, state.ships[attack.target].seat, attack.number, automatic=True)
            return True
    return False
