"""A check of Schemathesis' of our own (SCHEMATHESIS_HOOKS): a body that fits its schema is read."""

from __future__ import annotations

from typing import Any

import schemathesis

REFUSED = "body.invalid"
NO_INTEGER = "numbers are integers here"
"""Said of 1.0 too, which JSON Schema counts among the integers: no schema can leave it out."""
TOO_GREAT = "integers go up to 2^53 - 1"
"""Said of what stands in a player's document, whose schema is that of its kind and not here."""


@schemathesis.check
def fitting_body_is_read(ctx: Any, response: Any, case: Any) -> None:
    """The service may refuse what a body says, and never its form, which the document gives."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 422:
        return
    if faults := unread(response.json()):
        raise AssertionError(f"{REFUSED}: {faults} of {case.body!r}")


def unread(problem: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields that were not read, though the body fits."""
    if problem.get("code") != REFUSED:
        return []
    errors: list[dict[str, Any]] = problem.get("errors", [{}])
    return [each for each in errors if not _is_beyond(each)]


def _is_beyond(error: dict[str, Any]) -> bool:
    """Whether it is one that the schema of the body cannot leave out."""
    message, pointer = error.get("message"), error.get("pointer", "")
    return message == NO_INTEGER or (message == TOO_GREAT and "/customs/" in pointer)
