"""A step that was taken back: upheld where it may be, refuted where it may not."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea.game import GAME
from domain.kernel.codec import canonical
from domain.kernel.setup import Setup
from service.evidence.chain import state_payload
from service.evidence.digest import rules_digest
from service.evidence.records import ENGINE, RulesUsed, Takeback
from service.evidence.takebacks import back_from, put_back
from service.evidence.verify import verify

from .playing import Cheat, Table

GAMES = {"war-at-sea": GAME}
SETUP = Setup("war-at-sea", "2009", "standard", ("p1", "p2"), {})
COMMANDS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(reduce(or_, GAME.commands))
replace = msgspec.structs.replace


def asked(table: Table, state: Any) -> set[str]:
    return {each.seat for each in table.game.pending(state)}


def may(table: Table, before: Any, batch: int) -> bool:
    """Whether the last step may be taken back, as a player would say."""
    game, state, seat = table.game, table.state, table.orders[-1].seat
    hidden = game.secrets(before) or game.secrets(state)
    alone = asked(table, before) == asked(table, state) == {seat}
    return not hidden and alone and table.batch == batch and game.result(state) is None


def steps(table: Table, seed: int) -> Any:
    """Random orders, each with the position before it and the number of dice batches then."""
    choose = random.Random(seed)
    while table.game.result(table.state) is None:
        before, batch = table.state, table.batch
        seats = sorted(asked(table, before))
        seat = choose.choice(seats)
        table.order(seat, choose.choice(table.game.legal(before, seat).commands))
        yield before, batch


def at_step(wanted: Callable[[Table, Any, int], bool], *, skip: int = 0, **more: Any) -> Any:
    """A battle right after the first step of that kind, and the position before it."""
    table = Table(game=GAME, setup=SETUP, **more)
    for before, batch in steps(table, 3):
        if wanted(table, before, batch):
            if not skip:
                return table, before
            skip -= 1
    raise AssertionError("there is no such step")


@pytest.mark.parametrize("viewer", ["truth", "p1", "p2", "public"])
def test_a_battle_with_many_steps_taken_back_is_upheld(viewer: str) -> None:
    table, taken = Table(game=GAME, setup=SETUP), 0
    for before, batch in steps(table, 5):
        if taken < 12 and may(table, before, batch):
            table.takes_back(table.orders[-1].seat, before)
            taken += 1
        if len(table.orders) > 120:
            break
    assert taken == 12
    verdict = verify(table.export(viewer), GAMES)
    assert verdict.word == "UPHELD", verdict.text()


def test_a_step_back_and_the_same_step_again_come_to_the_same() -> None:
    table, before = at_step(may, skip=2)
    after, order = table.state, table.orders[-1]
    table.takes_back(order.seat, before)
    assert canonical(table.state) == canonical(before) != canonical(after)
    table.order(order.seat, COMMANDS.decode(order.command))
    assert canonical(table.state) == canonical(after)
    verdict = verify(table.export(), GAMES)
    assert verdict.word == "UPHELD", verdict.text()


def finding(table: Table) -> str:
    table.ends("enough")
    verdict = verify(table.forge(), GAMES)
    assert verdict.finding is not None, verdict.text()
    return f"{verdict.finding.check}: {verdict.finding.what}"


def last(table: Table, before: Any, **other: Any) -> Takeback:
    order, back = table.orders[-1], back_from(canonical(table.state), canonical(before))
    return replace(Takeback(order.seat, order.id, order.first, back), **other)


def rolled(table: Table, before: Any, batch: int) -> bool:
    return table.batch > batch and table.game.result(table.state) is None


def hands_over(table: Table, before: Any, batch: int) -> bool:
    """The other seat is asked since, and only that stands in the way."""
    game, state = table.game, table.state
    quiet = table.batch == batch and not game.secrets(before) and not game.secrets(state)
    return quiet and bool(asked(table, state) - {table.orders[-1].seat})


def hides(table: Table, before: Any, batch: int) -> bool:
    """Somebody has a secret."""
    return table.batch == batch and table.game.secrets(before)


@pytest.mark.parametrize(
    ("step", "what"),
    [
        (rolled, "record: what the step led to besides events of the game"),
        (hands_over, "record: seats that are asked"),
        (hides, "record: secrets"),
    ],
)
def test_a_step_that_cannot_be_taken_back_is_not(step: Any, what: str) -> None:
    table, before = at_step(step)
    table.takes_back(table.orders[-1].seat, before)
    assert finding(table) == what


def test_nobody_takes_back_anothers_step() -> None:
    table, before = at_step(may)
    (other,) = {"p1", "p2"} - {table.orders[-1].seat}
    table.takes_back(other, before)
    assert finding(table) == "record: seat whose step it was"


@pytest.mark.parametrize("named", ["the second", "the first", "a longer one"])
def test_two_steps_are_not_taken_back_at_once(named: str) -> None:
    table, first, before = Table(game=GAME, setup=SETUP), None, None
    for was, batch in steps(table, 3):
        fits = may(table, was, batch)
        if fits and first is not None and table.orders[-1].seat == table.orders[-2].seat:
            before = first
            break
        first = was if fits else None
    assert before is not None
    earlier, later = table.orders[-2:]
    told = {
        "the second": last(table, before),
        "the first": last(table, before, command=earlier.id, first=earlier.first),
        "a longer one": last(table, before, command=later.id, first=earlier.first),
    }[named]
    table.takes_back(later.seat, before, told)
    expected = "way back" if named == "the second" else "step that is taken back"
    assert finding(table) == f"record: {expected}"


def test_a_second_step_back_has_no_step_before_it() -> None:
    table, before = at_step(may)
    order = table.orders[-1]
    table.takes_back(order.seat, before)
    table.takes_back(order.seat, before)
    assert finding(table) == "record: step"


def test_what_came_since_stands_in_the_way() -> None:
    table, before = at_step(may)
    table.stops({}, orders=True)
    table.takes_back(table.orders[-1].seat, before)
    assert finding(table) == "record: step"


def test_nothing_is_taken_back_while_the_game_is_frozen() -> None:
    table, before = at_step(may)
    table.stops({})
    table.takes_back(table.orders[-1].seat, before)
    assert finding(table) == "record: place"


@pytest.mark.parametrize("back", ["[]", '[[["turn"],99]]', "nonsense", '[["turn"]]', "[[[]]]"])
def test_another_way_back_is_refuted(back: str) -> None:
    table, before = at_step(may)
    table.takes_back(table.orders[-1].seat, before, last(table, before, back=back))
    assert finding(table) == "record: way back"


def test_another_position_than_the_one_before_is_refuted() -> None:
    def richer(fields: dict[str, Any]) -> dict[str, Any]:
        if fields["type"] == Takeback.TYPE:
            fields["payloads"] = {"state": state_payload({"other": 1})}
        return fields

    table, before = at_step(may, cheat=Cheat(envelope=richer))
    table.takes_back(table.orders[-1].seat, before)
    assert finding(table) == "rules: digest of the state"


def said(table: Table) -> str:
    """The word of a verdict that upholds, or else what is found."""
    word = verify(table.export(), GAMES).word
    return word if word == "UPHELD" else finding(table)


def test_with_a_deadline_a_step_is_taken_back_once() -> None:
    """Else nobody's time would ever be over."""
    for deadline, expected in ((0, ""), (600, "time: step")):
        table, before = at_step(may, skip=2, deadline=deadline)
        order = table.orders[-1]
        table.takes_back(order.seat, before)
        assert verify(table.export(), GAMES).word == "UPHELD"
        table.order(order.seat, COMMANDS.decode(order.command))
        table.takes_back(order.seat, before)
        assert said(table) == (expected or "UPHELD")


def test_no_event_between_makes_another_step_of_it() -> None:
    """A seat may agree to its own rules as often as it likes: each time would be a new clock."""
    for deadline, expected in ((0, ""), (600, "time: step")):
        table, before = at_step(may, skip=2, deadline=deadline)
        order = table.orders[-1]
        table.takes_back(order.seat, before)
        used = RulesUsed(GAME.ruleset, GAME.version, rules_digest(GAME).hex(), ENGINE)
        table.agrees(order.seat, used)
        table.order(order.seat, COMMANDS.decode(order.command))
        table.takes_back(order.seat, before)
        assert said(table) == (expected or "UPHELD")


def test_time_runs_on_over_a_takeback() -> None:
    """What is asked before the step and after it alike is no new question."""

    def same(table: Table, before: Any, batch: int) -> bool:
        pending = table.game.pending
        return may(table, before, batch) and pending(before) == pending(table.state)

    table, before = at_step(same, deadline=600)
    seat = table.orders[-1].seat
    table.minutes += 5
    table.takes_back(seat, before)
    table.minutes -= 5
    table.by_clock(seat, 10)
    verdict = verify(table.export(), GAMES)
    assert verdict.word == "UPHELD", verdict.text()


PLACES: list[tuple[Any, Any]] = [
    ({"a": 1}, {"a": 1}),
    ({"a": 1}, {"a": True}),
    ({"a": {"b": [1, 2]}, "c": 3}, {"a": {"b": [1]}, "d": None}),
    ({"a": {"b": 1}}, {"a": {}}),
    ({"a": {}}, {"a": {"b": {"c": 1}}}),
    ({"a": [1]}, {"a": {"b": 1}}),
    ([1], {"a": 1}),
]


@pytest.mark.parametrize(("after", "before"), PLACES)
def test_each_document_comes_back_from_the_other(after: Any, before: Any) -> None:
    for one, other in ((after, before), (before, after)):
        back = back_from(canonical(one), canonical(other))
        assert canonical(put_back(canonical(one), back)) == canonical(other)
        assert (back == "[]") == (canonical(one) == canonical(other))


@pytest.mark.parametrize("back", ["", "[1]", '[[["a","b"],1]]', '[[["z"]]]', '[[["a"],1,2]]', "{}"])
def test_what_is_no_way_back_is_said(back: str) -> None:
    with pytest.raises(ValueError, match="place"):
        put_back(b'{"a":1}', back)
