"""Whose token a request carries; a caller with too many that are nobody's is told to wait."""

from __future__ import annotations

from service.models import Identity
from service.problems import Refusal

from .call import Call


async def identified(call: Call, token: str) -> Identity:
    """Whose token it is. Raises ``token.invalid``, ``rate.exceeded`` after too many of them."""
    found = await call.desk.reader.identify(token.strip()) if token else None
    if found is not None:
        return found
    allowance = await call.http.limits.logins.spend(call.caller)
    if not allowance.admitted:
        raise Refusal("rate.exceeded", headers={"Retry-After": str(allowance.retry)})
    raise Refusal("token.invalid")
