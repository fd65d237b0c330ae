"""The record of one game, from a running service or an evidence file, ready to be looked at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from domain.kernel.codec import Codec
from domain.kernel.event import UnknownEvent
from domain.kernel.forked import fork_rules
from domain.kernel.values import PUBLIC, TRUTH, Viewer
from projections.reports import Entry
from projections.timeline import Chapter, chapters

from .console import Report, unheard
from .mistakes import Mistake
from .remote import Remote, WireEvent, game_path
from .tools import AnyGame, Tools

if TYPE_CHECKING:
    from service.evidence.casefile import Case

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


def is_file(target: str) -> bool:
    """Whether ``target`` is an evidence file rather than the id of a game."""
    return Path(target).is_file() or target.endswith(".decklog") or "/" in target


# From a service


def from_service(tools: Tools, remote: Remote, id: str, report: Report) -> Record:
    """Everything that the caller may know of a game. Raises Mistake."""
    summary = remote.get(game_path(id))
    game = tools.game(summary["rules"]["ruleset"])
    game = fork_rules(game)  # of a fork or not: it has one more event, which others lack
    codec: Codec[Any] = Codec(game)
    told = [_told(codec, game, wire) for wire in remote.events(id, report)]
    return Record(game, summary["id"], "", told)


def _told(codec: Codec[Any], game: AnyGame, wire: WireEvent) -> ViewedEvent:
    event = None
    if wire.type.startswith(game.ruleset + "."):
        event = _decoded(codec, wire.type, wire.schema_version, wire.data, wire.seq)
    return ViewedEvent(
        wire.seq, wire.type, wire.at, wire.actor, wire.caused_by, wire.text.en, event
    )


def _decoded(codec: Codec[Any], type_: str, schema: int, data: Any, seq: int) -> Any:
    try:
        return codec.decode(type_, schema, data)
    except (UnknownEvent, msgspec.MsgspecError) as error:
        raise Mistake(
            f"Event {seq} cannot be read by the ruleset that is installed here: {error}.",
            "Use the version of Decklog that the game was played with.",
            "event.unknown",
        ) from None


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
    from service.evidence import casefile, verdict

    try:
        case = casefile.open_case(*casefile.unpack(data))
    except casefile.Unreadable as error:
        raise Mistake(
            f"{path} is not a readable evidence file: {error}.",
            "Export it again, or copy it as a binary file.",
            "evidence.unreadable",
        ) from None
    except verdict.Refuted as error:
        raise Mistake(
            f"{path} contradicts itself ({error}).",
            f"decklog verify {path} says where and how.",
            "evidence.refuted",
        ) from None
    game = tools.game(case.created.setup.ruleset)
    game = fork_rules(game)
    seen_by = _viewer(case, viewer)
    return case, Record(game, case.manifest.game, seen_by, _told_by(case, game, seen_by, report))


def _viewer(case: Case, wished: Viewer) -> Viewer:
    """Whose view the file is shown in. Raises Mistake for one that it does not open."""
    fullest = TRUTH if case.sees_all else case.manifest.viewer
    if not wished:
        return str(fullest)
    seats = case.created.setup.seats
    open_ = [PUBLIC, *([TRUTH, *seats] if case.sees_all else [case.manifest.viewer])]
    if wished not in open_:
        raise Mistake(
            f"The file does not show the game as {wished!r} saw it.",
            f"It can be shown as: {', '.join(dict.fromkeys(open_))}.",
            "viewer.unknown",
        )
    return wished


def _told_by(case: Case, game: AnyGame, viewer: Viewer, report: Report) -> list[ViewedEvent]:
    from service.evidence import service_events as platform

    codec: Codec[Any] = Codec(game)
    found: list[ViewedEvent] = []
    state = None
    for envelope in case.envelopes:
        report(envelope.seq, len(case.envelopes))
        if envelope.seq in case.records:
            event, text = None, platform.says(case.records[envelope.seq])
        else:
            data = case.data(envelope, viewer)
            event = _decoded(codec, envelope.type, envelope.schema, data, envelope.seq)
            text = game.says(state, event)
            state = game.evolve(state, event)
        found.append(
            ViewedEvent(envelope.seq, envelope.type, envelope.at, envelope.actor, envelope.cause.id,
                 text, event)
        )  # fmt: skip
    return found


def read_bytes(path: str) -> bytes:
    """The file's bytes, or just enough to see that it is too large. Raises Mistake."""
    from service.container import BUNDLE

    try:
        with Path(path).open("rb") as file:
            return file.read(BUNDLE.size + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Mistake(
            f"{path} cannot be read: {reason}.", "Check the name of the file.", "file.unreadable"
        ) from None
