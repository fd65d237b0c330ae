"""The service's own events as the folds see them: redacted, in words, and with their proofs."""

from __future__ import annotations

from domain.kernel.values import Viewer
from projections.ledger import Bound
from projections.records import BatchInFull
from projections.rolls import Proof
from projections.stream import OwnSeen, TrueEvent

from ..dice import nwd1
from ..dice.vault import Epoch
from ..evidence import service_events as platform
from ..evidence.records import seen


def see_own(told: TrueEvent, viewer: Viewer) -> OwnSeen:
    """One of the service's own events as the viewer may know it."""
    found = seen(platform.decode(told.head.type, told.own), viewer)
    return OwnSeen(platform.plain(found), platform.says(found))


def prove(bound: Bound, batch: BatchInFull) -> Proof:
    """What the faces of a batch are recomputed from (NWD-1 2.2)."""
    epoch = Epoch(bound.epoch, nonce=bytes.fromhex(bound.nonce), opened=bound.opened)
    params = epoch.params(bytes.fromhex(bound.g))
    return Proof(
        params=params.hex(),
        domain=batch.domain,
        batch=batch.t,
        link=batch.link,
        player_links=batch.player_links,
        ctx=nwd1.batch_context(params, batch.domain, batch.t).hex(),
        round=bound.beacon.round,
        beacon=bound.beacon.signature,
    )
