"""The service signs for what the operator rules, so that a ruling cannot be left out later."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any, get_args

import pytest

from service.desk import Desk
from service.evidence import bundle
from service.evidence import receipts as of_receipts
from service.evidence.beside import with_receipts
from service.evidence.receipts import Given, read
from service.evidence.records import BatchVoided, EndedByRuling, KeyChanged, Paused, Resumed
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from service.play.rulings import Ruling
from service.store import acts
from tests.service.desk.kit import GAMES, desk_in, instruct, new_game, order, play, settings
from tests.service.desk.test_key_rulings import ONE, TWO, keyed, public
from tests.service.desk.test_locked_orders import begun
from tests.spec.test_checkers import PROGRAMS
from tests.spec.test_checkers import run as check
from tests.support import pennant
from tests.support.second import opinions
from tests.support.service_keys import ServiceKeys, service_keys

TOLD = "a complaint"
RULED = {
    "freeze": Paused, "thaw": Resumed, "pause": Paused, "resume": Resumed, "key": KeyChanged,
    "end": EndedByRuling,
}  # fmt: skip
"""Act and event of each ruling that a game may have at any time."""


@pytest.fixture
def keys(tmp_path: Path) -> ServiceKeys:
    return service_keys(tmp_path)


def copied(folder: Path) -> Path:
    """A folder with the store as it is now."""
    before = folder / "before"
    before.mkdir()
    for file in folder.glob(f"{settings(folder).database.name}*"):
        shutil.copy(file, before)
    return before


async def ruled(desk: Desk, act: str, game: str) -> Given:
    done = await instruct(desk, act, game, tell=TOLD, **(passed_on(game) if act == "key" else {}))
    assert done.code == ""
    given = read(done.told["receipt"].encode())
    told = given.receipt
    assert (told.game, told.kind, told.seat) == (game, "ruling", "service")
    return given


def passed_on(game: str) -> dict[str, str]:
    signature = ONE.pass_on(game, "p1", TWO)
    return {"seat": "p1", "public": public(TWO), "signature": signature}


async def judged(desk: Desk, game: str, keys: ServiceKeys, *receipts: Given) -> Verdict:
    data = await desk.reader.evidence(game, "public")
    data = bundle.signed(data, keys.key("bundles"), keys.listed)
    return verify(data, GAMES, root=keys.root, receipts=receipts)


def test_each_ruling_has_its_receipt_and_the_record_has_what_it_is_for(
    tmp_path: Path, keys: ServiceKeys
) -> None:
    async def run() -> None:
        async with desk_in(tmp_path, keys=str(keys.folder)) as desk:
            game = await keyed(desk, deadline=600)
            found = [await ruled(desk, act, game) for act in RULED]
            told = await judged(desk, game, keys, *found)
            assert told.word == "UPHELD", told.text()
            assert f"{len(RULED)} receipts have their events" in told.text()
            logged = b"".join(bytes(each.details) for each in acts.listed(desk.store.recorder))
            assert b"version" in logged
            assert b"receipt" not in logged, "that is for whoever asked"

    asyncio.run(run())


def test_no_kind_of_ruling_is_left_out() -> None:
    known = set(get_args(Ruling))
    assert {*RULED.values(), BatchVoided} == known
    assert set(of_receipts.OF_KINDS["ruling"]) == known


def test_a_voided_batch_too_in_a_game_that_goes_on(tmp_path: Path, keys: ServiceKeys) -> None:
    async def run() -> None:
        async with desk_in(tmp_path, keys=str(keys.folder)) as desk:
            game, _ = await begun(desk, turns=4)
            await order(desk, game, "p1", pennant.Fire())
            told = await judged(desk, game, keys, await ruled(desk, "void", game))
            assert told.word == "UPHELD", told.text()
            assert "1 receipts have their events" in told.text()

    asyncio.run(run())


def test_a_record_without_the_ruling_convicts_the_service(
    tmp_path: Path, keys: ServiceKeys
) -> None:
    async def run() -> None:
        told: dict[str, Any] = {"keys": str(keys.folder)}
        async with desk_in(tmp_path, **told) as desk:
            game = (await new_game(desk)).game.id
        before = copied(tmp_path)
        async with desk_in(tmp_path, **told) as desk:
            given = await ruled(desk, "freeze", game)
        async with desk_in(before, **told) as desk:
            await play(desk, game, 1)
            verdict = await judged(desk, game, keys, given)
        assert verdict.word == "REFUTED"
        assert verdict.finding is not None
        assert verdict.finding.what == "event that ruling of service led to"

    asyncio.run(run())


def test_without_keys_nothing_is_signed(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk)).game.id
            assert (await instruct(desk, "freeze", game, tell=TOLD)).told.keys() == {"version"}

    asyncio.run(run())


def with_every_ruling(folder: Path, keys: ServiceKeys) -> bytes:
    """The file of a game, and in it the receipt of each ruling."""

    async def run() -> bytes:
        async with desk_in(folder, keys=str(keys.folder)) as desk:
            game = await keyed(desk, deadline=600)
            found = [await ruled(desk, act, game) for act in RULED]
            data = await desk.reader.evidence(game, "public")
            return with_receipts(bundle.signed(data, keys.key("bundles"), keys.listed), found)

    return asyncio.run(run())


def test_the_specification_s_checkers_and_the_page_find_each_too(
    tmp_path: Path, keys: ServiceKeys
) -> None:
    file, root = tmp_path / "game.decklog", str(keys.root)
    file.write_bytes(with_every_ruling(tmp_path, keys))
    for language in PROGRAMS:
        code, said = check(language, str(file), "--root", root)
        assert (code, f"{len(RULED)} receipts have their events" in said) == (0, True), said
    (told,) = opinions([file.read_bytes()], tmp_path, root)
    assert told["checks"]["receipts"] == f"{len(RULED)} receipts have their events", told
