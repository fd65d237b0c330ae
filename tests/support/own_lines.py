"""How many lines the HTTP layer and its document are: ``python -m tests.support.own_lines``.

What counts is said here and nowhere else. HTTP is what stands between Litestar and the resources:
no controller, no body of an answer, no page, nothing of the server's reading of bytes. The document
is what makes it; what records examples, compares and keeps releases is not.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

BODIES_AND_PAGES = ("game_guides", "guide", "pages", "wire")
SERVER = ("doors", "pieces", "reading")
MAKE_THE_DOCUMENT = (
    "catalogued", "codes", "components", "document", "paths", "reworded", "sent", "shape",
    "sharing", "specified", "usual",
)  # fmt: skip
BESIDE = ("service/proxies.py",)
"""Of HTTP, and used by the server too."""

NO_CODE = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
)


class Lines(NamedTuple):
    """raw: as ``wc`` counts; code: without blank lines, comments and docstrings."""

    raw: int
    code: int


BARS = {"HTTP": Lines(2_812, 1_822), "document": Lines(1_907, 1_410)}
"""At most so many (service/decisions/0004)."""


def counted() -> dict[str, dict[str, Lines]]:
    """Of each part, its files."""
    return {"HTTP": dict(_http()), "document": dict(_document())}


def _http() -> Iterator[tuple[str, Lines]]:
    left_out = {"__init__", *BODIES_AND_PAGES, *SERVER}
    for path in sorted((ROOT / "service/http").glob("*.py")):
        text = path.read_text("utf-8")
        if path.stem not in left_out and not _has_controller(text):
            yield path.stem, lines_of(text)
    for name in BESIDE:
        yield name, lines_of((ROOT / name).read_text("utf-8"))


def _document() -> Iterator[tuple[str, Lines]]:
    for name in MAKE_THE_DOCUMENT:
        yield name, lines_of((ROOT / f"service/openapi/{name}.py").read_text("utf-8"))


def _has_controller(text: str) -> bool:
    """Whether it is a resource."""
    classes = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    return any(isinstance(b, ast.Name) and b.id == "Controller" for c in classes for b in c.bases)


def lines_of(text: str) -> Lines:
    """Of one file."""
    prose = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str) and node.end_lineno is not None
        for line in range(node.lineno, node.end_lineno + 1)
    }
    written = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in NO_CODE and token.string
        for line in range(token.start[0], token.end[0] + 1)
    }
    return Lines(text.count("\n"), len(written - prose))


def total(files: dict[str, Lines]) -> Lines:
    return Lines(*map(sum, zip(*files.values(), strict=True)))


def main() -> None:
    """The table."""
    for part, files in counted().items():
        for name, lines in {**files, part: total(files), "at most": BARS[part]}.items():
            print(f"{name:24} {lines.raw:6} {lines.code:6}")
        print()


if __name__ == "__main__":
    main()
