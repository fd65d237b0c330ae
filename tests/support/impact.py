"""The impact of today's rules on all recorded games, against the newest engine that is kept.

``python -m tests.support.impact`` writes it into CHANGELOG.md, between two marks. CI decides the
games again whenever what decides has changed, and compares (tests/service/impact/test_corpus.py).
How many decisions a second it made it prints only.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from service.engines import carry
from service.evidence.digest import ruleset_of
from service.impact.compare import KINDS, compare
from service.impact.history import History, read
from service.impact.impact import Impact, Sentences, impact
from service.impact.rules import INSTALLED, Engine, asked, find
from tests.support import remake
from tests.support.suites import AnyGame, chosen, suite_of, with_games

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = ROOT / remake.CHANGELOG
BEGIN, END = remake.MARKS[remake.CHANGELOG]


def game_of(ruleset: str) -> AnyGame:
    """A game of today."""
    return suite_of(folder(ruleset)).game


def folder(ruleset: str) -> str:
    """The name of a game's folders."""
    return ruleset.replace("-", "_")


class Pair(NamedTuple):
    """The rules of a ruleset that are compared."""

    old: Engine
    new: Engine


def pair(ruleset: str) -> Pair:
    """The newest engine that is kept, and what is installed."""
    own = ruleset_of(game_of(ruleset))
    kept = [each for each in carry.table() if each.ruleset == ruleset]
    newest = max(kept, key=lambda each: int(each.version))
    return Pair(find(newest.digest, own), find(INSTALLED, own))


def corpus(ruleset: str) -> Iterator[History]:
    """Recorded games, and the evidence of the past that the kept engine has decided."""
    old = pair(ruleset).old
    named = {each.digest: each.rules for each in carry.table()}[old.digest]
    paths = [
        *sorted((ROOT / "tests/games" / folder(ruleset)).glob("*.jsonl")),
        *sorted((ROOT / "tests/evidence/history").glob("*.decklog")),
    ]
    for path in paths:
        history = read(path.relative_to(ROOT).as_posix(), path.read_bytes())
        if history.setup.ruleset == ruleset and history.rules in ("", named):
            yield history


def of(ruleset: str) -> Impact:
    """All of its games under both."""
    old, new = pair(ruleset)
    says = Sentences(game_of(ruleset))
    found = []
    for history in corpus(ruleset):
        with asked(old, history) as one, asked(new, history) as other:
            found.append(compare(history, one, other, says))
    return impact((old.name, new.name), found)


def rulesets() -> list[str]:
    """Those of which an engine is kept."""
    return sorted({each.ruleset for each in carry.table()})


def line(found: Impact) -> str:
    """What the changelog says of a ruleset."""
    rules: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for each in found.by_rule:
        if each.rule:
            rules[each.kind].append(f"{each.rule} {each.count}")
    kinds = [
        f"{found.kinds[kind]:,} {kind}" + (f" ({', '.join(rules[kind])})" if rules[kind] else "")
        for kind in KINDS
        if found.kinds[kind]
    ]
    endings = Counter(each.file for each in found.endings)
    ends = f"; other ends: {', '.join(sorted(endings))}" if endings else ""
    stops = f"; not to the end: {len(found.stopped)}" if found.stopped else ""
    old, new = (name.partition(" (")[0] for name in (found.old, found.new))
    return (
        f"- {old} -> {new}: {found.decisions:,} decisions in {found.games} games; "
        f"{'; '.join(kinds) or 'none differs'}{ends}{stops}."
    )


def block(text: str) -> str:
    """What stands between the marks of a changelog."""
    return text.partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0]


def written(text: str, lines: list[str]) -> str:
    """The changelog with these lines between its marks."""
    before, begin, rest = text.partition(f"{BEGIN}\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the changelog has no marks for the impact of the rules")
    return before + begin + "\n".join(lines) + "\n" + end + after


def rate(found: Impact, seconds: float) -> str:
    """How fast a ruleset's games were decided again, by both: of this machine, so only printed."""
    return f"{found.new}: {found.decisions / max(seconds, 0.001):,.0f} decisions a second"


def merged(before: str, found: Mapping[str, str]) -> list[str]:
    """The lines of all rulesets: those that were found now, and the others as they stand."""
    stand = {each.removeprefix("- ").partition(" ")[0]: each for each in before.splitlines()}
    lines = {**stand, **found}
    return [lines[ruleset] for ruleset in rulesets() if ruleset in lines]


def write(wanted: Iterable[str]) -> None:
    """Write it of these rulesets; print it, and how many decisions a processor's second had."""
    lines, rates = dict[str, str](), []
    for ruleset in wanted:
        began = _effort()
        found = of(ruleset)
        rates.append(rate(found, _effort() - began))
        lines[ruleset] = line(found)
    text = CHANGELOG.read_text("utf-8")
    CHANGELOG.write_text(written(text, merged(block(text), lines)), "utf-8")
    print("\n".join([*lines.values(), *rates]))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.support.impact", description=__doc__)
    with_games(parser)
    games = chosen(parser.parse_args().game).values()
    write(sorted({suite.game.ruleset for suite in games} & {*rulesets()}))


def _effort() -> float:
    """Seconds of the processor: of this process, and of those that it began and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


if __name__ == "__main__":
    main()
