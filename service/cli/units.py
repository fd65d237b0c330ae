"""``decklog units``: search the catalogue of ships, aircraft and cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from domain.kernel.shown.catalogue import Entry

from .console import emit, say, table
from .mistakes import Mistake
from .tools import AnyGame, Tools, json_option, ruleset_option
from .worded import spaced

KIND_KEYS = ("type", "subtype")
SHOWN = (
    "nation", "type", "subtype", "year", "cost", "points", "speed", "hullPoints", "hull", "armor",
    "vitalArmor",
)  # fmt: skip
"""Figures that the list shows, where a ruleset's units have them."""
SHORT = {"hullPoints": "hull", "vitalArmor": "vital"}
"""Their headings, where the name is long."""


@click.command("units", short_help="Search the ships, aircraft and cards.")
@click.argument("words", nargs=-1)
@ruleset_option
@click.option("--nation", default="", metavar="NATION", help='Only this nation: "Japan".')
@click.option(
    "--type", "kind", default="", metavar="TYPE", help="Only this type or subtype: Ship, Cruiser."
)
@click.option("--side", default="", metavar="SIDE", help="Only this alliance: Axis, Allies.")
@click.option(
    "--playable/--missing",
    default=None,
    help="Only units whose every ability is played, or only the others.",
)
@json_option
@click.pass_obj
def command(
    tools: Tools,
    words: tuple[str, ...],
    ruleset: str,
    nation: str,
    kind: str,
    side: str,
    playable: bool | None,
    as_json: bool,
) -> int:
    """Search the units by ID, name or nation, and filter them.

    An ID shows that unit with all its figures, abilities and sources. A unit that is not playable
    yet says which ability is missing. Needs no running service.

    \b
      decklog units uss-atlanta
      decklog units --nation Japan --type Carrier --playable
    """
    found = [
        (game, unit)
        for game in tools.chosen(ruleset)
        for unit in _search(game.catalogue.units(), words)
        if _fits(unit, nation, kind, side, playable)
    ]
    if as_json:
        emit([{"ruleset": game.ruleset, **_plain(unit)} for game, unit in found])
    elif not found:
        raise Mistake(
            "No unit is like that.", "Fewer filters find more; names may be cut.", "unit.not-found"
        )
    elif len(found) == 1:
        say(_in_full(*found[0]))
    else:
        _list([unit for _, unit in found])
    return 0


def _search(units: tuple[Entry, ...], words: tuple[str, ...]) -> list[Entry]:
    """By exact ID, else by all the words in ID, name or nation."""
    lowered = [word.lower() for word in words]
    if len(lowered) == 1:
        exact = [unit for unit in units if unit.id.lower() == lowered[0]]
        if exact:
            return exact
    return [unit for unit in units if all(word in _haystack(unit) for word in lowered)]


def _haystack(unit: Entry) -> str:
    return f"{unit.id} {unit.name} {unit.data.get('nation', '')}".lower()


def _fits(unit: Entry, nation: str, kind: str, side: str, playable: bool | None) -> bool:
    return (
        (not nation or _same(unit.data.get("nation"), nation))
        and (not kind or any(_same(unit.data.get(key), kind) for key in KIND_KEYS))
        and (not side or _same(unit.data.get("alliance"), side))
        and (playable is None or unit.playable is playable)
    )


def _same(value: Any, wanted: str) -> bool:
    return str(value or "").lower() == wanted.lower()


def _list(units: list[Entry]) -> None:
    shown = [key for key in SHOWN if any(key in unit.data for unit in units)]
    rows = [
        (unit.id, unit.name, *(_short(unit.data.get(key, "")) for key in shown), _playable(unit))
        for unit in units
    ]
    table(("id", "name", *(SHORT.get(key, key) for key in shown), "playable"), rows)


def _playable(unit: Entry) -> str:
    return "yes" if unit.playable else f"no: {', '.join(unit.missing)}"


def _plain(unit: Entry) -> dict[str, Any]:
    """The unit as JSON has it: objects, lists, texts and numbers."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(unit))
    return plain


def _in_full(game: AnyGame, unit: Entry) -> str:
    plain = _plain(unit)
    lines = [f"{unit.name}  ({unit.id}, {game.title})"]
    if unit.text:
        lines.append(f"  {unit.text}")
    lines += _figures(plain["data"])
    lines.append(f"  {'playable':<14}{_playable(unit)}")
    if unit.provenance:
        lines.append("  where the figures come from")
        lines += [f"  {line}" for line in _figures(plain["provenance"])]
    return "\n".join(lines)


def _figures(data: Mapping[str, Any]) -> list[str]:
    """Each figure on its line; what is empty is left out, rows of dice get lines of their own."""
    lines: list[str] = []
    for key, value in data.items():
        if value in ("", None, [], {}):
            continue
        if isinstance(value, dict):
            lines.append(f"  {spaced(key)}")
            lines += [f"    {spaced(name):<12}{_short(part)}" for name, part in value.items()]
        else:
            lines.append(f"  {spaced(key):<14}{_short(value)}")
    return lines


def _short(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_short(part) for part in value)
    if isinstance(value, dict):
        return _named(value)
    return "-" if value == -1 else str(value)


def _named(value: Mapping[str, Any]) -> str:
    """A small object on one line: an ability ``{family, n}`` above all."""
    family, number = value.get("family"), value.get("n")
    if family is not None:
        return f"{family} {number}" if number else str(family)
    return ", ".join(f"{spaced(k)} {_short(v)}" for k, v in value.items())
