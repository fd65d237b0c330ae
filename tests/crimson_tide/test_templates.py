"""Where the choice is continuous the list has both: some commands that are ready, and a template
that describes these and closes every parameter (contract, rule 9)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.games.crimson_tide.rules import commands as c
from domain.games.crimson_tide.rules import helm, placing
from domain.games.crimson_tide.rules.cards import cards
from domain.games.crimson_tide.rules.geometry.hull import halves
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.crimson_tide.rules.state import Land, State
from domain.games.crimson_tide.shown.preview import preview
from domain.kernel import conformance
from domain.kernel.options import Options, Template
from tests.support.templated import drawn, plain

from .random_battles import game_of, setup_of
from .seas import SEATS
from .table import CAPITAL, LARGE, MEDIUM, SMALL, SUBMARINE, refusal, table, unit

COMMANDS = 150
"""Steps of each battle that are looked at."""


def closed(schema: dict[str, Any]) -> bool:
    """Whether a parameter has a finite set of values."""
    if "enum" in schema or "const" in schema or schema.get("type") == "boolean":
        return True
    if schema.get("type") == "integer":
        return {"minimum", "maximum"} <= set(schema)
    if schema.get("type") == "array":
        parts = [*schema.get("prefixItems", ()), *([schema["items"]] if "items" in schema else ())]
        return bool(parts) and all(closed(part) for part in parts)
    if schema.get("type") == "object":
        return all(closed(part) for part in schema["properties"].values())
    return any(closed(part) for part in schema.get("oneOf", schema.get("anyOf", ())))


def named(command: dict[str, Any]) -> dict[str, Any]:
    """The command without what is empty: a template does not name what may be left out."""
    return {name: value for name, value in command.items() if value != ""}


def look(options: Options[Any], seen: Counter[str]) -> None:
    """Every template is closed, and describes the ready commands of its type."""
    schemas: dict[str, list[dict[str, Any]]] = {}
    for template in options.templates:
        schema = plain(template)["schema"]
        assert schema["additionalProperties"] is False
        open_ones = {n: s for n, s in schema["properties"].items() if not closed(s)}
        assert open_ones == {}, template.type
        schemas.setdefault(template.type, []).append(schema)
    for kind, found in schemas.items():
        ready = [named(plain(c)) for c in options.commands if c.__struct_config__.tag == kind]
        assert ready or options.commands, kind
        for command in ready:
            if command.get("mission", "free") != "free":
                continue  # where the missions are flown to is finite, and listed whole
            assert any(Draft202012Validator(each).is_valid(command) for each in found), command
            seen[kind] += 1


def test_ready_commands_and_closed_templates_stand_side_by_side() -> None:
    seen: Counter[str] = Counter()
    phases = set()
    for seed in (1, 2):
        game, setup = game_of(seed), setup_of(seed)
        played = conformance.play(game, setup, random.Random(seed).randrange)
        for step in islice(played, COMMANDS):
            for seat in SEATS:
                options = game.legal(step.state, seat)
                if options.templates:
                    phases.add(step.state.step.phase)
                    look(options, seen)
    assert phases >= {"movement", "placing", "air-deployment"}
    assert sum(seen.values()) > 100
    assert seen["crimson-tide.move"] > seen["crimson-tide.deploy"] > 0


# --- what a template describes is accepted -------------------------------------------------------

SAMPLES = 40


def orders(state: State, dice: random.Random) -> Iterator[tuple[c.Move, Template]]:
    """Orders to the first unit that its template describes, with the template."""
    template = helm.template(state, state.units["p1-1"])
    schema = plain(template.schema)
    for _ in range(SAMPLES):
        command = drawn(schema, dice)
        assert Draft202012Validator(schema).is_valid(command), command
        yield msgspec.convert(command, c.Move), template


def named_in(template: Template) -> set[tuple[str, str]]:
    """Refusals that a template leaves open, by code and rule."""
    return {(each.code, each.rule) for each in template.refusals}


FIELDS: list[dict[str, Any]] = [
    {}, {"stopped": True}, {"stopped": True, "must_reverse": True}, {"criticals": (4,)},
    {"stopped": True, "criticals": (4,)}, {"criticals": (5,)}, {"criticals": (11,)},
    {"stopped": True, "must_reverse": True, "away_ahead": True},
]  # fmt: skip


@pytest.mark.rule("CT-FSM-15")
@pytest.mark.parametrize("side", ["free", "ahead", "astern", "alongside"])
@pytest.mark.parametrize("card", [CAPITAL, LARGE, MEDIUM, SMALL, SUBMARINE])
def test_whatever_an_order_template_describes_is_accepted(card: str, side: str) -> None:
    """In open water, and with another base right at bow, stern or side."""
    dice = random.Random(f"{card} {side}")
    size = cards()[card].size
    assert size is not None
    (length, beam), (long, wide) = halves(size), halves("small")
    at = {"ahead": (0, length + long), "astern": (0, -length - long), "alongside": (beam + wide, 0)}
    x, y = (500_000 + each for each in at.get(side, (400_000, 400_000)))
    taken = 0
    for fields in FIELDS:
        state = table(
            unit("p1-1", card, 500_000, 500_000, **fields), unit("p2-1", SMALL, x, y, 360)
        )
        for move, template in orders(state, dice):
            no = refusal(state, move)
            assert no is None or no in named_in(template), (fields, move, no)
            taken += no is None
    assert taken > len(FIELDS) * SAMPLES // 2


@pytest.mark.rule("CT-FSM-17")
def test_whatever_a_place_template_describes_is_accepted() -> None:
    """But for what it names: the heading decides at the edges of the zone; land and other bases."""
    taken = tried = 0
    for seed in range(8):
        game, setup = game_of(seed), setup_of(seed)
        dice = random.Random(f"places {seed}")
        for step in islice(conformance.play(game, setup, dice.randrange), COMMANDS):
            state: State = step.state
            for seat in SEATS if state.step.phase == "placing" else ():
                for template in game.legal(state, seat).templates:
                    command = msgspec.convert(drawn(plain(template.schema), dice), c.PlaceUnit)
                    tried += 1
                    taken += accepted(state, seat, command, template)
    assert tried > 50
    assert taken > tried // 2


def accepted(state: State, seat: str, command: c.PlaceUnit, template: Template) -> bool:
    """Whether a placing is; if not, for a reason that its template names."""
    pose = Pose(command.x, command.y, command.heading)
    no = placing.why_not_place(state, seat, command.card, pose)
    assert no is None or (no.code, no.rule) in named_in(template), no
    return no is None


@pytest.mark.rule("CT-FSM-15")
def test_an_order_that_can_only_be_legal_leaves_no_refusal_open() -> None:
    """Of ways ahead the schema says everything; astern not, unless there is one straight way."""
    free = table(unit("p1-1", CAPITAL, 500_000, 500_000))
    assert helm.template(free, free.units["p1-1"]).refusals == ()
    fields: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"move.turn-too-sharp", "move.in-contact"}),
        ({"criticals": (4,)}, set()),
        ({"criticals": (11,)}, {"move.in-contact"}),
    ]
    for given, codes in fields:
        state = table(unit("p1-1", CAPITAL, 500_000, 500_000, stopped=True, **given))
        assert {code for code, _ in named_in(helm.template(state, state.units["p1-1"]))} == codes
    agreed = table(unit("p1-1", CAPITAL, 500_000, 500_000, stopped=True), touching="collides")
    found = named_in(helm.template(agreed, agreed.units["p1-1"]))
    assert found == {("move.turn-too-sharp", "CT-MOVE-14")}


# --- the dry run of an order ---------------------------------------------------------------------


@pytest.mark.rule("CT-FSM-16")
def test_the_course_over_open_water_looks_at_nothing_else() -> None:
    rock = Land("rock", ((450_000, 560_000), (550_000, 560_000), (550_000, 580_000)), "hard")
    move = c.Move("p1-1", (0, 90, 0))
    alone = table(unit("p1-1", SMALL, 500_000, 500_000))
    full = table(
        unit("p1-1", SMALL, 500_000, 500_000), unit("p2-1", SMALL, 500_000, 552_000), land=(rock,)
    )
    told = preview(full, move)
    assert told == preview(alone, move)
    assert told is not None
    assert told["track"][0] == {"x": 500_000, "y": 525_000, "heading": 0}
    assert [pose["heading"] for pose in told["track"]] == [0, 90, 90, 90]
    assert told["offTable"] is False
    assert preview(full, c.Pass()) is None


@pytest.mark.rule("CT-FSM-16")
def test_it_tells_that_an_order_leaves_the_table() -> None:
    state = table(unit("p1-1", SMALL, 500_000, 10_000, 360))
    told = preview(state, c.Move("p1-1", (0, 0)))
    assert told is not None
    assert told["offTable"] is True
