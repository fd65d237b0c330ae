"""Two seats with keys of their own play a game by the installed decklog-client.

python signing.py URL WISH FOLDER: how it ended. One key is drawn, the other kept in the folder.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from decklog_client import Client, Problem, SeatKey  # type: ignore[import-not-found]

CHANCE = random.Random(5)


def chosen(turn: Any) -> Any:
    items = turn.items()
    stays = [each for each in items if not each["command"]["type"].endswith(".resign")]
    return CHANCE.choice(stays or items)["command"]


def refused(table: Any, turn: Any, keys: dict[str, Any]) -> str:
    """The code with which an order is refused that other keys have signed, or none."""
    kept, table.keys = table.keys, keys
    try:
        turn.give(chosen(turn))
    except Problem as error:
        return str(error.code)
    finally:
        table.keys = kept
    return ""


def main(url: str, wish: dict[str, Any], folder: Path) -> None:
    one, two = SeatKey(), SeatKey.kept(folder / "p2.key")
    seats = [{"seat": "p1"}, {"seat": "p2", "hold": "open"}]
    with Client(url) as api:
        first = api.new_table(keys={"p1": one}, **wish, seats=seats)
        second = api.sit_down(first.game, {"seat": "p2"}, two)
        tokens = {seat: own.token for each in (first, second) for seat, own in each.seats.items()}
        # As after a restart: the tokens and the keys are all that was kept.
        again = {"p1": SeatKey(one.secret), "p2": SeatKey.kept(folder / "p2.key")}
        table = api.table(first.game, tokens, again)
        codes: list[str] = []
        for turn in table.turns():
            if not codes:
                codes = [refused(table, turn, each) for each in ({}, {turn.seat: SeatKey()})]
                table.keys["p1"] = SeatKey()
                own = api.holding(tokens["p1"])
                own.pass_on(first.game, "p1", again["p1"], table.keys["p1"])
            turn.give(chosen(turn))
        (folder / "game.evidence").write_bytes(api.evidence(first.game))
        print(json.dumps({"codes": codes, "summary": table.summary()}))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3]))
