"""Settings that are read again while the service runs: limits, the level of the log, and keys."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import msgspec

from service.ops.checking import shown_value
from service.ops.safety import findings
from service.settings import Gathered, Settings, about, variable

from .desk import Desk
from .errors import ServiceError, StoreRefused
from .http.asked import Http
from .http.doors import Doors

log = logging.getLogger(__name__)


KEYS = ("key", "keys")
"""They are the store's: whether they have changed is in files as well."""


def take_anew(http: Http, doors: Doors, told: Gathered, environ: Mapping[str, str]) -> bool:
    """Take what may be taken by a running service; all that was said before, where any is wrong."""
    if wrong := [*told.wrong, *map(str, findings(told.settings, environ))]:
        log.error("the settings stay as they are: %s", "; ".join(wrong))
        return False
    old, new = http.settings, told.settings
    changed = [n for n in about() if n not in KEYS and getattr(old, n) != getattr(new, n)]
    live = {name: getattr(new, name) for name in changed if about()[name].live}
    http.settings = msgspec.structs.replace(old, **live)
    http.limits.take(http.settings)
    doors.limit(http.settings.connection_limit)
    logging.getLogger().setLevel(http.settings.log_level)
    said = ", ".join(f"{variable(name)}={shown_value(name, live[name])}" for name in live)
    log.warning("settings were read again: %s", said or "none of them has changed")
    if rest := [variable(name) for name in changed if name not in live]:
        log.warning("settings that only a start takes: %s", ", ".join(rest))
    return True


async def take_keys(desk: Desk, told: Settings) -> None:
    """Have the keys that are given now, where they fit; say what is different, or why not."""
    try:
        different = await desk.threads.read(desk.store.take_keys, told, desk.clerk.presence.id)
    except StoreRefused as refused:
        log.error("the keys stay as they are: %s", refused.hint)
    except ServiceError as error:
        log.error("the keys stay as they are: %s", error)
    else:
        for said in different:
            log.warning("keys were read again: %s", said)
