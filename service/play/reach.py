"""When the service could be reached: only then does anybody's time run.

Workers put down every few seconds that they are there. Whoever finds that nobody was for a while,
be it that the store was away, that no worker ran, or that the only one stood still, puts that down
as well: whatever was open then may stay open so much longer. Nobody can answer to a service that is
away.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from ..clock import SteadyClock, stamp
from ..deadlines import Away
from ..models import LONGEST
from ..store.store import Conflict, Store

BEAT_SECONDS = 5.0
"""How often somebody puts down that the service is there, where it matters to anybody."""

LOOK_SECONDS = 0.9
"""How long a look is good for."""

AWAY_SECONDS = 10.0
"""So long a silence is an absence."""

MOST = 1_000
"""Absences that are kept, the latest ones; more than there are in any good quarter of a year."""

_READ = "SELECT value FROM meta WHERE name = 'reached'"
_BEGIN = "INSERT INTO meta (name, value) VALUES ('reached', ?)"
_BEAT = "UPDATE meta SET value = ? WHERE name = 'reached' AND value = ?"
_WAITED_FOR = "SELECT game FROM deadlines WHERE at > '' LIMIT 1"


class Kept(msgspec.Struct, frozen=True):
    """What the store has: when somebody was there last, and when nobody was."""

    at: str
    away: Away = ()


class Reach:
    """What one worker knows and tells of it. One thread at a time.

    time  by the clock of the database, in seconds since 1970; None where there is none to compare
    """

    def __init__(
        self, store: Store, clock: SteadyClock, time: Callable[[], float | None] = lambda: None
    ) -> None:
        self._time = time
        self._store = store
        self._clock = clock
        self._at: str = ""
        self._monotonic = 0.0
        self._missed = True
        self.away: Away = ()
        """From when to when nobody could be reached, in the order of time."""

    def missed(self) -> None:
        """The store did not answer: the next look will see for how long."""
        self._missed = True

    def look(self) -> None:
        """Compare the clock with the store's; put down that the service is there, and was not.

        Raises StoreFull, StoreUnavailable.
        """
        since = self._clock.monotonic() - self._monotonic
        if not self._missed and since < LOOK_SECONDS:
            return
        put_forward = self._clock.compare(self._time())
        kept, raw = self._kept()
        now = stamp(self._clock.now())
        away = (*kept.away, *self._absence(kept, now))
        if put_forward:
            away = (*away, (stamp(put_forward), now))
        self._settle(kept, raw, now, away[-MOST:])
        self._at, self._missed, self._monotonic = now, False, self._clock.monotonic()

    def _kept(self) -> tuple[Kept, bytes]:
        found = self._store.recorder.query(_READ)
        if not found:
            first = msgspec.json.encode(Kept(stamp(self._clock.now())))
            with contextlib.suppress(Conflict):  # another worker was quicker
                self._store.recorder.put((), [(_BEGIN, (first,))])
            found = self._store.recorder.query(_READ)
        raw = bytes(found[0][0])
        return msgspec.json.decode(raw, type=Kept), raw

    def _absence(self, kept: Kept, now: str) -> Away:
        """From when to when nobody was there, if this worker itself was away until now."""
        still = self._clock.monotonic() - self._monotonic > AWAY_SECONDS
        if not (self._missed or still):
            return ()
        since = max(kept.at, self._at)
        silent = datetime.fromisoformat(now) - datetime.fromisoformat(since)
        return ((since, now),) if silent > timedelta(seconds=AWAY_SECONDS) else ()

    def _settle(self, kept: Kept, raw: bytes, now: str, away: Away) -> None:
        """Another worker may have put down the same at the same moment: then it stands."""
        oldest = stamp(self._clock.now() - timedelta(seconds=2 * LONGEST))
        away = tuple(each for each in away if each[1] > oldest)
        beat = datetime.fromisoformat(kept.at) + timedelta(seconds=BEAT_SECONDS)
        if away != kept.away or (stamp(beat) <= now and self._matters()):
            after = msgspec.json.encode(Kept(max(now, kept.at), away))
            if not self._store.recorder.exchange([(_BEAT, (after, raw))], ()):
                away = self._kept()[0].away
        self.away = away

    def _matters(self) -> bool:
        return bool(self._store.recorder.query(_WAITED_FOR))
