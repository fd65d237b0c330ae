"""Data in one form: without comments, layout, and the keys that only show.

Which keys those are, each module that reads data says in its constant ``SHOWN_KEYS``
(``domain.kernel.data.ShownKeys``). The order of keys stays: it may mean something to a rule.
"""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from .closure import Tree, Unbuildable

CONSTANT = "SHOWN_KEYS"
DATA = (".toml", ".json")

Shown = dict[str, Mapping[str, object] | None]
"""By pattern of a file's path in the tree."""


def shown_keys(tree: Tree, modules: Iterable[str]) -> Shown:
    """What these modules say of the data that they read."""
    found: Shown = {}
    for name in modules:
        folder = name.rpartition("/")[0]
        for patterns, keys in _constant(tree[name], name).items():
            found |= {f"{folder}/{pattern}": keys for pattern in patterns.split()}
    return found


def _constant(source: bytes, name: str) -> Shown:
    for node in ast.parse(source).body:
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == CONSTANT:
            try:
                return dict(ast.literal_eval(node.value or ast.Constant(None)))
            except (TypeError, ValueError):
                raise Unbuildable(f"{name}: {CONSTANT} is no literal") from None
    return {}


def compact(name: str, content: bytes, shown: Shown) -> bytes | None:
    """A data file as it decides; None for one that only shows."""
    keys: dict[str, object] = {}
    for pattern, more in shown.items():
        if fnmatchcase(name, pattern) and pattern.count("/") == name.count("/"):
            if more is None:
                return None
            keys |= more
    value = _read(name, content)
    for path, blank in keys.items():
        _blank(value, path.split("."), blank)
    if name.endswith(".toml"):
        return "".join(f"{_key(key)}={_inline(each)}\n" for key, each in value.items()).encode()
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _read(name: str, content: bytes) -> Any:
    try:
        return (tomllib if name.endswith(".toml") else json).loads(content.decode())
    except ValueError as error:
        raise Unbuildable(f"{name} cannot be read: {error}") from None


def _blank(value: Any, path: list[str], blank: object) -> None:
    """Put ``blank`` where the path leads, in each table of a list; None: take the key away."""
    if isinstance(value, list):
        for each in value:
            _blank(each, path, blank)
    elif len(path) > 1:
        _blank(value.get(path[0], []), path[1:], blank)
    else:
        value.pop(path[0], None)
        if blank is not None:
            value[path[0]] = blank


def _key(text: str) -> str:
    plain = text.replace("-", "").replace("_", "")
    return text if plain.isalnum() and plain.isascii() else _text(text)


def _inline(value: object) -> str:
    """A value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_key(k)}={_inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_inline, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    raise Unbuildable(f"rules are integers and words, no {type(value).__name__}: {value}")


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
