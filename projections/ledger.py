"""The dice ledger: each roll, what it was rolled for and why so many, what it led to, its proof.

Rulesets name a roll by its label in the event that takes the faces; that is all this file asks of
them. The rest is found near that event: what the roll led to stands after it, as far as each event
was decided by a rule; the tally of its dice stands in it, or in the declaration before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel.chance import Dice
from domain.kernel.chances import Chances
from domain.kernel.values import Viewer

from .records import (
    BEACON,
    CREATED,
    RENEWED,
    ROLLED,
    STARTED,
    BatchInFull,
    BeaconCame,
    RollInFull,
    Rules,
    read_beacon,
    read_created,
    read_renewed,
    read_started,
)
from .rolls import Pool, Proof, RollOdds, RollRecord
from .stream import AnyGame, SeeOwn, TrueEvent

LOOK_BACK = 64
"""How many events before a roll its declaration may stand."""

Plain = dict[str, Any]


NO_BEACON = BeaconCame(0, 0, "")


class Bound(msgspec.Struct, frozen=True):
    """What the dice of a game are bound to: its G, and the epoch of the chains in use.

    opened  epoch of the latest new start after a store went back; ``nonce``: what it drew
    beacon  the round of a public beacon that came last
    """

    g: str = ""
    epoch: int = 0
    opened: int = 0
    nonce: str = ""
    beacon: BeaconCame = NO_BEACON


Prove = Callable[[Bound, BatchInFull], Proof]
"""What a batch is recomputed from."""


class Ledger:
    """The rolls of one game as one viewer may see them, carried on from where it was read last.

    A version is always one between two commands, so what a roll led to is there when the roll is.

    rules  by which the game was judged, at a version
    """

    def __init__(
        self,
        game: AnyGame,
        rules: Callable[[int], Rules],
        viewer: Viewer,
        see_own: SeeOwn,
        prove: Prove,
    ) -> None:
        self._game = game
        self._rules = rules
        self._viewer = viewer
        self._see_own = see_own
        self._prove = prove
        self._bound = Bound()
        self._beacons: dict[int, BeaconCame] = {}
        self._state: Any = None
        self._chances: dict[str, Chances] = {}
        self.rolls: tuple[RollRecord, ...] = ()
        self.version = 0

    @property
    def since(self) -> int:
        """The version after which the events are needed to read on."""
        return max(0, self.version - LOOK_BACK)

    def read(self, told: Sequence[TrueEvent], latest: int) -> None:
        """Take in the events above ``since`` up to the game's version ``latest``."""
        reader = _Reader(self._game, self._rules, told, self._viewer)
        fresh: list[RollRecord] = []
        self._reckon(told)
        for place, each in enumerate(told):
            if each.seq <= self.version:
                continue
            if each.head.type == CREATED and (params := read_created(each.own).params) is not None:
                self._bound = Bound(params.g)
            elif each.head.type == RENEWED:
                self._bound = replace(self._bound, epoch=read_renewed(each.own).epoch)
            elif each.head.type == STARTED:
                began = read_started(each.own)
                self._bound = Bound(self._bound.g, began.epoch, began.epoch, began.nonce)
            elif each.head.type == BEACON:
                came = read_beacon(each.own)
                self._beacons[came.t] = came
            elif each.head.type == ROLLED:
                fresh += self._entries(reader, place, each)
        self.version, self.rolls = latest, (*self.rolls, *fresh)
        self._chances.clear()

    def _entries(self, reader: _Reader, place: int, told: TrueEvent) -> Iterator[RollRecord]:
        """The rolls of a batch, each with the odds that it had."""
        batch = msgspec.convert(self._see_own(told, self._viewer).data, BatchInFull)
        came = self._beacons.pop(batch.t, NO_BEACON)
        proof = self._prove(replace(self._bound, beacon=came), batch)
        for roll in batch.rolls:
            entered = reader.entry(proof, batch, place, roll)
            yield with_chances(entered, roll.odds or self._chances.get(roll.label))

    def _reckon(self, told: Sequence[TrueEvent]) -> None:
        """What the chances of each roll were when its dice were asked for, as the viewer knew.

        New records have them; those of older ones are worked out here.
        """
        game = self._game
        for each in told:
            if each.seq <= self.version or each.event is None:
                continue
            self._state = game.evolve(self._state, game.seen(each.event, self._viewer))
            awaited = game.awaiting(self._state)
            if awaited is not None and awaited.label not in self._chances:
                found = game.chances(self._state)
                if found is not None:
                    self._chances[awaited.label] = found


class _Reader:
    """A game's events as one viewer sees them, as plain JSON where it is looked at."""

    def __init__(
        self,
        game: AnyGame,
        rules: Callable[[int], Rules],
        told: Sequence[TrueEvent],
        viewer: Viewer,
    ) -> None:
        self._game = game
        self._rules = rules
        self._told = told
        self._viewer = viewer
        self._plain: dict[int, Plain] = {}

    def entry(self, proof: Proof, batch: BatchInFull, place: int, roll: RollInFull) -> RollRecord:
        at = self._told[place].head
        command = self._command(place)
        naming = [i for i in command if any(holding(self._see(i), roll.label))]
        taken = naming[-1] if naming else None
        led = [] if taken is None else self._led_to(taken, command, batch, roll.label)
        decided = self._told[led[0]].head if led else None
        return RollRecord(
            id=roll.label,
            rules=self._rules(at.seq),
            seq=at.seq,
            at=at.at,
            batch=batch.t,
            domain=batch.domain,
            owner=self._owner(naming, roll.label) or at.actor,
            caused_by=at.cause.id,
            pools=tuple(Pool(count=pool.count, sides=pool.sides) for pool in roll.pools),
            faces=roll.faces,
            hidden=not batch.link,
            event=0 if decided is None else decided.seq,
            event_type="" if decided is None else decided.type,
            reasons={} if taken is None else self._reasons(taken, roll.label),
            result={self._told[i].head.type: self._see(i) for i in led},
            proof=proof,
        )

    def _see(self, place: int) -> Plain:
        """The event as the viewer may know it; nothing of a platform event."""
        if place not in self._plain:
            event = self._told[place].event
            shown = None if event is None else self._game.seen(event, self._viewer)
            self._plain[place] = {} if shown is None else _plain(shown)
        return self._plain[place]

    def _command(self, place: int) -> list[int]:
        """Places of the game events of the command that the batch was rolled for."""
        cause = self._told[place].head.cause.id
        first = place
        while first and self._told[first - 1].head.cause.id == cause:
            first -= 1
        of_command = takewhile(
            lambda at: self._told[at].head.cause.id == cause, range(first, len(self._told))
        )
        return [at for at in of_command if self._told[at].event is not None]

    def _led_to(
        self, taken: int, command: Sequence[int], batch: BatchInFull, label: str
    ) -> list[int]:
        """Events that the faces led to: those decided by rules that follow on each other.

        Where another batch or another roll of this one begins, they end.
        """
        others = [roll.label for roll in batch.rolls if roll.label != label]
        run: list[int] = []
        for place in command[command.index(taken) :]:
            if run and place != run[-1] + 1:
                break
            if place != taken and any(any(holding(self._see(place), o)) for o in others):
                break
            if self._told[place].event.rules:
                run.append(place)
            elif place != taken:
                break
        return run or [taken]

    def _owner(self, naming: Sequence[int], label: str) -> str:
        """The seat whose dice they were, as the request for them says."""
        holders = (item for place in naming for item in holding(self._see(place), label))
        return next((str(item["owner"]) for item in holders if "owner" in item), "")

    def _reasons(self, taken: int, label: str) -> Plain:
        """The tallies of the event that took the faces, or of the declaration that fits it best."""
        own = dict(tallies(self._see(taken)))
        if own:
            return own
        words = {word for word in label.split("/") if len(word) > 1}
        best: tuple[int, Plain] = (0, {})
        for place in range(taken - 1, max(taken - LOOK_BACK, 0), -1):
            found = dict(tallies(self._see(place)))
            fit = len(words & set(strings(self._see(place)))) if found else 0
            if fit > best[0]:
                best = (fit, found)
        return best[1]


def _plain(event: Any) -> Plain:
    """The event as plain JSON, in its stored form: what is as usual is left out."""
    found: Plain = msgspec.json.decode(msgspec.json.encode(event))
    return found


def with_chances(roll: RollRecord, chances: Chances | None) -> RollRecord:
    """The roll with the odds that it had, and what its faces were worth."""
    if chances is None or len(chances.worth) != len(roll.pools):
        return roll
    ways = chances.ways([Dice(pool.count, pool.sides) for pool in roll.pools])
    score = chances.score(roll.faces) if roll.faces else None
    return replace(
        roll,
        odds=RollOdds.of_ways(chances, ways),
        score=score,
        outcome="" if score is None else chances.outcome(score),
    )


def holding(value: Any, label: str) -> Iterator[Plain]:
    """The objects inside plain JSON that have the label among their values."""
    if isinstance(value, dict):
        if label in value.values():
            yield value
        for item in value.values():
            yield from holding(item, label)
    elif isinstance(value, list):
        for item in value:
            yield from holding(item, label)


def tallies(value: Any, path: str = "") -> Iterator[tuple[str, Plain]]:
    """Kernel tallies inside plain JSON, by where they stand: ``attack.dice``."""
    if not isinstance(value, dict):
        return
    if value.keys() == {"total", "reasons"}:
        yield path, value
        return
    for key, item in value.items():
        yield from tallies(item, f"{path}.{key}" if path else key)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)
