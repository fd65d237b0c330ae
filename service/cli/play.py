"""``decklog play``: a seat played in the terminal, the board on the left, the choices beside it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .built import Unfit, asked
from .console import clean, emit, is_terminal
from .mistakes import Mistake
from .seatfile import read_seat, signer_for
from .tools import address_option, json_option
from .worded import plain

if TYPE_CHECKING:
    from service.bots.client import DecklogClient

Json = dict[str, Any]
PAUSE = 1.0
"""Seconds between two looks at a game in which others are asked."""
LEAST = 44
"""Letters that the choices need beside the board; with less room they stand below it."""
SHOWN = 40
"""Choices that are listed at once: words narrow them."""
STAYS = (
    "Nothing is taken back: only your own last step is, while no die was rolled, nothing is hidden "
    "and nobody else was asked since."
)
KEYS = (
    "a number, or words of a choice (bi 2.4); b1: an order by its parts; Enter shows all; "
    "u: your last step back; q leaves"
)


@click.command("play", short_help="Play a seat in the terminal.")
@click.argument("game", metavar="GAME")
@address_option
@click.option(
    "--token", envvar="DECKLOG_TOKEN", default="", metavar="TOKEN",
    help="Token of the seat; better as DECKLOG_TOKEN.",
)  # fmt: skip
@click.option(
    "--file", "kept", type=click.Path(dir_okay=False, path_type=Path), default=None,
    metavar="FILE", help="That decklog agent --take wrote: it has the token, and signs if it can.",
)  # fmt: skip
@json_option
def command(game: str, address: str, token: str, kept: Path | None, as_json: bool) -> int:
    """Play a seat of GAME until it is over: the board, what may be done with its odds, and a line
    for the answer.

    An answer is the number of a choice, or words of it: "bi 2.4" is the choice of which one word
    begins with "bi" and one with "2.4". Where several fit, they alone are listed; where one does,
    it is given. What has no list to choose from, as a ship's way in Crimson Tide, is built by its
    parts: "b1" asks for them, in klicks and degrees. With --json the choices are told as they come
    from the service, and nothing is asked.
    """
    import httpx

    from service.bots.client import ApiError, DecklogClient
    from service.bots.heads import OtherRecord

    if not token and kept is None:
        hint = "--file names what decklog agent --take wrote, --token the token itself."
        raise Mistake("Which seat is played?", hint, "usage")

    try:
        with DecklogClient(address, token) as plainly:
            client = plainly if kept is None else _holder(plainly, game, kept)
            if as_json:
                emit(client.commands(game))
                return 0
            return Sitting(client, game, _read, click.echo, lambda: time.sleep(PAUSE)).play()
    except (ApiError, OtherRecord) as error:
        hint = "The token is that of a seat of this game."
        raise Mistake(str(error), hint, "game.refused") from None
    except httpx.HTTPError as error:
        hint = "Is it the address of a running service?"
        raise Mistake(f"{address} does not answer: {error}.", hint, "service.silent") from None


def _holder(client: DecklogClient, game: str, kept: Path) -> DecklogClient:
    """Who plays the seat of a file: its orders are signed by the key that the game has of it."""
    told = read_seat(kept)
    return client.as_holder(told.token, signer_for(kept, told, client.summary(game)))


def _read() -> str:
    """A line of the player's; "q" where there are no more."""
    try:
        return str(click.prompt(">", default="", show_default=False, prompt_suffix=" ")).strip()
    except (click.Abort, EOFError):
        return "q"


class Sitting:
    """A seat that is played.

    read   a line of the player's
    write  a page for him
    wait   what is done while others are asked
    """

    def __init__(
        self,
        client: DecklogClient,
        game: str,
        read: Callable[[], str],
        write: Callable[[str], object],
        wait: Callable[[], object],
    ) -> None:
        self._client = client
        self._game = game
        self._read = read
        self._write = write
        self._wait = wait

    def play(self) -> int:
        """Until the game is over, or the player leaves."""
        said = ""
        while (summary := self._client.summary(self._game))["status"] != "finished":
            offer = self._client.commands(self._game)
            if offer["items"] or offer["templates"]:
                said = ""
                if not self._answer(offer):
                    return 0
                continue
            asked = ", ".join(sorted({each["seat"] for each in summary["toMove"]}))
            waiting = f"Waiting for {asked or 'players'}."
            if waiting != said:
                self._write(waiting)
            said = waiting
            self._wait()
        self._write(self._end(summary))
        return 0

    def _end(self, summary: Json) -> str:
        result = summary["result"] or {}
        winners = " and ".join(result.get("winners", ())) or "nobody"
        return f"The game is over: {plain(result.get('reason', ''))}. {winners} won."

    def _answer(self, offer: Json) -> bool:
        """Ask until one choice is left, and give it; false if the player leaves."""
        from service.bots.client import ApiError

        offer = {**offer, "items": ordered(offer["items"])}
        items, said = list(offer["items"]), ""
        while True:
            self._show(items, said, offer["templates"])
            typed = self._read()
            if typed == "q":
                return False
            if typed.startswith("b") and typed[1:].isdigit():
                said = self._build(offer, int(typed[1:]))
                if not said:
                    return True
                continue
            if typed == "u":
                if self._took_back():
                    return True
                said = STAYS
                continue
            items, said = narrowed(offer["items"], items, typed)
            if len(items) == 1 and not said:
                try:
                    self._client.post(self._game, items[0]["command"], offer["version"])
                except ApiError as error:
                    self._write(clean(str(error)))
                return True

    def _build(self, offer: Json, place: int) -> str:
        """Give an order that is built by its parts; what stood against it, "" where nothing did."""
        from service.bots.client import ApiError

        templates = offer["templates"]
        if not 1 <= place <= len(templates):
            return "There is no such order to build."
        state = self._client.view(self._game)["state"]
        try:
            command = asked(templates[place - 1], klick_of(state), self._put)
            self._client.post(self._game, command, offer["version"])
        except (Unfit, ApiError) as error:
            return clean(str(error))
        return ""

    def _put(self, question: str) -> str:
        self._write(clean(question))
        return self._read()

    def _took_back(self) -> bool:
        """Take back the seat's last step; false where that cannot be."""
        from service.bots.client import ApiError

        step = self._client.summary(self._game)["takeback"]
        try:
            return step is not None and bool(self._client.take_back(self._game, step["command"]))
        except ApiError:
            return False

    def _show(self, items: Sequence[Json], said: str, templates: Sequence[Json]) -> None:
        moment = self._client.moment(self._game)
        listed = [f"{place:>4}  {told(item)}" for place, item in enumerate(items[:SHOWN], 1)]
        if len(items) > SHOWN:
            listed.append(f"      and {len(items) - SHOWN} more: give a word of yours")
        listed += [f"{f'b{n}':>4}  {each['text']}" for n, each in enumerate(templates, 1)]
        if is_terminal():
            click.clear()
        lines = [*beside(moment["board"].split("\n"), listed), "", said or moment["text"], KEYS]
        self._write("\n".join(clean(line) for line in lines))


def klick_of(state: Any) -> int:
    """How many units of the record are a klick; 0 in a game that has none."""
    options = state.get("options") if isinstance(state, dict) else None
    return int(options.get("klick", 0)) if isinstance(options, dict) else 0


def narrowed(every: Sequence[Json], shown: Sequence[Json], typed: str) -> tuple[list[Json], str]:
    """The choices that an answer leaves, and what is to be said of it."""
    if not typed:
        return list(every), "All choices."
    if typed.isdigit() and 1 <= int(typed) <= min(SHOWN, len(shown)):
        return [shown[int(typed) - 1]], ""
    fits = [item for item in every if _fits(item["text"], typed.lower().split())]
    if not fits:
        return list(shown), f"No choice is like {typed!r}."
    return fits, "" if len(fits) == 1 else f"{len(fits)} choices are like {typed!r}."


def _fits(text: str, words: Sequence[str]) -> bool:
    """Whether each word begins a word of the text."""
    known = [word.strip('(),.:;"') for word in text.lower().split()]
    return all(any(each.startswith(word) for each in known) for word in words)


def told(item: Json) -> str:
    """A choice with what it is worth: "fires at Naka  [hit 70%]", "flies to 7.4  [bombs Naka]"."""
    outcomes = (item.get("odds") or {}).get("outcomes", ())
    worth = [f"{plain(each['outcome'])} {each['perMille'] / 10:.0f}%" for each in outcomes]
    text = str(item["text"])
    if item.get("pointless"):
        return f"{text} (pointless: {item['pointless']})"
    if hopeless := (item.get("oddsSummary") or {}).get("hopeless"):
        return f"{text} (hopeless: {hopeless})"
    worth = worth or purposes(item)
    return f"{text}  [{', '.join(worth)}]" if worth else text


def ordered(items: Sequence[Json]) -> list[Json]:
    """The choices, first those that are worth a look where the service says so of some."""
    return sorted(items, key=lambda item: not purposes(item))


def purposes(item: Json) -> list[str]:
    """What makes a choice worth a look, in words; nothing where the service does not say it."""
    return [str(each["text"]) for each in (item.get("worthwhile") or {}).get("purposes", ())]


def beside(board: Sequence[str], choices: Sequence[str]) -> Iterator[str]:
    """The board on the left and the choices on the right, where both have room."""
    wide = max((len(line) for line in board), default=0)
    room = shutil.get_terminal_size().columns - wide - 3
    if room < LEAST:
        yield from (*board, "", *choices)
        return
    for left, right in zip_longest(board, choices, fillvalue=""):
        yield f"{left:<{wide}}   {right}".rstrip()
