"""The thread that brings every follower of a store up to date, in one process at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic

from projections.follow import Projection

from ..errors import ServiceError
from ..store.store import Store
from .follower import Consumer, Follower, Projecting, place_of, rebuild

log = logging.getLogger(__name__)

OFFICE = "decklog-following"
POLL_SECONDS = 0.25
"""How often the log is looked at where nobody says that there is something new."""

GAP_SECONDS = 0.05
"""What is stored within this time is taken in together, unless somebody waits for it."""

REST_SECONDS = 5.0
"""How long a follower that failed is left alone."""


class Following:
    """Runs from ``start`` to ``stop``.

    after  called with the names of the followers that took something in, on this thread
    seen   how many events each follower was behind at the latest look: for who cannot wait
    """

    def __init__(
        self,
        store: Store,
        projections: Mapping[str, Projection],
        others: Sequence[Consumer] = (),
        after: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._store = store
        self._projections = projections
        self._others = others
        self._after = after
        self._woken = threading.Event()
        self._urgent = threading.Event()
        self._stopping = False
        self.seen: Mapping[str, int] = {}
        self._resting: dict[str, float] = {}
        self._thread = threading.Thread(target=self._run, name="decklog-following", daemon=True)

    def start(self) -> None:
        recorder = self._store.recorder
        start = recorder.settled() if self._others else 0
        self._followers = [
            *(Follower(recorder, Projecting(recorder, p)) for p in self._projections.values()),
            *(Follower(recorder, consumer, start) for consumer in self._others),
        ]
        self._thread.start()

    def stop(self) -> None:
        """Finish the step that is under way. Waits for it; harmless when repeated."""
        self._stopping = True
        self.wake(urgent=True)
        if self._thread.is_alive():
            self._thread.join()

    def wake(self, *, urgent: bool = False) -> None:
        """There is something new, and perhaps somebody waits for it. From any thread."""
        if urgent:
            self._urgent.set()
        self._woken.set()

    def places(self) -> dict[str, int]:
        """How far each follower has come, by its name. Raises StoreUnavailable."""
        rows = self._store.recorder.query("SELECT name, place FROM followers ORDER BY name")
        return {name: place for name, place in rows if name in self.names}

    @property
    def names(self) -> tuple[str, ...]:
        """Every follower."""
        return (*self._projections, *(each.name for each in self._others))

    def lags(self) -> dict[str, int]:
        """How many events each follower has yet to take in, at most. Raises StoreUnavailable."""
        newest, places = self.newest(), self.places()
        return {name: max(0, newest - places.get(name, 0)) for name in self.names}

    def newest(self) -> int:
        """The place of the newest event. Raises StoreUnavailable."""
        recorder = self._store.recorder
        sql = f"SELECT coalesce(max({recorder.place}), 0) FROM stored_events"
        return int(recorder.query(sql)[0][0])

    def _run(self) -> None:
        while not self._stopping:
            self._woken.wait(POLL_SECONDS)
            if not self._urgent.is_set():
                self._urgent.wait(GAP_SECONDS)
            self._woken.clear()
            self._urgent.clear()
            try:
                self._round()
            except ServiceError as error:
                log.warning("the log cannot be followed now: %s", error)
            except Exception:
                log.exception("following the log failed")

    def _round(self) -> None:
        """Everybody takes in what there is, in turns."""
        recorder = self._store.recorder
        self.seen = self.lags()
        if not recorder.lead(OFFICE):
            return
        newest = self.newest()
        behind = list(self._behind(newest))
        if not behind:
            return
        upto = recorder.settled()
        while behind and not self._stopping:
            behind = [each for each in behind if self._stepped(each, upto)]

    def _behind(self, newest: int) -> Iterable[Follower]:
        places = self.places()
        for follower in self._followers:
            name = follower.consumer.name
            rested = self._resting.get(name, 0.0) <= monotonic()
            if rested and places.get(name, -1) < newest:
                yield follower

    def _stepped(self, follower: Follower, upto: int) -> bool:
        """One step; whether there may be more. What fails does not hold up the others."""
        name = follower.consumer.name
        try:
            self._renew(follower)
            more = follower.step(upto)
        except ServiceError:
            raise
        except Exception:
            log.exception("%s failed and rests for %.0f seconds", name, REST_SECONDS)
            self._resting[name] = monotonic() + REST_SECONDS
            return False
        if more:
            self._after(name)
        return more

    def _renew(self, follower: Follower) -> None:
        """A projection of another version is made anew; the old one is read until it is there."""
        name = follower.consumer.name
        known = place_of(self._store.recorder, name)
        if known is not None and known.version != follower.consumer.version:
            log.info("%s is made anew: version %d", name, follower.consumer.version)
            rebuild(self._store.recorder, self._projections[name])
