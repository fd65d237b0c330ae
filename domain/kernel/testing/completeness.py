"""Nothing of a game is left out unseen: all that lacks, in one message, with the file of each.

Most is asked of the game itself: its functions are given examples from played games (``Seen``), and
of what no game has shown an example made up from its type. What no function can tell stands in
:attr:`~domain.kernel.game.Game.tables`, and an entry there that is not true is named as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec

from ..commands import deed, tag_of
from ..conformance import Nonconformance
from ..game import Game
from ..options import NOT_ASKED, Pending
from ..shown.parts import Told, parts_of
from ..shown.roles import nothing
from ..shown.tables import Tables
from ..values import PUBLIC, Seat
from .examples import reached, smallest
from .marked import drawn, marks, seen_after
from .seen import Seen

AnyGame = Game[Any, Any, Any]

PASS = "pass"
"""What the command that passes does."""


class Gap(NamedTuple):
    """Something that lacks: of what, what it is, and where it belongs."""

    thing: str
    lacks: str
    file: str

    def __str__(self) -> str:
        return f"{self.thing}: {self.lacks} ({self.file})"


Hook = Callable[[AnyGame, Seen], Iterator[Gap]]
"""A further thing that a game is asked for."""


def check_complete(game: AnyGame, seen: Seen, more: tuple[Hook, ...] = ()) -> None:
    """Raises Nonconformance with everything that lacks."""
    found = sorted({str(gap) for gap in gaps(game, seen, more)})
    if found:
        lines = "\n".join(found)
        raise Nonconformance(f"{game.title} lacks {len(found)} things:\n{lines}")


def gaps(game: AnyGame, seen: Seen, more: tuple[Hook, ...] = ()) -> Iterator[Gap]:
    """All that lacks, in the order of the file below."""
    tables = game.tables
    if tables is None:
        yield Gap(game.title, "its lists, Game.tables", file_of(game.opening))
        return
    for hook in (_events, _commands, _questions, _steps, _fields, _options, _entries, *more):
        yield from hook(game, seen)


def file_of(what: Any) -> str:
    """The file that a function, a type or a module's name stands in."""
    module: str = what if isinstance(what, str) else what.__module__
    return module.replace(".", "/") + ".py"


def _tables(game: AnyGame) -> Tables:
    assert game.tables is not None
    return game.tables


# --- events --------------------------------------------------------------------------------------


def _events(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    for kind in game.events:
        thing = f"event {kind.NAME}"
        if kind not in seen.events and kind not in seen.rare:
            yield Gap(thing, "a place in a recorded or random game", "tests")
        if kind not in game.roles:
            yield Gap(thing, "what it means to readers, or that it means nothing", _roles(game))
        examples = seen.events.get(kind) or [(_some_state(seen), smallest(kind), None)]
        yield from _answered(game, thing, examples)
        if kind in seen.events:
            yield from _silence(game, thing, examples)
            yield from _ruled(game, thing, examples)
            yield from _picture(game, thing, examples)


def _roles(game: AnyGame) -> str:
    """The file in which the game says what its events mean."""
    own = (role for role in game.roles.values() if role is not nothing)
    return file_of(next(own, _tables(game).where))


def _some_state(seen: Seen) -> Any:
    """Any position, for what was made up."""
    return next(iter(seen.steps.values()), None)


def _answered(game: AnyGame, thing: str, examples: list[Any]) -> Iterator[Gap]:
    """Who sees it, what is so after it, and its sentence: each function knows the event."""
    for before, event, after in examples:
        for what, function, given in (
            ("who sees it", game.redact, (event, PUBLIC)),
            ("its fold", game.evolve, (before, event)),
            ("its sentence", game.says, (before, event)),
        ):
            if not reached(partial(function, *given), event, real=after is not None):
                yield Gap(thing, what, file_of(function))


def _silence(game: AnyGame, thing: str, examples: list[Any]) -> Iterator[Gap]:
    """It says something, or it is listed as book-keeping; both is a mistake of the list."""
    quiet, kind = _tables(game).quiet, type(examples[0][1])
    said = any(_said(game, before, event) for before, event, _ in examples)
    if not said and kind not in quiet:
        what = "a sentence, or an entry that it is book-keeping"
        yield Gap(thing, what, f"{file_of(game.says)}, {file_of(_tables(game).where)}")
    if said and kind in quiet:
        yield Gap(thing, "silence: it is listed as book-keeping", file_of(_tables(game).where))


def _said(game: AnyGame, before: Any, event: Any) -> bool:
    return reached(lambda: game.says(before, event), event, real=True) and bool(
        game.says(before, event)
    )


def _ruled(game: AnyGame, thing: str, examples: list[Any]) -> Iterator[Gap]:
    """What decides names the rule that decided."""
    kind = type(examples[0][1])
    silent = not all(event.rules for _, event, _ in examples)
    where, listed = file_of(_tables(game).where), kind in _tables(game).unruled
    if silent and not listed:
        what = "its rule, or an entry that it decides nothing"
        yield Gap(thing, what, f"{file_of(kind)}, {where}")
    if listed and not silent:
        yield Gap(thing, "indecision: it is listed as naming no rule, and it does", where)


def _picture(game: AnyGame, thing: str, examples: list[Any]) -> Iterator[Gap]:
    """It is drawn as the last action, or it is listed as not drawn."""
    if game.scene is None:
        return
    kind, where = type(examples[0][1]), _tables(game).where
    if not all(_drawable(game, *example) for example in examples):
        yield Gap(thing, "a scene: drawing the last action fails", file_of(game.scene))
        return
    listed = kind in _tables(game).undrawn
    shown = any(drawn(game, *example) for example in examples)
    if not listed and not shown and not any(seen_after(game, *example) for example in examples):
        what = "its picture, or an entry that it is not drawn"
        yield Gap(thing, what, f"{file_of(game.scene)}, {file_of(where)}")
    for role in () if listed else sorted(_acted(game, examples)):
        lacks = f"its picture in the last action, for it means {role}, or an entry"
        yield Gap(
            thing, f"{lacks} that it is not drawn", f"{file_of(game.scene)}, {file_of(where)}"
        )
    if listed and shown:
        yield Gap(thing, "absence: it is listed as not drawn, and it is", file_of(where))


def _acted(game: AnyGame, examples: list[Any]) -> set[str]:
    """What it means to readers that pages draw an arrow or a mark for, and none is drawn for."""
    means, shown = set[str](), set[str]()
    for before, event, after in examples:
        roles = marks(game, before, event)
        means |= roles
        if roles - shown and drawn(game, before, event, after):
            shown |= roles
    return means - shown


def _drawable(game: AnyGame, before: Any, event: Any, after: Any) -> bool:
    """Whether the scene knows all that it needs: a title that lacks is no picture that lacks."""
    if before is None or after is None or game.scene is None:
        return True
    return reached(partial(game.scene, after, before, (event,), ""), event, real=True)


# --- commands, questions, steps ------------------------------------------------------------------


def _commands(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    for kind in game.commands:
        thing = f"command {deed(tag_of(kind))}"
        if kind not in seen.commands and kind not in seen.rare:
            yield Gap(thing, "a place in a recorded or random game", "tests")
        yield from _parted(game, thing, kind)
        for state, _, command in seen.commands.get(kind, []):
            yield from _worded(game, thing, state, command)


def _parted(game: AnyGame, thing: str, kind: type[Any]) -> Iterator[Gap]:
    """Each field of a command is told as a part of an offer, or listed as none."""
    for name in sorted(_untold(game, kind)):
        field = name in kind.__struct_fields__
        lacks = f"its part for {name}, or that it is no choice" if field else f"a field {name}"
        yield Gap(thing, lacks, file_of(game.describe))


def _untold(game: AnyGame, kind: type[Any]) -> set[str]:
    """Fields that the table of parts forgets, and entries of it that are no fields."""
    parts = _tables(game).parts
    return set(kind.__struct_fields__) ^ set(parts.get(kind, ()))


def _worded(game: AnyGame, thing: str, state: Any, command: Any) -> Iterator[Gap]:
    if not reached(lambda: game.describe(state, command), command, real=True):
        yield Gap(thing, "its text", file_of(game.describe))
        return
    words = game.describe(state, command)
    if words == NOT_ASKED:
        yield Gap(thing, "its text", file_of(game.describe))
        return
    if not words.text:
        yield Gap(thing, "its text", file_of(game.describe))
    if not words.rule:
        yield Gap(thing, "its rule", file_of(game.describe))
    if _untold(game, type(command)) == set() and words.parts != _parts(game, state, command):
        yield Gap(thing, "its parts among its words", file_of(game.describe))


def _parts(game: AnyGame, state: Any, command: Any) -> Told:
    return parts_of(_tables(game).parts, state, command)


def _questions(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    listed = _tables(game).questions
    for key in sorted(listed | set(seen.questions)):
        thing = f"question {key}"
        if key not in listed:
            yield Gap(thing, "its entry among the questions", file_of(_tables(game).where))
        if key not in seen.questions and key not in seen.rare:
            yield Gap(thing, "a place in a recorded or random game", "tests")
        yield from _judged(game, thing, key)
        for state, question in seen.questions.get(key, []):
            yield from _asked(game, thing, state, question)


def _judged(game: AnyGame, thing: str, key: str) -> Iterator[Gap]:
    for name, bot in game.bots.items():
        made = bot()
        if key not in getattr(made, "judges", frozenset()):
            yield Gap(thing, f"a judge of the bot {name}", file_of(type(made)))


def _asked(game: AnyGame, thing: str, state: Any, question: Pending) -> Iterator[Gap]:
    """Its usual answer is one that the rules accept, and every answer has words, passing too."""
    try:
        answer = game.usual(state, question)
        game.decide(state, question.seat, answer)
    except Exception:  # whatever goes wrong, the absent seat has no answer
        yield Gap(thing, "its usual answer", file_of(game.usual))
    what = "its text of passing" if question.optional else "the text of an answer"
    for command in game.legal(state, question.seat).commands[-1:]:
        for gap in _worded(game, thing, state, command):
            yield gap._replace(lacks=what if gap.lacks == "its text" else f"{gap.lacks}: {what}")


def _steps(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    tables = _tables(game)
    for key in sorted({*tables.titles, *seen.steps}):
        thing = f"step {key}"
        if not tables.titles.get(key):
            yield Gap(thing, "its title", file_of(tables.titled or tables.where))
        elif key not in seen.steps and key not in seen.rare:
            yield Gap(thing, "a place in a recorded or random game", "tests")
        if key in seen.passing:
            yield from _passed(game, thing, *seen.passing[key])


def _passed(game: AnyGame, thing: str, state: Any, seat: Seat) -> Iterator[Gap]:
    """Passing has words in every step where it is open: a question may be asked in many."""
    for command in game.legal(state, seat).commands:
        if deed(tag_of(type(command))) == PASS and game.describe(state, command) == NOT_ASKED:
            yield Gap(thing, "its text of passing", file_of(game.describe))


# --- the state, options, the catalogue -----------------------------------------------------------


def _fields(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """Each field says what follows from it for the hidden, and has its line in the picture."""
    claims = game.insight.claims
    for name in game.state.__struct_fields__:
        thing = f"field {name} of the state"
        if not claims.get(name):
            yield Gap(thing, "what it claims of the hidden, or why nothing", _claims_file(game))
        if seen.drawn_in and name not in seen.pictured:
            yield Gap(thing, "its place in the picture, or why it is not drawn", seen.drawn_in)
    for name in sorted(set(claims) - set(game.state.__struct_fields__)):
        yield Gap(f"claim of {name}", "a field of the state", _claims_file(game))


def _claims_file(game: AnyGame) -> str:
    found = [each for each in game.insight.claims.values() if not isinstance(each, str)]
    return file_of(found[0] if found else game.insight.suppose)


def _options(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """Each option is played at random, with every value that it can take."""
    hints = get_type_hints(game.options)
    for each in msgspec.structs.fields(game.options):
        wanted = _values(hints[each.name])
        played = seen.readings.get(each.encode_name, set())
        for value in sorted(wanted - played - {str(v) for v in _rare(seen, each.encode_name)}):
            yield Gap(f"option {each.encode_name}", f"a random game with {value}", "tests")
        if not wanted and not played and each.encode_name not in seen.rare:
            yield Gap(f"option {each.encode_name}", "a random game with it", "tests")


def _rare(seen: Seen, name: str) -> list[Any]:
    """Values of an option that are listed as rare: ``(name, value)``."""
    pairs = sorted(each for each in seen.rare if isinstance(each, tuple))
    return [value for option, value in pairs if option == name]


def _values(hint: Any) -> set[str]:
    """The values of a choice; none of a number or of anything else that is not counted out."""
    if hint is bool:
        return {"True", "False"}
    values = get_args(hint)
    return {str(v) for v in values} if values and all(isinstance(v, str) for v in values) else set()


def _entries(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """Units, cards and abilities have a name; cards and abilities a text."""
    where = file_of(game.catalogue.units)
    for entry in (*game.catalogue.units(), *game.catalogue.abilities()):
        if not entry.name:
            yield Gap(f"entry {entry.id}", "its name", where)
    for entry in game.catalogue.abilities():
        if not entry.text:
            yield Gap(f"ability {entry.id}", "its text", file_of(game.catalogue.abilities))
