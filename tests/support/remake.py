"""All that is generated from the code and compared by a test, made anew in the right order.

``make remake`` (``python -m tests.support.remake``) runs what has a new reason to be run, and says
of each what moved, in which files and by how many lines, and which test compares it. A step whose
files are as they were when it last ended is not run again, so it is quick when nothing moved:
``build/remake.json`` remembers by digests. ``--list`` shows the steps, ``--only NAME`` runs one of
them whatever is remembered.

What moves is to be read before it is committed: a file that moved without a reason is a bug found.
What only saves time is not here: which rules died when they were broken, which slow tiers passed.
``make slow`` keeps that, and a test finds it out anew where it is older.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
MEMORY = "build/remake.json"
RULES = ("domain", "service/bots", "tests", "pyproject.toml")
SERVED = ("domain", "service", "projections", "openapi", "pyproject.toml")


class Step(NamedTuple):
    """Something that is generated.

    command  arguments of Python
    makes    what it writes, as patterns of files
    reads    files and folders that decide what it writes
    test     compares it
    """

    name: str
    command: tuple[str, ...]
    makes: tuple[str, ...]
    reads: tuple[str, ...]
    test: str


STEPS = (
    Step(
        "stored forms",
        ("-m", "tests.support.frozen"),
        ("tests/frozen/*.json", "tests/frozen/options/*/*.json"),
        RULES,
        "tests/every_game/test_frozen.py",
    ),
    Step(
        "frozen rows of Pennant's events",
        ("-m", "tests.service.store.freeze", "--events"),
        ("tests/service/store/forms-*.jsonl",),
        ("domain/examples", "domain/kernel", "tests/service/store/freeze.py"),
        "tests/service/store/test_forms.py",
    ),
    Step(
        "tables of options",
        ("-m", "tests.support.option_tables"),
        ("domain/games/*/RULINGS.md",),
        RULES,
        "tests/rules/test_rulings.py",
    ),
    Step(
        "recorded games",
        ("-m", "tests.support.recorded"),
        ("tests/games/*/*.jsonl",),
        RULES,
        "tests/every_game/test_recorded.py",
    ),
    Step(
        "samples of archives",
        ("-m", "tests.support.samples"),
        ("domain/games/*/rules/sample.jsonl", "domain/examples/*/rules/sample.jsonl"),
        (*RULES, "service/engines"),
        "tests/service/engines/test_sample.py",
    ),
    Step(
        "histories",
        ("-m", "tests.support.history"),
        ("tests/games/*/history/*.jsonl",),
        RULES,
        "tests/every_game/test_history.py",
    ),
    Step(
        "decisions and versions",
        ("-m", "tests.support.decisions"),
        ("tests/frozen/decisions/*.json", "tests/frozen/options/*/*.json"),
        RULES,
        "tests/every_game/test_decisions.py",
    ),
    Step(
        "what events change",
        ("-m", "tests.support.touched"),
        ("tests/frozen/touched/*.json",),
        RULES,
        "tests/every_game/test_touched.py",
    ),
    Step(
        "projections and versions",
        ("-m", "tests.support.followed"),
        ("tests/frozen/projections.json",),
        (*RULES, "projections"),
        "tests/projections/test_versions.py",
    ),
    Step(
        "counts of options",
        ("-m", "tests.support.perft", "--write"),
        ("tests/perft/*.jsonl",),
        RULES,
        "tests/every_game/test_perft.py",
    ),
    Step(
        "impact of the rules",
        ("-m", "tests.support.impact"),
        ("CHANGELOG.md",),
        (*RULES, "service/engines", "service/evidence", "service/impact"),
        "tests/service/impact/test_corpus.py",
    ),
    Step(
        "document and examples",
        ("-m", "service.openapi", "--write"),
        ("openapi/openapi.json", "openapi/rulesets/*.json"),
        SERVED,
        "tests/service/openapi/test_document.py",
    ),
    Step(
        "vectors of the specification",
        ("-m", "tests.spec.vectors", "--write"),
        ("openapi/spec/vectors/*.json",),
        ("service/dice", "service/evidence", "service/log", "tests/service/log"),
        "tests/spec/test_checkers.py",
    ),
    Step(
        "alerts of the operator",
        ("-m", "tests.support.prometheus_rule"),
        ("deploy/kubernetes/alerts.yaml",),
        ("deploy/prometheus/alerts.yaml", "tests/support/prometheus_rule.py"),
        "tests/deploy/test_kustomize.py",
    ),
    Step(
        "page of settings",
        ("-m", "tests.support.settings_page"),
        ("deploy/SETTINGS.md",),
        ("service/settings.py", "tests/support/settings_page.py"),
        "tests/deploy/test_settings_page.py",
    ),
    Step(
        "README",
        ("-m", "tests.docs.readme"),
        ("README.md",),
        (*SERVED, "README.md", "tests/docs", "tests/support", "tests/games"),
        "tests/docs/test_readme.py",
    ),
    Step(
        "guide",
        ("-m", "tests.docs.guide"),
        ("openapi/guide/*.md",),
        (*SERVED, "tests/docs", "tests/support"),
        "tests/docs/test_guide.py",
    ),
)
"""In the order in which one may change what the next reads."""


class Moved(NamedTuple):
    """A file that a step wrote otherwise."""

    file: str
    more: str
    less: str

    def __str__(self) -> str:
        return f"    {self.file}: +{self.more} -{self.less} lines"


def made(step: Step, root: Path) -> list[Path]:
    """The files that a step writes, those that are there."""
    return sorted(path for pattern in step.makes for path in root.glob(pattern))


def key(step: Step, root: Path) -> str:
    """A digest of all that a step reads and has written."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard", "--", *step.reads, *step.makes],
        cwd=root,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    digest = hashlib.sha256(repr(step).encode())
    for name in sorted({*listed.split("\0")} - {""}):
        if (root / name).is_file():
            content = hashlib.sha256((root / name).read_bytes()).hexdigest()
            digest.update(f"{name} {content}\n".encode())
    return digest.hexdigest()


def run(step: Step, root: Path) -> tuple[int, str, list[Moved]]:
    """Run a step: its exit code, what it said, and what moved."""
    with tempfile.TemporaryDirectory() as place:
        before = Path(place)
        for path in made(step, root):
            kept = before / path.relative_to(root)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, kept)
        done = subprocess.run(
            [sys.executable, *step.command],
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        files = {
            *(path.relative_to(root) for path in made(step, root)),
            *(path.relative_to(before) for path in before.rglob("*") if path.is_file()),
        }
        changes = [_moved(before, root, str(name)) for name in sorted(files)]
    return done.returncode, done.stdout, [each for each in changes if each is not None]


def _moved(before: Path, after: Path, name: str) -> Moved | None:
    old, new = (
        path if path.is_file() else Path("/dev/null") for path in (before / name, after / name)
    )
    if old.read_bytes() == new.read_bytes():
        return None
    command = ["git", "diff", "--no-index", "--numstat", str(old), str(new)]
    said = subprocess.run(command, capture_output=True, check=False, text=True).stdout
    return Moved(name, *said.split()[:2])


def remake(steps: Iterable[Step], root: Path, anew: bool = False) -> int:
    """Run what has a new reason; 1 as soon as a step cannot be done. ``anew`` forgets reasons."""
    memory = root / MEMORY
    known: dict[str, str] = json.loads(memory.read_text("utf-8")) if memory.is_file() else {}
    for step in steps:
        if not anew and known.get(step.name) == key(step, root):
            print(f"{step.name}: nothing moved (all it reads is as it was)")
            continue
        code, said, moved = run(step, root)
        print(_told(step, code, said, moved), flush=True)
        if code:
            return 1
        known[step.name] = key(step, root)
        memory.parent.mkdir(exist_ok=True)
        memory.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    return 0


def _told(step: Step, code: int, said: str, moved: Sequence[Moved]) -> str:
    """What there is to know about a step that was run."""
    command = f"python {' '.join(step.command)}"
    if code:
        return f"{said.rstrip()}\n{step.name}: stopped, nothing after it was made ({command})"
    if not moved:
        return f"{step.name}: nothing moved"
    files = f"{len(moved)} file{'s' if len(moved) > 1 else ''} moved"
    rows = "\n".join(map(str, moved))
    return f"{step.name}: {files}; made by {command}, compared by {step.test}\n{rows}"


def main() -> int:
    """The command line."""
    names = [step.name for step in STEPS]
    parser = argparse.ArgumentParser(
        prog="make remake",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--list", action="store_true", help="show the steps, run nothing")
    parser.add_argument("--only", action="append", choices=names, help="this step, in any case")
    asked = parser.parse_args()
    if asked.list:
        for step in STEPS:
            print(f"{step.name}: {', '.join(step.makes)}")
            print(f"    python {' '.join(step.command)}; compared by {step.test}")
        return 0
    wanted = [step for step in STEPS if asked.only is None or step.name in asked.only]
    return remake(wanted, ROOT, anew=asked.only is not None)


if __name__ == "__main__":
    sys.exit(main())
