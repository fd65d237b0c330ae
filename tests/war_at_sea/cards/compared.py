"""The figures of War at Sea's cards that somebody compared with their sources: compared.json.

No machine can tell a wrong figure from a right one that only the printed card knows, nor whether
somebody really read the scan that ``verified = "card"`` claims. What can be told is that figures or
claims are no longer those that somebody compared: then a test names them, and

    python -m tests.war_at_sea.cards.compared bismarck 'ability fatal-flaw'

shows the figures of these cards and abilities, and where they have to be looked up, and keeps them
as compared by you. It is no part of ``make remake``: only a person can say it. The list began with
all that the cards claimed when it was made.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec

from domain.games.war_at_sea.rules.cards import CARDS, Card
from domain.games.war_at_sea.rules.families.vocabulary import Family, families
from domain.games.war_at_sea.rules.families.words import Effect
from domain.games.war_at_sea.shown.catalogue import known_from

FILE = Path(__file__).with_name("compared.json")
OURS = "ours"

Compared = dict[str, dict[str, str]]
"""By card or ability its figures and claims by name, as text."""


def _card(card: Card) -> dict[str, str]:
    told: dict[str, Any] = msgspec.to_builtins(card)
    provenance = told.pop("provenance")
    rows = {f"attacks/{kind}": row for kind, row in told.pop("attacks").items()}
    abilities = [f"{ref.family} {ref.n}".removesuffix(" 0") for ref in card.abilities]
    del told["id"], told["abilities"]
    figures = {**told, **rows, "abilities": abilities}
    claims = {name: provenance[name] for name in ("verified", "sources")}
    return {name: _plain(value) for name, value in {**figures, **claims}.items() if value}


def _ability(family: Family, slug: str) -> dict[str, str]:
    told: dict[str, Any] = msgspec.to_builtins(family)
    names = ("text", "timing", "limit", "lost", "plain")
    figures = {name: told[name] for name in names if told.get(name)}
    figures["effects"] = [_given(each) for each in family.effects]
    return {name: _plain(value) for name, value in {**figures, **known_from(slug)}.items()}


def _given(effect: Effect) -> dict[str, Any]:
    """An effect with what is not as it is by default: a key that a word gets later is no news."""
    told: dict[str, Any] = msgspec.to_builtins(effect)
    for each in msgspec.structs.fields(effect):
        if getattr(effect, each.name) == each.default:
            del told[each.encode_name]
    return told


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def now() -> Compared:
    """The figures of today; what says that we made it up has nothing to be compared with."""
    cards = {card.id: _card(card) for card in CARDS.values()}
    abilities = {slug: _ability(family, slug) for slug, family in families().items()}
    every = {**cards, **{f"ability {slug}": told for slug, told in abilities.items()}}
    return {name: told for name, told in every.items() if told["verified"] != OURS}


def load() -> Compared:
    """What somebody compared."""
    kept: Compared = json.loads(FILE.read_text("utf-8"))
    return kept


def keep(compared: Compared) -> None:
    """Write them, one a line."""
    rows = (f"{json.dumps(name)}: {json.dumps(told)}" for name, told in sorted(compared.items()))
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


def faults(kept: Compared, found: Compared) -> list[str]:
    """What nobody compared, in words that say where to look."""
    return [
        f"{name}: {_differs(kept.get(name, {}), found.get(name, {}))}"
        for name in sorted({*kept, *found})
        if kept.get(name) != found.get(name)
    ]


def _differs(kept: dict[str, str], found: dict[str, str]) -> str:
    if not found:
        return "it is gone"
    moved = [
        f"{name} {kept.get(name, 'none')} -> {found.get(name, 'none')}"
        for name in sorted({*kept, *found})
        if kept.get(name) != found.get(name)
    ]
    whole = "; ".join(moved) if kept else "it is new"
    return f"{whole} (to be looked up in {found['sources']})"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.war_at_sea.cards.compared",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="+", metavar="ID", help="a card; 'ability SLUG'")
    names = parser.parse_args().names
    found = now()
    kept = load()
    unknown = [name for name in names if name not in {**kept, **found}]
    if unknown:
        parser.error(f"no card and no ability ('ability SLUG') with a source: {unknown}")
    for name in names:
        kept.pop(name, None)
        if name in found:
            kept[name] = found[name]
            print(f"{name}: " + "; ".join(f"{key} {value}" for key, value in found[name].items()))
    keep(kept)
    print(f"{len(names)} kept as compared by you with the sources that they name")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
