"""Questions to an evidence file: answered from the file alone, in the words of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from domain.kernel.rules import Refused
from domain.kernel.values import Viewer

from .files import opened, read_bytes
from .mistakes import Mistake
from .tools import AnyGame, Tools

if TYPE_CHECKING:
    from service.evidence.casefile import Case
    from service.filed.games import Filed
    from service.models import GameSummary
    from service.problems import Refusal
    from service.work.tasks import Task


class FileDesk(NamedTuple):
    """An evidence file that can be asked.

    viewer  through whose eyes
    game    by what it is decided: the engine that it names, or the installed rules for want of it
    """

    filed: Filed
    case: Case
    id: str
    viewer: Viewer
    game: AnyGame

    @property
    def latest(self) -> int:
        return len(self.case.envelopes)

    @property
    def summary(self) -> GameSummary:
        """The game as everybody may know it."""
        found = self.filed.game(self.id)
        assert found is not None
        return found.summary

    def version(self, at: int | None) -> int:
        """The version that is asked about, or the newest. Raises Mistake."""
        if at is None:
            return self.latest
        if not 1 <= at <= self.latest:
            raise Mistake(
                f"The game has no version {at}.",
                f"Its versions are 1 to {self.latest}.",
                "version.unknown",
            )
        return at

    def ask(self, task: Task) -> Any:
        """What the task makes, as plain JSON. Raises Mistake."""
        return msgspec.json.decode(self.made(task))

    def made(self, task: Task) -> bytes:
        """What the task makes. Raises Mistake."""
        from service.errors import ServiceError
        from service.problems import Refusal, by_rule
        from service.work.tasks import done, written

        try:
            return done(written(task), self.filed.materials)
        except Refusal as refusal:
            raise refused(refusal) from None
        except Refused as error:
            raise refused(by_rule(error, {})) from None
        except ServiceError as error:
            raise refused(Refusal(error.code, error.hint)) from None
        except msgspec.ValidationError as error:
            hint = "Write it as the service lists it, with its type."
            told = f"The rules know no such command: {error}."
            raise Mistake(told, hint, "command.unknown-type") from None


def refused(refusal: Refusal) -> Mistake:
    """A refusal as a service would tell it, and this program passes it on."""
    problem = refusal.document("")
    return Mistake(f"{problem.detail} ({problem.code})", problem.hint, problem.code)


def file_desk(tools: Tools, path: str, viewer: Viewer = "", data: bytes | None = None) -> FileDesk:
    """The desk of an evidence file, as ``viewer`` or with all that it opens. Raises Mistake.

    data  the file's bytes, where they were read already
    """
    from service.errors import RulesetMissing
    from service.filed.games import Filed

    case = opened(path, read_bytes(path) if data is None else data)
    seen_by, filed = chosen(case, viewer), Filed(tools.games)
    try:
        id = filed.put(case, seen_by)
    except RulesetMissing:
        tools.game(case.created.setup.ruleset)  # it says so
        raise
    for used in filed.strange(id):
        click.echo(
            f"decklog: {used.ruleset} {used.version} ({used.digest[:12]}) is not known here; what "
            "is installed reads it",
            err=True,
        )
    return FileDesk(filed, case, id, seen_by, filed.played(id))


def chosen(case: Case, wished: Viewer) -> Viewer:
    """Whose view the file is shown in. Raises Mistake for one that it does not open."""
    from service.filed.games import viewers_of

    open_ = viewers_of(case)
    if not wished:
        return open_[0]
    if wished not in open_:
        raise Mistake(
            f"The file does not show the game as {wished!r} saw it.",
            f"It can be shown as: {', '.join(open_)}.",
            "viewer.unknown",
        )
    return wished
