"""The master is leaked to a seat before it makes its chain: what does it gain by its secret?

By the rule of before, by which the roller's link alone was mixed in, it knew all dice of its own
batches and made its secret until they were good. With a link of every seat in every batch it does
not know what it chooses: not one of 907 tries is better than another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from statistics import mean

from domain.kernel.chance import Dice
from service.dice import nwd1
from service.dice.links import PlayerLinks
from service.dice.vault import DiceBook, Vault

TRIES = 907
LENGTH = 12
BATCHES = range(2, LENGTH + 1, 2)
"""Those that the cheat rolls."""
POOLS = (Dice(9, 6),)
DICE = len(BATCHES) * POOLS[0].count
FAIR = DICE / 2
SIGMA = (DICE / 4) ** 0.5
"""Of the number of dice that show 4 or more."""


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def book(game: int) -> DiceBook:
    vault = Vault(LENGTH)
    return vault.reopen(digest(f"leaked {game}"), digest("id")[:16], digest("r"), digest("s"), 2)


def given(of: DiceBook, secrets: Sequence[bytes | None]) -> PlayerLinks:
    """All that these seats have, given ahead; None: the seat gives nothing."""
    links = PlayerLinks.none(of.g, LENGTH, len(secrets))
    for place, secret in enumerate(secrets):
        if secret is not None:
            far = nwd1.player_seed(secret, of.g, place)
            tip = nwd1.player_chain(of.g, place).down(far, LENGTH, 0)
            links = links.register(place, tip).give(place, LENGTH, far)
    return links


def hits(of: DiceBook, secrets: Sequence[bytes | None]) -> int:
    """How many of the cheat's dice are good."""
    links = given(of, secrets)
    found = 0
    for t in BATCHES:
        (faces,) = of.open_batch(t, links.entries(t)).roll(f"gun/{t}", POOLS)
        found += sum(face >= 4 for face in faces)
    return found


def chosen(of: DiceBook, supposed: bytes | None) -> bytes:
    """The secret that serves the cheat best, by all that it knows: the master, not the other's."""
    tries = [digest(f"try {number}") for number in range(TRIES)]
    return max(tries, key=lambda own: hits(of, (supposed, own)))


def test_with_the_rollers_link_alone_the_dice_are_what_the_cheat_wants() -> None:
    of = book(0)
    assert hits(of, (None, chosen(of, None))) > FAIR + 2.5 * SIGMA


def test_with_every_seats_link_907_tries_gain_nothing() -> None:
    """The same seat, as well informed; the honest one has a secret of its own in every batch."""
    of = book(0)
    for supposed in (None, digest("a guess")):
        best = chosen(of, supposed)
        assert hits(of, (supposed, best)) > FAIR + 2.5 * SIGMA, "what it hopes for"
        real = [hits(of, (digest(f"honest {number}"), best)) for number in range(200)]
        assert abs(mean(real) - FAIR) < 3 * SIGMA / len(real) ** 0.5, "what it gets"
