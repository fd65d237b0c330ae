"""All that is generated from the code and compared by a test, made anew in the right order.

``make remake`` (``python -m tests.support.remake``) runs what has a new reason to be run, and says
of each what moved, in which files and by how many lines, and which test compares it. A step whose
files are as they were when it last ended is not run again, so it is quick when nothing moved:
``build/remake.json`` remembers by digests, of what is a game's own for each game. ``--list`` shows
the steps, ``--only NAME`` runs one of them whatever is remembered.

A step that opens a file which its ``reads`` do not name is an error: it would not be run when that
file changes. What other processes open that it starts is not seen: the tours, which start a server,
name all that is served.

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
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
MEMORY = "build/remake.json"
WATCH = "tests.support.opened"
GAMES = ("crimson_tide", "naval_battles", "war_at_sea")
PENNANT = "pennant"
DOMAIN = ("domain/*.py", "domain/kernel", "domain/games/*.py", "pyproject.toml")
"""What all games have in common."""
GAME = (
    *DOMAIN, "domain/games/{game}", "service/__init__.py", "service/bots", "tests/support",
    "tests/{game}", "tests/cases/{game}", "tests/games/{game}",
)  # fmt: skip
"""What decides and shows one game, and plays it."""
SERVED = (*DOMAIN, "domain/games", "service", "projections", "openapi")
EXAMPLE = ("domain/examples", *SERVED, "tests/support", "tests/*.py")
READING = ("follow", "moments", "records", "reports", "stream", "timeline", "trail", "views")
DECIDED_AGAIN = (
    "service/*.py", "service/*.toml", "service/dice", "service/engines", "service/evidence",
    "service/impact", "tests/evidence", "projections/__init__.py",
    *(f"projections/{name}.py" for name in READING),
)  # fmt: skip
"""What compares the engine that is kept with today's."""
STORED = (
    "tests/service/store",
    "tests/service/desk",
    "tests/service/engines",
    "tests/service/*.py",
)
STORING = ("tests/service/desk/test_*.py",)
"""Tests that lend what they play with to those who make events."""
CHANGELOG = "CHANGELOG.md"
BEGIN = "<!-- impact of the rules: python -m tests.support.impact -->"
END = "<!-- end of the impact -->"
MARKS = {CHANGELOG: (BEGIN, END)}
"""Of a file that is written by hand but for a part: the marks round what a step writes."""


class Step(NamedTuple):
    """Something that is generated. ``{game}`` in a pattern stands for each of its games.

    command  arguments of Python
    makes    what it writes, as patterns of files
    reads    files and folders that decide what it writes, of a folder not the tests in it
    test     compares it
    games    folders of games that it can go through one by one (``--game``); none: all at once
    """

    name: str
    command: tuple[str, ...]
    makes: tuple[str, ...]
    reads: tuple[str, ...]
    test: str
    games: tuple[str, ...] = ()


STEPS = (
    Step(
        "stored forms",
        ("-m", "tests.support.frozen"),
        ("tests/frozen/{game}.json", "tests/frozen/options/{game}/*.json"),
        GAME,
        "tests/every_game/test_frozen.py",
        GAMES,
    ),
    Step(
        "frozen rows of Pennant's events",
        ("-m", "tests.service.store.freeze", "--events"),
        ("tests/service/store/forms-*.jsonl",),
        (*EXAMPLE, *STORED, *STORING),
        "tests/service/store/test_forms.py",
    ),
    Step(
        "tables of options",
        ("-m", "tests.support.option_tables"),
        ("domain/games/*/RULINGS.md",),
        (*DOMAIN, "domain/games", "tests/support", "tests/*.py"),
        "tests/rules/test_rulings.py",
    ),
    Step(
        "recorded games",
        ("-m", "tests.support.recorded"),
        ("tests/games/{game}/*.jsonl",),
        GAME,
        "tests/every_game/test_recorded.py",
        GAMES,
    ),
    Step(
        "samples of archives",
        ("-m", "tests.support.samples"),
        ("domain/games/{game}/rules/sample.jsonl", "domain/examples/{game}/rules/sample.jsonl"),
        (*GAME, "domain/examples/{game}", "domain/examples/*.py", "service/engines"),
        "tests/service/engines/test_sample.py",
        (*GAMES, PENNANT),
    ),
    Step(
        "histories",
        ("-m", "tests.support.history"),
        ("tests/games/{game}/history/*.jsonl",),
        GAME,
        "tests/every_game/test_history.py",
        GAMES,
    ),
    Step(
        "decisions and versions",
        ("-m", "tests.support.decisions"),
        ("tests/frozen/decisions/{game}.json", "tests/frozen/options/{game}/*.json"),
        GAME,
        "tests/every_game/test_decisions.py",
        GAMES,
    ),
    Step(
        "what events change",
        ("-m", "tests.support.touched"),
        ("tests/frozen/touched/{game}.json",),
        GAME,
        "tests/every_game/test_touched.py",
        GAMES,
    ),
    Step(
        "projections and versions",
        ("-m", "tests.support.followed"),
        ("tests/frozen/projections.json",),
        (*EXAMPLE, *STORED, *STORING, "tests/games/first-battle.decklog"),
        "tests/projections/test_versions.py",
    ),
    Step(
        "counts of options",
        ("-m", "tests.support.perft", "--write"),
        ("tests/perft/{game}.jsonl",),
        GAME,
        "tests/every_game/test_perft.py",
        GAMES,
    ),
    Step(
        "impact of the rules",
        ("-m", "tests.support.impact"),
        (CHANGELOG,),
        (*GAME, *DECIDED_AGAIN),
        "tests/service/impact/test_corpus.py",
        GAMES,
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
        (
            "domain/*.py",
            "domain/kernel",
            "projections",
            "service/*.py",
            "service/dice",
            "service/evidence",
            "service/log",
            "tests/service/log",
            "tests/service/*.py",
            "tests/spec",
            "tests/data",
            "tests/support",
        ),
        "tests/spec/test_checkers.py",
    ),
    Step(
        "alerts of the operator",
        ("-m", "tests.support.prometheus_rule"),
        ("deploy/kubernetes/alerts.yaml",),
        ("deploy/prometheus/alerts.yaml", "tests/support", "tests/*.py"),
        "tests/deploy/test_kustomize.py",
    ),
    Step(
        "page of settings",
        ("-m", "tests.support.settings_page"),
        ("deploy/SETTINGS.md",),
        (*DOMAIN, "service", "projections", "tests/support", "tests/*.py"),
        "tests/deploy/test_settings_page.py",
    ),
    Step(
        "README",
        ("-m", "tests.docs.readme"),
        ("README.md",),
        (*SERVED, "README.md", "tests/docs", "tests/support", "tests/*.py", "tests/games"),
        "tests/docs/test_readme.py",
    ),
    Step(
        "guide",
        ("-m", "tests.docs.guide"),
        ("openapi/guide/*.md",),
        (*SERVED, "tests/docs", "tests/support", "tests/*.py"),
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


def parts(step: Step) -> tuple[str, ...]:
    """The games that a step goes through; of one that does all at once "" alone."""
    return step.games or ("",)


def named(patterns: Iterable[str], game: str) -> list[str]:
    """Patterns for one game."""
    return [each.replace("{game}", game) for each in patterns]


def made(step: Step, root: Path) -> list[Path]:
    """The files that a step writes, those that are there."""
    patterns = {each for game in parts(step) for each in named(step.makes, game)}
    return sorted({path for pattern in patterns for path in root.glob(pattern)})


def key(step: Step, root: Path, game: str = "") -> str:
    """A digest of all that a step reads and has written, for one of its games."""
    digest = hashlib.sha256(repr(step).encode())
    for name in kept(root, *named(step.reads, game), *named(step.makes, game)):
        if own(step, game, name):
            digest.update(f"{name} {_content(root, name)}\n".encode())
    return digest.hexdigest()


def own(step: Step, game: str, name: str) -> bool:
    """Whether a step reads or writes a file, for one of its games."""
    reads = named(step.reads, game)
    read = among(name, reads) and not aside(name, reads)
    return read or among(name, named(step.makes, game))


def kept(root: Path, *patterns: str) -> list[str]:
    """The files that git keeps, or would if they were added."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard", "--", *patterns],
        cwd=root,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    names = sorted({*listed.split("\0")} - {""})
    return [name for name in names if (root / name).is_file()]


def among(name: str, patterns: Iterable[str]) -> bool:
    """Whether a file is one of these files, or lies in one of these folders.

    ``*`` is a part of a name and goes over no folder.
    """
    depth = name.count("/")
    return any(
        name.startswith(f"{each}/") or (depth == each.count("/") and fnmatch(name, each))
        for each in patterns
    )


def aside(name: str, reads: Iterable[str]) -> bool:
    """Whether a file is a test, which no step reads that does not name tests."""
    test = fnmatch(Path(name).name, "test_*.py")
    return test and not among(name, [each for each in reads if "test_" in each])


def _content(root: Path, name: str) -> str:
    """A digest of a file, or of the part of it that is not written by hand."""
    path = root / name
    if name in MARKS:
        begin, end = MARKS[name]
        written = path.read_text("utf-8").partition(begin)[2].partition(end)[0]
        return hashlib.sha256(written.encode()).hexdigest()
    stat = path.stat()
    return _digest(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(None)
def _digest(path: Path, moment: int, size: int) -> str:
    """Many steps read the same files: each is read once as long as it is what it was."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Run(NamedTuple):
    """What came of a step: its exit code, what it said, what moved, and what it opened unnamed."""

    code: int
    said: str
    moved: list[Moved]
    unnamed: list[str]


def run(step: Step, root: Path, games: Sequence[str] = ()) -> Run:
    """Run a step, or its part for some games."""
    with tempfile.TemporaryDirectory() as place:
        before, list_ = Path(place) / "before", Path(place) / "opened"
        for path in made(step, root):
            kept_ = before / path.relative_to(root)
            kept_.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, kept_)
        done = subprocess.run(
            [sys.executable, *_watched(step.command, list_), *_only(games)],
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        opened = list_.read_text("utf-8").splitlines() if list_.is_file() else []
        files = {
            *(path.relative_to(root) for path in made(step, root)),
            *(path.relative_to(before) for path in before.rglob("*") if path.is_file()),
        }
        changes = [_moved(before, root, str(name)) for name in sorted(files)]
    moved = [each for each in changes if each is not None]
    return Run(done.returncode, done.stdout, moved, unnamed(step, root, opened, games))


def _watched(command: Sequence[str], list_: Path) -> list[str]:
    """The command of a module, so that it lists what it opens; any other as it is."""
    option, *more = command
    return [option, WATCH, str(list_), *more] if option == "-m" else [*command]


def _only(games: Iterable[str]) -> list[str]:
    return [argument for game in games for argument in ("--game", game)]


def unnamed(step: Step, root: Path, opened: Iterable[str], games: Sequence[str]) -> list[str]:
    """The files that a step opened and does not name as read or made: those that git keeps."""
    told = games or parts(step)
    rest = {name for name in opened if not any(own(step, game, name) for game in told)}
    return sorted(rest & {*kept(root)}) if rest else []


def _moved(before: Path, after: Path, name: str) -> Moved | None:
    old, new = (
        path if path.is_file() else Path("/dev/null") for path in (before / name, after / name)
    )
    if old.read_bytes() == new.read_bytes():
        return None
    command = ["git", "diff", "--no-index", "--numstat", str(old), str(new)]
    said = subprocess.run(command, capture_output=True, check=False, text=True).stdout
    return Moved(name, *said.split()[:2])


Known = dict[str, dict[str, str]]
"""By step and game the digest at which it ended."""


def known(root: Path) -> Known:
    """What is remembered in a tree; of a form that is no more, nothing."""
    memory = root / MEMORY
    found = json.loads(memory.read_text("utf-8")) if memory.is_file() else {}
    return {name: each for name, each in found.items() if isinstance(each, dict)}


def keys(step: Step, root: Path) -> dict[str, str]:
    """The digest of each part of a step."""
    return {game: key(step, root, game) for game in parts(step)}


def remember(found: Known, root: Path) -> None:
    """Write what is remembered."""
    memory = root / MEMORY
    memory.parent.mkdir(exist_ok=True)
    memory.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def at_rest(steps: Iterable[Step], root: Path) -> None:
    """Remember that all is as it would be made: of a tree whose tests compare it."""
    remember({step.name: keys(step, root) for step in steps}, root)


def stale(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The games for which a step has a new reason to be run."""
    return [game for game, digest in now.items() if was.get(game) != digest]


def remake(steps: Iterable[Step], root: Path, anew: bool = False) -> int:
    """Run what has a new reason; 1 as soon as a step cannot be done. ``anew`` forgets reasons."""
    found = known(root)
    for step in steps:
        was = {} if anew else found.get(step.name, {})
        games = stale(was, keys(step, root))
        if not games:
            print(f"{step.name}: nothing moved (all it reads is as it was)")
            continue
        done = run(step, root, games if step.games else ())
        print(_told(step, done), flush=True)
        if done.code or done.unnamed:
            return 1
        found[step.name] = keys(step, root)
        remember(found, root)
    return 0


def _told(step: Step, done: Run) -> str:
    """What there is to know about a step that was run."""
    command = f"python {' '.join(step.command)}"
    if done.code:
        return f"{done.said.rstrip()}\n{step.name}: stopped, nothing after it was made ({command})"
    if done.unnamed:
        return (
            f"{step.name}: stopped: it opens what its reads (tests/support/remake.py) do not name, "
            f"and would not run when that changes: {', '.join(done.unnamed)}"
        )
    if not done.moved:
        return f"{step.name}: nothing moved"
    files = f"{len(done.moved)} file{'s' if len(done.moved) > 1 else ''} moved"
    rows = "\n".join(map(str, done.moved))
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
