"""A stalled game played on from its file, for ``decklog escrow finish``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from domain.kernel.codec import Codec, full
from domain.kernel.rules import Refused

from .filed import file_desk
from .files import read_bytes
from .mistakes import Mistake
from .tools import Tools

if TYPE_CHECKING:
    from service.dice.resolve import Resolved
    from service.dice.vault import Batch
    from service.evidence.casefile import Case
    from service.evidence.dicecheck import DiceCheck
    from service.evidence.stalled import Answer


def finished(
    tools: Tools, file: str, master: str, links: dict[str, bytes], beacon: str, orders: str, *,
    usual: bool,
) -> dict[str, Any]:  # fmt: skip
    """What was done, with events and dice, and how the game stands then. Raises Mistake."""
    from service.dice.nwd1 import DiceError
    from service.errors import DiceRefused
    from service.evidence.stalled import Stalled, Unfit

    desk = file_desk(tools, file)
    if desk.case.closed is not None:
        hint = "decklog verify --master judges it."
        raise Mistake("The game is over: there is nothing to finish.", hint, "escrow.over")
    state = desk.filed.materials.views.of(desk.id).at(desk.viewer, desk.latest)
    hint = "decklog escrow open puts it together of two opened shares."
    dice = checked_dice(desk.case, master, "That is not the game's master", hint)
    hint = "Orders come in their turn; --link and --beacon are of the next batch."
    try:
        game = Stalled(desk.game, desk.case, dice, bytes.fromhex(master), state)
        game.given(links, beacon)
        done = [(each.seat, game.answer(each)) for each in _answers(orders)]
        done += list(game.usual()) if usual else []
    except (Unfit, Refused, DiceRefused, DiceError, msgspec.ValidationError) as error:
        why = str(error).rstrip(".")
        raise Mistake(f"It cannot be played on: {why}.", hint, "escrow.unfit") from None
    result = desk.game.result(game.state)
    return {
        "game": desk.id,
        "done": [{"seat": seat, **_shown(resolved, Codec(desk.game))} for seat, resolved in done],
        "result": None if result is None else full(result),
        "waitsFor": [] if result else [each.seat for each in desk.game.pending(game.state)],
    }


def checked_dice(case: Case, master: str, wrong: str, hint: str) -> DiceCheck:
    """The dice of the file, whose master it is. Raises Mistake: ``wrong`` where it is another's."""
    from service.evidence.dicecheck import check_master
    from service.evidence.verdict import Refuted

    dice = dice_of(case)
    try:
        check_master(case, dice, master, len(case.envelopes))
    except Refuted as error:
        raise Mistake(f"{wrong}: {error}.", hint, "escrow.wrong") from None
    return dice


def dice_of(case: Case) -> DiceCheck:
    """The dice of the file, each rolled again. Raises Mistake where they are not what they say."""
    from service.evidence.dicecheck import DiceCheck
    from service.evidence.verdict import Refuted, Undecidable

    try:
        return DiceCheck(case)
    except (Refuted, Undecidable) as error:
        hint = "decklog verify says what is wrong with it."
        message = f"The dice of this file cannot be judged: {error}."
        raise Mistake(message, hint, "escrow.file") from None


def _answers(file: str) -> list[Answer]:
    from service.evidence.stalled import Answer

    if not file:
        return []
    try:
        return [
            msgspec.json.decode(line, type=Answer)
            for line in read_bytes(file).splitlines()
            if line.strip()
        ]
    except msgspec.MsgspecError as error:
        hint = 'A line is {"seat": ..., "command": {...}}.'
        raise Mistake(f"{file} has no orders: {error}.", hint, "escrow.orders") from None


def _shown(resolved: Resolved, codec: Codec[Any]) -> dict[str, Any]:
    events = [{"type": codec.name(each), "data": full(each)} for each in resolved.events]
    return {"events": events, "dice": [_fallen(each) for each in resolved.batches]}


def _fallen(batch: Batch) -> dict[str, Any]:
    rolls = [{"label": each.label, "faces": each.faces} for each in batch.rolls]
    return {"batch": batch.t, "domain": batch.domain, "rolls": rolls}


def in_words(found: dict[str, Any]) -> str:
    """For people."""
    lines = []
    for number, each in enumerate(found["done"], 1):
        names = ", ".join(event["type"] for event in each["events"])
        lines.append(f"order {number}, of {each['seat']}: {names}")
        for batch in each["dice"]:
            for roll in batch["rolls"]:
                faces = " + ".join(" ".join(map(str, pool)) for pool in roll["faces"])
                lines.append(f"  batch {batch['batch']}, {roll['label']}: {faces}")
    result = found["result"]
    if result is None:
        return "\n".join([*lines, f"It waits for {', '.join(found['waitsFor'])}."])
    winners = ", ".join(result["winners"]) or "nobody"
    return "\n".join([*lines, f"The game is over, won by {winners} ({result['reason']})."])
