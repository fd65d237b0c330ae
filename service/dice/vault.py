"""The vault: a game's master secret, its chains, and the batches that are opened from them.

A :class:`DiceBook` belongs to one game and reaches no other. It keeps a few links of each chain and
hashes down to the others, so that a game of 16,384 batches costs some kilobytes. Nothing in here
changes when a batch is opened: a commit that fails leaves no trace, and the same batch opened again
has the same faces (R5: no re-roll by crash or retry).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from domain.kernel.chance import Awaited, Dice, Faces

from ..errors import DiceRefused
from . import nwd1
from .nwd1 import PUBLIC_DOMAIN, DiceError

CHAIN_LENGTH = 16_384
"""N: links of a chain, hence batches of a game; a game may be created with another length.

Each link costs a hash when a game is created and when it is opened again after a restart.
"""

STRIDE = 128
"""Every so many links one is kept; the others are hashed down from the next kept one."""

FaceRows = tuple[tuple[int, ...], ...]


def named_master(seed: str) -> bytes:
    """M of an unranked game that names its seed."""
    return nwd1.th("nwd1/named-seed", seed.encode())


class ServerChain:
    """One domain's server chain with a kept link at every STRIDE-th number."""

    __slots__ = ("_chain", "_kept", "length", "tip")

    def __init__(self, master: bytes, g: bytes, domain: str, length: int) -> None:
        self._chain = nwd1.server_chain(g, domain)
        self.length = length
        link, index = nwd1.server_seed(master, g, domain), length
        self._kept = {length: link}
        while index > 0:
            below = (index - 1) // STRIDE * STRIDE
            link, index = self._chain.down(link, index, below), below
            self._kept[index] = link
        self.tip = link

    def link(self, t: int) -> bytes:
        """s[d,t]. Raises DiceRefused ``dice.exhausted`` beyond the end of the chain."""
        if t > self.length:
            raise DiceRefused(f"A game has at most {self.length} batches.", code="dice.exhausted")
        if t < 1:
            raise DiceError("dice.link", "Batches are numbered from 1.")
        above = min(-(-t // STRIDE) * STRIDE, self.length)
        return self._chain.down(self._kept[above], above, t)


class Rolled(NamedTuple):
    """One roll of a batch."""

    label: str
    pools: tuple[Dice, ...]
    faces: FaceRows


class Batch:
    """One opened batch: rolls by label, each label once.

    key     K; never leaves the service before the batch is stored
    link    s[d,t]
    links   r[p,t] of each seat, or None
    rolls   what was rolled so far, in order
    """

    __slots__ = ("domain", "key", "link", "links", "rolls", "t")

    def __init__(self, g: bytes, domain: str, t: int, link: bytes, links: nwd1.Links) -> None:
        self.domain = domain
        self.t = t
        self.link = link
        self.links = tuple(links)
        self.rolls: list[Rolled] = []
        context = nwd1.batch_context(g, domain, t)
        self.key = nwd1.batch_key(context, nwd1.batch_material(link, self.links))

    def roll(self, label: str, pools: Sequence[Dice]) -> FaceRows:
        """The faces, pool by pool. Raises DiceError for a bad or repeated label or bad dice."""
        if any(label == done.label for done in self.rolls):
            raise DiceError("dice.label-repeated", f"{label!r} was rolled in this batch.")
        faces = nwd1.roll(self.key, label, [(pool.count, pool.sides) for pool in pools]).faces
        self.rolls.append(Rolled(label, tuple(pools), faces))
        return faces

    def answer(self, awaited: Awaited) -> Faces:
        """Chance's command for an open request. Raises DiceError as ``roll`` does."""
        if awaited.domain != self.domain:
            raise DiceError("dice.domain", f"{awaited.label!r} is not a roll of {self.domain!r}.")
        return Faces(awaited.label, self.roll(awaited.label, awaited.pools))


class Known(NamedTuple):
    """A seat's tip r[p,0], and its newest verified link with its number (at first the tip, 0)."""

    tip: bytes
    number: int
    link: bytes


@dataclass(frozen=True)
class PlayerLinks:
    """What is known of the seats' own chains. Immutable: each step gives a new one.

    known  for each seat in order, its newest verified link, or None while it has no tip
    """

    g: bytes
    length: int
    known: tuple[Known | None, ...]

    @staticmethod
    def none(g: bytes, length: int, seats: int) -> PlayerLinks:
        """No seat has a tip yet."""
        return PlayerLinks(g, length, (None,) * seats)

    def register(self, place: int, tip: bytes) -> PlayerLinks:
        """Seat number ``place`` fixes its chain by its tip r[p,0].

        Raises DiceRefused: ``dice.tip-malformed``, ``dice.tip-copied`` (another seat's tip or
        link), ``seat.taken`` (the seat has a tip already). A copy would be of no use, since the
        seat is hashed into each link; it is refused so that the copier hears of it at once.
        """
        if len(tip) != nwd1.LINK_BYTES:
            raise DiceRefused("A dice tip has 32 bytes.", code="dice.tip-malformed")
        if self.known[place] is not None:
            raise DiceRefused("The seat has a dice tip already.", code="seat.taken")
        if any(entry is not None and tip in (entry.tip, entry.link) for entry in self.known):
            raise DiceRefused("Make a chain of your own.", code="dice.tip-copied")
        return self._with(place, Known(tip, 0, tip))

    def accept(self, place: int, t: int, link: bytes) -> PlayerLinks:
        """Seat number ``place`` opens r[p,t], which must lead down to its newest known link.

        Numbers may be skipped: whoever has link 7 can compute links 6 to 0. Raises DiceRefused:
        ``dice.link-unexpected`` (no tip), ``dice.exhausted``, ``dice.link-wrong``.
        """
        entry = self.known[place]
        if entry is None:
            raise DiceRefused("The seat has no dice tip.", code="dice.link-unexpected")
        if t > self.length:
            raise DiceRefused(f"A chain has {self.length} links.", code="dice.exhausted")
        if len(link) != nwd1.LINK_BYTES or t < max(entry.number, 1):
            raise DiceRefused(f"The seat's link number {t}, 32 bytes, is needed.")
        if nwd1.player_chain(self.g, place).down(link, t, entry.number) != entry.link:
            raise DiceRefused(f"This is not link number {t} of the seat's chain.")
        return self._with(place, Known(entry.tip, t, link))

    def _with(self, place: int, entry: Known) -> PlayerLinks:
        known = tuple(entry if i == place else old for i, old in enumerate(self.known))
        return replace(self, known=known)


class DiceBook:
    """The dice of one game.

    master      M: encrypt it at rest; it opens every roll and every sealed payload
    g           G, the parameters that every hash of the game is bound to
    tips        tip of each domain's server chain
    commitment  C_S, published before anybody joins
    """

    __slots__ = ("_chains", "commitment", "g", "length", "master", "tips")

    def __init__(
        self, master: bytes, g: bytes, length: int, domains: Sequence[str] = (PUBLIC_DOMAIN,)
    ) -> None:
        self.master = master
        self.g = g
        self.length = length
        self._chains = {d: ServerChain(master, g, d, length) for d in domains}
        self.tips: Mapping[str, bytes] = {d: chain.tip for d, chain in self._chains.items()}
        self.commitment = nwd1.server_commitment(g, self.tips)

    def open_batch(self, t: int, links: nwd1.Links, domain: str = PUBLIC_DOMAIN) -> Batch:
        """Batch ``t`` with the seats' verified links (``PlayerLinks.accept`` first), None for none.

        Raises DiceRefused ``dice.exhausted``. The same arguments always give the same faces.
        """
        return Batch(self.g, domain, t, self._chains[domain].link(t), links)


class Vault:
    """Makes dice books. The only place that draws the secrets of games."""

    def __init__(self, length: int = CHAIN_LENGTH) -> None:
        self.length = length

    def new_game(
        self, game: bytes, rules: bytes, scenario: bytes, seats: int, seed: str | None = None
    ) -> DiceBook:
        """A new game's dice: ``game`` has 16 bytes, the digests of rules and scenario 32 each.

        ``seed`` names the master, for unranked games; otherwise the system's generator gives it.
        """
        master = secrets.token_bytes(32) if seed is None else named_master(seed)
        return self.reopen(master, game, rules, scenario, seats)

    def reopen(
        self,
        master: bytes,
        game: bytes,
        rules: bytes,
        scenario: bytes,
        seats: int,
        length: int | None = None,
    ) -> DiceBook:
        """The dice of a stored game; ``length`` is the N it was created with."""
        links = self.length if length is None else length
        return DiceBook(master, nwd1.params(game, rules, scenario, seats, links), links)
