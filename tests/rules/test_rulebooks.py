"""Every rulebook file is whole: readable, unique, and its references lead somewhere."""

from __future__ import annotations

import re

import pytest

from domain.kernel.shown.rulebook import load_rulebook
from tests.rules.audit import games
from tests.support.rules import GAMES

IDENTIFIER = re.compile(r"([A-Z]{2,3}-)?[A-Z]+-[0-9]{2,3}")
MENTION = re.compile(r"\b(?:(?:WAS|NB|CT)-(?!C-)[A-Z]+|RUL)-[0-9]{2,3}\b")

BOOKS = {game: load_rulebook(f"domain.games.{game}") for game in games()}
ENTRIES = [(game, entry) for game, book in BOOKS.items() for entry in book]


def test_there_is_a_book() -> None:
    assert BOOKS


def test_identifiers_are_unique_over_all_games() -> None:
    identifiers = [entry.id for _, entry in ENTRIES]
    assert len(set(identifiers)) == len(identifiers)


@pytest.mark.parametrize("game", BOOKS)
def test_every_entry_is_whole(game: str) -> None:
    for entry in BOOKS[game]:
        assert IDENTIFIER.fullmatch(entry.id), entry.id
        assert entry.title, entry.id
        assert not entry.title.endswith("."), entry.id
        assert entry.text[0].isupper() or not entry.text[0].isalpha(), entry.id
        assert entry.text[-1] in '.)!?:"', entry.id
        assert entry.source, entry.id
        assert entry.area, entry.id


@pytest.mark.parametrize("game", BOOKS)
def test_editions_are_editions_of_the_game(game: str) -> None:
    known = {edition for entry in BOOKS[game] for edition in entry.editions}
    both = [entry for entry in BOOKS[game] if set(entry.editions) == known]
    assert both, "no rule holds in every edition"
    assert all(entry.editions for entry in BOOKS[game])


@pytest.mark.parametrize("game", BOOKS)
def test_mentions_lead_to_entries(game: str) -> None:
    identifiers = {entry.id for entry in BOOKS[game]}
    for entry in BOOKS[game]:
        named = set(MENTION.findall(f"{entry.text} {entry.test}")) | set(entry.rulings)
        assert named <= identifiers, (entry.id, named - identifiers)


@pytest.mark.parametrize("game", BOOKS)
def test_rulings_are_rulings(game: str) -> None:
    kinds = {entry.id: entry.kind for entry in BOOKS[game]}
    for entry in BOOKS[game]:
        assert {kinds[ruling] for ruling in entry.rulings} <= {"ruling"}, entry.id
        assert entry.id not in entry.rulings


@pytest.mark.parametrize("game", BOOKS)
def test_numbers_within_an_area_ascend(game: str) -> None:
    """Order of the file is order of the areas' numbers: an ID is easy to find."""
    last: dict[str, int] = {}
    for entry in BOOKS[game]:
        number = int(entry.id.rsplit("-", 1)[1])
        assert number > last.get(entry.area, 0), entry.id
        last[entry.area] = number


@pytest.mark.parametrize("game", BOOKS)
def test_every_id_that_the_game_cites_is_in_its_book(game: str) -> None:
    """Refusals, tallies, events, ability files: no citation leads nowhere."""
    identifiers = {entry.id for entry in BOOKS[game]}
    lost = {
        (path.name, cited)
        for path in sorted((GAMES / game).rglob("*"))
        if path.suffix in (".py", ".toml", ".md")
        for cited in MENTION.findall(path.read_text("utf-8"))
        if cited not in identifiers
    }
    assert lost == set()
