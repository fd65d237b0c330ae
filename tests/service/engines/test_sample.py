"""Each archive's sample is what its rules do now, and says so of no others."""

from __future__ import annotations

from typing import Any

import pytest

from service.engines import sample
from service.engines.sample import Differs
from tests.support import pennant, samples

EACH = {game.ruleset: (game, file, lines) for game, file, lines in samples.games()}
ANEW = "if that is meant: make remake (python -m tests.support.samples)"


@pytest.mark.parametrize("ruleset", EACH)
def test_it_is_made_of_what_the_rules_do(ruleset: str) -> None:
    game, file, lines = EACH[ruleset]
    assert file.read_bytes() == samples.made(game, lines), ANEW
    assert sample.check(game, samples.KERNEL, file.read_bytes()) > 10
    given = [set(line) & set(sample.GIVEN) for line in sample.read(file.read_bytes())]
    assert given[0] == {"setup"}
    assert {"faces"} in given
    assert {"seat", "command"} in given


def test_other_rules_are_told_apart() -> None:
    game, file, _ = EACH["pennant"]

    def decide(state: Any, seat: str, command: Any) -> Any:
        return game.decide(state, seat, command)[:1]

    other = pennant.mutant(decide=decide)
    with pytest.raises(Differs, match="other events"):
        sample.check(other, samples.KERNEL, file.read_bytes())
    blind = pennant.mutant(
        evolve=lambda state, event: game.evolve(state, event) if state is None else state
    )
    with pytest.raises(Differs, match="other state"):
        sample.check(blind, samples.KERNEL, file.read_bytes())
