"""A check of Schemathesis' of our own (SCHEMATHESIS_HOOKS): a body that fits its schema is read."""

from __future__ import annotations

from typing import Any

import schemathesis

REFUSED = "body.invalid"


@schemathesis.check
def fitting_body_is_read(ctx: Any, response: Any, case: Any) -> None:
    """The service may refuse what a body says, and never its form, which the document gives."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 422:
        return
    problem = response.json()
    if problem.get("code") == REFUSED:
        raise AssertionError(f"{REFUSED}: {problem.get('errors')} of {case.body!r}")
