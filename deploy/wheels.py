"""Builds Decklog: below one name in a wheel, in place where it is worked on.

The build backend of pyproject.toml (PEP 517, in the tree). A wheel is built from a copy of the
tree in which the folders stand below ``decklog`` and import each other by that name; nothing else
in them is written anew. What decides a game imports within its own folder only, so that its files,
and with them the digest of its rules, are the same in a wheel and in the tree.
"""

from __future__ import annotations

import ast
import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setuptools import build_meta

NAME = "decklog"
FOLDERS = ("domain", "projections", "service")
BESIDE = ("pyproject.toml", "README.md", "LICENSE")
SERVED = "openapi"
"""The folder of the document and the guide, which the service serves as they are."""

CLIENT = "clients/typescript/src"
"""Of that folder: modules that the pages are made of, too."""

BESIDE_PAGES = shutil.ignore_patterns("vectors", "check.*")
"""What belongs to the specification and is no page of it."""

LEFT = shutil.ignore_patterns("__pycache__", "*.sqlite*")

INIT = '"""Decklog, installed: the folders of its tree stand below this name."""\n'

REFERENCES = (
    ('"service.cli:', f'"{NAME}.service.cli:'),
    ('"domain.games.', f'"{NAME}.domain.games.'),
    ('include = ["decklog*", "domain*", "service*", "projections*"]', f'include = ["{NAME}*"]'),
)
"""What pyproject.toml says of our modules: the command, our games, and what is packed."""

get_requires_for_build_wheel = build_meta.get_requires_for_build_wheel
get_requires_for_build_sdist = build_meta.get_requires_for_build_sdist
get_requires_for_build_editable = build_meta.get_requires_for_build_editable
build_editable = build_meta.build_editable


def build_wheel(
    wheel_directory: str,
    config_settings: Any = None,
    metadata_directory: str | None = None,
) -> str:
    """A wheel of the tree that one stands in; the name of its file."""
    target = Path(wheel_directory).resolve()
    with tempfile.TemporaryDirectory() as folder:
        stage(Path.cwd(), Path(folder))
        with contextlib.chdir(folder):
            return build_meta.build_wheel(str(target), config_settings)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """All that a wheel is built from; nothing is written into the tree."""
    target = Path(sdist_directory).resolve()
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder)
        for name in (*BESIDE, "MANIFEST.in"):
            shutil.copy(name, into)
        for name in (*FOLDERS, NAME, SERVED):
            shutil.copytree(name, into / name, ignore=LEFT)
        (into / "deploy").mkdir()
        shutil.copy(__file__, into / "deploy")
        with contextlib.chdir(folder):
            return build_meta.build_sdist(str(target), config_settings)


def stage(tree: Path, into: Path) -> None:
    """The tree as it is packed. Raises ValueError for an import that cannot be written anew."""
    for name in BESIDE:
        shutil.copy(tree / name, into / name)
    for name in FOLDERS:
        shutil.copytree(tree / name, into / NAME / name, ignore=LEFT)
    served = into / NAME / SERVED
    for folder in ("guide", "rulesets", "spec"):
        shutil.copytree(tree / SERVED / folder, served / folder, ignore=BESIDE_PAGES)
    shutil.copytree(tree / SERVED / CLIENT, served / CLIENT)
    shutil.copy(tree / SERVED / "openapi.json", served)
    (into / NAME / "__init__.py").write_text(INIT, "utf-8")
    for path in (into / NAME).rglob("*.py"):
        text = path.read_text("utf-8")
        if (fresh := moved(text, str(path.relative_to(into)))) != text:
            path.write_text(fresh, "utf-8")
    project = into / "pyproject.toml"
    told = project.read_text("utf-8")
    for old, new in REFERENCES:
        if old not in told:
            raise ValueError(f"pyproject.toml has no {old}")
        told = told.replace(old, new)
    project.write_text(told, "utf-8")


def moved(text: str, name: str = "") -> str:
    """A module whose imports name our folders below ``decklog``."""
    lines = text.splitlines(keepends=True)
    for number, old, new in _imports(ast.parse(text, name), name):
        line = lines[number - 1]
        if old not in line:
            raise ValueError(f"{name}:{number}: not written as usual: {line.strip()}")
        lines[number - 1] = line.replace(old, new, 1)
    return "".join(lines)


def _imports(tree: ast.Module, name: str) -> Iterator[tuple[int, str, str]]:
    """Line, and what to write there in place of what."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and _ours(node.module or ""):
            yield node.lineno, f"from {node.module} ", f"from {NAME}.{node.module} "
        elif isinstance(node, ast.Import) and any(_ours(each.name) for each in node.names):
            yield node.lineno, *_plain(node, name)


def _plain(node: ast.Import, name: str) -> tuple[str, str]:
    """``import domain`` binds ``domain``; a dotted name without ``as`` would bind another one."""
    (each, *more) = node.names
    if more or ("." in each.name and each.asname is None):
        raise ValueError(f"{name}:{node.lineno}: write one import, with `as`")
    rest = "" if each.asname else f" as {each.name}"
    return f"import {each.name}", f"import {NAME}.{each.name}{rest}"


def _ours(module: str) -> bool:
    return module.partition(".")[0] in FOLDERS
