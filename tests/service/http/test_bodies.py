"""A new game takes every field up to its bound, and shows what it was given as it was given.

Nobody names a field here: bounds and types are those of the request.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import inspect as forms

from service.models import GameSummary, NewGame
from tests.service.http.table import Table

TWO = {"beta Cup": "Äpfel", "Alpha Ä": "zebra"}
"""Two unlike values of a free text, in mixed case, the later one first; each with another."""
OTHERWISE = {
    "seats": "as many as the ruleset has",
    "ruleset": "one that there is",
    "edition": "one that the ruleset has",
    "scenario": "one that the ruleset has",
    "forfeit": "of grades in which links are waited for, see desk/test_forfeit.py",
}
"""Fields whose greatest value is another's business."""


def fields(type_: Any) -> dict[str, Any]:
    """Each field with the form of its value, without that of being left out."""
    form = forms.type_info(type_)
    assert isinstance(form, forms.StructType)
    return {each.encode_name: _given(each.type) for each in form.fields}


def _given(form: Any) -> Any:
    if isinstance(form, forms.Metadata):
        return _given(form.type)
    if isinstance(form, forms.UnionType):
        (only, *more) = [e for e in form.types if not isinstance(e, forms.CustomType)]
        return form if more else _given(only)
    return form


def widest(form: Any) -> Iterator[Any]:
    """The greatest and the least value of a form, where it has bounds."""
    if isinstance(form, forms.StrType) and form.max_length and form.pattern is None:
        yield "x" * form.max_length
    if isinstance(form, forms.IntType):
        yield from (each for each in (form.ge, form.le) if each is not None)
    if isinstance(form, forms.VarTupleType | forms.ListType) and form.max_length:
        inner = _given(form.item_type)
        if isinstance(inner, forms.StrType):
            size = inner.max_length or 8
            yield [f"{number}".ljust(size, "x") for number in range(form.max_length)]


BOUNDS = [
    pytest.param(name, value, id=f"{name}-{number}")
    for name, form in fields(NewGame).items()
    if name not in OTHERWISE
    for number, value in enumerate(widest(form))
]


@pytest.mark.parametrize(("name", "value"), BOUNDS)
def test_a_value_at_its_bound_is_taken(table: Table, name: str, value: Any) -> None:
    given = table.post("/v1/games", {"ruleset": "pennant", name: value})
    assert given.status_code == 201, f"{name} is bounded in service/models.py: {given.text}"
    shown = given.json()["game"]
    if name in shown:
        read = table.get(f"/v1/games/{shown['id']}").json()
        assert (shown[name], read[name]) == (value, value), f"{name}: service/play/opening.py"


def free(form: Any) -> Any:
    """Two unlike values of a text that may be anything, alone or in a list."""
    if isinstance(form, forms.StrType) and form.pattern is None:
        return [each[: form.max_length] for each in TWO]
    if isinstance(form, forms.VarTupleType | forms.ListType):
        inner = free(_given(form.item_type))
        return [inner, list(TWO.values())] if inner else None
    return None


def test_a_free_text_is_shown_as_it_was_given(table: Table) -> None:
    shown = fields(GameSummary)
    posted = {name: two for name, form in fields(NewGame).items()
              if name in shown and (two := free(form))}  # fmt: skip
    assert "name" in posted
    for at in (0, 1):
        wish = {name: two[at] for name, two in posted.items()}
        match = table.create(**wish)
        for summary in (match.created.json()["game"], table.get(match.path).json()):
            assert {name: summary[name] for name in wish} == wish, "service/play/opening.py"
