"""The odds of each open roll are in the record, and the verifier holds them to the rules."""

from __future__ import annotations

import msgspec
import pytest

from domain.kernel.chances import Chances
from service.dice import vault
from service.evidence.records import BatchRolled
from service.evidence.verdict import REFUTED, UPHELD
from service.evidence.verify import verify
from tests.service.http.table import Table
from tests.support.pennant import GAME


def played(table: Table) -> bytes:
    match = table.create(options={"turns": 4}, seed="recorded odds")
    table.play_out(match)
    events = table.get(f"{match.path}/events?limit=200").json()["items"]
    rolls = [e["data"]["rolls"] for e in events if e["type"] == BatchRolled.TYPE]
    assert rolls
    assert all(roll["odds"]["worth"] for batch in rolls for roll in batch)
    return table.get(f"{match.path}/evidence").content


def test_recorded_odds_are_upheld(table: Table) -> None:
    assert verify(played(table), {"pennant": GAME}).code == UPHELD


def test_false_odds_are_refuted(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that writes down other odds than the rules give is found out."""
    honest = vault.Batch.note

    def flattering(batch: vault.Batch, odds: Chances | None) -> None:
        if odds is not None:
            honest(batch, msgspec.structs.replace(odds, worth=((0, 0, 1, 1, 1, 1),)))

    with monkeypatch.context() as cheating:
        cheating.setattr(vault.Batch, "note", flattering)
        bundle = played(table)
    verdict = verify(bundle, {"pennant": GAME})
    assert verdict.code == REFUTED
    assert verdict.finding is not None
    assert "odds of fire/1" in verdict.finding.what
