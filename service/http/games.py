"""Games: create, list, show; take a seat; give a token back."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from service.errors import NotFound
from service.models import GameSummary, NewGame, TakeSeat
from service.play.opening import edition_of, rules_of

from .call import Call
from .operation import Answer, Operation, json_answer, link
from .paging import bad_cursor, next_link, read_cursor, read_spot, write_cursor, write_spot
from .reply import Reply
from .rulesets import Cursor, Limit
from .wire import GameCreated, GamePage, SeatGiven

TAG = "games"
NEW_GAME = msgspec.json.Decoder(NewGame)
TAKE_SEAT = msgspec.json.Decoder(TakeSeat)
NO_STORE = "no-store"


class LobbyQuery(msgspec.Struct, frozen=True):
    """Which games."""

    ruleset: (
        Annotated[str, Meta(max_length=64, description="Only games of this ruleset.")] | UnsetType
    ) = UNSET
    status: (
        Annotated[
            Literal["open", "playing", "finished"], Meta(description="Only games in this status.")
        ]
        | UnsetType
    ) = UNSET
    sort: Annotated[
        Literal["created", "activity"],
        Meta(description="The newest game first, or the one with the latest event."),
    ] = "created"
    cursor: Cursor = ""
    limit: Limit = 50


async def create_game(call: Call) -> Reply:
    key = call.key()
    new = await call.body(NEW_GAME)
    game = call.desk.games.get(new.ruleset)
    call.rules = rules_of(game, edition_of(new, game)) if game else None
    made = await call.desk.writer.create_game(new, key=key, caller=call.caller)
    body = GameCreated(
        game=made.game, tokens=made.tokens, invitations=made.invitations, organiser=made.organiser
    )
    headers = {"Location": f"/v1/games/{made.game.id}", **replay_header(made.replayed)}
    return call.json(body, status=201, version=made.game.version, headers=headers, cache=NO_STORE)


def replay_header(replayed: bool) -> dict[str, str]:
    """Says whether the answer is the first one again."""
    return {"Idempotency-Replayed": "true"} if replayed else {}


async def list_games(call: Call) -> Reply:
    query: LobbyQuery = call.query
    if query.sort == "activity":
        return await _list_active(call)
    games = await call.desk.reader.lobby(
        after=await _last_shown(call, query.cursor),
        limit=query.limit + 1,
        ruleset=None if query.ruleset is UNSET else query.ruleset,
        status=None if query.status is UNSET else query.status,
    )
    page = tuple(games[: query.limit])
    cursor = write_cursor(page[-1].id) if len(games) > query.limit else None
    return call.json(GamePage(items=page, next=cursor), headers=next_link(call, cursor))


async def _last_shown(call: Call, cursor: str) -> str:
    """The game after which the lobby goes on; "" for its beginning. Raises ``query.invalid``."""
    game = read_cursor(cursor)
    if game:
        try:
            await call.desk.reader.summary(game)
        except NotFound:
            raise bad_cursor() from None
    return game


async def _list_active(call: Call) -> Reply:
    """The lobby by life. A game that moves on while somebody pages comes to the top again."""
    query: LobbyQuery = call.query
    games = await call.desk.records.active(
        after=read_spot(query.cursor),
        limit=query.limit + 1,
        ruleset="" if query.ruleset is UNSET else query.ruleset,
        status="" if query.status is UNSET else query.status,
    )
    page = games[: query.limit]
    cursor = write_spot(page[-1][0]) if len(games) > query.limit else None
    body = GamePage(items=tuple(game for _, game in page), next=cursor)
    return call.json(body, headers=next_link(call, cursor))


async def get_game(call: Call) -> Reply:
    summary = await call.summary()
    return call.json(summary, version=summary.version)


async def take_seat(call: Call) -> Reply:
    game = call.game_id()
    await call.ruleset(game)
    key = call.key()
    taking = await call.body(TAKE_SEAT)
    taken = await call.desk.writer.take_seat(game, taking, key=key, caller=call.caller)
    body = SeatGiven(game=taken.game, seat=taken.seat, token=taken.token)
    headers = {"Location": f"/v1/games/{game}", **replay_header(taken.replayed)}
    return call.json(body, status=201, version=taken.game.version, headers=headers, cache=NO_STORE)


async def revoke_token(call: Call) -> Reply:
    assert call.identity is not None, "the pipeline lets only tokens through"
    await call.desk.writer.revoke(call.identity.token_id)
    return Reply(204, headers={"Cache-Control": NO_STORE})


FOLLOW = tuple(
    link(target, game="#/game/id")
    for target in ("getGame", "getView", "listCommands", "giveCommand", "listEvents")
)
"""From a game that was made, or joined, to what follows."""

OPERATIONS = (
    Operation(
        id="createGame",
        method="POST",
        path="/v1/games",
        tag=TAG,
        summary="Create a game",
        description="Creates a game that can be played at once, without an account. The answer "
        "holds one token for each seat that the creator keeps, one invitation for each seat that "
        "waits for a player, and the organiser's token. With `seed` the whole game can be made "
        "again by whoever knows or guesses it, hidden cards and dice to come included: its dice "
        "have the grade `none`, it is marked so, and whoever joins has to accept it. With grade "
        "`A1` the seats' own secrets decide the dice as well: see `takeSeat`. "
        "With `deadline` each question stays open for so many seconds, then the "
        "service gives the usual answer for the seat: the event `decklog.deadline-passed` says so.",
        run=create_game,
        access="viewer",
        body=NewGame,
        headers=("Idempotency-Key",),
        answers=(
            json_answer(201, "The game.", GameCreated, "Location", "ETag", "Idempotency-Replayed"),
        ),
        # A key that is known has its answer before anything is judged anew.
        later=tuple(
            (name, "idempotency.key-reused")
            for name in (
                "ruleset.unknown",
                "edition.unknown",
                "options.invalid",
                "seats.invalid",
                "custom.unclear",
                "custom.unknown",
                "document.too-large",
                "document.faulty",
            )
        ),
        problems=(
            "ruleset.unknown",
            "edition.unknown",
            "options.invalid",
            "seats.invalid",
            "custom.unclear",
            "custom.unknown",
            "document.too-large",
            "document.faulty",
        ),
        rules=True,
        writes=True,
        links=FOLLOW,
    ),
    Operation(
        id="listGames",
        method="GET",
        path="/v1/games",
        tag=TAG,
        summary="List the games",
        description="The lobby: every game as everybody may know it, the newest first or, sorted "
        "by activity, the one with the latest event.",
        run=list_games,
        access="viewer",
        query=LobbyQuery,
        answers=(json_answer(200, "A page of games.", GamePage, "Link"),),
        problems=("query.invalid",),
    ),
    Operation(
        id="getGame",
        method="GET",
        path="/v1/games/{game}",
        tag=TAG,
        summary="Show a game",
        description="Status, seats, whose turn it is, version and result. The ETag is the version.",
        run=get_game,
        access="viewer",
        answers=(json_answer(200, "The game.", GameSummary, "ETag"),),
        problems=("game.not-found", "ruleset.not-installed", "game.damaged"),
    ),
    Operation(
        id="takeSeat",
        method="POST",
        path="/v1/games/{game}/seats",
        tag=TAG,
        summary="Take a seat",
        description="Takes an open seat by its name, or an invited one with its invitation, and "
        "gives the token that acts for it. Where the game's `seedNamed` is true somebody may know "
        "every die and every hidden card of it: it is joined only with `acceptNamedSeed`.\n\n"
        "With `diceTip` (grade `A1`) the seat's own secret has a part in each die that its "
        "commands roll, so that the service alone can neither foresee nor steer them. Draw 32 "
        "random bytes `m` and keep them. With `G` the game's `params`, `p` the seat's number from "
        "0 in one byte, `N` the game's `chainLength`, `u32` four bytes with the highest first, and "
        "`LP(x) = u32(length of x) || x`: the last link is `r[N] = HKDF-SHA256(m, salt=G, "
        'info="nwd1/player-chain" || p)`, 32 bytes; `r[i-1] = SHA-256(LP("nwd1/link") || '
        'u32(5) || LP(G) || LP("P" || p) || LP("") || LP(u32(i)) || LP(r[i]))`. `r[0]` is the '
        "tip. Each command then carries the link for batch `t = nextBatch + linkCredit - 1`, which "
        "is `r[t - firstBatch + 1]`, in `Decklog-Dice-Link`.\n\n"
        "The chains of a long game are renewed when they are spent: `renewals` of the game goes up "
        "by one, `firstBatch` to the next batch. With `e = renewals` above 0, "
        '`G = SHA-256(LP("nwd1/renewed") || u32(2) || LP(params) || LP(u32(e)))` takes the place '
        "of `params`. A seat that had a chain makes another one with this `G` and sends its tip "
        "in `Decklog-Dice-Tip` with its commands until the game shows it as the seat's `diceTip`; "
        "until then it "
        "is absent from the dice. After `decklog.epoch-started` (the store went back) all chains "
        "are new in the same way, and the game shows their `G` as `chainParams`.",
        run=take_seat,
        access="viewer",
        body=TakeSeat,
        headers=("Idempotency-Key",),
        answers=(
            json_answer(201, "The seat.", SeatGiven, "Location", "ETag", "Idempotency-Replayed"),
        ),
        problems=(
            "game.not-found",
            "dice.tip-malformed",
            "game.damaged",
            "ruleset.not-installed",
            "seat.unknown",
            "seat.taken",
            "seat.invitation-needed",
            "seat.invitation-wrong",
            "game.over",
            "seat.seed-named",
            "dice.tip-copied",
        ),
        writes=True,
        links=FOLLOW,
    ),
    Operation(
        id="revokeToken",
        method="DELETE",
        path="/v1/token",
        tag=TAG,
        summary="Revoke the token",
        description="Ends the token that the request carries, at once and for good.",
        run=revoke_token,
        access="token",
        answers=(Answer(204, "The token is no longer valid."),),
    ),
)
