"""Damaged files, judged by the program and by the page: of one mind on all that both judge.

``python -m tests.campaigns.second_opinion --files 10000``
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from service.evidence.verify import verify
from tests.pages.test_second_opinion import GOOD
from tests.service.evidence.playing import GAMES
from tests.support.damaged import damaged
from tests.support.second import opinions, owed

AT_ONCE = 500


def judged(files: Sequence[bytes]) -> tuple[Counter[tuple[str, str]], list[bytes]]:
    """How many of each pair of words, and the files on which the two differ."""
    with tempfile.TemporaryDirectory() as folder:
        said = [each["word"] for each in opinions(files, Path(folder))]
    told = [verify(data, GAMES) for data in files]
    pairs = Counter((one.word, other) for one, other in zip(told, said, strict=True))
    differ = [
        data for data, one, other in zip(files, told, said, strict=True) if other not in owed(one)
    ]
    return pairs, differ


def main(arguments: Sequence[str]) -> int:
    """0 when the two differ nowhere."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.second_opinion", description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    draw = random.Random(options.seed)
    good = [make() for make in GOOD.values()]
    pairs: Counter[tuple[str, str]] = Counter()
    differ: list[bytes] = []
    for start in range(0, options.files, AT_ONCE):
        count = min(AT_ONCE, options.files - start)
        found, others = judged([damaged(draw.choice(good), draw) for _ in range(count)])
        pairs += found
        differ += others
    for (program, page), number in sorted(pairs.items()):
        print(f"{number:8} program {program}, page {page}")
    print(f"{sum(pairs.values())} files, {len(differ)} judged otherwise")
    for number, data in enumerate(differ):
        Path(tempfile.gettempdir(), f"differs-{number}.decklog").write_bytes(data)
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
