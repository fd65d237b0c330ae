"""Go's log and ours are of one mind: it was asked about every vector, and is again where it is."""

from __future__ import annotations

import json
from typing import Any

from tests.service.log.judge_go import JUDGE
from tests.service.log.vectors import FILE

ROOT = "SXqNi/9E2k23pILrGmzKujvDpyUIuKofqqqXBnM38jg="


def told(name: str, sizes: list[dict[str, Any]]) -> str:
    """What Go has to say where all proofs hold, and none for another leaf."""
    held = sum(len(row["inclusion"]) for row in sizes)
    grown = sum(len(row["consistency"]) for row in sizes)
    refused = sum(len(row["inclusion"]) for row in sizes if row["size"] > 1)
    roots = sum(row["size"] > 0 for row in sizes)
    return (
        f"{name}: {roots} roots, {held} inclusion proofs, {grown} consistency proofs hold; "
        f"{refused} with another leaf are refused"
    )


def test_go_takes_every_proof_and_the_checkpoint() -> None:
    assert JUDGE.kept()["vectors"] == JUDGE.digest(), "ask Go again: the vectors are others"
    vectors = json.loads(FILE.read_text("utf-8"))
    assert JUDGE.answers() == [
        told("tree", vectors["tree"]["sizes"]),
        told("large", vectors["large"]["sizes"]),
        f"note: 1 signature, 0 unverified, 2 leaves, root {ROOT}",
        "note: no change of one bit of the text is taken",
    ]
