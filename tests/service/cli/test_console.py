"""Tables, progress and JSON, in a terminal and out of one."""

from __future__ import annotations

import pytest

from service.cli import console


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "is_terminal", lambda stream=None: True)


ROWS = [("1", "one"), ("22", "a [bold]two[/bold]")]


def test_a_plain_table_is_aligned_and_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    console.table(("id", "name"), [*ROWS, ("3", "x" * 300)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["id  name", "1   one", "22  a [bold]two[/bold]"]
    assert lines[3] == "3   " + "x" * 300


@pytest.mark.usefixtures("terminal")
def test_a_table_in_a_terminal_shows_texts_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    console.table(("id", "name"), [*ROWS, ("3", "\x1b[2J")])
    out = capsys.readouterr().out
    assert "a [bold]two[/bold]" in out
    assert "\x1b[2J" not in out


def test_progress_is_silent_while_it_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress("reading") as report:
        report(1, 2)
    assert capsys.readouterr().err == ""


def test_progress_of_something_long_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("service.cli.console.time.monotonic", lambda: now[0])
    with console.progress("reading") as report:
        for second, done in ((1.0, 10), (2.5, 25), (3.0, 30), (4.6, 46)):
            now[0] = second
            report(done, 100)
        now[0] = 9.0
        report(1234, 0)
    assert capsys.readouterr().err.splitlines() == [
        "reading: 25%",
        "reading: 46%",
        "reading: 1,234",
    ]


@pytest.mark.usefixtures("terminal")
def test_progress_in_a_terminal_is_a_bar_on_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with console.progress("reading") as report:
        report(50, 100)
    shown = capsys.readouterr()
    assert "reading" in shown.err
    assert shown.out == ""
