"""Examples of events that random battles seldom reach, for the frozen stored forms."""

from __future__ import annotations

from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules.state import Order, Seen, Storm

RARE: tuple[ev.AnyEvent, ...] = (
    ev.AttackWasted(
        attacker="p1-1",
        weapon="primary",
        target="p2-1",
        reason="no-line-of-sight",
        arc="forward",
        band=2,
        seen=Seen("blocked", ("rock", "rock", "p1-2")),
        taken_back=True,
        slot="primary.forward",
        rules=("CT-LOS-07", "CT-GEN-07"),
    ),
    ev.ConcealmentRolled(
        attacker="p1-1", target="p2-1", face=3, needed=3, passed=True, rules=("CT-WEA-02",)
    ),
    ev.DetectionRolled(
        attacker="p1-1", target="p2-1", face=5, needed=5, detected=True, rules=("CT-DET-02",)
    ),
    ev.CriticalRolled(target="p2-1", faces=(2, 4), result=6, rules=("CT-CRIT-06",)),
    ev.UnitDestroyed(unit="p2-1", by="p1-1", rules=("CT-DMG-12", "CT-DMG-08")),
    ev.UnitCrippled(unit="p2-1", by="p1-1", rules=("CT-DMG-12", "CT-DMG-07")),
    ev.FireBurned(unit="p2-1", rules=("CT-CRIT-06",)),
    ev.RepairRolled(unit="p2-1", critical=6, face=5, repaired=True, rules=("CT-EOT-02",)),
    ev.SpottingRolled(unit="p1-2", face=4, needed=5, found=False, rules=("CT-NIGHT-02",)),
    ev.RecoveryRolled(unit="p1-2", base="p1-1", face=3, outcome="damaged", rules=("CT-NIGHT-06",)),
    ev.ControlChecked(objective="west-passage", turns={"p1": 1, "p2": 0}, rules=("CT-SCN-07",)),
    ev.ObjectiveGained(
        objective="landing-beach", seat="p1", points=50, unit="p1-1", rules=("CT-SCN-10",)
    ),
    ev.StormsGathered(
        face=4, storms=(Storm("squall-1", (500_000, 750_000), 150_000),), rules=("CT-WEA-09",)
    ),
    ev.HullLost(unit="p1-1", hull=1, cause="collision", pending=False, rules=("CT-EOT-06",)),
    ev.TorpedoesChecked(
        target="p2-1", firer="p1-1", turn=2, faces=(6, 2, 6), hits=2, hull=4, rules=("CT-TORP-02",)
    ),
    ev.DriftBegan(
        order=Order("p1-1", (), klicks=1, allowed=1, drifting=True), rules=("CT-EOT-06",)
    ),
    ev.WindDrawn(direction=444, rules=("CT-WEA-08",)),
    ev.StormsMoved(
        klicks=3, at={"squall-1": (500_000, 600_000)}, gone=("squall-2",), rules=("CT-WEA-06",)
    ),
    ev.DrawOffered(seat="p1", rules=("CT-FSM-03",)),
    ev.EvasionRolled(unit="p1-1", face=4, needed=4, evaded=True, rules=("CT-EVA-02",)),
)
