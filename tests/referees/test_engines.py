"""Bugs planted in each engine, which then plays on: the referee notices every one."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.referees.engines import BUGS
from tests.support.suites import TESTS


@pytest.mark.slow("engines")
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("name", BUGS)
def test_every_bug_of_an_engine_is_noticed(name: str) -> None:
    """In a process in which nothing was played before: engines remember answers."""
    line = [sys.executable, "-m", "tests.referees.engines", name]
    done = subprocess.run(line, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["bug"] for each in told] == list(BUGS[name])
    assert len(told) >= 20
    assert {each["bug"]: each["found"] for each in told if each["seed"] < 0} == {}
