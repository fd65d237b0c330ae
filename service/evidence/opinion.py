"""A second opinion on an evidence file: what the game's independent referee says of its events.

The referee (:mod:`service.referees`) knows no engine. What it judges is the story that the events
tell; whether the file is whole and sealed is looked at on the way, dice and orders are not: that is
the verifier's part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.kernel.codec import Codec, canonical
from domain.kernel.event import UnknownEvent
from domain.kernel.game import Game
from domain.kernel.values import TRUTH
from service.referees import Judge, referee, told
from service.referees.verdict import Events
from service.referees.verdict import Finding as Disagreement
from service.referees.verdict import Verdict as Judged

from .casefile import Case, Unreadable, open_case, unpack
from .records import GameClosed, RulesChanged, taken_back
from .verdict import Answer, Finding, Refuted, Undecidable, finding_lines, printed, short

AGREES, FALSE, UNREADABLE, CANNOT_JUDGE = range(4)
REFUTED = "REFUTED"
WORDS = {
    AGREES: "AGREES",
    FALSE: "DISAGREES",
    UNREADABLE: "UNREADABLE",
    CANNOT_JUDGE: "CANNOT JUDGE",
}
"""The opinion by its exit code; a file that contradicts itself is REFUTED, with the code 1."""

NOT_CHECKED = "Dice and orders are not judged here: decklog verify rolls and decides them again."

Games = Mapping[str, Game[Any, Any, Any]]


class Differs(Answer, frozen=True):
    """One disagreement: at event ``seq`` the record says one thing, the rule another.

    rule  in the referee's words, often with the place in the rulebook
    """

    seq: int
    type: str
    rule: str
    said: str
    should: str


class NotJudged(Answer, frozen=True):
    """What the referee did not judge, and why; how often that came up."""

    what: str
    why: str
    count: int


class Opinion(Answer, frozen=True):
    """The referee's answer.

    code      exit code; index of :data:`WORDS`
    events    events of the game that the referee was told
    judged    how often each rule was asked, by the referee's words for it
    differs   every disagreement, in order
    finding   for REFUTED: the contradiction in the file itself
    reason    for UNREADABLE and CANNOT JUDGE: why
    """

    code: int
    word: str
    game: str = ""
    ruleset: str = ""
    version: str = ""
    events: int = 0
    judged: dict[str, int] = msgspec.field(default_factory=dict)
    left: tuple[NotJudged, ...] = ()
    differs: tuple[Differs, ...] = ()
    finding: Finding | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()

    def json(self) -> bytes:
        """The opinion for machines: canonical JSON, camelCase."""
        return canonical(self)

    def text(self) -> str:
        """The opinion for people."""
        return printed(_lines(self))


def opinion(data: bytes, games: Games) -> Opinion:
    """The referee's opinion of a bundle. Never raises for what is in ``data``.

    games  installed rulesets by name
    """
    facts: dict[str, Any] = {}
    try:
        return _opinion(data, games, facts)
    except Unreadable as error:
        return _answer(UNREADABLE, facts, reason=str(error))
    except Refuted as error:
        found = _answer(FALSE, facts, finding=error.finding)
        return msgspec.structs.replace(found, word=REFUTED)
    except Undecidable as error:
        return _answer(CANNOT_JUDGE, facts, reason=str(error))


def _answer(code: int, facts: Mapping[str, Any], **more: Any) -> Opinion:
    return Opinion(code=code, word=WORDS[code], **{**facts, **more})


def _opinion(data: bytes, games: Games, facts: dict[str, Any]) -> Opinion:
    manifest, files = unpack(data)
    facts["game"] = manifest.game
    case = open_case(manifest, files)
    rules = case.created.rules
    facts.update(ruleset=rules.ruleset, version=rules.version)
    game = games.get(rules.ruleset)
    if game is None:
        raise Undecidable(f"the ruleset {rules.ruleset} {rules.version} is not installed here")
    judge = _referee(case)
    seqs, events = _story(case, game)
    verdict = judge(events, isinstance(case.closed, GameClosed))
    return _told(case, game, verdict, seqs, events, facts)


def _referee(case: Case) -> Judge:
    """Who may judge the game. Raises Undecidable."""
    setup, ruleset = case.created.setup, case.created.rules.ruleset
    judge = referee(ruleset)
    if judge is None:
        raise Undecidable(f"{ruleset} has no referee")
    if setup.customs:
        kinds = ", ".join(sorted(setup.customs))
        raise Undecidable(f"the players brought documents of their own ({kinds}): no referee's")
    if setup.fork is not None:
        raise Undecidable("a what-if begins in the middle: the referee follows whole games")
    if any(isinstance(record, RulesChanged) for record in case.records.values()):
        raise Undecidable("the rules were changed on the way: the referee knows those of today")
    if not case.sees_all:
        raise Undecidable(
            f"the file shows the game as {case.manifest.viewer} sees it before its end; the "
            "referee needs all that happened, which the file opens once the game is over"
        )
    return judge


def _story(case: Case, game: Game[Any, Any, Any]) -> tuple[list[int], Events]:
    """The game's own events as the truth sees them, carried to the form of today."""
    codec: Codec[Any] = Codec(game)
    undone = taken_back(case.records.values())
    own = [e for e in case.envelopes if e.seq not in case.records and e.cause.id not in undone]
    try:
        events = [codec.decode(e.type, e.schema, case.data(e, TRUTH)) for e in own]
    except (UnknownEvent, msgspec.MsgspecError) as error:
        raise Undecidable(f"the installed {game.ruleset} does not read it: {error}") from None
    if not events:
        raise Undecidable("nothing has happened in the game")
    return [envelope.seq for envelope in own], told(codec, events)


def _told(
    case: Case,
    game: Game[Any, Any, Any],
    verdict: Judged,
    seqs: list[int],
    events: Events,
    facts: dict[str, Any],
) -> Opinion:
    facts.update(
        events=len(events),
        judged=dict(verdict.judged.most_common()),
        left=tuple(NotJudged(*_parts(each), count=n) for each, n in verdict.unjudged.most_common()),
        differs=tuple(_differs(each, seqs, events) for each in verdict.findings),
    )
    notes = [NOT_CHECKED]
    if case.closed is None:
        notes.append("The game is not over in this file: its end is not judged.")
    used = case.created.rules.version
    if used != game.version:
        notes.append(f"Played by version {used}; the referee knows version {game.version}.")
        if verdict.findings:
            reason = f"{_count(verdict.findings)}, which the other version of the rules may explain"
            return _answer(CANNOT_JUDGE, facts, reason=reason, notes=tuple(notes))
    return _answer(FALSE if verdict.findings else AGREES, facts, notes=tuple(notes))


def _parts(left: str) -> tuple[str, str]:
    what, _, why = left.partition(": ")
    return what, why


def _differs(each: Disagreement, seqs: list[int], events: Events) -> Differs:
    return Differs(
        seq=seqs[each.seq],
        type=events[each.seq][0],
        rule=each.rule,
        said=short(each.said),
        should=short(each.should),
    )


def _count(findings: list[Disagreement]) -> str:
    return f"{len(findings)} disagreement{'s' if len(findings) > 1 else ''}"


def _lines(given: Opinion) -> list[str]:
    lines = [given.word]
    if given.ruleset:
        lines.append(f"game     {given.game} ({given.ruleset} {given.version})")
    for each in given.differs:
        lines.append(f"differs  event {each.seq}, {each.type}: {each.rule}")
        lines += [f"  said   {each.said}", f"  should {each.should}"]
    if given.judged:
        asked, rules = sum(given.judged.values()), len(given.judged)
        lines.append(f"judged   {asked} times, by {rules} rules, in {given.events} events")
        lines += [f"{count:>9,} {rule}" for rule, count in given.judged.items()]
    if given.left:
        lines.append(f"left     {sum(left.count for left in given.left)} times, not judged")
        lines += [f"{left.count:>9,} {left.what}: {left.why}" for left in given.left]
    if given.finding is not None:
        lines += finding_lines(given.finding)
    if given.reason:
        lines.append(f"reason   {given.reason}")
    return lines + [f"note     {note}" for note in given.notes]
