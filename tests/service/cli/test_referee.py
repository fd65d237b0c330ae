"""``referee``: what it says of real games, of spoilt ones, and of what it cannot judge."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.finder import games as installed
from domain.kernel.setup import Setup
from service.cli import main
from tests.service.cli.conftest import Done, Run, spawn
from tests.service.cli.test_verify import altered
from tests.service.evidence.playing import Cheat, Table
from tests.support.suites import TESTS, suites

replace = msgspec.structs.replace

GAMES = {"crimson_tide": 2, "naval_battles": 0, "war_at_sea": 1}
"""A short random game of each ruleset, by its seed."""


def table(name: str, cheat: Cheat | None = None, orders: int = 1_000_000, **more: Any) -> Table:
    """A game as an honest service keeps it, or a cheating one; of a ruleset with other facts."""
    setup, game = suites()[name].random(GAMES[name])
    changed = dataclasses.replace(game, **more)
    made = Table(game=changed, setup=setup, length=1024, cheat=cheat or Cheat())
    return made.play(GAMES[name], orders)


def kept(data: bytes, folder: Path) -> Path:
    """The file that the bytes are."""
    path = folder / "game.decklog"
    path.write_bytes(data)
    return path


Judge = Callable[..., Done]


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Judge:
    """The command in this process, with the installed rulesets, on such a file."""

    def call(data: bytes, *more: str) -> Done:
        code = main(["referee", str(kept(data, tmp_path)), *more], installed())
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return call


@pytest.mark.parametrize("name", GAMES)
def test_a_real_game(ask: Run, name: str, tmp_path: Path) -> None:
    """Once in a process of its own."""
    path = kept(table(name).export(), tmp_path)
    done = spawn("referee", path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("AGREES\n")
    told = ask("referee", path, "--json").json
    assert (told["code"], told["word"], told["differs"]) == (0, "AGREES", [])
    assert sum(told["judged"].values()) > told["events"]
    assert all(left["what"] and left["why"] and left["count"] for left in told["left"])
    for rule, count in told["judged"].items():
        assert f"{count:>9,} {rule}\n" in done.out
    for left in told["left"]:
        assert f"{left['count']:>9,} {left['what']}: {left['why']}\n" in done.out
    assert "decklog verify" in done.out


class Once:
    """A service that tells one event of a type otherwise than it was, and goes on from there."""

    def __init__(self, type_: str, change: Callable[[Any], Any]) -> None:
        self.type, self.change, self.done = type_, change, False

    def __call__(self, event: Any) -> Any:
        if self.done or type(event).__name__ != self.type:
            return event
        changed = self.change(event)
        self.done = changed != event
        return changed


LIES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "crimson_tide": ("AttackResolved", lambda event: replace(event, hits=event.hits + 1)),
    "naval_battles": ("ShipSunk", lambda event: replace(event, points=event.points + 5)),
    "war_at_sea": ("DamageApplied", lambda event: replace(event, damage=event.damage + 1)),
}


@pytest.mark.parametrize("name", LIES)
def test_a_wrong_figure_in_a_record_whose_hashes_all_fit(
    ask: Run, name: str, judged: Judge, tmp_path: Path
) -> None:
    lie = Once(*LIES[name])
    data = table(name, Cheat(event=lie)).forge()
    assert lie.done
    done = judged(data, "--json")
    assert (done.code, done.json["word"]) == (1, "DISAGREES")
    first = done.json["differs"][0]
    assert first["said"] != first["should"]
    text = judged(data).out
    assert text.startswith("DISAGREES\n")
    assert f"differs  event {first['seq']}, {first['type']}: {first['rule']}\n" in text
    events = ask("replay", tmp_path / "game.decklog", "--json").json["events"]
    assert events[first["seq"] - 1]["type"] == first["type"]


def test_a_disagreement_with_another_version_is_no_verdict(judged: Judge) -> None:
    lie = Once(*LIES["war_at_sea"])
    done = judged(table("war_at_sea", Cheat(event=lie), version="0").forge())
    assert (done.code, done.out.partition("\n")[0]) == (3, "CANNOT JUDGE")
    assert "other version of the rules" in done.out
    done = judged(table("war_at_sea", version="0").export())
    assert (done.code, done.out.partition("\n")[0]) == (0, "AGREES")
    assert "Played by version 0" in done.out


def test_events_in_an_older_form_are_carried_forward(ask: Run) -> None:
    """In version 4 of Crimson Tide's rules thrown dice stood in another form."""
    done = ask("referee", TESTS / "evidence" / "history" / "crimson-tide.decklog")
    assert (done.code, done.out.partition("\n")[0]) == (0, "AGREES")
    assert "Played by version 4" in done.out


@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_play(name: str, judged: Judge) -> None:
    live = table(name, orders=20)
    done = judged(live.export("p1"))
    assert (done.code, done.out.partition("\n")[0]) == (3, "CANNOT JUDGE")
    assert "once the game is over" in done.out
    done = judged(live.export("truth"))
    assert (done.code, done.out.partition("\n")[0]) == (0, "AGREES")
    assert "its end is not judged" in done.out


@pytest.mark.parametrize("name", GAMES)
def test_documents_of_the_players_own_are_not_judged(name: str, judged: Judge) -> None:
    game = suites()[name].game
    custom = game.customs[0]
    document = next(iter(custom.examples()))
    setup = Setup(game.ruleset, game.editions[-1], "custom", ("p1", "p2"))
    if name == "naval_battles":
        setup = replace(setup, scenario="standard")
    body = msgspec.to_builtins(getattr(document, "document", document))
    made = Table(game=game, setup=replace(setup, customs={custom.kind: body}), length=64)
    done = judged(made.export())
    assert (done.code, done.out.partition("\n")[0]) == (3, "CANNOT JUDGE")
    assert f"documents of their own ({custom.kind})" in done.out


def test_a_game_without_a_referee(run: Run, bundle: Path) -> None:
    done = run("referee", bundle)
    assert (done.code, done.out.partition("\n")[0]) == (3, "CANNOT JUDGE")
    assert "pennant has no referee" in done.out


def test_a_ruleset_that_is_not_installed(ask: Run, bundle: Path) -> None:
    done = ask("referee", bundle)
    assert (done.code, done.out.partition("\n")[0]) == (3, "CANNOT JUDGE")
    assert "not installed" in done.out


def test_a_file_that_contradicts_itself(run: Run, bundle: Path, tmp_path: Path) -> None:
    done = run("referee", altered(bundle, tmp_path / "forged.decklog"))
    assert (done.code, done.out.partition("\n")[0]) == (1, "REFUTED")
    assert "judged" not in done.out
    assert "expected " in done.out


@pytest.mark.parametrize("nonsense", [b"", b"nonsense", b"PK\x03\x04"])
def test_nonsense(nonsense: bytes, judged: Judge) -> None:
    done = judged(nonsense)
    assert (done.code, done.out.partition("\n")[0]) == (2, "UNREADABLE")


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    run("referee", tmp_path / "none.decklog").assert_mistake("no such file")
