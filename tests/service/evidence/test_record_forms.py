"""What records take of the kernel has the fields that every judge knows, and no other.

One field more in any of them, and every older judge would call the records unreadable. A field
that is added here needs a new form of the record first.
"""

from __future__ import annotations

from typing import Any

import pytest

from domain.kernel.chance import Dice
from domain.kernel.chances import Chances, Outcome
from domain.kernel.fork import Fork
from domain.kernel.setup import Result, Setup

FIELDS = {
    Chances: "kind seat worth outcomes weapon unit target",
    Dice: "count sides",
    Fork: "game version viewer seed state label faces schema",
    Outcome: "name least",
    Result: "winners reason rule",
    Setup: "ruleset edition scenario seats options customs fork",
}


@pytest.mark.parametrize("kind", FIELDS)
def test_a_record_holds_what_every_judge_knows(kind: Any) -> None:
    assert " ".join(kind.__struct_encode_fields__) == FIELDS[kind]
