"""The smallest example of a type, and whether a function knows what it was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import inspect as forms

UNREACHED = "Expected code to be unreachable"
"""What ``assert_never`` says."""


def smallest(kind: type[msgspec.Struct]) -> Any:
    """A struct of the kind with the least that each field may hold."""
    form = forms.type_info(kind)
    assert isinstance(form, forms.StructType)
    return _struct(form)


def _struct(form: forms.StructType) -> Any:
    given = {each.name: _least(each.type) for each in form.fields if each.required}
    return form.cls(**given)


def _least(form: forms.Type) -> Any:
    match form:
        case forms.StructType():
            return _struct(form)
        case forms.LiteralType(values=values):
            return values[0]
        case forms.TupleType(item_types=items):
            return tuple(_least(each) for each in items)
        case forms.UnionType(types=types):
            return None if any(isinstance(t, forms.NoneType) for t in types) else _least(types[0])
        case forms.IntType(ge=least):
            return least or 0
        case forms.Metadata(type=inner):
            return _least(inner)
    return _empty(form)


def _empty(form: forms.Type) -> Any:
    match form:
        case forms.StrType():
            return ""
        case forms.BoolType():
            return False
        case forms.DictType():
            return {}
        case forms.VarTupleType() | forms.ListType():
            return ()
    return None


def reached(ask: Callable[[], Any], thing: Any, *, real: bool) -> bool:
    """Whether a function has an answer for a thing.

    real  the thing is from a game: anything that goes wrong is no answer. What was made up may well
          not fit the state; there only a function that does not know the type has no answer
    """
    try:
        ask()
    except AssertionError as error:
        return not real and UNREACHED not in str(error)
    except KeyError as error:
        return not real and type(thing) not in error.args
    except Exception:
        return not real
    return True
