"""RUL-13, RUL-104: what the players may agree on before fleets are built."""

from __future__ import annotations

from ....kernel.rules import Refused, rule
from ..state import Edition, Options


@rule("WAS-DARK-01", "WAS-SCEN-62", "RUL-13")
def check_options(edition: Edition, options: Options) -> None:
    """Darkness and weather are rules of 2009: off unless agreed, and not to be had in 2007."""
    if edition == "2007" and options.light != "day":
        raise Refused("setup.not-in-edition", "WAS-DARK-01", "2007 knows no darkness.", "/options")
    if edition == "2007" and options.weather:
        raise Refused("setup.not-in-edition", "WAS-WEATH-01", "2007 knows no weather.", "/options")
