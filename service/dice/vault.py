"""The vault: a game's master secret, its chains, and the batches that are opened from them.

A :class:`DiceBook` belongs to one game and reaches no other. It keeps a few links of each chain and
hashes down to the others, so that a chain of 4,096 links costs some kilobytes. Nothing in here
changes when a batch is opened: a commit that fails leaves no trace, and the same batch opened again
has the same faces (R5: no re-roll by crash or retry).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domain.kernel.chance import Awaited, Dice, Faces
from domain.kernel.chances import Chances

from ..entropy import SYSTEM, Entropy
from ..errors import DiceRefused
from . import nwd1
from .nwd1 import PUBLIC_DOMAIN, DiceError

CHAIN_LENGTH = 4_096
"""N: links of a chain; a game may be created with another length. A spent chain is renewed.

Each link costs a hash when a game is created and when it is opened again after a restart, for each
domain of its dice.
"""

STRIDE = 128
"""Every so many links one is kept; the others are hashed down from the next kept one."""

FaceRows = tuple[tuple[int, ...], ...]


class Epoch(NamedTuple):
    """Which chains are in use: those of the beginning, of the latest renewal or new start.

    number  0 at first, one more with each renewal or new start
    base    number of the last batch before it: batch t opens link t - base of its chains
    nonce   of the latest new start after a store went back; "" before there was any
    opened  number of that start
    """

    number: int = 0
    base: int = 0
    nonce: bytes = b""
    opened: int = 0

    def params(self, g: bytes) -> bytes:
        """What takes the place of G in the chains and batches of this epoch.

        After a new start all of it hangs on the nonce: a history that was lost, which may have gone
        on to the same number, has no link in common with it.
        """
        root = nwd1.th("nwd1/epoch", g, nwd1.u32(self.opened), self.nonce) if self.nonce else g
        if self.number == self.opened:
            return root
        return nwd1.th("nwd1/renewed", root, nwd1.u32(self.number))

    def chains(self, g: bytes) -> bytes:
        """What a seat's order is bound to: G, which after a new start gives way to the above."""
        return self.params(g) if self.nonce else g

    def renewed(self, base: int) -> Epoch:
        """The next one, where the chains are spent."""
        return self._replace(number=self.number + 1, base=base)

    def started(self, base: int, nonce: bytes) -> Epoch:
        """The next one, where what followed is lost."""
        return Epoch(self.number + 1, base, nonce, self.number + 1)

    def lasts(self, t: int, length: int, domains: int) -> bool:
        """Whether a command that begins with batch ``t`` has a link for each of its batches."""
        return t - 1 - self.base + domains <= length


BEGINNING = Epoch()


def named_master(seed: str) -> bytes:
    """M of an unranked game that names its seed."""
    return nwd1.th("nwd1/named-seed", seed.encode())


class ServerChain:
    """One domain's server chain with a kept link at every STRIDE-th number.

    The stretch between two of them that was used last is kept whole: batches follow one another.
    """

    __slots__ = ("_chain", "_kept", "_stretch", "length", "tip")

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
        self._stretch: tuple[int, tuple[bytes, ...]] = (0, ())

    def link(self, t: int) -> bytes:
        """s[d,t]. Raises DiceRefused ``dice.exhausted`` beyond the end of the chain."""
        if t > self.length:
            raise DiceRefused(f"A game has at most {self.length} batches.", code="dice.exhausted")
        if t < 1:
            raise DiceError("dice.link", "Batches are numbered from 1.")
        above = min(-(-t // STRIDE) * STRIDE, self.length)
        top, links = self._stretch
        if top != above:
            links = self._between(above)
            self._stretch = (above, links)
        return links[above - t]

    def _between(self, above: int) -> tuple[bytes, ...]:
        """The link of that number and all below it that are not under the next kept one."""
        first, lowest = self._kept[above], (above - 1) // STRIDE * STRIDE + 1
        return (first, *self._chain.below(first, above, lowest))


class Rolled(NamedTuple):
    """One roll of a batch, with what its odds were when it was asked for, where that is known."""

    label: str
    pools: tuple[Dice, ...]
    faces: FaceRows
    odds: Chances | None = None


class Batch:
    """One opened batch: rolls by label, each label once.

    key     K; never leaves the service before the batch is stored
    link    s[d,t]
    links   r[p,t] of each seat, or None
    rolls   what was rolled so far, in order
    """

    __slots__ = ("domain", "key", "link", "links", "rolls", "t")

    def __init__(
        self, g: bytes, domain: str, t: int, link: bytes, links: nwd1.Links,
        beacon: nwd1.Beacon | None = None,
    ) -> None:  # fmt: skip
        self.domain = domain
        self.t = t
        self.link = link
        self.links = tuple(links)
        self.rolls: list[Rolled] = []
        context = nwd1.batch_context(g, domain, t)
        self.key = nwd1.batch_key(context, nwd1.batch_material(link, self.links, beacon))

    def roll(self, label: str, pools: Sequence[Dice]) -> FaceRows:
        """The faces, pool by pool. Raises DiceError for a bad or repeated label or bad dice."""
        if any(label == done.label for done in self.rolls):
            raise DiceError("dice.label-repeated", f"{label!r} was rolled in this batch.")
        faces = nwd1.roll(self.key, label, [(pool.count, pool.sides) for pool in pools]).faces
        self.rolls.append(Rolled(label, tuple(pools), faces))
        return faces

    def note(self, odds: Chances | None) -> None:
        """Keep with the latest roll the odds that it had."""
        if odds is not None:
            self.rolls[-1] = self.rolls[-1]._replace(odds=odds)

    def answer(self, awaited: Awaited) -> Faces:
        """Chance's command for an open request. Raises DiceError as ``roll`` does."""
        if awaited.domain != self.domain:
            raise DiceError("dice.domain", f"{awaited.label!r} is not a roll of {self.domain!r}.")
        return Faces(awaited.label, self.roll(awaited.label, awaited.pools))


class DiceBook:
    """The dice of one game.

    master   M: encrypt it at rest; it opens every roll and every sealed payload
    g        G, the parameters that every hash of the game is bound to
    length   N, links of each chain
    domains  of the game's dice, in byte order; a chain is made when it is first needed
    """

    __slots__ = ("_chains", "domains", "g", "length", "master")

    def __init__(
        self, master: bytes, g: bytes, length: int, domains: Sequence[str] = (PUBLIC_DOMAIN,)
    ) -> None:
        self.master = master
        self.g = g
        self.length = length
        self.domains = tuple(sorted(domains, key=lambda name: name.encode("ascii")))
        self._chains: dict[tuple[bytes, str], ServerChain] = {}

    @property
    def tips(self) -> Mapping[str, bytes]:
        """Tips of the game's first chains, by domain."""
        return self.tips_of(BEGINNING)

    @property
    def commitment(self) -> bytes:
        """C_S, published before anybody joins."""
        return self.commitment_of(BEGINNING)

    def tips_of(self, epoch: Epoch) -> Mapping[str, bytes]:
        """Tip of each domain's server chain of an epoch; makes all of them."""
        return {domain: self.tip(domain, epoch) for domain in self.domains}

    def commitment_of(self, epoch: Epoch) -> bytes:
        """C_S over the tips of an epoch."""
        return nwd1.server_commitment(epoch.params(self.g), self.tips_of(epoch))

    def tip(self, domain: str, epoch: Epoch = BEGINNING) -> bytes:
        """The tip of one domain's chain."""
        return self._chain(domain, epoch).tip

    def open_batch(
        self, t: int, links: nwd1.Links, domain: str = PUBLIC_DOMAIN, epoch: Epoch = BEGINNING,
        beacon: nwd1.Beacon | None = None,
    ) -> Batch:  # fmt: skip
        """Batch ``t`` with the seats' verified links (``PlayerLinks.credit`` first), None for none,
        and of grade A3 the beacon's round.

        Raises DiceRefused ``dice.exhausted``, DiceError ``dice.domain`` for a domain that the game
        did not commit to. The same arguments always give the same faces.
        """
        link = self._chain(domain, epoch).link(t - epoch.base)
        return Batch(epoch.params(self.g), domain, t, link, links, beacon)

    def _chain(self, domain: str, epoch: Epoch) -> ServerChain:
        if domain not in self.domains:
            raise DiceError("dice.domain", f"The game has no dice of domain {domain!r}.")
        g = epoch.params(self.g)
        place = (g, domain)
        if place not in self._chains:
            self._chains[place] = ServerChain(self.master, g, domain, self.length)
        return self._chains[place]


class Vault:
    """Makes dice books. The only place that draws the secrets of games."""

    def __init__(self, length: int = CHAIN_LENGTH, entropy: Entropy = SYSTEM) -> None:
        self.length = length
        self._entropy = entropy

    def new_game(
        self,
        game: bytes,
        rules: bytes,
        scenario: bytes,
        seats: int,
        seed: str | None = None,
        domains: Sequence[str] = (PUBLIC_DOMAIN,),
    ) -> DiceBook:
        """A new game's dice: ``game`` has 16 bytes, the digests of rules and scenario 32 each.

        ``seed`` names the master, for unranked games; otherwise nobody can foresee it.
        """
        master = self._entropy.draw(32) if seed is None else named_master(seed)
        return self.reopen(master, game, rules, scenario, seats, domains=domains)

    def reopen(
        self,
        master: bytes,
        game: bytes,
        rules: bytes,
        scenario: bytes,
        seats: int,
        length: int | None = None,
        domains: Sequence[str] = (PUBLIC_DOMAIN,),
    ) -> DiceBook:
        """The dice of a stored game; ``length`` is the N it was created with."""
        links = self.length if length is None else length
        params = nwd1.params(game, rules, scenario, seats, links)
        return DiceBook(master, params, links, domains)
