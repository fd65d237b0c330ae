"""A file that shows, to anybody and without anybody's help, that a log has lied.

Two kinds. A split view: two heads that the log has signed, of which one does not go on from the
other. A repeated event: one tag and number twice in one tree, with two hashes. Both are judged by
the log's key alone.
"""

from __future__ import annotations

from itertools import islice
from typing import Final, Literal

import msgspec

from . import tiles
from .checkpoint import Checkpoint, open_checkpoint
from .leaf import Leaf, LeafWrong, read_leaf
from .note import NoteWrong, VerifyKey
from .proof import LoggedProof, encoded, read_hashes, read_proof
from .tiles import Fetch, TileWrong
from .tree import ProofWrong, check_consistency, consistency, inclusion, root

FORMAT: Final = "nwl1-conviction"


class NotProven(Exception):
    """The file shows nothing, or not that; or what it would take cannot be had."""


class SplitView(msgspec.Struct, frozen=True, tag="split-view", forbid_unknown_fields=True):
    """``other`` is the root of the second's tree at the size of the first, ``proof`` shows it.

    first, second  signed checkpoints, the second of as many leaves or more
    """

    log: str
    first: str
    second: str
    other: str
    proof: tuple[str, ...]
    format: Literal["nwl1-conviction"] = FORMAT

    def judge(self, key: VerifyKey) -> str:
        """What it shows, in words. Raises NotProven."""
        first, second = _opened(self.first, key), _opened(self.second, key)
        (other,) = read_hashes([self.other])
        if other == first.root:
            raise NotProven("the second tree begins with the first")
        check_consistency(first.size, other, second.size, second.root, read_hashes(self.proof))
        return (
            f"{key.name} has signed two pasts: its tree of {first.size} leaves has the root "
            f"{encoded(first.root)}, and the tree of {second.size} leaves that it has signed as "
            f"well begins with {encoded(other)}"
        )


class RepeatedEvent(msgspec.Struct, frozen=True, tag="repeated-event", forbid_unknown_fields=True):
    """Two leaves, and the proofs (tlog-proof) that both are in one signed tree."""

    log: str
    leaves: tuple[str, str]
    proofs: tuple[str, str]
    format: Literal["nwl1-conviction"] = FORMAT

    def judge(self, key: VerifyKey) -> str:
        """What it shows, in words. Raises NotProven."""
        first, second = (read_leaf(each.encode("ascii", "replace")) for each in self.leaves)
        if (first.tag, first.seq) != (second.tag, second.seq):
            raise NotProven("the two leaves are of two events")
        numbers = set[int]()
        for text, leaf in zip(self.proofs, (first, second), strict=True):
            read = read_proof(text)
            head = _opened(read.checkpoint, key)
            read.check(leaf.data, head.size, head.root)
            numbers.add(read.number)
        if len(numbers) != 2:
            raise NotProven("it is one leaf")
        return (
            f"{key.name} has logged event {first.seq} of {first.tag} twice, as {first.hash} and "
            f"as {second.hash}"
        )


Conviction = SplitView | RepeatedEvent


def _opened(text: str, key: VerifyKey) -> Checkpoint:
    return open_checkpoint(text, key)[1]


def judge(data: bytes, key: VerifyKey) -> str:
    """What a file shows of the log with this key. Raises NotProven."""
    try:
        told: Conviction = msgspec.json.decode(data, type=Conviction)
        return told.judge(key)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NotProven(f"this is no such file: {error}") from None
    except (NoteWrong, ProofWrong, LeafWrong, ValueError) as error:
        raise NotProven(str(error)) from None


def split_view(key: VerifyKey, first: str, second: str, fetch: Fetch) -> SplitView:
    """The file about two signed heads of which one does not go on from the other.

    fetch  gives the tiles of the larger tree, or of either where they have one size
    Raises NotProven, Unreachable.
    """
    (small, one), (large, two) = sorted(
        ((_opened(text, key), text) for text in (first, second)), key=lambda each: each[0].size
    )
    try:
        nodes = tiles.nodes_from(fetch, large.size)
        other = large.root if small.size == large.size else root(small.size, nodes)
        proof = consistency(small.size, large.size, nodes)
    except (KeyError, TileWrong) as error:
        raise NotProven(f"the tiles of the larger tree cannot be had: {error}") from None
    told = SplitView(str(key), one, two, encoded(other), tuple(map(encoded, proof)))
    _judged(told, key)
    return told


def repeated(key: VerifyKey, checkpoint: str, number: int, fetch: Fetch) -> RepeatedEvent:
    """The file about leaf ``number``, whose tag and number an earlier leaf has.

    Raises NotProven, Unreachable.
    """
    head = _opened(checkpoint, key)
    try:
        found = list(islice(tiles.fetched_leaves(fetch, 0, head.size), number + 1))
        leaf = read_leaf(found[number])
        earlier = _earlier(found[:number], leaf)
        nodes = tiles.nodes_from(fetch, head.size)
        proofs = [
            LoggedProof(at, tuple(inclusion(at, head.size, nodes)), checkpoint)
            for at in (earlier, number)
        ]
    except (KeyError, TileWrong, LeafWrong) as error:
        raise NotProven(f"the tiles cannot be had: {error}") from None
    told = RepeatedEvent(
        str(key),
        (found[earlier].decode("ascii"), found[number].decode("ascii")),
        (str(proofs[0]), str(proofs[1])),
    )
    _judged(told, key)
    return told


def _earlier(found: list[bytes], leaf: Leaf) -> int:
    for number, data in enumerate(found):
        try:
            read = read_leaf(data)
        except LeafWrong:
            continue
        if (read.tag, read.seq) == (leaf.tag, leaf.seq):
            return number
    raise NotProven("its number is below an earlier one's, but is not there twice")


def _judged(told: Conviction, key: VerifyKey) -> None:
    """What does not convict is not handed out."""
    try:
        told.judge(key)
    except (NoteWrong, ProofWrong, LeafWrong) as error:
        raise NotProven(str(error)) from None


def file_bytes(told: Conviction) -> bytes:
    """The file, for people too."""
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"
