"""Nothing of a game is left out unseen; and each kind of omission, made on purpose, is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any, ClassVar

import msgspec
import pytest

from domain.games.crimson_tide.rules import events as ct
from domain.games.naval_battles.game import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules import events as ev
from domain.games.naval_battles.rules import evolve
from domain.games.naval_battles.shown import names, words
from domain.games.naval_battles.shown.bots import admiral
from domain.games.war_at_sea.rules import events as was
from domain.games.war_at_sea.shown import words as war_words
from domain.kernel.commands import deed, tag_of
from domain.kernel.conformance import Nonconformance
from domain.kernel.event import Event
from domain.kernel.options import Described
from domain.kernel.shown.catalogue import Entry
from domain.kernel.shown.parts import no_choice
from domain.kernel.testing.completeness import Gap, Hook, check_complete, gaps
from domain.kernel.testing.seen import Seen
from domain.kernel.testing.sound import SOUND, told
from domain.kernel.values import StepKey
from tests.support import pennant
from tests.support.completeness import seen, watch
from tests.support.suites import AnyGame, Suite, suites

SUITES = [pytest.param(suite, id=suite.folder) for suite in suites().values()]

RECKONED: dict[str, frozenset[str]] = {
    "crimson_tide": frozenset({
        "aircraft-deployed", "deploy", "fire-burned", "fleet-locked", "fleets-revealed",
        "game-ended", "move", "move-ordered", "place", "repair-rolled", "submit-fleet",
        "unit-moved", "unit-placed", "wind-drawn",
    }),
    "naval_battles": frozenset({
        "arrange", "cards-discarded", "deck-laid", "discard", "fleet-arranged", "fleet-laid-out",
        "nation-taken",
    }),
    "war_at_sea": frozenset({
        "attack", "carrier-loss-rolled", "fleet-locked", "game-ended", "light-set", "move",
        "submit-fleet", "turn-ended", "unit-moved", "unit-removed", "zone-selected",
    }),
}  # fmt: skip
"""Events and commands whose words have numbers that are worked out, or looked up in the position:
of places, of courses, of what is counted in a list, of points so far."""


@pytest.mark.parametrize("suite", SUITES)
def test_nothing_is_left_out(suite: Suite) -> None:
    check_complete(suite.game, seen(suite.folder), sound(suite.folder))


def test_nothing_of_a_game_from_outside_is_left_out() -> None:
    check_complete(pennant.GAME, _pennant(), sound("pennant"))


def sound(name: str) -> tuple[Hook, ...]:
    """What else is asked of the same examples."""
    return (*SOUND, *told(RECKONED.get(name, frozenset())))


@cache
def _pennant() -> Seen:
    found = Seen()
    for seed, turns in enumerate((6, 6, 300, 300, 300, 300)):
        watch(pennant.GAME, pennant.setup(turns), seed, found)
    return found


# --- each omission, made on purpose --------------------------------------------------------------

NAVAL = "domain/games/naval_battles"
MEANS = "what it means to readers, or that it means nothing"


def lacking(game: AnyGame, found: Seen | None = None) -> list[str]:
    """What the check says of Naval Battles, changed."""
    return sorted({str(gap) for gap in gaps(game, found or seen("naval_battles"))})


def without(function: Callable[..., Any], kind: type, at: int, answer: Any = None) -> Any:
    """The function as if nobody had thought of a type among what it is given."""

    @wraps(function)
    def forgetful(*given: Any) -> Any:
        if isinstance(given[at], kind):
            if answer is None:
                raise AssertionError("Expected code to be unreachable")
            return answer
        return function(*given)

    return forgetful


def fewer(table: Any, key: Any) -> Any:
    """A table without one of its entries."""
    if isinstance(table, dict):
        return {name: item for name, item in table.items() if name != key}
    return frozenset(table) - {key}


def tables(**changes: Any) -> AnyGame:
    """The game with one of its lists changed."""
    assert GAME.tables is not None
    return replace(GAME, tables=replace(GAME.tables, **changes))


def test_an_event_that_nobody_may_see_is_named() -> None:
    game = replace(GAME, redact=without(GAME.redact, ev.CardPrepared, 0))
    assert lacking(game) == [f"event card-prepared: who sees it ({NAVAL}/rules/sight.py)"]


def test_an_event_without_a_fold_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(evolve._HOW, ev.CardPrepared)
    assert f"event card-prepared: its fold ({NAVAL}/rules/evolve.py)" in lacking(GAME)


def test_an_event_without_a_sentence_is_named() -> None:
    game = replace(GAME, says=without(GAME.says, ev.CardPrepared, 1))
    assert f"event card-prepared: its sentence ({NAVAL}/shown/sentences.py)" in lacking(game)
    game = replace(GAME, says=without(GAME.says, ev.CardPrepared, 1, answer=""))
    wanted = "event card-prepared: a sentence, or an entry that it is book-keeping "
    assert f"{wanted}({NAVAL}/shown/sentences.py, {NAVAL}/shown/tables.py)" in lacking(game)


@pytest.mark.parametrize(
    ("table", "kind", "said"),
    [
        ("quiet", ev.DiceThrown, "dice-thrown: a sentence"),
        ("unruled", ev.StepBegan, "step-began: its rule"),
        ("undrawn", ev.GameOpened, "game-opened: its picture"),
    ],
)
def test_an_event_that_is_struck_from_a_list_is_named(table: str, kind: type, said: str) -> None:
    (found,) = lacking(tables(**{table: fewer(getattr(GAME.tables, table), kind)}))
    assert found.startswith(f"event {said}")
    assert f"{NAVAL}/shown/tables.py" in found


def test_a_sentence_over_a_picture_is_no_picture() -> None:
    """An event that is drawn by nothing but the line over the board is named."""
    (found,) = lacking(tables(undrawn=fewer(GAME.tables.undrawn, ev.BattleEnded)))  # type: ignore[union-attr]
    assert found.startswith("event battle-ended: its picture, or an entry that it is not drawn")


@pytest.mark.parametrize(
    ("folder", "kind", "role"),
    [
        ("war_at_sea", was.UnitRemoved, "lost"),
        ("war_at_sea", was.UnitMoved, "moved"),
        ("crimson_tide", ct.AttackResolved, "damaged"),
        ("naval_battles", ev.ShipSunk, "lost"),
    ],
)
def test_a_board_that_looks_otherwise_is_no_picture_of_what_happened(
    folder: str, kind: Any, role: str
) -> None:
    """What takes, moves or harms a unit is drawn as it happens, and not by what is left."""
    game = suites()[folder].game

    @wraps(game.scene)  # type: ignore[arg-type]
    def scene(state: Any, before: Any, events: Any, focus: str) -> Any:
        assert game.scene is not None
        told = tuple(each for each in events if not isinstance(each, kind))
        return game.scene(state, before, told, focus)

    found = [str(gap) for gap in gaps(replace(game, scene=scene), seen(folder))]
    wanted = f"event {kind.NAME}: its picture in the last action, for it means {role}, or an entry"
    assert any(each.startswith(wanted) for each in found), found


@pytest.mark.parametrize(("table", "said"), [("quiet", "silence"), ("undrawn", "absence")])
def test_an_entry_that_is_not_true_is_named(table: str, said: str) -> None:
    (found,) = lacking(tables(**{table: getattr(GAME.tables, table) | {ev.ShipSunk}}))
    assert found.startswith(f"event ship-sunk: {said}")


def test_an_event_that_means_nothing_to_readers_says_so() -> None:
    (found,) = lacking(replace(GAME, roles=fewer(dict(GAME.roles), ev.ShipSunk)))
    assert found.startswith("event ship-sunk: what it means to readers")


def test_a_command_without_text_or_rule_is_named() -> None:
    kind = next(each for each in GAME.commands if deed(tag_of(each)) == "prepare")
    game = replace(GAME, describe=without(GAME.describe, kind, 1))
    assert f"command prepare: its text ({NAVAL}/shown/words.py)" in lacking(game)
    unruled = without(GAME.describe, kind, 1, answer=Described("Prepare"))
    assert f"command prepare: its rule ({NAVAL}/shown/words.py)" in lacking(
        replace(GAME, describe=unruled)
    )


def test_a_field_of_a_command_that_is_no_part_is_named() -> None:
    assert GAME.tables is not None
    told = GAME.tables.parts[c.Prepare]
    less = fewer(dict(told), "ship")
    wanted = f"its part for ship, or that it is no choice ({NAVAL}/shown/words.py)"
    assert lacking(with_parts(less)) == [f"command prepare: {wanted}"]
    (found,) = lacking(with_parts({**told, "row": no_choice}))
    assert found == f"command prepare: a field row ({NAVAL}/shown/words.py)"
    (found,) = lacking(with_parts({**less, "ship": no_choice}))
    assert found == f"command prepare: its parts among its words ({NAVAL}/shown/words.py)"


def with_parts(prepare: Any) -> AnyGame:
    assert GAME.tables is not None
    return tables(parts={**GAME.tables.parts, c.Prepare: prepare})


def test_a_command_whose_words_leave_its_parts_out_is_named() -> None:
    @wraps(GAME.describe)
    def describe(state: Any, command: Any) -> Described:
        return msgspec.structs.replace(GAME.describe(state, command), parts=())

    found = lacking(replace(GAME, describe=describe))
    assert f"command prepare: its parts among its words ({NAVAL}/shown/words.py)" in found


def test_a_question_without_a_text_of_passing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(words._PASS, "prepare")
    assert f"question prepare: its text of passing ({NAVAL}/shown/words.py)" in lacking(GAME)


def test_a_step_without_a_text_of_passing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the same is asked in many steps, each of them has its own."""
    monkeypatch.delitem(war_words._PASS, "torpedo-attack")
    game = suites()["war_at_sea"].game
    found = sorted(str(gap) for gap in gaps(game, seen("war_at_sea")))
    assert found == [
        f"step torpedo-attack.{each}: its text of passing (domain/games/war_at_sea/shown/words.py)"
        for each in ("first", "second")
    ]


def test_a_question_that_a_bot_cannot_judge_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(admiral._JUDGES, "prepare")
    wanted = f"question prepare: a judge of the bot admiral ({NAVAL}/shown/bots/admiral.py)"
    assert lacking(GAME) == [wanted]


def test_a_question_without_a_usual_answer_is_named() -> None:
    @wraps(GAME.usual)
    def usual(state: Any, pending: Any) -> Any:
        if pending.question == "prepare":
            raise KeyError(pending.question)
        return GAME.usual(state, pending)

    wanted = f"question prepare: its usual answer ({NAVAL}/rules/decide.py)"
    assert lacking(replace(GAME, usual=usual)) == [wanted]


def test_a_question_and_a_step_that_are_in_no_list_are_named() -> None:
    assert GAME.tables is not None
    (found,) = lacking(tables(questions=fewer(GAME.tables.questions, "plan")))
    assert found == f"question plan: its entry among the questions ({NAVAL}/shown/tables.py)"
    (found,) = lacking(tables(titles=fewer(dict(GAME.tables.titles), StepKey("declare"))))
    assert found == f"step declare: its title ({NAVAL}/shown/names.py)"
    assert names.__name__ == GAME.tables.titled


def test_a_field_without_a_claim_or_a_picture_is_named() -> None:
    claims = fewer(dict(GAME.insight.claims), "deck")
    (found,) = lacking(replace(GAME, insight=replace(GAME.insight, claims=claims)))
    wanted = "field deck of the state: what it claims of the hidden, or why nothing"
    assert found == f"{wanted} ({NAVAL}/shown/claims.py)"
    before = seen("naval_battles")
    (found,) = lacking(GAME, replace(before, pictured=fewer(before.pictured, "deck")))
    wanted = "field deck of the state: its place in the picture, or why it is not drawn"
    assert found == f"{wanted} (tests/pictures/tables.py)"


def test_an_option_that_is_never_played_at_random_is_named() -> None:
    before = seen("naval_battles")
    readings = {**before.readings, "mikuma": {"as-example"}}
    (found,) = lacking(GAME, replace(before, readings=readings))
    assert found == "option mikuma: a random game with historical (tests)"


@pytest.mark.parametrize(
    ("table", "key", "said"),
    [
        ("events", ev.CardPrepared, "event card-prepared"),
        ("commands", GAME.commands[0], f"command {deed(tag_of(GAME.commands[0]))}"),
        ("questions", "plan", "question plan"),
        ("steps", StepKey("resolve"), "step resolve"),
    ],
)
def test_what_no_game_shows_is_named(table: str, key: Any, said: str) -> None:
    before = seen("naval_battles")
    found = lacking(GAME, replace(before, **{table: fewer(getattr(before, table), key)}))
    assert f"{said}: a place in a recorded or random game (tests)" in found
    assert all(each.startswith(said) for each in found)


def test_a_card_without_a_text_is_named() -> None:
    abilities = (*GAME.catalogue.abilities(), Entry("blank", "Blank"))
    catalogue = replace(GAME.catalogue, abilities=lambda: abilities)
    (found,) = lacking(replace(GAME, catalogue=catalogue))
    assert found.startswith("ability blank: its text")


def test_a_game_without_lists_is_named() -> None:
    with pytest.raises(Nonconformance, match=r"its lists, Game\.tables"):
        check_complete(replace(GAME, tables=None), seen("naval_battles"))


def test_a_further_demand_is_asked_for() -> None:
    def motto(game: AnyGame, found: Seen) -> Any:
        yield Gap(game.title, "its motto", "tests")

    with pytest.raises(Nonconformance, match="Naval Battles: its motto"):
        check_complete(GAME, seen("naval_battles"), (motto,))


class CardShown(Event, frozen=True, kw_only=True):
    """A new event, of which nobody has thought of anything."""

    NAME: ClassVar[str] = "card-shown"
    seat: str
    card: str


def test_all_that_a_new_event_lacks_is_in_one_message() -> None:
    game: AnyGame = replace(GAME, events=(*GAME.events, CardShown))  # type: ignore[arg-type]
    assert lacking(game) == [
        "event card-shown: a place in a recorded or random game (tests)",
        f"event card-shown: its fold ({NAVAL}/rules/evolve.py)",
        f"event card-shown: its sentence ({NAVAL}/shown/sentences.py)",
        f"event card-shown: {MEANS} ({NAVAL}/shown/roles.py)",
        f"event card-shown: who sees it ({NAVAL}/rules/sight.py)",
    ]
    with pytest.raises(Nonconformance, match="Naval Battles lacks 5 things:"):
        check_complete(game, seen("naval_battles"))
