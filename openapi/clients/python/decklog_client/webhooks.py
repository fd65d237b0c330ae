"""Whether a message is from the service: Standard Webhooks, by the webhook's secret."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

TOLERANCE = 300
"""Seconds that a message may be old, or ahead."""


class NotFromTheService(Exception):
    """The message is signed by nobody who has the secret, or it is too old."""


def sign(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """The signature of a message, as its header field has it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def verify(
    secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None
) -> dict[str, Any]:
    """What the message says. Raises NotFromTheService. The same ``webhook-id`` may come twice."""
    fields = {name.lower(): value for name, value in headers.items()}
    try:
        message, stamp = fields["webhook-id"], int(fields["webhook-timestamp"])
        signatures = fields["webhook-signature"].split()
        wanted = sign(secret, message, stamp, body)
    except (KeyError, ValueError, binascii.Error):
        raise NotFromTheService("It has no headers of Standard Webhooks.") from None
    if abs((time.time() if now is None else now) - stamp) > TOLERANCE:
        raise NotFromTheService("It is too old, or from the future.")
    if not any(hmac.compare_digest(wanted.encode(), each.encode()) for each in signatures):
        raise NotFromTheService("No signature of it is by this secret.")
    told: dict[str, Any] = json.loads(body)
    return told
