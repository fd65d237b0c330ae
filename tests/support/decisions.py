"""Every recorded decision, and what it came to: what ``Game.version`` promises is held to it.

tests/frozen/decisions/<game>.json holds, for each recorded game (tests/games/<game>/*.jsonl), a
digest of its orders and throws, and one of the events of each; and for each version of the rules
that there ever was, a digest of all of them. Another answer to the same orders is another version:

    python -m tests.support.decisions

takes in new recordings, and other answers if the version was raised; it refuses other answers of
the same version. A recording whose orders were played anew proves nothing about the old ones, so it
needs a raised version as well: bots play again (``tests.support.recorded --play``) only when rules
changed. What is compared are values: a field that has its default counts as absent, so that a field
more, or another way to write the same, is no other answer.

Several changes that land together may share one new version: ``--anew GAME`` strikes what the
present version came to. It is for a version that nobody has yet, and nothing is released.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from inspect import getsourcefile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.kernel.game import Setup
from domain.kernel.rules import Refused
from tests.support.recorded import Line, files, order, read
from tests.support.suites import TESTS, Suite, suites

CHANGELOG = TESTS.parent / "CHANGELOG.md"


class Recording(msgspec.Struct, frozen=True):
    """A recorded game. ``orders`` is a digest of all that was ordered and thrown.

    answers  of each order in turn, a digest of its events; the first is the opening's
    """

    orders: str
    answers: str


class Decisions(msgspec.Struct, frozen=True):
    """What is kept of a ruleset: its version, of each version a digest, its recordings by name."""

    version: str
    versions: dict[str, str]
    recordings: dict[str, Recording]


class Other(NamedTuple):
    """A decision that came out otherwise. ``line`` is that of its file; ``what`` is the order."""

    recording: str
    line: int
    what: str


def file(suite: Suite) -> Path:
    """Where a game's decisions are kept."""
    return TESTS / "frozen" / "decisions" / f"{suite.folder}.json"


def load(suite: Suite) -> Decisions:
    """What is kept; nothing, of a game that is new."""
    if not file(suite).exists():
        return Decisions("", {}, {})
    return msgspec.json.decode(file(suite).read_bytes(), type=Decisions)


# --- deciding again -------------------------------------------------------------------------------


def decided(suite: Suite) -> dict[str, Recording]:
    """Every recorded decision, decided now."""
    return {path.stem: _recording(suite, read(path)) for path in files(suite)}


def moves(lines: Sequence[Line]) -> list[Line]:
    """The set-up, the orders and the throws of a recorded game, without its digests."""
    return [line for line in lines if {"setup", "seat", "faces"} & line.keys()]


def _recording(suite: Suite, lines: Sequence[Line]) -> Recording:
    told = moves(lines)
    return Recording(_digest(told), " ".join(_answers(suite, told)))


def _answers(suite: Suite, told: Sequence[Line]) -> Iterator[str]:
    """A refused order ends it: what comes after was given in another position."""
    game, state = suite.game, None
    for line in told:
        try:
            events = (
                game.opening(msgspec.convert(line["setup"], Setup))
                if state is None
                else game.decide(state, *order(suite, state, line))
            )
        except (Refused, AssertionError, msgspec.ValidationError) as refused:
            yield _digest([str(refused)])
            return
        yield _digest([[event.NAME, lean(event)] for event in events])
        state = game.fold(events, state)


def lean(value: Any) -> Any:
    """A value as plain JSON without the fields that have their defaults, at any depth."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__
        told = {tag.tag_field: tag.tag} if tag.tag_field else {}
        return told | {
            field.encode_name: lean(getattr(value, field.name))
            for field in msgspec.structs.fields(value)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, dict):
        return {str(key): lean(item) for key, item in value.items()}
    return [lean(item) for item in value] if isinstance(value, list | tuple) else value


def _default(field: Any) -> Any:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


# --- judging --------------------------------------------------------------------------------------


def others(suite: Suite, kept: Decisions, now: dict[str, Recording]) -> Iterator[Other]:
    """What came out otherwise than it is kept, or cannot be asked again: the first of each file."""
    for name, was in kept.recordings.items():
        is_ = now.get(name)
        if is_ is None:
            yield Other(name, 0, "the recording is gone")
        elif is_.orders != was.orders:
            yield Other(name, 0, "it was played anew: what its old orders come to is not known")
        elif is_.answers != was.answers:
            yield _other(suite, name, was.answers.split(), is_.answers.split())


def _other(suite: Suite, name: str, was: list[str], now: list[str]) -> Other:
    place = next(n for n, each in enumerate(was) if now[n : n + 1] != [each])
    lines = read(suite.recorded / f"{name}.jsonl")
    told = moves(lines)[place]
    return Other(name, lines.index(told) + 1, json.dumps(told))


def faults(suite: Suite, kept: Decisions, now: dict[str, Recording]) -> list[str]:
    """What is wrong with the version, in words that say what to do; none if nothing is."""
    found = list(others(suite, kept, now))
    version, told = suite.game.version, "run make remake (python -m tests.support.decisions)"
    if found and version == kept.version:
        return [advice(suite, found)]
    if version != kept.version or now != kept.recordings:
        return [f"{suite.folder}: {told}: it takes in what is new"]
    return []


def advice(suite: Suite, found: Sequence[Other]) -> str:
    """What whoever changed the rules has to do."""
    where = Path(getsourcefile(suite.game.opening) or "").parent / "game.py"
    shown = [f"  {each.recording}.jsonl:{each.line} {each.what}" for each in found[:5]]
    if len(found) > len(shown):
        shown.append(f"  and {len(found) - len(shown)} recordings more")
    return "\n".join((
        f"{suite.game.title} decides otherwise than version {suite.game.version} did:",
        *shown,
        f"If that is meant: raise VERSION in {where.relative_to(TESTS.parent)},",
        f'write a line in CHANGELOG.md: "{line(suite, "N")} what players will notice.",',
        "and run make remake. All that lands together is one version.",
    ))  # fmt: skip


def line(suite: Suite, version: str) -> str:
    """How a line of the changelog about a version begins."""
    return f"- Rules of {suite.game.title}, version {version}:"


def announced(suite: Suite, changelog: str) -> bool:
    """Whether the changelog names the version; the first one needs no line."""
    pattern = re.escape(line(suite, suite.game.version)) + r" \S"
    return suite.game.version == "1" or re.search(pattern, changelog) is not None


# --- the command ----------------------------------------------------------------------------------


def taken(suite: Suite, kept: Decisions, now: dict[str, Recording]) -> Decisions:
    """What is to be kept from now on. Raises ValueError for other answers of the same version."""
    version, found = suite.game.version, list(others(suite, kept, now))
    if found and version in kept.versions:
        raise ValueError(advice(suite, found))
    every = _digest({name: [each.orders, each.answers] for name, each in now.items()})
    return Decisions(version, kept.versions | {version: every}, now)


def struck(suite: Suite, kept: Decisions) -> Decisions:
    """Without what the present version came to."""
    older = {name: each for name, each in kept.versions.items() if name != suite.game.version}
    return Decisions("", older, {})


def keep(suite: Suite, anew: bool) -> None:
    """Write a game's file. Raises ValueError."""
    kept = struck(suite, load(suite)) if anew else load(suite)
    found = taken(suite, kept, decided(suite))
    file(suite).parent.mkdir(exist_ok=True)
    written = msgspec.json.encode(found, order="sorted")
    file(suite).write_bytes(msgspec.json.format(written, indent=1) + b"\n")
    print(f"{suite.folder}: version {found.version}, {len(found.recordings)} recordings")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="tests.support.decisions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--anew", action="append", default=[], metavar="GAME", help="its folder")
    anew = parser.parse_args().anew
    refused = 0
    for suite in suites().values():
        try:
            keep(suite, suite.folder in anew)
        except ValueError as error:
            refused = 1
            print(error, file=sys.stderr)
    return refused


if __name__ == "__main__":
    sys.exit(main())
