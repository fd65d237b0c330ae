"""Evidence files in place of a store: the rows that a store would have of their games.

A file shows one viewer's game, or all of a game that is over. What it opens stands beside each row
as the truth of who looks, so that everything that reads a store reads a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import UNSET

from domain.kernel.values import PUBLIC, TRUTH, Viewer

from ..container import BadContainer
from ..engines import carry, installed, shown
from ..engines.closure import Unbuildable
from ..evidence.casefile import Case
from ..evidence.chain import NULL, Envelope, Seals, link, sealed_digest
from ..evidence.digest import ruleset_of
from ..evidence.records import (
    BatchRolled,
    BatchVoided,
    EndedByRuling,
    Forfeited,
    GameAbandoned,
    GameClosed,
    Record,
    RulesAgreed,
    RulesChanged,
    RulesUsed,
    SeatTakenRecord,
    Takeback,
)
from ..evidence.seatkeys import stored
from ..evidence.shelf import CARRIED, Place, search
from ..models import GameId, GameSummary
from ..play.changes import agreed, gone_over, rules_named
from ..play.opening import begun
from ..play.rulings import ruled
from ..play.staging import forfeited, given_up, status_of
from ..play.summaries import seated
from ..play.takebacks import went_back
from ..store.rows import write_row
from ..store.store import ALL, StoredGame
from ..store.stored import Row, StoredCommand
from ..views.rulesets import AnyGame, Rulesets, is_digest_of, playing
from ..views.views import ViewCache
from ..work.tasks import Materials

MOST_GAMES = 8
"""Games whose views are kept at a time."""


class OpenedSeals(Seals):
    """The seals of a game as far as a file opens them; nobody can check the others."""

    __slots__ = ("_salts", "_sealed")

    def __init__(self, case: Case) -> None:
        super().__init__(bytes.fromhex(case.master), bytes.fromhex(case.created.params.g))
        self._sealed = [envelope.sealed for envelope in case.envelopes]
        self._salts = {(each.viewer, each.seq): each.salt for each in case.openings}

    def seal(self, viewer: Viewer, seq: int, payload: bytes) -> str:
        salt = self._salts.get((viewer, seq))
        if salt is None:
            return self._sealed[seq - 1].get(viewer, "")
        return sealed_digest(bytes.fromhex(salt), payload)


class Filed:
    """The games of evidence files: a ``store.source.Source``.

    rulesets  what they are decided by: what is installed, or the engine that they name
    """

    def __init__(self, games: Mapping[str, AnyGame], places: tuple[Place, ...] = ()) -> None:
        self.rulesets = Rulesets(games, self)
        self._places = (CARRIED, *places)
        self._games: dict[GameId, tuple[Case, Viewer, StoredGame]] = {}
        self._used: dict[str, RulesUsed] = {}
        self.materials = Materials(self.rulesets, ViewCache(self, self.rulesets, MOST_GAMES), self)

    def put(self, case: Case, viewer: Viewer) -> GameId:
        """Take a game in, as a viewer sees it whom the file opens; in place of what was there.

        Raises RulesetMissing where nothing here reads it.
        """
        id = case.manifest.game
        for used in rules_of(case):
            self._used[used.digest] = used
        row = _row(case, self.rulesets)
        self.materials.views.drop(id)
        self._games[id] = (case, viewer, row)
        return id

    def played(self, id: GameId) -> AnyGame:
        """By what a game is decided: all rules that it had."""
        return playing(self.rulesets, self._games[id][2].summary, to_read=True)

    def case(self, id: GameId) -> Case:
        """The file of a game, opened."""
        return self._games[id][0]

    def strange(self, id: GameId) -> tuple[RulesUsed, ...]:
        """Rules of a game that are not known here, so that the installed ones read it."""
        case = self._games[id][0]
        return tuple(used for used in rules_of(case) if not self._known(used))

    def _known(self, used: RulesUsed) -> bool:
        game = self.rulesets.get(used.ruleset)
        installed = game is not None and is_digest_of(game, used.digest)
        return installed or self.engine(used.digest) is not None

    def game(self, game: GameId) -> StoredGame | None:
        found = self._games.get(game)
        return None if found is None else found[2]

    def rows(self, game: GameId, after: int = 0, limit: int = ALL) -> list[Row]:
        case, viewer, _ = self._games[game]
        return [row(case, viewer, each) for each in case.envelopes[after : after + limit]]

    def commands(self, game: GameId) -> list[StoredCommand]:
        case = self._games[game][0]
        return [
            StoredCommand(
                order.first, order.last, order.id, order.seat, bytes(order.command),
                case.envelopes[order.first - 1].at,
                b"" if order.signature is UNSET else stored(order.signature),
            )
            for order in case.orders
        ]  # fmt: skip

    def engine(self, digest: str) -> bytes | None:
        """One that this build vouches for: what runs here is never what a stranger wrote."""
        used = self._used.get(digest)
        found = None if used is None else search(used, self._places, ()).found
        return found.archive if found is not None and found.vouched else None

    def shown(self, digest: str) -> bytes | None:
        """What shows an engine: as this build carries it, else what is installed, to be laid over
        it. Where that does not run, events are told by name."""
        kept = carry.shown_over(digest)
        if kept is not None:
            return kept
        engine = self.engine(digest)
        game = None if engine is None else self.rulesets.get(self._used[digest].ruleset)
        if engine is None or game is None:
            return None
        try:
            ruleset = ruleset_of(game)
            return shown.build(installed.sources(ruleset.home), ruleset, engine)
        except (Unbuildable, BadContainer):
            return None


def viewers_of(case: Case) -> tuple[Viewer, ...]:
    """As whom a file shows its game, the one who sees most first."""
    if case.sees_all:
        return (TRUTH, *case.created.setup.seats, PUBLIC)
    return tuple(dict.fromkeys((case.manifest.viewer, PUBLIC)))


def rules_of(case: Case) -> Iterator[RulesUsed]:
    """All rules by which a game was played, in order."""
    yield case.created.rules
    for record in case.records.values():
        if isinstance(record, RulesChanged):
            yield record.new


def row(case: Case, viewer: Viewer, envelope: Envelope) -> Row:
    """An event as a store has it, the truth beside it being what the file opens to the viewer."""
    hidden = case.opened.get((envelope.seq, TRUTH if case.sees_all else viewer), NULL)
    truth = b"" if hidden == NULL else hidden
    return write_row(envelope.seq, envelope.type, envelope.schema, link(envelope), truth)


def _row(case: Case, games: Rulesets) -> StoredGame:
    """Raises RulesetMissing."""
    created = case.created
    waiting = () if created.waiting is UNSET else created.waiting
    held = {seat: "open" if seat in waiting else "kept" for seat in created.setup.seats}
    first = games.to_read(rules_named(created.rules, created.setup.edition))
    beginning = case.envelopes[0].at
    summary = begun(first, case.manifest.game, created, "", held, beginning, None)
    for record in case.records.values():
        summary = _after(summary, record)
    summary = msgspec.structs.replace(
        summary, version=len(case.envelopes), updated_at=case.envelopes[-1].at,
        status=status_of(summary, over=case.closed is not None), opened=bool(case.master),
    )  # fmt: skip
    master = bytes.fromhex(case.master)
    return StoredGame(summary, master, case.manifest.head.hash, False, OpenedSeals(case))


def _after(summary: GameSummary, record: Record) -> GameSummary:
    """What the record of the service says of a game as a whole."""
    match record:
        case BatchRolled() | BatchVoided():
            return msgspec.structs.replace(summary, next_batch=record.t + 1)
        case SeatTakenRecord():
            return seated(summary, record)
        case RulesAgreed():
            return agreed(summary, record)
        case RulesChanged():
            return gone_over(summary, record)
        case Takeback():
            return went_back(summary)
        case GameClosed():
            return msgspec.structs.replace(summary, status="finished", result=record.result)
        case Forfeited():
            return forfeited(summary, record.seats, record.result)
        case GameAbandoned():
            return given_up(summary)
        case EndedByRuling():
            return ruled(summary, record, summary.updated_at)
        case _:
            return summary
