"""Proofs as text: a list of hashes, and the tlog-proof of C2SP, which is whole in itself."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from typing import NamedTuple

from .note import NoteWrong
from .tree import HASH, LONGEST, ProofWrong, check_consistency, check_inclusion, leaf_hash

HEADING = "c2sp.org/tlog-proof@v1"
GROWN = "nwl2-consistency"
_TREE = re.compile(r"(old|new) ([1-9][0-9]{0,17}) (\S+)")
_INDEX = re.compile(r"index (0|[1-9][0-9]{0,17})")


class LoggedProof(NamedTuple):
    """That a leaf is in the tree of a checkpoint, which stands in it as text.

    number  of the leaf, from 0
    """

    number: int
    hashes: tuple[bytes, ...]
    checkpoint: str

    def __str__(self) -> str:
        return f"{HEADING}\nindex {self.number}\n{lines(self.hashes)}\n{self.checkpoint}"

    def check(self, leaf: bytes, size: int, root: bytes) -> None:
        """Raises ProofWrong unless ``leaf`` is in the tree that a checkpoint names."""
        check_inclusion(leaf_hash(leaf), self.number, size, self.hashes, root)


class Tree(NamedTuple):
    """How many leaves, and their root."""

    size: int
    root: bytes


class GrownProof(NamedTuple):
    """That the newer of two trees begins with the older."""

    old: Tree
    new: Tree
    hashes: tuple[bytes, ...]

    def __str__(self) -> str:
        trees = f"{_tree('old', self.old)}{_tree('new', self.new)}"
        return f"{GROWN}\n{trees}{lines(self.hashes)}"

    def other(self, head: Tree) -> Tree:
        """The one that is not ``head``. Raises ProofWrong where neither is, or it does not hold."""
        check_consistency(*self.old, *self.new, self.hashes)
        if head not in (self.old, self.new):
            raise ProofWrong("the proof of consistency is of another head")
        return self.old if head == self.new else self.new


def _tree(name: str, tree: Tree) -> str:
    return f"{name} {tree.size} {encoded(tree.root)}\n"


def encoded(hash_: bytes) -> str:
    """A hash as these texts write it."""
    return base64.b64encode(hash_).decode()


def decoded(text: str) -> bytes:
    """The bytes of base64 as it is always written; none for anything else."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
    return found if base64.b64encode(found).decode() == text else b""


def lines(hashes: Iterable[bytes]) -> str:
    """A hash a line."""
    return "".join(f"{encoded(hash_)}\n" for hash_ in hashes)


def read_hashes(texts: Iterable[str]) -> tuple[bytes, ...]:
    """Raises NoteWrong."""
    found = tuple(map(decoded, texts))
    if len(found) > LONGEST or any(len(hash_) != HASH for hash_ in found):
        raise NoteWrong("this is no list of hashes")
    return found


def read_proof(text: str) -> LoggedProof:
    """Raises NoteWrong."""
    head, empty, checkpoint = text.partition("\n\n")
    heading, *rest = head.split("\n")
    if rest and rest[0].startswith("extra "):
        rest = rest[1:]
    index = _INDEX.fullmatch(rest[0]) if rest else None
    if heading != HEADING or not empty or index is None:
        raise NoteWrong("this is no proof of a log")
    return LoggedProof(int(index[1]), read_hashes(rest[1:]), checkpoint)


def read_grown(text: str) -> GrownProof:
    """Raises NoteWrong."""
    heading, *rest = text.removesuffix("\n").split("\n")
    found = [_TREE.fullmatch(line) for line in rest[:2]]
    told = [(each[1], int(each[2]), each[3]) for each in found if each is not None]
    if heading != GROWN or [name for name, _, _ in told] != ["old", "new"]:
        raise NoteWrong("this is no proof of consistency")
    roots = read_hashes(root for _, _, root in told)
    old, new = (Tree(size, root) for (_, size, _), root in zip(told, roots, strict=True))
    proof = GrownProof(old, new, read_hashes(rest[2:]))
    if str(proof) != text or old.size >= new.size:
        raise NoteWrong("this is no proof of consistency")
    return proof
