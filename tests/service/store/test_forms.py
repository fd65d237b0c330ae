"""Stored forms are for ever: frozen rows are read, and new rows look like them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.naval_battles import GAME
from domain.games.war_at_sea.game import GAME as AT_SEA
from domain.kernel.codec import canonical
from service.evidence.chain import GENESIS, Seals
from service.evidence.changed import Part, Reading, joined
from service.evidence.records import RECORDS, RulesChanged, Takeback
from service.evidence.service_events import decode
from service.store.rows import read_rows
from service.views.views import tell
from tests.support import pennant, soundings

from .freeze import FORMS, Form, Head, record, record_abandoned, record_event, unfrozen

RULESETS: dict[str, Any] = {"pennant": pennant.GAME, "soundings": soundings.GAME}


def frozen(file: Path) -> tuple[Head, list[Form]]:
    first, *rest = file.read_bytes().splitlines()
    head = msgspec.json.decode(first, type=Head)
    return head, [msgspec.json.decode(line, type=Form) for line in rest]


WON = "/body/data/result/winners/*"
"""There or not, as the dice fall, which change with every file of the rules: a draw has none."""


def paths(value: Any, at: str = "") -> set[str]:
    """Where values stand in JSON; what a list holds stands at one place."""
    if isinstance(value, dict):
        return {p for key, item in value.items() for p in paths(item, f"{at}/{key}")} | {at}
    if isinstance(value, list):
        return {p for item in value for p in paths(item, f"{at}/*")} | {at}
    return {at}


def shapes(forms: list[Form]) -> dict[str, set[str]]:
    """The shape of each platform event's whole row, by stored name."""
    found: dict[str, set[str]] = {}
    for form in forms:
        if form.topic.startswith("decklog."):
            places = paths(msgspec.json.decode(form.state)) - {WON}
            found.setdefault(form.topic, set()).update(places)
    return found


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.name)
def test_frozen_rows_are_read_and_fold_to_the_state_they_had(file: Path) -> None:
    head, forms = frozen(file)
    rules = {**RULESETS, "naval-battles": GAME, "war-at-sea": AT_SEA}[head.ruleset]
    changes = [form.seq for form in forms if form.topic.startswith(RulesChanged.TYPE)]
    back = any(form.topic.startswith(Takeback.TYPE) for form in forms)
    game = joined(tuple(Part(first, rules) for first in (1, *changes)), went_back=back)
    seals = Seals(bytes.fromhex(head.master), bytes.fromhex(head.params))
    rows = [(form.seq, form.topic, form.state.encode()) for form in forms]
    records = read_rows(head.game, rows, seals, 0, GENESIS)
    told = [tell(Reading(game), one) for one in records]
    state = game.fold([one.event for one in told if one.event is not None])
    assert state == msgspec.json.decode(head.state, type=game.state)
    for stored, one in zip(records, told, strict=True):
        event = one.event or decode(one.head.type, one.own)
        assert canonical(event) == bytes(stored.truth)


def test_every_platform_event_is_frozen() -> None:
    topics = {form.topic for file in FORMS for form in frozen(file)[1]}
    wanted = {f"{name}.v{type_.SCHEMA}" for name, type_ in RECORDS.items()}
    for name, game in RULESETS.items():
        wanted |= {f"{name}.{event.NAME}.v1" for event in game.events}
    assert wanted - topics == set(), (
        "no frozen game has these events. Those of Pennant: make remake "
        "(python -m tests.service.store.freeze --events); others: a new file, as freeze.py says"
    )


def test_an_event_of_pennant_that_no_file_has_is_frozen(tmp_path: Path) -> None:
    assert unfrozen() == []
    without = [file for file in FORMS if b"pennant.tender-lost.v1" not in file.read_bytes()]
    assert "pennant.tender-lost.v1" in unfrozen(without)
    head, forms = asyncio.run(record_event(tmp_path, "pennant.tender-lost.v1"))
    assert head.ruleset == "pennant"
    assert "pennant.tender-lost.v1" in {form.topic for form in forms}


@pytest.mark.parametrize(("make", "file"), [(record, FORMS[-1]), (record_abandoned, FORMS[-2])])
def test_new_rows_have_the_frozen_shape(make: Any, file: Path, tmp_path: Path) -> None:
    _, forms = asyncio.run(make(tmp_path))
    assert shapes(forms) == shapes(frozen(file)[1])
