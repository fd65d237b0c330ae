"""What Pennant cites and counts, told a second time: out of its rules, and not as it does it.

It has no numbered cases, so the rule of each event, order and refusal stands here; and what an
event cites has to be in its place, for whoever adds another.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.examples.pennant.rules.events import Ended, FireResolved
from domain.kernel.chance import Faces
from domain.kernel.conformance import Played, play
from domain.kernel.rules import Refused
from domain.kernel.shown.rulebook import RuleText
from domain.kernel.values import CHANCE
from tests.support.figures import said, tuned, written
from tests.support.pennant import GAME, RULES, Choose, Fire, FireDeclared, Pass, mutant, setup
from tests.support.suites import TESTS, AnyGame

GAMES = 60
CODE = TESTS.parent / "domain/examples/pennant/rules"

CITED = {
    "opened": "PEN-1",
    "chosen": "PEN-2",
    "revealed": "PEN-2",
    "fire-declared at the hull": "PEN-4",
    "fire-declared at the magazine": "PEN-5",
    "fire-resolved at the hull": "PEN-4",
    "fire-resolved at the magazine": "PEN-5",
    "tender-lost": "PEN-7",
    "turn-passed": "PEN-3",
    "ended": "PEN-6",
}
"""The rule by which each thing happens."""

ORDERS = {
    ("pennant.choose", "PEN-2"),
    ("pennant.fire at hull", "PEN-4"),
    ("pennant.fire at magazine", "PEN-5"),
    ("pennant.pass", "PEN-3"),
}
"""Each order, with the rule by which it is offered."""

REFUSED = {
    ("chance.not-awaited", ""),
    ("chance.wrong-label", ""),
    ("choose.again", "PEN-2"),
    ("game.over", "PEN-6"),
    ("setup.seats", "PEN-1"),
    ("turn.dice-awaited", "PEN-3"),
    ("turn.must-act", "PEN-2"),
    ("turn.no-seat", "PEN-1"),
    ("turn.not-chance", "PEN-3"),
    ("turn.not-yours", "PEN-2"),
    ("turn.not-yours", "PEN-3"),
    ("turn.wrong-step", "PEN-2"),
    ("turn.wrong-step", "PEN-3"),
}
"""Each refusal, with the rule that refuses."""

STRAYS = (Choose("bold"), Choose("steady"), Fire("hull"), Fire("magazine"), Pass(), Faces("no", ()))
SEATS = ("p1", "p2", "p3", CHANCE)


def games(game: AnyGame = GAME) -> Iterator[Played]:
    """Each settled position of some random games; the last of each is its end."""
    for seed in range(GAMES):
        yield from play(game, setup(6), Random(f"book {seed}").randrange)


def kind_of(event: Any) -> str:
    """An event's name; of shots also what they are at: a die alone is the magazine's."""
    if isinstance(event, FireDeclared):
        return f"{event.NAME} at the {event.aim}"
    if isinstance(event, FireResolved):
        first = len(event.faces) == 1 or event.label.startswith("magazine")
        return f"{event.NAME} at the {'magazine' if first else 'hull'}"
    return str(event.NAME)


def cited(game: AnyGame) -> set[tuple[str, tuple[str, ...]]]:
    ended = (each for each in games(game) if game.result(each.state) is not None)
    events = (event for played in ended for event in played.events)
    return {(kind_of(event), event.rules) for event in events}


def order_of(command: Any) -> str:
    tag = str(command.__struct_config__.tag)
    return f"{tag} at {command.aim}" if isinstance(command, Fire) else tag


def refused(game: AnyGame) -> set[tuple[str, str]]:
    """All refusals of strays, in all positions of a few games, and of a set-up."""
    found = set()
    for played in islice(games(game), 80):
        for seat, stray in product(SEATS, STRAYS):
            try:
                game.decide(played.state, seat, stray)
            except Refused as refusal:
                found.add((refusal.code, refusal.rule))
    try:
        game.opening(replace(setup(6), seats=("p1",)))
    except Refused as refusal:
        found.add((refusal.code, refusal.rule))
    return found


def test_each_event_cites_the_rule_by_which_it_happens() -> None:
    found = cited(GAME)
    assert found == {(kind, (rule,)) for kind, rule in CITED.items()}, (
        f"domain/examples/pennant/rules/course.py cites otherwise than CITED of {__name__}"
    )


def test_each_order_names_the_rule_that_offers_it() -> None:
    found = {
        (order_of(command), GAME.describe(played.state, command).rule)
        for played in games()
        for seat in ("p1", "p2")
        for command in GAME.legal(played.state, seat).commands
    }
    assert found == ORDERS, f"shown/words.py of Pennant, or ORDERS of {__name__}"


def test_each_refusal_names_the_rule_that_refuses() -> None:
    assert refused(GAME) == REFUSED, f"rules/course.py of Pennant, or REFUSED of {__name__}"


def test_every_rule_decides_something() -> None:
    told = {*CITED.values(), *(rule for _, rule in (*ORDERS, *REFUSED))}
    assert told == {each.id for each in RULES} | {""}


def points_of(events: list[Any]) -> dict[str, int]:
    """Points by the rules, out of the dice alone: PEN-4 and PEN-5 read once more."""
    colours = next(e.colours for e in events if e.NAME == "revealed")
    hits = {"bold": {6}, "steady": {5, 6}}
    of = dict(zip(events[0].seats, colours, strict=True))
    found = dict.fromkeys(of, 0)
    for event in events:
        if isinstance(event, FireResolved):
            if event.label.startswith("magazine"):
                found[event.seat] += sum(event.faces)
            elif len(event.faces) > 1:
                found[event.seat] += len([f for f in event.faces if f in hits[of[event.seat]]])
    return found


def miscounted(game: AnyGame) -> list[str]:
    """Games whose scores or end are not what the dice say."""
    wrong = []
    for played in games(game):
        if (result := game.result(played.state)) is not None:
            points = points_of(played.events)
            best = [seat for seat in points if points[seat] == max(points.values())]
            winners = tuple(best) if len(best) == 1 else ()
            if dict(game.scores(played.state)) != points or result.winners != winners:
                wrong.append(f"{game.scores(played.state)} {result.winners} for {points}")
    return wrong


def test_scores_and_winners_are_those_of_the_dice() -> None:
    assert miscounted(GAME) == [], "rules/state.py or rules/course.py of Pennant, or PEN-4 to PEN-6"


FARTHER = {"PEN-4": {3, 5, 6}}
"""Figures that are worked out, or stand in a function that names no rule: read there by us."""


def misfigured(rule: str, text: str) -> list[str]:
    """Numbers that a rule's text says and its code does not, and constants that no text says.

    Where a function names several rules, one of them says its constant.
    """
    texts = {each.id: each.text for each in RULES} | {rule: text}
    numbers, where = said(text), written(CODE, rule) | FARTHER.get(rule, set())
    unsaid = (
        f"{name} is {sorted(value)}"
        for name, (value, near) in tuned(CODE, rule).items()
        if not any(value <= said(texts[each]) for each in near & texts.keys())
    )
    return [f"the text says {each}" for each in sorted(numbers - where)] + sorted(unsaid)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_figures_of_a_rule_are_those_of_its_code(rule: RuleText) -> None:
    assert misfigured(rule.id, rule.text) == [], f"{rule.id} in game.py of Pennant"


# --- what is found --------------------------------------------------------------------------------


def test_another_figure_is_found() -> None:
    (text,) = (each.text for each in RULES if each.id == "PEN-7")
    assert misfigured("PEN-7", text.replace("Ten", "Nine")) == [
        "the text says 9", "SINKING is [10]"
    ]  # fmt: skip
    assert misfigured("PEN-7", text.replace("Ten", "Some")) == ["SINKING is [10]"]


def test_another_rule_is_found() -> None:
    def decide(state: Any, seat: str, command: Any) -> Any:
        events = GAME.decide(state, seat, command)
        return tuple(replace(e, rules=("PEN-6",)) if e.NAME == "revealed" else e for e in events)

    assert ("revealed", ("PEN-6",)) in cited(mutant(decide=decide))


@pytest.mark.parametrize(
    "functions",
    [
        {"scores": lambda state: {seat: 1 + n for seat, n in GAME.scores(state).items()}},
        {"evolve": lambda state, event: GAME.evolve(
            state, replace(event, winners=event.winners[:0]) if isinstance(event, Ended) else event
        )},
    ],
    ids=["scores", "winners"],
)  # fmt: skip
def test_another_count_is_found(functions: dict[str, Any]) -> None:
    assert miscounted(mutant(**functions))
