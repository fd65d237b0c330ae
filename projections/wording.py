"""Changes of a position as sentences: names from the ruleset, the rest from the form of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from domain.kernel.tally import Tally

from .differences import Change, Path

Calls = Callable[[str], str]
"""An id to what it is called; "" for what is none."""

COLLECTIONS = ("units", "ships")
"""Names of a state's parts that say nothing beside the name of what is in them."""

LONGEST = 80
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def subject(path: Path, calls: Calls) -> tuple[str, str]:
    """The unit that a place belongs to: its id and what it is called; empty where it is none's."""
    for step in path:
        name = calls(step) if isinstance(step, str) else ""
        if name:
            return str(step), name
    return "", ""


def sentence(change: Change, calls: Calls) -> str:
    """What changed, in words."""
    unit, name = subject(change.path, calls)
    what = _words([s for s in change.path if s != unit and s not in COLLECTIONS])
    before, after = say(change.before, calls), say(change.after, calls)
    if not what:
        if not change.path and change.before is None:
            return "The game begins."
        told = {"added": "comes into play", "removed": "leaves play"}
        return f"{name or 'The game'} {told.get(change.kind, 'is another one')}."
    head = f"{name}: {what}" if name else what[:1].upper() + what[1:]
    if change.kind == "added":
        return f"{head} is now {after}."
    if change.kind == "removed":
        return f"{head} was {before}, and is no more."
    return f"{head} from {before} to {after}."


def figure(name: str, what: str, before: Tally, after: Tally) -> str:
    """A figure that changed, with the reasons that are new."""
    fresh = [r for r in after.reasons if r not in before.reasons]
    gone = [r for r in before.reasons if r not in after.reasons]
    because = [f"because {r.label} ({r.rule})" for r in fresh if r.rule]
    because += [f"because no longer {r.label} ({r.rule})" for r in gone if r.rule]
    why = " " + " and ".join(because) if because else ""
    return f"{name}: {what} from {before.total} to {after.total}{why}."


def _words(steps: list[str | int]) -> str:
    named = (_HUMP.sub(" ", s).lower() if isinstance(s, str) else f"no. {s + 1}" for s in steps)
    return ", ".join(named)


def _parts(value: Any, calls: Calls) -> str:
    """A value with parts in words: "attacker Bismarck, range 2, dice (total 5)"."""
    if not isinstance(value, list):
        plain = msgspec.to_builtins(value)
        if isinstance(plain, dict):
            return ", ".join(f"{_words([k])} {_inner(v, calls)}" for k, v in plain.items())
        return str(plain)
    return " and ".join(_inner(each, calls) for each in value)


def _inner(value: Any, calls: Calls) -> str:
    said = say(value, calls)
    return f"({said})" if isinstance(value, dict) and value else said


def say(value: Any, calls: Calls) -> str:
    """A value in a sentence; what is long is cut."""
    if value is None or value in ("", [], {}):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return calls(value) or value
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        text = " and ".join(say(item, calls) for item in value)
    else:
        text = str(value) if isinstance(value, int) else _parts(value, calls)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
