"""What a referee says of a game: what it judged, what it left unjudged, where it disagrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Stored = tuple[str, Mapping[str, Any]]
"""An event as it is stored: its type and its data, as the truth sees it."""

Events = Sequence[Stored]


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

    def add(self, other: Verdict) -> None:
        """Take another verdict's counts and findings into this one."""
        self.judged.update(other.judged)
        self.unjudged.update(other.unjudged)
        self.findings.extend(other.findings)
