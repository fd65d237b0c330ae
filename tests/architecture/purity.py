"""What may not stand in ``domain/``, nor in ``projections/`` with few exceptions.

Found by reading the syntax tree, nothing is imported.

The domain is integers and values only: no I/O, no clock, no randomness, no float, and no result
that depends on the order in which a set happens to be walked (that order differs between runs).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

LIBRARIES = frozenset(
    {
        "__future__", "abc", "bisect", "collections", "contextlib", "dataclasses", "enum",
        "fractions", "functools", "heapq", "itertools", "math", "msgspec", "operator", "re",
        "string", "types", "typing",
    }
)  # fmt: skip
"""Top-level modules that the domain may import."""

DOORS = {
    "domain/kernel/data.py": frozenset({"importlib"}),
    "domain/kernel/finder.py": frozenset({"importlib"}),
}
"""The only files that may import more: packaged data and installed games come in here."""

BANNED_CALLS = frozenset(
    {
        "__import__", "breakpoint", "compile", "eval", "exec", "hash", "id", "input", "open",
        "print", "vars",
    }
)  # fmt: skip
INTEGER_MATH = frozenset(["comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"])
ORDERLESS = frozenset(
    ["all", "any", "dict", "frozenset", "len", "max", "min", "set", "sorted", "sum"]
)
"""Callers for which the order of what they are given does not matter."""

SETS = frozenset({"set", "frozenset", "Set", "AbstractSet", "MutableSet"})


def impurities(name: str, tree: ast.Module, set_fields: Iterable[str] = ()) -> Iterator[str]:
    """Each impurity as ``line: what``. ``set_fields`` are attributes known to hold sets."""
    for node in ast.walk(tree):
        for what in _impurity(name, node):
            yield f"{getattr(node, 'lineno', 0)}: {what}"
    yield from _set_walks(tree, frozenset(set_fields))


def _impurity(name: str, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield from _import(name, alias.name)
        case ast.ImportFrom(module=str(module), level=0, names=names):
            yield from _import(name, module)
            if module == "math":
                yield from _math({alias.name for alias in names})
        case ast.Constant(value=float() | complex()):
            yield f"float literal {node.value!r}"
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            yield "true division"
        case ast.Name(id="float" | "complex"):
            yield f"the type {node.id}"
        case ast.Call(func=ast.Name(id=called)) if called in BANNED_CALLS:
            yield f"call of {called}"
        case ast.Attribute(value=ast.Name(id="math"), attr=attribute):
            yield from _math({attribute})
        case ast.Global():
            yield "global statement"
        case ast.AsyncFunctionDef() | ast.Await():
            yield "async code"


def _import(name: str, module: str) -> Iterator[str]:
    top = module.split(".", maxsplit=1)[0]
    if top != "domain" and top not in LIBRARIES | DOORS.get(name, frozenset()):
        yield f"import of {module}"


def _math(names: set[str]) -> Iterator[str]:
    for stranger in sorted(names - INTEGER_MATH):
        yield f"math.{stranger} is not integer arithmetic"


# --- sets ----------------------------------------------------------------------------------------


def set_fields(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Names of class attributes that are annotated as sets, anywhere in the domain."""
    return frozenset(
        field.target.id
        for tree in trees
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for field in owner.body
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and _annotates_set(field.annotation)
    )


def _annotates_set(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.Attribute):
        return annotation.attr in SETS
    return isinstance(annotation, ast.Name) and annotation.id in SETS


def _set_walks(tree: ast.Module, fields: frozenset[str]) -> Iterator[str]:
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef | ast.Module):
            names = _set_names(scope)
            for line, iterated in _walked(scope):
                if _is_set(iterated, names, fields):
                    yield f"{line}: walks a set in no fixed order: {ast.unparse(iterated)}"


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of the functions inside it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef):
            yield from _own(child)


def _set_names(scope: ast.FunctionDef | ast.Module) -> frozenset[str]:
    found: set[str] = set()
    if isinstance(scope, ast.FunctionDef):
        arguments = (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)
        found |= {a.arg for a in arguments if _annotates_set(a.annotation)}
    for node in _own(scope):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)) if _annotates_set(node.annotation):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) if _is_set(node.value, frozenset(found)):
                found.add(name)
    return frozenset(found)


def _is_set(node: ast.expr, names: frozenset[str], fields: frozenset[str] = frozenset()) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr=attribute):
            return attribute in fields
        case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
            return _is_set(node.left, names, fields) or _is_set(node.right, names, fields)
    return False


def _walked(scope: ast.AST) -> Iterator[tuple[int, ast.expr]]:
    """What is walked where order may show: loops, comprehensions, ``tuple(...)``, ``list(...)``."""
    shielded: set[int] = set()
    for node in _own(scope):
        match node:
            case ast.Call(func=ast.Name(id=called), args=arguments) if called in ORDERLESS:
                shielded |= {id(argument) for argument in arguments}
            case ast.SetComp():
                shielded |= {id(part.iter) for part in node.generators}
            case ast.For(iter=iterated):
                yield node.lineno, iterated
            case ast.Call(func=ast.Name(id="tuple" | "list" | "enumerate" | "zip" | "next")):
                yield from ((node.lineno, argument) for argument in node.args)
            case ast.Call(func=ast.Attribute(attr="join" | "extend")):
                yield from ((node.lineno, argument) for argument in node.args)
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() if id(node) not in shielded:
                yield from ((node.lineno, part.iter) for part in node.generators)
