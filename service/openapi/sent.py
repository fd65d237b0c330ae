"""The ``webhooks`` of the document: what the service sends, as requests to the receiver."""

from __future__ import annotations

from typing import Any

import msgspec

from service.http.operation import JSON
from service.http.webhooks import SENT
from service.webhooks.messages import FORMS, HappenedData, MessageData, body_of

from .shape import REF

AT = "2026-11-21T12:00:00.000Z"
GAME = "5c0f3a4e1b7d49a2864fd1c5b9e07a33"

WHEN = {
    "your-turn": (
        "Your turn",
        "A seat is asked something that it was not asked before.",
        MessageData(game=GAME, seq=17, seat="p1"),
    ),
    "happened": (
        "Happened",
        "An event that everybody sees has one of the `roles` that the webhook asks for.",
        HappenedData(game=GAME, seq=42, seat="p2", roles=("lost",)),
    ),
    "game-over": ("Game over", "The game has ended.", MessageData(game=GAME, seq=240, seat="")),
    "test": (
        "Test",
        "Somebody asked for it with `testWebhook`.",
        MessageData(game=GAME, seq=0, seat="p1"),
    ),
}
HOW = (
    "Signed by Standard Webhooks: check `webhook-signature` with the webhook's secret. The same "
    "`webhook-id` may come more than once. Answer with any 2xx; 410 ends the webhook; everything "
    "else is tried again for 24 hours."
)
HEADERS = {
    "webhook-id": "Id of the message: the same at each attempt.",
    "webhook-timestamp": "The time of this attempt, seconds since 1970.",
    "webhook-signature": "One signature, or two separated by a space while a secret is changed.",
}


def sent() -> dict[str, Any]:
    """Each kind of message."""
    return {name: {"post": _message(name)} for name in FORMS}


def _message(name: str) -> dict[str, Any]:
    summary, text, data = WHEN[name]
    example = msgspec.json.decode(body_of(name, AT, data))
    form = {
        "schema": {"$ref": REF + FORMS[name].__name__},
        "examples": {name: {"summary": summary, "value": example}},
    }
    return {
        "operationId": f"receive{FORMS[name].__name__}",
        "tags": [SENT],
        "summary": summary,
        "description": f"{text} {HOW}",
        "security": [{}],
        "parameters": [
            {
                "name": header,
                "in": "header",
                "required": True,
                "description": meaning,
                "schema": {"type": "string"},
            }
            for header, meaning in HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {JSON: form}},
        "responses": {
            "204": {"description": "Taken."},
            "410": {"description": "Gone: send nothing more."},
        },
    }
