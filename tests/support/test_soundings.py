"""The test game with hidden draws keeps every promise that a real game makes."""

from __future__ import annotations

import random

import pytest

from domain.kernel import conformance
from domain.kernel.chance import Faces
from domain.kernel.values import CHANCE, PUBLIC, Hidden, Known
from tests.support.soundings import GAME, AnyEvent, Draw, Gale, Jettison, Pass, mutant, setup

STRAYS = (Draw(), Gale(), Pass(), Jettison(), Jettison((13,)), Jettison((1,)), Jettison((1, 1)))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_conformance(seed: int, seats: int) -> None:
    dice = random.Random(seed)
    last = None
    for played in conformance.play(GAME, setup(8, seats), dice.randrange):
        for stray in STRAYS:
            conformance.check_purity(GAME, played.state, played.setup.seats[0], stray)
        conformance.check_legality(GAME, played.state, played.setup.seats, STRAYS)
        conformance.check_canonical(GAME, played.state, played.setup.seats, dice.randrange)
        conformance.check_views(GAME, played)
        conformance.check_dry_runs(GAME, played, STRAYS)
        last = played
    assert last is not None
    conformance.check_roundtrip(GAME, last.events)
    conformance.check_replay(GAME, last)
    assert GAME.result(last.state) is not None


def dealt(*depths: tuple[int, int]) -> conformance.Played:
    """A game of three after the deal."""
    played = conformance.Played(setup(6), list(GAME.opening(setup(6))))
    for hand in depths:
        state = GAME.fold(played.events)
        awaited = GAME.awaiting(state)
        assert awaited is not None
        played.events.extend(GAME.decide(state, CHANCE, Faces(awaited.label, (hand,))))
    played.state = GAME.fold(played.events)
    return played


def test_two_worlds_with_other_hands_look_the_same() -> None:
    one, other = dealt((1, 2), (3, 4), (5, 6)), dealt((1, 2), (3, 4), (12, 11))
    for viewer in ("p1", "p2", PUBLIC):
        conformance.check_two_worlds(GAME, one, other, viewer)
    with pytest.raises(conformance.Nonconformance):
        conformance.check_two_worlds(GAME, one, other, "p3")


def test_each_seat_knows_its_own_hand_and_how_many_the_others_hold() -> None:
    played = dealt((1, 2), (3, 4), (5, 6))
    view = GAME.fold([GAME.seen(event, "p2") for event in played.events])
    assert view.hands == (Hidden(2), Known((3, 4)), Hidden(2))


def test_a_view_on_which_nothing_can_be_decided_is_noticed() -> None:
    """A command that only the truth can judge: the dry run would tell what is hidden, or fail."""

    def legal_by_truth(state: object, seat: str, command: object) -> tuple[AnyEvent, ...]:
        hidden = any(isinstance(hand, Hidden) for hand in state.hands)  # type: ignore[attr-defined]
        return GAME.decide(state, seat, Jettison() if hidden else command)  # type: ignore[arg-type]

    played = dealt((1, 2), (3, 4), (5, 6))
    conformance.check_dry_runs(GAME, played, STRAYS)
    with pytest.raises(conformance.Nonconformance, match="on its own view"):
        conformance.check_dry_runs(mutant(decide=legal_by_truth), played, STRAYS)
