"""Cards against the rulebook: what it states counts, and every conflict stands in a table."""

from __future__ import annotations

import re

import pytest

from domain.games.war_at_sea.rules import cards
from domain.games.war_at_sea.rules.cards import SOURCES, Card, Statement, pieces, statements
from domain.games.war_at_sea.rules.editions import EDITIONS, Edition
from domain.games.war_at_sea.shown.catalogue import units
from domain.kernel.data import read_bytes
from domain.kernel.rules import HOMES

README = read_bytes("domain.games.war_at_sea.rules", "units/README.md").decode()
HEADS = ("card", "figure", "book", "print", "ours", "ruling")


def figure(card: Card, name: str) -> str:
    """A figure by the name under which its source is told; ``none`` where the card has none."""
    field, *more = name.split("/")
    if field == "abilities":
        numbers = (ref.n for ref in card.abilities if ref.family == more[0])
        return str(next(numbers, "none"))
    if field == "attacks":
        return str(card.dice(more[0], int(more[1])))  # type: ignore[arg-type]
    names = {written: own for own, written in cards.encoded(Card).items()}
    return str(getattr(card, names[field]))


def named(card: Card) -> list[str]:
    """The names of all figures of a card."""
    rows = [f"attacks/{kind}/{reach}" for kind in card.attacks for reach in range(4)]
    plain = set(cards.encoded(Card).values()) - {"attacks", "abilities", "provenance"}
    return [*plain, *rows, *(f"abilities/{ref.family}" for ref in card.abilities)]


@pytest.mark.rule("RUL-110")
def test_a_card_has_what_the_rulebook_states_of_it() -> None:
    cards.catalogue_of.cache_clear()
    for edition in EDITIONS:
        for each in statements():
            card = cards.card(each.card, edition)
            number = each.ability.partition(" ")[2] or "0" if each.ability else str(each.value)
            assert figure(card, each.name) == number, each
            assert card.provenance.of(each.name)[0].startswith("RB p"), each


def conflicts() -> list[tuple[str, str, str, str]]:
    found = []
    for each in statements():
        book, printed = (figure(cards.card(each.card, "2009", s), each.name) for s in SOURCES)
        if book != printed:
            found.append((each.card, each.name, book, printed))
    return found


def test_the_table_of_conflicts_is_true() -> None:
    rows = [tuple(re.findall(r"[^|`\s][^|`]*[^|`\s]|[^|`\s]", row)) for row in README.splitlines()]
    at = rows.index(HEADS)
    told = [row for row in rows[at + 2 :] if len(row) == len(HEADS)]
    assert [row[:4] for row in told] == conflicts()
    assert {row[4] for row in told} == {SOURCES[0]}
    assert {row[5] for row in told} <= HOMES.keys()


def test_no_card_differs_from_its_print_but_in_a_conflict() -> None:
    differing = {card for card, *_ in conflicts()}
    for edition in EDITIONS:
        book, printed = (cards.catalogue(edition, source) for source in SOURCES)
        assert {name for name in book if figures(book[name]) != figures(printed[name])} == differing
    assert {entry.id for entry in units() if "print" in entry.data} == differing


def figures(card: Card) -> dict[str, str]:
    return {name: figure(card, name) for name in named(card)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_figure_of_every_card_has_a_source(edition: Edition) -> None:
    for card in (*cards.catalogue(edition).values(), *pieces().values()):
        for name in named(card):
            assert card.provenance.of(name), (card.id, name)
        assert set(card.provenance.stated) <= set(named(card)), card.id


def test_what_the_update_corrects_has_the_update_as_its_source() -> None:
    hellcat = [cards.card("f6f-3-hellcat", edition).provenance for edition in EDITIONS]
    assert [each.of("vitalArmor")[0] for each in hellcat] == [hellcat[0].sources[0], cards.ERRATA]


@pytest.mark.rule("WAS-SCEN-29")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_convoy_ship_has_the_figures_of_the_liberty_ship(edition: Edition) -> None:
    ship, liberty = (cards.card(name, edition) for name in ("convoy-ship", "ss-jeremiah-o-brien"))
    same = ("armor", "vital_armor", "hull_points", "speed", "attacks")
    assert [getattr(ship, name) for name in same] == [getattr(liberty, name) for name in same]
    assert (ship.type, ship.subtype, ship.cost) == ("Ship", "Auxiliary", 0)


def test_a_statement_about_another_range_adds_a_row() -> None:
    bare = cards.card("ss-jeremiah-o-brien", "2009")
    stated = Statement("ss-jeremiah-o-brien", "main", "RB p0", value=2, range=1).on(bare)
    assert stated.attacks["main"] == (-1, 2, -1, -1)
