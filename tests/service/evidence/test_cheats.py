"""A service that cheats, and makes its whole record anew so that every hash fits, is found out."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.kernel.chance import Awaited, Dice, Faces
from domain.kernel.setup import Result
from domain.kernel.tally import Reason, Tally
from domain.kernel.values import Known
from service.dice.vault import Batch
from service.evidence import chain
from service.evidence.records import (
    BatchRolled,
    GameClosed,
    GameCreated,
    MasterOpened,
    RollRecorded,
)
from service.evidence.verdict import Finding
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Choose, Fire

from .playing import GAMES, Cheat, Table, at_sea

replace = msgspec.structs.replace

FIRST = 7
"""The first batch: after creation, opening, two choices, their showing and the first shot."""


def found(cheat: Cheat, **more: Any) -> Finding:
    """What the verifier names in a game that the cheat has written."""
    table = Table(setup=pennant.setup(6), cheat=cheat, length=256, **more)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    table.play(5)
    verdict = verify(table.forge(), GAMES)
    assert verdict.code == 1
    assert verdict.finding is not None
    return verdict.finding


def test_the_same_game_without_a_cheat_is_upheld() -> None:
    table = Table(setup=pennant.setup(6), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    assert verify(table.play(5).export(), GAMES).code == 0
    assert table.forge() == table.export()


def turned(faces: Faces) -> tuple[tuple[int, ...], ...]:
    """Every die on its next face: never what fell, whatever fell."""
    return tuple(tuple(face % 6 + 1 for face in pool) for pool in faces.faces)


def all_altered(batch: Batch, awaited: Awaited, faces: Faces) -> Faces:
    """Rolled as it should be, told otherwise, everywhere in the record."""
    better = turned(faces)
    batch.rolls[-1] = batch.rolls[-1]._replace(faces=better)
    return Faces(faces.label, better)


def test_altered_faces() -> None:
    finding = found(Cheat(faces=all_altered))
    assert (finding.check, finding.seq, finding.what) == ("dice", FIRST, "faces of fire/1")
    honest = Faces("fire/1", ast.literal_eval(finding.expected))
    assert ast.literal_eval(finding.found) == turned(honest)


def told_only(batch: Batch, awaited: Awaited, faces: Faces) -> Faces:
    """The dice record is honest, the game's event is not."""
    return Faces(faces.label, turned(faces))


def test_faces_that_the_rules_did_not_get() -> None:
    finding = found(Cheat(faces=told_only))
    assert (finding.check, finding.seq) == ("rules", 8)
    assert (finding.what, finding.rule) == ("what public sees", "PEN-4")
    assert any(each.pointer.startswith("/faces/") for each in finding.fields)


def test_a_modifier_that_was_made_up_is_named() -> None:
    def better(event: Any) -> Any:
        if not isinstance(event, pennant.FireResolved):
            return event
        reasons = (*event.dice.reasons, Reason(1, "PEN-4", "luck"))
        return replace(event, dice=Tally.of(*reasons))

    finding = found(Cheat(event=better))
    reason, total = finding.fields
    assert (reason.pointer, reason.reason) == ("/dice/reasons/1", "luck, PEN-4")
    assert (reason.old, total.pointer) == ("nothing", "/dice/total")


def test_of_a_state_that_is_another_it_is_told_what_the_order_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bundle has its digest alone."""
    table = Table(setup=pennant.setup(6), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    data, true = table.play(5).export(), chain.state_payload
    calls = iter(range(1_000))
    monkeypatch.setattr(
        chain, "state_payload", lambda state: true("x" if next(calls) == 3 else state)
    )
    finding = verify(data, GAMES).finding
    assert finding is not None
    assert (finding.check, finding.what) == ("rules", "digest of the state")
    pointers = {each.pointer for each in finding.fields}
    assert "/rolls" in pointers
    assert "/seats/0" not in pointers


def roll_again(batch: Batch, awaited: Awaited, faces: Faces) -> Faces:
    """A second roll under another label, because the first was not liked."""
    batch.rolls[-1] = batch.rolls[-1]._replace(label=awaited.label)
    better = batch.roll("again", awaited.pools)
    batch.rolls[:] = [batch.rolls[-1]._replace(label=awaited.label)]
    return Faces(awaited.label, better)


def test_a_second_roll_for_the_same_label() -> None:
    assert found(Cheat(faces=roll_again)).what == "faces of fire/1"


def extra_roll(record: Any) -> Any:
    if not isinstance(record, BatchRolled):
        return record
    return replace(record, rolls=(*record.rolls, *record.rolls[:1]))


def test_a_repeated_label() -> None:
    finding = found(Cheat(record=extra_roll))
    assert (finding.check, finding.what) == ("dice", "roll fire/1")


def unasked(batch: Batch, awaited: Awaited, faces: Faces) -> Faces:
    batch.roll(f"spare/{len(batch.rolls)}", (Dice(1),))
    return faces


def test_a_roll_that_the_rules_did_not_ask_for() -> None:
    finding = found(Cheat(faces=unasked))
    assert (finding.check, finding.what) == ("rules", "rolls that the rules ask for")


def test_a_batch_that_was_thrown_away() -> None:
    finding = found(Cheat(number=lambda t: t + 1))
    assert (finding.check, finding.seq) == ("dice", FIRST)
    assert (finding.what, finding.expected, finding.found) == ("number t of the batch", "1", "2")


def on_type(type_: type, change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda item: change(item) if isinstance(item, type_) else item


def first_batch(**changes: Any) -> Cheat:
    def change(record: BatchRolled) -> BatchRolled:
        return replace(record, **changes) if record.t == 1 else record

    return Cheat(record=on_type(BatchRolled, change))


@pytest.mark.parametrize(
    ("cheat", "check", "what"),
    [
        (first_batch(link="00" * 32), "dice", "link 0 of the server, from link 1"),
        (first_batch(link="00" * 31), "form", "server link"),
        (first_batch(link="Z" * 64), "form", "server link"),
        (first_batch(domain="side:p1"), "dice", "domain"),
        (first_batch(player_links=("11" * 32, "")), "dice", "link of p1"),
        (first_batch(player_links=("",)), "dice", "player links"),
        (first_batch(rolls=()), "dice", "rolls"),
        (first_batch(rolls=(RollRecorded("fire/1", (Dice(1, 1),), ()),)), "dice", "roll fire/1"),
        (first_batch(rolls=(RollRecorded("x" * 256, (Dice(1),), ()),)), "dice", None),
    ],
)
def test_a_false_batch(cheat: Cheat, check: str, what: str | None) -> None:
    finding = found(cheat)
    assert (finding.check, finding.seq) == (check, FIRST)
    assert what is None or finding.what == what


def stolen_link(record: BatchRolled) -> BatchRolled:
    """The link of p1 is shown as p2's too, so that the roll looks like grade A1 for both."""
    return replace(record, player_links=(record.player_links[0], record.player_links[0]))


def test_an_opponents_link() -> None:
    finding = found(Cheat(record=on_type(BatchRolled, stolen_link)), tips=True, grade="A1")
    assert (finding.check, finding.what) == ("dice", "link of p2")


def dropped_links(record: BatchRolled) -> BatchRolled:
    return replace(record, player_links=("",) * len(record.player_links))


def test_a_link_that_is_left_out_gives_other_faces() -> None:
    finding = found(Cheat(record=on_type(BatchRolled, dropped_links)), tips=True, grade="A1")
    assert finding.what == "faces of fire/1"


def creation(**changes: Any) -> Cheat:
    return Cheat(record=on_type(GameCreated, lambda record: replace(record, **changes)))


@pytest.mark.parametrize(
    ("cheat", "what"),
    [
        (creation(commitment="00" * 32), "commitment C_S"),
        (creation(tips={"pub": "00" * 32}), "commitment C_S"),
        (creation(grade="A9"), "grade"),
        (creation(seat_tips=("", "", "")), "dice tips, one for each seat"),
        (creation(seat_tips=("77" * 32, "77" * 32)), "tip of p2"),
        (creation(seat_tips=("77", "")), "dice tip"),
        (creation(nonce="0f"), "nonce"),
        (creation(series="0f"), "series"),
    ],
)
def test_a_false_beginning(cheat: Cheat, what: str) -> None:
    finding = found(cheat)
    assert (finding.seq, finding.what) == (1, what)


def test_another_set_up_than_the_one_that_the_dice_are_bound_to() -> None:
    other = pennant.setup(20)
    finding = found(Cheat(record=on_type(GameCreated, lambda r: replace(r, setup=other))))
    assert finding.what == "digest of the set-up"


def test_another_master_than_the_one_committed_to() -> None:
    def change(record: MasterOpened) -> MasterOpened:
        return replace(record, master="00" * 32)

    finding = found(Cheat(record=on_type(MasterOpened, change)))
    assert finding.check in ("secrets", "seal", "order")


def test_another_result() -> None:
    def change(record: GameClosed) -> GameClosed:
        return replace(record, result=Result(("p2",), "bribery", "PEN-6"))

    finding = found(Cheat(record=on_type(GameClosed, change)))
    assert (finding.check, finding.what) == ("rules", "result")
    assert "bribery" in finding.found


def test_points_that_were_not_made() -> None:
    def change(event: pennant.FireResolved) -> pennant.FireResolved:
        return replace(event, points=event.points + 1) if event.label == "fire/1" else event

    finding = found(Cheat(event=on_type(pennant.FireResolved, change)))
    assert (finding.check, finding.seq, finding.rule) == ("rules", 8, "PEN-4")
    assert finding.what == "what public sees"


def test_an_event_in_the_truth_that_the_public_does_not_see_altered() -> None:
    """A colour changed after the fact, in the sealed part only."""

    def change(event: pennant.Chosen) -> pennant.Chosen:
        known = Known(("steady",)) if event.seat == "p1" else event.choice
        return replace(event, choice=known)

    finding = found(Cheat(event=on_type(pennant.Chosen, change)))
    assert (finding.check, finding.seq) == ("rules", 3)
    assert finding.what in ("what p1 sees", "what truth sees")
    assert "bold" in finding.expected
    assert "steady" in finding.found


def envelope(change: Callable[[dict[str, Any]], None]) -> Cheat:
    def apply(fields: dict[str, Any]) -> dict[str, Any]:
        changed = {**fields, "payloads": dict(fields["payloads"])}
        change(changed)
        return changed

    return Cheat(envelope=apply)


def unseal_truth(fields: dict[str, Any]) -> None:
    fields["payloads"].pop("truth", None)


def unseal_seat(fields: dict[str, Any]) -> None:
    fields["payloads"].pop("p2", None)


def unseal_state(fields: dict[str, Any]) -> None:
    fields["payloads"].pop("state", None)


def seal_more(fields: dict[str, Any]) -> None:
    fields["payloads"]["p1"] = b"null"


def false_state(fields: dict[str, Any]) -> None:
    if "state" in fields["payloads"]:
        fields["payloads"]["state"] = b'{"state":"%s"}' % (b"00" * 32)


def newer_schema(fields: dict[str, Any]) -> None:
    if fields["type"] == "pennant.fire-declared":
        fields["schema"] = 2


def other_actor(fields: dict[str, Any]) -> None:
    if fields["type"] == "pennant.fire-declared":
        fields["actor"] = "p2"


def other_type(fields: dict[str, Any]) -> None:
    if fields["type"] == "pennant.fire-declared":
        fields["type"] = "pennant.turn-passed"


def bad_time(fields: dict[str, Any]) -> None:
    fields["at"] = "yesterday"


def no_cause(fields: dict[str, Any]) -> None:
    fields["cause"] = type(fields["cause"])()


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (unseal_seat, "seal"),
        (unseal_state, "seal"),
        (seal_more, "seal"),
        (false_state, "rules"),
        (newer_schema, "rules"),
        (other_actor, "rules"),
        (other_type, "rules"),
        (bad_time, "chain"),
    ],
)
def test_a_false_envelope(change: Callable[[dict[str, Any]], None], check: str) -> None:
    assert found(envelope(change)).check == check


@pytest.mark.parametrize("change", [unseal_truth, no_cause])
def test_a_record_too_poor_to_judge_is_refuted(change: Callable[[dict[str, Any]], None]) -> None:
    table = Table(setup=pennant.setup(6), cheat=envelope(change), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    if change is no_cause:
        table.orders.clear()
    assert verify(table.play(5).export(), GAMES).code == 1


def test_an_order_that_was_not_given() -> None:
    """The events are those of firing; the order that is shown is to pass."""
    table = Table(setup=pennant.setup(6), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    table.play(5)
    order = table.orders[2]
    table.orders[2] = replace(order, command=b'{"type":"pennant.pass"}')
    verdict = verify(table.export(), GAMES)
    assert verdict.finding is not None
    assert (verdict.code, verdict.finding.what) == (1, "digest of the order")


def test_an_order_of_the_other_seat() -> None:
    table = Table(setup=pennant.setup(6), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    table.play(5)
    table.orders[2] = replace(table.orders[2], seat="p2")
    verdict = verify(table.export(), GAMES)
    assert verdict.finding is not None
    assert (verdict.code, verdict.finding.check) == (1, "order")
    assert (verdict.finding.what, verdict.finding.found) == ("seat", "p2")


def test_an_order_out_of_turn() -> None:
    """Order and events agree that p2 fired, when it was p1's turn."""
    table = Table(setup=pennant.setup(6), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    honest = table.game
    table.game = dataclasses.replace(
        honest,
        decide=lambda state, seat, command: honest.decide(
            state, "p1" if seat == "p2" else seat, command
        ),
    )
    table.order("p2", Fire())
    table.game = honest
    table.play(5)
    verdict = verify(table.export(), GAMES)
    assert verdict.finding is not None
    assert (verdict.code, verdict.finding.check, verdict.finding.rule) == (1, "rules", "PEN-3")
    assert verdict.finding.expected == "refused: turn.not-yours"


@pytest.mark.parametrize("viewer", ["p1", "p2", "public"])
def test_cheats_are_found_in_partial_bundles_too(viewer: str) -> None:
    for cheat in (Cheat(faces=all_altered), Cheat(faces=told_only), Cheat(number=lambda t: t + 1)):
        table = Table(setup=pennant.setup(6), cheat=cheat, length=256)
        table.order("p1", Choose("bold"))
        table.order("p2", Choose("steady"))
        table.order("p1", Fire())
        assert verify(table.export(viewer), GAMES).code == 1


def test_hiding_an_open_event_from_judgment_is_found() -> None:
    """Sealing what was no secret would take an order out of a partial bundle's judgment."""

    def change(fields: dict[str, Any]) -> None:
        if fields["type"].startswith("pennant.fire"):
            fields["payloads"].update({"p1": b"null", "p2": b"null", "truth": b"null"})

    table = Table(setup=pennant.setup(6), cheat=envelope(change), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    verdict = verify(table.export("p2"), GAMES)
    assert verdict.finding is not None
    assert (verdict.code, verdict.finding.what) == (1, "viewers with a seal")


def test_a_hidden_opening_of_nobody_is_found() -> None:
    def change(fields: dict[str, Any]) -> None:
        if fields["type"] == "soundings.opened":
            fields["actor"] = "nobody"

    verdict = verify(at_sea(orders=6, cheat=envelope(change)).export("public"), GAMES)
    assert verdict.finding is not None
    assert (verdict.code, verdict.finding.what, verdict.finding.found) == (1, "actor", "nobody")


def test_a_hidden_order_with_an_event_of_nobody_is_found() -> None:
    """What a seat may not see is taken as it is; whose its own order's events are, it knows."""

    def change(fields: dict[str, Any]) -> None:
        if fields["type"] == "pennant.revealed":
            fields["actor"] = "nobody"

    table = Table(setup=pennant.setup(6), cheat=envelope(change), length=256)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    verdict = verify(table.export("p2"), GAMES)
    assert verdict.finding is not None
    assert (verdict.code, verdict.finding.what, verdict.finding.found) == (1, "actor", "nobody")
