"""Faults of our own making in a server that is killed: a campaign that is blind shows nothing.

A server of the tests is given one by its name in the control folder (tests/support/harm.py). From
the moment at which something is killed there is ``struck`` in that folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import service.play.deciding as deciding
import service.play.engine as engine
import service.store.idempotency as idempotency
import service.store.postgres as postgres
from service.play.staging import ReadyRequest

Struck = Callable[[], bool]


def _command(staged: Any) -> bool:
    return isinstance(staged, ReadyRequest) and isinstance(staged.answer, deciding.Receipt)


def behind(struck: Struck) -> None:
    """Lost: a command is stored when the next one comes; who is killed has not stored the last."""
    real = engine.Engine._put
    waiting: list[Any] = []

    def put(self: Any, ready: Any) -> None:
        while waiting:
            real(self, waiting.pop(0))
        if len(ready) == 1 and _command(ready[0][1]):
            waiting.append(ready)
        else:
            real(self, ready)

    engine.Engine._put = put  # type: ignore[method-assign]


def unsynced(struck: Struck) -> None:
    """Lost: PostgreSQL says that it has done what it has not yet put on its disk."""
    real = postgres.PostgresRecorder._settled_for

    def settled_for(self: Any, scope: Any) -> bytes:
        return real(self, scope).replace(
            b"'synchronous_commit', 'on'", b"'synchronous_commit', 'off'"
        )

    postgres.PostgresRecorder._settled_for = settled_for  # type: ignore[method-assign]
    postgres.check_safe = lambda connection: None  # which would refuse to start


def dropped(struck: Struck) -> None:
    """Lost: while there is no way to tell other workers of it, a command is told and not stored."""
    real = engine.Engine._put

    def put(self: Any, ready: Any) -> None:
        if not (struck() and len(ready) == 1 and _command(ready[0][1])):
            real(self, ready)

    engine.Engine._put = put  # type: ignore[method-assign]


def doubled(struck: Struck) -> None:
    """A key that was known before the kill, or is given since, is not known any more."""
    find, check = idempotency.find_all, deciding.check_version

    def find_all(recorder: Any, keys: Any) -> Any:
        return {} if struck() else find(recorder, keys)

    def check_version(live: Any, seat: str, expected: int) -> None:
        if not struck():
            check(live, seat, expected)

    made = idempotency.insertion

    def insertion(*given: Any) -> Any:
        sql, parameters = made(*given)
        return (f"{sql} ON CONFLICT DO NOTHING" if struck() else sql), parameters

    idempotency.find_all = find_all
    idempotency.insertion = insertion  # type: ignore[assignment]
    deciding.check_version = check_version


def otherwise(struck: Struck) -> None:
    """A repeat gets its first answer, but for a byte."""
    real = idempotency.answer_of

    def answer_of(*given: Any) -> bytes:
        answer = real(*given)
        return answer.replace(b'"version":', b'"version":1', 1) if struck() else answer

    idempotency.answer_of = answer_of  # type: ignore[assignment]


FAULTS: Mapping[str, Callable[[Struck], None]] = {
    each.__name__: each for each in (behind, unsynced, dropped, doubled, otherwise)
}


def plant(name: str, control: Path) -> None:
    """Into this process, which is a server's."""
    FAULTS[name]((control / "struck").exists)
