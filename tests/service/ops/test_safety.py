"""Settings that are unsafe: each is refused at the start, by its code, and named by ``--check``."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.ops.safety import findings, is_near
from service.serve import run
from service.settings import Settings, about, from_environment, gather, variable
from service.store.box import key_path
from tests.service.cli.conftest import spawn
from tests.support.server import ROOT

KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdeffedcba9876543210"
SHARED = {"store": "postgresql://decklog@127.0.0.1/decklog", "key": KEY}
FAR = "postgresql://decklog:secret@db.example.com/decklog"
SEVERAL = "postgresql://decklog:secret@10.0.0.1:5432,db.example.com:5432/decklog"

MALFORMED: list[dict[str, Any]] = [
    {"store": "postgresql://me:secret@[::1/decklog"},
    {"redis": "redis://:secret/x@localhost"},
    {"public_url": "http://[::1"},
    {"traces": "http://localhost:secret"},
    {"proxies": "0.0.0.0/0"},
    {"proxies": "0.0.0.0/1, 128.0.0.0/1"},
    {"proxies": "::/1"},
]
"""What cannot be read is no setting at all: the command line says so, without showing it."""

UNSAFE: list[tuple[str, dict[str, Any]]] = [
    ("settings.key-missing", {"store": SHARED["store"]}),
    ("settings.key-weak", {"key": "00" * 32}),
    ("settings.key-weak", {"key": "0123456789abcdef" * 4}),
    ("settings.unlimited", {"host": "0.0.0.0", "rate_limit": 0}),
    ("settings.out-of-range", {"rate_limit": -5}),
    ("settings.out-of-range", {"idempotency_hours": 23}),
    ("settings.out-of-range", {"fork_days": -1}),
    ("settings.out-of-range", {"work_processes": -1}),
    ("settings.webhooks-private", {"host": "0.0.0.0", "webhook_private": True}),
    ("settings.out-of-range", {"webhook_seconds": 600}),
    ("settings.out-of-range", {"body_limit": 100_000_000}),
    ("settings.out-of-range", {"json_depth": 5_000}),
    ("settings.out-of-range", {"page_limit": 100_000}),
    ("settings.out-of-range", {"queue_limit": 0}),
    ("settings.out-of-range", {"stop_seconds": 0}),
    ("settings.out-of-range", {"stream_limit": 0}),
    ("settings.out-of-range", {"port": 99_999}),
    ("settings.out-of-range", {"stream_ping": 0.0}),
    ("settings.out-of-range", {"stream_ping": float("nan")}),
    ("settings.out-of-range", {"deadline_grace": -5}),
    ("settings.database-misplaced", {"database": Path("/")}),
    ("settings.database-misplaced", {"database": Path(__file__) / "games.sqlite"}),
    ("settings.log-level", {"log_level": "LOUD"}),
    ("settings.address-malformed", {"public_url": "decklog.example.com"}),
    ("settings.address-malformed", {"public_url": "https://me:pw@decklog.example.com"}),
    ("settings.address-malformed", {"traces": "https://traces.example.com/?token=x"}),
    ("settings.clear-text", {"public_url": "http://decklog.example.com"}),
    ("settings.clear-text", {"traces": "http://203.0.114.9:4318"}),
    ("settings.redis-clear-text", {"redis": "redis://:secret@redis.example.com"}),
    ("settings.store-clear-text", {"key": KEY, "store": FAR}),
    ("settings.store-clear-text", {"key": KEY, "store": f"{FAR}?sslmode=prefer"}),
    ("settings.store-clear-text", {"key": KEY, "store": f"{FAR}?sslmode=require&sslmode=disable"}),
    ("settings.store-clear-text", {"key": KEY, "store": SEVERAL}),
]
SAFE: list[dict[str, Any]] = [
    {},
    {"key": KEY},
    SHARED,
    {"key": KEY, "store": f"{FAR}?sslmode=verify-full"},
    {"key": KEY, "store": "postgresql://decklog@postgres/decklog"},
    {"key": KEY, "store": "postgresql:///decklog?host=/run/postgresql"},
    {"host": "0.0.0.0", "rate_limit": 600},
    {"rate_limit": 0},
    {"public_url": "https://decklog.example.com"},
    {"public_url": "http://192.168.1.5:8000"},
    {"traces": "http://collector:4318"},
    {"redis": "redis://redis:6379", "proxies": "172.16.0.0/12"},
]


def codes(settings: Settings, environ: dict[str, str] | None = None) -> set[str]:
    return {each.code for each in findings(settings, environ or {})}


@pytest.mark.parametrize(("code", "told"), UNSAFE)
def test_it_is_refused(
    code: str, told: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(**{"database": tmp_path / "games.sqlite", "port": 0, **told})
    assert codes(settings) == {code}
    assert run(settings, {}) == 2
    said = capsys.readouterr()
    assert said.err.startswith(code + ": ")
    blamed = [name for name in told if name not in ("host", "key") or len(told) == 1]
    assert [name for name in blamed if variable(name) not in said.err] == []
    assert not said.out
    assert "secret" not in said.err
    assert "pw@" not in said.err
    assert not list(tmp_path.iterdir()), "nothing was made"


@pytest.mark.parametrize("told", MALFORMED, ids=str)
def test_it_is_no_setting(told: dict[str, Any]) -> None:
    (name,) = told
    with pytest.raises(ValueError, match=name) as refused:
        Settings(key=KEY, **told)
    assert "secret" not in str(refused.value)


def test_every_number_has_a_range_in_which_its_default_is() -> None:
    plain = Settings()
    for name, told in about().items():
        value = getattr(plain, name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert told.least is not None, name
            assert told.most is not None, name
            assert told.least <= value <= told.most, name
    assert codes(plain) == set()


@pytest.mark.parametrize("told", SAFE)
def test_it_is_taken(told: dict[str, Any], tmp_path: Path) -> None:
    assert codes(Settings(**{"database": tmp_path / "games.sqlite", **told})) == set()


def test_a_key_that_others_may_read(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "games.sqlite")
    path = key_path(settings.database)
    path.write_text(KEY)
    path.chmod(0o640)
    assert codes(settings) == {"settings.key-exposed"}
    path.chmod(0o600)
    assert codes(settings) == set()


def test_a_folder_in_which_anybody_may_replace_the_database(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "games.sqlite")
    tmp_path.chmod(0o777)
    assert codes(settings) == {"settings.folder-open"}
    tmp_path.chmod(0o1777)
    assert codes(settings) == set()


def test_a_misspelt_variable(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "games.sqlite")
    assert codes(settings, {"DECKLOG_DATBASE": "x"}) == {"settings.unknown"}
    fine = dict.fromkeys(("DECKLOG_KEY_FILE", "DECKLOG_COMMIT", "DECKLOG_TEST_X", "OTHER"), "x")
    assert codes(settings, fine) == set()


def test_no_variable_that_the_command_line_reads_is_misspelt(tmp_path: Path) -> None:
    """An operator has them in his shell when he starts the service by hand."""
    settings = Settings(database=tmp_path / "games.sqlite")
    texts = "".join(file.read_text("utf-8") for file in (ROOT / "service/cli").glob("*.py"))
    read = set(re.findall(r'envvar="(DECKLOG_[A-Z_]+)"', texts))
    assert "DECKLOG_OPERATOR" in read
    assert codes(settings, dict.fromkeys(read, "x")) == set()


def test_without_the_programs_own_checks_it_does_not_start(tmp_path: Path) -> None:
    line = [sys.executable, "-O", "-m", "service.cli", "serve", "--port", "0", "--check"]
    done = subprocess.run(
        [*line, "--database", str(tmp_path / "x.sqlite")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("settings.assertions-off: ")


def test_secrets_come_from_files(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    assert from_environment({"DECKLOG_KEY_FILE": str(file)}).key == KEY
    with pytest.raises(ValueError, match="give one"):
        from_environment({"DECKLOG_KEY_FILE": str(file), "DECKLOG_KEY": KEY})
    with pytest.raises(ValueError, match="DECKLOG_STORE_FILE cannot be read"):
        from_environment({"DECKLOG_STORE_FILE": str(tmp_path / "none")})


def test_all_that_cannot_be_read_is_named_at_once(tmp_path: Path) -> None:
    environ = {
        "DECKLOG_PORT": "many", "DECKLOG_KEY": "short", "DECKLOG_LOG": "xml",
        "DECKLOG_STORE": "mysql://me:secret@db", "DECKLOG_PROXIES": "0.0.0.0/0",
        "DECKLOG_RATE_LIMIT": "7",
    }  # fmt: skip
    told = gather(environ)
    assert {line.split()[0].rstrip(":") for line in told.wrong} == {*environ} - {
        "DECKLOG_RATE_LIMIT"
    }
    assert "secret" not in " ".join(told.wrong)
    assert (told.settings.rate_limit, told.settings.port) == (7, 8000)
    with pytest.raises(ValueError, match=r"DECKLOG_KEY.*DECKLOG_PORT"):
        from_environment(environ)


def test_the_environment_wins_over_a_file_and_an_option_over_both(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY)
    file = tmp_path / "decklog.toml"
    file.write_text(f"port = 1\nrate_limit = 2\nstream_limit = 3\nkey_file = '{tmp_path}/key'\n")
    told = gather(
        {"DECKLOG_RATE_LIMIT": "20", "DECKLOG_STREAM_LIMIT": "30"}, file, stream_limit=300
    )
    assert told.wrong == ()
    found = told.settings
    assert (found.port, found.rate_limit, found.stream_limit, found.key) == (1, 20, 300, KEY)
    assert told.sources == {
        "port": str(file), "rate_limit": "environment", "stream_limit": "option",
        "key": f"{file}, {tmp_path}/key",
    }  # fmt: skip
    assert gather({"DECKLOG_CONFIG": str(file)}).settings.port == 1


def test_a_file_that_is_wrong_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "decklog.toml"
    file.write_text(f"rate_limt = 2\nport = 'x'\nkey = '{KEY}'\n")
    file.chmod(0o644)
    told = gather({}, file)
    unknown, exposed, malformed = told.wrong
    assert "no setting 'rate_limt'" in unknown
    assert "chmod 600" in exposed
    assert malformed.startswith(f"{file}: port: ")
    assert KEY not in " ".join(told.wrong)
    file.write_text("port = = 1")
    assert "cannot be read" in gather({}, file).wrong[0]


def test_the_database_is_for_its_own_user(tmp_path: Path) -> None:
    from datetime import UTC, datetime

    from service.store.store import Store

    before = os.umask(0o022)
    try:
        store = Store(Settings(database=tmp_path / "games.sqlite"))
        store.open(datetime.now(UTC))
    finally:
        os.umask(before)
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    store.close()
    assert set(modes.values()) == {0o600}, modes
    assert "games.sqlite-wal" in modes


def test_check_says_whether_it_would_start_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "games.sqlite"
    fine = spawn("serve", "--check", "--database", database)
    assert (fine.code, fine.out.splitlines()[-1]) == (0, "would start")
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("DECKLOG_KEY", KEY)
    monkeypatch.setenv("DECKLOG_STORE", FAR)
    poor = spawn("serve", "--check", "--json")
    assert poor.code == 2
    told = json.loads(poor.out)
    assert not told["starts"]
    assert told["faults"][0].startswith("settings.store-clear-text: ")
    assert told["settings"]["store"] == "postgresql://db.example.com/decklog"
    assert told["settings"]["key"] == "(set)"
    assert [each["part"] for each in told["findings"]] == ["settings", "store"]
    assert KEY not in poor.out
    monkeypatch.delenv("DECKLOG_STORE")
    database.write_bytes(b"not a database, but a letter" * 40)
    poor = spawn("serve", "--check", "--database", database)
    assert poor.code == 2
    assert "store.not-ours" in poor.err


@pytest.mark.parametrize(
    ("host", "near"),
    [("127.0.0.1", True), ("10.1.2.3", True), ("::1", True), ("postgres", True),
     ("db.svc", True), ("8.8.8.8", False), ("db.example.com", False), ("2001:4860::1", False)],
)  # fmt: skip
def test_what_is_near(host: str, near: bool) -> None:
    assert is_near(host) == near
