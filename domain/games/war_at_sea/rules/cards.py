"""The unit cards: figures and abilities, as the 2007 cards print them and as 2009 corrects them."""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import UNSET, UnsetType, field, structs

from ....kernel.data import ShownKeys, list_files, load_toml
from ....kernel.rules import rule
from ....kernel.values import Value
from .editions import RULEBOOKS, Edition

Source = Literal["book", "print"]
"""The figure that counts where the rulebook states another than the card prints (RUL-110)."""

SOURCES: tuple[Source, ...] = ("book", "print")

Type = Literal["Ship", "Submarine", "Aircraft"]
Subtype = Literal[
    "",
    "Battleship",
    "Carrier",
    "Cruiser",
    "Destroyer",
    "Torpedo Boat",
    "Auxiliary",
    "Patrol Bomber",
    "Dive Bomber",
    "Torpedo Bomber",
    "Fighter",
]
Kind = Literal["main", "secondary", "tertiary", "antiair", "asw", "torpedo", "bomb", "strafe"]
"""An attack row. ``strafe`` is the gunnery of an Aircraft."""

GUNNERY: tuple[Kind, ...] = ("main", "secondary", "tertiary", "strafe")
CARDS: dict[str, Card]
"""The cards as corrected in 2009; read from the files on first use."""

SHOWN_KEYS: ShownKeys = {
    "units/*.toml families/squadrons/*.toml scenarios/pieces/*.toml": {
        "unit.set": "", "unit.number": 0, "unit.rarity": "", "unit.confidence": "",
        "unit.verified": "", "unit.sources": "", "unit.note": None,
    },
    "book/figures.toml": {"figure.where": ""},
}  # fmt: skip
"""Where a card and its figures come from."""

NO_ATTACK = -1
BOMBERS = ("Patrol Bomber", "Dive Bomber", "Torpedo Bomber")


class AbilityRef(Value, frozen=True, cache_hash=True):
    """An ability on a card: the family (name of its file in ``abilities``) and the card's number.

    ``n`` is 0 where the ability has none.
    """

    family: str
    n: int = 0

    @property
    def rule(self) -> str:
        """The rule ID of the family."""
        from .families.vocabulary import families

        return families()[self.family].id


class Provenance(Value, frozen=True):
    """Where a card's figures come from and how they were checked (units/README.md).

    stated  figures that the rulebook or the update states, and where; all others are of
            ``sources``
    """

    set: str
    number: int
    rarity: str
    confidence: str
    verified: str
    sources: tuple[str, ...]
    note: str = ""
    stated: dict[str, str] = field(default_factory=dict)

    def of(self, figure: str) -> tuple[str, ...]:
        """The sources of one figure: where a rulebook states it, or those of the card."""
        return (self.stated[figure],) if figure in self.stated else self.sources


class Card(Value, frozen=True):
    """One unit card.

    alliance   ``Axis``, ``Allies``, or ``Neutral`` (fits neither)
    subtype    empty for Submarines (WAS-FLEET-05)
    speed      sectors a turn; 0 for Aircraft, which have none
    basing     Aircraft that a Carrier can base
    attacks    dice at ranges 0 to 3 for each attack row on the card; -1 is a printed dash
    errata     rules of the 2009 update that correct this card
    """

    id: str
    name: str
    nation: str
    alliance: str
    type: Type
    subtype: Subtype
    ship_class: str
    year: int
    cost: int
    speed: int
    flagship: int
    basing: int
    armor: int
    vital_armor: int
    hull_points: int
    attacks: dict[Kind, tuple[int, int, int, int]]
    abilities: tuple[AbilityRef, ...]
    errata: tuple[str, ...]
    provenance: Provenance

    @property
    def is_bomber(self) -> bool:
        """Patrol, Dive and Torpedo Bombers are Bombers; Fighters are not."""
        return self.subtype in BOMBERS

    def dice(self, kind: Kind, range: int) -> int:
        """Printed dice of an attack row at a range; -1 where the card has no such attack."""
        row = self.attacks.get(kind, ())
        return row[range] if range < len(row) else NO_ATTACK


ERRATA = 'UP "Card Errata"'


@cache
def encoded(of: type[Value]) -> dict[str, str]:
    """The names of a value's fields as they are written."""
    return {each.name: each.encode_name for each in structs.fields(of)}


class Statement(Value, frozen=True):
    """A figure of a card that the rulebook states in passing (book/figures.toml).

    figure   a field of the card, an attack row, or ``ability``
    range    the range of an attack row
    ability  family and number, as in the unit files
    where    the place in the rulebook
    """

    card: str
    figure: str
    where: str
    value: int = 0
    range: int = 0
    ability: str = ""

    @property
    def name(self) -> str:
        """What the figure is called where its source is told."""
        if self.ability:
            return f"abilities/{_ref(self.ability).family}"
        written = encoded(Card)
        if self.figure in written:
            return written[self.figure]
        return f"attacks/{self.figure}/{self.range}"

    def on(self, card: Card) -> Card:
        """The card as the rulebook has it."""
        stated = {**card.provenance.stated, self.name: self.where}
        provenance = structs.replace(card.provenance, stated=stated)
        return structs.replace(card, provenance=provenance, **self._changes(card))

    @rule("RUL-110")
    def _changes(self, card: Card) -> dict[str, object]:
        if self.ability:
            known = [ref for ref in card.abilities if ref != _ref(self.ability)]
            refs = sorted((*known, _ref(self.ability)), key=lambda ref: ref.family)
            return {"abilities": tuple(refs)}
        if self.figure in Card.__struct_fields__:
            return {self.figure: self.value}
        kind: Kind = self.figure  # type: ignore[assignment]
        row = list(card.attacks.get(kind, (NO_ATTACK,) * 4))
        row[self.range] = self.value
        return {"attacks": {**card.attacks, kind: tuple(row)}}


class _Book(Value, frozen=True):
    """The file of ``book``."""

    figure: tuple[Statement, ...]


@cache
def statements() -> tuple[Statement, ...]:
    """Every figure of a card that the rulebook states, in its order of pages."""
    return load_toml(__package__, "book/figures.toml", _Book).figure


class _Printed(Value, frozen=True):
    """What the 2007 card says where the 2009 update says otherwise."""

    name: str | UnsetType = UNSET
    speed: int | UnsetType = UNSET
    vital_armor: int | UnsetType = UNSET


class _Unit(Value, frozen=True):
    """One ``[[unit]]`` of a nation's file."""

    id: str
    name: str
    alliance: Literal["Axis", "Allies", "Neutral"]
    type: Type
    year: int
    cost: int
    armor: int
    vital_armor: int
    hull_points: int
    attacks: dict[Kind, tuple[int, int, int, int]]
    set: str
    number: int
    rarity: str
    confidence: str
    verified: str
    sources: str
    subtype: Subtype = ""
    ship_class: str = ""
    speed: int = 0
    flagship: int = 0
    basing: int = 0
    abilities: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    printed: _Printed = field(default_factory=_Printed)
    note: str = ""

    @rule("WAS-FLEET-04", "WAS-FLEET-12", "WAS-FLEET-14", "WAS-FLEET-41", "WAS-FLEET-46",
          "WAS-FLEET-48")  # fmt: skip
    def card(self, nation: str) -> Card:
        """The unit's stat card; guns of Aircraft are a row of their own, ``strafe``."""
        figures = {f: getattr(self, f) for f in Card.__struct_fields__ if hasattr(self, f)}
        figures["abilities"] = tuple(_ref(text) for text in self.abilities)
        return Card(**figures, nation=nation, provenance=self._provenance())

    def _provenance(self) -> Provenance:
        names = encoded(Card)
        return Provenance(
            self.set,
            self.number,
            self.rarity,
            self.confidence,
            self.verified,
            tuple(self.sources.split()),
            self.note,
            {names[f]: ERRATA for f, v in structs.asdict(self.printed).items() if v is not UNSET},
        )


class _Nation(Value, frozen=True):
    """A file of ``units``."""

    nation: str
    unit: tuple[_Unit, ...]


def _ref(text: str) -> AbilityRef:
    """``"extended-range 4"`` as a value; a family without a number stands alone."""
    family, _, n = text.partition(" ")
    return AbilityRef(family, int(n or 0))


@cache
def _units() -> tuple[tuple[str, _Unit], ...]:
    files = (load_toml(__package__, f, _Nation) for f in list_files(__package__, "units", ".toml"))
    return tuple((file.nation, unit) for file in files for unit in file.unit)


def catalogue(edition: Edition, source: Source = "book") -> dict[str, Card]:
    """Every card of an edition by its ID, in order of nation and number."""
    return catalogue_of(edition, source)


@cache
def catalogue_of(edition: Edition, source: Source) -> dict[str, Card]:
    """:func:`catalogue` with nothing left out, as its cache knows it."""
    made = {unit.id: unit.card(nation) for nation, unit in _units()}
    if not RULEBOOKS[edition].corrected_cards:
        made = {u.id: _as_printed(made[u.id], u.printed) for _, u in _units()}
    return {**made, **_by_the_book(made)} if source == "book" else made


def _by_the_book(made: dict[str, Card]) -> dict[str, Card]:
    """The cards of which the rulebook states a figure, with what it states."""
    stated: dict[str, Card] = {}
    for each in statements():
        stated[each.card] = each.on(stated.get(each.card, made[each.card]))
    return stated


@rule("WAS-FLEET-44")
def _as_printed(card: Card, printed: _Printed) -> Card:
    """The card as 2007 prints it: the figures of the files are the corrected ones."""
    changes = {f: v for f, v in structs.asdict(printed).items() if v is not UNSET}
    if not changes:
        return card
    provenance = structs.replace(card.provenance, stated={})
    return structs.replace(card, provenance=provenance, **changes)


@cache
def pieces() -> dict[str, Card]:
    """Units that no fleet can buy, in both editions: a scenario or an ability brings them."""
    return {**_brought("scenarios/pieces"), **squadrons()}


@cache
def squadrons() -> dict[str, Card]:
    """Aircraft that abilities of other units bring into play. Their cost is 0."""
    return _brought("families/squadrons")


def _brought(folder: str) -> dict[str, Card]:
    files = list_files(__package__, folder, ".toml")
    brought = (load_toml(__package__, file, _Nation) for file in files)
    return {unit.id: unit.card(file.nation) for file in brought for unit in file.unit}


def card(id: str, edition: Edition, source: Source = "book") -> Card:
    """The card called ``id``. Raises KeyError when there is none."""
    cards = catalogue_of(edition, source)
    return cards[id] if id in cards else _piece(id)


@rule("WAS-SCEN-29")
def _piece(id: str) -> Card:
    """What no fleet can buy is no printed card: it has the same figures in both editions."""
    return pieces()[id]


def missing(card: Card) -> tuple[str, ...]:
    """Ability families of the card that the engine does not play yet."""
    from .families.played import implemented

    return tuple(a.family for a in card.abilities if a.family not in implemented())


def playable(card: Card) -> bool:
    """Whether all that the card says can be played."""
    return not missing(card)


def __getattr__(name: str) -> dict[str, Card]:
    """``CARDS``: the 2009 catalogue, read when it is first asked for."""
    if name == "CARDS":
        return catalogue("2009")
    raise AttributeError(name)
