"""What if: a game of one's own from any version of another."""

from __future__ import annotations

import asyncio
import hashlib

import msgspec
from litestar import Controller, Response
from litestar.params import JSONBody
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import PUBLIC, TRUTH, Viewer
from service.bots.bot import bots_of
from service.entropy import drawn
from service.errors import BadSetup
from service.models import ForkWish, GameSummary
from service.problems import Refusal
from service.work.tasks import Begin, Beginning, Position

from .access import needs_key, seen_game, viewer, whole_body
from .asked import Asked
from .games import FOLLOW, created
from .given import Given, version_of, viewer_of
from .moments import READING, TAG
from .operation import link, tells
from .parameters import IdempotencyKey
from .routes import post
from .wire import GameCreated

BEGINNING = msgspec.json.Decoder(Beginning)


class Forks(Controller):
    """What if."""

    path = "/v1/games/{game:str}/forks"
    tags = (TAG,)

    @post(
        summary="Make a what-if game",
        guards=[viewer(seen_game, needs_key, whole_body)],
        opt=tells(
            "The fork.",
            "Location",
            "ETag",
            "Idempotency-Replayed",
            # They are in the body.
            later=(
                ("viewer.not-entitled", "body.invalid"),
                ("version.unknown", "body.invalid"),
            ),
            problems=(
                *READING,
                "engine.missing",
                "engine.wrong-dice",
                "seats.invalid",
                "fork.unmeasured",
                "fork.between",
                "fork.no-dice",
                "fork.wrong-faces",
                "game.over",
            ),
            rules=True,
            links=(*FOLLOW, link("getDiff", game="#/game/id", with_="#/game/fork/game")),
        ),
    )
    async def create_fork(
        self,
        request: Asked,
        summary: Given[GameSummary],
        data: JSONBody[ForkWish],
        key: IdempotencyKey,
    ) -> Response[GameCreated]:
        """A game of its own that goes on from any version of this one: with other commands, other
        dice, or with the dice that are awaited there falling as you like (`faces`). The answer
        holds a token for every seat; without one of them nobody learns that the fork exists. While
        this game runs, a fork begins with what the caller sees: whatever is hidden is made up from
        `seed`, and the fork's dice are its own, so nothing that happens in it tells anything of
        this game. Where the rules forbid to measure before declaring, only a finished game is
        forked. With `bots` the service plays some of its seats. All cards of a fork are open.
        `diff` with `with` compares it with its parent. A fork in which nobody has given a command
        for `limits.forkDays` days (`GET /v1`) is deleted.
        """
        viewer = _viewer(request, summary, data)
        version = version_of(summary, data.at)
        _check_bots(request, summary, data)
        print_ = _fingerprint(summary, viewer, version, data)
        await _no_yardstick(request, summary)
        begun = await _beginning(request, summary, viewer, version, data)
        made = await request.desk.writer.create_fork(
            begun.setup,
            begun.fork,
            data.name,
            key=key,
            fingerprint=print_,
            caller=request.caller,
            bots=data.bots,
        )
        return created(request, made)


def _check_bots(asked: Asked, summary: GameSummary, new: ForkWish) -> None:
    """Raises BadSetup for a bot of no seat, one that there is not, or bots alone."""
    seats, hint = {each.seat for each in summary.seats}, ""
    game = asked.desk.games.get(summary.rules.ruleset)
    names = tuple(bots_of(game)) if game else ()
    if strange := sorted(new.bots.keys() - seats):
        hint = f"The game has no seat {strange[0]}."
    elif new.bots.keys() == seats:
        hint = "One seat at least is yours."
    elif {bot.name for bot in new.bots.values()} - {UNSET, *names}:
        hint = f"Bots here are {', '.join(names)}."
    if hint:
        raise BadSetup(hint, pointer="/bots")


def _viewer(asked: Asked, summary: GameSummary, new: ForkWish) -> Viewer:
    """The truth of what is opened or is a what-if itself; else what the caller sees."""
    if new.viewer is not UNSET:
        return viewer_of(asked, summary, str(new.viewer))
    open_ = summary.opened or summary.fork is not None
    return viewer_of(asked, summary, TRUTH if open_ else "")


async def _no_yardstick(asked: Asked, summary: GameSummary) -> None:
    """Where nobody measures before declaring, nobody declares in a fork to measure, either."""
    insight = asked.played_by(summary.rules).insight
    if not insight.forbids or summary.status == "finished" or summary.fork is not None:
        return
    view = await asked.desk.reader.view(summary.id, PUBLIC, None)
    if view.state is None:
        rule = insight.forbids
    else:
        rule = await asyncio.to_thread(insight.forbidden, view.state)
    if rule:
        raise Refusal("fork.unmeasured", rule=rule)


def _fingerprint(summary: GameSummary, viewer: Viewer, version: int, new: ForkWish) -> bytes:
    """What makes two requests under one key the same: all that was asked, a seed only if given."""
    told = (summary.id, viewer, 0 if new.at is UNSET else version, new)
    return hashlib.sha256(canonical(told)).digest()


async def _beginning(
    asked: Asked, summary: GameSummary, viewer: Viewer, version: int, new: ForkWish
) -> Beginning:
    """The parent's set-up, and the position that the fork goes on from."""
    seed = drawn(asked.desk.store.entropy, 8) if new.seed is UNSET else str(new.seed)
    faces = () if new.faces is UNSET else tuple(tuple(each) for each in new.faces)
    ruleset = asked.played_by(summary.rules).ruleset
    origin = Position(summary.id, viewer, version)
    task = Begin(ruleset, origin, summary.version, seed, faces)
    return BEGINNING.decode(await asked.work(task))
