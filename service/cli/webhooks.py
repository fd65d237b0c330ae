"""``decklog webhooks listen``: webhooks on a machine that no service may send to."""

from __future__ import annotations

import base64
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from domain.kernel.shown.roles import PARTS

from .console import emit, say
from .mistakes import Mistake
from .tools import address_option, json_option

if TYPE_CHECKING:
    import httpx

    from service.webhooks.messages import News
    from service.webhooks.overheard import Overheard
    from service.webhooks.rows import Delivery, Hook, Secrets

TYPES = ("your-turn", "game-over")
PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before a message is sent again; after the last of them it is given up."""
AGAIN = 1.0
"""Seconds before a stream that broke is asked for again."""
SILENCE = 60.0
TAKEN_UP, LATER, GONE = 204, (429, 502, 503, 504), 410


@click.group("webhooks", short_help="Try webhooks on a machine that no service may send to.")
def command() -> None:
    """Webhooks without an address in the open internet.

    With --json each answers for programs.
    """


@command.command("listen", short_help="Post a game's messages, signed, to a local port.")
@click.argument("game", metavar="GAME")
@address_option
@click.option(
    "--to", "target", required=True, metavar="URL",
    help="Where to post: http://127.0.0.1:9000/hook.",
)  # fmt: skip
@click.option("--seat", default="", help="Only what concerns this seat; else, as the organiser's.")
@click.option("--type", "types", multiple=True, type=click.Choice(TYPES), help="Else both.")
@click.option("--role", "roles", multiple=True, type=click.Choice(PARTS), help="Of what happens.")
@click.option(
    "--secret", envvar="DECKLOG_WEBHOOK_SECRET", default="", metavar="SECRET",
    help="By which messages are signed; also DECKLOG_WEBHOOK_SECRET. Else a new one.",
)  # fmt: skip
@json_option
def listen(
    game: str, address: str, target: str, seat: str, types: tuple[str, ...],
    roles: tuple[str, ...], secret: str, as_json: bool,
) -> int:  # fmt: skip
    """Follow GAME and post what its webhooks would be told to a port of this machine.

    Messages have the bodies, headers and signatures of the service's own, for a receiver that is
    being written. No token is needed: webhooks tell what everybody may know. It ends with the game,
    or when the receiver answers 410, as a webhook does.
    """
    import httpx

    from service.webhooks.rows import Secrets, Wishes

    own = secret or "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
    wishes = Wishes(types or TYPES, tuple(part for part in PARTS if part in roles))
    sealed = Secrets(target, own, "", "")
    try:
        with httpx.Client(base_url=address.rstrip("/"), timeout=SILENCE) as service:
            hook, overheard, asked = _begin(service, game, seat, wishes, own)
            emit({"secret": own, "version": hook.since}) if as_json else say(f"secret {own}")
            if _posted(hook, asked, sealed, as_json=as_json):
                _listen(service, hook, overheard, sealed, as_json=as_json)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Mistake(f"{address} does not answer: {error}.", "", "service.silent") from None
    return 0


def _begin(
    service: httpx.Client, game: str, seat: str, wishes: Any, secret: str
) -> tuple[Hook, Overheard, Sequence[News]]:
    """From the game's present version on; with what is so already. Raises Mistake."""
    from service.webhooks.messages import standing
    from service.webhooks.overheard import Overheard, hook_for

    answer = service.get(_path(game))
    if answer.status_code != 200:
        raise _refused(answer)
    summary = answer.json()
    if summary["status"] == "finished":
        raise Mistake("The game is over.", "Listen to one that is played.", "game.over")
    if seat and seat not in [each["seat"] for each in summary["seats"]]:
        raise Mistake(f"The game has no seat {seat}.", "", "seat.unknown")
    version = summary["version"]
    hook = hook_for(summary["id"], seat, wishes, version, secret)
    asked = standing(version, [each["seat"] for each in summary["toMove"]])
    return hook, Overheard(version, summary["toMove"]), asked


def _listen(
    service: httpx.Client, hook: Hook, overheard: Overheard, sealed: Secrets, *, as_json: bool
) -> None:
    """Until the game is over, or the receiver wants no more."""
    for kind, data in _frames(service, hook.game, overheard):
        if not _posted(hook, overheard.take(kind, data), sealed, as_json=as_json):
            return


def _posted(hook: Hook, found: Iterable[News], sealed: Secrets, *, as_json: bool) -> bool:
    """Whether there is more to listen to."""
    from service.clock import SYSTEM, stamp
    from service.webhooks.overheard import message

    for news in found:
        made = message(hook, news, stamp(SYSTEM.now()))
        status = _deliver(made, sealed) if made is not None else 0
        if made is not None:
            _tell(made, status, as_json=as_json)
        if news.type == "game-over" or status == GONE:
            return False
    return True


def _frames(
    service: httpx.Client, game: str, overheard: Overheard
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The stream, taken up again wherever it breaks, until there is no more."""
    import httpx

    from service.webhooks.overheard import frames

    headers = {"Accept": "text/event-stream"}
    while True:
        path = f"{_path(game)}/events?after={overheard.after}&moments=true"
        with (
            suppress(httpx.TransportError),  # a line that broke is taken up again
            service.stream("GET", path, headers=headers) as answer,
        ):
            if answer.status_code == TAKEN_UP:
                return
            if answer.status_code == 200:
                yield from frames(answer.iter_lines())
            elif answer.status_code not in LATER:
                answer.read()
                raise _refused(answer)
        time.sleep(AGAIN)


def _deliver(made: Delivery, sealed: Secrets) -> int:
    """Post it, again after pauses where it is not taken; the last status, 0 without an answer."""
    import httpx

    from service.clock import SYSTEM
    from service.webhooks.sending import headers

    status = 0
    for pause in (0.0, *PAUSES):
        time.sleep(pause)
        fields = headers(made, sealed, SYSTEM.now())
        try:
            status = httpx.post(
                sealed.url, content=made.body, headers=fields, trust_env=False
            ).status_code
        except (httpx.HTTPError, httpx.InvalidURL):
            status = 0
        if 200 <= status < 300 or status == GONE:
            break
    return status


def _tell(made: Delivery, status: int, *, as_json: bool) -> None:
    if as_json:
        emit({"id": made.message, "type": made.type, "seq": made.seq, "status": status})
        return
    say(f"{made.type} at version {made.seq}: {status or 'no answer'}")


def _path(game: str) -> str:
    return f"/v1/games/{quote(game, safe='')}"


def _refused(answer: httpx.Response) -> Mistake:
    try:
        problem = answer.json()
        return Mistake(f"{problem['detail']} ({problem['code']})", problem["hint"], problem["code"])
    except (ValueError, KeyError):
        hint = "Check the address that --url names."
        return Mistake("That is no Decklog service.", hint, "service.not-decklog")
