"""A bot that plays sensibly: it gathers its fire, holds its defenses for what they stop, repairs.

It looks one command ahead, never leaves the game, leaves nothing to chance, and knows nothing but
its seat's view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from .....kernel.commands import deed, tag_of
from .....kernel.shown.bot import Item, Position
from .....kernel.values import Seat
from ...rules import commands as c
from ...rules import declaring, facts, reckoning, setup, winning
from ...rules.cards import SHIELDS, SHOTS, planning, reinforcements, retreat, surprise_attack
from ...rules.cards.depth_charges import CARD as DEPTH_CHARGES
from ...rules.cards.land_air_raid import FAMILY as LAND_RAID
from ...rules.cards.torpedo_spread import CARD as TORPEDOES
from ...rules.ships import NATIONS, SHIPS, Type
from ...rules.state import State
from . import estimate
from .estimate import POINT

NATIONS_BY_STRENGTH = ("japan", "great-britain", "united-states", "germany", "italy", "france")
"""Navies with several carriers first: their raids cost no card."""

SHARE: dict[Type, int] = {
    "aircraft-carrier": 25,
    "light-aircraft-carrier": 20,
    "escort-aircraft-carrier": 12,
    "submarine": 14,
    "destroyer": 7,
    "patrol": 0,
    "light-cruiser": -10,
    "heavy-cruiser": -6,
    "battlecruiser": -12,
    "battleship": -12,
}
"""What a ship of a class did for the chance to win, in hundredths of the logarithm of the odds, in
about 3,500 battles of admirals with drawn fleets: raids cost no card, and what is small is hard
to hit.
"""

SWEPT = 40
"""What it is worth to take one prepared card from a player."""

HOLD = 3
"""Defense cards worth holding in a hand of seven."""

SPEND = {"evasive-action": 150, "escort-ship": 120}
"""What an attack must threaten before a card from the hand is spent on it; others: SPEND_OTHERS."""
SPEND_OTHERS = 60

STALE = 2
"""Full rounds without damage after which a hand that nobody can play is worth less than another."""

BATTERED = 5
"""Damage points in the fleet from which it may be time to retreat."""

Score = Callable[[c.AnyCommand], int]


class Admiral:
    """Does the same in the same position."""

    @property
    def judges(self) -> frozenset[str]:
        """The questions that it has a judgement for; KeyError for any other."""
        return frozenset({*_JUDGES, "commit-fleet", "discard"})

    def choose(self, position: Position) -> Item:
        """The item of highest worth, the first of equals; fleet and discard are put together."""
        if not position.items:
            raise ValueError("there is nothing to choose from")
        state = estimate.read(position.view)
        if winning.why_not_agree(state, position.seat, c.AgreeToEnd()) is None:
            return {"command": {"type": tag_of(c.AgreeToEnd)}}
        if position.question == "commit-fleet":
            return _fleet(state, position.seat)
        if position.question == "discard":
            return _discard(state, position.seat, position.items)
        judge = _JUDGES[position.question]
        score = judge(state, position.seat)
        return max(position.items, key=lambda item: score(_command(item)))


def _command(item: Item) -> c.AnyCommand:
    command: c.AnyCommand = msgspec.convert(item["command"], _COMMANDS)
    return command


_COMMANDS: Any = c.AnyCommand


# --- set-up --------------------------------------------------------------------------------------


def _nation(state: State, seat: Seat) -> Score:
    def score(command: c.AnyCommand) -> int:
        assert isinstance(command, c.ChooseNation)
        return len(NATIONS) - NATIONS_BY_STRENGTH.index(command.nation)

    return score


def _fleet(state: State, seat: Seat) -> Item:
    """The best of all fleets of 25 points, whether it is offered or not; the first of equals."""
    best = max(setup.own_fleets(state, seat), key=lambda ships: sum(map(_share, ships)))
    return {"command": {"type": tag_of(c.CommitFleet), "ships": list(best)}}


def _share(ship: str) -> int:
    return SHARE[SHIPS[ship].type]


def _layout(state: State, seat: Seat) -> Score:
    """Carriers at the back, submarines below: in one's own turn all may be moved."""

    def score(command: c.AnyCommand) -> int:
        assert isinstance(command, c.Arrange)
        depth = sum(
            number * SHIPS[name].points for number, row in enumerate(command.rows) for name in row
        )
        return depth - len(command.active)

    return score


# --- one's own turn ------------------------------------------------------------------------------


def _reorganize(state: State, seat: Seat) -> Score:
    """First what reinforces, then the formation from which most can be fired at least danger."""
    here = estimate.stand(state, seat)

    def score(command: c.AnyCommand) -> int:
        match command:
            case c.Reinforce():
                new = sum(estimate.worth(posting.ship) for posting in command.ships)
                return 1000 * POINT + 10 * new - len(command.cards) if new else -1
            case c.Retreat():
                return 1 if _weary(state, seat) else -1
            case c.Arrange():
                there = estimate.arranged(state, seat, command.rows, command.active)
                return estimate.stand(there, seat) - here or -1
            case _:
                return 0

    return score


def _weary(state: State, seat: Seat) -> bool:
    """Much to repair, and nothing better to do than that."""
    hurt = sum(facts.damage(state, ship) for ship in facts.fleet(state, seat))
    return hurt >= BATTERED and estimate.fire(state, seat) < POINT and not _carriers(state, seat)


def _carriers(state: State, seat: Seat) -> bool:
    return any(facts.is_carrier(ship) for ship in facts.fleet(state, seat))


def _repair(state: State, seat: Seat) -> Score:
    """The heaviest damage from the ship that is dearest by what is left of it."""

    def score(command: c.AnyCommand) -> int:
        if not isinstance(command, c.RemoveDamage):
            return 0
        ship = state.ships[command.ship]
        damage = facts.card(state, command.card).damage
        return 1 + estimate.worth(ship.id) * damage // max(1, estimate.left(state, ship))

    return score


def _prepare(state: State, seat: Seat) -> Score:
    """Ships with nothing to fire lay out Planning, and shields where many enemies follow."""
    busy = {
        name
        for shot in declaring.shots(state, seat, declaring.targets(state, seat))
        for name in shot.ships
    }
    hand = facts.hand(state, seat)
    shields = sum(facts.card(state, name).family in SHIELDS for name in hand)
    lasting = len(facts.present(state)) > 2 or shields > HOLD

    def score(command: c.AnyCommand) -> int:
        if not isinstance(command, c.Prepare):
            return 0
        grounded = SHIPS[command.ship].air_raid and not state.options.prepared_carrier_raids
        if command.ship in busy or grounded:
            return -1
        if facts.card(state, command.card).family == planning.FAMILY:
            return 2 if _rolls(state, seat) else -1
        return 1 if lasting else -1

    return score


def _rolls(state: State, seat: Seat) -> bool:
    """Whether the seat is likely to throw a die before its next turn."""
    dicey = (LAND_RAID, TORPEDOES.family)
    held = any(facts.card(state, name).family in dicey for name in facts.hand(state, seat))
    return held or _carriers(state, seat)


def _declare(state: State, seat: Seat) -> Score:
    """The attack that gains most beside those that are declared; a sweep before them all."""

    def score(command: c.AnyCommand) -> int:
        match command:
            case c.DeclareAttack() | c.LandRaid() | c.AimRaid() | c.AirRaid():
                return estimate.gain(state, estimate.intended(state, command)) or -1
            case c.SurpriseAttack():
                lying = len(state.prepared[command.seat]) * SWEPT
                opened = len(state.retreats.get(command.seat, ())) * 3 * POINT
                return lying + opened if lying + opened > SWEPT else -1
            case _:
                return 0

    return score


def _discard(state: State, seat: Seat, items: Sequence[Item]) -> Item:
    """All at once what the fleet cannot use; pass if there is nothing of the kind.

    Where nothing has happened for some rounds all that could not be played is of no use: somewhere
    in the deck is a raid that reaches any ship of a first row.
    """
    hand = facts.hand(state, seat)
    stale = state.calm >= STALE
    useless = [
        name for name in hand if _useless(state, seat, name) or (stale and _idle(state, name))
    ]
    shields = [name for name in hand if facts.card(state, name).family in SHIELDS]
    useless += shields[HOLD + 1 :]
    if useless:
        return {"command": {"type": tag_of(c.DiscardCards), "cards": useless}}
    return next(item for item in items if deed(item["command"]["type"]) == "pass")


def _idle(state: State, name: str) -> bool:
    """Whether it is no shield: it could have been played, had anything been in reach."""
    return facts.card(state, name).family not in SHIELDS


def _useless(state: State, seat: Seat, name: str) -> bool:
    """Whether a card has no use with the ships of now."""
    card = facts.card(state, name)
    fleet = facts.fleet(state, seat)
    if card.family == DEPTH_CHARGES.family and not _submarines(state, seat):
        return True
    shot = SHOTS.get(card.family)
    if shot is not None:
        guns = [
            ship for ship in fleet
            if any(declaring.fits(card, shot, mount) for mount in facts.mounts(state, ship))
        ]  # fmt: skip
        return len(guns) < shot.ships
    if card.family == retreat.FAMILY:
        return all(not ship.damage for ship in fleet)
    if card.family == reinforcements.FAMILY:
        return all(SHIPS[n].points > card.points for n in state.reserves[seat])
    if card.family == planning.FAMILY:
        return not _rolls(state, seat)
    return card.family == surprise_attack.FAMILY and len(facts.present(state)) == 2


def _submarines(state: State, seat: Seat) -> bool:
    """Whether an enemy has a submarine in play."""
    own = facts.side(state, seat)
    return any(ship.row == 0 and ship.seat not in own for ship in state.ships.values())


# --- the turns of others -------------------------------------------------------------------------


def _defend(state: State, seat: Seat) -> Score:
    """What costs nothing first; a card from the hand where the attack threatens enough."""

    def score(command: c.AnyCommand) -> int:
        match command:
            case c.RunSilent():
                return 1000 * POINT
            case c.AirCover():
                attack = facts.attack(state, command.attack)
                assert attack is not None
                return estimate.threat(state, attack) or -1
            case c.Defend():
                return _saved(state, command)
            case _:
                return 0

    return score


def _saved(state: State, command: c.Defend) -> int:
    """What a defense saves, if it is worth its card; -1 if not."""
    attack = facts.attack(state, command.attack)
    assert attack is not None
    saved = estimate.threat(state, attack)
    if command.to:
        saved -= estimate.threat(state, attack, command.to)
    if command.prepared:
        return saved + 1 if saved > 0 else -1
    family = facts.card(state, command.card).family
    price = SPEND.get(family, SPEND_OTHERS)
    if saved < price:
        return -1
    return saved - price // 2


def _plan(state: State, seat: Seat) -> Score:
    """As few cards as raise the chance most; none that do not."""
    roll = state.roll
    assert roll is not None
    needed = reckoning.needed(state, roll).total
    added = sum(reason.value for reason in reckoning.added(roll))

    def score(command: c.AnyCommand) -> int:
        cards = command.cards if isinstance(command, c.Plan) else 0
        return 10 * estimate.reached(needed, added + planning.BONUS * cards) - cards

    return score


_JUDGES: dict[str, Callable[[State, Seat], Score]] = {
    "choose-nation": _nation,
    "lay-out": _layout,
    "reorganize": _reorganize,
    "remove-damage": _repair,
    "prepare": _prepare,
    "declare": _declare,
    "aim-raid": _declare,
    "defend": _defend,
    "plan": _plan,
}
"""Question to how its answers are judged. Passing is worth 0, so what gains nothing is worth -1."""
