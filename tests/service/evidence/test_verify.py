"""The verifier's answers: upheld, partial, lower grade, unreadable, cannot judge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from domain.kernel.rules import Refused
from service import container
from service.evidence import verify as verifier
from service.evidence.verdict import WORDS
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Choose, Fire, Pass

from .playing import GAMES, Table, finished


def codes(table: Table, **asked: Any) -> list[int]:
    viewers = ("p1", "p2", "public", "truth")
    return [verify(table.export(viewer), GAMES, **asked).code for viewer in viewers]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("tips", [False, True])
def test_random_games_are_upheld_to_the_end_and_on_the_way(seed: int, tips: bool) -> None:
    table = Table(setup=pennant.setup(9), tips=tips, grade="A1" if tips else "A0", length=256)
    while table.game.result(table.state) is None:
        assert codes(table) == [0, 0, 0, 0]
        table.play(seed + len(table.orders), 1)
    verdict = verify(table.export(), GAMES)
    assert (verdict.code, verdict.scope, verdict.events) == (0, "complete", len(table.rows))
    assert verdict.head == table.rows[-1].hash


def test_what_an_upheld_verdict_says() -> None:
    table = finished(8, 1)
    verdict = verify(table.export(), GAMES)
    done = {passed.check: passed.count for passed in verdict.checks}
    assert verdict.word == "UPHELD"
    assert done["chain"] == len(table.rows)
    assert done["orders"] == done["rules"] == len(table.orders)
    assert done["dice"] > 5
    assert verdict.result == msgspec.to_builtins(table.game.result(table.state))
    assert verdict.game in verdict.text()
    assert msgspec.json.decode(verdict.json())["head"] == verdict.head


def test_every_order_is_decided_again_and_every_state_compared() -> None:
    table = finished(8, 1)
    text = verify(table.export(), GAMES).checks[-1].text
    assert text == (
        f"{len(table.orders)} orders decided again, "
        f"{len(table.orders) + 1} digests of the state compared"
    )


def test_a_game_in_play_is_partial() -> None:
    table = Table()
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    verdict = verify(table.export("p1"), GAMES)
    assert (verdict.code, verdict.scope) == (0, "partial")
    assert verdict.text().startswith("UPHELD (partial), origin not proven: ")
    rules = next(passed for passed in verdict.checks if passed.check == "rules")
    assert rules.count == 1
    assert "2 batches of events were sealed" in verdict.text()


def test_the_grade_is_the_lowest_that_was_reached() -> None:
    shared = finished(tips=True, grade="A1")
    lone = finished()
    assert verify(shared.export(), GAMES, grade="A1").code == 0
    assert verify(lone.export(), GAMES, grade="A0").code == 0
    verdict = verify(lone.export(), GAMES, grade="A1")
    assert (verdict.code, verdict.grade, verdict.asked) == (4, "A0", "A1")
    assert verdict.word == "UPHELD, LOWER GRADE THAN ASKED"
    promised = finished(grade="A1")
    assert verify(promised.export(), GAMES, grade="A1").code == 4


def test_words_by_exit_code() -> None:
    assert [WORDS[code] for code in range(6)] == [
        "UPHELD",
        "REFUTED",
        "UNREADABLE",
        "CANNOT JUDGE",
        "UPHELD, LOWER GRADE THAN ASKED",
        "CONSISTENT, RULES NOT VOUCHED FOR",
    ]


def test_a_head_that_somebody_noted_in_play() -> None:
    table = finished()
    noted = table.rows[10].hash
    shown = verify(table.export(), GAMES, head=noted)
    assert (shown.code, shown.origin) == (0, "shown up to event 11, whose hash was given")
    assert verify(table.export(), GAMES, head=table.rows[-1].hash).code == 0
    other = finished(seed=2).export()
    alone = verify(other, GAMES)
    assert (alone.code, alone.game) == (0, shown.game), "another record of the same game holds too"
    assert alone.origin.startswith("not proven: unsigned")
    assert alone.text().startswith("UPHELD, origin not proven: ")
    verdict = verify(other, GAMES, head=noted)
    assert verdict.origin == ""
    assert verdict.code == 1
    assert verdict.finding is not None
    assert verdict.finding.expected == noted


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    verify(finished().export(), GAMES, progress=lambda *now: told.append(now))
    assert [check for check, done, _ in told if not done] == ["container", "chain", "dice", "rules"]
    assert told[-1][1] == told[-1][2] > 1


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"{}", b"\0" * 1000])
def test_no_bundle_at_all(data: bytes) -> None:
    verdict = verify(data, GAMES)
    assert verdict.code == 2
    assert verdict.reason
    assert verdict.text().startswith("UNREADABLE")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file(part: float) -> None:
    data = finished().export()
    assert verify(data[: int(len(data) * part)], GAMES).code == 2


def test_a_bundle_without_one_of_its_files() -> None:
    files = container.unpack(finished().export())
    for name in files:
        rest = {n: content for n, content in files.items() if n != name}
        assert verify(container.pack(rest), GAMES).code == 2, name


def test_a_bundle_of_another_format() -> None:
    files = container.unpack(finished().export())
    newer = files["manifest.json"].replace(b'"v":1,', b'"v":2,')
    verdict = verify(container.pack({**files, "manifest.json": newer}), GAMES)
    assert verdict.code == 2
    assert "decklog-evidence 2" in verdict.reason


# Rules that are not here, or not the same


def test_a_ruleset_that_is_not_installed() -> None:
    verdict = verify(finished().export(), {})
    assert verdict.code == 3
    assert "pennant 1.0.0 is not installed" in verdict.reason
    assert [passed.check for passed in verdict.checks][-2:] == ["dice", "secrets"]


def test_dice_are_judged_even_without_the_rules() -> None:
    table = Table(length=256)
    table.cheat.number = lambda t: t + 1
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("bold"))
    table.order("p1", Fire())
    assert verify(table.export(), {}).code == 1


def test_rules_that_nobody_has_are_not_vouched_for_even_if_ours_decide_alike() -> None:
    verdict = verify(finished(rules=b"\x07" * 32).export(), GAMES)
    assert (verdict.code, verdict.word) == (5, "CONSISTENT, RULES NOT VOUCHED FOR")
    assert "which was not found" in verdict.reason
    assert "decides every order in the same way" in verdict.reason


def gentle(state: Any, seat: str, command: Any) -> Any:
    """A version of pennant in which nobody may fire at the magazine."""
    if isinstance(command, Fire) and command.aim == "magazine":
        raise Refused("fire.gentle", "PEN-5", "Not at the magazine.")
    return pennant.GAME.decide(state, seat, command)


def test_another_version_that_decides_otherwise() -> None:
    table = Table(setup=pennant.setup(2), rules=b"\x07" * 32)
    for seat, command in (
        ("p1", Choose("bold")),
        ("p2", Choose("bold")),
        ("p1", Fire("magazine")),
        ("p2", Pass()),
    ):
        table.order(seat, command)
    newer = replace(pennant.GAME, decide=gentle, version="2.0.0")
    verdict = verify(table.export(), {"pennant": newer})
    assert verdict.code == 3
    assert "use pennant 1.0.0" in verdict.reason
    assert "installed version is 2.0.0 and differs at event" in verdict.reason


def test_the_same_version_that_decides_otherwise_is_a_refutation() -> None:
    table = Table(setup=pennant.setup(2))
    for seat, command in (
        ("p1", Choose("bold")),
        ("p2", Choose("bold")),
        ("p1", Fire("magazine")),
        ("p2", Pass()),
    ):
        table.order(seat, command)
    verdict = verify(table.export(), {"pennant": replace(pennant.GAME, decide=gentle)})
    assert verdict.code == 1
    assert verdict.finding is not None
    assert (verdict.finding.rule, verdict.finding.found) == ("PEN-5", "accepted")


def test_rules_that_stumble_are_reported_not_raised() -> None:
    def broken(state: Any, seat: str, command: Any) -> Any:
        raise AttributeError("no such ship")

    verdict = verify(finished().export(), {"pennant": replace(pennant.GAME, decide=broken)})
    assert verdict.code == 1
    assert verdict.finding is not None
    assert "no such ship" in verdict.finding.found
    assert verdict.finding.seq > 1


def test_nothing_is_written_and_no_network_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins
    import socket

    data = finished().export()
    verify(data, GAMES)  # imports and caches are warm now

    def forbidden(*args: Any, **more: Any) -> Any:
        raise AssertionError("the verifier reached out")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.setattr(builtins, "open", forbidden)
    assert verifier.verify(data, GAMES).code == 0
