"""``decklog equivocation``: whether two files tell a game's chain in two ways."""

from __future__ import annotations

import click

from .console import emit, say
from .files import read_bytes
from .mistakes import Mistake
from .tools import json_option


@click.command("equivocation", short_help="Compare what two files say of one game's chain.")
@click.argument("one", metavar="FILE")
@click.argument("other", metavar="FILE")
@json_option
def command(one: str, other: str, as_json: bool) -> int:
    """Compare what two files say of one game's chain: evidence, or the heads that a client of the
    service wrote down when it was told another record than before.

    A chain has one event of each number. Two hashes for one number are two records of one game.

    \b
    The exit code:
      0  they agree in all of which both speak
      1  EQUIVOCATION: names the event and both hashes
    """
    from service.evidence import equivocation

    try:
        first, second = (equivocation.read(read_bytes(name)) for name in (one, other))
        found = equivocation.between(first, second)
    except equivocation.Unusable as error:
        hint = "Give two files of one game: evidence (.decklog), or what a client wrote down."
        raise Mistake(f"These files cannot be compared: {error}.", hint, "file") from None
    shared = equivocation.common(first, second)
    if as_json:
        emit(equivocation.plain(found, shared))
    elif found is None:
        say(f"NO CONTRADICTION in the {shared} events of which both speak.")
    else:
        say(f"EQUIVOCATION at event {found.seq} of game {found.game}")
        for each in found.hashes:
            say(f"told     {each}")
    return int(found is not None)
