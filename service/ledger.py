"""The dice ledger: each roll, the event that it decided, that event's reasons, and the proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.tally import Tally
from domain.kernel.values import Viewer

from . import platform
from .dice import nwd1
from .evidence.records import BatchRolled, GameCreated, RollRecorded
from .models import Pool, Proof, RollRecord
from .views import Told


def ledger(game: Game[Any, Any, Any], told: Sequence[Told], viewer: Viewer) -> list[RollRecord]:
    """Every roll in order, as ``viewer`` may see it. ``told`` are all events of the game."""
    created = platform.decode_as(GameCreated, told[0].record.body.data)
    return [
        _entry(game, created, batch, at, events, roll, viewer)
        for batch, at, events in _batches(told)
        for roll in batch.rolls
    ]


def _batches(told: Sequence[Told]) -> Iterator[tuple[BatchRolled, Told, list[Told]]]:
    """Each batch with the game events of the same command."""
    for place, entry in enumerate(told):
        if entry.record.body.type != BatchRolled.TYPE:
            continue
        batch = platform.decode_as(BatchRolled, entry.record.body.data)
        cause = entry.record.body.cause
        events: list[Told] = []
        for later in told[place + 1 :]:
            if later.record.body.cause != cause:
                break
            if later.event is not None:
                events.append(later)
        yield batch, entry, events


def _entry(
    game: Game[Any, Any, Any],
    created: GameCreated,
    batch: BatchRolled,
    at: Told,
    events: Sequence[Told],
    roll: RollRecorded,
    viewer: Viewer,
) -> RollRecord:
    decided = decided_by(events, roll)
    shown = None if decided is None else game.seen(decided.event, viewer)
    context = nwd1.batch_context(bytes.fromhex(created.params.g), batch.domain, batch.t)
    return RollRecord(
        id=roll.label,
        seq=at.seq,
        at=at.record.body.at,
        batch=batch.t,
        domain=batch.domain,
        owner=_owner(events, roll.label) or at.record.body.actor,
        caused_by=at.record.body.cause.id,
        pools=tuple(Pool(count=pool.count, sides=pool.sides) for pool in roll.pools),
        faces=roll.faces,
        event=0 if decided is None else decided.seq,
        event_type="" if decided is None else decided.record.body.type,
        reasons={} if shown is None else _tallies(shown),
        result={} if shown is None else platform.plain(shown),
        proof=Proof(
            params=created.params.g,
            domain=batch.domain,
            batch=batch.t,
            link=batch.link,
            player_links=batch.player_links,
            ctx=context.hex(),
        ),
    )


def decided_by(events: Sequence[Told], roll: RollRecorded) -> Told | None:
    """The event that a roll decided: the last one that names the label and is not a request.

    An event that only asks for the dice names the label too, inside its ``Awaited``; the one that
    uses the faces comes after it.
    """
    naming = [told for told in events if any(_requests(told, roll.label))]
    return naming[-1] if naming else None


def _owner(events: Sequence[Told], label: str) -> str:
    """The seat whose dice they were, as the request for them says."""
    asked = (item for told in events for item in _requests(told, label) if "owner" in item)
    return next((str(item["owner"]) for item in asked), "")


def _requests(told: Told, label: str) -> Iterator[dict[str, Any]]:
    """The objects inside an event that have the label among their values."""
    return _holding(platform.plain(told.event), label)


def _holding(value: Any, label: str) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if label in value.values():
            yield value
        for item in value.values():
            yield from _holding(item, label)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _holding(item, label)


def _tallies(event: Event) -> dict[str, Any]:
    """Fields of the event that are tallies, by their JSON name."""
    info = msgspec.structs.fields(event)
    return {
        field.encode_name: platform.plain(value)
        for field in info
        if isinstance(value := getattr(event, field.name), Tally)
    }
