"""What runs inside the page: the verifier, with engines in the way that a page has them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from domain.kernel.finder import games

from ..engines.load import Unloadable, load
from ..engines.outside import Failed
from ..engines.wire import Wire
from ..evidence.apart import Ask
from ..evidence.shelf import Found
from ..evidence.verdict import Undecidable
from ..evidence.verify import verify

Progress = Callable[[str, int, int], None]


def ready() -> list[str]:
    """The rulesets, loaded before anybody waits for them."""
    return list(games())


def judge(data: bytes, progress: Progress) -> str:
    """The verdict for machines, and below it that for people."""
    verdict = verify(bytes(data), games(), progress=progress, apart=_here)
    return f"{verdict.json().decode()}\n{verdict.text()}"


@contextlib.contextmanager
def _here(found: Found) -> Iterator[Ask]:
    """An engine that this build carries is as much ours as the judge: it runs beside him.

    There is no process to be had, so no other engine runs here.
    """
    if not found.vouched:
        raise Undecidable(
            f"the rules (engine {found.digest[:16]} from {found.place}) are not on this judge's "
            "list, and this page has no wall for them: decklog verify FILE runs them behind one"
        )
    try:
        yield Wire(load(found.archive, found.digest)).answer
    except Unloadable as error:
        raise Failed(str(error)) from None
