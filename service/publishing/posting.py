"""One question by HTTP, in a thread apart: who asks waits so long and no longer, and can be freed.

A client's own limits hold for each read: whoever sends a byte a second, or whose name takes long to
be found, keeps within them for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..threads import MakesThreads

if TYPE_CHECKING:  # imported where it is used: that takes a tenth of the service's start
    import httpx


class TooLong(Exception):
    """The answer has too many bytes, or did not come in time."""


class Answer(NamedTuple):
    """Of a question: ``body`` is empty where the status is not 200."""

    status: int
    body: bytes


class Question:
    """Asked with a client of its own, which is closed at the end.

    ask  raises httpx.HTTPError, httpx.InvalidURL, TooLong
    """

    def __init__(
        self, http: httpx.Client, ask: Callable[[httpx.Client], Answer], threads: MakesThreads
    ) -> None:
        self._http = http
        self._ask = ask
        self._answer: Answer | None = None
        self._error: Exception | None = None
        self._over = threads.event()
        self._thread = threads.thread(self._run, "decklog-stamp-question")

    def answer(self, seconds: float) -> Answer:
        """What came within that time. Raises what ``ask`` raises, and TooLong."""
        self._thread.start()
        self._over.wait(seconds)
        answer, error = self._answer, self._error
        self.end()
        if error is not None:
            raise error
        if answer is None:
            raise TooLong(f"the answer takes longer than {seconds:g} seconds")
        return answer

    def end(self) -> None:
        """Wait no more, and hang up. From any thread; harmless when repeated."""
        self._over.set()
        self._http.close()

    def _run(self) -> None:
        try:
            self._answer = self._ask(self._http)
        except Exception as error:  # raised again where it is waited for
            self._error = error
        self._over.set()


def post(
    http: httpx.Client, url: str, body: bytes, headers: dict[str, str], largest: int
) -> Answer:
    """Raises httpx.HTTPError, httpx.InvalidURL, TooLong."""
    came = b""
    with http.stream("POST", url, content=body, headers=headers) as answer:
        if answer.status_code != 200:
            return Answer(answer.status_code, b"")
        for part in answer.iter_raw():
            came += part
            if len(came) > largest:
                raise TooLong(f"the answer has more than {largest} bytes")
    return Answer(answer.status_code, came)
