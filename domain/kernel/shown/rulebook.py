"""Rule texts: each game's ``rulebook.toml`` in typed form."""

from __future__ import annotations

from typing import Literal

from ..data import load_toml
from ..values import Value

Status = Literal["done", "deferred", "information"]


class RuleText(Value, frozen=True):
    """One entry of a rulebook, in our own words.

    editions  which editions it holds in
    source    document, page and section of the original
    status    done: in code and proved; deferred: not played yet; information: nothing to play
    rulings   IDs of the rulings that touch it
    kind      ``rule`` or ``ruling``
    """

    id: str
    title: str
    text: str
    editions: tuple[str, ...]
    source: str
    status: Status
    area: str = ""
    test: str = ""
    kind: Literal["rule", "ruling"] = "rule"
    rulings: tuple[str, ...] = ()


class Rulebook(Value, frozen=True):
    """The file: ``[[rule]]`` tables in the order of the inventory."""

    rule: tuple[RuleText, ...]


def load_rulebook(package: str, name: str = "rulebook.toml") -> tuple[RuleText, ...]:
    """The rulebook file of a game's package. Raises msgspec.ValidationError for a malformed one."""
    return load_toml(package, name, Rulebook).rule
