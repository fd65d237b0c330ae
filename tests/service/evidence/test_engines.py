"""A file is judged by the engine that it names, wherever that is; only a known one upholds it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.codec import canonical
from domain.kernel.fork import Fork
from domain.kernel.forked import fork_rules
from domain.kernel.rules import Refused
from domain.kernel.setup import Result
from domain.kernel.values import TRUTH
from service.engines import outside, wall
from service.evidence import bundle
from service.evidence.shelf import CARRIED, Folder, Service
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from tests.service.engines.harm import bent_sample, doing, later
from tests.support import pennant

from .playing import Cheat, Table, finished

LATER = later()
WALL = bool(wall.bubblewrap())


def otherwise(state: Any, seat: str, command: Any) -> Any:
    raise Refused("fire.never", "PEN-5", "Nobody decides by these.")


OTHERS = {"pennant": replace(pennant.GAME, version="2.0.0", decide=otherwise)}
"""Installed rules that refuse every order: nothing is upheld by them."""


def sha(archive: bytes) -> str:
    return hashlib.sha256(archive).hexdigest()


def under(archive: bytes, **more: Any) -> Table:
    """A game that names this engine, which decides as Pennant does."""
    return finished(rules=bytes.fromhex(sha(archive)), **more)


def kept(folder: Path, archive: bytes, name: str = "some.engine") -> Folder:
    (folder / name).write_bytes(archive)
    return Folder(folder)


def judged(archive: bytes, folder: Path, *trusted: str, **more: Any) -> Verdict:
    places = (CARRIED, kept(folder, archive))
    return verify(under(archive, **more).export(), OTHERS, engines=places, trusted=trusted)


def test_an_engine_that_the_judge_knows_upholds_what_the_installed_rules_do_not(
    tmp_path: Path,
) -> None:
    verdict = judged(LATER, tmp_path, sha(LATER))
    assert verdict.word == "UPHELD", verdict.text()
    assert any(f"engine {sha(LATER)[:16]} from {tmp_path}" in note for note in verdict.notes)
    assert verify(under(LATER).export(), OTHERS).word == "CANNOT JUDGE"


def test_one_that_he_does_not_know_never_upholds(tmp_path: Path) -> None:
    verdict = judged(LATER, tmp_path)
    if WALL:
        assert (verdict.code, verdict.word) == (5, "CONSISTENT, RULES NOT VOUCHED FOR")
        assert "not on this judge's list" in verdict.reason
    else:
        assert verdict.word == "CANNOT JUDGE"
        assert "install bubblewrap" in verdict.reason
    assert sha(LATER)[:16] in verdict.reason


def test_without_a_wall_only_what_is_known_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall, "walled", lambda: None)
    assert "install bubblewrap" in judged(LATER, tmp_path).reason
    assert judged(LATER, tmp_path, sha(LATER)).word == "UPHELD"


def won_by_p2(state: Any) -> Result | None:
    found = pennant.GAME.result(state)
    return None if found is None else Result(("p2",), found.reason, found.rule)


def test_a_forged_engine_that_says_what_the_forged_record_says_upholds_nothing(
    tmp_path: Path,
) -> None:
    """Whoever won, it says that p2 did; so does the record, and nothing contradicts itself."""
    won = "return found and __import__('msgspec').structs.replace(found, winners=('p2',))"
    forged = doing("result", "found = true(*given)", won)
    table = under(forged, game=pennant.mutant(result=won_by_p2))
    assert pennant.GAME.result(table.state) != won_by_p2(table.state)
    folder = kept(tmp_path, forged)
    verdict = verify(table.export(), OTHERS, engines=(folder,))
    assert verdict.code == (5 if WALL else 3)
    assert verdict.result is not None
    assert verdict.result["winners"] == ("p2",)
    trusting = verify(table.export(), OTHERS, engines=(folder,), trusted=(sha(forged),))
    assert trusting.word == "UPHELD", "whoever vouches for it has it so"
    honest = verify(table.export(), {"pennant": pennant.GAME})
    assert honest.word == "CANNOT JUDGE", "these are not the rules that it names"


@pytest.mark.parametrize("viewer", ["p1", "p2", "public", "truth"])
def test_a_game_in_play_is_judged_by_its_engine_too(tmp_path: Path, viewer: str) -> None:
    folder = kept(tmp_path, LATER)
    table = Table(setup=pennant.setup(8), rules=bytes.fromhex(sha(LATER))).play(1, 4)
    data = table.export(viewer)
    verdict = verify(data, OTHERS, engines=(folder,), trusted=(sha(LATER),))
    here = verify(data, {"pennant": pennant.GAME}, engines=())
    assert (verdict.word, verdict.scope, here.code) == ("UPHELD", "partial", 5)
    assert [(p.check, p.count) for p in verdict.checks] == [(p.check, p.count) for p in here.checks]


def test_a_fork_is_judged_by_the_engines_own_rules_of_forks(tmp_path: Path) -> None:
    state = pennant.GAME.fold(pennant.GAME.opening(pennant.setup(6)))
    plain = msgspec.json.decode(canonical(state))
    fork = Fork("0" * 32, 2, TRUTH, "seed", plain, schema=pennant.GAME.position)
    setup = msgspec.structs.replace(pennant.setup(6), fork=fork)
    rules = bytes.fromhex(sha(LATER))
    table = Table(game=fork_rules(pennant.GAME), setup=setup, rules=rules).play(3)
    places = (kept(tmp_path, LATER),)
    verdict = verify(table.export(), OTHERS, engines=places, trusted=(sha(LATER),))
    assert verdict.word == "UPHELD", verdict.text()
    assert any(note.startswith("A what-if") for note in verdict.notes)


def test_a_cheat_is_refuted_by_the_engine_with_the_rule(tmp_path: Path) -> None:
    folder = kept(tmp_path, LATER)

    def bold(event: Any) -> Any:
        return (
            event
            if event.NAME != "fire-declared"
            else msgspec.structs.replace(event, rules=("PEN-1",))
        )

    table = under(LATER, cheat=Cheat(event=bold))
    verdict = verify(table.export(), OTHERS, engines=(folder,), trusted=(sha(LATER),))
    assert verdict.word == "REFUTED", verdict.text()
    assert verdict.finding is not None
    assert verdict.finding.check == "rules"


def test_what_has_another_digest_is_not_used(tmp_path: Path) -> None:
    other = later("1.0.2")
    folder = kept(tmp_path, other, f"{sha(LATER)}.engine")
    verdict = verify(under(LATER).export(), OTHERS, engines=(folder,), trusted=(sha(other),))
    assert verdict.word == "CANNOT JUDGE"
    assert any("another digest: not used" in note for note in verdict.notes)
    strange = Service("a service", lambda digest: other)
    verdict = verify(under(LATER).export(), OTHERS, engines=(strange,), trusted=(sha(other),))
    assert any("What a service has" in note for note in verdict.notes)


def test_a_service_gives_it_once_and_the_cache_keeps_it(tmp_path: Path) -> None:
    asked: list[str] = []

    def fetch(digest: str) -> bytes | None:
        asked.append(digest)
        return LATER

    cache = Folder(tmp_path / "cache", "the local cache")
    data, places = under(LATER).export(), (cache, Service("a service", fetch, cache))
    for place in ("a service", "the local cache"):
        verdict = verify(data, OTHERS, engines=places, trusted=(sha(LATER),))
        assert verdict.word == "UPHELD"
        assert any(f"from {place}" in note for note in verdict.notes)
    assert asked == [sha(LATER)]


def test_it_may_be_in_the_file_itself() -> None:
    data = under(LATER).export()
    whole = bundle.with_engines(data, [LATER])
    verdict = verify(whole, OTHERS, trusted=(sha(LATER),))
    assert verdict.word == "UPHELD", verdict.text()
    assert any("from the file itself" in note for note in verdict.notes)
    assert verify(whole, OTHERS).code == (5 if WALL else 3)
    assert verify(whole, OTHERS).head == verify(data, OTHERS).head
    with pytest.raises(bundle.BundleError, match="names the rules"):
        bundle.with_engines(data, [later("1.0.2")])


@pytest.mark.parametrize(
    ("archive", "why"),
    [
        (bent_sample(), "its sample does not come out here"),
        (doing("redact", "while True: pass"), "it was late with its answer"),
        (doing("redact", "__import__('os')._exit(1)"), "its process has ended"),
        (doing("redact", "raise SystemError('no')"), "the rules broke down: SystemError: no"),
    ],
    ids=["sample", "loops", "exits", "breaks"],
)
def test_an_engine_that_does_not_run_judges_nothing(
    archive: bytes, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "SECONDS", 2.0)
    verdict = judged(archive, tmp_path, sha(archive))
    assert verdict.word == "CANNOT JUDGE", verdict.text()
    assert verdict.reason.startswith("the engine did not run")
    assert why in verdict.reason
