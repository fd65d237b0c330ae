"""Settings that are read again while the service runs: limits and the level of the log."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import msgspec

from service.ops.checking import shown_value
from service.ops.safety import findings
from service.settings import Gathered, about, variable

from .http.asked import Http
from .http.doors import Doors

log = logging.getLogger(__name__)


def take_anew(http: Http, doors: Doors, told: Gathered, environ: Mapping[str, str]) -> bool:
    """Take what may be taken by a running service; all that was said before, where any is wrong."""
    if wrong := [*told.wrong, *map(str, findings(told.settings, environ))]:
        log.error("the settings stay as they are: %s", "; ".join(wrong))
        return False
    old, new = http.settings, told.settings
    changed = [name for name in about() if getattr(old, name) != getattr(new, name)]
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
