"""One rule, one home: who takes a number that is taken is told by whom, where, and what is free."""

from __future__ import annotations

import pytest

from domain.kernel.rules import HOMES, rule


def test_two_homes_are_named_by_function_and_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.kernel.rules.HOMES", dict(HOMES))

    @rule("PEN-NEW-01")
    def first() -> None: ...

    with pytest.raises(ValueError, match="has two homes") as doubled:

        @rule("PEN-NEW-01")
        def second() -> None: ...

    said = str(doubled.value)
    assert f"first ({__file__}:{first.__code__.co_firstlineno})" in said
    assert f"second ({__file__}:" in said
    assert "decklog rules --next PEN-NEW" in said
    assert "<code object" not in said
