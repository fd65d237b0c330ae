"""The dispute page of one event: the order, the odds, the bytes of the dice, each face."""

from __future__ import annotations

import textwrap
from typing import Any

import msgspec

from domain.kernel.rules import Refused
from service.evidence.verdict import printed

from .mistakes import Mistake
from .record import Record, from_bytes
from .tools import Tools

WIDTH = 96


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about one event.

    order  the command that led to it, in words and as given, with the odds before it was given
    dice   each roll of its batch: what was asked for, the bytes of the stream, the faces
    """

    event: dict[str, Any]
    order: dict[str, Any] | None
    dice: list[dict[str, Any]]

    def plain(self) -> dict[str, Any]:
        """For programs."""
        return msgspec.structs.asdict(self)

    def text(self) -> str:
        """For people, in print form."""
        lines = [f"EVENT {self.event['seq']}: {self.event['type']}"]
        lines += _rows({k: v for k, v in self.event.items() if k not in ("seq", "type")})
        lines += ["", "ORDER"]
        lines += _rows(self.order) if self.order else ["  none, or none that this file opens"]
        lines += ["", "DICE"]
        for roll in self.dice:
            lines += _rows(roll)
        if not self.dice:
            lines.append("  none were rolled for it")
        return printed(lines)


class Unexplained(msgspec.Struct, frozen=True):
    """Why there is no page."""

    reason: str

    def plain(self) -> dict[str, str]:
        return {"reason": self.reason}

    def text(self) -> str:
        return printed([f"not explained: {self.reason}"])


def explain(tools: Tools, data: bytes, seq: int) -> Page:
    """The page of event ``seq`` of an evidence file. Raises Mistake."""
    case, record = from_bytes(tools, data, "the file")
    told = record.at(seq)
    envelope = case.envelopes[seq - 1]
    batch = next(b for b in case.batches if b.first <= seq <= b.last)
    event = {
        "seq": seq,
        "type": told.type,
        "text": told.text,
        "at": told.at,
        "actor": told.actor,
        "rules": list(getattr(told.event, "rules", ())),
        "seen by": record.viewer,
        "data": msgspec.json.decode(case.data(envelope, record.viewer)),
        "hash before": envelope.prev,
        "hash": _hash(case, seq),
        "sealed": dict(envelope.sealed),
    }
    return Page(event=event, order=_order(record, batch), dice=_dice(case, batch))


def _hash(case: Any, seq: int) -> str:
    """An event's hash stands in the next event, the last one's in the manifest."""
    if seq < len(case.envelopes):
        return str(case.envelopes[seq].prev)
    return str(case.manifest.head.hash)


def _order(record: Record, batch: Any) -> dict[str, Any] | None:
    """The order of the batch, in words and with the odds at the moment when it was given."""
    if batch.order is None:
        return None
    from service.evidence.changed import in_force
    from service.play.deciding import command_decoder

    game, given = in_force(record.game, batch.first), bytes(batch.order.command)
    found: dict[str, Any] = {
        "id": batch.order.id,
        "seat": batch.order.seat,
        "command": msgspec.json.decode(given),
        "events": f"{batch.first} to {batch.last}",
    }
    try:
        before = record.state(batch.first - 1)
        command = command_decoder(game).decode(given)
        described = game.describe(before, command)
        odds = game.odds_beside(before, batch.order.seat, command)
    except (msgspec.MsgspecError, Refused) as error:
        return {**found, "text": f"not readable by the rules: {error}"}
    found |= {"text": described.text, "rule": described.rule}
    return found if odds is None else {**found, "odds": odds}


def _dice(case: Any, batch: Any) -> list[dict[str, Any]]:
    """Every roll of the batch's dice, computed again from its links."""
    from service.dice import nwd1
    from service.evidence.dicecheck import DiceCheck
    from service.evidence.verdict import Refuted

    try:
        opened = DiceCheck(case).batches
    except Refuted as error:
        raise Mistake(f"its dice are wrong: {error}", "", "evidence.refuted") from None
    found: list[dict[str, Any]] = []
    for envelope in batch.envelopes:
        if envelope.seq not in opened:
            continue
        dice = opened[envelope.seq]
        g = bytes.fromhex(case.created.params.g)
        shared = {
            "batch": f"{dice.domain} {dice.t}",
            "server link": dice.link.hex(),
            "seats' links": ["" if link is None else link.hex() for link in dice.links],
            "ctx": nwd1.batch_context(g, dice.domain, dice.t).hex(),
        }
        for roll in case.records[envelope.seq].rolls:
            pools = [(pool.count, pool.sides) for pool in roll.pools]
            again = nwd1.roll(dice.key, roll.label, pools)
            found.append(
                {
                    "roll": roll.label,
                    "event": envelope.seq,
                    "asked for": ", ".join(f"{count}d{sides}" for count, sides in pools),
                    "bytes": nwd1.stream(dice.key, roll.label, again.used).hex(" "),
                    "rejected": again.rejected,
                    "faces": [list(faces) for faces in again.faces],
                    **shared,
                }
            )
    return found


def _rows(values: dict[str, Any]) -> list[str]:
    """``name  value`` lines; what is empty is left out, long values are folded."""
    lines: list[str] = []
    for name, value in values.items():
        if value in ("", None, [], {}):
            continue
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        folded = textwrap.wrap(text, WIDTH - 16) or [""]
        lines.append(f"  {name:<14}{folded[0]}")
        lines += [" " * 16 + rest for rest in folded[1:]]
    return lines
