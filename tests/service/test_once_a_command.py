"""A command is folded once and its next question worked out once, however many games are live."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from domain.examples.pennant.rules import state as pennant_state
from domain.kernel.play import Course
from service.dice.vault import Vault
from service.entropy import SYSTEM
from service.models import NewGame
from service.play.deciding import Order, decide
from service.play.live import Live
from service.play.opening import open_game
from service.store.box import Box
from tests.support import pennant

AT = "2026-01-01T00:00:00.000Z"
TURNS = (
    ("p1", pennant.Choose("bold")),
    ("p2", pennant.Choose("steady")),
    ("p1", pennant.Fire("hull")),
    ("p2", pennant.Fire("magazine")),
    ("p1", pennant.Pass()),
)
FOLD, FIND = pennant_state.evolve.__code__, Course._find.__code__


def begun(seed: str) -> Live:
    kept = SimpleNamespace(query=lambda *asked: [(1,)])  # its engine is there already
    store: Any = SimpleNamespace(
        box=Box(bytes(32)), entropy=SYSTEM, recorder=kept, unplayed_days=90,
        engine=lambda digest: None, ageing=SimpleNamespace(at=AT), publishes=False, keepers=(),
    )  # fmt: skip
    new = NewGame("pennant", seed=seed, options={"turns": 9})
    return open_game(new, {"pennant": pennant.GAME}, Vault(), store, AT).live


def called(games: list[Live]) -> tuple[Counter[Any], int]:
    """How often it was folded, and looked for who is asked; how many events there were."""
    calls: Counter[Any] = Counter()
    events = 0

    def see(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    for seat, command in TURNS:
        for place, live in enumerate(games):
            sys.setprofile(see)
            try:
                staged = decide(live, Order(live.id, seat, command, live.version), AT, SYSTEM)
            finally:
                sys.setprofile(None)
            events += sum(told.event is not None for told in staged.told)
            games[place] = staged.live
    return calls, events


@pytest.mark.parametrize("many", [1, 8])
def test_each_event_is_folded_once_and_each_question_found_once(many: int) -> None:
    """One process served games in turn, and one memo for all of them kept forgetting."""
    calls, events = called([begun(f"seed-{number}") for number in range(many)])
    assert events > len(TURNS) * many
    assert calls[FOLD] == events
    # Whose turn it is is found once; in between, once, that both have chosen.
    assert calls[FIND] == (len(TURNS) + 1) * many
