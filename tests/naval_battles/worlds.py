"""Two worlds in step: they differ only in what one seat may not know, and are played on alike.

The worlds part when a card in another player's hand changes places with a card of the deck, or
when another player has chosen another fleet. From then on everybody gives the same commands, the
viewer's own dice and draws are the same, and after each command everything that the viewer can
observe is compared, byte for byte. The pair ends when the viewer must learn the difference: a card
is played that only one world has, or a draw that the other world cannot make.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.state import State
from domain.kernel.chance import Faces
from domain.kernel.codec import canonical
from domain.kernel.conformance import throw
from domain.kernel.game import Game
from domain.kernel.options import Pending
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, PUBLIC, Known, Seat

AnyGame = Game[Any, Any, Any]
Pools = tuple[tuple[int, ...], ...]


class Leak(AssertionError):
    """A viewer can tell the two worlds apart."""


@dataclass
class World:
    """One world: the truth, and what the viewer has seen of it."""

    game: AnyGame
    viewer: str
    state: State
    view: Any
    last: list[Any] = field(default_factory=list)

    def take(self, seat: Seat, command: Any) -> None:
        """Play a command."""
        events = self.game.decide(self.state, seat, command)
        self.state = self.game.fold(events, self.state)
        self.last = [self.game.seen(event, self.viewer) for event in events]

    def observed(self, strays: list[Any]) -> Iterator[tuple[str, bytes]]:
        """All that the viewer can observe after the last command, and advances the view."""
        for event in self.last:
            yield "event", canonical(event)
            yield "sentence", self.game.says(self.view, event).encode()
            self.view = self.game.evolve(self.view, event)
        self.last = []
        game, state, view = self.game, self.state, self.view
        yield "view", canonical(view)
        yield "board", game.board(view).encode()
        yield "questions", canonical(game.pending(state))
        yield "request", canonical(game.awaiting(state))
        yield "scores", canonical(game.scores(state))
        yield "result", canonical(game.result(state))
        yield "secrets", canonical(game.secrets(state))
        if self.viewer == PUBLIC:
            return
        options = game.legal(state, self.viewer)
        yield "options", canonical(options)
        for command in (*options.commands[:4], *strays):
            yield "answer", self._answer(state, command)
            yield "dry run", self._answer(view, command)
            yield "odds", canonical(game.odds(view, command))
            yield "words", canonical(game.describe(view, command))

    def catch_up(self) -> None:
        """The view follows, with nothing to compare it to."""
        self.view = self.game.fold(self.last, self.view)
        self.last = []

    def _answer(self, state: Any, command: Any) -> bytes:
        try:
            events = self.game.decide(state, self.viewer, command)
        except Refused as refusal:
            told = (refusal.code, refusal.rule, refusal.hint, refusal.pointer)
            return canonical(told)
        return b"\n".join(canonical(self.game.seen(event, self.viewer)) for event in events)


def compare(one: World, other: World, strays: list[Any]) -> int:
    """Raise :class:`Leak` at the first difference; gives how much was compared."""
    compared = 0
    pairs = zip(one.observed(strays), other.observed(strays), strict=True)
    try:
        for (what, a), (_, b) in pairs:
            if a != b:
                raise Leak(f"{one.viewer} sees another {what}: {a[:300]!r} {b[:300]!r}")
            compared += 1
    except ValueError:
        raise Leak(f"{one.viewer} sees more of one world than of the other") from None
    return compared


def part(state: State, viewer: str, dice: random.Random) -> State | None:
    """Another world: a card of a hand that the viewer does not see changes places with the deck."""
    assert isinstance(state.deck, Known)
    others = [s for s in state.seats if s != viewer and state.hands[s].count]
    if not others or not state.deck.count:
        return None
    seat = dice.choice(others)
    hand = state.hands[seat]
    assert isinstance(hand, Known)
    held, buried = dice.choice(hand.items), dice.choice(state.deck.items)
    if held == buried:
        return None
    hands = {**state.hands, seat: _swapped(hand, held, buried)}
    return replace(state, hands=hands, deck=_swapped(state.deck, buried, held))


def _swapped(cards: Known[str], out: str, into: str) -> Known[str]:
    found = list(cards.items)
    found[found.index(out)] = into
    return Known(tuple(found))


def answers(one: World, other: World, dice: random.Random) -> tuple[Faces, Faces] | None:
    """The same dice in both worlds as far as the viewer sees them; None when that cannot be.

    When the viewer is about to draw, the sealed dice of the other world differ, so that they give
    him the same cards.
    """
    awaited, purpose = one.state.awaiting, one.state.purpose
    assert awaited is not None
    faces = throw(awaited, dice.randrange)
    if purpose is None or purpose.kind != "draw" or purpose.seats != (one.viewer,):
        return faces, faces
    theirs = _other_dice(one.state, other.state, faces.faces, purpose.count)
    return None if theirs is None else (faces, Faces(faces.label, theirs))


def _other_dice(one: State, other: State, dice: Pools, many: int) -> Pools | None:
    """The dice of the other world that draw the same cards."""
    assert isinstance(one.deck, Known)
    assert isinstance(other.deck, Known)
    mine, theirs = list(one.deck.items), list(other.deck.items)
    found: list[tuple[int, ...]] = []
    for number in range(many):
        if number >= len(dice):
            return tuple(found) if mine == theirs else None
        card = mine.pop(dice[number][0] - 1)
        if card not in theirs:
            return None
        at = theirs.index(card)
        found.append((at + 1,))
        theirs.pop(at)
    return tuple(found)


@dataclass
class Tally:
    """What a run of pairs came to."""

    pairs: int = 0
    steps: int = 0
    compared: int = 0


def run(
    game: AnyGame, setup: Setup, viewer: str, seed: int, steps: int, tally: Tally | None = None
) -> Tally:
    """Play one game at random; again and again part the worlds and compare every step."""
    tally = tally or Tally()
    dice = random.Random(f"worlds {seed} {viewer} {len(setup.seats)}")
    events = game.opening(setup)
    one = World(game, viewer, game.fold(events), None, [game.seen(e, viewer) for e in events])
    one.catch_up()
    other: World | None = None
    strays: list[Any] = []
    for _ in range(steps):
        if game.result(one.state) is not None:
            break
        if other is None:
            other = _parted(one, dice)
            tally.pairs += other is not None
        if not _on(one, other, dice, strays):
            other = None
        tally.steps += 1
        if other is None:
            one.catch_up()
        else:
            tally.compared += compare(one, other, strays[-6:])
    return tally


def _parted(one: World, dice: random.Random) -> World | None:
    state = part(one.state, one.viewer, dice) if one.state.turn else None
    if state is None:
        return None
    return World(one.game, one.viewer, state, one.view)


def _on(one: World, other: World | None, dice: random.Random, strays: list[Any]) -> bool:
    """One command in both worlds; false when only one of them can go on so."""
    game, before = one.game, one.state
    if before.awaiting is not None:
        both = answers(one, other or one, dice)
        alike = other is not None and other.state.awaiting == before.awaiting
        one.take(CHANCE, throw(before.awaiting, dice.randrange) if both is None else both[0])
        if other is None:
            return False
        if both is None or not alike:
            return _differ(game, other, before)
        other.take(CHANCE, both[1])
        return True
    question = dice.choice(game.pending(before))
    mine = game.legal(before, question.seat).commands
    common = _common(game, other, question, mine)
    command = dice.choice(common or mine)
    strays.append(command)
    one.take(question.seat, command)
    if other is None:
        return False
    if not common:
        return _differ(game, other, before)
    other.take(question.seat, command)
    return True


def _differ(game: AnyGame, other: World, before: State) -> bool:
    """The worlds cannot go on alike. That is no leak as long as nobody else was asked there."""
    if game.pending(other.state) != game.pending(before):
        raise Leak(f"{other.viewer} sees other questions")
    if game.awaiting(other.state) != game.awaiting(before):
        raise Leak(f"{other.viewer} sees another request")
    return False


def _common(
    game: AnyGame, other: World | None, question: Pending, mine: tuple[Any, ...]
) -> tuple[Any, ...]:
    """What the seat may do in both worlds; it does what shows no card more often than not."""
    if other is None:
        return mine
    theirs = {canonical(each) for each in game.legal(other.state, question.seat).commands}
    return tuple(each for each in mine if canonical(each) in theirs)


def fleets(game: AnyGame, setup: Setup, viewer: str, seed: int) -> int:
    """Worlds that differ in another seat's secret fleet, until that seat lays out."""
    dice = random.Random(f"fleets {seed}")
    events = game.opening(setup)
    one = World(game, viewer, game.fold(events), None, [game.seen(e, viewer) for e in events])
    one.catch_up()
    for _ in setup.seats:
        (question,) = game.pending(one.state)
        options = [o for o in game.legal(one.state, question.seat).commands if o != c.DrawFleet()]
        one.take(question.seat, dice.choice(options))
        one.catch_up()
    secret = dice.choice([seat for seat in setup.seats if seat != viewer])
    other = World(game, viewer, one.state, one.view)
    compared = 0
    while not one.state.turn:
        awaited = one.state.awaiting
        if awaited is not None:
            faces = throw(awaited, dice.randrange)
            orders = [(CHANCE, faces), (CHANCE, faces)]
        else:
            question = game.pending(one.state)[0]
            if question.question == "lay-out" and question.seat == secret:
                break
            orders = _fleet_orders(one, question.seat, secret, dice)
        for world, (seat, command) in zip((one, other), orders, strict=True):
            world.take(seat, command)
        compared += compare(one, other, [c.Pass()])
    return compared


def _fleet_orders(
    one: World, seat: Seat, secret: Seat, dice: random.Random
) -> list[tuple[Seat, Any]]:
    options = [o for o in one.game.legal(one.state, seat).commands if o != c.DrawFleet()]
    command = dice.choice(options)
    if seat != secret or not isinstance(command, c.CommitFleet):
        return [(seat, command), (seat, command)]
    others = [each for each in options if len(each.ships) != len(command.ships)]
    return [(seat, command), (seat, dice.choice(others))]
