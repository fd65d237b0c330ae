"""What runs inside the page: the verifier, with engines in the way that a page has them.

A page has no processes. What this build carries runs beside the judge. Any other engine runs behind
a wall of the browser, and the judge cannot wait for its answers: a second copy of these modules,
behind the same wall, asks it beforehand all that the judge will ask (``drive``). Only the answers
come out, each with the digest of its question; what they are worth, the judge says (``judge``).
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence

from domain.kernel.finder import games

from ..clock import SYSTEM, stamp
from ..engines.load import Unloadable, load
from ..engines.outside import Failed
from ..engines.wire import Wire
from ..evidence.apart import Apart, Ask
from ..evidence.shelf import Found
from ..evidence.verify import verify

Progress = Callable[[str, int, int], None]
Tell = Callable[[bytes], None]

BEGUN = b""
"""Told once the rules are loaded: from then on each answer has its time."""

MOST_SAID = 500
"""Letters of what an engine says in place of an answer."""


class Wanted(Exception):
    """An engine has to be asked that nobody vouches for."""


def ready() -> list[str]:
    """The rulesets, loaded before anybody waits for them."""
    return list(games())


def judge(
    data: bytes, progress: Progress, answers: Sequence[bytes] | None = None, failed: str = ""
) -> str:
    """The verdict for machines, and below it that for people; "" where strange rules are wanted.

    answers  what those said behind their wall, in order
    failed   why they said no more
    """
    heard = None if answers is None else _Heard(answers, failed)
    try:
        verdict = verify(bytes(data), games(), progress=progress, apart=_apart(heard), now=_now())
    except Wanted:
        return ""
    return f"{verdict.json().decode()}\n{verdict.text()}"


def _now() -> str:
    """By the browser's clock."""
    return stamp(SYSTEM.now())


def drive(data: bytes, tell: Tell) -> str:
    """Ask strange rules what a judge will ask; why they did not run, "" where they did."""
    failed: list[str] = []

    @contextlib.contextmanager
    def strange(found: Found) -> Iterator[Ask]:
        try:
            wire = _begun(found)
        except Failed as error:
            failed.append(str(error))
            raise
        tell(BEGUN)
        yield lambda request: _told(request, wire.answer(request), tell)

    @contextlib.contextmanager
    def apart(found: Found) -> Iterator[Ask]:
        with (_beside if found.vouched else strange)(found) as ask:
            yield ask

    verify(bytes(data), games(), apart=apart)
    return failed[0] if failed else ""


def _apart(heard: _Heard | None) -> Apart:
    @contextlib.contextmanager
    def apart(found: Found) -> Iterator[Ask]:
        if found.vouched:
            with _beside(found) as ask:
                yield ask
        elif heard is None:
            raise Wanted
        else:
            heard.begin()
            yield heard.ask

    return apart


@contextlib.contextmanager
def _beside(found: Found) -> Iterator[Ask]:
    """An engine that this build carries is as much ours as the judge: it runs beside him."""
    try:
        yield Wire(load(found.archive, found.digest)).answer
    except Unloadable as error:
        raise Failed(str(error)) from None


def _begun(found: Found) -> Wire:
    """Raises Failed."""
    try:
        loaded = load(found.archive, found.digest)
        loaded.try_sample()
        return Wire(loaded)
    except (Unloadable, AttributeError) as error:
        raise Failed(str(error)) from None


def _told(request: bytes, answer: bytes, tell: Tell) -> bytes:
    tell(hashlib.sha256(request).digest() + answer)
    return answer


class _Heard:
    """The answers that came out, one after another."""

    def __init__(self, answers: Sequence[bytes], failed: str) -> None:
        self._answers = iter(answers)
        self._failed = failed
        self._any = bool(answers)

    def begin(self) -> None:
        """Raises Failed where nothing came at all."""
        if not self._any:
            raise self._why()

    def ask(self, request: bytes) -> bytes:
        """Raises Failed."""
        told = next(self._answers, None)
        if told is None:
            raise self._why()
        frame = bytes(told)
        digest = hashlib.sha256(request).digest()
        if not frame.startswith(digest):
            raise Failed("it gave the answer to another request")
        return frame[len(digest) :]

    def _why(self) -> Failed:
        said = " ".join(self._failed.split())[:MOST_SAID]
        return Failed(said or "it gave no more answers")
