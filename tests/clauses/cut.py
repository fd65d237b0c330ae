"""A rulebook's text cut into sentences, each with an address that does not hold its words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

_NEW_BLOCK = re.compile(r"\s*(?:$|#|[-•·*]\s|\d+(?:\.\d+)*\.?\s+[A-Z]|\||!\[)")
"""A line that never goes on with the sentence before it: empty, heading, row of a list or table."""

_END = re.compile(r"(?<=[.!?:])[\"”’)*_]*\s+(?=[\"“‘(*_]*[A-Z0-9–-])")

_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|etc|No|St|Mr|Ltd|Inc|Co|[A-Z])\.|^[\W_]*\d+(?:\.\d+)*\.)$"
)
"""A full stop after which the sentence goes on: abbreviation, initial, number of a heading."""


@dataclass(frozen=True)
class Clause:
    """One sentence of a seed.

    line    the line, from 1, on which it begins
    part    which of the sentences that begin on that line it is, from 1
    digest  the first twelve hexadecimal digits of SHA-256 over its words in small letters
    words   the sentence itself: for who reads the seed, never kept
    """

    line: int
    part: int
    digest: str
    words: str

    @property
    def address(self) -> str:
        """Line and part, as tables cite it: `303.2`."""
        return f"{self.line}.{self.part}"


def digest(words: str) -> str:
    """What fixes a sentence without telling it: layout, case and punctuation left out."""
    plain = " ".join(re.findall(r"\w+", words.lower()))
    return hashlib.sha256(plain.encode()).hexdigest()[:12]


def clauses(text: str) -> tuple[Clause, ...]:
    """Every sentence of a text that holds a letter or a digit, in order."""
    begun: dict[int, int] = {}
    found = []
    for block in _blocks(text):
        for line, words in _sentences(block):
            if not re.search(r"\w", words):
                continue
            begun[line] = begun.get(line, 0) + 1
            found.append(Clause(line, begun[line], digest(words), words))
    return tuple(found)


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Lines that may share a sentence, each with its number."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        heading = bool(block) and block[-1][1].lstrip().startswith("#")
        if block and (heading or _NEW_BLOCK.match(line)):
            yield block
            block = []
        if line.strip():
            block.append((number, line.strip()))
    if block:
        yield block


def _sentences(block: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The sentences of a block with the line on which each begins."""
    begins, length = [], 0
    for number, line in block:
        begins.append((length, number))
        length += len(line) + 1
    whole = " ".join(line for _, line in block)
    start = 0
    for stop in [*_ends(whole), len(whole)]:
        yield max(at for at in begins if at[0] <= start)[1], whole[start:stop].strip()
        start = stop


def _ends(whole: str) -> Iterator[int]:
    start = 0
    for match in _END.finditer(whole):
        if not _ABBREVIATED.search(whole[start : match.start()]):
            start = match.end()
            yield start
