"""Makes forms.jsonl, the frozen stored forms: a whole game as rows, with the master that opens it.

    python -m tests.service.store.freeze

Run it once for each new format, under a new file name: what is frozen is read for ever.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import msgspec

from service.models import SeatWish, TakeSeat
from tests.service.desk.kit import desk_in, fresh_key, new_game, order
from tests.support.pennant import Choose, Fire, Pass
from tests.support.player import Player

FORMS = Path(__file__).with_name("forms.jsonl")


class Head(msgspec.Struct):
    """First line: which game, its master in hex, and its state at the end."""

    game: str
    master: str
    params: str
    state: msgspec.Raw


class Form(msgspec.Struct):
    """Each further line: a row of ``stored_events``."""

    seq: int
    topic: str
    state: str


async def record(folder: Path) -> tuple[Head, list[Form]]:
    """A game in which every platform event and every event of Pennant occurs."""
    async with desk_in(folder) as desk:
        seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="open")]
        created = await new_game(desk, turns=60, seed="forms", grade="A1", seats=seats)
        game, player = created.game.id, Player(1)
        tip = player.link(created.game.params, 0).hex()
        await desk.take_seat(game, TakeSeat(seat="p2", dice_tip=tip), key=fresh_key())
        batch, command, second = 1, Fire("magazine"), False
        await order(desk, game, "p1", Choose("steady"))
        link = player.link(created.game.params, batch)
        await order(desk, game, "p2", Choose("bold"), link=link)
        while (summary := await desk.summary(game)).result is None:
            seat, batch = summary.to_move[0].seat, summary.next_batch
            mine = player.link(created.game.params, batch) if seat == "p2" else None
            given = Pass() if second else command
            outcome = await order(desk, game, seat, given, link=mine)
            second = second or any(e.type == "pennant.fire-resolved" and e.event.awaited
                                   for e in outcome.events)  # fmt: skip
        stored = desk._store.game(game)
        assert stored is not None
        state = msgspec.Raw(msgspec.json.encode((await desk.view(game, "truth")).state))
        head = Head(game, stored.master.hex(), stored.summary.params, state)
        forms = [Form(seq, topic, text.decode()) for seq, topic, text in desk._store.rows(game)]
        return head, forms


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        head, forms = asyncio.run(record(Path(folder)))
    lines = [msgspec.json.encode(line) for line in (head, *forms)]
    FORMS.write_bytes(b"\n".join(lines) + b"\n")
    print(f"{FORMS.name}: {len(forms)} events")


if __name__ == "__main__":
    main()
