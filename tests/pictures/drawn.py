"""Pictures of recorded games, and what is to be seen in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

from projections.svg import svg
from tests.support.recorded import read
from tests.support.suites import AnyGame, Suite, suites

SVG = "{http://www.w3.org/2000/svg}"


def history(suite: Suite, name: str) -> list[Any]:
    """The events of a recorded game as they were stored."""
    *lines, _ = read(suite.recorded / "history" / f"{name}.jsonl")
    codec = suite.codec
    return [
        codec.decode(line["type"], line["schema"], json.dumps(line["data"]).encode())
        for line in lines
    ]


@cache
def position(folder: str, name: str, version: int) -> Any:
    """The state of a recorded game at a version."""
    suite = suites()[folder]
    return suite.game.fold(history(suite, name)[:version])


def picture(
    game: AnyGame, state: Any, before: Any = None, events: Sequence[Any] = (), unit: str = ""
) -> str:
    """The board as SVG."""
    return svg(game.picture(state, before, tuple(events), unit))


def classes(text: str) -> Counter[str]:
    """How often each class is there; raises for a picture that is no XML."""
    return Counter(
        name for element in ET.fromstring(text).iter() for name in element.get("class", "").split()
    )


def keys(text: str) -> set[str]:
    """The pieces in the picture."""
    found = ET.fromstring(text).iter(f"{SVG}g")
    return {key for element in found if (key := element.get("data-key"))}
