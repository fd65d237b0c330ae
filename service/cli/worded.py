"""What the service answers as JSON, told as lines: odds as bars, values as names and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .lines import bar

UNTOLD = frozenset({"ruleset", "of"})
"""Said elsewhere, or needed for nothing but the shares."""
WHOLE = 1000
"""Thousandths."""


def worded(value: Any, indent: str = "  ") -> Iterator[str]:
    """A value as lines: what is plain first on one line, then what has parts of its own."""
    if not isinstance(value, Mapping):
        yield from _listed(value, indent) if isinstance(value, list) else [indent + plain(value)]
        return
    figures = {key: each for key, each in value.items() if not _has_parts(each)}
    told = [f"{spaced(key)} {plain(each)}" for key, each in figures.items() if key not in UNTOLD]
    if told:
        yield indent + ", ".join(told)
    of = int(value["of"]) if str(value.get("of", "")).isdigit() else 0
    for key, each in value.items():
        if key not in figures:
            yield from _part(spaced(key), each, of, indent)


def _part(name: str, value: Any, of: int, indent: str) -> Iterator[str]:
    if _is_chance(value) and name.startswith("expected"):
        yield f"{indent}{name} {value['perMille'] / WHOLE:.2f}"
    elif _is_chance(value):
        yield _share(name, value["perMille"], indent)
    elif isinstance(value, list):
        yield f"{indent}{name}"
        yield from _listed(value, indent + "  ", of)
    else:
        yield f"{indent}{name}"
        yield from worded(value, indent + "  ")


def _listed(values: list[Any], indent: str, of: int = 0) -> Iterator[str]:
    if values and all(_is_row(each) for each in values):
        for each in values:
            named = next(each[key] for key in each if key not in ("ways", "exact", "perMille"))
            share = each.get("perMille", WHOLE * int(each.get("ways", 0)) / of if of else 0)
            yield _share(plain(named), share, indent)
        return
    for each in values:
        yield from worded(each, indent)


def _share(name: str, thousandths: float, indent: str) -> str:
    line = f"{indent}{name:<16}{thousandths / 10:6.1f}%  {bar(round(thousandths), WHOLE)}"
    return line.rstrip()


def _is_row(value: Any) -> bool:
    """A result with its share: ``{outcome, exact, perMille}``, ``{score, ways}``."""
    chances = {"ways", "perMille"}
    return isinstance(value, Mapping) and bool(chances & value.keys()) and len(value) > 1


def _is_chance(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() == {"exact", "perMille"}


def _has_parts(value: Any) -> bool:
    if isinstance(value, list):
        return any(isinstance(each, Mapping | list) for each in value)
    return isinstance(value, Mapping) and bool(value)


def plain(value: Any) -> str:
    """One value in words: no braces, no quotes."""
    match value:
        case None | "" | [] | {}:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(plain(each) for each in value)
        case str():
            return value.replace("-", " ") if value.islower() and "/" not in value else value
    return str(value)


def spaced(key: str) -> str:
    """``vitalArmor`` as ``vital armor``."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in key).replace("-", " ")
