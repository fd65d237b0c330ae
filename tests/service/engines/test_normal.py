"""The normal form of a source: what it means is left of it, and nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from service.engines import normal as normalising
from tests.service.engines.trees import ROOT

pytestmark = pytest.mark.slow("engines")

normal = cache(normalising.normal)

SOURCES = sorted((ROOT / "domain").rglob("*.py"))

CASES = {
    "x = 1  # why\n\n\n": "x=1\n",
    "x = (\n    1,\n    2,\n)\n": "x=1,2\n",
    "x = (1,)\n": "x=1,\n",
    "f(\n    a,\n    *b,\n    **c,\n)\n": "f(a,*b,**c)\n",
    "from a import (\n    b,\n    c,\n)\n": "from a import b,c\n",
    "def f() -> (int):\n    '''why'''\n    return (a)\n": "def f()->int:\n return a\n",
    "class A(B):\n    '''why'''\n": "class A(B):\n pass\n",
    "class A:\n    x = 1\n    '''why'''\n": "class A:\n x=1\n",
    "if a:\n    'why'\nelse:\n    'why'\n": "if a:\n pass\nelse:\n pass\n",
    "x = 'a' \"b\"\n": "x='ab'\n",
    "x = 'é\\n'\n": "x='\\xe9\\n'\n",
    "x = f'a{b}' '{c'\n": 'x=f"a{b}{{c"\n',
    "x = f'{a!r:>{b}}' f\"{c['d']}\"\n": "x=f\"{a!r:>{b}}{c['d']}\"\n",
    "x = b'a' b'b'\n": "x=b'a' b'b'\n",
    "x = (a + b) * (c * d)\n": "x=(a+b)*(c*d)\n",
    "x = ((a * b)) + c\n": "x=a*b+c\n",
    "x = (yield)\n": "x=yield\n",
    "x = (a for a in b)\n": "x=(a for a in b)\n",
    "if (a := b):\n    pass\n": "if a:=b:\n pass\n",
    "a = b = (c := 3)\n": "a=b=(c:=3)\n",
    "print(1 .real, - 1, not (a), x[1 : -1])\n": "print(1 .real,-1,not a,x[1: -1])\n",
    "try:\n    pass\nexcept (A, B,):\n    pass\n": "try:\n pass\nexcept(A,B):\n pass\n",
    "try:\n    pass\nexcept (A):\n    pass\n": "try:\n pass\nexcept A:\n pass\n",
    "match (a):\n    case (B() | C()):\n        pass\n": "match a:\n case B()|C():\n  pass\n",
    "with (a as b, c as d):\n    pass\n": "with a as b,c as d:\n pass\n",
    "@(a)\ndef f(): ...\n": "@a\ndef f(): ...\n",
    "from ....a import b\n": "from... .a import b\n",
}


@pytest.mark.parametrize("source", CASES, ids=range(len(CASES)))
def test_one_line(source: str) -> None:
    assert normal(source) == CASES[source]
    assert normal(CASES[source]) == CASES[source]
    assert meaning(normal(source)) == meaning(source)


def test_every_module_of_the_domain_means_what_it_meant() -> None:
    assert len(SOURCES) > 200
    for path in SOURCES:
        source = path.read_text("utf-8")
        text = normal(source)
        assert meaning(text) == meaning(source), path
        assert normal(text) == text, path


@pytest.mark.parametrize("width", [88, 100])
def test_a_formatter_may_break_lines_elsewhere(width: int, tmp_path: Path) -> None:
    for path in SOURCES:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text("utf-8").replace("# fmt: skip", ""), "utf-8")
    ruff = Path(sys.executable).with_name("ruff")
    line = f"line-length={width}"
    subprocess.run([ruff, "format", "-q", "--isolated", "--config", line, tmp_path], check=True)
    moved = 0
    for path in SOURCES:
        source, copy = path.read_text("utf-8"), tmp_path / path.relative_to(ROOT)
        moved += source != copy.read_text("utf-8")
        assert normal(copy.read_text("utf-8")) == normal(source), path
    assert moved > 20


def meaning(source: str) -> str:
    """The syntax tree without what is said and done nowhere: strings that stand alone."""
    return ast.dump(_Quiet().visit(ast.parse(source)))


class _Quiet(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                left = [each for each in block if not _is_remark(each)]
                setattr(node, name, left or ([] if isinstance(node, ast.Module) else [ast.Pass()]))
        return node


def _is_remark(node: ast.AST) -> bool:
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant and isinstance(node.value.value, str)  # type: ignore[attr-defined]
