"""By when a log had something: heads that witnesses have dated, held against times and promises.

Who steals the log's key, or the witnesses', can sign any tree from then on. So whoever knows when
that was believes what was in the log before, by a head that was cosigned then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple

from ..evidence.logged import Owed
from ..evidence.verdict import Undecidable, refute
from .checkpoint import Checkpoint, read_checkpoint
from .leaf import Leaf
from .note import NoteWrong, Signed
from .policy import Policy
from .remote import Unreachable
from .tiles import Fetch, TileWrong, fetched_leaves, nodes_from
from .tree import ProofWrong, check_inclusion, inclusion, leaf_hash

Border = datetime | int | None
"""A time, a number of leaves, or none that is asked for."""


class Seen(NamedTuple):
    """A head of the log; ``at``: when enough witnesses had cosigned it, or an authority stamped it,
    None where that is not known."""

    name: str
    size: int
    at: datetime | None
    how: str = "cosigned"


class Place(NamedTuple):
    """Where the log has the last event of a file.

    tag, last  the game's, and the number of that event
    number     of its leaf in the tree of ``head``
    fetch      gives the tiles of that tree
    """

    tag: str
    last: int
    number: int
    head: Checkpoint
    fetch: Fetch | None


def enough_at(policy: Policy, signed: Sequence[Signed]) -> datetime | None:
    """When enough had cosigned."""
    seen: list[Signed] = []
    for each in sorted(signed, key=lambda one: one.at or 0):
        seen.append(each)
        if policy.met([one.key for one in seen]):
            return datetime.fromtimestamp(each.at or 0, UTC)
    return None


def told(at: datetime) -> str:
    """A time as verdicts write it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def read_time(text: str) -> datetime | None:
    """A time, or a day, which is its first moment; where no zone is named in UTC. None: neither."""
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def seen_at(name: str, text: str, policy: Policy | None) -> Seen:
    """A head, with its time by the policy. Raises NoteWrong where it is none."""
    _, head = read_checkpoint(text)
    try:
        signed = [] if policy is None else policy.open(text)[2]
    except NoteWrong:
        signed = []  # of no log of the policy: its time is nobody's
    at = None if policy is None else enough_at(policy, signed)
    return Seen(name, head.size, at)


def check_until(until: Border, number: int, seen: Sequence[Seen]) -> str:
    """That leaf ``number`` was in the log by then, in words; "" where that is not asked.

    seen  heads of one log, the file's own first
    Raises Refuted where it came after that size, and Undecidable where no head shows the time.
    """
    if until is None:
        return ""
    if isinstance(until, int):
        if number >= until:
            expected = f"among the first {until} leaves"
            raise refute("log", 0, "place of the last event", expected, f"leaf {number + 1}")
        return f", among the first {until} leaves"
    dated = [each for each in seen if each.at is not None and each.size > number]
    by = next((each for each in dated if each.at is not None and each.at <= until), None)
    if by is None:
        times = ", ".join(f"{each.name} at {told(each.at)}" for each in dated if each.at)
        heads = f"those that have it are {times}" if times else "none that has it is dated"
        raise Undecidable(
            f"no head shows that the log had the last event by {told(until)}: {heads}; --policy "
            "names the witnesses, --known-head a head that was kept"
        )
    return f", by {told(until)}: {by.name} was {by.how} before"


def broken(place: Place, owed: Sequence[Owed], seen: Sequence[Seen]) -> Iterator[str]:
    """Promises that were not kept: a head that was cosigned after its time has the event not.

    That is named and refutes nothing: the record is true, and a witness that stood still may have
    dated an old head late.
    """
    for each in owed:
        by = read_time(each.by)
        late = [head for head in seen if by and head.at is not None and head.at > by]
        lacking = _lacking(place, each, sorted(late, key=lambda head: head.size))
        if lacking is not None and lacking.at is not None:
            yield (
                f"Promise broken: by its receipt event {each.seq} was to be in the log by "
                f"{each.by}; {lacking.name}, of {lacking.size} leaves, which witnesses cosigned at "
                f"{told(lacking.at)}, has it not."
            )


def _lacking(place: Place, owed: Owed, late: Sequence[Seen]) -> Seen | None:
    """The largest of these heads that has the event not; the smallest one first."""
    smaller = [head for head in late if head.size <= place.number]
    if not smaller or owed.seq > place.last:
        return None
    if owed.seq == place.last:
        return smaller[-1]
    found = _leaf_between(place, Leaf(place.tag, owed.seq, owed.hash), smaller[0].size)
    return None if found is None else [head for head in smaller if head.size <= found][-1]


def _leaf_between(place: Place, leaf: Leaf, first: int) -> int | None:
    """Its number, if it lies from ``first`` on and before the last event's; proven by the tiles."""
    if place.fetch is None:
        return None
    size, data = place.head.size, leaf.data
    try:
        leaves = enumerate(fetched_leaves(place.fetch, first, size), first)
        between = islice(leaves, max(0, place.number - first))
        found = next((number for number, each in between if each == data), None)
        if found is None:
            return None
        proof = inclusion(found, size, nodes_from(place.fetch, size))
        check_inclusion(leaf_hash(data), found, size, proof, place.head.root)
    except (KeyError, TileWrong, Unreachable, ProofWrong):
        return None
    return found
