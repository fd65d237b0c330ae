"""Games that went over to other rules: upheld by both; refuted where not all of it is so."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.game import Game
from service import container
from service.evidence import bundle, chain
from service.evidence.changed import parts_of
from service.evidence.digest import rules_archive, rules_digest
from service.evidence.records import ENGINE, RulesAgreed, RulesChanged, RulesUsed
from service.evidence.shelf import Folder
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from tests.service.engines.harm import doing, later
from tests.support import pennant

from .playing import GAMES, Cheat, Table

replace = msgspec.structs.replace
LATER = later()
SHA = hashlib.sha256(LATER).hexdigest()
OLD = RulesUsed("pennant", pennant.GAME.version, SHA, ENGINE)
NEW = RulesUsed("pennant", "1.0.0", rules_digest(pennant.GAME).hex(), ENGINE)
"""From an engine that decides as the installed rules do, to those."""
SEATS = pennant.SETUP.seats
ALL = tuple((each, NEW) for each in SEATS)


def table(
    cheat: Cheat | None = None,
    agreed: tuple[tuple[str, RulesUsed], ...] = ALL,
    orders: int = 4,
    game: Any = pennant.GAME,
    **more: Any,
) -> Table:
    """A game that goes over after so many orders, by these agreements."""
    made = Table(
        setup=pennant.setup(12), rules=bytes.fromhex(SHA), cheat=cheat or Cheat(), **more
    ).play(3, orders)
    for seat, used in agreed:
        made.agrees(seat, used)
    made.goes_over(OLD, NEW, game)
    return made


def judged(data: bytes, folder: Path, archive: bytes = LATER) -> Verdict:
    (folder / "old.engine").write_bytes(archive)
    digest = hashlib.sha256(archive).hexdigest()
    return verify(data, GAMES, engines=(Folder(folder),), trusted=(digest,))


@pytest.mark.parametrize("orders", [0, 1, 4])
@pytest.mark.parametrize("viewer", ["p1", "p2", "public", "truth"])
def test_each_part_is_judged_by_its_own_rules(tmp_path: Path, viewer: str, orders: int) -> None:
    made = table(orders=orders).play(5, 3)
    verdict = judged(made.export(viewer), tmp_path)
    assert verdict.word == "UPHELD", verdict.text()
    assert any("all seats agreed to go on" in note for note in verdict.notes)
    assert any(f"engine {SHA[:16]}" in note for note in verdict.notes)


def test_a_finished_one_is_upheld_and_without_the_old_engine_it_is_not(tmp_path: Path) -> None:
    data = table().play(5).export()
    assert judged(data, tmp_path).word == "UPHELD"
    assert verify(data, GAMES, engines=()).code == 5, "the installed rules decide it alike"
    assert verify(data, {}, engines=()).word == "CANNOT JUDGE"


def test_what_is_asked_of_a_position_goes_by_the_rules_that_it_is_of() -> None:
    game = table().game
    newest = parts_of(game)[-1].game
    asked = [each.name for each in fields(Game) if re.match(r"Callable\[\[S[,\]]", str(each.type))]
    assert {"decide", "odds", "worthwhile", "fails"} <= {*asked}
    assert [name for name in asked if getattr(game, name) is getattr(newest, name)] == []


def test_deadlines_go_on_over_the_change(tmp_path: Path) -> None:
    made = table(deadline=600)
    seat = made.game.pending(made.state)[0].seat
    made.by_clock(seat, 10)
    verdict = judged(made.play(5).export(), tmp_path)
    assert verdict.word == "UPHELD", verdict.text()


def on(change: Callable[[RulesChanged], Any]) -> Cheat:
    return Cheat(record=lambda item: change(item) if isinstance(item, RulesChanged) else item)


def alone(change: Callable[[RulesAgreed], Any]) -> Cheat:
    return Cheat(record=lambda item: change(item) if isinstance(item, RulesAgreed) else item)


BY_P1 = tuple((seat, NEW) for seat in SEATS[:1])


@pytest.mark.parametrize(
    ("cheat", "agreed", "what"),
    [
        (Cheat(), (), "seats that agreed"),
        (Cheat(), BY_P1, "seats that agreed"),
        (Cheat(), (*BY_P1, *BY_P1), "seats that agreed"),
        (Cheat(), (*BY_P1, (SEATS[1], OLD)), "seats that agreed"),
        (Cheat(), ((SEATS[1], NEW), *BY_P1, (SEATS[1], OLD)), "seats that agreed"),
        (on(lambda r: replace(r, agreed=r.agreed[:1])), None, "seats that agreed"),
        (on(lambda r: replace(r, agreed=r.agreed[::-1])), None, "seats that agreed"),
        (on(lambda r: replace(r, since=r.since + 1)), None, "since"),
        (on(lambda r: replace(r, old=r.new)), None, "rules until now"),
        (alone(lambda r: replace(r, seat="p9")), None, "actor"),
    ],
)
def test_a_false_change_is_refuted(tmp_path: Path, cheat: Cheat, agreed: Any, what: str) -> None:
    made = table(cheat) if agreed is None else table(cheat, agreed)
    verdict = judged(made.play(5).forge(), tmp_path)
    assert verdict.finding is not None, verdict.text()
    assert verdict.finding.what == what


def test_another_position_than_the_one_that_was_is_refuted(tmp_path: Path) -> None:
    """The digest of what the new rules came to is sealed: another one is found."""

    def richer(fields: dict[str, Any]) -> dict[str, Any]:
        if fields["type"] != RulesChanged.TYPE:
            return fields
        return {**fields, "payloads": {"state": chain.state_payload({"left": 99})}}

    verdict = judged(table(Cheat(envelope=richer)).play(5).forge(), tmp_path)
    assert verdict.finding is not None, verdict.text()
    assert verdict.finding.what == "digest of the state"


def test_it_bears_no_seal_but_that_of_the_position(tmp_path: Path) -> None:
    def bare(fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "payloads": {}} if fields["type"] == RulesChanged.TYPE else fields

    verdict = judged(table(Cheat(envelope=bare)).play(5).forge(), tmp_path)
    assert verdict.finding is not None, verdict.text()
    assert verdict.finding.what == "digest of the state is sealed"


def test_the_second_part_is_not_judged_by_the_first_rules(tmp_path: Path) -> None:
    """By the first ones p2 would have won, whatever happened."""
    won = "return found and __import__('msgspec').structs.replace(found, winners=('p2',))"
    first = doing("result", "found = true(*given)", won)
    sha = hashlib.sha256(first).hexdigest()
    played = (_gone_over(sha, seed) for seed in range(99))
    made = next(table for table in played if _winners(table) == ("p1",))
    verdict = judged(made.export(), tmp_path, first)
    assert verdict.word == "UPHELD", verdict.text()
    assert verdict.result is not None
    assert verdict.result["winners"] == ("p1",)


def _winners(table: Table) -> tuple[str, ...]:
    result = table.game.result(table.state)
    assert result is not None
    return result.winners


def _gone_over(sha: str, seed: int) -> Table:
    """A game that went over to the installed rules at once."""
    made = Table(setup=pennant.setup(12), rules=bytes.fromhex(sha))
    for seat in SEATS:
        made.agrees(seat, NEW)
    made.goes_over(replace(OLD, digest=sha), NEW, pennant.GAME)
    return made.play(seed)


def test_a_file_carries_every_engine_that_the_game_names() -> None:
    """Only the first went in: whoever had not kept the second could not judge what came after."""
    installed = rules_archive(pennant.GAME)
    data = table().play(5).export()
    whole = bundle.with_engines(data, [LATER, installed])
    found = verify(whole, {}, engines=(), trusted=(SHA, NEW.digest))
    assert found.word == "UPHELD", found.text()
    assert verify(whole, {}, engines=()).code == 5, "a file does not vouch for itself"
    assert verify(whole, GAMES, engines=(), trusted=(SHA,)).word == "UPHELD"
    assert bundle.with_engines(whole, [LATER, installed]) == whole, "they are there once"
    for wrong in ([LATER], [installed, LATER], [LATER, LATER], [LATER, installed, LATER]):
        with pytest.raises(bundle.BundleError, match="names the rules"):
            bundle.with_engines(data, wrong)


def test_a_game_that_went_there_and_back_names_each_engine_once() -> None:
    made = table()
    made.agrees(SEATS[0], NEW)
    data = made.play(5).export()
    files = container.unpack(data)
    manifest = msgspec.json.decode(files[bundle.MANIFEST], type=bundle.Manifest)
    assert bundle.engines_named(manifest, files[bundle.EVENTS]) == [SHA, NEW.digest]
