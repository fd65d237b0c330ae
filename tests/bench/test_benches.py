"""Each measurement runs with tiny numbers and prints what it promises. No figure is judged."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench import trivial
from tests.bench.load import Load, length_of, quantile, request
from tests.bench.report import machine
from tests.support.server import ROOT

TINY = {
    "bench_append": "2 1 200",
    "bench_bytes": "1",
    "bench_desk": "60 2 1",
    "bench_engines": "1",
    "bench_fold": "60 1",
    "bench_follow": "0.3 1 1 60 4",
    "bench_http": "0.1 1 1 80 4",
    "bench_major": "1 1 10",
    "bench_naval": "1 1 10",
    "bench_picture": "60 4 1",
    "bench_play": "1 1",
    "bench_proof": "3 1",
    "bench_streams": "0.5 1 20 8 2",
    "bench_table": "1 1",
    "bench_travel": "3 1 20 60 120",
    "bench_verify": "1000 1",
    "bench_view": "60 4 1 1",
    "bench_workers": "0.1 1 1 60 2 2",
}
FIGURE = re.compile(
    r"^(?P<name>\S.*?) {2,}(?P<middle>[\d,]+) .*\[(?P<low>[\d,]+) to (?P<high>.*)\]"
)
RATIO = re.compile(r"\d\.\d\d of the reference$")


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_every_measurement_is_tried() -> None:
    found = {path.stem for path in Path(__file__).parent.glob("bench_*.py")}
    assert found == set(TINY)


@pytest.mark.slow("measurements")
@pytest.mark.parametrize("name", sorted(TINY))
def test_a_measurement_runs(name: str) -> None:
    command = [sys.executable, "-m", f"tests.bench.{name}", *TINY[name].split()]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"machine  {machine()}" in done.stdout
    assert f"command  python -m tests.bench.{name} {TINY[name]}" in done.stdout
    figures = [found for line in done.stdout.splitlines() if (found := FIGURE.match(line))]
    assert figures, done.stdout
    for figure in figures:
        low, middle, high = (number(figure[part]) for part in ("low", "middle", "high"))
        assert 0 <= low <= middle <= high, figure.string
    ratios = [line for line in done.stdout.splitlines() if RATIO.search(line)]
    assert any(line.endswith(" 1.00 of the reference") for line in ratios), done.stdout
    assert len(ratios) >= 2, done.stdout


def test_the_load_is_what_was_asked_for(tmp_path: Path) -> None:
    """As many answers as allowed, none counted that was a refusal, nothing made up at the end."""
    row = request("POST", "/group", trivial.BODY)
    with trivial.running(tmp_path) as plain, Load() as load:
        load.feed("ever", plain.address, [[row]] * 3, ever=True)
        assert load.run("ever", limits=[4, 0, 2]).counts == [4, 0, 2]
        assert load.run("ever", seconds=0.1).rate > 0
        load.feed("once", plain.address, [[row, row]])
        assert load.run("once", limits=[2]).counts == [2]
        with pytest.raises(RuntimeError, match="nothing left to send"):
            load.run("once", seconds=1)
        load.feed("wrong", plain.address, [[request("POST", "/nowhere", trivial.BODY)]])
        with pytest.raises(RuntimeError, match="404"):
            load.run("wrong", limits=[1])


def test_the_reference_stores_what_it_answers(tmp_path: Path) -> None:
    with trivial.running(tmp_path) as plain, Load() as load:
        for path, count in (("/group", 5), ("/alone", 3), ("/nothing", 7)):
            load.feed(path, plain.address, [[request("POST", path, trivial.BODY)]], ever=True)
            load.run(path, limits=[count])
    with closing(sqlite3.connect(tmp_path / "trivial.sqlite")) as database:
        (stored,) = database.execute("SELECT count(*) FROM rows").fetchone()
        (journal,) = database.execute("PRAGMA journal_mode").fetchone()
    assert (stored, journal) == (5 + 3, "wal")


@pytest.mark.parametrize(
    ("share", "figure"), [(0.0, 1.0), (0.5, 2.0), (0.51, 3.0), (0.75, 3.0), (0.99, 4.0)]
)
def test_a_quantile_is_a_figure_that_was_measured(share: float, figure: float) -> None:
    assert quantile([4.0, 1.0, 3.0, 2.0], share) == figure


def test_the_length_of_an_answer() -> None:
    assert length_of(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nETag: 7") == 12
    assert length_of(b"HTTP/1.1 304 Not Modified\r\nETag: 7") == 0
