"""Signed evidence, changed at random: by nobody, and by a thief of the key, is it upheld."""

from __future__ import annotations

from service import container
from service.evidence.verdict import UPHELD
from tests.spec.mutating import judged, original, upheld


def test_what_was_not_changed_is_upheld() -> None:
    told = judged(container.pack(original()))
    assert told.code == UPHELD
    assert "shown" in told.origin


def test_no_change_of_signed_evidence_is_upheld() -> None:
    """A campaign asks 10,000 and more of them (mutating.py)."""
    found, codes = upheld(range(1_000))
    assert found == []
    assert codes.total() == 1_000
    assert len(codes) > 1, "refuted and unreadable"
