"""The record of one game, from a running service or an evidence file, ready to be looked at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from domain.kernel.codec import Codec
from domain.kernel.event import UnknownEvent
from domain.kernel.forked import fork_rules
from domain.kernel.values import Viewer
from projections.records import TAKEBACK
from projections.reports import Entry
from projections.timeline import Chapter, chapters

from .console import Report, unheard
from .filed import file_desk
from .files import read_bytes
from .mistakes import Mistake
from .remote import Remote, WireEvent, game_path
from .tools import AnyGame, Tools

if TYPE_CHECKING:
    from service.evidence.casefile import Case
    from service.evidence.chain import Envelope
    from service.evidence.changed import Reading

STRIDE = 50
"""A state is kept every so many versions, so that a step backwards folds few events."""


class ViewedEvent(NamedTuple):
    """One event. ``event`` is None for those of the service, which do not touch the state."""

    seq: int
    type: str
    at: str
    actor: str
    caused_by: str
    text: str
    event: Any


class Record:
    """Every event of a game as one viewer may know it, and the state at each version.

    viewer  a seat, "public" or "truth"; "" where only the service knows whose token it was
    """

    def __init__(self, game: AnyGame, id: str, viewer: Viewer, told: Iterable[ViewedEvent]) -> None:
        self.game = game
        self.id = id
        self.viewer = viewer
        self.told = tuple(told)
        self._states: dict[int, Any] = {0: None}

    @property
    def latest(self) -> int:
        return len(self.told)

    def at(self, version: int) -> ViewedEvent:
        """The event that made ``version``."""
        return self.told[self.checked(version) - 1]

    def checked(self, version: int) -> int:
        """``version`` if there is one. Raises Mistake."""
        if not 1 <= version <= self.latest:
            raise Mistake(
                f"The game has no version {version}.",
                f"Its versions are 1 to {self.latest}.",
                "version.unknown",
            )
        return version

    def state(self, version: int) -> Any:
        """The state after event ``version``; None before the game's first own event."""
        start = max(known for known in self._states if known <= version)
        state = self._states[start]
        for seq in range(start + 1, version + 1):
            event = self.told[seq - 1].event
            if event is not None:
                state = self.game.evolve(state, event)
            if seq % STRIDE == 0:
                self._states[seq] = state
        return state

    def picture(self, version: int, unit: str = "") -> str:
        """The board at ``version`` as SVG, with the last action. Raises Mistake."""
        from projections import svg
        from projections.pictures import LONGEST, FilmStep, action, events_of

        state = self.state(self.checked(version))
        if state is None:
            raise Mistake(
                "The game has no board before its opening.",
                "Ask for a later version.",
                "version.unknown",
            )
        recent = self.told[max(0, version - LONGEST) : version]
        last = action([FilmStep(told.event, told.caused_by) for told in recent])
        before = self.state(version - len(last)) if len(last) < version else None
        return svg.svg(self.game.picture(state, before, events_of(last), unit))

    def chapters(self) -> list[Chapter]:
        """The phases of each turn in which something was told, with their versions."""
        return chapters((told.seq, self.entry(told)) for told in self.told)

    def entry(self, told: ViewedEvent) -> Entry:
        """The event as reports take it."""
        if told.event is None:
            return Entry(told.text)
        return Entry(told.text, self.game.meaning(None, told.event))

    def board(self, version: int) -> str:
        """The board at ``version`` as text; "" before there is one."""
        state = self.state(self.checked(version))
        return "" if state is None else self.game.board(state)


# From a service


def from_service(tools: Tools, remote: Remote, id: str, report: Report) -> Record:
    """Everything that the caller may know of a game. Raises Mistake."""
    summary = remote.get(game_path(id))
    game = tools.game(summary["rules"]["ruleset"])
    game = fork_rules(game)  # of a fork or not: it has one more event, which others lack
    codec: Codec[Any] = Codec(game)
    told = [_told(codec, game, wire) for wire in remote.events(id, report)]
    if any(each.type == TAKEBACK for each in told):
        game = _going_back(game)
    return Record(game, summary["id"], "", told)


def _going_back(game: AnyGame) -> AnyGame:
    """The game that folds steps which were taken back, too."""
    from service.evidence.changed import Part, joined

    return joined((Part(1, game),), went_back=True)


def _told(codec: Codec[Any], game: AnyGame, wire: WireEvent) -> ViewedEvent:
    event = None
    if wire.type.startswith(game.ruleset + "."):
        event = _decoded(codec, wire.type, wire.schema_version, wire.data, wire.seq)
    elif wire.type == TAKEBACK:
        event = _taken_back(wire)
    return ViewedEvent(
        wire.seq, wire.type, wire.at, wire.actor, wire.caused_by, wire.text.en, event
    )


def _taken_back(wire: WireEvent) -> Any:
    """A step is taken back: of the service's own events the one that moves the board."""
    from service.evidence import service_events as platform

    try:
        return platform.decode(wire.type, wire.data)
    except msgspec.MsgspecError as error:
        raise _unread(wire.seq, error) from None


def _decoded(codec: Codec[Any], type_: str, schema: int, data: Any, seq: int) -> Any:
    try:
        return codec.decode(type_, schema, data)
    except (UnknownEvent, msgspec.MsgspecError) as error:
        raise _unread(seq, error) from None


def _unread(seq: int, error: Exception) -> Mistake:
    return Mistake(
        f"Event {seq} cannot be read by the ruleset that is installed here: {error}.",
        "Use the version of Decklog that the game was played with.",
        "event.unknown",
    )


def _read(reading: Reading, envelope: Envelope, data: bytes) -> Any:
    """The event, or the change of the rules; None for others of the service's. Raises Mistake."""
    try:
        return reading.event(envelope, data)
    except (UnknownEvent, msgspec.MsgspecError) as error:
        raise _unread(envelope.seq, error) from None


# From an evidence file


def from_file(tools: Tools, path: str, viewer: Viewer = "", report: Report = unheard) -> Record:
    """The record in an evidence file, as ``viewer`` or with all that it opens. Raises Mistake.

    Chain, seals and orders are checked on the way; dice and rules only by ``verify``.
    """
    return from_bytes(tools, read_bytes(path), path, viewer, report)[1]


def from_bytes(
    tools: Tools, data: bytes, path: str, viewer: Viewer = "", report: Report = unheard
) -> tuple[Case, Record]:
    """The same from the file's bytes, with the opened case; ``path`` is its name for people."""
    desk = file_desk(tools, path, viewer, data)
    told = _told_by(desk.case, desk.game, desk.viewer, report)
    return desk.case, Record(desk.game, desk.id, desk.viewer, told)


def _told_by(case: Case, game: AnyGame, viewer: Viewer, report: Report) -> list[ViewedEvent]:
    from service.evidence import service_events as platform
    from service.evidence.changed import Reading

    reading = Reading(game)
    found: list[ViewedEvent] = []
    state = None
    for envelope in case.envelopes:
        report(envelope.seq, len(case.envelopes))
        event = _read(reading, envelope, case.data(envelope, viewer))
        if envelope.seq in case.records:
            text = platform.says(case.records[envelope.seq])
        else:
            text = game.says(state, event)
        if event is not None:
            state = game.evolve(state, event)
        found.append(
            ViewedEvent(envelope.seq, envelope.type, envelope.at, envelope.actor, envelope.cause.id,
                 text, event)
        )  # fmt: skip
    return found
