"""Go makes the same dice: it was asked about every vector, and is again where it is."""

from __future__ import annotations

import json
from typing import Any

from service.dice.nwd1 import roll
from tests.spec.judge_go import JUDGE

OF_WHAT = ("rolls", "batches", "games")


def told(vectors: Any, rolls: int) -> str:
    return ", ".join([f"{rolls} rolls", *(f"{len(vectors[each])} {each}" for each in OF_WHAT[1:])])


def others(vectors: Any) -> int:
    """Rolls of which a key with another bit makes other faces: of few dice it may make the same."""
    return sum(_faces(each) != each["faces"] for each in vectors["rolls"])


def _faces(each: Any) -> list[list[int]]:
    key = bytes.fromhex(each["key"])
    pools = tuple((count, sides) for count, sides in each["pools"])
    rolled = roll(bytes([key[0] ^ 1]) + key[1:], each["label"], pools)
    return [list(pool) for pool in rolled.faces]


def test_the_thousand_vectors_hold_in_a_third_language() -> None:
    assert JUDGE.kept()["vectors"] == JUDGE.digest(), "ask Go again: the vectors are others"
    vectors = json.loads(JUDGE.vectors.read_text("utf-8"))
    assert sum(len(vectors[each]) for each in OF_WHAT) == 1_000
    assert JUDGE.answers() == [
        f"{told(vectors, len(vectors['rolls']))} hold",
        f"{told(vectors, others(vectors))} with another bit in what they are made of do not",
    ]
