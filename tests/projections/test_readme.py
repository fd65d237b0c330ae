"""The README of the projections names each, with the address that shows it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from litestar.utils.helpers import unwrap_partial

import projections
from projections.finder import found
from service.http.registry import described, operations, routes_of

README = (Path(projections.__file__).parent / "README.md").read_text("utf-8")


MODULES = sorted(each.take.__module__ for each in found().values())
ADDRESSES = {
    operation.path.rpartition("/")[2] if "{" in operation.path else operation.path
    for operation in operations()
    if operation.method == "GET"
}
"""What a row may name: the whole address, or of what belongs to a game the last part of it."""

SHOWING = [
    (route.operation, inspect.getsource(unwrap_partial(route.fn)))
    for route in routes_of(described())
    if route.operation.method == "GET"
]
"""Operations that show something, and their handlers' text."""


def rows(readme: str) -> dict[str, list[str]]:
    """By module, the addresses of its row, without what stands in their queries."""
    found = re.findall(r"^\| `(\w+)\.py` \|(.*)$", readme, re.MULTILINE)
    return {
        name: [each.partition("?")[0] for each in re.findall(r"`GET ([^`]+)`", text)]
        for name, text in found
    }


def wrong(readme: str) -> list[str]:
    """Addresses of the table that no operation has."""
    return [
        f"{name}.py: GET {address}"
        for name, addresses in rows(readme).items()
        for address in addresses
        if address not in ADDRESSES
    ]


@pytest.mark.parametrize("module", MODULES)
def test_it_has_a_row_with_its_address(module: str) -> None:
    name = module.rpartition(".")[2]
    assert name in rows(README), f"projections/README.md has no row of `{name}.py`"
    assert rows(README)[name], f"the row of `{name}.py` in projections/README.md has no `GET ...`"


def test_the_addresses_are_those_of_operations() -> None:
    assert not wrong(README), f"projections/README.md names what no operation is: {wrong(README)}"


def unread(readme: str) -> list[str]:
    """Addresses of projections whose operation has nothing of the projection's name."""
    kept = {each.take.__module__.rpartition(".")[2]: name for name, each in found().items()}
    return [
        f"{module}.py: {operation.id} reads no {kept[module]}"
        for module, addresses in rows(readme).items()
        if module in kept
        for operation, source in SHOWING
        if operation.path in addresses and kept[module] not in source
    ]


def test_what_shows_a_projection_reads_it() -> None:
    assert not unread(README), f"projections/README.md, or service/http: {unread(README)}"


def test_an_address_that_shows_something_else_is_found() -> None:
    spoilt = README.replace("`GET /v1/results`", "`GET /v1/dice`")
    assert "results.py: listDice reads no results" in unread(spoilt)


def test_an_address_that_nothing_has_is_found() -> None:
    spoilt = README.replace("`GET /v1/results`", "`GET /v1/result`")
    assert wrong(spoilt) == ["results.py: GET /v1/result"]
