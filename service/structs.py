"""Every struct is looked at once before there are threads: two that do so at once end the process.

msgspec finds out the fields of a struct when it is first decoded, and shows what it has of them to
other threads before it is done. Two requests that were the first to read the data of a ruleset,
just after a start, ended a worker with a fault of memory: one restart in ten under load.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec


def _below(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in base.__subclasses__():
        yield each
        yield from _below(each)


def look_at_structs() -> None:
    """Have msgspec know all that are there by now; those that nothing can be decoded as stay."""
    for each in dict.fromkeys(_below(msgspec.Struct)):
        with suppress(TypeError, NameError, AttributeError):
            msgspec.json.Decoder(each)
