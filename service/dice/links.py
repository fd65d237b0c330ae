"""The seats' own links: what is known of their chains, and what a command puts into its batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from ..errors import DiceRefused
from . import nwd1
from .nwd1 import Links
from .vault import BEGINNING, Epoch

AHEAD = 64
"""Batches for which a seat may give its links ahead: so many the service knows before they fall."""


class Known(NamedTuple):
    """A seat's tip r[p,0], and its newest verified link with its number (at first the tip, 0).

    It may be ahead of the batches: whoever has link 7 can compute links 6 to 0.
    """

    tip: bytes
    number: int
    link: bytes


@dataclass(frozen=True)
class PlayerLinks:
    """What is known of the seats' own chains in one epoch. Immutable: each step gives a new one.

    g       the game's G; ``epoch`` says what stands in its place
    known   for each seat in order, its newest verified link, or None while it has no tip
    spent   places of the seats whose chain ended with the epoch before: they need a new tip
    ahead   places of the seats that have given links ahead in this epoch: where such a link is
            missing the seat is absent, and that is on record
    """

    g: bytes
    length: int
    known: tuple[Known | None, ...]
    epoch: Epoch = BEGINNING
    spent: frozenset[int] = frozenset()
    ahead: frozenset[int] = frozenset()

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

    def give(self, place: int, upto: int, link: bytes) -> PlayerLinks:
        """The seat gives its link for batch ``upto``, and with it those for all batches before.

        Raises DiceRefused as ``accept`` does.
        """
        given = self.accept(place, upto, link)
        return replace(given, ahead=given.ahead | {place})

    def take(self, place: int, t: int, link: bytes) -> PlayerLinks:
        """The link that batch ``t`` has opened: it may have been given ahead.

        Raises DiceRefused as ``accept`` does.
        """
        own = self._entry(place, t)
        if own is None:
            return self.accept(place, t, link)
        if own != link:
            raise DiceRefused(f"This is not link number {t - self.epoch.base} of the seat's chain.")
        return self

    def entries(self, t: int) -> Links:
        """What the seats put into batch ``t``: whoever has given its link ahead, that link."""
        return [self._entry(place, t) for place in range(len(self.known))]

    def _entry(self, place: int, t: int) -> bytes | None:
        entry, number = self.known[place], t - self.epoch.base
        if entry is None or entry.number < number:
            return None
        return self._chain(place).down(entry.link, entry.number, number)

    def _has(self, place: int, t: int) -> bool:
        entry = self.known[place]
        return entry is not None and entry.number >= t - self.epoch.base

    def absent(self, t: int) -> tuple[int, ...]:
        """Places of the seats that give links ahead, and have none for batch ``t``."""
        return tuple(place for place in sorted(self.ahead) if not self._has(place, t))

    def missing(self, t: int) -> tuple[int, ...]:
        """Places of the seats that have a chain, and have given no link for batch ``t``."""
        chains = (place for place, entry in enumerate(self.known) if entry is not None)
        return tuple(place for place in chains if not self._has(place, t))

    def upto(self, place: int) -> int:
        """The last batch for which the seat has given links ahead; 0: it gives none."""
        entry = self.known[place]
        return 0 if entry is None or place not in self.ahead else self.epoch.base + entry.number

    def _chain(self, place: int) -> nwd1.Chain:
        return nwd1.player_chain(self.epoch.params(self.g), place)

    def _with(self, place: int, entry: Known) -> PlayerLinks:
        known = tuple(entry if i == place else old for i, old in enumerate(self.known))
        return replace(self, known=known, spent=self.spent - {place})
