"""Signed evidence, changed at random: ``python -m tests.spec.mutating --from 0 --count 10000``.

Each seed is one change, so that a campaign goes on where it stopped. Half of them are a thief's,
who has the key for bundles, signs what he has made of it, and leaves out what others had added.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from service import container
from service.evidence import bundle
from service.evidence.verdict import UPHELD, Verdict
from service.evidence.verify import verify
from service.log.judging import Judge
from service.log.policy import read_policy
from tests.service.evidence.playing import GAMES
from tests.service.log.logs import LOG
from tests.spec.whole import BUNDLES, ROOT_KEY, cosigned

POLICY = read_policy(f"log {LOG.public}\nquorum none\n")
OPEN = frozenset({bundle.MANIFEST})
"""Made anew after each change, so that it is the rest that has to hold."""


@cache
def original() -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        return container.unpack(cosigned(Path(folder)))


def judged(data: bytes) -> Verdict:
    """As whoever knows the root judges it, and has a policy for the log."""
    return verify(data, GAMES, root=ROOT_KEY.verify_key, log=Judge(POLICY))


def changed(seed: int) -> tuple[str, bytes]:
    """What was done, and the file; the same for the same seed."""
    chance, files = random.Random(seed), dict(original())
    name = chance.choice(sorted(files.keys() - OPEN))
    before = files[name]
    how, files[name] = _altered(chance, before)
    while files[name] == before or _fewer(name, before, files[name]):
        how, files[name] = _altered(chance, before)
    thief = chance.random() < 0.5
    if name in bundle.OUTSIDE:
        return f"{name}: {how}", container.pack(files)
    outside = {each: files.pop(each) for each in bundle.OUTSIDE}
    manifest = files.pop(bundle.MANIFEST)
    told = msgspec.json.decode(manifest, type=bundle.Manifest)
    made = bundle.pack(files, told.game, told.head, told.rules, told.viewer, BUNDLES)
    if thief:
        return f"{name}: {how}, signed anew", made
    return f"{name}: {how}", container.pack({**container.unpack(made), **outside})


def _fewer(name: str, before: bytes, after: bytes) -> bool:
    """Whether some receipts were only left out: whoever shows fewer shows no false one."""
    parts = before.splitlines(keepends=True)
    return name == bundle.RECEIPTS and after in (*parts, b"".join(parts))


def _altered(chance: random.Random, data: bytes) -> tuple[str, bytes]:
    at = chance.randrange(len(data))
    lines = data.split(b"\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            return "a bit", data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[
                at + 1 :
            ]
        case 1:
            return "a byte less", data[:at] + data[at + 1 :]
        case 2:
            return "a digit", data[:at] + b"%d" % chance.randrange(10) + data[at + 1 :]
        case 3:
            lines[one], lines[two] = lines[two], lines[one]
            return "two lines exchanged", b"\n".join(lines)
        case 4:
            return "a line less", b"\n".join(lines[:one] + lines[one + 1 :])
        case _:
            return "a line twice", b"\n".join(lines[: one + 1] + lines[one:])


def upheld(seeds: Iterable[int]) -> tuple[list[str], Counter[int]]:
    """Changes that a judge upholds, and how many verdicts there were of each kind."""
    found, codes = [], Counter[int]()
    for seed in seeds:
        how, data = changed(seed)
        told = judged(data)
        codes[told.code] += 1
        if told.code == UPHELD:
            found.append(f"{seed}: {how}")
    return found, codes


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--count", type=int, default=10_000)
    told = parser.parse_args()
    found, codes = upheld(range(told.first, told.first + told.count))
    print(f"{told.count} changes from {told.first}: verdicts {dict(sorted(codes.items()))}")
    print("\n".join(found) or "none is upheld")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
