"""``decklog custom``: scenarios, maps and decks of your own, checked without any service."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import click
import msgspec

from domain.kernel.codec import full
from domain.kernel.custom import CUSTOM, Custom, Kind, Unfit
from domain.kernel.form import Fault
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup

from .console import emit, say
from .files import read_bytes
from .mistakes import Mistake
from .tools import AnyGame, Tools, json_option, ruleset_option

FAULTY = 1
USUAL = "standard"

PARTS = 64
"""Dots of a line of TOML outside of quotes, at most."""

_QUOTED = re.compile(r""""(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?""")

HOW = "Files ending in .toml are read as TOML, all others as JSON; both in UTF-8."

KIND = click.argument("kind", type=click.Choice(("scenario", "map", "deck")))


@click.group("custom", short_help="Check scenarios, maps and decks of your own.")
def command() -> None:
    """Scenarios, maps and decks of your own: check them here, then post them or bring them along.

    With --json `check` answers for programs; `schema` and `example` print JSON anyway. Needs no
    running service.
    """


@command.command("check")
@click.option("--scenario", metavar="FILE", default="", help="A scenario, JSON or TOML.")
@click.option("--map", "map_", metavar="FILE", default="", help="A map, JSON or TOML.")
@click.option("--deck", metavar="FILE", default="", help="A deck, JSON or TOML.")
@ruleset_option
@json_option
@click.pass_obj
def check(tools: Tools, scenario: str, map_: str, deck: str, ruleset: str, as_json: bool) -> int:
    """Check documents by themselves and with one another, and say all that is wrong.

    A scenario for a map of its own is checked with that map when both are given. What is good is
    tried in every edition of the ruleset.

    \b
    The exit code:
      0  good: a game can be opened with it
      1  faulty: every fault is named, with its place in the document
      2  used wrongly, or not a readable file

    \b
      decklog custom check --ruleset war-at-sea --scenario duel.json --map strait.json
    """
    named: tuple[tuple[Kind, str], ...] = (("scenario", scenario), ("map", map_), ("deck", deck))
    files = {kind: file for kind, file in named if file}
    if not files:
        raise Mistake("Nothing to check.", "Name a file: --scenario, --map or --deck.", "usage")
    game = _ruleset(tools, ruleset, files)
    documents = {kind: read_document(file) for kind, file in files.items()}
    faults = {kind: _kind(game, kind).check(each) for kind, each in documents.items()}
    tried = {} if any(faults.values()) else dict(_tried(game, documents))
    good = not any(faults.values()) and any(not found for found in tried.values())
    if as_json:
        emit({"ruleset": game.ruleset, "good": good, "faults": faults, "editions": tried})
    else:
        _report(files, faults, tried)
    return 0 if good else FAULTY


@command.command("schema")
@KIND
@ruleset_option
@click.pass_obj
def schema(tools: Tools, kind: Kind, ruleset: str) -> int:
    """Print the JSON Schema of a KIND of document: scenario, map or deck.

    Editors that know JSON Schema complete and check a document with it while you write.
    """
    emit(_kind(_ruleset(tools, ruleset, (kind,)), kind).schema)
    return 0


@command.command("example")
@KIND
@click.argument("name", default="")
@ruleset_option
@click.pass_obj
def example(tools: Tools, kind: Kind, name: str, ruleset: str) -> int:
    """Print an example of a KIND of document to start from: the first, or the one called NAME."""
    examples = _kind(_ruleset(tools, ruleset, (kind,)), kind).examples()
    found = [each for each in examples if name in ("", each.get("id"), each.get("name"))]
    if not found:
        known = ", ".join(str(each.get("id", each.get("name"))) for each in examples)
        raise Mistake(f"There is no example {name!r}.", f"There are: {known}.", "custom.unknown")
    emit(found[0])
    return 0


def read_document(file: str) -> Any:
    """A JSON or TOML file as plain data. Raises Mistake for one that cannot be read."""
    return document_in(file, read_bytes(file))


def document_in(file: str, data: bytes) -> Any:
    """What is in a file of that name, as plain data. Raises Mistake."""
    try:
        if file.endswith(".toml"):
            return tomllib.loads(_shallow(data.decode("utf-8")))
        return msgspec.json.decode(data)
    except RecursionError:
        raise Mistake(f"{file} is nested too deeply.", HOW, "document.unreadable") from None
    except (ValueError, msgspec.DecodeError) as error:
        form = "TOML" if file.endswith(".toml") else "JSON"
        raise Mistake(f"{file} is not {form}: {error}.", HOW, "document.unreadable") from None


def _shallow(text: str) -> str:
    """The text of a TOML file whose keys have few parts: with many, tomllib takes their square.

    Raises ValueError.
    """
    if any(line.count(".") > PARTS for line in _QUOTED.sub("", text).split("\n")):
        raise ValueError(f"a key has more than {PARTS} parts")
    return text


def _ruleset(tools: Tools, ruleset: str, kinds: Mapping[Kind, str] | tuple[Kind, ...]) -> AnyGame:
    """The ruleset that is named, or the only one that takes documents of these kinds."""
    chosen = tools.chosen(ruleset)
    taking = [g for g in chosen if set(kinds) <= {custom.kind for custom in g.customs}]
    if len(taking) == 1:
        return taking[0]
    what = " and ".join(kinds)
    if not taking:
        hint = "GET /v1/rulesets/NAME/customs, or decklog custom --help, say what there is."
        raise Mistake(f"No ruleset here takes a {what}.", hint, "document.unknown-kind")
    names = ", ".join(game.ruleset for game in taking)
    raise Mistake(f"Several rulesets take a {what}.", f"--ruleset with one of: {names}.", "usage")


def _kind(game: AnyGame, kind: Kind) -> Custom[Any]:
    return next(custom for custom in game.customs if custom.kind == kind)


def _tried(game: AnyGame, documents: Mapping[Kind, Any]) -> Iterator[tuple[str, list[Fault]]]:
    """By edition, why a game cannot be opened with the documents; empty: it can."""
    seats = tuple(f"p{number}" for number in range(1, min(game.seat_counts) + 1))
    options = full(msgspec.convert({}, game.options))
    scenario = CUSTOM if "scenario" in documents else USUAL
    for edition in game.editions:
        setup = Setup(game.ruleset, edition, scenario, seats, options, dict(documents))
        try:
            game.opening(setup)
        except Unfit as unfit:
            yield edition, list(unfit.faults)
        except Refused as refused:
            yield edition, [Fault(refused.code, refused.pointer, refused.hint, refused.rule)]
        else:
            yield edition, []


def _report(
    files: Mapping[Kind, str],
    faults: Mapping[Kind, tuple[Fault, ...]],
    tried: Mapping[str, list[Fault]],
) -> None:
    for kind, file in files.items():
        say(f"{file}: {kind}, {_count(faults[kind])}")
        for fault in faults[kind]:
            _tell(fault)
    for edition, found in tried.items():
        say(f"edition {edition}: {'a game can be opened' if not found else _count(found)}")
        for fault in found:
            _tell(fault)


def _count(faults: tuple[Fault, ...] | list[Fault]) -> str:
    if not faults:
        return "good"
    return "1 fault" if len(faults) == 1 else f"{len(faults)} faults"


def _tell(fault: Fault) -> None:
    rule = f"[{fault.rule}]" if fault.rule else ""
    parts = (fault.text, fault.hint, rule, f"({fault.code})")
    say(f"  {fault.pointer or 'the whole'}: {' '.join(part for part in parts if part)}")
