"""Every marker and state of each game is to be seen in a picture."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules.state import Unit as CrimsonUnit
from domain.games.crimson_tide.shown.scenes import pieces as ct_pieces
from domain.games.naval_battles.shown.scenes import cards as nb_cards
from domain.games.war_at_sea.shown.scenes import pieces as was_pieces
from domain.kernel.shown.scene import Paint
from projections.svg import CLASS, STYLE
from tests.support.suites import AnyGame, suites

from .drawn import classes, picture, position
from .tables import CRIMSON_TIDE, NAVAL_BATTLES, TABLES, Table


def _ids(tables: tuple[Table, ...]) -> list[str]:
    return [table.folder for table in tables]


def game_of(table: Table) -> AnyGame:
    return suites()[table.folder].game


def start_of(table: Table) -> Any:
    return position(table.folder, *table.at)


def with_unit(table: Table, state: Any, **changes: Any) -> Any:
    """The position with its chosen unit changed."""
    units = dict(getattr(state, table.units))
    units[table.unit] = replace(units[table.unit], **changes)
    return replace(state, **{table.units: units})


def _cells(which: str) -> list[Any]:
    return [
        pytest.param(table, name, value, id=f"{table.folder}-{name}")
        for table in TABLES
        for name, value in getattr(table, which).items()
    ]


@pytest.mark.parametrize("table", TABLES, ids=_ids(TABLES))
def test_every_field_has_its_row(table: Table) -> None:
    for struct, rows in (
        (table.state, (table.shown, table.told, table.undrawn)),
        (table.piece, (table.unit_shown, table.unit_told, table.unit_undrawn)),
    ):
        named = [name for part in rows for name in part]
        fields = sorted(field.name for field in msgspec.structs.fields(struct))
        assert sorted(named) == fields, f"rows of {table.folder} in tests/pictures/tables.py"


@pytest.mark.parametrize(("table", "name", "row"), _cells("shown"))
def test_a_field_of_the_state_adds_something(table: Table, name: str, row: tuple[Any, str]) -> None:
    game, state = game_of(table), start_of(table)
    value, expected = row
    before = classes(picture(game, state))[expected]
    after = classes(picture(game, replace(state, **{name: value})))[expected]
    if name == table.units:
        assert classes(picture(game, replace(state, **{name: value})))["unit"] == 0
        assert classes(picture(game, state))["unit"] == len(getattr(state, name))
    else:
        assert after > before or (after > 0 and _differs(game, state, name, value)), name


def _differs(game: AnyGame, state: Any, name: str, value: Any) -> bool:
    return picture(game, state) != picture(game, replace(state, **{name: value}))


@pytest.mark.parametrize(("table", "name", "value"), _cells("told"))
def test_a_field_of_the_state_is_told(table: Table, name: str, value: Any) -> None:
    state = start_of(table)
    if name in ("earlier", "battle"):
        state = replace(state, scenario="linked")
    assert _differs(game_of(table), state, name, value)


@pytest.mark.parametrize(("table", "name", "row"), _cells("unit_shown"))
def test_a_field_of_a_unit_adds_a_marker(table: Table, name: str, row: tuple[Any, str]) -> None:
    game, value, expected = game_of(table), row[0], row[1]
    fields = {field.name: field for field in msgspec.structs.fields(table.piece)}
    plain = fields[name].default if fields[name].default is not msgspec.NODEFAULT else None
    state = start_of(table)
    changes = {name: value} | ({"sector": ""} if name == "base" else {})
    without = with_unit(table, state, **({name: plain} if plain is not None else {}))
    before = classes(picture(game, without))[expected]
    after = classes(picture(game, with_unit(table, without, **changes)))[expected]
    assert after > before


@pytest.mark.parametrize(("table", "name", "value"), _cells("unit_told"))
def test_a_field_of_a_unit_is_told(table: Table, name: str, value: Any) -> None:
    game, state = game_of(table), start_of(table)
    assert picture(game, state) != picture(game, with_unit(table, state, **{name: value}))


# --- what only a built position shows ------------------------------------------------------------


def test_an_aircraft_shows_its_mission_and_what_it_is_beside() -> None:
    game, state = game_of(CRIMSON_TIDE), start_of(CRIMSON_TIDE)
    plane = CrimsonUnit("p1-90", "pby-5a", "p1", base="land-base")
    plane = replace(plane, card=next(u.card for u in state.units.values() if u.pose is None))
    based = replace(state, units={**state.units, plane.id: plane})
    flying = replace(
        plane, at=(300_000, 300_000), mission="strafe", beside="p2-4", side="bow", aborted=True
    )
    aloft = replace(state, units={**state.units, plane.id: flying})
    told = plane.id, "at the land base"
    assert all(word in picture(game, based) for word in told)
    assert classes(picture(game, based))["mission-strafe"] == 0
    assert classes(picture(game, aloft))["mission-strafe"] == 1
    assert "bow of" in picture(game, aloft)


def test_a_submarine_shows_its_side() -> None:
    game, state = game_of(NAVAL_BATTLES), start_of(NAVAL_BATTLES)
    boats = {s.id: s for s in state.ships.values() if s.row == 0}
    assert boats
    for active, marker in ((True, "marker-active"), (False, "marker-passive")):
        ships = {**state.ships, **{k: replace(s, active=active) for k, s in boats.items()}}
        assert classes(picture(game, replace(state, ships=ships)))[marker] == len(boats)


def test_a_linked_battle_tells_its_number() -> None:
    game, state = game_of(NAVAL_BATTLES), start_of(NAVAL_BATTLES)
    linked = replace(state, scenario="linked", battle=3)
    assert "battle 3" in picture(game, linked)


@pytest.mark.parametrize("home", ["east", "west"])
def test_a_table_that_is_turned_is_drawn_turned(home: str) -> None:
    game, state = game_of(CRIMSON_TIDE), start_of(CRIMSON_TIDE)
    turned = replace(state, options=replace(state.options, home=home))
    assert "table 60 by 40 klicks" in picture(game, turned)
    assert f"p1 (full), {home} edge" in picture(game, turned)


def test_the_unit_that_is_asked_about_stands_out() -> None:
    game, state = game_of(CRIMSON_TIDE), start_of(CRIMSON_TIDE)
    quiet = replace(state, shot=None)
    plain = classes(picture(game, quiet))
    assert classes(picture(game, quiet, unit="p1-4"))["focus"] > plain["focus"]


def test_nothing_is_measured_while_a_battle_runs() -> None:
    """Arcs and range bands are drawn when the battle is over: no shot is undeclared then."""
    game, state = game_of(CRIMSON_TIDE), start_of(CRIMSON_TIDE)
    measures = ("range-band", "arc-forward", "arc-aft", "arc-starboard", "arc-port")
    quiet = replace(state, shot=None, result=None)
    shot = CRIMSON_TIDE.shown["shot"][0]
    measured = replace(quiet, shot=replace(shot, attacker="p1-5", band=2))
    over = replace(quiet, result=CRIMSON_TIDE.told["result"])
    for name in measures:
        assert classes(picture(game, quiet, unit="p1-5"))[name] == 0
        assert classes(picture(game, measured, unit="p1-5"))[name] == 0
        assert classes(picture(game, over, unit="p1-5"))[name] > 0


# --- it can be read ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [was_pieces, ct_pieces, nb_cards], ids=["was", "ct", "nb"])
def test_no_two_markers_or_types_look_alike(table: Any) -> None:
    letters = [marker.letter for marker in table.MARKERS.values()]
    assert len(set(letters)) == len(letters)
    assert len(set(table.LETTERS.values())) == len(table.LETTERS)


def test_every_paint_has_a_look() -> None:
    for paint in get_args(Paint):
        if paint != "text":  # letters without a paint of their own
            assert f".{paint}" in STYLE, paint


def test_the_style_touches_nothing_else_on_a_page() -> None:
    for line in STYLE.split("\n"):
        rule = line.removeprefix("@media (prefers-color-scheme:dark){")
        for selector in rule.partition("{")[0].split(","):
            assert not rule or selector.startswith(f".{CLASS}"), line
