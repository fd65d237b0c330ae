"""``decklog referee``: a second opinion on a game from its evidence file."""

from __future__ import annotations

import click

from .console import emit, say
from .files import read_bytes
from .tools import Tools, json_option


@click.command("referee", short_help="Judge an evidence file by the game's referee.")
@click.argument("file", metavar="FILE")
@json_option
@click.pass_obj
def command(tools: Tools, file: str, as_json: bool) -> int:
    """A second opinion on the game in an evidence FILE, without any service.

    Each game has a referee: a small program that was written from the rulebook and the cards alone
    and knows nothing of the engine. It follows the events and works out again what must be so.
    What it does not know it leaves, and says so. Where it disagrees with the record, one of the
    two is wrong: the rulebook decides which. That the dice are those that were sealed, and that
    the orders lead to these events, is for verify to say.

    \b
    The exit code is the opinion:
      0  AGREES: in all that is listed as judged
      1  DISAGREES: each event with the rule and the two values; or
         REFUTED: the file contradicts itself before any rule is asked
      2  UNREADABLE: not a whole evidence file (also: no such file, or wrong use)
      3  CANNOT JUDGE: no referee for it, or the file does not show all that happened
    """
    from service.evidence.opinion import opinion

    given = opinion(read_bytes(file), tools.games)
    if as_json:
        emit(given)
    else:
        say(given.text())
    return given.code
