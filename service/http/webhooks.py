"""Webhooks: made and watched over HTTP, by a seat or by the organiser of the game."""

from __future__ import annotations

from litestar import Controller, Response
from litestar.params import JSONBody

from service.models import Answer as Body
from service.webhooks.keeper import (
    DeliveryShown,
    NewWebhook,
    Owner,
    SecretRotated,
    WebhookMade,
    WebhookShown,
)

from .access import member, needs_key, seen_game, whole_body
from .asked import NO_STORE, Asked
from .games import replay_header
from .operation import link, tells
from .paging import read_offset, write_cursor
from .parameters import Cursor, DeliveryId, GameId, IdempotencyKey, Limit, WebhookId
from .routes import delete, get, post

TAG = "webhooks"
SENT = "messages"


class WebhookList(Body, frozen=True):
    """The caller's webhooks in this game, the oldest first."""

    items: tuple[WebhookShown, ...]


class DeliveryPage(Body, frozen=True):
    """Deliveries, the latest first; ``next`` is the cursor of the next page, null on the last."""

    items: tuple[DeliveryShown, ...]
    next: str | None


READING = ("resource.not-found", "store.unavailable", "service.stopping")

SENT_AGAIN = (
    link("listDeliveries", game="path", webhook="path"),
    link("repeatDelivery", game="path", webhook="path", delivery="#/id"),
)
"""From a message that is on its way to what became of it."""

OF_ONE = ("getWebhook", "testWebhook", "listDeliveries", "rotateSecret", "deleteWebhook")

AFTER_THE_KEY = (("resource.not-found", "idempotency.key-malformed"),)
"""The form of the key is judged before anything is looked up."""

ON_ITS_WAY = tells(
    "It is on its way.",
    "Idempotency-Replayed",
    later=AFTER_THE_KEY,
    problems=(*READING, "webhook.ended"),
    links=SENT_AGAIN,
)
"""Of a message that is sent, or sent again."""


class Webhooks(Controller):
    """Being told."""

    path = "/v1/games/{game:str}/webhooks"
    tags = (TAG,)

    @post(
        summary="Create a webhook",
        guards=[member(seen_game, needs_key, whole_body)],
        opt=tells(
            "The webhook.",
            "Location",
            "Idempotency-Replayed",
            problems=(
                "webhook.target-forbidden",
                "webhook.unproved",
                "webhook.too-many",
                "game.damaged",
            ),
            links=(
                link("listWebhooks", game="#/webhook/game"),
                *(link(target, game="#/webhook/game", webhook="#/webhook/id") for target in OF_ONE),
            ),
        ),
    )
    async def create_webhook(
        self, request: Asked, game: GameId, data: JSONBody[NewWebhook], key: IdempotencyKey
    ) -> Response[WebhookMade]:
        """First the address is asked whether it agrees: one POST of `type: challenge`, which it
        answers by 200 and the word in `data.challenge`, as text, within the time of the request.
        From now on it is told when the seat is asked something (`your-turn`) and when the game is
        over (`game-over`); the organiser's webhook hears of every seat. Where it names `roles`, it
        is told as well of each event that everybody sees and that has one of them (`happened`),
        whatever seat it is about. Messages are signed and
        delivered as Standard Webhooks say: at least once, in the order of the game, repeated with
        growing pauses for 24 hours; 410 ends the webhook, redirects are not followed. The answer
        holds the secret. A webhook ends with the token that made it.
        """
        made, replayed = await request.desk.webhooks.create(_owner(request), data, key=key)
        place = f"/v1/games/{made.webhook.game}/webhooks/{made.webhook.id}"
        headers = {"Location": place, **replay_header(replayed)}
        return request.told(made, status=201, headers=headers, cache=NO_STORE)

    @get(
        summary="List the webhooks",
        guards=[member(seen_game)],
        opt=tells("The webhooks.", problems=READING[1:]),
    )
    async def list_webhooks(self, request: Asked, game: GameId) -> Response[WebhookList]:
        """The caller's own webhooks in this game."""
        return request.told(WebhookList(items=await request.desk.webhooks.listed(_owner(request))))

    @get(
        "/{webhook:str}",
        summary="Show a webhook",
        guards=[member(seen_game)],
        opt=tells("The webhook.", problems=READING),
    )
    async def get_webhook(
        self, request: Asked, game: GameId, webhook: WebhookId
    ) -> Response[WebhookShown]:
        """One of the caller's own; its secret is not told again."""
        return request.told(await request.desk.webhooks.get(_owner(request), webhook))

    @delete(
        "/{webhook:str}",
        summary="Delete a webhook",
        guards=[member(seen_game)],
        opt=tells("It is gone.", problems=(*READING, "store.full")),
    )
    async def delete_webhook(
        self, request: Asked, game: GameId, webhook: WebhookId
    ) -> Response[None]:
        """Nothing more is sent, and its log is dropped."""
        await request.desk.webhooks.delete(_owner(request), webhook)
        return request.gone()

    @post(
        "/{webhook:str}/secret",
        status_code=200,
        summary="Rotate the secret",
        guards=[member(seen_game, needs_key)],
        opt=tells("The new secret.", "Idempotency-Replayed", later=AFTER_THE_KEY, problems=READING),
    )
    async def rotate_secret(
        self, request: Asked, game: GameId, webhook: WebhookId, key: IdempotencyKey
    ) -> Response[SecretRotated]:
        """A new secret. For 24 hours messages carry two signatures, by the new one and by the
        former one, so that the receiver can change over without losing any.
        """
        made, replayed = await request.desk.webhooks.rotate(_owner(request), webhook, key=key)
        return request.told(made, headers=replay_header(replayed), cache=NO_STORE)

    @post(
        "/{webhook:str}/test",
        status_code=202,
        summary="Test a webhook",
        guards=[member(seen_game, needs_key)],
        opt=ON_ITS_WAY,
    )
    async def test_webhook(
        self, request: Asked, game: GameId, webhook: WebhookId, key: IdempotencyKey
    ) -> Response[DeliveryShown]:
        """Sends a message of type `test`, signed and repeated like any other. What came of it is in
        the list of deliveries.
        """
        sent, replayed = await request.desk.webhooks.test(_owner(request), webhook, key=key)
        return request.told(sent, status=202, headers=replay_header(replayed), cache=NO_STORE)

    @get(
        "/{webhook:str}/deliveries",
        summary="List the deliveries",
        guards=[member(seen_game)],
        opt=tells("A page of deliveries.", "Link", problems=("query.invalid", *READING)),
    )
    async def list_deliveries(
        self,
        request: Asked,
        game: GameId,
        webhook: WebhookId,
        cursor: Cursor = "",
        limit: Limit = 50,
    ) -> Response[DeliveryPage]:
        """The messages that were sent and those that wait, the latest first, each with its
        attempts: time, status of the answer, duration.
        """
        owner = _owner(request)
        if cursor:  # judged when what it was given out for is known, as in every list
            await request.desk.webhooks.get(owner, webhook)
        found = await request.desk.webhooks.deliveries(
            owner, webhook, before=read_offset(cursor), limit=limit + 1
        )
        page = found[:limit]
        more = write_cursor(str(page[-1][0])) if len(found) > limit else None
        body = DeliveryPage(items=tuple(each for _, each in page), next=more)
        return request.told(body, headers=request.next_link(more))

    @post(
        "/{webhook:str}/deliveries/{delivery:str}/repeat",
        status_code=202,
        summary="Repeat a delivery",
        guards=[member(seen_game, needs_key)],
        opt=ON_ITS_WAY,
    )
    async def repeat_delivery(
        self,
        request: Asked,
        game: GameId,
        webhook: WebhookId,
        delivery: DeliveryId,
        key: IdempotencyKey,
    ) -> Response[DeliveryShown]:
        """Sends a message once more, with the same `webhook-id`: a receiver that knows it already
        can tell.
        """
        owner = _owner(request)
        sent, replayed = await request.desk.webhooks.repeat(owner, webhook, delivery, key=key)
        return request.told(sent, status=202, headers=replay_header(replayed), cache=NO_STORE)


def _owner(asked: Asked) -> Owner:
    assert asked.identity is not None, "the guard lets only members through"
    return Owner(asked.identity.game, asked.acting, asked.identity.token_id)
