"""Dice out of escrow are those that the service would roll, or there are none."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from domain.kernel.chance import Dice
from service.deadlines import later
from service.evidence.beacon import NETWORKS, QUICKNET, entry_of, first_after
from service.evidence.chain import NO_CAUSE
from service.evidence.records import SERVICE, GameCreated, LinksClosed
from tests.service.cli.conftest import Run
from tests.service.evidence.playing import AT, Cheat, Table
from tests.service.evidence.test_cheats import on_type
from tests.support import pennant
from tests.support.beacon import OWN, signed
from tests.support.pennant import Fire

LABEL = "fire/9"


@pytest.fixture(autouse=True)
def _own_beacon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NETWORKS, QUICKNET, OWN)


def waiting(*, closed: bool) -> tuple[Table, int]:
    """A game of grade A3 whose order is locked; it waits for a round once links are closed."""
    played = Table(setup=pennant.setup(12), grade="A3", tips=True).play(1, orders=4)
    number = first_after(OWN, later(AT, 60 * played.minutes + 4))

    def closes(t: int, absent: tuple[str, ...]) -> None:
        if closed:
            record = LinksClosed(t, absent, round=number)
            played.write([record], NO_CAUSE, SERVICE, sealing=False)

    played.closes = closes  # type: ignore[method-assign]
    played.locks(played.game.pending(played.state)[0].seat, Fire("hull"))
    return played, number


def line(played: Table, folder: Path) -> list[str]:
    (folder / "game.decklog").write_bytes(played.export("truth"))
    (folder / "master").write_text(played.book.master.hex())
    told = ["--master", str(folder / "master"), "--label", LABEL, "--dice", "2d6"]
    return ["escrow", "roll", str(folder / "game.decklog"), *told]


def test_a_batch_that_waits_for_a_beacon_is_rolled_with_its_round_alone(
    run: Run, tmp_path: Path
) -> None:
    played, number = waiting(closed=True)
    words = line(played, tmp_path)
    run(*words).assert_mistake(f"waits for round {number} of the beacon")
    run(*words, "--beacon", signed(number + 1)).assert_mistake(f"waits for round {number}")
    done = run(*words, "--beacon", signed(number), "--json")
    assert done.code == 0, done
    links = [played.player_link(place, played.batch) for place in (0, 1)]
    entry = entry_of(number, signed(number))
    batch = played.book.open_batch(played.batch, links, "pub", played.epoch, entry)
    assert done.json["faces"] == [list(pool) for pool in batch.roll(LABEL, [Dice(2, 6)])]


def test_no_dice_before_a_round_is_named(run: Run, tmp_path: Path) -> None:
    played, _ = waiting(closed=False)
    run(*line(played, tmp_path)).assert_mistake("no round of the beacon is named")


def test_a_file_that_cannot_be_judged_is_a_mistake(run: Run, tmp_path: Path) -> None:
    for cheat in (
        Cheat(record=on_type(GameCreated, lambda r: msgspec.structs.replace(r, beacon="ab"))),
        Cheat(record=on_type(GameCreated, lambda r: msgspec.structs.replace(r, grade="A2"))),
    ):
        played = Table(setup=pennant.setup(6), grade="A3", tips=True, cheat=cheat).play(1)
        words = line(played, tmp_path)
        (tmp_path / "game.decklog").write_bytes(played.forge())
        run(*words).assert_mistake("cannot be judged")
