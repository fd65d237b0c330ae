"""Forks tell nothing of a running parent (NWD-1 2.6): T-FORK-1, T-FORK-2, T-FORK-3."""

from __future__ import annotations

import subprocess
import sys

import pytest

from domain.kernel.chance import Dice
from domain.kernel.values import TRUTH
from projections.luck import chi_square_tail
from service.api import differences
from service.dice.vault import Vault
from tests.campaigns.forks import Chunk, play
from tests.support.forking import pair

PAIRS = 12
"""Pairs of worlds in CI; ``python -m tests.campaigns.forks`` plays the 10,000 of NWD-1."""

PAIRS_OF_DICE = 36_000
ODD = 1e-6


@pytest.mark.timeout(300)
def test_t_fork_1_parents_that_look_alike_have_the_same_forks() -> None:
    """The worlds differ in the master of the parent's dice, in what is hidden, or in both."""
    found = play(Chunk(0, PAIRS))
    assert found.apart == []
    assert found.answers > 10 * PAIRS


def test_the_pairs_differ_in_each_of_the_ways_that_must_not_show() -> None:
    ways = set()
    for number in range(PAIRS):
        one, two = pair(number).secrets
        ways.add((one.seed != two.seed, one.colour != two.colour))
    assert ways == {(True, False), (False, True), (True, True)}
    assert {pair(number).plan.late for number in range(PAIRS)} == {True, False}


def test_worlds_that_can_be_told_apart_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that shows the parent's truth is noticed; the report names the pairs."""
    monkeypatch.setattr(differences, "_eyes", lambda holder, other: TRUTH)
    assert play(Chunk(0, 3)).apart == [
        number for number in range(3) if len({one.colour for one in pair(number).secrets}) > 1
    ]


def test_t_fork_2_the_dice_of_fork_and_parent_are_independent() -> None:
    """Also where the owner gives the fork the seed's name that its parent had."""
    vault = Vault(64)
    rules = bytes(32)
    parent = vault.new_game(bytes(16), rules, b"p" * 32, 2, "a seed")
    fork = vault.new_game(bytes(16), rules, b"f" * 32, 2, "fork/a seed")
    cells, done = [0] * 36, 0
    for t in range(1, 60):
        pools = [Dice(1_000)]
        ours = parent.open_batch(t, [None, None]).roll("roll", pools)[0]
        theirs = fork.open_batch(t, [None, None]).roll("roll", pools)[0]
        for one, two in zip(ours, theirs, strict=True):
            cells[(one - 1) * 6 + two - 1] += 1
            done += 1
    assert done >= PAIRS_OF_DICE
    square = sum((n - done / 36) ** 2 / (done / 36) for n in cells)
    assert chi_square_tail(square, 35) > ODD


def test_t_fork_3_what_makes_forks_cannot_reach_a_vault() -> None:
    """Nothing that it imports, however far, is one; the import contract says the same."""
    found = subprocess.run(
        [sys.executable, "-c", "import sys, service.forks; print(*sorted(sys.modules))"],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert "service.forks" in found
    assert [name for name in found if name.startswith(("service.dice", "service.store"))] == []
