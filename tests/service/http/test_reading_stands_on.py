"""The reader stands on parts of uvicorn that nobody promises: each raise is looked at.

service/decisions/0005-the-server.md says why, and what to do when these tests fail.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from uvicorn.protocols.http import flow_control, httptools_impl

from service.http import pieces, reading

ROOT = Path(__file__).resolve().parents[3]
READ = "ea814cf42e50628d"
PINNED = ("uvicorn", "httptools")


@pytest.mark.parametrize("name", PINNED)
def test_what_is_installed_is_what_was_read(name: str) -> None:
    """Everywhere the same: a wheel of ours brings no other than the tests run with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (pin,) = (each for each in project["dependencies"] if re.match(rf"{name}\W", each))
    assert pin == f"{name}=={version(name)}"
    for file in ("serve", "test"):
        locked = (ROOT / f"requirements/{file}.txt").read_text("utf-8")
        assert f"\n{pin} " in locked, f"requirements/{file}.txt has another {name}"


def test_the_source_is_the_one_that_was_read() -> None:
    """After a raise: read the difference, run test_unreadable, then write the digest."""
    texts = [inspect.getsource(module) for module in (httptools_impl, flow_control)]
    assert hashlib.sha256("".join(texts).encode()).hexdigest()[:16] == READ


def test_what_the_reader_overrides_and_calls_is_there() -> None:
    """A method that is called by another name would never be called: nothing would be refused."""
    above = httptools_impl.HttpToolsProtocol
    overridden = {
        name
        for kind in (reading.Reader, pieces.Pieces)
        for name, each in vars(kind).items()
        if inspect.isfunction(each) and not hasattr(above, name)
    }
    own = {"_read", "_declined", "_measure", "_refuse"}
    assert overridden == own, "own names, which uvicorn has not"
    made = inspect.getsource(httptools_impl)
    for name in ("_unset_keepalive_if_required", "_start_asgi_task", "send_400_response"):
        assert f"self.{name}(" in made, name
    for name in ("response_complete", "response_started", "more_body", "disconnected",
                 "keep_alive", "message_event", "waiting_for_100_continue"):  # fmt: skip
        assert f"self.{name}" in inspect.getsource(httptools_impl.RequestResponseCycle), name
