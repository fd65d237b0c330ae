"""The page's second opinion on absences, rounds and forfeits: it says what the judge says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from service.evidence.beacon import NETWORKS, QUICKNET
from service.evidence.verify import verify
from tests.service.evidence.playing import GAMES
from tests.service.evidence.test_absent_in_vain import LIES, before_the_store_went_back
from tests.service.evidence.test_forfeited import MISFITS, forfeited
from tests.support.beacon import OWN
from tests.support.second import opinions, owed

LOST: dict[str, Callable[[], bytes]] = {
    f"forfeit {number}": lambda made=made: made().forge()  # type: ignore[misc]
    for number, (made, _) in enumerate(MISFITS)
}
TOLD: dict[str, Callable[[], bytes]] = {
    name: lambda made=made: made().forge()  # type: ignore[misc]
    for name, (made, _) in LIES.items()
}


@pytest.fixture(autouse=True)
def _own_beacon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NETWORKS, QUICKNET, OWN)


def test_lies_are_refuted_by_both(tmp_path: Path) -> None:
    made = {**LOST, **TOLD}
    files = [each() for each in made.values()]
    for name, data, said in zip(made, files, opinions(files, tmp_path), strict=True):
        assert owed(verify(data, GAMES)) == {"REFUTED"} == {said["word"]}, (name, said)


def test_what_is_true_holds_by_both(tmp_path: Path) -> None:
    files = [forfeited().export(), before_the_store_went_back().export()]
    for data, said in zip(files, opinions(files, tmp_path), strict=True):
        assert owed(verify(data, GAMES)) == {"CONSISTENT"} == {said["word"]}, said
