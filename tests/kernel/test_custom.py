"""Documents that players bring: their form, all faults at once, and their place in the set-up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.codec import canonical
from domain.kernel.conformance import Nonconformance, check_customs
from domain.kernel.custom import Custom, Unfit, read_customs
from domain.kernel.form import GREATEST, Fault, form_faults
from domain.kernel.setup import Setup
from domain.kernel.values import Value
from tests.support.pennant import GAME


class Buoy(Value, frozen=True):
    """A buoy and its depth."""

    colour: Literal["red", "green"]
    depth: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1


class Roads(Value, frozen=True):
    """An anchorage."""

    id: Annotated[str, msgspec.Meta(pattern="^[a-z]+$", max_length=5)]
    buoys: Annotated[tuple[Buoy, ...], msgspec.Meta(min_length=1, max_length=2)]
    by_name: dict[Annotated[str, msgspec.Meta(pattern="^x")], int | Buoy] = msgspec.field(
        default_factory=dict
    )
    pair: tuple[int, str] | None = None
    lit: bool = False
    kind: Literal[1, 2] = 1


def judge(roads: Roads) -> Iterator[Fault]:
    """The rules of the toy: no red buoy in deep water."""
    for number, buoy in enumerate(roads.buoys):
        if buoy.colour == "red" and buoy.depth > 5:
            yield Fault("map.too-deep", f"/buoys/{number}", "Too deep.", "TOY-01", "At most 5.")


GOOD: dict[str, Any] = {"id": "abc", "buoys": [{"colour": "red"}]}
ROADS = Custom("map", "Roads", "An anchorage.", Roads, judge, lambda: (GOOD,))
SETUP = Setup("pennant", "1", "standard", ("p1", "p2"))


def codes(document: Any) -> dict[str, str]:
    """Pointer to code of every fault."""
    return {fault.pointer: fault.code for fault in ROADS.check(document)}


def test_a_good_document_is_read() -> None:
    assert codes(GOOD) == {}
    assert ROADS.read(GOOD) == Roads("abc", (Buoy("red"),))


def test_all_faults_of_form_are_told_at_once_each_with_its_place() -> None:
    document = {
        "id": "ABC",
        "buoys": [{"colour": "blue", "depth": 10}, {"depth": True}, {"colour": "red", "a/b~": 1}],
        "byName": {"y": 1, "x": "no"},
        "pair": [1],
        "lit": 1,
        "kind": 3,
        "more": 0,
    }
    assert codes(document) == {
        "/id": "document.bad-text",
        "/buoys": "document.too-long",
        "/buoys/0/colour": "document.not-a-choice",
        "/buoys/0/depth": "document.out-of-range",
        "/buoys/1": "document.missing-field",
        "/buoys/1/depth": "document.wrong-type",
        "/buoys/2/a~1b~0": "document.unknown-field",
        "/byName/y": "document.bad-text",
        "/byName/x": "document.wrong-type",
        "/pair": "document.too-short",
        "/lit": "document.wrong-type",
        "/kind": "document.not-a-choice",
        "/more": "document.unknown-field",
    }
    assert all(fault.text and fault.hint for fault in ROADS.check(document))


def test_the_rules_judge_what_has_the_right_form() -> None:
    deep = GOOD | {"buoys": [{"colour": "green", "depth": 9}, {"colour": "red", "depth": 6}]}
    assert ROADS.check(deep) == (
        Fault("map.too-deep", "/buoys/1", "Too deep.", "TOY-01", "At most 5."),
    )
    assert "map.too-deep" not in codes(deep | {"lit": 1}).values()


@pytest.mark.parametrize("text", ["a\n", "a\x00", "a\ud800", "\u2028"])
def test_what_cannot_be_printed_is_refused(text: str) -> None:
    assert codes(GOOD | {"id": text}) == {"/id": "document.bad-text"}


@pytest.mark.parametrize("number", [1.0, 1.5, GREATEST + 1, -GREATEST - 1])
def test_numbers_are_integers_that_every_reader_holds(number: Any) -> None:
    assert set(codes(GOOD | {"byName": {"x": number}})) == {"/byName/x"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["red", "abc", "x", "Z", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "buoys", "colour", "depth", "byName", "x", "y", "pair"]), inner
        )
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*Roads.__struct_encode_fields__, "other"]), JSON))
def test_the_form_is_what_the_schema_says_and_what_the_decoder_takes(more: dict[str, Any]) -> None:
    document = GOOD | more
    faults = tuple(form_faults(ROADS.schema, document))
    valid = jsonschema.Draft202012Validator(ROADS.schema).is_valid(document)
    assert (not faults) == valid
    try:
        msgspec.convert(document, Roads)
    except msgspec.ValidationError:
        assert faults
    else:
        assert not faults


def test_a_set_up_names_the_faults_of_all_its_documents() -> None:
    with pytest.raises(Unfit) as refused:
        read_customs((ROADS,), {"map": GOOD | {"lit": 1, "id": ""}, "deck": {}})
    assert refused.value.code == "document.faulty"
    assert {(fault.pointer, fault.code) for fault in refused.value.faults} == {
        ("/customs/map/lit", "document.wrong-type"),
        ("/customs/map/id", "document.bad-text"),
        ("/customs/deck", "document.unknown-kind"),
    }
    assert read_customs((ROADS,), {"map": GOOD}) == {"map": ROADS.read(GOOD)}
    with pytest.raises(Unfit) as alone:
        ROADS.read({}, "/map")
    assert {fault.pointer for fault in alone.value.faults} == {"/map"}


def test_a_set_up_without_documents_is_written_as_before_there_were_any() -> None:
    assert json.loads(canonical(SETUP)) == {
        "ruleset": "pennant",
        "edition": "1",
        "scenario": "standard",
        "seats": ["p1", "p2"],
        "options": {},
    }
    brought = msgspec.structs.replace(SETUP, customs={"map": GOOD})
    assert json.loads(canonical(brought))["customs"] == {"map": GOOD}
    assert msgspec.json.decode(canonical(brought), type=Setup) == brought


@pytest.mark.parametrize(
    "customs",
    [
        (ROADS, ROADS),
        (replace(ROADS, examples=lambda: ()),),
        (replace(ROADS, examples=lambda: ({},)),),
        (replace(ROADS, judge=lambda roads: (Fault("", "", "?"),)),),
    ],
)
def test_conformance_sees_a_kind_of_document_that_breaks_a_promise(customs: Any) -> None:
    with pytest.raises(Nonconformance):
        check_customs(replace(GAME, customs=customs))


def test_conformance_passes_a_kind_of_document_that_keeps_them() -> None:
    check_customs(GAME)
    check_customs(replace(GAME, customs=(ROADS,)))
    hash(replace(GAME, customs=(ROADS,)))


class Chart(Value, frozen=True):
    """Two places of the same kind, and two of different ones."""

    spot: tuple[int, int]
    named: tuple[int, str]


def test_a_pair_of_one_kind_is_a_list_of_two_in_the_schema() -> None:
    chart: Custom[Chart] = Custom("map", "Chart", "A chart.", Chart, lambda document: ())
    fields = chart.schema["$defs"]["Chart"]["properties"]
    pair = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}}
    assert fields["spot"] == pair
    assert len(fields["named"]["prefixItems"]) == 2
    assert not chart.check({"spot": [1, 2], "named": [1, "one"]})
    wrong = ([1], [1, 2, 3], [1, "two"])
    assert all(chart.check({"spot": spot, "named": [1, "one"]}) for spot in wrong)
