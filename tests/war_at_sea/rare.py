"""Examples of events that random battles seldom reach, for the frozen stored forms."""

from __future__ import annotations

from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.effects import Shelled
from domain.games.war_at_sea.rules.state import Attack
from domain.kernel.tally import Reason, Tally

_DICE = Tally.of(Reason(12, "WAS-ATK-02", "printed", "p1-1"))
_ATTACK = Attack(
    attacker="p1-1",
    weapon="main",
    target="p2-1",
    range=1,
    dice=_DICE.plus(Reason(-3, "WAS-CARD-jammed-mount", "ability", "p1-1")),
    die=Tally.of(),
    armor=Tally.of(Reason(5, "WAS-FLEET-19", "printed", "p2-1")),
    vital=Tally.of(Reason(9, "WAS-FLEET-20", "printed", "p2-1")),
)

RARE: tuple[ev.AnyEvent, ...] = (
    ev.CustomsBrought(
        scenario={"id": "duel", "name": "Duel", "text": "Ten turns.", "turns": 10, "target": 0},
        map={"id": "bare", "name": "Bare", "islands": {"6.3": "M"}, "shoals": ["5.5"]},
        rules=("WAS-SETUP-28",),
    ),
    ev.AttackEnded(attacker="p1-1"),
    ev.AbilityDeclined(unit="p1-1", ability="lucky-escape", rules=("RUL-96",)),
    ev.CarrierDoomed(carrier="p1-1", chosen=("p1-2", "p1-3"), rules=("WAS-AIR-14",)),
    ev.CarrierLossRolled(
        carrier="p1-1", units=("p1-2", "p1-3"), faces=(1, 5), lost=("p1-2",), rules=("WAS-AIR-15",)
    ),
    ev.ClaimDeclined(seat="p1", sectors=("6.3",), rules=("WAS-EOT-03",)),
    ev.PointsScored(seat="p2", points=50, cause="no-ships", rules=("WAS-VP-08",)),
    ev.SmokeCleared(sectors=("3.4",), rules=("WAS-EOT-11",)),
    ev.SmokeLaid(unit="p1-1", sector="3.4", until=2, rules=("WAS-ABIL-30",)),
    ev.AttackAmended(attack=_ATTACK, rules=("WAS-CARD-jammed-mount",)),
    ev.AttackGivenUp(unit="p1-1", weapon="main", rules=("WAS-CARD-shore-support",)),
    ev.EffectEnded(word="aimed", unit="p2-1", source="p1-1", rules=("WAS-CARD-straddle",)),
    ev.HullLost(unit="p1-1", points=2, cause="mines", faces=(2, 5), rules=("WAS-CARD-mines",)),
    ev.HullRepaired(
        unit="p1-1", points=1, cause="damage-control", rules=("WAS-CARD-damage-control",)
    ),
    ev.MinesLaid(unit="p1-1", sector="3.4", rules=("WAS-CARD-mines",)),
    ev.MinesSwept(unit="p1-1", sector="3.4", rules=("WAS-CARD-sweep-mines",)),
    ev.AirbaseShelled(
        seat="p2",
        units=("p2-1",),
        effects=(
            Shelled(unit="p2-1", counters=2, source="p1-1", rule="WAS-CARD-bombard", until=5),
        ),
        rules=("WAS-CARD-bombard",),
    ),
    ev.RearmingEnded(unit="p1-1", rules=("WAS-CARD-excellent-endurance",)),
    ev.RearmingBegan(unit="p1-1", rules=("WAS-CARD-uncertain-arrival",)),
    ev.AircraftStayed(seat="p1", units=("p1-2",), rules=("WAS-AIRM-08",)),
    ev.StackKept(carrier="p1-1", cards=("b-25h-mitchell",), rules=("WAS-AIR-14",)),
    ev.SquadronJoined(
        unit="p1-5",
        card="scoutplane",
        seat="p1",
        source="p1-1",
        sector="3.4",
        base="p1-1",
        rules=("WAS-CARD-scoutplane-attack",),
    ),
    ev.StalemateCalled(seat="p1", rules=("RUL-83",)),
    ev.UnitDoomed(unit="p1-1", cause="fatal-flaw", rules=("WAS-ABIL-24",)),
    ev.UnitSpared(unit="p1-1", pending=1, rules=("WAS-DMG-16",)),
)
