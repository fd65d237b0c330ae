"""The text of an ability says what limits it, and its effects keep to that."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from domain.games import war_at_sea

FAMILIES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((Path(war_at_sea.__file__).parent / "abilities").glob("*.toml"))
}
LIMITS = {"turn": "once (?:a|per|each) turn", "game": "once (?:a|per|each) game"}
"""How texts say a limit, by the word of the vocabulary. A text may say it by its occasion, too."""

DARK = "dark|night|twilight"


def faults(family: dict[str, Any]) -> list[str]:
    """What the text says and the data do not, or the other way round."""
    text = str(family["text"]).lower()
    found = [
        f"the text says {said!r}, and the limit is {family.get('limit', 'none')}"
        for limit, said in LIMITS.items()
        if re.search(said, text) and family.get("limit") != limit
    ]
    circumstances = [effect for effect in family.get("effects", ()) if effect.get("dark")]
    if circumstances and not re.search(DARK, text):
        found.append("an effect works in darkness only, and the text does not say so")
    return found


@pytest.mark.parametrize("name", FAMILIES)
def test_text_and_data_agree(name: str) -> None:
    assert faults(FAMILIES[name]) == []


STAR_SHELL = {
    "text": "In Darkness, once a turn, it may roll two more dice.",
    "limit": "turn",
    "effects": [{"word": "dice", "dark": True}],
}


@pytest.mark.parametrize(
    "spoilt",
    [
        {"limit": "game"},
        {"limit": "none"},
        {"text": "Once a turn, it may roll two more dice."},
    ],
)
def test_a_text_that_says_otherwise_is_found(spoilt: dict[str, Any]) -> None:
    assert faults(STAR_SHELL) == []
    assert faults(STAR_SHELL | spoilt)
