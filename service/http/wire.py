"""Answers in the form in which they go over the wire, where that is not the desk's own."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.game import Game
from domain.kernel.options import PartOf, Pending, Template
from domain.kernel.shown.catalogue import Entry
from domain.kernel.shown.odds_summary import OddsSummary
from domain.kernel.shown.roles import Role
from domain.kernel.shown.rulebook import RuleText
from projections.dice import GameRoll
from projections.records import Rules
from projections.results import GameResult
from projections.statistics import RulesetStatistics
from projections.stream import SeenEvent
from service.bots.bot import bots_of
from service.models import Answer, EngineInfo, GameSummary, SeatToken, Standing
from service.play.opening import rules_of, texts_of
from service.problems import Kind

ENCODER = msgspec.json.Encoder()

PLAIN = (str, int)
"""Figures of an event from which its sentence is made; True and False are numbers in Python."""


class EventText(Answer, frozen=True):
    """An event in words.

    key     names the sentence for translators; it is the event's type
    params  the plain figures of the event, from which the sentence is made
    en      the sentence in English; "" for pure book-keeping
    """

    key: str
    params: dict[str, str | int | bool]
    en: str


class WireEvent(Answer, frozen=True):
    """One event, the same bytes in a page, in NDJSON and in a stream.

    seq            the version after it
    at             RFC 3339 UTC
    actor          a seat, or "service"
    caused_by      id of the command that led to it; "" for the opening
    schema_version version of the form of ``data``
    rules          IDs of the rules that decided
    roles          its common meanings
    hash           its own in the chain; with ``seq`` a head

    The hash is of the event with what is sealed in it: the same for everybody, and in the evidence.
    """

    seq: int
    type: str
    at: str
    actor: str
    caused_by: str
    schema_version: int
    data: Any
    text: EventText
    rules: tuple[str, ...]
    roles: tuple[Role, ...]
    hash: str


def event_bytes(seen: SeenEvent) -> bytes:
    """The one JSON form of an event."""
    data = msgspec.to_builtins(seen.data)
    params = {name: value for name, value in data.items() if isinstance(value, PLAIN)}
    return ENCODER.encode(
        WireEvent(
            seq=seen.seq,
            type=seen.type,
            at=seen.at,
            actor=seen.actor,
            caused_by=seen.caused_by,
            schema_version=seen.schema,
            data=data,
            text=EventText(key=seen.type, params=params, en=seen.text),
            rules=seen.rules,
            roles=seen.roles,
            hash=seen.hash,
        )
    )


class CommandDone(Answer, frozen=True):
    """The events that were stored with an accepted command, as its seat may see them.

    game        its id
    version     of the game after these events; the ETag
    head        hash of the event of that number, the last of these
    rules       by which it was judged
    command     id of the command: ``causedBy`` of its events
    next_batch  number of the dice batch that the next roll opens
    standing    how the game stood at that version: no other command is between
    events      that it led to; after the last command also the service's own that opens the dice,
                which has no ``causedBy`` and, where the end has to be in the public log first,
                comes later by itself
    """

    game: str
    version: int
    head: str
    rules: Rules
    command: str
    next_batch: int
    standing: Standing
    events: tuple[Any, ...]


class CustomKind(Answer, frozen=True):
    """A kind of document that players may bring.

    schema_path  where its JSON Schema is
    examples     documents that are good, to start from
    """

    kind: str
    title: str
    text: str
    schema_path: str
    examples: tuple[dict[str, Any], ...]


class CustomKindList(Answer, frozen=True):
    """The kinds of documents that a ruleset takes."""

    items: tuple[CustomKind, ...]


class CustomChecked(Answer, frozen=True):
    """A document that is good, and the id that it would be kept under.

    rules  that took it; whether an edition can play it shows when a game is created
    """

    id: str
    rules: Rules
    kind: str
    name: str


class CustomPosted(Answer, frozen=True):
    """A document that is kept, without its content.

    expires_at  when it goes, if it is not posted again and no new game names it; null: it is kept
    """

    id: str
    ruleset: str
    kind: str
    name: str
    expires_at: str | None


class CustomShown(Answer, frozen=True):
    """A document with its content, as it was posted.

    expires_at  when it goes, if it is not posted again and no new game names it; null: it is kept
    """

    id: str
    ruleset: str
    kind: str
    name: str
    expires_at: str | None
    document: dict[str, Any]


class CustomPage(Answer, frozen=True):
    """A page of documents; ``next`` is the cursor of the next one, null on the last."""

    items: tuple[CustomPosted, ...]
    next: str | None


class GameCreated(Answer, frozen=True):
    """A new game with everything that is told once; repeating the request tells it again.

    tokens       one for each seat that the creator keeps
    invitations  one for each seat that waits for an invited player
    organiser    token of the game's organiser
    """

    game: GameSummary
    tokens: tuple[SeatToken, ...]
    invitations: tuple[SeatToken, ...]
    organiser: str


class SeatGiven(Answer, frozen=True):
    """A seat that was taken; its token is told once, and again when the request is repeated."""

    game: GameSummary
    seat: str
    token: str


class ReadyCommand(Answer, frozen=True):
    """A command that the caller may give now.

    command  the body, ready to post
    text     the command in words
    unit     the unit or card that acts; "" when it is about none
    target   its target; "" for none
    rule     ID of the rule that offers it; "" where it needs none, such as passing
    parts    its parts, in the order in which to ask for them: of two commands of one type in
             the list, no two have the same roles and keys
    odds     exact odds, where dice would roll, now or later, and the rules let them be known
    odds_summary  those odds in one shape for every game; its `hopeless` says why it cannot succeed.
             Without `odds` of a shot that fails before any die: then `hopeless` says why
    pointless  the reason why it is certain to achieve nothing, with its rule: such commands are
               legal and come last in the list. Left out of all others
    worthwhile  what makes it worth a look, where a list is long and most of it comes to nothing:
               placements of Aircraft in War at Sea. Left out of all others
    """

    command: Any
    text: str
    unit: str
    target: str
    rule: str
    parts: tuple[PartOf, ...]
    odds: dict[str, Any] | UnsetType = UNSET
    odds_summary: OddsSummary | UnsetType = UNSET
    pointless: str | UnsetType = UNSET
    worthwhile: dict[str, Any] | UnsetType = UNSET


class CommandList(Answer, frozen=True):
    """The commands that the caller may give now.

    seat       the seat of the commands; "" for an onlooker, who has none
    version    of the game they are for: send it in If-Match
    to_move    the open questions, one for each seat that is asked, as in the game
    due        by seat that is asked: when its time is over; empty where there is no limit
    templates  commands that have to be built: the closed set of each parameter
    next       cursor of the next page; null on the last one
    concessions  ways out of the game besides, the mildest first: a draw to offer, resigning. They
               are accepted like items, and kept apart so that nobody gives up by picking at random
    """

    game: str
    seat: str
    version: int
    rules: Rules
    next_batch: int
    to_move: tuple[Pending, ...]
    due: dict[str, str]
    items: tuple[ReadyCommand, ...]
    templates: tuple[Template, ...]
    next: str | None
    concessions: tuple[ReadyCommand, ...] = ()


class CheckPassed(Answer, frozen=True):
    """A command that would be accepted now. Nothing was written and no dice rolled.

    preview  the course of the order by itself, where the ruleset tells it
    """

    game: str
    version: int
    rules: Rules
    legal: bool
    item: ReadyCommand
    preview: dict[str, Any] | None = None


class ViewAnswer(Answer, frozen=True):
    """The whole state of a game as the caller may see it.

    game        its id
    ruleset     says which type of state it is
    version     of the game, that it is of
    viewer      a seat, or "public"
    next_batch  number of the dice batch that the next roll opens
    head        hash of event number ``version``
    state       the ruleset's own state
    """

    game: str
    ruleset: str
    version: int
    head: str
    viewer: str
    rules: Rules
    next_batch: int
    state: Any


class Page(Answer, frozen=True):
    """Items, and the cursor of the next page; null on the last one."""

    items: tuple[Any, ...]
    next: str | None


class GamePage(Answer, frozen=True):
    """Games of the lobby, newest first."""

    items: tuple[GameSummary, ...]
    next: str | None


class ResultPage(Answer, frozen=True):
    """Finished games, the latest first."""

    items: tuple[GameResult, ...]
    next: str | None


class DicePage(Answer, frozen=True):
    """Rolls of all games, the latest first."""

    items: tuple[GameRoll, ...]
    next: str | None


class Statistics(Answer, frozen=True):
    """Figures of all games by ruleset; rulesets without games are left out."""

    items: tuple[RulesetStatistics, ...]


class EntryShown(Answer, frozen=True):
    """One thing of a catalogue: a unit, a card, an ability, a scenario, a map.

    kind        its ruleset, and the list that it is of: ``war-at-sea.unit``
    id          by which commands, events and other entries name it
    name        as people read it
    text        its meaning in words; "" where its figures say all
    playable    whether it may be used now
    missing     the abilities that are not implemented yet, and so its reason
    data        its figures, as the game defines them
    provenance  where the figures come from
    """

    kind: str
    id: str
    name: str
    text: str
    playable: bool
    missing: tuple[str, ...]
    data: dict[str, Any]
    provenance: dict[str, Any]

    @staticmethod
    def of(ruleset: str, kind: str, entry: Entry) -> EntryShown:
        """The entry with the kind of thing that it is."""
        return EntryShown(kind=f"{ruleset}.{kind}", **msgspec.structs.asdict(entry))


class EntryPage(Answer, frozen=True):
    """Entries of a catalogue."""

    items: tuple[EntryShown, ...]
    next: str | None


class RulePage(Answer, frozen=True):
    """Rules and rulings of a rulebook, in its order."""

    items: tuple[RuleText, ...]
    next: str | None


class EnginePage(Answer, frozen=True):
    """Engines, in the order of their digests.

    next  cursor of the next page, if there is one
    """

    items: tuple[EngineInfo, ...]
    next: str | None


class RulesetInfo(Answer, frozen=True):
    """A ruleset on offer.

    version      of the engine that plays it
    digest       of its engine, as in the ``rules`` of its games: two services with the same digest
               judge alike
    texts        digest of its texts and pictures too: answers that may be kept for ever are asked
               for by it
    seat_counts  numbers of seats that a game may have
    bots         that the service has for a seat (``hold`` "bot"), the best one first
    """

    id: str
    title: str
    version: str
    digest: str
    texts: str
    editions: tuple[str, ...]
    seat_counts: tuple[int, ...]
    bots: tuple[str, ...]


class RulesetDetail(RulesetInfo, frozen=True):
    """A ruleset with the editions, scenarios, maps and options of its games.

    texts          digest of its texts and pictures too: answers that may be kept for ever are asked
               for by it
    bots           of the service for a seat (``hold`` "bot"), the best one first
    phases         of a turn, in order
    options        JSON Schema of the options of a new game
    defaults       the options that hold where none are given
    """

    phases: tuple[str, ...]
    options: dict[str, Any]
    defaults: dict[str, Any]


class RulesetList(Answer, frozen=True):
    """The rulesets on offer."""

    items: tuple[RulesetInfo, ...]


class ServiceLimits(Answer, frozen=True):
    """Limits that every client meets.

    requests_a_minute  of one caller; 0: no limit
    streams            that one token may have open at each worker
    parallel           requests of one token that each worker answers at the same time; 0: no limit
    unplayed_days      after which a game in which nobody has given a command is ended; 0: never
    fork_days          for which a fork is kept after the last command in it; 0: for ever
    document_days      for which a document is kept after it was posted or named by a new game;
                       0: for ever
    """

    body_bytes: int
    json_depth: int
    page: int
    requests_a_minute: int
    streams: int
    parallel: int
    unplayed_days: int
    fork_days: int
    document_days: int


class LogCheckpoint(Answer, frozen=True):
    """The newest head of the public log, whose signed text is `/log/checkpoint`.

    size  leaves of the tree
    root  hash of its top, in base64 as the checkpoint has it
    published_at  since when it has stood as it does, RFC 3339 UTC, by the service's own word; with
        cosignatures that came later it stands anew
    """

    size: int
    root: str
    published_at: str


class ServiceInfo(Answer, frozen=True):
    """The service: name, version, limits and addresses.

    commit   of the source it was built from; "" when that is not known
    log_key  verifier key of its public log; "" while it keeps none
    checkpoint  the newest head of that log; null while there is none. Whoever keeps it can be shown
        that every later one goes on from it
    announcement  of the operator to everybody; "" for none
    """

    name: str
    version: str
    commit: str
    log_key: str
    checkpoint: LogCheckpoint | None
    announcement: str
    limits: ServiceLimits
    rulesets: tuple[RulesetInfo, ...]


class Health(Answer, frozen=True):
    """Whether the service works: each part by its name."""

    status: str
    parts: dict[str, bool]


class ProblemList(Answer, frozen=True):
    """Refusals of the service in order of precedence, then where the rules' own come in.

    rules_come_after  code after which refusals by the rules stand
    rules             codes by ruleset
    """

    items: tuple[Kind, ...]
    rules_come_after: str
    rules: dict[str, tuple[str, ...]]


def ruleset_info(game: Game[Any, Any, Any]) -> RulesetInfo:
    """The ruleset in short."""
    return RulesetInfo(
        id=game.ruleset,
        title=game.title,
        version=game.version,
        digest=rules_of(game, "").digest,
        texts=texts_of(game),
        editions=game.editions,
        seat_counts=game.seat_counts,
        bots=tuple(bots_of(game)),
    )
