"""What people read of each option that players may agree on (``agreed.py``), by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..data import load_toml
from ..values import Value


class OptionText(Value, frozen=True):
    """What people read of an option: its question, the usual answer and the others, in Markdown."""

    about: str
    usual: str
    other: str

    @property
    def whole(self) -> str:
        return f"{self.about}. Usual: {self.usual}. Otherwise: {self.other}."


OptionTexts = Mapping[str, OptionText]


def load_texts(package: str) -> OptionTexts:
    """``options.toml`` of a game's package ``shown``: the texts of its options by name."""
    return load_toml(package, "options.toml", dict[str, OptionText])


def described(schema: dict[str, Any], texts: OptionTexts) -> dict[str, Any]:
    """The JSON Schema of a struct of options with what people read of each."""
    properties = {
        name: {"description": texts[name].whole, **each} if name in texts else each
        for name, each in schema["properties"].items()
    }
    return {**schema, "properties": properties}
