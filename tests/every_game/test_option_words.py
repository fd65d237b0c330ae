"""What the text of an option names is asked where the option is asked, and its texts agree.

A condition that is forgotten in the code, and whose case with it, is missed by no case; but the
text still names it: the side of a submarine, the light, a carrier. That a case notices each
condition that stands in the code is test_option_cases.py's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import pytest
from msgspec.structs import replace

from domain.kernel.agreed import Agreed, options_of
from domain.kernel.shown.option_texts import OptionText
from tests.support import cases
from tests.support.citing import Function, functions, near
from tests.support.suites import Suite, suites

PLAYED = [suite for suite in suites().values() if (cases.FOLDER / suite.folder).is_dir()]
OPTIONS = [(suite, each) for suite in PLAYED for each in options_of(suite.game.options)]
every_option = pytest.mark.parametrize(
    ("suite", "option"), OPTIONS, ids=[f"{s.folder}-{o.name}" for s, o in OPTIONS]
)

NAMED = {
    "an active side": (r"\b(active|passive)\b", r"^(active|passive)$"),
    "the light": (r"\b(daylight|dark|darkness|night)\b", r"dark|night|light"),
    "a carrier": (r"\bcarriers?\b", r"carrier"),
    "a submarine": (r"\bsubmarines?\b", r"submarine|submerged|reach|^row$"),
    "aircraft": (r"\baircraft\b", r"aircraft|flights|flying|air_|strafing|no-room"),
    "a range": (r"\brange\b", r"range|band|reach"),
    "a crippled unit": (r"\bcrippled\b", r"crippled"),
    "a retreat": (r"\bretreat\b", r"retreat"),
    "which turn": (r"\b(next|first|last|even|odd) turn\b", r"turn|round"),
    "torpedoes": (r"\btorpedo(es)?\b(?! bomber)", r"torpedo"),
}
"""What a text may name: how it says so, and what the names in code are like."""

FARTHER = {
    ("crimson_tide", "airTarget", "a range"): "why_not_attack measures every target",
    ("war_at_sea", "stayHome2007", "aircraft"): "only Aircraft are asked to be placed",
}
"""What stands farther off than beside the option, with where: read by us. May only shrink."""

OPPOSITES = (
    ("active", "passive"), ("day", "night"), ("before", "after"), ("first", "last"),
    ("first", "second"), ("at least", "at most"), ("more", "fewer"), ("nearer", "farther"),
    ("friendly", "enemy"),
)  # fmt: skip
DENIES = re.compile(r"\b(no|not|nobody|never|nothing)\b")


def unasked(suite: Suite, option: Agreed, text: OptionText, read: list[Function]) -> list[str]:
    """What a text names and nothing asks, in these functions or next to them."""
    beside = chain(read, *(near(suite.folder, each) for each in read))
    code = {name for each in beside for name in _names(option, each)}
    said = f"{text.about}. {text.usual}. {text.other}"
    return [
        named
        for named, (words, names) in NAMED.items()
        if re.search(words, said, re.IGNORECASE)
        and not any(re.search(names, each) for each in code)
    ]


def _names(option: Agreed, function: Function) -> Iterator[str]:
    """The names in a function and its strings without prose; not the option's."""
    own = {option.name, option.field, *map(str, option.values)}
    yield from function.uses - {option.field}
    yield from (each for each in function.says - own if " " not in each)


def readers(suite: Suite, option: Agreed) -> list[Function]:
    return [each for each in functions(suite.folder) if option.field in each.uses]


@every_option
def test_what_its_text_names_is_asked_beside_it(suite: Suite, option: Agreed) -> None:
    text = suite.game.option_texts[option.name]
    found = unasked(suite, option, text, readers(suite, option))
    listed = {
        what for folder, name, what in FARTHER if (folder, name) == (suite.folder, option.name)
    }
    assert set(found) == listed, (
        f"options.toml says it of {option.name}, and nothing asks it where the option is asked: "
        "it is forgotten there; or it is asked by now, and FARTHER lists it"
    )


def opposed(option: Agreed, text: OptionText) -> list[str]:
    """Values that say the opposite of what they are called, and not that word itself."""
    told = f"{text.usual} {text.other}"
    return [
        f"{value} is told as {other!r}"
        for value in (each for each in option.values if isinstance(each, str) and each)
        for one, other in chain(OPPOSITES, ((b, a) for a, b in OPPOSITES))
        if _says(one, value) and _turns(_told_of(value, told), one, other)
    ]


def _turns(told: str, one: str, other: str) -> bool:
    return _says(other, told) and not _says(one, told) and not DENIES.search(told)


def _told_of(value: str, told: str) -> str:
    """What is said of a value: from its name to the next."""
    return told.partition(f"`{value}`")[2].partition("`")[0]


def _says(word: str, text: str) -> bool:
    return re.search(rf"\b{word}\b", text, re.IGNORECASE) is not None


@every_option
def test_no_value_is_told_as_its_opposite(suite: Suite, option: Agreed) -> None:
    found = opposed(option, suite.game.option_texts[option.name])
    assert found == [], f"options.toml, {option.name}"


# --- what is found --------------------------------------------------------------------------------


def option_of(game: str, name: str) -> tuple[Suite, Agreed]:
    return next((s, o) for s, o in OPTIONS if (s.folder, o.name) == (game, name))


@pytest.mark.parametrize(
    ("game", "name", "lacks"),
    [
        ("crimson_tide", "nightGunnery", "the light"),
        ("crimson_tide", "submarineGuns", "a submarine"),
        ("naval_battles", "consecutiveRetreats", "which turn"),
    ],
)
def test_a_condition_that_is_forgotten_is_found(game: str, name: str, lacks: str) -> None:
    suite, option = option_of(game, name)
    text, read = suite.game.option_texts[option.name], readers(suite, option)
    assert lacks not in unasked(suite, option, text, read)
    bare = [e._replace(name="?", uses=frozenset({option.field}), says=frozenset()) for e in read]
    assert lacks in unasked(suite, option, text, bare)


@pytest.mark.parametrize(
    ("game", "name", "old", "new"),
    [
        ("war_at_sea", "concealmentTiming", "before the", "after the"),
        ("war_at_sea", "concealmentTiming", "after a", "before a"),
    ],
)
def test_a_value_that_is_told_as_its_opposite_is_found(
    game: str, name: str, old: str, new: str
) -> None:
    suite, option = option_of(game, name)
    text = suite.game.option_texts[name]
    changed = replace(text, usual=text.usual.replace(old, new), other=text.other.replace(old, new))
    assert changed != text
    assert opposed(option, text) == []
    assert opposed(option, changed)
