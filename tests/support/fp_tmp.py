"""Whether two commits play alike: every answer of every game along the same random games.

    python -m tests.support.fingerprint COMMIT COMMIT    "equal", or the first difference
    python -m tests.support.fingerprint COMMIT           that commit against the tree as it stands

The first commit plays random games of every ruleset, from its own tests' random set-ups, and writes
down what was ordered and thrown: the tape. Then both commits play the tape, each in a worktree of
its own and both with *this* script, and write a digest of every part of every step: events, what
each viewer sees of them, sentences, questions, offers, refusals of stray orders (code, rule, hint,
pointer), usual answers, orders in words, odds, scores. Where two digests differ, both commits are
asked for the part itself.

What is compared is JSON, so a value may move to another module or get another class. A name that
changed on purpose is mapped: ``--renamed old=new`` is for the whole string, in tape and answers.
Where records changed on purpose and nothing else should, ``--states`` compares the states that
they lead to, of the truth and of every viewer, in place of events and sentences; ``--but FIELD``
leaves a field of theirs out, or ``--but FIELD=VALUE`` one value in a list of theirs. ``--recorded``
plays the commit's recorded games in place of random ones.

Of a tree only what ``NEEDED`` names is imported, and what its own ``pyproject.toml`` names as entry
points; the first one's random set-ups are found by their names. With 0 the commits are equal, with
1 they differ, with 2 one of them could not be asked.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

NEEDED = {
    "canonical": ("domain.kernel.codec",),
    "Faces": ("domain.kernel.chance",),
    "Refused": ("domain.kernel.rules",),
    "Setup": ("domain.kernel.setup", "domain.kernel.game"),
}
"""What the script needs of a tree, and in which modules it may be, newest first."""

PENNANT = ("tests.support.pennant",)
"""The small game of the tests: no entry point names it."""

PUBLIC, TRUTH, CHANCE, STRANGER = "public", "truth", "chance", "p9"
SEEDS, STEPS, STRAYS, POOL = 12, 250, 6, 60
Renames = dict[str, str]


# --- in a tree ------------------------------------------------------------------------------------


class Tree(NamedTuple):
    """What is imported of the tree that the process stands in."""

    canonical: Callable[[Any], bytes]
    faces: Callable[..., Any]
    refused: type[Exception]
    setup: type[Any]
    games: dict[str, Any]


def tree() -> Tree:
    """The tree of the working directory. Raises ImportError."""
    needed = {name: _found(name, modules) for name, modules in NEEDED.items()}
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    points = project["entry-points"]["decklog.games"].values()
    listed = [point.partition(":") for point in points]
    games = [getattr(importlib.import_module(module), name) for module, _, name in listed]
    games.append(_found("GAME", PENNANT))
    canonical, faces, refused, setup = needed.values()
    return Tree(canonical, faces, refused, setup, {game.ruleset: game for game in games})


def _found(name: str, modules: Sequence[str]) -> Any:
    for module in modules:
        try:
            return getattr(importlib.import_module(module), name)
        except ModuleNotFoundError:
            continue
    raise ImportError(f"{name} is in none of {', '.join(modules)}")


def _tables() -> Iterator[tuple[str, Callable[[int], Any], Callable[[int], Any]]]:
    """Of each ruleset: its name, the set-up of a seed, the game with random fleets of a seed."""
    for path in sorted(Path("tests").rglob("random_*.py")):
        module = importlib.import_module(".".join(path.with_suffix("").parts))
        if hasattr(module, "setup_of") and hasattr(module, "game_of"):
            yield module.setup_of(0).ruleset, module.setup_of, module.game_of
    setup, game = _found("setup", PENNANT), _found("GAME", PENNANT)
    yield game.ruleset, lambda seed: setup(2 + 5 * seed % 40), lambda seed: game


def record(rulesets: Sequence[str], seeds: int, steps: int) -> Iterator[dict[str, Any]]:
    """The tape: of each game its set-up, and each order or throw, in order."""
    here = tree()
    for ruleset, setup_of, game_of in _tables():
        for seed in range(seeds) if not rulesets or ruleset in rulesets else ():
            moves = list(_moves(here, game_of(seed), setup_of(seed), seed, steps))
            setup = json.loads(here.canonical(setup_of(seed)))
            yield {"ruleset": ruleset, "seed": seed, "setup": setup, "moves": moves}


def _recorded(rulesets: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The tape of the recorded games of the tree."""
    for path in sorted(Path("tests/games").glob("*/*.jsonl")):
        setup, *lines = map(json.loads, path.read_text("utf-8").splitlines())
        moves = [line for line in lines if "faces" in line or "command" in line]
        ruleset = setup["setup"]["ruleset"]
        if not rulesets or ruleset in rulesets:
            yield {"ruleset": ruleset, "seed": path.stem, "setup": setup["setup"], "moves": moves}


def _moves(here: Tree, game: Any, setup: Any, seed: int, steps: int) -> Iterator[dict[str, Any]]:
    dice = random.Random(seed)
    state = game.fold(game.opening(setup))
    for _ in range(steps):
        if game.result(state) is not None:
            return
        awaited = game.awaiting(state)
        if awaited is not None:
            faces = [[1 + dice.randrange(p.sides) for _ in range(p.count)] for p in awaited.pools]
            move: dict[str, Any] = {"faces": faces}
        else:
            move = _choice(here, game, state, dice)
        yield move
        state = game.fold(game.decide(state, *_order(here, game, state, move)), state)


def _choice(here: Tree, game: Any, state: Any, dice: random.Random) -> dict[str, Any]:
    questions = game.pending(state)
    seat = questions[dice.randrange(len(questions))].seat
    options = game.legal(state, seat)
    chosen = options.commands[dice.randrange(len(options.commands))]
    if options.concessions and dice.random() < 0.004:
        chosen = options.concessions[0]
    return {"seat": seat, "command": json.loads(here.canonical(chosen))}


def _order(here: Tree, game: Any, state: Any, move: dict[str, Any]) -> tuple[str, Any]:
    import msgspec

    if "faces" in move:
        awaited = game.awaiting(state)
        label = "" if awaited is None else awaited.label
        return CHANCE, here.faces(label, tuple(map(tuple, move["faces"])))
    union: Any = game.commands[0]
    for kind in game.commands[1:]:
        union |= kind
    return move["seat"], msgspec.convert(move["command"], union)


Part = tuple[int, str, Any]
"""Number of the step, name of the part, its value as JSON."""


def parts(
    here: Tree, game: Any, game_on_tape: dict[str, Any], states: bool, but: Sequence[str]
) -> Iterator[Part]:
    """Every part of every step; with ``states`` those in place of what was recorded and said."""
    for number, name, value in _parts(here, game, game_on_tape):
        if name.startswith("state"):
            if states:
                yield number, name, _without(value, but)
        elif not states or not name.startswith(("events", "sentences")):
            yield number, name, value


def _without(state: dict[str, Any], but: Sequence[str]) -> dict[str, Any]:
    left = dict(state)
    for field, _, value in (each.partition("=") for each in but):
        if value and field in left:
            left[field] = [each for each in left[field] if each != value]
        if not value or not left.get(field):
            left.pop(field, None)
    return left


def _parts(here: Tree, game: Any, game_on_tape: dict[str, Any]) -> Iterator[Part]:
    """Every part of every step of a game on the tape. A refused order ends it, and is told."""
    import msgspec

    setup = msgspec.convert(game_on_tape["setup"], here.setup)
    seats, dice, pool = setup.seats, random.Random(game_on_tape["seed"]), list[Any]()
    state, events = None, game.opening(setup)
    views: dict[str, Any] = dict.fromkeys((*seats, PUBLIC))
    for number, move in enumerate([*game_on_tape["moves"], None]):
        yield from _told(here, game, state, events, number, views)
        state = game.fold(events, state)
        yield number, "state", _plain(here, state)
        yield from _position(here, game, state, number, seats)
        yield number, "refusals", _refusals(here, game, state, seats, _some(dice, pool))
        if move is None:
            return
        try:
            seat, command = _order(here, game, state, move)
            if seat != CHANCE:
                yield number, "in words", _plain(here, game.describe(state, command))
                yield number, "odds", _plain(here, game.odds(state, command))
                _remember(pool, command, dice)
            events = game.decide(state, seat, command)
        except (here.refused, msgspec.ValidationError) as refused:
            yield number + 1, "events", f"{move} is refused: {_told_refusal(refused)}"
            return


def _told(
    here: Tree, game: Any, state: Any, events: Any, number: int, views: dict[str, Any]
) -> Iterator[Part]:
    """``views`` are what each viewer knows; they are carried on."""
    yield number, "events", [[event.NAME, _plain(here, event)] for event in events]
    yield number, "sentences", list(game.sentences(state, events))
    for viewer, before in views.items():
        seen = [game.seen(event, viewer) for event in events]
        yield number, f"events as {viewer} sees them", [_plain(here, event) for event in seen]
        yield number, f"sentences to {viewer}", list(game.sentences(before, seen))
        views[viewer] = game.fold(seen, before)
        yield number, f"state as {viewer} sees it", _plain(here, views[viewer])


def _position(
    here: Tree, game: Any, state: Any, number: int, seats: Sequence[str]
) -> Iterator[Part]:
    questions = game.pending(state)
    yield number, "pending", _plain(here, questions)
    yield number, "awaited", _plain(here, game.awaiting(state))
    for seat in seats:
        yield number, f"offers to {seat}", _plain(here, game.legal(state, seat))
    usual = [_plain(here, game.usual(state, question)) for question in questions]
    yield number, "usual answers", usual
    yield number, "scores", _plain(here, dict(game.scores(state)))
    yield number, "result", _plain(here, game.result(state))


def _refusals(
    here: Tree, game: Any, state: Any, seats: Sequence[str], strays: Sequence[Any]
) -> list[list[Any]]:
    """What each seat and a stranger hear to orders that were right before."""
    found: list[list[Any]] = []
    for command in strays:
        for seat in (*seats, STRANGER):
            try:
                game.decide(state, seat, command)
                heard: Any = "accepted"
            except here.refused as refused:
                heard = _told_refusal(refused)
            found.append([seat, _plain(here, command), heard])
    return found


def _told_refusal(refused: Any) -> Any:
    names = ("code", "rule", "hint", "pointer")
    return (
        {name: getattr(refused, name) for name in names}
        if hasattr(refused, "code")
        else str(refused)
    )


def _some(dice: random.Random, pool: list[Any]) -> list[Any]:
    return dice.sample(pool, min(STRAYS, len(pool)))


def _remember(pool: list[Any], command: Any, dice: random.Random) -> None:
    """The first order of each kind, and now and then another one."""
    if all(type(each) is not type(command) for each in pool) or dice.random() < 0.1:
        pool.append(command)
    if len(pool) > POOL:
        pool.pop(dice.randrange(len(pool)))


def _joined(one: Any) -> Any:
    if isinstance(one, dict):
        if one.keys() == {"phase", "part"}:
            return one["phase"] + (f".{one['part']}" if one["part"] else "")
        return {name: _joined(each) for name, each in one.items()}
    return [*map(_joined, one)] if isinstance(one, list) else one


def _plain(here: Tree, value: Any) -> Any:
    return _joined(json.loads(here.canonical(value)))


def _line(part: Part, renames: Renames) -> str:
    number, name, value = part
    return f"{number}\t{name}\t{renamed(json.dumps(value, sort_keys=True), renames)}"


def renamed(text: str, renames: Renames) -> str:
    """JSON with whole strings exchanged: values, and names of fields."""
    if not renames:
        return text
    pattern = "|".join(re.escape(json.dumps(old)) for old in renames)
    return re.sub(pattern, lambda hit: json.dumps(renames[json.loads(hit[0])]), text)


class Asked(NamedTuple):
    """How a tree is to answer: names that changed, in answers and on the tape, and of what."""

    renames: Renames
    tape_renames: Renames
    states: bool = False
    but: Sequence[str] = ()


def digests(tape: Path, how: Asked) -> Iterator[str]:
    """A line for each part of each step: ruleset, seed, step, part, digest."""
    here, renames = tree(), how.renames
    for game_on_tape in _read(tape, how.tape_renames):
        ruleset, seed = game_on_tape["ruleset"], game_on_tape["seed"]
        for part in parts(here, here.games[ruleset], game_on_tape, how.states, how.but):
            text = _line(part, renames)
            digest = hashlib.sha256(text.encode()).hexdigest()[:16]
            yield f"{ruleset}\t{seed}\t{part[0]}\t{part[1]}\t{digest}"


def value(tape: Path, how: Asked, at: str) -> str:
    """One part in full: ``at`` is a line of ``digests`` without its digest."""
    here = tree()
    ruleset, seed, number, name = at.split("\t")
    for game_on_tape in _read(tape, how.tape_renames):
        if (game_on_tape["ruleset"], str(game_on_tape["seed"])) == (ruleset, seed):
            for part in parts(here, here.games[ruleset], game_on_tape, how.states, how.but):
                if (str(part[0]), part[1]) == (number, name):
                    return _line(part, how.renames).rpartition("\t")[2]
    return "null"


def _read(tape: Path, renames: Renames) -> Iterator[dict[str, Any]]:
    with tape.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(renamed(line, renames))


# --- from outside ---------------------------------------------------------------------------------


class Failed(Exception):
    """A tree could not be asked."""


def ask(root: Path, *arguments: str) -> str:
    """What this script says in the tree at ``root``. Raises Failed."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-P", str(Path(__file__).resolve()), *arguments]
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"{root}: {done.stderr[-2000:]}")
    return done.stdout


@contextmanager
def checked_out(commit: str, root: Path) -> Iterator[Path]:
    """A worktree of ``commit``, gone at the end; the tree itself for "". Raises Failed."""
    if not commit:
        yield root
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tree"
        _git(root, "worktree", "add", "--detach", "--quiet", str(place), commit)
        try:
            yield place
        finally:
            _git(root, "worktree", "remove", "--force", str(place))


def _git(root: Path, *arguments: str) -> None:
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stderr.strip())


class Wish(NamedTuple):
    """What is to be compared: rulesets (none: all), so many games each, so many steps of each."""

    rulesets: tuple[str, ...] = ()
    seeds: int = SEEDS
    steps: int = STEPS
    renames: tuple[str, ...] = ()
    recorded: bool = False
    states: bool = False
    but: tuple[str, ...] = ()

    @property
    def of_what(self) -> list[str]:
        """What a tree is told of it, besides names."""
        return [*(["--states"] if self.states else []), *(f"--but={each}" for each in self.but)]


def compare(one: Path, other: Path, wish: Wish) -> str:
    """ "" where two trees play alike, else the first difference in words. Raises Failed."""
    with tempfile.TemporaryDirectory() as folder:
        tape = Path(folder) / "tape.jsonl"
        rulesets = [f"--ruleset={name}" for name in wish.rulesets]
        how = [f"--seeds={wish.seeds}", f"--steps={wish.steps}", *rulesets]
        how += ["--recorded"] if wish.recorded else []
        tape.write_text(ask(one, "--record", *how), "utf-8")
        mapped = [f"--renamed={each}" for each in wish.renames]
        asked = [(one, mapped), (other, [f"--tape-{each[2:]}" for each in mapped])]
        asked = [(root, [*more, *wish.of_what]) for root, more in asked]
        first, second = (ask(root, f"--digests={tape}", *more).splitlines() for root, more in asked)
        if not first:
            raise Failed("the first tree plays nothing")
        at = _first_difference(first, second)
        if not at:
            return ""
        values = [ask(root, f"--value={tape}", f"--at={at}", *more) for root, more in asked]
        return _shown(at, *values)


def _first_difference(first: list[str], second: list[str]) -> str:
    """Where it is: the line without its digest, or "" for none."""
    for line, twin in zip(first, second, strict=False):
        if line != twin:
            return line.rpartition("\t")[0]
    if len(first) == len(second):
        return ""
    return max(first, second, key=len)[min(len(first), len(second))].rpartition("\t")[0]


def _shown(at: str, one: str, other: str) -> str:
    ruleset, seed, step, part = at.split("\t")
    return "\n".join((
        f"{ruleset}, game {seed}, step {step}: {part}",
        *_apart(json.loads(one), json.loads(other), ""),
    ))  # fmt: skip


def _apart(one: Any, other: Any, at: str) -> Iterator[str]:
    """Where in a value it differs first, and both values there."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        name = next(name for name in one if one[name] != other[name])
        yield from _apart(one[name], other[name], f"{at}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        place = next(n for n in range(len(one)) if one[n] != other[n])
        yield from _apart(one[place], other[place], f"{at}/{place}")
    else:
        yield f"at {at or '/'}"
        yield f"one    {json.dumps(one, ensure_ascii=False)}"
        yield f"other  {json.dumps(other, ensure_ascii=False)}"


def _pairs(texts: Sequence[str]) -> Renames:
    return dict(text.split("=", 1) for text in texts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tests.support.fingerprint",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("commit", nargs="*", help="one or two; one: against the tree as it stands")
    parser.add_argument("--ruleset", action="append", default=[], help="only this one; repeatable")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="games of each ruleset")
    parser.add_argument("--steps", type=int, default=STEPS, help="steps of each game at most")
    parser.add_argument("--renamed", action="append", default=[], metavar="OLD=NEW")
    parser.add_argument("--recorded", action="store_true", help="play the recorded games")
    parser.add_argument("--states", action="store_true", help="compare states, not events")
    parser.add_argument("--but", action="append", default=[], metavar="FIELD", help="of a state")
    for name in ("record", "digests", "value", "at"):  # asked of a tree by this script itself
        kind: Any = {"action": "store_true"} if name == "record" else {"default": ""}
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS, **kind)
    parser.add_argument("--tape-renamed", action="append", default=[], help=argparse.SUPPRESS)
    return parser


def _inside(options: argparse.Namespace) -> Iterator[str]:
    """What a tree is asked for."""
    how = Asked(_pairs(options.renamed), _pairs(options.tape_renamed), options.states, options.but)
    if options.record and options.recorded:
        yield from map(json.dumps, _recorded(options.ruleset))
    elif options.record:
        yield from map(json.dumps, record(options.ruleset, options.seeds, options.steps))
    elif options.digests:
        yield from digests(Path(options.digests), how)
    else:
        yield value(Path(options.value), how, options.at)


def main() -> int:
    """The command line."""
    options = _parser().parse_args()
    if options.record or options.digests or options.value:
        sys.path.insert(0, str(Path.cwd()))
        sys.stdout.writelines(f"{line}\n" for line in _inside(options))
        return 0
    if len(options.commit) not in (1, 2):
        _parser().error("one commit, or two")
    root = Path(__file__).resolve().parents[2]
    one, other = [*options.commit, ""][:2]
    wish = Wish(
        tuple(options.ruleset),
        options.seeds,
        options.steps,
        tuple(options.renamed),
        options.recorded,
        options.states,
        tuple(options.but),
    )
    try:
        with checked_out(one, root) as first, checked_out(other, root) as second:
            found = compare(first, second, wish)
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 2
    print(found or "equal")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
