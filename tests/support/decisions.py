"""Every recorded decision, and what it came to: what ``Game.version`` promises is held to it.

tests/frozen/decisions/<game>.json holds, for each recorded game (tests/games/<game>/*.jsonl), a
digest of its orders and throws, and one of the events of each; for each numbered case
(tests/cases/<game>) a digest of its set-up and script, and one of what they came to, so that what
no recorded game comes to is held as well; and for each version of the rules that there was before,
a digest of all of them. A case about an option is kept with that option
(:mod:`tests.support.option_records`). Another answer to the same orders is another version:

    python -m tests.support.decisions

takes in new recordings and cases, and other answers if the version was raised; it refuses other
answers of the same version. A recording whose orders were played anew, and a case with another
script, prove nothing about the old ones, so they need a raised version as well: bots play again
(``tests.support.recorded --play``) only when rules changed. What is compared are values: a field
that has its default counts as absent, so that a field more, or another way to write the same, is no
other answer.

Several changes that land together may share one new version: ``--anew GAME`` strikes what the
present version came to. It is for a version that nobody has yet, and nothing is released.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from inspect import getsourcefile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from tests.support import cases, frozen, option_records
from tests.support.recorded import Line, files, order, read
from tests.support.suites import TESTS, Suite, chosen, with_games

CHANGELOG = TESTS.parent / "CHANGELOG.md"


class Recording(msgspec.Struct, frozen=True):
    """A recorded game. ``orders`` is a digest of all that was ordered and thrown.

    answers  of each order in turn, a digest of its events; the first is the opening's
    """

    orders: str
    answers: str


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What a ruleset decides.

    recordings  by name
    cases       by number: a digest of what is asked, and one of what it comes to
    """

    recordings: dict[str, Recording]
    cases: dict[str, str] = {}


class Decisions(Answers, frozen=True, kw_only=True):
    """What is kept of a ruleset: its version, of each earlier one a digest, and its answers."""

    version: str = ""
    versions: dict[str, str] = {}


class Other(NamedTuple):
    """A decision that came out otherwise. ``place``: file and line, or number; ``what``: asked."""

    place: str
    what: str


def file(suite: Suite) -> Path:
    """Where a game's decisions are kept."""
    return TESTS / "frozen" / "decisions" / f"{suite.folder}.json"


def load(suite: Suite) -> Decisions:
    """What is kept; nothing, of a game that is new."""
    if not file(suite).exists():
        return Decisions(recordings={})
    kept = msgspec.json.decode(file(suite).read_bytes(), type=Decisions)
    records = option_records.load(frozen.options_folder(suite))
    cases = {name: each for record in records.values() for name, each in record.cases.items()}
    return msgspec.structs.replace(kept, cases=kept.cases | cases)


def store(suite: Suite, found: Decisions) -> None:
    """Keep it: the cases about an option with that option."""
    apart: dict[str, dict[str, str]] = {}
    for case in cases.load(suite.folder):
        if option := option_records.option_of(suite.game, case):
            apart.setdefault(option, {})[case["id"]] = found.cases[case["id"]]
    others = found.cases.keys() - {name for each in apart.values() for name in each}
    here = msgspec.structs.replace(found, cases={name: found.cases[name] for name in others})
    file(suite).parent.mkdir(exist_ok=True)
    written = msgspec.json.encode(here, order="sorted")
    file(suite).write_bytes(msgspec.json.format(written, indent=1) + b"\n")
    option_records.with_cases(frozen.options_folder(suite), apart)


# --- deciding again -------------------------------------------------------------------------------


def decided(suite: Suite) -> Answers:
    """Every recorded decision and every numbered case, decided now."""
    return Answers(
        recordings={path.stem: _recording(suite, read(path)) for path in files(suite)},
        cases={case["id"]: _case(suite, case) for case in cases.load(suite.folder)},
    )


def _case(suite: Suite, case: Mapping[str, Any]) -> str:
    """What a case asks, and what comes of it: not its title, nor what it expects."""
    script = case.get("script", ())
    asked = [{key: entry[key] for key in ASKED & entry.keys()} for entry in script]
    question = [case["edition"], case["setup"], asked]
    with suite.around():
        return f"{_digest(question)} {_digest([*_outcome(suite, case, script)])}"


ASKED = {"seat", "command", "faces"}
"""The keys of an entry of a script that are an order; the others say what it comes to."""


def _outcome(suite: Suite, case: Mapping[str, Any], script: Sequence[Line]) -> Iterator[Any]:
    """The events of the set-up and of each order, or why it was refused."""
    try:
        table = suite.begin(case)
    except Refused as refused:
        yield [refused.code, refused.rule]
        return
    yield _told(table.events)
    for entry in script:
        known = len(table.events)
        try:
            cases.do(suite.game, table, entry)
        except Refused as refused:
            yield [refused.code, refused.rule]
        yield _told(table.events[known:])


def _told(events: Sequence[Any]) -> list[Any]:
    return [[event.NAME, lean(event)] for event in events]


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
        yield _digest(_told(events))
        state = game.fold(events, state)


def lean(value: Any) -> Any:
    """A value as plain JSON without the fields that have their defaults, at any depth."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__
        told = {tag.tag_field: tag.tag} if tag.tag_field else {}
        given = ((key, getattr(value, name), usual) for key, name, usual in _fields(type(value)))
        return told | {key: lean(is_) for key, is_, usual in given if is_ != usual}
    if isinstance(value, dict):
        return {str(key): lean(item) for key, item in value.items()}
    return [lean(item) for item in value] if isinstance(value, list | tuple) else value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str, Any], ...]:
    """Each field's name in JSON and in Python, and its default."""
    return tuple((f.encode_name, f.name, _default(f)) for f in msgspec.structs.fields(kind))


def _default(field: Any) -> Any:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


# --- judging --------------------------------------------------------------------------------------


def others(suite: Suite, kept: Answers, now: Answers) -> Iterator[Other]:
    """What came out otherwise than it is kept, or cannot be asked again: the first of each file."""
    for name, was in kept.recordings.items():
        is_ = now.recordings.get(name)
        if is_ is None:
            yield Other(f"{name}.jsonl:0", "the recording is gone")
        elif is_.orders != was.orders:
            told = "it was played anew: what its old orders come to is not known"
            yield Other(f"{name}.jsonl:0", told)
        elif is_.answers != was.answers:
            yield _other(suite, name, was.answers.split(), is_.answers.split())
    yield from _other_cases(suite, kept.cases, now.cases)


def _other(suite: Suite, name: str, was: list[str], now: list[str]) -> Other:
    place = next(n for n, each in enumerate(was) if now[n : n + 1] != [each])
    lines = read(suite.recorded / f"{name}.jsonl")
    told = moves(lines)[place]
    return Other(f"{name}.jsonl:{lines.index(told) + 1}", json.dumps(told))


def _other_cases(suite: Suite, kept: dict[str, str], now: dict[str, str]) -> Iterator[Other]:
    titles = {case["id"]: case["title"] for case in cases.load(suite.folder)}
    for name, was in kept.items():
        asked, _, came_to = was.partition(" ")
        asks, _, comes_to = now.get(name, "").partition(" ")
        if not asks:
            yield Other(name, "the case is gone")
        elif asks != asked:
            yield Other(name, "it asks another thing: what it asked before comes to is not known")
        elif comes_to != came_to:
            yield Other(name, f"comes out otherwise: {titles[name]}")


def faults(suite: Suite, kept: Decisions, now: Answers) -> list[str]:
    """What is wrong with the version, in words that say what to do; none if nothing is."""
    found = list(others(suite, kept, now))
    version, told = suite.game.version, "run make remake (python -m tests.support.decisions)"
    if found and version == kept.version:
        return [advice(suite, found)]
    if version != kept.version or (now.recordings, now.cases) != (kept.recordings, kept.cases):
        return [f"{suite.folder}: {told}: it takes in what is new"]
    return []


SHOWN = 8


def advice(suite: Suite, found: Sequence[Other]) -> str:
    """What whoever changed the rules has to do."""
    where = Path(getsourcefile(suite.game.opening) or "").parent / "engine.py"
    shown = [f"  {each.place} {each.what}" for each in found[:SHOWN]]
    if len(found) > len(shown):
        shown.append(f"  and {len(found) - len(shown)} more")
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


def taken(suite: Suite, kept: Decisions, now: Answers) -> Decisions:
    """What is to be kept from now on. Raises ValueError for other answers of the same version."""
    version, found = suite.game.version, list(others(suite, kept, now))
    if found and version in {*kept.versions, kept.version}:
        raise ValueError(advice(suite, found))
    return Decisions(
        version=version,
        versions=_before(version, kept),
        recordings=now.recordings,
        cases=now.cases,
    )


def _before(version: str, kept: Decisions) -> dict[str, str]:
    """The versions before one, with digests: that of the present one can be had at any time."""
    closed = kept.versions | ({kept.version: _whole(kept)} if kept.version else {})
    return {name: each for name, each in closed.items() if name != version}


def _whole(kept: Answers) -> str:
    """A digest of all that was decided."""
    played = {name: [each.orders, each.answers] for name, each in kept.recordings.items()}
    return _digest([played, kept.cases])


def struck(suite: Suite, kept: Decisions) -> Decisions:
    """Without what the present version came to."""
    return Decisions(versions=_before(suite.game.version, kept), recordings={})


def keep(suite: Suite, anew: bool) -> None:
    """Write a game's files. Raises ValueError."""
    kept = struck(suite, load(suite)) if anew else load(suite)
    found = taken(suite, kept, decided(suite))
    store(suite, found)
    told = f"{len(found.recordings)} recordings, {len(found.cases)} cases"
    print(f"{suite.folder}: version {found.version}, {told}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="tests.support.decisions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--anew", action="append", default=[], metavar="GAME", help="its folder")
    with_games(parser)
    given = parser.parse_args()
    refused = 0
    for suite in chosen(given.game).values():
        try:
            keep(suite, suite.folder in given.anew)
        except ValueError as error:
            refused = 1
            print(error, file=sys.stderr)
    return refused


if __name__ == "__main__":
    sys.exit(main())
