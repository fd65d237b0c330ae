"""Webhooks: made and watched over HTTP, by a seat or by the organiser of the game."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from service.models import Answer as Body
from service.webhooks.keeper import (
    DeliveryShown,
    NewWebhook,
    Owner,
    SecretRotated,
    WebhookMade,
    WebhookShown,
)

from .call import Call
from .games import NO_STORE, replay_header
from .operation import Answer, Operation, json_answer, link
from .paging import next_link, read_offset, write_cursor
from .reply import Reply
from .rulesets import Cursor, Limit

TAG = "webhooks"
SENT = "messages"
NEW_WEBHOOK = msgspec.json.Decoder(NewWebhook)


class WebhookList(Body, frozen=True):
    """The caller's webhooks in this game, the oldest first."""

    items: tuple[WebhookShown, ...]


class DeliveryPage(Body, frozen=True):
    """Deliveries, the latest first; ``next`` is the cursor of the next page, null on the last."""

    items: tuple[DeliveryShown, ...]
    next: str | None


class DeliveryQuery(msgspec.Struct, frozen=True):
    """Which part of the log."""

    cursor: Cursor = ""
    limit: Limit = 50


def _owner(call: Call) -> Owner:
    assert call.identity is not None, "the pipeline lets only members through"
    return Owner(call.identity.game, call.acting, call.identity.token_id)


async def create_webhook(call: Call) -> Reply:
    key = call.key()
    new = await call.body(NEW_WEBHOOK)
    made, replayed = await call.desk.webhooks.create(_owner(call), new, key=key)
    place = f"/v1/games/{made.webhook.game}/webhooks/{made.webhook.id}"
    headers = {"Location": place, **replay_header(replayed)}
    return call.json(made, status=201, headers=headers, cache=NO_STORE)


async def list_webhooks(call: Call) -> Reply:
    return call.json(WebhookList(items=await call.desk.webhooks.listed(_owner(call))))


async def get_webhook(call: Call) -> Reply:
    return call.json(await call.desk.webhooks.get(_owner(call), call.param("webhook")))


async def delete_webhook(call: Call) -> Reply:
    await call.desk.webhooks.delete(_owner(call), call.param("webhook"))
    return Reply(204, headers={"Cache-Control": NO_STORE})


async def rotate_secret(call: Call) -> Reply:
    key = call.key()
    made, replayed = await call.desk.webhooks.rotate(_owner(call), call.param("webhook"), key=key)
    return call.json(made, headers=replay_header(replayed), cache=NO_STORE)


async def test_webhook(call: Call) -> Reply:
    key = call.key()
    sent, replayed = await call.desk.webhooks.test(_owner(call), call.param("webhook"), key=key)
    return call.json(sent, status=202, headers=replay_header(replayed), cache=NO_STORE)


async def repeat_delivery(call: Call) -> Reply:
    key = call.key()
    sent, replayed = await call.desk.webhooks.repeat(
        _owner(call), call.param("webhook"), call.param("delivery"), key=key
    )
    return call.json(sent, status=202, headers=replay_header(replayed), cache=NO_STORE)


async def list_deliveries(call: Call) -> Reply:
    query: DeliveryQuery = call.query
    owner, webhook = _owner(call), call.param("webhook")
    if query.cursor:  # it is judged when what it was given out for is known, as in every list
        await call.desk.webhooks.get(owner, webhook)
    found = await call.desk.webhooks.deliveries(
        owner,
        webhook,
        before=read_offset(query.cursor),
        limit=query.limit + 1,
    )
    page = found[: query.limit]
    cursor = write_cursor(str(page[-1][0])) if len(found) > query.limit else None
    body = DeliveryPage(items=tuple(each for _, each in page), next=cursor)
    return call.json(body, headers=next_link(call, cursor))


PATH = "/v1/games/{game}/webhooks"
ONE = PATH + "/{webhook}"
READING = ("resource.not-found", "store.unavailable", "service.stopping")

SENT_AGAIN = (
    link("listDeliveries", game="path", webhook="path"),
    link("repeatDelivery", game="path", webhook="path", delivery="#/id"),
)
"""From a message that is on its way to what became of it."""


AFTER_THE_KEY = (("resource.not-found", "idempotency.key-malformed"),)
"""The form of the key is judged before anything is looked up."""


def _operation(
    id_: str, method: Literal["GET", "POST", "DELETE"], path: str, summary: str, **more: Any
) -> Operation:
    return Operation(
        id=id_, method=method, path=path, tag=TAG, summary=summary, access="member", **more
    )


OPERATIONS = (
    _operation(
        "createWebhook",
        "POST",
        PATH,
        "Create a webhook",
        description="First the address is asked whether it agrees: one POST of `type: challenge`, "
        "which it answers by 200 and the word in `data.challenge`, as text, within the time of the "
        "request. From now on it is told when the seat is asked something "
        "(`your-turn`) and when the game is over (`game-over`); the organiser's webhook hears of "
        "every seat. Messages are signed and delivered as Standard Webhooks say: at least once, in "
        "the order of the game, repeated with growing pauses for 24 hours; 410 ends the webhook, "
        "redirects are not followed. The answer holds the secret. A webhook ends with the token "
        "that made it.",
        run=create_webhook,
        body=NewWebhook,
        headers=("Idempotency-Key",),
        answers=(
            json_answer(201, "The webhook.", WebhookMade, "Location", "Idempotency-Replayed"),
        ),
        problems=(
            "webhook.target-forbidden",
            "webhook.unproved",
            "webhook.too-many",
            "game.damaged",
        ),
        writes=True,
        links=(
            link("listWebhooks", game="#/webhook/game"),
            *(
                link(target, game="#/webhook/game", webhook="#/webhook/id")
                for target in (
                    "getWebhook",
                    "testWebhook",
                    "listDeliveries",
                    "rotateSecret",
                    "deleteWebhook",
                )
            ),
        ),
    ),
    _operation(
        "listWebhooks",
        "GET",
        PATH,
        "List the webhooks",
        description="The caller's own webhooks in this game.",
        run=list_webhooks,
        answers=(json_answer(200, "The webhooks.", WebhookList),),
        problems=READING[1:],
    ),
    _operation(
        "getWebhook",
        "GET",
        ONE,
        "Show a webhook",
        description="One of the caller's own; its secret is not told again.",
        run=get_webhook,
        answers=(json_answer(200, "The webhook.", WebhookShown),),
        problems=READING,
    ),
    _operation(
        "deleteWebhook",
        "DELETE",
        ONE,
        "Delete a webhook",
        description="Nothing more is sent, and its log is dropped.",
        run=delete_webhook,
        answers=(Answer(204, "It is gone."),),
        problems=(*READING, "store.full"),
    ),
    _operation(
        "rotateSecret",
        "POST",
        ONE + "/secret",
        "Rotate the secret",
        description="A new secret. For 24 hours messages carry two signatures, by the new one and "
        "by the former one, so that the receiver can change over without losing any.",
        run=rotate_secret,
        headers=("Idempotency-Key",),
        answers=(json_answer(200, "The new secret.", SecretRotated, "Idempotency-Replayed"),),
        later=AFTER_THE_KEY,
        problems=READING,
        writes=True,
    ),
    _operation(
        "testWebhook",
        "POST",
        ONE + "/test",
        "Test a webhook",
        description="Sends a message of type `test`, signed and repeated like any other. What came "
        "of it is in the list of deliveries.",
        run=test_webhook,
        headers=("Idempotency-Key",),
        answers=(json_answer(202, "It is on its way.", DeliveryShown, "Idempotency-Replayed"),),
        later=AFTER_THE_KEY,
        problems=(*READING, "webhook.ended"),
        writes=True,
        links=SENT_AGAIN,
    ),
    _operation(
        "listDeliveries",
        "GET",
        ONE + "/deliveries",
        "List the deliveries",
        description="What was sent and what waits, the latest first, with each attempt: when, "
        "which status came back, and how long it took.",
        run=list_deliveries,
        query=DeliveryQuery,
        answers=(json_answer(200, "A page of deliveries.", DeliveryPage, "Link"),),
        problems=("query.invalid", *READING),
    ),
    _operation(
        "repeatDelivery",
        "POST",
        ONE + "/deliveries/{delivery}/repeat",
        "Repeat a delivery",
        description="Sends a message once more, with the same `webhook-id`: a receiver that knows "
        "it already can tell.",
        run=repeat_delivery,
        headers=("Idempotency-Key",),
        answers=(json_answer(202, "It is on its way.", DeliveryShown, "Idempotency-Replayed"),),
        later=AFTER_THE_KEY,
        problems=(*READING, "webhook.ended"),
        writes=True,
        links=SENT_AGAIN,
    ),
)
