"""Pennant: a whole game in one small file, for tests of everything that is not War at Sea.

Two seats choose a colour in secret at the same time (bold fires three dice that hit on 6, steady
two dice that hit on 5 and 6). Then they take turns: ``fire`` at the hull (each hit a point) or at
the magazine (one die; on a hit a second roll of two dice, whose sum is the points), or ``pass``.
Each seat has a tender, which is lost to ten or more points in the magazine, once. After the last
turn more points win; equal points are a draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, assert_never

import msgspec
from msgspec.structs import replace as replace_

from domain.kernel.agreed import OptionText, option
from domain.kernel.chance import Awaited, Dice, Faces, check_faces
from domain.kernel.chances import Chances, Outcome, threshold
from domain.kernel.claims import Claim, ClaimsByField
from domain.kernel.custom import Custom, read_customs
from domain.kernel.event import Event
from domain.kernel.fork import Choose as Choose_
from domain.kernel.form import Fault
from domain.kernel.game import Catalogue, Entry, Game, Result, Setup
from domain.kernel.insight import Insight
from domain.kernel.options import Described, Options, Pending
from domain.kernel.roles import Role, Roles, nothing
from domain.kernel.rulebook import RuleText
from domain.kernel.rules import Refused
from domain.kernel.tables import Tables
from domain.kernel.tally import Reason, Tally
from domain.kernel.values import CHANCE, TRUTH, Hidden, Known, Seat, Value, Viewer

Colour = Literal["bold", "steady"]
Aim = Literal["hull", "magazine"]
Choice = Known[Colour] | Hidden
COLOURS: tuple[Colour, ...] = ("bold", "steady")
AIMS: tuple[Aim, ...] = ("hull", "magazine")
SINKING = 10
"""Points of one shot that cost the enemy its tender: the hull has too few dice for them."""


class PennantOptions(Value, frozen=True):
    """``turns``: turns of both seats together, 1 to 20,000."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=20_000), option("PEN-1")] = 4


class Regatta(Value, frozen=True):
    """A scenario of the players' own: how many turns, which must be even."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    turns: Annotated[int, msgspec.Meta(ge=1, le=20_000)]


def judge(regatta: Regatta) -> Iterator[Fault]:
    """Both have as many turns."""
    if regatta.turns % 2:
        text = "One seat would have a turn more."
        yield Fault("regatta.odd", "/turns", text, "PEN-6", "Take an even number.")


REGATTA: dict[str, Any] = {"name": "Regatta", "turns": 2}
CUSTOMS = (Custom("scenario", "Regatta", "How long it is.", Regatta, judge, lambda: (REGATTA,)),)


class Choose(Value, frozen=True, tag_field="type", tag="choose"):
    """Choose a colour in secret."""

    colour: Colour


class Fire(Value, frozen=True, tag_field="type", tag="fire"):
    """Fire at a part of the enemy."""

    aim: Aim = "hull"


class Pass(Value, frozen=True, tag_field="type", tag="pass"):
    """Let the turn go by."""


Command = Choose | Fire | Pass


class Opened(Event, frozen=True):
    NAME = "opened"
    seats: tuple[Seat, ...] = ()
    turns: int = 0


class Chosen(Event, frozen=True):
    NAME = "chosen"
    seat: Seat = ""
    choice: Choice = Hidden(1)


class Revealed(Event, frozen=True):
    NAME = "revealed"
    colours: tuple[Colour, ...] = ()


class FireDeclared(Event, frozen=True):
    NAME = "fire-declared"
    seat: Seat = ""
    aim: Aim = "hull"
    awaited: Awaited | None = None


class FireResolved(Event, frozen=True):
    """``awaited`` is the second roll that a hit in the magazine asks for."""

    NAME = "fire-resolved"
    seat: Seat = ""
    label: str = ""
    dice: Tally = Tally(0, ())
    faces: tuple[int, ...] = ()
    points: int = 0
    awaited: Awaited | None = None


class TenderLost(Event, frozen=True):
    """The tender of ``seat`` goes down; nothing else depends on it."""

    NAME = "tender-lost"
    seat: Seat = ""
    tender: str = ""
    by: Seat = ""


class TurnPassed(Event, frozen=True):
    NAME = "turn-passed"
    seat: Seat = ""


class Ended(Event, frozen=True):
    NAME = "ended"
    winners: tuple[Seat, ...] = ()


AnyEvent = (
    Opened | Chosen | Revealed | FireDeclared | FireResolved | TenderLost | TurnPassed | Ended
)  # fmt: skip


class State(Value, frozen=True):
    """``choices`` and ``points`` are in order of ``seats``; ``left`` counts the turns to come.

    ``tenders``: whether each seat's still floats.
    """

    seats: tuple[Seat, ...]
    left: int
    choices: tuple[Choice | None, ...]
    colours: tuple[Colour, ...] = ()
    mover: int = 0
    points: tuple[int, ...] = (0, 0)
    awaited: Awaited | None = None
    rolls: int = 0
    winners: tuple[Seat, ...] | None = None
    tenders: tuple[bool, ...] = (True, True)


def opening(setup: Setup) -> tuple[AnyEvent, ...]:
    turns = msgspec.convert(setup.options, PennantOptions).turns
    if len(setup.seats) != 2:
        raise Refused("setup.seats", "PEN-1", "Two seats play.")
    regatta = read_customs(CUSTOMS, setup.customs).get("scenario")
    if isinstance(regatta, Regatta):
        turns = regatta.turns
    return (Opened(seats=setup.seats, turns=turns, rules=("PEN-1",)),)


def decide(state: State, seat: Seat, command: Command | Faces) -> tuple[AnyEvent, ...]:
    if state.winners is not None:
        raise Refused("game.over", "PEN-6", "The game is over.")
    if isinstance(command, Faces):
        return _score(state, command)
    if state.awaited is not None:
        raise Refused("turn.dice-awaited", "PEN-3", "The dice fall first.")
    if seat not in state.seats:
        raise Refused("turn.not-a-player", "PEN-1", "Only the two seats play.")
    if isinstance(command, Choose):
        return _choose(state, seat, command)
    if not state.colours:
        raise Refused("turn.colours-first", "PEN-2", "Both choose a colour first.")
    if seat != state.seats[state.mover]:
        raise Refused("turn.not-yours", "PEN-3", f"{state.seats[state.mover]} is to move.")
    if isinstance(command, Pass):
        return (TurnPassed(seat=seat, rules=("PEN-3",)), *_ending(state, 0))
    return _fire(state, seat, command)


def _choose(state: State, seat: Seat, command: Choose) -> tuple[AnyEvent, ...]:
    place = state.seats.index(seat)
    if state.choices[place] is not None:
        raise Refused("choose.again", "PEN-2", "A colour is chosen once.", "/colour")
    chosen = Chosen(seat=seat, choice=Known((command.colour,)), rules=("PEN-2",))
    after = evolve(state, chosen)
    if None in after.choices:
        return (chosen,)
    colours = tuple(choice.items[0] for choice in after.choices if isinstance(choice, Known))
    return (chosen, Revealed(colours=colours, rules=("PEN-2",)))


def _fire(state: State, seat: Seat, command: Fire) -> tuple[AnyEvent, ...]:
    label = f"fire/{state.rolls + 1}"
    count = dice_tally(state, seat, command.aim).total
    awaited = Awaited(label, (Dice(count),), seat)
    return (FireDeclared(seat=seat, aim=command.aim, awaited=awaited, rules=("PEN-4",)),)


def dice_tally(state: State, seat: Seat, aim: Aim) -> Tally:
    """How many dice, and why."""
    if aim == "magazine":
        return Tally.of(Reason(1, "PEN-5", "magazine"))
    if state.colours[state.seats.index(seat)] == "bold":
        return Tally.of(Reason(2, "PEN-4", "printed"), Reason(1, "PEN-4", "bold"))
    return Tally.of(Reason(2, "PEN-4", "printed"))


def _score(state: State, answer: Faces) -> tuple[AnyEvent, ...]:
    check_faces(state.awaited, answer)
    awaited = state.awaited
    assert awaited is not None
    faces = answer.faces[0]
    seat = awaited.owner
    kind, _, number = awaited.label.partition("/")
    if kind == "magazine":
        return _resolved(state, awaited, faces, sum(faces))
    magazine = len(faces) == 1
    least = 6 if state.colours[state.seats.index(seat)] == "bold" else 5
    hits = sum(face >= least for face in faces)
    if not magazine or not hits:
        return _resolved(state, awaited, faces, hits)
    second = Awaited(f"magazine/{number}", (Dice(2),), seat)
    event = FireResolved(
        seat=seat, label=awaited.label, dice=dice_tally(state, seat, "magazine"), faces=faces,
        awaited=second, rules=("PEN-5",),
    )  # fmt: skip
    return (event,)


def _resolved(
    state: State, awaited: Awaited, faces: tuple[int, ...], points: int
) -> tuple[AnyEvent, ...]:
    tally = Tally.of(Reason(len(faces), "PEN-4", "dice"))
    event = FireResolved(
        seat=awaited.owner, label=awaited.label, dice=tally, faces=faces, points=points,
        rules=("PEN-4",),
    )  # fmt: skip
    return (event, *_losing(state, points), *_ending(state, points))


def tender_of(seat: Seat) -> str:
    """The name of a seat's tender."""
    return f"tender of {seat}"


def _losing(state: State, points: int) -> tuple[AnyEvent, ...]:
    if points < SINKING or not state.tenders[1 - state.mover]:
        return ()
    other, mover = state.seats[1 - state.mover], state.seats[state.mover]
    return (TenderLost(seat=other, tender=tender_of(other), by=mover, rules=("PEN-7",)),)


def _ending(state: State, points: int) -> tuple[AnyEvent, ...]:
    if state.left > 1:
        return ()
    final = _plus(state.points, state.mover, points)
    if final[0] == final[1]:
        return (Ended(rules=("PEN-6",)),)
    return (Ended(winners=(state.seats[final.index(max(final))],), rules=("PEN-6",)),)


def _plus(points: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    return tuple(value + more if i == place else value for i, value in enumerate(points))


def evolve(state: State | None, event: AnyEvent) -> State:
    if isinstance(event, Opened):
        return State(event.seats, event.turns, tuple(None for _ in event.seats))
    assert state is not None
    change = msgspec.structs.replace
    match event:
        case Chosen():
            place = state.seats.index(event.seat)
            choices = tuple(event.choice if i == place else c for i, c in enumerate(state.choices))
            return change(state, choices=choices)
        case Revealed():
            known = tuple(Known((colour,)) for colour in event.colours)
            return change(state, colours=event.colours, choices=known)
        case FireDeclared():
            return change(state, awaited=event.awaited, rolls=state.rolls + 1)
        case FireResolved():
            points = _plus(state.points, state.mover, event.points)
            if event.awaited is not None:
                return change(state, awaited=event.awaited, points=points)
            return change(_next(state), awaited=None, points=points)
        case TenderLost():
            afloat = zip(state.seats, state.tenders, strict=True)
            return change(state, tenders=tuple(up and seat != event.seat for seat, up in afloat))
        case TurnPassed():
            return _next(state)
        case Ended():
            return change(state, winners=event.winners)
        case _:
            assert_never(event)


def _next(state: State) -> State:
    return msgspec.structs.replace(state, mover=1 - state.mover, left=state.left - 1)


def pending(state: State) -> tuple[Pending, ...]:
    if state.winners is not None or state.awaited is not None:
        return ()
    if state.colours:
        return (Pending(state.seats[state.mover], "turn", "PEN-3", optional=True),)
    return tuple(
        Pending(seat, "choose", "PEN-2", together=True)
        for seat, choice in zip(state.seats, state.choices, strict=True)
        if choice is None
    )


def legal(state: State, seat: Seat) -> Options[Command]:
    asked = [question.question for question in pending(state) if question.seat == seat]
    if not asked:
        return Options()
    if asked == ["choose"]:
        return Options(tuple(Choose(colour) for colour in COLOURS))
    return Options((*(Fire(aim) for aim in AIMS), Pass()))


def redact(event: AnyEvent, viewer: Viewer) -> AnyEvent:
    match event:
        case Chosen(seat=seat, choice=Known()) if viewer not in (seat, TRUTH):
            return msgspec.structs.replace(event, choice=Hidden(1))
        case Opened() | Chosen() | Revealed() | FireDeclared() | FireResolved():
            return event
        case TenderLost() | TurnPassed() | Ended():
            return event
        case _:
            assert_never(event)


def result(state: State) -> Result | None:
    if state.winners is None:
        return None
    return Result(state.winners, "points" if state.winners else "draw", "PEN-6")


def describe(state: State, command: Command) -> Described:
    match command:
        case Choose():
            return Described(f"Choose {command.colour}.", rule="PEN-2")
        case Fire():
            rule = "PEN-4" if command.aim == "hull" else "PEN-5"
            return Described(f"Fire at the {command.aim}.", "pennant", command.aim, rule)
        case Pass():
            return Described("Pass.", rule="PEN-3")
        case _:
            assert_never(command)


def odds(state: State, command: Command) -> dict[str, Any] | None:
    """Chance of at least one hit as an exact fraction."""
    if not isinstance(command, Fire) or not state.colours:
        return None
    seat = state.seats[state.mover]
    count = dice_tally(state, seat, command.aim).total
    misses = 5 if state.colours[state.mover] == "bold" else 4
    return {"hit": {"of": 6**count, "in": 6**count - misses**count}}


def chances(state: State) -> Chances | None:
    """Points: hits of the first roll, the sum of the second one."""
    awaited = state.awaited
    if awaited is None:
        return None
    if awaited.label.startswith("magazine"):
        return Chances("magazine", awaited.owner, (tuple(range(1, 7)),), (), "gun", "pennant")
    least = 6 if state.colours[state.seats.index(awaited.owner)] == "bold" else 5
    worth = (threshold(6, least),)
    return Chances("hull", awaited.owner, worth, (Outcome("hit", 1),), "gun", "pennant")


def prospects(state: State) -> dict[str, Any] | None:
    """In the words of ``chances``."""
    found = chances(state)
    if found is None or state.awaited is None:
        return None
    return {"kind": found.kind, "best": str(max(found.ways(state.awaited.pools)))}


def calls(state: State, unit: str) -> str:
    """The seats have flags and tenders."""
    if unit in map(tender_of, state.seats):
        return f"the {unit}"
    return f"the flag of {unit}" if unit in state.seats else ""


def suppose(state: State, choose: Choose_) -> State:
    """A colour that is sealed is one of the two."""
    choices = (
        Known((COLOURS[choose(2)],)) if isinstance(choice, Hidden) else choice
        for choice in state.choices
    )
    return replace_(state, choices=tuple(choices))


def _sealed(view: State) -> Iterator[Claim]:
    for place, choice in enumerate(view.choices):
        if isinstance(choice, Hidden):
            yield _a_colour(view.seats[place], place)


def _a_colour(seat: Seat, place: int) -> Claim:
    def holds(state: State) -> bool:
        choice = state.choices[place]
        return isinstance(choice, Known) and choice.items[0] in COLOURS

    return Claim(f"{seat} has chosen a colour", "PEN-2", holds)


CLAIMS: ClaimsByField = {
    **dict.fromkeys(
        ("seats", "left", "mover", "points", "tenders", "awaited", "rolls", "winners"),
        "it is open, and nothing follows from it for a colour",
    ),
    "choices": _sealed,
    "colours": "none is sealed any more when they are shown",
}


def figures(state: State, unit: str) -> dict[str, Tally]:
    """How many dice a seat has for the hull."""
    if unit not in state.seats or not state.colours:
        return {}
    return {"dice": dice_tally(state, unit, "hull")}


def scores(state: State) -> Mapping[Seat, int]:
    return dict(zip(state.seats, state.points, strict=True))


def board(state: State) -> str:
    rows = (f"{s}: {p}" for s, p in zip(state.seats, state.points, strict=True))
    return "\n".join((*rows, f"turns left: {state.left}"))


def usual(state: State, question: Pending) -> Command:
    return Choose("steady") if question.question == "choose" else Pass()


def says(state: State | None, event: AnyEvent) -> str:
    match event:
        case Opened():
            return f"{event.seats[0]} and {event.seats[1]} hoist their pennants."
        case Chosen(choice=Known(items=items)):
            return f"{event.seat} chooses {items[0]}."
        case Chosen():
            return f"{event.seat} chooses a colour in secret."
        case Revealed():
            return f"The colours are shown: {', '.join(event.colours)}."
        case FireDeclared():
            return f"{event.seat} fires at the {event.aim}."
        case FireResolved():
            rolled = " ".join(map(str, event.faces))
            return f"{event.seat} rolls {rolled}: {event.points} points."
        case TenderLost():
            return f"The {event.tender} goes down."
        case TurnPassed():
            return f"{event.seat} passes."
        case Ended():
            return f"{event.winners[0]} wins." if event.winners else "The battle is drawn."
        case _:
            assert_never(event)


ROLES: Roles = {
    TenderLost: lambda state, event: (
        Role("lost", event.tender, event.seat, event.by, "magazine"),
    ),
    FireDeclared: lambda state, event: tuple(
        Role("attacked", seat, seat, event.seat, event.aim)
        for seat in (state.seats if state is not None else ())
        if seat != event.seat
    ),
    Revealed: lambda state, event: (Role("revealed"),),
    Opened: nothing,
    Chosen: nothing,
    FireResolved: nothing,
    TurnPassed: nothing,
    Ended: nothing,
}


def _text(number: int, title: str, text: str) -> RuleText:
    return RuleText(f"PEN-{number}", title, text, ("first",), "tests", "done")


RULES = (
    _text(1, "Seats", "Two seats play."),
    _text(2, "Colours", "Both choose a colour in secret, once; then both are shown."),
    _text(3, "Turns", "The seats take turns; the dice of a turn fall before the next."),
    _text(4, "Hull", "Steady fires two dice that hit on 5 and 6, bold three that hit on 6."),
    _text(5, "Magazine", "One die; a hit scores the sum of two more dice."),
    _text(6, "End", "After the last turn more points win; equal points are a draw."),
    _text(7, "Tenders", "Ten or more points in the magazine cost the enemy its tender, once."),
)

CATALOGUE = Catalogue(
    units=lambda: (
        Entry("pennant", "Pennant", "A flag with guns.", data={"dice": 2}),
        Entry("ghost", "Ghost", playable=False, missing=("haunt",)),
    ),
    abilities=lambda: (Entry("haunt", "Haunt", "Not played yet.", playable=False),),
    scenarios=lambda: (Entry("standard", "Standard", "The one there is."),),
    maps=lambda: (Entry("open", "Open sea"),),
    rules=lambda: RULES,
)

TABLES = Tables(
    where=__name__,
    step=lambda state: "battle" if state.colours else "colours",
    titles={"colours": "Choice of colours", "battle": "Battle"},
    titled=__name__,
    questions=frozenset({"choose", "turn"}),
)

GAME: Game[State, Command, AnyEvent] = Game(
    ruleset="pennant",
    title="Pennant",
    version="1.0.0",
    editions=("first",),
    seat_counts=(2,),
    phases=("colours", "battle"),
    options=PennantOptions,
    option_texts={"turns": OptionText("Turns of both seats together", "4", "1 to 20,000")},
    state=State,
    commands=(Choose, Fire, Pass),
    events=(Opened, Chosen, Revealed, FireDeclared, FireResolved, TenderLost, TurnPassed, Ended),
    opening=opening,
    decide=decide,
    evolve=evolve,
    legal=legal,
    redact=redact,
    pending=pending,
    awaiting=lambda state: state.awaited,
    result=result,
    secrets=lambda state: bool(state.seats) and not state.colours,
    describe=describe,
    scores=scores,
    insight=Insight(
        calls=calls,
        figures=figures,
        chances=chances,
        prospects=prospects,
        suppose=suppose,
        claims=CLAIMS,
    ),
    board=board,
    usual=usual,
    says=says,
    roles=ROLES,
    odds=odds,
    catalogue=CATALOGUE,
    customs=CUSTOMS,
    tables=TABLES,
)

SETUP = Setup("pennant", "first", "standard", ("p1", "p2"), {})


def setup(turns: int) -> Setup:
    """A set-up for so many turns."""
    return msgspec.structs.replace(SETUP, options={"turns": turns})


def mutant(**functions: Any) -> Game[State, Command, AnyEvent]:
    """The game with some functions exchanged, to show that a check can fail."""
    return replace(GAME, **functions)


__all__ = ["CHANCE", "GAME", "SETUP", "Choose", "Fire", "Pass", "mutant", "setup"]
