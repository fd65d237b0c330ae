"""The whole-cloth forger: from a finished game's public file alone, a game with another winner."""

from __future__ import annotations

from itertools import count

import msgspec
import pytest

from service import container
from service.evidence import bundle
from service.evidence.records import BatchRolled, GameCreated
from service.evidence.signing import SigningKey
from service.evidence.verify import verify
from service.evidence.vouching import dice_by
from tests.support import pennant

from .playing import GAME_ID, GAMES, Table, decode, finished

SEED = bytes(range(100, 132))
OWN = (b"\x44" * 32, b"\x55" * 32, b"\x66" * 32)
"""What the forger puts in the place of the seats' own secrets, which no file ever shows."""
ROOT = SigningKey("decklog.example/root", SEED).verify_key


def forged(data: bytes) -> bytes:
    """A file of the same game that somebody else has won, from what everybody may see of it."""
    files = container.unpack(data)
    first, *_ = files[bundle.EVENTS].splitlines()
    created = msgspec.convert(decode(first)["data"], type=GameCreated)
    last = decode(files[bundle.EVENTS].splitlines()[-1])["data"]
    winners = decode(files[bundle.EVENTS].splitlines()[-2])["data"]["result"]["winners"]
    table = Table()
    for seed in count():
        table = Table(
            setup=created.setup,
            grade=created.grade,
            tips=created.grade == "A1",
            length=created.params.length,
            master=bytes.fromhex(last["master"]),
            nonce=created.nonce,
            secrets=OWN,
        ).play(seed)
        result = table.game.result(table.state)
        assert result is not None
        if list(result.winners) != winners:
            break
    return table.export()


@pytest.fixture(params=["A0", "A1"])
def honest(request: pytest.FixtureRequest) -> bytes:
    """A finished game, whose master nobody knew before its end."""
    grade = str(request.param)
    return finished(8, 1, grade=grade, tips=grade == "A1", master=b"\x77" * 32).export()


def test_the_forger_s_file_is_upheld_and_said_to_be_of_no_proven_origin(honest: bytes) -> None:
    true, false = verify(honest, GAMES), verify(forged(honest), GAMES)
    assert (false.code, false.game) == (0, true.game) == (0, GAME_ID.hex())
    assert true.result != false.result
    first, *_ = false.text().splitlines()
    assert first == "UPHELD, origin not proven: unsigned, and no --head was given"


def test_who_knows_the_root_key_is_not_taken_in(honest: bytes) -> None:
    told = verify(forged(honest), GAMES, root=ROOT)
    assert told.code == 1
    assert told.finding is not None
    assert (told.finding.check, told.finding.found) == ("signature", "none")
    assert ROOT.name in told.finding.expected


def test_who_noted_a_head_is_not_taken_in(honest: bytes) -> None:
    assert verify(forged(honest), GAMES, head=verify(honest, GAMES).head).code == 1


def test_the_verdict_says_who_vouches_for_what() -> None:
    told = verify(finished(8, 1).export(), GAMES)
    lines = {each.what: each.by for each in told.vouched}
    assert list(lines) == ["rules", "dice", "orders", "origin", "time"]
    assert lines["rules"] == f"this judge: pennant {pennant.GAME.version} is installed here"
    assert lines["dice"].startswith("the service alone: no seat had a part in any of ")
    assert lines["orders"] == "the service alone (grade O0): no order is signed by its seat"
    assert lines["origin"] == told.origin
    assert lines["time"].startswith("the service alone")
    for each in told.vouched:
        assert f"\nvouched  {each.what}: {each.by}\n" in f"{told.text()}\n"


def test_the_verdict_names_whose_secrets_the_dice_were_made_of() -> None:
    table = finished(8, 1, grade="A1", tips=True)
    rolled = [decode(row.body)["data"] for row in table.rows]
    links = [data["playerLinks"] for data in rolled if "playerLinks" in data]
    parts = ", ".join(
        f"{seat} in {sum(bool(each[place]) for each in links)}"
        for place, seat in enumerate(table.setup.seats)
    )
    (dice,) = [v.by for v in verify(table.export(), GAMES).vouched if v.what == "dice"]
    assert (
        dice == f"the service, with {parts} of {len(links)} batches; their links were given ahead"
    )


def test_nobody_vouches_for_dice_of_a_named_seed_nor_where_none_fell() -> None:
    batch = BatchRolled(1, "pub", "", ("", ""), ())
    assert dice_by([batch], ("p1", "p2"), True).startswith("nobody: whoever named the seed")
    assert dice_by([], ("p1", "p2"), False) == "nothing was rolled"
