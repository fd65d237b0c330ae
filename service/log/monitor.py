"""Watches a log for somebody who plays: it takes nothing back, tells all one tale, keeps games.

It reads every leaf once, as an auditing witness does, and keeps what it knows in a ledger of its
own. Heads of others (witnesses, friends, bundles) are compared with the log's own tree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from . import border, conviction, stamp, tiles
from .checkpoint import open_checkpoint
from .complete import Count
from .conviction import Conviction, NotProven
from .leaf import Leaf, LeafWrong, read_leaf
from .ledger import Known, Ledger, Repeated
from .note import NoteWrong, VerifyKey
from .remote import RemoteLog, Unreachable
from .serving import NEWEST
from .tiles import TileWrong, fetched_leaves
from .tree import Frontier, ProofWrong, check_consistency, consistency, leaf_hash
from .witness import keep_conviction

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

CHECKPOINT = "checkpoint"
OTHERS = "the leaves that are served are not those that were signed"


NOTHING: Final[Mapping[Leaf, str]] = MappingProxyType({})

Wanted = dict[tuple[str, int], list[tuple[str, Leaf]]]
"""By tag and number: each leaf that has to be in the log, with what it is."""


class Finding(NamedTuple):
    """What a look came to, one line.

    kind  "well": as it should be; "unknown": cannot be told now; "alarm": the log does not keep
          what it promised
    file  that convicts, where there is one
    """

    kind: Literal["well", "unknown", "alarm"]
    text: str
    file: str = ""


class Monitor:
    """Of one log. ``folder``: for its ledger and for what it finds."""

    def __init__(self, key: VerifyKey, files: RemoteLog, folder: Path) -> None:
        self._key = key
        self._files = files
        self._folder = folder
        self._ledger = Ledger(folder / "ledger.sqlite")

    def close(self) -> None:
        self._ledger.close()

    def look(
        self,
        heads: Sequence[tuple[str, str]] = (),
        leaves: Sequence[tuple[str, Leaf]] = (),
        not_yet: Mapping[Leaf, str] = NOTHING,
        *,
        complete: bool = False,
        roots: Sequence[Certificate] | None = None,
    ) -> Iterator[Finding]:
        """Go on from the latest look.

        heads   signed checkpoints of this log that others have, each with whose it is
        leaves  that have to be in it, each with what it is
        not_yet  those that may still be missing, each with the time until when
        complete  whether ``leaves`` have to be those of all games, up to the newest event of each
        roots     of time-stamping authorities: the newest stamp is checked, and the newest that was
                  found good before; None: none is
        """
        known = self._ledger.known(self._key.name)
        try:
            text = self._files.text(CHECKPOINT)
            yield self._grown(known, text)
        except KeyError as error:
            yield Finding("unknown", f"the log does not give {error}")
            return
        except (Unreachable, TileWrong) as error:
            yield Finding("unknown", f"the log cannot be read: {error}")
            return
        except (NoteWrong, LeafWrong) as error:
            yield Finding("alarm", str(error))
            return
        known = self._ledger.known(self._key.name)
        for whose, other in heads:
            yield self._compared(known, whose, other)
        if roots is not None:
            yield from self._stamps(known, roots)
        if leaves or complete:
            count = Count() if complete else None
            yield from self._kept(known, leaves, not_yet, count)

    def _grown(self, known: Known, text: str) -> Finding:
        _, head = open_checkpoint(text, self._key)
        size = known.tree.size
        if head.size < size:
            back = f"the log went back from {size} leaves to {head.size}: "
            return self._convicted(known.note, text, back)
        nodes = tiles.nodes_from(self._files.fetch, head.size)
        try:
            proof = consistency(size, head.size, nodes)
            check_consistency(size, known.tree.root(), head.size, head.root, proof)
            new = fetched_leaves(self._files.fetch, size, head.size)
            seen = self._ledger.audited(self._key.name, known.tree, new)
        except ProofWrong:
            return self._convicted(known.note, text, "the log does not go on from what it was: ")
        except Repeated as error:
            return self._repeated(text, error)
        if seen.tree.root() != head.root:
            return Finding("alarm", OTHERS)
        self._ledger.keep(self._key.name, seen, text)
        return Finding("well", f"{head.size} leaves, {head.size - size} of them new")

    def _repeated(self, text: str, error: Repeated) -> Finding:
        try:
            told = conviction.repeated(self._key, text, error.number, self._files.fetch)
        except (NotProven, Unreachable) as why:
            return Finding("alarm", f"{error} ({why})")
        return self._alarm(told)

    def _compared(self, known: Known, whose: str, other: str) -> Finding:
        """Whether what somebody else was shown is the same log."""
        try:
            _, head = open_checkpoint(other, self._key)
        except NoteWrong as error:
            return Finding("unknown", f"{whose}: {error}")
        size = known.tree.size
        if head.size > size:
            return Finding("unknown", f"{whose} has seen {head.size} leaves: look again later")
        nodes = tiles.nodes_from(self._files.fetch, size)
        try:
            # By a proof up to the tree that was read: the tiles alone may be anybody's.
            proof = consistency(head.size, size, nodes)
            check_consistency(head.size, head.root, size, known.tree.root(), proof)
        except (KeyError, Unreachable, TileWrong) as error:
            return Finding("unknown", f"{whose}: the tiles cannot be had: {error}")
        except ProofWrong:
            return self._convicted(other, known.note, f"{whose} was shown another log: ")
        return Finding("well", f"{whose} has seen the same, up to {head.size} leaves")

    def _stamps(self, known: Known, roots: Sequence[Certificate]) -> Iterator[Finding]:
        """The newest stamp, and the newest that a look has found good: it has to stay there."""
        seen = self._ledger.stamped(self._key.name)
        try:
            stamp.library()
            days = [each.day for each in stamp.read_index(self._index())]
        except (Unreachable, stamp.StampUnread) as error:
            yield Finding("unknown", f"no time stamp: {error}")
            return
        except stamp.StampWrong as error:
            yield Finding("alarm", f"the time stamps: {error}")
            return
        if seen is not None and seen not in days:
            yield Finding("alarm", f"the time stamp of {seen}, which was seen, is gone")
        elif not days:
            yield Finding("unknown", f"no time stamp: none is named in {stamp.INDEX}")
        for day in sorted({*days[-1:], *(each for each in days if each == seen)}):
            yield from self._stamped(known, roots, day, seen=day == seen)

    def _index(self) -> str:
        try:
            return self._files.text(stamp.INDEX)
        except KeyError:
            return ""

    def _stamped(
        self, known: Known, roots: Sequence[Certificate], day: date, *, seen: bool
    ) -> Iterator[Finding]:
        """Whether a stamp is one, and its head is of this log. seen: it was found good before."""
        try:
            text = self._files.text(stamp.day_path(day, stamp.CHECKPOINT))
            token = self._files.fetch(stamp.day_path(day, stamp.TOKEN))
            found = stamp.check(token, text, roots)
        except Unreachable as error:
            yield Finding("unknown", f"no time stamp of {day}: {error}")
            return
        except (KeyError, stamp.StampUnread) as error:
            if seen:
                yield Finding(
                    "alarm",
                    f"the time stamp of {day}, which was seen, cannot be checked any more: {error}",
                )
            else:
                yield Finding("unknown", f"no time stamp of {day}: {error}")
            return
        except stamp.StampWrong as error:
            yield Finding("alarm", f"the time stamp of {day} is none: {error}")
            return
        self._ledger.keep_stamped(self._key.name, day)
        when = border.told(found.at)
        yield Finding("well", f"the head of {day} was there at {when}, says {found.by}")
        yield self._compared(known, f"the head that is stamped, of {day}", text)

    def _convicted(self, first: str, second: str, before: str) -> Finding:
        try:
            told = conviction.split_view(self._key, first, second, self._files.fetch)
        except (NotProven, NoteWrong, Unreachable) as error:
            return Finding("alarm", f"{before}{error}")
        return self._alarm(told, before)

    def _alarm(self, told: Conviction, before: str = "") -> Finding:
        path = keep_conviction(self._folder / "convictions", told)
        return Finding("alarm", before + told.judge(self._key), str(path))

    def _kept(
        self, known: Known, leaves: Sequence[tuple[str, Leaf]], not_yet: Mapping[Leaf, str],
        count: Count | None,
    ) -> Iterator[Finding]:  # fmt: skip
        wanted: Wanted = {}
        for what, leaf in leaves:
            wanted.setdefault((leaf.tag, leaf.seq), []).append((what, leaf))
        again, found = Frontier(), list[Finding]()
        try:
            for data in fetched_leaves(self._files.fetch, 0, known.tree.size):
                again.add(leaf_hash(data))
                leaf = read_leaf(data)
                found.extend(_met(wanted, leaf))
                if count is not None:
                    count.add(leaf)
        except (KeyError, Unreachable, TileWrong) as error:
            yield Finding("unknown", f"the leaves cannot be read: {error}")
            return
        except LeafWrong:
            yield Finding("alarm", OTHERS)
            return
        if again.root() != known.tree.root():
            yield Finding("alarm", OTHERS)
            return
        yield from found
        for what, leaf in chain.from_iterable(wanted.values()):
            if leaf in not_yet:
                told = f"not in the log yet: until {not_yet[leaf]} it need not be"
                yield Finding("unknown", f"{what}: event {leaf.seq} is {told}")
            else:
                yield Finding("alarm", f"{what}: event {leaf.seq} is not in the log")
        if count is not None:
            yield from _completeness(count, leaves)


def _completeness(count: Count, told: Sequence[tuple[str, Leaf]]) -> Iterator[Finding]:
    left_out = list(count.left_out(told))
    for each in left_out:
        yield Finding("alarm", each)
    if count.doubt:
        yield Finding("unknown", count.doubt)
    if left_out:
        yield Finding("alarm", f"not complete: {count.total(told)}")
    elif count.doubt:
        yield Finding("unknown", f"complete but for those: {count.total(told)}")
    else:
        yield Finding("well", f"complete: {count.total(told)}")


def _met(wanted: Wanted, found: Leaf) -> Iterator[Finding]:
    for what, leaf in wanted.pop((found.tag, found.seq), ()):
        if found.hash == leaf.hash:
            yield Finding("well", f"{what}: event {leaf.seq} is in the log")
        else:
            yield Finding("alarm", f"{what}: the log has another event {leaf.seq}, {found.hash}")


def head_of(witness: RemoteLog, key: VerifyKey) -> str:
    """The head of a log that a witness has cosigned last. Raises KeyError, Unreachable."""
    return witness.text(NEWEST.removeprefix("/") + hashlib.sha256(key.name.encode()).hexdigest())
