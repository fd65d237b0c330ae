"""The tree of RFC 6962: roots, proofs of leaves, proofs that one tree goes on from another.

Pure: no file, no clock, no network. ``Nodes`` is asked for the hash of a complete subtree, wherever
that lies; the other half, ``check_inclusion`` and ``check_consistency``, needs nothing but a proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence

HASH = 32
"""Bytes of a hash."""

EMPTY = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""

LONGEST = 63
"""Hashes of a proof, at most: no tree has more levels."""

Nodes = Callable[[int, int], bytes]
"""The hash of a complete subtree: its level (0 for a leaf) and its number, from the left."""


class ProofWrong(Exception):
    """A proof that does not prove what it was brought for."""


def leaf_hash(data: bytes) -> bytes:
    """Of what is logged."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Of two subtrees side by side."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """A tree that only grows, by the hashes of its complete subtrees, the largest first."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        """``leaves``: their hashes."""
        self.size = 0
        self._hashes: list[bytes] = []
        for leaf in leaves:
            self.add(leaf)

    def add(self, leaf: bytes) -> None:
        """One more leaf, by its hash."""
        hash_, carried = leaf, self.size
        while carried & 1:
            hash_ = node_hash(self._hashes.pop(), hash_)
            carried >>= 1
        self._hashes.append(hash_)
        self.size += 1

    def root(self) -> bytes:
        """Of the tree as it stands."""
        if not self._hashes:
            return EMPTY
        *rest, found = self._hashes
        for left in reversed(rest):
            found = node_hash(left, found)
        return found

    @property
    def hashes(self) -> bytes:
        """All that is needed to go on with it: ``of`` reads it."""
        return b"".join(self._hashes)

    @staticmethod
    def of(size: int, hashes: bytes) -> Frontier:
        """The tree of so many leaves, by its ``hashes``. Raises ValueError where they are not."""
        found = Frontier()
        found.size = size
        found._hashes = [hashes[at : at + HASH] for at in range(0, len(hashes), HASH)]
        if len(hashes) != HASH * size.bit_count():
            raise ValueError(f"these are no hashes of a tree of {size}")
        return found

    def copy(self) -> Frontier:
        """One that grows on its own."""
        return Frontier.of(self.size, self.hashes)


def root(size: int, nodes: Nodes) -> bytes:
    """Of the first ``size`` leaves."""
    return _range(0, size, nodes) if size else EMPTY


def inclusion(index: int, size: int, nodes: Nodes) -> list[bytes]:
    """Proof that leaf ``index``, counted from 0, is in the tree of ``size`` leaves."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    return _path(index, 0, size, nodes)


def consistency(old: int, new: int, nodes: Nodes) -> list[bytes]:
    """Proof that the tree of ``new`` leaves begins with that of ``old``."""
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves does not begin with one of {old}")
    return _grown(old, 0, new, nodes, whole=True) if 0 < old < new else []


def _split(count: int) -> int:
    """The largest power of two below it: so many leaves are to the left."""
    return 1 << ((count - 1).bit_length() - 1)


def _range(first: int, end: int, nodes: Nodes) -> bytes:
    count = end - first
    if count & (count - 1) == 0:
        level = count.bit_length() - 1
        return nodes(level, first >> level)
    middle = first + _split(count)
    return node_hash(_range(first, middle, nodes), _range(middle, end, nodes))


def _path(index: int, first: int, end: int, nodes: Nodes) -> list[bytes]:
    if end - first == 1:
        return []
    middle = first + _split(end - first)
    if index < middle:
        return [*_path(index, first, middle, nodes), _range(middle, end, nodes)]
    return [*_path(index, middle, end, nodes), _range(first, middle, nodes)]


def _grown(old: int, first: int, end: int, nodes: Nodes, *, whole: bool) -> list[bytes]:
    """``whole``: the old tree begins where this one does, so that its root is known anyway."""
    if old == end:
        return [] if whole else [_range(first, end, nodes)]
    middle = first + _split(end - first)
    if old <= middle:
        return [*_grown(old, first, middle, nodes, whole=whole), _range(middle, end, nodes)]
    return [*_grown(old, middle, end, nodes, whole=False), _range(first, middle, nodes)]


def check_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes
) -> None:
    """Raises ProofWrong unless the leaf of that hash has its place below the root ``expected``."""
    if not 0 <= index < size:
        raise ProofWrong(f"there is no leaf {index} in a tree of {size}")
    _check_form(proof)
    found = leaf
    for hash_, left in _upwards(index, size - 1, proof):
        found = node_hash(hash_, found) if left else node_hash(found, hash_)
    if found != expected:
        raise ProofWrong("the proof leads to another root")


def _upwards(node: int, last: int, proof: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each hash of a proof on the way to the root, and whether it stands to the left.

    Raises ProofWrong for a proof that is longer or shorter than the way.
    """
    for hash_ in proof:
        if last == 0:
            raise ProofWrong("the proof is too long")
        left = bool(node & 1) or node == last
        if left:
            node, last = _risen(node, last)
        yield hash_, left
        node, last = node >> 1, last >> 1
    if last:
        raise ProofWrong("the proof is too short")


def check_consistency(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> None:
    """Raises ProofWrong unless the tree of ``new`` leaves begins with that of ``old``."""
    if not 0 <= old <= new:
        raise ProofWrong(f"a tree of {new} leaves does not begin with one of {old}")
    _check_form(proof)
    if old == new or old == 0:
        _check_trivial(old, old_root, new, new_root, proof)
        return
    hashes = list(proof) if old & (old - 1) else [old_root, *proof]
    if not hashes:
        raise ProofWrong("the proof is too short")
    node, last = old - 1, new - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    found_old = found_new = hashes[0]
    for hash_, left in _upwards(node, last, hashes[1:]):
        if left:
            found_old, found_new = node_hash(hash_, found_old), node_hash(hash_, found_new)
        else:
            found_new = node_hash(found_new, hash_)
    if found_old != old_root:
        raise ProofWrong("the proof does not begin with the older root")
    if found_new != new_root:
        raise ProofWrong("the proof does not lead to the newer root")


def _check_trivial(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> None:
    if proof:
        raise ProofWrong("the proof is too long")
    if old == 0 and old_root != EMPTY:
        raise ProofWrong("a tree without leaves has another root")
    if old == new and old_root != new_root:
        raise ProofWrong("two trees of one size have different roots")


def _check_form(proof: Sequence[bytes]) -> None:
    if len(proof) > LONGEST or any(len(hash_) != HASH for hash_ in proof):
        raise ProofWrong("this is no list of hashes")


def _risen(node: int, last: int) -> tuple[int, int]:
    """Up to where the node is a right child, or the first one."""
    while node and not node & 1:
        node, last = node >> 1, last >> 1
    return node, last
