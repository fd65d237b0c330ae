"""Soundings: a whole game with hands that are drawn in secret, for two to four seats.

Everybody is dealt two depths, each a hidden die of twelve faces. Then the seats take turns:
``draw`` one more depth, ``jettison`` some of them in secret, let a ``gale`` blow, or ``pass``. A
gale is one open die: on 4 and more every other seat draws a depth of its own, and then a second
open die of the same gale gives its points. After the last turn the hands are shown; depths and
points together win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, assert_never

import msgspec

from domain.kernel.agreed import option
from domain.kernel.chance import (
    PUBLIC_DOMAIN,
    Awaited,
    Dice,
    Faces,
    check_faces,
    side_domain,
)
from domain.kernel.commands import named, tag_of
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.options import Described, Options, Pending, Template
from domain.kernel.rules import Refused
from domain.kernel.setup import Result, Setup
from domain.kernel.shown.option_texts import OptionText
from domain.kernel.shown.roles import Role, Roles, nothing
from domain.kernel.values import TRUTH, Hidden, Known, Seat, Value, Viewer

DEPTHS = 12
DEALT = 2
BLOWS = 4
"""A gale that makes others draw shows this on its die, or more."""

Hand = Known[int] | Hidden


class SoundingsOptions(Value, frozen=True):
    """``turns``: turns of all seats together; ``deal``: whether hands are dealt at the start."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=20_000), option("SND-1")] = 6
    deal: Annotated[bool, option("SND-1")] = True


RULESET = "soundings"


class Order(Value, frozen=True, tag_field="type", tag=named(RULESET)):
    """Base of every order."""


class Draw(Order, frozen=True):
    """Draw a depth in secret."""


class Jettison(Order, frozen=True):
    """Throw some of the own depths away; the others see how many."""

    depths: tuple[int, ...] = ()


class Gale(Order, frozen=True):
    """Let a gale blow."""


class Pass(Order, frozen=True):
    """Let the turn go by."""


Command = Draw | Jettison | Gale | Pass


class Opened(Event, frozen=True):
    NAME = "opened"
    seats: tuple[Seat, ...] = ()
    turns: int = 0
    awaited: Awaited | None = None


class Drawn(Event, frozen=True):
    """``awaited`` is what chance is asked for next, in the same command."""

    NAME = "drawn"
    seat: Seat = ""
    label: str = ""
    depths: Hand = Hidden(0)
    awaited: Awaited | None = None


class DrawAsked(Event, frozen=True):
    NAME = "draw-asked"
    seat: Seat = ""
    awaited: Awaited | None = None


class Jettisoned(Event, frozen=True):
    NAME = "jettisoned"
    seat: Seat = ""
    depths: Hand = Hidden(0)


class GaleBlew(Event, frozen=True):
    """A die of a gale: the first says who draws, the second what it is worth."""

    NAME = "gale-blew"
    seat: Seat = ""
    label: str = ""
    face: int = 0
    points: int = 0
    awaited: Awaited | None = None


class GaleAsked(Event, frozen=True):
    NAME = "gale-asked"
    seat: Seat = ""
    awaited: Awaited | None = None


class TurnEnded(Event, frozen=True):
    NAME = "turn-ended"
    seat: Seat = ""


class Shown(Event, frozen=True):
    NAME = "shown"
    hands: tuple[tuple[int, ...], ...] = ()
    winners: tuple[Seat, ...] = ()


AnyEvent = Opened | Drawn | DrawAsked | Jettisoned | GaleBlew | GaleAsked | TurnEnded | Shown


class State(Value, frozen=True):
    """``hands`` and ``points`` are in order of ``seats``; ``left`` counts the turns to come."""

    seats: tuple[Seat, ...]
    left: int
    hands: tuple[Hand, ...]
    points: tuple[int, ...]
    mover: int = 0
    awaited: Awaited | None = None
    rolls: int = 0
    winners: tuple[Seat, ...] | None = None


def domains(setup: Setup) -> tuple[str, ...]:
    return (PUBLIC_DOMAIN, *map(side_domain, setup.seats))


def opening(setup: Setup) -> tuple[AnyEvent, ...]:
    options = msgspec.convert(setup.options, SoundingsOptions)
    if not 2 <= len(setup.seats) <= 4:
        raise Refused("setup.seats", "SND-1", "Two to four seats play.")
    deal = _draw("deal", 1, setup.seats[0], DEALT) if options.deal else None
    return (Opened(seats=setup.seats, turns=options.turns, awaited=deal, rules=("SND-1",)),)


def _draw(kind: str, number: int, seat: Seat, count: int = 1) -> Awaited:
    label = f"{kind}/{number}/{seat}"
    return Awaited(label, (Dice(count, DEPTHS),), seat, side_domain(seat))


def _gale(kind: str, number: int, seat: Seat) -> Awaited:
    return Awaited(f"{kind}/{number}", (Dice(1),), seat)


def decide(state: State, seat: Seat, command: Command | Faces) -> tuple[AnyEvent, ...]:
    if state.winners is not None:
        raise Refused("game.over", "SND-5", "The game is over.")
    events = _score(state, command) if isinstance(command, Faces) else _do(state, seat, command)
    after = GAME.fold(events, state)
    return events if after.left else (*events, _count_up(after))


def _do(state: State, seat: Seat, command: Command) -> tuple[AnyEvent, ...]:
    if state.awaited is not None:
        raise Refused("turn.dice-awaited", "SND-2", "The dice fall first.")
    if seat not in state.seats:
        raise Refused("turn.not-a-player", "SND-1", "Only the seats of the game play.")
    if seat != state.seats[state.mover]:
        raise Refused("turn.not-yours", "SND-2", f"{state.seats[state.mover]} is to move.")
    match command:
        case Draw():
            asked = _draw("draw", state.rolls + 1, seat)
            return (DrawAsked(seat=seat, awaited=asked, rules=("SND-3",)),)
        case Gale():
            asked = _gale("gale", state.rolls + 1, seat)
            return (GaleAsked(seat=seat, awaited=asked, rules=("SND-4",)),)
        case Jettison():
            return (_jettison(state, seat, command), _turn_over(seat))
        case Pass():
            return (_turn_over(seat),)
        case _:
            assert_never(command)


def _jettison(state: State, seat: Seat, command: Jettison) -> Jettisoned:
    rest = list(_held(state, seat))
    for depth in command.depths:
        if depth not in rest:
            raise Refused("jettison.not-held", "SND-3", f"{seat} holds {rest}.", "/depths")
        rest.remove(depth)
    if not command.depths:
        raise Refused("jettison.nothing", "SND-3", "Name at least one depth.", "/depths")
    return Jettisoned(seat=seat, depths=Known(command.depths), rules=("SND-3",))


def _held(state: State, seat: Seat) -> tuple[int, ...]:
    hand = state.hands[state.seats.index(seat)]
    return hand.items if isinstance(hand, Known) else ()


def _score(state: State, answer: Faces) -> tuple[AnyEvent, ...]:
    check_faces(state.awaited, answer)
    awaited = state.awaited
    assert awaited is not None
    match awaited.label.split("/"):
        case ["deal", _, seat]:
            following = _after(state, seat)
            more = _draw("deal", 1, following, DEALT) if following != state.seats[0] else None
            return (_drawn(awaited, answer, more),)
        case ["draw", _, seat]:
            return (_drawn(awaited, answer, None), _turn_over(seat))
        case ["gale", number]:
            return _blown(state, awaited, answer, int(number))
        case ["swell", number, seat]:
            return (_drawn(awaited, answer, _swell(state, int(number), _after(state, seat))),)
        case _:
            worth = GaleBlew(
                seat=awaited.owner, label=awaited.label, face=answer.faces[0][0],
                points=answer.faces[0][0], rules=("SND-4",),
            )  # fmt: skip
            return (worth, _turn_over(awaited.owner))


def _drawn(awaited: Awaited, answer: Faces, more: Awaited | None) -> Drawn:
    return Drawn(
        seat=awaited.owner, label=awaited.label, depths=Known(answer.faces[0]), awaited=more,
        rules=("SND-3",),
    )  # fmt: skip


def _blown(state: State, awaited: Awaited, answer: Faces, number: int) -> tuple[AnyEvent, ...]:
    face, seat = answer.faces[0][0], awaited.owner
    more = _swell(state, number, _after(state, seat)) if face >= BLOWS else None
    blew = GaleBlew(seat=seat, label=awaited.label, face=face, awaited=more, rules=("SND-4",))
    return (blew,) if more else (blew, _turn_over(seat))


def _swell(state: State, number: int, seat: Seat) -> Awaited:
    """The next who draws in a gale; after all of them its second die."""
    mover = state.seats[state.mover]
    return _gale("worth", number, mover) if seat == mover else _draw("swell", number, seat)


def _after(state: State, seat: Seat) -> Seat:
    return state.seats[(state.seats.index(seat) + 1) % len(state.seats)]


def _turn_over(seat: Seat) -> TurnEnded:
    return TurnEnded(seat=seat, rules=("SND-2",))


def _count_up(state: State) -> Shown:
    """The hands on the table and who has most."""
    hands = tuple(_held(state, seat) for seat in state.seats)
    sums = [sum(hand) + points for hand, points in zip(hands, state.points, strict=True)]
    best = tuple(s for s, total in zip(state.seats, sums, strict=True) if total == max(sums))
    winners = () if len(best) == len(state.seats) else best
    return Shown(hands=hands, winners=winners, rules=("SND-5",))


def evolve(state: State | None, event: AnyEvent) -> State:
    if isinstance(event, Opened):
        none: tuple[Hand, ...] = tuple(Known[int](()) for _ in event.seats)
        return State(event.seats, event.turns, none, (0,) * len(none), awaited=event.awaited)
    assert state is not None
    change = msgspec.structs.replace
    match event:
        case DrawAsked() | GaleAsked():
            return change(state, awaited=event.awaited, rolls=state.rolls + 1)
        case Drawn():
            hands = _with(state, event.seat, event.depths, 1)
            return change(state, awaited=event.awaited, hands=hands)
        case Jettisoned():
            return change(state, hands=_with(state, event.seat, event.depths, -1))
        case GaleBlew():
            place = state.seats.index(event.seat)
            points = tuple(p + event.points * (i == place) for i, p in enumerate(state.points))
            return change(state, awaited=event.awaited, points=points)
        case TurnEnded():
            mover = (state.mover + 1) % len(state.seats)
            return change(state, mover=mover, left=state.left - 1)
        case Shown():
            return change(state, hands=tuple(map(Known, event.hands)), winners=event.winners)
        case _:
            assert_never(event)


def _with(state: State, seat: Seat, depths: Hand, sign: int) -> tuple[Hand, ...]:
    """The hands after depths came to one of them (sign 1) or left it (-1)."""
    place = state.seats.index(seat)
    return tuple(_plus(hand, depths, sign) if i == place else hand
                 for i, hand in enumerate(state.hands))  # fmt: skip


def _plus(hand: Hand, depths: Hand, sign: int) -> Hand:
    if not isinstance(depths, Known) or not isinstance(hand, Known):
        return Hidden(hand.count + sign * depths.count)
    if sign > 0:
        return Known((*hand.items, *depths.items))
    rest = list(hand.items)
    for depth in depths.items:
        rest.remove(depth)
    return Known(tuple(rest))


def pending(state: State) -> tuple[Pending, ...]:
    if state.winners is not None or state.awaited is not None:
        return ()
    seat = state.seats[state.mover]
    return (Pending(seat, "turn", "SND-2", optional=True, subject=f"turn/{state.left}"),)


def legal(state: State, seat: Seat) -> Options[Command]:
    if seat not in [question.seat for question in pending(state)]:
        return Options()
    held = sorted(set(_held(state, seat)))
    commands: tuple[Command, ...] = (
        Draw(),
        Gale(),
        Pass(),
        *(Jettison((depth,)) for depth in held),
    )
    depths = msgspec.Raw(msgspec.json.encode({"type": "array", "items": {"enum": held}}))
    built = Template(tag_of(Jettison), "Throw depths away.", {"depths": depths})
    return Options(commands, (built,) if held else ())


def redact(event: AnyEvent, viewer: Viewer) -> AnyEvent:
    match event:
        case Drawn(seat=seat) | Jettisoned(seat=seat) if viewer not in (seat, TRUTH):
            return msgspec.structs.replace(event, depths=Hidden(event.depths.count))
        case Opened() | Drawn() | DrawAsked() | Jettisoned() | GaleBlew() | GaleAsked():
            return event
        case TurnEnded() | Shown():
            return event
        case _:
            assert_never(event)


def result(state: State) -> Result | None:
    if state.winners is None:
        return None
    return Result(state.winners, "depths" if state.winners else "draw", "SND-5")


def describe(state: State, command: Command) -> Described:
    match command:
        case Draw():
            return Described("Draw a depth.", rule="SND-3")
        case Jettison():
            return Described(f"Throw away {' '.join(map(str, command.depths))}.", rule="SND-3")
        case Gale():
            return Described("Let a gale blow.", rule="SND-4")
        case Pass():
            return Described("Pass.", rule="SND-2")
        case _:
            assert_never(command)


def says(state: State | None, event: AnyEvent) -> str:
    match event:
        case Opened():
            return f"{', '.join(event.seats)} put to sea."
        case DrawAsked():
            return f"{event.seat} draws."
        case Drawn(depths=Known(items=items)):
            return f"{event.seat} draws {' '.join(map(str, items))}."
        case Drawn():
            return f"{event.seat} has drawn {event.depths.count}."
        case Jettisoned():
            return f"{event.seat} throws {event.depths.count} away."
        case GaleAsked():
            return f"{event.seat} whistles for a gale."
        case GaleBlew():
            return f"The gale shows {event.face}: {event.points} points."
        case TurnEnded():
            return f"{event.seat} is done."
        case Shown():
            return f"{' and '.join(event.winners) or 'Nobody'} wins."
        case _:
            assert_never(event)


def board(state: State) -> str:
    rows = zip(state.seats, state.hands, state.points, strict=True)
    return "\n".join(f"{seat}: {hand.count} depths, {points} points" for seat, hand, points in rows)


def scores(state: State) -> Mapping[Seat, int]:
    return dict(zip(state.seats, state.points, strict=True))


ROLES: Roles = {
    Shown: lambda state, event: (Role("revealed"),),
    **dict.fromkeys(
        (Opened, Drawn, DrawAsked, Jettisoned, GaleBlew, GaleAsked, TurnEnded), nothing
    ),
}

GAME: Game[State, Command, AnyEvent] = Game(
    ruleset=RULESET,
    title="Soundings",
    version="1.0.0",
    editions=("first",),
    seat_counts=(2, 3, 4),
    phases=("turn",),
    options=SoundingsOptions,
    option_texts={
        "turns": OptionText("Turns of all seats together", "6", "1 to 20,000"),
        "deal": OptionText("Whether hands are dealt at the start", "true", "false"),
    },
    state=State,
    commands=(Draw, Jettison, Gale, Pass),
    events=(Opened, Drawn, DrawAsked, Jettisoned, GaleBlew, GaleAsked, TurnEnded, Shown),
    opening=opening,
    decide=decide,
    evolve=evolve,
    legal=legal,
    redact=redact,
    pending=pending,
    awaiting=lambda state: state.awaited,
    result=result,
    secrets=lambda state: state.winners is None,
    describe=describe,
    scores=scores,
    board=board,
    usual=lambda state, question: Pass(),
    says=says,
    roles=ROLES,
    domains=domains,
)

SETUP = Setup("soundings", "first", "standard", ("p1", "p2", "p3"), {})


def setup(turns: int, seats: int = 3, *, deal: bool = True) -> Setup:
    """A set-up for so many turns and seats."""
    names = tuple(f"p{number}" for number in range(1, seats + 1))
    options = {"turns": turns, "deal": deal}
    return msgspec.structs.replace(SETUP, options=options, seats=names)


def mutant(**functions: Any) -> Game[State, Command, AnyEvent]:
    """The game with some functions exchanged, to show that a check can fail."""
    return replace(GAME, **functions)
