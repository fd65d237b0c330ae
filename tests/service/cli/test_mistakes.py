"""Wrong use: exit code 2, one plain line and a hint, never a trace. And the help of everything."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from domain.kernel.finder import games
from service.cli import COMMANDS, FAULT, INTERRUPTED, decklog, main
from service.cli.mistakes import Mistake
from tests.service.cli.conftest import Run, spawn
from tests.support.pennant import GAME
from tests.support.server import ROOT


def test_alone_it_shows_its_help(run: Run) -> None:
    done = run()
    assert done.code == 0
    assert done.out == run("--help").out
    for name in COMMANDS:
        assert f"\n  {name} " in done.out


def test_the_version(run: Run) -> None:
    assert run("--version").out.startswith("decklog ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_speaks_json(run: Run, name: str) -> None:
    done = run(name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: decklog {name} ")
    assert "--json " in done.out
    command = decklog.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    unexplained = [
        option.name
        for option in command.params
        if option.param_type_name == "option" and not getattr(option, "help", "")
    ]
    assert unexplained in ([], ["log_level"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["fly"], "fly"),
        (["--fly"], "--fly"),
        (["rules", "--status", "unknown"], "unknown"),
        (["games", "--limit", "0"], "0"),
        (["games", "--limit", "many"], "many"),
        (["show"], "GAME|FILE"),
        (["show", "a", "b"], "b"),
        (["show", "a", "--at", "0"], "0"),
        (["verify"], "FILE"),
        (["verify", "x.decklog", "--grade", "Z"], "Z"),
        (["serve", "--port", "99999"], "99999"),
    ],
)
def test_wrong_use(run: Run, line: list[str], words: str) -> None:
    run(*line).assert_mistake(words)


def test_wrong_use_in_json(run: Run) -> None:
    done = run("show", "--json")
    assert (done.code, done.out) == (2, "")
    told = json.loads(done.err)
    assert told["code"] == "usage"
    assert "decklog show --help" in told["hint"]


def test_wrong_use_as_a_process() -> None:
    spawn("verify", "--fly", "x").assert_mistake("--fly")


@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (KeyError("deep\ninside"), FAULT, "fault of the program"),
        (KeyboardInterrupt(), INTERRUPTED, ""),
        (Mistake("no", "yes", "usage"), 2, "hint: yes"),
    ],
)
def test_whatever_is_raised_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    raised: BaseException,
    code: int,
    words: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr("service.cli.rules._search", fail)
    assert main(["rules", "x"], {"pennant": GAME}) == code
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 2


def test_a_reader_that_goes_away_is_no_fault() -> None:
    line = f"{sys.executable} -m service.cli rules --full | head -1"
    done = subprocess.run(
        line, check=False, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    first = next(iter(games().values())).catalogue.rules()[0]
    assert done.stdout.startswith(first.id)
    assert done.stderr == ""
