"""Where the command line looks for engines: this build, the cache, and where it is told to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .kept import cache
from .mistakes import Mistake

if TYPE_CHECKING:
    from service.evidence.shelf import Place


@contextmanager
def places(named: Sequence[str]) -> Iterator[Sequence[Place]]:
    """What is carried, the cache, then each place that is named: a folder or an address.

    Raises Mistake for a folder that is none. What a service gives is kept in the cache.
    """
    from service.evidence.shelf import CARRIED, Folder, Service

    from .remote import Remote

    kept = Folder(cache("engines"), "the local cache")
    found: list[Place] = [CARRIED, kept]
    with ExitStack() as stack:
        for name in named:
            if name.startswith(("http://", "https://")):
                remote = stack.enter_context(Remote(name))
                found.append(Service(name, remote.engine, kept))
            elif Path(name).is_dir():
                found.append(Folder(Path(name)))
            else:
                hint = "Name a folder of archives, or an address that begins with http."
                raise Mistake(f"There is no folder {name}.", hint, "file")
        yield found
