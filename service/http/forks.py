"""What if: a game of one's own from any version of another."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import PUBLIC, TRUTH, Viewer
from service.entropy import drawn
from service.models import GameSummary, NewFork
from service.problems import Refusal
from service.work.tasks import Begin, Beginning, Position

from .call import Call
from .games import FOLLOW, NO_STORE, replay_header
from .moments import READING, TAG
from .operation import Operation, json_answer, link
from .perspective import version_of, viewer_of
from .reply import Reply
from .wire import GameCreated as Made

NEW_FORK = msgspec.json.Decoder(NewFork)
BEGINNING = msgspec.json.Decoder(Beginning)


async def create_fork(call: Call) -> Reply:
    summary = await call.summary()
    key = call.key()
    new = await call.body(NEW_FORK)
    viewer = _viewer(call, summary, new)
    version = version_of(summary, new.at)
    print_ = _fingerprint(summary, viewer, version, new)
    await _no_yardstick(call, summary)
    begun = await _beginning(call, summary, viewer, version, new)
    made = await call.desk.writer.create_fork(
        begun.setup, begun.fork, new.name, key=key, fingerprint=print_, caller=call.caller
    )
    body = Made(
        game=made.game, tokens=made.tokens, invitations=made.invitations, organiser=made.organiser
    )
    headers = {"Location": f"/v1/games/{made.game.id}", **replay_header(made.replayed)}
    return call.json(body, status=201, version=made.game.version, headers=headers, cache=NO_STORE)


def _viewer(call: Call, summary: GameSummary, new: NewFork) -> Viewer:
    """The truth of what is over or is a what-if itself; else what the caller sees."""
    if new.viewer is not UNSET:
        return viewer_of(call, summary, str(new.viewer))
    open_ = summary.status == "finished" or summary.fork is not None
    return viewer_of(call, summary, TRUTH if open_ else "")


async def _no_yardstick(call: Call, summary: GameSummary) -> None:
    """Where nobody measures before declaring, nobody declares in a fork to measure, either."""
    insight = (await call.ruleset(summary.id)).insight
    if not insight.forbids or summary.status == "finished" or summary.fork is not None:
        return
    view = await call.desk.reader.view(summary.id, PUBLIC, None)
    rule = insight.forbidden(view.state) if view.state is not None else insight.forbids
    if rule:
        raise Refusal("fork.unmeasured", rule=rule)


def _fingerprint(summary: GameSummary, viewer: Viewer, version: int, new: NewFork) -> bytes:
    """What makes two requests under one key the same: all that was asked, a seed only if given."""
    told = (summary.id, viewer, 0 if new.at is UNSET else version, new)
    return hashlib.sha256(canonical(told)).digest()


async def _beginning(
    call: Call, summary: GameSummary, viewer: Viewer, version: int, new: NewFork
) -> Beginning:
    """The parent's set-up, and the position that the fork goes on from."""
    seed = drawn(call.desk.store.entropy, 8) if new.seed is UNSET else str(new.seed)
    faces = () if new.faces is UNSET else tuple(tuple(each) for each in new.faces)
    ruleset = (await call.ruleset(summary.id)).ruleset
    origin = Position(summary.id, viewer, version)
    task = Begin(ruleset, origin, summary.version, seed, faces)
    return BEGINNING.decode(await call.work(task))


OPERATIONS = (
    Operation(
        id="createFork",
        method="POST",
        path="/v1/games/{game}/forks",
        tag=TAG,
        summary="Make a what-if game",
        description="A game of its own that goes on from any version of this one: with other "
        "commands, other dice, or with the dice that are awaited there falling as you like "
        "(`faces`). The answer holds a token for every seat; without one of them nobody learns "
        "that the fork exists. While this game runs, a fork begins with what the caller sees: "
        "whatever is hidden is made up from `seed`, and the fork's dice are its own, so nothing "
        "that happens in it tells anything of this game. Where the rules forbid to measure before "
        "declaring, only a finished game is forked. All cards of a fork are open. `diff` "
        "with `with` compares it with its parent. A fork in which nobody has given a command for "
        "`limits.forkDays` days (`GET /v1`) is deleted.",
        run=create_fork,
        access="viewer",
        body=NewFork,
        headers=("Idempotency-Key",),
        answers=(json_answer(201, "The fork.", Made, "Location", "ETag", "Idempotency-Replayed"),),
        # They are in the body.
        later=(
            ("viewer.not-entitled", "body.invalid"),
            ("version.unknown", "body.invalid"),
        ),
        problems=(
            *READING,
            "fork.unmeasured",
            "fork.between",
            "fork.no-dice",
            "fork.wrong-faces",
            "game.over",
        ),
        rules=True,
        writes=True,
        links=(*FOLLOW, link("getDiff", game="#/game/id", with_="#/game/fork/game")),
    ),
)
