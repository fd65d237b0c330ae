"""What a view leaves open is made up for a fork, and agrees with all that the viewer knows.

At positions along recorded and random games, for every seat and the public: made up from view and
seed alone, whole, the same view to the same eyes, and every public claim about the hidden holds.
In Pennant, whose secrets are small, each of them is supposed, with each value that it may have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace as replace_record
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel.codec import canonical, full
from domain.kernel.conformance import play
from domain.kernel.setup import Setup
from domain.kernel.shown.claims import Claim, claims_of
from domain.kernel.testing.completeness import file_of
from domain.kernel.testing.revealing import hidden_in
from domain.kernel.testing.secrecy import Spot, spots
from domain.kernel.testing.suppositions import SEALED, check_supposition, sealed
from domain.kernel.values import PUBLIC, Choose, Hidden, Known, Seat, Viewer
from service.play.forks import chooser
from tests.support import pennant, walks
from tests.support.recorded import files
from tests.support.suites import AnyGame, Suite, suites
from tests.support.walks import Place

pytestmark = pytest.mark.slow("conformance")

POSITIONS = 12
GAMES = 6
EARLY = 300
"""Commands of a random game that are looked at; a set-up, with most of the secrets, is shorter."""

SEALED_GAMES = 30
"""Random games of a small game that are looked at where they have just sealed something."""
TRIES = 12
"""How often a sealed place is filled, so that each of a few values comes up."""

SETUP = pennant.setup(6)
"""Of the small game, whose secrets have few values: each has to be supposed."""

Hole = tuple[str, str]
"""A sealed place by its path, and what is in it."""

SUITES = [pytest.param(suite, id=suite.folder) for suite in suites().values()]


def supposed(game: AnyGame, along: Iterable[Place], dice: Random) -> int:
    """Suppose at some of the positions where something is sealed; how many parts were made up."""
    passed = list(along)
    for place in dice.sample(passed, min(len(passed), POSITIONS)):
        check_claims(game, place)
    every = [(view, viewer) for place in passed for viewer, view in place.views.items()]
    open_ = [each for each in every if sealed(each[0])]
    chosen = dice.sample(open_, min(len(open_), POSITIONS)) + open_[: POSITIONS // 2]
    return sum(made_up(game, view, viewer, dice) for view, viewer in chosen)


def check_claims(game: AnyGame, place: Place) -> None:
    """What everybody may say of the hidden is true."""
    for viewer, view in place.views.items():
        for claim in claims_of(game.insight.claims, view):
            assert claim.holds(place.state), f"for {viewer}: {claim.text} ({claim.rule})"


def made_up(game: AnyGame, view: Any, viewer: Viewer, dice: Random) -> int:
    """How many fields of the view were filled."""
    seed = str(dice.random())

    def seeded() -> Choose:
        return chooser(seed)

    found = check_supposition(game, view, viewer, seeded)
    return sum(
        canonical(getattr(view, name)) != canonical(getattr(found, name))
        for name in view.__struct_fields__
    )


def _recorded() -> Iterator[Any]:
    for suite in suites().values():
        for path in files(suite):
            yield pytest.param(suite, path, id=f"{suite.folder}-{path.stem}")


@pytest.mark.parametrize(("suite", "path"), list(_recorded()))
def test_a_supposition_agrees_with_all_that_is_public_in_a_recorded_game(
    suite: Suite, path: Path
) -> None:
    supposed(suite.game, walks.recorded(suite, path), Random(path.stem))


@pytest.mark.parametrize("suite", SUITES)
def test_a_supposition_agrees_with_all_that_is_public_in_random_games(suite: Suite) -> None:
    found = 0
    for seed in range(GAMES):
        setup, game = suite.random(seed)
        along = islice(walks.random(game, setup, seed), EARLY)
        found += supposed(game, along, Random(f"{suite.folder} {seed}"))
    assert found


def test_each_secret_of_pennant_is_supposed_with_each_value_and_under_a_claim() -> None:
    check_each_secret(pennant.GAME)


def check_each_secret(game: AnyGame) -> None:
    """Wherever a game has just sealed something: what is made up may be all that it is in truth."""
    left, true, made = spots(game), set[Hole](), set[Hole]()
    for seed in range(SEALED_GAMES):
        for hidden, place in sealing(game, SETUP, seed):
            left -= hidden
            check_claims(game, place)
            for viewer, view in place.views.items():
                true |= dict(holes(view, place.state)).items()
                made |= supposed_of(game, view, viewer)
                check_claimed(game, view, viewer)
    assert not left, f"no random game seals {[str(each) for each in left]} and waits: play more"
    values, found = items_of(true), items_of(made)
    lacking = sorted(values - found)
    assert not lacking, (
        f"{file_of(game.insight.suppose)} never supposes (field, value): {lacking}, and it is so"
    )


def sealing(game: AnyGame, setup: Setup, seed: int) -> Iterator[tuple[set[Spot], Place]]:
    """Each position of a random game right after something was sealed, and what was."""
    views: dict[Viewer, Any] = dict.fromkeys((*setup.seats, PUBLIC))
    known = 0
    for played in play(game, setup, Random(f"sealed {seed}").randrange):
        batch, known = played.events[known:], len(played.events)
        for viewer, view in views.items():
            views[viewer] = game.fold([game.seen(event, viewer) for event in batch], view)
        hidden = {Spot(type(e), name) for e in batch for name in hidden_in(game, e, PUBLIC)}
        if hidden and game.result(played.state) is None:
            yield hidden, Place(played.state, dict(views))


def holes(view: Any, found: Any) -> Iterator[tuple[str, str]]:
    """Each place of a view that is sealed, by its path from the field on, with what is in it."""
    for name in view.__struct_fields__:
        yield from _holes(name, full(getattr(view, name)), full(getattr(found, name)))


def _holes(path: str, view: Any, found: Any) -> Iterator[tuple[str, str]]:
    if isinstance(view, dict):
        if view.get("sight") == SEALED:
            yield path, canonical(found.get("items", ())).decode()
            return
        for key in view.keys() & found.keys():
            yield from _holes(f"{path}/{key}", view[key], found[key])
    elif isinstance(view, list):
        for number, (one, other) in enumerate(zip(view, found, strict=False)):
            yield from _holes(f"{path}/{number}", one, other)


def items_of(filled: set[Hole]) -> set[Hole]:
    """Each field with each thing that was in a sealed place of it."""
    return {
        (path.partition("/")[0], canonical(item).decode())
        for path, items in filled
        for item in msgspec.json.decode(items)
    }


def supposed_of(game: AnyGame, view: Any, viewer: Viewer) -> set[Hole]:
    """What is made up in the sealed places of a view, by some seeds, each of them checked once."""
    found: set[Hole] = set()
    for number in range(TRIES if sealed(view) else 0):
        seeded = partial(chooser, str(number))
        if number:
            filled = game.insight.suppose(view, seeded())
        else:
            filled = check_supposition(game, view, viewer, seeded)
        found |= dict(holes(view, filled)).items()
    return found


def check_claimed(game: AnyGame, view: Any, viewer: Viewer) -> None:
    """Each field with something sealed claims something, of each seat whose it is."""
    for name, paths in _by_field(view).items():
        asked = game.insight.claims[name]
        where = f"{file_of(game.insight.suppose)}: {name} is sealed for {viewer}"
        assert not isinstance(asked, str), f"{where}, and its claim is a reason for none: {asked}"
        texts = [claim.text for claim in asked(view)]
        assert texts, f"{where}, and nothing is claimed of it"
        silent = [seat for seat in _owners(view, paths) if not any(seat in t for t in texts)]
        assert not silent, f"{where}, and no claim of it names {silent}: {texts}"


def _by_field(view: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, _ in holes(view, view):
        found.setdefault(path.partition("/")[0], []).append(path)
    return found


def _owners(view: Any, paths: list[str]) -> set[Seat]:
    """Whose the sealed places are, where a field has one place for each seat."""
    found = set()
    for path in paths:
        name, _, rest = path.partition("/")
        place, value = rest.partition("/")[0], getattr(view, name)
        if place in view.seats:
            found.add(place)
        elif isinstance(value, tuple) and len(value) == len(view.seats) and place:
            found.add(view.seats[int(place)])
    return found


# --- what is found --------------------------------------------------------------------------------


def without_steady(state: Any, draw: Choose) -> Any:
    found = pennant.GAME.insight.suppose(state, draw)
    bold = tuple(
        Known(("bold",)) if isinstance(sent, Hidden) else other
        for sent, other in zip(state.choices, found.choices, strict=True)
    )
    return replace(found, choices=bold)


def of_the_other(view: Any) -> Iterator[Claim]:
    for place, choice in enumerate(view.choices):
        if isinstance(choice, Hidden):
            yield Claim(f"{view.seats[1 - place]} has chosen a colour", "PEN-2", lambda state: True)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"suppose": lambda state, draw: state}, "something is left hidden"),
        ({"suppose": without_steady}, r"never supposes .*steady"),
        ({"claims": {"choices": "it is open"}}, "its claim is a reason for none: it is open"),
        ({"claims": {"choices": lambda view: iter(())}}, "nothing is claimed of it"),
        ({"claims": {"choices": of_the_other}}, "no claim of it names"),
    ],
    ids=["nothing", "fewer values", "in words", "no claim", "of another seat"],
)
def test_a_secret_that_is_supposed_badly_is_found(changes: dict[str, Any], said: str) -> None:
    insight = pennant.GAME.insight
    if "claims" in changes:
        changes = {"claims": {**insight.claims, **changes["claims"]}}
    game = pennant.mutant(insight=replace_record(insight, **changes))
    with pytest.raises(AssertionError, match=said):
        check_each_secret(game)
