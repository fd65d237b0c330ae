"""Which event a question is about, and what to say where there is nothing to explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from projections.differences import pointer_of
from projections.inquiry import Nowhere
from projections.rolls import RollRecord

from ..problems import FieldError, Refusal

NAMED = 20
"""Names in a hint, at most."""


def seq_of(event: int, roll: str, version: int, rolls: Sequence[RollRecord]) -> int:
    """The event that is asked about; of a roll the first that it decided. 0 for a value."""
    if roll:
        for each in rolls:
            if each.id == roll and each.seq <= version:
                return each.event or each.seq
        raise Refusal("resource.not-found", "The dice ledger has no roll of that id.")
    if event > version:
        raise Refusal("version.unknown", version=version)
    return event


@contextmanager
def nothing_there() -> Iterator[None]:
    """A pointer that leads nowhere is refused with what stands there."""
    try:
        yield
    except KeyError:
        raise unclear("#path", "not a pointer into the state") from None
    except Nowhere as nowhere:
        raise _refusal(nowhere) from None


def _refusal(nowhere: Nowhere) -> Refusal:
    if not nowhere.there and not nowhere.names:
        return Refusal("version.unknown", "The game has no state before its opening.")
    where = f"in {pointer_of(nowhere.there)}" if nowhere.there else "at the top"
    names = nowhere.names
    if isinstance(names, range):
        said = f"0 to {len(names) - 1}" if names else ""
    else:
        said = ", ".join(map(str, names[:NAMED])) + (", ..." if len(names) > NAMED else "")
    return Refusal(
        "resource.not-found",
        "Nothing stands at that place of the state, and no event up to this version put it there.",
        hint=f"What stands {where}: {said}." if said else f"Nothing stands {where}.",
        errors=(FieldError("#path", "unknown-value", "no such place in the state"),),
    )


def unclear(field: str, message: str) -> Refusal:
    """A query that does not say one thing."""
    errors = (FieldError(field, "unknown-value", message),)
    return Refusal("query.invalid", f"{message[:1].upper()}{message[1:]}.", errors=errors)
