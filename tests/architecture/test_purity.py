"""The domain is pure, projections as good as, and the reader that says so sees what it must see."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import pytest

from tests.architecture.purity import impurities, set_fields
from tests.architecture.tree import against, parsed, python

DOMAIN = python("domain")


def test_the_domain_is_there() -> None:
    assert "domain/kernel/game.py" in DOMAIN


def test_the_domain_is_pure() -> None:
    fields = set_fields(parsed(name) for name in DOMAIN)
    assert against(DOMAIN, lambda name: impurities(name, parsed(name), fields)) == {}


MEANT = {
    "projections/differences.py": {"import of copy", "call of id"},
    "projections/film.py": {"import of html", "import of importlib", "true division"},
    "projections/finder.py": {
        "import of importlib", "import of importlib.metadata", "import of pkgutil",
        "import of projections",
    },
    "projections/luck.py": {
        "float literal 0.0", "float literal 0.5", "float literal 0.5723649429247001",
        "float literal 1.0", "math.erfc is not integer arithmetic",
        "math.exp is not integer arithmetic", "math.log is not integer arithmetic",
        "math.sqrt is not integer arithmetic", "the type float", "true division",
    },
    "projections/plots.py": {"import of html", "true division"},
    "projections/probes/__init__.py": {"import of importlib.resources"},
    "projections/svg.py": {"import of html"},
    "projections/tables.py": {"import of difflib"},
}  # fmt: skip
"""What projections may that the domain may not: packaged files and other packages' projections are
found, texts are quoted for HTML, lists are compared, and what is only shown is measured and drawn
in fractions."""


def test_projections_are_pure() -> None:
    """They take in what they are handed: no clock, no thread, no file, no network, no chance."""
    fields = set_fields(parsed(name) for name in DOMAIN)
    names = python("projections")
    found = {name: kinds(impurities(name, parsed(name), fields)) for name in names}
    assert {name: each for name, each in found.items() if each} == MEANT


def kinds(found: Iterable[str]) -> set[str]:
    """What is impure, without the place."""
    return {each.partition(": ")[2] for each in found}


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import random", "import of random"),
        ("import os.path", "import of os.path"),
        ("from time import monotonic", "import of time"),
        ("from datetime import datetime", "import of datetime"),
        ("import socket", "import of socket"),
        ("import importlib.resources", "import of importlib.resources"),
        ("import litestar", "import of litestar"),
        ("x = 0.5", "float literal 0.5"),
        ("x = 1 / 2", "true division"),
        ("x /= 2", "true division"),
        ("x = float('1')", "the type float"),
        ("def f(x: float): pass", "the type float"),
        ("import math\nx = math.sqrt(2)", "math.sqrt is not integer arithmetic"),
        ("from math import pi", "math.pi is not integer arithmetic"),
        ("open('x')", "call of open"),
        ("print('x')", "call of print"),
        ("hash('x')", "call of hash"),
        ("def f():\n global x", "global statement"),
        ("async def f(): pass", "async code"),
        ("for x in {1, 2}: pass", "walks a set"),
        ("y = tuple({1, 2})", "walks a set"),
        ("y = [x for x in set(z)]", "walks a set"),
        ("def f(z: frozenset[str]):\n return [x for x in z]", "walks a set"),
        ("def f(z):\n y = {a for a in z}\n return list(y)", "walks a set"),
        ("def f(s):\n return ','.join(s.smoke)", "walks a set"),
        ("def f(z: set[str], y: set[str]):\n for x in z - y: pass", "walks a set"),
    ],
)
def test_an_impurity_is_seen(source: str, what: str) -> None:
    found = list(impurities("domain/toy.py", ast.parse(source), {"smoke"}))
    assert any(what in line for line in found), found


@pytest.mark.parametrize(
    "source",
    [
        "x = 7 // 2",
        "import math\nx = math.isqrt(2)",
        "for x in sorted({1, 2}): pass",
        "y = sum(x for x in {1, 2})",
        "y = any(x for x in {1, 2})",
        "y = {x for x in {1, 2}}",
        "y = {x for x in (z + 1 for z in {1, 2})}",
        "def f(z: frozenset[str]):\n return sorted(z)",
        "for x in (1, 2): pass",
        "from .values import Seat",
    ],
)
def test_what_is_pure_passes(source: str) -> None:
    assert list(impurities("domain/toy.py", ast.parse(source), {"smoke"})) == []
