"""How old is what a judge believes without having seen it made.

What was taken back since the list of keys was signed, and rules that came since the judge was
built, he does not know: the verdict says of when his knowledge is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from msgspec import UNSET

from ..engines.carry import Carried
from .keylist import KeyList
from .signing import VerifyKey
from .verdict import Age


def ages(
    keys: KeyList | None, root: VerifyKey | None, engines: Sequence[Carried], now: str
) -> tuple[Age, ...]:
    """Of the root and of what it takes back, where it was named and there is a list that it has
    signed; of the judge's list of engines.

    now  a time; "" where the judge has no clock: then only dates are told
    """
    found = [] if keys is None or root is None else [_of_root(keys, root), _taken_back(keys)]
    return tuple(_told(what, at, text, now) for what, at, text in [*found, _listed(engines)])


Dated = tuple[str, str, str]
"""What it is, since when, and in words."""


def _of_root(keys: KeyList, root: VerifyKey) -> Dated:
    first = min((each.since for each in keys.keys), default=keys.at)
    return "root", first, f"{root.hint} has vouched for keys since {first}"


def _taken_back(keys: KeyList) -> Dated:
    taken = sum(each.compromised is not UNSET for each in keys.keys)
    said = f"{taken} keys are" if taken else "no key is"
    return "revocations", keys.at, f"{said} taken back by list {keys.serial} of {keys.at}"


def _listed(engines: Sequence[Carried]) -> Dated:
    newest = max((each.day for each in engines), default="")
    count = len(engines)
    return "engines", newest, f"the installed rules and {count} of the past, the newest of {newest}"


def _told(what: str, at: str, text: str, now: str) -> Age:
    if not now or not at:
        return Age(what=what, at=at, text=text)
    days = (date.fromisoformat(now[:10]) - date.fromisoformat(at[:10])).days
    return Age(what=what, at=at, text=text, days=days)
