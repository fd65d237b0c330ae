"""The second opinion on absences, rounds, forfeits and shares: it says what the judge says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from service.evidence.beacon import NETWORKS, QUICKNET
from service.evidence.escrow import KeptShare
from service.evidence.seatkeys import SeatKey
from service.evidence.verify import verify
from tests.service.evidence.playing import GAMES, Table
from tests.service.evidence.test_absent_in_vain import LIES, before_the_store_went_back
from tests.service.evidence.test_escrow import KEPT, SECRETS, key_of, seated
from tests.service.evidence.test_escrow import MISFITS as WRONG
from tests.service.evidence.test_escrow import played as escrowed
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


def test_an_escrow_that_is_none_is_refuted_by_both(tmp_path: Path) -> None:
    files = [kept_by(each).forge() for each in [*WRONG, playing()]]
    for data, said in zip(files, opinions(files, tmp_path), strict=True):
        assert owed(verify(data, GAMES)) == {"REFUTED"} == {said["word"]}, said
    (said,) = opinions([kept_by(KEPT).forge()], tmp_path)
    assert said["word"] == "CONSISTENT", said


def playing() -> tuple[KeptShare, ...]:
    """Sealed for the key of a seat."""
    return (seated(), *KEPT[1:])


def kept_by(kept: tuple[KeptShare, ...]) -> Table:
    key = SeatKey(key_of(SECRETS[0]), "client")
    return escrowed(kept, keys={"p1": key}) if kept == playing() else escrowed(kept)


def test_what_is_true_holds_by_both(tmp_path: Path) -> None:
    files = [forfeited().export(), before_the_store_went_back().export()]
    for data, said in zip(files, opinions(files, tmp_path), strict=True):
        assert owed(verify(data, GAMES)) == {"CONSISTENT"} == {said["word"]}, said
