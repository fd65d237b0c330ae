"""Webhooks of a seat or of an organiser: made, shown, removed, tried, sent again."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from domain.kernel.codec import canonical
from domain.kernel.shown.roles import PARTS, Part
from domain.kernel.values import Seat

from ..clock import Clock, stamp
from ..dice.nwd1 import th
from ..entropy import Entropy, drawn
from ..errors import ServiceError
from ..models import Answer, Request
from ..play.engine import WorkingGames, Write
from ..store import idempotency
from ..store.store import Store
from . import rows
from .messages import TYPES, MessageData, MessageType, body_of, deliveries, named, standing
from .targets import LONGEST, Forbidden, Resolve, find

MOST = 5
"""Webhooks of one seat, or of the organiser, in one game."""

SECRET_BYTES = 32
FORMER_HOURS = 24
"""How long a secret signs beside the one that took its place."""

T = TypeVar("T")
Wanted = Literal["your-turn", "game-over"]


class NewWebhook(Request, frozen=True):
    """The address for messages of a game, and what they are about.

    url    a public https address, of port 443 or 8443
    types  of messages; both when none are named, beside roles too
    roles  of events: each event with one of them is told besides, by a message `happened`
    """

    url: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    types: Annotated[list[Wanted], Meta(max_length=2)] = msgspec.field(default_factory=list)
    roles: Annotated[
        list[Part], Meta(max_length=len(PARTS), extra_json_schema={"uniqueItems": True})
    ] = msgspec.field(default_factory=list)

    def __post_init__(self) -> None:
        """Raises ValueError, with the field in the way of msgspec."""
        if len(set(self.roles)) < len(self.roles):
            raise ValueError("Expected each role once - at `$.roles`")


class WebhookShown(Answer, frozen=True):
    """A webhook.

    seat        its owner; "" for the organiser's, which hears of every seat
    types       of messages that it gets
    roles       of events that it is told, by messages `happened`
    state       "ended" when the receiver answered 410: nothing more is sent
    created_at  RFC 3339 UTC
    """

    id: str
    game: str
    seat: Seat
    url: str
    types: tuple[str, ...]
    roles: tuple[Part, ...]
    state: Literal["active", "ended"]
    created_at: str


class WebhookMade(Answer, frozen=True):
    """A new webhook, and the secret that signs its messages: told once."""

    webhook: WebhookShown
    secret: str


class SecretRotated(Answer, frozen=True):
    """A new secret. The former one signs as well until ``former_until``, RFC 3339 UTC."""

    webhook: str
    secret: str
    former_until: str


class AttemptShown(Answer, frozen=True):
    """One try to deliver.

    status  of the answer; 0 where none came
    error   the reason of a failure: "timeout", "no-connection" or "target-forbidden"; else ""
    millis  that it took
    """

    number: int
    at: str
    status: int
    error: str
    millis: int


class DeliveryShown(Answer, frozen=True):
    """A message on its way to a webhook.

    message     its `webhook-id`: the same when the message is sent again
    seq         of the event that it is about; 0 for a test
    state       "failed" when it was given up: after 24 hours, or at a 410
    due_at      when it is tried next, RFC 3339 UTC; null unless it waits
    """

    id: str
    message: str
    type: MessageType
    seq: int
    state: Literal["waiting", "delivered", "failed"]
    created_at: str
    due_at: str | None
    attempts: tuple[AttemptShown, ...]


class Owner(msgspec.Struct, frozen=True):
    """Who asks: a seat, or the organiser (""), of a game; and by which token."""

    game: str
    seat: Seat
    token: str

    @property
    def scope(self) -> str:
        return f"webhooks/{self.token}"


class WebhookRefused(ServiceError):
    """A webhook that cannot be as asked."""

    CODE = "webhook.ended"


class NoSuchWebhook(ServiceError):
    """There is no such webhook or delivery, or it is another's."""

    CODE = "resource.not-found"


Once = Callable[..., Awaitable[Any]]
Proves = Callable[[str, str, datetime], Awaitable[bool]]
"""Asks the receiver at an address whether it agrees, by a word that it has to say again."""


class Webhooks:
    """On the event loop. Every method raises StoreUnavailable, Stopping; those that write also
    KeyReused, KeyBusy, StoreFull, Overloaded, and say whether the answer was given before.

    prove  asks a receiver whether it agrees; None: nobody asks, in local development
    once  has an effect under an idempotency key, as ``Desk._once``
    read  runs a function on a reader's thread
    wake  says that there may be something to send
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        resolve: Resolve,
        *,
        private: bool,
        prove: Proves | None,
        once: Once,
        answered: Callable[[Any, type[Any]], tuple[Any, bool]],
        read: Callable[..., Awaitable[Any]],
        wake: Callable[[], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._resolve = resolve
        self._private = private
        self._prove = prove
        self._once = once
        self._answered = answered
        self._read = read
        self._wake = wake

    async def create(self, owner: Owner, new: NewWebhook, *, key: str) -> tuple[WebhookMade, bool]:
        """A webhook for who is asked now, and for what happens from now on. Raises WebhookRefused,
        NotFound.

        Its receiver is asked first whether it agrees, unless that was answered under the key.
        """
        try:
            await find(new.url, self._resolve, private=self._private)
        except Forbidden:
            hint = "Webhooks go to public https addresses on port 443 or 8443, and nowhere else."
            raise WebhookRefused(hint, code="webhook.target-forbidden", pointer="/url") from None
        await self._agreed(owner, new.url, key)

        def work(bench: WorkingGames) -> Write:
            live = bench.live(owner.game)
            version = live.version
            if len(rows.hooks_of(bench.store.recorder, owner.game, owner.seat)) >= MOST:
                raise WebhookRefused(
                    f"{MOST} are the most: delete one first.", code="webhook.too-many"
                )
            types = tuple(t for t in TYPES if t in new.types or not new.types)
            wishes = rows.Wishes(types, tuple(part for part in PARTS if part in new.roles)).words
            id_ = drawn(bench.store.entropy, 16)
            hook = rows.Hook(id_, owner.game, owner.seat, version, wishes, rows.ACTIVE, bench.at)
            secret = new_secret(bench.store.entropy)
            made = WebhookMade(webhook=_shown(hook, new.url), secret=secret)
            row = rows.hook_insertion(bench.store.box, hook, owner.token, new.url, secret)
            asked = standing(version, [each.seat for each in live.summary.to_move])
            return Write([row, *deliveries(hook, asked, bench.at)], made)

        print_ = th("decklog/webhook", owner.game.encode(), canonical(new))
        return await self._effect(owner, key, print_, work, WebhookMade)

    async def _agreed(self, owner: Owner, url: str, key: str) -> None:
        """Raises WebhookRefused ``webhook.unproved``."""
        if self._prove is None:
            return
        recorder = self._store.recorder
        if await self._read(idempotency.find_all, recorder, ((owner.scope, key),)):
            return
        word = drawn(self._store.entropy, 16)
        if not await self._prove(url, word, self._clock.now()):
            hint = "Have it answer the challenge by 200 and the word in `data.challenge`, as text."
            raise WebhookRefused(hint, code="webhook.unproved", pointer="/url")

    async def listed(self, owner: Owner) -> tuple[WebhookShown, ...]:
        """The owner's webhooks, the oldest first."""
        found: Sequence[rows.Hook] = await self._read(
            rows.hooks_of, self._store.recorder, owner.game, owner.seat
        )
        return tuple([await self._show(hook) for hook in found])

    async def get(self, owner: Owner, id: str) -> WebhookShown:
        """One of the owner's. Raises NoSuchWebhook."""
        return await self._show(await self._hook(owner, id))

    async def delete(self, owner: Owner, id: str) -> None:
        """Nothing is sent any more, and nothing remembered. Raises NoSuchWebhook."""
        await self._hook(owner, id)
        await self._read(self._store.recorder.put, (), rows.removal(id))

    async def rotate(self, owner: Owner, id: str, *, key: str) -> tuple[SecretRotated, bool]:
        """A new secret; the one in use signs for another day. Raises NoSuchWebhook."""
        await self._hook(owner, id)
        until = stamp(self._clock.now() + timedelta(hours=FORMER_HOURS))

        def work(bench: WorkingGames) -> Write:
            secret = new_secret(bench.store.entropy)
            told = SecretRotated(webhook=id, secret=secret, former_until=until)
            return Write([rows.rotation(bench.store.box, id, secret, until)], told)

        return await self._effect(
            owner, key, th("decklog/webhook-rotate", id.encode()), work, SecretRotated
        )

    async def test(self, owner: Owner, id: str, *, key: str) -> tuple[DeliveryShown, bool]:
        """A message that says nothing. Raises NoSuchWebhook, WebhookRefused."""
        hook = await self._going(owner, id)

        def work(bench: WorkingGames) -> Write:
            name = drawn(bench.store.entropy, 16)
            data = MessageData(game=owner.game, seq=0, seat=hook.seat)
            body = body_of("test", bench.at, data)
            return _sending(id, name, f"msg_{name}", ("test", 0), body, bench.at)

        print_ = th("decklog/webhook-test", id.encode())
        return await self._effect(owner, key, print_, work, DeliveryShown)

    async def repeat(
        self, owner: Owner, id: str, delivery: str, *, key: str
    ) -> tuple[DeliveryShown, bool]:
        """A message once more, with the same id. Raises NoSuchWebhook, WebhookRefused."""
        await self._going(owner, id)
        recorder = self._store.recorder
        named_so = "\0" not in delivery  # PostgreSQL has no text with NUL
        known = await self._read(rows.delivery_of, recorder, delivery, id) if named_so else None
        if known is None:
            raise NoSuchWebhook("The webhook has no such delivery.")

        def work(bench: WorkingGames) -> Write:
            name = named(delivery, "again", key)
            what = (known.type, known.seq)
            return _sending(id, name, known.message, what, bytes(known.body), bench.at)

        print_ = th("decklog/webhook-repeat", id.encode(), delivery.encode())
        return await self._effect(owner, key, print_, work, DeliveryShown)

    async def deliveries(
        self, owner: Owner, id: str, *, before: int, limit: int
    ) -> list[tuple[int, DeliveryShown]]:
        """What was sent and what waits, with its place, the latest first. Raises NoSuchWebhook."""
        await self._hook(owner, id)
        recorder = self._store.recorder
        found = await self._read(rows.deliveries_of, recorder, id, before, limit)
        tried = await self._read(rows.attempts_of, recorder, [each.id for each in found])
        return [(each.place, _delivery(each, tried.get(each.id, ()))) for each in found]

    async def _hook(self, owner: Owner, id: str) -> rows.Hook:
        found: rows.Hook | None = None
        if "\0" not in id:  # PostgreSQL has no text with NUL
            found = await self._read(rows.hook_of, self._store.recorder, id, owner.game, owner.seat)
        if found is None:
            raise NoSuchWebhook("The caller has no webhook of that id in this game.")
        return found

    async def _going(self, owner: Owner, id: str) -> rows.Hook:
        hook = await self._hook(owner, id)
        if hook.state != rows.ACTIVE:
            raise WebhookRefused("Its receiver answered 410: delete it and make another.")
        return hook

    async def _show(self, hook: rows.Hook) -> WebhookShown:
        found = await self._read(rows.secrets_of, self._store.recorder, self._store.box, hook.id)
        return _shown(hook, found.url if found else "")

    async def _effect(
        self,
        owner: Owner,
        key: str,
        print_: bytes,
        work: Callable[[WorkingGames], Write],
        type_: type[T],
    ) -> tuple[T, bool]:
        """What came of it, and whether it had come of the same request before."""
        answer = await self._once(owner.scope, key, print_, work, owner.game)
        self._wake()
        told: tuple[T, bool] = self._answered(answer, type_)
        return told


def new_secret(entropy: Entropy) -> str:
    """A secret of Standard Webhooks: ``whsec_`` and 32 random bytes in base64."""
    return "whsec_" + base64.b64encode(entropy.draw(SECRET_BYTES)).decode()


def _sending(
    hook: str, name: str, message: str, what: tuple[Any, int], body: bytes, at: str
) -> Write:
    type_, seq = what
    row = rows.delivery_insertion(hook, name, message, type_, seq, body, at)
    shown = DeliveryShown(
        id=name, message=message, type=type_, seq=seq, state="waiting", created_at=at, due_at=at,
        attempts=(),
    )  # fmt: skip
    return Write([row], shown)


def _shown(hook: rows.Hook, url: str) -> WebhookShown:
    wishes = hook.wishes
    return WebhookShown(
        id=hook.id,
        game=hook.game,
        seat=hook.seat,
        url=url,
        types=wishes.types,
        roles=wishes.roles,
        state="active" if hook.state == rows.ACTIVE else "ended",
        created_at=hook.made,
    )


def _delivery(kept: rows.Delivery, tried: Sequence[rows.Attempt]) -> DeliveryShown:
    """As it was when its row was read: an attempt that ended since then is not told yet."""
    state: Any = kept.state
    type_: Any = kept.type
    return DeliveryShown(
        id=kept.id,
        message=kept.message,
        type=type_,
        seq=kept.seq,
        state=state,
        created_at=kept.made,
        due_at=kept.due if kept.state == rows.WAITING else None,
        attempts=tuple(
            AttemptShown(number=t.number, at=t.at, status=t.status, error=t.error, millis=t.millis)
            for t in tried
            if t.number <= kept.tries
        ),
    )
