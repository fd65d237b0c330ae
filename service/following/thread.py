"""The thread that brings every follower of a store up to date, in one process at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from projections.follow import Projection

from ..clock import SYSTEM, Clock
from ..errors import ServiceError
from ..store.store import Store
from ..threads import SYSTEM as THREADS
from ..threads import MakesThreads
from .follower import (
    Consumer,
    Follower,
    FollowerPosition,
    Projecting,
    place_of,
    places_of,
    rebuild,
    spoil,
    step_together,
)
from .meaning import Games, Meanings
from .shelf import Unsound

log = logging.getLogger(__name__)

OFFICE = "decklog-following"
POLL_SECONDS = 0.25
"""How often the log is looked at where nobody says that there is something new."""

GAP_SECONDS = 0.5
"""What is stored within this time is taken in together, unless somebody waits for it: each round
costs the same, however much it takes in."""

REST_SECONDS = 5.0
"""How long a follower that failed is left alone."""


class Following:
    """Runs from ``start`` to ``stop``.

    games  the rulesets by name; those that are installed by default
    whole  those of the others that take in all events there are, and not only those to come
    after  called with the names of the followers that took something in, on this thread
    leads  whether this process held the office at the latest look
    seen   how many events each follower was behind at the latest look: for who cannot wait
    """

    def __init__(
        self,
        store: Store,
        projections: Mapping[str, Projection],
        others: Sequence[Consumer] = (),
        whole: Sequence[Consumer] = (),
        after: Callable[[str], None] = lambda name: None,
        games: Games | None = None,
        clock: Clock = SYSTEM,
        threads: MakesThreads = THREADS,
    ) -> None:
        self._monotonic = clock.monotonic
        self._meanings = Meanings(games)
        self._store = store
        self._projections = projections
        self._others = (*whole, *others)
        self._whole = len(whole)
        self._after = after
        self._woken = threads.event()
        self._urgent = threads.event()
        self._stopping = self._forgetting = False
        self.seen: Mapping[str, int] = {}
        self.leads = False
        self._resting: dict[str, float] = {}
        self._thread = threads.thread(self._run, "decklog-following")

    def start(self) -> None:
        recorder = self._store.recorder
        begun = [0] * self._whole
        if len(self._others) > self._whole:
            begun += [recorder.settled()] * (len(self._others) - self._whole)
        self._followers = [
            *(self._follower(Projecting(recorder, p), 0) for p in self._projections.values()),
            *map(self._follower, self._others, begun),
        ]
        for each in self._followers[len(self._projections) :]:
            # Written down at once: who is killed before its first round has missed nothing.
            each.stand(place_of(recorder, each.consumer.name))
        self.seen = self.lags()
        self._thread.start()

    def _follower(self, consumer: Consumer, start: int) -> Follower:
        return Follower(self._store.recorder, consumer, start, self._meanings, self._store.entropy)

    def stop(self) -> None:
        """Finish the step that is under way. Waits for it; harmless when repeated."""
        self._stopping = True
        self.wake(urgent=True)
        if self._thread.is_alive():
            self._thread.join()

    def forget(self) -> None:
        """The store is another one: where the followers stand there, the store says. Any thread."""
        self._forgetting = True

    def wake(self, *, urgent: bool = False) -> None:
        """There is something new, and perhaps somebody waits for it. From any thread."""
        if urgent:
            self._urgent.set()
        self._woken.set()

    @property
    def names(self) -> tuple[str, ...]:
        """Every follower."""
        return (*self._projections, *(each.name for each in self._others))

    def lags(self) -> dict[str, int]:
        """How many events each follower has yet to take in, at most. Raises StoreUnavailable."""
        return self._lags(places_of(self._store.recorder), self.newest())

    def _lags(self, places: Mapping[str, FollowerPosition], newest: int) -> dict[str, int]:
        reached = {name: places[name].place if name in places else 0 for name in self.names}
        return {name: max(0, newest - place) for name, place in reached.items()}

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
        """Everybody takes in what there is."""
        recorder = self._store.recorder
        if self._forgetting:
            self._forgetting = False
            for each in self._followers:
                each.forget()
        places, newest = places_of(recorder), self.newest()
        self.seen = self._lags(places, newest)
        self.leads = recorder.lead(OFFICE)
        if not self.leads:
            return
        late = [each for each in self._followers if self._is_late(each, places, newest)]
        if not late:
            return
        for each in late:
            with self._resting_if_failed(each):
                each.stand(self._renewed(each, places))
        upto = recorder.settled()
        while late and not self._stopping:
            late = [each for each in late if each.at is not None and each.at.place < upto]
            for group in _by_place(late):
                self._step(group, upto)

    def _is_late(
        self, follower: Follower, places: Mapping[str, FollowerPosition], newest: int
    ) -> bool:
        name = follower.consumer.name
        rested = self._resting.get(name, 0.0) <= self._monotonic()
        place = places.get(name)
        if place is None or place.version != follower.consumer.version:
            return rested
        return rested and place.place < newest

    def _step(self, group: Sequence[Follower], upto: int) -> None:
        """One step of who stands at one place. If it fails each goes alone: one holds up none."""
        if len(group) > 1:
            with suppress(Exception):
                step_together(self._store.recorder, group, upto)
                self._stepped(group)
                return
        for each in group:
            with self._resting_if_failed(each):
                each.step(upto)
                self._stepped([each])

    def _stepped(self, group: Sequence[Follower]) -> None:
        for each in group:
            self._after(each.consumer.name)
        if any(each.at is None for each in group):
            self._woken.set()  # overtaken: what the others left to do is seen in the next round

    @contextmanager
    def _resting_if_failed(self, follower: Follower) -> Iterator[None]:
        name = follower.consumer.name
        try:
            yield
        except ServiceError:
            raise
        except Unsound:
            log.exception("%s is not as it was written, and is made anew", name)
            spoil(self._store.recorder, name)
        except Exception:
            log.exception("%s failed and rests for %.0f seconds", name, REST_SECONDS)
            self._resting[name] = self._monotonic() + REST_SECONDS

    def _renewed(
        self, follower: Follower, places: Mapping[str, FollowerPosition]
    ) -> FollowerPosition | None:
        """A projection of another version is made anew; the old one is read until it is there."""
        name = follower.consumer.name
        known = places.get(name)
        if known is None or known.version == follower.consumer.version:
            return known
        log.info("%s is made anew: version %d", name, follower.consumer.version)
        rebuild(
            self._store.recorder, self._projections[name],
            meanings=self._meanings, entropy=self._store.entropy,
        )  # fmt: skip
        return place_of(self._store.recorder, name)


def _by_place(followers: Iterable[Follower]) -> Collection[list[Follower]]:
    groups: dict[int, list[Follower]] = {}
    for each in followers:
        if each.at is not None:
            groups.setdefault(each.at.place, []).append(each)
    return groups.values()
