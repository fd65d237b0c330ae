"""One flipped bit anywhere in an SQLite store: whatever is asked is answered as before, or refused.

    python -m tests.campaigns.flips --flips 10000 [--seed 1]

The store has games of Pennant and Soundings, one that is over, others in the middle, hidden dice
and tokens. Each flip is a store of its own that the service is started on. A flip that the service
notices at its start, be it that it refuses the file or opens a new epoch, is noticed. A game whose
row is damaged is refused, and is in no list: a list without it is right about all others.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.values import PUBLIC
from projections.results import GameResult
from service.desk import Desk
from service.errors import StoreRefused
from tests.service.desk.kit import desk_in, fresh_key, new_game, order, play
from tests.support.pennant import Choose

DATABASE = "games.sqlite"
Ask = Callable[[], Awaitable[Any]]


class Town(msgspec.Struct, frozen=True):
    """What is in the store: its games, its tokens, and a command that was answered."""

    games: list[str]
    tokens: list[str]
    repeat: dict[str, Any]


async def build(folder: Path) -> Town:
    """A small store with something of everything."""
    async with desk_in(folder, chain_length=64) as desk:
        games, tokens = [], []
        for ruleset, commands in (("pennant", 6), ("soundings", 8), ("pennant", 1_000)):
            made = await new_game(desk, turns=12, ruleset=ruleset, name=f"a game of {ruleset}")
            games.append(made.game.id)
            tokens += [made.organiser, *(token.token for token in made.tokens)]
            await play(desk, made.game.id, 3, commands)
        made = await new_game(desk)
        games.append(made.game.id)
        version = (await desk.reader.summary(games[3])).version
        repeat = {"key": fresh_key(), "expected": version}
        await order(desk, games[3], "p1", Choose("bold"), **repeat)
        await desk.records.reached("lobby")
        await desk.records.reached("results")
    return Town(games, tokens, repeat)


def questions(desk: Desk, town: Town) -> dict[str, Ask]:
    """Everything that can be asked of the reader, by name."""
    reader = desk.reader
    asked: dict[str, Ask] = {
        "lobby": lambda: reader.lobby(limit=100),
        "open games": lambda: reader.lobby(limit=100, status="playing"),
        "latest games": lambda: desk.records.active(limit=100, ruleset="", status=""),
        "results": lambda: desk.records.page("results", GameResult, limit=100),
    }
    for place, game in enumerate(town.games):
        asked[f"summary {place}"] = partial(reader.summary, game)
        asked[f"evidence {place}"] = partial(reader.evidence, game, PUBLIC)
        asked[f"rolls {place}"] = partial(reader.rolls, game, "p1")
        for viewer in ("p1", PUBLIC):
            asked[f"view {place} {viewer}"] = partial(reader.view, game, viewer)
            asked[f"third {place} {viewer}"] = partial(reader.view, game, viewer, 3)
            asked[f"events {place} {viewer}"] = partial(reader.events, game, viewer, 0, 999)
    for place, token in enumerate(town.tokens):
        asked[f"token {place}"] = partial(reader.identify, token)
    asked["repeat"] = lambda: order(desk, town.games[3], "p1", Choose("bold"), **town.repeat)
    return asked


REFUSED = b"refused"


async def answers(folder: Path, town: Town) -> dict[str, bytes]:
    """What the service says to each question; one word for every refusal."""
    found: dict[str, bytes] = {}
    async with desk_in(folder, chain_length=64) as desk:
        if desk.store.found_behind:
            return {}
        for name, ask in questions(desk, town).items():
            try:
                answer = await ask()
            except Exception:  # whatever it is, it is no answer
                found[name] = REFUSED
            else:
                found[name] = _bytes(answer)
    return found


def _bytes(answer: Any) -> bytes:
    if answer is None:
        return REFUSED
    if isinstance(answer, list):
        return b"\n".join(repr(each).encode() for each in answer)
    return answer if isinstance(answer, bytes) else repr(answer).encode()


def flipped(source: Path, folder: Path, bit: int) -> None:
    """A copy of the store in which one bit is another."""
    for each in source.iterdir():
        shutil.copy(each, folder / each.name)
    with (folder / DATABASE).open("r+b") as file:
        file.seek(bit // 8)
        byte = file.read(1)[0] ^ (1 << bit % 8)
        file.seek(bit // 8)
        file.write(bytes([byte]))


def without(answer: bytes, lost: list[bytes]) -> bytes:
    """A list without the games that are damaged; any other answer as it is."""
    lines = answer.split(b"\n")
    kept = [each for each in lines if not any(game in each for game in lost)]
    return b"\n".join(kept) if len(lines) > 1 else answer


class Tally(msgspec.Struct):
    """How many flips were tried, what became of them, and which were answered wrong."""

    flips: int = 0
    fates: Counter[str] = msgspec.field(default_factory=Counter)
    wrong: list[str] = msgspec.field(default_factory=list)

    def take(self, bit: int, truth: dict[str, bytes], found: dict[str, bytes] | None) -> None:
        self.flips += 1
        if found is None:
            self.fates["not started"] += 1
        elif not found:
            self.fates["a new epoch"] += 1
        else:
            lost = [truth[f"id {name}"] for name, said in found.items()
                    if name.startswith("summary") and said == REFUSED]  # fmt: skip
            false = [name for name, said in found.items()
                     if said != REFUSED and said != without(truth[name], lost)]  # fmt: skip
            self.wrong += [f"bit {bit}: {name}" for name in false]
            refused = REFUSED in found.values()
            self.fates["wrong" if false else "refused" if refused else "as before"] += 1


def campaign(flips: int, seed: int, say: Callable[[str], None] = lambda line: None) -> Tally:
    """So many flips at places that the seed chooses."""
    choose, tally = random.Random(seed), Tally()
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "source"
        source.mkdir()
        town = asyncio.run(build(source))
        truth = asyncio.run(_truth(source, town, Path(name) / "truth"))
        assert REFUSED not in truth.values()
        bits = 8 * (source / DATABASE).stat().st_size
        for number in range(flips):
            folder = Path(name) / str(number)
            folder.mkdir()
            bit = choose.randrange(bits)
            flipped(source, folder, bit)
            tally.take(bit, truth, _asked(folder, town))
            shutil.rmtree(folder)
            if (number + 1) % 100 == 0:
                say(f"{number + 1} of {flips}: {dict(tally.fates)}")
    return tally


async def _truth(source: Path, town: Town, folder: Path) -> dict[str, bytes]:
    shutil.copytree(source, folder)
    found = await answers(folder, town)
    ids = {f"id summary {place}": game.encode() for place, game in enumerate(town.games)}
    return found | ids


def _asked(folder: Path, town: Town) -> dict[str, bytes] | None:
    try:
        return asyncio.run(answers(folder, town))
    except StoreRefused:
        return None
    except Exception:
        logging.getLogger(__name__).debug("it does not start", exc_info=True)
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    tally = campaign(given.flips, given.seed, lambda line: print(line, flush=True))
    print(f"{tally.flips} flips: {dict(tally.fates)}")
    print("\n".join(tally.wrong) or "none was answered wrong")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
