"""What replays the recorded games elsewhere tells what differs, and needs only the rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns import replays
from tests.campaigns.newest_python import ROOT, tags

GAME = "crimson_tide"


def test_recorded_games_are_alike_without_the_packages_of_the_service() -> None:
    """Modules that only the service has must not come in: another Python has none of them."""
    program = (
        "import sys; from tests.campaigns.replays import main\n"
        "code = main(['crimson_tide', 'resignation'])\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(loaded & {'service', 'litestar', 'pytest'}))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    told, others = done.stdout.splitlines()
    assert "1 of 1 recorded games alike" in told
    assert others == "[]"


def test_a_game_that_comes_out_otherwise_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (replays.GAMES / GAME / "resignation.jsonl").read_text("utf-8").splitlines()
    end = json.loads(lines[-1]) | {"state": "0" * 64}
    bent = tmp_path / GAME / "bent.jsonl"
    bent.parent.mkdir()
    bent.write_text("\n".join([*lines[:-1], json.dumps(end)]) + "\n", "utf-8")
    (tmp_path / GAME / "cut.jsonl").write_text("\n".join([lines[0], *lines[9:]]) + "\n", "utf-8")
    monkeypatch.setattr(replays, "GAMES", tmp_path)
    assert replays.main([GAME]) == 1
    told = capsys.readouterr().out
    assert f"{GAME}/bent: state of the end differs" in told
    assert f"{GAME}/cut: " in told
    assert "0 of 2 recorded games alike" in told


def test_no_game_at_all_is_no_success() -> None:
    assert replays.main(["no_such_game"]) == 1


def test_the_wheel_that_is_asked_for_is_the_interpreters() -> None:
    lock = json.dumps({"info": {"abi_version": "2026_0", "python": "3.14.2"}})
    assert tags(lock)[1::2] == ["pyemscripten_2026_0_wasm32", "3.14", "cp", "cp314"]
