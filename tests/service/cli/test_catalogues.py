"""``rules`` and ``units``: what is found, what is shown of it, and what is said when nothing is."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea import GAME
from tests.service.cli.conftest import Run, spawn
from tests.support.pennant import RULES


def test_a_rule_by_its_id_is_shown_in_full(run: Run) -> None:
    done = run("rules", "pen-3")
    assert done.code == 0
    assert done.out.startswith("PEN-3  Turns\n")
    assert RULES[2].text in done.out
    assert "source: tests" in done.out


def test_the_beginning_of_an_id_lists_what_begins_with_it(run: Run) -> None:
    lines = run("rules", "PEN-").out.splitlines()
    assert [line.split()[0] for line in lines] == ["id", *(rule.id for rule in RULES)]


def test_words_list_the_rules_that_have_all_of_them(run: Run) -> None:
    wanted = {rule.id for rule in RULES if "dice" in rule.text.lower() and "hit" in rule.text}
    found = run("rules", "DICE", "hit", "--json").json
    assert len(wanted) > 1
    assert {rule["id"] for rule in found} == wanted
    assert {rule["ruleset"] for rule in found} == {"pennant"}


def test_full_shows_every_text(run: Run) -> None:
    done = run("rules", "--full")
    assert all(rule.text in done.out for rule in RULES)


def test_no_such_rule(run: Run) -> None:
    run("rules", "kraken").assert_mistake("kraken")
    assert run("rules", "kraken", "--json").json == []


def test_the_next_id_of_an_area_is_free_and_the_one_before_is_not(run: Run) -> None:
    taken = {rule.id for rule in RULES}
    free = run("rules", "--next", "pen").out.strip()
    assert free not in taken
    assert f"PEN-{int(free.removeprefix('PEN-')) - 1}" in taken
    assert run("rules", "--next", "PEN-", "--json").json == {"id": free}


def test_the_next_id_is_that_of_any_game_rulings_too(ask: Run) -> None:
    for area in ("CT-CRIT", "RUL"):
        free = ask("rules", "--next", area).out.strip()
        assert free.startswith(area + "-")
        assert not ask("rules", free, "--json").json
        begin, _, number = free.rpartition("-")
        assert ask("rules", f"{begin}-{int(number) - 1:02}", "--json").json


def test_the_next_id_of_no_area_says_how_one_begins(run: Run) -> None:
    run("rules", "--next", "kraken").assert_mistake("KRAKEN-...")


def test_filters_of_the_rules_of_war_at_sea(ask: Run) -> None:
    found = ask("rules", "--area", "los", "--edition", "2009", "--status", "done", "--json").json
    wanted = [
        rule.id
        for rule in GAME.catalogue.rules()
        if rule.area == "LOS" and "2009" in rule.editions and rule.status == "done"
    ]
    assert wanted
    assert [rule["id"] for rule in found] == wanted


def test_a_unit_by_its_id_is_shown_with_all_its_figures() -> None:
    done = spawn("units", "uss-atlanta-cl-51")
    assert done.code == 0
    for words in (
        "USS Atlanta",
        "vital armor",
        "antiair-specialist",
        "where the figures come from",
    ):
        assert words in done.out


def test_units_are_filtered(ask: Run) -> None:
    arguments = ("--nation", "japan", "--type", "carrier", "--side", "axis")
    found = ask("units", *arguments, "--json").json
    wanted = {
        unit.id
        for unit in GAME.catalogue.units()
        if (unit.data["nation"], unit.data["subtype"]) == ("Japan", "Carrier")
    }
    assert len(wanted) > 3
    assert {unit["id"] for unit in found} == wanted
    kinds = {flag: ask("units", *arguments, flag, "--json").json for flag in FLAGS}
    parts = {flag: {unit["id"] for unit in units} for flag, units in kinds.items()}
    assert parts["--playable"] | parts["--missing"] == wanted
    assert not parts["--playable"] & parts["--missing"]


def test_the_list_of_units_has_their_figures(ask: Run) -> None:
    heads, *rows = ask("units", "--nation", "japan", "--type", "carrier").out.splitlines()
    figures = ["cost", "speed", "hull", "armor", "vital"]
    assert [name for name in heads.split() if name in figures] == figures
    units = {unit.id: unit.data for unit in GAME.catalogue.units()}
    assert rows
    for row in rows:
        data = units[row.split()[0]]
        names = ("year", "cost", "speed", "hullPoints", "armor", "vitalArmor")
        assert row.split()[-7:-1] == [str(data[name]) for name in names]


FLAGS = ("--playable", "--missing")


def test_a_unit_that_is_not_playable_names_what_is_missing(run: Run) -> None:
    assert "no: haunt" in run("units", "ghost").out
    lines = run("units").out.splitlines()
    assert lines[0].split() == ["id", "name", "playable"]
    assert lines[2].split(maxsplit=2) == ["ghost", "Ghost", "no: haunt"]


def test_no_such_unit(run: Run) -> None:
    run("units", "kraken").assert_mistake("No unit")


@pytest.mark.parametrize("command", ["rules", "units"])
def test_a_ruleset_that_is_not_installed(run: Run, command: str) -> None:
    run(command, "--ruleset", "chess").assert_mistake("chess", "not installed")
