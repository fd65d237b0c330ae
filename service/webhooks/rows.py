"""Rows of webhooks, their deliveries and each attempt. Addresses and secrets are sealed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.kernel.shown.roles import PARTS, Part

from ..store.box import Box
from ..store.bulk import Statement, widened
from ..store.curbs import TOKEN
from ..store.database import Database

ACTIVE, ENDED = "active", "ended"
WAITING, DELIVERED, FAILED = "waiting", "delivered", "failed"

_HOOK = "webhook, game, seat, since, types, state, made"
_DELIVERY = "place, delivery, webhook, message, type, seq, body, made, state, tries, due"
_GOOD = (
    "w.state = 'active' AND NOT EXISTS "
    "(SELECT 1 FROM tokens t WHERE t.token = w.token AND t.revoked IS NOT NULL)"
)
"""A webhook ends with the token that made it."""

_NOT_BANNED = (
    "NOT EXISTS (SELECT 1 FROM curbs c WHERE c.who = ? || w.token AND c.rate = 0 "
    "AND (c.until = '' OR c.until > ?))"
)


class Wishes(msgspec.Struct, frozen=True):
    """What a webhook wants to be told: types of messages, and what happens by its roles."""

    types: tuple[str, ...]
    roles: tuple[Part, ...] = ()

    @property
    def words(self) -> str:
        """As they are stored; ``wishes_of`` reads it."""
        return " ".join((*self.types, *(_ROLE + role for role in self.roles)))


_ROLE = "happened:"
"""Begins the word of a role; types of messages have no colon."""


def wishes_of(words: str) -> Wishes:
    """The wishes of a stored webhook: roles in the order of the vocabulary."""
    found = words.split()
    return Wishes(
        tuple(word for word in found if not word.startswith(_ROLE)),
        tuple(part for part in PARTS if _ROLE + part in found),
    )


class Hook(msgspec.Struct, frozen=True):
    """A webhook without its secrets.

    seat   its owner; "" for the organiser's
    since  version of the game when it was made: what happened later is told
    types  the words of its wishes, separated by spaces: rows of before roles hold types alone
    """

    id: str
    game: str
    seat: str
    since: int
    types: str
    state: str
    made: str

    @property
    def wishes(self) -> Wishes:
        return wishes_of(self.types)


class Delivery(msgspec.Struct, frozen=True):
    """A message on its way to one webhook. ``message`` is the same when it is sent again."""

    place: int
    id: str
    hook: str
    message: str
    type: str
    seq: int
    body: bytes
    made: str
    state: str
    tries: int
    due: str


class Attempt(msgspec.Struct, frozen=True):
    """One try. ``status`` is 0 where no answer came, and ``error`` says why."""

    number: int
    at: str
    status: int
    error: str
    millis: int


class Secrets(msgspec.Struct, frozen=True):
    """What is sealed of a webhook; ``former`` is a secret that still signs, or ""."""

    url: str
    secret: str
    former: str
    former_until: str


def sealed(box: Box, hook: str, what: str, text: str) -> bytes:
    return box.seal(f"webhook/{hook}/{what}", text.encode())


def hook_insertion(box: Box, hook: Hook, token: str, url: str, secret: str) -> Statement:
    return (
        ("INSERT INTO webhooks (webhook, game, seat, token, since, types, state, url, secret, "
        "former, former_until, made) VALUES (?,?,?,?,?,?,?,?,?,NULL,'',?)"),
        (
            hook.id, hook.game, hook.seat, token, hook.since, hook.types, hook.state,
            sealed(box, hook.id, "url", url), sealed(box, hook.id, "secret", secret), hook.made,
        ),
    )  # fmt: skip


def hooks_of(recorder: Database, game: str, seat: str) -> list[Hook]:
    """The webhooks of a seat, or of the organiser (""), the oldest first."""
    found = recorder.query(
        f"SELECT {_HOOK} FROM webhooks WHERE game = ? AND seat = ? ORDER BY made, webhook",
        (game, seat),
    )
    return [Hook(*row) for row in found]


def hook_of(recorder: Database, id: str, game: str, seat: str) -> Hook | None:
    """The webhook if it is of that game and seat."""
    found = recorder.query(
        f"SELECT {_HOOK} FROM webhooks WHERE webhook = ? AND game = ? AND seat = ?",
        (id, game, seat),
    )
    return Hook(*found[0]) if found else None


def listening(recorder: Database, games: Iterable[str]) -> list[Hook]:
    """The active webhooks of the games."""
    asked = (
        "WITH asked (game) AS (VALUES (?)) "
        f"SELECT {_HOOK} FROM asked JOIN webhooks w USING (game) WHERE {_GOOD}"
    )
    found: list[Hook] = []
    for sql, parameters in widened(asked, [(game,) for game in games]):
        found += [Hook(*row) for row in recorder.query(sql, parameters)]
    return found


def secrets_of(recorder: Database, box: Box, hook: str) -> Secrets | None:
    found = recorder.query(
        "SELECT url, secret, former, former_until FROM webhooks WHERE webhook = ?", (hook,)
    )
    if not found:
        return None
    url, secret, former, until = found[0]

    def opened(what: str, text: Any) -> str:
        return box.open(f"webhook/{hook}/{what}", bytes(text)).decode()

    return Secrets(
        opened("url", url),
        opened("secret", secret),
        opened("secret", former) if former is not None else "",
        until,
    )


def rotation(box: Box, hook: str, secret: str, until: str) -> Statement:
    """A new secret; the one in use signs as well until then."""
    return (
        "UPDATE webhooks SET former = secret, former_until = ?, secret = ? WHERE webhook = ?",
        (until, sealed(box, hook, "secret", secret), hook),
    )


def removal(hook: str) -> list[Statement]:
    """The webhook with all that is known of it."""
    return [
        (
            (
                "DELETE FROM attempts WHERE delivery IN "
                "(SELECT delivery FROM deliveries WHERE webhook = ?)"
            ),
            (hook,),
        ),
        ("DELETE FROM deliveries WHERE webhook = ?", (hook,)),
        ("DELETE FROM webhooks WHERE webhook = ?", (hook,)),
    ]


def delivery_insertion(
    hook: str, delivery: str, message: str, type_: str, seq: int, body: bytes, at: str
) -> Statement:
    """A message for a webhook; one that is there already stays as it is."""
    return (
        (
            "INSERT INTO deliveries (delivery, webhook, message, type, seq, body, made, state, "
            "tries, due, taken) VALUES (?,?,?,?,?,?,?,'waiting',0,?,'') "
            "ON CONFLICT (delivery) DO NOTHING"
        ),
        (delivery, hook, message, type_, seq, body, at, at),
    )


def deliveries_of(recorder: Database, hook: str, before: int, limit: int) -> list[Delivery]:
    """Deliveries of a webhook, the latest first, below the place ``before`` (0: all)."""
    found = recorder.query(
        f"SELECT {_DELIVERY} FROM deliveries WHERE webhook = ? AND (? = 0 OR place < ?) "
        "ORDER BY place DESC LIMIT ?",
        (hook, before, before, limit),
    )
    return [Delivery(*row) for row in found]


def delivery_of(recorder: Database, id: str, hook: str) -> Delivery | None:
    found = recorder.query(
        f"SELECT {_DELIVERY} FROM deliveries WHERE delivery = ? AND webhook = ?", (id, hook)
    )
    return Delivery(*found[0]) if found else None


def attempts_of(recorder: Database, deliveries: Iterable[str]) -> dict[str, list[Attempt]]:
    """Each attempt of the deliveries, in order."""
    sql = (
        "WITH asked (delivery) AS (VALUES (?)) SELECT delivery, number, at, status, error, millis "
        "FROM asked JOIN attempts USING (delivery) ORDER BY delivery, number"
    )
    found: dict[str, list[Attempt]] = {}
    for text, parameters in widened(sql, [(delivery,) for delivery in deliveries]):
        for delivery, *rest in recorder.query(text, parameters):
            found.setdefault(delivery, []).append(Attempt(*rest))
    return found


def due(recorder: Database, now: str, limit: int) -> list[Delivery]:
    """What may be sent: of each webhook only the first that waits, so that the order is kept, and
    nothing for a token that an operator lets in no more: it waits until he does."""
    columns = ", ".join(f"d.{name.strip()}" for name in _DELIVERY.split(","))
    found = recorder.query(
        f"SELECT {columns} FROM deliveries d JOIN webhooks w ON w.webhook = d.webhook "
        f"WHERE d.state = 'waiting' AND d.due <= ? AND d.taken <= ? AND {_GOOD} AND {_NOT_BANNED} "
        "AND NOT EXISTS (SELECT 1 FROM deliveries b WHERE b.webhook = d.webhook "
        "AND b.state = 'waiting' AND b.place < d.place) ORDER BY d.due, d.place LIMIT ?",
        (now, now, TOKEN, now, limit),
    )
    return [Delivery(*row) for row in found]


def waiting(recorder: Database) -> int:
    """Deliveries that wait, for the operator."""
    return int(recorder.query("SELECT count(*) FROM deliveries WHERE state = 'waiting'")[0][0])


def claim(delivery: str, now: str, until: str) -> Statement:
    """A guard: whoever changes the row sends it, and has until then."""
    return (
        "UPDATE deliveries SET taken = ? WHERE delivery = ? AND state = 'waiting' AND taken <= ?",
        (until, delivery, now),
    )


def settlement(delivery: Delivery, attempt: Attempt, state: str, due: str) -> list[Statement]:
    """What came of an attempt."""
    return [
        (
            (
                "INSERT INTO attempts (delivery, number, at, status, error, millis) "
                "VALUES (?,?,?,?,?,?) ON CONFLICT (delivery, number) DO NOTHING"
            ),
            (delivery.id, *msgspec.structs.astuple(attempt)),
        ),
        (
            "UPDATE deliveries SET state = ?, tries = ?, due = ?, taken = '' WHERE delivery = ?",
            (state, attempt.number, due, delivery.id),
        ),
    ]


def ending(hook: str) -> list[Statement]:
    """The receiver wants no more: nothing that waits is sent."""
    return [
        ("UPDATE webhooks SET state = 'ended' WHERE webhook = ?", (hook,)),
        ("UPDATE deliveries SET state = 'failed' WHERE webhook = ? AND state = 'waiting'", (hook,)),
    ]


def without_former(secrets: Secrets) -> Secrets:
    """The secrets when the time of the former one is over."""
    return msgspec.structs.replace(secrets, former="")
