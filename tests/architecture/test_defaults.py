"""No table of the domain is asked with a phrase as its default: what lacks has to be seen."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.tree import parsed, python


def phrases(tree: ast.Module) -> Iterator[str]:
    """Each ``table.get(key, phrase)``, and each that falls back on the key itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="get"), args=[key, default]):
                if _is_phrase(default) or ast.dump(default) == ast.dump(key):
                    yield f"{node.lineno}: {ast.unparse(node)}"


def _is_phrase(default: ast.expr) -> bool:
    """Words, made or written; or a function called anything, whatever it was to be called."""
    match default:
        case ast.Constant(value=str(text)):
            return bool(text.strip())
        case ast.JoinedStr() | ast.Call(func=ast.Attribute(attr="replace" | "title" | "lower")):
            return True
        case ast.Call(func=ast.Attribute(value=inner)):
            return _is_phrase(inner)
        case ast.Name(id=name):
            return "anything" in name or "default" in name.lower()
    return False


@pytest.mark.parametrize("name", python("domain"))
def test_no_phrase_stands_in_for_an_entry(name: str) -> None:
    assert list(phrases(parsed(name))) == []


@pytest.mark.parametrize(
    "source",
    [
        "CRITICALS.get(number, 'nothing')",
        "_PASS.get(key, 'Pass')",
        "_JUDGES.get(question, _anything)",
        "PHASES.get(phase, phase.replace('-', ' ').title())",
        "GUNS.get(weapon, weapon)",
        "RULES.get(outcome, f'{a}')",
    ],
)
def test_a_phrase_is_seen(source: str) -> None:
    assert list(phrases(ast.parse(source)))


@pytest.mark.parametrize("source", ["found.get(total, 0)", "rows.get(unit, ())", "at.get(n, '')"])
def test_what_is_no_phrase_passes(source: str) -> None:
    assert not list(phrases(ast.parse(source)))
