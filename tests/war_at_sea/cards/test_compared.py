"""No figure moves unseen, and what rests on one source alone stands in a table of doubts.

Whether a figure is the printed card's no test can know: see compared.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.games.war_at_sea.rules import cards
from domain.games.war_at_sea.rules.cards import CARDS
from domain.games.war_at_sea.rules.families.vocabulary import families
from domain.games.war_at_sea.shown.catalogue import CATALOGUE, known_from

from . import compared

README = Path(cards.__file__).parent / "units" / "README.md"


def test_every_figure_is_one_that_somebody_compared() -> None:
    found = compared.faults(compared.load(), compared.now())
    assert not found, "\n".join((
        "Nobody has compared these with the sources that they name. Look them up, then",
        "python -m tests.war_at_sea.cards.compared ID ...",
        *found,
    ))  # fmt: skip


def test_another_figure_claim_or_text_is_named() -> None:
    kept = compared.load()
    for name, figure, value in (
        ("bismarck", "cost", "1"),
        ("bismarck", "verified", "card"),
        ("ability rugged", "text", "Nothing."),
    ):
        (told,) = compared.faults(kept, {**kept, name: {**kept[name], figure: value}})
        assert told.startswith(f"{name}: {figure} {kept[name][figure]} -> {value} (to be looked up")
    (new,) = compared.faults(kept, {**kept, "ours": kept["bismarck"]})
    assert new.startswith("ours: it is new")


def test_who_compared_what_there_is_not_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An ability is called by its kind, too; nothing is kept of a list with such a name."""
    kept = tmp_path / "compared.json"
    kept.write_text("{}\n", "utf-8")
    monkeypatch.setattr(compared, "FILE", kept)
    monkeypatch.setattr("sys.argv", ["compared", "bismarck", "rugged"])
    with pytest.raises(SystemExit) as left:
        compared.main()
    assert left.value.code == 2
    assert "['rugged']" in capsys.readouterr().err
    assert kept.read_text("utf-8") == "{}\n"
    monkeypatch.setattr("sys.argv", ["compared", "bismarck", "ability rugged"])
    assert compared.main() == 0
    assert {*compared.load()} == {"bismarck", "ability rugged"}


def test_an_effect_is_compared_by_what_it_gives() -> None:
    """So a key that a word gets later, with a default, is no news of the abilities before it."""
    told = compared.now()["ability cruiser-hunter"]["effects"]
    assert told == '[{"word": "dice", "attacks": ["main"], "target": ["Cruiser"], "add": 1}]'


def test_an_ability_is_no_better_known_than_the_cards_that_have_it() -> None:
    for slug in families():
        holders = [c.provenance for c in CARDS.values() if slug in {r.family for r in c.abilities}]
        told = known_from(slug)
        assert any({*told["sources"]} <= {*each.sources} for each in holders), slug
        assert told["verified"] != "card" or "card" in {each.verified for each in holders}, slug
    entries = {entry.id: entry.provenance for entry in CATALOGUE.abilities()}
    assert entries == {slug: known_from(slug) for slug in families()}


def doubts() -> list[str]:
    """The table of units/README.md: what one transcription alone says."""
    figures = sorted(c.id for c in CARDS.values() if c.provenance.verified == "single")
    words = sorted(slug for slug in families() if known_from(slug)["verified"] == "single")
    rows = [f"| figures | {', '.join(figures)} |", f"| ability | {', '.join(words)} |"]
    return ["| what | of |", "|---|---|", *rows]


def test_the_table_of_doubts_is_true() -> None:
    told = README.read_text("utf-8").partition("\n## Doubts\n")[2]
    rows = [line for line in told.splitlines() if line.startswith("|")]
    assert rows == doubts(), "\n".join(("units/README.md, Doubts, has to say:", *doubts()))
