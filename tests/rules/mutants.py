"""Mutants of one function: its source changed in one place, compiled in the module around it.

A mutant is what somebody might write by mistake: a comparison that is off by its edge, a condition
turned round, a number one too large, a branch forgotten. Only code that decides is changed:
docstrings, annotations and the words of hints stay, for no rule hangs on them.
"""

from __future__ import annotations

import ast
import copy
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import NamedTuple

Definition = ast.FunctionDef | ast.AsyncFunctionDef

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


class Mutant(NamedTuple):
    """A function changed in one place.

    what  line in the file, and what was changed there, for people
    code  the changed function's code, free variables as in the original
    """

    what: str
    code: CodeType


def mutants(code: CodeType) -> Iterator[Mutant]:
    """Every mutant of the function that has this code, those that change most first."""
    module = _parsed(code.co_filename)
    found = _definition(module, code)
    places = [node for node in ast.walk(found) if node is not found]
    changes = [(rank, number) for number, node in enumerate(places) for rank in _ranks(node, found)]
    seen = {_kept(code)}
    for rank, number in sorted(changes, key=lambda each: (each[0][0], each[1], each[0])):
        changed = copy.deepcopy(found)
        node = [each for each in ast.walk(changed) if each is not changed][number]
        if _inside(changed, node):
            continue
        line, words = getattr(node, "lineno", found.lineno), _change(node, rank[1], found)
        made = _compiled(module, found, changed, code)
        if _kept(made) not in seen:
            seen.add(_kept(made))
            yield Mutant(f"{Path(code.co_filename).name}:{line} {words}", made)


def exchanged(code: CodeType, old: str, new: str) -> Mutant:
    """The mutant in which ``new`` stands where the function's source has ``old``, once."""
    path = Path(code.co_filename)
    found = _definition(_parsed(code.co_filename), code)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    first, last = code.co_firstlineno - 1, found.end_lineno
    source = "".join(lines[first:last])
    if source.count(old) != 1:
        raise LookupError(f"{old!r} stands {source.count(old)} times in {code.co_qualname}")
    lines[first:last] = [source.replace(old, new)]
    compiled = compile("".join(lines), code.co_filename, "exec", dont_inherit=True)
    made = next(each for each in _codes(compiled) if _same(each, code))
    return Mutant(f"{path.name} kept: {old.strip()} -> {new.strip()}", made)


def tokens(code: CodeType) -> str:
    """The function's words without comments, layout and docstrings: the same after a move."""
    found = copy.deepcopy(_definition(_parsed(code.co_filename), code))
    for node in ast.walk(found):
        if isinstance(node, Definition | ast.ClassDef) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:] or [ast.Pass()]
    source = ast.unparse(found)
    words = tokenize.generate_tokens(io.StringIO(source).readline)
    return " ".join(word.string for word in words if word.string.strip())


RULE = re.compile(r"[A-Z]{2,4}(-[A-Z0-9]+)+")
"""A rule's ID: no word of the game."""
EMPTY: dict[str, ast.expr] = {
    "tuple": ast.Tuple([], ast.Load()),
    "list": ast.List([], ast.Load()),
    "dict": ast.Dict([], []),
    "Mapping": ast.Dict([], []),
    "bool": ast.Constant(False),
    "int": ast.Constant(0),
}
"""The least answer of a type, by the name that a function is annotated with."""


def _ranks(node: ast.AST, found: Definition) -> list[tuple[int, str]]:
    """What may be changed in a node, each with a rank: the lower, the sooner it is tried.

    A change leaves types as they are, so that the game goes on and goes on wrongly: what merely
    crashes shows that a function was called, and nothing more.
    """
    match node:
        case ast.If() | ast.IfExp() | ast.While():
            return [(0, "condition turned round"), (1, "condition always true")]
        case ast.comprehension(ifs=[_, *_]):
            return [(0, "filter dropped")]
        case ast.Compare():
            last = [(1, "last comparison")] if len(node.ops) > 1 else []
            return [(0, "comparison"), *last]
        case ast.BoolOp():
            return [(0, "and for or")]
        case ast.UnaryOp(op=ast.Not()):
            return [(0, "not dropped")]
        case ast.BinOp() | ast.AugAssign() if type(node.op) in RECKONED:
            return [(1, "operator")]
        case ast.Constant(value=bool()):
            return [(1, "constant")]
        case ast.Constant(value=int()):
            return [(1, "one more"), (1, "one less")]
        case ast.Constant(value=str(word)) if _of_the_game(word):
            return [(3, "word")]
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            return [(1, "function")]
        case ast.Call():
            named = [(2, "named argument dropped")] if node.keywords else []
            return [*named, *([(2, "arguments exchanged")] if len(node.args) > 1 else [])]
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            return [(1, "statement dropped")]
        case ast.For():
            return [(1, "loop not entered")]
        case ast.Tuple(elts=[_, *_], ctx=ast.Load()) | ast.Set() | ast.List(elts=[_, *_]):
            return [(2, "last one dropped")]
        case ast.Return(value=ast.expr()) if _least(found) is not None:
            return [(2, "least answer")]
        case _:
            return []


def _of_the_game(word: str) -> bool:
    """Whether it is a word that the game means something by: no ID, no hint, no docstring."""
    return bool(word) and " " not in word and not RULE.fullmatch(word)


def _least(found: Definition) -> ast.expr | None:
    """The least answer of the function's type."""
    match found.returns:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return EMPTY.get(name)
        case ast.BinOp(op=ast.BitOr(), right=ast.Constant(value=None)):
            return ast.Constant(None)
    return None


def _change(node: ast.AST, what: str, found: Definition) -> str:
    """Make the change in place; what it is, in words."""
    before = "" if isinstance(node, ast.comprehension) else ast.unparse(node).split("\n")[0][:60]
    match node, what:
        case ((ast.If() | ast.IfExp() | ast.While()), "condition turned round"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ((ast.If() | ast.IfExp()), _):
            node.test = ast.Constant(True)
        case ast.While(), _:
            node.test = ast.Constant(False)
        case ast.comprehension(), _:
            before = "if " + ast.unparse(node.ifs[-1])
            node.ifs = node.ifs[:-1]
        case ast.Compare(), "comparison":
            node.ops[0] = COMPARED[type(node.ops[0])]()
        case ast.Compare(), _:
            node.ops[-1] = COMPARED[type(node.ops[-1])]()
        case ast.BoolOp(), _:
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp(operand=operand), _:
            node.operand = ast.UnaryOp(ast.Not(), operand)
        case ((ast.BinOp() | ast.AugAssign()), _):
            node.op = RECKONED[type(node.op)]()
        case ast.Constant(value=bool(value)), _:
            node.value = not value
        case ast.Constant(value=int(value)), _:
            node.value = value + 1 if what == "one more" else value - 1
        case ast.Constant(value=str(word)), _:
            node.value = word + "-"
        case ast.Call(func=ast.Name() as name), "function":
            name.id = CALLED[name.id]
        case ast.Call(), "named argument dropped":
            node.keywords = node.keywords[:-1]
        case ast.Call(), _:
            node.args[0], node.args[1] = node.args[1], node.args[0]
        case ast.Expr(), _:
            node.value = ast.Constant(None)
        case ast.For(), _:
            node.iter = ast.Tuple([], ast.Load())
        case ((ast.Tuple() | ast.Set() | ast.List()), _):
            kept = node.elts[:-1]
            node.elts = kept if kept or not isinstance(node, ast.Set) else node.elts
        case ast.Return(), _:
            node.value = _least(found)
    return f"{what}: {before}"


def _inside(found: Definition, node: ast.AST) -> bool:
    """Whether the node is no code that decides: an annotation, a decorator, a default's type."""
    outside: list[ast.AST] = [*found.decorator_list]
    for each in ast.walk(found):
        if isinstance(each, ast.AnnAssign | ast.arg) and each.annotation:
            outside.append(each.annotation)
        if isinstance(each, Definition) and each.returns:
            outside.append(each.returns)
    outside += [*found.args.defaults, *(default for default in found.args.kw_defaults if default)]
    return any(node is inner for each in outside for inner in ast.walk(each))


@cache
def _parsed(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text("utf-8"))


def _definition(module: ast.Module, code: CodeType) -> Definition:
    """The function in the source; a code's first line is that of its first decorator."""
    for node in ast.walk(module):
        if isinstance(node, Definition) and node.name == code.co_name:
            lines = [node.lineno, *(each.lineno for each in node.decorator_list)]
            if min(lines) == code.co_firstlineno:
                return node
    raise LookupError(f"{code.co_qualname} is not in {code.co_filename}")


def _compiled(
    module: ast.Module, found: Definition, changed: Definition, code: CodeType
) -> CodeType:
    """The changed function's code, compiled where it stands."""
    whole = _Put(found, changed).visit(copy.copy(module))
    ast.fix_missing_locations(whole)
    compiled = compile(whole, code.co_filename, "exec", dont_inherit=True)
    return next(each for each in _codes(compiled) if _same(each, code))


class _Put(ast.NodeTransformer):
    """Puts one definition in another's place, without touching the tree it was parsed into."""

    def __init__(self, found: Definition, changed: Definition) -> None:
        self.found, self.changed = found, changed

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.found:
            return self.changed
        if isinstance(node, ast.Module | ast.ClassDef | Definition):
            again = copy.copy(node)
            again.body = [self.visit(each) for each in node.body]  # type: ignore[assignment, misc]
            return again
        return node


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


def _same(one: CodeType, other: CodeType) -> bool:
    return one.co_qualname == other.co_qualname and one.co_firstlineno == other.co_firstlineno


def _kept(code: CodeType) -> tuple[object, ...]:
    """What makes two codes the same: lines do not count."""
    inner = tuple(
        _kept(each) if isinstance(each, CodeType) else (type(each), each) for each in code.co_consts
    )
    return (code.co_code, code.co_names, code.co_varnames, inner)
