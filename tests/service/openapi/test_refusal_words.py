"""Every refusal of the service says what is wrong and what would be right."""

from __future__ import annotations

import msgspec
import pytest

from service.problems import KINDS, Kind


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_it_has_words(kind: Kind) -> None:
    words = {
        name: value for name, value in msgspec.structs.asdict(kind).items() if type(value) is str
    }
    assert {"code", "title", "meaning", "hint"} <= words.keys()
    assert [name for name, value in words.items() if not value.strip()] == []
