"""What a verifier answers: a word with its exit code, and if it refutes, exactly what and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.codec import canonical

from ..dice.grades import BEACON
from .differing import Apart

UPHELD, REFUTED, UNREADABLE, CANNOT_JUDGE, LOWER_GRADE, NOT_VOUCHED = range(6)

WORDS = (
    "UPHELD",
    "REFUTED",
    "UNREADABLE",
    "CANNOT JUDGE",
    "UPHELD, LOWER GRADE THAN ASKED",
    "CONSISTENT, RULES NOT VOUCHED FOR",
)
"""The verdict by its exit code."""

JUDGED = (UPHELD, LOWER_GRADE, NOT_VOUCHED)
"""Codes of files in which everything was judged, and nothing contradicts itself."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of what the verifier tells."""


class Finding(Answer, frozen=True):
    """Where the record contradicts itself, the dice or the rules.

    check     which check failed: "chain", "seal", "order", "dice", "rules", ...
    seq       the first bad event; 0 when it is not in an event
    what      which part of it: "prev", "faces of fire/3", "sealed for p1"
    rule      rule IDs that decided there, or the refusal's; "" where no rule is concerned
    expected  what it should be, as recomputed
    found     what the bundle says
    fields    of an event: each field that is not as it should be, down to the reason of a tally; of
              a state, of which the bundle has the digest alone: what this order changed of it
    """

    check: str
    seq: int
    what: str
    expected: str
    found: str
    rule: str = ""
    fields: tuple[Apart, ...] = ()


class Passed(Answer, frozen=True):
    """A check that was done, and over how many things."""

    check: str
    text: str
    count: int


class Voucher(Answer, frozen=True):
    """On whose word a part of the record stands.

    what  "rules", "dice", "orders", "origin" or "time"
    by    who vouches for it, in words; "nobody ..." where nobody does
    """

    what: str
    by: str


class Age(Answer, frozen=True):
    """Since when something is, on which the judge relies without having seen it made.

    what  "root", "revocations" or "engines"
    at    when it was made: a time, or a day
    text  what it is, in words
    days  that have passed since, by the judge's own clock; absent where he has none
    """

    what: str
    at: str
    text: str
    days: int | UnsetType = UNSET


class BatchJudged(Answer, frozen=True):
    """Whose secrets a batch of dice was made of, besides the service's.

    t      number of the batch
    grade  of it
    seats  those whose links are in it
    """

    t: int
    grade: str
    seats: tuple[str, ...]


class Verdict(Answer, frozen=True):
    """The verifier's answer.

    code      exit code, index of :data:`WORDS`
    scope     "complete": everything was opened and decided again; "partial": a game in play, or
              what one seat may know of it; "" when nothing could be read
    grade     lowest dice grade that was reached, "none" where the seed was named, with
              ``asked``, the one that was asked for
    orders    lowest grade of the orders: "O0" the service says so, "O1p" signed by its own page,
              "O1" by clients of the seats' own; "" when they were not read
    head      number and hash of the last event: equal for two copies of the same game
    origin    for what is upheld: what shows that this record is the one that was played, and not
              another made afterwards by somebody who knows the opened master
    vouched   for what was judged: who vouches for rules, dice, orders, origin and time
    ages      for what was judged: how old the root, what it takes back and the engines are
    batches   for what was judged: each batch of dice with whose secrets are in it
    absences  by seat that had a chain of its own: how many batches have no link of it
    finding   for REFUTED: the first contradiction
    reason    for UNREADABLE, CANNOT JUDGE and RULES NOT VOUCHED FOR: why
    """

    code: int
    word: str
    game: str = ""
    ruleset: str = ""
    version: str = ""
    scope: str = ""
    grade: str = ""
    asked: str = ""
    orders: str = ""
    events: int = 0
    head: str = ""
    origin: str = ""
    result: dict[str, Any] | None = None
    finding: Finding | None = None
    reason: str = ""
    checks: tuple[Passed, ...] = ()
    vouched: tuple[Voucher, ...] = ()
    ages: tuple[Age, ...] = ()
    batches: tuple[BatchJudged, ...] = ()
    absences: dict[str, int] = {}
    notes: tuple[str, ...] = ()

    def json(self) -> bytes:
        """The verdict for machines: canonical JSON, camelCase."""
        return canonical(self)

    def text(self) -> str:
        """The verdict for people."""
        return printed(_lines(self))


class Refuted(Exception):
    """Raised by a check at the first contradiction."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"event {finding.seq}: {finding.check}: {finding.what}")
        self.finding = finding


class Undecidable(Exception):
    """Raised by a check that cannot be done here: unknown ruleset, another version of the rules."""


def refute(
    check: str,
    seq: int,
    what: str,
    expected: object,
    found: object,
    rule: str = "",
    fields: tuple[Apart, ...] = (),
) -> Refuted:
    """The exception for a contradiction; values are cut to a readable length."""
    finding = Finding(
        check=check, seq=seq, what=what, expected=short(expected), found=short(found),
        rule=rule, fields=fields,
    )  # fmt: skip
    return Refuted(finding)


def need(truth: bool, check: str, seq: int, what: str, expected: object, found: object) -> None:
    """Raises Refuted unless ``truth``."""
    if not truth:
        raise refute(check, seq, what, expected, found)


def equal(check: str, seq: int, what: str, expected: object, found: object) -> None:
    """Raises Refuted unless the two values are equal."""
    if expected != found:
        raise refute(check, seq, what, expected, found)


def unhex(seq: int, what: str, text: str, size: int = 32) -> bytes:
    """The bytes of a hex text. Raises Refuted unless they are ``size`` bytes in lower case."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    fits = len(value) == size and value.hex() == text
    need(fits, "form", seq, what, f"{size} bytes in hex", text)
    return value


def printed(lines: Iterable[str]) -> str:
    """The lines as text: what a file says in one begins no other, and steers no terminal."""
    return "\n".join(map(_printable, lines))


def _printable(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def short(value: object) -> str:
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return text if len(text) <= 2000 else f"{text[:1000]} ... {text[-980:]}"


def _lines(verdict: Verdict) -> list[str]:
    origin = f", origin {verdict.origin}" if verdict.origin else ""
    lines = [f"{verdict.word}{_scope(verdict)}{origin}"]
    if verdict.game:
        lines.append(f"game     {verdict.game} ({verdict.ruleset} {verdict.version})")
    if verdict.head:
        lines.append(f"head     event {verdict.events}, {verdict.head}")
    if verdict.grade:
        asked = f", asked for {verdict.asked}" if verdict.asked else ""
        lines.append(f"dice     grade {verdict.grade}{asked}")
    lines += [f"batches  {line}" for line in _by_secrets(verdict.batches)]
    if verdict.absences:
        told = ", ".join(f"{seat} from {n}" for seat, n in sorted(verdict.absences.items()))
        lines.append(f"absent   {told} of {len(verdict.batches)} batches")
    if verdict.result is not None:
        winners = ", ".join(verdict.result["winners"]) or "nobody: a draw"
        lines.append(f"result   won by {winners} ({verdict.result['reason']})")
    lines += [f"checked  {passed.check}: {passed.text}" for passed in verdict.checks]
    lines += [f"vouched  {voucher.what}: {voucher.by}" for voucher in verdict.vouched]
    lines += [f"age      {age.what}: {age.text}{_days(age)}" for age in verdict.ages]
    if verdict.finding is not None:
        lines += finding_lines(verdict.finding)
    if verdict.reason:
        lines.append(f"reason   {verdict.reason}")
    lines += [f"note     {note}" for note in verdict.notes]
    return lines


def _days(age: Age) -> str:
    if isinstance(age.days, UnsetType):
        return ""
    if age.days == 0:
        return ", today"
    days = f"{abs(age.days)} day{'s' if abs(age.days) > 1 else ''}"
    return f", {days} ago" if age.days > 0 else f", {days} ahead of this judge's clock"


def _by_secrets(batches: Sequence[BatchJudged]) -> list[str]:
    """Each batch with whose secrets are in it, those of the same together; none where all are the
    service's alone, which the line of who vouches for the dice says."""
    if not any(batch.seats for batch in batches):
        return []
    found: dict[tuple[str, ...], list[int]] = {}
    for batch in batches:
        beacon = ("a public beacon",) if batch.grade == BEACON else ()
        found.setdefault((*batch.seats, *beacon), []).append(batch.t)
    return [f"{ranges(ts)}: {', '.join(('the service', *seats))}" for seats, ts in found.items()]


def ranges(numbers: Sequence[int]) -> str:
    """Rising numbers in short: "1-4, 7"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in found)


def _scope(verdict: Verdict) -> str:
    return " (partial)" if verdict.scope == "partial" and verdict.code in JUDGED else ""


def finding_lines(finding: Finding) -> list[str]:
    where = f"event {finding.seq}" if finding.seq else "the bundle"
    rule = f" (rule {finding.rule})" if finding.rule else ""
    return [
        f"at       {where}: {finding.check}, {finding.what}{rule}",
        f"expected {finding.expected}",
        f"found    {finding.found}",
        *(f"field    {each.text()}" for each in finding.fields),
    ]
