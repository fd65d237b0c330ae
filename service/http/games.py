"""Games: create, list, show; take a seat; give a token back."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Controller, Response
from litestar.params import JSONBody, QueryParameter

from service.models import (
    CreatedGame,
    GameSummary,
    GameTold,
    NewAgreement,
    NewGame,
    NewKey,
    NewLinks,
    NewTakeback,
    TakeSeat,
)
from service.play.opening import edition_of, rules_of

from .access import holder, known_game, needs_key, seat, viewer, whole_body
from .asked import NO_STORE, Asked
from .given import Given
from .operation import HEAD, RECEIPT, link, tells
from .paging import read_offset, read_spot, write_cursor, write_spot
from .parameters import Cursor, GameId, IdempotencyKey, Limit, OfRuleset
from .routes import delete, get, post
from .wire import GameCreated, GamePage, SeatGiven

TAG = "games"

Status = Annotated[
    Literal["open", "playing", "finished"] | None,
    QueryParameter(description="Only games in this status."),
]
Sort = Annotated[
    Literal["created", "activity"],
    QueryParameter(description="The newest game first, or the one with the latest event."),
]

FOLLOW = tuple(
    link(target, game="#/game/id")
    for target in ("getGame", "getView", "listCommands", "giveCommand", "listEvents")
)
"""From a game that was made, or joined, to what follows."""

NEW_GAME = (
    "ruleset.unknown",
    "grade.unavailable",
    "edition.unknown",
    "options.invalid",
    "seats.invalid",
    "custom.unclear",
    "custom.unknown",
    "document.too-large",
    "document.faulty",
)
"""What may be wrong with a new game."""

SAYS = (
    "token.missing",
    "game.not-found",
    "token.wrong-game",
    "token.not-a-seat",
    "game.damaged",
    "ruleset.not-installed",
    "engine.missing",
)
"""What may be wrong where a seat says something beside its orders."""
GOES_ON = ("game.over", "game.frozen")


def replay_header(replayed: bool, receipt: str = "") -> dict[str, str]:
    """Says whether the answer is the first one again, and bears the receipt, if there is one."""
    signed = {RECEIPT: receipt} if receipt else {}
    return {"Idempotency-Replayed": "true", **signed} if replayed else signed


def created(request: Asked, made: CreatedGame) -> Response[GameCreated]:
    """A new game with its tokens, what-if or not."""
    request.reached(made.game.version, made.game.head)
    body = GameCreated(
        game=made.game,
        tokens=made.tokens,
        invitations=made.invitations,
        organiser=made.organiser,
    )
    headers = {"Location": f"/v1/games/{made.game.id}", **replay_header(made.replayed)}
    return request.told(
        body, status=201, version=made.game.version, headers=headers, cache=NO_STORE
    )


def _on_record(request: Asked, told: GameTold) -> Response[GameSummary]:
    """What a seat has said beside its orders is on record; the game as it then is."""
    request.reached(told.game.version, told.game.head)
    headers = replay_header(told.replayed, told.receipt)
    return request.told(told.game, version=told.game.version, headers=headers, cache=NO_STORE)


class Games(Controller):
    """All games, and making one."""

    path = "/v1/games"
    tags = (TAG,)

    @post(
        summary="Create a game",
        guards=[viewer(needs_key, whole_body)],
        opt=tells(
            "The game.",
            "Location",
            "ETag",
            HEAD,
            "Idempotency-Replayed",
            # A key that is known has its answer before anything is judged anew.
            later=tuple((name, "idempotency.key-reused") for name in NEW_GAME),
            problems=(*NEW_GAME, "engine.wrong-dice"),
            rules=True,
            links=FOLLOW,
        ),
    )
    async def create_game(
        self, request: Asked, data: JSONBody[NewGame], key: IdempotencyKey
    ) -> Response[GameCreated]:
        """Creates a game that can be played at once, without an account. The answer holds one token
        for each seat that the creator keeps, one invitation for each seat that waits for a player,
        and the organiser's token. With `seed` the whole game can be made again by whoever knows or
        guesses it, hidden cards and dice to come included: its dice have the grade `none`, it is
        marked so, and whoever joins has to accept it. With grade `A1` the seats' own secrets decide
        the dice as well: see `takeSeat`. With `deadline` each question stays open for so many
        seconds, then the service gives the usual answer for the seat: the event
        `decklog.deadline-passed` says so.
        """
        game = request.desk.games.get(data.ruleset)
        request.rules = rules_of(game, edition_of(data, game)) if game else None
        made = await request.desk.writer.create_game(data, key=key, caller=request.caller)
        return created(request, made)

    @get(
        summary="List the games",
        guards=[viewer()],
        opt=tells("A page of games.", "Link", problems=("query.invalid",)),
    )
    async def list_games(
        self,
        request: Asked,
        ruleset: OfRuleset = None,
        status: Status = None,
        sort: Sort = "created",
        cursor: Cursor = "",
        limit: Limit = 50,
    ) -> Response[GamePage]:
        """The lobby: every game as everybody may know it, the newest first or, sorted by activity,
        the one with the latest event.
        """
        if sort == "activity":
            # A game that moves on while somebody pages comes to the top again.
            active = await request.desk.records.active(
                after=read_spot(cursor),
                limit=limit + 1,
                ruleset=ruleset or "",
                status=status or "",
            )
            page = tuple(game for _, game in active[:limit])
            more = write_spot(active[limit - 1][0]) if len(active) > limit else None
        else:
            games = await request.desk.reader.lobby(
                below=read_offset(cursor), limit=limit + 1, ruleset=ruleset, status=status
            )
            page, more = tuple(games[:limit]), None
            if len(games) > limit:
                more = write_cursor(str(await request.desk.reader.lobby_place(page)))
        return request.told(GamePage(items=page, next=more), headers=request.next_link(more))

    @get(
        "/{game:str}",
        summary="Show a game",
        guards=[viewer()],
        opt=tells(
            "The game.",
            "ETag",
            problems=("game.not-found", "ruleset.not-installed", "game.damaged"),
        ),
    )
    async def get_game(self, request: Asked, summary: Given[GameSummary]) -> Response[GameSummary]:
        """Status, seats, whose turn it is, version and result. The ETag begins with the version."""
        return request.told(summary, version=summary.version)

    @post(
        "/{game:str}/seats",
        summary="Take a seat",
        guards=[viewer(known_game, needs_key, whole_body)],
        opt=tells(
            "The seat.",
            "Location",
            "ETag",
            "Idempotency-Replayed",
            RECEIPT,
            problems=(
                "game.not-found",
                "dice.tip-malformed",
                "game.damaged",
                "ruleset.not-installed",
                "engine.missing",
                "seat.unknown",
                "seat.taken",
                "seat.invitation-needed",
                "seat.invitation-wrong",
                "game.over",
                "game.frozen",
                "seat.seed-named",
                "dice.tip-copied",
                "seat.key-unfit",
            ),
            links=FOLLOW,
        ),
    )
    async def take_seat(
        self, request: Asked, game: GameId, data: JSONBody[TakeSeat], key: IdempotencyKey
    ) -> Response[SeatGiven]:
        """Takes an open seat by its name, or an invited one with its invitation, and gives the
        token that acts for it. Where the game's `seedNamed` is true somebody may know every die and
        every hidden card of it: it is joined only with `acceptNamedSeed`.

        With `diceTip` (grade `A1`) the seat's own secret has a part in each die that its commands
        roll, so that the service alone can neither foresee nor steer them. Draw 32 random bytes `m`
        and keep them. With `G` the game's `params`, `p` the seat's number from 0 in one byte, `N`
        the game's `chainLength`, `u32` four bytes with the highest first, and `LP(x) = u32(length
        of x) || x`: the last link is `r[N] = HKDF-SHA256(m, salt=G, info="nwd1/player-chain" ||
        p)`, 32 bytes; `r[i-1] = SHA-256(LP("nwd1/link") || u32(5) || LP(G) || LP("P" || p) ||
        LP("") || LP(u32(i)) || LP(r[i]))`. `r[0]` is the tip. Each command then carries the link
        for batch `t = nextBatch + linkCredit - 1`, which is `r[t - firstBatch + 1]`, in
        `Decklog-Dice-Link`.

        The chains of a long game are renewed when they are spent: `renewals` of the game goes up by
        one, `firstBatch` to the next batch. With `e = renewals` above 0, `G =
        SHA-256(LP("nwd1/renewed") || u32(2) || LP(params) || LP(u32(e)))` takes the place of
        `params`. A seat that had a chain makes another one with this `G` and sends its tip in
        `Decklog-Dice-Tip` with its commands until the game shows it as the seat's `diceTip`; until
        then it is absent from the dice. After `decklog.epoch-started` (the store went back) all
        chains are new in the same way, and the game shows their `G` as `chainParams`.
        """
        taken = await request.desk.writer.take_seat(game, data, key=key, caller=request.caller)
        request.reached(taken.game.version, taken.game.head)
        body = SeatGiven(game=taken.game, seat=taken.seat, token=taken.token)
        headers = {"Location": f"/v1/games/{game}", **replay_header(taken.replayed, taken.receipt)}
        return request.told(
            body, status=201, version=taken.game.version, headers=headers, cache=NO_STORE
        )

    @post(
        "/{game:str}/rules",
        status_code=200,
        summary="Agree to other rules",
        guards=[seat(known_game, needs_key, whole_body)],
        opt=tells(
            "The agreement is on record: the game goes by these rules once every seat has agreed.",
            "ETag",
            "Idempotency-Replayed",
            RECEIPT,
            problems=(*SAYS, "engine.not-found", *GOES_ON, "engine.unfit", "dice.awaited"),
        ),
    )
    async def give_agreement(
        self, request: Asked, game: GameId, data: JSONBody[NewAgreement], key: IdempotencyKey
    ) -> Response[GameSummary]:
        """A seat agrees that the game goes on under another engine (`listEngines`). The first to do
        so proposes it: `agreed` of the game shows who has. Once every seat has agreed to the same
        engine, the game goes over to it at once, as it stands; the events `decklog.rules-agreed`
        and `decklog.rules-changed` say so, and evidence is judged by both. Until then a seat may
        agree to another one; the digest of the game's own rules takes the agreement back.
        """
        told = await request.desk.writer.give_agreement(
            game, request.acting, data, key=key, caller=request.caller
        )
        request.rules = request.http.rules[game] = told.game.rules
        return _on_record(request, told)

    @post(
        "/{game:str}/links",
        status_code=200,
        summary="Give dice links ahead",
        guards=[seat(known_game, needs_key, whole_body)],
        opt=tells(
            "The links are on record: each batch up to that one has the seat's.",
            "ETag",
            "Idempotency-Replayed",
            RECEIPT,
            problems=(*SAYS, *GOES_ON, "dice.awaited", "dice.link-unexpected", "dice.link-wrong"),
        ),
    )
    async def give_links(
        self, request: Asked, game: GameId, data: JSONBody[NewLinks], key: IdempotencyKey
    ) -> Response[GameSummary]:
        """A seat with a dice tip gives its links for the next batches at once, whoever rolls them:
        its secret then has a part in every die of the game, also where its time runs out, and its
        commands need no `Decklog-Dice-Link`. One link makes all before it. It is taken for up to 64
        batches ahead, once every seat is filled and, after a renewal, has its new tip; `linksUpto`
        of the seat shows how far it goes, and whoever lets it run out is absent from the dice,
        which the event `decklog.links-closed` and the verdict say. Nobody else is shown the link
        before its batches are rolled; the service itself, of course, knows it from now on (grade
        `A1`). When the chains are spent (`renewals`) the `tip` of the seat's next one is taken here
        as well.

        Of grade `A2` no link is given ahead: `locked` of the game says that an order waits for its
        dice, for which `batch`, and whose links are `missing`; each seat gives the link for exactly
        that batch, once it has seen the event `decklog.orders-locked`. With the last one the order
        is carried out; after `due` (30 seconds) whoever is missing is absent. Where the service
        keeps a public log it takes links once that has the lock (`dice.awaited` until then). A
        program does this for a seat: `decklog agent`.
        """
        told = await request.desk.writer.give_links(
            game, request.acting, data, key=key, caller=request.caller
        )
        return _on_record(request, told)

    @post(
        "/{game:str}/takebacks",
        status_code=200,
        summary="Take back the last step",
        guards=[seat(known_game, needs_key, whole_body)],
        opt=tells(
            "The step is taken back: the game is as it was before it.",
            "ETag",
            "Idempotency-Replayed",
            RECEIPT,
            problems=(*SAYS, *GOES_ON, "dice.awaited", "takeback.refused"),
        ),
    )
    async def give_takeback(
        self, request: Asked, game: GameId, data: JSONBody[NewTakeback], key: IdempotencyKey
    ) -> Response[GameSummary]:
        """A seat takes back its own last step, which `takeback` of the game names while it may: no
        die was rolled in it, nobody has a secret, nobody else is asked, before it or since, and the
        seat has no key for its orders. In a game with a deadline a step that follows upon a
        takeback stays, and where nobody may measure before declaring every step does. Nothing is
        taken out of the record: the event `decklog.takeback` stands after the step and leads back
        to the position before it, and evidence is judged by it.
        """
        told = await request.desk.writer.give_takeback(
            game, request.acting, data, key=key, caller=request.caller
        )
        return _on_record(request, told)

    @post(
        "/{game:str}/keys",
        status_code=200,
        summary="Pass a seat's key on",
        guards=[seat(known_game, needs_key, whole_body)],
        opt=tells(
            "The seat signs its orders by the new key from now on.",
            "ETag",
            "Idempotency-Replayed",
            RECEIPT,
            problems=(
                *SAYS,
                *GOES_ON,
                "dice.awaited",
                "signature.unexpected",
                "signature.wrong",
                "seat.key-unfit",
            ),
        ),
    )
    async def give_key(
        self, request: Asked, game: GameId, data: JSONBody[NewKey], key: IdempotencyKey
    ) -> Response[GameSummary]:
        """A seat passes the key of its orders on, to another device or program: the key that it has
        (`orderKey`) signs the one that takes its place, so that the token alone is not enough, and
        the grade of the orders stays. Signed are `DSSEv1 40
        application/vnd.decklog.seat-key.v1+json N ` and the `N` bytes of the JSON
        `{"game":...,"key":{"keeper":...,"public":...},"seat":...,"v":1}` without spaces. The key
        before is good for nothing from then on, and does not come back: each change needs a key
        that the seat never had. The event `decklog.key-changed` says so to everybody. Whoever has
        lost the key asks the organiser, whose word alone is worth less.
        """
        told = await request.desk.writer.give_key(
            game, request.acting, data, key=key, caller=request.caller
        )
        return _on_record(request, told)


class Tokens(Controller):
    """The token that a request carries."""

    path = "/v1/token"
    tags = (TAG,)

    @delete(
        summary="Revoke the token",
        guards=[holder()],
        opt=tells("The token is no longer valid."),
    )
    async def revoke_token(self, request: Asked) -> Response[None]:
        """Ends the token that the request carries, at once and for good."""
        assert request.identity is not None, "the guard lets only tokens through"
        await request.desk.writer.revoke(request.identity.token_id)
        return request.gone()
