"""The rules of the example, tested as the author of a game would: with what the kernel lends.

Nothing is imported here that a package outside this repository could not import.
"""

from __future__ import annotations

import random
from dataclasses import replace
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from domain.examples.pennant.game import GAME
from domain.examples.pennant.rules.commands import Choose, Fire, Pass
from domain.examples.pennant.rules.events import FireResolved
from domain.kernel.codec import canonical
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.testing import cases, counts, fingerprint, recorded
from domain.kernel.testing.table import Table, opened


def setup(turns: int = 4) -> Setup:
    return Setup("pennant", "first", "standard", ("p1", "p2"), {"turns": turns})


def battle(turns: int = 4) -> Table:
    """Bold against steady, p1 to fire."""
    return opened(GAME, setup(turns)).act("p1", Choose("bold")).act("p2", Choose("steady"))


# --- given, when, then ----------------------------------------------------------------------------


def test_bold_fires_three_dice_that_hit_on_six() -> None:
    table = battle().act("p1", Fire()).roll((6, 5, 6))
    assert table.saw("fire-resolved", seat="p1", points=2).rules == ("PEN-4",)
    assert table.state.points == (2, 0)
    assert table.asked() == ("p2",)


def test_a_hit_in_the_magazine_asks_for_a_second_roll() -> None:
    table = battle().act("p1", Fire("magazine")).roll([6])
    assert table.last[-1].awaited.label == "magazine/1"
    assert table.not_saw("tender-lost").roll([4, 6]).saw("tender-lost", seat="p2", by="p1")
    assert table.names()[-1] == "tender-lost"


def test_a_position_is_given_as_it_is() -> None:
    state = msgspec.structs.replace(battle().state, points=(0, 3), left=1, mover=0)
    table = Table(GAME, state).act("p1", Pass())
    assert table.saw("ended").winners == ("p2",)
    assert table.names() == ["turn-passed", "ended"]


def test_refusals_name_their_rule() -> None:
    table = battle()
    table.refused("p2", Fire(), "turn.not-yours", "PEN-3")
    table.refused("p1", Choose("bold"), "turn.wrong-step", "PEN-3")
    assert table.refusal("p1", Fire()) is None
    assert table.offers("p1") == (Fire("hull"), Fire("magazine"), Pass())


def test_what_is_not_so_is_said() -> None:
    table = battle()
    for wrong, said in (
        (lambda: table.refused("p1", Fire(), "turn.not-yours", "PEN-3"), "accepted: p1"),
        (lambda: table.refused("p2", Fire(), "turn.not-yours", "PEN-1"), "not turn.not-yours"),
        (lambda: table.saw("chosen", seat="p3"), "no chosen with"),
        (lambda: table.not_saw("chosen"), "it happened"),
        (lambda: table.roll([1]), "no dice are awaited"),
    ):
        with pytest.raises(AssertionError, match=said):
            wrong()


def test_a_refusal_that_changes_the_state_is_said() -> None:
    state: dict[str, Any] = {"n": 0}

    def decide(given: Any, seat: str, command: Any) -> Any:
        given["n"] += 1
        return GAME.decide(battle().state, seat, command)

    with pytest.raises(AssertionError, match="changed the state"):
        Table(replace(GAME, decide=decide), state).refused("p2", Fire(), "turn.not-yours", "PEN-3")


# --- numbered cases -------------------------------------------------------------------------------

NOT_YOURS = {"code": "turn.not-yours", "rule": "PEN-3", "hint": "It is for p1 to turn."}
CASE: dict[str, Any] = {
    "id": "PEN-C-001",
    "title": "Equal points are a draw",
    "rules": ["PEN-6"],
    "setup": {"options": {"turns": 2}},
    "script": [
        {"seat": "p1", "command": {"type": "pennant.choose", "colour": "bold"}},
        {"seat": "p2", "command": {"type": "pennant.choose", "colour": "bold"}},
        {"seat": "p2", "command": {"type": "pennant.pass"}, "refused": NOT_YOURS},
        {"seat": "p1", "command": {"type": "pennant.fire"}},
        {"faces": [[1, 5, 2]]},
        {"seat": "p2", "command": {"type": "pennant.pass"}},
    ],
    "expect": {
        "events": [{"type": "fire-resolved", "points": 0}, {"type": "ended", "winners": []}],
        "never": [{"type": "tender-lost"}],
        "state": {"/points": [0, 0]},
    },
}


def test_a_numbered_case() -> None:
    cases.run(GAME, CASE)


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({"events": [{"type": "ended", "winners": ["p1"]}]}, "no such event"),
        ({"never": [{"type": "turn-passed"}], "state": {"/left": 0}}, "it happened"),
        ({"state": {"/points": [1, 0]}}, "/points is"),
        ({"absent": ["/points"]}, "is there"),
        ({"refused": NOT_YOURS}, "should be refused"),
        ({"asked": ["p1"]}, "are asked"),
        ({"offers": {"p1": [{"type": "pennant.pass"}]}}, "is not offered"),
    ],
)
def test_a_case_that_expects_something_else_fails(expect: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        cases.run(GAME, {**CASE, "expect": expect})


@pytest.mark.parametrize("hint", [{}, {"hint": "It is for p2 to turn."}])
def test_a_case_names_the_hint_of_a_refusal(hint: dict[str, str]) -> None:
    entry = {"seat": "p2", "command": {"type": "pennant.fire", "aim": "hull"}}
    script = [*CASE["script"][:2], entry]
    bare = {key: NOT_YOURS[key] for key in ("code", "rule")}
    cases.run(GAME, {**CASE, "script": script, "expect": {"refused": NOT_YOURS}})
    with pytest.raises(AssertionError, match=r"refused by .*'hint': 'It is for p1 to turn\.'"):
        cases.run(GAME, {**CASE, "script": script, "expect": {"refused": {**bare, **hint}}})


def test_a_refusal_stands_once_in_a_case() -> None:
    """Of two only one would be compared."""
    entry = {"seat": "p2", "command": {"type": "pennant.fire"}, "refused": NOT_YOURS}
    script = [*CASE["script"][:2], entry]
    with pytest.raises(AssertionError, match="script entry 3: what refuses it stands in expect"):
        cases.run(GAME, {**CASE, "script": script, "expect": {"refused": NOT_YOURS}})


def test_a_case_names_what_a_refusal_points_to() -> None:
    """One field or another, and none where there is none: whoever asks anew mends that field."""

    def pointing(state: Any, seat: Any, command: Any) -> Any:
        try:
            return GAME.decide(state, seat, command)
        except Refused as refusal:
            raise Refused(refusal.code, refusal.rule, refusal.hint, "/aim") from None

    script: Any = CASE["script"][:2]
    entry = {"seat": "p2", "command": {"type": "pennant.fire", "aim": "hull"}}

    def case(**pointer: str) -> Any:
        return {**CASE, "script": [*script, entry], "expect": {"refused": {**NOT_YOURS, **pointer}}}

    cases.run(GAME, case())
    cases.run(replace(GAME, decide=pointing), case(pointer="/aim"))
    for game, wrong in (
        (GAME, case(pointer="/aim")),
        (replace(GAME, decide=pointing), case()),
        (replace(GAME, decide=pointing), case(pointer="/unit")),
    ):
        with pytest.raises(AssertionError, match="refused by"):
            cases.run(game, wrong)


def test_a_case_holds_what_its_author_looks_for() -> None:
    def look(state: Any, events: Any, refusal: Any) -> Any:
        return [f"{event.NAME} names no rule" for event in events if not event.rules]

    cases.run(GAME, CASE, look=look)
    unruled = replace(GAME, decide=lambda *given: tuple(map(_bare, GAME.decide(*given))))
    with pytest.raises(AssertionError, match="chosen names no rule"):
        cases.run(unruled, CASE, look=look)


def _bare(event: Any) -> Any:
    return msgspec.structs.replace(event, rules=())


# --- recorded games -------------------------------------------------------------------------------

WATCHED = recorded.Watched(
    digest=lambda value: sha256(canonical(value)).hexdigest(),
    turn=lambda state: 6 - state.left,
)


def recording(seed: int) -> list[recorded.Line]:
    return list(recorded.record(GAME, setup(6), random.Random(seed).randrange, WATCHED))


def test_a_recorded_game_is_replayed_to_what_it_came_to() -> None:
    lines = recording(1)
    replayed = recorded.replay(GAME, lines, WATCHED)
    assert replayed.end == lines[-1]
    assert len(replayed.digests) == 6
    assert all(computed == written for computed, written in replayed.digests)


def test_rules_that_changed_are_noticed_in_a_recorded_game() -> None:
    lines = recording(1)
    replayed = recorded.replay(kinder(), lines, WATCHED)
    assert replayed.end != lines[-1]
    assert any(computed != written for computed, written in replayed.digests)


def kinder() -> Any:
    """The game with a point more for each shot."""

    def decide(*given: Any) -> Any:
        for event in GAME.decide(*given):
            match event:
                case FireResolved(awaited=None, points=points):
                    yield msgspec.structs.replace(event, points=points + 1)
                case _:
                    yield event

    return replace(GAME, decide=lambda *given: tuple(decide(*given)))


# --- option counts, fingerprint -------------------------------------------------------------------


def test_options_are_counted_by_depth() -> None:
    state = opened(GAME, setup(2)).state
    # Two colours each, in either order; then three orders, with two ways for dice to fall.
    assert counts.counts(GAME, state, 3) == [4, 8, 24]
    divided = counts.divided(GAME, state, 3)
    assert sum(divided.values()) == 24
    assert len(divided) == 4


def test_a_game_plays_like_itself_and_unlike_other_rules() -> None:
    def differs(other: Any) -> Any:
        return fingerprint.difference(GAME, other, setup(6), random.Random(3).randrange)

    assert differs(replace(GAME)) is None
    one, other = differs(kinder())
    assert (one.name, other.name) == ("events", "events")
    one, other = differs(replace(GAME, says=lambda state, event: ""))
    assert (one.step, one.name) == (0, "sentences")


def test_a_move_that_is_refused_ends_the_fingerprint() -> None:
    def decide(state: Any, seat: str, command: Any) -> Any:
        return GAME.decide(state, "p9" if command == Fire() else seat, command)

    refusing = replace(GAME, decide=decide)
    moves = [("p1", Choose("bold")), ("p2", Choose("bold")), ("p1", Fire()), ("p2", Pass())]
    last = [*fingerprint.parts(refusing, setup(6), moves)][-1]
    assert (last.step, last.name) == (3, "refused")
