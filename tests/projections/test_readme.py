"""The README of the projections names each, with the address that shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import projections
from projections.finder import found

README = (Path(projections.__file__).parent / "README.md").read_text("utf-8")


MODULES = sorted(each.take.__module__ for each in found().values())


@pytest.mark.parametrize("module", MODULES)
def test_it_has_a_row_with_its_address(module: str) -> None:
    name = module.rpartition(".")[2]
    assert re.search(rf"^\| `{name}\.py` \|.*`GET /v1/", README, re.MULTILINE), name
