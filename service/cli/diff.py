"""``decklog diff``: what is different between two versions, or two games of one origin."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from domain.kernel.codec import canonical
from projections.differences import Causes, changes
from projections.wording import sentence

from .console import emit, progress, say
from .files import is_file, read_bytes
from .lines import events_told
from .mistakes import Mistake
from .record import Record, from_bytes
from .remote import Remote, game_path
from .tools import Tools, json_option, service_options, viewer_option

if TYPE_CHECKING:
    from service.evidence.casefile import Case

WIDEST = 76
"""Letters of the column of sentences."""
MOST = 12
"""Events of one change that are told; the latest of more."""


@click.command("diff", short_help="Compare two versions of a game, or two games.")
@click.argument("target", metavar="GAME|FILE")
@click.option("--from", "start", type=click.IntRange(1), metavar="N", help="The first version.")
@click.option("--to", type=click.IntRange(1), metavar="M", help="The second; else the newest.")
@click.option(
    "--with",
    "other",
    default="",
    metavar="GAME|FILE",
    help="Compare with another game of one origin: a fork with its parent or with another fork; "
    "or two files: forks by their positions, others by their events.",
)
@click.option(
    "--with-token",
    "other_token",
    envvar="DECKLOG_WITH_TOKEN",
    default="",
    metavar="TOKEN",
    help="Token of the game that --with names, where it is a fork; better as DECKLOG_WITH_TOKEN.",
)
@viewer_option()
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    target: str,
    start: int | None,
    to: int | None,
    other: str,
    other_token: str,
    viewer: str,
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Show the differences between two versions, each with its events and rules.

    With a fork (--token is the fork's) and its parent: what the fork has come to. With two forks,
    --with-token is the second one's. With --with and two evidence FILES: the same for forks, else
    the first event in which they differ.
    """
    if is_file(target):
        found = _of_file(tools, target, start, to, other, viewer)
    else:
        query: dict[str, Any] = {"from": start, "to": to, "with": other, "as": viewer}
        with Remote(url, token) as remote:
            sent = {"Decklog-With-Token": other_token} if other_token else {}
            found = remote.get_with(game_path(target, "/diff"), sent, **query)
    if as_json:
        emit(found)
    else:
        for line in told(found):
            say(line)
    return 0


def told(found: dict[str, Any]) -> Iterator[str]:
    """A difference line by line: sentences in their column, their events in another."""
    if "parting" in found:
        yield found["text"]
        return
    if not found["changes"]:
        yield "Nothing is different."
        return
    rows = [
        (change["text"], _places(change.get("events", ())))
        for change in (*found["changes"], *found["figures"])
    ]
    wide = min(WIDEST, max(len(text) for text, _ in rows))
    for text, events in rows:
        yield from _beside(textwrap.wrap(text, wide) or [""], events, wide)
    yield ""
    yield from events_told(found["events"])


def _beside(lines: list[str], events: str, wide: int) -> list[str]:
    """A sentence in its column, the events that led to it in theirs."""
    first, *more = lines
    where = f"[{events}]" if events else ""
    return [f"{first:<{wide}}  {where}".rstrip(), *(f"  {line}" for line in more)]


def _places(seqs: Sequence[int]) -> str:
    """The events of a change; the last ones, where there are too many for a line."""
    last = ", ".join(map(str, seqs[-MOST:]))
    return last if len(seqs) <= MOST else f"{len(seqs) - MOST} more, {last}"


def _of_file(
    tools: Tools, path: str, start: int | None, to: int | None, other: str, viewer: str
) -> dict[str, Any]:
    with progress(f"reading {path}") as report:
        case, record = from_bytes(tools, read_bytes(path), path, viewer, report)
        if other:
            second, beside = from_bytes(tools, read_bytes(other), other, viewer, report)
            if not _kin(case, second):
                return parting(record, beside)
            first = record.checked(record.latest if start is None else start)
            last = beside.checked(beside.latest if to is None else to)
            return beyond(record, first, beside, last, _since(case, second))
    first = record.checked(1 if start is None else start)
    last = record.checked(record.latest if to is None else to)
    return between(record, first, last)


def _kin(one: Case, two: Case) -> bool:
    """Whether one is a fork of the other, or both are of a third: as far as the files tell."""
    forks = [case.created.setup.fork for case in (one, two)]
    lines = [
        {case.manifest.game, *([fork.game] if fork is not None else [])}
        for case, fork in zip((one, two), forks, strict=True)
    ]
    return any(forks) and one.manifest.game != two.manifest.game and bool(lines[0] & lines[1])


def _since(one: Case, two: Case) -> int:
    """The version of the second game from which both went their own ways."""
    fork = one.created.setup.fork
    return fork.version if fork is not None and fork.game == two.manifest.game else 0


def beyond(one: Record, first: int, two: Record, last: int, since: int) -> dict[str, Any]:
    """The difference of two games' positions; the events are the second one's own."""
    causes = _causes(two, min(since, last), last)
    return _different(two, one.state(first), two.state(last), causes)


def between(record: Record, first: int, last: int) -> dict[str, Any]:
    """The difference of two versions of a record, in the form of the service's."""
    causes = _causes(record, min(first, last), max(first, last))
    return _different(record, record.state(first), record.state(last), causes)


def _causes(record: Record, low: int, high: int) -> Causes:
    causes, before = Causes(), record.state(low)
    for seq in range(low + 1, high + 1):
        after = record.state(seq)
        if before is not None and after is not before:
            causes.note(seq, before, after)
        before = after
    return causes


def _different(record: Record, one: Any, two: Any, causes: Causes) -> dict[str, Any]:
    def calls(unit: str) -> str:
        named = (record.game.insight.calls(s, unit) for s in (two, one) if s is not None)
        return next((name for name in named if name), "")

    found: list[dict[str, Any]] = [
        {"path": change.pointer, "text": sentence(change, calls), "events": causes.of(change.path)}
        for change in changes(one, two)
    ]
    used = sorted({seq for change in found for seq in change["events"]})
    return {"changes": found, "figures": [], "events": [_event(record, seq) for seq in used]}


def _event(record: Record, seq: int) -> dict[str, Any]:
    told = record.at(seq)
    rules = list(getattr(told.event, "rules", ()))
    return {"seq": seq, "type": told.type, "text": told.text, "rules": rules}


def parting(one: Record, two: Record) -> dict[str, Any]:
    """The first event of the rules in which two records differ. Raises Mistake."""
    if one.game.ruleset != two.game.ruleset:
        raise Mistake("They are games of different rulesets.", "Compare two of one.", "usage")
    ours = [told for told in one.told if told.event is not None]
    theirs = [told for told in two.told if told.event is not None]
    shared = 0
    for a, b in zip(ours, theirs, strict=False):
        if (a.type, canonical(a.event)) != (b.type, canonical(b.event)):
            break
        shared += 1
    if shared == len(ours) == len(theirs):
        return {"parting": None, "shared": shared, "text": "The games are the same to the end."}
    first = ours[shared] if shared < len(ours) else None
    second = theirs[shared] if shared < len(theirs) else None
    told = [
        f"{record.id}, event {t.seq}: {t.text or t.type}" if t else f"{record.id} ends here."
        for record, t in ((one, first), (two, second))
    ]
    text = f"The first {shared} events of the rules are the same. Then:\n  " + "\n  ".join(told)
    seqs = [t.seq if t else None for t in (first, second)]
    return {"parting": seqs, "shared": shared, "text": text}
