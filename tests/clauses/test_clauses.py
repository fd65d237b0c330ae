"""No sentence of the originals is without its rule, or without a reason why it needs none.

The seeds are not in this repository: that the tables are whole against the texts is shown by
`python -m tests.clauses --seeds FOLDER`. A table names the digest of its text.
"""

from __future__ import annotations

import pytest

from tests.clauses import table
from tests.clauses.cut import clauses, digest
from tests.clauses.table import SEEDS, Row


@pytest.mark.parametrize("seed", SEEDS)
def test_each_clause_has_rules_and_proofs_or_a_reason(seed: str) -> None:
    faults = [
        f"{seed}.tsv {row.address}: {fault}"
        for row in table.table(seed).values()
        for fault in table.lacks(seed, row)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_has_the_clauses_that_its_heading_counts(seed: str) -> None:
    head = table.heading(seed)
    assert head["file"].startswith(f"{seed}_")
    assert len(head["sha256"]) == 64
    assert len(table.table(seed)) == int(head["clauses"])


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (Row("1.1", ""), "one of the two"),
        (Row("1.1", "", ("NB-GEN-01",), ("NB-C-001",), "print"), "one of the two"),
        (Row("1.1", "", why="because"), "is no reason"),
        (Row("1.1", "", why="elsewhere"), "of what"),
        (Row("1.1", "", ("NB-GEN-99",)), "is in no rulebook"),
        (Row("1.1", "", ("NB-ATK-01",)), "no case or test shows it"),
        (Row("1.1", "", ("NB-SHIP-01",)), "no case or test shows it"),
        (Row("1.1", "", ("NB-ATK-01",), why="print"), "is no information"),
        (Row("1.1", "", ("NB-GEN-99",), why="print"), "is in no rulebook"),
        (Row("1.1", "", why="decided"), "name rules that cases or tests show"),
        (Row("1.1", "", why="decided NB-SHIP-01"), "name rules that cases or tests show"),
        (Row("1.1", "", ("NB-ATK-01",), ("CT-C-001",)), "that names one of its rules"),
        (Row("1.1", "", why="repeat 99999.1"), "name a clause"),
        (Row("1.1", "", why="part"), "name a clause"),
        (Row("1.1", "", why="repeat 009/1.1"), "name a clause"),
    ],
)
def test_what_a_row_lacks_is_said(row: Row, fault: str) -> None:
    assert fault in " ".join(table.lacks("004", row))


@pytest.mark.parametrize(
    "row",
    [
        Row("1.1", "", why="print"),
        Row("1.1", "", ("NB-SHIP-06",), why="print"),
        Row("1.1", "", ("NB-SHIP-01",), why="decided NB-WIN-01"),
        Row("1.1", "", ("NB-WIN-01",), ("NB-C-147",)),
    ],
)
def test_a_row_that_lacks_nothing(row: Row) -> None:
    assert not [*table.lacks("004", row)]


def test_sentences_are_cut_at_their_ends_and_know_their_lines() -> None:
    text = "# 1. Fire\n\nA gun fires once. It may, e.g. at sea,\nfire. Stop!\n- A row\n- Two"
    found = [(clause.address, clause.words) for clause in clauses(text)]
    assert found == [
        ("1.1", "# 1. Fire"),
        ("3.1", "A gun fires once."),
        ("3.2", "It may, e.g. at sea, fire."),
        ("4.1", "Stop!"),
        ("5.1", "- A row"),
        ("6.1", "- Two"),
    ]


def test_a_digest_sees_words_and_no_layout() -> None:
    assert digest("**A gun** fires once.") == digest("a  gun fires\nonce")
    assert digest("A gun fires once.") != digest("A gun fires twice.")


def test_a_table_that_differs_from_its_text_is_told() -> None:
    cut = clauses("A gun fires.\n\nIt stops.\n\nIt waits.")
    rows = {c.address: Row(c.address, c.digest) for c in cut[:2]} | {"9.1": Row("9.1", "x")}
    rows["1.1"] = Row("1.1", "another")
    assert list(table.compare(cut, rows)) == [
        "9.1: no sentence begins there",
        "1.1: its words are not those that the table was made for",
        "5.1: the table has nothing for it",
    ]


def test_taking_sets_a_stretch_and_keeps_digests() -> None:
    rows = {name: Row(name, name) for name in ("1.1", "2.1", "3.1")}
    table.take(rows, "2.1-3.1\t\t\tprint")
    table.take(rows, "1.1\tNB-ATK-01\tNB-C-001 NB-C-002")
    assert rows["3.1"] == Row("3.1", "3.1", why="print")
    assert rows["1.1"] == Row("1.1", "1.1", ("NB-ATK-01",), ("NB-C-001", "NB-C-002"))
