"""A game that its service has left is played on by whoever has its opened master.

The rules decide as ever, and the dice are those that the service would have rolled: an order that
was locked is carried out with the links that were given, what comes after it with those that were
given ahead. Nothing is added to the record: what comes of it is anybody's to make again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.game import Game
from domain.kernel.values import Seat

from ..dice.resolve import Resolved, resolve
from ..dice.vault import Batch
from .asked import Installed
from .casefile import Case
from .chain import STATE, Seals, state_payload
from .dicecheck import DiceCheck
from .records import OrdersLocked

MOST_ORDERS = 10_000
"""More orders than that are not played on in one go."""


class Unfit(Exception):
    """What cannot be played on from, in a sentence."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat does; without a command the usual."""

    seat: Seat
    command: msgspec.Raw = msgspec.Raw(b"")


class Stalled:
    """The game from where its file ends.

    state  the position, after all that was played on
    """

    def __init__(
        self, game: Game[Any, Any, Any], case: Case, dice: DiceCheck, master: bytes, state: Any
    ) -> None:
        """``state``: as the file tells it. Raises Unfit where that is not the whole truth."""
        self.state = state
        self._game, self._dice, self._master = game, dice, master
        self._rules = Installed(game)
        self._seals = Seals(master, bytes.fromhex(case.created.params.g))
        self._opened = 0
        self._links: Mapping[Seat, bytes] = {}
        self._signature = ""
        self._lock = _waiting(case) if dice.wanted else None
        _check_whole(case, self._seals, state)

    def given(self, links: Mapping[Seat, bytes], signature: str) -> None:
        """Links that were given for the next batch, and the round of the beacon it waits for."""
        self._links, self._signature = links, signature

    def answer(self, told: Answer) -> Resolved:
        """Carry out what a seat does. Raises Unfit; Refused, DiceRefused, ValidationError."""
        command = self._rules.command(told.command) if told.command else self._usual(told.seat)
        if self._lock is not None:
            self._check_locked(self._lock, told.seat, command)
            self._lock = None
        first = self._game.decide(self.state, told.seat, command)
        done = resolve(self._game, self.state, first, self._open)
        self.state = done.state
        return done

    def usual(self) -> Iterator[tuple[Seat, Resolved]]:
        """The usual answer of whoever is asked, until the game is over."""
        for _ in range(MOST_ORDERS):
            asked = self._game.pending(self.state)
            if self._game.result(self.state) is not None or not asked:
                return
            yield asked[0].seat, self.answer(Answer(asked[0].seat))
        raise Unfit(f"the game is not over after {MOST_ORDERS} orders")

    def _usual(self, seat: Seat) -> Any:
        asked = next((each for each in self._game.pending(self.state) if each.seat == seat), None)
        if asked is None:
            raise Unfit(f"{seat} is not asked anything now")
        return self._game.usual(self.state, asked)

    def _check_locked(self, lock: OrdersLocked, seat: Seat, command: Any) -> None:
        found = self._seals.cause(lock.command, canonical(command)).digest
        if (seat, found) != (lock.seat, lock.digest):
            raise Unfit(f"that is not the order of {lock.seat} that was locked")

    def _open(self, domain: str) -> Batch:
        links, self._links = self._links, {}
        batch = self._dice.due(self._master, domain, links, self._signature, self._opened)
        self._opened += 1
        return batch


def _waiting(case: Case) -> OrdersLocked:
    """The order that is locked and was not carried out: the last one."""
    return [each for each in case.records.values() if isinstance(each, OrdersLocked)][-1]


def _check_whole(case: Case, seals: Seals, state: Any) -> None:
    """That the file hides nothing of the position: the master opens what was sealed of it.

    Raises Unfit.
    """
    sealed = next((each for each in reversed(case.envelopes) if STATE in each.sealed), None)
    if sealed is None:
        return
    found = seals.seal(STATE, sealed.seq, state_payload(state))
    if found != sealed.sealed[STATE]:
        raise Unfit("this file hides something of the position: take one that shows it all")
