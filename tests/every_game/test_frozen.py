"""Stored events are for ever: their names, numbers, forms and examples do not change.

A form may grow, by fields with a default; the file then holds the grown one, so that what was
added once cannot go unseen either.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from domain.kernel.agreed import options_of
from domain.kernel.codec import canonical
from domain.kernel.event import Event
from domain.kernel.values import Value
from tests.support import frozen, option_records
from tests.support.additive import breaks
from tests.support.suites import Suite, suites

FROZEN = {name: frozen.load(suite) for name, suite in suites().items()}


@pytest.mark.parametrize(
    ("suite", "type_"),
    [
        pytest.param(suite, type_, id=frozen.key(suite, type_))
        for suite in suites().values()
        for type_ in frozen.kinds(suite)
    ],
)
def test_the_form_of_an_event_is_the_frozen_one(suite: Suite, type_: type[Any]) -> None:
    known = FROZEN[suite.folder].get(frozen.key(suite, type_))
    assert known is not None, "new: make remake freezes it (python -m tests.support.frozen)"
    found = frozen.broken(type_, known)
    assert not found, frozen.advice(suite, type_, found)
    assert frozen.form(type_) == known["form"], (
        "it grew: make remake takes it in (python -m tests.support.frozen)"
    )


@pytest.mark.parametrize(
    ("suite", "name"),
    [
        pytest.param(suites()[folder], name, id=name)
        for folder, known in FROZEN.items()
        for name in known
    ],
)
def test_what_was_stored_is_read_and_written_as_it_was(suite: Suite, name: str) -> None:
    stored, _, number = name.rpartition(".v")
    example = canonical(FROZEN[suite.folder][name]["example"])
    event = suite.codec.decode(stored, int(number), example)
    assert suite.codec.name(event) == stored
    if int(number) == event.SCHEMA:
        assert suite.codec.encode(event) == example


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_no_two_events_share_a_name(suite: Suite) -> None:
    types = suite.game.events
    assert len({frozen.key(suite, type_) for type_ in types}) == len(types)


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_a_field_more_or_less_is_noticed(suite: Suite) -> None:
    for type_ in frozen.kinds(suite):
        fields = [(f.name, f.type) for f in msgspec.structs.fields(type_)]
        more = msgspec.defstruct(type_.__name__, [*fields, ("surplus", int, 0)])
        assert frozen.form(more) != frozen.form(type_)


# What is free, and what is not


class Inner(Value, frozen=True, omit_defaults=True):
    count: int = 0


class Grown(Value, frozen=True, omit_defaults=True):
    count: int = 0
    side: str = ""


class Plain(Value, frozen=True):
    count: int = 0


class PlainGrown(Value, frozen=True):
    count: int = 0
    side: str = ""


class One(Value, frozen=True, tag="one"):
    pass


class Two(Value, frozen=True, tag="two"):
    pass


def kind(*fields: Any) -> type[Any]:
    """An event with these fields."""
    return msgspec.defstruct("Moved", [*fields], bases=(Event,), frozen=True, kw_only=True)


BASE = ("unit", str)
SPEED = ("speed", int, 0)

FREE: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "nothing": ((BASE, SPEED), (BASE, SPEED)),
    "a field with a default": ((BASE,), (BASE, SPEED)),
    "one in a part": ((("part", Inner),), (("part", Grown),)),
    "one in a list of parts": ((("parts", tuple[Inner, ...]),), (("parts", tuple[Grown, ...]),)),
    "one in a dict of parts": ((("parts", dict[str, Inner]),), (("parts", dict[str, Grown]),)),
    "a word": ((("aim", Literal["hull"]),), (("aim", Literal["hull", "sail"]),)),
    "null": ((("at", Inner),), (("at", Inner | None),)),
    "a branch": ((("at", One | None),), (("at", One | Two | None),)),
    "a looser bound": (
        (("n", Annotated[int, Meta(ge=1, le=9)]),), (("n", Annotated[int, Meta(ge=0)]),)
    ),
}  # fmt: skip

BREAKING: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "a field without a default": ((BASE,), (BASE, ("speed", int))),
    "a field less": ((BASE, SPEED), (BASE,)),
    "another name": ((BASE,), (("ship", str),)),
    "another type": ((BASE,), (("unit", int),)),
    "another default": ((BASE, SPEED), (BASE, ("speed", int, 1))),
    "a default gained": ((BASE,), (("unit", str, ""),)),
    "a default lost": ((BASE, SPEED), (BASE, ("speed", int))),
    "a field that a part writes out": ((("part", Plain),), (("part", PlainGrown),)),
    "one less in a part": ((("part", Grown),), (("part", Inner),)),
    "a word less": ((("aim", Literal["hull", "sail"]),), (("aim", Literal["hull"]),)),
    "a closed list": ((BASE,), (("unit", Literal["a"]),)),
    "a branch less": ((("at", One | Two),), (("at", One),)),
    "null no more": ((("at", Inner | None),), (("at", Inner),)),
    "a tighter bound": ((("n", int),), (("n", Annotated[int, Meta(ge=1)]),)),
    "a place more": ((("at", tuple[int, int]),), (("at", tuple[int, int, int]),)),
    "a list of something else": ((("at", tuple[int, ...]),), (("at", tuple[str, ...]),)),
    "a dict of something else": ((("at", dict[str, int]),), (("at", dict[str, str]),)),
}


def judged(fields: tuple[Any, ...], then: tuple[Any, ...]) -> list[str]:
    old, new = kind(*fields), kind(*then)
    return breaks(frozen.form(old), frozen.form(new), frozen.keeping(new))


@pytest.mark.parametrize("what", FREE)
def test_what_only_grows_is_free(what: str) -> None:
    assert judged(*FREE[what]) == []


@pytest.mark.parametrize("what", BREAKING)
def test_all_else_needs_a_number(what: str) -> None:
    assert judged(*BREAKING[what])


def stand_in(
    monkeypatch: pytest.MonkeyPatch, path: Path, type_: type[Any], options: type[Any] = Inner
) -> Suite:
    """A suite whose frozen file is ``path`` and whose only type is ``type_``."""
    suite = next(iter(suites().values()))
    suite = replace(suite, game=replace(suite.game, options=options))
    monkeypatch.setattr(frozen, "file", lambda suite: path)
    monkeypatch.setattr(frozen, "kinds", lambda suite: (type_,))
    monkeypatch.setattr(frozen, "examples", lambda suite: {frozen.key(suite, type_): {}})
    return suite


def test_the_command_takes_in_what_grew_and_refuses_the_rest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "frozen.json"
    assert frozen.freeze(stand_in(monkeypatch, path, kind(BASE))) == []
    suite = stand_in(monkeypatch, path, kind(BASE, SPEED))
    assert frozen.freeze(suite) == []
    assert "grown: " in capsys.readouterr().out
    (entry,) = json.loads(path.read_bytes()).values()
    assert entry["form"] == frozen.form(kind(BASE, SPEED))
    assert entry["example"] == {}
    before = path.read_bytes()
    (told,) = frozen.freeze(stand_in(monkeypatch, path, kind(BASE)))
    assert ".speed: gone" in told
    assert "SCHEMA = 2" in told
    assert "Game.upcasters" in told
    assert path.read_bytes() == before
    struck = frozenset({frozen.key(suite, kind(BASE))})
    assert frozen.freeze(suite, struck) == []


# What is kept of an option


def terms(*fields: Any) -> type[Any]:
    """The options of a game."""
    return msgspec.defstruct("Terms", [*fields], bases=(Value,), frozen=True, omit_defaults=True)


LIGHT, WIND = ("light", Literal["day", "night"], "day"), ("wind", int, 0)


def opened(monkeypatch: pytest.MonkeyPatch, path: Path, *fields: Any) -> tuple[Suite, str]:
    """A suite whose only event says what was agreed on, and how that event is called."""
    options = terms(*fields)
    suite = stand_in(monkeypatch, path, kind(("agreed", options)), options)
    return suite, frozen.key(suite, kind())


def test_an_option_more_is_a_file_more_and_rewrites_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "frozen.json"
    suite, name = opened(monkeypatch, path, LIGHT)
    assert frozen.freeze(suite) == []
    before = {each: each.read_bytes() for each in tmp_path.rglob("*.json")}
    suite, name = opened(monkeypatch, path, LIGHT, WIND)
    assert frozen.load(suite)[name]["form"] != frozen.form(frozen.kinds(suite)[0])
    assert frozen.freeze(suite) == []
    assert frozen.load(suite)[name]["form"] == frozen.form(frozen.kinds(suite)[0])
    assert {each: each.read_bytes() for each in before} == before
    (more,) = {*tmp_path.rglob("*.json")} - before.keys()
    assert more == frozen.options_folder(suite) / "wind.json"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ([LIGHT], ".agreed.wind: gone"),
        ([LIGHT, ("wind", int, 1)], ".agreed.wind: its default is another one"),
        ([LIGHT, ("wind", bool, False)], ".agreed.wind: no integer any more"),
        ([("light", Literal["day"], "day"), WIND], ".agreed.light: no night any more"),
        ([LIGHT, WIND, ("tide", int)], ".agreed.tide: new and without a default"),
    ],
    ids=["gone", "another default", "another type", "a word less", "no default"],
)
def test_an_option_is_held_like_any_field(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fields: list[Any], said: str
) -> None:
    path = tmp_path / "frozen.json"
    assert frozen.freeze(opened(monkeypatch, path, LIGHT, WIND)[0]) == []
    before = {each: each.read_bytes() for each in tmp_path.rglob("*.json")}
    fields = sorted(fields, key=lambda field: len(field) > 2)  # those without a default first
    suite, name = opened(monkeypatch, path, *fields)
    (told,) = frozen.freeze(suite)
    assert said in told
    assert {each: each.read_bytes() for each in tmp_path.rglob("*.json")} == before
    assert frozen.freeze(suite, frozenset({name})) == []
    assert frozen.load(suite)[name]["form"] == frozen.form(frozen.kinds(suite)[0])


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_every_option_has_a_record_and_every_record_an_option(suite: Suite) -> None:
    records = option_records.load(frozen.options_folder(suite))
    assert {name for name, each in records.items() if each.form} == {
        each.name for each in options_of(suite.game.options)
    }, "make remake (python -m tests.support.frozen)"


def test_what_an_old_form_says_of_options_stays_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A type of another number is not that of today, and an option more was not in it."""
    path = tmp_path / "frozen.json"
    suite, old = opened(monkeypatch, path, LIGHT)
    assert frozen.freeze(suite) == []
    known = frozen.load(suite)[old]["form"]
    suite, _ = opened(monkeypatch, path, LIGHT, WIND)
    (type_,) = frozen.kinds(suite)
    monkeypatch.setattr(type_, "SCHEMA", 2)
    assert frozen.freeze(suite) == []
    assert frozen.load(suite)[old]["form"] == known
