"""decklog-client, built as a package and installed from it, plays whole games on a bad line.

The service is killed in the middle of each and started anew; connections break all the time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.sdk.bad_line import played
from tests.clients.sdk.conftest import PYTHON
from tests.clients.sdk.signed_games import judged
from tests.support.server import ROOT
from tests.support.stranger import SHORT

PLAYING = Path(__file__).with_name("playing.py")
SIGNING = Path(__file__).with_name("signing.py")


def pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the built package is installed."""
    folder: Path = tmp_path_factory.mktemp("sdk")
    source = folder / "openapi" / "clients" / "python"
    left = shutil.ignore_patterns("types.py", "__pycache__", "build", "*.egg-info")
    shutil.copytree(PYTHON, source, ignore=left)
    shutil.copy(ROOT / "openapi" / "openapi.json", folder / "openapi")
    built, into = folder / "built", folder / "installed"
    offline = ("--no-index", "--no-deps")
    pip("wheel", *offline, "--no-build-isolation", "-w", str(built), str(source))
    (wheel,) = built.glob("decklog_client-*-py3-none-any.whl")
    pip("install", *offline, "--target", str(into), str(wheel))
    return into


@pytest.mark.slow("clients")
def test_the_package_has_its_types_and_fits_them(installed: Path) -> None:
    """The hand-written part against the generated one, as strictly as all else here."""
    package = installed / "decklog_client"
    assert (package / "py.typed").is_file()
    assert "GameSummary = TypedDict(" in (package / "types.py").read_text("utf-8")
    told = installed.parent / "mypy.ini"
    told.write_text("[mypy]\nstrict = True\n", "utf-8")
    program = str(PYTHON / "bot.py")
    command = [sys.executable, "-m", "mypy", "--config-file", str(told), str(package), program]
    done = subprocess.run(
        command, cwd=installed.parent, env=os.environ | {"MYPYPATH": str(installed)},
        capture_output=True, text=True, timeout=170, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


@pytest.mark.slow("clients")
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("how", "ruleset"), [*(("waiting", each) for each in SHORT), ("awaiting", "naval-battles")]
)
def test_a_whole_game_is_played_on_a_bad_line(
    installed: Path, tmp_path: Path, how: str, ruleset: str
) -> None:
    environment = os.environ | {"PYTHONPATH": str(installed)}
    played([sys.executable, str(PLAYING), how], ruleset, environment, tmp_path)


@pytest.mark.slow("clients")
@pytest.mark.timeout(400)
def test_the_orders_of_a_whole_game_are_signed_by_their_seats(
    installed: Path, tmp_path: Path
) -> None:
    judged([sys.executable, str(SIGNING)], os.environ | {"PYTHONPATH": str(installed)}, tmp_path)
