"""Forks tell nothing of a running parent (NWD-1 2.6): T-FORK-1, T-FORK-2, T-FORK-3."""

from __future__ import annotations

import subprocess
import sys
from itertools import count

import pytest

from domain.kernel.chance import Dice
from domain.kernel.values import TRUTH
from projections.luck import chi_square_tail
from service.dice import vault
from service.dice.vault import Vault
from service.http import differences, forks
from service.play.opening import FORK_SEED
from tests.campaigns.forks import Chunk, chunks, play
from tests.support.forking import pair
from tests.support.forking_real import REAL, planned

PAIRS = 12
"""Pairs of worlds in CI; ``python -m tests.campaigns.forks`` plays the 10,000 of NWD-1."""

REAL_PAIRS = 4
"""Of each real game."""

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


@pytest.mark.slow("secrecy")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", REAL)
def test_t_fork_1_of_real_games(game: str) -> None:
    """Hidden hands, hidden dice and secret fleets; Crimson Tide refuses both worlds alike."""
    found = play(Chunk(0, REAL_PAIRS, game))
    assert found.apart == []
    assert found.parted < REAL_PAIRS
    assert found.answers >= (20 if game != "crimson-tide" else 1) * (REAL_PAIRS - found.parted)


@pytest.mark.slow("secrecy")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", ["naval-battles", "war-at-sea"])
def test_a_fork_that_begins_with_the_truth_is_noticed(
    monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Wherever something else was hidden."""
    monkeypatch.setattr(forks, "_viewer", lambda call, summary, new: TRUTH)
    assert play(Chunk(0, REAL_PAIRS, game)).apart == [
        number for number in range(REAL_PAIRS) if planned(game, number).hidden
    ]


@pytest.mark.timeout(300)
def test_a_fork_whose_dice_come_from_the_parent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the masters of the parents' dice differ."""
    honest, parents, sides = vault.named_master, list[str](), count()

    def leaky(seed: str) -> bytes:
        if seed.startswith(FORK_SEED):  # both worlds take turns in being forked
            return honest(parents[-2:][next(sides) % 2])
        parents.append(seed)
        return honest(seed)

    monkeypatch.setattr(vault, "named_master", leaky)
    found = play(Chunk(0, REAL_PAIRS, "naval-battles")).apart
    apart = (planned("naval-battles", number).seeds for number in range(REAL_PAIRS))
    assert found == [number for number, (one, two) in enumerate(apart) if one != two]


def test_the_games_share_the_pairs_of_a_campaign() -> None:
    shares = chunks("all", 5, 1_003)
    assert sum(chunk.many for chunk in shares) == 1_003
    assert {chunk.game for chunk in shares} == {"pennant", *REAL}
    numbers = [
        (chunk.game, n) for chunk in shares for n in range(chunk.first, chunk.first + chunk.many)
    ]
    assert len(numbers) == len(set(numbers)), "no pair is played twice"
    assert {chunk.game for chunk in chunks("war-at-sea", 0, 7)} == {"war-at-sea"}


def test_t_fork_2_the_dice_of_fork_and_parent_are_independent() -> None:
    """Also where the owner gives the fork the seed's name that its parent had."""
    books = Vault(64)
    rules = bytes(32)
    parent = books.new_game(bytes(16), rules, b"p" * 32, 2, "a seed")
    fork = books.new_game(bytes(16), rules, b"f" * 32, 2, "fork/a seed")
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
        [sys.executable, "-c", "import sys, service.play.forks; print(*sorted(sys.modules))"],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert "service.play.forks" in found
    assert [name for name in found if name.startswith(("service.dice", "service.store"))] == []
