"""Declaring attacks: cards, air raids, Surprise Attack (NB-ATK, NB-LBAR, NB-AIR, NB-SURP)."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import facts, reckoning
from .cards import SHOTS, land_air_raid, retreat, surprise_attack
from .cards.vocabulary import Shot
from .deck import ActionCard
from .holding import why_not_play
from .state import Attack, Ship, State

BattleFlow = Flow[State, ev.AnyEvent]


@rule("NB-ATK-06", "NB-ATK-10", "NB-ATK-13", "NB-LBAR-08", "NB-LBAR-06", "NB-EX-07")
def why_not_target(
    state: State, seat: Seat, target: Ship | None, rows: tuple[int, ...]
) -> No | None:
    """Any ship of any enemy that has not retreated, in the rows that the attack reaches.

    Several attacks may aim at one target, and those of one turn at several players.
    """
    if target is None:
        return No("attack.no-target", "NB-ATK-08", "Name a ship in play.", "/target")
    no = facts.why_not_enemy(state, seat, target.seat)
    no = no or retreat.why_not_attacked(state, target.seat)
    if no is not None or target.row in rows:
        return no
    where = ", ".join(f"row {row}" if row else "submarines" for row in rows)
    return No("attack.out-of-reach", "NB-ATK-06", f"It reaches {where}.", "/target")


def targets(state: State, seat: Seat) -> list[Ship]:
    """Ships that the seat may attack with something."""
    open_ = [
        other for other in enemies(state, seat) if retreat.why_not_attacked(state, other) is None
    ]
    return facts.fleets(state, open_)


# --- salvos, torpedoes, depth charges ------------------------------------------------------------


@rule("NB-ATK-11")
def _why_not_fire(seat: Seat, ship: Ship | None, shot: Shot) -> No | None:
    """An own ship that has prepared no card, a submarine with its active side up, in place."""
    if ship is None or ship.seat != seat:
        return No("attack.not-your-ship", "NB-ATK-03", "Name ships of yours.", "/ships")
    if ship.prepared:
        return No("attack.prepared", "NB-PREP-03", "It played a prepare card.", "/ships")
    if ship.row == 0 and not ship.active:
        return No("attack.passive", "NB-ATK-11", "A passive submarine cannot attack.", "/ships")
    return shot.stands(ship)


@rule("NB-ATK-05", "NB-SHIP-09", "NB-MAIN-02", "NB-SEC-02", "NB-SEC-04", "NB-EX-06")
def fits(card: ActionCard, shot: Shot, mount: str) -> bool:
    """The mount is of the card's type and, for guns, of a caliber that the card lists."""
    if not mount.startswith(shot.mount):
        return False
    return not card.calibers or facts.caliber(mount) in card.calibers


def _why_not_mount(state: State, card: ActionCard, shot: Shot, ship: Ship, mount: str) -> No | None:
    if not fits(card, shot, mount) or mount not in facts.mounts(state, ship):
        hint = f"{ship.id} has {', '.join(facts.mounts(state, ship)) or 'no mounts'}."
        return No("attack.mount", "NB-ATK-05", hint, "/mounts")
    if mount not in facts.free_mounts(state, ship):
        return No("attack.mount-used", "NB-ATK-04", "That mount has fired.", "/mounts")
    return None


@rule("NB-ATK-03", "NB-ATK-12")
def why_not_attack(state: State, seat: Seat, command: c.DeclareAttack) -> No | None:
    """Card, ships, mounts and target are named together and fit together, or nothing happens."""
    no = why_not_play(state, seat, command.card, "attack")
    if no is not None:
        return no
    card = facts.card(state, command.card)
    shot = SHOTS.get(card.family)
    if shot is None:
        return No("attack.needs-no-ship", "NB-LBAR-01", "No ship fires this card.", "/card")
    return _why_not_ships(state, seat, command, card, shot) or why_not_target(
        state, seat, state.ships.get(command.target), _reach(state, shot, command.ships)
    )


def _why_not_ships(
    state: State, seat: Seat, command: c.DeclareAttack, card: ActionCard, shot: Shot
) -> No | None:
    if len(command.ships) != shot.ships or len(command.mounts) != shot.ships:
        hint = f"Ships that fire it: {shot.ships}, one mount each."
        return No("attack.ships", "NB-ATK-07", hint, "/ships")
    for name, mount in zip(command.ships, command.mounts, strict=True):
        ship = state.ships.get(name)
        no = _why_not_fire(seat, ship, shot)
        if no is not None:
            return no
        assert ship is not None
        no = _why_not_mount(state, card, shot, ship, mount)
        if no is not None:
            return no
    if len(set(command.ships)) != len(command.ships):
        return No("attack.ships", "NB-SEC-05", "Name two different ships.", "/ships")
    return None


def _reach(state: State, shot: Shot, ships: tuple[str, ...]) -> tuple[int, ...]:
    return shot.reach(state.ships[ships[0]])


def shots(state: State, seat: Seat, aims: list[Ship]) -> Iterator[c.DeclareAttack]:
    """Every salvo, spread and depth charge that the seat may fire at these targets."""
    for name in facts.kinds(facts.hand(state, seat)):
        card = facts.card(state, name)
        shot = SHOTS.get(card.family)
        if shot is not None:
            yield from _fired(state, seat, card, shot, aims)


def _fired(
    state: State, seat: Seat, card: ActionCard, shot: Shot, aims: list[Ship]
) -> Iterator[c.DeclareAttack]:
    guns = [
        (ship, mount)
        for ship in facts.fleet(state, seat)
        if _why_not_fire(seat, ship, shot) is None
        for mount in facts.free_mounts(state, ship)
        if fits(card, shot, mount)
    ]
    if shot.ships == 1:
        for ship, mount in guns:
            reach = shot.reach(ship)
            for target in aims:
                if target.row in reach:
                    yield c.DeclareAttack(card.id, (ship.id,), (mount,), target.id)
        return
    for number, (one, first) in enumerate(guns):
        for other, second in guns[number + 1 :]:
            if other is not one:
                for target in aims:
                    if target.row in shot.reach(one):
                        ships, both = (one.id, other.id), (first, second)
                        yield c.DeclareAttack(card.id, ships, both, target.id)


@rule("NB-ATK-08", "NB-ATK-14")
def declare(flow: BattleFlow, seat: Seat, attack: Attack, rules: str, left: int = 0) -> None:
    """The attack lies beside its target, numbered in order of declaration."""
    flow.emit(ev.AttackDeclared(seat=seat, attack=attack, left=left, rules=(rules,)))


def attack(flow: BattleFlow, seat: Seat, command: c.DeclareAttack) -> None:
    """A card is fired."""
    family = facts.card(flow.state, command.card).family
    declared = Attack(
        number=flow.state.declared + 1,
        kind=family,
        target=command.target,
        card=command.card,
        ships=command.ships,
        mounts=command.mounts,
    )
    declare(flow, seat, declared, SHOTS[family].rule)


# --- air raids -----------------------------------------------------------------------------------


@rule("NB-LBAR-01", "NB-LBAR-02")
def why_not_land_raid(state: State, seat: Seat, command: c.LandRaid) -> No | None:
    """A card from the hand, without a ship, against ships and submarines of any row."""
    no = why_not_play(state, seat, command.card, "attack")
    if no is not None:
        return no
    if facts.card(state, command.card).family != land_air_raid.FAMILY:
        return No("attack.no-raid", "NB-LBAR-01", "Name a Land-Based Air Raid.", "/card")
    return why_not_target(state, seat, state.ships.get(command.target), land_air_raid.REACH)


def land_raid(flow: BattleFlow, seat: Seat, command: c.LandRaid) -> None:
    """A card is played; its first raid is aimed with it."""
    number = flow.state.declared + 1
    raids = facts.card(flow.state, command.card).raids
    family = land_air_raid.FAMILY
    raid = Attack(number, family, command.target, command.card, batch=number)
    _raid(flow, seat, raid, raids - 1)


def why_not_aim(state: State, seat: Seat, command: c.AimRaid) -> No | None:
    """Any ship or submarine that may be attacked, the same one too."""
    return why_not_target(state, seat, state.ships.get(command.target), land_air_raid.REACH)


def aim(flow: BattleFlow, seat: Seat, command: c.AimRaid) -> None:
    """The next raid of the card just played is aimed."""
    card = flow.state.aim
    assert card is not None
    number = flow.state.declared + 1
    family = land_air_raid.FAMILY
    raid = Attack(number, family, command.target, card.card, batch=card.batch)
    _raid(flow, seat, raid, card.left - 1)


@rule("NB-LBAR-04", "NB-LBAR-07", "NB-AMB-24", "NB-AMB-25")
def _raid(flow: BattleFlow, seat: Seat, raid: Attack, left: int) -> None:
    """Each raid is an attack of its own, with its number beside it; unused ones are lost."""
    declare(flow, seat, reckoning.numbered(flow.state, raid), "NB-LBAR-04", left)


def raid_cards(state: State, seat: Seat) -> list[str]:
    """Land-based raids in the hand."""
    return [
        name
        for name in facts.kinds(facts.hand(state, seat))
        if facts.card(state, name).family == land_air_raid.FAMILY
    ]


@rule("NB-AIR-08", "NB-AMB-26")
def carrier_reach(state: State) -> tuple[int, ...]:
    """Ships in rows; submarines only where the table agreed on it."""
    return (1, 2, 3) if state.options.carrier_raid_submarines == "no" else (0, 1, 2, 3)


@rule("NB-AIR-01", "NB-AIR-02", "NB-AIR-07", "NB-PREP-07", "NB-AMB-17")
def why_not_launch(state: State, seat: Seat, carrier: Ship | None) -> No | None:
    """One raid for each carrier of the three grades, from any row, though it prepared a card."""
    if carrier is None or carrier.seat != seat or not facts.is_carrier(carrier):
        return No("raid.not-a-carrier", "NB-AIR-01", "Name a carrier of yours.", "/carrier")
    if carrier.raided:
        return No("raid.launched", "NB-AIR-02", "It has launched its raid.", "/carrier")
    if carrier.prepared and not state.options.prepared_carrier_raids:
        return No("raid.prepared", "NB-PREP-07", "It played a prepare card.", "/carrier")
    return None


def why_not_air_raid(state: State, seat: Seat, command: c.AirRaid) -> No | None:
    no = why_not_launch(state, seat, state.ships.get(command.carrier))
    return no or why_not_target(state, seat, state.ships.get(command.target), carrier_reach(state))


@rule("NB-ATK-01")
def air_raid(flow: BattleFlow, seat: Seat, command: c.AirRaid) -> None:
    """A raid without a card, from a carrier."""
    number = flow.state.declared + 1
    raid = Attack(number, "air-raid", command.target, ships=(command.carrier,))
    declare(flow, seat, reckoning.numbered(flow.state, raid), "NB-AIR-02")


def carriers(state: State, seat: Seat) -> list[Ship]:
    """Carriers that may launch."""
    fleet = facts.fleet(state, seat)
    return [ship for ship in fleet if why_not_launch(state, seat, ship) is None]


# --- Surprise Attack -----------------------------------------------------------------------------


@rule("NB-SURP-01", "NB-SURP-04")
def why_not_surprise(state: State, seat: Seat, command: c.SurpriseAttack) -> No | None:
    """Against an enemy player, not a ship: no mount, no row, no defense; Retreat does not help."""
    no = why_not_play(state, seat, command.card, "attack")
    if no is not None:
        return no
    if facts.card(state, command.card).family != surprise_attack.FAMILY:
        return No("attack.no-surprise", "NB-SURP-01", "Name a Surprise Attack.", "/card")
    if command.seat not in enemies(state, seat):
        return No("attack.no-enemy", "NB-SURP-01", "Name an enemy's seat.", "/seat")
    return None


def enemies(state: State, seat: Seat) -> list[Seat]:
    """Seats of other sides."""
    own = facts.side(state, seat)
    return [other for other in state.seats if other not in own]


def surprises(state: State, seat: Seat) -> Iterator[c.SurpriseAttack]:
    """Surprise Attacks that the seat may play."""
    for name in facts.kinds(facts.hand(state, seat)):
        if facts.card(state, name).family == surprise_attack.FAMILY:
            for other in enemies(state, seat):
                yield c.SurpriseAttack(name, other)


def surprise(flow: BattleFlow, seat: Seat, command: c.SurpriseAttack) -> None:
    """It is played; at once, or in the resolve part, it works."""
    card, target = command.card, command.seat
    flow.emit(ev.SurpriseDeclared(seat=seat, card=card, target=target, rules=("NB-SURP-01",)))
    if surprise_attack.at_once(flow.state):
        spring(flow)


@rule("NB-SURP-05", "NB-AMB-15", "NB-AMB-16")
def spring(flow: BattleFlow) -> None:
    """What lies before the player's fleet goes, and the card with it.

    Nothing else changes: who had retreated does not regain his attack step.
    """
    waiting = flow.state.surprises[0]
    cards = surprise_attack.swept(flow.state, waiting.target)
    sprung = ev.SurpriseSprung(
        card=waiting.card, target=waiting.target, cards=cards, rules=("NB-SURP-02",)
    )
    flow.emit(sprung)
