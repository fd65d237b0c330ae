"""Canonical JSON leaves defaults out by equality, whichever object holds the value."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec
import pytest

from domain.kernel.codec import canonical, read_back
from domain.kernel.defaults import is_single, settled
from domain.kernel.values import Hidden, Known, Part
from tests.support.suites import Suite, suites

T = TypeVar("T")


class Inner(Part, frozen=True):
    word: str = "public"
    number: int = 4_000
    pair: tuple[int, int] = (1, 2)


class Box(Part, Generic[T], frozen=True):
    thing: T


class Outer(Part, frozen=True):
    name: str
    hand: Known[str] | Hidden = Hidden(0)
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()
    by: dict[str, Inner] = msgspec.field(default_factory=dict)
    box: Box[Inner] | None = None
    loose: Any = None


def fresh(value: Any) -> Any:
    """An equal of ``value`` that is another object."""
    return msgspec.json.decode(msgspec.json.encode(value), type=type(value))


@pytest.mark.parametrize(
    ("field", "wrap"),
    [
        ("inner", lambda inner: inner),
        ("many", lambda inner: (inner,)),
        ("by", lambda inner: {"a": inner}),
        ("box", Box),
        ("loose", lambda inner: [{"a": inner}]),
    ],
)
def test_equals_of_defaults_are_left_out_wherever_they_stand(field: str, wrap: Any) -> None:
    made = Inner(fresh("public"), fresh(4_000), fresh((1, 2)))
    assert all(getattr(made, f) is not getattr(Inner(), f) for f in Inner.__struct_fields__)
    one, other = Outer("x", **{field: wrap(Inner())}), Outer("x", **{field: wrap(made)})
    assert one == other
    assert canonical(one) == canonical(other)
    assert b"public" not in canonical(other)


def test_a_default_that_is_a_value_itself_is_left_out() -> None:
    assert canonical(Outer("x", hand=Hidden(0))) == b'{"name":"x"}'
    assert canonical([Outer("x", hand=Hidden(1))]) == (
        b'[{"hand":{"count":1,"sight":"hidden"},"name":"x"}]'
    )


def test_what_equals_a_default_and_is_of_another_type_is_written() -> None:
    assert canonical(Outer("x", loose=Inner(number=True))) == (
        b'{"loose":{"number":true},"name":"x"}'
    )


def test_what_needs_no_change_is_the_very_object() -> None:
    for value in (Outer("x"), [Outer("x")], {"a": (Inner(word="other"),)}, 7, None):
        assert settled(value) is value


@pytest.mark.parametrize("value", [None, True, False, 0, 1, -5, 256, "", (), msgspec.UNSET])
def test_a_single_value_is_the_same_object_however_it_was_made(value: Any) -> None:
    assert is_single(value)
    if value is not msgspec.UNSET:
        kind = tuple[int, ...] if value == () else type(value)
        assert msgspec.json.decode(msgspec.json.encode(value), type=kind) is value


@pytest.mark.parametrize("value", [257, -6, "a", "pub", (0,), Hidden(0)])
def test_others_are_not(value: Any) -> None:
    assert not is_single(value)


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_options_that_say_what_is_so_anyway_are_left_out(suite: Suite) -> None:
    """Every option at its default, handed in as JSON: the stored form is that of no option."""
    options = suite.game.options
    spelt = msgspec.json.encode({f.encode_name: f.default for f in msgspec.structs.fields(options)})
    given = msgspec.json.decode(spelt, type=options)
    assert given == options()
    assert canonical(given) == b"{}"
    assert read_back(given) == given
