"""What somebody might write by mistake in one place of a function.

A change leaves types as they are, so that the game goes on, and goes on wrongly: what merely
crashes shows that a function was called, and nothing more. IDs of rules, hints, annotations and
decorators stay, for no rule hangs on them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from tests.rules.sources import Definition


class Change(NamedTuple):
    """One change of a node.

    rank   the lower, the sooner it is tried
    words  what it is, for people
    make   changes the node, or a copy of it, in place
    """

    rank: int
    words: str
    make: Callable[[Any], None]


COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
LEAST: dict[str, ast.expr] = {
    "tuple": ast.Tuple([], ast.Load()),
    "list": ast.List([], ast.Load()),
    "dict": ast.Dict([], []),
    "Mapping": ast.Dict([], []),
    "frozenset": ast.Call(ast.Name("frozenset", ast.Load()), [], []),
    "bool": ast.Constant(False),
    "int": ast.Constant(0),
    "str": ast.Constant(""),
}
"""The least answer of a type, by the name that a function is annotated with."""
REFUSED = "No('refused.by-mistake', '', 'It is not allowed.')"
RULE = re.compile(r"[A-Z]{2,4}(-[A-Z0-9]+)+")
"""A rule's ID: no word of the game."""


def changes(node: ast.AST, found: Definition) -> Iterator[Change]:
    """Every change of a node of the function."""
    match node:
        case ast.If() | ast.IfExp() | ast.While():
            yield from _conditions(node)
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp():
            yield from _truths(node)
        case ast.BinOp() | ast.AugAssign() | ast.Constant():
            yield from _figures(node)
        case ast.Call():
            yield from _calls(node)
        case ast.Expr() | ast.Raise():
            yield from _statements(node)
        case ast.For() | ast.comprehension() | ast.Tuple() | ast.Set() | ast.List():
            yield from _rows(node)
        case ast.Dict() | ast.Match():
            yield from _cases(node)
        case ast.Subscript(ctx=ast.Load()) if not isinstance(node.slice, ast.Constant | ast.Slice):
            yield Change(2, "always the first entry", _take_first_entry)
        case ast.Return(value=ast.expr()):
            yield from _answers(found)


def _conditions(node: ast.If | ast.IfExp | ast.While) -> Iterator[Change]:
    yield Change(0, "condition turned round", _set("test", lambda n: _not(n.test)))
    if not isinstance(node, ast.While):
        yield Change(1, "condition always true", _set("test", lambda n: ast.Constant(True)))
    yield Change(1, "condition never true", _set("test", lambda n: ast.Constant(False)))


def _truths(node: ast.Compare | ast.BoolOp | ast.UnaryOp) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            for number in range(len(ops)):
                yield Change(0, "comparison", _compared(number))
        case ast.BoolOp(op=op, values=values):
            other = ast.Or if isinstance(op, ast.And) else ast.And
            yield Change(0, "and for or", _set("op", lambda n: other()))
            for number in range(len(values)):
                yield Change(1, f"part {number + 1} left out", _left_out(number))
        case ast.UnaryOp(op=ast.Not()):
            yield Change(0, "not dropped", _set("operand", lambda n: _not(n.operand)))


def _figures(node: ast.BinOp | ast.AugAssign | ast.Constant) -> Iterator[Change]:
    match node:
        case ast.Constant(value=bool(value)):
            yield Change(1, "constant", _set("value", lambda n: not value))
        case ast.Constant(value=int(value)):
            yield Change(1, "one more", _set("value", lambda n: value + 1))
            yield Change(1, "one less", _set("value", lambda n: value - 1))
        case ast.Constant(value=str(word)) if of_the_game(word):
            yield Change(3, "word", _set("value", lambda n: word + "-"))
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in RECKONED:
            yield Change(1, "operator", _set("op", lambda n: RECKONED[type(op)]()))


def _calls(node: ast.Call) -> Iterator[Change]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        other = CALLED[node.func.id]
        yield Change(1, other, _set("func", lambda n: ast.Name(other, ast.Load())))
    if isinstance(node.func, ast.Name) and node.func.id == "Reason":
        yield Change(1, "counted one more", _set("args", lambda n: [_more(n.args[0]), *n.args[1:]]))
    for number, keyword in enumerate(node.keywords):
        yield Change(2, f"without {keyword.arg}", _dropped("keywords", number))
    for number in range(len(node.args) - 1):
        yield Change(2, "arguments exchanged", _swapped(number))


def _statements(node: ast.Expr | ast.Raise) -> Iterator[Change]:
    if isinstance(node, ast.Raise):
        yield Change(0, "not refused", _make_nothing)
    elif isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom):
        yield Change(1, "statement dropped", _set("value", lambda n: ast.Constant(None)))


def _rows(node: ast.For | ast.comprehension | ast.Tuple | ast.Set | ast.List) -> Iterator[Change]:
    match node:
        case ast.For():
            yield Change(1, "loop not entered", _set("iter", lambda n: ast.Tuple([], ast.Load())))
            yield Change(2, "the first only", _set("iter", lambda n: _listed(n.iter, ":1")))
            yield Change(3, "in the other order", _set("iter", lambda n: _listed(n.iter, "::-1")))
        case ast.comprehension(ifs=ifs):
            for number in range(len(ifs)):
                yield Change(0, "filter dropped", _dropped("ifs", number))
            if not node.is_async:
                yield Change(2, "without the first", _set("iter", lambda n: _listed(n.iter, "1:")))
                yield Change(3, "the other order", _set("iter", lambda n: _listed(n.iter, "::-1")))
        case ast.Set(elts=[_]):
            return
        case ast.Tuple(elts=[_, *_], ctx=ast.Load()) | ast.Set() | ast.List(elts=[_, *_]):
            for number in range(len(node.elts)):
                yield Change(2, "one dropped", _dropped("elts", number))


def _cases(node: ast.Dict | ast.Match) -> Iterator[Change]:
    match node:
        case ast.Dict(keys=keys):
            for number in range(len(keys)):
                yield Change(2, f"row {number + 1} left out", _row_dropped(number))
        case ast.Match(cases=cases):
            for number in range(len(cases)):
                yield Change(2, f"case {number + 1} left out", _dropped("cases", number))


def _answers(found: Definition) -> Iterator[Change]:
    """By the type that the function answers with."""
    match found.returns:
        case ast.Name(id="bool"):
            yield Change(0, "answer turned round", _set("value", lambda n: _not(n.value)))
        case ast.Name(id="int"):
            yield Change(0, "answer one more", _set("value", lambda n: _more(n.value)))
        case ast.BinOp(left=ast.Name(id="No")):
            yield Change(1, "always refused", _set("value", lambda n: _written(REFUSED)))
    if (least := _least(found.returns)) is not None:
        yield Change(2, "least answer", _set("value", lambda n: deepcopy(least)))


def _least(returns: ast.expr | None) -> ast.expr | None:
    match returns:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return LEAST.get(name)
        case ast.BinOp(op=ast.BitOr(), right=ast.Constant(value=None)):
            return ast.Constant(None)
    return None


def of_the_game(word: str) -> bool:
    """Whether it is a word that the game means something by: no ID, no hint, no docstring."""
    return bool(word) and " " not in word and not RULE.fullmatch(word)


# --- how a node is changed -----------------------------------------------------------------------


def _set(name: str, value: Callable[[Any], Any]) -> Callable[[Any], None]:
    return lambda node: setattr(node, name, value(node))


def _dropped(name: str, number: int) -> Callable[[Any], None]:
    def make(node: Any) -> None:
        del getattr(node, name)[number]

    return make


def _row_dropped(number: int) -> Callable[[Any], None]:
    def make(node: Any) -> None:
        del node.keys[number], node.values[number]

    return make


def _left_out(number: int) -> Callable[[Any], None]:
    """A part of a condition; the last one that is left stands alone."""

    def make(node: Any) -> None:
        del node.values[number]
        if len(node.values) == 1:
            _become(node, node.values[0])

    return make


def _compared(number: int) -> Callable[[Any], None]:
    def make(node: Any) -> None:
        node.ops[number] = COMPARED[type(node.ops[number])]()

    return make


def _swapped(number: int) -> Callable[[Any], None]:
    def make(node: Any) -> None:
        node.args[number : number + 2] = reversed(node.args[number : number + 2])

    return make


def _make_nothing(node: Any) -> None:
    _become(node, ast.Expr(ast.Constant(None)))


def _take_first_entry(node: Any) -> None:
    """Of a mapping its first value, of rows the first one, whatever was asked for."""
    table = ast.unparse(node.value)
    first = f"(next(iter(t.values())) if hasattr(t := {table}, 'values') else t[0])"
    _become(node, _written(first))


def _become(node: Any, new: ast.AST) -> None:
    node.__class__ = type(new)
    for name, value in ast.iter_fields(new):
        setattr(node, name, value)


def _more(figure: ast.expr) -> ast.expr:
    return ast.BinOp(figure, ast.Add(), ast.Constant(1))


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _listed(rows: ast.expr, part: str) -> ast.expr:
    """``[*rows][part]``"""
    return _written(f"[*({ast.unparse(rows)})][{part}]")


def _written(text: str) -> ast.expr:
    """An expression that stands wherever it is put."""
    found = ast.parse(text, mode="eval").body
    for node in ast.walk(found):
        for place in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            node.__dict__.pop(place, None)
    return found
