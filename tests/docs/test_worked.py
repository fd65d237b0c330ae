"""The worked changes of domain/FIRST-HOUR.md are true: each applies, and its tests pass.

A patch that does not apply any more is mended by hand where its neighbours changed; its lines above
``---`` say what it is about, which generated files ``make remake`` rewrites for it and which it
adds, and which tests hold it. A file that is rewritten and does not tell of the change hides bugs:
no change rewrites more than two, and what it adds is its own. What a record holds though the change
did not rewrite it is shown by breaking that.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, text, tracked
from tests.support.remake import STEPS, at_rest

WORKED = "tests/docs/worked/"
PATCHES = sorted(name for name in tracked() if name.startswith(WORKED))
PAGE = "domain/FIRST-HOUR.md"
MOST = 2
"""Generated files that a change rewrites."""


def said(patch: str, field: str) -> str:
    """What a patch says of itself in a line of its head."""
    head = text(patch).partition("\n---\n")[0]
    (found,) = re.findall(rf"^{field}:(.*)$", head, re.MULTILINE)
    return str(found).strip()


def listed(patch: str, field: str) -> list[str]:
    """The files that a patch names in a line of its head."""
    return [name.strip() for name in said(patch, field).split(",") if name.strip()]


def run(tree: Path, *command: str) -> str:
    """Run a command in a tree; what it said. Raises AssertionError when it fails."""
    done = subprocess.run(
        command,
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout[-4000:]}"
    return done.stdout


def changed(patch: str, tree: Path, *steps: str) -> Path:
    """A copy of the tree with a patch applied, and made anew what it reaches, or these steps alone.

    What is generated is as it would be made before the patch: its tests hold it to that. So the
    patch alone is a reason to make something anew, as for who applies it after ``make remake``.
    """
    for name in tracked():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    for top in ("domain", "projections", "service", "tests"):  # what is compiled need not be again
        for compiled in (ROOT / top).rglob("__pycache__"):
            if (tree / compiled.relative_to(ROOT)).parent.is_dir():
                shutil.copytree(compiled, tree / compiled.relative_to(ROOT))
    run(tree, "git", "init", "--quiet")
    at_rest(STEPS, tree)
    run(tree, "git", "apply", "-C1", str(ROOT / patch))
    run(tree, "git", "add", "--all")
    only = [argument for name in steps for argument in ("--only", name)]
    run(tree, sys.executable, "-m", "tests.support.remake", *only)
    return tree


@pytest.mark.slow("worked")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: Path(patch).stem)
def test_a_worked_change_applies_and_its_tests_pass(patch: str, tmp_path: Path) -> None:
    tests = shlex.split(said(patch, "Tests"))
    tree = changed(patch, tmp_path / "tree")
    assert run(tree, "git", "diff", "--name-only").split() == listed(patch, "Rewrites")
    more = run(tree, "git", "ls-files", "--others", "--exclude-standard").split()
    assert more == listed(patch, "Adds")
    told = run(tree, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert re.search(r"\b[1-9]\d* passed", told), told


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: Path(patch).stem)
def test_the_page_names_it_and_it_rewrites_two_generated_files_at_most(patch: str) -> None:
    assert f"](../{patch})" in text(PAGE)
    assert said(patch, "Subject")
    # The document of one ruleset is a part of the document, and says the same.
    parts = {each.replace("rulesets/", "") for each in listed(patch, "Rewrites")}
    files = {"the document" if each.startswith("openapi/") else each for each in parts}
    assert len(files) <= MOST


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: Path(patch).stem)
def test_a_worked_change_applies(patch: str) -> None:
    """Asked always: who changes a line beside it learns it then, and not from the slow tier."""
    run(ROOT, "git", "apply", "-C1", "--check", patch)


CASES = "tests/cases/naval_battles/carrier-rows.jsonl"
STATE = "domain/games/naval_battles/rules/state.py"
DECLARING = "domain/games/naval_battles/rules/declaring.py"
SPOILT = {
    "another default": (
        "frozen", [(STATE, '] = "any"\n    carrier_raid', '] = "behind"\n    carrier_raid')],
        ".carrierRows: its default is another one",
    ),
    "the field is gone": (
        "frozen",
        [
            (STATE, 'carrier_rows: Annotated[Literal["any", "behind"], option("NB-RUL-99")]', "#"),
            (DECLARING, "state.options.carrier_rows", 'str("any")'),
        ],
        ".carrierRows: gone",
    ),
    "another decision": (
        "decisions",
        [(DECLARING, "and carrier.row == 1", "and carrier.row == 2")],
        "NB-C-9998 comes out otherwise",
    ),
    "a case is gone": (
        "decisions",
        [(CASES, '"id":"NB-C-9999"', '"id":"NB-C-9997"')],
        "NB-C-9999 the case is gone",
    ),
}  # fmt: skip
"""How what is kept of the worked option is broken: the command that refuses, what is done, and what
the command says."""


@pytest.mark.slow("worked")
@pytest.mark.timeout(900)
def test_what_is_kept_of_an_option_holds_it(tmp_path: Path) -> None:
    """Its form and its decisions are in no other record, and none takes in what breaks them."""
    kept = "stored forms", "decisions and versions"
    tree = changed(f"{WORKED}option.patch", tmp_path / "tree", *kept)
    run(tree, "git", "add", "--all")
    for what, (command, edits, told) in SPOILT.items():
        for name, old, new in edits:
            found = (tree / name).read_text("utf-8")
            assert old in found, (what, old)
            (tree / name).write_text(found.replace(old, new), "utf-8")
        with pytest.raises(AssertionError, match=re.escape(told)):
            run(tree, sys.executable, "-m", f"tests.support.{command}")
        test = f"tests/every_game/test_{command}.py"
        with pytest.raises(AssertionError, match=re.escape(told)):
            run(tree, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test)
        run(tree, "git", "checkout", "--", ".")


def test_there_are_worked_changes() -> None:
    assert len(PATCHES) > 1
