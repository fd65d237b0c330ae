"""The scripts of deploy/: what they would do, what they do below another root, in which order."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.files import DEPLOY, Unit, compose

VENV = """#!/bin/sh
# In place of Python: makes an environment whose Python writes down what it is told.
[ ! -e "$0.broken" ] || { mkdir -p "$3/bin" && ln -s "$0" "$3/bin/python" && exit 1; }
[ "$1 $2" = "-m venv" ] || exit 1
mkdir -p "$3/bin"
rm -f "$3/bin/python"
printf '#!/bin/sh\\necho "$*" >>"%s/said"\\n' "$3" >"$3/bin/python"
chmod 755 "$3/bin/python"
cp "$3/bin/python" "$3/bin/pip"
"""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    file = tmp_path / "decklog-0-py3-none-any.whl"
    file.touch()
    return file


def installed(
    tmp_path: Path, *words: object, umask: int = 0o022
) -> subprocess.CompletedProcess[str]:
    python = tmp_path / "python"
    python.write_text(VENV, "utf-8")
    python.chmod(0o755)
    return subprocess.run(
        ["sh", str(DEPLOY / "install.sh"), *map(str, words)],
        env={"PATH": os.environ["PATH"], "PYTHON": str(python)},
        capture_output=True, text=True, check=False, umask=umask,
    )  # fmt: skip


def files(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_a_dry_run_says_all_and_does_nothing(tmp_path: Path, wheel: Path) -> None:
    root = tmp_path / "root"
    done = installed(tmp_path, "--dry-run", "--root", root, wheel)
    assert done.returncode == 0, done.stderr
    assert not root.exists()
    for word in ("make", "/etc/decklog/key", "pip install", "decklog-drill.timer", "enable --now"):
        assert word in done.stdout
    assert not re.search(r"[0-9a-f]{64}", done.stdout), "the key is shown to nobody"


@pytest.mark.parametrize("there", [True, False])
def test_it_says_where_there_is_no_wall_for_rules_from_elsewhere(
    tmp_path: Path, wheel: Path, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else it needs is in the folder that it has for a path; bubblewrap is, or is not."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("sh", "cat", "chmod", "cmp", "cp", "dirname", "id", "mkdir", "od", "tr"):
        found = shutil.which(name)
        assert found, name
        (folder / name).symlink_to(found)
    if there:
        (folder / "bwrap").symlink_to(folder / "cat")
    monkeypatch.setenv("PATH", str(folder))
    done = installed(tmp_path, "--dry-run", "--root", tmp_path / "root", wheel)
    assert done.returncode == 0, done.stderr
    assert ("without the package bubblewrap" in done.stdout) == (not there)


def test_what_a_service_needs_is_made_once(tmp_path: Path, wheel: Path) -> None:
    root = tmp_path / "root"
    assert installed(tmp_path, "--root", root, wheel).returncode == 0
    key = root / "etc/decklog/key"
    assert re.fullmatch(r"[0-9a-f]{64}", key.read_text("ascii"))
    assert (key.stat().st_mode & 0o777, key.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    said = (root / "opt/decklog/said").read_text("utf-8").splitlines()
    assert said[0] == f"-m pip install {wheel}"
    made = {name.rpartition("/")[2] for name in files(root) if "systemd" in name}
    assert made == {path.name for path in (DEPLOY / "systemd").iterdir()} - {"decklog@.service"}
    before = key.read_text("ascii")
    own = root / "etc/systemd/system/decklog.service"
    own.write_text("mine\n", "utf-8")
    again = installed(tmp_path, "--root", root, wheel)
    assert again.returncode == 0
    assert (key.read_text("ascii"), own.read_text("utf-8")) == (before, "mine\n")
    assert "which differs" in again.stdout


def test_another_wheel_of_the_same_version_replaces_the_program(
    tmp_path: Path, wheel: Path
) -> None:
    """pip leaves a version that is there alone, and every wheel has one version until a release."""
    root = tmp_path / "root"
    assert installed(tmp_path, "--root", root, wheel).returncode == 0
    said = (root / "opt/decklog/said").read_text("utf-8").splitlines()
    assert said[1:] == [f"-m pip install --no-deps --force-reinstall {wheel}"]


def test_the_service_can_read_what_a_cautious_root_installs(tmp_path: Path, wheel: Path) -> None:
    root = tmp_path / "root"
    assert installed(tmp_path, "--root", root, wheel, umask=0o077).returncode == 0
    for path in ("opt", "opt/decklog", "opt/decklog/bin", "opt/decklog/said", "etc"):
        mode = (root / path).stat().st_mode
        assert mode & 0o044 == 0o044, (path, oct(mode))
    assert (root / "etc/decklog").stat().st_mode & 0o777 == 0o700
    assert (root / "etc/decklog/key").stat().st_mode & 0o777 == 0o600


def test_an_environment_that_came_to_nothing_is_made_again(tmp_path: Path, wheel: Path) -> None:
    """As Debian's Python leaves it without the package python3-venv: a Python without pip."""
    root, broken = tmp_path / "root", tmp_path / "python.broken"
    broken.touch()
    assert installed(tmp_path, "--root", root, wheel).returncode == 1
    assert (root / "opt/decklog/bin/python").exists()
    broken.unlink()
    done = installed(tmp_path, "--root", root, wheel)
    assert done.returncode == 0, done.stderr
    assert (root / "opt/decklog/said").exists()


def test_it_says_how_it_is_used(tmp_path: Path) -> None:
    done = installed(tmp_path, "--help")
    assert done.returncode == 0, done.stderr
    for word in ("--dry-run", "--root", "--postgres", "WHEEL"):
        assert word in done.stdout
    assert "set -eu" not in done.stdout


def test_workers_on_a_database_have_its_address(tmp_path: Path, wheel: Path) -> None:
    root, address = tmp_path / "root", tmp_path / "address"
    address.write_text("postgresql://decklog:secret@db/decklog\n", "ascii")
    done = installed(tmp_path, "--root", root, "--postgres", address, wheel)
    assert done.returncode == 0, done.stderr
    assert "secret@" not in done.stdout
    assert (root / "etc/decklog/store").read_text("ascii") == address.read_text("ascii")
    assert (root / "etc/decklog/store").stat().st_mode & 0o777 == 0o600
    assert "[postgresql]" in (root / "opt/decklog/said").read_text("utf-8")
    made = {name.rpartition("/")[2] for name in files(root) if "systemd" in name}
    assert made == {"decklog@.service"}


def test_what_the_units_name_is_what_is_made(tmp_path: Path, wheel: Path) -> None:
    root = tmp_path / "root"
    installed(tmp_path, "--root", root, wheel)
    for path in (root / "etc/systemd/system").glob("*.service"):
        service = Unit(path)["Service"]
        for name in re.findall(r"LoadCredential=\w+:(\S+)", path.read_text("utf-8")):
            assert (root / name.lstrip("/")).exists(), name
        assert service["ExecStart"].startswith("/opt/decklog/bin/")
        assert service["User"] == "decklog"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "name the wheel"),
        (("none.whl",), "there is no none.whl"),
        (("--what",), "--help says how"),
        (("--postgres",), "install: --postgres needs the file with the address"),
        (("--root",), "install: --root needs a folder"),
    ],
)
def test_wrong_use_is_refused(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    done = installed(tmp_path, *words)
    assert (done.returncode, why in done.stderr) == (2, True)


# Compose, one worker after the other

DOCKER = """#!/bin/sh
# In place of Docker: writes down what it is told; a worker is ready when asked a second time.
shift 3
echo "$*" >>"$TOLD"
case "$1 $2" in
"config --services") printf 'proxy\\nworker-2\\npostgres\\nworker-1\\n' ;;
"exec --no-TTY")
    case $3 in
    "$BROKEN") exit 1 ;;
    worker-*) [ -e "$TOLD.$3" ] || { touch "$TOLD.$3" && exit 1; } ;;
    esac
    ;;
esac
"""


def rolled(tmp_path: Path, broken: str = "") -> tuple[int, list[str]]:
    docker, told = tmp_path / "docker", tmp_path / "told"
    docker.write_text(DOCKER, "utf-8")
    docker.chmod(0o755)
    done = subprocess.run(
        ["sh", str(DEPLOY / "compose-roll.sh")],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "TOLD": str(told), "BROKEN": broken,
             "SECONDS_TO_WAIT": "2"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = [" ".join(line.split()[:4]) for line in told.read_text("utf-8").splitlines()]
    return done.returncode, said


def test_the_next_worker_goes_when_the_one_before_is_ready(tmp_path: Path) -> None:
    code, told = rolled(tmp_path)
    assert code == 0
    steps = [line for line in told if line.startswith(("up", "exec"))]
    each = [["up --detach --no-deps --no-build"], ["exec --no-TTY {} python"] * 2,
            ["exec --no-TTY proxy nginx"]]  # fmt: skip
    wanted = [line.format(name) for name in ("worker-1", "worker-2") for part in each
              for line in part]  # fmt: skip
    assert steps == wanted
    assert told[0] == "build worker-1"
    assert {"worker-1", "worker-2"} <= compose().services.keys()


def test_a_worker_that_is_not_ready_stops_it(tmp_path: Path) -> None:
    code, told = rolled(tmp_path, broken="worker-1")
    assert code == 1
    assert [line for line in told if line.startswith("up")] == ["up --detach --no-deps --no-build"]
    assert not [line for line in told if "proxy" in line]


def test_a_copy_of_the_folder_that_follows_links_makes_backups(tmp_path: Path) -> None:
    """As README.md and UPGRADE.md say: the program of the backups is a link out of the folder."""
    for page in ("README.md", "UPGRADE.md"):
        assert "`cp -RL" in (DEPLOY / page).read_text("utf-8")
    subprocess.run(["cp", "-RL", str(DEPLOY), str(tmp_path / "deploy")], check=True)
    line = [sys.executable, "-I", str(tmp_path / "deploy" / "backup.py"), "--help"]
    told = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (told.returncode, "sqlite" in told.stdout) == (0, True), told.stderr
