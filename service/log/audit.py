"""What the whole log of a service comes to, as anybody can count it again.

The leaves alone tell how many games there are, how long each is by now, and whether a number of
one is missing. Files of the games tell the rest: how they ended, on what grade of dice, who was
absent, how often each face fell. A file is counted only where the log has each of its events, and
its dice are rolled again; its orders are not decided again (``decklog verify`` does).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET

from projections import faces
from projections.faces import Counts
from projections.luck import Trial

from ..evidence.bundle import KEYS
from ..evidence.casefile import Case, Unreadable, open_case, unpack
from ..evidence.dicecheck import DiceCheck, check_master
from ..evidence.records import (
    BatchRolled,
    EndedByRuling,
    Forfeited,
    GameAbandoned,
    GameClosed,
    RulesUsed,
    SeatTakenRecord,
)
from ..evidence.verdict import Refuted, Undecidable
from .checkpoint import open_checkpoint
from .complete import NAMED, Count, OfSeries
from .leaf import SERIES, Leaf, read_leaf, tag_of
from .monitor import CHECKPOINT, OTHERS, Finding
from .note import VerifyKey
from .tiles import Fetch, fetched_leaves
from .tree import Frontier, leaf_hash

IN_PLAY, CLOSED, ABANDONED, RULED = "in play", "closed", "abandoned", "ended by ruling"
FORFEITED = "forfeited"
ENDINGS = (CLOSED, ABANDONED, FORFEITED, RULED, IN_PLAY)

Complete = Literal["", "series", "log"]
"""Of what the files are to have all games: of nothing, of the series that they name, of the log;
besides those of a player, where his secret is opened."""

Vouches = Callable[[RulesUsed], bool]
"""Whether the judge knows these rules."""


class Told(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A game, as its file tells of it.

    ending    one of ENDINGS
    opened    whether the master is opened
    promised  grade of the dice that the game was made with; ``grade``: the lowest that was
              reached, "none" where the seed was named, "" where nothing was rolled
    absences  by seat that had a chain of its own: how many batches have no link of it
    epochs    how often the store went back; ``voided``: batches that were discarded
    vouched   whether this judge knows the rules; ``rules``: their digest
    series    that the game is of, in hex; "" for none
    """

    file: str
    game: str
    ruleset: str
    version: str
    rules: str
    vouched: bool
    events: int
    ending: str
    opened: bool
    promised: str
    grade: str
    batches: int
    absences: dict[str, int]
    epochs: int
    voided: int
    series: str = ""


class Held(NamedTuple):
    """A file in hand.

    hashes  of its events, in order
    keys    the list of the service's keys in it; b"" where it is not signed
    marks   by which its seats are counted as games of their players
    """

    told: Told
    tag: str
    hashes: tuple[str, ...]
    faces: Counts
    keys: bytes
    marks: tuple[str, ...]

    @property
    def last(self) -> Leaf:
        """The leaf of its last event."""
        return Leaf(self.tag, len(self.hashes), self.hashes[-1])

    @property
    def of_series(self) -> OfSeries:
        """Where it says that it belongs."""
        return OfSeries(self.told.file, self.told.series, self.hashes[0])


def read_file(file: str, data: bytes, vouches: Vouches) -> Held:
    """A file, with its dice rolled again. Raises ValueError where it is none, contradicts itself,
    or is of a kind that this judge does not know."""
    try:
        manifest, files = unpack(data)
        case = open_case(manifest, files)
        dice = DiceCheck(case)
        if case.master:
            check_master(case, dice, case.master, len(case.envelopes))
    except Unreadable as error:
        raise ValueError(f"this is no evidence file ({error})") from None
    except Refuted as error:
        raise ValueError(f"it contradicts itself ({error})") from None
    except Undecidable as error:
        raise ValueError(f"it cannot be judged here ({error})") from None
    game, created = manifest.game, case.created
    told = Told(
        file=file, game=game, ruleset=created.rules.ruleset, version=created.rules.version,
        rules=created.rules.digest, vouched=vouches(created.rules), events=len(case.envelopes),
        ending=_ending(case), opened=bool(case.master), promised=created.grade,
        grade="none" if created.seed_named else dice.grade, batches=len(dice.records),
        absences=dice.absences, epochs=len(dice.started), voided=len(dice.voided),
        series="" if created.series is UNSET else created.series,
    )  # fmt: skip
    hashes = (*(each.prev for each in case.envelopes[1:]), manifest.head.hash)
    return Held(
        told, tag_of(game), hashes, _faces(dice.records), files.get(KEYS, b""), _marks(case)
    )


def _marks(case: Case) -> tuple[str, ...]:
    seats = (each for each in case.records.values() if isinstance(each, SeatTakenRecord))
    return tuple(each.mark for each in seats if each.mark is not UNSET)


def _ending(case: Case) -> str:
    match case.closed:
        case None:
            return IN_PLAY
        case GameClosed():
            return CLOSED
        case GameAbandoned():
            return ABANDONED
        case Forfeited():
            return FORFEITED
        case EndedByRuling():
            return RULED


def _faces(batches: Sequence[BatchRolled]) -> Counts:
    """Of the dice that are open in it."""
    found: dict[int, list[int]] = {}
    for batch in batches:
        for roll in batch.rolls if batch.is_open else ():
            for pool, fallen in zip(roll.pools, roll.faces, strict=True):
                counts = found.setdefault(pool.sides, [0] * pool.sides)
                for face in fallen:
                    counts[face - 1] += 1
    return found


class Leaves(Count):
    """All leaves of a log, one after the other, and what of the files is among them.

    events  leaves; ``gaps``: each break in the numbers of a game, as a finding
    """

    def __init__(self, held: Sequence[Held]) -> None:
        super().__init__()
        self.events = 0
        self.gaps: list[Finding] = []
        self._numbers: dict[str, int] = {}
        self._reached: dict[str, int] = {}
        self._held: dict[str, list[Held]] = {}
        for each in held:
            self._held.setdefault(each.tag, []).append(each)
        self._met: dict[str, set[int]] = {}
        self._other: dict[str, int] = {}

    def add(self, leaf: Leaf) -> None:
        super().add(leaf)
        before = self._numbers.get(leaf.tag, 0)
        if leaf.seq != before + 1:
            self.gaps.append(_gap(leaf, before))
        self._numbers[leaf.tag] = max(before, leaf.seq)
        if leaf.form == SERIES:
            return
        self.events += 1
        self._reached[leaf.tag] = self._numbers[leaf.tag]
        for each in self._held.get(leaf.tag, ()):
            if leaf.seq <= len(each.hashes):
                self._meet(each, leaf)

    def _meet(self, held: Held, leaf: Leaf) -> None:
        if held.hashes[leaf.seq - 1] == leaf.hash:
            self._met.setdefault(held.told.file, set()).add(leaf.seq)
        else:
            self._other.setdefault(held.told.file, leaf.seq)

    @property
    def longest(self) -> int:
        """Events of the longest game."""
        return max(self._reached.values(), default=0)

    @property
    def games(self) -> int:
        """Their number, of the former form too."""
        return len(self._reached)

    def wrong(self, held: Held) -> str:
        """Why a file is no part of this log; "" where it is."""
        file, met = held.told.file, len(self._met.get(held.told.file, ()))
        if file in self._other:
            return f"the log has another event {self._other[file]}"
        if not met:
            return "its game is not in the log"
        missing = len(held.hashes) - met
        return f"{missing} of its {len(held.hashes)} events are not in the log" if missing else ""


def _gap(leaf: Leaf, before: int) -> Finding:
    whole, part = ("series", "game") if leaf.form == SERIES else ("game", "event")
    if leaf.seq <= before:
        why = f"{part} {leaf.seq} stands behind {part} {before}: one of them is logged twice"
    elif before:
        why = f"{part} {leaf.seq} follows {part} {before}: what is between them is missing"
    else:
        why = f"the first {part} that is logged is number {leaf.seq}"
    return Finding("alarm", f"the {whole} {leaf.tag}: {why}")


class Counted(NamedTuple):
    """What came of it.

    games     one file each: the longest one, and of two as long the opened one
    strange   why each of the others is not counted
    unsigned  whether the leaves are not those that the head is of: nothing else is told then
    """

    size: int
    root: bytes
    leaves: Leaves
    games: tuple[Held, ...]
    strange: tuple[Finding, ...]
    unsigned: bool = False

    def findings(self, complete: Complete, player: bytes = b"") -> Iterator[Finding]:
        """What is not as it should be; ``complete``: of what the files are to have all games.

        player  the secret that he has opened
        """
        if self.unsigned:
            yield Finding("alarm", OTHERS)
            return
        yield from self.leaves.gaps[:NAMED]
        if len(self.leaves.gaps) > NAMED:
            yield Finding("alarm", f"{len(self.leaves.gaps) - NAMED} more breaks in the numbers")
        yield from self.strange
        of_series = [each.of_series for each in self.games if each.told.series]
        for held in self.games:
            if not all(self.leaves.counts(mark, {*held.hashes}) for mark in held.marks):
                why = "has the mark of a player's game, and the log counts it not"
                yield Finding("alarm", f"{held.told.file} {why}")
        if player:
            here = {each for game in self.games for each in game.hashes}
            missing = self.leaves.left_out_of_player(player, here)
            yield from (Finding("alarm", each) for each in missing)
        if complete in ("series", "log"):
            missing = self.leaves.left_out_of_series(of_series)
            yield from (Finding("alarm", each) for each in missing)
        if complete == "log":
            told = [(each.told.file, each.last) for each in self.games]
            yield from (Finding("alarm", each) for each in self.leaves.left_out(told))
            if self.leaves.doubt:
                yield Finding("unknown", self.leaves.doubt)

    def trials(self) -> list[Trial]:
        """Of the faces of all games together."""
        found: dict[int, list[int]] = {}
        for held in self.games:
            for sides, counts in held.faces.items():
                before = found.get(sides, [0] * sides)
                found[sides] = [a + b for a, b in zip(before, counts, strict=True)]
        return faces.trials(found)


def count(
    key: VerifyKey, fetch: Fetch, held: Sequence[Held], progress: Callable[[int, int], None]
) -> Counted:
    """Read the log from its first leaf to its newest head, which ``key`` has to have signed.

    Raises NoteWrong for a head that is none, LeafWrong, and KeyError, TileWrong, Unreachable where
    the log cannot be read.
    """
    _, head = open_checkpoint(fetch(CHECKPOINT).decode("utf-8", "replace"), key)
    grown, leaves = Frontier(), Leaves(held)
    for data in fetched_leaves(fetch, 0, head.size):
        grown.add(leaf_hash(data))
        leaves.add(read_leaf(data))
        if grown.size % 1000 == 0:
            progress(grown.size, head.size)
    strange = {each.told.file: leaves.wrong(each) for each in held}
    found = [Finding("alarm", f"{file}: {why}") for file, why in strange.items() if why]
    games = _one_each([each for each in held if not strange[each.told.file]])
    other = grown.root() != head.root
    return Counted(head.size, head.root, leaves, tuple(games), tuple(found), other)


def _one_each(held: Sequence[Held]) -> list[Held]:
    found: dict[str, Held] = {}
    for each in sorted(held, key=lambda one: (one.told.events, one.told.opened)):
        found[each.tag] = each
    return list(found.values())


def promised_more(told: Told) -> bool:
    """Whether dice were promised at a higher grade than they had."""
    return bool(told.grade) and told.grade != "none" and told.grade < told.promised
