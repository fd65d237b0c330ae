"""Everything that is expensive, as values: what to do, in whose eyes, up to which version.

A task is handed over as bytes, and what it makes is bytes; of the store it sees the records of
games (:class:`~service.store.source.Source`). So it does not matter in which process it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, ClassVar, NamedTuple, Union

import msgspec

from domain.kernel.fork import Fork
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, TRUTH, Seat, Viewer
from projections import svg
from projections.fortunes import luck_of
from projections.frames import frames_of
from projections.hindsight import Side, difference
from projections.inquiry import Inquiry, Question, mentions
from projections.language import Meter, TooMuch, Unclear
from projections.moments import chaptered
from projections.odds import Level, NeverAtRest, Pool, of_command, reckon
from projections.pictures import scene_at
from projections.query import Holding
from projections.query import ask as asked_of
from projections.query import read as read_question
from projections.records import Rules, read_created

from ..bots.bot import bots_of, chosen
from ..bots.local import position_of, units_of
from ..evidence.changed import goes_back, in_force
from ..evidence.records import taken_back
from ..models import GameId
from ..play.archiving import judged
from ..play.customs import checked
from ..play.forks import Origin, fork
from ..problems import Refusal
from ..store.source import Source
from ..views.export import evidence_of
from ..views.rulesets import playing
from ..views.views import GameViews, ViewCache, not_found
from ..views.whole import is_whole
from .review import Asked, GameReview, decision
from .why import nothing_there, seq_of, unclear

AnyGame = Game[Any, Any, Any]

_ENCODER = msgspec.json.Encoder()

SHORT = 4.0
"""CPU seconds of what is asked by a POST: a moment, on any machine."""
LONG = 20.0
"""CPU seconds of what goes through a whole game."""


class Materials(NamedTuple):
    """What a task works with: the rulesets, views that are kept, and the records of games."""

    games: Mapping[str, AnyGame]
    views: ViewCache
    source: Source

    def rules_of(self, game: GameId) -> AnyGame:
        """By what a game is decided. Raises NotFound, RulesetMissing."""
        stored = self.source.game(game)
        if stored is None:
            raise not_found(game)
        return playing(self.games, stored.summary, to_read=True)


class Task(msgspec.Struct, frozen=True, tag_field="task", tag=True, forbid_unknown_fields=True):
    """Something to do: ``run`` makes it. ``budget``: the CPU seconds that it may take at most."""

    budget: ClassVar[float] = LONG

    @property
    def games(self) -> tuple[GameId, ...]:
        """The games that it reads."""
        game = getattr(self, "game", "")
        return (game,) if game else ()


class OddsOfRoll(Task, frozen=True):
    """The odds of dice that anybody describes: a ``RollReckoned``."""

    budget: ClassVar[float] = SHORT

    pools: tuple[Pool, ...]
    most: int
    levels: tuple[Level, ...]

    def run(self, materials: Materials) -> bytes:
        try:
            return _ENCODER.encode(reckon(self.pools, self.most, self.levels))
        except NeverAtRest as error:
            raise Refusal("odds.unclear", str(error)) from None


class CommandReckoned(msgspec.Struct, frozen=True):
    """A command in words, its odds as its ruleset tells them, and why they come to nothing: of
    what is pointless."""

    text: str
    odds: dict[str, Any]
    pointless: str = ""


class OddsOfCommand(Task, frozen=True):
    """The odds of a command: a :class:`CommandReckoned`. ``measured``: see ``of_command``."""

    budget: ClassVar[float] = SHORT

    ruleset: str
    game: GameId
    viewer: Viewer
    version: int
    command: msgspec.Raw
    measured: bool

    def run(self, materials: Materials) -> bytes:
        state = materials.views.of(self.game).at(self.viewer, self.version)
        game = in_force(materials.rules_of(self.game), self.version)
        if state is None:
            raise Refusal("version.unknown", "Nobody has a command before the opening.")
        command: Any = msgspec.json.decode(self.command, type=Union[game.commands])  # noqa: UP007
        seat = self.viewer if self.viewer not in (PUBLIC, TRUTH) else _asked(game, state)
        odds = of_command(game, state, seat, command, measured=self.measured)
        if odds is None:
            raise Refusal("odds.none")
        words = game.describe(state, command)
        return _ENCODER.encode(CommandReckoned(words.text, odds, words.pointless))


def _asked(game: AnyGame, state: Any) -> Seat:
    """Whose command an onlooker means: that of the seat that is asked first."""
    return next((question.seat for question in game.pending(state)), "")


class Why(Task, frozen=True):
    """Why an event, a roll or a value: an ``Explanation``. ``latest``: version of the game."""

    game: GameId
    viewer: Viewer
    version: int
    latest: int
    event: int
    roll: str
    path: str
    limit: int

    def run(self, materials: Materials) -> bytes:
        views = materials.views.of(self.game)
        rolls = views.ledger(self.viewer).upto(self.latest)
        seq = seq_of(self.event, self.roll, self.version, rolls)
        inquiry = Inquiry(views, self.viewer, self.game, rolls)
        with nothing_there():
            found = (
                inquiry.event(seq) if seq else inquiry.value(self.path, self.version, self.limit)
            )
        return _ENCODER.encode(found)


class Mentions(Task, frozen=True):
    """At most ``most`` events after ``after`` that fit the question: a list of ``Mention``."""

    game: GameId
    viewer: Viewer
    latest: int
    unit: str
    role: str
    rule: str
    type: str
    after: int
    most: int

    def run(self, materials: Materials) -> bytes:
        question = Question(unit=self.unit, role=self.role, rule=self.rule, type=self.type)
        views = materials.views.of(self.game)
        found = mentions(views, self.viewer, question, self.after, self.latest)
        return _ENCODER.encode(list(islice(found, self.most)))


class Held(msgspec.Struct, frozen=True):
    """What came of a question to a game: see ``projections.query``.

    rules    by which the game is decided
    count    moments at which it holds
    moments  the first of them, as many as were asked for
    nowhere  places of the question at which nothing ever stood
    """

    rules: Rules
    count: int
    moments: tuple[Holding, ...]
    nowhere: tuple[str, ...]


class Query(Task, frozen=True):
    """The moments of a game at which something holds, at most ``most`` of them: a :class:`Held`."""

    game: GameId
    rules: Rules
    viewer: Viewer
    latest: int
    question: str
    most: int

    def run(self, materials: Materials) -> bytes:
        try:
            query = read_question(self.question)
        except Unclear as error:
            raise unclear("#question", f"at {error.at + 1}: {error}") from None
        views, meter = materials.views.of(self.game), Meter()
        with_rolls = "rolls" in query.predicate.names
        rolls = views.ledger(self.viewer).upto(self.latest) if with_rolls else ()
        try:
            found = asked_of(views, self.viewer, self.latest, rolls, query, meter)
        except TooMuch:
            raise unclear("#question", "it asks too much of this game") from None
        nowhere = tuple(".".join(place) for place in query.places if place not in meter.found)
        return _ENCODER.encode(Held(self.rules, found.count, found.moments[: self.most], nowhere))


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game at a version, through somebody's eyes."""

    game: GameId
    viewer: Viewer
    version: int

    def side(self, materials: Materials) -> Side:
        return Side(materials.views.of(self.game), self.viewer, self.version)


class Compare(Task, frozen=True):
    """What is different: a ``Difference``. ``since``: see :func:`difference`."""

    one: Position
    two: Position
    since: int

    @property
    def games(self) -> tuple[GameId, ...]:
        return self.one.game, self.two.game

    def run(self, materials: Materials) -> bytes:
        other = self.two.game if self.two.game != self.one.game else ""
        sides = self.one.side(materials), self.two.side(materials)
        return _ENCODER.encode(difference(*sides, self.one.game, other, self.since))


class Draw(Task, frozen=True):
    """The board as a picture, with ``unit`` pointed out: SVG; nothing before there is a board."""

    game: GameId
    viewer: Viewer
    version: int
    unit: str

    def run(self, materials: Materials) -> bytes:
        scene = scene_at(materials.views.of(self.game), self.viewer, self.version, self.unit)
        if scene is None:
            raise Refusal("version.unknown", "The game has no board before its opening.")
        return svg.svg(scene).encode()


class Stretch(Task, frozen=True):
    """The versions above ``after`` up to ``last``: ``Frames``; with ``pictures`` of the board."""

    game: GameId
    viewer: Viewer
    after: int
    last: int
    pictures: bool

    def run(self, materials: Materials) -> bytes:
        views = materials.views.of(self.game)
        eyes, after, last = self.viewer, self.after, self.last
        found = frames_of(views, self.game, eyes, after, last, pictures=self.pictures)
        return _ENCODER.encode(found)


class Luck(Task, frozen=True):
    """Who was lucky, up to ``latest``: a ``LuckReport``."""

    game: GameId
    viewer: Viewer
    latest: int

    def run(self, materials: Materials) -> bytes:
        views = materials.views.of(self.game)
        rolls = views.ledger(self.viewer).upto(self.latest)
        chapters = chaptered(views.seen(self.viewer, 0, self.latest, self.latest))
        rules = views.rules(self.latest)
        return _ENCODER.encode(luck_of(self.game, rules, self.viewer, self.latest, rolls, chapters))


class Export(Task, frozen=True):
    """The evidence of a game as somebody may have it: a bundle."""

    game: GameId
    viewer: Viewer

    def run(self, materials: Materials) -> bytes:
        rules = materials.views.of(self.game).game
        return evidence_of(materials.source, rules, self.game, self.viewer)


class Judge(Task, frozen=True):
    """The evidence of a finished game, judged: a :class:`~service.play.archiving.Judged`."""

    budget: ClassVar[float] = 15 * LONG

    game: GameId

    def run(self, materials: Materials) -> bytes:
        return _ENCODER.encode(judged(materials.source, materials.games, self.game))


class Beginning(msgspec.Struct, frozen=True):
    """The set-up of a fork's parent, and the position that the fork goes on from."""

    setup: Setup
    fork: Fork


class Begin(Task, frozen=True):
    """What a fork begins with: a :class:`Beginning`."""

    budget: ClassVar[float] = SHORT

    ruleset: str
    origin: Position
    latest: int
    seed: str
    faces: tuple[tuple[int, ...], ...]

    @property
    def games(self) -> tuple[GameId, ...]:
        return (self.origin.game,)

    def run(self, materials: Materials) -> bytes:
        at, views = self.origin, materials.views.of(self.origin.game)
        state = views.at(at.viewer, at.version)
        if state is None:
            raise Refusal("version.unknown", "Nothing goes on from before the opening.")
        around = views.seen(at.viewer, at.version - 1, 2, self.latest)
        origin = Origin(at.game, at.version, at.viewer)
        game = in_force(materials.rules_of(at.game), at.version)
        begun = fork(game, origin, state, self.seed, whole=is_whole(around), faces=self.faces)
        return _ENCODER.encode(Beginning(_setup(views), begun))


def _setup(views: GameViews) -> Setup:
    """The set-up of a game, from its first event."""
    return read_created(views.told(0, 1)[0].own).setup


class ChooseOrder(Task, frozen=True):
    """The order that a bot would give at a version, from what its seat sees: JSON.

    seed  of the bot's chance, where it leaves anything to it
    """

    budget: ClassVar[float] = SHORT

    game: GameId
    seat: Seat
    version: int
    question: str
    subject: str
    bot: str
    strength: str
    seed: str

    def run(self, materials: Materials) -> bytes:
        view = materials.views.of(self.game).at(self.seat, self.version)
        game = in_force(materials.rules_of(self.game), self.version)
        told = (self.seat, self.question, self.subject)
        position = position_of(game, view, units_of(game), *told)
        make = bots_of(game)[self.bot]
        return _ENCODER.encode(chosen(make, position, self.strength, self.seed)["command"])


class Review(Task, frozen=True):
    """Decisions after an event, at most ``limit``, beside those of the game's bot: a
    ``GameReview``. Only of a game that is open to everybody: each is seen by its seat's eyes.

    What was taken back decided nothing.
    """

    game: GameId
    after: int
    limit: int
    latest: int

    def run(self, materials: Materials) -> bytes:
        views, rules = materials.views.of(self.game), materials.rules_of(self.game)
        told = views.told(self.after, self.latest) if goes_back(rules) else ()
        undone = taken_back(each.event for each in told)
        orders = materials.source.commands(self.game)
        given = [each for each in orders if each.first > self.after and each.id not in undone]
        name, make = next(iter(bots_of(rules).items()))
        found = []
        for each in given[: self.limit]:
            before = each.first - 1
            asked = Asked(each, in_force(rules, before), views.at(each.seat, before))
            found.append(decision(asked, make(str(each.first))))
        last = given[self.limit - 1].first if len(given) > self.limit else None
        decisions = tuple(each for each in found if each is not None)
        return _ENCODER.encode(
            GameReview(
                game=self.game,
                ruleset=rules.ruleset,
                rules=views.rules(self.latest),
                bot=name,
                decisions=decisions,
                next=last,
            )
        )


class Check(Task, frozen=True):
    """A document of a player's own, checked: a ``CustomDocument``."""

    budget: ClassVar[float] = SHORT

    ruleset: str
    kind: str
    document: msgspec.Raw

    def run(self, materials: Materials) -> bytes:
        document = msgspec.json.decode(self.document)
        return _ENCODER.encode(checked(materials.games[self.ruleset], self.kind, document))


Kinds = (
    OddsOfRoll
    | OddsOfCommand
    | Why
    | Mentions
    | Query
    | Compare
    | Draw
    | Stretch
    | Luck
    | Export
    | Judge
    | Begin
    | Check
    | ChooseOrder
    | Review
)
"""Every kind of task."""

_DECODER = msgspec.json.Decoder(Kinds)


def written(task: Task) -> bytes:
    """The task, to be handed over."""
    return _ENCODER.encode(task)


def done(task: bytes, materials: Materials) -> bytes:
    """Do it. Raises Refusal, Refused, Damaged, NotFound, RulesetMissing."""
    found: Kinds = _DECODER.decode(task)
    return found.run(materials)
