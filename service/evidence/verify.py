"""The offline verifier: is this file the true record of a game that was played by its rules?

Checks in order: 1 container and manifest; 2 its signature, where a root key is given; 3 chain;
4 openings against seals and orders against digests; 5 commitment, links, dice; 6 the master secret
against the commitment; 7 the rules again, with the digests of the states; 8 the grade. The first
contradiction ends it. What none of them shows, the verdict says as well (``vouching``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.kernel.forked import played
from domain.kernel.game import Game

from ..dice.grades import GRADES
from ..engines import carry
from ..engines.outside import Failed
from .ages import ages
from .apart import Apart, process
from .asked import Answers, Installed, Rules
from .beside import check_own, each_once, receipts_in
from .beside import cosigners as cosigners_of
from .budget import OverBudget, budget
from .bundle import ARCHIVES, LOG_PAPERS
from .casefile import Case, Unreadable, open_case, unpack_whole
from .dicecheck import DiceCheck, check_master
from .digest import are_installed
from .escrow import well_formed
from .logged import UNREAD, LogJudge, LogWord, Owed
from .origin import Signed, check_origin, check_period
from .receipts import Given, Receipt, check_receipts, is_contested, signer_of
from .records import (
    BatchVoided,
    EndedByRuling,
    Forfeited,
    GameAbandoned,
    GameClosed,
    KeyChanged,
    LinksClosed,
    Paused,
    RulesChanged,
    RulesUsed,
)
from .rerun import Progress, Rerun, run_rules
from .service_events import key_said, quoted
from .shelf import CARRIED, Found, Place, search
from .shelf import Given as GivenEngine
from .signedorders import check_signatures, key_changes
from .signing import VerifyKey
from .verdict import (
    CANNOT_JUDGE,
    LOWER_GRADE,
    NOT_VOUCHED,
    REFUTED,
    UNREADABLE,
    UPHELD,
    WORDS,
    BatchJudged,
    Passed,
    Refuted,
    Undecidable,
    Verdict,
    need,
    refute,
)
from .vouching import dice_by, vouched

NO_GRADE = "none"
"""Of dice whose seed somebody named: whoever knows or guesses it knows every die (NWD-1, 2.1)."""

ORDER = (NO_GRADE, *GRADES)
"""Grades from the lowest on."""

Games = Mapping[str, Game[Any, Any, Any]]


class Shelf(NamedTuple):
    """Whose rules a judge has: what is installed, where else he looks, whom he trusts, and how what
    is not installed runs."""

    games: Games
    places: Sequence[Place]
    trusted: Collection[str]
    apart: Apart


class Asked(NamedTuple):
    """What the caller asks of the file besides that it holds; nothing where it is empty."""

    grade: str
    head: str
    root: VerifyKey | None
    keys: bytes
    receipts: Sequence[Given]
    log: LogJudge | None
    master: str = ""
    now: str = ""
    cosigners: Sequence[VerifyKey] = ()


@dataclass
class _Report:
    """What is known of the bundle so far; the verdict is made of it."""

    facts: dict[str, Any] = field(default_factory=dict)
    checks: list[Passed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def passed(self, check: str, text: str, count: int) -> None:
        self.checks.append(Passed(check=check, text=text, count=count))

    def verdict(self, code: int, **more: Any) -> Verdict:
        return Verdict(
            code=code,
            word=WORDS[code],
            checks=tuple(self.checks),
            notes=tuple(self.notes),
            **{**self.facts, **more},
        )


def _silent(check: str, done: int, total: int) -> None:
    """The progress of somebody who does not watch."""


def verify(
    data: bytes,
    games: Games,
    *,
    grade: str = "",
    head: str = "",
    root: VerifyKey | None = None,
    keys: bytes = b"",
    receipts: Sequence[Given] = (),
    log: LogJudge | None = None,
    master: str = "",
    now: str = "",
    cosigners: Sequence[VerifyKey] = (),
    seconds: float = 0,
    progress: Progress = _silent,
    engines: Sequence[Place] = (CARRIED,),
    trusted: Collection[str] = (),
    apart: Apart = process,
) -> Verdict:
    """The verdict on a bundle. Never raises for what is in ``data``.

    games     installed rulesets by name
    grade     lowest dice grade that is asked for: "A0" to "A3"; "": any
    head      hash of an event that the record must contain, for somebody who noted one in play
    root      the service's root key: a file that it does not stand behind is refuted
    keys      the list of the service's keys that counts in the place of the one in the file
    receipts  that somebody has of what the service took; only with ``root``
    log       reads what a public log says of the game; None: that is not judged
    master    as two keepers have opened it, in hex: that of the game, be it over or not
    now       by the judge's clock: how old the root, its list and the engines are is told by it;
              "" for dates alone
    cosigners  keys of an organiser or of witnesses: each has to have cosigned the file
    seconds   of the processor that it may take, where it runs on the main thread; 0: any number
    progress  called with (check, done, total) while it takes time
    engines   where other rules than the installed are looked for, besides the file itself
    trusted   digests of engines that the caller vouches for
    apart     how an engine that is not installed runs
    """
    if receipts and root is None:
        raise ValueError("receipts are judged by the keys that a root key vouches for")
    report = _Report()
    report.facts["asked"] = grade
    try:
        with budget(seconds):
            shelf = Shelf(games, engines, trusted, apart)
            asked = Asked(grade, head, root, keys, receipts, log, master, now, cosigners)
            return _judge(data, shelf, asked, progress, report)
    except Unreadable as error:
        return report.verdict(UNREADABLE, reason=str(error))
    except Refuted as error:
        return report.verdict(REFUTED, finding=error.finding)
    except Undecidable as error:
        return report.verdict(CANNOT_JUDGE, reason=str(error))
    except OverBudget:
        return report.verdict(
            CANNOT_JUDGE, reason=f"it takes more than {seconds:g} seconds of the processor"
        )


def _judge(data: bytes, shelf: Shelf, asked: Asked, progress: Progress, report: _Report) -> Verdict:
    progress("container", 0, 1)
    manifest, files, text = unpack_whole(data)
    report.passed("container", f"{len(files) + 1} files, whole and in their one form", len(files))
    report.facts["game"] = manifest.game
    signed = check_origin(files, text, asked.root, asked.keys)
    cosigned = cosigners_of(files, text, asked.cosigners)
    held = _held(files, asked, signed, report)
    progress("chain", 0, 1)
    case = open_case(manifest, files)
    if signed is not None:
        check_period(signed, len(case.envelopes), case.envelopes[-1].at)
    given = [GivenEngine(files[name]) for name in ARCHIVES if name in files]
    shelf = shelf._replace(places=(*shelf.places, *given))
    papers = {name: files[name] for name in LOG_PAPERS if name in files}
    files.clear()
    _note_case(case, report)
    _check_head(case, asked.head)
    signed_orders = check_signatures(case)
    report.facts["orders"] = signed_orders.grade
    if signed_orders.signed:
        told = f"{signed_orders.signed} orders are signed by their seats"
        report.passed("signed orders", told, signed_orders.signed)
    _note_cosigned(cosigned, asked, report)
    asked = asked._replace(receipts=each_once([*held, *asked.receipts]))
    contested, owed = _check_receipts(case, asked, signed, report)
    word = _check_log(case, asked, papers, owed, report)
    progress("dice", 0, 1)
    dice = DiceCheck(case)
    report.notes.extend(
        f"Event {seq}: the service's store went back, and what may have followed is lost. The dice "
        "after it come from new chains, of the seats as well; orders that were given and not kept "
        "are not in this record."
        for seq in dice.started
    )
    _note_dice(case, dice, report)
    if case.master:
        last = len(case.envelopes)
        check_master(case, dice, case.master, last)
        report.passed("secrets", "the master makes the chains that were committed to", 1)
    if asked.master:
        check_master(case, dice, asked.master, len(case.envelopes))
        report.passed("escrow", "the master that was opened makes the chains of the game", 1)
        if not case.master:
            report.notes.append(_from_escrow(case, dice))
    rules = _rules(case, shelf, dice, progress, report)
    origin = report.facts["origin"] = _origin(case, asked, signed, word)
    by = dice_by(dice.records, case.created.setup.seats, case.created.seed_named, dice.grades)
    report.facts["vouched"] = vouched(rules.by, by, signed_orders.by, origin, word.time)
    listed = None if signed is None else signed.keys
    report.facts["ages"] = ages(listed, asked.root, carry.table(), asked.now)
    if contested:
        return report.verdict(CANNOT_JUDGE, reason=contested)
    if rules.doubt:
        return report.verdict(NOT_VOUCHED, reason=rules.doubt)
    if asked.grade and ORDER.index(report.facts["grade"]) < ORDER.index(asked.grade):
        return report.verdict(LOWER_GRADE)
    return report.verdict(UPHELD)


def _note_case(case: Case, report: _Report) -> None:
    created, manifest = case.created, case.manifest
    report.facts.update(
        ruleset=created.rules.ruleset,
        version=created.rules.version,
        scope=manifest.scope,
        events=len(case.envelopes),
        head=manifest.head.hash,
    )
    report.notes.extend(_ruled(case))
    _note_escrow(case, report)
    if isinstance(case.closed, GameAbandoned):
        report.notes.append(_left(case.closed))
    elif isinstance(case.closed, Forfeited):
        report.facts["result"] = msgspec.to_builtins(case.closed.result)
        report.notes.append(_forfeited(case.closed))
    elif isinstance(case.closed, GameClosed):
        report.facts["result"] = msgspec.to_builtins(case.closed.result)
    events = len(case.envelopes)
    report.passed("chain", f"{events} events, each hashed and linked to the one before", events)
    openings = len(case.openings)
    report.passed("seals", f"{openings} openings are what was sealed", openings)
    report.passed("orders", f"{len(case.orders)} orders have their digests", len(case.orders))
    if created.seed_named:
        report.notes.append(
            "The creator named the seed of the dice, which proves repetition only: "
            "an unranked game."
        )
    report.notes.extend(
        f"{seat} is played by a bot of the service ({bot.name}, {bot.strength}): it gives no "
        "independent entropy, and its orders are the service's own."
        for seat, bot in ({} if created.bots is UNSET else created.bots).items()
    )
    fork = case.created.setup.fork
    if fork is not None:
        report.notes.append(
            f"A what-if: its beginning, a position of game {fork.game} at version {fork.version}, "
            "is taken as it is; what follows is judged."
        )
    if not case.has_rules:
        report.notes.append("The exporter had another version of the rules than judged the game.")
    if not case.master:
        what = "the game is not over"
        if case.closed:
            what = "the game is over and its master is not opened yet"
        report.notes.append(f"In this file {what}: what is still sealed is not judged.")


def _note_cosigned(found: Sequence[VerifyKey], asked: Asked, report: _Report) -> None:
    """Who vouches for the file besides the service."""
    if found:
        names = ", ".join(key.hint for key in found)
        report.passed("cosigned", f"{len(found)} have cosigned the manifest: {names}", len(found))
    if strange := [key.hint for key in found if key not in asked.cosigners]:
        report.notes.append(
            f"Cosigned by {', '.join(strange)}: nobody has said here whose key that is "
            "(--cosigner VKEY)."
        )


def _note_escrow(case: Case, report: _Report) -> None:
    """With whom the master is, so that a service which is gone or stalls is not needed."""
    kept = case.created.escrow
    if kept is UNSET:
        return
    changes = key_changes(case.records.items())
    keys = {key.public for _, _, key in changes if key is not None}
    wrong = well_formed(kept, keys)
    need(not wrong, "record", 1, "escrow of the master", wrong, ", ".join(e.keeper for e in kept))
    names = ", ".join(each.keeper for each in kept)
    report.notes.append(
        f"The master is in escrow in shares, of which two open it, with {names}. That the shares "
        "are of this master shows when two are opened."
    )


def _from_escrow(case: Case, dice: DiceCheck) -> str:
    """What stands open in a game whose master two keepers have opened."""
    waits = f"; batch {dice.wanted} waits for its dice" if dice.wanted else ""
    return (
        f"The game is not over after event {len(case.envelopes)}, and its master was opened from "
        f"escrow{waits}: its dice can be rolled without the service, and nobody can roll others."
    )


def _ruled(case: Case) -> Iterator[str]:
    """Where the operator stepped in, or the service fell short: that it was right is nothing that
    is judged."""
    for seq, record in case.records.items():
        if isinstance(record, EndedByRuling):
            yield (
                f"Event {seq}: the operator ended the game by ruling, and it has no "
                f"result: {quoted(record.reason)}."
            )
        elif isinstance(record, LinksClosed) and record.unlogged is not UNSET:
            yield (
                f"Event {seq}: no link was taken for batch {record.t}: the public log did not have "
                "the lock in time. That its grade is lower is the service's doing, not the seats'."
            )
        elif isinstance(record, KeyChanged):
            yield f"Event {seq}: {key_said(record)}"
        elif isinstance(record, BatchVoided):
            told = f": {quoted(record.reason)}" if record.reason else ""
            yield f"Event {seq}: the operator voided batch {record.t} and the locked order{told}."
        elif isinstance(record, Paused):
            what = "stopped the clocks of" if record.orders else "froze"
            told = f": {quoted(record.reason)}" if record.reason else ""
            yield f"Event {seq}: the operator {what} the game{told}."


def _left(end: GameAbandoned) -> str:
    if end.days is UNSET:
        return "Nobody joined the game: it was abandoned and has no result."
    return (
        f"Nobody gave a command for {end.days} days: the service ended the game, and it has no "
        "result. How long it was is the service's own word."
    )


def _forfeited(end: Forfeited) -> str:
    return (
        f"Forfeited by {', '.join(end.seats)}, absent from the dice {end.absences} times: no rule "
        "of the game has ended it. That no link came in time is the service's word; whoever has a "
        "receipt for one convicts it."
    )


def _check_head(case: Case, head: str) -> None:
    if head and head not in _hashes(case):
        raise refute("chain", 0, "a known event", head, "no event with this hash")


def _hashes(case: Case) -> list[str]:
    """The hash of each event, in order."""
    return [*(envelope.prev for envelope in case.envelopes[1:]), case.manifest.head.hash]


def _held(
    files: Mapping[str, bytes], asked: Asked, signed: Signed | None, report: _Report
) -> tuple[Given, ...]:
    """The receipts in the file that can be judged: without a root that vouches for the service's
    keys, whoever made the file could have made them."""
    held = receipts_in(files)
    if asked.root is None or signed is None:
        if held:
            report.notes.append(f"{len(held)} receipts are not judged: no --root.")
        return ()
    for each in held:
        check_own(each, signed.keys)
    return held


def _check_receipts(
    case: Case, asked: Asked, signed: Signed | None, report: _Report
) -> tuple[str, list[Owed]]:
    """What the service has said that it took has to be there: or the service is convicted.

    Returns why that cannot be told, where the record lacks what only a key has signed that did not
    count then, "" where it can; and what the log has to have of it, by when.
    """
    if not asked.receipts:
        return "", []
    assert signed is not None, "receipts are judged by the list of a root key"
    genuine = [given.receipt for given in asked.receipts if signer_of(given, signed.keys)]
    contested = [given.receipt for given in asked.receipts if is_contested(given, signed.keys)]
    ahead = check_receipts(case, _hashes(case), genuine)
    there = len(genuine) - ahead
    report.passed("receipts", f"{there} receipts have their events", there)
    if contested:
        report.notes.append(
            f"{len(contested)} receipts are of a key that did not count when they say they were "
            "signed: taken back, or not in its time."
        )
    if strange := len(asked.receipts) - len(genuine) - len(contested):
        report.notes.append(f"{strange} receipts are of no key of this service: not judged.")
    if ahead:
        report.notes.append(f"{ahead} receipts are of events after the end of this file.")
    owed = [Owed(each.seq, each.head, each.log_by) for each in genuine]
    return _contested(case, contested), owed


def _contested(case: Case, contested: Sequence[Receipt]) -> str:
    try:
        check_receipts(case, _hashes(case), contested)
    except Refuted as error:
        return (
            "a receipt was signed by a key of the service at a time at which it did not count, and "
            f"the record lacks what it is for ({error}): the service owes it, or whoever stole the "
            "key made it up; nobody can tell which"
        )
    return ""


def _check_log(
    case: Case, asked: Asked, papers: Mapping[str, bytes], owed: Sequence[Owed], report: _Report
) -> LogWord:
    """What a public log says of the last event, and with it of all."""
    if asked.log is None:
        word = UNREAD if papers else LogWord()
    else:
        manifest = case.manifest
        word = asked.log(papers, manifest.game, manifest.head.seq, manifest.head.hash, owed)
    if word.check:
        report.passed("log", word.check, 1)
    report.notes.extend(filter(None, [word.note, *word.broken]))
    return word


def _origin(case: Case, asked: Asked, signed: Signed | None, word: LogWord) -> str:
    """The same with what a public log shows: it can stand alone, or beside the rest."""
    shown = _shown(case, asked, signed)
    if not word.origin:
        return shown
    return word.origin if shown.startswith("not proven") else f"{shown}; {word.origin}"


def _shown(case: Case, asked: Asked, signed: Signed | None) -> str:
    """What shows that this is the record that was played. What everybody may know does not:
    whoever has a finished one knows its master, and can make another that holds as well."""
    told = _signed_by(asked, signed)
    if asked.head:
        shown = f"shown up to event {_hashes(case).index(asked.head) + 1}, whose hash was given"
        return f"{told}; {shown}" if told else shown
    return told or "not proven: unsigned, and no --head was given"


def _signed_by(asked: Asked, signed: Signed | None) -> str:
    """By the service, and by those whom the caller names; "" by nobody."""
    own = "" if signed is None else signed.origin(asked.root)
    if not asked.cosigners:
        return own
    names = ", ".join(key.hint for key in asked.cosigners)
    cosigned = f"shown: cosigned by {names}, whom you named"
    return f"{own}; {cosigned}" if own.startswith("shown") else cosigned


def _note_dice(case: Case, dice: DiceCheck, report: _Report) -> None:
    named, seats = case.created.seed_named, case.created.setup.seats
    report.facts["grade"] = NO_GRADE if named else dice.grade or case.created.grade
    report.facts["batches"] = tuple(
        BatchJudged(t=batch.t, grade=grade, seats=tuple(compress(seats, batch.player_links)))
        for batch, grade in zip(dice.records, dice.grades, strict=True)
    )
    report.facts["absences"] = dice.absences
    batches = len(dice.batches)
    report.passed("dice", f"{dice.faces} faces in {batches} batches, each rolled again", dice.faces)
    if dice.sealed:
        report.notes.append(
            f"{dice.sealed} batches are sealed from {case.manifest.viewer} until the game is over; "
            "only their numbers and the players' links are judged."
        )


# The rules


class _Part(NamedTuple):
    """What judges from the start, or from a change of the rules on.

    by      who vouches for it
    used    what the game names
    doubt   why nobody vouches for it; "" where somebody does
    others  whether they are the installed rules in the place of others, which were not found
    """

    rules: Rules
    used: RulesUsed
    by: str
    doubt: str = ""
    others: Game[Any, Any, Any] | None = None


class _Judged(NamedTuple):
    """Who vouches for the rules; ``doubt``: why nobody does, "" where somebody does."""

    by: str
    doubt: str


def _rules(
    case: Case, shelf: Shelf, dice: DiceCheck, progress: Progress, report: _Report
) -> _Judged:
    """Decides everything again."""
    changes = [each for each in case.records.values() if isinstance(each, RulesChanged)]
    asked = [""]
    with ExitStack() as stack:
        chosen = _Chooser(case, shelf, report, stack, asked)
        used = (case.created.rules, *(change.new for change in changes))
        parts = [chosen.part(each) for each in used]
        strange = next((part for part in parts if part.others is not None), None)
        try:
            judge_odds, rules = strange is None, [part.rules for part in parts]
            rerun = run_rules(rules, case, dice.batches, progress, judge_odds=judge_odds)
        except Refuted as error:
            if strange is None:
                raise
            raise Undecidable(_other_version(strange, error)) from None
        except Failed as error:
            raise Undecidable(f"the engine did not run ({asked[-1]}): {error}") from None
    _note_rules(rerun, case, report)
    report.notes.extend(f"Decided again by {name}." for name in chosen.apart)
    report.notes.extend(
        f"Event {change.since}: all seats agreed to go on under {change.new.ruleset} "
        f"{change.new.version} ({change.new.digest[:16]}); what follows is judged by it."
        for change in changes
    )
    doubt = next((part.doubt for part in parts if part.doubt), "")
    by = "nobody: see the reason" if doubt else "; ".join(dict.fromkeys(p.by for p in parts))
    return _Judged(by, doubt)


class _Chooser:
    """Finds what judges by each of the rules that a game names.

    apart  names of the engines that run in processes apart, which end with ``stack``
    asked  the name of that which was asked last, at its end
    """

    def __init__(
        self, case: Case, shelf: Shelf, report: _Report, stack: ExitStack, asked: list[str]
    ) -> None:
        self._setup = case.created.setup
        self._shelf, self._report = shelf, report
        self._stack, self._asked = stack, asked
        self._known: dict[str, _Part] = {}
        self.apart: list[str] = []

    def part(self, used: RulesUsed) -> _Part:
        """By which these are judged. Raises Undecidable where there is nothing."""
        if used.digest not in self._known:
            self._known[used.digest] = self._found(used)
        return self._known[used.digest]

    def _found(self, used: RulesUsed) -> _Part:
        game = self._shelf.games.get(used.ruleset)
        if game is not None and are_installed(game, used):
            by = f"this judge: {used.ruleset} {used.version} is installed here"
            return _Part(self._installed(game), used, by)
        looked = search(used, self._shelf.places, self._shelf.trusted)
        for place in looked.strange:
            text = f"What {place} has for these rules has another digest: not used."
            self._report.notes.append(text)
        if looked.found is not None:
            return self._by_engine(used, looked.found)
        if game is None:
            raise Undecidable(
                f"the ruleset {used.ruleset} {used.version} is not installed here, and its engine "
                f"{used.digest} was not found"
            )
        doubt = (
            f"decided under {used.ruleset} {used.version} ({used.digest[:16]}), which was not "
            f"found; the installed {game.version} is another and decides every order in the same "
            "way"
        )
        return _Part(self._installed(game), used, "", doubt, game)

    def _installed(self, game: Game[Any, Any, Any]) -> Rules:
        return Installed(played(game, fork=self._setup.fork is not None))

    def _by_engine(self, used: RulesUsed, found: Found) -> _Part:
        """By the engine that the game names, in a process apart."""
        name = f"{used.ruleset} {used.version}, engine {found.digest[:16]} from {found.place}"
        try:
            answer = self._stack.enter_context(self._shelf.apart(found))
        except Failed as error:
            raise Undecidable(f"the engine did not run ({name}): {error}") from None

        def ask(request: bytes) -> bytes:
            self._asked[-1] = name
            return answer(request)

        self.apart.append(name)
        doubt = (
            f"the rules ({name}) are not on this judge's list: whoever made the file may have "
            "made them. Everything else was judged; --trust-engine says that you know them"
        )
        doubt = "" if found.vouched else doubt
        by = "you, by --trust-engine" if found.digest in self._shelf.trusted else "this judge"
        rules = Answers(ask, used.ruleset, used.version, self._setup)
        return _Part(rules, used, f"{by}: {name}", doubt)


def _other_version(strange: _Part, error: Refuted) -> str:
    game, used, finding = strange.others, strange.used, error.finding
    assert game is not None
    return (
        f"the game was decided under {used.ruleset} {used.version} (rules {used.digest[:16]}), "
        f"which was not found; the installed version is {game.version} and differs at event "
        f"{finding.seq}: {finding.what}: {finding.expected} here, {finding.found} there; use "
        f"{used.ruleset} {used.version}"
    )


def _note_rules(rerun: Rerun, case: Case, report: _Report) -> None:
    text = f"{rerun.orders} orders decided again, {rerun.digests} digests of the state compared"
    report.passed("rules", text, rerun.orders)
    if rerun.taken:
        report.notes.append(
            f"{rerun.taken} batches of events were sealed from {case.manifest.viewer} "
            "and are taken as they are."
        )
