"""The seats' own links: what is known of their chains, and what a command puts into its batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..errors import DiceRefused
from . import nwd1
from .vault import BEGINNING, Epoch


class Known(NamedTuple):
    """A seat's tip r[p,0], and its newest verified link with its number (at first the tip, 0)."""

    tip: bytes
    number: int
    link: bytes


@dataclass(frozen=True)
class PlayerLinks:
    """What is known of the seats' own chains in one epoch. Immutable: each step gives a new one.

    g       the game's G; ``epoch`` says what stands in its place
    known   for each seat in order, its newest verified link, or None while it has no tip
    spent   places of the seats whose chain ended with the epoch before: they need a new tip
    """

    g: bytes
    length: int
    known: tuple[Known | None, ...]
    epoch: Epoch = BEGINNING
    spent: frozenset[int] = frozenset()

    @staticmethod
    def none(g: bytes, length: int, seats: int) -> PlayerLinks:
        """No seat has a tip yet."""
        return PlayerLinks(g, length, (None,) * seats)

    def renewed(self, epoch: Epoch) -> PlayerLinks:
        """The chains that are known now are spent, the seats' like the service's."""
        had = {place for place, entry in enumerate(self.known) if entry is not None}
        none = (None,) * len(self.known)
        return PlayerLinks(self.g, self.length, none, epoch, frozenset(had | self.spent))

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
        """Seat number ``place`` opens its link for batch ``t``.

        It must lead down to its newest known link. Numbers may be skipped: whoever has link 7 can
        compute links 6 to 0. Raises DiceRefused: ``dice.link-unexpected`` (no tip),
        ``dice.exhausted``, ``dice.link-wrong``.
        """
        entry, number = self.known[place], t - self.epoch.base
        if entry is None:
            raise DiceRefused("The seat has no dice tip.", code="dice.link-unexpected")
        if number > self.length:
            raise DiceRefused(f"A chain has {self.length} links.", code="dice.exhausted")
        if len(link) != nwd1.LINK_BYTES or number < max(entry.number, 1):
            raise DiceRefused(f"The seat's link number {number}, 32 bytes, is needed.")
        if self._chain(place).down(link, number, entry.number) != entry.link:
            raise DiceRefused(f"This is not link number {number} of the seat's chain.")
        return self._with(place, Known(entry.tip, number, link))

    def credit(self, place: int, t: int, link: bytes) -> Credit:
        """A link for batch ``t`` and all before it. Raises DiceRefused as ``accept`` does."""
        self.accept(place, t, link)
        return Credit(self, place, t, link)

    def below(self, place: int, above: int, link: bytes, t: int) -> bytes:
        """The seat's link for batch ``t``, from its verified link for batch ``above``."""
        return self._chain(place).down(link, above - self.epoch.base, t - self.epoch.base)

    def _chain(self, place: int) -> nwd1.Chain:
        return nwd1.player_chain(self.epoch.params(self.g), place)

    def _with(self, place: int, entry: Known) -> PlayerLinks:
        known = tuple(entry if i == place else old for i, old in enumerate(self.known))
        return replace(self, known=known, spent=self.spent - {place})


class Credit(NamedTuple):
    """What a seat sent with its command: its link for batch ``t`` makes those for all before it.

    A command opens at most one batch a domain, but which ones depends on how the dice fall. So the
    seat sends its link for the last batch that the command could open; nobody can ask for more
    when the first dice are known. Those that the command did not need are forgotten.
    """

    links: PlayerLinks
    place: int
    t: int
    link: bytes

    def entries(self, t: int) -> Sequence[bytes | None]:
        """What the seats put into batch ``t``: this seat its link, the others nothing."""
        link = self.links.below(self.place, self.t, self.link, t)
        return [link if place == self.place else None for place in range(len(self.links.known))]

    def spent(self, t: int) -> PlayerLinks:
        """The seats' links when ``t`` was the command's last batch."""
        return self.links.accept(self.place, t, self.links.below(self.place, self.t, self.link, t))
