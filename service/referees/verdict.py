"""What a referee says of a game: what it judged, what it left unjudged, where it disagrees.

And what all referees share: how events are read one after the other (:func:`read_all`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Data = Mapping[str, Any]
"""The data of an event, every field of it, as plain JSON."""

Stored = tuple[str, Data]
"""An event: its stored type and its data, as the truth sees them."""

Events = Sequence[Stored]

Reader = Callable[[int, Data], None]
"""Reads one event: its place among the events, and its data."""

END = "game-ended"
FOLLOWED = "the record can be followed"
ENDS = "the game ends, and ends once"


@dataclass(frozen=True)
class Finding:
    """One disagreement: at event ``seq`` the record says one thing, the rule another."""

    seq: int
    rule: str
    said: Any
    should: Any

    def __str__(self) -> str:
        return f"event {self.seq}: {self.rule}: said {self.said}, should be {self.should}"


@dataclass
class Verdict:
    """Counts of what was judged and what was not, by kind, and every disagreement."""

    judged: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def check(self, seq: int, rule: str, said: object, should: object) -> None:
        """Count the rule as judged here; a finding if the record says something else."""
        self.judged[rule] += 1
        if said != should:
            self.findings.append(Finding(seq, rule, said, should))

    def leave(self, rule: str, why: str) -> None:
        """Count something that is not judged, and why: a referee never guesses."""
        self.unjudged[f"{rule}: {why}"] += 1


def read_all(
    events: Events, over: bool, verdict: Verdict, reader_of: Callable[[str], Reader | None]
) -> Verdict:
    """Hand each event to its reader, by its name without the ruleset's; the verdict.

    over       whether the record is said to be that of a game that its rules have ended
    reader_of  the reader of an event's name; None where the referee has none

    An event that names what is not there cannot be right. What lies on the table is not known from
    there on, so what follows is not judged.
    """
    for seq, (kind, data) in enumerate(events):
        name = kind.rpartition(".")[2]
        reader = reader_of(name)
        if reader is None:
            verdict.leave(f"event {name}", "not modelled")
            continue
        try:
            reader(seq, data)
        except Exception as error:  # a false record may bring a referee to stumble anywhere
            verdict.check(seq, FOLLOWED, f"{type(error).__name__}: {error}", "what is on the table")
            for left, _ in events[seq + 1 :]:
                verdict.leave(f"event {left.rpartition('.')[2]}", "after one not to be followed")
            return verdict
    _end(events, over, verdict)
    return verdict


def _end(events: Events, over: bool, verdict: Verdict) -> None:
    """The rules' end is the last event, and no other."""
    ends = [seq for seq, (kind, _) in enumerate(events) if kind.rpartition(".")[2] == END]
    last = len(events) - 1
    verdict.check(last, ENDS, ends, [last] if over else [])
