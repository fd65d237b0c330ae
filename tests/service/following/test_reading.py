"""A list loses nothing and shows nothing twice, however many documents have one rank."""

from __future__ import annotations

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.following.reading import TOP, page
from service.following.shelf import StoredDocuments
from service.store.database import Database


class Card(msgspec.Struct):
    """A document that says where it stands."""

    key: str


KEYS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1)
RANKS = st.sampled_from((1, 90, 150))
LISTS = st.dictionaries(KEYS, RANKS, min_size=1, max_size=12)


def shelved(recorder: Database, ranks: dict[str, int]) -> None:
    recorder.put((), [("DELETE FROM projected WHERE projection = 'cards'", ())])
    shelf = StoredDocuments(recorder, "cards")
    for key, rank in ranks.items():
        shelf.write(key, Card(key), rank=rank, kind="odd" if rank == 1 else "even")
    recorder.put((), list(shelf.statements()))


def turned(recorder: Database, kind: str, limit: int) -> list[str]:
    """The keys of a list, page by page."""
    found, after = list[str](), TOP
    while rows := page(recorder, "cards", kind, after, limit):
        assert len(rows) <= limit
        found += [msgspec.json.decode(document, type=Card).key for _, document in rows]
        after = rows[-1][0]
    return found


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ranks=LISTS, limit=st.integers(1, 4))
def test_pages_have_every_document_once_in_one_order(
    recorder: Database, ranks: dict[str, int], limit: int
) -> None:
    shelved(recorder, ranks)
    order = sorted(ranks, key=lambda key: (ranks[key], key.encode()), reverse=True)
    assert turned(recorder, "", limit) == order, "by rank, and then by the bytes of the key"
    assert turned(recorder, "odd", limit) == [key for key in order if ranks[key] == 1]


def test_three_of_rank_150_150_90_by_pages_of_one(recorder: Database) -> None:
    shelved(recorder, {"g1": 150, "g2": 150, "g3": 90})
    assert turned(recorder, "", 1) == ["g2", "g1", "g3"]
