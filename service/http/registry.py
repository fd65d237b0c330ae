"""Every operation: routing, Allow headers and the document are made from this list."""

from __future__ import annotations

import re

from . import (
    about,
    chances,
    commands,
    customs,
    differences,
    docs,
    events,
    forks,
    games,
    moments,
    pictures,
    reasons,
    records,
    rulesets,
    views,
    web,
    webhooks,
)
from .operation import Farewell, Operation

OPERATIONS: tuple[Operation, ...] = (
    *about.OPERATIONS,
    *docs.OPERATIONS,
    *web.OPERATIONS,
    *rulesets.OPERATIONS,
    *customs.OPERATIONS,
    *games.OPERATIONS,
    *commands.OPERATIONS,
    *events.OPERATIONS,
    *views.OPERATIONS,
    *pictures.OPERATIONS,
    *records.OPERATIONS,
    *webhooks.OPERATIONS,
    *moments.OPERATIONS,
    *differences.OPERATIONS,
    *reasons.OPERATIONS,
    *chances.OPERATIONS,
    *forks.OPERATIONS,
)

TAGS: tuple[tuple[str, str], ...] = (
    (about.TAG, "The service itself: its state, its documentation, what it refuses and why."),
    (rulesets.TAG, "What can be played, with units, abilities, rules, scenarios and maps."),
    (customs.TAG, "Scenarios, maps and decks of the players' own."),
    (games.TAG, "Games and their seats."),
    (commands.TAG, "What may be done now, and doing it."),
    (events.TAG, "What happened, from any version on, for ever."),
    (views.TAG, "What a game looks like: state, dice, evidence."),
    (records.TAG, "All games together: results, dice, statistics."),
    (webhooks.TAG, "Being told: webhooks of a seat, or of the organiser."),
    # Of its own: openapi-generator drops the class of a tag that operations and webhooks share.
    (webhooks.SENT, "What the service sends to a webhook."),
    (moments.TAG, "Any moment, what changed, why, what the chances were, and what if."),
)

_PARAMETER = re.compile(r"\{\w+\}")
_PATTERNS = tuple(
    (re.compile(_PARAMETER.sub("[^/]+", operation.path.replace("{roll}", ".+"))), operation)
    for operation in OPERATIONS
)
_DEPRECATED = tuple(each for each in _PATTERNS if each[1].farewell is not None)


def farewell_of(method: str, path: str) -> Farewell | None:
    """What a deprecated operation at ``path`` says in every answer."""
    for pattern, operation in _DEPRECATED:
        if operation.method == method and pattern.fullmatch(path):
            return operation.farewell
    return None


def methods_of(path: str) -> tuple[str, ...]:
    """The methods that ``path`` has, sorted; none when there is no such address."""
    clean = path if path == "/" else path.rstrip("/")
    found = {operation.method for pattern, operation in _PATTERNS if pattern.fullmatch(clean)}
    return tuple(sorted(found))
