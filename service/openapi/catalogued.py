"""Entries of catalogues, a branch for each kind of each ruleset: their figures have types."""

from __future__ import annotations

from typing import Any, cast

from msgspec import UNSET, UnsetType, defstruct
from msgspec.structs import FieldInfo, fields

from domain.kernel.shown.catalogue import Form
from domain.kernel.values import Value


class Nothing(Value, frozen=True):
    """Nothing is told."""


def figures(kind: str, form: Form) -> type[Value]:
    """The type of the figures of such entries."""
    beside = fields(form.beside) if form.beside else ()
    left = {*form.without, *(each.name for each in beside)}
    every = [each for each in fields(form.data) if each.name not in left]
    lines = (form.data.__doc__ or "").splitlines()
    told = [line for line in lines if line.split()[:1] not in [[name] for name in form.without]]
    return _struct(f"{kind.title()}Figures", [*every, *beside], "\n".join(told))


def whence(kind: str, form: Form) -> type[Value]:
    """The type of where their figures come from."""
    told = form.provenance or Nothing
    return _struct(f"{kind.title()}Provenance", list(fields(told)), told.__doc__)


def _struct(name: str, every: list[FieldInfo], told: str | None) -> type[Value]:
    typed: list[Any] = [
        (each.name, each.type, UNSET) if _may_be_absent(each) else (each.name, each.type)
        for each in every
    ]
    made: Any = defstruct(
        name, typed, bases=(Value,), frozen=True, kw_only=True, namespace={"__doc__": told}
    )
    return cast("type[Value]", made)


def _may_be_absent(field: FieldInfo) -> bool:
    return UnsetType in getattr(field.type, "__args__", ())
