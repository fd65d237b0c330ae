"""Published texts begin with their subject, a noun: never with a question word (CONTRIBUTING)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import click
import pytest

from service.cli import COMMANDS, decklog
from service.problems import KINDS
from tests.support.suites import TESTS

RIDDLE = re.compile(r"(what|who|whose|whoever|why|how)\b(?!-if)", re.IGNORECASE)
"""Which words begin a question where a reader looks for a subject."""

TEXTS = ("description", "summary", "title")


def texts_of(node: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a document with its place, but for answers that only show an example."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if key in ("example", "examples", "properties") and isinstance(value, dict):
            for name, inner in value.items():
                yield from texts_of(inner, f"{place}/{key}/{name}") if key == "properties" else ()
        elif key in TEXTS and isinstance(value, str):
            yield f"{place}/{key}", value
        elif isinstance(value, dict | list):
            yield from texts_of(value, f"{place}/{key}")


def riddles(texts: Iterator[tuple[str, str]]) -> list[str]:
    return [f"{place}: {text}" for place, text in texts if RIDDLE.match(text)]


def test_no_text_of_the_document_is_a_riddle() -> None:
    document = json.loads((TESTS.parent / "openapi" / "openapi.json").read_bytes())
    found = list(texts_of(document))
    assert len(found) > 1_000, "the texts were looked for in another place than they are"
    assert riddles(iter(found)) == []


def test_no_problem_is_a_riddle() -> None:
    texts = ((kind.code, text) for kind in KINDS for text in (kind.title, kind.meaning, kind.hint))
    assert riddles(texts) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_help_is_a_riddle(name: str) -> None:
    command = decklog.get_command(click.Context(decklog), name)
    assert command is not None
    texts = [(name, command.help or "")]
    texts += [(f"{name} {each.name}", getattr(each, "help", "") or "") for each in command.params]
    assert command.help, "a command without help"
    assert riddles(iter(texts)) == []


def test_a_riddle_is_found() -> None:
    document = {"a": {"description": "What it is for."}, "b": {"title": "A what-if game"}}
    assert riddles(texts_of(document)) == ["/a/description: What it is for."]
