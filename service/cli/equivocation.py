"""``decklog equivocation``: whether two files tell a game's chain in two ways."""

from __future__ import annotations

import click

from .console import emit, say
from .files import read_bytes
from .keytexts import verify_key
from .mistakes import Mistake
from .tools import json_option


@click.command("equivocation", short_help="Compare what two files say of one game's chain.")
@click.argument("one", metavar="FILE")
@click.argument("other", metavar="FILE")
@click.option(
    "--root", default="", metavar="VKEY", help="The root key of the service: who has signed, then."
)
@click.option(
    "--keys", default="", metavar="LIST", help="The list of its keys, for receipts: it is public."
)
@json_option
def command(one: str, other: str, root: str, keys: str, as_json: bool) -> int:
    """Compare what two files say of one game's chain: evidence, receipts, or the heads that a
    client of the service wrote down when it was told another record than before.

    A chain has one event of each number. Two hashes for one number are two records of one game. Two
    that the service has signed convict it before anybody: --root names the key that vouches for its
    keys.

    \b
    The exit code:
      0  they agree in all of which both speak
      1  EQUIVOCATION: names the event and both hashes
    """
    from service.evidence import equivocation

    vkey, listed = verify_key(root, "--root"), read_bytes(keys) if keys else b""
    try:
        first, second = (equivocation.read(read_bytes(name), vkey, listed) for name in (one, other))
        found = equivocation.between(first, second)
    except equivocation.Unusable as error:
        hint = "Give two files of one game: evidence, receipts, or what a client wrote down."
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
        for by in found.by:
            say(f"signed   by {by or 'nobody that a root key was named for'}")
        said = "the service has signed both" if found.convicts else "not both are signed"
        say(f"convicts {'yes' if found.convicts else 'no'}: {said}")
    return int(found is not None)
