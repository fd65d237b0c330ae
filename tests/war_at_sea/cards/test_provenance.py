"""What a card says of where its figures are from is one of a few things, and agrees with itself.

The values are those of the table in units/README.md. A card that is nobody's but ours says so, and
is in the catalogue of a worked change only (tests/docs/worked): elsewhere it is a document of the
players' own, or no card of this catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain.games.war_at_sea.rules import cards
from domain.games.war_at_sea.rules.cards import CARDS, Card, Kind, Provenance
from tests.architecture.tree import ROOT

SOURCES = ("S1", "S2", "S3", "S4")
SETS = frozenset({
    "War At Sea", "Task Force", "Flank Speed", "Set V", "Condition Zebra", "Surface Action",
    "Starter Set",
})  # fmt: skip
RARITIES = frozenset({"Common", "Uncommon", "Rare", "Fixed"})
OURS = "Worked example"
"""The set of a card that nobody published."""

README = (Path(cards.__file__).parent / "units" / "README.md").read_text("utf-8")


@dataclass(frozen=True)
class Claim:
    """What a value of ``verified`` says of the sources, and how sure one may be."""

    scanned: bool
    least: int
    most: int
    confidence: str


CLAIMS = {
    "card": Claim(scanned=True, least=2, most=4, confidence="high"),
    "figures": Claim(scanned=True, least=2, most=4, confidence="high"),
    "pair": Claim(scanned=False, least=2, most=2, confidence="high"),
    "single": Claim(scanned=False, least=1, most=1, confidence="good"),
}
"""``scanned``: the printed card itself was read, so S1 is among the sources."""

KINDS: tuple[Kind, ...] = get_args(Kind)

MADE_UP = {"verified": "ours", "sources": ("ours",), "confidence": "none", "set": OURS}
"""What a card says that we made up: all of it, or nothing of it."""

DIFFERS = re.compile(r"(\w+): (S[1-4]) ([\d/]+), (S[1-4]) ([\d/]+)")
ABOUT = re.compile(r"\b(S[1-4]|[Pp]rint(s|ed)?|card reads|card scan|2009 update)\b")
NOBODYS = re.compile(
    r"\b(ours?|us|we|made|invent\w*|guess\w*|estimat\w*|assum\w*|example|house|unofficial)\b", re.I
)
FIGURES = {
    "main_gunnery_attack": "main", "secondary_gunnery_attack": "secondary",
    "tertiary_gunnery_attack": "tertiary", "anti_aircraft_attack": "antiair",
    "torpedo_attack": "torpedo", "bomb_attack": "bomb",
}  # fmt: skip


def faults(card: Card) -> list[str]:
    """What is wrong with what a card says of itself."""
    told = card.provenance
    ours = [name for name, value in MADE_UP.items() if getattr(told, name) == value]
    return [*(_ours(card, ours) if ours else _values(told)), *_note(card)]


def _ours(card: Card, said: list[str]) -> Iterator[str]:
    """A card that we made up is a worked change's, and says so in every key."""
    for name in MADE_UP.keys() - {*said}:
        yield f"{said} say that we made it up, {name} says {getattr(card.provenance, name)!r}"
    if card.id not in worked():
        yield "we made it up, and no worked change adds it: the catalogue has published cards only"
    like = [subtype for subtype in SUBTYPES if not unlike(card, subtype)]
    if like != [card.subtype]:
        yield (
            f"published cards with such figures are of subtype {like}, and it says "
            f"{card.subtype!r}: {unlike(card, card.subtype)} of others are not as here"
        )


PUBLISHED = [each for each in CARDS.values() if each.provenance.set != OURS]
SUBTYPES = sorted({each.subtype for each in PUBLISHED})


def unlike(card: Card, subtype: str) -> list[str]:
    """The figures of a card that no published one of a subtype reaches or goes below."""
    others = [_figures(each) for each in PUBLISHED if each.subtype == subtype]
    return [
        name
        for name, figure in _figures(card).items()
        if not min(each[name] for each in others) <= figure <= max(each[name] for each in others)
    ]


def _figures(card: Card) -> dict[str, int]:
    """Figures by which one can tell what kind of unit it is: of a row of dice the nearest."""
    names = ("cost", "speed", "armor", "vital_armor", "hull_points")
    rows: dict[str, int] = {}
    for kind in KINDS:
        rows[kind] = card.attacks[kind][0] if kind in card.attacks else -1
    return {**{name: getattr(card, name) for name in names}, **rows}


def worked() -> set[str]:
    """The cards that the worked changes add. None may be in the tree: its patch would not apply."""
    patches = (ROOT / "tests/docs/worked").glob("*.patch")
    return {id for each in patches for id in re.findall(r'^\+id = "(.+)"$', each.read_text(), re.M)}


def _values(told: Provenance) -> Iterator[str]:
    if told.set not in SETS:
        yield f"set {told.set!r} is none that was published: {sorted(SETS)}"
    if told.rarity not in RARITIES:
        yield f"rarity {told.rarity!r} is none of {sorted(RARITIES)}"
    strange = [each for each in told.sources if each not in SOURCES]
    if strange or list(told.sources) != sorted(set(told.sources)):
        yield f"sources {told.sources} are not some of {SOURCES}, each once and in order"
    claim = CLAIMS.get(told.verified)
    if claim is None:
        yield f"verified {told.verified!r} is none of {list(CLAIMS)}"
        return
    if (
        not claim.least <= len(told.sources) <= claim.most
        or ("S1" in told.sources) != claim.scanned
    ):
        yield f"verified {told.verified!r} does not go with the sources {told.sources}"
    if told.confidence != claim.confidence:
        yield f"confidence {told.confidence!r} does not go with verified {told.verified!r}"


def _note(card: Card) -> Iterator[str]:
    """A note is about what sources or prints say; where two differ, one of them is followed."""
    note, told = card.provenance.note, card.provenance.sources
    if not note:
        return
    if NOBODYS.search(note) or not ABOUT.search(note):
        yield f"note {note!r} is not about a source, a print or the update"
    for figure, one, first, two, second in DIFFERS.findall(note):
        if {one, two} - {*told}:
            yield f"note {note!r} tells of a source that the card does not name: {told}"
        if _as_told(card, figure) not in (first, second):
            yield f"note {note!r}: the card follows neither of the two"


def _as_told(card: Card, figure: str) -> str:
    """A figure of the card as notes write it; a dash of a row is 0 there."""
    if figure in FIGURES:
        row = card.attacks.get(FIGURES[figure], ())  # type: ignore[call-overload]
        return "/".join(str(max(dice, 0)) for dice in row)
    names = {each: name for name, each in cards.encoded(Card).items()}
    return str(getattr(card, names[figure]))


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_what_a_card_says_of_its_sources_is_one_of_a_few_things(card: Card) -> None:
    wrong = faults(card)
    where = f"domain/games/war_at_sea/rules/units, card {card.id} (units/README.md has the values)"
    assert not wrong, f"{where}: {'; '.join(wrong)}"


BISMARCK = CARDS["bismarck"]


@pytest.mark.parametrize(
    "change",
    [
        {"verified": "ours"},
        {"verified": "single"},
        {"verified": "pair"},
        {"sources": ("ours",)},
        {"sources": ("S2",)},
        {"sources": ("S2", "S1")},
        {"confidence": "made up by us"},
        {"confidence": "good"},
        {"set": "Ours"},
        {"rarity": "Ours"},
        {"note": "Made up by us."},
        {"note": "Figures are ours."},
        {"note": "Stronger than most."},
        {"note": "cost: S3 998, S2 999"},
        {"note": f"cost: S4 {BISMARCK.cost}, S2 999"},
    ],
    ids=str,
)
def test_what_is_made_up_is_found(change: dict[str, Any]) -> None:
    assert faults(replace(BISMARCK, provenance=replace(BISMARCK.provenance, **change)))


def test_a_card_of_ours_is_one_that_a_worked_change_adds() -> None:
    made_up = replace(BISMARCK.provenance, **MADE_UP)
    (told,) = faults(replace(BISMARCK, provenance=made_up))
    assert "no worked change adds it" in told
    card = replace(BISMARCK, id="orp-dragon", provenance=made_up)
    assert faults(card) == []
    for name in MADE_UP:
        honest = replace(made_up, **{name: getattr(BISMARCK.provenance, name)})
        assert faults(replace(card, provenance=honest)), name


@pytest.mark.parametrize("subtype", [each for each in SUBTYPES if each != BISMARCK.subtype])
def test_a_card_of_ours_of_another_subtype_than_its_figures_is_found(subtype: Any) -> None:
    """Whoever made it up says everything once; published cards with such figures say it again."""
    made_up = replace(BISMARCK.provenance, **MADE_UP)
    (told,) = faults(replace(BISMARCK, id="orp-dragon", provenance=made_up, subtype=subtype))
    assert f"are of subtype ['Battleship'], and it says {subtype!r}" in told


def test_the_values_are_those_of_the_readme() -> None:
    told = README.partition("\n`verified`: ")[2].partition("\n## ")[0]
    for value in (*CLAIMS, *SOURCES, MADE_UP["verified"]):
        assert f"`{value}`" in f"`verified`: {told}", value
