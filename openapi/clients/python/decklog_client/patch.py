"""A state, patched by the difference between two versions (``getDiff``)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any


def patched(state: Any, changes: Iterable[Mapping[str, Any]]) -> Any:
    """Another state: the changes applied in order. The one that is given stays as it is.

    Raises ValueError where the state has no such place: then read the view anew.
    """
    root = {"": copy.deepcopy(state)}
    for change in changes:
        *way, last = _steps(change["path"])
        place: Any = root
        for step in way:
            place = _in(place, step)
        _put(place, last, change)
    return root[""]


def _steps(path: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")]


def _in(place: Any, step: str) -> Any:
    try:
        return place[int(step)] if isinstance(place, list) else place[step]
    except (LookupError, ValueError, TypeError):
        raise ValueError(f"the state has no place {step!r}") from None


def _put(place: Any, step: str, change: Mapping[str, Any]) -> None:
    if isinstance(place, list):
        index = len(place) if step == "-" else int(step)
        if change["kind"] == "added":
            place.insert(index, copy.deepcopy(change["after"]))
            return
        _in(place, str(index))
    else:
        index = step  # type: ignore[assignment]
        if change["kind"] != "added":
            _in(place, step)
    if change["kind"] == "removed":
        del place[index]
    else:
        place[index] = copy.deepcopy(change["after"])
